//! Messages in the language of the process: they are made in English, and translated where one leaves the emulator.

use std::borrow::Cow;
use std::sync::LazyLock;

use aclnn_sys::language::{Language, Translations};

#[cfg(all(feature = "catalogue", not(test)))]
mod catalogue;

/// The templates, which `cargo test -p xtask-generate --test messages` compares with the source.
#[cfg(not(all(feature = "catalogue", not(test))))]
mod catalogue {
    pub(super) fn text() -> &'static str {
        include_str!("messages.zh.tsv")
    }
}

static TRANSLATIONS: LazyLock<Translations> = LazyLock::new(|| Translations::parse(catalogue::text()));

/// Returns a message in the language of the process; one that has no translation stays as it is.
#[cold]
pub(crate) fn localised(message: &str) -> Cow<'_, str> {
    match Language::get() {
        Language::English => Cow::Borrowed(message),
        Language::Chinese => Cow::Owned(TRANSLATIONS.translate(message)),
    }
}

/// Writes a message of the emulator to standard error, in the language of the process.
#[cold]
pub(crate) fn tell(message: &str) {
    eprintln!("cann-stubs: {}", localised(message));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each sentence as a person would say it, from what tests of the emulator see in English.
    #[test]
    fn messages_are_translated_with_what_their_holes_hold() {
        let said = |message| TRANSLATIONS.translate(message);
        assert_eq!(
            said("aclnnAdd: self is u4, but the operator takes f32 f16 [code 161002, emulator]"),
            "aclnnAdd：self 是 u4，但算子只支持 f32 f16 [错误码 161002，模拟器]"
        );
        assert_eq!(
            said(
                "self and other do not broadcast: shapes [2, 3] and [4] do not broadcast: on axis 1 the sizes are 3 and 4, \
                 which must be equal or one of them 1; called with self [2, 3] f32, other [4] f32"
            ),
            "self 和 other 不能广播：形状 [2, 3] 和 [4] 不能广播：轴 1 的大小是 3 和 4，必须相等，或其中一个是 1；\
             调用时的操作数：self [2, 3] f32, other [4] f32"
        );
        assert_eq!(
            said(
                "stream 2 reads self where aclnnAdd on stream 1 writes out, and nothing orders the two; record an event behind \
                 the first and let the other stream wait for it"
            ),
            "stream 2 读取 self，而流 1 上的 aclnnAdd 写入 out，两者之间没有先后顺序；\
             请在前一个任务之后记录事件，并让另一个流等待它"
        );
        assert_eq!(
            said("device memory of 64 bytes at 0x10 still lives; made here:\nmain.c:3"),
            "设备内存（64 字节）仍未释放，位于 0x10；创建位置：\nmain.c:3"
        );
        assert_eq!(
            said("stream is not a handle of that kind: it is that of an event"),
            "stream 不是该类型的句柄：它是事件的句柄"
        );
        assert_eq!(said("words that nobody wrote"), "words that nobody wrote");
    }
}

//! Messages in Chinese, and in English where nothing asks for Chinese.

use std::os::unix::process::ExitStatusExt;
use std::process::Output;
use std::ptr;

use aclnn_numerics::DType;
use aclnn_sys::*;

use crate::support::child::{self, this_test};
use crate::support::program::*;
use crate::support::*;

const CHINESE: [(&str, &str); 2] = [("ACLNN_LANG", "zh"), ("CANN_STUBS_LEAKS", "list")];

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The messages of three calls that fail: one of the runtime, one of an operator, and one that is misuse.
fn three_messages() -> [String; 3] {
    device();
    let runtime = &EMULATOR.runtime;
    // SAFETY: null where a place is needed is refused.
    code(unsafe { runtime.aclrtMalloc(ptr::null_mut(), 64, ACL_MEM_MALLOC_HUGE_FIRST) });
    let of_null = message();
    let memory = malloc(64);
    let [a, b] = [2, 3].map(|size| tensor(DType::F32, &[size], memory));
    let of_shapes = plan_add(a, b, a).message;
    good(rt!(aclrtFree(memory)));
    // SAFETY: none: this is the mistake, which is refused.
    code(unsafe { runtime.aclrtFree(memory) });
    [of_null, of_shapes, message()]
}

#[test]
fn messages_are_in_chinese_where_the_language_is_chinese() {
    child::with(this_test!(), &CHINESE, || {
        let [of_null, of_shapes, of_freed] = three_messages();
        assert!(of_null.starts_with("aclrtMalloc：") && of_null.contains("是空指针"), "{of_null}");
        assert!(of_null.ends_with("[错误码 100000，模拟器]"), "{of_null}");
        assert!(of_shapes.contains("self 和 other 不能广播：形状 [2] 和 [3] 不能广播"), "{of_shapes}");
        assert!(of_shapes.contains("调用时的操作数"), "{of_shapes}");
        assert!(of_freed.contains("已被释放"), "{of_freed}");
    });
}

#[test]
fn messages_are_in_english_without_a_language() {
    for settings in
        [[("ACLNN_LANG", "en"), ("LC_ALL", "zh_CN.UTF-8")], [("ACLNN_LANG", "fr"), ("LC_ALL", "zh_CN")]]
    {
        child::with(this_test!(), &settings, || {
            let all = three_messages().concat();
            assert!(all.is_ascii() && all.contains("is null") && all.contains("do not broadcast"), "{all}");
        });
    }
}

#[test]
fn leaks_are_told_in_chinese() {
    let body = || {
        device();
        malloc(64);
        good(rt!(aclFinalize()));
    };
    let Some(output) = child::run(this_test!(), &CHINESE, body) else { return };
    let text = text(&output);
    assert!(text.contains("cann-stubs: leak: aclFinalize: 设备内存（64 字节）仍未释放，位于 0x"), "{text}");
}

/// A handler of signals says it.
#[test]
fn an_access_of_the_host_to_device_memory_is_explained_in_chinese() {
    let body = || {
        device();
        // SAFETY: none: this is the mistake. The process gets SIGSEGV.
        println!("{}", unsafe { malloc(100).cast::<u8>().add(16).read_volatile() });
    };
    let Some(output) = child::run(this_test!(), &CHINESE, body) else { return };
    let text = text(&output);
    assert_eq!(output.status.signal(), Some(libc::SIGSEGV), "{text}");
    assert!(text.contains("100 字节内存块内偏移 16 字节处。主机不能访问设备内存"), "{text}");
    assert!(text.contains("写入时从主机内存拷贝\n"), "cut off: {text}");
}

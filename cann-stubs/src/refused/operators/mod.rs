//! Operators that CANN publishes and the emulator does not compute: their functions are there and refuse.
//!
//! `cargo xtask bindings` writes `list` from the table of all operators; an operator that is declared is not in the list.

mod list;

pub(super) use list::SYMBOLS;

use aclnn_sys::ACLNN_ERR_INNER_FIND_KERNEL_ERROR as CODE;

use crate::outcome::Outcome;
use crate::status::Status;

/// Refuses a call of the function called `entry`.
///
/// `extern "C"` says that it does not unwind, so that each of the two thousand functions that call it is only a jump.
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "called from Rust alone")]
extern "C" fn refuse(entry: &'static &'static str) -> i32 {
    let message = "the emulator does not compute this operator; run this part of the program on a device";
    i32::refused(entry, Status::new(CODE, message))
}

/// Declares both functions of each operator in `pairs`, and the only one of each in `alone`. They read none of their
/// arguments, so their parameters do not matter.
macro_rules! refused {
    (pairs { $($name:ident)* } alone { $($single:ident)* }) => {
        /// The functions of every operator here.
        pub(in super::super) static SYMBOLS: &[$crate::surface::EntryPoint] = &[
            $(
                $crate::refused::operators::refused!(@ concat!("aclnn", stringify!($name), "GetWorkspaceSize")),
                $crate::refused::operators::refused!(@ concat!("aclnn", stringify!($name))),
            )*
            $($crate::refused::operators::refused!(@ concat!("aclnn", stringify!($single))),)*
        ];
    };
    (@ $entry:expr) => {{
        #[cfg_attr(feature = "drop-in", unsafe(export_name = concat!("cann_stubs_", $entry)))]
        extern "C" fn entry() -> i32 {
            $crate::refused::operators::refuse(&$entry)
        }
        $crate::surface::EntryPoint::refusing($entry, entry, $crate::refused::operators::CODE)
    }};
}
use refused;

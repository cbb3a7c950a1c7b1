//! Operators that CANN publishes and the emulator does not compute: their functions are there and refuse.
//!
//! `cargo xtask surface` writes their list, which is in [`crate::refused`]; an operator that is declared is not in it.

use std::ffi::c_void;

use aclnn_sys::{ACLNN_ERR_INNER_FIND_KERNEL_ERROR as CODE, aclOpExecutor, aclrtStream};

use crate::entry::{Handle, Parameter, call as enter};
use crate::outcome::Outcome;
use crate::refused::operators::refused_operators;
use crate::runtime::stream::refused_work;
use crate::status::Status;
use crate::surface::{EntryPoint, Support};

fn why() -> Status {
    Status::new(CODE, "the emulator does not compute this operator; run this part of the program on a device")
}

/// Refuses a call of the function called `entry`.
///
/// `extern "C"` says that it does not unwind, as of the other two, so that each of the functions that call them is only a
/// jump.
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "called from Rust alone")]
extern "C" fn refuse(entry: &'static &'static str) -> i32 {
    i32::refused(entry, why())
}

/// Refuses phase one of an operator, or leaves that to phase two, which is called `launch`.
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "called from Rust alone")]
extern "C" fn plan(entry: &'static &'static str, launch: &'static &'static str) -> i32 {
    match refused_work::postpone(launch, why()) {
        Ok(()) => 0,
        Err(why) => i32::refused(entry, why),
    }
}

/// Refuses phase two of an operator, or its work where phase one left that to it.
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "called from Rust alone")]
extern "C" fn launch(entry: &'static &'static str, stream: aclrtStream) -> i32 {
    let Some(why) = refused_work::postponed(entry) else { return refuse(entry) };
    // SAFETY: handles are never dereferenced.
    let stream = unsafe { Handle::from_c(stream) };
    enter::<i32>(entry, &mut || refused_work::refuse(entry, &stream, why.clone()))
}

/// Declares both functions of each operator in `pairs`, and the only one of each in `alone`. They read none of their
/// arguments but the stream of phase two, which is always the fourth, so the parameters of operators do not matter.
macro_rules! refused {
    (pairs { $($name:ident)* } alone { $($single:ident)* }) => {
        /// The functions of every operator here.
        pub(super) static SYMBOLS: &[EntryPoint] = &[
            $(
                refused!(
                    @ concat!("aclnn", stringify!($name), "GetWorkspaceSize"),
                    plan(&concat!("aclnn", stringify!($name)))
                ),
                refused!(@ launch concat!("aclnn", stringify!($name))),
            )*
            $(refused!(@ concat!("aclnn", stringify!($single)), refuse()),)*
        ];
    };
    (@ $entry:expr, $function:ident($($launch:expr)?)) => {{
        #[cfg_attr(all(feature = "drop-in", not(test)), unsafe(export_name = concat!("cann_stubs_", $entry)))]
        extern "C" fn entry() -> i32 {
            $function(&$entry $(, $launch)?)
        }
        EntryPoint::refusing($entry, entry, CODE)
    }};
    (@ launch $entry:expr) => {{
        #[cfg_attr(all(feature = "drop-in", not(test)), unsafe(export_name = concat!("cann_stubs_", $entry)))]
        extern "C" fn entry(
            _workspace: *mut c_void,
            _size: u64,
            _executor: *mut aclOpExecutor,
            stream: aclrtStream,
        ) -> i32 {
            launch(&$entry, stream)
        }
        // SAFETY: every phase two has this prototype.
        unsafe {
            EntryPoint::new($entry, entry as *const (), Support::Refuses(CODE))
        }
    }};
}

refused_operators!(refused);

//! The error messages of the runtime, and the log of programs.

use std::ffi::c_char;
use std::io::Write;

use aclnn_sys::{
    ACL_DEBUG, ACL_ERROR, ACL_INFO, ACL_RT_THREAD_LEVEL, ACL_WARNING, aclLogLevel, aclrtLastErrLevel,
};

use crate::entry::{EntryPoint, Parameter, Text, entry_points, plain_parameters};
use crate::runtime::code;
use crate::status;
use crate::surface::Support;

fn last(level: aclrtLastErrLevel, clear: bool) -> i32 {
    if level == ACL_RT_THREAD_LEVEL { status::last_code(clear) } else { code::INVALID_PARAM }
}

/// Writes one line to standard error; lines below the level of errors are dropped.
///
/// The format stays as it is: its arguments, which C passes after it, are of unknown types.
fn log(level: aclLogLevel, function: &Text, file: &Text, line: u32, format: &Text) {
    let name = match level {
        ACL_DEBUG | ACL_INFO | ACL_WARNING => return,
        ACL_ERROR => "ERROR",
        _ => "?",
    };
    let text = |text: &Text| text.read().unwrap_or_default();
    let (function, file, format) = (text(function), text(file), text(format));
    // When standard error is closed, the line is dropped.
    let _ = writeln!(std::io::stderr(), "[{name}] {file}:{line} {function}: {format}");
}

/// In C this takes arguments for `format` after it. A function that is called with more arguments than it declares
/// ignores them under the calling conventions of x86-64 and aarch64 on Linux, so the fixed ones suffice.
#[allow(non_snake_case)]
#[cfg_attr(all(feature = "drop-in", not(test)), unsafe(export_name = "cann_stubs_aclAppLog"))]
pub(crate) unsafe extern "C" fn aclAppLog(
    level: aclLogLevel,
    function: *const c_char,
    file: *const c_char,
    line: u32,
    format: *const c_char,
) {
    // SAFETY: the values come straight from the C caller.
    let [function, file, format] =
        unsafe { [Text::from_c(function), Text::from_c(file), Text::from_c(format)] };
    crate::entry::call::<()>("aclAppLog", &mut || log(level, &function, &file, line, &format));
}

/// The function with variable arguments, which the macro below cannot declare.
pub(crate) const VARIADIC: &[EntryPoint] = &[
    // SAFETY: the prototype is CANN's as far as it is used, see above.
    unsafe { EntryPoint::new("aclAppLog", aclAppLog as *const (), Support::Works) },
];

plain_parameters! { aclrtLastErrLevel }

entry_points! { SYMBOLS:
    fn aclGetRecentErrMsg() -> *const c_char {
        status::take_message()
    }
}

/// The two that return the last error as a value: one that they answer with is not a failure of theirs.
macro_rules! last_error {
    ($list:ident: $($name:ident, clear: $clear:literal;)*) => {
        $(
            #[allow(non_snake_case)]
            #[cfg_attr(all(feature = "drop-in", not(test)), unsafe(export_name = concat!("cann_stubs_", stringify!($name))))]
            pub(crate) unsafe extern "C" fn $name(level: aclrtLastErrLevel) -> i32 {
                last(level, $clear)
            }

            const _: aclnn_sys::pfn::$name = $name;
        )*

        pub(crate) const $list: &[EntryPoint] = &[
            // SAFETY: the assertions above compare the prototypes.
            $(unsafe { EntryPoint::new(stringify!($name), $name as *const (), Support::Works) }),*
        ];
    };
}

last_error! { LAST_ERROR:
    aclrtGetLastError, clear: true;
    aclrtPeekAtLastError, clear: false;
}

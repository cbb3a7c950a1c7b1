//! Sets the settings of the tests before `main`. The emulator reads them once, and any test may be the first.

use std::ffi::CStr;

use crate::support;

/// Where every object is made is not found out, which takes a quarter of the time; `RUST_LIB_BACKTRACE=1` brings it back.
/// Panics still tell where they come from, if the environment asks for it.
const NO_PLACES: (&CStr, &CStr) = (c"RUST_LIB_BACKTRACE", c"0");

#[used]
#[unsafe(link_section = ".init_array")]
static SET: extern "C" fn() = set;

extern "C" fn set() {
    let settings = support::SETTINGS.map(|setting| (setting, 1));
    for ((name, value), replaces) in settings.into_iter().chain([(NO_PLACES, 0)]) {
        // SAFETY: two texts; no other thread exists yet.
        unsafe { libc::setenv(name.as_ptr(), value.as_ptr(), replaces) };
    }
}

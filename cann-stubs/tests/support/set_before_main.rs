//! Sets the settings of the tests before `main`. The emulator reads them once, and any test may be the first.

use crate::support;

#[used]
#[unsafe(link_section = ".init_array")]
static SET: extern "C" fn() = set;

extern "C" fn set() {
    for (name, value) in support::SETTINGS {
        // SAFETY: two texts; no other thread exists yet.
        unsafe { libc::setenv(name.as_ptr(), value.as_ptr(), 1) };
    }
}

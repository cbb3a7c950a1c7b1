//! Tests that share one process, a module for each subject. A test that needs a process of its own stands in `../alone`.
//!
//! A test is `#[parallel]` if other tests may run beside it: it counts nothing of the whole process and changes nothing for
//! other threads, beyond setting a device while it runs. It is `#[serial]` otherwise, and has the process for itself. Both
//! leave the process as they found it: no device stays set, and with the last `Device` ends what is on it.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

mod arithmetic;
mod checks;
mod executors;
mod faults;
mod modes;
mod needs;
mod ranges;
mod refusals;
mod repetition;
mod runtime_callbacks;
mod runtime_events;
mod runtime_lifecycle;
mod runtime_memory;
mod runtime_settings;
mod runtime_sharing;
mod runtime_signals;
mod runtime_streams;
#[path = "../support/mod.rs"]
mod support;
mod trace;

/// Sets the settings before `main`. The emulator reads them once, and any test may be the first.
#[used]
#[unsafe(link_section = ".init_array")]
static SET: extern "C" fn() = set;

extern "C" fn set() {
    for (name, value) in support::SETTINGS {
        // SAFETY: two texts; no other thread exists yet.
        unsafe { libc::setenv(name.as_ptr(), value.as_ptr(), 1) };
    }
}

//! Ending the program because of what it did.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::ffi::{c_int, c_void};
use std::io::Write;
use std::time::Duration;
use std::{io, process, ptr, thread};

/// How long writing out what the program printed may take. Another thread may hold a stream for ever, as one does that
/// waits for input.
const PATIENCE: Duration = Duration::from_secs(5);

unsafe extern "C" {
    fn fflush(stream: *mut c_void) -> c_int;
}

/// Stops the process, with the place where this was called if the environment asks for it. What the program has printed
/// and C or Rust has kept back is written first.
pub(super) fn stop() -> ! {
    let here = Backtrace::capture();
    if here.status() == BacktraceStatus::Captured {
        eprintln!("{here}");
    }
    let watch = thread::Builder::new().spawn(|| {
        thread::sleep(PATIENCE);
        process::abort();
    });
    if watch.is_ok() {
        // SAFETY: null stands for every stream of C, and C allows it at any time.
        unsafe { fflush(ptr::null_mut()) };
        // What cannot be written is lost with the process.
        let _ = io::stdout().flush();
    }
    process::abort();
}

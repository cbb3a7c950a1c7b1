//! Aborts the program because of misuse or of leaks.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::ffi::{c_int, c_void};
use std::io::Write;
use std::time::Duration;
use std::{io, process, ptr, thread};

/// How long writing the buffered output of the program may take. Another thread may hold the lock of a C stream for ever,
/// such as a thread that waits for input.
const PATIENCE: Duration = Duration::from_secs(5);

unsafe extern "C" {
    fn fflush(stream: *mut c_void) -> c_int;
}

/// Stops the process, and prints a backtrace if the environment asks for it. Output of the program that C or Rust still
/// buffers is written first.
pub(super) fn abort_program() -> ! {
    let here = Backtrace::capture();
    if here.status() == BacktraceStatus::Captured {
        eprintln!("{here}");
    }
    let watch = thread::Builder::new().spawn(|| {
        thread::sleep(PATIENCE);
        process::abort();
    });
    if watch.is_ok() {
        // SAFETY: null means every stream of C, and C allows the call at any time.
        unsafe { fflush(ptr::null_mut()) };
        // Output that cannot be written is lost with the process.
        let _ = io::stdout().flush();
    }
    process::abort();
}

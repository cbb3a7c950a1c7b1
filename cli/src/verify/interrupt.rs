//! The message when Ctrl-C ends this process.

use std::sync::OnceLock;

static TOLD: OnceLock<String> = OnceLock::new();

/// Writes a text to standard error when an interrupt ends this process. The first text counts.
pub(super) fn tell(text: &str) {
    if TOLD.set(text.to_owned()).is_ok() {
        let handler: extern "C" fn(libc::c_int) = end;
        // SAFETY: the handler calls nothing but functions that a handler may call.
        unsafe { libc::signal(libc::SIGINT, handler as libc::sighandler_t) };
    }
}

extern "C" fn end(signal: libc::c_int) {
    if let Some(text) = TOLD.get() {
        // SAFETY: the text lives as long as the process. Whether it is written changes nothing.
        unsafe { libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len()) };
    }
    // SAFETY: the process ends by the signal, as if it had not been handled.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
}

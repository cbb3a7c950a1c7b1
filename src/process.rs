//! What becomes of the libraries when the process forks.
//!
//! A child of `fork` has the memory of its parent, but neither its threads nor its devices. Locks that another thread
//! held stay locked there for ever, so nothing is locked before it was asked whether this is such a child.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Error, Result};

/// Whether this process was forked from one that used the libraries.
static FORKED: AtomicBool = AtomicBool::new(false);

/// Notes every fork from now on.
pub(crate) fn watch_forks() {
    #[cfg(unix)]
    {
        use std::sync::Once;

        extern "C" fn in_child() {
            FORKED.store(true, Ordering::Relaxed);
        }

        static ONCE: Once = Once::new();
        // SAFETY: the handler does nothing but store. That there is no memory for it is no reason to stop.
        ONCE.call_once(|| _ = unsafe { libc::pthread_atfork(None, None, Some(in_child)) });
    }
}

/// Whether this process was forked from one that used the libraries, so that none of them may be called and nothing locked.
#[inline]
pub(crate) fn is_forked() -> bool {
    FORKED.load(Ordering::Relaxed)
}

/// An error in a forked process.
#[inline]
pub(crate) fn check() -> Result<()> {
    if is_forked() { Err(Error::Forked) } else { Ok(()) }
}

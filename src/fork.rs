//! Forks: whether this process was forked from one that used the libraries, and the error in this case.
//!
//! A child of `fork` has the memory of its parent, but neither its threads nor its devices. A lock that another thread
//! held stays locked in the child for ever, so this crate checks for a fork before it takes any lock.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Error, Result};

/// Whether this process was forked from one that used the libraries.
static FORKED: AtomicBool = AtomicBool::new(false);

/// Records every fork from now on.
pub(crate) fn watch_forks() {
    #[cfg(unix)]
    {
        use std::sync::Once;

        extern "C" fn in_child() {
            FORKED.store(true, Ordering::Relaxed);
        }

        static ONCE: Once = Once::new();
        // SAFETY: the handler only stores a flag. If there is no memory to register it, the program can still go on.
        ONCE.call_once(|| _ = unsafe { libc::pthread_atfork(None, None, Some(in_child)) });
    }
}

/// Returns whether this process was forked from one that used the libraries: then no library may be called and nothing
/// locked.
#[inline]
pub(crate) fn is_forked() -> bool {
    FORKED.load(Ordering::Relaxed)
}

/// Returns an error in a forked process.
#[inline]
pub(crate) fn check() -> Result<()> {
    if is_forked() { Err(Error::Forked) } else { Ok(()) }
}

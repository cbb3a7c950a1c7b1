//! Buffers that a thread keeps from one launch to the next.

use std::cell::RefCell;
use std::thread::LocalKey;

/// Calls `then` with what this thread keeps; while the thread ends, when that may be gone, with something new.
#[inline]
pub(crate) fn with_kept<T, R>(
    kept: &'static LocalKey<RefCell<T>>,
    new: fn() -> T,
    then: impl FnOnce(&mut T) -> R,
) -> R {
    match kept.try_with(|_| ()) {
        Ok(()) => kept.with_borrow_mut(then),
        Err(_) => then(&mut new()),
    }
}

//! A lock for moments: taking it is one atomic exchange, and releasing it a plain store.
//!
//! A mutex also exchanges when it is released, to learn whether a thread sleeps. A launch takes about five locks and
//! computes for a few nanoseconds, so each exchange counts.

use std::cell::UnsafeCell;
use std::fmt;
use std::hint;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// A value that one thread uses at a time, for about a microsecond at most and without waiting for anything meanwhile.
///
/// A thread that finds it taken asks again: at once for a while, then after the other threads had their turn, then after
/// short sleeps, should the holder be kept from running.
#[derive(Default)]
pub(crate) struct Brief<T> {
    taken: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: one thread at a time reaches the value, so it is sent between threads and never shared.
unsafe impl<T: Send> Sync for Brief<T> {}

/// The value of a [`Brief`] while this thread has it.
pub(crate) struct BriefGuard<'a, T> {
    lock: &'a Brief<T>,
    /// The value must not be shared where it may only be sent.
    of_one_thread: PhantomData<*const ()>,
}

impl<T> Brief<T> {
    pub(crate) const fn new(value: T) -> Self {
        Brief { taken: AtomicBool::new(false), value: UnsafeCell::new(value) }
    }

    #[inline]
    pub(crate) fn lock(&self) -> BriefGuard<'_, T> {
        if self.taken.swap(true, Ordering::Acquire) {
            self.wait();
        }
        BriefGuard { lock: self, of_one_thread: PhantomData }
    }

    /// Takes the lock unless it is taken.
    #[inline]
    pub(crate) fn try_lock(&self) -> Option<BriefGuard<'_, T>> {
        let free = !self.taken.swap(true, Ordering::Acquire);
        free.then_some(BriefGuard { lock: self, of_one_thread: PhantomData })
    }

    #[cold]
    fn wait(&self) {
        const SPINS: u32 = 64;
        const YIELDS: u32 = 256;
        const SLEEP: Duration = Duration::from_micros(50);
        let mut tries = 0_u32;
        while self.taken.load(Ordering::Relaxed) || self.taken.swap(true, Ordering::Acquire) {
            match tries {
                ..SPINS => hint::spin_loop(),
                SPINS..YIELDS => thread::yield_now(),
                YIELDS.. => thread::sleep(SLEEP),
            }
            tries = tries.saturating_add(1);
        }
    }
}

impl<T> Deref for BriefGuard<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: this guard alone has the lock.
        unsafe { &*self.lock.value.get() }
    }
}

impl<T> DerefMut for BriefGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above, and the guard is borrowed alone.
        unsafe { &mut *self.lock.value.get() }
    }
}

impl<T> Drop for BriefGuard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.lock.taken.store(false, Ordering::Release);
    }
}

impl<T> fmt::Debug for Brief<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Brief").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_have_the_value_one_after_the_other() {
        let sum = Brief::new(0_u64);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for round in 0..20_000 {
                        let mut sum = sum.lock();
                        let before = *sum;
                        if round % 1000 == 0 {
                            thread::yield_now();
                        }
                        *sum = before + 1;
                    }
                });
            }
        });
        assert_eq!(*sum.lock(), 80_000);
    }

    #[test]
    fn a_lock_that_is_taken_is_refused_until_it_is_released() {
        let lock = Brief::new(7);
        let guard = lock.try_lock().unwrap();
        assert!(lock.try_lock().is_none());
        drop(guard);
        assert_eq!(lock.try_lock().as_deref(), Some(&7));
    }
}

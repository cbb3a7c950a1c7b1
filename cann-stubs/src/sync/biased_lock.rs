//! A lock for moments, which costs the thread that mostly takes it no atomic exchange.
//!
//! A launch takes about five locks and computes for a few nanoseconds, so each exchange counts. The first thread that takes a
//! lock owns it: it says that it is inside by a plain store, and then looks whether it still owns the lock. Another thread
//! first ends the ownership, for ever: it says so, lets the system order the memory of all threads, and waits until the owner
//! is outside. From then on every thread takes the lock by an exchange. Where the system does not order memory so, no thread
//! ever owns a lock.

use std::cell::{Cell, UnsafeCell};
use std::fmt;
use std::hint;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering, compiler_fence};
use std::thread;
use std::time::Duration;

/// A value that one thread uses at a time, for about a microsecond at most and without waiting for anything meanwhile.
///
/// A thread that finds it taken asks again: at once for a while, then after the other threads had their turn, then after
/// short sleeps, should the holder be kept from running.
#[derive(Default)]
pub(crate) struct BiasedLock<T> {
    state: State,
    value: UnsafeCell<T>,
}

/// The state of a lock, which says who may use the value, of whatever type.
#[derive(Default)]
struct State {
    /// The number of the thread that owns the lock, or one of the states below.
    owner: AtomicU64,
    /// Whether the owner is inside; only the owner writes it.
    held: AtomicBool,
    /// Whether a thread is inside since the lock has no owner any more.
    taken: AtomicBool,
}

/// No thread has taken the lock yet.
const FRESH: u64 = 0;
/// A thread ends the ownership; nobody takes the lock meanwhile.
const ENDING: u64 = 1;
/// The lock is taken by an exchange.
const SHARED: u64 = 2;
/// The number of the first thread.
const FIRST: u64 = 3;

// SAFETY: one thread at a time reaches the value, so it is sent between threads and never shared.
unsafe impl<T: Send> Sync for BiasedLock<T> {}

/// The value of a [`BiasedLock`] while this thread has it.
pub(crate) struct BiasedGuard<'a, T> {
    value: &'a UnsafeCell<T>,
    /// What says that this thread is inside.
    inside: &'a AtomicBool,
    /// The value must not be shared where it may only be sent.
    of_one_thread: PhantomData<*const ()>,
}

impl<T> BiasedLock<T> {
    pub(crate) const fn new(value: T) -> Self {
        let state = State {
            owner: AtomicU64::new(FRESH),
            held: AtomicBool::new(false),
            taken: AtomicBool::new(false),
        };
        BiasedLock { state, value: UnsafeCell::new(value) }
    }

    #[inline]
    pub(crate) fn lock(&self) -> BiasedGuard<'_, T> {
        self.guard(self.state.lock())
    }

    /// Takes the lock unless it is taken.
    #[inline]
    pub(crate) fn try_lock(&self) -> Option<BiasedGuard<'_, T>> {
        self.state.try_lock().map(|inside| self.guard(inside))
    }

    #[inline]
    fn guard<'a>(&'a self, inside: &'a AtomicBool) -> BiasedGuard<'a, T> {
        BiasedGuard { value: &self.value, inside, of_one_thread: PhantomData }
    }
}

/// The functions that take the lock return what says that this thread is inside.
impl State {
    #[inline]
    fn lock(&self) -> &AtomicBool {
        match self.enter_as_owner() {
            Some(inside) => inside,
            None => self.lock_shared(),
        }
    }

    #[inline]
    fn try_lock(&self) -> Option<&AtomicBool> {
        // By its owner, which may be this thread.
        if self.held.load(Ordering::Relaxed) {
            return None;
        }
        match self.enter_as_owner() {
            Some(inside) => Some(inside),
            None => self.try_lock_shared(),
        }
    }

    /// Takes the lock if this thread owns it.
    #[inline]
    fn enter_as_owner(&self) -> Option<&AtomicBool> {
        let me = number_of_owner();
        if self.owner.load(Ordering::Relaxed) != me || self.held.load(Ordering::Relaxed) {
            return None;
        }
        self.held.store(true, Ordering::Relaxed);
        // Who ends the ownership changes the owner, orders the memory of all threads, and looks whether the owner is inside.
        // So either the change is seen here, or the store before is seen there.
        compiler_fence(Ordering::SeqCst);
        if self.owner.load(Ordering::Relaxed) != me {
            self.held.store(false, Ordering::Release);
            return None;
        }
        Some(&self.held)
    }

    #[cold]
    #[inline(never)]
    fn lock_shared(&self) -> &AtomicBool {
        let mut tries = 0;
        loop {
            match self.become_owner_or_share() {
                Some(inside) => return inside,
                None if !self.taken.swap(true, Ordering::Acquire) => return &self.taken,
                None => pause_until(&mut tries, || !self.taken.load(Ordering::Relaxed)),
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn try_lock_shared(&self) -> Option<&AtomicBool> {
        if let Some(inside) = self.become_owner_or_share() {
            return Some(inside);
        }
        let free = !self.taken.swap(true, Ordering::Acquire);
        free.then_some(&self.taken)
    }

    /// Takes a fresh lock as its owner. Otherwise returns when the lock is taken by an exchange.
    fn become_owner_or_share(&self) -> Option<&AtomicBool> {
        let exchange = |from, to| self.owner.compare_exchange(from, to, Ordering::AcqRel, Ordering::Acquire);
        let mut tries = 0;
        loop {
            match self.owner.load(Ordering::Acquire) {
                SHARED => return None,
                ENDING => pause_until(&mut tries, || self.owner.load(Ordering::Relaxed) != ENDING),
                FRESH if barrier::is_there() => {
                    let me = number_of_owner();
                    if exchange(FRESH, me).is_ok()
                        && let Some(inside) = self.enter_as_owner()
                    {
                        return Some(inside);
                    }
                }
                FRESH => drop(exchange(FRESH, SHARED)),
                owner => {
                    if exchange(owner, ENDING).is_ok() {
                        barrier::order_all_threads();
                        while self.held.load(Ordering::Acquire) {
                            pause_until(&mut tries, || !self.held.load(Ordering::Relaxed));
                        }
                        self.owner.store(SHARED, Ordering::Release);
                    }
                }
            }
        }
    }
}

/// Waits a moment, and not much longer than until `is_over`.
fn pause_until(tries: &mut u32, is_over: impl Fn() -> bool) {
    const SPINS: u32 = 64;
    const YIELDS: u32 = 256;
    const SLEEP: Duration = Duration::from_micros(50);
    while !is_over() {
        match *tries {
            ..SPINS => hint::spin_loop(),
            SPINS..YIELDS => thread::yield_now(),
            YIELDS.. => thread::sleep(SLEEP),
        }
        *tries = tries.saturating_add(1);
    }
}

/// The number of this thread as an owner of locks, which no other thread ever has.
#[inline]
pub(crate) fn number_of_owner() -> u64 {
    thread_local!(static NUMBER: Cell<u64> = const { Cell::new(0) });

    #[cold]
    fn new() -> u64 {
        static NEXT: AtomicU64 = AtomicU64::new(FIRST);
        NUMBER.set(NEXT.fetch_add(1, Ordering::Relaxed));
        NUMBER.get()
    }

    match NUMBER.get() {
        0 => new(),
        number => number,
    }
}

/// The order of memory for all threads of the process at once, at the expense of the thread that asks for it.
mod barrier {
    #[cfg(all(target_os = "linux", not(miri)))]
    mod imp {
        use std::process;
        use std::sync::OnceLock;

        fn membarrier(command: libc::c_int) -> bool {
            // SAFETY: the call has no memory of the caller as its argument.
            unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 }
        }

        fn register() -> bool {
            membarrier(libc::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED)
        }

        /// Returns whether the system has it.
        pub(crate) fn is_there() -> bool {
            static IS_THERE: OnceLock<bool> = OnceLock::new();
            *IS_THERE.get_or_init(register)
        }

        /// What each thread did before is seen here, and what this thread did before is seen by each.
        pub(crate) fn order_all_threads() {
            let order = || membarrier(libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED);
            // The child of a fork may have to say again that it uses the call.
            let is_ordered = order() || (register() && order());
            if !is_ordered {
                // Nothing is sound from here on; a system that has the call never refuses it.
                process::abort();
            }
        }
    }

    #[cfg(not(all(target_os = "linux", not(miri))))]
    mod imp {
        pub(crate) fn is_there() -> bool {
            false
        }

        pub(crate) fn order_all_threads() {}
    }

    pub(super) use imp::{is_there, order_all_threads};
}

impl<T> Deref for BiasedGuard<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: this guard alone has the lock.
        unsafe { &*self.value.get() }
    }
}

impl<T> DerefMut for BiasedGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above, and the guard is borrowed alone.
        unsafe { &mut *self.value.get() }
    }
}

impl<T> Drop for BiasedGuard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.inside.store(false, Ordering::Release);
    }
}

impl<T> fmt::Debug for BiasedLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BiasedLock").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_have_the_value_one_after_the_other() {
        let sum = BiasedLock::new(0_u64);
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

    /// The second thread comes while the first one, which owns the lock, goes in and out.
    #[test]
    fn a_lock_passes_from_one_thread_to_all_of_them_while_it_is_taken() {
        const TIMES: u64 = 500;
        for _ in 0..300 {
            let (sum, start) = (BiasedLock::new(0_u64), std::sync::Barrier::new(3));
            thread::scope(|scope| {
                for number in 0..3 {
                    let (sum, start) = (&sum, &start);
                    scope.spawn(move || {
                        let count = |times| {
                            (0..times).for_each(|_| {
                                let mut sum = sum.lock();
                                *sum = hint::black_box(*sum) + 1;
                            });
                        };
                        if number == 0 {
                            count(TIMES);
                        }
                        start.wait();
                        count(TIMES);
                    });
                }
            });
            assert_eq!(*sum.lock(), 4 * TIMES);
            assert_eq!(sum.state.owner.load(Ordering::Relaxed), SHARED);
        }
    }

    #[test]
    fn one_thread_alone_keeps_its_lock() {
        let lock = BiasedLock::new(7);
        (0..3).for_each(|_| *lock.lock() += 1);
        assert_eq!(lock.try_lock().as_deref(), Some(&10));
        let owner = if barrier::is_there() { number_of_owner() } else { SHARED };
        assert_eq!(lock.state.owner.load(Ordering::Relaxed), owner);
        // It is in other hands for ever once another thread has asked.
        thread::scope(|scope| scope.spawn(|| *lock.lock() += 1).join().unwrap());
        assert_eq!((*lock.lock(), lock.state.owner.load(Ordering::Relaxed)), (11, SHARED));
    }

    #[test]
    fn a_lock_that_is_taken_is_refused_until_it_is_released() {
        let lock = BiasedLock::new(7);
        let guard = lock.try_lock().unwrap();
        assert!(lock.try_lock().is_none());
        drop(guard);
        assert_eq!(lock.try_lock().as_deref(), Some(&7));
    }
}

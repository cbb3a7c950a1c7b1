//! The locks, atomics and waits of the scheduler's threads: the primitives of the standard library.
//!
//! With the feature `model` they are those of a model checker, so that `tests/scheduler.rs` can run the scheduler itself
//! through many orders of its threads. A lock under which one of these is taken has to be one of these too. Time means
//! nothing there: a wait with a limit may end at any moment. A [`BiasedLock`] is never of the model, a [`BiasedMutex`] is.
//!
//! The order in which locks are taken is listed in `runtime/mod.rs`.

mod biased_lock;

pub(crate) use biased_lock::{BiasedGuard, BiasedLock, number_of_owner};
pub(crate) use imp::*;

#[cfg(not(feature = "model"))]
mod imp {
    pub(crate) use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, fence};
    pub(crate) use std::sync::{Condvar, Mutex, MutexGuard};
    pub(crate) use std::thread;
    pub(crate) use std::thread_local;

    pub(crate) use super::{BiasedGuard as BriefMutexGuard, BiasedLock as BiasedMutex};

    use std::sync::PoisonError;
    use std::time::Duration;

    /// Declares statics: in the model, each run begins with new ones.
    macro_rules! statics {
        ($($(#[$attribute:meta])* static $name:ident: $type:ty = $value:expr;)*) => {
            $($(#[$attribute])* static $name: $type = $value;)*
        };
    }
    pub(crate) use statics;

    /// Waits until `changed` is notified, or for `limit`; whether the time is up.
    pub(crate) fn wait_at_most<'a, T>(
        changed: &Condvar,
        _mutex: &'a Mutex<T>,
        guard: MutexGuard<'a, T>,
        limit: Duration,
    ) -> (MutexGuard<'a, T>, bool) {
        let (guard, outcome) = changed.wait_timeout(guard, limit).unwrap_or_else(PoisonError::into_inner);
        (guard, outcome.timed_out())
    }

    /// The id of this thread, which is made once: `thread::current` counts a reference.
    pub(crate) fn id_of_thread() -> thread::ThreadId {
        thread_local!(static ID: thread::ThreadId = thread::current().id());
        ID.with(|id| *id)
    }

    /// The number of this thread as C programs know it.
    pub(crate) fn number_of_thread() -> u64 {
        unsafe extern "C" {
            safe fn pthread_self() -> std::os::unix::thread::RawPthread;
        }
        pthread_self()
    }
}

#[cfg(feature = "model")]
mod imp {
    pub(crate) use shuttle::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, fence};
    pub(crate) use shuttle::sync::{Condvar, Mutex, MutexGuard};
    pub(crate) use shuttle::thread;
    pub(crate) use shuttle::thread_local;

    use std::sync::PoisonError;
    use std::time::Duration;

    /// As the lock for moments, which the model does not know.
    #[derive(Default)]
    pub(crate) struct BiasedMutex<T>(Mutex<T>);

    pub(crate) type BriefMutexGuard<'a, T> = MutexGuard<'a, T>;

    impl<T> BiasedMutex<T> {
        pub(crate) const fn new(value: T) -> Self {
            BiasedMutex(Mutex::new(value))
        }

        pub(crate) fn lock(&self) -> BriefMutexGuard<'_, T> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner)
        }
    }

    macro_rules! statics {
        ($($(#[$attribute:meta])* static $name:ident: $type:ty = $value:expr;)*) => {
            shuttle::lazy_static! { $($(#[$attribute])* static ref $name: $type = $value;)* }
        };
    }
    pub(crate) use statics;

    /// The model has no clock: the time is always up, after the other threads got a chance.
    pub(crate) fn wait_at_most<'a, T>(
        _changed: &Condvar,
        mutex: &'a Mutex<T>,
        guard: MutexGuard<'a, T>,
        _limit: Duration,
    ) -> (MutexGuard<'a, T>, bool) {
        drop(guard);
        thread::yield_now();
        (mutex.lock().unwrap_or_else(PoisonError::into_inner), true)
    }

    pub(crate) fn id_of_thread() -> thread::ThreadId {
        thread::current().id()
    }

    /// Tasks of the model share one thread of the system.
    pub(crate) fn number_of_thread() -> u64 {
        usize::from(shuttle::current::me()) as u64
    }
}

//! Waiting until another thread has got on with its work.
//!
//! The whole process shares one condition variable: a thread that cannot continue waits for any change and checks again.
//! A thread that changes something calls [`announce`], which costs a fence and a load while no thread waits.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::runtime::code;
use crate::status::{Result, Status};
use crate::sync::{AtomicUsize, Condvar, Mutex, MutexGuard, fence, statics, wait_at_most};

statics! {
    static WAITING: AtomicUsize = AtomicUsize::new(0);
    static CHANGES: Mutex<u64> = Mutex::new(0);
    static CHANGED: Condvar = Condvar::new();
}

fn changes() -> MutexGuard<'static, u64> {
    CHANGES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns whether a thread waits for a change.
pub(crate) fn is_awaited() -> bool {
    // Orders the change before the load; `Watch::begin` orders its count before the look. One of the two sees the other.
    fence(Ordering::SeqCst);
    WAITING.load(Ordering::Relaxed) > 0
}

/// Returns whether a thread waits for a change that was made under a lock which the caller still holds, and which every
/// thread takes that looks for the change: one that did not find it has counted itself before.
pub(crate) fn is_awaited_under_lock() -> bool {
    WAITING.load(Ordering::Relaxed) > 0
}

/// Wakes every waiting thread, if there is one. The caller must not hold a lock that a waiting thread takes to check its
/// condition.
pub(crate) fn announce() {
    if is_awaited() {
        wake();
    }
}

/// Wakes every waiting thread, as `announce` does.
pub(crate) fn wake() {
    *changes() += 1;
    CHANGED.notify_all();
}

/// How long a thread waits before it checks again something that changes without a notification.
const MOMENT: Duration = Duration::from_millis(1);

/// How long to wait.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Patience {
    None,
    Until(Instant),
    Forever,
}

impl Patience {
    /// From a time-out of CANN: milliseconds, or -1 for no limit.
    pub(crate) fn of_milliseconds(timeout: i32) -> Result<Self> {
        match u64::try_from(timeout) {
            Ok(milliseconds) => Ok(Patience::Until(Instant::now() + Duration::from_millis(milliseconds))),
            Err(_) if timeout == -1 => Ok(Patience::Forever),
            Err(_) => {
                Err(Status::new(code::PARAM_INVALID, format_args!("timeout is {timeout}; the least is -1")))
            }
        }
    }
}

/// A thread that checks a condition, and waits between two checks. Made before a check, so that no change is missed.
pub(crate) struct Watch {
    seen: u64,
}

impl Watch {
    pub(crate) fn begin() -> Self {
        WAITING.fetch_add(1, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        Watch { seen: *changes() }
    }

    /// Waits until something changed since the watch began, or since the last wait. False when the time is up.
    pub(crate) fn wait(&mut self, patience: Patience) -> bool {
        let mut now = changes();
        while *now == self.seen {
            now = match patience {
                Patience::None => return false,
                Patience::Forever => CHANGED.wait(now).unwrap_or_else(PoisonError::into_inner),
                Patience::Until(end) => {
                    let left = end.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return false;
                    }
                    let (guard, late) = wait_at_most(&CHANGED, &CHANGES, now, left);
                    if late && *guard == self.seen {
                        return false;
                    }
                    guard
                }
            };
        }
        self.seen = *now;
        true
    }

    /// Waits as `wait` does, for something that changes without a notification: ends after a moment at the latest.
    pub(crate) fn wait_a_moment(&mut self, patience: Patience) -> bool {
        let moment = Instant::now() + MOMENT;
        match patience {
            Patience::None => false,
            Patience::Until(end) if end <= moment => self.wait(patience),
            Patience::Until(_) | Patience::Forever => {
                self.wait(Patience::Until(moment));
                true
            }
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        WAITING.fetch_sub(1, Ordering::Relaxed);
    }
}

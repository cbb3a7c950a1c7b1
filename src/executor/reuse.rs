//! Executors that are kept for the next call of the same kind.
//!
//! Calls are of the same kind if they have the same operator, layouts, types and scalars, and share memory between
//! their arguments in the same way: only the addresses differ. Each stream keeps a bounded number of executors, each
//! for the thread that made it, as the library keeps some of its state by thread. A kind that the library refuses to
//! repeat is planned anew for each call.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use lru::LruCache;
use smallvec::SmallVec;

use super::Repeatable;

/// The most executors that a stream keeps; beyond it, the least recently used one is destroyed.
const MOST: NonZeroUsize = NonZeroUsize::MIN.saturating_add(255);

/// The executors of a stream that wait for their next call.
#[derive(Default)]
pub(crate) struct Executors(Mutex<Option<LruCache<Box<[u64]>, Kept>>>);

enum Kept {
    Idle(Box<Repeatable>),
    /// The executor is in use by a call.
    Busy,
    /// The library does not repeat this kind.
    Refused,
}

/// The known state of a kind of call.
pub(crate) enum Known {
    Repeatable(Box<Repeatable>),
    /// The call must be planned, and its executor is kept if the library agrees.
    Nothing,
    /// The call must be planned each time.
    Once,
}

/// The key of a kind of call.
pub(crate) struct Key(SmallVec<[u64; 64]>);

impl Key {
    /// Starts the key of an operator's calls on this thread. Everything else that tells them apart, except addresses, is to
    /// be added.
    #[inline]
    pub(crate) fn of(operator: &'static str) -> Self {
        let mut key = Self(SmallVec::new());
        key.add(&[operator.as_ptr().addr() as u64, operator.len() as u64, thread()]);
        key
    }

    /// Appends words.
    #[inline]
    pub(crate) fn add(&mut self, words: &[u64]) {
        words.iter().for_each(|word| self.0.push(*word));
    }
}

/// Returns a number that is different for every thread.
fn thread() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    thread_local!(static NUMBER: u64 = NEXT.fetch_add(1, Ordering::Relaxed));
    NUMBER.with(|number| *number)
}

impl Executors {
    /// Takes the executor of a kind for the time of a call.
    pub(crate) fn take(&self, key: &Key) -> Known {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match kept.as_mut().and_then(|kept| kept.get_mut(&key.0[..])) {
            None => Known::Nothing,
            Some(Kept::Busy | Kept::Refused) => Known::Once,
            Some(idle) => match std::mem::replace(idle, Kept::Busy) {
                Kept::Idle(executor) => Known::Repeatable(executor),
                _ => Known::Once,
            },
        }
    }

    /// Returns an executor after its call.
    pub(crate) fn put(&self, key: &Key, executor: Box<Repeatable>) {
        self.keep(key, Kept::Idle(executor));
    }

    /// Records that the library does not repeat a kind.
    pub(crate) fn refused(&self, key: &Key) {
        self.keep(key, Kept::Refused);
    }

    fn keep(&self, key: &Key, kept: Kept) {
        // Declared before the lock, so that a removed executor is destroyed after the lock is released.
        let _gone;
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let all = all.get_or_insert_with(|| LruCache::new(MOST));
        _gone = match all.get_mut(&key.0[..]) {
            Some(place) => Some(std::mem::replace(place, kept)),
            None => all.push(key.0[..].into(), kept).map(|(_, gone)| gone),
        };
    }

    /// Forgets a kind whose executor failed.
    pub(crate) fn forget(&self, key: &Key) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = kept.as_mut() {
            kept.pop(&key.0[..]);
        }
    }

    /// Destroys all executors.
    pub(crate) fn clear(&self) {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(kept);
    }
}

impl std::fmt::Debug for Executors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Executors").finish_non_exhaustive()
    }
}

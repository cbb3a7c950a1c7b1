//! The live objects and allocations of the program, for leaks, and the place where each was made.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use super::level::is_tracking;

/// A live object or allocation of the program.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Live {
    /// The kind of the object: "device memory", "tensor", …
    pub kind: &'static str,
    /// The handle of the object, or the address of the allocation.
    pub handle: usize,
    /// The size of an allocation in bytes; `None` for objects.
    pub bytes: Option<usize>,
    /// The operator of an executor that was never launched; `None` for anything else.
    pub detail: Option<&'static str>,
    /// The backtrace of the place where the object was made, when the environment asks for backtraces.
    pub origin: Option<String>,
}

impl Live {
    pub(crate) fn new(kind: &'static str, handle: usize) -> Self {
        Live { kind, handle, bytes: None, detail: None, origin: None }
    }

    pub(crate) fn of_bytes(self, bytes: usize) -> Self {
        Live { bytes: Some(bytes), ..self }
    }

    /// Adds the place where the object was made. It is known only until the object is gone.
    pub(crate) fn located(self) -> Self {
        if self.origin.is_some() || !ANY.load(Ordering::Relaxed) {
            return self;
        }
        let origin =
            known().as_ref().and_then(|known| known.origins.get(&self.handle)).map(Backtrace::to_string);
        Live { origin, ..self }
    }
}

/// The origins and reports of handles and addresses, kept until these are gone.
#[derive(Default)]
struct Known {
    /// Where each was made; only when the environment asks for backtraces.
    origins: HashMap<usize, Backtrace>,
    /// Objects that were reported as leaks and still live.
    told: HashSet<usize>,
}

static KNOWN: Mutex<Option<Known>> = Mutex::new(None);
static ANY: AtomicBool = AtomicBool::new(false);

fn known() -> MutexGuard<'static, Option<Known>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Remembers that `handle` was made here.
#[inline]
pub(crate) fn made(handle: usize) {
    /// Whether the environment asks for backtraces.
    static WANTED: LazyLock<bool> =
        LazyLock::new(|| Backtrace::capture().status() == BacktraceStatus::Captured);
    if *WANTED {
        locate(handle);
    }
}

#[cold]
fn locate(handle: usize) {
    if is_tracking() {
        let here = Backtrace::capture();
        ANY.store(true, Ordering::Relaxed);
        // A backtrace becomes text only when it is reported: that costs far more than keeping it.
        known().get_or_insert_default().origins.insert(handle, here);
    }
}

/// Forgets what is known about `handle`: an address may be used again for another object.
#[inline]
pub(crate) fn gone(handle: usize) {
    if ANY.load(Ordering::Relaxed) {
        forget(handle);
    }
}

#[cold]
fn forget(handle: usize) {
    if let Some(known) = known().as_mut() {
        known.origins.remove(&handle);
        known.told.remove(&handle);
    }
}

/// Removes what was reported before, and remembers the rest as reported.
pub(super) fn untold(mut live: Vec<Live>) -> Vec<Live> {
    if !live.is_empty() {
        ANY.store(true, Ordering::Relaxed);
        let mut known = known();
        let told = &mut known.get_or_insert_default().told;
        live.retain(|one| told.insert(one.handle));
    }
    live
}

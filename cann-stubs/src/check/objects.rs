//! What lives, for leaks: objects and memory, and where each was made.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::is_tracking;

/// Something of the program that lives.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Live {
    /// What it is: "device memory", "tensor", …
    pub kind: &'static str,
    /// Its handle or address.
    pub handle: usize,
    /// Bytes, of memory.
    pub bytes: Option<usize>,
    /// What else is known, such as the operator of an executor.
    pub detail: Option<&'static str>,
    /// Where it was made, when the environment asks for backtraces.
    pub origin: Option<String>,
}

impl Live {
    pub(crate) fn new(kind: &'static str, handle: usize) -> Self {
        Live { kind, handle, bytes: None, detail: None, origin: None }
    }

    pub(crate) fn of_bytes(self, bytes: usize) -> Self {
        Live { bytes: Some(bytes), ..self }
    }

    /// The same with the place where it was made; to be asked for before it is gone.
    pub(crate) fn located(self) -> Self {
        if self.origin.is_some() || !ANY.load(Ordering::Relaxed) {
            return self;
        }
        let origin =
            known().as_ref().and_then(|known| known.origins.get(&self.handle)).map(Backtrace::to_string);
        Live { origin, ..self }
    }
}

/// What is known of handles and addresses until they are gone.
#[derive(Default)]
struct Known {
    /// Where each was made; only when the environment asks for backtraces.
    origins: HashMap<usize, Backtrace>,
    /// Told as leaks, and living on.
    told: HashSet<usize>,
}

static KNOWN: Mutex<Option<Known>> = Mutex::new(None);
static ANY: AtomicBool = AtomicBool::new(false);

fn known() -> MutexGuard<'static, Option<Known>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Remembers that `handle` was made here.
pub(crate) fn made(handle: usize) {
    if !is_tracking() {
        return;
    }
    let here = Backtrace::capture();
    if here.status() == BacktraceStatus::Captured {
        ANY.store(true, Ordering::Relaxed);
        // Turned into text only when it is told, which costs far more than keeping it.
        known().get_or_insert_default().origins.insert(handle, here);
    }
}

/// Forgets what is known of `handle`; an address may come again as another object.
pub(crate) fn gone(handle: usize) {
    if ANY.load(Ordering::Relaxed)
        && let Some(known) = known().as_mut()
    {
        known.origins.remove(&handle);
        known.told.remove(&handle);
    }
}

/// Leaves out what was told before, and remembers the rest as told.
pub(super) fn untold(mut live: Vec<Live>) -> Vec<Live> {
    if !live.is_empty() {
        ANY.store(true, Ordering::Relaxed);
        let mut known = known();
        let told = &mut known.get_or_insert_default().told;
        live.retain(|one| told.insert(one.handle));
    }
    live
}

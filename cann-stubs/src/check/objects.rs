//! What lives, for leaks: objects and memory, and where each was made.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Check, Level, is_tracking, level, report};

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
}

/// Backtraces by handle or address. Empty unless the environment asks for backtraces.
static ORIGINS: Mutex<Option<HashMap<usize, Backtrace>>> = Mutex::new(None);
static ANY: AtomicBool = AtomicBool::new(false);

fn origins() -> MutexGuard<'static, Option<HashMap<usize, Backtrace>>> {
    ORIGINS.lock().unwrap_or_else(PoisonError::into_inner)
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
        origins().get_or_insert_default().insert(handle, here);
    }
}

/// Forgets where `handle` was made.
pub(crate) fn gone(handle: usize) {
    if ANY.load(Ordering::Relaxed)
        && let Some(origins) = origins().as_mut()
    {
        origins.remove(&handle);
    }
}

/// Adds to each where it was made.
pub(crate) fn with_origins(mut live: Vec<Live>) -> Vec<Live> {
    if let Some(origins) = origins().as_ref() {
        for one in &mut live {
            one.origin = origins.get(&one.handle).map(Backtrace::to_string);
        }
    }
    live
}

/// Told before; descriptors outlive the runtime, and each is told once.
static TOLD: Mutex<Option<HashSet<usize>>> = Mutex::new(None);

/// Tells everything that lives when the runtime ends, on standard error and in reports.
pub(crate) fn tell_leaks(function: &str, live: Vec<Live>) {
    if level() == Level::Off {
        return;
    }
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    let told = told.get_or_insert_default();
    for one in with_origins(live) {
        if !told.insert(one.handle) {
            continue;
        }
        let handle = one.handle;
        let (check, message) = match one.detail {
            Some(operator) => (
                Check::ExecutorNeverRun,
                format!(
                    "the executor {handle:#x} of {operator} was never launched; launch it, or destroy it with \
                     aclDestroyAclOpExecutor"
                ),
            ),
            None => {
                let size = one.bytes.map(|bytes| format!(" of {bytes} bytes")).unwrap_or_default();
                (Check::Leak, format!("{}{size} at {handle:#x} still lives", one.kind))
            }
        };
        let origin = one.origin.map(|origin| format!("; made here:\n{origin}")).unwrap_or_default();
        let message = message + &origin;
        if level() == Level::Error {
            eprintln!("cann-stubs: {}: {function}: {message}", check.name());
        }
        report(check, function, &message, 0);
    }
}

//! The live objects and allocations of the program, for leaks, and the place where each was made.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::env;
use std::sync::atomic::{AtomicU32, Ordering};
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
    /// The backtrace of the place where the object was made, when the environment asks for backtraces. Of descriptors and
    /// executors only the first 1,000 of a thread have one, and then one in 1,000, unless `RUST_BACKTRACE` is `full`.
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
        if self.origin.is_some() || known_at(self.handle).load(Ordering::Relaxed) == 0 {
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

fn known() -> MutexGuard<'static, Option<Known>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How many things are known of the handles and addresses at each place of a hash. Of most nothing is known, which a thread
/// sees here without a lock.
static KNOWN_AT: [AtomicU32; 1 << PLACES_BITS] = [const { AtomicU32::new(0) }; 1 << PLACES_BITS];
const PLACES_BITS: u32 = 12;

#[inline]
fn known_at(handle: usize) -> &'static AtomicU32 {
    let mixed = (handle as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    &KNOWN_AT[(mixed >> (u64::BITS - PLACES_BITS)) as usize]
}

/// How many places of objects the environment asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    None,
    /// Of those that programs make for every call, the first of each thread and a few of the others: a backtrace takes a
    /// hundred times as long as making one.
    Some,
    All,
}

impl Wanted {
    fn of_environment() -> Self {
        static WANTED: LazyLock<Wanted> = LazyLock::new(|| {
            let variables = ["RUST_LIB_BACKTRACE", "RUST_BACKTRACE"];
            match variables.into_iter().find_map(env::var_os) {
                _ if Backtrace::capture().status() != BacktraceStatus::Captured => Wanted::None,
                Some(value) if value == "full" => Wanted::All,
                _ => Wanted::Some,
            }
        });
        *WANTED
    }
}

/// The setting with which more places are known, if there is one.
pub(super) fn setting_for_places() -> Option<&'static str> {
    match Wanted::of_environment() {
        Wanted::None => Some("RUST_BACKTRACE=1"),
        Wanted::Some => Some("RUST_BACKTRACE=full"),
        Wanted::All => None,
    }
}

/// Remembers that `handle` was made here; `often` says that programs make such objects for every call.
#[inline]
pub(crate) fn made(handle: usize, often: bool) {
    let wanted = Wanted::of_environment();
    if wanted != Wanted::None && (!often || wanted == Wanted::All || is_chosen()) {
        locate(handle);
    }
}

/// Returns whether the place of the next object that is made often is remembered.
fn is_chosen() -> bool {
    /// So many are located at first, and then one in as many.
    const FIRST: u64 = 1000;

    thread_local!(static MADE: Cell<u64> = const { Cell::new(0) });

    let number = MADE.get();
    MADE.set(number + 1);
    number < FIRST || number.is_multiple_of(FIRST)
}

#[cold]
fn locate(handle: usize) {
    if is_tracking() {
        let here = Backtrace::capture();
        // A backtrace becomes text only when it is reported: that costs far more than keeping it.
        if known().get_or_insert_default().origins.insert(handle, here).is_none() {
            known_at(handle).fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Forgets what is known about `handle`: an address may be used again for another object.
#[inline]
pub(crate) fn gone(handle: usize) {
    if known_at(handle).load(Ordering::Relaxed) > 0 {
        forget(handle);
    }
}

#[cold]
fn forget(handle: usize) {
    if let Some(known) = known().as_mut() {
        let things = [known.origins.remove(&handle).is_some(), known.told.remove(&handle)];
        let count = things.into_iter().filter(|was_there| *was_there).count();
        known_at(handle).fetch_sub(count as u32, Ordering::Relaxed);
    }
}

/// Removes what was reported before, and remembers the rest as reported.
pub(super) fn untold(mut live: Vec<Live>) -> Vec<Live> {
    if !live.is_empty() {
        let mut known = known();
        let told = &mut known.get_or_insert_default().told;
        live.retain(|one| told.insert(one.handle));
        for one in &live {
            known_at(one.handle).fetch_add(1, Ordering::Relaxed);
        }
    }
    live
}

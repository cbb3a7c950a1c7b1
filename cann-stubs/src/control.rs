//! The emulator in the hands of a test: faults on demand, modes, and what was found.
//!
//! Everything is scoped: what a function here changes ends with the guard that it returns. Faults concern the calls of
//! the thread that made them, so tests run in parallel; the functions ending in `_everywhere` concern the process.

use std::fmt;
use std::io;
use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;

pub use crate::check::leaks::Leaks;
pub use crate::check::objects::Live;
pub use crate::check::{Check, Level, Report};
pub use crate::fault::When;
pub use crate::runtime::Mode;
pub use crate::trace::{Operand, Record};

use crate::check;
use crate::check::leaks;
use crate::fault::{self, Rule, Scope};
use crate::operators::cache;
use crate::runtime::policy;
use crate::trace;

/// Makes calls of this thread fail: those of `function` that `when` chooses, with `code`, and without any effect.
///
/// `*` at the end of a name stands for anything. `run:aclnnAdd` is the work that `aclnnAdd` queues: the call succeeds, and
/// the next synchronisation reports the failure. As on a device, a launch that fails has consumed its executor. A name that
/// no function has matches no call; [`Fault::calls`] tells how many were.
///
/// ```
/// use cann_stubs::control::{self, When};
///
/// let fault = control::fail("aclrtMalloc", When::Nth(3), 207_001);
/// // … a program whose third allocation fails …
/// assert_eq!(fault.struck(), 0);
/// ```
#[must_use = "the fault ends with its guard"]
pub fn fail(function: &str, when: When, code: i32) -> Fault {
    Fault::new(function, when, code, Scope::Thread)
}

/// As [`fail`], for the calls of every thread.
#[must_use = "the fault ends with its guard"]
pub fn fail_everywhere(function: &str, when: When, code: i32) -> Fault {
    Fault::new(function, when, code, Scope::Process)
}

/// A fault, as long as it lives; of [`fail`].
pub struct Fault {
    rule: Arc<Rule>,
    scope: Scope,
    /// Stays on its thread.
    _thread: PhantomData<*const ()>,
}

impl Fault {
    fn new(function: &str, when: When, code: i32, scope: Scope) -> Self {
        let rule = Rule::new(function, when, code);
        fault::arm(&rule, scope);
        Fault { rule, scope, _thread: PhantomData }
    }

    /// Calls that the name matched so far.
    pub fn calls(&self) -> u64 {
        self.rule.calls()
    }

    /// Calls that failed so far.
    pub fn struck(&self) -> u64 {
        self.rule.struck()
    }
}

impl Drop for Fault {
    fn drop(&mut self) {
        fault::disarm(&self.rule, self.scope);
    }
}

impl fmt::Debug for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rule.fmt(f)
    }
}

/// Chooses when queued work runs, for the whole process and for what is queued from now on.
#[must_use = "the mode ends with its guard"]
pub fn streams_everywhere(mode: Mode) -> StreamsGuard {
    let before = policy::mode();
    policy::set(mode);
    StreamsGuard { before }
}

/// A mode of streams, as long as it lives; of [`streams_everywhere`].
#[derive(Debug)]
pub struct StreamsGuard {
    before: Mode,
}

impl Drop for StreamsGuard {
    fn drop(&mut self) {
        policy::set(self.before);
    }
}

/// Chooses what happens to misuse that this thread commits.
///
/// [`Level::Off`] lets a test do on purpose what would be told, leaks among it; the history goes on being kept.
#[must_use = "the level ends with its guard"]
pub fn check(level: Level) -> CheckGuard {
    CheckGuard { before: check::set_own_level(Some(level)), _thread: PhantomData }
}

/// A level of this thread, as long as it lives; of [`check`](fn@check).
#[derive(Debug)]
pub struct CheckGuard {
    before: Option<Level>,
    /// Stays on its thread.
    _thread: PhantomData<*const ()>,
}

impl Drop for CheckGuard {
    fn drop(&mut self) {
        check::set_own_level(self.before);
    }
}

/// Chooses what happens to misuse in the whole process. Memory that lives now is not judged until it is allocated anew.
#[must_use = "the level ends with its guard"]
pub fn check_everywhere(level: Level) -> CheckEverywhereGuard {
    let before = check::process_level();
    check::set_process_level(level);
    CheckEverywhereGuard { before }
}

/// A level of the process, as long as it lives; of [`check_everywhere`].
#[derive(Debug)]
pub struct CheckEverywhereGuard {
    before: Level,
}

impl Drop for CheckEverywhereGuard {
    fn drop(&mut self) {
        check::set_process_level(self.before);
    }
}

/// Chooses what happens in the whole process when something still lives at its end.
#[must_use = "the level ends with its guard"]
pub fn leaks_everywhere(level: Leaks) -> LeaksGuard {
    let before = leaks::level();
    leaks::set_level(level);
    LeaksGuard { before }
}

/// A level of leaks, as long as it lives; of [`leaks_everywhere`].
#[derive(Debug)]
pub struct LeaksGuard {
    before: Leaks,
}

impl Drop for LeaksGuard {
    fn drop(&mut self) {
        leaks::set_level(self.before);
    }
}

/// Gives this thread an empty cache of planned operators that keeps at most `limit`; 0 turns it off.
///
/// The thread has the cache that it had before again when the guard goes.
#[must_use = "the cache ends with its guard"]
pub fn executor_cache(limit: usize) -> CacheGuard {
    CacheGuard { before: cache::exchange(limit), _thread: PhantomData }
}

/// A cache of this thread, as long as it lives; of [`executor_cache`].
pub struct CacheGuard {
    before: Option<cache::Cache>,
    /// Stays on its thread.
    _thread: PhantomData<*const ()>,
}

impl fmt::Debug for CacheGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CacheGuard").finish_non_exhaustive()
    }
}

impl Drop for CacheGuard {
    fn drop(&mut self) {
        if let Some(before) = self.before.take() {
            cache::restore(before);
        }
    }
}

/// Everything that the checks found in this process so far.
pub fn reports() -> Vec<Report> {
    check::all_reports()
}

/// Runs `body`, and gives what the checks found on this thread meanwhile.
pub fn reports_of<T>(body: impl FnOnce() -> T) -> (T, Vec<Report>) {
    check::collect(body)
}

/// Every object and all memory of the program that lives, each by itself; what `aclFinalize` would sum up.
pub fn live() -> Vec<Live> {
    crate::live().into_iter().map(Live::located).collect()
}

/// Runs `body`, and gives a record of each piece of work that this thread submitted meanwhile, in order.
///
/// ```
/// use cann_stubs::control;
///
/// let records = control::record(|| { /* launch an addition of mixed types */ });
/// assert_eq!(records.iter().filter(|record| record.function == "aclnnCast").count(), 0);
/// ```
pub fn record(body: impl FnOnce()) -> Vec<Record> {
    trace::record(body)
}

/// Writes what runs in this process to a new file, instead of the one of `CANN_STUBS_TRACE`.
///
/// # Errors
/// Where the file cannot be made.
pub fn trace_to(path: impl AsRef<Path>) -> io::Result<TraceGuard> {
    trace::open(path.as_ref())?;
    Ok(TraceGuard { _private: () })
}

/// A trace of the process, as long as it lives; of [`trace_to`].
#[derive(Debug)]
pub struct TraceGuard {
    _private: (),
}

impl Drop for TraceGuard {
    fn drop(&mut self) {
        trace::close();
    }
}

/// The latest of what ran in this process while a trace is written: by [`trace_to`], or by `CANN_STUBS_TRACE`.
pub fn trace() -> Vec<Record> {
    trace::kept()
}

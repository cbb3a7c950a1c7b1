//! Control of the emulator from a test: faults on demand, modes, and the reports of the checks.
//!
//! Every change is scoped: it ends when the guard that the function returned is dropped. A fault of [`fail`] concerns the
//! calls of the thread that made it, so tests can run in parallel; a function whose name ends in `_everywhere` concerns
//! the whole process.

use std::fmt;
use std::io;
use std::marker::PhantomData;
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;

pub use crate::check::Report;
pub use crate::check::live_objects::Live;
pub use crate::fault_rule::{Effect, When};
pub use crate::misuse::{Check, Leaks, Level};
pub use crate::stream_mode::Mode;
pub use crate::trace::{Operand, Record};

use crate::check;
use crate::check::leaks;
use crate::defect;
use crate::fault::{self, Scope};
use crate::fault_rule::{Rule, names};

use crate::lifecycle;
use crate::operators::cache;
use crate::runtime::stream::chosen_mode;
use crate::trace;

/// Makes the calls of `function` on this thread that `when` chooses fail with `code` and without any effect.
///
/// A `*` at the end of the name stands for any text. `run:aclnnAdd` means the work that `aclnnAdd` queues: the call
/// succeeds, and the next synchronisation reports the failure. As on a device, a launch that fails has consumed its
/// executor. The name of a function that does not exist matches no call; [`Fault::calls`] returns how many calls matched.
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
    fault(function, when, Effect::Fails(code))
}

/// Makes calls fail as [`fail`] does, on every thread.
#[must_use = "the fault ends with its guard"]
pub fn fail_everywhere(function: &str, when: When, code: i32) -> Fault {
    fault_everywhere(function, when, Effect::Fails(code))
}

/// Returns the functions that rules for faults know, first those that do more than refuse, and then those that refuse: for the
/// test that these are all.
#[doc(hidden)]
pub fn known_functions() -> [Vec<&'static str>; 2] {
    [names::functions().collect(), names::refusing()]
}

/// Applies `effect` to the calls of `function` on this thread that `when` chooses. The names are those of [`fail`].
///
/// ```
/// use std::time::Duration;
///
/// use cann_stubs::control::{self, Effect, When};
///
/// let late = control::fault("run:HcclAllReduce", When::Nth(2), Effect::Delays(Duration::from_millis(50)));
/// // … a program whose second collective begins late …
/// assert_eq!(late.struck(), 0);
/// ```
#[must_use = "the fault ends with its guard"]
pub fn fault(function: &str, when: When, effect: Effect) -> Fault {
    Fault::new(function, when, effect, Scope::Thread)
}

/// Applies `effect` to calls as [`fault()`] does, on every thread.
#[must_use = "the fault ends with its guard"]
pub fn fault_everywhere(function: &str, when: When, effect: Effect) -> Fault {
    Fault::new(function, when, effect, Scope::Process)
}

/// A guard of [`fail`], [`fault()`] or their forms for every thread. The fault ends when the guard is dropped.
pub struct Fault {
    rule: Arc<Rule>,
    scope: Scope,
    /// Stays on its thread.
    _thread: PhantomData<*const ()>,
}

impl Fault {
    fn new(function: &str, when: When, effect: Effect, scope: Scope) -> Self {
        defect::allow_missing();
        let rule = Rule::new(function, when, effect);
        fault::arm(&rule, scope);
        Fault { rule, scope, _thread: PhantomData }
    }

    /// Returns how many calls the name has matched so far.
    pub fn calls(&self) -> u64 {
        self.rule.calls()
    }

    /// Returns how many calls the fault has struck so far.
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

/// Sets the mode that decides when queued work runs, for the whole process and for all work that is queued from now on.
#[must_use = "the mode ends with its guard"]
pub fn streams_everywhere(mode: Mode) -> StreamsGuard {
    defect::allow_missing();
    let before = chosen_mode::mode();
    chosen_mode::set(mode);
    StreamsGuard { before }
}

/// A guard of [`streams_everywhere`]. Dropping it restores the mode that was chosen before.
#[derive(Debug)]
pub struct StreamsGuard {
    before: Mode,
}

impl Drop for StreamsGuard {
    fn drop(&mut self) {
        chosen_mode::set(self.before);
    }
}

/// Sets the level of checking for misuse by this thread.
///
/// [`Level::Off`] lets a test commit misuse on purpose, leaks included, without a report. The emulator still keeps the
/// history that the checks of other threads need.
#[must_use = "the level ends with its guard"]
pub fn check(level: Level) -> CheckGuard {
    defect::allow_missing();
    CheckGuard { before: check::set_own_level(Some(level)), _thread: PhantomData }
}

/// A guard of [`check`](fn@check). Dropping it restores the level that the thread had before.
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

/// Sets the level of checking for misuse in the whole process. Memory that is allocated now is not checked until it is
/// freed and allocated again.
#[must_use = "the level ends with its guard"]
pub fn check_everywhere(level: Level) -> CheckEverywhereGuard {
    defect::allow_missing();
    let before = check::process_level();
    check::set_process_level(level);
    CheckEverywhereGuard { before }
}

/// A guard of [`check_everywhere`]. Dropping it restores the level that the process had before.
#[derive(Debug)]
pub struct CheckEverywhereGuard {
    before: Level,
}

impl Drop for CheckEverywhereGuard {
    fn drop(&mut self) {
        check::set_process_level(self.before);
    }
}

/// Sets the level of reports on leaks in the whole process.
#[must_use = "the level ends with its guard"]
pub fn leaks_everywhere(level: Leaks) -> LeaksGuard {
    defect::allow_missing();
    let before = leaks::level();
    leaks::set_level(level);
    LeaksGuard { before }
}

/// A guard of [`leaks_everywhere`]. Dropping it restores the level that was chosen before.
#[derive(Debug)]
pub struct LeaksGuard {
    before: Leaks,
}

impl Drop for LeaksGuard {
    fn drop(&mut self) {
        leaks::set_level(self.before);
    }
}

/// Gives this thread an empty cache of planned operators, which keeps at most `limit` plans; 0 turns the cache off.
///
/// The thread gets its previous cache back when the guard is dropped.
#[must_use = "the cache ends with its guard"]
pub fn executor_cache(limit: usize) -> CacheGuard {
    defect::allow_missing();
    CacheGuard { before: cache::exchange(limit), _thread: PhantomData }
}

/// A guard of [`executor_cache`]. Dropping it restores the cache that the thread had before.
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

/// Sets the number of threads that compute each kernel, for the whole process, whatever the size of the kernel.
///
/// Results have the same bits for any number. Without a choice, as many threads as the process may use processors compute
/// a large kernel, and one thread computes a small one.
#[must_use = "the choice ends with its guard"]
pub fn threads_everywhere(count: NonZero<usize>) -> ThreadsGuard {
    ThreadsGuard { before: cann_kernels::choose_threads(count.get()) }
}

/// A guard of [`threads_everywhere`]. Dropping it restores the number that was set before.
#[derive(Debug)]
pub struct ThreadsGuard {
    before: usize,
}

impl Drop for ThreadsGuard {
    fn drop(&mut self) {
        cann_kernels::choose_threads(self.before);
    }
}

/// Chooses the loops that compute the kernels which this thread plans and runs.
///
/// Results have the same bits for any choice. Products of matrices do not follow it: they fuse multiplications and additions
/// wherever the processor can, and their last bits are others where it cannot. `instructions` is the number of a set of instructions: 0 are those that
/// every processor has, and a number beyond those of this processor means its widest ones. A block has at most `block`
/// elements. Executors that were planned before keep the loops of their functions of elements, also those in the cache
/// ([`executor_cache`]); other kernels follow the choice of the thread that runs them.
#[must_use = "the choice ends with its guard"]
pub fn loops(instructions: usize, block: NonZero<usize>) -> LoopsGuard {
    let choice = cann_kernels::Choice { instructions: Some(instructions), block: Some(block.get()) };
    LoopsGuard { before: cann_kernels::choose(choice), _thread: PhantomData }
}

/// A guard of [`loops`]. Dropping it restores the choice that the thread had made before.
#[derive(Debug)]
pub struct LoopsGuard {
    before: cann_kernels::Choice,
    /// Stays on its thread.
    _thread: PhantomData<*const ()>,
}

impl Drop for LoopsGuard {
    fn drop(&mut self) {
        cann_kernels::choose(self.before);
    }
}

/// Returns everything that the checks have found in this process so far.
pub fn reports() -> Vec<Report> {
    check::all_reports()
}

/// Runs `body` and returns its result with the reports of the checks on this thread in the meantime.
pub fn reports_of<T>(body: impl FnOnce() -> T) -> (T, Vec<Report>) {
    check::collect(body)
}

/// Returns every live object and allocation of the program, one entry each; `aclFinalize` would report them as leaks.
pub fn live() -> Vec<Live> {
    lifecycle::live().into_iter().map(Live::located).collect()
}

/// Runs `body` and returns a record of each piece of work that this thread submitted in the meantime, in order.
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

/// Writes a trace of the work of this process to a new file at `path`, instead of the file of `CANN_STUBS_TRACE`.
///
/// # Errors
/// Returns the error of the system when the file cannot be created.
pub fn trace_to(path: impl AsRef<Path>) -> io::Result<TraceGuard> {
    trace::open(path.as_ref())?;
    Ok(TraceGuard { _private: () })
}

/// A guard of [`trace_to`]. The trace ends when the guard is dropped.
#[derive(Debug)]
pub struct TraceGuard {
    _private: (),
}

impl Drop for TraceGuard {
    fn drop(&mut self) {
        trace::close();
    }
}

/// Returns the latest records of this process while a trace is written, by [`trace_to`] or by `CANN_STUBS_TRACE`.
pub fn trace() -> Vec<Record> {
    trace::kept()
}

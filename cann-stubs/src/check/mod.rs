//! The checks that make the emulator stricter than hardware: they find misuse, name it and report it.
//!
//! A failure that is misuse carries its [`Check`]; the border to C passes every failure to [`told`], which keeps a
//! report, or stops the program. Most checks follow from what handles and pointers mean. Those that need a history of
//! the program are in `tracker`, which builds on `span` (bytes that a view touches), `written` (bytes that hold a value),
//! `order` and `clock` (which work runs before which). `objects` knows the live objects; `leaks` reports those that
//! should have ended. `stop` ends the program.

pub(crate) mod clock;
pub(crate) mod leaks;
pub(crate) mod objects;
mod order;
pub(crate) mod span;
mod stop;
pub(crate) mod tracker;
mod written;

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use crate::config;
use crate::status::Status;

/// A level of checking: what happens when a check finds misuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Level {
    /// No history is kept, and no check that needs one is made. Misuse that would crash the emulator, such as a handle
    /// that was destroyed or memory that does not exist, still fails with its code.
    Off,
    /// The call fails with a code, and a report is kept. This is the default.
    Error,
    /// The report is written to standard error, and the process stops.
    Abort,
}

impl Level {
    /// Every level.
    pub const ALL: [Level; 3] = [Level::Off, Level::Error, Level::Abort];

    /// Returns the value of `CANN_STUBS_CHECK` that chooses the level.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Off => "off",
            Level::Error => "error",
            Level::Abort => "abort",
        }
    }

    pub(crate) fn of_name(name: &str) -> Option<Level> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }
}

macro_rules! checks {
    ($($(#[doc = $doc:literal])* $Check:ident = $name:literal;)*) => {
        /// A kind of misuse, with a stable name.
        ///
        /// | name | misuse |
        /// |---|---|
        $(#[doc = concat!("| `", $name, "` |", $($doc,)* " |")])*
        ///
        /// A refused call returns CANN's code where CANN has one for the case; otherwise a runtime function returns 107000
        /// and a launch 361001. The next synchronisation reports a failure on a stream.
        ///
        /// Two kinds of misuse make no call fail: they are kept as reports and written to standard error. One is a copy to
        /// the host of nothing but bytes that were never written; the other is a leak, for which [`Leaks`] chooses more.
        ///
        /// [`Leaks`]: crate::control::Leaks
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Check {
            $($(#[doc = $doc])* $Check,)*
        }

        impl Check {
            /// Every check.
            pub const ALL: &[Check] = &[$(Check::$Check),*];

            /// Returns the name of the check.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Check::$Check => $name,)*
                }
            }
        }
    };
}

checks! {
    /// A view, a copy or a fill reaches past the end of its allocation.
    OutOfBounds = "out-of-bounds";
    /// Device memory is used after it was freed.
    FreedPointer = "freed-pointer";
    /// An address is used or freed that is in no allocation.
    ForeignPointer = "foreign-pointer";
    /// Host memory is used where device memory is needed.
    HostPointer = "host-pointer";
    /// Memory is freed twice.
    DoubleFree = "double-free";
    /// A tensor, scalar, executor, stream, event or other object is used after it was destroyed.
    DestroyedHandle = "destroyed-handle";
    /// A handle is used that belongs to no object of the expected kind.
    ForeignHandle = "foreign-handle";
    /// An executor is launched that an earlier launch consumed.
    ExecutorReused = "executor-reused";
    /// An executor was planned, but neither launched nor destroyed before the runtime ended.
    ExecutorNeverRun = "executor-never-run";
    /// A launch gets less workspace than the operator asked for.
    SmallWorkspace = "small-workspace";
    /// A workspace is freed while nothing shows that the stream has finished the operator.
    FreedWorkspace = "freed-workspace";
    /// An output overlaps an input that the device reads while it writes, and the two are not exactly the same elements.
    Overlap = "overlap";
    /// Elements of an output share memory with each other. A fill may write them, since it gives each the same value.
    SharedElements = "shared-elements";
    /// An operator computes with bytes that were never written, or a copy brings only such bytes to the host; the copy
    /// succeeds and is reported once for an allocation. Copies between device memory, `aclnnInplaceCopy` and `aclnnCast`
    /// are no misuse: the bytes of their target that come from such bytes count as never written too.
    NeverWritten = "never-written";
    /// Two streams, or a stream and the host, use the same bytes, one of them writes, and nothing orders the two.
    Race = "race";
    /// Device memory or pinned host memory is freed, registered host memory is unregistered, or virtual memory is unmapped
    /// while nothing shows that the stream has finished the work that uses the memory.
    FreedInUse = "freed-in-use";
    /// A device uses memory of another device to which it was not given access.
    PeerAccess = "peer-access";
    /// An object or an allocation still lives when its context, its device or the runtime ends.
    Leak = "leak";
}

/// A report of misuse that a check found.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Report {
    /// The kind of misuse.
    pub check: Check,
    /// The C function that found the misuse.
    pub function: String,
    /// A sentence that says what is wrong and what to do.
    pub message: String,
    /// The code that the function returned; 0 when the function did not fail.
    pub code: i32,
    /// The thread that called the function.
    pub thread: ThreadId,
}

const UNREAD: u8 = u8::MAX;

/// The level of the process; `UNREAD` until the environment was read.
static LEVEL: AtomicU8 = AtomicU8::new(UNREAD);

thread_local! {
    /// The level of this thread, where it differs.
    static OWN: Cell<Option<Level>> = const { Cell::new(None) };
    /// Reports of this thread since [`collect`] was called.
    static COLLECTED: RefCell<Option<Vec<Report>>> = const { RefCell::new(None) };
}

/// How many reports of the process are kept; later ones are dropped.
const KEPT: usize = 10_000;

static REPORTS: Mutex<Vec<Report>> = Mutex::new(Vec::new());

fn reports() -> MutexGuard<'static, Vec<Report>> {
    REPORTS.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn process_level() -> Level {
    let number = LEVEL.load(Ordering::Relaxed);
    Level::ALL.into_iter().find(|level| *level as u8 == number).unwrap_or_else(|| {
        let chosen = config::get().check;
        LEVEL.store(chosen as u8, Ordering::Relaxed);
        chosen
    })
}

/// What happens to misuse that this thread commits.
pub(crate) fn level() -> Level {
    OWN.try_with(Cell::get).ok().flatten().unwrap_or_else(process_level)
}

/// Whether this thread commits misuse on purpose, so that nothing is reported.
fn is_off_here() -> bool {
    OWN.try_with(Cell::get).ok().flatten() == Some(Level::Off)
}

/// Whether the history of the program is kept. A thread whose own level is `Off` is still part of the history.
pub(crate) fn is_tracking() -> bool {
    LEVEL.load(Ordering::Relaxed) != Level::Off as u8 && process_level() != Level::Off
}

/// Changes the level of the process. Memory that was not tracked since its allocation is never checked.
pub(crate) fn set_process_level(level: Level) {
    LEVEL.store(level as u8, Ordering::Relaxed);
    tracker::forget_all();
}

/// Changes the level of this thread and returns the previous one.
pub(crate) fn set_own_level(level: Option<Level>) -> Option<Level> {
    OWN.try_with(|own| own.replace(level)).ok().flatten()
}

/// Every failure of a call comes here on its way to C.
pub(crate) fn told(function: &str, status: &Status) {
    if let Some(check) = status.check {
        report(check, function, &status.message, status.code);
    }
}

/// Keeps a report, or stops the program with it.
pub(crate) fn report(check: Check, function: &str, message: &str, code: i32) {
    match level() {
        Level::Off => {}
        Level::Error => keep(check, function, message, code),
        Level::Abort => {
            eprintln!("cann-stubs: {}: {function}: {message} [code {code}]", check.name());
            stop::stop();
        }
    }
}

/// Reports misuse that makes no call fail: on standard error, and as a report.
pub(crate) fn notice(check: Check, function: &str, message: &str) {
    if level() != Level::Off {
        eprintln!("cann-stubs: {}: {function}: {message}", check.name());
        keep(check, function, message, 0);
    }
}

fn keep(check: Check, function: &str, message: &str, code: i32) {
    let report = Report {
        check,
        function: function.to_owned(),
        message: message.to_owned(),
        code,
        thread: thread::current().id(),
    };
    let _ = COLLECTED.try_with(|own| {
        if let Some(own) = own.borrow_mut().as_mut() {
            own.push(report.clone());
        }
    });
    let mut reports = reports();
    if reports.len() < KEPT {
        reports.push(report);
    }
}

/// Returns all reports of the process so far.
pub(crate) fn all_reports() -> Vec<Report> {
    reports().clone()
}

/// Runs `body` and returns its result with the reports of this thread in the meantime.
pub(crate) fn collect<T>(body: impl FnOnce() -> T) -> (T, Vec<Report>) {
    let outer = COLLECTED.replace(Some(Vec::new()));
    let result = body();
    let found = COLLECTED.replace(outer).unwrap_or_default();
    COLLECTED.with_borrow_mut(|outer| {
        if let Some(outer) = outer {
            outer.extend(found.iter().cloned());
        }
    });
    (result, found)
}

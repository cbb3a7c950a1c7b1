//! What makes the emulator stricter than hardware: misuse is found, named, and told.
//!
//! A failure that is misuse carries its [`Check`]; the border to C passes every failure to [`told`], which keeps a
//! report, or stops the program. Most checks follow from what handles and pointers mean. Those that need a history of
//! the program live in `tracker`, over `span` (bytes that a view touches), `written` (bytes that hold a value), `order` and
//! `clock` (what happened before what). `objects` knows what lives; `leaks` tells of it when it should have ended. `stop`
//! ends the program.

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

/// What happens to misuse that a check finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Level {
    /// Nothing is recorded and nothing that needs a history is checked. What the emulator could not survive, such as a
    /// dead handle or memory that is not there, still fails with its code.
    Off,
    /// The call fails with a code, and a report is kept. The default.
    Error,
    /// The report goes to standard error, and the process stops.
    Abort,
}

impl Level {
    /// Every level.
    pub const ALL: [Level; 3] = [Level::Off, Level::Error, Level::Abort];

    /// The value of `CANN_STUBS_CHECK` that chooses the level.
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
        /// A kind of misuse, with a name that stays the same.
        ///
        /// | name | found when |
        /// |---|---|
        $(#[doc = concat!("| `", $name, "` |", $($doc,)* " |")])*
        ///
        /// A call that is refused answers with CANN's code where CANN has one for the case; otherwise a runtime function
        /// answers 107000 and a launch 361001. A failure on a stream is told by the next synchronisation.
        ///
        /// Two fail no call: they are kept as reports, and written to standard error. One is a copy to the host of nothing
        /// but bytes that were never written; the other is what still lives at the end, for which [`Leaks`] is.
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

            /// The name of the check.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Check::$Check => $name,)*
                }
            }
        }
    };
}

checks! {
    /// a view, a copy or a fill reaches past the end of its allocation
    OutOfBounds = "out-of-bounds";
    /// device memory is used after it was freed
    FreedPointer = "freed-pointer";
    /// an address is used or freed that no allocation gave
    ForeignPointer = "foreign-pointer";
    /// host memory is used where device memory is needed
    HostPointer = "host-pointer";
    /// memory is freed twice
    DoubleFree = "double-free";
    /// a tensor, scalar, executor, stream, event or other object is used after it was destroyed
    DestroyedHandle = "destroyed-handle";
    /// a handle is used that stands for no object of the kind
    ForeignHandle = "foreign-handle";
    /// an executor is launched that an earlier launch consumed
    ExecutorReused = "executor-reused";
    /// an executor was planned, and neither launched nor destroyed when the runtime ends
    ExecutorNeverRun = "executor-never-run";
    /// a launch gets less workspace than it asked for
    SmallWorkspace = "small-workspace";
    /// a workspace is freed while nothing says that the stream has passed the operator
    FreedWorkspace = "freed-workspace";
    /// an output overlaps an input that the device reads while it writes, other than exactly
    Overlap = "overlap";
    /// elements of an output share their memory with each other; fills, which give each the same value, may write them
    SharedElements = "shared-elements";
    /// an operator computes with bytes that were never written, or a copy brings nothing else to the host, which is told once
    /// for an allocation and succeeds; copies between device memory, `aclnnInplaceCopy` and `aclnnCast` carry along what
    /// is missing
    NeverWritten = "never-written";
    /// two streams, or a stream and the host, touch the same bytes, one of them writes, and nothing orders the two
    Race = "race";
    /// device memory or pinned host memory is freed, registered host memory unregistered or virtual memory unmapped while
    /// nothing says that the stream has passed the work that uses it
    FreedInUse = "freed-in-use";
    /// a device uses memory of another one to which it was not given access
    PeerAccess = "peer-access";
    /// something still lives when its context, its device or the runtime ends
    Leak = "leak";
}

/// Something that a check found.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Report {
    /// What kind of misuse it is.
    pub check: Check,
    /// The C function that found it.
    pub function: String,
    /// What is wrong, and what to do.
    pub message: String,
    /// The code that the function answered with; 0 when it did not fail.
    pub code: i32,
    /// The thread that called it.
    pub thread: ThreadId,
}

const UNREAD: u8 = u8::MAX;

/// The level of the process.
static LEVEL: AtomicU8 = AtomicU8::new(UNREAD);

thread_local! {
    /// The level of this thread, where it differs.
    static OWN: Cell<Option<Level>> = const { Cell::new(None) };
    /// Reports of this thread since somebody began to collect them.
    static COLLECTED: RefCell<Option<Vec<Report>>> = const { RefCell::new(None) };
}

/// Reports of the process; later ones than this many are dropped.
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

/// Whether this thread does on purpose what would be told.
fn is_off_here() -> bool {
    OWN.try_with(Cell::get).ok().flatten() == Some(Level::Off)
}

/// Whether the history of the program is kept. One thread may still do without being told.
pub(crate) fn is_tracking() -> bool {
    LEVEL.load(Ordering::Relaxed) != Level::Off as u8 && process_level() != Level::Off
}

/// Changes the level of the process. What was not tracked from its beginning is never judged.
pub(crate) fn set_process_level(level: Level) {
    LEVEL.store(level as u8, Ordering::Relaxed);
    tracker::forget_all();
}

/// Changes the level of this thread; gives the one before.
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

/// Tells of something that fails no call: on standard error, and as a report.
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

/// What was found so far in the whole process.
pub(crate) fn all_reports() -> Vec<Report> {
    reports().clone()
}

/// Runs `body`; gives what was found on this thread meanwhile.
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

//! The work of a task on a stream.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use smallvec::SmallVec;

use crate::runtime::code;
use crate::status::{Result, Status};

/// What a task does when its stream gets there.
pub(crate) enum Work {
    /// Made for this run.
    Once(Box<dyn FnOnce() -> Result + Send>),
    /// Work made before, which runs with the addresses of this launch: queueing it allocates nothing.
    Planned(Arc<dyn Planned>, Box<Places>),
}

/// Work that can run many times, with other addresses each time.
pub(crate) trait Planned: Send + Sync {
    /// Whether it takes about a microsecond at most, and neither calls the program nor uses streams.
    fn is_brief(&self) -> bool;

    fn run(&self, places: &Places) -> Result;

    /// Keeps what is left after a run for other work.
    fn recycle(self: Arc<Self>);
}

/// Work that waits for others between its steps, which may be in other processes.
pub(crate) trait Steps: Send {
    /// Does what can be done now, without blocking for long. It is not called again after it is done.
    fn go_on(&mut self) -> Step;

    /// Does what is left of the work of a rank that is lost by a fault on demand: it ends, and the others are not told.
    fn be_lost(&mut self) -> Step;
}

/// The outcome of a step.
pub(crate) enum Step {
    Done(Result),
    /// Others may get on now, but this work waits for them.
    Moved,
    /// Nothing could be done.
    Waiting,
}

/// How many places of launches that have run a thread keeps.
const SPARES: usize = 512;

thread_local! {
    /// Places of launches that have run on this thread, for the next ones.
    #[expect(clippy::vec_box, reason = "they move as boxes")]
    static PLACES: RefCell<Vec<Box<Places>>> = const { RefCell::new(Vec::new()) };
}

/// Where the tensors of a launch are.
#[derive(Default)]
pub(crate) struct Places {
    /// A workspace may come after them.
    pub(crate) addresses: SmallVec<[usize; 4]>,
    /// What `memory::losses` gave before the addresses were looked up.
    pub(crate) losses: u64,
    /// What `memory::distance` gave of all addresses that the work uses.
    pub(crate) distance: Option<isize>,
}

impl Places {
    /// Places for the next launch.
    #[inline]
    pub(crate) fn empty() -> Box<Self> {
        let spare = PLACES.try_with(|spares| spares.borrow_mut().pop()).ok().flatten();
        spare.map_or_else(Box::default, |mut spare| {
            spare.addresses.clear();
            spare
        })
    }

    #[inline]
    fn recycle(self: Box<Self>) {
        // Nothing is kept while the thread ends.
        let _ = PLACES.try_with(|spares| {
            let mut spares = spares.borrow_mut();
            if spares.len() < SPARES {
                spares.push(self);
            }
        });
    }
}

impl<F: FnOnce() -> Result + Send + 'static> From<Box<F>> for Work {
    fn from(once: Box<F>) -> Self {
        Work::Once(once)
    }
}

impl Work {
    pub(crate) fn run(self) -> Result {
        match self {
            Work::Once(work) => work(),
            Work::Planned(work, places) => {
                let outcome = work.run(&places);
                Work::Planned(work, places).recycle();
                outcome
            }
        }
    }

    /// Keeps what is left after `run_if_brief` for other work.
    pub(super) fn recycle(self) {
        if let Work::Planned(work, places) = self {
            work.recycle();
            places.recycle();
        }
    }

    /// Runs the work of `operator`, which a failure names.
    pub(super) fn run_as(self, operator: &str) -> Result {
        named(operator, || self.run())
    }

    /// Runs the work of `operator` as `run_as` does, if it is brief.
    #[inline]
    pub(super) fn run_if_brief(&self, operator: &str) -> Option<Result> {
        match self {
            Work::Planned(work, places) if work.is_brief() => Some(named(operator, || work.run(places))),
            _ => None,
        }
    }
}

/// Runs a step of the work of `operator`, which a failure names.
pub(super) fn step(operator: &str, steps: &mut dyn Steps) -> Step {
    let mut step = Step::Waiting;
    match named(operator, || match steps.go_on() {
        Step::Done(outcome) => {
            step = Step::Done(Ok(()));
            outcome
        }
        other => {
            step = other;
            Ok(())
        }
    }) {
        Ok(()) => step,
        Err(failure) => Step::Done(Err(failure)),
    }
}

/// Runs work of an operator, which a failure names.
#[inline]
fn named(operator: &str, work: impl FnOnce() -> Result) -> Result {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(status)) => {
            let message = format!("{operator}: {}", status.message);
            Err(status.told_as(message))
        }
        Err(_) => {
            let message = format!("{operator}: internal error of the emulator; please report it");
            Err(Status::new(code::INTERNAL_ERROR, message))
        }
    }
}

//! The work of a task on a stream.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use smallvec::SmallVec;

use crate::runtime::code;
use crate::status::{Result, Status};

/// Work that runs once.
pub(crate) type Once = Box<dyn FnOnce() -> Result + Send>;

/// Work that runs once, of an operator, which a failure names.
pub(crate) struct Single {
    pub(super) operator: &'static str,
    pub(super) work: Once,
}

impl Single {
    pub(super) fn run(self) -> Result {
        named(self.operator, self.work)
    }
}

/// Work that can run many times, with other addresses each time.
pub(crate) trait Planned: Send + Sync {
    /// Runs work that takes about a microsecond at most, and neither calls the program nor uses streams. Returns `None`, and
    /// does nothing, for other work.
    fn run_brief(&self, places: &Places) -> Option<Result>;

    fn run(&self, places: &Places) -> Result;

    /// Keeps what is left after a run for other work.
    fn recycle(self: Arc<Self>);
}

/// Work that waits for others between its steps, which may be in other processes.
pub(crate) trait Steps: Send {
    /// Does what can be done now, without blocking for long. It is not called again after it is done.
    fn go_on(&mut self) -> Step;

    /// Does what is left of the work of a rank that is lost by a fault on demand: it ends, and the others are not told.
    fn abandon(&mut self) -> Step;
}

/// The outcome of a step.
pub(crate) enum Step {
    Done(Result),
    /// Others may get on now, but this work waits for them.
    Moved,
    /// Nothing could be done.
    Waiting,
}

/// How many launches that have run a thread keeps.
const SPARES: usize = 512;

thread_local! {
    /// Launches that have run on this thread, for the next ones.
    #[expect(clippy::vec_box, reason = "they move as boxes")]
    static LAUNCHES: RefCell<Vec<Box<Launch>>> = const { RefCell::new(Vec::new()) };
}

/// A launch of work that was made before. It is made in the place of one that has run: queueing it allocates nothing.
#[derive(Default)]
pub(crate) struct Launch {
    /// Its name, for messages.
    operator: &'static str,
    /// Nothing before it is complete.
    work: Option<Arc<dyn Planned>>,
    pub(crate) places: Places,
}

/// Where the tensors of a launch are.
#[derive(Default)]
pub(crate) struct Places {
    /// A workspace may come after them.
    pub(crate) addresses: SmallVec<[usize; 8]>,
    /// What `memory::losses` gave before the addresses were looked up.
    pub(crate) losses: u64,
    /// What `memory::distance` gave of all addresses that the work uses.
    pub(crate) distance: Option<isize>,
}

impl Launch {
    /// A launch without places and work.
    #[inline]
    pub(crate) fn blank() -> Box<Self> {
        LAUNCHES.try_with(|spares| spares.borrow_mut().pop()).ok().flatten().unwrap_or_default()
    }

    /// The launch of this work.
    #[inline]
    pub(crate) fn of(mut self: Box<Self>, operator: &'static str, work: Arc<dyn Planned>) -> Box<Self> {
        self.operator = operator;
        self.work = Some(work);
        self
    }

    /// Runs the work as `Planned::run_brief` does; a failure names the operator.
    #[inline]
    pub(super) fn run_brief(&self) -> Option<Result> {
        let mut is_brief = true;
        let outcome = named(self.operator, || {
            let outcome = self.work.as_ref().and_then(|work| work.run_brief(&self.places));
            is_brief = outcome.is_some();
            outcome.unwrap_or(Ok(()))
        });
        is_brief.then_some(outcome)
    }

    /// Runs the work.
    pub(super) fn run(&self) -> Result {
        self.work.as_ref().map_or(Ok(()), |work| work.run(&self.places))
    }

    /// Runs the work of the operator, which a failure names.
    #[inline]
    pub(super) fn run_named(&self) -> Result {
        named(self.operator, || self.run())
    }

    /// Keeps what is left after a run for other launches.
    #[inline]
    pub(super) fn recycle(mut self: Box<Self>) {
        if let Some(work) = self.work.take() {
            work.recycle();
        }
        self.places.addresses.clear();
        // Nothing is kept while the thread ends.
        let _ = LAUNCHES.try_with(|spares| {
            let mut spares = spares.borrow_mut();
            if spares.len() < SPARES {
                spares.push(self);
            }
        });
    }
}

/// Work in steps, of an operator, which a failure names.
pub(crate) struct Stepping {
    pub(super) operator: &'static str,
    pub(super) steps: Box<dyn Steps>,
}

impl Stepping {
    /// Takes a step.
    pub(super) fn step(&mut self) -> Step {
        step(self.operator, &mut *self.steps)
    }
}

/// Runs a step of the work of `operator`, which a failure names.
fn step(operator: &str, steps: &mut dyn Steps) -> Step {
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
            Err(status.with_message(message))
        }
        Err(_) => {
            let message = format!("{operator}: internal error of the emulator; please report it");
            Err(Status::new(code::INTERNAL_ERROR, message))
        }
    }
}

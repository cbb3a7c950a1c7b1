//! Submitting work to a stream, and what follows from it by the mode of streams.

use crate::fault;
use crate::runtime::stream::policy;
use crate::runtime::stream::queue::{Stream, Task};
use crate::runtime::stream::work::Work;
use crate::status::{Result, Status};
use crate::trace::{self, Details};

impl Stream {
    /// Queues the work of an operator. A failure of it is reported by the next synchronisation, with the operator's name.
    ///
    /// `details` is called only when a record of the work is kept.
    pub(crate) fn submit(
        &self,
        operator: &'static str,
        details: impl FnOnce() -> Details,
        work: impl Into<Work>,
    ) -> Result {
        self.submit_judged(operator, || Ok(()), details, work.into())
    }

    /// Queues work as `submit` does, unless `judge` refuses it; `judge` sees the work in the order of the stream.
    pub(crate) fn submit_judged(
        &self,
        operator: &'static str,
        judge: impl FnOnce() -> Result,
        details: impl FnOnce() -> Details,
        work: Work,
    ) -> Result {
        self.try_push(|_| {
            judge()?;
            Ok(self.observed(operator, details).task(work))
        })
    }

    /// Asks whether the work of an operator fails and whether a record of it is kept, as it is queued.
    pub(crate) fn observed(&self, operator: &'static str, details: impl FnOnce() -> Details) -> Observed {
        let failure = fault::of_run(operator);
        Observed { operator, failure, record: trace::queued((self.device, self.id()), operator, details) }
    }

    /// Queues the task that `make` gives for its position.
    pub(crate) fn push(&self, make: impl FnOnce(u64) -> Task) -> Result {
        self.try_push(|position| Ok(make(position)))
    }

    /// Queues a task as `push` does, unless `make` refuses.
    pub(crate) fn try_push(&self, make: impl FnOnce(u64) -> Result<Task>) -> Result {
        self.try_push_checked(|position, accepts| {
            accepts()?;
            make(position)
        })
    }

    /// Queues a task as `try_push` does. `make` asks whether the stream takes it, after checks of its own.
    pub(crate) fn try_push_checked(
        &self,
        make: impl FnOnce(u64, &dyn Fn() -> Result) -> Result<Task>,
    ) -> Result {
        let waiting = self.enqueue(make)?;
        policy::submitted(self, waiting);
        Ok(())
    }
}

/// What happens to the work of an operator beside its run.
pub(crate) struct Observed {
    operator: &'static str,
    failure: Option<Status>,
    record: Option<trace::Queued>,
}

impl Observed {
    /// The task that does the work.
    #[inline]
    pub(crate) fn task(self, work: Work) -> Task {
        match self {
            Observed { operator, failure: None, record: None } => Task::Work { operator, work },
            observed => observed.wrapped(work),
        }
    }

    #[cold]
    fn wrapped(self, work: Work) -> Task {
        let Observed { operator, failure, record } = self;
        let work = match failure {
            Some(failure) => Box::new(move || Err(failure)).into(),
            None => work,
        };
        let work = match record {
            Some(record) => Box::new(move || record.run(|| work.run())).into(),
            None => work,
        };
        Task::Work { operator, work }
    }
}

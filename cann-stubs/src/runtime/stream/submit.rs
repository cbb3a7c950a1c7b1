//! Submitting work to a stream, and what follows from it by the mode of streams.

use std::time::Duration;

use crate::fault;
use crate::runtime::stream::policy;
use crate::runtime::stream::queue::{Stream, Submission, Task};
use crate::runtime::stream::work::{Step, Steps, Work};
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
    #[inline]
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
        let submission = self.submission();
        submission.must_accept()?;
        let task = make(submission.position())?;
        self.finish(submission, task);
        Ok(())
    }

    /// Queues a task of a submission that the stream accepts.
    #[inline]
    pub(crate) fn finish(&self, submission: Submission<'_>, task: Task) {
        policy::submitted(self, submission.push(task));
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

    /// The task that does the work in steps.
    pub(crate) fn steps(self, steps: Box<dyn Steps>) -> Task {
        let Observed { operator, failure, record } = self;
        if let Some(failure) = failure {
            // What is dropped tells those that wait for it.
            return Task::Work {
                operator,
                work: Work::Once(Box::new(move || {
                    drop(steps);
                    Err(failure)
                })),
            };
        }
        match record {
            None => Task::Steps { operator, steps },
            Some(record) => {
                Task::Steps { operator, steps: Box::new(Recorded { steps, record, begin: None }) }
            }
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

/// Steps of which a record is kept, from the first to the last.
struct Recorded {
    steps: Box<dyn Steps>,
    record: trace::Queued,
    begin: Option<Duration>,
}

impl Steps for Recorded {
    fn go_on(&mut self) -> Step {
        let begin = *self.begin.get_or_insert_with(trace::clock);
        let step = self.steps.go_on();
        if let Step::Done(outcome) = &step {
            self.record.ran(begin, outcome.is_ok());
        }
        step
    }
}

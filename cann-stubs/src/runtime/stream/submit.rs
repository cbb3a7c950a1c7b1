//! Submitting work to a stream, and what follows from it by the mode of streams.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crate::fault;
use crate::fault_rule::Blow;
use crate::runtime::stream::queue::{Stream, Submission, Task};
use crate::runtime::stream::when_work_runs;
use crate::runtime::stream::work::{Launch, Once, Planned, Single, Step, Stepping, Steps};
use crate::status::Result;
use crate::trace::{self, Details};

impl Stream {
    /// Queues the work of an operator. A failure of it is reported by the next synchronisation, with the operator's name.
    ///
    /// `details` is called only when a record of the work is kept.
    pub(crate) fn submit(
        &self,
        operator: &'static str,
        details: impl FnOnce() -> Details,
        work: Once,
    ) -> Result {
        self.submit_judged(operator, || Ok(()), details, work)
    }

    /// Queues a function of the program.
    pub(crate) fn submit_function(&self, entry_point: &'static str, function: Once) -> Result {
        self.push(|_| {
            let observed = self.observed(entry_point, Details::default);
            Task::Function(Box::new(observed.single(function)))
        })
    }

    /// Queues work as `submit` does, unless `judge` refuses it; `judge` sees the work in the order of the stream.
    pub(crate) fn submit_judged(
        &self,
        operator: &'static str,
        judge: impl FnOnce() -> Result,
        details: impl FnOnce() -> Details,
        work: Once,
    ) -> Result {
        self.try_push(|_| {
            judge()?;
            Ok(self.observed(operator, details).task(work))
        })
    }

    /// Asks what happens to the work of an operator by a fault and whether a record of it is kept, as it is queued.
    pub(crate) fn observed(&self, operator: &'static str, details: impl FnOnce() -> Details) -> Observed {
        let blow = fault::of_run(operator);
        Observed { operator, blow, record: trace::queued((self.device, self.id()), operator, details) }
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
        when_work_runs::submitted(self, submission.push(task));
    }
}

/// What happens to the work of an operator beside its run.
pub(crate) struct Observed {
    operator: &'static str,
    blow: Option<Blow>,
    record: Option<trace::Queued>,
}

/// Returns whether anything may happen to the work of an operator beside its run.
#[inline]
pub(crate) fn is_observed() -> bool {
    fault::may_strike() || trace::is_on()
}

impl Observed {
    /// The task that does the work.
    pub(crate) fn task(self, work: Once) -> Task {
        Task::Once(Box::new(self.single(work)))
    }

    fn single(self, work: Once) -> Single {
        let Observed { operator, blow, record } = self;
        let work: Once = match blow {
            Some(Blow::Fails(failure)) => Box::new(move || Err(failure)),
            Some(Blow::Delays(time)) => Box::new(move || {
                thread::sleep(time);
                work()
            }),
            // Only ranks are lost.
            Some(Blow::Loses) | None => work,
        };
        let work = match record {
            Some(record) => Box::new(move || record.run(work)),
            None => work,
        };
        Single { operator, work }
    }

    /// The task of a launch of the work.
    pub(crate) fn launch(self, launch: Box<Launch>, work: Arc<dyn Planned>) -> Task {
        let launch = launch.of(self.operator, work);
        match self {
            Observed { blow: None, record: None, .. } => Task::Launch(launch),
            observed => observed.task(Box::new(move || launch.run())),
        }
    }

    /// The task that does the work in steps.
    pub(crate) fn steps(self, steps: Box<dyn Steps>) -> Task {
        let Observed { operator, blow, record } = self;
        let steps: Box<dyn Steps> = match blow {
            Some(Blow::Fails(failure)) => {
                // What is dropped tells those that wait for it.
                let work = Box::new(move || {
                    drop(steps);
                    Err(failure)
                });
                return Task::Once(Box::new(Single { operator, work }));
            }
            Some(Blow::Delays(time)) => Box::new(Late { steps, time, begin: None }),
            Some(Blow::Loses) => Box::new(Lost { steps }),
            None => steps,
        };
        let steps = match record {
            None => steps,
            Some(record) => Box::new(Recorded { steps, record, begin: None }),
        };
        Task::Steps(Box::new(Stepping { operator, steps }))
    }
}

/// Steps of which a record is kept, from the first to the last.
struct Recorded {
    steps: Box<dyn Steps>,
    record: trace::Queued,
    begin: Option<Duration>,
}

impl Recorded {
    fn observe(&mut self, step: impl FnOnce(&mut dyn Steps) -> Step) -> Step {
        let begin = *self.begin.get_or_insert_with(trace::clock);
        let step = step(&mut *self.steps);
        if let Step::Done(outcome) = &step {
            self.record.ran(begin, outcome.is_ok());
        }
        step
    }
}

impl Steps for Recorded {
    fn go_on(&mut self) -> Step {
        self.observe(|steps| steps.go_on())
    }

    fn abandon(&mut self) -> Step {
        self.observe(|steps| steps.abandon())
    }
}

/// Steps that begin late. The thread goes on with other streams meanwhile.
struct Late {
    steps: Box<dyn Steps>,
    time: Duration,
    begin: Option<Instant>,
}

impl Steps for Late {
    fn go_on(&mut self) -> Step {
        let begin = *self.begin.get_or_insert_with(Instant::now);
        if begin.elapsed() < self.time { Step::Waiting } else { self.steps.go_on() }
    }

    fn abandon(&mut self) -> Step {
        self.steps.abandon()
    }
}

/// Steps of a rank that is lost when they begin.
struct Lost {
    steps: Box<dyn Steps>,
}

impl Steps for Lost {
    fn go_on(&mut self) -> Step {
        self.steps.abandon()
    }

    fn abandon(&mut self) -> Step {
        self.steps.abandon()
    }
}

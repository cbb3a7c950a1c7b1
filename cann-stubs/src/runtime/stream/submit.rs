//! Submitting work to a stream, and what follows from it by the mode of streams.

use crate::fault;
use crate::runtime::stream::policy;
use crate::runtime::stream::queue::{Stream, Task};
use crate::runtime::stream::work::Work;
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
            let work = match fault::of_run(operator) {
                Some(failure) => Box::new(move || Err(failure)).into(),
                None => work,
            };
            let work = match trace::queued((self.device, self.id()), operator, details) {
                Some(record) => Box::new(move || record.run(|| work.run())).into(),
                None => work,
            };
            Ok(Task::Work { operator, work })
        })
    }

    /// Queues the task that `make` gives for its position.
    pub(crate) fn push(&self, make: impl FnOnce(u64) -> Task) -> Result {
        self.try_push(|position| Ok(make(position)))
    }

    /// Queues a task as `push` does, unless `make` refuses.
    pub(crate) fn try_push(&self, make: impl FnOnce(u64) -> Result<Task>) -> Result {
        let waiting = self.enqueue(make)?;
        policy::submitted(self, waiting);
        Ok(())
    }
}

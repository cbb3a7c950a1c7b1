//! The records of events: what came of each recording.

use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Instant;

use crate::check::clock::Clock;
use crate::check::tracker;
use crate::runtime::code;
use crate::runtime::stream::event_id::EventId;
use crate::status::{Result, Status};

/// Returns the nanoseconds on the clock of the devices, which starts when it is read for the first time.
fn now() -> u64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_nanos() as u64
}

/// One recording of an event, which comes to pass once.
#[derive(Debug)]
pub(crate) struct Record {
    /// The clock of what is done when the record is reached.
    pub(super) done: Clock,
    outcome: OnceLock<Outcome>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    At(u64),
    /// The stream was aborted or destroyed before it got there.
    Abandoned,
}

impl Record {
    pub(super) fn new(done: Clock) -> Arc<Self> {
        Arc::new(Record { done, outcome: OnceLock::new() })
    }

    pub(crate) fn is_over(&self) -> bool {
        self.outcome.get().is_some()
    }

    /// The time in nanoseconds at which the record was reached; `None` before. Fails when it was abandoned.
    pub(super) fn time(&self) -> Result<Option<u64>> {
        match self.outcome.get() {
            Some(Outcome::At(time)) => {
                tracker::host_saw(&self.done);
                Ok(Some(*time))
            }
            Some(Outcome::Abandoned) => Err(Status::new(
                code::STREAM_ABORT,
                "the stream was aborted or destroyed before it reached the event",
            )),
            None => Ok(None),
        }
    }
}

/// The task of a record. When it is dropped without having run, the record counts as abandoned.
pub(crate) struct PendingRecord {
    record: Arc<Record>,
    hardware: Option<Arc<EventId>>,
}

impl PendingRecord {
    /// `hardware` is the id that the record takes; marks that are no events take none.
    pub(super) fn new(record: Arc<Record>, hardware: Option<Arc<EventId>>) -> Self {
        PendingRecord { record, hardware }
    }

    pub(crate) fn come_to_pass(mut self) {
        self.settle(Outcome::At(now()));
    }

    /// Only the first outcome counts.
    fn settle(&mut self, outcome: Outcome) {
        // The id is released first, so that a thread which sees the outcome can take it.
        self.hardware = None;
        let _ = self.record.outcome.set(outcome);
    }
}

impl Drop for PendingRecord {
    fn drop(&mut self) {
        self.settle(Outcome::Abandoned);
    }
}

//! [`Recording`]: a mark that was put into a stream, and where it stands.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use crate::check::tracker;
use crate::runtime::code;
use crate::runtime::stream::drain;
use crate::runtime::stream::event_id::EventId;
use crate::runtime::stream::progress::Patience;
use crate::runtime::stream::queue::{PendingWait, Position, Stream, Task};
use crate::runtime::stream::record::{PendingRecord, Record};
use crate::status::{Result, Status};

/// A mark that was put into a stream, and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Recording {
    record: Arc<Record>,
    position: Position,
}

impl Recording {
    /// Puts a mark behind the work submitted to `stream` so far. `keep` gets it under the lock of the stream, so that the mark
    /// kept last is the one queued last.
    pub(super) fn queue(
        stream: &Stream,
        hardware: impl FnOnce() -> Result<Option<Arc<EventId>>>,
        keep: impl FnOnce(Recording),
    ) -> Result {
        stream.try_push(|position| {
            let hardware = hardware()?;
            let record = Record::new(tracker::so_far(stream.id()));
            keep(Recording { record: Arc::clone(&record), position: stream.position(position) });
            Ok(Task::Record(Box::new(PendingRecord::new(record, hardware))))
        })
    }

    /// Puts a mark as `queue` does, which is no event of the program.
    pub(super) fn mark(stream: &Stream) -> Result<Recording> {
        let mut mark = None;
        Self::queue(stream, || Ok(None), |recording| mark = Some(recording))?;
        mark.ok_or_else(|| Status::new(code::INTERNAL_ERROR, "a mark was queued and not kept"))
    }

    /// Returns an address that no other live recording has.
    pub(super) fn identity(&self) -> *const Record {
        Arc::as_ptr(&self.record)
    }

    pub(super) fn is_over(&self) -> bool {
        self.record.is_over()
    }

    /// The time in nanoseconds at which the record was reached.
    pub(super) fn time(&self) -> Result<u64> {
        let early = || Status::new(code::EVENT_NOT_COMPLETE, "the event is not complete; synchronise first");
        self.record.time()?.ok_or_else(early)
    }

    /// Waits at most `patience` for the record. Returns whether it was reached.
    pub(super) fn reach(&self, patience: Patience) -> Result<bool> {
        if !self.record.is_over()
            && let Some((stream, position)) = self.position.source()
        {
            match patience {
                Patience::None => drain::look(&stream, position)?,
                patience => drain::reach(&stream, position, patience)?,
            };
        }
        Ok(self.record.time()?.is_some())
    }

    /// Notes for the checks that the host knows of the work before the mark.
    pub(super) fn host_saw(&self) {
        tracker::host_saw(&self.record.done);
    }

    /// Notes for the checks that `stream` goes on after the mark.
    pub(super) fn orders(&self, stream: &Stream) {
        tracker::wait(stream.id(), stream.tally(), &self.record.done);
    }

    /// Lets `stream` wait for the mark, unless it was reached. `waits` counts the waits that were not passed.
    pub(super) fn hold(&self, stream: &Stream, waits: &Arc<AtomicUsize>) -> Result {
        if self.is_over() {
            return Ok(());
        }
        let wait = PendingWait::new(Arc::clone(&self.record), self.position.clone(), waits);
        stream.push(|_| Task::Wait(Box::new(wait)))
    }
}

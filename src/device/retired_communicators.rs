//! Communicators that no handle owns any more, kept while their work may still run: a library may need a communicator
//! until its work has ended, and a drop does not wait.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use smallvec::SmallVec;

use crate::acl::{Bound, RawCommunicator};
use crate::error::Result;
use crate::stream_core::{StreamCore, Streams};

/// The streams that hold work of a communicator, each with the moment after the last of it.
#[derive(Debug, Default)]
pub(crate) struct Until(SmallVec<[(Arc<StreamCore>, u64); 4]>);

impl Until {
    /// Records that work was queued on a stream. Streams that have passed their work are forgotten.
    pub(crate) fn add(&mut self, stream: &Arc<StreamCore>) {
        self.forget_passed();
        let moment = stream.moment();
        match self.0.iter_mut().find(|(known, _)| known == stream) {
            Some((_, last)) => *last = moment,
            None => self.0.push((stream.clone(), moment)),
        }
    }

    pub(crate) fn forget_passed(&mut self) {
        self.0.retain(|(stream, moment)| !stream.has_passed(*moment));
    }

    pub(crate) fn streams(&self) -> impl Iterator<Item = &Arc<StreamCore>> {
        self.0.iter().map(|(stream, _)| stream)
    }

    /// Returns whether all work is known to be over. Does not wait.
    pub(crate) fn is_over(&self, bound: &Bound<'_>) -> bool {
        self.0.iter().all(|(stream, moment)| {
            stream.has_ended() || stream.has_passed(*moment) || stream.query(bound).unwrap_or(false)
        })
    }
}

/// Communicators of a device that are to be destroyed, each with the work that has to end before.
#[derive(Debug, Default)]
pub(crate) struct RetiredCommunicators(Mutex<Vec<(RawCommunicator, Until)>>);

impl RetiredCommunicators {
    fn lock(&self) -> MutexGuard<'_, Vec<(RawCommunicator, Until)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn put(&self, communicator: RawCommunicator, until: Until) {
        self.lock().push((communicator, until));
    }

    /// Destroys those whose work is over; the first failure is reported.
    pub(crate) fn sweep(&self, bound: &Bound<'_>) -> Result<()> {
        let retired = std::mem::take(&mut *self.lock());
        if retired.is_empty() {
            return Ok(());
        }
        // Without the lock, as a query may take a while.
        let (over, busy): (Vec<_>, Vec<_>) = retired.into_iter().partition(|(_, until)| until.is_over(bound));
        self.lock().extend(busy);
        destroy(over, bound)
    }

    /// Waits for the work and destroys all; the first failure is reported.
    pub(crate) fn release(&self, streams: &Streams, bound: &Bound<'_>) -> Result<()> {
        let retired = std::mem::take(&mut *self.lock());
        if !retired.iter().all(|(_, until)| until.is_over(bound))
            && let Err(error) = streams.idle(bound)
        {
            self.lock().extend(retired);
            return Err(error);
        }
        destroy(retired, bound)
    }
}

fn destroy(retired: Vec<(RawCommunicator, Until)>, bound: &Bound<'_>) -> Result<()> {
    let mut result = Ok(());
    for (communicator, _) in retired {
        result = result.and(bound.destroy_communicator(communicator));
    }
    result
}

//! Pinned host memory that no handle owns any more, kept while a copy may still use it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::acl::{Bound, HostMemory, RawEvent};
use crate::error::Result;
use crate::stream_core::{StreamCore, Streams};

/// A copy that was queued, and the event recorded after it.
#[derive(Debug)]
pub(crate) struct Copying {
    pub(crate) stream: Arc<StreamCore>,
    /// `None` if no event could be recorded: then the copy is over when the stream has ended, or the device is idle.
    pub(crate) event: Option<RawEvent>,
}

impl Copying {
    pub(crate) fn end(self, bound: &Bound<'_>) -> Result<()> {
        self.event.map_or(Ok(()), |event| bound.destroy_event(event))
    }
}

/// Returns whether the copy, if there is one, is known to be over.
fn is_over(copying: Option<&Copying>, bound: &Bound<'_>) -> bool {
    copying.is_none_or(|copying| {
        let event = copying.event.as_ref();
        copying.stream.has_ended() || event.is_some_and(|event| bound.is_complete(event).unwrap_or(false))
    })
}

/// Pinned memory of a device that is to be freed, each piece with the copy that may use it.
#[derive(Debug, Default)]
pub(crate) struct Retired(Mutex<Vec<(HostMemory, Option<Copying>)>>);

impl Retired {
    fn lock(&self) -> MutexGuard<'_, Vec<(HostMemory, Option<Copying>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn put(&self, memory: HostMemory, copying: Option<Copying>) {
        self.lock().push((memory, copying));
    }

    fn take_all(&self) -> Vec<(HostMemory, Option<Copying>)> {
        std::mem::take(&mut *self.lock())
    }

    /// Takes memory of exactly this size whose copy is over. Other memory whose copy is over is freed.
    pub(crate) fn take(&self, bytes: usize, bound: &Bound<'_>) -> Result<Option<HostMemory>> {
        // The events are queried without the lock, as a query may take a while.
        let (over, busy): (Vec<_>, Vec<_>) =
            self.take_all().into_iter().partition(|(_, copying)| is_over(copying.as_ref(), bound));
        self.lock().extend(busy);
        let mut found = None;
        let mut result = Ok(());
        for (memory, copying) in over {
            result = result.and(copying.map_or(Ok(()), |copying| copying.end(bound)));
            if found.is_none() && memory.bytes() == bytes {
                found = Some(memory);
                continue;
            }
            // SAFETY: its copy is over.
            result = result.and(unsafe { bound.free_host(memory) });
        }
        match result {
            Ok(()) => Ok(found),
            Err(error) => {
                found.into_iter().for_each(|memory| self.put(memory, None));
                Err(error)
            }
        }
    }

    /// Waits for the copies and frees everything; the first failure is reported.
    pub(crate) fn release(&self, streams: &Streams, bound: &Bound<'_>) -> Result<()> {
        let retired = self.take_all();
        if !retired.iter().all(|(_, copying)| is_over(copying.as_ref(), bound))
            && let Err(error) = streams.idle(bound)
        {
            self.lock().extend(retired);
            return Err(error);
        }
        let mut result = Ok(());
        for (memory, copying) in retired {
            result = result.and(copying.map_or(Ok(()), |copying| copying.end(bound)));
            // SAFETY: the device has finished all copies.
            result = result.and(unsafe { bound.free_host(memory) });
        }
        result
    }
}

//! The hardware ids of events, of which a device has so many.
//!
//! An event of the plain calls has one from its making on, an extended one from each record on. Both give it back when the
//! recorded work is done, and not before: who destroys events without waiting for their work runs out of ids. An event of the
//! plain calls that is recorded after that takes one again; recorded while its work runs, it goes on with the one it has.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, Weak};

use crate::config;
use crate::runtime::{code, product};
use crate::status::{Result, Status};

/// How many are taken, by the number of the device.
static TAKEN: LazyLock<Box<[AtomicU32]>> =
    LazyLock::new(|| (0..config::get().devices).map(|_| AtomicU32::new(0)).collect());

fn taken(device: i32) -> Option<&'static AtomicU32> {
    usize::try_from(device).ok().and_then(|index| TAKEN.get(index))
}

/// How many a device has left.
pub(crate) fn available(device: i32) -> u32 {
    let taken = taken(device).map_or(0, |taken| taken.load(Ordering::Relaxed));
    product::emulated().event_ids.saturating_sub(taken)
}

/// One id of a device, as long as it lives.
#[derive(Debug)]
pub(crate) struct EventId {
    device: i32,
}

impl EventId {
    fn take(device: i32) -> Result<Arc<EventId>> {
        let limit = product::emulated().event_ids;
        let one_more = |taken| (taken < limit).then_some(taken + 1);
        let got = taken(device)
            .is_some_and(|taken| taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more).is_ok());
        if !got {
            let message = format!(
                "all {limit} event ids of device {device} are taken: an event gives its own back when the work that was \
                 recorded is done, so wait for a stream or an event first, or record fewer events ahead"
            );
            return Err(Status::new(code::NO_EVENT_RESOURCE, message));
        }
        Ok(Arc::new(EventId { device }))
    }
}

impl Drop for EventId {
    fn drop(&mut self) {
        if let Some(taken) = taken(self.device) {
            taken.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// What an event has of ids.
#[derive(Debug)]
pub(crate) enum Ids {
    /// One, from the making on: `made` until the first record, and then what the records share that are not over.
    Plain { made: Option<Arc<EventId>>, recorded: Weak<EventId> },
    /// Each record takes its own.
    Extended,
}

impl Ids {
    pub(crate) fn plain(device: i32) -> Result<Self> {
        Ok(Ids::Plain { made: Some(EventId::take(device)?), recorded: Weak::new() })
    }

    /// The id of a new record on `device`, which keeps it until it is over.
    pub(crate) fn of_record(&mut self, device: i32) -> Result<Arc<EventId>> {
        let Ids::Plain { made, recorded } = self else { return EventId::take(device) };
        let id = match made.take().or_else(|| recorded.upgrade()) {
            Some(id) => id,
            None => EventId::take(device)?,
        };
        *recorded = Arc::downgrade(&id);
        Ok(id)
    }
}

//! The hardware ids of events, of which a device has a fixed number.
//!
//! An event of `aclrtCreateEvent` or `aclrtCreateEventWithFlag` takes an id when it is created, an event of
//! `aclrtCreateEventExWithFlag` at each record. The id is released when the recorded work is done, and not before: a program
//! that destroys events without waiting for their work runs out of ids. An event of the first kind that is recorded after
//! its work is done takes an id again; if it is recorded while its work runs, it keeps its id.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Weak};

use crate::runtime::product::devices::PerDevice;
use crate::runtime::{code, product};
use crate::status::{Result, Status};

/// How many ids are taken.
static TAKEN: PerDevice<AtomicU32> = PerDevice::new(|| AtomicU32::new(0));

/// Returns how many ids a device has left.
pub(crate) fn available(device: i32) -> u32 {
    let taken = TAKEN.of(device).map_or(0, |taken| taken.load(Ordering::Relaxed));
    product::emulated().event_ids.saturating_sub(taken)
}

/// One id of a device. Dropping the value releases the id.
#[derive(Debug)]
pub(crate) struct EventId {
    device: i32,
}

impl EventId {
    fn take(device: i32) -> Result<Arc<EventId>> {
        let limit = product::emulated().event_ids;
        let one_more = |taken| (taken < limit).then_some(taken + 1);
        let got = TAKEN
            .of(device)
            .is_ok_and(|taken| taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more).is_ok());
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
        if let Ok(taken) = TAKEN.of(self.device) {
            taken.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// The ids of an event.
#[derive(Debug)]
pub(crate) enum Ids {
    /// One id from the creation on: `made` holds it until the first record; then the records that are not over share it.
    Plain { made: Option<Arc<EventId>>, recorded: Weak<EventId> },
    /// Each record takes its own id.
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

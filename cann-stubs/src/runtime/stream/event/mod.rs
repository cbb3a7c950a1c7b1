//! Events: marks in streams that other streams and threads wait for.
//!
//! Every recording makes a new [`Record`]; a wait refers to the one that was current when it was queued. So an event can be
//! recorded again at any time, and destroyed while streams still wait for it.

mod entry;
mod sharing;

pub(crate) use entry::SYMBOLS;
pub(crate) use sharing::SYMBOLS as SHARING_SYMBOLS;

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError};

use aclnn_sys::{ACL_EVENT_IPC, ACL_EVENT_SYNC, ACL_EVENT_TIME_LINE};

use crate::check::live_objects::Live;
use crate::check::tracker;
use crate::handle::{Kind, Registry};
use crate::runtime::code;
use crate::runtime::stream::capture::{self, InGraph};
use crate::runtime::stream::drain;
use crate::runtime::stream::event_id::Ids;
use crate::runtime::stream::progress::Patience;
use crate::runtime::stream::queue::Stream;
use crate::runtime::stream::recording::Recording;
use crate::settings;
use crate::status::{Result, Status};
use crate::sync::{Mutex, MutexGuard};
use crate::trace::Details;

static EVENTS: Registry<Event> = Registry::new(Kind::Event);

/// The function that made an event; it decides which calls the event allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Maker {
    /// `aclrtCreateEvent`
    Plain,
    /// `aclrtCreateEventWithFlag`
    WithFlag,
    /// `aclrtCreateEventExWithFlag`
    ExWithFlag,
}

/// An event of the program.
#[derive(Debug)]
pub(crate) struct Event {
    id: u32,
    maker: Maker,
    flags: u32,
    hardware: Mutex<Ids>,
    /// The latest record; `None` when the event was never recorded, or was reset.
    record: Mutex<Option<Recording>>,
    /// How many waits of streams have not been passed yet.
    waits: Arc<AtomicUsize>,
    /// Where a graph that is being captured has recorded the event.
    in_graph: Mutex<Option<InGraph>>,
}

impl Event {
    pub(crate) fn create(maker: Maker, flags: u32, device: i32) -> Result<usize> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let hardware = match maker {
            Maker::Plain | Maker::WithFlag => Ids::plain(device)?,
            Maker::ExWithFlag => Ids::Extended,
        };
        let (id, hardware) = (NEXT.fetch_add(1, Ordering::Relaxed), Mutex::new(hardware));
        Ok(EVENTS.insert(Event {
            id,
            maker,
            flags,
            hardware,
            record: Mutex::default(),
            waits: Arc::default(),
            in_graph: Mutex::default(),
        }))
    }

    /// Returns whether the event was made to be shared.
    pub(crate) fn is_shareable(&self) -> bool {
        self.flags & ACL_EVENT_IPC != 0
    }

    pub(crate) fn id(&self) -> u32 {
        self.id
    }

    fn current(&self) -> MutexGuard<'_, Option<Recording>> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn latest(&self) -> Option<Recording> {
        self.current().clone()
    }

    /// Where a graph that is still being captured has recorded the event.
    fn in_graph(&self) -> Option<InGraph> {
        let mut in_graph = self.in_graph.lock().unwrap_or_else(PoisonError::into_inner);
        in_graph.take_if(|place| !place.is_capturing());
        in_graph.clone()
    }

    /// Puts the event into a graph, or takes it out.
    fn set_in_graph(&self, place: Option<InGraph>) {
        *self.in_graph.lock().unwrap_or_else(PoisonError::into_inner) = place;
    }

    /// Refuses an event that is waited for or asked by the host while a graph has it.
    fn must_not_be_captured(&self) -> Result {
        let message = "the event belongs to a graph that is being captured; end the capture first";
        self.in_graph().map_or(Ok(()), |_| Err(Status::new(code::EVENT_CAPTURED, message)))
    }

    /// Refuses an event that graphs cannot hold.
    fn must_suit_graphs(&self) -> Result {
        if self.maker == Maker::ExWithFlag {
            return Ok(());
        }
        let message = "graphs are captured with events of aclrtCreateEventExWithFlag alone";
        Err(Status::new(code::FEATURE_NOT_SUPPORT, message))
    }

    /// Records the event on `stream`, after the work submitted so far.
    pub(crate) fn record(&self, stream: &Stream) -> Result {
        if stream.is_captured() {
            self.must_suit_graphs()?;
            let place = capture::record(stream)?;
            *self.current() = None;
            self.set_in_graph(Some(place));
            return Ok(());
        }
        self.set_in_graph(None);
        let hardware = || {
            let mut hardware = self.hardware.lock().unwrap_or_else(PoisonError::into_inner);
            hardware.of_record(stream.device).map(Some)
        };
        Recording::queue(stream, hardware, |recording| *self.current() = Some(recording))
    }

    /// Lets `stream` wait for the latest record; for none when the event was never recorded. A record in a graph that is being
    /// captured takes the stream into the graph.
    pub(crate) fn hold(&self, stream: &Stream) -> Result {
        self.must_synchronise("waited for by a stream")?;
        if let Some(place) = self.in_graph() {
            return capture::wait(stream, &place);
        }
        if stream.is_captured() {
            self.must_suit_graphs()?;
            let message = "the event was recorded outside of the graph that the stream is captured into";
            let outside = || Err(Status::new(code::CAPTURE_DEPENDENCY, message));
            return self.latest().map_or(Ok(()), |_| outside());
        }
        let Some(recording) = self.latest() else {
            tracker::wait_for_nothing(stream.id(), stream.tally());
            return Ok(());
        };
        recording.orders(stream);
        if settings::get().defects.events {
            return Ok(());
        }
        recording.hold(stream, &self.waits)
    }

    /// Makes the event as if it was never recorded, once `stream` reaches this point.
    pub(crate) fn reset(self: &Arc<Self>, stream: &Stream) -> Result {
        if self.maker != Maker::WithFlag {
            return Err(Status::new(
                code::PARAM_INVALID,
                "only an event of aclrtCreateEventWithFlag with ACL_EVENT_SYNC can be reset",
            ));
        }
        self.must_synchronise("reset")?;
        let (event, before) = (Arc::clone(self), self.latest());
        stream.submit(
            "aclrtResetEvent",
            Details::default,
            Box::new(move || {
                let mut current = event.current();
                // A record that was queued after the reset stays.
                if current.as_ref().map(Recording::identity) == before.as_ref().map(Recording::identity) {
                    *current = None;
                }
                Ok(())
            }),
        )
    }

    /// Returns, without waiting, whether the latest record was reached.
    ///
    /// An event that was never recorded counts as complete if it is of `aclrtCreateEventExWithFlag`, and not otherwise.
    pub(crate) fn is_complete(&self) -> Result<bool> {
        self.must_not_be_captured()?;
        match self.latest() {
            Some(latest) => latest.reach(Patience::None),
            None => Ok(self.maker == Maker::ExWithFlag),
        }
    }

    /// Refuses the two queries that an event of `aclrtCreateEventExWithFlag` does not have.
    pub(crate) fn must_be_queryable(&self) -> Result {
        if self.maker == Maker::ExWithFlag {
            let message = "the event is one of aclrtCreateEventExWithFlag, which are asked by aclrtQueryEventStatus alone";
            return Err(Status::new(code::PARAM_INVALID, message));
        }
        Ok(())
    }

    /// Returns, without waiting, whether every stream has passed its waits for this event.
    pub(crate) fn is_passed(&self) -> Result<bool> {
        self.must_not_be_captured()?;
        if self.waits.load(Ordering::Relaxed) > 0 {
            drain::look_at_all()?;
        }
        let passed = self.waits.load(Ordering::Relaxed) == 0;
        if passed && let Some(latest) = self.latest().filter(Recording::is_over) {
            latest.host_saw();
        }
        Ok(passed)
    }

    /// Waits for the latest record; returns at once when there is none.
    pub(crate) fn synchronize(&self, patience: Patience) -> Result {
        self.must_not_be_captured()?;
        let Some(latest) = self.latest() else { return Ok(()) };
        let late =
            || Status::new(code::EVENT_SYNC_TIMEOUT, "the event was not complete when the time was up");
        latest.reach(patience)?.then_some(()).ok_or_else(late)
    }

    /// Returns the time in nanoseconds at which the latest record was reached. Runs nothing: the program has to synchronise
    /// before.
    pub(crate) fn time(&self) -> Result<u64> {
        self.must_not_be_captured()?;
        if self.maker != Maker::Plain && self.flags & ACL_EVENT_TIME_LINE == 0 {
            let message = "the event was made without ACL_EVENT_TIME_LINE";
            return Err(Status::new(code::EVENT_TIMESTAMP_INVALID, message));
        }
        let unrecorded = || Status::new(code::EVENT_TIMESTAMP_INVALID, "the event was never recorded");
        self.latest().ok_or_else(unrecorded)?.time()
    }

    fn must_synchronise(&self, what: &str) -> Result {
        if self.maker == Maker::WithFlag && self.flags & ACL_EVENT_SYNC == 0 {
            let message = format!("an event made without ACL_EVENT_SYNC cannot be {what}");
            return Err(Status::new(code::PARAM_INVALID, message));
        }
        Ok(())
    }
}

/// The live event behind `handle`.
pub(crate) fn find(handle: usize) -> Result<Arc<Event>> {
    EVENTS.get(handle).map_err(|why| why.status(code::PARAM_INVALID, "event"))
}

/// Makes another handle of a live event. The event ends with its last handle.
pub(crate) fn duplicate(handle: usize) -> Result<usize> {
    Ok(EVENTS.insert_shared(find(handle)?))
}

/// Ends an event; streams that wait for it go on as before, and a record that is not over keeps its hardware id.
pub(crate) fn destroy(handle: usize) -> Result {
    EVENTS.remove(handle).map(drop).map_err(|why| why.status(code::PARAM_INVALID, "event"))
}

/// Adds the events that were not destroyed.
pub(crate) fn live(all: &mut Vec<Live>) {
    all.extend(EVENTS.live().into_iter().map(|(handle, _)| Live::new("event", handle)));
}

/// Drops every event; for the end of the runtime.
pub(crate) fn forget_all() {
    for (handle, _) in EVENTS.live() {
        let _ = EVENTS.remove(handle);
    }
}

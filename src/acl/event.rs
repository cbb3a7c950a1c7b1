//! Events that this crate owns.

use std::ptr;

use aclnn_sys::{
    ACL_EVENT_RECORDED_STATUS_COMPLETE, ACL_EVENT_RECORDED_STATUS_NOT_READY, ACL_EVENT_SYNC,
    ACL_EVENT_TIME_LINE, aclrtEvent,
};

use super::context::{Bound, call_in, release_in};
use super::stream::RawStream;
use crate::error::Result;

/// An event that this crate owns.
#[derive(Debug)]
pub(crate) struct RawEvent(aclrtEvent);

// SAFETY: a handle that the runtime accepts on every thread in its context, which every call makes current.
unsafe impl Send for RawEvent {}
// SAFETY: an event is recorded once, before it is shared; afterwards threads only query it and wait for it.
unsafe impl Sync for RawEvent {}

impl RawEvent {
    /// Takes over an event that other code made.
    ///
    /// # Safety
    /// `event` is live and was recorded, and no other code records or destroys it.
    pub(crate) unsafe fn adopt(event: aclrtEvent) -> Self {
        Self(event)
    }

    pub(crate) fn as_raw(&self) -> aclrtEvent {
        self.0
    }
}

impl Bound<'_> {
    /// Returns whether an event takes a hardware id only while it is recorded and the work before it is not done.
    pub(crate) fn has_extended_events(&self) -> bool {
        self.acl.has_extended_events()
    }

    /// Creates an event for ordering streams; with `time` also for measuring time.
    pub(crate) fn create_event(&self, time: bool) -> Result<RawEvent> {
        let mut event = ptr::null_mut();
        let flags = ACL_EVENT_SYNC | if time { ACL_EVENT_TIME_LINE } else { 0 };
        if self.has_extended_events() {
            // SAFETY: a valid place.
            unsafe { call_in!(self, aclrtCreateEventExWithFlag(&mut event, flags)) }?;
        } else {
            // SAFETY: a valid place.
            unsafe { call_in!(self, aclrtCreateEventWithFlag(&mut event, flags)) }?;
        }
        Ok(RawEvent(event))
    }

    /// Destroys an event, even if the work before it is not done.
    pub(crate) fn destroy_event(&self, event: RawEvent) -> Result<()> {
        // SAFETY: a live event, which is consumed here.
        unsafe { release_in!(self, aclrtDestroyEvent(event.0)) }
    }

    pub(crate) fn record(&self, event: &RawEvent, stream: &RawStream) -> Result<()> {
        // SAFETY: both are live.
        unsafe { call_in!(self, aclrtRecordEvent(event.0, stream.as_raw())) }
    }

    pub(crate) fn wait(&self, stream: &RawStream, event: &RawEvent) -> Result<()> {
        // SAFETY: both are live.
        unsafe { call_in!(self, aclrtStreamWaitEvent(stream.as_raw(), event.0)) }
    }

    pub(crate) fn synchronize_event(&self, event: &RawEvent) -> Result<()> {
        // SAFETY: a live event.
        unsafe { call_in!(self, aclrtSynchronizeEvent(event.0)) }
    }

    pub(crate) fn is_complete(&self, event: &RawEvent) -> Result<bool> {
        let mut status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
        // SAFETY: a live event and a valid place.
        unsafe { call_in!(self, aclrtQueryEventStatus(event.0, &mut status)) }?;
        Ok(status == ACL_EVENT_RECORDED_STATUS_COMPLETE)
    }

    /// Returns the milliseconds between two events.
    pub(crate) fn elapsed(&self, start: &RawEvent, end: &RawEvent) -> Result<f32> {
        let mut milliseconds = 0.0;
        // SAFETY: both are live, and the place is valid.
        unsafe { call_in!(self, aclrtEventElapsedTime(&mut milliseconds, start.0, end.0)) }?;
        Ok(milliseconds)
    }
}

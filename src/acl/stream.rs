//! Streams that this crate owns.

use std::ptr;

use aclnn_sys::{ACL_STREAM_STATUS_COMPLETE, ACL_STREAM_STATUS_NOT_READY, aclrtStream};

use super::context::{Bound, call_in, release_in};
use crate::error::Result;

/// A stream that this crate owns.
#[derive(Debug)]
pub(crate) struct RawStream(aclrtStream);

// SAFETY: a handle that the runtime accepts on every thread in the stream's context, which every call makes current.
unsafe impl Send for RawStream {}
// SAFETY: as above; the runtime orders calls that several threads make with one stream.
unsafe impl Sync for RawStream {}

impl RawStream {
    /// Takes over a stream that other code made.
    ///
    /// # Safety
    /// `stream` is live, and no other code destroys it.
    pub(crate) unsafe fn adopt(stream: aclrtStream) -> Self {
        Self(stream)
    }

    pub(crate) fn as_raw(&self) -> aclrtStream {
        self.0
    }
}

impl Bound<'_> {
    pub(crate) fn create_stream(&self) -> Result<RawStream> {
        let mut stream = ptr::null_mut();
        // SAFETY: a valid place.
        unsafe { call_in!(self, aclrtCreateStream(&mut stream)) }?;
        Ok(RawStream(stream))
    }

    /// Waits for the work of the stream and destroys it.
    pub(crate) fn destroy_stream(&self, stream: RawStream) -> Result<()> {
        // SAFETY: a live stream, which is consumed here.
        unsafe { release_in!(self, aclrtDestroyStream(stream.0)) }
    }

    pub(crate) fn synchronize_stream(&self, stream: &RawStream) -> Result<()> {
        // SAFETY: a live stream.
        unsafe { call_in!(self, aclrtSynchronizeStream(stream.0)) }
    }

    /// Returns whether all work queued on the stream is done.
    pub(crate) fn is_idle(&self, stream: &RawStream) -> Result<bool> {
        let mut status = ACL_STREAM_STATUS_NOT_READY;
        // SAFETY: a live stream and a valid place.
        unsafe { call_in!(self, aclrtStreamQuery(stream.0, &mut status)) }?;
        Ok(status == ACL_STREAM_STATUS_COMPLETE)
    }
}

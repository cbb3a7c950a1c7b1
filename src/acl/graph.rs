//! Graphs that are captured from streams.

use std::ptr;

use aclnn_sys::{ACL_MODEL_RI_CAPTURE_MODE_RELAXED, aclmdlRI};

use super::context::{Bound, call_in, release_in};
use super::stream::RawStream;
use crate::error::Result;

/// A captured graph that this crate owns.
#[derive(Debug)]
pub(crate) struct RawGraph(aclmdlRI);

// SAFETY: a handle that the runtime accepts on every thread in its context, which every call makes current.
unsafe impl Send for RawGraph {}
// SAFETY: as above; its owner runs it from one thread at a time.
unsafe impl Sync for RawGraph {}

impl RawGraph {
    pub(crate) fn as_raw(&self) -> aclmdlRI {
        self.0
    }
}

impl Bound<'_> {
    /// Begins to store the work of a stream instead of running it. Other streams and threads are not restricted.
    pub(crate) fn begin_capture(&self, stream: &RawStream) -> Result<()> {
        // SAFETY: a live stream.
        unsafe { call_in!(self, aclmdlRICaptureBegin(stream.as_raw(), ACL_MODEL_RI_CAPTURE_MODE_RELAXED)) }
    }

    /// Ends the capture of a stream.
    pub(crate) fn end_capture(&self, stream: &RawStream) -> Result<RawGraph> {
        let mut graph = ptr::null_mut();
        // SAFETY: a live stream and a valid place.
        unsafe { call_in!(self, aclmdlRICaptureEnd(stream.as_raw(), &mut graph)) }?;
        Ok(RawGraph(graph))
    }

    /// Queues the work of a graph on a stream.
    ///
    /// # Safety
    /// All memory that the work uses lives until the stream has done it, and is used by nothing else meanwhile.
    pub(crate) unsafe fn replay(&self, graph: &RawGraph, stream: &RawStream) -> Result<()> {
        // SAFETY: both are live; the caller vouches for the memory.
        unsafe { call_in!(self, aclmdlRIExecuteAsync(graph.0, stream.as_raw())) }
    }

    /// Waits for the last run of a graph and destroys it.
    pub(crate) fn destroy_graph(&self, graph: RawGraph) -> Result<()> {
        // SAFETY: a live graph, which is consumed here.
        unsafe { release_in!(self, aclmdlRIDestroy(graph.0)) }
    }
}

//! Graphs: calls that are captured once and replayed at the cost of one.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use aclnn_sys::aclmdlRI;

use crate::acl::RawGraph;
use crate::call::{Gates, Kept, captured};
use crate::error::{Error, Result};
use crate::stream::Stream;

/// Calls that were captured on a stream, to be run again as one piece of work.
///
/// [`Stream::capture`] makes a graph. It holds the calls with their tensors: each [replay](Graph::replay) reads and writes the
/// same memory. To run it on other values, write them into the captured operands first. Nothing is planned, checked or
/// allocated by a replay, so that a model of many small operators costs the host little more than one call.
///
/// ```
/// use aclnn::{DType, Device, Stream, Tensor, ops};
///
/// let stream = Stream::new(&Device::open(0)?)?;
/// let mut x = Tensor::from_slice(&stream, &[1.0_f32, 2.0], [2])?;
/// let (graph, y) = stream.capture(|| ops::add(&x.mul(&x)?, 1).run())?;
/// graph.replay()?;
/// assert_eq!(y.to_vec::<f32>()?, [2.0, 5.0]);
/// x.copy_from(&Tensor::from_slice(&stream, &[3.0_f32, 4.0], [2])?)?;
/// graph.replay()?;
/// assert_eq!(y.to_vec::<f32>()?, [10.0, 17.0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
///
/// The memory of every tensor that a captured call uses lives as long as the graph, also that of tensors that were dropped
/// since; [`Tensor::close`](crate::Tensor::close) finds it in use. Dropping the graph waits for its last replay, for ten seconds
/// at most. Random numbers are captured with their seeds: each replay draws the
/// same.
#[doc(alias = "aclmdlRI")]
pub struct Graph {
    stream: Stream,
    /// `None` when the graph has ended. Locked while a replay is queued.
    raw: Mutex<Option<RawGraph>>,
    kept: Kept,
}

impl Stream {
    /// Captures the calls that `body` makes on this stream, instead of running them. Returns the graph, and what `body`
    /// returns.
    ///
    /// Tensors that the captured calls write, also those that `body` returns, have no defined elements before the first
    /// [replay](Graph::replay). Work that was queued on the stream before is waited for.
    ///
    /// Operators on tensors are captured, and what is built of them, and so are collectives: each rank captures the same ones in
    /// the same order, and replays its graph as often as the others. These are refused on the stream until `body` has
    /// returned: reading elements and waiting; copies to and from the host; events, and work that other streams take part in;
    /// and operators that another thread calls. The elements of a new tensor, as of
    /// [`Tensor::from_slice`](crate::Tensor::from_slice), are copied at once, and not again by replays. Use a stream of its own,
    /// as other threads may use the default stream.
    ///
    /// # Errors
    /// What `body` returned; [`Error::Capture`] if a graph is being captured from the stream; [`Error::MissingSymbol`] with CANN
    /// before 8.1.RC1; or what the library returned. No graph is left then.
    #[doc(alias = "aclmdlRICaptureBegin")]
    #[doc(alias = "aclmdlRICaptureEnd")]
    pub fn capture<T>(&self, body: impl FnOnce() -> Result<T>) -> Result<(Graph, T)> {
        let capture = Capture::begin(self)?;
        // Where this fails or panics, the capture ends and its graph is dropped.
        let value = body()?;
        Ok((capture.end()?, value))
    }
}

/// A capture that has begun.
struct Capture<'a> {
    stream: &'a Stream,
    has_ended: bool,
}

impl<'a> Capture<'a> {
    #[inline]
    fn begin(stream: &'a Stream) -> Result<Self> {
        let core = stream.core();
        core.begin_capture(&stream.device().bind()?)?;
        captured::begin(core);
        Ok(Capture { stream, has_ended: false })
    }

    /// Ends the capture. What was kept is dropped only after the graph.
    #[inline]
    fn stop(&mut self) -> (Result<RawGraph>, Kept) {
        self.has_ended = true;
        let core = self.stream.core();
        let raw = self.stream.device().bind_to_drop().and_then(|bound| core.end_capture(&bound));
        (raw, captured::take(core))
    }

    #[inline]
    fn end(mut self) -> Result<Graph> {
        let (raw, kept) = self.stop();
        Ok(Graph { stream: self.stream.clone(), raw: Mutex::new(Some(raw?)), kept })
    }
}

impl Drop for Capture<'_> {
    #[inline]
    fn drop(&mut self) {
        if !self.has_ended {
            let (raw, kept) = self.stop();
            // The failure that led here is the one to report.
            if let Ok(raw) = raw {
                drop(Graph { stream: self.stream.clone(), raw: Mutex::new(Some(raw)), kept });
            }
        }
    }
}

impl Graph {
    /// Returns the stream that the graph was captured on, and runs on.
    #[inline]
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// Queues all captured calls on the stream, in their order, and returns. They see what earlier work has written to their
    /// operands, on any stream, and later work on any stream sees their results.
    ///
    /// # Errors
    /// [`Error::StreamFailed`] if the stream, or one that wrote an operand, is known to have failed; [`Error::Capture`] while a
    /// graph is captured from the stream; [`Error::GroupFailed`] if the group of a captured collective is known to have failed;
    /// or what the library returned.
    #[doc(alias = "aclmdlRIExecuteAsync")]
    #[inline]
    pub fn replay(&self) -> Result<()> {
        let (core, device) = (self.stream.core(), self.stream.device());
        let bound = device.bind()?;
        core.check()?;
        core.must_not_be_captured("a replay")?;
        let raw = self.raw.lock().unwrap_or_else(PoisonError::into_inner);
        let graph = raw.as_ref().ok_or(Error::Internal { what: "a replay of a graph that has ended" })?;
        self.kept.needed.iter().try_for_each(|needed| needed.must_work(&bound))?;
        let buffers = self.kept.buffers.iter().map(|(buffer, writes)| (&**buffer, *writes)).collect();
        let gates = Gates::of(&self.stream, &bound, buffers)?;
        // SAFETY: the graph keeps the memory of all calls, and returns it in the order of the stream; the gates put the work in
        // order with all other work on it.
        let replayed = core.with_free("a replay", |raw| unsafe { bound.replay(graph, raw) });
        drop(gates);
        // Even if the library refused: it may have queued a part.
        let all = self.kept.needed.iter();
        let noted = all.map(|needed| needed.replayed(&bound, core, &replayed)).fold(Ok(()), Result::and);
        noted.and(replayed)?;
        if device.backend().is_synchronous() { core.synchronize(&bound) } else { Ok(()) }
    }

    /// Returns the raw graph, for calling the runtime directly. It lives as long as this value, or is null.
    #[inline]
    pub fn as_raw(&self) -> aclmdlRI {
        let raw = self.raw.lock().unwrap_or_else(PoisonError::into_inner);
        raw.as_ref().map_or(std::ptr::null_mut(), RawGraph::as_raw)
    }
}

impl Drop for Graph {
    #[inline]
    fn drop(&mut self) {
        let raw = self.raw.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        // If the context cannot be made current, for example while a thread ends, the graph stays until its device ends.
        if let (Some(raw), Ok(bound)) = (raw, self.stream.device().bind_to_drop()) {
            let ended = bound.destroy_graph(raw);
            self.stream.device().defer("a graph", ended);
        }
    }
}

impl fmt::Debug for Graph {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Graph").field("stream", &self.stream).finish_non_exhaustive()
    }
}

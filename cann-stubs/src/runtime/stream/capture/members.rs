//! The streams from which graphs are captured.

use std::sync::{Arc, PoisonError};

use aclnn_sys::{ACL_STREAM_CPU_SCHEDULE, ACL_STREAM_DEVICE_USE_ONLY, ACL_STREAM_PERSISTENT};

use super::graph::{self, Draft, Graph, InGraph, Work};
use crate::check::tracker;
use crate::runtime::code;
use crate::runtime::stream::queue::{GraphUse, Stream};
use crate::runtime::stream::{context, drain};
use crate::small_map::SmallMap;
use crate::status::{Result, Status};
use crate::sync::{Mutex, MutexGuard, number_of_thread, statics};

/// Streams made with one of these are not captured.
const NOT_CAPTURED: u32 = ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_PERSISTENT | ACL_STREAM_DEVICE_USE_ONLY;

statics! {
    /// The graphs that are being captured, by the numbers of their streams.
    static MEMBERS: Mutex<SmallMap<i32, Arc<Graph>>> = Mutex::new(SmallMap::new());
}

fn members() -> MutexGuard<'static, SmallMap<i32, Arc<Graph>>> {
    MEMBERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the graph that a stream is captured into, if it is captured.
pub(super) fn graph_of(stream: &Stream) -> Option<Arc<Graph>> {
    if !stream.is_captured() {
        return None;
    }
    members().get(&stream.id()).cloned()
}

/// Returns the number of the graph that a stream is captured into, if it is captured.
pub(crate) fn number(stream: &Stream) -> Option<u32> {
    graph_of(stream).map(|graph| graph.number)
}

/// Returns the graph that a stream is captured into, which has to be captured.
pub(super) fn must_have_graph(stream: &Stream) -> Result<Arc<Graph>> {
    let none = || Status::new(code::STREAM_NOT_CAPTURED, "no graph is captured from the stream");
    graph_of(stream).ok_or_else(none)
}

/// Returns whether a graph is captured for which `is_wanted`, of those of a context.
pub(super) fn any(context: u64, is_wanted: impl Fn(&Graph) -> bool) -> bool {
    members().iter().any(|(_, graph)| graph.context == context && is_wanted(graph))
}

/// Returns whether a graph is captured from a stream of a context.
pub(crate) fn any_in(context: u64) -> bool {
    any(context, |_| true)
}

fn join(stream: &Stream, graph: &Arc<Graph>) {
    members().insert(stream.id(), Arc::clone(graph));
    stream.set_use_by_graph(GraphUse::Captured);
}

/// Begins a capture.
pub(super) fn begin(stream: &Arc<Stream>, mode: u32) -> Result {
    if stream.flags & NOT_CAPTURED != 0 {
        let message = "the flags of the stream exclude it from captures";
        return Err(Status::new(code::RT_INTERNAL_ERROR, message));
    }
    if stream.is_used_by_graph() {
        return Err(Status::new(code::STREAM_CAPTURED, "a graph is captured from the stream already"));
    }
    stream.must_accept()?;
    let mut members = members();
    // Another thread may have begun meanwhile.
    if members.get(&stream.id()).is_some() {
        return Err(Status::new(code::STREAM_CAPTURED, "a graph is captured from the stream already"));
    }
    members.insert(stream.id(), Graph::begin(stream, mode, number_of_thread()));
    stream.set_use_by_graph(GraphUse::Captured);
    Ok(())
}

/// Takes the streams out of a graph.
fn release(draft: &Draft) {
    let mut members = members();
    for stream in &draft.members {
        members.remove(&stream.id());
        stream.set_use_by_graph(GraphUse::None);
    }
}

/// Ends a capture. Returns the handle of the graph; where it fails, but for one from a wrong stream, the graph is dropped.
pub(super) fn end(stream: &Stream) -> Result<usize> {
    const RELAXED: u32 = aclnn_sys::ACL_MODEL_RI_CAPTURE_MODE_RELAXED.0;
    let graph = must_have_graph(stream)?;
    if graph.origin != stream.id() {
        let message = "the stream joined the capture by an event; the stream that it began on ends it";
        return Err(Status::new(code::STREAM_CAPTURE_UNMATCHED, message));
    }
    let Some(draft) = graph.take_draft() else {
        return Err(Status::new(code::STREAM_NOT_CAPTURED, "another thread has ended the capture"));
    };
    release(&draft);
    let outcome = if graph.mode != RELAXED && graph.thread != number_of_thread() {
        let message =
            "another thread began the capture, and its mode is not ACL_MODEL_RI_CAPTURE_MODE_RELAXED";
        Err(Status::new(code::STREAM_CAPTURE_WRONG_THREAD, message))
    } else if let Some(why) = &draft.failure {
        let message = format!("work is missing in the graph: {}", why.message);
        Err(Status::new(code::STREAM_CAPTURE_INVALIDATED, message))
    } else if !draft.groups.is_empty() {
        Err(Status::new(code::STREAM_TASK_GROUP_STATUS, "a group of tasks is still open"))
    } else {
        draft.must_be_joined().and_then(|()| graph.finish(draft))
    };
    match &outcome {
        Ok(()) => look_back(stream)?,
        Err(_) => graph::forget(&graph),
    }
    outcome.map(|()| graph.handle())
}

/// Takes the work that was submitted to a stream before a capture for done, where it is. PyTorch's plugin replays a graph on
/// another stream than it was captured on, with nothing between the two that would order them.
fn look_back(stream: &Stream) -> Result {
    let done = tracker::so_far(stream.id());
    drain::look(stream, stream.end())?;
    if stream.is_done() {
        tracker::host_saw(&done);
    }
    Ok(())
}

/// Does `submission` to a stream, or stores it in the graph that the stream is captured into.
pub(crate) fn submit(
    stream: &Stream,
    function: &'static str,
    submission: impl Fn(&Stream) -> Result + Send + Sync + 'static,
) -> Result {
    let Some(graph) = graph_of(stream) else { return submission(stream) };
    let stream = shared(stream)?;
    graph.change(|draft| {
        let number = draft.number(&stream);
        if draft.groups.iter().any(|(group, _)| *group == number) {
            let message = "a group of tasks takes operators alone";
            return Err(Status::new(code::TASK_TYPE_NOT_SUPPORT, message));
        }
        draft.add(&stream, Work::Again(function, Box::new(submission)));
        Ok(())
    })
}

/// Records a mark in the graph that a stream is captured into.
pub(crate) fn record(stream: &Stream) -> Result<InGraph> {
    let graph = must_have_graph(stream)?;
    let stream = shared(stream)?;
    let record = graph.change(|draft| {
        draft.awaited.push(false);
        let record = draft.awaited.len() - 1;
        draft.add(&stream, Work::Record(record));
        Ok(record)
    })?;
    Ok(InGraph { graph: Arc::downgrade(&graph), record })
}

/// Lets a stream wait for a mark of a graph that is being captured, which it joins.
pub(crate) fn wait(stream: &Stream, place: &InGraph) -> Result {
    let stream = shared(stream)?;
    if context::is_default_stream(&stream) {
        let message =
            "the event belongs to a graph that is being captured, which the default stream cannot join";
        return Err(Status::new(code::STREAM_CAPTURE_IMPLICIT, message));
    }
    let over = || Status::new(code::STREAM_NOT_CAPTURED, "the capture has ended");
    let graph = place.graph.upgrade().ok_or_else(over)?;
    let is_member = match graph_of(&stream) {
        Some(own) if !Arc::ptr_eq(&own, &graph) => {
            let why = Status::new(
                code::STREAM_CAPTURE_CONFLICT,
                "the event belongs to another graph than the one that the stream is captured into",
            );
            own.invalidate(&why);
            return Err(why);
        }
        Some(_) => true,
        None if stream.flags & NOT_CAPTURED != 0 => {
            let message = "the flags of the stream exclude it from captures";
            return Err(Status::new(code::RT_INTERNAL_ERROR, message));
        }
        None => false,
    };
    graph.change(|draft| {
        // While the capture cannot end.
        if !is_member {
            join(&stream, &graph);
        }
        if let Some(awaited) = draft.awaited.get_mut(place.record) {
            *awaited = true;
        }
        draft.add(&stream, Work::Wait(place.record));
        Ok(())
    })
}

/// The stream as a graph keeps it.
pub(super) fn shared(stream: &Stream) -> Result<Arc<Stream>> {
    let gone = || Status::new(code::PARAM_INVALID, "the stream was destroyed");
    stream.weak().upgrade().ok_or_else(gone)
}

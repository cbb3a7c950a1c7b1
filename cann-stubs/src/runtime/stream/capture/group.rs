//! Groups of tasks of a graph, whose operators later launches replace.

use std::collections::VecDeque;
use std::sync::{Arc, PoisonError};

use super::graph::{self, Work};
use super::members::{must_have_graph, shared};
use super::replaceable::{GROUPS, Group, OperatorTask, Replaceable};
use crate::runtime::code;
use crate::runtime::stream::queue::{GraphUse, Stream};
use crate::small_map::SmallMap;
use crate::status::{Result, Status};
use crate::sync::{Mutex, MutexGuard, statics};
use crate::trace::Details;

/// The replacement of a group by the launches on a stream.
struct Update {
    group: Arc<Group>,
    left: VecDeque<Arc<Replaceable>>,
}

statics! {
    /// The replacements that have begun, by the numbers of their streams.
    static UPDATES: Mutex<SmallMap<i32, Update>> = Mutex::new(SmallMap::new());
}

fn updates() -> MutexGuard<'static, SmallMap<i32, Update>> {
    UPDATES.lock().unwrap_or_else(PoisonError::into_inner)
}

fn misplaced(message: impl Into<String>) -> Status {
    Status::new(code::STREAM_TASK_GROUP_STATUS, message.into())
}

/// Opens a group on a captured stream.
pub(super) fn begin(stream: &Stream) -> Result {
    let graph = must_have_graph(stream)?;
    let stream = shared(stream)?;
    graph.change(|draft| {
        let number = draft.number(&stream);
        if draft.groups.iter().any(|(open, _)| *open == number) {
            return Err(misplaced("a group of tasks is open on the stream already"));
        }
        draft.groups.push((number, Vec::new()));
        Ok(())
    })
}

/// Closes the group of a captured stream, and returns its handle.
pub(super) fn end(stream: &Stream) -> Result<usize> {
    let graph = must_have_graph(stream)?;
    let stream = shared(stream)?;
    if graph.is_invalid() {
        let message = "work is missing in the graph that the stream is captured into";
        return Err(Status::new(code::STREAM_CAPTURE_INVALIDATED, message));
    }
    graph.change(|draft| {
        let number = draft.number(&stream);
        let open = draft.groups.iter().position(|(open, _)| *open == number);
        let open = open.ok_or_else(|| misplaced("no group of tasks is open on the stream"))?;
        let (_, operators) = draft.groups.remove(open);
        Ok(draft.closed.add(operators))
    })
}

/// Lets the operators that are launched on a stream from now on replace those of a group, in order.
pub(super) fn begin_update(stream: &Stream, handle: usize) -> Result {
    stream.must_not_be_captured()?;
    let group = GROUPS.get(handle).map_err(|why| why.status(code::PARAM_INVALID, "handle"))?;
    if stream.is_updating() {
        return Err(misplaced("the stream replaces a group of tasks already"));
    }
    let mut is_in_use = group.is_in_use.lock().unwrap_or_else(PoisonError::into_inner);
    if std::mem::replace(&mut *is_in_use, true) {
        return Err(misplaced("another stream replaces the group of tasks now"));
    }
    drop(is_in_use);
    let left = group.operators.iter().cloned().collect();
    updates().insert(stream.id(), Update { group, left });
    stream.set_use_by_graph(GraphUse::Updating);
    Ok(())
}

/// Ends the replacement by the launches on a stream.
pub(super) fn end_update(stream: &Stream) -> Result {
    let none = || misplaced("the stream replaces no group of tasks");
    let update = if stream.is_updating() { updates().remove(&stream.id()) } else { None };
    let Update { group, left } = update.ok_or_else(none)?;
    stream.set_use_by_graph(GraphUse::None);
    *group.is_in_use.lock().unwrap_or_else(PoisonError::into_inner) = false;
    if left.is_empty() {
        return Ok(());
    }
    let message = format!("{} of {} tasks of the group were not replaced", left.len(), group.operators.len());
    Err(Status::new(code::RT_INTERNAL_ERROR, message))
}

/// Takes an operator that is launched on a stream which a graph uses: stores it, or lets it replace a task.
pub(crate) fn launch(stream: &Stream, task: Arc<dyn OperatorTask>) -> Result {
    if stream.is_updating() {
        return replace(stream, task);
    }
    let graph = must_have_graph(stream)?;
    let stream = shared(stream)?;
    graph.change(|draft| {
        let number = draft.number(&stream);
        let open = draft.groups.iter_mut().find(|(open, _)| *open == number);
        let work = match open {
            Some((_, operators)) => {
                let operator = Replaceable::new(task);
                operators.push(Arc::clone(&operator));
                Work::Operator(operator)
            }
            None => graph::again(task),
        };
        draft.add(&stream, work);
        Ok(())
    })
}

/// Replaces the next task of the group, when the stream gets there.
fn replace(stream: &Stream, task: Arc<dyn OperatorTask>) -> Result {
    let more = || misplaced("more operators are launched than the group of tasks has");
    let operator =
        updates().get_mut(&stream.id()).and_then(|update| update.left.pop_front()).ok_or_else(more)?;
    let put = move || {
        operator.replace(task);
        Ok(())
    };
    stream.submit("aclmdlRICaptureTaskUpdateBegin", Details::default, Box::new(put))
}

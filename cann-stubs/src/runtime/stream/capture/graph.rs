//! [`Graph`]: work that was submitted to streams, in its order, to be submitted again.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, Weak};

use super::replaceable::{Groups, OperatorTask, Replaceable};
use crate::check::live_objects::Live;
use crate::handle::{Kind, Registry};
use crate::runtime::code;
use crate::runtime::stream::progress::Patience;
use crate::runtime::stream::queue::Stream;
use crate::runtime::stream::recording::Recording;
use crate::runtime::stream::registry;
use crate::status::{Result, Status};
use crate::sync::{Mutex, MutexGuard};
use crate::trace::Details;

/// How long the end of a graph waits for its last replay.
const PATIENCE_OF_END: i32 = 10_000;

static GRAPHS: Registry<Graph> = Registry::new(Kind::Graph);

/// A submission of a program to a stream, to be made again.
pub(super) type Submission = Box<dyn Fn(&Stream) -> Result + Send + Sync>;

/// A task of a graph.
pub(super) enum Work {
    /// The function that submitted it, and what it does.
    Again(&'static str, Submission),
    Operator(Arc<Replaceable>),
    /// Records the mark of a number.
    Record(usize),
    /// Waits for the mark of a number.
    Wait(usize),
}

impl Work {
    /// The C name of what it does.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Work::Again(function, _) => function,
            Work::Operator(operator) => operator.current().name(),
            Work::Record(_) => "aclrtRecordEvent",
            Work::Wait(_) => "aclrtStreamWaitEvent",
        }
    }
}

/// A task, and the number of the stream that has it.
pub(super) struct Task {
    pub(super) stream: usize,
    pub(super) work: Work,
}

/// The tasks and streams that have been captured so far.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) tasks: Vec<Task>,
    /// The streams, that of the beginning first.
    pub(super) members: Vec<Arc<Stream>>,
    /// Whether a stream waits for the record of each number.
    pub(super) awaited: Vec<bool>,
    /// Why the graph cannot be ended well.
    pub(super) failure: Option<Status>,
    /// The open groups of tasks: the number of the stream, and the tasks so far.
    pub(super) groups: Vec<(usize, Vec<Arc<Replaceable>>)>,
    /// The groups that were closed.
    pub(super) closed: Groups,
}

impl Draft {
    /// The number of a stream, which takes part from now on.
    pub(super) fn number(&mut self, stream: &Arc<Stream>) -> usize {
        self.members.iter().position(|member| member.id() == stream.id()).unwrap_or_else(|| {
            self.members.push(Arc::clone(stream));
            self.members.len() - 1
        })
    }

    /// Stores a task of a stream.
    pub(super) fn add(&mut self, stream: &Arc<Stream>, work: Work) {
        let stream = self.number(stream);
        self.tasks.push(Task { stream, work });
    }

    /// Refuses a graph of which work is left on a side stream that nobody waits for.
    pub(super) fn must_be_joined(&self) -> Result {
        for number in 1..self.members.len() {
            let last = self.tasks.iter().rev().find(|task| task.stream == number).map(|task| &task.work);
            let is_joined =
                matches!(last, Some(Work::Record(record)) if self.awaited.get(*record) == Some(&true));
            if !is_joined {
                let why = "a stream that joined the capture by an event has work that no stream waits for";
                let hint = "record an event there last, and let the stream of the capture wait for it";
                return Err(Status::new(code::STREAM_UNJOINED, why).with_hint(hint));
            }
        }
        Ok(())
    }
}

/// A graph that can be replayed.
struct Ready {
    tasks: Vec<Task>,
    records: usize,
    /// The streams of the graph beside the one that it is replayed on, with their handles.
    side: Vec<(usize, Arc<Stream>)>,
    /// The groups of tasks, which end with the graph.
    _groups: Groups,
}

impl Drop for Ready {
    fn drop(&mut self) {
        for (handle, _) in &self.side {
            // Gone already where its context was destroyed.
            let _ = registry::destroy(*handle);
        }
    }
}

/// Work of streams that is stored, and then replayed.
pub(crate) struct Graph {
    pub(super) number: u32,
    device: i32,
    /// The number of the context of its streams.
    pub(super) context: u64,
    pub(super) mode: u32,
    /// The thread that began the capture.
    pub(super) thread: u64,
    /// The stream that the capture began on.
    pub(super) origin: i32,
    handle: OnceLock<usize>,
    /// `None` when the capture has ended.
    draft: Mutex<Option<Draft>>,
    ready: OnceLock<Arc<Ready>>,
    /// The end of the last replay. Locked while a replay is submitted.
    last: Mutex<Option<Recording>>,
}

impl Graph {
    /// Makes a graph that is captured from a stream.
    pub(super) fn begin(origin: &Arc<Stream>, mode: u32, thread: u64) -> Arc<Graph> {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let graph = Arc::new(Graph {
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            device: origin.device,
            context: origin.context,
            mode,
            thread,
            origin: origin.id(),
            handle: OnceLock::new(),
            draft: Mutex::new(Some(Draft { members: vec![Arc::clone(origin)], ..Draft::default() })),
            ready: OnceLock::new(),
            last: Mutex::default(),
        });
        let handle = GRAPHS.insert_shared(Arc::clone(&graph));
        let _ = graph.handle.set(handle);
        graph
    }

    pub(super) fn handle(&self) -> usize {
        self.handle.get().copied().unwrap_or_default()
    }

    fn draft(&self) -> MutexGuard<'_, Option<Draft>> {
        self.draft.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether it is still being captured.
    pub(super) fn is_capturing(&self) -> bool {
        self.draft().is_some()
    }

    /// Returns whether work is missing that should have been captured.
    pub(super) fn is_invalid(&self) -> bool {
        self.draft().as_ref().is_some_and(|draft| draft.failure.is_some())
    }

    /// Notes that work is missing, for the first reason.
    pub(super) fn invalidate(&self, why: &Status) {
        if let Some(draft) = &mut *self.draft() {
            draft.failure.get_or_insert_with(|| why.clone());
        }
    }

    /// Runs `change` on what has been captured so far.
    pub(super) fn change<R>(&self, change: impl FnOnce(&mut Draft) -> Result<R>) -> Result<R> {
        let over = || Status::new(code::STREAM_NOT_CAPTURED, "the capture has ended");
        change(self.draft().as_mut().ok_or_else(over)?)
    }

    /// Ends the capture and gives back what was captured.
    pub(super) fn take_draft(&self) -> Option<Draft> {
        self.draft().take()
    }

    /// Makes the graph one that can be replayed.
    pub(super) fn finish(&self, draft: Draft) -> Result {
        let records = draft.awaited.len();
        // Its streams end with it where one of them cannot be made.
        let mut ready = Ready { tasks: draft.tasks, records, side: Vec::new(), _groups: draft.closed };
        for member in draft.members.iter().skip(1) {
            ready.side.push(registry::create_inner(self.device, self.context, member.priority)?);
        }
        let _ = self.ready.set(Arc::new(ready));
        Ok(())
    }

    fn must_be_ready(&self) -> Result<&Arc<Ready>> {
        if self.is_capturing() {
            return Err(Status::new(code::MODEL_CAPTURED, "the graph is still being captured"));
        }
        self.ready.get().ok_or_else(|| Status::new(code::MODEL_EXECUTE, "the capture of the graph failed"))
    }

    /// The tasks of a graph that can be replayed.
    pub(super) fn with_tasks<R>(&self, look: impl FnOnce(&[Task]) -> R) -> Result<R> {
        self.must_be_ready().map(|ready| look(&ready.tasks))
    }

    /// Queues all work of the graph on `target` and the streams of the graph, after the replay before.
    pub(super) fn replay(&self, target: &Stream) -> Result {
        const FUNCTION: &str = "aclmdlRIExecuteAsync";
        if target.is_captured() {
            let message = "the stream is being captured; a graph is replayed on another one";
            return Err(Status::new(code::STREAM_CAPTURED, message));
        }
        let ready = Arc::clone(self.must_be_ready()?);
        if target.device != self.device {
            let message =
                format!("the graph is of device {}, and the stream of device {}", self.device, target.device);
            return Err(Status::new(code::PARAM_INVALID, message));
        }
        target.must_accept()?;
        let waits = Arc::new(AtomicUsize::new(0));
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = &*last {
            last.orders(target);
            last.hold(target, &waits)?;
        }
        let mut marks: Vec<Option<Recording>> = vec![None; ready.records];
        let submit = |task: &Task, marks: &mut Vec<Option<Recording>>| {
            let side = task.stream.checked_sub(1).and_then(|number| ready.side.get(number));
            let stream = side.map_or(target, |(_, stream)| stream);
            match &task.work {
                Work::Again(_, submit) => submit(stream),
                Work::Operator(operator) => operator.current().submit(stream, Some(Arc::clone(operator))),
                Work::Record(number) => {
                    let mark = Recording::mark(stream)?;
                    if let Some(place) = marks.get_mut(*number) {
                        *place = Some(mark);
                    }
                    Ok(())
                }
                Work::Wait(number) => match marks.get(*number) {
                    Some(Some(mark)) => {
                        mark.orders(stream);
                        mark.hold(stream, &waits)
                    }
                    _ => Ok(()),
                },
            }
        };
        let mut outcome = Ok(());
        for (number, task) in ready.tasks.iter().enumerate() {
            outcome = submit(task, &mut marks).map_err(|status| {
                let (count, name) = (ready.tasks.len(), task.work.name());
                let message = format!("task {number} of {count}, {name}: {}", status.message);
                // The codes of operators and collectives are none of the runtime.
                status.with_code(code::MODEL_EXECUTE).with_message(message)
            });
            if outcome.is_err() {
                break;
            }
        }
        // A program waits for the stream of the replay alone.
        for (_, side) in &ready.side {
            let side = Arc::clone(side);
            let report = move || side.take_failure().map_or(Ok(()), Err);
            outcome = outcome.and(target.submit(FUNCTION, Details::default, Box::new(report)));
        }
        *last = Some(Recording::mark(target)?);
        outcome
    }

    /// Waits until the last replay is done.
    fn settle(&self) -> Result {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let running = || {
            let message = format!("a replay still runs after {PATIENCE_OF_END} ms");
            Err(Status::new(code::MODEL_RUNNING, message))
        };
        match last.map(|last| last.reach(Patience::of_milliseconds(PATIENCE_OF_END)?)) {
            Some(Ok(false)) => running(),
            // Its stream was aborted or destroyed, and the replay with it.
            Some(Err(_)) | Some(Ok(true)) | None => Ok(()),
        }
    }
}

/// The graph behind a handle that must not be null.
pub(super) fn find(handle: usize) -> Result<Arc<Graph>> {
    if handle == 0 {
        return Err(Status::new(code::INVALID_PARAM, "modelRI is null"));
    }
    GRAPHS.get(handle).map_err(|why| why.status(code::PARAM_INVALID, "modelRI"))
}

/// Ends a graph, once its last replay is done. A handle that names none is passed over, as CANN does.
pub(super) fn destroy(handle: usize) -> Result {
    let Ok(graph) = GRAPHS.get(handle) else { return Ok(()) };
    if graph.is_capturing() {
        return Err(Status::new(code::MODEL_CAPTURED, "the graph is still being captured"));
    }
    graph.settle()?;
    forget(&graph);
    Ok(())
}

/// Ends the handle of a graph.
pub(super) fn forget(graph: &Graph) {
    // Gone already where another thread ends it.
    let _ = GRAPHS.remove(graph.handle());
}

/// Adds the graphs that were not destroyed.
pub(crate) fn live(all: &mut Vec<Live>) {
    all.extend(GRAPHS.live().into_iter().map(|(handle, _)| Live::new("graph", handle)));
}

/// Drops every graph; for the end of the runtime.
pub(crate) fn forget_all() {
    for (_, graph) in GRAPHS.live() {
        drop(graph.take_draft());
        forget(&graph);
    }
}

/// The place of a record in a graph.
#[derive(Clone)]
pub(crate) struct InGraph {
    pub(super) graph: Weak<Graph>,
    pub(super) record: usize,
}

impl std::fmt::Debug for InGraph {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("InGraph").field("record", &self.record).finish_non_exhaustive()
    }
}

impl InGraph {
    /// Returns whether the graph is still being captured.
    pub(crate) fn is_capturing(&self) -> bool {
        self.graph.upgrade().is_some_and(|graph| graph.is_capturing())
    }
}

/// Stores an operator as a task that is submitted at each replay.
pub(super) fn again(task: Arc<dyn OperatorTask>) -> Work {
    Work::Again(task.name(), Box::new(move |stream| task.submit(stream, None)))
}

//! [`Stream`]: a queue of tasks that run in order when a thread waits for it or queries it.

use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicI32, AtomicU8, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use crate::check::tracker::Tally;
use crate::runtime::code;
use crate::runtime::stream::callback_delivery::{self, Delivery, Report};
use crate::runtime::stream::progress::{self, Patience};
use crate::runtime::stream::record::{PendingRecord, Record};
use crate::runtime::stream::stored_settings::StoredSettings;
use crate::runtime::stream::work::{Launch, Single, Step, Stepping};
use crate::status::{Result, Status};
use crate::sync::thread::ThreadId;
use crate::sync::{AtomicBool, BiasedMutex, BriefMutexGuard, id_of_thread};

/// How many brief tasks run before other threads get at the queue.
const BRIEF: u32 = 8;

/// A task of a stream. It fits two registers, in which it comes and goes.
pub(crate) enum Task {
    Launch(Box<Launch>),
    Once(Box<Single>),
    /// A function of the program, which may wait for what other streams do.
    Function(Box<Single>),
    Record(Box<PendingRecord>),
    Wait(Box<PendingWait>),
    Report(Arc<Report>),
    Condition(Box<Box<dyn Condition>>),
    Steps(Box<Stepping>),
}

/// Something that a stream waits for and that is no record, such as a value in memory.
pub(crate) trait Condition: Send {
    /// Returns `None` while the stream has to wait. It is not called again after it returned an outcome.
    fn pass(&self) -> Option<Result>;
}

/// What a graph does with the work that is submitted to a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum GraphUse {
    /// Nothing: the stream runs it.
    None,
    /// A graph stores it.
    Captured,
    /// It replaces tasks of a graph.
    Updating,
}

/// A queue of work in order on a device.
pub(crate) struct Stream {
    me: Weak<Stream>,
    id: i32,
    pub(crate) device: i32,
    /// Number of the context that it belongs to.
    pub(crate) context: u64,
    pub(crate) flags: u32,
    pub(crate) priority: u32,
    /// `ACL_CONTINUE_ON_FAILURE` or `ACL_STOP_ON_FAILURE`.
    failure_mode: AtomicU32,
    /// The tasks that the checks have counted.
    tally: Arc<Tally>,
    /// The settings that the program stored for the stream.
    pub(crate) settings: StoredSettings,
    /// Whether a worker has the stream, or is about to.
    handed_over: AtomicBool,
    /// Whether its handle is gone.
    ended: AtomicBool,
    /// Whether a graph takes its work, or its work replaces tasks of a graph.
    use_by_graph: AtomicU8,
    /// Whether the queue may hold a failure. Set with the queue locked, before the failed task counts as completed.
    failed: AtomicBool,
    queue: BiasedMutex<Queue>,
}

#[derive(Default)]
struct Queue {
    tasks: VecDeque<Task>,
    /// Tasks ever queued; the position of a task is this number after it was queued.
    submitted: u64,
    /// Tasks that ran or were thrown away.
    completed: u64,
    /// Steps of tasks that are not done yet.
    steps: u64,
    /// How often what was left was thrown away.
    aborts: u64,
    /// Tasks thrown away after the one that runs now. They count when it is done: positions are reached in order.
    thrown: u64,
    /// The thread that runs a task now.
    runner: Option<ThreadId>,
    /// Whether another thread found the queue busy meanwhile, which may wait for the end of the turn.
    missed: bool,
    /// The first failure since the failure was last taken.
    failure: Option<Status>,
    closed: bool,
}

/// The queue of a stream while a task is added.
pub(crate) struct Submission<'a> {
    queue: BriefMutexGuard<'a, Queue>,
    is_captured: bool,
}

impl Submission<'_> {
    /// The position that the task gets.
    pub(crate) fn position(&self) -> u64 {
        self.queue.submitted + 1
    }

    /// Refuses a task that the stream does not take, before anything changes.
    #[inline]
    pub(crate) fn must_accept(&self) -> Result {
        callback_delivery::forbid("work is submitted")?;
        if self.is_captured {
            let message = "a graph is captured from the stream, and this work cannot be captured";
            return Err(Status::new(code::STREAM_CAPTURED, message));
        }
        if self.queue.closed {
            return Err(Status::new(code::PARAM_INVALID, "the stream was destroyed"));
        }
        Ok(())
    }

    /// Queues the task. Returns how many tasks wait now.
    #[inline]
    pub(super) fn push(mut self, task: Task) -> usize {
        self.queue.submitted += 1;
        self.queue.tasks.push_back(task);
        self.queue.tasks.len()
    }
}

/// A position in a stream, which is reached when the task there is done.
#[derive(Debug, Clone)]
pub(crate) struct Position {
    stream: Weak<Stream>,
    number: u64,
}

impl Position {
    /// The stream and the position that must be reached; `None` when the stream is gone, and all its tasks with it.
    pub(super) fn source(&self) -> Option<(Arc<Stream>, u64)> {
        Some((self.stream.upgrade()?, self.number))
    }
}

/// The task of a stream that waits for a record.
pub(crate) struct PendingWait {
    record: Arc<Record>,
    position: Position,
    /// How many such tasks of the event have not been passed yet.
    waits: Arc<AtomicUsize>,
}

impl PendingWait {
    pub(super) fn new(record: Arc<Record>, position: Position, waits: &Arc<AtomicUsize>) -> Self {
        waits.fetch_add(1, Ordering::Relaxed);
        PendingWait { record, position, waits: Arc::clone(waits) }
    }
}

impl Drop for PendingWait {
    fn drop(&mut self) {
        self.waits.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The purpose for which a thread runs a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// The thread waits for the stream.
    Wait,
    /// The thread waits for another stream, which may go on after something that this one does.
    Help,
}

/// Why a stream was not run any further.
pub(crate) enum Halt {
    /// The position asked for was reached.
    Reached,
    /// The next task waits for the record at this position, which was not reached yet.
    Record(Box<Position>),
    /// The next task waits for a callback on another thread.
    Report(Arc<Report>),
    /// The next task waits for a condition that any stream, or the host, may make true.
    Condition,
    /// The next task is a function of the program, which a thread that only helps does not run.
    Function,
    /// Another thread runs the stream.
    Busy,
    /// This thread runs the stream already: the call comes from inside one of its tasks.
    Inside,
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("id", &self.id).field("device", &self.device).finish_non_exhaustive()
    }
}

impl Stream {
    pub(super) fn new(device: i32, context: u64, priority: u32, flags: u32) -> Arc<Stream> {
        static NEXT: AtomicI32 = AtomicI32::new(0);
        Arc::new_cyclic(|me| Stream {
            me: me.clone(),
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            device,
            context,
            flags,
            priority,
            failure_mode: AtomicU32::new(aclnn_sys::ACL_CONTINUE_ON_FAILURE),
            tally: Arc::default(),
            settings: StoredSettings::default(),
            handed_over: AtomicBool::new(false),
            ended: AtomicBool::new(false),
            use_by_graph: AtomicU8::new(GraphUse::None as u8),
            failed: AtomicBool::new(false),
            queue: BiasedMutex::default(),
        })
    }

    pub(crate) fn id(&self) -> i32 {
        self.id
    }

    pub(crate) fn tally(&self) -> &Arc<Tally> {
        &self.tally
    }

    pub(crate) fn failure_mode(&self) -> u32 {
        self.failure_mode.load(Ordering::Relaxed)
    }

    pub(crate) fn set_failure_mode(&self, mode: u32) {
        self.failure_mode.store(mode, Ordering::Relaxed);
    }

    fn queue(&self) -> BriefMutexGuard<'_, Queue> {
        self.queue.lock()
    }

    /// Refuses work that this thread may not queue now.
    pub(crate) fn must_accept(&self) -> Result {
        self.submission().must_accept()
    }

    /// Begins to queue a task. Other threads do not get at the queue meanwhile.
    #[inline]
    pub(crate) fn submission(&self) -> Submission<'_> {
        Submission { queue: self.queue(), is_captured: self.is_captured() }
    }

    /// Whether a graph takes the work of the stream in some way.
    #[inline]
    pub(crate) fn is_used_by_graph(&self) -> bool {
        self.use_by_graph.load(Ordering::Acquire) != GraphUse::None as u8
    }

    /// Whether a graph is captured from the stream.
    #[inline]
    pub(crate) fn is_captured(&self) -> bool {
        self.use_by_graph.load(Ordering::Acquire) == GraphUse::Captured as u8
    }

    /// Whether the work of the stream replaces tasks of a graph.
    pub(super) fn is_updating(&self) -> bool {
        self.use_by_graph.load(Ordering::Acquire) == GraphUse::Updating as u8
    }

    pub(super) fn set_use_by_graph(&self, graph_use: GraphUse) {
        self.use_by_graph.store(graph_use as u8, Ordering::Release);
    }

    /// Refuses what waits for the stream or asks it while a graph is captured from it.
    pub(crate) fn must_not_be_captured(&self) -> Result {
        let message = "a graph is captured from the stream; end the capture first";
        if self.is_captured() { Err(Status::new(code::STREAM_CAPTURED, message)) } else { Ok(()) }
    }

    /// Notes that the handle is gone.
    pub(super) fn end_handle(&self) {
        self.ended.store(true, Ordering::Release);
    }

    /// Returns whether the handle still names the stream.
    pub(super) fn has_handle(&self) -> bool {
        !self.ended.load(Ordering::Acquire)
    }

    /// A position of the stream, for those that wait for it.
    pub(super) fn position(&self, number: u64) -> Position {
        Position { stream: self.weak(), number }
    }

    /// The stream as its tasks know it.
    pub(crate) fn weak(&self) -> Weak<Stream> {
        self.me.clone()
    }

    /// Claims the stream for a worker; false when one has it.
    pub(crate) fn hand_over(&self) -> bool {
        !self.handed_over.swap(true, Ordering::AcqRel)
    }

    /// Ends the claim of a worker.
    pub(crate) fn take_back(&self) {
        self.handed_over.store(false, Ordering::Release);
    }

    /// Position of the last task queued.
    pub(crate) fn end(&self) -> u64 {
        self.queue().submitted
    }

    /// A number that grows whenever the stream gets on.
    pub(crate) fn progress(&self) -> u64 {
        let queue = self.queue();
        queue.completed + queue.steps
    }

    pub(crate) fn has_reached(&self, position: u64) -> bool {
        self.queue().completed >= position
    }

    pub(crate) fn is_done(&self) -> bool {
        let queue = self.queue();
        queue.completed == queue.submitted
    }

    /// Takes the first failure since it was last taken.
    ///
    /// A thread that knows that a task is done knows of its failure too.
    pub(crate) fn take_failure(&self) -> Option<Status> {
        if !self.failed.load(Ordering::Acquire) {
            return None;
        }
        let mut queue = self.queue();
        self.failed.store(false, Ordering::Release);
        queue.failure.take()
    }

    /// Makes `status` the failure of the stream, unless there is one already.
    pub(crate) fn fail(&self, status: Status) {
        self.note_failure(&mut self.queue(), status);
    }

    fn note_failure(&self, queue: &mut Queue, status: Status) {
        queue.failure.get_or_insert(status);
        self.failed.store(true, Ordering::Release);
    }

    /// Runs tasks on this thread up to `position`, or until one has to wait. Never blocks.
    pub(crate) fn run(&self, position: u64) -> Halt {
        self.run_locked(self.queue(), position, Purpose::Wait)
    }

    /// Runs tasks as `run` does, up to the last one queued so far, on a thread that waits for another stream.
    pub(super) fn help(&self) -> Halt {
        let queue = self.queue();
        let end = queue.submitted;
        self.run_locked(queue, end, Purpose::Help)
    }

    /// Runs tasks as `run` does, up to the last one queued so far. Returns its position where it was not reached.
    #[inline]
    pub(super) fn run_all(&self) -> Option<u64> {
        let queue = self.queue();
        let end = queue.submitted;
        match self.run_locked(queue, end, Purpose::Wait) {
            Halt::Reached => None,
            _ => Some(end),
        }
    }

    fn run_locked<'a>(
        &'a self,
        mut queue: BriefMutexGuard<'a, Queue>,
        position: u64,
        purpose: Purpose,
    ) -> Halt {
        let me = id_of_thread();
        if queue.completed >= position {
            return Halt::Reached;
        }
        if let Some(runner) = queue.runner {
            queue.missed |= runner != me;
            return if runner == me { Halt::Inside } else { Halt::Busy };
        }
        // Whether waiting threads must be woken: one may wait for this turn to end, or for a callback.
        let mut changed = false;
        // The number of tasks that were run under the lock, which alone tell nobody but by the queue.
        let mut brief = 0_u32;
        let halt = loop {
            queue.completed += std::mem::take(&mut queue.thrown);
            if queue.completed >= position {
                break Halt::Reached;
            }
            let skip = queue.failure.is_some()
                && self.failure_mode.load(Ordering::Relaxed) == aclnn_sys::ACL_STOP_ON_FAILURE;
            // The outcome of a brief task, which is done sooner than the lock is released and taken again.
            let mut outcome = None;
            match queue.tasks.front() {
                Some(Task::Launch(launch)) if !skip => outcome = launch.run_brief(),
                Some(Task::Function(_)) if !skip && purpose == Purpose::Help => break Halt::Function,
                // Thrown away by another thread while a task ran.
                None => break Halt::Reached,
                Some(Task::Wait(wait)) if !wait.record.is_over() => {
                    break Halt::Record(Box::new(wait.position.clone()));
                }
                Some(Task::Report(report)) => match report.deliver() {
                    Delivery::Through => {}
                    Delivery::Waiting { first } => {
                        changed |= first;
                        break Halt::Report(Arc::clone(report));
                    }
                },
                Some(Task::Condition(condition)) => match condition.pass() {
                    None => break Halt::Condition,
                    Some(Ok(())) => {}
                    Some(Err(failure)) => self.note_failure(&mut queue, failure),
                },
                Some(_) => {}
            }
            if let Some(outcome) = outcome {
                if let Some(Task::Launch(launch)) = queue.tasks.pop_front() {
                    launch.recycle();
                }
                if let Err(failure) = outcome {
                    self.note_failure(&mut queue, failure);
                }
                queue.completed += 1;
                brief += 1;
                if brief.is_multiple_of(BRIEF) {
                    queue = self.let_others_in(queue, me);
                }
                continue;
            }
            let Some(task) = queue.tasks.pop_front() else { break Halt::Reached };
            let aborts = queue.aborts;
            queue.runner = Some(me);
            drop(queue);
            let (outcome, left) = match task.run(skip) {
                Ran::Over(outcome) => (outcome, None),
                Ran::Waits { task, moved } => {
                    changed |= moved;
                    (Ok(()), Some((task, moved)))
                }
            };
            queue = self.queue();
            if let Some((task, moved)) = left {
                if queue.aborts == aborts {
                    queue.tasks.push_front(task);
                    queue.steps += u64::from(moved);
                    break Halt::Condition;
                }
                // It was thrown away meanwhile. What it holds may use streams when it is dropped.
                drop(queue);
                drop(task);
                queue = self.queue();
            }
            changed = true;
            if let Err(failure) = outcome {
                self.note_failure(&mut queue, failure);
            }
            queue.completed += 1;
            // The last task is announced when the turn is over.
            let goes_on = queue.completed < position && !queue.tasks.is_empty();
            if goes_on && progress::is_awaited() {
                drop(queue);
                progress::announce();
                queue = self.queue();
            }
        };
        queue.runner = None;
        changed |= std::mem::take(&mut queue.missed);
        let is_awaited = brief > 0 && progress::is_awaited_under_lock();
        drop(queue);
        if changed {
            progress::announce();
        } else if is_awaited {
            progress::wake();
        }
        halt
    }

    /// Releases the queue for a moment, while `me` goes on running the stream.
    fn let_others_in<'a>(
        &'a self,
        mut queue: BriefMutexGuard<'a, Queue>,
        me: ThreadId,
    ) -> BriefMutexGuard<'a, Queue> {
        queue.runner = Some(me);
        let is_awaited = progress::is_awaited_under_lock();
        drop(queue);
        if is_awaited {
            progress::wake();
        }
        self.queue()
    }

    /// Throws away what has not begun. Events recorded there count as abandoned.
    pub(crate) fn abort(&self) {
        self.throw_away();
        progress::announce();
    }

    fn throw_away(&self) {
        let thrown = {
            let mut queue = self.queue();
            queue.aborts += 1;
            let count = queue.tasks.len() as u64;
            match queue.runner {
                Some(_) => queue.thrown += count,
                None => queue.completed += count,
            }
            std::mem::take(&mut queue.tasks)
        };
        // Outside the lock: what tasks hold may use streams when it is dropped.
        drop(thrown);
    }

    /// Takes no more work, throws away what is left and waits for the task that another thread runs.
    pub(super) fn close(&self) {
        self.queue().closed = true;
        self.throw_away();
        callback_delivery::forget_stream(self.id);
        progress::announce();
        let mut watch = progress::Watch::begin();
        loop {
            match self.queue().runner {
                Some(runner) if runner != id_of_thread() => {}
                _ => break,
            }
            watch.wait(Patience::Forever);
        }
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.queue().closed
    }
}

/// The outcome of running a task.
enum Ran {
    Over(Result),
    /// It has to wait.
    Waits {
        task: Task,
        moved: bool,
    },
}

impl Task {
    /// Runs as far as it goes. `skip` leaves out everything but what others wait for.
    fn run(self, skip: bool) -> Ran {
        Ran::Over(match self {
            Task::Launch(_) | Task::Once(_) | Task::Function(_) | Task::Steps(_) if skip => Ok(()),
            Task::Launch(launch) => {
                let outcome = launch.run_named();
                launch.recycle();
                outcome
            }
            Task::Once(single) | Task::Function(single) => single.run(),
            Task::Steps(mut steps) => match steps.step() {
                Step::Done(outcome) => outcome,
                Step::Moved => return Ran::Waits { task: Task::Steps(steps), moved: true },
                Step::Waiting => return Ran::Waits { task: Task::Steps(steps), moved: false },
            },
            Task::Record(record) => {
                record.come_to_pass();
                Ok(())
            }
            Task::Wait(_) | Task::Condition(_) => Ok(()),
            Task::Report(report) => report.outcome(),
        })
    }
}

//! A stream: a queue of tasks that run in order when a thread waits for it or queries it.

use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicI32, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, Weak};

use crate::check::objects::Live;
use crate::check::tracker;
use crate::fault;
use crate::handle::{Dangling, Kind, Registry};
use crate::runtime::code;
use crate::runtime::device::Settings;
use crate::runtime::stream::callback::{self, Delivery, Report};
use crate::runtime::stream::event::{PendingRecord, PendingWait, Record};
use crate::runtime::stream::progress::{self, Patience};
use crate::runtime::stream::work::Work;
use crate::runtime::stream::{context, drain, policy};
use crate::status::{Result, Status};
use crate::sync::thread::{self, ThreadId};
use crate::sync::{AtomicBool, Mutex, MutexGuard};
use crate::trace::{self, Details};

/// Streams that may live at a time.
pub(crate) const LIMIT: usize = 2048;

static STREAMS: Registry<Stream> = Registry::new(Kind::Stream);
static LIVE: AtomicUsize = AtomicUsize::new(0);

/// A task of a stream.
pub(crate) enum Task {
    Work { operator: &'static str, work: Work },
    Record(PendingRecord),
    Wait(PendingWait),
    Report(Arc<Report>),
    Condition(Box<dyn Condition>),
}

/// Something that a stream waits for and that is no record, such as a value in memory.
pub(crate) trait Condition: Send {
    /// Returns `None` while the stream has to wait. It is not called again after it returned an outcome.
    fn pass(&self) -> Option<Result>;
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
    /// The settings that the program stored for the stream.
    pub(crate) settings: Settings,
    /// Whether a worker has the stream, or is about to.
    handed_over: AtomicBool,
    queue: Mutex<Queue>,
}

#[derive(Default)]
struct Queue {
    tasks: VecDeque<Task>,
    /// Tasks ever queued; the position of a task is this number after it was queued.
    submitted: u64,
    /// Tasks that ran or were thrown away.
    completed: u64,
    /// Tasks thrown away after the one that runs now. They count when it is done: positions are reached in order.
    thrown: u64,
    /// The thread that runs a task now.
    runner: Option<ThreadId>,
    /// The first failure since the failure was last taken.
    failure: Option<Status>,
    closed: bool,
}

/// Why a stream was not run any further.
pub(crate) enum Halt {
    /// The position asked for was reached.
    Reached,
    /// The next task waits for this record, which was not reached yet.
    Record(Arc<Record>),
    /// The next task waits for a callback on another thread.
    Report(Arc<Report>),
    /// The next task waits for a condition that any stream, or the host, may make true.
    Condition,
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
    /// Makes a stream and its handle.
    pub(crate) fn create(
        device: i32,
        context: u64,
        priority: u32,
        flags: u32,
    ) -> Result<(usize, Arc<Stream>)> {
        static NEXT: AtomicI32 = AtomicI32::new(0);
        if LIVE.fetch_add(1, Ordering::Relaxed) >= LIMIT {
            LIVE.fetch_sub(1, Ordering::Relaxed);
            let message = format!("{LIMIT} streams are live; destroy those that are not needed");
            return Err(Status::new(code::NO_STREAM_RESOURCE, message));
        }
        let stream = Arc::new_cyclic(|me| Stream {
            me: me.clone(),
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            device,
            context,
            flags,
            priority,
            failure_mode: AtomicU32::new(aclnn_sys::ACL_CONTINUE_ON_FAILURE),
            settings: Settings::default(),
            handed_over: AtomicBool::new(false),
            queue: Mutex::default(),
        });
        Ok((STREAMS.insert_shared(Arc::clone(&stream)), stream))
    }

    pub(crate) fn id(&self) -> i32 {
        self.id
    }

    pub(crate) fn failure_mode(&self) -> u32 {
        self.failure_mode.load(Ordering::Relaxed)
    }

    pub(crate) fn set_failure_mode(&self, mode: u32) {
        self.failure_mode.store(mode, Ordering::Relaxed);
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues the work of an operator. A failure of it is reported by the next synchronisation, with the operator's name.
    ///
    /// `details` is called only when a record of the work is kept.
    pub(crate) fn submit(
        &self,
        operator: &'static str,
        details: impl FnOnce() -> Details,
        work: impl Into<Work>,
    ) -> Result {
        self.submit_judged(operator, || Ok(()), details, work.into())
    }

    /// Queues work as `submit` does, unless `judge` refuses it; `judge` sees the work in the order of the stream.
    pub(crate) fn submit_judged(
        &self,
        operator: &'static str,
        judge: impl FnOnce() -> Result,
        details: impl FnOnce() -> Details,
        work: Work,
    ) -> Result {
        self.try_push(|_| {
            judge()?;
            let work = match fault::of_run(operator) {
                Some(failure) => Box::new(move || Err(failure)).into(),
                None => work,
            };
            let work = match trace::queued((self.device, self.id), operator, details) {
                Some(record) => Box::new(move || record.run(|| work.run())).into(),
                None => work,
            };
            Ok(Task::Work { operator, work })
        })
    }

    /// Whether work may be queued now, by this thread.
    pub(crate) fn must_accept(&self) -> Result {
        callback::forbid("work is submitted")?;
        if self.queue().closed {
            return Err(Status::new(code::PARAM_INVALID, "the stream was destroyed"));
        }
        Ok(())
    }

    /// Queues the task that `make` gives for its position.
    pub(crate) fn push(&self, make: impl FnOnce(u64) -> Task) -> Result {
        self.try_push(|position| Ok(make(position)))
    }

    /// Queues a task as `push` does, unless `make` refuses.
    pub(crate) fn try_push(&self, make: impl FnOnce(u64) -> Result<Task>) -> Result {
        callback::forbid("work is submitted")?;
        let mut queue = self.queue();
        if queue.closed {
            return Err(Status::new(code::PARAM_INVALID, "the stream was destroyed"));
        }
        let task = make(queue.submitted + 1)?;
        queue.submitted += 1;
        queue.tasks.push_back(task);
        let waiting = queue.tasks.len();
        drop(queue);
        policy::submitted(self, waiting);
        Ok(())
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

    /// Tasks that ran or were thrown away.
    pub(crate) fn completed(&self) -> u64 {
        self.queue().completed
    }

    pub(crate) fn has_reached(&self, position: u64) -> bool {
        self.queue().completed >= position
    }

    pub(crate) fn is_done(&self) -> bool {
        let queue = self.queue();
        queue.completed == queue.submitted
    }

    /// Takes the first failure since it was last taken.
    pub(crate) fn take_failure(&self) -> Option<Status> {
        self.queue().failure.take()
    }

    /// Makes `status` the failure of the stream, unless there is one already.
    pub(crate) fn fail(&self, status: Status) {
        self.queue().failure.get_or_insert(status);
    }

    /// Waits for everything queued so far, and reports the first failure. Fails with `late` when the time is up.
    pub(crate) fn synchronize(&self, patience: Patience, late: i32) -> Result {
        let done = tracker::so_far(self.id);
        let reached = drain::reach(self, self.end(), patience)?;
        if reached {
            tracker::host_saw(&done);
        }
        if let Some(failure) = self.take_failure() {
            return Err(failure);
        }
        let message =
            || Status::new(late, format_args!("stream {} has work left when the time is up", self.id));
        reached.then_some(()).ok_or_else(message)
    }

    /// Runs tasks on this thread up to `position`, or until one has to wait. Never blocks.
    pub(crate) fn run(&self, position: u64) -> Halt {
        let me = thread::current().id();
        let mut queue = self.queue();
        if queue.completed >= position {
            return Halt::Reached;
        }
        if let Some(runner) = queue.runner {
            return if runner == me { Halt::Inside } else { Halt::Busy };
        }
        // Whether waiting threads must be woken: one may wait for this turn to end, or for a callback.
        let mut changed = false;
        let halt = loop {
            queue.completed += std::mem::take(&mut queue.thrown);
            if queue.completed >= position {
                break Halt::Reached;
            }
            match queue.tasks.front() {
                // Thrown away by another thread while a task ran.
                None => break Halt::Reached,
                Some(Task::Wait(wait)) if !wait.is_over() => break Halt::Record(wait.record()),
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
                    Some(Err(failure)) => {
                        queue.failure.get_or_insert(failure);
                    }
                },
                Some(_) => {}
            }
            let Some(task) = queue.tasks.pop_front() else { break Halt::Reached };
            let skip = queue.failure.is_some()
                && self.failure_mode.load(Ordering::Relaxed) == aclnn_sys::ACL_STOP_ON_FAILURE;
            queue.runner = Some(me);
            changed = true;
            drop(queue);
            let outcome = task.run(skip);
            queue = self.queue();
            queue.completed += 1;
            if let Err(failure) = outcome {
                queue.failure.get_or_insert(failure);
            }
            if progress::is_awaited() {
                drop(queue);
                progress::announce();
                queue = self.queue();
            }
        };
        queue.runner = None;
        drop(queue);
        if changed {
            progress::announce();
        }
        halt
    }

    /// Throws away what has not begun. Events recorded there count as abandoned.
    pub(crate) fn abort(&self) {
        self.throw_away();
        progress::announce();
    }

    fn throw_away(&self) {
        let thrown = {
            let mut queue = self.queue();
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
    fn close(&self) {
        self.queue().closed = true;
        self.throw_away();
        callback::forget_stream(self);
        progress::announce();
        let mut watch = progress::Watch::begin();
        loop {
            match self.queue().runner {
                Some(runner) if runner != thread::current().id() => {}
                _ => break,
            }
            watch.wait(Patience::Forever);
        }
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.queue().closed
    }
}

impl Task {
    /// Runs to the end. `skip` leaves out everything but what others wait for.
    fn run(self, skip: bool) -> Result {
        match self {
            Task::Work { .. } if skip => Ok(()),
            Task::Work { operator, work } => match catch_unwind(AssertUnwindSafe(|| work.run())) {
                Ok(Ok(())) => Ok(()),
                Ok(Err(status)) => {
                    let message = format!("{operator}: {}", status.message);
                    Err(status.told_as(message))
                }
                Err(_) => {
                    let message = format!("{operator}: internal error of the emulator; please report it");
                    Err(Status::new(code::INTERNAL_ERROR, message))
                }
            },
            Task::Record(record) => {
                record.come_to_pass();
                Ok(())
            }
            Task::Wait(_) | Task::Condition(_) => Ok(()),
            Task::Report(report) => report.outcome(),
        }
    }
}

/// The live stream behind `handle`, or the default stream of the current context for 0.
///
/// A thread uses only streams of its current context, as on hardware; [`whichever`] is for functions that wait and query.
pub(crate) fn resolve(handle: usize) -> Result<Arc<Stream>> {
    context::with_current(|_, context| {
        if handle == 0 {
            return Ok(Arc::clone(context.default_stream()));
        }
        let stream = find(handle)?;
        if stream.context != context.number() {
            let message = format!(
                "the stream belongs to another context (device {}) than the current one (device {})",
                stream.device,
                context.device_id()
            );
            return Err(Status::new(code::STREAM_CONTEXT, message));
        }
        Ok(stream)
    })?
}

/// The live stream behind `handle`, whatever its context, or the default stream of the current context for 0.
pub(crate) fn whichever(handle: usize) -> Result<Arc<Stream>> {
    if handle == 0 { resolve(handle) } else { find(handle) }
}

/// The live stream behind `handle`, whatever its context.
pub(crate) fn find(handle: usize) -> Result<Arc<Stream>> {
    STREAMS.get(handle).map_err(dangling)
}

fn dangling(why: Dangling) -> Status {
    why.status(code::PARAM_INVALID, "stream")
}

/// Ends a stream: its handle is dead afterwards, and work left in it is thrown away.
pub(crate) fn destroy(handle: usize) -> Result {
    let stream = STREAMS.remove(handle).map_err(dangling)?;
    stream.close();
    // Here and not when the last reference goes, which a worker may hold for a moment longer.
    LIVE.fetch_sub(1, Ordering::Relaxed);
    tracker::ended(stream.id);
    Ok(())
}

/// Every live stream with its handle.
pub(crate) fn all() -> Vec<(usize, Arc<Stream>)> {
    STREAMS.live()
}

/// Adds the streams that the program made and did not destroy.
pub(crate) fn live(live: &mut Vec<Live>) {
    let made = all().into_iter().filter(|(_, stream)| !context::is_default_stream(stream));
    live.extend(made.map(|(handle, _)| Live::new("stream", handle)));
}

/// How many streams can still be made.
pub(crate) fn available() -> usize {
    LIMIT.saturating_sub(LIVE.load(Ordering::Relaxed))
}

/// Looks at every live stream, without waiting.
pub(crate) fn look_at_all() -> Result {
    for (_, stream) in all() {
        drain::look(&stream, stream.end())?;
    }
    Ok(())
}

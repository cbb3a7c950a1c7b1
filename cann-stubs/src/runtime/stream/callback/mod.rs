//! Callbacks on the host, in their two forms.
//!
//! A host function runs on the thread that runs its stream, in the order of the stream. A callback is handed to the
//! thread that subscribed to the stream, and runs there inside `aclrtProcessReport`; a blocking one keeps the stream
//! from going on until it has returned. Since streams run only when a thread waits or queries, `aclrtProcessReport` also
//! runs the streams that its thread subscribed to: a program that only waits for its callbacks gets them.
//!
//! What is a dead-lock on hardware is an error in the emulator: submitting, waiting, allocating or freeing inside a
//! callback, and waiting for a stream that itself waits for a callback on the waiting thread.

mod entry;

pub(crate) use entry::SYMBOLS;

use std::cell::Cell;
use std::collections::{BTreeMap, VecDeque};
use std::ffi::c_void;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError, Weak};

use crate::check::clock::Clock;
use crate::check::tracker;
use crate::runtime::code;
use crate::runtime::stream::progress::{self, Patience, Watch};
use crate::runtime::stream::{Stream, Task};
use crate::runtime::stream::{context, drain};
use crate::status::{Result, Status};
use crate::sync::{AtomicU8, Mutex, MutexGuard, number_of_thread, statics, thread_local};
use crate::trace::Details;

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread runs a callback now.
pub(crate) fn is_inside() -> bool {
    INSIDE.with(Cell::get)
}

/// Refuses what would dead-lock on hardware when this thread runs a callback.
pub(crate) fn forbid(what: &str) -> Result {
    if is_inside() {
        let message =
            format!("{what} inside a callback, which is not allowed; do it after the callback returned");
        return Err(Status::new(code::FEATURE_NOT_SUPPORT, message));
    }
    Ok(())
}

/// A function of the program, as C passes it.
pub(crate) type Function = unsafe extern "C" fn(*mut c_void);

/// A function of the program and its argument.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call {
    function: Function,
    argument: usize,
}

impl Call {
    /// `argument` is an address with exposed provenance.
    pub(crate) fn new(function: Function, argument: usize) -> Self {
        Call { function, argument }
    }

    pub(crate) fn run(self) {
        INSIDE.with(|inside| inside.set(true));
        // SAFETY: the program passed this function to be called with this argument, on another thread if need be.
        unsafe { (self.function)(std::ptr::with_exposed_provenance_mut(self.argument)) };
        INSIDE.with(|inside| inside.set(false));
    }
}

/// A callback on its way from a stream to the subscribed thread.
pub(crate) struct Report {
    call: Call,
    blocking: bool,
    stream: i32,
    thread: u64,
    /// What is done when the callback runs.
    done: Clock,
    state: AtomicU8,
}

const QUEUED: u8 = 0;
const DELIVERED: u8 = 1;
const DONE: u8 = 2;
/// The thread unsubscribed before it ran the callback.
const LOST: u8 = 3;

/// What a stream does at a report.
pub(crate) enum Delivery {
    Through,
    /// It waits for the callback, which was handed over just now when `first`.
    Waiting {
        first: bool,
    },
}

impl Report {
    /// Hands the callback to its thread. Called with the queue of the stream locked.
    pub(crate) fn deliver(self: &Arc<Self>) -> Delivery {
        match self.state.load(Ordering::Acquire) {
            DONE | LOST => Delivery::Through,
            QUEUED => {
                let mut desk = desk();
                let subscribed =
                    desk.subscriptions.get(&self.stream).is_some_and(|one| one.thread == self.thread);
                if !subscribed {
                    self.state.store(LOST, Ordering::Release);
                    return Delivery::Through;
                }
                desk.due.entry(self.thread).or_default().push_back(Arc::clone(self));
                self.state.store(DELIVERED, Ordering::Release);
                if self.blocking { Delivery::Waiting { first: true } } else { Delivery::Through }
            }
            _ if self.blocking => Delivery::Waiting { first: false },
            _ => Delivery::Through,
        }
    }

    /// The outcome of the task, once the stream is through.
    pub(crate) fn outcome(&self) -> Result {
        if self.state.load(Ordering::Acquire) == LOST {
            let message = "aclrtLaunchCallback: the thread unsubscribed before it ran the callback";
            return Err(Status::new(code::THREAD_SUBSCRIBE, message));
        }
        Ok(())
    }

    /// Begins to wait for the callback. Fails when the callback cannot run while this thread waits: because this thread
    /// would have to run it, or because the thread that would run it waits, directly or through others, for a callback on
    /// this thread.
    pub(crate) fn wait_for(self: &Arc<Self>, patience: Patience) -> Result<Option<Waiting>> {
        let me = number_of_thread();
        let mut waits = waits();
        // The callback has run in the meantime: the thread that ran it may wait for this one by now, and that is no cycle.
        if self.is_over() {
            return Ok(None);
        }
        if self.thread == me {
            let message =
                "the stream waits for a callback that only this thread can run, in aclrtProcessReport";
            return Err(Status::new(code::STREAM_SYNC_TIMEOUT, message));
        }
        let Patience::Forever = patience else { return Ok(None) };
        let mut chain = vec![self.thread];
        while let Some(&last) = chain.last()
            && let Some(report) = waits.get(&last).filter(|report| !report.is_over())
        {
            if report.thread == me {
                let chain: Vec<String> = chain.iter().map(|thread| format!("{thread:#x}")).collect();
                let message = format!(
                    "a cycle of waits: this thread waits for a callback on thread {}, which waits for one on this \
                     thread; call aclrtProcessReport on one of them first",
                    chain.join(", which waits for one on thread ")
                );
                return Err(Status::new(code::STREAM_SYNC_TIMEOUT, message));
            }
            // Two other threads that wait for each other get the error themselves.
            if chain.contains(&report.thread) {
                break;
            }
            chain.push(report.thread);
        }
        waits.insert(me, Arc::clone(self));
        Ok(Some(Waiting { thread: me }))
    }

    fn is_over(&self) -> bool {
        matches!(self.state.load(Ordering::Acquire), DONE | LOST)
    }

    fn settle(&self, state: u8) {
        self.state.store(state, Ordering::Release);
    }
}

statics! {
    /// Which thread waits for which callback, without a limit of time.
    static WAITS: Mutex<BTreeMap<u64, Arc<Report>>> = Mutex::new(BTreeMap::new());
    static DESK: Mutex<Desk> = Mutex::new(Desk { subscriptions: BTreeMap::new(), due: BTreeMap::new() });
}

fn waits() -> MutexGuard<'static, BTreeMap<u64, Arc<Report>>> {
    WAITS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A thread that waits for a callback, while it waits.
pub(crate) struct Waiting {
    thread: u64,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        waits().remove(&self.thread);
    }
}

/// Who runs the callbacks of which stream, and what is due.
struct Desk {
    /// By the number of the stream.
    subscriptions: BTreeMap<i32, Subscription>,
    /// By the subscribed thread.
    due: BTreeMap<u64, VecDeque<Arc<Report>>>,
}

struct Subscription {
    thread: u64,
    stream: Weak<Stream>,
}

fn desk() -> MutexGuard<'static, Desk> {
    DESK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lets `thread` run the callbacks of `stream`.
pub(crate) fn subscribe(thread: u64, stream: &Stream) -> Result {
    let mut desk = desk();
    if let Some(other) = desk.subscriptions.get(&stream.id()) {
        let message = format!("thread {:#x} has subscribed to the stream already", other.thread);
        return Err(Status::new(code::STREAM_SUBSCRIBE, message));
    }
    desk.subscriptions.insert(stream.id(), Subscription { thread, stream: stream.weak() });
    drop(desk);
    // Another thread destroyed the stream in the meantime: no other code would end the subscription.
    if stream.is_closed() {
        forget_stream(stream);
        return Err(Status::new(code::PARAM_INVALID, "the stream was destroyed"));
    }
    Ok(())
}

/// Reverses `subscribe`. Callbacks that the stream still holds for the thread are lost, which fails the stream.
pub(crate) fn unsubscribe(thread: u64, stream: &Stream) -> Result {
    let lost = {
        let mut desk = desk();
        if desk.subscriptions.get(&stream.id()).is_none_or(|one| one.thread != thread) {
            let message = format!("thread {thread:#x} has not subscribed to the stream");
            return Err(Status::new(code::STREAM_SUBSCRIBE, message));
        }
        desk.remove(stream.id())
    };
    for report in &lost {
        report.settle(LOST);
        if !report.blocking
            && let Err(failure) = report.outcome()
        {
            stream.fail(failure);
        }
    }
    progress::announce();
    Ok(())
}

/// Ends the subscription of a stream that is destroyed; the caller calls `announce`.
pub(crate) fn forget_stream(stream: &Stream) {
    for report in desk().remove(stream.id()) {
        report.settle(LOST);
    }
}

impl Desk {
    /// Ends the subscription of a stream and returns the reports that were not run.
    fn remove(&mut self, stream: i32) -> Vec<Arc<Report>> {
        let Some(subscription) = self.subscriptions.remove(&stream) else { return Vec::new() };
        let Some(due) = self.due.get_mut(&subscription.thread) else { return Vec::new() };
        let (lost, kept): (VecDeque<_>, _) =
            std::mem::take(due).into_iter().partition(|report| report.stream == stream);
        *due = kept;
        if due.is_empty() {
            self.due.remove(&subscription.thread);
        }
        lost.into()
    }
}

/// Calls a function in the order of `stream`, on the thread that looks at it.
pub(crate) fn launch_host_function(call: Call, stream: &Stream) -> Result {
    if desk().subscriptions.contains_key(&stream.id()) {
        let message = "a thread subscribed to the stream: use aclrtLaunchCallback, and do not mix the two";
        return Err(Status::new(code::PARAM_INVALID, message));
    }
    let done = tracker::function(stream.id());
    let work = move || {
        tracker::host_saw(&done);
        // On hardware the function has a thread of its own: setting a device there does not concern this one.
        context::keeping_current(|| call.run());
        Ok(())
    };
    stream.submit("aclrtLaunchHostFunc", Details::default, Box::new(work))
}

/// Calls a function on the thread that subscribed to `stream`, when the stream gets there.
pub(crate) fn launch(call: Call, blocking: bool, stream: &Stream) -> Result {
    let thread = desk().subscriptions.get(&stream.id()).map(|one| one.thread);
    let nobody = || Status::new(code::STREAM_NO_CB_REG, "no thread has subscribed to the stream");
    let thread = thread.ok_or_else(nobody)?;
    let (done, state) = (tracker::function(stream.id()), AtomicU8::new(QUEUED));
    let report = Arc::new(Report { call, blocking, stream: stream.id(), thread, done, state });
    stream.push(|_| Task::Report(report))?;
    // The thread may wait in `process` for something to do.
    progress::announce();
    Ok(())
}

/// Runs the callbacks that are due on this thread; waits for the first one within `patience`.
pub(crate) fn process(patience: Patience) -> Result {
    forbid("callbacks are processed")?;
    let thread = number_of_thread();
    let mut watch = Watch::begin();
    loop {
        let streams: Vec<Weak<Stream>> = {
            let desk = desk();
            let own = desk.subscriptions.values().filter(|one| one.thread == thread);
            own.map(|one| Weak::clone(&one.stream)).collect()
        };
        if streams.is_empty() {
            return Err(Status::new(code::THREAD_SUBSCRIBE, "this thread has not subscribed to a stream"));
        }
        let mut untold = false;
        for stream in streams.iter().filter_map(Weak::upgrade) {
            untold |= drain::stops_at_condition(&stream);
        }
        if run_due(thread) {
            return Ok(());
        }
        let is_time_left = if untold { watch.wait_a_moment(patience) } else { watch.wait(patience) };
        if !is_time_left {
            return Err(Status::new(code::REPORT_TIMEOUT, "no callback became due in time"));
        }
    }
}

/// Runs what is due on this thread; false when there is nothing.
fn run_due(thread: u64) -> bool {
    let mut any = false;
    loop {
        let next = desk().due.get_mut(&thread).and_then(VecDeque::pop_front);
        let Some(report) = next else { return any };
        tracker::host_saw(&report.done);
        report.call.run();
        report.settle(DONE);
        progress::announce();
        any = true;
    }
}

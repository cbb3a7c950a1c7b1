//! Callbacks on their way from a stream to the thread that subscribed to it, and who subscribed.

use std::cell::Cell;
use std::collections::{BTreeMap, VecDeque};
use std::ffi::c_void;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use crate::check::clock::Clock;
use crate::check::tracker;
use crate::mapped::mapped;
use crate::runtime::code;
use crate::runtime::stream::progress::Patience;
use crate::small_map::SmallMap;
use crate::status::{Result, Status};
use crate::sync::{AtomicU8, Mutex, MutexGuard, number_of_thread, statics, thread_local};

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether this thread runs a callback now.
#[inline]
pub(crate) fn is_inside() -> bool {
    INSIDE.with(Cell::get)
}

/// Refuses what would dead-lock on hardware when this thread runs a callback.
#[inline]
pub(crate) fn forbid(what: &str) -> Result {
    if is_inside() { Err(forbidden(what)) } else { Ok(()) }
}

#[cold]
fn forbidden(what: &str) -> Status {
    let message =
        format!("{what} inside a callback, which is not allowed; do it after the callback returned");
    Status::new(code::FEATURE_NOT_SUPPORT, message)
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
    pub(super) blocking: bool,
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

/// The next step of a stream that has reached a callback.
pub(crate) enum Delivery {
    /// The stream goes on.
    Through,
    /// The stream waits for the callback, which was handed over just now when `first`.
    Waiting { first: bool },
}

impl Report {
    pub(super) fn new(call: Call, blocking: bool, stream: i32, thread: u64, done: Clock) -> Arc<Self> {
        Arc::new(Report { call, blocking, stream, thread, done, state: AtomicU8::new(QUEUED) })
    }

    /// Hands the callback to its thread. Called with the queue of the stream locked.
    pub(crate) fn deliver(self: &Arc<Self>) -> Delivery {
        match self.state.load(Ordering::Acquire) {
            DONE | LOST => Delivery::Through,
            QUEUED => {
                let mut desk = desk();
                if desk.subscribed(self.stream) != Some(self.thread) {
                    self.state.store(LOST, Ordering::Release);
                    return Delivery::Through;
                }
                desk.due.or_default(self.thread).push_back(Arc::clone(self));
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
                let chain: Vec<String> = mapped(&chain, |thread| format!("{thread:#x}"));
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

    /// Runs the callback on this thread.
    pub(super) fn run(&self) {
        tracker::host_saw(&self.done);
        self.call.run();
        self.state.store(DONE, Ordering::Release);
    }

    /// Ends a callback that will not run.
    pub(super) fn lose(&self) {
        self.state.store(LOST, Ordering::Release);
    }
}

statics! {
    /// Which thread waits for which callback, without a limit of time.
    static WAITS: Mutex<SmallMap<u64, Arc<Report>>> = Mutex::new(SmallMap::new());
    static DESK: Mutex<Desk> = Mutex::new(Desk { subscriptions: BTreeMap::new(), due: SmallMap::new() });
}

fn waits() -> MutexGuard<'static, SmallMap<u64, Arc<Report>>> {
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

/// The threads that run the callbacks of streams, and the callbacks that are due.
pub(super) struct Desk {
    /// The subscribed thread, by the number of the stream.
    subscriptions: BTreeMap<i32, u64>,
    /// By the subscribed thread.
    due: SmallMap<u64, VecDeque<Arc<Report>>>,
}

pub(super) fn desk() -> MutexGuard<'static, Desk> {
    DESK.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Desk {
    /// The thread that runs the callbacks of a stream.
    pub(super) fn subscribed(&self, stream: i32) -> Option<u64> {
        self.subscriptions.get(&stream).copied()
    }

    pub(super) fn subscribe(&mut self, thread: u64, stream: i32) {
        self.subscriptions.insert(stream, thread);
    }

    /// The numbers of the streams to which a thread subscribed, in ascending order.
    pub(super) fn streams_of(&self, thread: u64) -> Vec<i32> {
        self.subscriptions.iter().filter(|(_, own)| **own == thread).map(|(stream, _)| *stream).collect()
    }

    /// Takes the next callback that is due on a thread.
    pub(super) fn next_due(&mut self, thread: u64) -> Option<Arc<Report>> {
        self.due.get_mut(&thread)?.pop_front()
    }

    /// Ends the subscription of a stream and returns the reports that were not run.
    pub(super) fn remove(&mut self, stream: i32) -> Vec<Arc<Report>> {
        let Some(thread) = self.subscriptions.remove(&stream) else { return Vec::new() };
        let Some(due) = self.due.get_mut(&thread) else { return Vec::new() };
        let (lost, kept): (VecDeque<_>, _) =
            std::mem::take(due).into_iter().partition(|report| report.stream == stream);
        *due = kept;
        if due.is_empty() {
            self.due.remove(&thread);
        }
        lost.into()
    }
}

/// Ends the subscription of a stream that is destroyed; the caller calls `announce`.
pub(crate) fn forget_stream(stream: i32) {
    for report in desk().remove(stream) {
        report.lose();
    }
}

//! Callbacks on the host, in their two forms.
//!
//! A host function runs on a thread that waits for its stream, or on one of the emulator, in the order of the stream. A
//! callback is handed to the thread that subscribed to the stream, and runs there inside `aclrtProcessReport`; a blocking
//! one keeps the stream from going on until it has returned. Since streams run only when a thread waits or queries,
//! `aclrtProcessReport` also runs the streams that its thread subscribed to: a program that only waits for its callbacks
//! gets them.
//!
//! What is a dead-lock on hardware is an error in the emulator: submitting, waiting, allocating or freeing inside a
//! callback, and waiting for a stream that itself waits for a callback on the waiting thread.

mod entry;

pub(crate) use crate::runtime::stream::callback_delivery::forbid;
pub(crate) use entry::SYMBOLS;

use std::sync::Arc;

use crate::check::tracker;
use crate::runtime::code;
use crate::runtime::stream::callback_delivery::{Call, Report, desk, forget_stream};
use crate::runtime::stream::progress::{self, Patience, Watch};
use crate::runtime::stream::queue::{Stream, Task};
use crate::runtime::stream::{capture, context, drain, registry};
use crate::status::{Result, Status};
use crate::sync::number_of_thread;

/// Lets `thread` run the callbacks of `stream`.
pub(crate) fn subscribe(thread: u64, stream: &Stream) -> Result {
    let mut desk = desk();
    if let Some(other) = desk.subscribed(stream.id()) {
        let message = format!("thread {other:#x} has subscribed to the stream already");
        return Err(Status::new(code::STREAM_SUBSCRIBE, message));
    }
    desk.subscribe(thread, stream.id());
    drop(desk);
    // Another thread destroyed the stream in the meantime: no other code would end the subscription.
    if stream.is_closed() {
        forget_stream(stream.id());
        return Err(Status::new(code::PARAM_INVALID, "the stream was destroyed"));
    }
    Ok(())
}

/// Reverses `subscribe`. Callbacks that the stream still holds for the thread are lost, which fails the stream.
pub(crate) fn unsubscribe(thread: u64, stream: &Stream) -> Result {
    let lost = {
        let mut desk = desk();
        if desk.subscribed(stream.id()) != Some(thread) {
            let message = format!("thread {thread:#x} has not subscribed to the stream");
            return Err(Status::new(code::STREAM_SUBSCRIBE, message));
        }
        desk.remove(stream.id())
    };
    for report in &lost {
        report.lose();
        if !report.blocking
            && let Err(failure) = report.outcome()
        {
            stream.fail(failure);
        }
    }
    progress::announce();
    Ok(())
}

/// Calls a function in the order of `stream`, on the thread that looks at it.
pub(crate) fn launch_host_function(call: Call, stream: &Arc<Stream>) -> Result {
    if desk().subscribed(stream.id()).is_some() {
        let message = "a thread subscribed to the stream: use aclrtLaunchCallback, and do not mix the two";
        return Err(Status::new(code::PARAM_INVALID, message));
    }
    capture::submit(stream, "aclrtLaunchHostFunc", move |stream| {
        let done = tracker::function(stream.id(), stream.tally());
        let work = move || {
            tracker::host_saw(&done);
            // On hardware the function has a thread of its own: setting a device there does not concern this one.
            context::keeping_current(|| call.run());
            Ok(())
        };
        stream.submit_function("aclrtLaunchHostFunc", Box::new(work))
    })
}

/// Calls a function on the thread that subscribed to `stream`, when the stream gets there.
pub(crate) fn launch(call: Call, blocking: bool, stream: &Stream) -> Result {
    let thread = desk().subscribed(stream.id());
    let nobody = || Status::new(code::STREAM_NO_CB_REG, "no thread has subscribed to the stream");
    let thread = thread.ok_or_else(nobody)?;
    let report =
        Report::new(call, blocking, stream.id(), thread, tracker::function(stream.id(), stream.tally()));
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
        let subscribed = desk().streams_of(thread);
        if subscribed.is_empty() {
            return Err(Status::new(code::THREAD_SUBSCRIBE, "this thread has not subscribed to a stream"));
        }
        let streams = registry::all();
        let mut untold = false;
        for id in subscribed {
            let stream = streams.iter().find(|(_, stream)| stream.id() == id);
            untold |= stream.is_some_and(|(_, stream)| drain::stops_at_condition(stream));
        }
        // A stream that ends meanwhile is not kept by those who wait here.
        drop(streams);
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
        let next = desk().next_due(thread);
        let Some(report) = next else { return any };
        report.run();
        progress::announce();
        any = true;
    }
}

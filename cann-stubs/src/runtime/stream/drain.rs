//! Running streams on the thread that waits for them or queries them.
//!
//! No lock is held while a thread waits. Where a stream waits for another stream that no thread runs, the thread runs that
//! stream itself. A wait always refers to a record that was queued before it, so the positions that threads wait for cannot
//! form a cycle, and the thread at the end of a chain always has something to run: streams that wait for each other's events
//! never dead-lock, however many threads run them.

use std::sync::Arc;

use crate::check::tracker;
use crate::runtime::code;
use crate::runtime::product::devices;
use crate::runtime::stream::callback_delivery::{self, Report};
use crate::runtime::stream::chosen_mode::mode;
use crate::runtime::stream::progress::{Patience, Watch};
use crate::runtime::stream::queue::{Halt, Stream};
use crate::runtime::stream::{registry, worker};
use crate::status::{Result, Status};
use crate::stream_mode::Mode;

/// What keeps a stream from going on.
enum Obstacle {
    OtherThread,
    Callback(Arc<Report>),
    /// A condition that no stream makes true as far as it can run now. Work that is queued later may make it true, and so
    /// may the host, without any notification.
    Condition,
    OwnTask,
}

impl Obstacle {
    /// Waits until the obstacle may be gone. Returns false when the time is up before.
    fn wait(&self, watch: &mut Watch, patience: Patience) -> bool {
        match self {
            Obstacle::Condition => watch.wait_a_moment(patience),
            _ => watch.wait(patience),
        }
    }
}

/// Queries whether `position` of `stream` is reached. Runs what can be run, in the modes where queries do that.
pub(crate) fn look(stream: &Stream, position: u64) -> Result<bool> {
    match mode() {
        Mode::Deferred => Ok(stream.has_reached(position)),
        _ => reach(stream, position, Patience::None),
    }
}

/// Runs `stream`, and what it waits for, until `position` is reached. Returns false when the time is up before.
pub(crate) fn reach(stream: &Stream, position: u64, patience: Patience) -> Result<bool> {
    if let Patience::None = patience
        && callback_delivery::is_inside()
    {
        return Ok(stream.is_done());
    }
    callback_delivery::forbid("work is waited for")?;
    if advance(stream, position).is_ok() {
        return Ok(true);
    }
    if let Patience::None = patience {
        return Ok(false);
    }
    let mut watch = Watch::begin();
    loop {
        let Err(obstacle) = advance(stream, position) else { return Ok(true) };
        // Told to other threads as long as this one waits.
        let _waiting = match &obstacle {
            Obstacle::Callback(report) => report.wait_for(patience)?,
            Obstacle::OwnTask => {
                let message = "called from inside a task of the stream that it waits for";
                return Err(Status::new(code::FEATURE_NOT_SUPPORT, message));
            }
            Obstacle::OtherThread | Obstacle::Condition => None,
        };
        if !obstacle.wait(&mut watch, patience) {
            return Ok(false);
        }
    }
}

/// Runs `stream` as `reach` does, to the last task queued so far.
#[inline]
fn reach_end(stream: &Stream, patience: Patience) -> Result<bool> {
    if callback_delivery::is_inside() {
        return reach(stream, stream.end(), patience);
    }
    match stream.run_all() {
        None => Ok(true),
        Some(end) => reach(stream, end, patience),
    }
}

/// Runs what can be run of `stream`, without waiting. Returns whether it stopped before a condition, which may become true
/// without any notification.
pub(crate) fn stops_at_condition(stream: &Stream) -> bool {
    matches!(advance(stream, stream.end()), Err(Obstacle::Condition))
}

/// Runs `stream` to its current end, and waits for other threads that run a part of it. It stops only where a callback must
/// run on another thread, and before a condition that is not true yet. Returns whether the end was reached.
pub(crate) fn settle(stream: &Stream) -> bool {
    let (end, mut watch) = (stream.end(), None);
    loop {
        match (advance(stream, end), &mut watch) {
            (Ok(()), _) => return true,
            (Err(Obstacle::OtherThread), None) => watch = Some(Watch::begin()),
            (Err(Obstacle::OtherThread), Some(watch)) => drop(watch.wait(Patience::Forever)),
            (Err(_), _) => return false,
        }
    }
}

/// Gives `stream` to a thread of the emulator. Where there is none, the caller runs what can run now; the rest runs when a
/// thread waits or queries.
pub(super) fn wake_worker(stream: &Stream) {
    if !worker::give(stream, follow) {
        let _ = reach(stream, stream.end(), Patience::None);
    }
}

/// Runs `stream` to its end and waits for everything that it waits for; for a thread that does nothing else.
fn follow(stream: &Stream) {
    let mut watch = Watch::begin();
    while let Err(obstacle) = advance(stream, stream.end()) {
        obstacle.wait(&mut watch, Patience::Forever);
    }
}

/// Runs what can be run on the way to `position`, without blocking.
fn advance(stream: &Stream, position: u64) -> std::result::Result<(), Obstacle> {
    // Streams and the position that each must reach before the previous one can continue.
    let mut needed: Vec<(Arc<Stream>, u64)> = Vec::new();
    loop {
        let halt = match needed.last() {
            Some((other, position)) => other.run(*position),
            None => stream.run(position),
        };
        match halt {
            Halt::Reached => {
                if needed.pop().is_none() {
                    return Ok(());
                }
            }
            // Without its stream the record is settled already, and the next round passes it.
            Halt::Record(position) => needed.extend(position.source()),
            Halt::Report(report) => return Err(Obstacle::Callback(report)),
            Halt::Condition if run_all() => {}
            Halt::Condition | Halt::Function => return Err(Obstacle::Condition),
            Halt::Busy => return Err(Obstacle::OtherThread),
            Halt::Inside => return Err(Obstacle::OwnTask),
        }
    }
}

/// Runs what can be run of every stream, for conditions, which any stream may make true. Returns whether anything ran.
///
/// A function of the program may wait for what the calling thread does next, so it runs on a thread that serves its stream.
fn run_all() -> bool {
    let mut any = false;
    for (_, stream) in registry::all() {
        let before = stream.progress();
        if let Halt::Function = stream.help() {
            wake_worker(&stream);
        }
        any |= stream.progress() > before;
    }
    any
}

/// Looks at every live stream, without waiting.
pub(crate) fn look_at_all() -> Result {
    for (_, stream) in registry::all() {
        look(&stream, stream.end())?;
    }
    Ok(())
}

impl Stream {
    /// Waits for everything queued so far, and reports the first failure. Fails with `late` when the time is up.
    pub(crate) fn synchronize(&self, patience: Patience, late: i32) -> Result {
        let done = tracker::done(self.id(), self.tally());
        let reached = reach_end(self, patience)?;
        if reached {
            tracker::host_saw_stream(self.tally(), &done);
        }
        if let Some(failure) = self.take_failure() {
            return Err(failure);
        }
        let message =
            || Status::new(late, format_args!("stream {} has work left when the time is up", self.id()));
        reached.then_some(()).ok_or_else(message)
    }
}

/// Waits for all work submitted to a device so far. Returns the first failure, or `late` when the time is up.
pub(crate) fn synchronize_device(device: i32, patience: Patience, late: i32) -> Result {
    let mut outcome = Ok(());
    for (_, stream) in registry::all().into_iter().filter(|(_, stream)| stream.device == device) {
        outcome = outcome.and(stream.synchronize(patience, late));
    }
    outcome
}

/// Waits for all work submitted to every device, for functions that free memory afterwards.
pub(crate) fn synchronize_all() -> Result {
    let mut outcome = Ok(());
    for device in devices::all() {
        outcome = outcome.and(synchronize_device(device, Patience::Forever, code::STREAM_SYNC_TIMEOUT));
    }
    outcome
}

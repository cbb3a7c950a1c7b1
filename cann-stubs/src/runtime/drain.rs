//! Running streams on the thread that looks.
//!
//! No lock is held while a thread waits, and a thread that meets a wait runs the other stream itself where nobody else
//! does. A wait always refers to a record that was queued before it, so the positions that threads wait for cannot form
//! a circle, and the thread at the end of a chain always has something to run: streams that wait for each other's events
//! never dead-lock, however many threads look at them.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::runtime::callback::{self, Report};
use crate::runtime::code;
use crate::runtime::policy::{self, Mode};
use crate::runtime::progress::{Patience, Watch};
use crate::runtime::stream::{self, Halt, Stream};
use crate::status::{Result, Status};

/// What keeps a stream from going on.
enum Obstacle {
    OtherThread,
    Callback(Arc<Report>),
    /// A condition that no stream brings about any more as far as they can run.
    Condition,
    OwnTask,
}

/// Looks, as a query does: whether `position` of `stream` is reached. Runs what can be run, where queries do that.
pub(crate) fn look(stream: &Stream, position: u64) -> Result<bool> {
    match policy::mode() {
        Mode::Deferred => Ok(stream.has_reached(position)),
        _ => reach(stream, position, Patience::None),
    }
}

/// Runs `stream`, and what it waits for, until `position` is reached. False when patience is over before.
pub(crate) fn reach(stream: &Stream, position: u64, patience: Patience) -> Result<bool> {
    if let Patience::None = patience
        && callback::is_inside()
    {
        return Ok(stream.is_done());
    }
    callback::forbid("work is waited for")?;
    if advance(stream, position).is_ok() {
        return Ok(true);
    }
    if let Patience::None = patience {
        return Ok(false);
    }
    let mut watch = Watch::begin();
    loop {
        // Told to other threads as long as this one waits.
        let mut _waiting = None;
        match advance(stream, position) {
            Ok(()) => return Ok(true),
            Err(Obstacle::OtherThread | Obstacle::Condition) => {}
            Err(Obstacle::Callback(report)) => _waiting = report.wait_for(patience)?,
            Err(Obstacle::OwnTask) => {
                let message = "called from inside a task of the stream that it waits for";
                return Err(Status::new(code::FEATURE_NOT_SUPPORT, message));
            }
        }
        if !watch.wait(patience) {
            return Ok(false);
        }
    }
}

/// Runs `stream` to its end, for its last time: stops only where a callback would have to run on another thread, and
/// before a condition that does not come.
pub(crate) fn settle(stream: &Stream) {
    let mut watch = Watch::begin();
    while let Err(Obstacle::OtherThread) = advance(stream, stream.end()) {
        watch.wait(Patience::Forever);
    }
}

/// Runs `stream` to its end, waiting for whatever it waits for: for a thread that does nothing else.
pub(crate) fn follow(stream: &Stream) {
    let mut watch = Watch::begin();
    while let Err(Obstacle::OtherThread | Obstacle::Callback(_)) = advance(stream, stream.end()) {
        watch.wait(Patience::Forever);
    }
}

/// Runs what can be run on the way to `position`, without blocking.
fn advance(stream: &Stream, position: u64) -> std::result::Result<(), Obstacle> {
    // Streams that have to get somewhere before the one in front of them can go on.
    let mut needed: SmallVec<[(Arc<Stream>, u64); 4]> = SmallVec::new();
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
            Halt::Record(record) => needed.extend(record.source()),
            Halt::Report(report) => return Err(Obstacle::Callback(report)),
            Halt::Condition if run_all() => {}
            Halt::Condition => return Err(Obstacle::Condition),
            Halt::Busy => return Err(Obstacle::OtherThread),
            Halt::Inside => return Err(Obstacle::OwnTask),
        }
    }
}

/// Runs what can be run of every stream; whether that was anything. For conditions, which any stream may bring about.
fn run_all() -> bool {
    let mut any = false;
    for (_, stream) in stream::all() {
        let before = stream.completed();
        stream.run(stream.end());
        any |= stream.completed() > before;
    }
    any
}

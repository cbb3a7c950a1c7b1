//! The history of the program: which bytes hold values, who used them last, and what is ordered before what.
//!
//! Work is checked when it is submitted, in the order of submission. A stream waits only for events that were recorded
//! before, so this order never contradicts the order in which the work runs, and the reports do not depend on when the work
//! runs. All threads of the host count as one: how they synchronise with each other is not seen. When the program learns
//! from a host function that work is done, the tracker learns it when the function runs.
//!
//! Memory that was allocated while checks were off is not tracked, and never checked. Of pinned, registered and virtual
//! memory only the use is tracked, since the host may write it unseen and it may be mapped twice.
//!
//! This file holds what the runtime calls: each function tells the tracker one thing. The values that it passes are in
//! `work`; `history` judges new work, `memo` knows that the same work is right again, `allocation` knows the uses of one allocation, `carry` follows copies.
//! The compiler may compile these files apart, so functions that every launch calls are marked `#[inline]`.

mod allocation;
mod carry;
mod history;
mod memo;
mod work;

use std::sync::Arc;

use history::History;
pub(crate) use memo::Memo;
pub(crate) use work::{Access, Carried, Purpose, Work};

use super::clock::Clock;
use super::level::{is_tracking, level};
pub(crate) use super::stream_order::Tally;
use crate::misuse::Level;
use crate::status::Result;
use crate::sync::{BiasedMutex, BriefMutexGuard, statics};
use cann_kernels::Span;

statics! {
    static TRACKER: BiasedMutex<Option<History>> = BiasedMutex::new(None);
}

/// The locked history, which is made at its first use.
struct Held(BriefMutexGuard<'static, Option<History>>);

fn held() -> Held {
    Held(TRACKER.lock())
}

impl Held {
    fn get(&mut self) -> &mut History {
        self.0.get_or_insert_default()
    }
}

/// Begins to track an allocation.
pub(crate) fn born(start: usize, len: usize) {
    if is_tracking() {
        held().get().allocations.track(start, len, true);
    }
}

/// Begins to track only which work uses some memory. Returns false where a part of the memory is tracked already.
pub(crate) fn lent(start: usize, len: usize) -> bool {
    if !is_tracking() {
        return false;
    }
    let mut held = held();
    let allocations = &mut held.get().allocations;
    let mut fresh = true;
    allocations.touched(&Span::dense(start, len), |_| fresh = false);
    if fresh {
        allocations.track(start, len, false);
    }
    fresh
}

/// Ends the tracking of the allocations that start in `[start, end)`.
pub(crate) fn died(start: usize, end: usize) {
    if is_tracking() {
        held().get().allocations.0.remove_all(start, end);
    }
}

/// Forgets everything. Memory that is allocated now is not checked any more.
pub(crate) fn forget_all() {
    *held().0 = None;
}

/// Checks that the memory at `start` may be freed or unmapped now: the host knows that all work on it is done. `kept` is the
/// part of the message that says what a refusal leaves, as in "was not freed".
pub(crate) fn may_go(start: usize, code: i32, kept: &str) -> Result {
    if !is_tracking() || level() == Level::Off {
        return Ok(());
    }
    held().get().judge_end(start, code, kept)
}

/// Checks work that is about to be queued on `stream`, and remembers it. Refused work leaves no trace.
pub(crate) fn submit(stream: i32, tally: &Arc<Tally>, work: &Work<'_>) -> Result {
    if !is_tracking() {
        return Ok(());
    }
    let mut held = held();
    let history = held.get();
    history.streams.trust_now(stream);
    if level() != Level::Off {
        history.judge(Some(stream), work)?;
    }
    history.keep(stream, tally, work);
    Ok(())
}

/// Remembers work that is the same again, if `memo` is that of the same work before and it is right again. Returns false, and
/// changes nothing, where it must be submitted.
#[inline]
pub(crate) fn repeat(
    stream: i32,
    tally: &Arc<Tally>,
    function: &'static str,
    accesses: &[Access],
    memo: &Memo,
) -> bool {
    !is_tracking() || held().get().repeat(stream, tally, (function, accesses), memo)
}

/// As `submit`, for work that may come again: `memo` remembers it.
pub(crate) fn submit_again(stream: i32, tally: &Arc<Tally>, work: &Work<'_>, memo: &mut Memo) -> Result {
    if !is_tracking() {
        return Ok(());
    }
    let mut held = held();
    let history = held.get();
    history.streams.trust_now(stream);
    let judges = level() != Level::Off;
    if judges {
        history.judge(Some(stream), work)?;
    }
    history.keep(stream, tally, work);
    if judges {
        history.remember(stream, work, memo);
    }
    Ok(())
}

/// Checks what the host does to device memory at once, and remembers it.
pub(crate) fn at_once(work: &Work<'_>) -> Result {
    if !is_tracking() {
        return Ok(());
    }
    let mut held = held();
    let history = held.get();
    if level() != Level::Off {
        history.judge(None, work)?;
    }
    history.mark(work);
    Ok(())
}

/// Returns the clock of everything that is done when all work submitted to `stream` so far is done.
pub(crate) fn so_far(stream: i32) -> Clock {
    if !is_tracking() {
        return Clock::default();
    }
    let mut held = held();
    let streams = &mut held.get().streams;
    streams.trust_now(stream);
    streams.get(stream).map(|line| line.clock.clone()).unwrap_or_default()
}

/// What is done when all work submitted to a stream so far is done.
pub(crate) enum Done {
    /// So many tasks of the stream.
    Own(u64),
    Clock(Clock),
}

/// Returns what is done when all work submitted to `stream` so far is done, mostly without a lock.
pub(crate) fn done(stream: i32, tally: &Tally) -> Done {
    match tally.ticks_alone() {
        Some(ticks) => Done::Own(ticks),
        None => Done::Clock(so_far(stream)),
    }
}

/// Notes that the host knows this to be done, which `done` returned for the stream with the tally.
pub(crate) fn host_saw_stream(tally: &Tally, done: &Done) {
    match done {
        Done::Own(ticks) => tally.note_known(*ticks),
        Done::Clock(clock) => host_saw(clock),
    }
}

/// Makes work that is submitted to `stream` from now on run after everything in `clock`.
pub(crate) fn wait(stream: i32, tally: &Arc<Tally>, clock: &Clock) {
    if is_tracking() && clock.len() > 0 {
        let mut held = held();
        let streams = &mut held.get().streams;
        let mut joined = std::mem::take(&mut streams.line(stream, tally).clock);
        joined.join(clock);
        let joined = streams.slimmed(joined);
        let line = streams.line(stream, tally);
        line.waited_for_nothing = false;
        line.clock = joined;
        line.note_others(stream);
    }
}

/// Notes that `stream` was made to wait for an event that was never recorded, which orders nothing.
pub(crate) fn wait_for_nothing(stream: i32, tally: &Arc<Tally>) {
    if is_tracking() {
        held().get().streams.line(stream, tally).waited_for_nothing = true;
    }
}

/// Notes that `stream` waits for a value or a signal. The tracker does not know who gives it, so work that is submitted to
/// the stream from now on counts as ordered after everything that other streams have.
pub(crate) fn trust(stream: i32, tally: &Arc<Tally>) {
    if is_tracking() {
        let mut held = held();
        let line = held.get().streams.line(stream, tally);
        line.trusting = true;
        line.note_others(stream);
    }
}

/// Notes that the host knows everything in `clock` to be done.
pub(crate) fn host_saw(clock: &Clock) {
    if is_tracking() && clock.len() > 0 {
        let mut held = held();
        let streams = &mut held.get().streams;
        for (stream, tick) in clock.entries() {
            if let Some(line) = streams.get_mut(stream) {
                line.tally.note_known(tick);
            }
        }
    }
}

/// Notes that a host function is queued on `stream`, and orders what it may wait for and what it may tell. Returns the
/// clock of what is done when the function runs.
pub(crate) fn function(stream: i32, tally: &Arc<Tally>) -> Clock {
    if !is_tracking() {
        return Clock::default();
    }
    let mut held = held();
    let history = held.get();
    let functions = &mut history.functions;
    let line = history.streams.line(stream, tally);
    line.clock.join(functions);
    functions.join(&line.clock);
    line.note_others(stream);
    let clock = line.clock.clone();
    history.functions = history.streams.slimmed(std::mem::take(functions));
    clock
}

/// Returns the number of the task that was submitted last to the stream with the tally.
pub(crate) fn last_task(tally: &Tally) -> u64 {
    tally.ticks()
}

/// Returns whether the host knows a task of a stream to be done, or nothing is known of it.
pub(crate) fn host_knows(stream: i32, task: u64) -> bool {
    !is_tracking() || level() == Level::Off || held().get().streams.host_knows(stream, task)
}

/// Notes that a stream has ended, and all its work with it.
pub(crate) fn ended(stream: i32) {
    if is_tracking() {
        let mut held = held();
        let history = held.get();
        if let Some(line) = history.streams.remove(stream) {
            drop(held);
            host_saw(&line.clock);
        }
    }
}

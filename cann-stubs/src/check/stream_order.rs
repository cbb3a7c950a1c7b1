//! The order of work on streams: what the next task of each runs after, and how much of it the host knows to be done.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::clock::Clock;
use crate::mapped::mapped;
use crate::sync::BiasedLock;

/// The streams that have had work and have not ended, by number.
#[derive(Default)]
pub(super) struct Streams {
    lines: Vec<(i32, Line)>,
    /// Where a stream was found last: mostly it is the same one again.
    recent: Cell<usize>,
}

/// A stream that has had work.
pub(super) struct Line {
    /// What the next task runs after, besides what the host knows to be done: every task runs after that.
    pub(super) clock: Clock,
    /// Its numbers go on where everything else was forgotten.
    pub(super) tally: Arc<Tally>,
    /// Whether the stream has waited for a value or a signal, and so is ordered by more than events.
    pub(super) trusting: bool,
    /// Whether what the stream has waited for last is an event that was not recorded: for the message about a race.
    pub(super) waited_for_nothing: bool,
}

/// The tasks of a stream, which holds them too: without the lock of the history it tells what is done when all its tasks are,
/// and is told that they are.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    ticks: AtomicU64,
    /// How many tasks the host knows to be done.
    known: AtomicU64,
    /// Taken to raise that number, which is cheaper than an atomic exchange.
    raising: BiasedLock<()>,
    /// Whether no task runs after a task of another stream.
    is_alone: AtomicBool,
}

impl Tally {
    pub(super) fn ticks(&self) -> u64 {
        self.ticks.load(Ordering::Acquire)
    }

    /// The number of tasks, if all that is done when they are is the tasks themselves.
    pub(super) fn ticks_alone(&self) -> Option<u64> {
        self.is_alone.load(Ordering::Acquire).then(|| self.ticks())
    }

    /// Notes that the host knows `ticks` tasks to be done.
    pub(super) fn note_known(&self, ticks: u64) {
        if self.known() < ticks {
            let _raising = self.raising.lock();
            self.known.store(ticks.max(self.known()), Ordering::Release);
        }
    }

    fn known(&self) -> u64 {
        self.known.load(Ordering::Acquire)
    }
}

impl Line {
    /// Counts a task of the stream, and returns its number.
    #[inline]
    pub(super) fn count(&mut self, stream: i32) -> u64 {
        let tick = self.tally.ticks() + 1;
        self.tally.ticks.store(tick, Ordering::Release);
        // Mostly the stream is ordered after nothing but itself, as was noted before.
        if self.trusting || !self.clock.raise_alone(stream, tick) {
            self.clock.raise(stream, tick);
            self.note_others(stream);
        }
        tick
    }

    /// Notes whether a task may run after tasks of other streams, when the clock or the trust has changed.
    #[inline]
    pub(super) fn note_others(&self, stream: i32) {
        let is_alone = !self.trusting && self.clock.entries().all(|(other, _)| other == stream);
        self.tally.is_alone.store(is_alone, Ordering::Release);
    }
}

/// The number of entries at which a clock drops those that add nothing.
const CROWDED: usize = 64;

impl Streams {
    /// Where the line of a stream is, or belongs.
    #[inline]
    fn place(&self, stream: i32) -> Result<usize, usize> {
        let recent = self.recent.get();
        if self.lines.get(recent).is_some_and(|(number, _)| *number == stream) {
            return Ok(recent);
        }
        let place = self.lines.binary_search_by_key(&stream, |(number, _)| *number);
        self.recent.set(place.unwrap_or_default());
        place
    }

    #[inline]
    pub(super) fn get(&self, stream: i32) -> Option<&Line> {
        self.place(stream).ok().map(|place| &self.lines[place].1)
    }

    pub(super) fn get_mut(&mut self, stream: i32) -> Option<&mut Line> {
        self.place(stream).ok().map(|place| &mut self.lines[place].1)
    }

    /// The line of a stream, which is made if there is none.
    #[inline]
    pub(super) fn line(&mut self, stream: i32, tally: &Arc<Tally>) -> &mut Line {
        let place = self.place(stream).unwrap_or_else(|place| {
            let line = Line {
                clock: Clock::default(),
                tally: Arc::clone(tally),
                trusting: false,
                waited_for_nothing: false,
            };
            self.lines.insert(place, (stream, line));
            place
        });
        &mut self.lines[place].1
    }

    pub(super) fn remove(&mut self, stream: i32) -> Option<Line> {
        self.place(stream).ok().map(|place| self.lines.remove(place).1)
    }

    /// Returns whether the host knows that a task is done. All tasks of a stream that has ended are done.
    pub(super) fn host_knows(&self, stream: i32, tick: u64) -> bool {
        self.get(stream).is_none_or(|line| line.tally.known() >= tick)
    }

    /// Makes a stream that is ordered by more than events run after everything that other streams have so far.
    pub(super) fn trust_now(&mut self, stream: i32) {
        // A stream that has ended has no entry, and a query must not create one.
        if self.get(stream).is_some_and(|line| line.trusting) {
            let ticks: Vec<_> = mapped(&self.lines, |(other, line)| (*other, line.tally.ticks()));
            if let Some(line) = self.get_mut(stream) {
                ticks.into_iter().for_each(|(other, tick)| line.clock.raise(other, tick));
            }
        }
    }

    pub(super) fn slimmed(&self, mut clock: Clock) -> Clock {
        if clock.len() > CROWDED {
            clock.retain(|stream, tick| !self.host_knows(stream, tick));
        }
        clock
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_that_runs_after_another_is_not_alone() {
        let (mut streams, tally) = (Streams::default(), Arc::<Tally>::default());
        let line = streams.line(7, &tally);
        assert_eq!(tally.ticks_alone(), None, "nothing was counted yet");
        line.clock.raise(3, 1);
        line.note_others(7);
        assert_eq!(tally.ticks_alone(), None, "its only entry is that of another stream");
        let line = streams.line(8, &tally);
        assert_eq!((line.count(8), tally.ticks_alone()), (1, Some(1)));
        line.trusting = true;
        assert_eq!((line.count(8), tally.ticks_alone()), (2, None));
        // Noted without the history, which knows it then.
        tally.note_known(1);
        assert_eq!([1, 2].map(|tick| streams.host_knows(8, tick)), [true, false]);
    }

    #[test]
    fn who_asks_about_a_stream_that_has_ended_does_not_bring_it_back() {
        let mut streams = Streams::default();
        let tally = Arc::default();
        let last = (0..3).map(|_| streams.line(7, &tally).count(7)).last();
        assert_eq!(last, Some(3));
        assert!(!streams.host_knows(7, 3));
        streams.remove(7);
        streams.trust_now(7);
        assert!(streams.host_knows(7, 3), "all of it is done");
    }
}

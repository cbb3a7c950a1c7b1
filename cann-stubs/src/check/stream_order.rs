//! The order of work on streams: what the next task of each runs after, and how much of it the host knows to be done.

use std::cell::Cell;

use super::clock::Clock;

/// The streams that have had work and have not ended, by number.
#[derive(Default)]
pub(super) struct Streams {
    lines: Vec<(i32, Line)>,
    /// Where a stream was found last: mostly it is the same one again.
    recent: Cell<usize>,
}

/// A stream that has had work.
#[derive(Default)]
pub(super) struct Line {
    /// What the next task runs after, besides what the host knows to be done: every task runs after that.
    pub(super) clock: Clock,
    pub(super) ticks: u64,
    /// How many tasks the host knows to be done.
    pub(super) known: u64,
    /// Whether the stream has waited for a value or a signal, and so is ordered by more than events.
    pub(super) trusting: bool,
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
    pub(super) fn line(&mut self, stream: i32) -> &mut Line {
        let place = self.place(stream).unwrap_or_else(|place| {
            self.lines.insert(place, (stream, Line::default()));
            place
        });
        &mut self.lines[place].1
    }

    pub(super) fn remove(&mut self, stream: i32) -> Option<Line> {
        self.place(stream).ok().map(|place| self.lines.remove(place).1)
    }

    /// Whether the host knows that a task is done. All tasks of a stream that has ended are done.
    pub(super) fn host_knows(&self, stream: i32, tick: u64) -> bool {
        self.get(stream).is_none_or(|line| line.known >= tick)
    }

    /// Makes a stream that is ordered by more than events run after everything that other streams have so far.
    pub(super) fn trust_now(&mut self, stream: i32) {
        // A stream that has ended has no entry, and a query must not create one.
        if self.get(stream).is_some_and(|line| line.trusting) {
            let ticks: Vec<_> = self.lines.iter().map(|(other, line)| (*other, line.ticks)).collect();
            let clock = &mut self.line(stream).clock;
            ticks.into_iter().for_each(|(other, tick)| clock.raise(other, tick));
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
    fn who_asks_about_a_stream_that_has_ended_does_not_bring_it_back() {
        let mut streams = Streams::default();
        streams.line(7).ticks = 3;
        assert!(!streams.host_knows(7, 3));
        streams.remove(7);
        streams.trust_now(7);
        assert!(streams.host_knows(7, 3), "all of it is done");
    }
}

//! What is ordered before what: for each stream, what its next task runs after and how much of it the host knows to be done.

use std::collections::BTreeMap;

use super::clock::Clock;

/// The streams that have had work and have not ended, by their number.
#[derive(Default)]
pub(super) struct Streams(pub(super) BTreeMap<i32, Line>);

/// A stream that has had work.
#[derive(Default)]
pub(super) struct Line {
    /// What its next task runs after, beside what the host knows to be done: whatever is submitted runs after that.
    pub(super) clock: Clock,
    pub(super) ticks: u64,
    /// The tasks that the host knows to be done.
    pub(super) known: u64,
    /// Whether it is ordered by more than events.
    pub(super) trusting: bool,
}

/// Entries of a clock from which on those that say nothing are dropped.
const CROWDED: usize = 64;

impl Streams {
    pub(super) fn line(&mut self, stream: i32) -> &mut Line {
        self.0.entry(stream).or_default()
    }

    /// Whether the host knows that a task is done; all of a stream is when the stream has ended.
    pub(super) fn host_knows(&self, stream: i32, tick: u64) -> bool {
        self.0.get(&stream).is_none_or(|line| line.known >= tick)
    }

    /// Lets a stream that trusts run after everything that others have so far.
    pub(super) fn trust_now(&mut self, stream: i32) {
        // A stream that has ended has no line, and gets none by being asked about.
        if self.0.get(&stream).is_some_and(|line| line.trusting) {
            let ticks: Vec<_> = self.0.iter().map(|(other, line)| (*other, line.ticks)).collect();
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
        streams.0.remove(&7);
        streams.trust_now(7);
        assert!(streams.host_knows(7, 3), "all of it is done");
    }
}

//! Clocks: how many tasks of each stream run before some point.

use smallvec::SmallVec;

/// A vector clock: for each stream, by its number, how many of its tasks are known to run before.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Clock(SmallVec<[(i32, u64); 4]>);

impl Clone for Clock {
    fn clone(&self) -> Self {
        // Copies them as a whole.
        Clock(SmallVec::from_slice(&self.0))
    }
}

impl Clock {
    pub(crate) fn get(&self, stream: i32) -> u64 {
        self.0.binary_search_by_key(&stream, |entry| entry.0).map_or(0, |index| self.0[index].1)
    }

    /// Makes the clock know at least `ticks` tasks of `stream`.
    #[inline]
    pub(crate) fn raise(&mut self, stream: i32, ticks: u64) {
        match self.0.binary_search_by_key(&stream, |entry| entry.0) {
            Ok(index) => self.0[index].1 = self.0[index].1.max(ticks),
            Err(index) => self.0.insert(index, (stream, ticks)),
        }
    }

    /// Makes a clock that knows of no other stream know `ticks` tasks of `stream`. Returns false, and changes nothing, where it
    /// knows of others or of none.
    #[inline]
    pub(crate) fn raise_alone(&mut self, stream: i32, ticks: u64) -> bool {
        match self.0.as_mut_slice() {
            [(only, own)] if *only == stream => {
                *own = ticks.max(*own);
                true
            }
            _ => false,
        }
    }

    /// Makes the clock know everything that `other` knows.
    pub(crate) fn join(&mut self, other: &Clock) {
        for (stream, ticks) in other.entries() {
            self.raise(stream, ticks);
        }
    }

    pub(crate) fn entries(&self) -> impl Iterator<Item = (i32, u64)> + '_ {
        self.0.iter().copied()
    }

    /// Drops the entries for which `keep` returns false.
    pub(crate) fn retain(&mut self, keep: impl Fn(i32, u64) -> bool) {
        self.0.retain(|entry| keep(entry.0, entry.1));
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_takes_the_larger_of_each() {
        let (mut a, mut b) = (Clock::default(), Clock::default());
        for (stream, ticks) in [(5, 3), (1, 7), (5, 2)] {
            a.raise(stream, ticks);
        }
        for (stream, ticks) in [(5, 9), (2, 1)] {
            b.raise(stream, ticks);
        }
        a.join(&b);
        assert_eq!([1, 2, 5, 6].map(|stream| a.get(stream)), [7, 1, 9, 0]);
        a.retain(|stream, _| stream != 2);
        assert_eq!((a.len(), a.get(2)), (2, 0));
    }
}

//! The binary tree in which the states of leaves are merged.

use smallvec::SmallVec;

use super::loops::Loops;

/// The states of a tree that is built from left to right. They lie one after the other, from `first` on.
pub(super) struct Tree<'a> {
    loops: &'a dyn Loops,
    first: usize,
    columns: usize,
    /// The number of elements of each state.
    counts: SmallVec<[usize; 8]>,
    leaves: usize,
}

impl<'a> Tree<'a> {
    pub(super) fn new(loops: &'a dyn Loops, first: usize, columns: usize) -> Self {
        Self { loops, first, columns, counts: SmallVec::new(), leaves: 0 }
    }

    /// Returns the most states that a tree of so many leaves has at once.
    pub(super) fn levels(leaves: usize) -> usize {
        leaves.max(1).ilog2() as usize + 2
    }

    /// Returns the place of the next states.
    pub(super) fn next(&self) -> usize {
        self.first + self.counts.len() * self.columns
    }

    /// Adds the states that were put there.
    pub(super) fn push(&mut self, words: &mut [u64], count: usize) {
        self.counts.push(count);
        for _ in 0..self.leaves.trailing_ones() {
            self.merge(words);
        }
        self.leaves += 1;
    }

    /// Merges the last two subtrees.
    fn merge(&mut self, words: &mut [u64]) {
        let [.., left, right] = self.counts.as_slice() else { return };
        let (counts, length) = ([*left, *right], self.counts.len());
        let to = self.first + (length - 2) * self.columns;
        self.loops.merge(words, to, to + self.columns, self.columns, counts);
        self.counts.truncate(length - 1);
        if let Some(last) = self.counts.last_mut() {
            *last = counts[0] + counts[1];
        }
    }

    /// Merges what is left into the first states.
    pub(super) fn finish(mut self, words: &mut [u64]) {
        while self.counts.len() > 1 {
            self.merge(words);
        }
    }
}

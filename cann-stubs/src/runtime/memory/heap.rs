//! A best-fit allocator of the addresses of a range; it never touches the memory that it allocates.

use std::collections::{BTreeMap, BTreeSet};

use crate::ranges::Ranges;

/// Blocks of so many pages begin with one; a gap before the block takes less than this part of its addresses.
pub(super) const PAGES: usize = 16;

/// A range of addresses and what is taken of it. Addresses are offsets from its start.
#[derive(Debug)]
pub(crate) struct Heap {
    /// Every block begins and ends at a multiple of this.
    step: usize,
    /// A block of at least [`PAGES`] times this begins at a multiple of it, as long as there is room.
    page: usize,
    taken: usize,
    /// Start and length of every free block; no two touch.
    free: BTreeMap<usize, usize>,
    /// The free blocks by length, then start: best fit, lowest address first.
    by_length: BTreeSet<(usize, usize)>,
    /// The live blocks, each with the range that was asked for.
    live: Ranges<Block>,
}

/// A live block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) start: usize,
    /// The bytes that the caller asked for, and may use.
    pub(crate) requested: usize,
    /// The bytes that the heap reserved.
    pub(crate) reserved: usize,
}

impl Heap {
    /// An empty heap. `step` and `page` are powers of two.
    pub(crate) fn new(len: usize, step: usize, page: usize) -> Self {
        let len = len & !(step - 1);
        let (free, by_length) = (BTreeMap::new(), BTreeSet::new());
        let mut heap = Heap { step, page, taken: 0, free, by_length, live: Ranges::default() };
        heap.insert_free(0, len);
        heap
    }

    /// Bytes set aside for live blocks.
    pub(crate) fn taken(&self) -> usize {
        self.taken
    }

    /// The longest block that can be allocated now.
    pub(crate) fn largest_free(&self) -> usize {
        self.by_length.last().map_or(0, |&(length, _)| length)
    }

    /// The bytes that the heap reserves for `bytes`, or `None` when they can never be allocated.
    pub(crate) fn cost(&self, bytes: usize) -> Option<usize> {
        bytes.checked_next_multiple_of(self.step)
    }

    /// Takes `bytes` from the smallest free block that holds them, for a caller that asked for `requested` of them.
    pub(crate) fn take(&mut self, requested: usize, bytes: usize) -> Option<Block> {
        let reserved = self.cost(bytes)?.max(self.step);
        let (length, free) = self.fitting(reserved)?;
        let aligned = free.next_multiple_of(self.alignment(reserved));
        let start = if aligned - free + reserved <= length { aligned } else { free };
        self.remove_free(free, length);
        self.insert_free(free, start - free);
        self.insert_free(start + reserved, free + length - (start + reserved));
        let block = Block { start, requested, reserved };
        self.live.insert(start, start + requested, block);
        self.taken += reserved;
        Some(block)
    }

    /// The length and start of the free block from which `reserved` bytes are taken.
    fn fitting(&self, reserved: usize) -> Option<(usize, usize)> {
        let alignment = self.alignment(reserved);
        let &(length, start) = self.by_length.range((reserved, 0)..).next()?;
        if start.next_multiple_of(alignment) - start + reserved <= length {
            return Some((length, start));
        }
        // A block with so much more has room behind every start.
        let roomy = self.by_length.range((reserved + alignment - self.step, 0)..).next();
        Some(roomy.copied().unwrap_or((length, start)))
    }

    fn alignment(&self, reserved: usize) -> usize {
        if reserved / PAGES < self.page { self.step } else { self.page }
    }

    /// Gives back the block that starts at `start`.
    pub(crate) fn give(&mut self, start: usize) -> Option<Block> {
        let block = self.live.remove(start)?;
        self.taken -= block.reserved;
        let (mut start, mut length) = (start, block.reserved);
        if let Some((&before, &before_length)) = self.free.range(..start).next_back()
            && before + before_length == start
        {
            self.remove_free(before, before_length);
            start = before;
            length += before_length;
        }
        if let Some(&after_length) = self.free.get(&(start + length)) {
            self.remove_free(start + length, after_length);
            length += after_length;
        }
        self.insert_free(start, length);
        Some(block)
    }

    /// The live block that was asked for with `offset` in it.
    pub(crate) fn holding(&self, offset: usize) -> Option<Block> {
        self.live.holding(offset).map(|found| *found.value)
    }

    /// The live block that lies closest to `offset`.
    pub(crate) fn nearest(&self, offset: usize) -> Option<Block> {
        match (self.live.before(offset).copied(), self.live.after(offset).copied()) {
            (Some(before), Some(after)) => {
                let gap = offset.saturating_sub(before.start + before.requested);
                Some(if gap <= after.start - offset { before } else { after })
            }
            (one, other) => one.or(other),
        }
    }

    pub(crate) fn live(&self) -> impl Iterator<Item = Block> + '_ {
        self.live.values().copied()
    }

    fn insert_free(&mut self, start: usize, length: usize) {
        if length > 0 {
            self.free.insert(start, length);
            self.by_length.insert((length, start));
        }
    }

    fn remove_free(&mut self, start: usize, length: usize) {
        self.free.remove(&start);
        self.by_length.remove(&(length, start));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_aligned_and_neighbours_merge() {
        let mut heap = Heap::new(1000, 64, 1 << 20);
        assert_eq!(heap.largest_free(), 960);
        let starts: Vec<usize> = (0..3).map(|_| heap.take(1, 64).unwrap().start).collect();
        assert_eq!(starts, [0, 64, 128]);
        heap.give(0).unwrap();
        heap.give(128).unwrap();
        assert_eq!(heap.largest_free(), 960 - 128);
        heap.give(64).unwrap();
        assert_eq!((heap.largest_free(), heap.taken()), (960, 0));
        assert_eq!(heap.give(64), None);
        assert_eq!(heap.take(usize::MAX, usize::MAX), None);
    }

    #[test]
    fn the_smallest_block_that_fits_is_used() {
        let mut heap = Heap::new(64 * 100, 64, 1 << 20);
        let blocks: Vec<Block> =
            [10, 1, 3, 1, 5, 1].map(|units| heap.take(units * 64, units * 64).unwrap()).to_vec();
        for index in [0, 2, 4] {
            heap.give(blocks[index].start).unwrap();
        }
        assert_eq!(heap.take(192, 192).unwrap().start, blocks[2].start);
        assert_eq!(heap.take(256, 256).unwrap().start, blocks[4].start);
    }

    #[test]
    fn holding_and_nearest() {
        let mut heap = Heap::new(64 * 100, 64, 1 << 20);
        let a = heap.take(100, 128).unwrap();
        let gap = heap.take(64 * 10, 64 * 10).unwrap();
        let b = heap.take(100, 128).unwrap();
        heap.give(gap.start).unwrap();
        assert_eq!(heap.holding(99), Some(a));
        assert_eq!(heap.holding(100), None, "what was set aside beyond was not asked for");
        assert_eq!(heap.holding(b.start), Some(b));
        assert_eq!(heap.nearest(200), Some(a));
        assert_eq!(heap.nearest(b.start - 1), Some(b));
        assert_eq!(heap.nearest(6000), Some(b));
        assert_eq!(Heap::new(64, 64, 64).nearest(0), None);
    }

    /// A slow reference for the heap: one flag per unit.
    struct Model(Vec<bool>);

    impl Model {
        fn runs(&self) -> Vec<(usize, usize)> {
            let mut runs = Vec::new();
            let mut unit = 0;
            while unit < self.0.len() {
                let start = unit;
                while unit < self.0.len() && !self.0[unit] {
                    unit += 1;
                }
                if unit > start {
                    runs.push((unit - start, start));
                }
                unit += 1;
            }
            runs
        }

        /// The shortest run that holds the units; if they cannot be aligned there, the shortest in which they can be wherever
        /// it starts.
        fn place(&self, units: usize, alignment: usize) -> Option<usize> {
            let shortest =
                |least: usize| self.runs().into_iter().filter(|&(length, _)| length >= least).min();
            let aligned = |(length, start): (usize, usize)| {
                (start..start + length).find(|unit| unit % alignment == 0 && unit + units <= start + length)
            };
            let first = shortest(units)?;
            let roomy = || shortest(units + alignment - 1).and_then(aligned);
            Some(aligned(first).or_else(roomy).unwrap_or(first.1))
        }
    }

    #[test]
    fn agrees_with_a_naive_model() {
        const STEP: usize = 64;
        const UNITS: usize = 300;
        const PAGE: usize = 2 * STEP;
        let mut random = fastrand::Rng::with_seed(7);
        let mut heap = Heap::new(STEP * UNITS, STEP, PAGE);
        let mut model = Model(vec![false; UNITS]);
        let mut live: Vec<Block> = Vec::new();
        for _ in 0..20_000 {
            if live.is_empty() || random.usize(..2) == 0 {
                let most = STEP * if random.usize(..4) == 0 { 60 } else { 12 };
                let bytes = 1 + random.usize(..most);
                let units = bytes.div_ceil(STEP);
                let expected = model.place(units, if units * STEP < PAGES * PAGE { 1 } else { PAGE / STEP });
                let block = heap.take(bytes, bytes);
                assert_eq!(block.map(|block| block.start), expected.map(|unit| unit * STEP));
                if let Some(block) = block {
                    model.0[block.start / STEP..][..units].fill(true);
                    live.push(block);
                }
            } else {
                let block = live.swap_remove(random.usize(..live.len()));
                assert_eq!(heap.give(block.start), Some(block));
                model.0[block.start / STEP..][..block.reserved / STEP].fill(false);
            }
            let taken = model.0.iter().filter(|&&taken| taken).count() * STEP;
            let largest = model.runs().into_iter().max().map_or(0, |(length, _)| length * STEP);
            assert_eq!((heap.taken(), heap.largest_free()), (taken, largest));
            let offset = random.usize(..STEP * UNITS);
            let owner =
                live.iter().find(|block| (block.start..block.start + block.requested).contains(&offset));
            assert_eq!(heap.holding(offset), owner.copied());
        }
    }
}

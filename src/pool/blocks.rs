//! Segments cut into blocks: which blocks are free, in which stream's order, and how blocks are split and joined. This
//! module knows no device.
//!
//! The blocks of a segment know their neighbours. Free blocks are listed by order and size, so that the best fit is
//! found without a search through all blocks.

use std::collections::BTreeMap;

use slab::Slab;

use super::class::Class;

/// In place of a stream's id: the block is free for every stream.
pub(super) const EVERYBODY: u64 = 0;

/// In place of a stream's id: the block becomes free when the device is synchronised.
pub(super) const NOBODY: u64 = u64::MAX;

#[derive(Debug, Default)]
pub(super) struct Blocks {
    blocks: Slab<Block>,
    /// Sorted as [`Listed`]. The lists keep their capacity, so that nothing is allocated in the steady state.
    free: BTreeMap<(u64, Class), Vec<Listed>>,
    /// Counts the blocks that became free.
    clock: u64,
}

#[derive(Debug, Clone, Copy)]
struct Block {
    segment: usize,
    class: Class,
    offset: usize,
    size: usize,
    /// The neighbours in the segment.
    before: Option<usize>,
    after: Option<usize>,
    /// `None` while the block is in use.
    freed: Option<Freed>,
}

/// In which order and since when a block is free.
#[derive(Debug, Clone, Copy)]
pub(super) struct Freed {
    /// The stream in whose order the block is free, or [`EVERYBODY`], or [`NOBODY`].
    pub(super) order: u64,
    /// The moment on that stream after which no work uses the block.
    pub(super) moment: u64,
    /// The time at which the block became free, by the clock of all blocks.
    pub(super) since: u64,
}

/// A free block in its list. The smallest comes first, and among equal ones that of the oldest segment, so that the
/// youngest segments become empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Listed {
    size: usize,
    segment: usize,
    offset: usize,
    block: usize,
}

/// A block in use.
#[derive(Debug, Clone, Copy)]
pub(super) struct Taken {
    pub(super) block: usize,
    pub(super) segment: usize,
    pub(super) offset: usize,
    pub(super) size: usize,
    /// The moment, on the stream that the block was taken for, after which no earlier work uses it.
    pub(super) moment: u64,
}

/// The free memory: its bytes and blocks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Free {
    pub(super) bytes: usize,
    pub(super) blocks: usize,
    pub(super) largest: usize,
}

impl Blocks {
    /// Takes the smallest free block that a stream may use, cut to `size`.
    pub(super) fn take(&mut self, order: u64, class: Class, size: usize) -> Option<Taken> {
        let fits = |whose| {
            let list = self.free.get(&(whose, class))?;
            list.get(list.partition_point(|listed| listed.size < size))
        };
        let &Listed { block, .. } = [order, EVERYBODY].into_iter().filter_map(fits).min()?;
        let freed = self.strike(block)?;
        self.cut(block, size, Freed { order, ..freed });
        self.taken(block, freed.moment)
    }

    /// Takes a block of a new segment.
    pub(super) fn grow(
        &mut self,
        segment: (usize, usize),
        order: u64,
        class: Class,
        size: usize,
    ) -> Option<Taken> {
        let (segment, whole) = segment;
        let whole = Block { segment, class, offset: 0, size: whole, before: None, after: None, freed: None };
        let block = self.blocks.insert(whole);
        self.cut(block, size, Freed { order, moment: 0, since: 0 });
        self.taken(block, 0)
    }

    fn taken(&self, block: usize, moment: u64) -> Option<Taken> {
        let &Block { segment, offset, size, .. } = self.blocks.get(block)?;
        Some(Taken { block, segment, offset, size, moment })
    }

    /// Takes a block back and returns its size.
    pub(super) fn give(&mut self, block: usize, order: u64, moment: u64) -> usize {
        let size = self.blocks.get(block).map_or(0, |block| block.size);
        self.clock += 1;
        self.list(block, Freed { order, moment, since: self.clock });
        size
    }

    /// Returns the current time, by the clock of all blocks.
    pub(super) fn now(&self) -> u64 {
        self.clock
    }

    /// Makes free blocks free for every stream.
    pub(super) fn release(&mut self, which: impl Fn(&Freed) -> bool) {
        let of_streams = self.free.iter().filter(|((order, _), _)| *order != EVERYBODY);
        let listed = of_streams.flat_map(|(_, list)| list).map(|listed| listed.block);
        let freed = |&block: &usize| self.blocks.get(block).and_then(|block| block.freed);
        let released: Vec<_> =
            listed.filter(|block| freed(block).is_some_and(|freed| which(&freed))).collect();
        for block in released {
            self.strike(block);
            self.list(block, Freed { order: EVERYBODY, moment: 0, since: 0 });
        }
    }

    /// As [`Blocks::release`], for all blocks of a stream that has ended.
    pub(super) fn end(&mut self, order: u64) {
        self.release(|freed| freed.order == order);
        self.free.retain(|(whose, _), _| *whose != order);
    }

    /// Removes segments that are free for every stream, large ones first, as long as `keep` bytes stay free.
    pub(super) fn remove_segments(&mut self, keep: usize) -> Vec<usize> {
        let whole = |block: &Block| block.before.is_none() && block.after.is_none();
        let lists = Class::ALL.into_iter().filter_map(|class| self.free.get(&(EVERYBODY, class)));
        let mut segments: Vec<_> = lists
            .flatten()
            .filter(|listed| self.blocks.get(listed.block).is_some_and(whole))
            .copied()
            .collect();
        segments.sort_unstable_by(|a, b| b.cmp(a));
        let mut left = self.free().bytes;
        segments.retain(|listed| {
            let goes = left >= keep.saturating_add(listed.size);
            if goes {
                left -= listed.size;
                self.strike(listed.block);
                self.blocks.try_remove(listed.block);
            }
            goes
        });
        segments.into_iter().map(|listed| listed.segment).collect()
    }

    pub(super) fn free(&self) -> Free {
        let mut free = Free::default();
        for listed in self.free.values().flatten() {
            free.bytes += listed.size;
            free.blocks += 1;
            free.largest = free.largest.max(listed.size);
        }
        free
    }

    /// Shortens a block in use to `size`, if the rest, which then becomes free, is worth it.
    fn cut(&mut self, block: usize, size: usize, freed: Freed) -> Option<()> {
        let first = self.blocks.get_mut(block)?;
        let rest = first.size.checked_sub(size).filter(|&rest| first.class.is_worth_splitting(rest))?;
        first.size = size;
        let rest = Block { offset: first.offset + size, size: rest, before: Some(block), ..*first };
        let second = self.blocks.insert(rest);
        self.blocks.get_mut(block)?.after = Some(second);
        if let Some(after) = rest.after {
            self.blocks.get_mut(after)?.before = Some(second);
        }
        self.list(second, freed)
    }

    /// Makes a block free, joined with its neighbours that are free in the same order.
    fn list(&mut self, mut block: usize, mut freed: Freed) -> Option<()> {
        let &Block { before, after, .. } = self.blocks.get(block)?;
        if let Some(after) = after.filter(|&after| self.is_free(after, freed.order)) {
            freed = freed.and(self.strike(after)?);
            self.join(block, after)?;
        }
        if let Some(before) = before.filter(|&before| self.is_free(before, freed.order)) {
            freed = freed.and(self.strike(before)?);
            self.join(before, block)?;
            block = before;
        }
        let whole = self.blocks.get_mut(block)?;
        whole.freed = Some(freed);
        let &mut Block { segment, class, offset, size, .. } = whole;
        let listed = Listed { size, segment, offset, block };
        let list = self.free.entry((freed.order, class)).or_default();
        list.insert(list.partition_point(|other| *other < listed), listed);
        Some(())
    }

    fn is_free(&self, block: usize, order: u64) -> bool {
        let freed = self.blocks.get(block).and_then(|block| block.freed);
        freed.is_some_and(|freed| freed.order == order)
    }

    /// Adds a block to the one before it.
    fn join(&mut self, first: usize, second: usize) -> Option<()> {
        let second = self.blocks.try_remove(second)?;
        let block = self.blocks.get_mut(first)?;
        block.size += second.size;
        block.after = second.after;
        if let Some(after) = second.after {
            self.blocks.get_mut(after)?.before = Some(first);
        }
        Some(())
    }

    /// Removes a free block from its list, to be used.
    fn strike(&mut self, block: usize) -> Option<Freed> {
        let &mut Block { segment, class, offset, size, ref mut freed, .. } = self.blocks.get_mut(block)?;
        let freed = freed.take()?;
        let list = self.free.get_mut(&(freed.order, class))?;
        if let Ok(place) = list.binary_search(&Listed { size, segment, offset, block }) {
            list.remove(place);
        }
        Some(freed)
    }
}

impl Freed {
    /// Combines the states of two neighbours that are joined.
    fn and(self, other: Freed) -> Freed {
        let (moment, since) = (self.moment.max(other.moment), self.since.max(other.since));
        Freed { order: self.order, moment, since }
    }
}

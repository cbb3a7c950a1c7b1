//! Sizes of blocks, and of the segments that blocks are cut from.

/// The unit of block sizes and of block positions within a segment. It is the alignment of the device, and large enough
/// that a block can be used again for tensors of nearly the same size.
const GRANULE: usize = 512;

/// The bytes left unused behind each allocation, as in the device's own allocator: kernels move whole units of 32
/// bytes. On the 950 the allocator leaves none, as nothing there needs them.
pub(super) const SPARE: usize = 32;

const MIB: usize = 1 << 20;

/// The largest small block.
const SMALL: usize = MIB;

/// The page size with which the device maps large allocations. Segments are made of whole pages.
const PAGE: usize = 2 * MIB;

/// The size of a shared segment. Large blocks below half of it share one, so that not every tensor of some megabytes
/// costs a call of the device, and one such block does not keep a segment of its own.
const SHARED: usize = 20 * MIB;

/// The class of a block. Small blocks have segments of their own, so that no scalar keeps a large segment from becoming
/// whole again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    Small,
    Large,
}

impl Class {
    pub(super) const ALL: [Class; 2] = [Class::Small, Class::Large];

    /// Returns the class of blocks of a size.
    pub(super) fn of(size: usize) -> Class {
        if size <= SMALL { Class::Small } else { Class::Large }
    }

    /// Returns the size of a segment for a block of a size.
    pub(super) fn segment(self, size: usize) -> usize {
        match self {
            Class::Small => PAGE,
            Class::Large if size < SHARED / 2 => SHARED,
            Class::Large => size.checked_next_multiple_of(PAGE).unwrap_or(size),
        }
    }

    /// Returns whether a block of `rest` bytes is large enough to be useful. Otherwise it is not split off.
    pub(super) fn is_worth_splitting(self, rest: usize) -> bool {
        match self {
            Class::Small => rest > 0,
            Class::Large => rest > SMALL,
        }
    }
}

/// Returns the size of a block for `bytes`, or `usize::MAX`, which no device has, if that size overflows.
pub(super) fn block_size(bytes: usize) -> usize {
    let size = bytes.checked_add(SPARE).and_then(|bytes| bytes.checked_next_multiple_of(GRANULE));
    size.unwrap_or(usize::MAX)
}

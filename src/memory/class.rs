//! Sizes: of blocks, and of the segments they are cut from.

/// Sizes of blocks are multiples of it, and so is where they start in their segment: what the device aligns to, and coarse
/// enough for blocks to be used again for tensors of nearly the same size.
const GRANULE: usize = 512;

/// Bytes behind what is asked for, which the device's own allocator leaves as well: kernels move whole units of 32. On the
/// 950 it leaves none, as nothing there needs them.
pub(super) const SPARE: usize = 32;

const MIB: usize = 1 << 20;

/// The largest small block.
const SMALL: usize = MIB;

/// The page that the device maps large allocations with. Segments are made of whole ones.
const PAGE: usize = 2 * MIB;

/// Large blocks below half of it share a segment of this size, so that tensors of some megabytes do not each cost a call
/// of the device, and a segment is not kept by one of them for nothing.
const SHARED: usize = 20 * MIB;

/// Small blocks have segments of their own, so that no scalar keeps a large segment from being whole again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    Small,
    Large,
}

impl Class {
    pub(super) const ALL: [Class; 2] = [Class::Small, Class::Large];

    /// The class of blocks of a size.
    pub(super) fn of(size: usize) -> Class {
        if size <= SMALL { Class::Small } else { Class::Large }
    }

    /// The size of a segment for a block of a size.
    pub(super) fn segment(self, size: usize) -> usize {
        match self {
            Class::Small => PAGE,
            Class::Large if size < SHARED / 2 => SHARED,
            Class::Large => size.checked_next_multiple_of(PAGE).unwrap_or(size),
        }
    }

    /// Whether a block of `rest` bytes could serve anybody. Else it stays with the block that it would be split from.
    pub(super) fn is_worth_splitting(self, rest: usize) -> bool {
        match self {
            Class::Small => rest > 0,
            Class::Large => rest > SMALL,
        }
    }
}

/// The size of a block for `bytes`; the largest there is, which no device has, where that cannot be counted.
pub(super) fn block_size(bytes: usize) -> usize {
    let size = bytes.checked_add(SPARE).and_then(|bytes| bytes.checked_next_multiple_of(GRANULE));
    size.unwrap_or(usize::MAX)
}

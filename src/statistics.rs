//! Counts of the memory of a device.

use std::fmt;

/// The memory of a device that this crate holds, from [`Device::memory_statistics`](crate::Device::memory_statistics).
///
/// This memory is taken from the device in segments, which are cut into blocks for tensors and for the workspace of
/// operators. Sizes are in bytes. While no other thread allocates, `live + cached == reserved`.
///
/// ```
/// use aclnn::{DType, Device, Tensor};
///
/// let device = Device::open(0)?;
/// let ones = Tensor::ones(&device, [1000], DType::F32)?;
/// let memory = device.memory_statistics();
/// assert!(memory.requested >= 4000 && memory.live >= memory.requested);
/// println!("{memory}");
/// # drop(ones);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoryStatistics {
    /// The bytes in use, as they were asked for.
    pub requested: usize,
    /// The bytes in use, rounded up to blocks.
    pub live: usize,
    /// The number of blocks in use.
    pub live_blocks: usize,
    /// The cached bytes, kept for later tensors. Queued work may still use some of them.
    pub cached: usize,
    /// The number of free blocks.
    pub cached_blocks: usize,
    /// The size of the largest free block.
    pub largest_cached: usize,
    /// The bytes taken from the device.
    pub reserved: usize,
    /// The number of segments taken from the device.
    pub segments: usize,
    /// The largest value of `live` so far.
    pub peak_live: usize,
    /// The largest value of `reserved` so far.
    pub peak_reserved: usize,
    /// The number of allocations that were served from cached memory.
    pub from_cache: u64,
    /// The number of allocations for which a segment was taken from the device.
    pub from_device: u64,
    /// The limit of `reserved`, if one was set.
    pub limit: Option<usize>,
}

impl MemoryStatistics {
    /// Returns the part of the cached memory that is not in its largest block: 1 − `largest_cached` / `cached`. The
    /// value is 0 if all cached memory is one block or there is none, and near 1 if it lies in many small pieces.
    #[inline]
    pub fn fragmentation(&self) -> f64 {
        if self.cached == 0 { 0.0 } else { 1.0 - self.largest_cached as f64 / self.cached as f64 }
    }
}

/// Formats as, for example, `live 3.9 KiB in 1 block (peak 3.9 KiB), cached 2.0 MiB in 1 block (0 % fragmented),
/// reserved 2.0 MiB in 1 segment (peak 2.0 MiB); 9 of 10 allocations from the cache`.
impl fmt::Display for MemoryStatistics {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "live {} in {} (peak {}), cached {} in {} ({:.0} % fragmented), reserved {} in {} (peak {}",
            Bytes(self.live),
            Count(self.live_blocks, "block"),
            Bytes(self.peak_live),
            Bytes(self.cached),
            Count(self.cached_blocks, "block"),
            self.fragmentation() * 100.0,
            Bytes(self.reserved),
            Count(self.segments, "segment"),
            Bytes(self.peak_reserved),
        )?;
        if let Some(limit) = self.limit {
            write!(f, ", limit {}", Bytes(limit))?;
        }
        write!(
            f,
            "); {} of {} allocations from the cache",
            self.from_cache,
            self.from_cache + self.from_device
        )
    }
}

struct Bytes(usize);

impl fmt::Display for Bytes {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0 as f64;
        match self.0 {
            0..0x400 => write!(f, "{} B", self.0),
            0x400..0x10_0000 => write!(f, "{:.1} KiB", bytes / 1024.0),
            0x10_0000..0x4000_0000 => write!(f, "{:.1} MiB", bytes / (1024.0 * 1024.0)),
            _ => write!(f, "{:.1} GiB", bytes / (1024.0 * 1024.0 * 1024.0)),
        }
    }
}

struct Count(usize, &'static str);

impl fmt::Display for Count {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}{}", self.0, self.1, if self.0 == 1 { "" } else { "s" })
    }
}

//! What the memory of a device is used for.

use std::fmt;

/// Memory of a device that this crate holds, from [`Device::memory_statistics`](crate::Device::memory_statistics).
///
/// It is taken from the device in segments, which are cut into blocks for tensors and for the workspace of operators.
/// Sizes are in bytes. While no other thread allocates, `live + cached == reserved`.
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
    /// In use, as it was asked for.
    pub requested: usize,
    /// In use, as blocks are rounded.
    pub live: usize,
    /// Number of blocks in use.
    pub live_blocks: usize,
    /// Held for the next tensors. Some of it may still be waited for.
    pub cached: usize,
    /// Number of free blocks.
    pub cached_blocks: usize,
    /// The largest free block.
    pub largest_cached: usize,
    /// Taken from the device.
    pub reserved: usize,
    /// Number of segments taken from the device.
    pub segments: usize,
    /// The most that `live` has been.
    pub peak_live: usize,
    /// The most that `reserved` has been.
    pub peak_reserved: usize,
    /// Number of allocations that were served from the cache.
    pub from_cache: u64,
    /// Number of allocations for which a segment was taken from the device.
    pub from_device: u64,
    /// What `reserved` may not exceed, if that was set.
    pub limit: Option<usize>,
}

impl MemoryStatistics {
    /// How much of the cached memory is not in its largest block: 1 − `largest_cached` / `cached`. 0 where all of it is
    /// one block, or there is none; near 1 where it lies in many small pieces.
    pub fn fragmentation(&self) -> f64 {
        if self.cached == 0 { 0.0 } else { 1.0 - self.largest_cached as f64 / self.cached as f64 }
    }
}

/// For example `live 3.9 KiB in 1 block (peak 3.9 KiB), cached 2.0 MiB in 1 block (0 % fragmented), reserved 2.0 MiB in 1
/// segment (peak 2.0 MiB); 9 of 10 allocations from the cache`.
impl fmt::Display for MemoryStatistics {
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
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}{}", self.0, self.1, if self.0 == 1 { "" } else { "s" })
    }
}

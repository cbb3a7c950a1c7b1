//! The public memory functions of a device.

use crate::device::Device;
use crate::error::Result;
use crate::fork;
use crate::statistics::MemoryStatistics;

/// The free and total memory of a device, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoryInfo {
    /// The bytes that are not allocated. Memory that this crate keeps cached counts as allocated.
    pub free: usize,
    /// The bytes of memory that the device has.
    pub total: usize,
}

impl Device {
    /// Returns the free and total memory of the device.
    ///
    /// # Errors
    /// What the library returned.
    #[doc(alias = "aclrtGetMemInfo")]
    pub fn memory_info(&self) -> Result<MemoryInfo> {
        let (free, total) = self.bind()?.memory_info()?;
        Ok(MemoryInfo { free, total })
    }

    /// Returns counts of the memory that this crate holds on the device; all are 0 in a process that was forked.
    pub fn memory_statistics(&self) -> MemoryStatistics {
        if fork::is_forked() { MemoryStatistics::default() } else { self.pool().statistics() }
    }

    /// Resets the peaks of [`Device::memory_statistics`] to the current values.
    pub fn reset_memory_peaks(&self) {
        if !fork::is_forked() {
            self.pool().reset_peaks();
        }
    }

    /// Runs `work`, and returns the most bytes that were in use at once meanwhile, beyond those in use before. What other
    /// threads use on the device meanwhile counts too. The peaks of [`Device::memory_statistics`] go on as if nobody had
    /// asked.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let (sum, bytes) = device.memory_peak_of(|| Tensor::ones(&device, [1 << 20], DType::F32)?.sum(..));
    /// assert!(bytes >= 4 << 20);
    /// # let _ = sum?;
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    pub fn memory_peak_of<T>(&self, work: impl FnOnce() -> T) -> (T, usize) {
        if fork::is_forked() {
            return (work(), 0);
        }
        let (before, peak) = self.pool().swap_peak(0);
        let result = work();
        let (_, reached) = self.pool().swap_peak(peak);
        if reached > peak {
            self.pool().swap_peak(reached);
        }
        (result, reached.saturating_sub(before))
    }

    /// Sets the most bytes that are taken from the device for tensors, or removes the limit. Memory that is held
    /// already stays, even beyond the limit, until it is unused and [trimmed](Device::trim).
    ///
    /// ```
    /// use aclnn::{DType, Device, Error, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// device.set_memory_limit(Some(32 << 20));
    /// let refused = Tensor::zeros(&device, [64 << 20], DType::I8);
    /// assert!(matches!(refused, Err(Error::OutOfMemory { .. })));
    /// device.set_memory_limit(None);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    pub fn set_memory_limit(&self, bytes: Option<usize>) {
        if !fork::is_forked() {
            self.pool().set_limit(bytes);
        }
    }

    /// Waits for all work and returns cached memory to the device, in whole segments. Also frees the pinned memory of
    /// dropped transfers.
    ///
    /// # Errors
    /// What the library returned. Work that failed is reported by its stream.
    #[doc(alias = "aclrtFree")]
    pub fn trim(&self) -> Result<()> {
        self.trim_to(0)
    }

    /// Returns cached memory to the device like [`Device::trim`], but keeps at least `bytes` of it, if there is that
    /// much.
    ///
    /// # Errors
    /// Those of [`Device::trim`].
    #[doc(alias = "aclrtFree")]
    pub fn trim_to(&self, bytes: usize) -> Result<()> {
        let bound = self.bind()?;
        let host = self.retired().release(self.streams(), &bound);
        self.pool().trim(bytes, self.streams(), &bound).and(host)
    }
}

//! Device memory: buffers that know which streams use them, and a pool that takes them back in the order of a stream.
//!
//! A buffer belongs to the stream it was allocated for. When its last tensor goes, that stream waits for every other
//! one that used it, and the memory returns to the pool: work queued later on the same stream may have it at once, that
//! of other streams once it is known to be idle. It is freed only after the device was synchronised.
//!
//! [`class`] chooses sizes, [`blocks`] splits and joins, [`pool`] asks the device for more; [`buffer`] is memory in use,
//! [`uses`] which streams use it, [`shared`] the handle that tensors hold; [`device`] and [`statistics`] face the user.

mod blocks;
mod buffer;
mod class;
mod device;
#[cfg(test)]
mod model;
mod pool;
mod shared;
mod statistics;
mod uses;

use crate::error::{Error, Result};

pub(crate) use buffer::Buffer;
pub(crate) use pool::Pool;
pub(crate) use shared::SharedBuffer;
pub use statistics::MemoryStatistics;
pub(crate) use uses::Uses;

/// Memory of the host, or an error where it has too little.
pub(crate) fn host_zeros(bytes: usize) -> Result<Vec<u8>> {
    bytemuck::allocation::try_zeroed_vec(bytes).map_err(|()| Error::HostMemory { bytes })
}

//! Device memory in use: buffers that know which streams use them.
//!
//! A buffer belongs to the stream it was allocated for. When its last tensor is dropped, that stream waits for every
//! other stream that used the buffer, and the memory returns to the [pool](crate::pool). Work queued later on the same
//! stream may use the memory at once; work on other streams may use it when the first stream is known to be idle. Memory
//! is freed only after the device was synchronised.
//!
//! [`buffer`] is memory in use, [`uses`] records which streams use it, [`shared_buffer`] is the handle that tensors
//! hold; [`device`] is the public part.

mod buffer;
mod device;
mod shared_buffer;
mod uses;

use crate::error::{Error, Result};

pub(crate) use buffer::Buffer;
pub use device::MemoryInfo;
pub(crate) use shared_buffer::SharedBuffer;
pub(crate) use uses::Uses;

/// Allocates zeroed memory of the host, or returns an error where the host has too little.
pub(crate) fn host_zeros(bytes: usize) -> Result<Vec<u8>> {
    bytemuck::allocation::try_zeroed_vec(bytes).map_err(|()| Error::HostMemory { bytes })
}

//! Copies between host and device: those that wait, and those that run beside the host.
//!
//! [`copy`] copies slices and vectors, and waits. [`buffer`] owns pinned memory, and [`transfer`] takes a buffer for the
//! time of a copy, so that no other code uses the memory meanwhile. The [device](crate::device) keeps the memory of a
//! dropped transfer until the copy is over.

mod buffer;
mod copy;
mod transfer;

pub use buffer::HostBuffer;
pub use transfer::{Transfer, TransferError};

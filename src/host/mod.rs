//! Pinned host memory, and copies that run beside the host.
//!
//! [`buffer`] owns pinned memory. [`transfer`] takes a buffer for the time of a copy, so that no other code uses the
//! memory meanwhile. [`retired`] keeps the memory of a dropped transfer until the copy is over.

mod buffer;
mod retired;
mod transfer;

pub use buffer::HostBuffer;
pub use transfer::{Transfer, TransferError};

pub(crate) use retired::Retired;

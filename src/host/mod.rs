//! Pinned host memory, and copies that run beside the host.
//!
//! [`buffer`] owns pinned memory. [`transfer`] takes a buffer for the time of a copy, so that nobody reaches the memory
//! meanwhile. [`retired`] keeps memory whose transfer was dropped until the copy is over.

mod buffer;
mod retired;
mod transfer;

pub use buffer::HostBuffer;
pub use transfer::{Transfer, TransferError};

pub(crate) use retired::Retired;

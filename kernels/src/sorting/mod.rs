//! The order of elements. [`keys`] turns them into unsigned numbers, so that one kernel serves every type.

mod bytes;
pub(crate) mod greatest;
pub mod keys;
pub mod search;
pub mod sort;
pub mod unique;

//! Virtual memory: reserve addresses, take physical memory, map, use, unmap, free, release.
//!
//! `physical` memory is a file without a name that may be mapped at several addresses of a `space`. Undoing the steps in
//! another order is refused: freeing what is mapped, and releasing addresses where something is mapped.

mod entry;
pub(super) mod physical;
pub(super) mod space;

pub(super) use entry::SYMBOLS;

//! The emulated product: its cores and caches, its devices, and the versions of the software.

pub(crate) mod devices;
mod properties;
mod version;

pub(crate) use properties::{LEAST_PRIORITY, emulated};

use crate::entry::EntryPoint;

/// The entry points of this module.
pub(crate) const SYMBOLS: &[&[EntryPoint]] = &[version::SYMBOLS];

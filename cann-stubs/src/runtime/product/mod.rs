//! The emulated product: its cores, caches and capabilities, and the versions of its software.

mod capability;
mod properties;
mod version;

pub(crate) use properties::{LEAST_PRIORITY, emulated};

use crate::entry::EntryPoint;

/// The entry points of this module.
pub(super) const SYMBOLS: &[&[EntryPoint]] = &[capability::SYMBOLS, version::SYMBOLS];

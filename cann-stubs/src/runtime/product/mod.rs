//! What is emulated: the product with its cores and caches, the devices that there are, and the versions of the software.

pub(crate) mod devices;
mod properties;
mod version;

pub(crate) use properties::{LEAST_PRIORITY, emulated};

use crate::entry::EntryPoint;

/// The entry points of this module.
pub(crate) const SYMBOLS: &[&[EntryPoint]] = &[version::SYMBOLS];

//! Devices of the program: what setting and resetting them begins and ends, what programs ask them, and the settings of
//! devices and of the process, which are only stored.

mod capability;
mod entry;
mod health;
pub(crate) mod options;
pub(crate) mod reset;
pub(crate) mod resources;

use crate::entry::EntryPoint;

/// The entry points of this module.
pub(crate) const SYMBOLS: &[&[EntryPoint]] =
    &[capability::SYMBOLS, entry::SYMBOLS, health::SYMBOLS, options::SYMBOLS, resources::SYMBOLS];

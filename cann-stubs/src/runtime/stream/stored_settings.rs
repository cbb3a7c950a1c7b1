//! The settings that a program stores for a stream and reads back: limits of cores, attributes, an allocator.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::small_map::SmallMap;

/// The settings that the program stored for a stream.
#[derive(Debug, Default)]
pub(crate) struct StoredSettings(Mutex<Told>);

#[derive(Debug, Default)]
struct Told {
    limits: SmallMap<u32, u32>,
    attributes: SmallMap<u32, u32>,
    allocator: bool,
}

impl StoredSettings {
    fn told(&self) -> MutexGuard<'_, Told> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The limit for a kind of core, where there is one.
    pub(crate) fn limit(&self, kind: u32) -> Option<u32> {
        self.told().limits.get(&kind).copied()
    }

    pub(crate) fn set_limit(&self, kind: u32, cores: u32) {
        self.told().limits.insert(kind, cores);
    }

    pub(crate) fn forget_limits(&self) {
        self.told().limits.clear();
    }

    pub(crate) fn attribute(&self, which: u32) -> Option<u32> {
        self.told().attributes.get(&which).copied()
    }

    pub(crate) fn set_attribute(&self, which: u32, value: u32) {
        self.told().attributes.insert(which, value);
    }

    pub(crate) fn lend_allocator(&self) {
        self.told().allocator = true;
    }

    /// Returns whether there was one.
    pub(crate) fn take_allocator(&self) -> bool {
        std::mem::take(&mut self.told().allocator)
    }
}

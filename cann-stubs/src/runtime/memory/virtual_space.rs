//! The addresses of a device where physical memory can be mapped.

use std::io;
use std::os::fd::AsFd;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use aclnn_sys::{
    ACL_MEM_LOCATION_TYPE_DEVICE, ACL_RT_MEM_ACCESS_FLAGS_NONE, ACL_RT_MEM_ACCESS_FLAGS_READWRITE,
};

use super::heap::Heap;
use super::physical::Physical;
use super::window::{LARGE_PAGE, Window};
use crate::check::tracker;
use crate::ranges::Ranges;
use crate::runtime::code;
use crate::small_map::SmallMap;
use crate::status::{Result, Status};
use crate::sync::{Mutex, MutexGuard};

/// Step in which addresses are reserved and physical memory is taken.
pub(super) const GRANULARITY: usize = LARGE_PAGE;

/// Addresses of a device where physical memory can be mapped.
#[derive(Debug)]
pub(crate) struct VirtualSpace {
    device: i32,
    window: Window,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    reserved: Heap,
    mappings: Ranges<Mapping>,
}

#[derive(Debug)]
struct Mapping {
    /// The first offset.
    start: usize,
    physical: Arc<Physical>,
    /// Set by `aclrtMemSetAccess`, by kind and number of the location. Other devices need one; reading and writing are not
    /// told apart.
    access: SmallMap<(u32, u32), u32>,
}

impl VirtualSpace {
    pub(super) fn reserve(device: i32, len: usize) -> io::Result<Self> {
        let window = Window::reserve(len)?;
        let reserved = Heap::new(window.len(), GRANULARITY, GRANULARITY);
        Ok(VirtualSpace { device, window, state: Mutex::new(State { reserved, mappings: Ranges::new() }) })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How far into the space `address` lies.
    pub(super) fn offset(&self, address: usize) -> Option<usize> {
        self.window.offset(address)
    }

    pub(super) fn holds(&self, address: usize) -> bool {
        self.offset(address).is_some()
    }

    pub(super) fn reserve_addresses(&self, size: usize) -> Result<usize> {
        let mut state = self.state();
        let Some(block) = state.reserved.take(size, size) else {
            let largest = state.reserved.largest_free();
            let message = format!(
                "device {} cannot reserve {size} bytes of addresses: {largest} are left",
                self.device
            );
            return Err(Status::new(code::MEMORY_ALLOCATION, message));
        };
        Ok(self.window.start() + block.start)
    }

    pub(super) fn release_addresses(&self, offset: usize) -> Result {
        let mut state = self.state();
        let address = self.window.start() + offset;
        let Some(block) = state.reserved.holding(offset).filter(|block| block.start == offset) else {
            return Err(Status::new(
                code::PARAM_INVALID,
                format_args!("no reserved range starts at {address:#x}"),
            ));
        };
        let next = state.mappings.get(offset).or_else(|| state.mappings.after(offset));
        if let Some(mapping) = next.filter(|mapping| mapping.start < offset + block.reserved) {
            let mapped = self.window.start() + mapping.start;
            let message = format!("memory is still mapped at {mapped:#x}; unmap it first");
            return Err(Status::new(code::PARAM_INVALID, message));
        }
        state.reserved.give(offset);
        Ok(())
    }

    pub(super) fn map(&self, offset: usize, physical: Arc<Physical>) -> Result {
        let mut state = self.state();
        let (size, address) = (physical.size, self.window.start() + offset);
        let refuse = |message: String| Err(Status::new(code::PARAM_INVALID, message));
        let Some(range) = state.reserved.holding(offset) else {
            return refuse(format!("{address:#x} lies in no reserved range"));
        };
        if size > range.start + range.reserved - offset {
            return refuse(format!("{size} bytes at {address:#x} reach past the end of the reserved range"));
        }
        let mut is_mapped = false;
        state.mappings.touching(offset, offset + size, |_| is_mapped = true);
        if is_mapped {
            return refuse(format!("memory is mapped already somewhere in {size} bytes at {address:#x}"));
        }
        self.window.map(offset, size, physical.file.as_fd()).map_err(|why| {
            let message = format!("the system refuses to map {size} bytes at {address:#x}: {why}");
            Status::new(code::MEMORY_ALLOCATION, message)
        })?;
        physical.mapped.fetch_add(1, Ordering::Relaxed);
        let mapping = Mapping { start: offset, physical, access: SmallMap::new() };
        state.mappings.insert(offset, offset + size, mapping);
        tracker::lent(address, size);
        Ok(())
    }

    /// Takes back a mapping that no queued work uses.
    pub(super) fn unmap(&self, offset: usize) -> Result {
        let mut state = self.state();
        tracker::may_go(self.window.start() + offset, code::PARAM_INVALID, "stays mapped")?;
        self.take_off(&mut state, offset)
    }

    fn take_off(&self, state: &mut State, offset: usize) -> Result {
        let address = self.window.start() + offset;
        let Some(mapping) = state.mappings.remove(offset) else {
            return Err(Status::new(code::PARAM_INVALID, format_args!("no mapping starts at {address:#x}")));
        };
        mapping.physical.mapped.fetch_sub(1, Ordering::Relaxed);
        tracker::died(address, address + 1);
        self.window.unmap(offset, mapping.physical.size).map_err(|why| {
            let message = format!("the system refuses to unmap: {why}");
            Status::new(code::INTERNAL_ERROR, message)
        })
    }

    /// As `DeviceMemory::find`: a range may span mappings that touch.
    pub(super) fn find(&self, address: usize, len: usize) -> Option<Result<*mut u8>> {
        let offset = self.window.offset(address)?;
        let state = self.state();
        let mut reached = offset;
        while reached < offset.saturating_add(len) {
            match state.mappings.holding(reached) {
                Some(found) => reached = found.end,
                None => {
                    let at = self.window.start() + reached;
                    let message = format!(
                        "[{address:#x}, +{len} bytes) is virtual memory of device {} where nothing is mapped at {at:#x}",
                        self.device
                    );
                    return Some(Err(Status::new(code::PARAM_INVALID, message)));
                }
            }
        }
        Some(Ok(self.window.bytes(offset)))
    }

    pub(super) fn extent(&self, address: usize) -> Option<(usize, usize)> {
        let offset = self.window.offset(address)?;
        self.holding(&self.state(), offset, |mapping| {
            (self.window.start() + mapping.start, mapping.physical.size)
        })
    }

    fn holding<T>(&self, state: &State, offset: usize, read: impl FnOnce(&Mapping) -> T) -> Option<T> {
        state.mappings.holding(offset).map(|found| read(found.value))
    }

    /// What is mapped at `offset`.
    pub(super) fn physical_at(&self, offset: usize) -> Option<Arc<Physical>> {
        self.holding(&self.state(), offset, |mapping| Arc::clone(&mapping.physical))
    }

    /// Unmaps everything and forgets what was reserved.
    pub(super) fn clear(&self) {
        let mut state = self.state();
        let starts: Vec<usize> = state.mappings.values().map(|mapping| mapping.start).collect();
        for start in starts {
            // Where the system refuses, the pages stay and the mapping is forgotten.
            let _ = self.take_off(&mut state, start);
        }
        state.reserved = Heap::new(self.window.len(), GRANULARITY, GRANULARITY);
    }

    pub(super) fn set_access(&self, offset: usize, len: usize, place: (u32, u32), flags: u32) -> Result {
        let mut state = self.state();
        let end = offset.saturating_add(len);
        let mut found = false;
        state.mappings.touching(offset, end, |mapping| {
            // One that only ends there keeps its access.
            if mapping.start >= offset {
                mapping.access.insert(place, flags);
                found = true;
            }
        });
        let nothing = || Status::new(code::PARAM_INVALID, "no mapping starts in this range");
        found.then_some(()).ok_or_else(nothing)
    }

    /// Returns whether `device`, which is not the one of this space, reaches what is mapped at `address`: the physical
    /// memory is its own, or `aclrtMemSetAccess` opened the mapping to it.
    pub(super) fn is_open_to(&self, address: usize, device: i32) -> bool {
        let place = (ACL_MEM_LOCATION_TYPE_DEVICE.0, device as u32);
        let opened = |mapping: &Mapping| {
            let flags = mapping.access.get(&place).copied().unwrap_or(ACL_RT_MEM_ACCESS_FLAGS_NONE.0);
            mapping.physical.device() == device || flags != ACL_RT_MEM_ACCESS_FLAGS_NONE.0
        };
        let offset = self.window.offset(address);
        offset
            .and_then(|offset| self.holding(&self.state(), offset, |mapping| opened(mapping)))
            .unwrap_or(false)
    }

    pub(super) fn access(&self, offset: usize, place: (u32, u32)) -> Option<u32> {
        let own = (ACL_MEM_LOCATION_TYPE_DEVICE.0, self.device as u32);
        let default =
            if place == own { ACL_RT_MEM_ACCESS_FLAGS_READWRITE } else { ACL_RT_MEM_ACCESS_FLAGS_NONE };
        self.holding(&self.state(), offset, |mapping| {
            mapping.access.get(&place).copied().unwrap_or(default.0)
        })
    }
}

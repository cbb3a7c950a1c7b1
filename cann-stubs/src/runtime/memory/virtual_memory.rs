//! Virtual memory: reserve addresses, take physical memory, map, use, unmap, free, release.
//!
//! Physical memory is a file without a name that may be mapped at several addresses. Undoing the steps in another order
//! is refused: freeing what is mapped, and releasing addresses where something is mapped.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError};

use aclnn_sys::{
    ACL_MEM_LOCATION_TYPE_DEVICE, ACL_RT_MEM_ACCESS_FLAGS_NONE, ACL_RT_MEM_ACCESS_FLAGS_READWRITE,
    ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED, aclrtMemAccessDesc,
    aclrtMemGranularityOptions, aclrtMemLocation, aclrtPhysicalMemProp,
};
use rustix::fs::{MemfdFlags, ftruncate, memfd_create};

use super::DeviceMemory;
use super::heap::Heap;
use super::window::{LARGE_PAGE, Window};
use crate::check::objects::Live;
use crate::check::tracker;
use crate::entry::{Address, Array, Handle, Out, entry_points, plain_parameters};
use crate::handle::{Kind, Registry, to_pointer};
use crate::runtime::stream::{callback, context};
use crate::runtime::{code, device};
use crate::status::{Result, Status};
use crate::sync::{Mutex, MutexGuard};

/// Step in which addresses are reserved and physical memory is taken.
const GRANULARITY: usize = LARGE_PAGE;

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
    /// By their first offset.
    mappings: BTreeMap<usize, Mapping>,
}

#[derive(Debug)]
struct Mapping {
    physical: Arc<Physical>,
    /// Set by `aclrtMemSetAccess`, by kind and number of the location. Other devices need one; reading and writing are not
    /// told apart.
    access: BTreeMap<(u32, u32), u32>,
}

/// Physical memory of a device.
#[derive(Debug)]
struct Physical {
    file: OwnedFd,
    size: usize,
    device: i32,
    properties: aclrtPhysicalMemProp,
    /// How often it is mapped.
    mapped: AtomicUsize,
    /// How often the program has to free it.
    owners: AtomicUsize,
}

static PHYSICAL: Registry<Physical> = Registry::new(Kind::PhysicalMemory);

impl Physical {
    fn take(device: i32, size: usize, properties: aclrtPhysicalMemProp) -> Result<Self> {
        let memory = device::get(device)?.memory()?;
        memory.take_physical(size)?;
        match file_of(size) {
            Ok(file) => Ok(Physical {
                file,
                size,
                device,
                properties,
                mapped: AtomicUsize::new(0),
                owners: AtomicUsize::new(1),
            }),
            Err(why) => {
                memory.give_physical(size);
                let message = format!("the system refuses {size} bytes of physical memory: {why}");
                Err(Status::new(code::MEMORY_ALLOCATION, message))
            }
        }
    }
}

impl Drop for Physical {
    fn drop(&mut self) {
        if let Ok(memory) = device::get(self.device).and_then(|device| device.memory()) {
            memory.give_physical(self.size);
        }
    }
}

/// A file without a name; its pages come when they are touched.
fn file_of(size: usize) -> io::Result<OwnedFd> {
    let file = memfd_create(c"cann-stubs", MemfdFlags::CLOEXEC)?;
    ftruncate(&file, size as u64)?;
    Ok(file)
}

impl VirtualSpace {
    pub(super) fn reserve(device: i32, len: usize) -> io::Result<Self> {
        let window = Window::reserve(len)?;
        let reserved = Heap::new(window.len(), GRANULARITY);
        Ok(VirtualSpace { device, window, state: Mutex::new(State { reserved, mappings: BTreeMap::new() }) })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn holds(&self, address: usize) -> bool {
        self.window.offset(address).is_some()
    }

    fn reserve_addresses(&self, size: usize) -> Result<usize> {
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

    fn release_addresses(&self, offset: usize) -> Result {
        let mut state = self.state();
        let address = self.window.start() + offset;
        let Some(block) = state.reserved.holding(offset).filter(|block| block.start == offset) else {
            return Err(Status::new(
                code::PARAM_INVALID,
                format_args!("no reserved range starts at {address:#x}"),
            ));
        };
        if let Some((mapped, _)) = state.mappings.range(offset..offset + block.reserved).next() {
            let mapped = self.window.start() + mapped;
            let message = format!("memory is still mapped at {mapped:#x}; unmap it first");
            return Err(Status::new(code::PARAM_INVALID, message));
        }
        state.reserved.give(offset);
        Ok(())
    }

    fn map(&self, offset: usize, physical: Arc<Physical>) -> Result {
        let mut state = self.state();
        let (size, address) = (physical.size, self.window.start() + offset);
        let refuse = |message: String| Err(Status::new(code::PARAM_INVALID, message));
        let Some(range) = state.reserved.holding(offset) else {
            return refuse(format!("{address:#x} lies in no reserved range"));
        };
        if size > range.start + range.reserved - offset {
            return refuse(format!("{size} bytes at {address:#x} reach past the end of the reserved range"));
        }
        let overlapping = state.mappings.range(..offset + size).next_back();
        if overlapping.is_some_and(|(start, mapping)| start + mapping.physical.size > offset) {
            return refuse(format!("memory is mapped already somewhere in {size} bytes at {address:#x}"));
        }
        self.window.map(offset, size, physical.file.as_fd()).map_err(|why| {
            let message = format!("the system refuses to map {size} bytes at {address:#x}: {why}");
            Status::new(code::MEMORY_ALLOCATION, message)
        })?;
        physical.mapped.fetch_add(1, Ordering::Relaxed);
        state.mappings.insert(offset, Mapping { physical, access: BTreeMap::new() });
        tracker::lent(address, size);
        Ok(())
    }

    /// Takes back a mapping that no queued work uses.
    fn unmap(&self, offset: usize) -> Result {
        let mut state = self.state();
        tracker::may_go(self.window.start() + offset, code::PARAM_INVALID, "stays mapped")?;
        self.take_off(&mut state, offset)
    }

    fn take_off(&self, state: &mut State, offset: usize) -> Result {
        let address = self.window.start() + offset;
        let Some(mapping) = state.mappings.remove(&offset) else {
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
            match state.mappings.range(..=reached).next_back() {
                Some((start, mapping)) if start + mapping.physical.size > reached => {
                    reached = start + mapping.physical.size;
                }
                _ => {
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
        self.holding(&self.state(), offset, |start, mapping| {
            (self.window.start() + start, mapping.physical.size)
        })
    }

    fn holding<T>(&self, state: &State, offset: usize, read: impl FnOnce(usize, &Mapping) -> T) -> Option<T> {
        let (start, mapping) = state.mappings.range(..=offset).next_back()?;
        (offset - start < mapping.physical.size).then(|| read(*start, mapping))
    }

    /// Unmaps everything and forgets what was reserved.
    pub(super) fn clear(&self) {
        let mut state = self.state();
        while let Some((&start, _)) = state.mappings.first_key_value() {
            // Where the system refuses, the pages stay and the mapping is forgotten.
            let _ = self.take_off(&mut state, start);
        }
        state.reserved = Heap::new(self.window.len(), GRANULARITY);
    }

    fn set_access(&self, offset: usize, len: usize, place: (u32, u32), flags: u32) -> Result {
        let mut state = self.state();
        let end = offset.saturating_add(len);
        let mut found = false;
        for (_, mapping) in state.mappings.range_mut(offset..end) {
            mapping.access.insert(place, flags);
            found = true;
        }
        let nothing = || Status::new(code::PARAM_INVALID, "no mapping starts in this range");
        found.then_some(()).ok_or_else(nothing)
    }

    /// Whether `device`, which is not the one of this space, reaches what is mapped at `address`: the physical memory is
    /// its own, or `aclrtMemSetAccess` opened the mapping to it.
    pub(super) fn is_open_to(&self, address: usize, device: i32) -> bool {
        let place = (ACL_MEM_LOCATION_TYPE_DEVICE.0, device as u32);
        let opened = |mapping: &Mapping| {
            let flags = mapping.access.get(&place).copied().unwrap_or(ACL_RT_MEM_ACCESS_FLAGS_NONE.0);
            mapping.physical.device == device || flags != ACL_RT_MEM_ACCESS_FLAGS_NONE.0
        };
        let offset = self.window.offset(address);
        offset
            .and_then(|offset| self.holding(&self.state(), offset, |_, mapping| opened(mapping)))
            .unwrap_or(false)
    }

    fn access(&self, offset: usize, place: (u32, u32)) -> Option<u32> {
        let own = (ACL_MEM_LOCATION_TYPE_DEVICE.0, self.device as u32);
        let default =
            if place == own { ACL_RT_MEM_ACCESS_FLAGS_READWRITE } else { ACL_RT_MEM_ACCESS_FLAGS_NONE };
        self.holding(&self.state(), offset, |_, mapping| {
            mapping.access.get(&place).copied().unwrap_or(default.0)
        })
    }
}

/// Drops every handle of physical memory; for the end of the runtime.
pub(crate) fn forget_physical() {
    for (handle, _) in PHYSICAL.live() {
        let _ = PHYSICAL.remove(handle);
    }
}

/// Adds the physical memory that is not freed.
pub(super) fn live(all: &mut Vec<Live>) {
    let physical = PHYSICAL.live();
    all.extend(physical.iter().map(|(handle, one)| Live::new("physical memory", *handle).of_bytes(one.size)));
}

/// The space that `address` belongs to, and how far into it.
fn space_of(address: usize) -> Result<(&'static VirtualSpace, usize)> {
    let spaces = device::all().iter().filter_map(|device| device.memory_if_used()?.virtual_space_if_used());
    let found = spaces.filter_map(|space| Some((space, space.window.offset(address)?))).next();
    found.ok_or_else(|| {
        Status::new(
            code::PARAM_INVALID,
            format_args!("{address:#x} is not an address of aclrtReserveMemAddress"),
        )
    })
}

/// Adds an owner to a handle of physical memory; each owner has to free it.
pub(super) fn retain(handle: usize) -> Result {
    physical(handle)?.owners.fetch_add(1, Ordering::Relaxed);
    Ok(())
}

pub(super) fn must_be_physical(handle: usize) -> Result {
    physical(handle).map(drop)
}

fn physical(handle: usize) -> Result<Arc<Physical>> {
    PHYSICAL.get(handle).map_err(|why| why.status(code::PARAM_INVALID, "handle"))
}

fn must_be_zero(name: &str, value: u64) -> Result {
    let message = || Status::new(code::INVALID_PARAM, format_args!("{name} is {value}; it must be 0"));
    (value == 0).then_some(()).ok_or_else(message)
}

/// The device of a location; physical memory of the host is not emulated.
fn device_of(location: &aclrtMemLocation) -> Result<i32> {
    if location.type_ != ACL_MEM_LOCATION_TYPE_DEVICE {
        let message = format!("location type {}: only memory of a device is emulated", location.type_.0);
        return Err(Status::new(code::FEATURE_NOT_SUPPORT, message));
    }
    let id = i32::try_from(location.id).unwrap_or(-1);
    device::get(id).map(|_| id)
}

plain_parameters! { aclrtMemGranularityOptions }

entry_points! { SYMBOLS:
    fn aclrtReserveMemAddress(
        virtual_address: Out<*mut c_void>,
        size: usize,
        alignment: usize,
        _expected: Address<*mut c_void>,
        flags: u64,
    ) -> i32 {
        callback::forbid("addresses are reserved")?;
        let place = virtual_address.required("virPtr", code::INVALID_PARAM)?;
        must_be_zero("alignment", alignment as u64)?;
        // 1 asks for large pages, which is what every range has here.
        if flags > 1 {
            return Err(Status::new(code::INVALID_PARAM, format_args!("flags is {flags}; it must be 0")));
        }
        if size == 0 {
            return Err(Status::new(code::INVALID_PARAM, "size is 0"));
        }
        let memory: &DeviceMemory = context::current()?.device()?.memory()?;
        place.write(std::ptr::without_provenance_mut(memory.virtual_space()?.reserve_addresses(size)?));
        Ok(())
    }

    fn aclrtReleaseMemAddress(virtual_address: Address<*mut c_void>) -> i32 {
        callback::forbid("addresses are released")?;
        let (space, offset) = space_of(virtual_address.required("virPtr", code::INVALID_PARAM)?)?;
        space.release_addresses(offset)
    }

    fn aclrtMallocPhysical(
        handle: Out<*mut c_void>,
        size: usize,
        properties: Array<aclrtPhysicalMemProp>,
        flags: u64,
    ) -> i32 {
        callback::forbid("memory is taken")?;
        let place = handle.required("handle", code::INVALID_PARAM)?;
        let null = || Status::new(code::INVALID_PARAM, "prop is null");
        let properties = properties.read(1).and_then(|one| one.first().copied()).ok_or_else(null)?;
        must_be_zero("flags", flags)?;
        if size == 0 || !size.is_multiple_of(GRANULARITY) {
            let message = format!("size is {size}, not a multiple of {GRANULARITY}");
            return Err(Status::new(code::INVALID_PARAM, message));
        }
        let physical = Physical::take(device_of(&properties.location)?, size, properties)?;
        place.write(to_pointer(PHYSICAL.insert(physical)));
        Ok(())
    }

    fn aclrtFreePhysical(handle: Handle<*mut c_void>) -> i32 {
        callback::forbid("memory is released")?;
        let physical = physical(handle.0)?;
        if physical.owners.load(Ordering::Relaxed) > 1 {
            physical.owners.fetch_sub(1, Ordering::Relaxed);
            return Ok(());
        }
        if physical.mapped.load(Ordering::Relaxed) > 0 {
            return Err(Status::new(code::PARAM_INVALID, "the memory is still mapped; unmap it first"));
        }
        PHYSICAL.remove(handle.0).map_err(|why| why.status(code::PARAM_INVALID, "handle"))?;
        Ok(())
    }

    fn aclrtMapMem(
        virtual_address: Address<*mut c_void>,
        size: usize,
        offset: usize,
        handle: Handle<*mut c_void>,
        flags: u64,
    ) -> i32 {
        callback::forbid("memory is mapped")?;
        let address = virtual_address.required("virPtr", code::INVALID_PARAM)?;
        must_be_zero("offset", offset as u64)?;
        must_be_zero("flags", flags)?;
        let physical = physical(handle.0)?;
        if size != physical.size {
            let message = format!("size is {size}, the physical memory has {}", physical.size);
            return Err(Status::new(code::INVALID_PARAM, message));
        }
        let (space, start) = space_of(address)?;
        if !start.is_multiple_of(GRANULARITY) {
            let message = format!("{address:#x} is not aligned to {GRANULARITY} bytes");
            return Err(Status::new(code::PARAM_INVALID, message));
        }
        space.map(start, physical)
    }

    fn aclrtUnmapMem(virtual_address: Address<*mut c_void>) -> i32 {
        callback::forbid("memory is unmapped")?;
        let (space, offset) = space_of(virtual_address.required("virPtr", code::INVALID_PARAM)?)?;
        space.unmap(offset)
    }

    fn aclrtMemGetAllocationGranularity(
        properties: Out<aclrtPhysicalMemProp>,
        option: aclrtMemGranularityOptions,
        granularity: Out<usize>,
    ) -> i32 {
        let properties = properties.required("prop", code::INVALID_PARAM)?.read();
        let place = granularity.required("granularity", code::INVALID_PARAM)?;
        if ![ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED].contains(&option) {
            return Err(Status::new(code::INVALID_PARAM, format_args!("option {} is unknown", option.0)));
        }
        device_of(&properties.location)?;
        place.write(GRANULARITY);
        Ok(())
    }

    [stored] fn aclrtMemSetAccess(
        virtual_address: Address<*mut c_void>,
        size: usize,
        descriptions: Out<aclrtMemAccessDesc>,
        count: usize,
    ) -> i32 {
        let address = virtual_address.required("virPtr", code::INVALID_PARAM)?;
        let null = || Status::new(code::INVALID_PARAM, "desc is null or count is 0");
        let (space, offset) = space_of(address)?;
        let descriptions = descriptions.into_array().read(count as u64).filter(|all| !all.is_empty()).ok_or_else(null)?;
        for one in descriptions {
            space.set_access(offset, size, (one.location.type_.0, one.location.id), one.flags.0)?;
        }
        Ok(())
    }

    fn aclrtMemGetAccess(
        virtual_address: Address<*mut c_void>,
        location: Out<aclrtMemLocation>,
        flag: Out<u64>,
    ) -> i32 {
        let address = virtual_address.required("virPtr", code::INVALID_PARAM)?;
        let location = location.required("location", code::INVALID_PARAM)?;
        let place = flag.required("flag", code::INVALID_PARAM)?;
        let (space, offset) = space_of(address)?;
        let location = location.read();
        let unmapped = || Status::new(code::PARAM_INVALID, format_args!("nothing is mapped at {address:#x}"));
        place.write(u64::from(space.access(offset, (location.type_.0, location.id)).ok_or_else(unmapped)?));
        Ok(())
    }

    fn aclrtMemRetainAllocationHandle(virtual_address: Address<*mut c_void>, handle: Out<*mut c_void>) -> i32 {
        let address = virtual_address.required("virPtr", code::INVALID_PARAM)?;
        let place = handle.required("handle", code::INVALID_PARAM)?;
        let (space, offset) = space_of(address)?;
        let unmapped = || Status::new(code::PARAM_INVALID, format_args!("nothing is mapped at {address:#x}"));
        let held = space.holding(&space.state(), offset, |_, mapping| Arc::clone(&mapping.physical));
        let held = held.ok_or_else(unmapped)?;
        let live = PHYSICAL.live().into_iter().find(|(_, physical)| Arc::ptr_eq(physical, &held));
        let (handle, physical) = live.ok_or_else(unmapped)?;
        physical.owners.fetch_add(1, Ordering::Relaxed);
        place.write(to_pointer(handle));
        Ok(())
    }

    fn aclrtMemGetAllocationPropertiesFromHandle(
        handle: Handle<*mut c_void>,
        properties: Out<aclrtPhysicalMemProp>,
    ) -> i32 {
        let place = properties.required("prop", code::INVALID_PARAM)?;
        place.write(physical(handle.0)?.properties);
        Ok(())
    }
}

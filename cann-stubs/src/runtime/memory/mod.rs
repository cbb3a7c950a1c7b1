//! Memory: what a pointer of the program means, and who owns the bytes.
//!
//! `window` reserves addresses and the memory behind them, `heap` says which are allocated, `device` joins both into the
//! memory of one device; `virtual_memory` maps physical memory into a window of its own; `peer` says which memory a device
//! may access; `host` keeps pinned and registered host memory; `host_access` reports an access of the host to device
//! memory; `pool` and `sharing` keep the pools and shared keys of a program. On top, `allocate`, `copy`, `batch`, `fill`,
//! `reduce` and `value` hold the functions that programs call.

mod allocate;
mod allocator;
mod batch;
mod copy;
mod device;
mod fill;
mod heap;
mod host;
mod host_access;
mod peer;
mod pool;
mod reduce;
mod sharing;
mod value;
mod virtual_memory;
mod window;

use device::Held;
pub(crate) use device::losses;

pub(crate) use device::DeviceMemory;
pub(crate) use host::forget_registrations;
pub(crate) use peer::must_reach;
pub(crate) use pool::forget_pools;
pub(crate) use sharing::forget_shared;
pub(crate) use virtual_memory::forget_physical;

use crate::check::objects::Live;
use crate::entry::EntryPoint;
use crate::misuse::Check;
use crate::runtime::{code, device as devices};
use crate::status::{Result, Status};

/// The entry points of this module.
pub(crate) const SYMBOLS: &[&[EntryPoint]] = &[
    allocate::SYMBOLS,
    allocator::SYMBOLS,
    batch::SYMBOLS,
    copy::SYMBOLS,
    copy::ASYNC_SYMBOLS,
    fill::SYMBOLS,
    host::SYMBOLS,
    pool::SYMBOLS,
    reduce::SYMBOLS,
    sharing::SYMBOLS,
    value::SYMBOLS,
    virtual_memory::SYMBOLS,
];

/// The live allocation or mapping that holds `address`: its device, its start and its length.
fn extent(address: usize) -> Option<(i32, usize, usize)> {
    devices::all().iter().find_map(|device| {
        let (start, len) = device.memory_if_used()?.extent(address)?;
        Some((device.id(), start, len))
    })
}

/// Where the `len` bytes are that a program calls `address` on a device.
///
/// They lie in one live allocation, in mapped virtual memory without a gap, or in host memory registered for the device.
/// Asking for no bytes always succeeds; the pointer is then good for nothing else.
pub(crate) fn device_bytes(address: usize, len: usize) -> Result<*mut u8> {
    Lookup::default().device_bytes(address, len)
}

/// Looks addresses up one after the other. The memory of the device that held an address stays locked for the next one, so
/// a lookup must not live long, and no other function of memory may be called meanwhile.
#[derive(Default)]
pub(crate) struct Lookup {
    held: Option<Held<'static>>,
    /// Whether every address was found before and no allocation went since.
    again: bool,
    /// The device that has to reach the memory.
    device: Option<i32>,
}

impl Lookup {
    /// For work of `device`, which has to reach every address.
    pub(crate) fn of(device: i32) -> Self {
        Lookup { device: Some(device), ..Lookup::default() }
    }

    /// For addresses that were found when `losses` was what the function of this name gave.
    pub(crate) fn again(losses: u64) -> Self {
        Lookup { again: device::losses() == losses, ..Lookup::default() }
    }

    /// As the function of this name.
    pub(crate) fn device_bytes(&mut self, address: usize, len: usize) -> Result<*mut u8> {
        if len == 0 {
            return Ok(std::ptr::NonNull::dangling().as_ptr());
        }
        let mut memories = devices::all().iter().filter_map(|device| device.memory_if_used());
        if self.again
            && let Some(found) = memories.clone().find_map(|memory| memory.bytes_at(address))
        {
            return Ok(found);
        }
        // What the last one was found in is reached.
        if let Some(found) = self.held.as_ref().and_then(|held| held.find(address, len)) {
            return found;
        }
        // Two devices are never locked at a time.
        self.held = None;
        self.held = memories.find(|memory| memory.hands_out(address)).map(DeviceMemory::hold);
        let found = match self.held.as_ref().and_then(|held| held.find(address, len)) {
            Some(found) => found?,
            None => elsewhere(address, len)?,
        };
        if let Some(device) = self.device {
            must_reach(device, address)?;
        }
        Ok(found)
    }
}

/// As `device_bytes`, for addresses that no device hands out for its allocations.
fn elsewhere(address: usize, len: usize) -> Result<*mut u8> {
    if let Some(found) = in_a_window(address, len) {
        return found;
    }
    if host::is_registered(address, len) {
        return Ok(std::ptr::with_exposed_provenance_mut(address));
    }
    let refused = |what: &str| {
        Status::new(code::PARAM_INVALID, format_args!("address {address:#x} ({len} bytes) {what}"))
    };
    Err(match address {
        0 => refused("is null"),
        _ => refused("is not device memory; copy host memory to a device first").of(Check::HostPointer),
    })
}

/// Adds the memory of the program that is not freed.
pub(crate) fn live(all: &mut Vec<Live>) {
    devices::all().iter().filter_map(|device| device.memory_if_used()).for_each(|memory| memory.live(all));
    host::live(all);
    virtual_memory::live(all);
}

/// A range of bytes of the program, on either side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Device(*mut u8),
    /// The caller of the entry point promised that the bytes are there.
    Host(*mut u8),
}

impl Place {
    /// Tells the side of `address`, which is not null, and checks the range if it is on a device.
    pub(crate) fn of(address: usize, len: usize) -> Result<Place> {
        match in_a_window(address, len.max(1)) {
            Some(found) => found.map(Place::Device),
            None => {
                must_be_possible(address, len)?;
                Ok(Place::Host(std::ptr::with_exposed_provenance_mut(address)))
            }
        }
    }

    pub(crate) fn pointer(self) -> *mut u8 {
        match self {
            Place::Device(pointer) | Place::Host(pointer) => pointer,
        }
    }
}

/// Refuses what cannot be memory of the program: the first page, and addresses that no system allocates, such as handles.
fn must_be_possible(address: usize, len: usize) -> Result {
    let possible = address.checked_add(len).is_some_and(|end| address >= 1 << 12 && end <= 1 << 56);
    let refused = || Status::new(code::PARAM_INVALID, format_args!("{address:#x} is no address of memory"));
    possible.then_some(()).ok_or_else(|| refused().of(Check::ForeignPointer))
}

/// `None` when `address` belongs to no device.
fn in_a_window(address: usize, len: usize) -> Option<Result<*mut u8>> {
    devices::all()
        .iter()
        .filter_map(|device| device.memory_if_used())
        .find_map(|memory| memory.find(address, len))
}

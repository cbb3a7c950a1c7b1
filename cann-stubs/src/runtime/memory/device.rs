//! The memory of each device: its allocations, and the virtual memory that may be mapped.

use std::sync::OnceLock;

use super::allocations::{self, Allocations};
use super::host_access::Hit;
use super::virtual_space::VirtualSpace;
use crate::check::live_objects::Live;
use crate::misuse::Check;
use crate::runtime::code;
use crate::runtime::product::devices::PerDevice;
use crate::runtime::stream::{callback, context};
use crate::settings;
use crate::status::{Result, Status};

/// The addresses for virtual memory, as a multiple of the device's memory: several pools may each reserve all of it.
const VIRTUAL_SHARE: usize = 4;

/// The memory of each device, reserved at its first use.
static MEMORIES: PerDevice<OnceLock<DeviceMemory>> = PerDevice::new(OnceLock::new);

/// The memory of a device, which is reserved if this is its first use.
pub(crate) fn of(device: i32) -> Result<&'static DeviceMemory> {
    let place = MEMORIES.of(device)?;
    if let Some(memory) = place.get() {
        return Ok(memory);
    }
    let memory = DeviceMemory::reserve(device, settings::get().memory)?;
    // Where another thread was faster, this reservation stays unused: addresses cost nothing.
    Ok(place.get_or_init(|| memory))
}

/// The memory of the device of the current context.
pub(super) fn of_current() -> Result<&'static DeviceMemory> {
    of(context::current()?.device_id())
}

/// The memory of every device that has used some, with the number of the device.
pub(super) fn used() -> impl Iterator<Item = (i32, &'static DeviceMemory)> + Clone {
    MEMORIES.iter().filter_map(|(device, memory)| Some((device, memory.get()?)))
}

/// Frees all memory of a device, and adds the allocations that still lived. Returns whether it has used memory.
pub(crate) fn clear(device: i32, left: &mut Vec<Live>) -> bool {
    let memory = MEMORIES.of(device).ok().and_then(OnceLock::get);
    memory.map(|memory| left.extend(memory.clear())).is_some()
}

/// Adds every allocation.
pub(super) fn live(all: &mut Vec<Live>) {
    used().for_each(|(_, memory)| memory.allocations.live(all));
}

/// How far behind an address its byte is, if all addresses are ones that the allocations of a device may get.
pub(crate) fn distance(device: i32, mut addresses: impl Iterator<Item = usize>) -> Option<isize> {
    let allocations = &MEMORIES.of(device).ok()?.get()?.allocations;
    addresses.all(|address| allocations.hands_out(address)).then(|| allocations.distance())
}

/// Frees the allocation that starts at `address`.
pub(super) fn free(address: usize) -> Result {
    callback::forbid("memory is released")?;
    let freed = used().find_map(|(_, memory)| memory.free(address));
    freed.unwrap_or_else(|| {
        let message = format!("{address:#x} is not device memory of aclrtMalloc");
        Err(Status::new(code::PARAM_INVALID, message).of(Check::ForeignPointer))
    })
}

/// The live allocation or mapping that holds `address`: its device, its start and its length.
pub(super) fn extent(address: usize) -> Option<(i32, usize, usize)> {
    used().find_map(|(device, memory)| {
        let (start, len) = memory.extent(address)?;
        Some((device, start, len))
    })
}

/// Takes memory of the device that has `address`, which nobody gives back.
pub(crate) fn lose(address: usize, bytes: usize) -> Result {
    let Some((device, ..)) = extent(address) else { return Ok(()) };
    of(device)?.allocations.allocate(bytes, false).map(drop)
}

/// Where the bytes of `[address, address + len)` are; `None` when `address` belongs to no device.
pub(super) fn find(address: usize, len: usize) -> Option<Result<*mut u8>> {
    used().find_map(|(_, memory)| memory.find(address, len))
}

/// Returns what is at `address`, for a signal handler. A loop, since chains of iterators take much of its small stack.
fn hit(address: usize) -> Option<(i32, Hit)> {
    for (device, memory) in MEMORIES.values().iter().enumerate() {
        if let Some(memory) = memory.get()
            && let Some(hit) = memory.hit(address)
        {
            return Some((device as i32, hit));
        }
    }
    None
}

/// All memory of a device.
#[derive(Debug)]
pub(crate) struct DeviceMemory {
    pub(crate) allocations: Allocations,
    virtual_space: OnceLock<VirtualSpace>,
}

impl DeviceMemory {
    fn reserve(device: i32, total: usize) -> Result<Self> {
        let allocations = Allocations::reserve(device, total, hit)?;
        Ok(DeviceMemory { allocations, virtual_space: OnceLock::new() })
    }

    /// Frees the allocation that starts at `address`. `None` when the address is not this memory's.
    fn free(&self, address: usize) -> Option<Result> {
        self.allocations.free(address).or_else(|| {
            self.virtual_space.get()?.holds(address).then_some(())?;
            let message = format!("{address:#x} is reserved virtual memory: unmap and release it instead");
            Some(Err(Status::new(code::PARAM_INVALID, message).of(Check::ForeignPointer)))
        })
    }

    /// Where the bytes of `[address, address + len)` are; `None` when the address is not this memory's.
    fn find(&self, address: usize, len: usize) -> Option<Result<*mut u8>> {
        match self.allocations.hands_out(address) {
            true => self.allocations.hold().find(address, len),
            false => self.virtual_space.get()?.find(address, len),
        }
    }

    /// Returns what is at `address`, for a signal handler: waits for no lock, and allocates nothing. `None` when the address
    /// is not in this memory.
    fn hit(&self, address: usize) -> Option<Hit> {
        if let Some(hit) = self.allocations.hit(address) {
            return Some(hit);
        }
        self.virtual_space.get()?.holds(address).then_some(Hit::Virtual)
    }

    /// Returns whether `address` belongs to this device, as one of allocations or of virtual memory.
    pub(super) fn holds(&self, address: usize) -> bool {
        self.allocations.hands_out(address)
            || self.virtual_space.get().is_some_and(|space| space.holds(address))
    }

    /// The whole live allocation or mapping that holds `address`: start and length as asked for.
    fn extent(&self, address: usize) -> Option<(usize, usize)> {
        match self.allocations.hands_out(address) {
            true => self.allocations.extent(address),
            false => self.virtual_space.get()?.extent(address),
        }
    }

    /// The addresses for virtual memory, reserved at their first use.
    pub(super) fn virtual_space(&self) -> Result<&VirtualSpace> {
        self.allocations.watch();
        if let Some(space) = self.virtual_space.get() {
            return Ok(space);
        }
        let (device, total) = (self.allocations.device, self.allocations.total);
        let len = total.saturating_mul(VIRTUAL_SHARE);
        let space =
            VirtualSpace::reserve(device, len).map_err(|why| allocations::refused(device, len, &why))?;
        // Where another thread was faster, this reservation stays unused: addresses cost nothing.
        Ok(self.virtual_space.get_or_init(|| space))
    }

    pub(super) fn virtual_space_if_used(&self) -> Option<&VirtualSpace> {
        self.virtual_space.get()
    }

    /// Frees everything, and returns the memory to the system. Gives the allocations that still lived.
    fn clear(&self) -> Vec<Live> {
        if let Some(space) = self.virtual_space.get() {
            space.clear();
        }
        self.allocations.clear()
    }
}

//! The memory that a device may access: its own, that of devices it was given access to, and mappings opened to it.
//!
//! Only the use of another device's memory by a device is checked: queued work, and copies from one device to another. When
//! the host writes, reads or copies within one device's memory at once, that device does it, whichever device is current.

use crate::check;
use crate::misuse::{Check, Level};
use crate::runtime::code;
use crate::runtime::device::{self as devices, Device};
use crate::status::{Result, Status};

/// Refuses memory of another device than `device`, which did not get access to it.
pub(crate) fn must_reach(device: i32, address: usize) -> Result {
    let Some(owner) = owner(address).filter(|owner| owner.id() != device) else { return Ok(()) };
    if check::level() == Level::Off || devices::get(device)?.peers().contains(&owner.id()) {
        return Ok(());
    }
    let owner_memory = owner.memory_if_used().and_then(|memory| memory.virtual_space_if_used());
    if owner_memory.is_some_and(|space| space.is_open_to(address, device)) {
        return Ok(());
    }
    let owner = owner.id();
    let message = format!(
        "{address:#x} is memory of device {owner}, to which device {device} has no access: call \
         aclrtDeviceEnablePeerAccess({owner}, 0) while device {device} is current, or copy by way of the host"
    );
    Err(Status::new(code::DRV_INTERNAL_ERROR, message).of(Check::PeerAccess))
}

/// Whether two addresses belong to one device, which then copies between them by itself, whatever device is current.
pub(super) fn same_owner(one: usize, other: usize) -> bool {
    owner(one).map(Device::id) == owner(other).map(Device::id)
}

/// The device to which an address belongs, whether anything is allocated there or not.
fn owner(address: usize) -> Option<&'static Device> {
    devices::all().iter().find(|device| device.memory_if_used().is_some_and(|memory| memory.holds(address)))
}

//! The memory that a device may access: its own, that of devices it was given access to, and mappings opened to it.
//!
//! Only the use of another device's memory by a device is checked: queued work, and copies from one device to another. When
//! the host writes, reads or copies within one device's memory at once, that device does it, whichever device is current.

use std::sync::PoisonError;

use super::device::{self, DeviceMemory};
use crate::check;
use crate::misuse::{Check, Level};
use crate::runtime::code;
use crate::runtime::product::devices::PerDevice;
use crate::status::{Result, Status};
use crate::sync::{Mutex, MutexGuard};

/// The devices whose memory each device was allowed to reach.
static PEERS: PerDevice<Mutex<Vec<i32>>> = PerDevice::new(Mutex::default);

/// The devices whose memory a device was allowed to reach.
pub(crate) fn of(device: i32) -> Result<MutexGuard<'static, Vec<i32>>> {
    Ok(PEERS.of(device)?.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Allows a device to reach the memory of another.
pub(crate) fn allow(device: i32, peer: i32) -> Result {
    let mut peers = of(device)?;
    if !peers.contains(&peer) {
        peers.push(peer);
    }
    Ok(())
}

/// Takes back what `allow` allowed. Returns whether it had.
pub(crate) fn forbid(device: i32, peer: i32) -> Result<bool> {
    let mut peers = of(device)?;
    let index = peers.iter().position(|other| *other == peer);
    Ok(index.map(|index| peers.swap_remove(index)).is_some())
}

/// Refuses memory of another device than `device`, which did not get access to it.
pub(crate) fn must_reach(device: i32, address: usize) -> Result {
    let Some((owner, memory)) = owner(address).filter(|(owner, _)| *owner != device) else { return Ok(()) };
    if check::level() == Level::Off || of(device)?.contains(&owner) {
        return Ok(());
    }
    if memory.virtual_space_if_used().is_some_and(|space| space.is_open_to(address, device)) {
        return Ok(());
    }
    let message = format!(
        "{address:#x} is memory of device {owner}, to which device {device} has no access: call \
         aclrtDeviceEnablePeerAccess({owner}, 0) while device {device} is current, or copy by way of the host"
    );
    Err(Status::new(code::DRV_INTERNAL_ERROR, message).of(Check::PeerAccess))
}

/// Returns whether two addresses belong to one device, which then copies between them by itself, whatever device is
/// current.
pub(super) fn same_owner(one: usize, other: usize) -> bool {
    let number = |address| owner(address).map(|(device, _)| device);
    number(one) == number(other)
}

/// The device to which an address belongs, whether anything is allocated there or not.
fn owner(address: usize) -> Option<(i32, &'static DeviceMemory)> {
    device::used().find(|(_, memory)| memory.holds(address))
}

//! Meaning of a pointer of the program: the bytes that it leads to, and their side.

use super::allocations::{self, Allocations, Held};
use super::peer::must_reach;
use super::{device, host};
use crate::misuse::Check;
use crate::runtime::code;
use aclnn_sys::ACL_ERROR_RT_AICORE_EXCEPTION;

use crate::status::{Result, Status};

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
    /// How far behind an address its byte is, where every address was found before and no allocation went since.
    again: Option<isize>,
    /// The device that has to reach the memory.
    device: Option<i32>,
}

impl Lookup {
    /// For work of `device`, which has to reach every address.
    pub(crate) fn of(device: i32) -> Self {
        Lookup { device: Some(device), ..Lookup::default() }
    }

    /// For addresses that were found when `losses` was what the function of this name gave, and `distance` too.
    #[inline]
    pub(crate) fn again(losses: u64, distance: Option<isize>) -> Self {
        let again = distance.filter(|_| allocations::losses() == losses);
        Lookup { held: None, again, device: None }
    }

    /// As the function of this name.
    #[inline]
    pub(crate) fn device_bytes(&mut self, address: usize, len: usize) -> Result<*mut u8> {
        if let Some(distance) = self.again {
            return Ok(std::ptr::with_exposed_provenance_mut(address.wrapping_add_signed(distance)));
        }
        self.look_up(address, len)
    }

    fn look_up(&mut self, address: usize, len: usize) -> Result<*mut u8> {
        if len == 0 {
            return Ok(std::ptr::NonNull::dangling().as_ptr());
        }
        let mut memories = device::used().map(|(_, memory)| &memory.allocations);
        // What the last one was found in is reached.
        if let Some(found) = self.held.as_ref().and_then(|held| held.find(address, len)) {
            return found;
        }
        // Two devices are never locked at a time.
        self.held = None;
        self.held = memories.find(|memory| memory.hands_out(address)).map(Allocations::hold);
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

impl cann_kernels::Memory for Lookup {
    type Failure = Status;

    #[inline]
    fn distance(&self) -> Option<isize> {
        self.again
    }

    #[inline]
    fn bytes(&mut self, address: usize, len: usize) -> Result<*mut u8> {
        self.device_bytes(address, len).map_err(|status| status.with_code(ACL_ERROR_RT_AICORE_EXCEPTION))
    }
}

/// As `device_bytes`, for addresses that no device hands out for its allocations.
fn elsewhere(address: usize, len: usize) -> Result<*mut u8> {
    if let Some(found) = device::find(address, len) {
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
        match device::find(address, len.max(1)) {
            Some(found) => found.map(Place::Device),
            None => {
                host::must_be_possible(address, len)?;
                host::must_hold(address, len)?;
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

//! Host memory that the runtime knows: pinned memory, which it allocates, and registered memory, which the program brings.
//!
//! The address of registered memory on a device equals the one on the host. Pinned memory outlives `aclFinalize`: the
//! program may still hold a plain pointer to it.

use std::alloc::{Layout, alloc, dealloc};
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::{Arc, PoisonError};

use aclnn_sys::{
    ACL_HOST_REG_IOMEMORY, ACL_HOST_REG_MAPPED, ACL_HOST_REG_PINNED, ACL_HOST_REG_READONLY,
    ACL_HOST_REGISTER_IOMEMORY, ACL_HOST_REGISTER_MAPPED, ACL_HOST_REGISTER_READONLY, aclrtHostRegisterType,
    aclrtMallocConfig,
};

use smallvec::SmallVec;

use super::allocate::check_config;
use crate::check::objects::{self, Live};
use crate::check::tracker;
use crate::entry::{Address, Out, entry_points, plain_parameters};
use crate::misuse::Check;
use crate::runtime::stream::callback;
use crate::runtime::{code, device};
use crate::status::{Result, Status};
use crate::sync::{Mutex, MutexGuard, statics};

/// How many freed addresses are remembered, for messages about a wrong address.
const REMEMBERED: usize = 64;

/// Alignment of pinned memory.
const ALIGNMENT: usize = 64;

const FLAGS: u64 = ACL_HOST_REG_MAPPED | ACL_HOST_REG_IOMEMORY | ACL_HOST_REG_READONLY | ACL_HOST_REG_PINNED;

/// Host memory that the runtime knows, by its first address.
struct Known {
    pinned: BTreeMap<usize, Arc<Block>>,
    registered: BTreeMap<usize, Registration>,
    /// Addresses of pinned memory that was freed recently.
    freed: Vec<usize>,
}

#[derive(Clone, Copy)]
struct Registration {
    len: usize,
    /// Whether devices can reach it.
    mapped: bool,
    /// Whether its use is tracked by itself, and not as a part of pinned memory.
    tracked: bool,
}

statics! {
    static KNOWN: Mutex<Known> =
        Mutex::new(Known { pinned: BTreeMap::new(), registered: BTreeMap::new(), freed: Vec::new() });
}

fn known() -> MutexGuard<'static, Known> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether devices can reach `[address, address + len)`.
pub(super) fn is_registered(address: usize, len: usize) -> bool {
    let known = known();
    let last = known.registered.range(..=address).next_back();
    last.is_some_and(|(start, one)| {
        one.mapped && address - start < one.len && len <= one.len - (address - start)
    })
}

/// Pinned memory, which is freed with its last `Arc`.
#[derive(Debug)]
pub(super) struct Block {
    start: usize,
    layout: Layout,
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: it was allocated with this layout, and this is the last that knows of it.
        unsafe { dealloc(std::ptr::with_exposed_provenance_mut(self.start), self.layout) };
    }
}

/// Pinned memory that queued work uses. Freeing it too early is refused; where checks are off and nothing is refused, the
/// memory still lives until the work is done.
pub(super) type Shares = SmallVec<[Arc<Block>; 2]>;

/// Shares of the pinned memory in which some of `addresses` lie.
pub(super) fn shares(addresses: &[usize]) -> Shares {
    let known = known();
    addresses.iter().filter_map(|address| known.pinned(*address).cloned()).collect()
}

impl Known {
    /// The pinned memory that holds `address`.
    fn pinned(&self, address: usize) -> Option<&Arc<Block>> {
        let (start, block) = self.pinned.range(..=address).next_back()?;
        (address - start < block.layout.size()).then_some(block)
    }
}

/// Whether `address` lies in pinned or registered memory.
pub(super) fn is_known(address: usize) -> bool {
    let known = known();
    let registered = known.registered.range(..=address).next_back();
    known.pinned(address).is_some() || registered.is_some_and(|(start, one)| address - start < one.len)
}

/// Adds the pinned memory that is not freed.
pub(super) fn live(all: &mut Vec<Live>) {
    let pinned = &known().pinned;
    all.extend(
        pinned
            .iter()
            .map(|(&start, block)| Live::new("pinned host memory", start).of_bytes(block.layout.size())),
    );
}

/// Takes back every registration; for the end of the runtime.
pub(crate) fn forget_registrations() {
    for (start, registration) in std::mem::take(&mut known().registered) {
        registration.forget(start);
    }
}

impl Registration {
    /// Ends its tracking.
    fn forget(&self, start: usize) {
        if self.tracked {
            tracker::died(start, start + 1);
        }
    }
}

fn allocate(place: Out<*mut c_void>, size: usize) -> Result {
    callback::forbid("memory is taken")?;
    let place = place.required("hostPtr", code::INVALID_PARAM)?;
    if size == 0 {
        return Err(Status::new(code::INVALID_PARAM, "size is 0"));
    }
    let refused = || Status::new(code::MEMORY_ALLOCATION, format_args!("the host cannot give {size} bytes"));
    let layout = Layout::from_size_align(size, ALIGNMENT).map_err(|_| refused())?;
    // SAFETY: the size is not 0.
    let pointer = unsafe { alloc(layout) };
    if pointer.is_null() {
        return Err(refused());
    }
    let address = pointer.expose_provenance();
    {
        let mut known = known();
        known.pinned.insert(address, Arc::new(Block { start: address, layout }));
        tracker::lent(address, size);
    }
    objects::made(address);
    place.write(pointer.cast());
    Ok(())
}

fn free(address: usize) -> Result {
    callback::forbid("memory is released")?;
    let mut known = known();
    if !known.pinned.contains_key(&address) {
        let message = format!("{address:#x} is not host memory of aclrtMallocHost, or was freed before");
        let check = if known.freed.contains(&address) { Check::DoubleFree } else { Check::ForeignPointer };
        return Err(Status::new(code::PARAM_INVALID, message).of(check));
    }
    tracker::may_go(address, code::PARAM_INVALID, "was not freed")?;
    let block = known.pinned.remove(&address);
    tracker::died(address, address + 1);
    if known.freed.len() == REMEMBERED {
        known.freed.remove(0);
    }
    known.freed.push(address);
    drop(known);
    objects::gone(address);
    drop(block);
    Ok(())
}

fn register(address: usize, size: u64, mapped: bool) -> Result {
    let wrong = || Status::new(code::INVALID_PARAM, format_args!("size is {size}"));
    let len = usize::try_from(size).ok().filter(|&len| len > 0 && address.checked_add(len).is_some());
    let len = len.ok_or_else(wrong)?;
    super::must_be_possible(address, len)?;
    let mut known = known();
    let before = known.registered.range(..address + len).next_back();
    if before.is_some_and(|(start, one)| start + one.len > address) {
        let message =
            format!("host memory at {address:#x} ({len} bytes) is registered already, in whole or in part");
        return Err(Status::new(code::HOST_MEMORY_ALREADY_REGISTERED, message));
    }
    let tracked = tracker::lent(address, len);
    known.registered.insert(address, Registration { len, mapped, tracked });
    Ok(())
}

fn unregister(address: usize) -> Result {
    let mut known = known();
    let Some(registration) = known.registered.get(&address).copied() else {
        let message = format!("nothing registered starts at {address:#x}");
        return Err(Status::new(code::HOST_MEMORY_NOT_REGISTERED, message));
    };
    tracker::may_go(address, code::PARAM_INVALID, "stays registered")?;
    known.registered.remove(&address);
    registration.forget(address);
    Ok(())
}

plain_parameters! { aclrtHostRegisterType }

entry_points! { SYMBOLS:
    fn aclrtMallocHost(pointer: Out<*mut c_void>, size: usize) -> i32 {
        allocate(pointer, size)
    }

    fn aclrtMallocHostWithCfg(pointer: Out<*mut c_void>, size: u64, config: Out<aclrtMallocConfig>) -> i32 {
        check_config(config)?;
        let wrong = || Status::new(code::INVALID_PARAM, format_args!("size is {size}"));
        allocate(pointer, usize::try_from(size).map_err(|_| wrong())?)
    }

    fn aclrtFreeHost(pointer: Address<*mut c_void>) -> i32 {
        free(pointer.required("hostPtr", code::INVALID_PARAM)?)
    }

    fn aclrtFreeHostWithDevSync(pointer: Address<*mut c_void>) -> i32 {
        let address = pointer.required("hostPtr", code::INVALID_PARAM)?;
        callback::forbid("memory is released")?;
        // Freed even when a task failed: the caller would not free it again.
        device::synchronize_all().and(free(address))
    }

    fn aclrtHostRegister(
        pointer: Address<*mut c_void>,
        size: u64,
        kind: aclrtHostRegisterType,
        device_pointer: Out<*mut c_void>,
    ) -> i32 {
        let address = pointer.required("ptr", code::INVALID_PARAM)?;
        let place = device_pointer.required("devPtr", code::INVALID_PARAM)?;
        let kinds = [ACL_HOST_REGISTER_MAPPED, ACL_HOST_REGISTER_IOMEMORY, ACL_HOST_REGISTER_READONLY];
        if !kinds.contains(&kind) {
            return Err(Status::new(code::INVALID_PARAM, format_args!("type {} is unknown", kind.0)));
        }
        register(address, size, true)?;
        place.write(std::ptr::with_exposed_provenance_mut(address));
        Ok(())
    }

    fn aclrtHostRegisterV2(pointer: Address<*mut c_void>, size: u64, flag: u32) -> i32 {
        let address = pointer.required("ptr", code::INVALID_PARAM)?;
        if u64::from(flag) & !FLAGS != 0 {
            return Err(Status::new(code::INVALID_PARAM, format_args!("flag is {flag:#x}, known are {FLAGS:#x}")));
        }
        register(address, size, u64::from(flag) & ACL_HOST_REG_MAPPED != 0)
    }

    fn aclrtHostUnregister(pointer: Address<*mut c_void>) -> i32 {
        unregister(pointer.required("ptr", code::INVALID_PARAM)?)
    }

    fn aclrtHostGetDevicePointer(host: Address<*mut c_void>, device: Out<*mut c_void>, flag: u32) -> i32 {
        let address = host.required("pHost", code::INVALID_PARAM)?;
        let place = device.required("pDevice", code::INVALID_PARAM)?;
        if flag != 0 {
            return Err(Status::new(code::INVALID_PARAM, format_args!("flag is {flag:#x}; it must be 0")));
        }
        if !is_registered(address, 1) {
            let message = format!("{address:#x} lies in no host memory registered for devices");
            return Err(Status::new(code::HOST_MEMORY_NOT_REGISTERED, message));
        }
        place.write(std::ptr::with_exposed_provenance_mut(address));
        Ok(())
    }
}

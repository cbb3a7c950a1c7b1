//! Allocating and freeing device memory, and queries about it.

use std::ffi::{c_char, c_void};

use aclnn_sys::{
    ACL_MEM_LOCATION_TYPE_DEVICE, ACL_MEM_LOCATION_TYPE_HOST, ACL_MEM_LOCATION_TYPE_UNREGISTERED,
    ACL_MEM_MALLOC_HUGE1G_ONLY, ACL_MEM_MALLOC_HUGE1G_ONLY_P2P, ACL_MEM_P2P_HUGE1G, ACL_RT_MEM_ATTR_VA_FLAG,
    aclrtMallocConfig, aclrtMemAttr, aclrtMemLocation, aclrtMemMallocPolicy, aclrtMemUsageInfo,
    aclrtPtrAttributes,
};

use super::host;
use super::window::LARGE_PAGE;
use crate::entry::{Address, Array, Out, Parameter, entry_points, plain_parameters};
use crate::misuse::Check;
use crate::runtime::stream::{callback, context};
use crate::runtime::{code, device};
use crate::status::{Result, Status};

/// The bits of a policy that choose the size of the pages; the others choose a kind of memory.
const PAGES: u32 = 0xff;

/// The page size of the host that programs are given.
const HOST_PAGE: u32 = 4096;

fn allocate(place: Out<*mut c_void>, size: usize, policy: aclrtMemMallocPolicy, padded: bool) -> Result {
    callback::forbid("memory is taken")?;
    let place = place.required("devPtr", code::INVALID_PARAM)?;
    if size == 0 {
        return Err(Status::new(code::INVALID_PARAM, "size is 0"));
    }
    let pages = aclrtMemMallocPolicy(policy.0 & PAGES);
    if pages.0 > ACL_MEM_MALLOC_HUGE1G_ONLY_P2P.0 {
        let known = ACL_MEM_MALLOC_HUGE1G_ONLY_P2P.0;
        let message = format_args!("policy is {:#x}; its lowest byte may be 0 to {known}", policy.0);
        return Err(Status::new(code::INVALID_PARAM, message));
    }
    let huge = [ACL_MEM_MALLOC_HUGE1G_ONLY, ACL_MEM_MALLOC_HUGE1G_ONLY_P2P].contains(&pages);
    let address = context::current()?.device()?.memory()?.allocate(size, padded && !huge)?;
    place.write(std::ptr::without_provenance_mut(address));
    Ok(())
}

/// Reads what a caller configured; every known attribute is accepted and has no effect here.
pub(super) fn check_config(config: Out<aclrtMallocConfig>) -> Result {
    let Some(config) = config.optional().map(|config| config.read()) else { return Ok(()) };
    if config.numAttrs == 0 {
        return Ok(());
    }
    // SAFETY: the caller promised that `attrs` leads to as many attributes as it says.
    let attributes = unsafe { Array::from_c(config.attrs.cast_const()) }.read(config.numAttrs as u64);
    let attributes = attributes
        .ok_or_else(|| Status::new(code::INVALID_PARAM, "cfg has no attrs but a number of them"))?;
    match attributes.iter().find(|one| one.attr.0 > ACL_RT_MEM_ATTR_VA_FLAG.0) {
        Some(unknown) => Err(Status::new(
            code::PARAM_INVALID,
            format_args!("cfg has the unknown attribute {}", unknown.attr.0),
        )),
        None => Ok(()),
    }
}

pub(super) fn free(address: usize) -> Result {
    callback::forbid("memory is released")?;
    let memories = device::all().iter().filter_map(|device| device.memory_if_used());
    let freed = memories.filter_map(|memory| memory.free(address)).next();
    freed.unwrap_or_else(|| {
        Err(Status::new(
            code::PARAM_INVALID,
            format_args!("{address:#x} is not device memory of aclrtMalloc"),
        )
        .of(Check::ForeignPointer))
    })
}

fn name(text: &str) -> [c_char; 32] {
    let mut name = [0; 32];
    for (to, from) in name.iter_mut().zip(text.bytes()) {
        *to = from as c_char;
    }
    name
}

plain_parameters! { aclrtMemMallocPolicy, aclrtMemAttr }

entry_points! { SYMBOLS:
    fn aclrtMalloc(pointer: Out<*mut c_void>, size: usize, policy: aclrtMemMallocPolicy) -> i32 {
        allocate(pointer, size, policy, true)
    }

    fn aclrtMallocAlign32(pointer: Out<*mut c_void>, size: usize, policy: aclrtMemMallocPolicy) -> i32 {
        allocate(pointer, size, policy, false)
    }

    fn aclrtMallocCached(pointer: Out<*mut c_void>, size: usize, policy: aclrtMemMallocPolicy) -> i32 {
        allocate(pointer, size, policy, true)
    }

    fn aclrtMallocWithCfg(
        pointer: Out<*mut c_void>,
        size: usize,
        policy: aclrtMemMallocPolicy,
        config: Out<aclrtMallocConfig>,
    ) -> i32 {
        check_config(config)?;
        allocate(pointer, size, policy, true)
    }

    fn aclrtFree(pointer: Address<*mut c_void>) -> i32 {
        free(pointer.required("devPtr", code::INVALID_PARAM)?)
    }

    fn aclrtFreeWithDevSync(pointer: Address<*mut c_void>) -> i32 {
        let address = pointer.required("devPtr", code::INVALID_PARAM)?;
        callback::forbid("memory is released")?;
        // Freed even when a task failed: the caller would not free it again.
        device::synchronize_all().and(free(address))
    }

    fn aclrtGetMemInfo(kind: aclrtMemAttr, free: Out<usize>, total: Out<usize>) -> i32 {
        let free = free.required("free", code::INVALID_PARAM)?;
        let total = total.required("total", code::INVALID_PARAM)?;
        if kind.0 > ACL_MEM_P2P_HUGE1G.0 {
            return Err(Status::new(code::INVALID_PARAM, format_args!("attr {} is unknown", kind.0)));
        }
        let usage = context::current()?.device()?.memory()?.usage();
        free.write(usage.total.saturating_sub(usage.used));
        total.write(usage.total);
        Ok(())
    }

    /// The emulator has one module, called `emulator`.
    fn aclrtGetMemUsageInfo(
        device: i32,
        modules: Out<aclrtMemUsageInfo>,
        capacity: usize,
        count: Out<usize>,
    ) -> i32 {
        let modules = modules.required("memUsageInfo", code::INVALID_PARAM)?;
        let count = count.required("outputNum", code::INVALID_PARAM)?;
        if capacity == 0 {
            return Err(Status::new(code::INVALID_PARAM, "inputNum is 0"));
        }
        let usage = device::get(device)?.memory()?.usage();
        modules.write(aclrtMemUsageInfo {
            name: name("emulator"),
            curMemSize: usage.used as u64,
            memPeakSize: usage.peak as u64,
            reserved: [0; 8],
        });
        count.write(1);
        Ok(())
    }

    fn aclrtMemGetAddressRange(pointer: Address<*mut c_void>, base: Out<*mut c_void>, size: Out<usize>) -> i32 {
        let address = pointer.required("ptr", code::INVALID_PARAM)?;
        let unknown = || Status::new(code::PARAM_INVALID, format_args!("{address:#x} lies in no device memory"));
        let (_, start, len) = super::extent(address).ok_or_else(unknown)?;
        if let Some(base) = base.optional() {
            base.write(std::ptr::without_provenance_mut(start));
        }
        if let Some(size) = size.optional() {
            size.write(len);
        }
        Ok(())
    }

    fn aclrtPointerGetAttributes(pointer: Address<*const c_void>, attributes: Out<aclrtPtrAttributes>) -> i32 {
        let address = pointer.required("ptr", code::INVALID_PARAM)?;
        let place = attributes.required("attributes", code::INVALID_PARAM)?;
        let (type_, id, page) = match super::extent(address) {
            Some((device, ..)) => (ACL_MEM_LOCATION_TYPE_DEVICE, device as u32, LARGE_PAGE as u32),
            None if host::is_known(address) => (ACL_MEM_LOCATION_TYPE_HOST, 0, HOST_PAGE),
            None => (ACL_MEM_LOCATION_TYPE_UNREGISTERED, 0, HOST_PAGE),
        };
        place.write(aclrtPtrAttributes { location: aclrtMemLocation { id, type_ }, pageSize: page, rsv: [0; 4] });
        Ok(())
    }
}

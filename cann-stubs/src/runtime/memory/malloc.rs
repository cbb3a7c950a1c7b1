//! Allocating and freeing device memory, and queries about it.

use std::ffi::{c_char, c_void};

use aclnn_sys::{
    ACL_MEM_LOCATION_TYPE_DEVICE, ACL_MEM_LOCATION_TYPE_HOST, ACL_MEM_LOCATION_TYPE_UNREGISTERED,
    ACL_MEM_MALLOC_HUGE1G_ONLY, ACL_MEM_MALLOC_HUGE1G_ONLY_P2P, ACL_MEM_P2P_HUGE1G, aclrtMallocConfig,
    aclrtMemAttr, aclrtMemLocation, aclrtMemMallocPolicy, aclrtMemUsageInfo, aclrtPtrAttributes,
};

use super::malloc_config::check_config;
use super::window::LARGE_PAGE;
use super::{device, host};
use crate::entry::{Address, Out, entry_points, plain_parameters};
use crate::runtime::code;
use crate::runtime::stream::{callback, drain};
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
    let address = device::of_current()?.allocations.allocate(size, padded && !huge)?;
    place.write(std::ptr::without_provenance_mut(address));
    Ok(())
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
        device::free(pointer.required("devPtr", code::INVALID_PARAM)?)
    }

    fn aclrtFreeWithDevSync(pointer: Address<*mut c_void>) -> i32 {
        let address = pointer.required("devPtr", code::INVALID_PARAM)?;
        callback::forbid("memory is released")?;
        // Freed even when a task failed: the caller would not free it again.
        drain::synchronize_all().and(device::free(address))
    }

    fn aclrtGetMemInfo(kind: aclrtMemAttr, free: Out<usize>, total: Out<usize>) -> i32 {
        let free = free.required("free", code::INVALID_PARAM)?;
        let total = total.required("total", code::INVALID_PARAM)?;
        if kind.0 > ACL_MEM_P2P_HUGE1G.0 {
            return Err(Status::new(code::INVALID_PARAM, format_args!("attr {} is unknown", kind.0)));
        }
        let usage = device::of_current()?.allocations.usage();
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
        let usage = device::of(device)?.allocations.usage();
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
        let (_, start, len) = device::extent(address).ok_or_else(unknown)?;
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
        let (type_, id, page) = match device::extent(address) {
            Some((device, ..)) => (ACL_MEM_LOCATION_TYPE_DEVICE, device as u32, LARGE_PAGE as u32),
            None if host::is_known(address) => (ACL_MEM_LOCATION_TYPE_HOST, 0, HOST_PAGE),
            None => (ACL_MEM_LOCATION_TYPE_UNREGISTERED, 0, HOST_PAGE),
        };
        place.write(aclrtPtrAttributes { location: aclrtMemLocation { id, type_ }, pageSize: page, rsv: [0; 4] });
        Ok(())
    }
}

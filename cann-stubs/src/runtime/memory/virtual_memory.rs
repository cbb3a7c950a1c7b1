//! The functions of virtual memory: reserve addresses, take physical memory, map, use, unmap, free, release.
//!
//! Undoing the steps in another order is refused: freeing what is mapped, and releasing addresses where something is mapped.

use std::ffi::c_void;

use aclnn_sys::{
    ACL_MEM_LOCATION_TYPE_DEVICE, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM,
    ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED, aclrtMemAccessDesc, aclrtMemGranularityOptions,
    aclrtMemLocation, aclrtPhysicalMemProp,
};

use super::virtual_space::{GRANULARITY, VirtualSpace};
use super::{device, physical};
use crate::entry::{Address, Array, Handle, Out, entry_points, plain_parameters};
use crate::handle::to_pointer;
use crate::runtime::code;
use crate::runtime::product::devices;
use crate::runtime::stream::callback;
use crate::status::{Result, Status};

/// The space that `address` belongs to, and how far into it.
fn space_of(address: usize) -> Result<(&'static VirtualSpace, usize)> {
    let mut spaces = device::used().filter_map(|(_, memory)| memory.virtual_space_if_used());
    let found = spaces.find_map(|space| Some((space, space.offset(address)?)));
    found.ok_or_else(|| {
        Status::new(
            code::PARAM_INVALID,
            format_args!("{address:#x} is not an address of aclrtReserveMemAddress"),
        )
    })
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
    devices::must_exist(id).map(|()| id)
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
        let space = device::of_current()?.virtual_space()?;
        place.write(std::ptr::without_provenance_mut(space.reserve_addresses(size)?));
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
        let memory = device::of(device_of(&properties.location)?)?;
        place.write(to_pointer(physical::create(&memory.allocations, size, properties)?));
        Ok(())
    }

    fn aclrtFreePhysical(handle: Handle<*mut c_void>) -> i32 {
        callback::forbid("memory is released")?;
        physical::free(handle.0)
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
        let physical = physical::find(handle.0)?;
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
        let handle = space.physical_at(offset).and_then(|mapped| physical::retain_mapped(&mapped));
        let handle = handle.ok_or_else(unmapped)?;
        place.write(to_pointer(handle));
        Ok(())
    }

    fn aclrtMemGetAllocationPropertiesFromHandle(
        handle: Handle<*mut c_void>,
        properties: Out<aclrtPhysicalMemProp>,
    ) -> i32 {
        let place = properties.required("prop", code::INVALID_PARAM)?;
        place.write(physical::find(handle.0)?.properties);
        Ok(())
    }
}

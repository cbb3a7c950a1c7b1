//! The entry points of host memory.

use std::ffi::c_void;

use aclnn_sys::{
    ACL_HOST_REG_IOMEMORY, ACL_HOST_REG_MAPPED, ACL_HOST_REG_PINNED, ACL_HOST_REG_READONLY,
    ACL_HOST_REGISTER_IOMEMORY, ACL_HOST_REGISTER_MAPPED, ACL_HOST_REGISTER_READONLY, aclrtHostRegisterType,
    aclrtMallocConfig,
};

use crate::entry::{Address, Out, entry_points, plain_parameters};
use crate::runtime::code;
use crate::runtime::memory::host;
use crate::runtime::memory::malloc_config::check_config;
use crate::runtime::stream::{callback, drain};
use crate::status::{Result, Status};

const FLAGS: u64 = ACL_HOST_REG_MAPPED | ACL_HOST_REG_IOMEMORY | ACL_HOST_REG_READONLY | ACL_HOST_REG_PINNED;

fn allocate(place: Out<*mut c_void>, size: usize) -> Result {
    callback::forbid("memory is taken")?;
    let place = place.required("hostPtr", code::INVALID_PARAM)?;
    place.write(std::ptr::with_exposed_provenance_mut(host::allocate(size)?));
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
        host::free(pointer.required("hostPtr", code::INVALID_PARAM)?)
    }

    fn aclrtFreeHostWithDevSync(pointer: Address<*mut c_void>) -> i32 {
        let address = pointer.required("hostPtr", code::INVALID_PARAM)?;
        callback::forbid("memory is released")?;
        // Freed even when a task failed: the caller would not free it again.
        drain::synchronize_all().and(host::free(address))
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
        host::register(address, size, true)?;
        place.write(std::ptr::with_exposed_provenance_mut(address));
        Ok(())
    }

    fn aclrtHostRegisterV2(pointer: Address<*mut c_void>, size: u64, flag: u32) -> i32 {
        let address = pointer.required("ptr", code::INVALID_PARAM)?;
        if u64::from(flag) & !FLAGS != 0 {
            return Err(Status::new(code::INVALID_PARAM, format_args!("flag is {flag:#x}, known are {FLAGS:#x}")));
        }
        host::register(address, size, u64::from(flag) & ACL_HOST_REG_MAPPED != 0)
    }

    fn aclrtHostUnregister(pointer: Address<*mut c_void>) -> i32 {
        host::unregister(pointer.required("ptr", code::INVALID_PARAM)?)
    }

    fn aclrtHostGetDevicePointer(host: Address<*mut c_void>, device: Out<*mut c_void>, flag: u32) -> i32 {
        let address = host.required("pHost", code::INVALID_PARAM)?;
        let place = device.required("pDevice", code::INVALID_PARAM)?;
        if flag != 0 {
            return Err(Status::new(code::INVALID_PARAM, format_args!("flag is {flag:#x}; it must be 0")));
        }
        if !host::is_registered(address, 1) {
            let message = format!("{address:#x} lies in no host memory registered for devices");
            return Err(Status::new(code::HOST_MEMORY_NOT_REGISTERED, message));
        }
        place.write(std::ptr::with_exposed_provenance_mut(address));
        Ok(())
    }
}

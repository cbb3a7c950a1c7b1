//! The names and capabilities of the emulated product.

use std::ffi::c_char;

use aclnn_sys::{
    ACL_CANN_ATTR_BF16, ACL_CANN_ATTR_INF_NAN, ACL_CANN_ATTR_JIT_COMPILE, ACL_DEV_ATTR_AICORE_CORE_NUM,
    ACL_DEV_ATTR_AICPU_CORE_NUM, ACL_DEV_ATTR_CUBE_CORE_NUM, ACL_DEV_ATTR_IS_VIRTUAL,
    ACL_DEV_ATTR_L2_CACHE_SIZE, ACL_DEV_ATTR_PHY_CHIP_ID, ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE,
    ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE, ACL_DEV_ATTR_VECTOR_CORE_NUM, ACL_DEV_FEATURE_NOT_SUPPORT,
    ACL_DEVICE_INFO_AI_CORE_NUM, ACL_DEVICE_INFO_L2_SIZE, ACL_DEVICE_INFO_VECTOR_CORE_NUM,
    ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV, ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV, aclCannAttr,
    aclDeviceInfo, aclrtDevAttr, aclrtDevFeatureType,
};

use crate::entry::{Out, entry_points, plain_parameters};
use crate::runtime::memory;
use crate::runtime::product::devices;
use crate::runtime::{code, product};
use crate::settings;
use crate::status::{Result, Status};

/// The attributes that a program may query, with their values. Operators are not compiled when they are called, since the
/// emulator does not compile operators at all.
static ATTRIBUTES: [aclCannAttr; 3] = [ACL_CANN_ATTR_INF_NAN, ACL_CANN_ATTR_BF16, ACL_CANN_ATTR_JIT_COMPILE];

fn attribute(which: aclCannAttr) -> Option<i32> {
    match which {
        ACL_CANN_ATTR_INF_NAN => Some(1),
        ACL_CANN_ATTR_BF16 => Some(i32::from(product::emulated().bf16)),
        ACL_CANN_ATTR_JIT_COMPILE => Some(0),
        _ => None,
    }
}

/// A number that describes a device; `None` for what the emulator does not model.
fn number(device: i32, which: aclrtDevAttr) -> Result<Option<i64>> {
    let product = product::emulated();
    Ok(Some(match which {
        ACL_DEV_ATTR_AICPU_CORE_NUM => product.cpu_cores,
        ACL_DEV_ATTR_AICORE_CORE_NUM | ACL_DEV_ATTR_CUBE_CORE_NUM => product.cube_cores,
        ACL_DEV_ATTR_VECTOR_CORE_NUM => product.vector_cores,
        ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE => product.unified_buffer,
        ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE => memory::device::of(device)?.allocations.usage().total as i64,
        ACL_DEV_ATTR_L2_CACHE_SIZE => product.l2_cache,
        ACL_DEV_ATTR_PHY_CHIP_ID => i64::from(device),
        ACL_DEV_ATTR_IS_VIRTUAL => 0,
        _ => return Ok(None),
    }))
}

fn existing(device: u32) -> Result<i32> {
    let device = i32::try_from(device).unwrap_or(-1);
    devices::must_exist(device).map(|()| device)
}

plain_parameters! { aclCannAttr, aclDeviceInfo, aclrtDevAttr, aclrtDevFeatureType }

entry_points! { SYMBOLS:
    fn aclrtGetSocName() -> *const c_char {
        settings::get().soc_name.as_ptr()
    }

    fn aclGetCannAttributeList(list: Out<*const aclCannAttr>, count: Out<usize>) -> i32 {
        let list = list.required("cannAttrList", code::INVALID_PARAM)?;
        let count = count.required("num", code::INVALID_PARAM)?;
        list.write(ATTRIBUTES.as_ptr());
        count.write(ATTRIBUTES.len());
        Ok(())
    }

    fn aclGetCannAttribute(which: aclCannAttr, value: Out<i32>) -> i32 {
        let place = value.required("value", code::INVALID_PARAM)?;
        let unknown = || Status::new(code::INVALID_PARAM, format_args!("attribute {} is unknown", which.0));
        place.write(attribute(which).ok_or_else(unknown)?);
        Ok(())
    }

    fn aclGetDeviceCapability(device: u32, which: aclDeviceInfo, value: Out<i64>) -> i32 {
        let place = value.required("value", code::INVALID_PARAM)?;
        existing(device)?;
        let product = product::emulated();
        place.write(match which {
            ACL_DEVICE_INFO_AI_CORE_NUM => product.cube_cores,
            ACL_DEVICE_INFO_VECTOR_CORE_NUM => product.vector_cores,
            ACL_DEVICE_INFO_L2_SIZE => product.l2_cache,
            _ => return Err(Status::new(code::INVALID_PARAM, format_args!("number {} is unknown", which.0))),
        });
        Ok(())
    }

    fn aclrtGetDeviceInfo(device: u32, which: aclrtDevAttr, value: Out<i64>) -> i32 {
        let place = value.required("value", code::INVALID_PARAM)?;
        let unmodelled =
            || Status::new(code::FEATURE_NOT_SUPPORT, format_args!("attribute {} is not emulated", which.0));
        place.write(number(existing(device)?, which)?.ok_or_else(unmodelled)?);
        Ok(())
    }

    fn aclrtGetDeviceCapability(device: i32, feature: aclrtDevFeatureType, value: Out<i32>) -> i32 {
        let place = value.required("value", code::INVALID_PARAM)?;
        devices::must_exist(device)?;
        let known = [ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV, ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV];
        if !known.contains(&feature) {
            return Err(Status::new(code::INVALID_PARAM, format_args!("feature {} is unknown", feature.0)));
        }
        place.write(ACL_DEV_FEATURE_NOT_SUPPORT);
        Ok(())
    }
}

//! The devices, as far as the runtime tells.

use aclnn::sys::{
    ACL_DDR_MEM, ACL_DEVICE_INFO_AI_CORE_NUM, ACL_DEVICE_INFO_L2_SIZE, ACL_DEVICE_INFO_VECTOR_CORE_NUM,
    ACL_RT_DEVICE_STATUS_ABNORMAL, ACL_RT_DEVICE_STATUS_NORMAL, ACL_SUCCESS, Runtime, aclDeviceInfo,
    aclrtDeviceStatus, aclrtUtilizationInfo,
};
use aclnn::{Backend, Device, Error};
use serde::{Deserialize, Serialize};

use super::missing_functions::{absent, code};

/// A device.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct DeviceInfo {
    pub(crate) ordinal: i32,
    /// The SoC, as `aclrtGetSocName` returns it.
    pub(crate) soc: String,
    /// The product line, if this is a known SoC.
    pub(crate) product: Option<String>,
    /// Memory in bytes.
    pub(crate) memory_total: Option<u64>,
    pub(crate) memory_free: Option<u64>,
    pub(crate) ai_cores: Option<i64>,
    pub(crate) vector_cores: Option<i64>,
    /// The second-level cache in bytes.
    pub(crate) l2_cache: Option<i64>,
    /// Its health, or why it is not known.
    pub(crate) health: String,
    /// Its load, or why it is not known.
    pub(crate) load: String,
    /// Why it does not open.
    pub(crate) error: Option<String>,
}

/// Describes every device, also those that do not open.
pub(super) fn all(backend: &Backend) -> Result<Vec<DeviceInfo>, Error> {
    let ordinals = 0..i32::try_from(Device::count()?).unwrap_or(i32::MAX);
    Ok(ordinals.map(|ordinal| one(backend.runtime(), ordinal)).collect())
}

fn one(runtime: &Runtime, ordinal: i32) -> DeviceInfo {
    let device = match Device::open(ordinal) {
        Ok(device) => device,
        Err(error) => {
            return DeviceInfo { ordinal, error: Some(error.to_string()), ..DeviceInfo::default() };
        }
    };
    let memory = memory(runtime, &device);
    DeviceInfo {
        ordinal,
        soc: device.soc_name().to_owned(),
        product: device.product().map(|product| format!("{product:?}")),
        memory_total: memory.map(|(_, total)| total),
        memory_free: memory.map(|(free, _)| free),
        ai_cores: capability(runtime, ordinal, ACL_DEVICE_INFO_AI_CORE_NUM),
        vector_cores: capability(runtime, ordinal, ACL_DEVICE_INFO_VECTOR_CORE_NUM),
        l2_cache: capability(runtime, ordinal, ACL_DEVICE_INFO_L2_SIZE),
        health: health(runtime, ordinal),
        load: load(runtime, ordinal),
        error: None,
    }
}

/// Returns free and total memory: HBM, or DDR where there is no HBM.
fn memory(runtime: &Runtime, device: &Device) -> Option<(u64, u64)> {
    if let Ok(info) = device.memory_info()
        && info.total > 0
    {
        return Some((info.free as u64, info.total as u64));
    }
    let (mut free, mut total) = (0, 0);
    // SAFETY: valid places; the context of the device is current since it was asked for its memory.
    let code = unsafe { runtime.aclrtGetMemInfo(ACL_DDR_MEM, &mut free, &mut total) };
    (code == Ok(ACL_SUCCESS) && total > 0).then_some((free as u64, total as u64))
}

fn capability(runtime: &Runtime, ordinal: i32, which: aclDeviceInfo) -> Option<i64> {
    let mut value = 0;
    // SAFETY: a valid place.
    let code = unsafe { runtime.aclGetDeviceCapability(ordinal.cast_unsigned(), which, &mut value) };
    (code == Ok(ACL_SUCCESS)).then_some(value)
}

fn health(runtime: &Runtime, ordinal: i32) -> String {
    let mut status = aclrtDeviceStatus(0);
    // SAFETY: a valid place.
    match unsafe { runtime.aclrtQueryDeviceStatus(ordinal, &mut status) } {
        Ok(ACL_SUCCESS) => match status {
            ACL_RT_DEVICE_STATUS_NORMAL => "normal".to_owned(),
            ACL_RT_DEVICE_STATUS_ABNORMAL => "abnormal".to_owned(),
            other => format!("status {}", other.0),
        },
        Ok(refused) => format!("unknown ({})", code(refused)),
        Err(missing) => format!("unknown ({})", absent(&missing)),
    }
}

fn load(runtime: &Runtime, ordinal: i32) -> String {
    let mut load = aclrtUtilizationInfo {
        cubeUtilization: 0,
        vectorUtilization: 0,
        aicpuUtilization: 0,
        memoryUtilization: 0,
        utilizationExtend: std::ptr::null_mut(),
    };
    // SAFETY: a valid place; nothing more is asked for than the numbers in it.
    match unsafe { runtime.aclrtGetDeviceUtilizationRate(ordinal, &mut load) } {
        Ok(ACL_SUCCESS) => format!(
            "cube {} %, vector {} %, AICPU {} %, memory {} %",
            load.cubeUtilization, load.vectorUtilization, load.aicpuUtilization, load.memoryUtilization
        ),
        Ok(refused) => format!("unknown ({})", code(refused)),
        Err(missing) => format!("unknown ({})", absent(&missing)),
    }
}

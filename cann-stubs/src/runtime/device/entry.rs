//! The entry points of devices.

use std::ffi::c_char;

use aclnn_sys::{
    ACL_HOST, ACL_RT_DEVICE_STATUS_NORMAL, ACL_RT_OVERFLOW_MODE_INFNAN, ACL_RT_OVERFLOW_MODE_SATURATION,
    aclrtDeviceStatus, aclrtFloatOverflowMode, aclrtRunMode, aclrtUuid,
};

use crate::entry::{Out, entry_points, plain_parameters};
use crate::runtime::stream::progress::Patience;
use crate::runtime::stream::{callback, context};
use crate::runtime::{code, device, product};
use crate::status::{Result, Status};

/// Two different devices.
fn pair(device: i32, peer: i32) -> Result<(&'static device::Device, &'static device::Device)> {
    if device == peer {
        return Err(Status::new(code::INVALID_PARAM, format_args!("device {device} is its own peer")));
    }
    Ok((device::get(device)?, device::get(peer)?))
}

fn synchronize(patience: Patience) -> Result {
    callback::forbid("a device is waited for")?;
    context::current()?.device()?.synchronize(patience, code::STREAM_SYNC_TIMEOUT)
}

/// The number of a device as an identity that no other device of the process has.
fn uuid(device: i32) -> [c_char; 16] {
    let mut bytes = [0; 16];
    for (to, from) in bytes.iter_mut().zip(b"emulated-npu".iter().copied().chain(device.to_le_bytes())) {
        *to = from as c_char;
    }
    bytes
}

plain_parameters! { aclrtFloatOverflowMode }

entry_points! { SYMBOLS:
    fn aclrtSetDevice(device: i32) -> i32 {
        device::get(device)?.set()
    }

    fn aclrtResetDevice(device: i32) -> i32 {
        callback::forbid("a device is reset")?;
        device::reset("aclrtResetDevice", device, false)
    }

    fn aclrtResetDeviceForce(device: i32) -> i32 {
        callback::forbid("a device is reset")?;
        device::reset("aclrtResetDeviceForce", device, true)
    }

    fn aclrtGetDevice(device: Out<i32>) -> i32 {
        let place = device.required("deviceId", code::INVALID_PARAM)?;
        place.write(context::current()?.device_id());
        Ok(())
    }

    fn aclrtGetDeviceCount(count: Out<u32>) -> i32 {
        count.required("count", code::INVALID_PARAM)?.write(device::all().len() as u32);
        Ok(())
    }

    fn aclrtGetRunMode(mode: Out<aclrtRunMode>) -> i32 {
        mode.required("runMode", code::INVALID_PARAM)?.write(ACL_HOST);
        Ok(())
    }

    fn aclrtSynchronizeDevice() -> i32 {
        synchronize(Patience::Forever)
    }

    /// The time limits waiting for other threads; work that this thread can do is done first.
    fn aclrtSynchronizeDeviceWithTimeout(timeout: i32) -> i32 {
        synchronize(Patience::of_milliseconds(timeout)?)
    }

    /// Stored to be returned; the emulator computes infinities and NaN, as the product does by default.
    [stored] fn aclrtSetDeviceSatMode(mode: aclrtFloatOverflowMode) -> i32 {
        if ![ACL_RT_OVERFLOW_MODE_SATURATION, ACL_RT_OVERFLOW_MODE_INFNAN].contains(&mode) {
            return Err(Status::new(code::INVALID_PARAM, format_args!("mode is {}; known are 0 and 1", mode.0)));
        }
        context::current()?.device()?.set_overflow_mode(mode.0);
        Ok(())
    }

    fn aclrtGetDeviceSatMode(mode: Out<aclrtFloatOverflowMode>) -> i32 {
        let place = mode.required("mode", code::INVALID_PARAM)?;
        place.write(aclrtFloatOverflowMode(context::current()?.device()?.overflow_mode()));
        Ok(())
    }

    fn aclrtQueryDeviceStatus(device: i32, status: Out<aclrtDeviceStatus>) -> i32 {
        let place = status.required("deviceStatus", code::INVALID_PARAM)?;
        device::get(device)?;
        place.write(ACL_RT_DEVICE_STATUS_NORMAL);
        Ok(())
    }

    fn aclrtDeviceGetUuid(device: i32, identity: Out<aclrtUuid>) -> i32 {
        let place = identity.required("uuid", code::INVALID_PARAM)?;
        place.write(aclrtUuid { bytes: uuid(device::get(device)?.id()) });
        Ok(())
    }

    fn aclrtDeviceGetStreamPriorityRange(least: Out<i32>, greatest: Out<i32>) -> i32 {
        let least = least.required("leastPriority", code::INVALID_PARAM)?;
        let greatest = greatest.required("greatestPriority", code::INVALID_PARAM)?;
        context::current()?;
        least.write(product::LEAST_PRIORITY as i32);
        greatest.write(0);
        Ok(())
    }

    /// Emulated devices can all reach each other.
    fn aclrtDeviceCanAccessPeer(answer: Out<i32>, device: i32, peer: i32) -> i32 {
        let place = answer.required("canAccessPeer", code::INVALID_PARAM)?;
        pair(device, peer)?;
        place.write(1);
        Ok(())
    }

    fn aclrtDeviceEnablePeerAccess(peer: i32, flags: u32) -> i32 {
        let (device, peer) = pair(context::current()?.device_id(), peer)?;
        if flags != 0 {
            return Err(Status::new(code::FEATURE_UNSUPPORTED, format_args!("flags is {flags}; it must be 0")));
        }
        device.peers().insert(peer.id());
        Ok(())
    }

    fn aclrtDeviceDisablePeerAccess(peer: i32) -> i32 {
        let (device, peer) = pair(context::current()?.device_id(), peer)?;
        if !device.peers().remove(&peer.id()) {
            let message = format!("device {} was not allowed to reach device {}", device.id(), peer.id());
            return Err(Status::new(code::PARAM_INVALID, message));
        }
        Ok(())
    }

    fn aclrtDevicePeerAccessStatus(device: i32, peer: i32, status: Out<i32>) -> i32 {
        let place = status.required("status", code::INVALID_PARAM)?;
        let (device, peer) = pair(device, peer)?;
        place.write(i32::from(device.peers().contains(&peer.id())));
        Ok(())
    }
}

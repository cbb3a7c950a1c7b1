//! The entry points of devices and contexts.

use std::ffi::{c_char, c_void};
use std::sync::atomic::{AtomicU32, Ordering};

use aclnn_sys::{
    ACL_HOST, ACL_RT_DEVICE_STATUS_NORMAL, ACL_RT_OVERFLOW_MODE_INFNAN, ACL_RT_OVERFLOW_MODE_SATURATION,
    aclSysParamOpt, aclrtDeviceStatus, aclrtFloatOverflowMode, aclrtRunMode, aclrtUuid,
};

use super::options;
use super::reset::{release_if_unused, reset_by};
use crate::check::leaks;
use crate::entry::{Handle, Out, entry_points, plain_parameters};
use crate::handle::to_pointer;
use crate::runtime::memory::peer;
use crate::runtime::product::devices::{self, PerDevice};
use crate::runtime::stream::capture;
use crate::runtime::stream::context::{self, Context};
use crate::runtime::stream::drain::synchronize_device;
use crate::runtime::stream::progress::Patience;
use crate::runtime::stream::{callback, registry};
use crate::runtime::{code, product};
use crate::status::{Result, Status};

/// The `aclrtFloatOverflowMode` of each device.
static OVERFLOW_MODES: PerDevice<AtomicU32> =
    PerDevice::new(|| AtomicU32::new(ACL_RT_OVERFLOW_MODE_INFNAN.0));

fn overflow_mode() -> Result<&'static AtomicU32> {
    OVERFLOW_MODES.of(context::current()?.device_id())
}

/// Two different devices that exist.
fn must_be_pair(device: i32, peer: i32) -> Result {
    if device == peer {
        return Err(Status::new(code::INVALID_PARAM, format_args!("device {device} is its own peer")));
    }
    devices::must_exist(device)?;
    devices::must_exist(peer)
}

fn synchronize(patience: Patience) -> Result {
    callback::forbid("a device is waited for")?;
    let context = context::current()?;
    if capture::any_in(context.number()) {
        let message = "a graph is captured from a stream of the context; end the capture first";
        return Err(Status::new(code::STREAM_CAPTURED, message));
    }
    synchronize_device(context.device_id(), patience, code::STREAM_SYNC_TIMEOUT)
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
        context::set_primary(device)
    }

    fn aclrtResetDevice(device: i32) -> i32 {
        callback::forbid("a device is reset")?;
        reset_by("aclrtResetDevice", device, false)
    }

    fn aclrtResetDeviceForce(device: i32) -> i32 {
        callback::forbid("a device is reset")?;
        reset_by("aclrtResetDeviceForce", device, true)
    }

    fn aclrtGetDevice(device: Out<i32>) -> i32 {
        let place = device.required("deviceId", code::INVALID_PARAM)?;
        place.write(context::current()?.device_id());
        Ok(())
    }

    fn aclrtGetDeviceCount(count: Out<u32>) -> i32 {
        count.required("count", code::INVALID_PARAM)?.write(devices::count());
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

    /// Done at once, so the time limit is not needed.
    fn aclrtDeviceTaskAbort(device: i32, _timeout: u32) -> i32 {
        callback::forbid("work is aborted")?;
        devices::must_exist(device)?;
        let streams = registry::all().into_iter().filter(|(_, stream)| stream.device == device);
        streams.for_each(|(_, stream)| stream.abort());
        Ok(())
    }

    /// Stored to be returned; the emulator computes infinities and NaN, as the product does by default.
    [stored] fn aclrtSetDeviceSatMode(mode: aclrtFloatOverflowMode) -> i32 {
        if ![ACL_RT_OVERFLOW_MODE_SATURATION, ACL_RT_OVERFLOW_MODE_INFNAN].contains(&mode) {
            return Err(Status::new(code::INVALID_PARAM, format_args!("mode is {}; known are 0 and 1", mode.0)));
        }
        overflow_mode()?.store(mode.0, Ordering::Relaxed);
        Ok(())
    }

    fn aclrtGetDeviceSatMode(mode: Out<aclrtFloatOverflowMode>) -> i32 {
        let place = mode.required("mode", code::INVALID_PARAM)?;
        place.write(aclrtFloatOverflowMode(overflow_mode()?.load(Ordering::Relaxed)));
        Ok(())
    }

    fn aclrtQueryDeviceStatus(device: i32, status: Out<aclrtDeviceStatus>) -> i32 {
        let place = status.required("deviceStatus", code::INVALID_PARAM)?;
        devices::must_exist(device)?;
        place.write(ACL_RT_DEVICE_STATUS_NORMAL);
        Ok(())
    }

    fn aclrtDeviceGetUuid(device: i32, identity: Out<aclrtUuid>) -> i32 {
        let place = identity.required("uuid", code::INVALID_PARAM)?;
        devices::must_exist(device)?;
        place.write(aclrtUuid { bytes: uuid(device) });
        Ok(())
    }

    fn aclrtGetLogicDevIdByUserDevId(user: i32, logic: Out<i32>) -> i32 {
        let place = logic.required("logicDevId", code::INVALID_PARAM)?;
        devices::must_exist(user)?;
        place.write(user);
        Ok(())
    }

    fn aclrtDeviceGetBareTgid(process: Out<i32>) -> i32 {
        process.required("pid", code::INVALID_PARAM)?.write(std::process::id() as i32);
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
        must_be_pair(device, peer)?;
        place.write(1);
        Ok(())
    }

    fn aclrtDeviceEnablePeerAccess(peer: i32, flags: u32) -> i32 {
        let device = context::current()?.device_id();
        must_be_pair(device, peer)?;
        if flags != 0 {
            return Err(Status::new(code::FEATURE_UNSUPPORTED, format_args!("flags is {flags}; it must be 0")));
        }
        peer::allow(device, peer)
    }

    fn aclrtDeviceDisablePeerAccess(peer: i32) -> i32 {
        let device = context::current()?.device_id();
        must_be_pair(device, peer)?;
        if !peer::forbid(device, peer)? {
            let message = format!("device {device} was not allowed to reach device {peer}");
            return Err(Status::new(code::PARAM_INVALID, message));
        }
        Ok(())
    }

    fn aclrtDevicePeerAccessStatus(device: i32, peer: i32, status: Out<i32>) -> i32 {
        let place = status.required("status", code::INVALID_PARAM)?;
        must_be_pair(device, peer)?;
        place.write(i32::from(peer::of(device)?.contains(&peer)));
        Ok(())
    }

    fn aclrtCreateContext(context: Out<*mut c_void>, device: i32) -> i32 {
        callback::forbid("a context is made")?;
        let place = context.required("context", code::INVALID_PARAM)?;
        devices::must_exist(device)?;
        let (handle, context) = Context::create(device, false)?;
        context::make_current(handle, context)?;
        place.write(to_pointer(handle));
        Ok(())
    }

    fn aclrtDestroyContext(context: Handle<*mut c_void>) -> i32 {
        callback::forbid("a context is destroyed")?;
        if context.0 == 0 {
            return Err(Status::new(code::INVALID_PARAM, "context is null"));
        }
        let device = context::find(context.0).map(|context| (context.device_id(), context.is_primary()));
        if device.as_ref().is_ok_and(|(_, is_primary)| *is_primary) {
            let message = "this is the context of aclrtSetDevice; it ends with aclrtResetDevice";
            return Err(Status::new(code::PARAM_INVALID, message));
        }
        let mut left = Vec::new();
        let outcome = context::destroy(context.0, &mut left);
        if let Ok((device, _)) = device {
            release_if_unused(device, &mut left);
        }
        leaks::tell("aclrtDestroyContext", left);
        outcome
    }

    fn aclrtSetCurrentContext(context: Handle<*mut c_void>) -> i32 {
        if context.0 == 0 {
            return Err(Status::new(code::INVALID_PARAM, "context is null"));
        }
        context::choose(context.0)
    }

    fn aclrtGetCurrentContext(context: Out<*mut c_void>) -> i32 {
        let place = context.required("context", code::INVALID_PARAM)?;
        place.write(to_pointer(context::with_current(|handle, _| handle)?));
        Ok(())
    }

    fn aclrtGetPrimaryCtxState(device: i32, flags: Out<u32>, active: Out<i32>) -> i32 {
        devices::must_exist(device)?;
        if let Some(flags) = flags.optional() {
            flags.write(0);
        }
        if let Some(active) = active.optional() {
            active.write(i32::from(context::has_primary(device)));
        }
        Ok(())
    }

    fn aclrtCtxGetCurrentDefaultStream(stream: Out<*mut c_void>) -> i32 {
        let place = stream.required("stream", code::INVALID_PARAM)?;
        place.write(to_pointer(context::current()?.default_handle()));
        Ok(())
    }

    fn aclrtCtxGetSysParamOpt(option: aclSysParamOpt, value: Out<i64>) -> i32 {
        let place = value.required("value", code::INVALID_PARAM)?;
        place.write(options::parameter(&context::current()?.parameters(), option)?);
        Ok(())
    }

    [stored] fn aclrtCtxSetSysParamOpt(option: aclSysParamOpt, value: i64) -> i32 {
        options::set_parameter(&mut context::current()?.parameters(), option, value)
    }
}

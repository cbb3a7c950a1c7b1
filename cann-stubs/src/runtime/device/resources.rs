//! Limits of the cores that devices, streams and threads use, which a program stores and reads back.
//!
//! The limits do not change what is computed, and the emulator uses as many threads as the process may use.

use std::cell::RefCell;
use std::ffi::c_void;
use std::sync::{Mutex, MutexGuard, PoisonError, Weak};

use aclnn_sys::{ACL_RT_DEV_RES_CUBE_CORE, ACL_RT_DEV_RES_VECTOR_CORE, aclrtDevResLimitType};

use crate::entry::{Handle, Out, entry_points, plain_parameters};
use crate::runtime::product::devices;
use crate::runtime::stream::{self, Stream, context};
use crate::runtime::{code, product};
use crate::small_map::SmallMap;
use crate::status::{Result, Status};

/// Limits of devices, by device and kind of core.
static LIMITS: Mutex<SmallMap<(i32, u32), u32>> = Mutex::new(SmallMap::new());

thread_local!(static IN_USE: RefCell<Weak<Stream>> = const { RefCell::new(Weak::new()) });

fn limits() -> MutexGuard<'static, SmallMap<(i32, u32), u32>> {
    LIMITS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Restores the state of a new process; for the end of the runtime.
pub(crate) fn forget_all() {
    limits().clear();
}

/// Cores of a kind that a device has.
fn cores(kind: aclrtDevResLimitType) -> Result<u32> {
    match kind {
        ACL_RT_DEV_RES_CUBE_CORE => Ok(product::emulated().cube_cores as u32),
        ACL_RT_DEV_RES_VECTOR_CORE => Ok(product::emulated().vector_cores as u32),
        _ => Err(Status::new(code::INVALID_PARAM, format_args!("type {} is unknown", kind.0))),
    }
}

fn existing(device: i32) -> Result<i32> {
    devices::must_exist(device).map(|()| device)
}

fn device_limit(device: i32, kind: aclrtDevResLimitType) -> Result<u32> {
    let cores = cores(kind)?;
    Ok(limits().get(&(device, kind.0)).copied().unwrap_or(cores))
}

/// The limit of a stream, or else of its device.
fn stream_limit(stream: &Stream, kind: aclrtDevResLimitType) -> Result<u32> {
    let device = device_limit(stream.device, kind)?;
    Ok(stream.settings.limit(kind.0).unwrap_or(device))
}

fn must_be_possible(kind: aclrtDevResLimitType, value: u32) -> Result {
    let cores = cores(kind)?;
    if !(1..=cores).contains(&value) {
        let message = format!("value is {value}; the device has {cores} such cores");
        return Err(Status::new(code::PARAM_INVALID, message));
    }
    Ok(())
}

plain_parameters! { aclrtDevResLimitType }

entry_points! { SYMBOLS:
    [stored] fn aclrtGetDeviceResLimit(device: i32, kind: aclrtDevResLimitType, value: Out<u32>) -> i32 {
        let place = value.required("value", code::INVALID_PARAM)?;
        place.write(device_limit(existing(device)?, kind)?);
        Ok(())
    }

    [stored] fn aclrtSetDeviceResLimit(device: i32, kind: aclrtDevResLimitType, value: u32) -> i32 {
        must_be_possible(kind, value)?;
        limits().insert((existing(device)?, kind.0), value);
        Ok(())
    }

    [stored] fn aclrtResetDeviceResLimit(device: i32) -> i32 {
        let id = existing(device)?;
        limits().retain(|(device, _)| *device != id);
        Ok(())
    }

    [stored] fn aclrtGetStreamResLimit(
        stream: Handle<*mut c_void>,
        kind: aclrtDevResLimitType,
        value: Out<u32>,
    ) -> i32 {
        let place = value.required("value", code::INVALID_PARAM)?;
        place.write(stream_limit(&*stream::resolve(stream.0)?, kind)?);
        Ok(())
    }

    [stored] fn aclrtSetStreamResLimit(stream: Handle<*mut c_void>, kind: aclrtDevResLimitType, value: u32) -> i32 {
        must_be_possible(kind, value)?;
        stream::resolve(stream.0)?.settings.set_limit(kind.0, value);
        Ok(())
    }

    [stored] fn aclrtResetStreamResLimit(stream: Handle<*mut c_void>) -> i32 {
        stream::resolve(stream.0)?.settings.forget_limits();
        Ok(())
    }

    [stored] fn aclrtUseStreamResInCurrentThread(stream: Handle<*mut c_void>) -> i32 {
        let stream = stream::resolve(stream.0)?.weak();
        // Refused only while the thread ends.
        let _ = IN_USE.try_with(|used| used.replace(stream));
        Ok(())
    }

    /// Whatever stream it is: a thread uses one at a time.
    [stored] fn aclrtUnuseStreamResInCurrentThread(_stream: Handle<*mut c_void>) -> i32 {
        let _ = IN_USE.try_with(|used| used.replace(Weak::new()));
        Ok(())
    }

    [stored] fn aclrtGetResInCurrentThread(kind: aclrtDevResLimitType, value: Out<u32>) -> i32 {
        let place = value.required("value", code::INVALID_PARAM)?;
        let used = IN_USE.try_with(|used| used.borrow().upgrade()).unwrap_or_default();
        place.write(match used {
            Some(stream) => stream_limit(&stream, kind)?,
            None => device_limit(context::current()?.device_id(), kind)?,
        });
        Ok(())
    }
}

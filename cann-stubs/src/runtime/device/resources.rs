//! Settings of devices, streams and threads that a program stores and reads back: limits of cores, attributes.
//!
//! The limits do not change what is computed, and the emulator uses as many threads as the process may use.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::{Mutex, MutexGuard, PoisonError, Weak};

use aclnn_sys::{
    ACL_RT_DEV_RES_CUBE_CORE, ACL_RT_DEV_RES_VECTOR_CORE, ACL_STREAM_ATTR_CACHE_OP_INFO,
    ACL_STREAM_ATTR_FAILURE_MODE, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, ACL_STREAM_ATTR_PRIORITY,
    ACL_STREAM_ATTR_USER_CUSTOM_TAG, aclrtDevResLimitType, aclrtStreamAttr, aclrtStreamAttrValue,
};

use crate::entry::{Handle, Out, entry_points, plain_parameters};
use crate::runtime::stream::context;
use crate::runtime::stream::{self, Stream, set_failure_mode};
use crate::runtime::{code, device, product};
use crate::status::{Result, Status};

/// The settings that the program stored for a stream.
#[derive(Debug, Default)]
pub(crate) struct Settings(Mutex<Told>);

#[derive(Debug, Default)]
struct Told {
    limits: BTreeMap<u32, u32>,
    attributes: BTreeMap<u32, u32>,
    allocator: bool,
}

impl Settings {
    fn told(&self) -> MutexGuard<'_, Told> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn lend_allocator(&self) {
        self.told().allocator = true;
    }

    /// Whether there was one.
    pub(crate) fn take_allocator(&self) -> bool {
        std::mem::take(&mut self.told().allocator)
    }
}

/// Limits of devices, by device and kind of core.
static LIMITS: Mutex<BTreeMap<(i32, u32), u32>> = Mutex::new(BTreeMap::new());

thread_local!(static IN_USE: RefCell<Weak<Stream>> = const { RefCell::new(Weak::new()) });

fn limits() -> MutexGuard<'static, BTreeMap<(i32, u32), u32>> {
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

fn device_limit(device: i32, kind: aclrtDevResLimitType) -> Result<u32> {
    let cores = cores(kind)?;
    Ok(limits().get(&(device, kind.0)).copied().unwrap_or(cores))
}

/// The limit of a stream, or else of its device.
fn stream_limit(stream: &Stream, kind: aclrtDevResLimitType) -> Result<u32> {
    let device = device_limit(stream.device, kind)?;
    Ok(stream.settings.told().limits.get(&kind.0).copied().unwrap_or(device))
}

fn must_be_possible(kind: aclrtDevResLimitType, value: u32) -> Result {
    let cores = cores(kind)?;
    if !(1..=cores).contains(&value) {
        let message = format!("value is {value}; the device has {cores} such cores");
        return Err(Status::new(code::PARAM_INVALID, message));
    }
    Ok(())
}

fn must_be_switch(value: u32) -> Result {
    let message =
        || Status::new(code::INVALID_PARAM, format_args!("the switch is {value}; it must be 0 or 1"));
    (value <= 1).then_some(()).ok_or_else(message)
}

fn attribute(stream: &Stream, which: aclrtStreamAttr) -> u32 {
    stream.settings.told().attributes.get(&which.0).copied().unwrap_or_default()
}

fn set_attribute(stream: &Stream, which: aclrtStreamAttr, value: u32) {
    stream.settings.told().attributes.insert(which.0, value);
}

fn unknown(which: aclrtStreamAttr) -> Status {
    Status::new(code::INVALID_PARAM, format_args!("attribute {} is unknown", which.0))
}

plain_parameters! { aclrtDevResLimitType, aclrtStreamAttr }

entry_points! { SYMBOLS:
    /// The failure mode works; the others are kept.
    fn aclrtSetStreamAttribute(
        stream: Handle<*mut c_void>,
        which: aclrtStreamAttr,
        value: Out<aclrtStreamAttrValue>,
    ) -> i32 {
        let value = value.required("value", code::INVALID_PARAM)?;
        let stream = stream::resolve(stream.0)?;
        let value = value.read();
        // SAFETY: every member of the union is an integer, so all bytes of the caller's value make sense as any of them.
        let (mode, number) = unsafe { (value.failureMode, value.overflowSwitch) };
        match which {
            ACL_STREAM_ATTR_FAILURE_MODE => return set_failure_mode(&stream, mode),
            ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK | ACL_STREAM_ATTR_CACHE_OP_INFO => must_be_switch(number)?,
            ACL_STREAM_ATTR_USER_CUSTOM_TAG => {}
            ACL_STREAM_ATTR_PRIORITY if number <= product::LEAST_PRIORITY => {}
            ACL_STREAM_ATTR_PRIORITY => {
                let message = format!("priority is {number}, the largest is {}", product::LEAST_PRIORITY);
                return Err(Status::new(code::PARAM_INVALID, message));
            }
            _ => return Err(unknown(which)),
        }
        set_attribute(&stream, which, number);
        Ok(())
    }

    fn aclrtGetStreamAttribute(
        stream: Handle<*mut c_void>,
        which: aclrtStreamAttr,
        value: Out<aclrtStreamAttrValue>,
    ) -> i32 {
        let place = value.required("value", code::INVALID_PARAM)?;
        let stream = stream::resolve(stream.0)?;
        let mut told = aclrtStreamAttrValue { reserve: [0; 4] };
        match which {
            ACL_STREAM_ATTR_FAILURE_MODE => told.failureMode = stream.failure_mode().into(),
            ACL_STREAM_ATTR_PRIORITY => {
                let changed = stream.settings.told().attributes.get(&which.0).copied();
                told.streamPriority = changed.unwrap_or(stream.priority);
            }
            ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK
            | ACL_STREAM_ATTR_CACHE_OP_INFO
            | ACL_STREAM_ATTR_USER_CUSTOM_TAG => told.userCustomTag = attribute(&stream, which),
            _ => return Err(unknown(which)),
        }
        place.write(told);
        Ok(())
    }

    [stored] fn aclrtSetStreamOverflowSwitch(stream: Handle<*mut c_void>, flag: u32) -> i32 {
        must_be_switch(flag)?;
        set_attribute(&*stream::resolve(stream.0)?, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, flag);
        Ok(())
    }

    [stored] fn aclrtGetStreamOverflowSwitch(stream: Handle<*mut c_void>, flag: Out<u32>) -> i32 {
        let place = flag.required("flag", code::INVALID_PARAM)?;
        place.write(attribute(&*stream::resolve(stream.0)?, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK));
        Ok(())
    }

    [stored] fn aclrtGetDeviceResLimit(device: i32, kind: aclrtDevResLimitType, value: Out<u32>) -> i32 {
        let place = value.required("value", code::INVALID_PARAM)?;
        place.write(device_limit(device::get(device)?.id(), kind)?);
        Ok(())
    }

    [stored] fn aclrtSetDeviceResLimit(device: i32, kind: aclrtDevResLimitType, value: u32) -> i32 {
        must_be_possible(kind, value)?;
        limits().insert((device::get(device)?.id(), kind.0), value);
        Ok(())
    }

    [stored] fn aclrtResetDeviceResLimit(device: i32) -> i32 {
        let id = device::get(device)?.id();
        limits().retain(|(device, _), _| *device != id);
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
        stream::resolve(stream.0)?.settings.told().limits.insert(kind.0, value);
        Ok(())
    }

    [stored] fn aclrtResetStreamResLimit(stream: Handle<*mut c_void>) -> i32 {
        stream::resolve(stream.0)?.settings.told().limits.clear();
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

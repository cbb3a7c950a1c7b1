//! The caches of device memory, which a program flushes, invalidates or prefetches. Arguments are checked, and nothing else
//! is to be done: a CPU keeps its caches coherent by itself.

use std::ffi::c_void;

use aclnn_sys::{ACL_RT_CMO_TYPE_FLUSH, aclrtCmoType};

use super::place::device_bytes;
use crate::entry::{Address, Handle, entry_points, plain_parameters};
use crate::runtime::stream::{callback, context};
use crate::runtime::{code, stream};
use crate::status::{Result, Status};

/// Checks a range whose cache is flushed or invalidated; for device memory nothing else is to be done.
fn cached(address: &Address<*mut c_void>, size: usize, name: &str) -> Result {
    let address = address.required(name, code::INVALID_PARAM)?;
    if size == 0 {
        return Err(Status::new(code::INVALID_PARAM, "size is 0"));
    }
    context::current()?;
    device_bytes(address, size).map(drop)
}

plain_parameters! { aclrtCmoType }

entry_points! { SYMBOLS:
    fn aclrtMemFlush(address: Address<*mut c_void>, size: usize) -> i32 {
        cached(&address, size, "devPtr")
    }

    fn aclrtMemInvalidate(address: Address<*mut c_void>, size: usize) -> i32 {
        cached(&address, size, "devPtr")
    }

    fn aclrtCmoAsync(
        address: Address<*mut c_void>,
        size: usize,
        kind: aclrtCmoType,
        stream: Handle<*mut c_void>,
    ) -> i32 {
        callback::forbid("work is submitted")?;
        if kind.0 > ACL_RT_CMO_TYPE_FLUSH.0 {
            return Err(Status::new(code::INVALID_PARAM, format_args!("cmoType {} is unknown", kind.0)));
        }
        stream::resolve(stream.0)?;
        cached(&address, size, "src")
    }
}

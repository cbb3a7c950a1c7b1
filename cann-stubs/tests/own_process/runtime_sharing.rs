//! The memory of many devices.

use std::ptr::null_mut;

use aclnn_sys::*;

use crate::support::child::{self, this_test};

#[test]
fn as_many_devices_as_are_asked_for() {
    let settings = [("CANN_STUBS_DEVICES", "64"), ("CANN_STUBS_MEMORY", "8M")];
    child::with(this_test!(), &settings, || {
        let runtime = Runtime::load(&cann_stubs::source());
        let (mut count, mut free, mut total, mut memory) = (0, 0, 0, null_mut());
        // SAFETY: the places are valid.
        unsafe {
            assert_eq!(runtime.aclrtGetDeviceCount(&mut count), Ok(0));
            assert_eq!(count, 64);
            for device in 0..64 {
                assert_eq!(runtime.aclrtSetDevice(device), Ok(0));
                assert_eq!(runtime.aclrtMalloc(&mut memory, 7 << 20, ACL_MEM_MALLOC_HUGE_FIRST), Ok(0));
                assert_eq!(runtime.aclrtGetMemInfo(ACL_HBM_MEM, &mut free, &mut total), Ok(0));
                assert_eq!((total, free < 1 << 20), (8 << 20, true));
            }
            assert_eq!(runtime.aclrtSetDevice(64), Ok(ACL_ERROR_RT_INVALID_DEVICEID));
        }
    });
}

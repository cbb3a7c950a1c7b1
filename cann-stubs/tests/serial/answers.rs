//! What functions write to the places that they are given, and flags, devices and sizes that do not exist.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use aclnn_numerics::DType;
use aclnn_sys::*;
use serial_test::serial;

use crate::support::runtime::*;
use crate::support::{EMULATOR, formatted, ok, scalar, tensor};

/// Calls a function and gives the values that it writes, each of which is something else before.
macro_rules! told {
    ($name:ident($($before:expr),*) of $handle:expr) => {{
        let mut told = ($($before,)*);
        told!(@call $name, $handle, told, $($before),*);
        told
    }};
    (@call $name:ident, $handle:expr, $told:ident, $one:expr) => {
        // SAFETY: the places are live.
        ok(unsafe { EMULATOR.meta.$name($handle, &mut $told.0) })
    };
    (@call $name:ident, $handle:expr, $told:ident, $one:expr, $two:expr) => {
        // SAFETY: the places are live.
        ok(unsafe { EMULATOR.meta.$name($handle, &mut $told.0, &mut $told.1) })
    };
}

fn numbers((first, count): (*mut i64, u64)) -> Vec<i64> {
    // SAFETY: the call wrote an array of so many numbers, which the test program keeps.
    unsafe { std::slice::from_raw_parts(first, count as usize) }.to_vec()
}

#[test]
#[serial]
fn descriptors_tell_what_they_were_made_of() {
    let _device = Device::set();
    let memory = malloc(64);
    let made = formatted(ACL_FORMAT_NCHW, DType::F16, &[2, 3], Some(&[5, 1]), 4, &[4, 8], memory);
    assert_eq!(told!(aclGetViewOffset(-1_i64) of made), (4,));
    assert_eq!(told!(aclGetFormat(ACL_FORMAT_UNDEFINED) of made), (ACL_FORMAT_NCHW,));
    assert_eq!(told!(aclGetDataType(ACL_DT_UNDEFINED) of made), (ACL_FLOAT16,));
    assert_eq!(numbers(told!(aclGetViewShape(null_mut(), 9) of made)), [2, 3]);
    assert_eq!(numbers(told!(aclGetViewStrides(null_mut(), 9) of made)), [5, 1]);
    assert_eq!(numbers(told!(aclGetStorageShape(null_mut(), 9) of made)), [4, 8]);

    let (other, one) = (tensor(DType::F32, &[2], memory), scalar(1_f32));
    let [made, other] = [made.cast_const(), other.cast_const()];
    let (ints, floats, bools) = ([1_i64, 2, 3], [1_f32, 2.0], [true]);
    // SAFETY: the arrays have the lengths that are passed.
    let (tensors, scalars, ints, floats, bools) = unsafe {
        (
            EMULATOR.meta.aclCreateTensorList([made, other].as_ptr(), 2).unwrap(),
            EMULATOR.meta.aclCreateScalarList([one.cast_const()].as_ptr(), 1).unwrap(),
            EMULATOR.meta.aclCreateIntArray(ints.as_ptr(), 3).unwrap(),
            EMULATOR.meta.aclCreateFloatArray(floats.as_ptr(), 2).unwrap(),
            EMULATOR.meta.aclCreateBoolArray(bools.as_ptr(), 1).unwrap(),
        )
    };
    assert_eq!(told!(aclGetTensorListSize(9) of tensors), (2,));
    assert_eq!(told!(aclGetScalarListSize(9) of scalars), (1,));
    assert_eq!(told!(aclGetIntArraySize(9) of ints), (3,));
    assert_eq!(told!(aclGetFloatArraySize(9) of floats), (2,));
    assert_eq!(told!(aclGetBoolArraySize(9) of bools), (1,));
    // SAFETY: all of them are live, and lists end what they hold.
    unsafe {
        ok(EMULATOR.meta.aclDestroyTensorList(tensors));
        ok(EMULATOR.meta.aclDestroyScalarList(scalars));
        ok(EMULATOR.meta.aclDestroyIntArray(ints));
        ok(EMULATOR.meta.aclDestroyFloatArray(floats));
        ok(EMULATOR.meta.aclDestroyBoolArray(bools));
    }
    free(memory);
}

/// Of an address that is set for an executor: a null tensor, and one that was destroyed.
#[test]
#[serial]
fn addresses_are_set_of_tensors_alone() {
    let _device = Device::set();
    let memory = malloc(64);
    let [gone, live] = [(); 2].map(|()| tensor(DType::F32, &[2], memory));
    // SAFETY: the emulator checks every handle.
    let set = |tensor| unsafe { EMULATOR.meta.aclSetTensorAddr(null_mut(), 0, tensor, memory).unwrap() };
    // SAFETY: the tensors are live.
    unsafe { EMULATOR.meta.aclDestroyTensor(gone).unwrap() };
    assert_eq!(set(null_mut()), ACLNN_ERR_INNER_NULLPTR);
    assert!(message().contains("tensor is null"));
    assert_ne!(set(gone), 0);
    assert!(message().contains("tensor was destroyed before"));
    assert_eq!(set(live), ACLNN_ERR_INNER_NULLPTR);
    assert!(message().contains("executor"));
    // SAFETY: the tensor is live.
    unsafe { EMULATOR.meta.aclDestroyTensor(live).unwrap() };
    free(memory);
}

#[test]
#[serial]
fn places_are_written_whatever_they_held() {
    let _device = Device::set();
    let (mut major, mut minor, mut patch) = (-1, -1, -1);
    ok!(aclrtGetVersion(&mut major, &mut minor, &mut patch));
    assert_eq!((major, patch), (1, 0));
    assert!(minor > 0);
    let mut actual = 0;
    ok!(aclrtSetOpExecuteTimeOutV2(1_234_567, &mut actual));
    assert_eq!(actual, 1_234_567, "every time is kept exactly");
    let mut can = -1;
    for feature in [ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV, ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV] {
        ok!(aclrtGetDeviceCapability(0, feature, &mut can));
        assert_eq!(std::mem::replace(&mut can, -1), ACL_DEV_FEATURE_NOT_SUPPORT);
    }
    let mut status = aclrtDeviceStatus(77);
    ok!(aclrtQueryDeviceStatus(1, &mut status));
    assert_eq!(status, ACL_RT_DEVICE_STATUS_NORMAL);
}

/// There are two devices. Nothing is written to a place.
#[test]
#[serial]
fn devices_that_do_not_exist_are_refused() {
    let _device = Device::set();
    let (mut pointer, mut number, mut unsigned, mut wide) = (null_mut::<c_void>(), -1, 77_u32, -1_i64);
    let (mut status, mut uuid, mut count) = (aclrtDeviceStatus(77), aclrtUuid { bytes: [7; 16] }, 9_usize);
    let mut active = -1;
    for device in [2, 9, i32::MAX, -1] {
        let codes = [
            call!(aclrtSetDevice(device)),
            call!(aclrtResetDevice(device)),
            call!(aclrtResetDeviceForce(device)),
            call!(aclrtDeviceTaskAbort(device, 1)),
            call!(aclrtQueryDeviceStatus(device, &mut status)),
            call!(aclrtDeviceGetUuid(device, &mut uuid)),
            call!(aclrtGetLogicDevIdByUserDevId(device, &mut number)),
            call!(aclrtGetDeviceCapability(device, ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV, &mut number)),
            call!(aclrtGetDeviceInfo(device as u32, ACL_DEV_ATTR_CUBE_CORE_NUM, &mut wide)),
            call!(aclrtDeviceCanAccessPeer(&mut number, device, 0)),
            call!(aclrtDeviceCanAccessPeer(&mut number, 0, device)),
            call!(aclrtDevicePeerAccessStatus(device, 0, &mut number)),
            call!(aclrtDevicePeerAccessStatus(0, device, &mut number)),
            call!(aclrtDeviceEnablePeerAccess(device, 0)),
            call!(aclrtDeviceDisablePeerAccess(device)),
            call!(aclrtCreateContext(&mut pointer, device)),
            call!(aclrtGetPrimaryCtxState(device, &mut unsigned, &mut active)),
            call!(aclrtGetDeviceResLimit(device, ACL_RT_DEV_RES_CUBE_CORE, &mut unsigned)),
            call!(aclrtSetDeviceResLimit(device, ACL_RT_DEV_RES_CUBE_CORE, 1)),
            call!(aclrtResetDeviceResLimit(device)),
            call!(aclrtGetMemUceInfo(device, null_mut(), 0, &mut count)),
            call!(aclrtMemUceRepair(device, null_mut(), 0)),
        ];
        assert!(codes.iter().all(|code| *code != 0), "{device}: {codes:?}");
        assert_eq!(codes[..3], [ACL_ERROR_RT_INVALID_DEVICEID; 3], "{device}");
    }
    assert_eq!((pointer, number, unsigned, wide, active, count), (null_mut(), -1, 77, -1, -1, 9));
    assert_eq!((status, uuid.bytes), (aclrtDeviceStatus(77), [7; 16]));
}

#[test]
#[serial]
fn flags_that_do_not_exist_are_refused() {
    let _device = Device::set();
    let (mut place, stream) = (null_mut::<c_void>(), create_stream());
    let location = |id| aclrtMemLocation { id, type_: ACL_MEM_LOCATION_TYPE_DEVICE };
    let properties = |id| aclrtPhysicalMemProp {
        handleType: ACL_MEM_HANDLE_TYPE_NONE,
        allocationType: ACL_MEM_ALLOCATION_TYPE_PINNED,
        memAttr: ACL_HBM_MEM_HUGE,
        location: location(id),
        reserve: 0,
    };
    const STEP: usize = 2 << 20;
    let refused = [
        call!(aclrtCreateNotify(&mut place, 2)),
        call!(aclrtSetStreamOverflowSwitch(stream, 2)),
        call!(aclrtSetStreamFailureMode(stream, 2)),
        call!(aclrtMallocPhysical(&mut place, STEP, &properties(2), 0)),
        call!(aclrtMallocPhysical(&mut place, STEP, &properties(0), 1)),
        call!(aclrtMallocPhysical(&mut place, 0, &properties(0), 0)),
        call!(aclrtMallocPhysical(&mut place, STEP, null(), 0)),
    ];
    assert!(refused.iter().all(|code| *code != 0), "{refused:?}");
    assert!(place.is_null());
    let mut step = 77;
    for (device, option) in [(2, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM), (0, aclrtMemGranularityOptions(7))] {
        assert_ne!(call!(aclrtMemGetAllocationGranularity(&mut properties(device), option, &mut step)), 0);
    }
    assert_eq!(step, 77);
    ok!(aclrtMallocPhysical(&mut place, STEP, &properties(1), 0));
    let mut number = 77;
    for flags in [2, 1 << 32] {
        let code =
            call!(aclrtMemExportToShareableHandle(place, ACL_MEM_HANDLE_TYPE_NONE, flags, &mut number));
        assert_ne!(code, 0, "{flags:#x}");
    }
    assert_eq!(number, 77);
    ok!(aclrtFreePhysical(place));
    ok!(aclrtDestroyStream(stream));
}

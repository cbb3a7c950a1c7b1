//! Memory of another device: refused without access to it, and used with it.

use std::ffi::c_void;
use std::ptr;

use aclnn_numerics::DType::F32;
use aclnn_sys::*;
use cann_stubs::control::{self, Check, Level, Mode};

use crate::support::child::{self, this_test};
use crate::support::program::*;
use crate::support::*;

const D2D: aclrtMemcpyKind = ACL_MEMCPY_DEVICE_TO_DEVICE;

/// Queues or does `work`, which uses memory of another device.
#[track_caller]
fn refused(code: i32, work: impl Fn() -> i32) {
    let (told, reports) = control::reports_of(work);
    let text = message();
    assert_eq!(told, code, "{text}");
    let checks: Vec<Check> = reports.iter().map(|report| report.check).collect();
    assert_eq!(checks, [Check::PeerAccess], "{reports:?}");
    assert!(text.contains("is memory of device 0, to which device 1 has no access"), "{text}");
    assert!(text.contains("aclrtDeviceEnablePeerAccess(0, 0)"), "{text}");
}

/// Every way in which work of the current device, which is 1, can use `memory` of device 0.
fn uses(memory: *mut c_void, visit: impl Fn(i32, &dyn Fn() -> i32)) {
    const DRIVER: i32 = ACL_ERROR_RT_DRV_INTERNAL_ERROR;
    let own = floats(8);
    let mut bytes = [0_u8; 32];
    let host = bytes.as_mut_ptr().cast::<c_void>();
    let stream = ptr::null_mut();
    for (a, b, out) in [(memory, own, floats(8)), (own, memory, floats(8)), (own, own, memory)] {
        visit(ACLNN_ERR_PARAM_INVALID, &|| add(a, b, out, 8, stream));
    }
    for (to, from) in [(own, memory), (memory, own)] {
        visit(DRIVER, &|| rt!(aclrtMemcpy(to, 32, from, 32, D2D)));
        visit(DRIVER, &|| rt!(aclrtMemcpyAsync(to, 32, from, 32, D2D, stream)));
        visit(DRIVER, &|| rt!(aclrtMemcpyAsyncWithCondition(to, 32, from, 32, D2D, stream)));
        visit(DRIVER, &|| rt!(aclrtMemcpy2d(to, 16, from, 16, 8, 2, D2D)));
        visit(DRIVER, &|| rt!(aclrtMemcpy2dAsync(to, 16, from, 16, 8, 2, D2D, stream)));
        let reduce = |to, from| {
            let (kind, dtype) = (ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT);
            rt!(aclrtReduceAsync(to, from, 32, kind, dtype, stream, ptr::null_mut()))
        };
        visit(DRIVER, &|| reduce(to, from));
    }
    visit(DRIVER, &|| rt!(aclrtMemcpyAsync(memory, 32, host, 32, ACL_MEMCPY_HOST_TO_DEVICE, stream)));
    visit(DRIVER, &|| rt!(aclrtMemcpyAsync(host, 32, memory, 32, ACL_MEMCPY_DEVICE_TO_HOST, stream)));
    visit(DRIVER, &|| rt!(aclrtMemsetAsync(memory, 32, 0, 32, stream)));
    visit(DRIVER, &|| rt!(aclrtMemsetD32Async(memory, 32, 0, 8, stream)));
    visit(DRIVER, &|| rt!(aclrtValueWrite(memory, 1, 0, stream)));
    visit(DRIVER, &|| rt!(aclrtValueWait(memory, 1, ACL_STREAM_WAIT_VALUE_EQ, stream)));
}

/// Memory of device 0, with device 1 current.
fn memory_of_the_other() -> *mut c_void {
    device();
    let memory = floats(8);
    good(rt!(aclrtSetDevice(1)));
    memory
}

fn memory_of_another_device() {
    let memory = memory_of_the_other();
    uses(memory, |code, work| refused(code, work));
    // A workspace.
    let out = strided(F32, &[4], Some(&[4]), 0, &[16], floats(16));
    let planned = plan_add(tensor(F32, &[4], floats(4)), tensor(F32, &[4], floats(4)), out);
    assert!(planned.workspace > 0);
    good(rt!(aclrtSetDevice(0)));
    let workspace = malloc(planned.workspace as usize);
    good(rt!(aclrtSetDevice(1)));
    refused(ACLNN_ERR_PARAM_INVALID, || launch_add(&planned, workspace, ptr::null_mut()));

    // What the host does by itself, and events, concern no access.
    let ((), reports) = control::reports_of(|| {
        write(memory, &[3_f32; 8]);
        good(rt!(aclrtMemset(memory, 16, 0, 16)));
        assert_eq!(read::<f32>(memory, 8), [0.0, 0.0, 0.0, 0.0, 3.0, 3.0, 3.0, 3.0]);
        // Device 0 copies within its own memory.
        good(rt!(aclrtMemcpy(memory, 16, at(memory, 16), 16, D2D)));
        assert_eq!(read::<f32>(memory, 8), [3.0; 8]);
        let (own, event) = (floats(8), event());
        good(rt!(aclrtRecordEvent(event, ptr::null_mut())));
        good(rt!(aclrtSetDevice(0)));
        good(rt!(aclrtStreamWaitEvent(ptr::null_mut(), event)));
        good(rt!(aclrtSynchronizeDevice()));
        good(rt!(aclrtFree(own)));
        good(rt!(aclrtDestroyEvent(event)));
        good(rt!(aclrtSetDevice(1)));
    });
    assert!(reports.is_empty(), "{reports:?}");

    // The access of the other one is not enough.
    good(rt!(aclrtSetDevice(0)));
    good(rt!(aclrtDeviceEnablePeerAccess(1, 0)));
    good(rt!(aclrtSetDevice(1)));
    refused(ACL_ERROR_RT_DRV_INTERNAL_ERROR, || rt!(aclrtMemcpy(floats(8), 32, memory, 32, D2D)));

    good(rt!(aclrtDeviceEnablePeerAccess(0, 0)));
    let ((), reports) = control::reports_of(|| {
        uses(memory, |_, work| {
            good(work());
            good(rt!(aclrtSynchronizeStream(ptr::null_mut())));
        });
    });
    assert!(reports.is_empty(), "{reports:?}");
    good(rt!(aclrtDeviceDisablePeerAccess(0)));
    refused(ACL_ERROR_RT_DRV_INTERNAL_ERROR, || rt!(aclrtMemcpy(floats(8), 32, memory, 32, D2D)));
    let _off = control::check(Level::Off);
    good(rt!(aclrtMemcpy(floats(8), 32, memory, 32, D2D)));
}

fn mappings_and_imports_that_were_opened() {
    const STEP: usize = 2 << 20;
    let memory = memory_of_the_other();
    let copy = |from| {
        let outcome = rt!(aclrtMemcpyAsync(floats(8), 32, from, 32, D2D, ptr::null_mut()));
        good(rt!(aclrtSynchronizeStream(ptr::null_mut())));
        outcome
    };
    // A mapping of device 0, opened to device 1.
    good(rt!(aclrtSetDevice(0)));
    let on = |id| aclrtMemLocation { id, type_: ACL_MEM_LOCATION_TYPE_DEVICE };
    let mapped = |device| {
        let properties = aclrtPhysicalMemProp {
            handleType: ACL_MEM_HANDLE_TYPE_NONE,
            allocationType: ACL_MEM_ALLOCATION_TYPE_PINNED,
            memAttr: ACL_HBM_MEM_HUGE,
            location: on(device),
            reserve: 0,
        };
        let (mut range, mut physical) = (ptr::null_mut(), ptr::null_mut());
        good(rt!(aclrtReserveMemAddress(&mut range, STEP, 0, ptr::null_mut(), 0)));
        good(rt!(aclrtMallocPhysical(&mut physical, STEP, &properties, 0)));
        good(rt!(aclrtMapMem(range, STEP, 0, physical, 0)));
        range
    };
    let (foreign, own) = (mapped(0), mapped(1));
    good(rt!(aclrtSetDevice(1)));
    refused(ACL_ERROR_RT_DRV_INTERNAL_ERROR, || copy(foreign));
    let mut access =
        aclrtMemAccessDesc { flags: ACL_RT_MEM_ACCESS_FLAGS_READWRITE, location: on(1), rsv: [0; 12] };
    good(rt!(aclrtMemSetAccess(foreign, STEP, &mut access, 1)));
    good(copy(foreign));
    // Physical memory of device 1 among addresses of device 0.
    good(copy(own));

    // An import that asks for access gets it.
    let (mut key, mut imported) = ([0; 65], ptr::null_mut());
    good(rt!(aclrtIpcMemGetExportKey(memory, 32, key.as_mut_ptr(), 65, 0)));
    good(rt!(aclrtIpcMemImportByKey(&mut imported, key.as_ptr(), 0)));
    refused(ACL_ERROR_RT_DRV_INTERNAL_ERROR, || copy(imported));
    let flags = ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS;
    good(rt!(aclrtIpcMemImportByKey(&mut imported, key.as_ptr(), flags)));
    good(copy(imported));
}

fn in_each_mode(test: &str, body: fn()) {
    for mode in Mode::ALL {
        child::with(test, &[("CANN_STUBS_STREAMS", mode.name())], body);
    }
}

#[test]
fn memory_of_another_device_is_used_with_access_to_it_only() {
    in_each_mode(this_test!(), memory_of_another_device);
}

#[test]
fn memory_that_was_opened_to_a_device_needs_no_access_to_all() {
    in_each_mode(this_test!(), mappings_and_imports_that_were_opened);
}

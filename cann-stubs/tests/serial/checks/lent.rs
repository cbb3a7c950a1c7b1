//! Memory of every kind that queued work uses and the program takes away: refused until the host knows the work to be done.

use std::cell::RefCell;
use std::ffi::c_void;
use std::ptr;

use aclnn_sys::*;
use cann_stubs::control::{self, Check};
use serial_test::serial;

use super::misuse::found;
use crate::support::program::*;
use crate::support::*;

const STREAM: aclrtStream = ptr::null_mut();

fn pinned(bytes: usize) -> *mut c_void {
    let mut memory = ptr::null_mut();
    good(rt!(aclrtMallocHost(&mut memory, bytes)));
    // SAFETY: the runtime has just given these bytes.
    unsafe { memory.cast::<u8>().write_bytes(1, bytes) };
    memory
}

/// Queues work by `queue`; `take` must be refused, and succeed when the work is done.
#[track_caller]
fn taken_away_too_early(
    parts: &[&str],
    queue: impl Fn() -> (i32, *mut c_void),
    take: impl Fn(*mut c_void) -> i32,
) {
    found(Check::FreedInUse, parts, || {
        let (queued, memory) = queue();
        good(queued);
        let refused = take(memory);
        assert_eq!(refused, ACL_ERROR_RT_PARAM_INVALID);
        assert_eq!(rt!(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL)), refused);
        good(rt!(aclrtSynchronizeStream(STREAM)));
        good(take(memory));
        refused
    });
}

#[test]
#[serial]
fn pinned_host_memory_freed_while_a_copy_may_run() {
    let free = |memory| rt!(aclrtFreeHost(memory));
    let copies: [fn(*mut c_void) -> i32; 6] = [
        |host| rt!(aclrtMemcpyAsync(host, 32, floats(8), 32, ACL_MEMCPY_DEVICE_TO_HOST, STREAM)),
        |host| rt!(aclrtMemcpyAsync(floats(8), 32, host, 32, ACL_MEMCPY_HOST_TO_DEVICE, STREAM)),
        |host| rt!(aclrtMemcpyAsync(at(host, 16), 16, floats(4), 16, ACL_MEMCPY_DEFAULT, STREAM)),
        |host| rt!(aclrtMemcpyAsyncWithCondition(floats(8), 32, host, 32, ACL_MEMCPY_DEFAULT, STREAM)),
        |host| rt!(aclrtMemcpy2dAsync(host, 16, floats(8), 16, 8, 2, ACL_MEMCPY_DEVICE_TO_HOST, STREAM)),
        |host| {
            rt!(aclrtMemcpy2dAsync(floats(8), 16, at(host, 4), 8, 8, 2, ACL_MEMCPY_HOST_TO_DEVICE, STREAM))
        },
    ];
    for (index, copy) in copies.into_iter().enumerate() {
        let name = ["aclrtMemcpyAsync", "aclrtMemcpyAsyncWithCondition", "aclrtMemcpy2dAsync"]
            [[0, 0, 0, 1, 2, 2][index]];
        let parts = [&*format!("memory of {name} on stream"), "synchronise", "was not freed"];
        let queue = || {
            let host = pinned(32);
            (copy(host), host)
        };
        taken_away_too_early(&parts, queue, free);
    }
    let fill = || {
        let host = pinned(32);
        (rt!(aclrtMemsetAsync(host, 32, 0, 32, STREAM)), host)
    };
    taken_away_too_early(&["memory of aclrtMemsetAsync"], fill, free);
    let batch = || {
        let (host, memory) = (pinned(32), floats(8));
        let location = |type_| aclrtMemLocation { id: 0, type_ };
        let mut sides = aclrtMemcpyBatchAttr {
            dstLoc: location(ACL_MEM_LOCATION_TYPE_HOST),
            srcLoc: location(ACL_MEM_LOCATION_TYPE_DEVICE),
            rsv: [0; 16],
        };
        let (mut to, mut from, mut size, mut first, mut failed) = (host, memory, 32, 0, 0);
        let (room, bytes): (*mut usize, *mut usize) = (&mut size, &mut size.clone());
        let code = rt!(aclrtMemcpyBatchAsync(
            &mut to,
            room,
            &mut from,
            bytes,
            1,
            &mut sides,
            &mut first,
            1,
            &mut failed,
            STREAM
        ));
        (code, host)
    };
    taken_away_too_early(&["memory of aclrtMemcpyBatchAsync"], batch, free);
}

#[test]
#[serial]
fn pinned_host_memory_is_freed_behind_a_wait_of_any_kind() {
    let _device = Device::set();
    let ((), reports) = control::reports_of(|| {
        let (memory, event) = (floats(8), event());
        let waits: [&dyn Fn(); 4] = [
            &|| good(rt!(aclrtSynchronizeStream(STREAM))),
            &|| good(rt!(aclrtSynchronizeDevice())),
            &|| good(rt!(aclrtSynchronizeEvent(event))),
            &|| {
                let mut status = ACL_STREAM_STATUS_RESERVED;
                good(rt!(aclrtStreamQuery(STREAM, &mut status)));
                assert_eq!(status, ACL_STREAM_STATUS_COMPLETE);
            },
        ];
        for wait in waits {
            let host = pinned(32);
            good(rt!(aclrtMemcpyAsync(host, 32, memory, 32, ACL_MEMCPY_DEVICE_TO_HOST, STREAM)));
            good(rt!(aclrtRecordEvent(event, STREAM)));
            wait();
            good(rt!(aclrtFreeHost(host)));
        }
        let host = pinned(32);
        good(rt!(aclrtMemcpyAsync(host, 32, memory, 32, ACL_MEMCPY_DEVICE_TO_HOST, STREAM)));
        good(rt!(aclrtFreeHostWithDevSync(host)));
        good(rt!(aclrtDestroyEvent(event)));
    });
    assert!(reports.is_empty(), "{reports:?}");
}

#[test]
#[serial]
fn registered_host_memory_unregistered_while_work_may_run() {
    // Outlives every mode.
    let mut bytes = [0_f32; 8];
    let host = bytes.as_mut_ptr().cast::<c_void>();
    let take = |host| rt!(aclrtHostUnregister(host));
    let copy = || {
        good(rt!(aclrtHostRegisterV2(host, 32, ACL_HOST_REG_PINNED as u32)));
        (rt!(aclrtMemcpyAsync(host, 32, floats(8), 32, ACL_MEMCPY_DEVICE_TO_HOST, STREAM)), host)
    };
    taken_away_too_early(&["memory of aclrtMemcpyAsync", "stays registered"], copy, take);
    // Its device address, in an operator and in a reduction.
    let operator = || {
        let mut mapped = ptr::null_mut();
        good(rt!(aclrtHostRegister(host, 32, ACL_HOST_REGISTER_MAPPED, &mut mapped)));
        (add(floats(8), mapped, floats(8), 8, STREAM), host)
    };
    taken_away_too_early(&["memory of aclnnAdd", "stays registered"], operator, take);
    let reduction = || {
        let mut mapped = ptr::null_mut();
        good(rt!(aclrtHostRegister(host, 32, ACL_HOST_REGISTER_MAPPED, &mut mapped)));
        let kind = ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM;
        (rt!(aclrtReduceAsync(floats(8), mapped, 32, kind, ACL_FLOAT, STREAM, ptr::null_mut())), host)
    };
    taken_away_too_early(&["memory of aclrtReduceAsync", "stays registered"], reduction, take);
}

#[test]
#[serial]
fn virtual_memory_unmapped_while_work_may_run() {
    const STEP: usize = 2 << 20;
    let made = RefCell::new(Vec::new());
    // Two mappings that touch, and work over the seam.
    let queue = |unmapped: usize| {
        let location = aclrtMemLocation { id: 0, type_: ACL_MEM_LOCATION_TYPE_DEVICE };
        let properties = aclrtPhysicalMemProp {
            handleType: ACL_MEM_HANDLE_TYPE_NONE,
            allocationType: ACL_MEM_ALLOCATION_TYPE_PINNED,
            memAttr: ACL_HBM_MEM_HUGE,
            location,
            reserve: 0,
        };
        let mut range = ptr::null_mut();
        good(rt!(aclrtReserveMemAddress(&mut range, 2 * STEP, 0, ptr::null_mut(), 0)));
        for index in 0..2 {
            let mut physical = ptr::null_mut();
            good(rt!(aclrtMallocPhysical(&mut physical, STEP, &properties, 0)));
            good(rt!(aclrtMapMem(at(range, index * STEP), STEP, 0, physical, 0)));
            made.borrow_mut().push(physical);
        }
        (rt!(aclrtMemsetAsync(at(range, STEP - 8), 16, 1, 16, STREAM)), at(range, unmapped * STEP))
    };
    for unmapped in 0..2 {
        let parts = ["memory of aclrtMemsetAsync", "stays mapped"];
        taken_away_too_early(&parts, || queue(unmapped), |memory| rt!(aclrtUnmapMem(memory)));
    }
    // The addresses end with the device, physical memory does not.
    let _device = Device::set();
    for physical in made.take() {
        good(rt!(aclrtFreePhysical(physical)));
    }
}

#[test]
#[serial]
fn device_memory_freed_while_a_stream_waits_for_a_value_there() {
    let queue = || {
        let memory = floats(2);
        good(rt!(aclrtMemset(memory, 8, 0, 8)));
        let other = stream();
        let code = rt!(aclrtValueWait(memory, 1, ACL_STREAM_WAIT_VALUE_GEQ, STREAM));
        good(rt!(aclrtValueWrite(memory, 1, 0, other)));
        good(rt!(aclrtSynchronizeStream(other)));
        (code, memory)
    };
    taken_away_too_early(&["memory of aclrtValueWait", "was not freed"], queue, |memory| {
        rt!(aclrtFree(memory))
    });
}

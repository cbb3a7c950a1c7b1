//! What streams wait for beside events: notifies and values in memory; and what they do with memory beside copying.

use std::ffi::c_void;
use std::ptr::null_mut;

use aclnn_sys::*;
use cann_stubs::control::{self, Level};
use serial_test::serial;

use crate::support::runtime::*;

fn create_notify() -> *mut c_void {
    let mut notify = null_mut();
    ok!(aclrtCreateNotify(&mut notify, 0));
    notify
}

fn is_done(stream: *mut c_void) -> bool {
    let mut status = ACL_STREAM_STATUS_RESERVED;
    ok!(aclrtStreamQuery(stream, &mut status));
    status == ACL_STREAM_STATUS_COMPLETE
}

fn word(memory: *mut c_void) -> u64 {
    u64::from_ne_bytes(download(memory, 8).try_into().unwrap())
}

#[test]
#[serial]
fn a_wait_for_a_notify_may_come_before_its_record() {
    let _device = Device::set();
    let (giver, taker, notify, memory) = (create_stream(), create_stream(), create_notify(), malloc(8));
    upload(memory, &[0; 8]);
    ok!(aclrtWaitAndResetNotify(notify, taker, 0));
    ok!(aclrtMemsetAsync(memory, 8, 1, 8, taker));
    assert!(!is_done(taker));
    ok!(aclrtRecordNotify(notify, giver));
    // Looking at the one that waits runs the one that gives.
    ok!(aclrtSynchronizeStream(taker));
    assert_eq!(download(memory, 8), [1; 8]);

    // The signal was taken: the next wait has to wait again.
    ok!(aclrtWaitAndResetNotify(notify, taker, 0));
    assert!(!is_done(taker));
    assert_eq!(call!(aclrtSynchronizeStreamWithTimeout(taker, 1)), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    let (mut id, mut other) = (0, 0);
    let second = create_notify();
    ok!(aclrtGetNotifyId(notify, &mut id));
    ok!(aclrtGetNotifyId(second, &mut other));
    assert_ne!(id, other);
    ok!(aclrtDestroyNotify(second));
    assert_eq!(call!(aclrtRecordNotify(second, giver)), ACL_ERROR_RT_PARAM_INVALID);
    ok!(aclrtRecordNotify(notify, giver));
    ok!(aclrtDestroyStream(taker));
    ok!(aclrtDestroyStream(giver));
    ok!(aclrtDestroyNotify(notify));
    free(memory);
}

#[test]
#[serial]
fn a_signal_comes_from_another_thread() {
    let _device = Device::set();
    let (taker, notify) = (create_stream(), create_notify());
    ok!(aclrtWaitAndResetNotify(notify, taker, 0));
    let sent = Sent(notify);
    let giving = spawn(move || {
        let _device = Device::set();
        std::thread::sleep(std::time::Duration::from_millis(20));
        ok!(aclrtRecordNotify(sent.get(), null_mut()));
        ok!(aclrtSynchronizeStream(null_mut()));
    });
    ok!(aclrtSynchronizeStream(taker));
    finish(&giving);
    ok!(aclrtDestroyStream(taker));
    ok!(aclrtDestroyNotify(notify));
}

#[test]
#[serial]
fn a_device_is_reset_although_a_stream_waits_for_ever() {
    let device = Device::set();
    let notify = create_notify();
    ok!(aclrtWaitAndResetNotify(notify, create_stream(), 0));
    drop(device);
    ok!(aclrtDestroyNotify(notify));
}

#[test]
#[serial]
fn streams_wait_for_values_in_memory() {
    let _device = Device::set();
    let (writer, waiter, memory) = (create_stream(), create_stream(), malloc(8));
    for (flag, before, with, after) in [
        (ACL_STREAM_WAIT_VALUE_GEQ, 4, 5, 6),
        (ACL_STREAM_WAIT_VALUE_EQ, 6, 5, 5),
        (ACL_STREAM_WAIT_VALUE_AND, 0b0011, 0b1100, 0b0110),
        (ACL_STREAM_WAIT_VALUE_NOR, u64::MAX, 5, 1),
    ] {
        upload(memory, &u64::to_ne_bytes(before));
        ok!(aclrtValueWait(memory, with, flag, waiter));
        assert!(!is_done(waiter), "{flag}");
        ok!(aclrtValueWrite(memory, after, 0, writer));
        ok!(aclrtSynchronizeStream(waiter));
        assert_eq!(word(memory), after);
    }
    // The host brings the value as well.
    ok!(aclrtValueWait(memory, 99, ACL_STREAM_WAIT_VALUE_EQ, waiter));
    let sent = Sent(waiter);
    let waiting = spawn(move || {
        let _device = Device::set();
        ok!(aclrtSynchronizeStream(sent.get()));
    });
    upload(memory, &99_u64.to_ne_bytes());
    finish(&waiting);
    assert_eq!(call!(aclrtValueWait(memory, 0, 4, waiter)), ACL_ERROR_RT_PARAM_INVALID);
    assert_eq!(call!(aclrtValueWrite(null_mut(), 0, 0, writer)), ACL_ERROR_INVALID_PARAM);

    // What is waited for must stay: without checks it can be freed, and the wait fails instead of reading.
    upload(memory, &[0; 8]);
    ok!(aclrtValueWait(memory, 1, ACL_STREAM_WAIT_VALUE_EQ, waiter));
    assert_eq!(call!(aclrtFree(memory)), ACL_ERROR_RT_PARAM_INVALID);
    assert!(message().contains("memory of aclrtValueWait"));
    let _level = control::check(Level::Off);
    free(memory);
    assert_eq!(call!(aclrtSynchronizeStream(waiter)), ACL_ERROR_RT_PARAM_INVALID);
    ok!(aclrtDestroyStream(waiter));
    ok!(aclrtDestroyStream(writer));
}

#[test]
#[serial]
fn events_are_shared_within_the_process() {
    let _device = Device::set();
    let (mut event, mut opened, plain) = (null_mut(), null_mut(), create_event());
    let mut shared = aclrtIpcEventHandle { reserved: [0; 64] };
    ok!(aclrtCreateEventWithFlag(&mut event, ACL_EVENT_IPC | ACL_EVENT_SYNC));
    assert_eq!(call!(aclrtIpcGetEventHandle(plain, &mut shared)), ACL_ERROR_RT_PARAM_INVALID);
    assert_eq!(call!(aclrtIpcOpenEventHandle(shared, &mut opened)), ACL_ERROR_RT_PARAM_INVALID);
    ok!(aclrtIpcGetEventHandle(event, &mut shared));
    ok!(aclrtIpcOpenEventHandle(shared, &mut opened));
    let stream = create_stream();
    ok!(aclrtRecordEvent(event, stream));
    ok!(aclrtDestroyEvent(event));
    let mut status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    ok!(aclrtQueryEventStatus(opened, &mut status));
    assert_eq!(status, ACL_EVENT_RECORDED_STATUS_COMPLETE);
    ok!(aclrtDestroyEvent(opened));

    let other_process = shared.reserved.iter().map(|byte| *byte as u8).collect::<Vec<_>>();
    let text = String::from_utf8(other_process).unwrap().replace(&std::process::id().to_string(), "1");
    for (to, from) in shared.reserved.iter_mut().zip(text.bytes()) {
        *to = from as std::ffi::c_char;
    }
    assert_eq!(call!(aclrtIpcOpenEventHandle(shared, &mut opened)), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert!(message().contains("process 1"));
    ok!(aclrtDestroyEvent(plain));
    ok!(aclrtDestroyStream(stream));
}

#[test]
#[serial]
fn elements_are_reduced_in_the_order_of_a_stream() {
    let _device = Device::set();
    // What is looked at before it is there is looked at on purpose.
    let _level = cann_stubs::control::check(cann_stubs::control::Level::Off);
    let (stream, memory, other) = (create_stream(), malloc(8), malloc(8));
    let (a, b): ([i16; 4], [i16; 4]) = ([1, -2, i16::MAX, 4], [5, -6, 1, 3]);
    let bytes = |values: [i16; 4]| values.map(i16::to_ne_bytes).concat();
    upload(other, &bytes(b));
    for (kind, expected) in [
        (ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, [6, -8, i16::MIN, 7]),
        (ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX, [5, -2, i16::MAX, 4]),
        (ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN, [1, -6, 1, 3]),
    ] {
        upload(memory, &bytes(a));
        ok!(aclrtReduceAsync(memory, other, 8, kind, ACL_INT16, stream, null_mut()));
        assert_eq!(download(memory, 8), bytes(a), "not before somebody looks");
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!(download(memory, 8), bytes(expected));
    }
    upload(memory, &[1.5_f32, 2.5].map(f32::to_ne_bytes).concat());
    upload(other, &[0.25_f32, -2.5].map(f32::to_ne_bytes).concat());
    ok!(aclrtReduceAsync(memory, other, 8, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT, stream, null_mut()));
    ok!(aclrtSynchronizeStream(stream));
    assert_eq!(download(memory, 8), [1.75_f32, 0.0].map(f32::to_ne_bytes).concat());
    // NaN wins wherever it is; the bits are those of 1, NaN and infinity in bf16.
    let (a, b): ([i16; 4], [i16; 4]) = ([0x3F80, 0x7FC0, 0x3F80, 0x7F80], [0x7FC0, 0x3F80, 0x7F80, 0x3F80]);
    for (kind, expected) in [
        (ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX, [0x7FC0, 0x7FC0, 0x7F80, 0x7F80]),
        (ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN, [0x7FC0, 0x7FC0, 0x3F80, 0x3F80]),
    ] {
        upload(memory, &bytes(a));
        upload(other, &bytes(b));
        ok!(aclrtReduceAsync(memory, other, 8, kind, ACL_BF16, stream, null_mut()));
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!(download(memory, 8), bytes(expected));
    }
    let sum = ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM;
    for (count, kind, dtype, expected) in [
        (6, sum, ACL_FLOAT, ACL_ERROR_RT_PARAM_INVALID),
        (8, sum, ACL_DOUBLE, ACL_ERROR_RT_FEATURE_NOT_SUPPORT),
        (8, ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL, ACL_FLOAT, ACL_ERROR_RT_FEATURE_NOT_SUPPORT),
        (4096, sum, ACL_FLOAT, ACL_ERROR_RT_PARAM_INVALID),
    ] {
        assert_eq!(call!(aclrtReduceAsync(memory, other, count, kind, dtype, stream, null_mut())), expected);
    }
    free(memory);
    free(other);
    ok!(aclrtDestroyStream(stream));
}

#[test]
#[serial]
fn batches_copy_many_regions() {
    let _device = Device::set();
    let (memory, stream) = (malloc(64), create_stream());
    let mut host = [1_u8, 2, 3, 4, 5, 6, 7, 8];
    let mut back = [0_u8; 8];
    let side = |kind| aclrtMemLocation { id: 0, type_: kind };
    let mut up = [aclrtMemcpyBatchAttr {
        dstLoc: side(ACL_MEM_LOCATION_TYPE_DEVICE),
        srcLoc: side(ACL_MEM_LOCATION_TYPE_HOST),
        rsv: [0; 16],
    }];
    let mut down = [aclrtMemcpyBatchAttr { dstLoc: up[0].srcLoc, srcLoc: up[0].dstLoc, rsv: [0; 16] }];
    let (mut first, mut failed) = ([0_usize], 0);
    let (mut sizes, mut rooms) = ([3_usize, 5], [3_usize, 5]);
    let mut places = [memory, memory.wrapping_byte_add(32)];
    let mut sources = [host.as_mut_ptr().cast(), host.as_mut_ptr().wrapping_add(3).cast()];
    let mut targets = [back.as_mut_ptr().cast(), back.as_mut_ptr().wrapping_add(3).cast()];
    macro_rules! batch {
        ($name:ident, $to:expr, $from:expr, $sides:expr, $count:expr $(, $rest:expr)*) => {
            call!($name(
                $to.as_mut_ptr(), rooms.as_mut_ptr(), $from.as_mut_ptr(), sizes.as_mut_ptr(), $count,
                $sides.as_mut_ptr(), first.as_mut_ptr(), 1 $(, $rest)*
            ))
        };
    }
    assert_eq!(batch!(aclrtMemcpyBatch, places, sources, up, 2, &mut failed), 0, "{}", message());
    assert_eq!(failed, usize::MAX);
    assert_eq!(batch!(aclrtMemcpyBatchAsync, targets, places, down, 2, &mut failed, stream), 0);
    ok!(aclrtSynchronizeStream(stream));
    assert_eq!(back, host);
    back = [0; 8];
    assert_eq!(batch!(aclrtMemcpyBatchV2, targets, places, down, 2), 0);
    assert_eq!(batch!(aclrtMemcpyBatchAsyncV2, targets, places, down, 2, stream), 0);
    ok!(aclrtSynchronizeStream(stream));
    assert_eq!(back, host);

    // The wrong side, a region that does not fit, and no regions.
    assert_eq!(batch!(aclrtMemcpyBatch, places, sources, down, 2, &mut failed), ACL_ERROR_INVALID_PARAM);
    assert_eq!(failed, 0);
    rooms[1] = 4;
    assert_eq!(batch!(aclrtMemcpyBatch, places, sources, up, 2, &mut failed), ACL_ERROR_RT_PARAM_INVALID);
    assert_eq!(failed, 1);
    assert!(message().contains("region 1"));
    assert_eq!(batch!(aclrtMemcpyBatch, places, sources, up, 0, &mut failed), ACL_ERROR_INVALID_PARAM);
    first[0] = 1;
    assert_eq!(batch!(aclrtMemcpyBatch, places, sources, up, 2, &mut failed), ACL_ERROR_INVALID_PARAM);
    free(memory);
    ok!(aclrtDestroyStream(stream));
}

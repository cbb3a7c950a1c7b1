//! Events of the emulated runtime.

use std::ffi::c_void;
use std::ptr::null_mut;

use aclnn_sys::*;
use cann_stubs::control::{self, Level, Mode};
use serial_test::serial;

use crate::support::runtime::*;

#[test]
#[serial]
fn a_stream_waits_for_the_record_that_was_latest() {
    let (_mode, _device) = (control::streams_everywhere(Mode::Lazy), Device::set());
    // What is looked at before it is there is looked at on purpose.
    let _level = control::check(Level::Off);
    let (a, b, event) = (create_stream(), create_stream(), create_event());
    let pointer = malloc(8);
    ok!(aclrtMemset(pointer, 8, 0, 8));
    // Never recorded: nothing to wait for.
    ok!(aclrtStreamWaitEvent(b, event));
    fill(pointer, 4, 1, a);
    ok!(aclrtRecordEvent(event, a));
    ok!(aclrtStreamWaitEvent(b, event));
    fill(pointer, 4, 2, a);
    ok!(aclrtMemcpyAsync(pointer.wrapping_byte_add(4), 4, pointer, 4, ACL_MEMCPY_DEVICE_TO_DEVICE, b));
    ok!(aclrtRecordEvent(event, a));
    ok!(aclrtSynchronizeStream(b));
    assert_eq!(download(pointer, 8), [1; 8], "what `a` does after the record is not waited for");
    ok!(aclrtSynchronizeEvent(event));
    assert_eq!(download(pointer, 4), [2; 4]);
    for stream in [a, b] {
        ok!(aclrtDestroyStream(stream));
    }
    ok!(aclrtDestroyEvent(event));
    free(pointer);
}

/// The reset takes effect when the stream reaches it, and concerns what was recorded before it alone.
#[test]
#[serial]
fn a_record_after_a_reset_stays() {
    let (_mode, _device) = (control::streams_everywhere(Mode::Lazy), Device::set());
    let (stream, mut event, pointer) = (create_stream(), null_mut(), malloc(4));
    ok!(aclrtCreateEventWithFlag(&mut event, ACL_EVENT_SYNC));
    let is_complete = || {
        let mut status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
        ok!(aclrtQueryEventStatus(event, &mut status));
        status == ACL_EVENT_RECORDED_STATUS_COMPLETE
    };
    for again in [false, true] {
        ok!(aclrtRecordEvent(event, stream));
        fill(pointer, 4, 1, stream);
        ok!(aclrtResetEvent(event, stream));
        if again {
            ok!(aclrtRecordEvent(event, stream));
        }
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!(is_complete(), again);
    }
    ok!(aclrtDestroyEvent(event));
    ok!(aclrtDestroyStream(stream));
    free(pointer);
}

#[test]
#[serial]
fn an_event_may_be_destroyed_while_a_stream_waits_for_it() {
    let _device = Device::set();
    let (a, b, event) = (create_stream(), create_stream(), create_event());
    let pointer = malloc(4);
    fill(pointer, 4, 1, a);
    ok!(aclrtRecordEvent(event, a));
    ok!(aclrtStreamWaitEvent(b, event));
    ok!(aclrtDestroyEvent(event));
    assert_eq!(call!(aclrtRecordEvent(event, a)), ACL_ERROR_RT_PARAM_INVALID);
    ok!(aclrtSynchronizeStream(b));
    assert_eq!(download(pointer, 4), [1; 4]);
    for stream in [a, b] {
        ok!(aclrtDestroyStream(stream));
    }
    free(pointer);
}

#[test]
#[serial]
fn the_two_queries_have_opposite_values() {
    let (_mode, _device) = (control::streams_everywhere(Mode::Lazy), Device::set());
    let (mut flagged, mut extended) = (null_mut(), null_mut());
    ok!(aclrtCreateEventWithFlag(&mut flagged, ACL_EVENT_SYNC));
    ok!(aclrtCreateEventExWithFlag(&mut extended, ACL_EVENT_SYNC));
    let query = |event: *mut c_void| {
        let mut status = ACL_EVENT_STATUS_RESERVED;
        ok!(aclrtQueryEvent(event, &mut status));
        status
    };
    let recorded = |event: *mut c_void| {
        let mut status = aclrtEventRecordedStatus(9);
        ok!(aclrtQueryEventStatus(event, &mut status));
        status
    };
    assert_eq!(query(flagged), ACL_EVENT_STATUS_NOT_READY);
    assert_eq!(recorded(flagged), ACL_EVENT_RECORDED_STATUS_NOT_READY);
    assert_eq!(recorded(extended), ACL_EVENT_RECORDED_STATUS_COMPLETE);
    let mut status = ACL_EVENT_STATUS_RESERVED;
    assert_eq!(call!(aclrtQueryEvent(extended, &mut status)), ACL_ERROR_RT_PARAM_INVALID);
    ok!(aclrtRecordEvent(flagged, null_mut()));
    assert_eq!(query(flagged), ACL_EVENT_STATUS_COMPLETE);
    assert_eq!(recorded(flagged), ACL_EVENT_RECORDED_STATUS_COMPLETE);

    let mut waits = ACL_EVENT_WAIT_STATUS_RESERVED;
    ok!(aclrtRecordEvent(flagged, null_mut()));
    let stream = create_stream();
    ok!(aclrtStreamWaitEvent(stream, flagged));
    ok!(aclrtQueryEventWaitStatus(flagged, &mut waits));
    assert_eq!(waits, ACL_EVENT_WAIT_STATUS_COMPLETE);

    ok!(aclrtResetEvent(flagged, null_mut()));
    assert_eq!(query(flagged), ACL_EVENT_STATUS_COMPLETE, "a reset keeps its place in the stream");
    ok!(aclrtSynchronizeStream(null_mut()));
    assert_eq!(query(flagged), ACL_EVENT_STATUS_NOT_READY);
    assert_eq!(call!(aclrtResetEvent(extended, null_mut())), ACL_ERROR_RT_PARAM_INVALID);
    for event in [flagged, extended] {
        ok!(aclrtDestroyEvent(event));
    }
    ok!(aclrtDestroyStream(stream));
}

#[test]
#[serial]
fn flags_decide_what_an_event_can_do() {
    let _device = Device::set();
    let (mut timed, mut plain) = (null_mut(), create_event());
    ok!(aclrtCreateEventWithFlag(&mut timed, ACL_EVENT_TIME_LINE));
    assert_eq!(call!(aclrtStreamWaitEvent(null_mut(), timed)), ACL_ERROR_RT_PARAM_INVALID);
    assert_eq!(call!(aclrtResetEvent(timed, null_mut())), ACL_ERROR_RT_PARAM_INVALID);
    assert_eq!(call!(aclrtResetEvent(plain, null_mut())), ACL_ERROR_RT_PARAM_INVALID);
    assert_eq!(call!(aclrtStreamWaitEventWithTimeout(null_mut(), plain, -1)), ACL_ERROR_RT_PARAM_INVALID);
    ok!(aclrtStreamWaitEventWithTimeout(null_mut(), plain, 0));
    ok!(aclrtDestroyEvent(timed));
    ok!(aclrtDestroyEvent(plain));
    assert_eq!(call!(aclrtCreateEventWithFlag(&mut plain, 0x80)), ACL_ERROR_RT_PARAM_INVALID);
}

#[test]
#[serial]
fn time_passes_between_events() {
    let (_mode, _device) = (control::streams_everywhere(Mode::Lazy), Device::set());
    let (start, end) = (create_event(), create_event());
    let mut elapsed = -1.0;
    assert_eq!(call!(aclrtEventElapsedTime(&mut elapsed, start, end)), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID);
    let pointer = malloc(1 << 20);
    ok!(aclrtRecordEvent(start, null_mut()));
    fill(pointer, 1 << 20, 1, null_mut());
    ok!(aclrtRecordEvent(end, null_mut()));
    assert_eq!(call!(aclrtEventElapsedTime(&mut elapsed, start, end)), ACL_ERROR_RT_EVENT_NOT_COMPLETE);
    ok!(aclrtSynchronizeEventWithTimeout(end, -1));
    ok!(aclrtEventElapsedTime(&mut elapsed, start, end));
    assert!(elapsed > 0.0, "{elapsed} ms");
    assert_eq!(call!(aclrtEventElapsedTime(&mut elapsed, end, start)), ACL_ERROR_RT_EVENT_TIMESTAMP_REVERSAL);
    let (mut first, mut last) = (0, 0);
    ok!(aclrtEventGetTimestamp(start, &mut first));
    ok!(aclrtEventGetTimestamp(end, &mut last));
    assert!(first <= last);

    let mut untimed = null_mut();
    ok!(aclrtCreateEventWithFlag(&mut untimed, ACL_EVENT_SYNC));
    ok!(aclrtRecordEvent(untimed, null_mut()));
    ok!(aclrtSynchronizeEvent(untimed));
    assert_eq!(call!(aclrtEventGetTimestamp(untimed, &mut first)), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID);
    for event in [start, end, untimed] {
        ok!(aclrtDestroyEvent(event));
    }
    free(pointer);
}

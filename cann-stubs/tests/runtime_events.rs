//! Events of the emulated runtime.

mod child;
mod runtime_support;

use std::ffi::c_void;
use std::ptr::null_mut;

use aclnn_sys::*;
use cann_stubs::control::{self, Level, Mode};
use runtime_support::*;
use serial_test::serial;

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
    let pointer = malloc(64 << 20);
    ok!(aclrtRecordEvent(start, null_mut()));
    fill(pointer, 64 << 20, 1, null_mut());
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

/// The numbers are the documented ones.
#[test]
fn events_run_out_of_hardware_ids_until_their_work_is_done() {
    /// The code of a call that is refused, and whether the message tells why.
    macro_rules! refused {
        ($name:ident($($argument:expr),* $(,)?)) => {
            (call!($name($($argument),*)), message().contains("event ids of device 0 are taken"))
        };
    }
    const NONE_LEFT: (i32, bool) = (ACL_ERROR_RT_NO_EVENT_RESOURCE, true);
    for (product, limit) in [("Ascend310P", 1_023), ("Ascend910B", 65_536)] {
        // Work is over when somebody waits, and at no other time.
        let settings = [("CANN_STUBS_SOC", product), ("CANN_STUBS_STREAMS", "deferred")];
        child::with("events_run_out_of_hardware_ids_until_their_work_is_done", &settings, || {
            let _device = Device::set();
            let (mut first, mut second, mut event, mut extended) =
                (null_mut(), null_mut(), null_mut(), null_mut());
            ok!(aclrtCreateStream(&mut first));
            ok!(aclrtCreateStream(&mut second));
            let left = || {
                let mut left = 0;
                ok!(aclrtGetEventAvailNum(&mut left));
                left
            };
            assert_eq!(left(), limit);
            // Dependencies between streams, each with an event of its own that is destroyed at once.
            for made in 0..limit {
                match made % 2 {
                    0 => ok!(aclrtCreateEventWithFlag(&mut event, ACL_EVENT_SYNC)),
                    _ => ok!(aclrtCreateEvent(&mut event)),
                }
                ok!(aclrtRecordEvent(event, first));
                ok!(aclrtStreamWaitEvent(second, event));
                ok!(aclrtDestroyEvent(event));
            }
            assert_eq!(left(), 0, "destroying gives nothing back");
            assert_eq!(refused!(aclrtCreateEvent(&mut event)), NONE_LEFT);
            assert_eq!(refused!(aclrtCreateEventWithFlag(&mut event, ACL_EVENT_SYNC)), NONE_LEFT);
            // An extended one can be made, and not recorded.
            ok!(aclrtCreateEventExWithFlag(&mut extended, ACL_EVENT_SYNC));
            assert_eq!(refused!(aclrtRecordEvent(extended, first)), NONE_LEFT);
            ok!(aclrtSynchronizeStream(first));
            assert_eq!(left(), limit, "the recorded work is done");

            // Extended events take one at each record, and none before.
            let many: Vec<_> = (0..limit + 100)
                .map(|_| {
                    ok!(aclrtCreateEventExWithFlag(&mut event, ACL_EVENT_SYNC));
                    event
                })
                .collect();
            assert_eq!(left(), limit);
            for event in &many[..limit as usize] {
                ok!(aclrtRecordEvent(*event, second));
            }
            assert_eq!(refused!(aclrtRecordEvent(extended, second)), NONE_LEFT);
            assert_eq!(refused!(aclrtCreateEvent(&mut event)), NONE_LEFT);
            for event in many {
                ok!(aclrtDestroyEvent(event));
            }
            assert_eq!(left(), 0);
            ok!(aclrtSynchronizeStream(second));
            assert_eq!(left(), limit);
            ok!(aclrtRecordEvent(extended, first));
            ok!(aclrtRecordEvent(extended, first));
            assert_eq!(left(), limit - 2);
            ok!(aclrtSynchronizeStream(first));

            // Plain ones have one from the making on, whether recorded once or often.
            ok!(aclrtCreateEvent(&mut event));
            assert_eq!(left(), limit - 1);
            ok!(aclrtDestroyEvent(event));
            assert_eq!(left(), limit, "nothing was recorded");
            ok!(aclrtCreateEvent(&mut event));
            for _ in 0..2 {
                for _ in 0..2_000 {
                    ok!(aclrtRecordEvent(event, first));
                }
                assert_eq!(left(), limit - 1);
                ok!(aclrtSynchronizeEvent(event));
                assert_eq!(left(), limit);
            }
            // Work that is thrown away is over, too.
            ok!(aclrtRecordEvent(event, first));
            ok!(aclrtRecordEvent(extended, first));
            assert_eq!(left(), limit - 2);
            ok!(aclrtStreamAbort(first));
            assert_eq!(left(), limit);
            ok!(aclrtRecordEvent(extended, second));
            ok!(aclrtDestroyStreamForce(second));
            assert_eq!(left(), limit);
        });
    }
}

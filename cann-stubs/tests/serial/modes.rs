//! When queued work runs: the four modes of streams, and waits that can never end.

use std::ffi::c_void;
use std::os::unix::thread::RawPthread;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;

use aclnn_sys::*;
use cann_stubs::control::{self, Mode, When};
use serial_test::serial;

use crate::support::runtime::*;

unsafe extern "C" {
    safe fn pthread_self() -> RawPthread;
}

static CALLS: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn count(_: *mut c_void) {
    CALLS.fetch_add(1, Ordering::SeqCst);
}

fn queue_call(stream: *mut c_void) {
    ok!(aclrtLaunchHostFunc(stream, Some(count), null_mut()));
}

fn calls() -> usize {
    CALLS.load(Ordering::SeqCst)
}

fn is_complete(stream: *mut c_void) -> bool {
    let mut status = ACL_STREAM_STATUS_RESERVED;
    ok!(aclrtStreamQuery(stream, &mut status));
    status == ACL_STREAM_STATUS_COMPLETE
}

#[test]
#[serial]
fn lazy_streams_run_when_somebody_asks() {
    let (_mode, _device) = (control::streams_everywhere(Mode::Lazy), Device::set());
    let before = calls();
    queue_call(null_mut());
    assert_eq!(calls(), before);
    assert!(is_complete(null_mut()));
    assert_eq!(calls(), before + 1);
}

#[test]
#[serial]
fn deferred_streams_run_when_somebody_waits_and_never_before() {
    let (_mode, _device) = (control::streams_everywhere(Mode::Deferred), Device::set());
    let (stream, event, before) = (create_stream(), create_event(), calls());
    // More than a lazy stream would keep.
    for _ in 0..20_000 {
        queue_call(stream);
    }
    ok!(aclrtRecordEvent(event, stream));
    let mut status = ACL_EVENT_STATUS_RESERVED;
    ok!(aclrtQueryEvent(event, &mut status));
    let mut waits = ACL_EVENT_WAIT_STATUS_RESERVED;
    let other = create_stream();
    ok!(aclrtStreamWaitEvent(other, event));
    ok!(aclrtQueryEventWaitStatus(event, &mut waits));
    assert_eq!((status, waits), (ACL_EVENT_STATUS_NOT_READY, ACL_EVENT_WAIT_STATUS_NOT_READY));
    assert!(!is_complete(stream));
    assert_eq!(calls(), before);
    // Waiting for another stream runs what that one waits for.
    ok!(aclrtSynchronizeStream(other));
    assert_eq!(calls(), before + 20_000);
    assert!(is_complete(stream));
    ok!(aclrtQueryEvent(event, &mut status));
    assert_eq!(status, ACL_EVENT_STATUS_COMPLETE);
    for stream in [stream, other] {
        ok!(aclrtDestroyStream(stream));
    }
    ok!(aclrtDestroyEvent(event));
}

#[test]
#[serial]
fn workers_run_although_nobody_looks() {
    let (_mode, _device) = (control::streams_everywhere(Mode::Worker), Device::set());
    let (a, b, event, before) = (create_stream(), create_stream(), create_event(), calls());
    for round in 0..100 {
        queue_call(a);
        ok!(aclrtRecordEvent(event, a));
        ok!(aclrtStreamWaitEvent(b, event));
        queue_call(b);
        // Nobody looks; the test hangs if nothing runs.
        while calls() < before + 2 * (round + 1) {
            std::thread::yield_now();
        }
    }
    for stream in [a, b] {
        ok!(aclrtDestroyStream(stream));
    }
    ok!(aclrtDestroyEvent(event));
}

#[test]
#[serial]
fn inline_work_is_done_when_the_call_returns() {
    let (_mode, _device) = (control::streams_everywhere(Mode::Inline), Device::set());
    let before = calls();
    queue_call(null_mut());
    assert_eq!(calls(), before + 1);
    assert!(is_complete(null_mut()));
}

#[test]
#[serial]
fn inline_work_behind_a_signal_runs_when_the_signal_comes() {
    let (_mode, _device) = (control::streams_everywhere(Mode::Inline), Device::set());
    let (stream, before, mut notify) = (create_stream(), calls(), null_mut());
    ok!(aclrtCreateNotify(&mut notify, 0));
    ok!(aclrtWaitAndResetNotify(notify, stream, 0));
    queue_call(stream);
    assert_eq!(calls(), before);
    ok!(aclrtRecordNotify(notify, null_mut()));
    // Nobody looks; the test hangs if nothing runs.
    while calls() == before {
        std::thread::yield_now();
    }
    ok!(aclrtDestroyStream(stream));
    ok!(aclrtDestroyNotify(notify));
}

#[test]
#[serial]
fn a_waiting_thread_takes_up_a_signal_that_is_queued_while_it_waits() {
    for mode in Mode::ALL {
        let (_mode, _device) = (control::streams_everywhere(mode), Device::set());
        let (stream, other, mut notify) = (create_stream(), create_stream(), null_mut());
        ok!(aclrtCreateNotify(&mut notify, 0));
        ok!(aclrtWaitAndResetNotify(notify, stream, 0));
        let sent = Sent(stream);
        let waits = spawn(move || {
            let _device = Device::set();
            ok!(aclrtSynchronizeStream(sent.get()));
        });
        // Queued, and not looked at.
        ok!(aclrtRecordNotify(notify, other));
        finish(&waits);
        for stream in [stream, other] {
            ok!(aclrtDestroyStream(stream));
        }
        ok!(aclrtDestroyNotify(notify));
    }
}

#[test]
#[serial]
fn a_full_lazy_stream_wakes_a_worker() {
    let (_mode, _device) = (control::streams_everywhere(Mode::Lazy), Device::set());
    let (stream, before) = (create_stream(), calls());
    for _ in 0..5_000 {
        queue_call(stream);
    }
    // Nobody looks; the test hangs if nothing runs.
    while calls() == before {
        std::thread::yield_now();
    }
    ok!(aclrtSynchronizeStream(stream));
    assert_eq!(calls(), before + 5_000);
    ok!(aclrtDestroyStream(stream));
}

#[test]
#[serial]
fn a_failure_of_queued_work_is_told_by_the_next_synchronisation_in_every_mode() {
    for mode in Mode::ALL {
        let (_mode, _device) = (control::streams_everywhere(mode), Device::set());
        let pointer = malloc(8);
        let fault = control::fail("run:aclrtMemsetAsync", When::Nth(2), ACL_ERROR_RT_AICORE_EXCEPTION);
        for value in 0..3 {
            ok!(aclrtMemsetAsync(pointer, 8, value, 8, null_mut()));
        }
        assert_eq!(fault.struck(), 1);
        assert_eq!(call!(aclrtSynchronizeStream(null_mut())), ACL_ERROR_RT_AICORE_EXCEPTION, "{mode:?}");
        let text = message();
        assert!(text.contains("aclrtMemsetAsync: a fault on demand"), "{text}");
        ok!(aclrtSynchronizeStream(null_mut()));
        assert_eq!(download(pointer, 8), [2; 8]);
        free(pointer);
    }
}

#[test]
#[serial]
fn a_cycle_of_waits_is_told_instead_of_waiting_for_ever() {
    let _device = Device::set();
    let streams = [create_stream(), create_stream()];
    let sent = streams.map(Sent);
    // Each thread runs the callbacks of one stream, and waits for the other.
    let (to_main, from_threads) = channel();
    let threads: Vec<_> = (0..2)
        .map(|index| {
            let (to_main, (go, begin)) = (to_main.clone(), channel::<()>());
            let thread = spawn(move || {
                let _device = Device::set();
                let own = pthread_self() as u64;
                ok!(aclrtSubscribeReport(own, sent[index].get()));
                to_main.send(()).unwrap();
                begin.recv().unwrap();
                let code = call!(aclrtSynchronizeStream(sent[1 - index].get()));
                let text = message();
                // Whoever was told runs its callbacks, and the other one goes on.
                ok!(aclrtProcessReport(-1));
                if code != 0 {
                    ok!(aclrtSynchronizeStream(sent[1 - index].get()));
                }
                ok!(aclrtUnSubscribeReport(own, sent[index].get()));
                (code, text)
            });
            (thread, go)
        })
        .collect();
    for _ in 0..2 {
        from_threads.recv().unwrap();
    }
    for stream in streams {
        ok!(aclrtLaunchCallback(Some(count), null_mut(), ACL_CALLBACK_BLOCK, stream));
    }
    for (_, go) in &threads {
        go.send(()).unwrap();
    }
    let told: Vec<_> =
        threads.iter().map(|(thread, _)| finish(thread)).filter(|(code, _)| *code != 0).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0].0, ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    assert!(told[0].1.contains("a cycle of waits"), "{}", told[0].1);
    for stream in streams {
        ok!(aclrtDestroyStream(stream));
    }
}

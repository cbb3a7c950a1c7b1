//! Streams of the emulated runtime.

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU64, Ordering};

use aclnn_sys::*;
use cann_stubs::control::{self, Level, Mode, When};
use serial_test::serial;

use crate::support::runtime::*;

/// Queues a task on `stream` that fails when it runs.
fn fail(stream: *mut c_void) {
    let _fault = control::fail("run:aclrtMemsetAsync", When::Always, ACL_ERROR_RT_AICORE_EXCEPTION);
    // Ends with the device.
    fill(malloc(8), 8, 1, stream);
}

fn query(stream: *mut c_void) -> aclrtStreamStatus {
    let mut status = ACL_STREAM_STATUS_RESERVED;
    ok!(aclrtStreamQuery(stream, &mut status));
    status
}

#[test]
#[serial]
fn nothing_happens_before_somebody_looks() {
    let (_mode, _device) = (control::streams_everywhere(Mode::Lazy), Device::set());
    // What is looked at before it is there is looked at on purpose.
    let _level = control::check(Level::Off);
    for stream in [null_mut(), create_stream()] {
        let pointer = malloc(16);
        ok!(aclrtMemset(pointer, 16, 0, 16));
        fill(pointer, 16, 1, stream);
        let mut host = [9u8; 16];
        let to = host.as_mut_ptr().cast();
        ok!(aclrtMemcpyAsync(to, 16, pointer, 16, ACL_MEMCPY_DEVICE_TO_HOST, stream));
        assert_eq!(host, [9; 16]);
        assert_eq!(download(pointer, 16), [0; 16], "a copy at once does not wait for streams");
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!((host, &*download(pointer, 16)), ([1; 16], &[1; 16][..]));
        fill(pointer, 16, 2, stream);
        assert_eq!(query(stream), ACL_STREAM_STATUS_COMPLETE);
        assert_eq!(download(pointer, 16), [2; 16]);
        fill(pointer, 16, 3, stream);
        ok!(aclrtSynchronizeDevice());
        assert_eq!(download(pointer, 16), [3; 16]);
        free(pointer);
        if !stream.is_null() {
            ok!(aclrtDestroyStream(stream));
        }
    }
}

#[test]
#[serial]
fn destroying_waits_unless_forced() {
    let (_mode, _device) = (control::streams_everywhere(Mode::Lazy), Device::set());
    let pointer = malloc(4);
    ok!(aclrtMemset(pointer, 4, 0, 4));
    let stream = create_stream();
    fill(pointer, 4, 1, stream);
    ok!(aclrtDestroyStreamForce(stream));
    assert_eq!(download(pointer, 4), [0; 4]);
    let stream = create_stream();
    fill(pointer, 4, 1, stream);
    ok!(aclrtDestroyStream(stream));
    assert_eq!(download(pointer, 4), [1; 4]);
    for code in [
        call!(aclrtDestroyStream(stream)),
        call!(aclrtSynchronizeStream(stream)),
        call!(aclrtMemsetAsync(pointer, 4, 0, 4, stream)),
        call!(aclrtSynchronizeStream(pointer)),
    ] {
        assert_eq!(code, ACL_ERROR_RT_PARAM_INVALID);
    }
    free(pointer);
}

#[test]
#[serial]
fn the_first_failure_is_told_once_and_later_work_runs() {
    let _device = Device::set();
    let pointer = malloc(4);
    fail(null_mut());
    fill(pointer, 4, 5, null_mut());
    assert_eq!(call!(aclrtSynchronizeStream(null_mut())), ACL_ERROR_RT_AICORE_EXCEPTION);
    assert!(message().contains("aclrtMemsetAsync: "));
    assert_eq!(download(pointer, 4), [5; 4]);
    ok!(aclrtSynchronizeStream(null_mut()));

    let stream = create_stream();
    fail(stream);
    assert_eq!(call!(aclrtSynchronizeDevice()), ACL_ERROR_RT_AICORE_EXCEPTION);
    ok!(aclrtSynchronizeDevice());
    fail(stream);
    assert_eq!(call!(aclrtDestroyStream(stream)), ACL_ERROR_RT_AICORE_EXCEPTION);
    free(pointer);
}

#[test]
#[serial]
fn a_stream_that_stops_on_failure_leaves_out_the_rest() {
    let _device = Device::set();
    let pointer = malloc(4);
    ok!(aclrtMemset(pointer, 4, 0, 4));
    let (stream, event) = (create_stream(), create_event());
    ok!(aclrtSetStreamFailureMode(stream, u64::from(ACL_STOP_ON_FAILURE)));
    assert_eq!(call!(aclrtSetStreamFailureMode(stream, 2)), ACL_ERROR_RT_PARAM_INVALID);
    fail(stream);
    fill(pointer, 4, 5, stream);
    ok!(aclrtRecordEvent(event, stream));
    ok!(aclrtSynchronizeEvent(event));
    assert_eq!(call!(aclrtSynchronizeStream(stream)), ACL_ERROR_RT_AICORE_EXCEPTION);
    assert_eq!(download(pointer, 4), [0; 4]);
    fill(pointer, 4, 6, stream);
    ok!(aclrtSynchronizeStream(stream));
    assert_eq!(download(pointer, 4), [6; 4]);
    ok!(aclrtDestroyStream(stream));
    ok!(aclrtDestroyEvent(event));
    free(pointer);
}

#[test]
#[serial]
fn aborted_work_never_runs_and_its_events_say_so() {
    let (_mode, _device) = (control::streams_everywhere(Mode::Lazy), Device::set());
    let pointer = malloc(4);
    ok!(aclrtMemset(pointer, 4, 0, 4));
    let (stream, other, event) = (create_stream(), create_stream(), create_event());
    fill(pointer, 4, 1, stream);
    ok!(aclrtRecordEvent(event, stream));
    ok!(aclrtStreamWaitEvent(other, event));
    ok!(aclrtStreamAbort(stream));
    assert_eq!(call!(aclrtSynchronizeEvent(event)), ACL_ERROR_RT_STREAM_ABORT);
    ok!(aclrtSynchronizeStream(stream));
    ok!(aclrtSynchronizeStream(other));
    assert_eq!(download(pointer, 4), [0; 4]);
    for stream in [stream, other] {
        ok!(aclrtDestroyStream(stream));
    }
    ok!(aclrtDestroyEvent(event));
    free(pointer);
}

#[test]
#[serial]
fn flags_priorities_and_numbers() {
    let (_mode, _device) = (control::streams_everywhere(Mode::Lazy), Device::set());
    // What is looked at before it is there is looked at on purpose.
    let _level = control::check(Level::Off);
    let (mut least, mut greatest) = (0, 0);
    ok!(aclrtDeviceGetStreamPriorityRange(&mut least, &mut greatest));
    let mut stream = null_mut();
    ok!(aclrtCreateStreamWithConfig(
        &mut stream,
        least as u32,
        ACL_STREAM_PERSISTENT | ACL_STREAM_FAST_LAUNCH
    ));
    let (mut priority, mut flags) = (0, 0);
    ok!(aclrtStreamGetPriority(stream, &mut priority));
    ok!(aclrtStreamGetFlags(stream, &mut flags));
    assert_eq!((priority as i32, flags), (least, ACL_STREAM_PERSISTENT | ACL_STREAM_FAST_LAUNCH));
    let (mut id, mut default) = (0, 0);
    ok!(aclrtStreamGetId(stream, &mut id));
    ok!(aclrtStreamGetId(null_mut(), &mut default));
    assert_ne!(id, default);

    let pointer = malloc(4);
    ok!(aclrtMemset(pointer, 4, 0, 4));
    fill(pointer, 4, 1, stream);
    ok!(aclrtSynchronizeStream(stream));
    assert_eq!(download(pointer, 4), [0; 4], "a persistent stream is not waited for");
    assert_eq!(query(stream), ACL_STREAM_STATUS_COMPLETE);
    assert_eq!(download(pointer, 4), [1; 4]);
    ok!(aclrtDestroyStream(stream));
    free(pointer);

    assert_eq!(call!(aclrtCreateStreamWithConfig(&mut stream, 0, 0x40)), ACL_ERROR_RT_PARAM_INVALID);
    assert_eq!(call!(aclrtCreateStreamWithConfig(&mut stream, 8, 0)), ACL_ERROR_RT_PARAM_INVALID);
    assert_eq!(call!(aclrtSynchronizeStreamWithTimeout(null_mut(), -2)), ACL_ERROR_RT_PARAM_INVALID);
    ok!(aclrtSynchronizeStreamWithTimeout(null_mut(), -1));
    ok!(aclrtSynchronizeDeviceWithTimeout(0));
}

#[test]
#[serial]
fn streams_run_out() {
    let _device = Device::set();
    let mut left = 0;
    ok!(aclrtGetStreamAvailableNum(&mut left));
    let streams: Vec<_> = (0..left).map(|_| create_stream()).collect();
    let mut stream = null_mut();
    assert_eq!(call!(aclrtCreateStream(&mut stream)), ACL_ERROR_RT_NO_STREAM_RESOURCE);
    for stream in streams {
        ok!(aclrtDestroyStream(stream));
    }
    let mut again = 0;
    ok!(aclrtGetStreamAvailableNum(&mut again));
    // A stream of a thread that was just ending may have become free too.
    assert!(again >= left, "{again} of {left} are left");
}

#[test]
#[serial]
fn host_to_host_cannot_be_queued() {
    let _device = Device::set();
    let mut host = [0u8; 8];
    let (to, from) = (host.as_mut_ptr().cast::<c_void>(), host.as_ptr().cast::<c_void>());
    for kind in [ACL_MEMCPY_HOST_TO_HOST, ACL_MEMCPY_DEFAULT] {
        assert_eq!(
            call!(aclrtMemcpyAsync(to, 4, from, 4, kind, null_mut())),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT
        );
    }
}

/// Copies at once take the direction from their pointers; queued ones compare both.
#[test]
#[serial]
fn a_queued_copy_is_refused_when_its_kind_contradicts_its_pointers() {
    let _device = Device::set();
    let (a, b, mut bytes) = (malloc(16), malloc(16), [1u8; 16]);
    upload(a, &bytes);
    upload(b, &bytes);
    let host = bytes.as_mut_ptr().cast::<c_void>();
    let kinds = [
        (ACL_MEMCPY_HOST_TO_DEVICE, b, host),
        (ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, b, host),
        (ACL_MEMCPY_DEVICE_TO_HOST, host, a),
        (ACL_MEMCPY_DEVICE_TO_DEVICE, b, a),
    ];
    type Copy = fn(*mut c_void, *mut c_void, aclrtMemcpyKind) -> i32;
    let forms: [(Copy, bool); 5] = [
        (|to, from, kind| call!(aclrtMemcpyAsync(to, 16, from, 16, kind, null_mut())), true),
        (|to, from, kind| call!(aclrtMemcpyAsyncWithCondition(to, 16, from, 16, kind, null_mut())), true),
        (|to, from, kind| call!(aclrtMemcpy2dAsync(to, 8, from, 8, 8, 2, kind, null_mut())), true),
        (|to, from, kind| call!(aclrtMemcpy(to, 16, from, 16, kind)), false),
        (|to, from, kind| call!(aclrtMemcpy2d(to, 8, from, 8, 8, 2, kind)), false),
    ];
    for (copy, compares) in forms {
        for (kind, ..) in kinds {
            for (right, to, from) in kinds {
                let same = kind == right || [kind, right].iter().all(|kind| [1, 5].contains(&kind.0));
                let code = copy(to, from, kind);
                let expected = if compares && !same { ACL_ERROR_RT_PARAM_INVALID } else { 0 };
                assert_eq!(code, expected, "{kind:?} for the pointers of {right:?}: {}", message());
                ok!(aclrtSynchronizeStream(null_mut()));
            }
        }
        for (_, to, from) in kinds {
            assert_eq!(copy(to, from, ACL_MEMCPY_DEFAULT), 0);
            ok!(aclrtSynchronizeStream(null_mut()));
        }
    }
    let kind = ACL_MEMCPY_HOST_TO_DEVICE;
    assert_eq!(call!(aclrtMemcpyAsync(host, 16, a, 16, kind, null_mut())), ACL_ERROR_RT_PARAM_INVALID);
    let text = message();
    assert!(
        text.contains("kind is ACL_MEMCPY_HOST_TO_DEVICE, which takes device memory as dst")
            && text.contains("is host memory"),
        "{text}"
    );
    for copy in [forms[0].0, forms[1].0] {
        assert_eq!(copy(b, a, ACL_MEMCPY_HOST_TO_HOST), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    }
    // Registered host memory lies on both sides.
    let mut mapped = null_mut();
    ok!(aclrtHostRegister(host, 16, ACL_HOST_REGISTER_MAPPED, &mut mapped));
    for kind in [ACL_MEMCPY_HOST_TO_DEVICE, ACL_MEMCPY_DEVICE_TO_DEVICE] {
        ok!(aclrtMemcpyAsync(b, 16, mapped, 16, kind, null_mut()));
    }
    ok!(aclrtSynchronizeStream(null_mut()));
    ok!(aclrtHostUnregister(host));
    free(a);
    free(b);
}

#[test]
#[serial]
fn a_chain_of_streams_is_run_by_one_look() {
    let _device = Device::set();
    let pointer = malloc(4);
    let streams: Vec<_> = (0..1000).map(|_| create_stream()).collect();
    let event = create_event();
    for (index, &stream) in streams.iter().enumerate() {
        if index > 0 {
            ok!(aclrtStreamWaitEvent(stream, event));
        }
        fill(pointer, 4, index as i32, stream);
        ok!(aclrtRecordEvent(event, stream));
    }
    ok!(aclrtSynchronizeEvent(event));
    assert_eq!(download(pointer, 4), [(999 & 0xff) as u8; 4]);
    for stream in streams {
        ok!(aclrtDestroyStream(stream));
    }
    ok!(aclrtDestroyEvent(event));
    free(pointer);
}

static PRODUCED: AtomicU64 = AtomicU64::new(0);
static CONSUMED: AtomicU64 = AtomicU64::new(0);

/// Runs on one stream; the other one must have consumed everything before.
unsafe extern "C" fn produce(round: *mut c_void) {
    assert_eq!(CONSUMED.load(Ordering::SeqCst), round.addr() as u64);
    PRODUCED.fetch_add(1, Ordering::SeqCst);
}

/// Runs on the other stream, after `produce` of the same round.
unsafe extern "C" fn consume(round: *mut c_void) {
    assert_eq!(PRODUCED.load(Ordering::SeqCst), round.addr() as u64 + 1);
    CONSUMED.fetch_add(1, Ordering::SeqCst);
}

#[test]
#[serial]
fn two_threads_look_at_streams_that_wait_for_each_other() {
    const ROUNDS: usize = 20_000;
    let _device = Device::set();
    PRODUCED.store(0, Ordering::SeqCst);
    CONSUMED.store(0, Ordering::SeqCst);
    let (a, b) = (create_stream(), create_stream());
    let (full, empty) = (create_event(), create_event());
    let looking = [a, b].map(|stream| {
        let stream = Sent(stream);
        spawn(move || {
            let _device = Device::set();
            while CONSUMED.load(Ordering::SeqCst) < ROUNDS as u64 {
                ok!(aclrtSynchronizeStream(stream.get()));
            }
        })
    });
    for round in 0..ROUNDS {
        let argument = std::ptr::without_provenance_mut(round);
        ok!(aclrtStreamWaitEvent(a, empty));
        ok!(aclrtLaunchHostFunc(a, Some(produce), argument));
        ok!(aclrtRecordEvent(full, a));
        ok!(aclrtStreamWaitEvent(b, full));
        ok!(aclrtLaunchHostFunc(b, Some(consume), argument));
        ok!(aclrtRecordEvent(empty, b));
        if round % 1000 == 0 {
            ok!(aclrtSynchronizeEvent(empty));
            assert!(CONSUMED.load(Ordering::SeqCst) > round as u64);
        }
    }
    for thread in &looking {
        finish(thread);
    }
    assert_eq!(PRODUCED.load(Ordering::SeqCst), ROUNDS as u64);
    for stream in [a, b] {
        ok!(aclrtDestroyStream(stream));
    }
    for event in [full, empty] {
        ok!(aclrtDestroyEvent(event));
    }
}

#[test]
#[serial]
fn many_threads_share_streams() {
    const THREADS: usize = 4;
    const ROUNDS: usize = 2_000;
    let _device = Device::set();
    let streams = [(); 3].map(|()| create_stream());
    let pointer = malloc(THREADS * 4);
    let threads: Vec<_> = (0..THREADS)
        .map(|thread| {
            let (streams, own) = (streams.map(Sent), Sent(pointer.wrapping_byte_add(thread * 4)));
            spawn(move || {
                let (_device, own) = (Device::set(), own.get());
                let event = create_event();
                for round in 0..ROUNDS {
                    let [first, second] = [round % 3, (round + thread) % 3].map(|index| streams[index].get());
                    fill(own, 4, round as i32, first);
                    ok!(aclrtRecordEvent(event, first));
                    ok!(aclrtStreamWaitEvent(second, event));
                    let mut host = [0u8; 4];
                    let to = host.as_mut_ptr().cast();
                    ok!(aclrtMemcpyAsync(to, 4, own, 4, ACL_MEMCPY_DEVICE_TO_HOST, second));
                    ok!(aclrtSynchronizeStream(second));
                    assert_eq!(host, [round as u8; 4]);
                }
                ok!(aclrtDestroyEvent(event));
            })
        })
        .collect();
    for thread in &threads {
        finish(thread);
    }
    for stream in streams {
        ok!(aclrtDestroyStream(stream));
    }
    free(pointer);
}

/// Waiting for a stream and asking about it need no context: both find the stream's own. Queueing work in it, ending it
/// and changing it need its own context.
#[test]
#[serial]
fn a_stream_is_waited_for_from_any_context_and_used_from_its_own() {
    let (_mode, _device) = (control::streams_everywhere(Mode::Lazy), Device::set());
    // What is looked at before it is there is looked at on purpose.
    let _level = control::check(Level::Off);
    let (stream, event, pointer) = (create_stream(), create_event(), malloc(4));
    let sent = [stream, event, pointer].map(Sent);
    let other = spawn(move || {
        let [stream, event, pointer] = sent.map(Sent::get);
        let mut status = ACL_STREAM_STATUS_RESERVED;
        let mut ask = |value| {
            // The thread that has the context queues work meanwhile.
            let queue = Sent(stream);
            let target = Sent(pointer);
            finish(&spawn(move || {
                let _device = Device::set();
                fill(target.get(), 4, value, queue.get());
            }));
            match value % 3 {
                0 => ok!(aclrtSynchronizeStream(stream)),
                1 => ok!(aclrtSynchronizeStreamWithTimeout(stream, 60_000)),
                _ => {
                    ok!(aclrtStreamQuery(stream, &mut status));
                    assert_eq!(status, ACL_STREAM_STATUS_COMPLETE);
                }
            }
        };
        (0..3).for_each(&mut ask);
        let bare = call!(aclrtSynchronizeStream(null_mut()));
        ok!(aclrtSetDevice(1));
        (3..6).for_each(&mut ask);
        assert_eq!(download(pointer, 4), [5; 4]);
        let mut host = [0u8; 4];
        let to = host.as_mut_ptr().cast();
        let used = [
            call!(aclrtRecordEvent(event, stream)),
            call!(aclrtStreamWaitEvent(stream, event)),
            call!(aclrtMemcpyAsync(to, 4, pointer, 4, ACL_MEMCPY_DEVICE_TO_HOST, stream)),
            call!(aclrtMemsetAsync(pointer, 4, 0, 4, stream)),
            call!(aclrtDestroyStream(stream)),
            call!(aclrtDestroyStreamForce(stream)),
        ];
        ok!(aclrtResetDevice(1));
        (bare, used)
    });
    assert_eq!(finish(&other), (ACL_ERROR_RT_CONTEXT_NULL, [ACL_ERROR_RT_STREAM_CONTEXT; 6]));
    ok!(aclrtDestroyStream(stream));
    assert_eq!(
        call!(aclrtStreamQuery(stream, &mut ACL_STREAM_STATUS_RESERVED.clone())),
        ACL_ERROR_RT_PARAM_INVALID
    );
    ok!(aclrtDestroyEvent(event));
    free(pointer);
}

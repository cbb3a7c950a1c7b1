//! Host callbacks of the emulated runtime.

use std::ffi::c_void;
use std::os::unix::thread::RawPthread;
use std::ptr::null_mut;
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::thread::ThreadId;

use aclnn_sys::*;
use cann_stubs::control::{self, Mode};
use serial_test::serial;

use crate::support::runtime::*;

unsafe extern "C" {
    safe fn pthread_self() -> RawPthread;
}

/// Who ran which callback.
static RAN: Mutex<Vec<(usize, ThreadId)>> = Mutex::new(Vec::new());

unsafe extern "C" fn note(number: *mut c_void) {
    RAN.lock().unwrap().push((number.addr(), std::thread::current().id()));
}

fn ran() -> Vec<usize> {
    RAN.lock().unwrap().drain(..).map(|(number, _)| number).collect()
}

fn number(number: usize) -> *mut c_void {
    std::ptr::without_provenance_mut(number)
}

#[test]
#[serial]
fn host_functions_run_in_the_order_of_the_stream() {
    let (_mode, _device) = (control::streams_everywhere(Mode::Lazy), Device::set());
    ran();
    for value in 0..3 {
        ok!(aclrtLaunchHostFunc(null_mut(), Some(note), number(value)));
    }
    assert_eq!(ran(), [0_usize; 0]);
    ok!(aclrtSynchronizeStream(null_mut()));
    assert_eq!(ran(), [0, 1, 2]);
    assert_eq!(call!(aclrtLaunchHostFunc(null_mut(), None, null_mut())), ACL_ERROR_INVALID_PARAM);
}

/// A context, a stream, memory of the host, addresses and memory for them, which a callback must not end.
static HELD: [AtomicPtr<c_void>; 5] = [const { AtomicPtr::new(null_mut()) }; 5];

/// A page of memory that is mapped.
const STEP: usize = 2 << 20;

static CODES: Mutex<Vec<i32>> = Mutex::new(Vec::new());

unsafe extern "C" fn misbehave(device: *mut c_void) {
    let mut out = null_mut();
    let mut host = [0u8; 4];
    let properties = properties();
    CODES.lock().unwrap().extend([
        call!(aclrtSynchronizeStream(null_mut())),
        call!(aclrtSynchronizeDevice()),
        call!(aclrtMemsetAsync(device, 4, 0, 4, null_mut())),
        call!(aclrtMalloc(&mut out, 8, ACL_MEM_MALLOC_HUGE_FIRST)),
        call!(aclrtFree(device)),
        call!(aclrtMallocHost(&mut out, 8)),
        call!(aclrtCreateStream(&mut out)),
        call!(aclrtStreamAbort(null_mut())),
        call!(aclrtResetDevice(0)),
        call!(aclFinalize()),
        call!(aclrtProcessReport(1)),
        call!(aclrtSynchronizeDeviceWithTimeout(1)),
        call!(aclrtResetDeviceForce(0)),
        call!(aclrtDeviceTaskAbort(0, 1)),
        call!(aclrtCreateContext(&mut out, 0)),
        call!(aclrtDestroyContext(HELD[0].load(Ordering::Relaxed))),
        call!(aclrtDestroyStream(HELD[1].load(Ordering::Relaxed))),
        call!(aclrtFreeHost(HELD[2].load(Ordering::Relaxed))),
        call!(aclrtReserveMemAddress(&mut out, STEP, 0, null_mut(), 0)),
        call!(aclrtReleaseMemAddress(HELD[3].load(Ordering::Relaxed))),
        call!(aclrtMallocPhysical(&mut out, STEP, &properties, 0)),
        call!(aclrtFreePhysical(HELD[4].load(Ordering::Relaxed))),
        call!(aclrtMapMem(HELD[3].load(Ordering::Relaxed), STEP, 0, HELD[4].load(Ordering::Relaxed), 0)),
        call!(aclrtUnmapMem(HELD[3].load(Ordering::Relaxed))),
    ]);
    assert!(out.is_null());
    // These concern nobody else.
    ok!(aclrtSetDevice(1));
    ok!(aclrtMemcpy(host.as_mut_ptr().cast(), 4, device, 4, ACL_MEMCPY_DEFAULT));
}

#[test]
#[serial]
fn what_would_dead_lock_inside_a_callback_is_refused() {
    let _mode = control::streams_everywhere(Mode::Lazy);
    let _device = Device::set();
    let pointer = malloc(4);
    upload(pointer, &[0; 4]);
    let (mut before, mut context, mut host) = (null_mut(), null_mut(), null_mut());
    ok!(aclrtGetCurrentContext(&mut before));
    ok!(aclrtCreateContext(&mut context, 0));
    ok!(aclrtSetCurrentContext(before));
    ok!(aclrtMallocHost(&mut host, 8));
    let (stream, mut addresses, mut physical) = (create_stream(), null_mut(), null_mut());
    ok!(aclrtReserveMemAddress(&mut addresses, STEP, 0, null_mut(), 0));
    ok!(aclrtMallocPhysical(&mut physical, STEP, &properties(), 0));
    for (held, handle) in HELD.iter().zip([context, stream, host, addresses, physical]) {
        held.store(handle, Ordering::Relaxed);
    }
    ok!(aclrtLaunchHostFunc(null_mut(), Some(misbehave), pointer));
    ok!(aclrtSynchronizeStream(null_mut()));
    let codes = std::mem::take(&mut *CODES.lock().unwrap());
    assert_eq!(codes, [ACL_ERROR_RT_FEATURE_NOT_SUPPORT; 24]);
    // All of it is still there.
    ok!(aclrtFreePhysical(physical));
    ok!(aclrtReleaseMemAddress(addresses));
    ok!(aclrtFreeHost(host));
    ok!(aclrtDestroyStream(stream));
    ok!(aclrtDestroyContext(context));
    let mut device = 9;
    ok!(aclrtGetDevice(&mut device));
    assert_eq!(device, 0, "the device that a host function sets is not this thread's");
    ok!(aclrtResetDevice(1));
    free(pointer);
}

/// A thread that subscribes to `stream` and processes reports until it has run `count` callbacks.
fn processor(
    stream: *mut c_void,
    count: usize,
) -> (std::sync::mpsc::Receiver<ThreadId>, std::sync::mpsc::Receiver<()>) {
    let (subscribed, ready) = std::sync::mpsc::channel();
    let stream = Sent(stream);
    let thread = spawn(move || {
        let _device = Device::set();
        ok!(aclrtSubscribeReport(pthread_self() as u64, stream.get()));
        subscribed.send(()).unwrap();
        while RAN.lock().unwrap().len() < count {
            ok!(aclrtProcessReport(-1));
        }
        ok!(aclrtUnSubscribeReport(pthread_self() as u64, stream.get()));
        std::thread::current().id()
    });
    (thread, ready)
}

#[test]
#[serial]
fn callbacks_run_on_the_subscribed_thread() {
    for block in [ACL_CALLBACK_NO_BLOCK, ACL_CALLBACK_BLOCK] {
        let _device = Device::set();
        ran();
        let stream = create_stream();
        let (thread, ready) = processor(stream, 2);
        finish(&ready);
        let pointer = malloc(4);
        ok!(aclrtMemset(pointer, 4, 0, 4));
        for value in 0..2 {
            ok!(aclrtLaunchCallback(Some(note), number(value), block, stream));
        }
        ok!(aclrtMemsetAsync(pointer, 4, 1, 4, stream));
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!(download(pointer, 4), [1; 4]);
        if block == ACL_CALLBACK_BLOCK {
            assert_eq!(RAN.lock().unwrap().len(), 2, "the stream waited for both");
        }
        let processing = finish(&thread);
        assert!(RAN.lock().unwrap().iter().all(|(_, thread)| *thread == processing));
        assert_eq!(ran(), [0, 1]);
        ok!(aclrtDestroyStream(stream));
        free(pointer);
    }
}

#[test]
#[serial]
fn callbacks_come_although_nobody_looks_at_the_stream() {
    let _device = Device::set();
    ran();
    let stream = create_stream();
    let (thread, ready) = processor(stream, 1);
    finish(&ready);
    ok!(aclrtLaunchCallback(Some(note), number(7), ACL_CALLBACK_BLOCK, stream));
    finish(&thread);
    assert_eq!(ran(), [7]);
    ok!(aclrtDestroyStream(stream));
}

#[test]
#[serial]
fn a_stream_behind_a_callback_that_never_comes_times_out() {
    let _device = Device::set();
    let (stream, event) = (create_stream(), create_event());
    let idle = spawn(|| pthread_self() as u64);
    // A thread number that nobody processes reports under.
    ok!(aclrtSubscribeReport(finish(&idle) ^ 1, stream));
    ok!(aclrtLaunchCallback(Some(note), null_mut(), ACL_CALLBACK_BLOCK, stream));
    ok!(aclrtRecordEvent(event, stream));
    assert_eq!(call!(aclrtSynchronizeStreamWithTimeout(stream, 1)), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    assert_eq!(call!(aclrtSynchronizeDeviceWithTimeout(1)), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    assert_eq!(call!(aclrtSynchronizeEventWithTimeout(event, 1)), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
    let mut status = ACL_STREAM_STATUS_RESERVED;
    ok!(aclrtStreamQuery(stream, &mut status));
    assert_eq!(status, ACL_STREAM_STATUS_NOT_READY);
    ok!(aclrtDestroyStreamForce(stream));
    ok!(aclrtDestroyEvent(event));
}

#[test]
#[serial]
fn waiting_for_a_callback_of_the_own_thread_is_an_error() {
    let _device = Device::set();
    ran();
    let (stream, own) = (create_stream(), pthread_self() as u64);
    ok!(aclrtSubscribeReport(own, stream));
    ok!(aclrtLaunchCallback(Some(note), number(1), ACL_CALLBACK_BLOCK, stream));
    assert_eq!(call!(aclrtSynchronizeStream(stream)), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    assert!(message().contains("aclrtProcessReport"));
    ok!(aclrtProcessReport(1));
    ok!(aclrtSynchronizeStream(stream));
    assert_eq!(ran(), [1]);
    ok!(aclrtUnSubscribeReport(own, stream));
    ok!(aclrtDestroyStream(stream));
}

#[test]
#[serial]
fn reports_have_codes_for_everything_wrong() {
    let _device = Device::set();
    let (stream, own) = (create_stream(), pthread_self() as u64);
    assert_eq!(call!(aclrtProcessReport(1)), ACL_ERROR_RT_THREAD_SUBSCRIBE);
    let launch = |kind| call!(aclrtLaunchCallback(Some(note), null_mut(), kind, stream));
    assert_eq!(launch(ACL_CALLBACK_BLOCK), ACL_ERROR_RT_STREAM_NO_CB_REG);
    assert_eq!(launch(aclrtCallbackBlockType(2)), ACL_ERROR_INVALID_PARAM);
    ok!(aclrtSubscribeReport(own, stream));
    assert_eq!(call!(aclrtSubscribeReport(own, stream)), ACL_ERROR_RT_STREAM_SUBSCRIBE);
    assert_eq!(call!(aclrtLaunchHostFunc(stream, Some(note), null_mut())), ACL_ERROR_RT_PARAM_INVALID);
    assert_eq!(call!(aclrtProcessReport(0)), ACL_ERROR_INVALID_PARAM);
    assert_eq!(call!(aclrtProcessReport(-2)), ACL_ERROR_INVALID_PARAM);
    assert_eq!(call!(aclrtProcessReport(1)), ACL_ERROR_RT_REPORT_TIMEOUT);
    assert_eq!(call!(aclrtUnSubscribeReport(own ^ 1, stream)), ACL_ERROR_RT_STREAM_SUBSCRIBE);

    // What the thread leaves behind does not block the stream, and is not lost in silence.
    assert_eq!(launch(ACL_CALLBACK_BLOCK), 0);
    ok!(aclrtUnSubscribeReport(own, stream));
    assert_eq!(call!(aclrtSynchronizeStream(stream)), ACL_ERROR_RT_THREAD_SUBSCRIBE);
    ok!(aclrtDestroyStream(stream));
}

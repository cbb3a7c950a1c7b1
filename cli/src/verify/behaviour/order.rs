//! The order of work: streams, events, functions of the host.

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};

use aclnn::{DType, Stream, Tensor, ops, sys};
use anyhow::Result;

use super::check::Check;
use crate::verify::answer::{Answer, Findings};
use crate::verify::raw::{Setting, code, good, plan};

pub(super) const CHECKS: &[Check] = &[
    Check::new(
        "events-order-streams",
        "A stream that waits for an event goes on when the work before the event is done (aclrtStreamWaitEvent).",
        events_order_streams,
    ),
    Check::new(
        "events-tell-the-host",
        "When an event is synchronised, the work before it is done, and a query says so (aclrtSynchronizeEvent).",
        events_tell_the_host,
    ),
    Check::new(
        "safe-layer-orders-streams",
        "An operator on one stream of the safe layer reads what another stream computes.",
        safe_layer_orders_streams,
    ),
    Check::new(
        "objects-end-before-the-work",
        "Descriptors, scalars and events may be destroyed when the work is queued, and a destroyed stream finishes its work.",
        objects_end_before_the_work,
    ),
    Check::new(
        "host-functions-run-in-order",
        "A function of the host runs behind the work before it, and the work after it waits (aclrtLaunchHostFunc).",
        host_functions_run_in_order,
    ),
    Check::new(
        "callbacks-run-on-their-thread",
        "A callback runs on the thread that processes the reports of its stream (aclrtLaunchCallback).",
        callbacks_run_on_their_thread,
    ),
    Check::new(
        "time-between-events",
        "The time between two events is that of the work between them (aclrtEventElapsedTime).",
        time_between_events,
    ),
];

const BYTES: usize = 64 << 10;

fn events_order_streams(setting: &Setting) -> Result<Answer> {
    let (first, second, event) = (setting.stream()?, setting.stream()?, setting.event()?);
    let (source, copy) = (setting.memory(BYTES)?, setting.memory(BYTES)?);
    for round in 1..=4_u8 {
        setting.hold_up(&first)?;
        good!(setting, aclrtMemsetAsync(source.handle, BYTES, round.into(), BYTES, first.handle));
        good!(setting, aclrtRecordEvent(event.handle, first.handle));
        good!(setting, aclrtStreamWaitEvent(second.handle, event.handle));
        let kind = sys::ACL_MEMCPY_DEVICE_TO_DEVICE;
        good!(setting, aclrtMemcpyAsync(copy.handle, BYTES, source.handle, BYTES, kind, second.handle));
        good!(setting, aclrtSynchronizeStream(second.handle));
        let bytes = setting.download::<u8>(copy.handle, BYTES)?;
        let early = bytes.iter().filter(|byte| **byte != round).count();
        good!(setting, aclrtSynchronizeStream(first.handle));
        if early > 0 {
            let text =
                format!("{early} of {BYTES} bytes were copied before the work of the event had written them");
            return Ok(Answer::wrong(text));
        }
    }
    Ok(Answer::right("each of 4 copies came after the work that it waits for"))
}

fn events_tell_the_host(setting: &Setting) -> Result<Answer> {
    let (stream, event, memory) = (setting.stream()?, setting.event()?, setting.memory(BYTES)?);
    let mut findings = Findings::default();
    for value in [1, 2] {
        setting.hold_up(&stream)?;
        good!(setting, aclrtMemsetAsync(memory.handle, BYTES, value, BYTES, stream.handle));
        good!(setting, aclrtRecordEvent(event.handle, stream.handle));
        good!(setting, aclrtSynchronizeEvent(event.handle));
        let mut status = sys::ACL_EVENT_RECORDED_STATUS_NOT_READY;
        good!(setting, aclrtQueryEventStatus(event.handle, &mut status));
        findings.equal("status", status, sys::ACL_EVENT_RECORDED_STATUS_COMPLETE);
        let mut status = sys::ACL_EVENT_STATUS_NOT_READY;
        good!(setting, aclrtQueryEvent(event.handle, &mut status));
        findings.equal("status of the older query", status, sys::ACL_EVENT_STATUS_COMPLETE);
        let bytes = setting.download::<u8>(memory.handle, BYTES)?;
        findings.holds(bytes.iter().all(|byte| i32::from(*byte) == value), || {
            "bytes were not written although the event was complete".to_owned()
        });
    }
    Ok(findings.answer())
}

fn safe_layer_orders_streams(setting: &Setting) -> Result<Answer> {
    let (first, second) = (Stream::new(&setting.device)?, Stream::new(&setting.device)?);
    let mut findings = Findings::default();
    for round in 1..=4 {
        let mut sum = Tensor::ones(&first, [1 << 18], DType::F32)?;
        for _ in 0..8 {
            sum = ops::add(&sum, round).on(&first).run()?;
        }
        let product = ops::mul(&sum, 2).on(&second).run()?;
        let expected = 2.0 * (1.0 + 8.0 * round as f32);
        let wrong = product.to_vec::<f32>()?.into_iter().find(|value| *value != expected);
        findings.holds(wrong.is_none(), || format!("{wrong:?} instead of {expected} in round {round}"));
    }
    Ok(findings.answer())
}

fn objects_end_before_the_work(setting: &Setting) -> Result<Answer> {
    const COUNT: usize = 1 << 20;
    let mut findings = Findings::default();
    let (stream, other, event) = (setting.stream()?, setting.stream()?, setting.event()?);
    let (own, out) = (setting.filled(&vec![1.5_f32; COUNT])?, setting.memory(COUNT * 4)?);
    let copy = setting.memory(COUNT * 4)?;
    {
        let dims = [COUNT as i64];
        let input = setting.tensor(DType::F32, &dims, own.handle)?;
        let output = setting.tensor(DType::F32, &dims, out.handle)?;
        let factor = setting.scalar(2_f32)?;
        let planned = plan!(setting, Muls(input.handle, factor.handle, output.handle));
        setting.must_be_good("aclnnMulsGetWorkspaceSize", planned.code)?;
        let workspace = setting.memory(planned.workspace.max(1) as usize)?;
        setting.must_be_good("aclnnMuls", planned.launch(workspace.handle, stream.handle)?)?;
        good!(setting, aclrtRecordEvent(event.handle, stream.handle));
        good!(setting, aclrtStreamWaitEvent(other.handle, event.handle));
        // The descriptors end here, and memory that queued work uses does not: it is freed behind a wait.
        drop((input, output, factor, event));
        let (bytes, kind) = (COUNT * 4, sys::ACL_MEMCPY_DEVICE_TO_DEVICE);
        good!(setting, aclrtMemcpyAsync(copy.handle, bytes, out.handle, bytes, kind, other.handle));
        // Destroying waits for the work.
        drop(other);
        good!(setting, aclrtSynchronizeStream(stream.handle));
    }
    let wrong = setting.download::<f32>(copy.handle, COUNT)?.into_iter().find(|value| *value != 3.0);
    findings.holds(wrong.is_none(), || format!("{wrong:?} instead of 3"));
    Ok(findings.answer())
}

/// What a function of the host finds.
struct Seen {
    byte: *const u8,
    value: AtomicU32,
}

unsafe extern "C" fn look(seen: *mut c_void) {
    // SAFETY: the check passes a `Seen` that lives until its stream is synchronised, and pinned memory which the work before
    // this function has written.
    let seen = unsafe { &*seen.cast::<Seen>().cast_const() };
    // SAFETY: as above.
    seen.value.store(u32::from(unsafe { seen.byte.read_volatile() }) + 1, Ordering::SeqCst);
}

fn host_functions_run_in_order(setting: &Setting) -> Result<Answer> {
    let (stream, memory, pinned) = (setting.stream()?, setting.memory(BYTES)?, setting.pinned(BYTES)?);
    let mut findings = Findings::default();
    for value in [3, 4] {
        let seen = Seen { byte: pinned.handle.cast(), value: AtomicU32::new(0) };
        let download = |byte: i32| -> Result<()> {
            good!(setting, aclrtMemsetAsync(memory.handle, BYTES, byte, BYTES, stream.handle));
            let kind = sys::ACL_MEMCPY_DEVICE_TO_HOST;
            good!(setting, aclrtMemcpyAsync(pinned.handle, BYTES, memory.handle, BYTES, kind, stream.handle));
            Ok(())
        };
        download(value)?;
        good!(setting, aclrtLaunchHostFunc(stream.handle, Some(look), (&raw const seen).cast_mut().cast()));
        download(9)?;
        good!(setting, aclrtSynchronizeStream(stream.handle));
        findings.equal("the byte that the function saw", seen.value.load(Ordering::SeqCst), value as u32 + 1);
    }
    Ok(findings.answer())
}

static CALLED_BY: AtomicU32 = AtomicU32::new(0);
static STOP: AtomicU32 = AtomicU32::new(0);
thread_local!(static NUMBER: std::cell::Cell<u32> = const { std::cell::Cell::new(0) });

unsafe extern "C" fn note_thread(_: *mut c_void) {
    CALLED_BY.store(NUMBER.get(), Ordering::SeqCst);
}

#[cfg(unix)]
fn callbacks_run_on_their_thread(setting: &Setting) -> Result<Answer> {
    use std::os::unix::thread::JoinHandleExt as _;

    let (device, runtime) = (setting.device.clone(), setting.runtime());
    STOP.store(0, Ordering::SeqCst);
    let processing = std::thread::spawn(move || {
        NUMBER.set(7);
        // SAFETY: the context of an open device.
        let _ = unsafe { runtime.aclrtSetCurrentContext(device.as_raw()) };
        while STOP.load(Ordering::SeqCst) == 0 {
            // It fails when the time is up, and before the thread is subscribed.
            // SAFETY: no pointers.
            if !matches!(unsafe { runtime.aclrtProcessReport(50) }, Ok(0)) {
                std::thread::yield_now();
            }
        }
    });
    let thread = processing.as_pthread_t();
    let called = (|| -> Result<u32> {
        let stream = setting.stream()?;
        good!(setting, aclrtSubscribeReport(thread, stream.handle));
        let (callback, nothing) = (Some(note_thread as unsafe extern "C" fn(*mut c_void)), ptr::null_mut());
        good!(setting, aclrtLaunchCallback(callback, nothing, sys::ACL_CALLBACK_BLOCK, stream.handle));
        good!(setting, aclrtSynchronizeStream(stream.handle));
        code!(setting, aclrtUnSubscribeReport(thread, stream.handle));
        Ok(CALLED_BY.load(Ordering::SeqCst))
    })();
    STOP.store(1, Ordering::SeqCst);
    let _ = processing.join();
    let mut findings = Findings::default();
    findings.equal("the thread that called back", called?, 7);
    Ok(findings.answer())
}

#[cfg(not(unix))]
fn callbacks_run_on_their_thread(_: &Setting) -> Result<Answer> {
    Ok(Answer::skipped("threads have other numbers on this system"))
}

fn time_between_events(setting: &Setting) -> Result<Answer> {
    let (stream, memory) = (setting.stream()?, setting.memory(BYTES)?);
    let (start, end) = (setting.event()?, setting.event()?);
    let before = std::time::Instant::now();
    good!(setting, aclrtRecordEvent(start.handle, stream.handle));
    good!(setting, aclrtMemsetAsync(memory.handle, BYTES, 1, BYTES, stream.handle));
    good!(setting, aclrtRecordEvent(end.handle, stream.handle));
    good!(setting, aclrtSynchronizeStream(stream.handle));
    let host = before.elapsed().as_secs_f32() * 1e3;
    let mut milliseconds = -1.0;
    good!(setting, aclrtEventElapsedTime(&mut milliseconds, start.handle, end.handle));
    let mut findings = Findings::default();
    findings.holds((0.0..=host + 1.0).contains(&milliseconds), || {
        format!("{milliseconds} ms between the events, but {host} ms on the host around them")
    });
    Ok(findings.answer())
}

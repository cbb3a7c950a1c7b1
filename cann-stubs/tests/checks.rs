//! Misuse, planted on purpose: each kind is found and named, whatever the mode of the streams. And a program without any,
//! about which nothing is said.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::ffi::c_void;
use std::process::Command;
use std::ptr;

use aclnn_numerics::DType::{F16, F32};
use aclnn_sys::*;
use cann_stubs::control::{self, Check, Level, Mode, Report};
use serial_test::serial;
use support::*;

/// Calls a function of the runtime.
macro_rules! rt {
    ($name:ident($($argument:expr),* $(,)?)) => {
        // SAFETY: the emulator checks every argument.
        code(unsafe { EMULATOR.runtime.$name($($argument),*) })
    };
}

/// Calls a function of the descriptors.
macro_rules! meta {
    ($name:ident($($argument:expr),* $(,)?)) => {
        // SAFETY: as above.
        code(unsafe { EMULATOR.meta.$name($($argument),*) })
    };
}

fn good(code: i32) {
    assert_eq!(code, 0, "{}", message());
}

fn stream() -> aclrtStream {
    let mut stream = ptr::null_mut();
    good(rt!(aclrtCreateStream(&mut stream)));
    stream
}

fn event() -> aclrtEvent {
    let mut event = ptr::null_mut();
    good(rt!(aclrtCreateEvent(&mut event)));
    event
}

fn at(memory: *mut c_void, bytes: usize) -> *mut c_void {
    memory.wrapping_byte_add(bytes)
}

/// `count` floats on the device, from the host.
fn floats(count: usize) -> *mut c_void {
    let memory = malloc(count * 4);
    write(memory, &vec![1_f32; count]);
    memory
}

fn plan_add(a: *const aclTensor, b: *const aclTensor, out: *mut aclTensor) -> Planned {
    let (add, one) = (EMULATOR.operators.Add().unwrap(), scalar(1_f32));
    // SAFETY: the handles are the emulator's; the places are valid.
    let planned = plan(|size, executor| unsafe { add.get_workspace_size(a, b, one, out, size, executor) });
    good(meta!(aclDestroyScalar(one)));
    planned
}

fn launch_add(planned: &Planned, workspace: *mut c_void, stream: aclrtStream) -> i32 {
    let add = EMULATOR.operators.Add().unwrap();
    // SAFETY: the emulator checks every argument.
    unsafe { add.launch(workspace, planned.workspace, planned.executor, stream) }
}

/// `out = a + b` on a stream, over `count` contiguous floats each.
fn add(a: *mut c_void, b: *mut c_void, out: *mut c_void, count: usize, stream: aclrtStream) -> i32 {
    let tensors = [a, b, out].map(|memory| tensor(F32, &[count as i64], memory));
    let planned = plan_add(tensors[0], tensors[1], tensors[2]);
    assert_eq!((planned.code, planned.workspace), (0, 0), "{}", planned.message);
    let code = launch_add(&planned, ptr::null_mut(), stream);
    for tensor in tensors {
        good(meta!(aclDestroyTensor(tensor)));
    }
    code
}

/// Runs `body` in every mode; it must find `check`, once, with a message that holds every one of `parts`.
#[track_caller]
fn found(check: Check, parts: &[&str], body: impl Fn() -> i32) {
    for mode in Mode::ALL {
        let _mode = control::streams_everywhere(mode);
        device();
        let (code, reports) = control::reports_of(&body);
        assert_ne!(code, 0, "{mode:?}");
        let checks: Vec<Check> = reports.iter().map(|report| report.check).collect();
        assert_eq!(checks, [check], "{mode:?}: {reports:?}");
        let Report { message, function, code: told, .. } = &reports[0];
        assert_eq!(code, *told);
        for part in parts {
            assert!(message.contains(part), "{mode:?}, {function}: {message}");
        }
        good(rt!(aclrtResetDeviceForce(0)));
    }
}

#[test]
#[serial]
fn a_view_past_the_end_of_its_allocation() {
    found(Check::OutOfBounds, &["self", "past the end"], || {
        add(floats(6), floats(64), floats(64), 64, ptr::null_mut())
    });
    found(Check::OutOfBounds, &["devPtr", "past the end"], || rt!(aclrtMemset(floats(8), 64, 0, 64)));
}

#[test]
#[serial]
fn memory_that_was_freed() {
    found(Check::FreedPointer, &["self", "freed before"], || {
        let (a, b, out) = (floats(8), floats(8), floats(8));
        good(rt!(aclrtFree(a)));
        add(a, b, out, 8, ptr::null_mut())
    });
}

#[test]
#[serial]
fn an_address_that_nobody_gave() {
    found(Check::ForeignPointer, &["dst", "not allocated"], || {
        let memory = floats(8);
        rt!(aclrtMemcpy(at(memory, 1 << 20), 4, memory, 4, ACL_MEMCPY_DEVICE_TO_DEVICE))
    });
    found(Check::ForeignPointer, &["inside the allocation"], || rt!(aclrtFree(at(floats(8), 4))));
    found(Check::ForeignPointer, &["not device memory of aclrtMalloc"], || {
        rt!(aclrtFree(ptr::without_provenance_mut(0x1000)))
    });
}

#[test]
#[serial]
fn host_memory_where_device_memory_is_needed() {
    found(Check::HostPointer, &["other", "copy host memory"], || {
        let mut host = [0_f32; 8];
        add(floats(8), host.as_mut_ptr().cast(), floats(8), 8, ptr::null_mut())
    });
}

#[test]
#[serial]
fn memory_freed_twice() {
    found(Check::DoubleFree, &["freed before"], || {
        let memory = floats(8);
        good(rt!(aclrtFree(memory)));
        rt!(aclrtFree(memory))
    });
    found(Check::DoubleFree, &["freed before"], || {
        let mut host = ptr::null_mut();
        good(rt!(aclrtMallocHost(&mut host, 8)));
        good(rt!(aclrtFreeHost(host)));
        rt!(aclrtFreeHost(host))
    });
}

#[test]
#[serial]
fn objects_used_after_they_were_destroyed() {
    found(Check::DestroyedHandle, &["stream was destroyed"], || {
        let stream = stream();
        good(rt!(aclrtDestroyStream(stream)));
        rt!(aclrtSynchronizeStream(stream))
    });
    found(Check::DestroyedHandle, &["event was destroyed"], || {
        let event = event();
        good(rt!(aclrtDestroyEvent(event)));
        rt!(aclrtRecordEvent(event, ptr::null_mut()))
    });
    found(Check::DestroyedHandle, &["tensor was destroyed"], || {
        let tensor = tensor(F32, &[2], floats(2));
        good(meta!(aclDestroyTensor(tensor)));
        meta!(aclDestroyTensor(tensor))
    });
    found(Check::DestroyedHandle, &["scalar was destroyed"], || {
        let scalar = scalar(1_f32);
        good(meta!(aclDestroyScalar(scalar)));
        meta!(aclDestroyScalar(scalar))
    });
    found(Check::DestroyedHandle, &["self was destroyed", "must live until"], || {
        let tensors = [0; 3].map(|_| tensor(F32, &[2], floats(2)));
        let planned = plan_add(tensors[0], tensors[1], tensors[2]);
        good(meta!(aclDestroyTensor(tensors[0])));
        launch_add(&planned, ptr::null_mut(), ptr::null_mut())
    });
}

#[test]
#[serial]
fn a_handle_of_another_kind() {
    found(Check::ForeignHandle, &["not a handle of that kind"], || {
        let event = event();
        let code = rt!(aclrtSynchronizeStream(event));
        good(rt!(aclrtDestroyEvent(event)));
        code
    });
}

#[test]
#[serial]
fn an_executor_launched_twice() {
    found(Check::ExecutorReused, &["plan the operator again"], || {
        let tensors = [0; 3].map(|_| tensor(F32, &[2], floats(2)));
        let planned = plan_add(tensors[0], tensors[1], tensors[2]);
        good(launch_add(&planned, ptr::null_mut(), ptr::null_mut()));
        launch_add(&planned, ptr::null_mut(), ptr::null_mut())
    });
}

/// Floats with a gap behind each, so that the operator asks for workspace.
fn plan_with_workspace() -> Planned {
    let (a, b, out) = (floats(4), floats(4), floats(16));
    let out = strided(F32, &[4], Some(&[4]), 0, &[16], out);
    let planned = plan_add(tensor(F32, &[4], a), tensor(F32, &[4], b), out);
    assert!(planned.workspace > 0, "{}", planned.message);
    planned
}

#[test]
#[serial]
fn a_workspace_that_is_too_small() {
    found(Check::SmallWorkspace, &["were asked for"], || {
        let mut planned = plan_with_workspace();
        let workspace = malloc(planned.workspace as usize);
        planned.workspace -= 1;
        launch_add(&planned, workspace, ptr::null_mut())
    });
    found(Check::OutOfBounds, &["the workspace", "past the end"], || {
        let planned = plan_with_workspace();
        launch_add(&planned, malloc(32), ptr::null_mut())
    });
}

#[test]
#[serial]
fn a_workspace_freed_before_the_stream_has_passed() {
    found(Check::FreedWorkspace, &["workspace of aclnnAdd", "synchronise"], || {
        let planned = plan_with_workspace();
        let workspace = malloc(planned.workspace as usize);
        good(launch_add(&planned, workspace, ptr::null_mut()));
        let code = rt!(aclrtFree(workspace));
        good(rt!(aclrtSynchronizeStream(ptr::null_mut())));
        good(rt!(aclrtFree(workspace)));
        code
    });
}

#[test]
#[serial]
fn memory_freed_before_the_stream_has_passed() {
    found(Check::FreedInUse, &["memory of aclnnAdd", "synchronise"], || {
        let (a, b, out, event) = (floats(8), floats(8), floats(8), event());
        good(rt!(aclrtRecordEvent(event, ptr::null_mut())));
        good(add(a, b, out, 8, ptr::null_mut()));
        // The event lies before the work.
        good(rt!(aclrtSynchronizeEvent(event)));
        let code = rt!(aclrtFree(out));
        good(rt!(aclrtRecordEvent(event, ptr::null_mut())));
        good(rt!(aclrtSynchronizeEvent(event)));
        good(rt!(aclrtFree(out)));
        good(rt!(aclrtDestroyEvent(event)));
        code
    });
}

#[test]
#[serial]
fn an_output_over_a_part_of_an_input() {
    found(Check::Overlap, &["out overlaps self in part"], || {
        let memory = floats(16);
        add(memory, floats(8), at(memory, 4), 8, ptr::null_mut())
    });
}

#[test]
#[serial]
fn memory_that_was_never_written() {
    found(Check::NeverWritten, &["other reads", "16 bytes into the allocation"], || {
        let part = malloc(32);
        write(part, &[1_f32; 4]);
        add(floats(8), part, floats(8), 8, ptr::null_mut())
    });
    // A copy carries what is missing along.
    found(Check::NeverWritten, &["self reads", "24 bytes into the allocation"], || {
        let (from, to) = (malloc(32), floats(8));
        good(rt!(aclrtMemset(from, 32, 0, 24)));
        good(rt!(aclrtMemcpyAsync(to, 32, from, 32, ACL_MEMCPY_DEVICE_TO_DEVICE, ptr::null_mut())));
        add(to, floats(8), floats(8), 8, ptr::null_mut())
    });
    // A result that was never computed.
    found(Check::NeverWritten, &["src reads"], || {
        let (result, mut host) = (malloc(32), [0_u8; 32]);
        rt!(aclrtMemcpy(host.as_mut_ptr().cast(), 32, result, 32, ACL_MEMCPY_DEVICE_TO_HOST))
    });
    // The columns between those that were written.
    found(Check::NeverWritten, &["self reads"], || {
        let memory = malloc(4 * 20_000);
        let columns = |offset| strided(F32, &[10_000], Some(&[2]), offset, &[20_000], memory);
        let (one, out) = (tensor(F32, &[1], floats(1)), tensor(F32, &[10_000], malloc(40_000)));
        let write = plan_add(tensor(F32, &[10_000], floats(10_000)), one, columns(0));
        good(launch_add(&write, malloc(write.workspace as usize), ptr::null_mut()));
        let read = plan_add(columns(0), one, out);
        good(launch_add(&read, malloc(read.workspace as usize), ptr::null_mut()));
        let read = plan_add(columns(1), one, out);
        launch_add(&read, malloc(read.workspace as usize), ptr::null_mut())
    });
}

#[test]
#[serial]
fn two_streams_on_the_same_bytes() {
    found(
        Check::Race,
        &["aclnnAdd on stream", "reads self where aclrtMemsetAsync on stream", "writes devPtr"],
        || {
            let (a, b, out, other) = (floats(8), floats(8), floats(8), stream());
            good(rt!(aclrtMemsetAsync(a, 32, 0, 32, other)));
            let code = add(a, b, out, 8, ptr::null_mut());
            good(rt!(aclrtDestroyStream(other)));
            code
        },
    );
    // An event that was recorded too early orders nothing.
    found(Check::Race, &["writes out where aclnnAdd on stream", "reads other"], || {
        let (a, b, out, other, event) = (floats(8), floats(8), floats(8), stream(), event());
        good(rt!(aclrtRecordEvent(event, other)));
        good(add(a, b, out, 8, other));
        good(rt!(aclrtStreamWaitEvent(ptr::null_mut(), event)));
        let code = add(a, a, b, 8, ptr::null_mut());
        good(rt!(aclrtDestroyStream(other)));
        good(rt!(aclrtDestroyEvent(event)));
        code
    });
    // A stream and the host.
    found(Check::Race, &["aclrtMemcpy on the host reads src", "aclnnAdd on stream"], || {
        let (out, mut host) = (floats(8), [0_u8; 32]);
        good(add(floats(8), floats(8), out, 8, ptr::null_mut()));
        rt!(aclrtMemcpy(host.as_mut_ptr().cast(), 32, out, 32, ACL_MEMCPY_DEVICE_TO_HOST))
    });
}

/// Set in a child, which is this test binary.
const CHILD: &str = "EMULATOR_TEST_CHILD";

fn child(test: &str, variables: &[(&str, &str)]) -> (bool, String) {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", test, "--nocapture"]).env(CHILD, "1").env_remove("RUST_BACKTRACE");
    let output = child.envs(variables.iter().copied()).output().unwrap();
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn leave_things_behind() {
    device();
    let tensor = tensor(F32, &[2], malloc(8));
    let _ = (stream(), event(), plan_add(tensor, tensor, tensor));
    good(rt!(aclFinalize()));
    let mut told: Vec<(Check, String)> =
        control::reports().into_iter().map(|report| (report.check, report.message)).collect();
    told.sort_by(|a, b| a.1.cmp(&b.1));
    let kinds: Vec<_> =
        told.iter().map(|(check, text)| (*check, text.split(" at ").next().unwrap())).collect();
    assert_eq!(
        kinds[..4],
        [
            (Check::Leak, "device memory of 8 bytes"),
            (Check::Leak, "event"),
            (Check::Leak, "stream"),
            (Check::Leak, "tensor")
        ]
    );
    assert_eq!((told.len(), told[4].0), (5, Check::ExecutorNeverRun));
    assert!(told[4].1.contains("of aclnnAdd was never launched"), "{}", told[4].1);
}

#[test]
#[serial]
fn what_lives_at_the_end_is_told() {
    if std::env::var_os(CHILD).is_some() {
        return leave_things_behind();
    }
    let (success, text) = child("what_lives_at_the_end_is_told", &[]);
    assert!(success && text.contains("leak: aclFinalize: stream"), "{text}");
    assert!(!text.contains("made here"), "{text}");
}

#[test]
#[serial]
fn a_backtrace_says_where_a_leak_was_made() {
    if std::env::var_os(CHILD).is_some() {
        device();
        let leaked = stream();
        let live = control::live();
        let origin = live.iter().find(|one| one.handle == leaked.addr()).unwrap().origin.as_deref().unwrap();
        assert!(origin.contains("checks::stream"), "{origin}");
        good(rt!(aclFinalize()));
        return;
    }
    let variables = [("RUST_BACKTRACE", "1")];
    let (success, text) = child("a_backtrace_says_where_a_leak_was_made", &variables);
    assert!(success && text.contains("made here"), "{text}");
}

#[test]
#[serial]
fn the_strictest_level_stops_the_program_with_a_report() {
    if std::env::var_os(CHILD).is_some() {
        device();
        let memory = floats(8);
        good(rt!(aclrtFree(memory)));
        rt!(aclrtFree(memory));
        unreachable!("the process stopped");
    }
    let test = "the_strictest_level_stops_the_program_with_a_report";
    let (success, text) = child(test, &[("CANN_STUBS_CHECK", "abort")]);
    assert!(!success && text.contains("double-free: aclrtFree: ") && !text.contains("panicked"), "{text}");
}

#[test]
#[serial]
fn nothing_is_kept_or_judged_when_checks_are_off() {
    let _off = control::check_everywhere(Level::Off);
    device();
    let (memory, reports) = control::reports_of(|| {
        let (fresh, out) = (malloc(32), malloc(32));
        good(add(fresh, fresh, out, 8, ptr::null_mut()));
        let _: Vec<f32> = read(out, 8);
        good(rt!(aclrtSynchronizeStream(ptr::null_mut())));
        good(rt!(aclrtFree(fresh)));
        assert_eq!(rt!(aclrtFree(fresh)), ACL_ERROR_RT_PARAM_INVALID, "what cannot be survived still fails");
        out
    });
    assert!(reports.is_empty(), "{reports:?}");
    // Memory from before the checks were on is not judged.
    let _on = control::check_everywhere(Level::Error);
    let (codes, reports) = control::reports_of(|| {
        let untracked: Vec<f32> = read(memory, 8);
        drop(untracked);
        add(memory, memory, memory, 8, ptr::null_mut())
    });
    assert!(codes == 0 && reports.is_empty(), "{reports:?}");
    good(rt!(aclrtResetDeviceForce(0)));
}

/// A program with everything that could be taken for misuse and is none.
fn clean_program() {
    device();
    let (main, side) = (stream(), stream());
    let (ready, done) = (event(), event());
    // Written in parts, from all sides.
    let (a, b) = (malloc(64), malloc(64));
    write(a, &[1_f32; 8]);
    good(rt!(aclrtMemsetAsync(at(a, 32), 32, 0, 32, main)));
    good(rt!(aclrtMemcpyAsync(b, 64, a, 64, ACL_MEMCPY_DEVICE_TO_DEVICE, main)));
    // Rows with gaps, read as rows with gaps; and gaps that come to the host unread.
    let rows = malloc(64);
    good(rt!(aclrtMemcpy2dAsync(rows, 16, a, 8, 8, 4, ACL_MEMCPY_DEVICE_TO_DEVICE, main)));
    let gaps = strided(F32, &[4, 2], Some(&[4, 1]), 0, &[16], rows);
    let (like, sum) = (tensor(F32, &[4, 2], b), malloc(32));
    let out = tensor(F32, &[4, 2], sum);
    let planned = plan_add(gaps, like, out);
    let workspace = malloc(4096);
    good(launch_add(&planned, workspace, main));
    // The workspace is used again in the order of the stream.
    let planned = plan_add(gaps, gaps, out);
    good(launch_add(&planned, workspace, main));
    // In place, and out of another type.
    let planned = plan_add(out, out, out);
    good(launch_add(&planned, ptr::null_mut(), main));
    let half = tensor(F16, &[4, 2], malloc(16));
    let planned = plan_add(out, out, half);
    good(launch_add(&planned, workspace, main));
    // Another stream reads behind an event, writes beside it, and gives the memory back behind another.
    good(rt!(aclrtRecordEvent(ready, main)));
    good(rt!(aclrtStreamWaitEvent(side, ready)));
    let (wide, even, odd) = (malloc(64), 0, 1);
    let columns = |offset| strided(F32, &[4, 2], Some(&[4, 2]), offset, &[16], wide);
    for (offset, stream) in [(even, side), (odd, main)] {
        let place = columns(offset);
        let planned = plan_add(like, like, place);
        let own = malloc(planned.workspace as usize);
        good(launch_add(&planned, own, stream));
        good(rt!(aclrtSynchronizeStream(stream)));
        good(rt!(aclrtFree(own)));
        good(meta!(aclDestroyTensor(place)));
    }
    good(rt!(aclrtRecordEvent(done, side)));
    good(rt!(aclrtStreamWaitEvent(main, done)));
    good(rt!(aclrtMemsetAsync(wide, 64, 0, 64, main)));
    // Waiting for the one that waited is enough.
    good(rt!(aclrtSynchronizeStream(main)));
    assert_eq!(read::<f32>(wide, 16), [0.0; 16]);
    assert_eq!(read::<f32>(rows, 16).len(), 16);
    for memory in [a, b, rows, sum, wide, workspace] {
        good(rt!(aclrtFree(memory)));
    }
    let mut raw = ptr::null_mut();
    good(meta!(aclGetRawTensorAddr(half, &mut raw)));
    good(rt!(aclrtFree(raw)));
    for tensor in [gaps, like, out, half] {
        good(meta!(aclDestroyTensor(tensor)));
    }
    for stream in [main, side] {
        good(rt!(aclrtDestroyStream(stream)));
    }
    for event in [ready, done] {
        good(rt!(aclrtDestroyEvent(event)));
    }
    good(rt!(aclrtResetDevice(0)));
    good(rt!(aclFinalize()));
}

#[test]
#[serial]
fn a_program_without_misuse_is_silent_in_every_mode() {
    if std::env::var_os(CHILD).is_some() {
        clean_program();
        let reports = control::reports();
        assert!(reports.is_empty(), "{reports:#?}");
        return assert!(control::live().is_empty(), "{:?}", control::live());
    }
    for mode in Mode::ALL {
        for level in Level::ALL {
            let variables = [("CANN_STUBS_STREAMS", mode.name()), ("CANN_STUBS_CHECK", level.name())];
            let (success, text) = child("a_program_without_misuse_is_silent_in_every_mode", &variables);
            assert!(success && !text.contains("cann-stubs"), "{mode:?} {level:?}: {text}");
        }
    }
}

//! What ran: records for tests, and the file for trace viewers.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::ffi::c_void;
use std::ptr;

use aclnn_numerics::DType::{F16, F32};
use aclnn_sys::*;
use cann_stubs::control;
use serde_json::Value;
use serial_test::serial;
use support::*;

/// `half + single` into `single`, on the default stream.
fn add(a: *mut c_void, b: *mut c_void, out: *mut c_void) {
    let (add, one) = (EMULATOR.operators.Add().unwrap(), scalar(1_f32));
    let tensors = [tensor(F16, &[2, 3], a), tensor(F32, &[3], b), tensor(F32, &[2, 3], out)];
    // SAFETY: the handles are the emulator's; the places are valid.
    let planned = plan(|size, executor| unsafe {
        add.get_workspace_size(tensors[0], tensors[1], one, tensors[2], size, executor)
    });
    let workspace = malloc(planned.workspace as usize);
    // SAFETY: the executor is live, the workspace as large as it asked for.
    assert_eq!(unsafe { add.launch(workspace, planned.workspace, planned.executor, ptr::null_mut()) }, 0);
}

fn cast(from: *mut c_void, to: *mut c_void) {
    let cast = EMULATOR.operators.Cast().unwrap();
    let (from, to) = (tensor(F16, &[6], from), tensor(F32, &[6], to));
    // SAFETY: the handles are the emulator's; the places are valid.
    let planned =
        plan(|size, executor| unsafe { cast.get_workspace_size(from, ACL_FLOAT, to, size, executor) });
    // SAFETY: the executor is live and asked for no workspace.
    assert_eq!(unsafe { cast.launch(ptr::null_mut(), 0, planned.executor, ptr::null_mut()) }, 0);
}

fn synchronise() {
    // SAFETY: null is the default stream.
    ok(unsafe { EMULATOR.runtime.aclrtSynchronizeStream(ptr::null_mut()) });
}

fn operands() -> [*mut c_void; 3] {
    device();
    let operands = [malloc(12), malloc(12), malloc(24)];
    write(operands[0], &[aclnn_numerics::f16::ONE; 6]);
    write(operands[1], &[1_f32; 3]);
    operands
}

#[test]
#[serial]
fn a_record_tells_what_was_launched() {
    let [a, b, out] = operands();
    let records = control::record(|| {
        add(a, b, out);
        cast(a, out);
        synchronise();
    });
    let functions: Vec<_> = records.iter().map(|record| record.function).collect();
    assert_eq!(functions, ["aclnnAdd", "aclnnCast"]);
    let add = &records[0];
    assert_eq!(add.kernels, ["convert", "combine"]);
    let operands: Vec<_> =
        add.operands.iter().map(|one| (one.name, one.dtype, one.shape.as_slice())).collect();
    assert_eq!(
        operands,
        [("self", Some(F16), &[2, 3][..]), ("other", Some(F32), &[3]), ("out", Some(F32), &[2, 3])]
    );
    assert_eq!((add.bytes, add.device), (12 + 12 + 24, 0));
    let (begin, duration) = add.time.unwrap();
    assert!(records[1].time.unwrap().0 >= begin + duration);
    assert_eq!(control::record(|| {}), []);
}

#[test]
#[serial]
fn a_record_concerns_its_thread() {
    let [a, b, out] = operands();
    let records = control::record(|| {
        std::thread::spawn(|| {
            let [a, b, out] = operands();
            add(a, b, out);
            synchronise();
        })
        .join()
        .unwrap();
        cast(a, out);
    });
    assert_eq!(records.len(), 1);
    assert_eq!((records[0].function, records[0].kernels.as_slice()), ("aclnnCast", &["convert"][..]));
    add(a, b, out);
    synchronise();
}

#[test]
#[serial]
fn a_file_for_trace_viewers_is_complete_after_every_event() {
    let path = std::env::temp_dir().join(format!("cann-stubs-trace-{}.json", std::process::id()));
    let trace = control::trace_to(&path).unwrap();
    let events = || -> Vec<Value> { serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap() };
    assert_eq!(events(), [] as [Value; 0]);
    let [a, b, out] = operands();
    let before = events().len();
    assert_eq!(before, 4, "the host and its track have names, and copied twice");
    add(a, b, out);
    synchronise();
    let events = events();
    let names: Vec<_> = events[before..].iter().map(|event| event["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["process_name", "thread_name", "aclnnAdd"]);
    let add = &events[before + 2];
    assert_eq!((&add["ph"], &add["pid"]), (&"X".into(), &0.into()));
    assert!(add["ts"].as_f64().unwrap() >= 0.0 && add["dur"].as_f64().unwrap() >= 0.0);
    assert_eq!(add["args"]["operands"]["self"], "f16[2, 3]");
    assert_eq!((&add["args"]["bytes"], &add["args"]["succeeded"]), (&48.into(), &true.into()));
    let functions: Vec<_> = control::trace().iter().map(|record| record.function).collect();
    assert_eq!(functions, ["aclrtMemcpy", "aclrtMemcpy", "aclnnAdd"]);
    drop(trace);
    std::fs::remove_file(path).unwrap();
}

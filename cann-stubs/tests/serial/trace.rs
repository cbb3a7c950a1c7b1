//! What ran: records for tests, and the file for trace viewers.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::c_void;
use std::ptr;

use aclnn_numerics::DType::{F16, F32};
use aclnn_sys::*;
use cann_stubs::control::{self, When};
use serde_json::Value;
use serial_test::serial;

use crate::support::*;

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

fn operands() -> (Device, [*mut c_void; 3]) {
    let device = Device::set();
    let operands = [malloc(12), malloc(12), malloc(24)];
    write(operands[0], &[aclnn_numerics::f16::ONE; 6]);
    write(operands[1], &[1_f32; 3]);
    (device, operands)
}

#[test]
#[serial]
fn a_record_tells_what_was_launched() {
    let (_device, [a, b, out]) = operands();
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
    let (_device, [a, b, out]) = operands();
    let records = control::record(|| {
        std::thread::spawn(|| {
            let (_device, [a, b, out]) = operands();
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

/// Asserts the rules of the Trace Event format and of Perfetto for an array of events: numbers of processes and threads
/// are positive (0 is the idle process, and a negative number becomes another one), both are named before their first
/// event, numbers of threads are not shared, and what is on one track either follows or encloses the other.
fn must_be_well_formed(events: &[Value]) {
    let mut names = BTreeMap::new();
    let mut tracks: BTreeMap<(u64, u64), Vec<(f64, f64)>> = BTreeMap::new();
    for event in events {
        let (process, thread) = (event["pid"].as_u64().unwrap(), event["tid"].as_u64().unwrap());
        assert!(
            (1..=i32::MAX as u64).contains(&process) && (1..=i32::MAX as u64).contains(&thread),
            "{event}"
        );
        let name = event["name"].as_str().unwrap();
        match event["ph"].as_str().unwrap() {
            "M" => {
                let of = if name == "process_name" { (process, 0) } else { (process, thread) };
                let given = event["args"]["name"].as_str().unwrap();
                assert!(!given.is_empty());
                assert_eq!(*names.entry((name, of)).or_insert(given), given, "one name each");
            }
            "X" => {
                assert!(names.contains_key(&("process_name", (process, 0))), "{event}");
                assert!(names.contains_key(&("thread_name", (process, thread))), "{event}");
                let (begin, took) = (event["ts"].as_f64().unwrap(), event["dur"].as_f64().unwrap());
                assert!(begin >= 0.0 && took >= 0.0, "{event}");
                tracks.entry((process, thread)).or_default().push((begin, begin + took));
            }
            other => panic!("an event of the kind {other}"),
        }
    }
    let distinct: BTreeSet<_> =
        names.iter().map(|((what, (process, _)), name)| (what, process, name)).collect();
    assert_eq!(distinct.len(), names.len(), "tracks of one process have different names");
    let threads: BTreeSet<u64> = tracks.keys().map(|(_, thread)| *thread).collect();
    let processes: BTreeSet<u64> = tracks.keys().map(|(process, _)| *process).collect();
    assert_eq!(threads.len(), tracks.len());
    assert!(threads.is_disjoint(&processes), "such a thread would be the main one of another process");
    for (track, mut events) in tracks {
        events.sort_by(|a, b| a.partial_cmp(b).unwrap());
        for pair in events.windows(2) {
            assert!(pair[1].0 >= pair[0].1 || pair[1].1 <= pair[0].1, "{track:?}: {pair:?}");
        }
    }
}

#[test]
#[serial]
fn a_file_for_trace_viewers_is_complete_after_every_event() {
    let path = std::env::temp_dir().join(format!("cann-stubs-trace-{}.json", std::process::id()));
    let trace = control::trace_to(&path).unwrap();
    let events = || -> Vec<Value> { serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap() };
    assert_eq!(events(), [] as [Value; 0]);
    let (_device, [a, b, out]) = operands();
    let before = events();
    assert_eq!(before.len(), 4, "the host and its track have names, and copied twice");
    let named = |event: &Value| event["args"]["name"].as_str().map(str::to_owned);
    assert_eq!([named(&before[0]), named(&before[1])], [Some("host".into()), Some("thread 1".into())]);
    assert_eq!((&before[2]["name"], &before[2]["args"]["bytes"]), (&"aclrtMemcpy".into(), &12.into()));
    add(a, b, out);
    synchronise();
    let events_now = events();
    let new = &events_now[before.len()..];
    let names: Vec<_> = new.iter().map(|event| event["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["process_name", "thread_name", "aclnnAdd"]);
    assert_eq!(named(&new[0]), Some("device 0".into()));
    assert!(named(&new[1]).unwrap().starts_with("stream "));
    let add = &new[2];
    assert_ne!(add["pid"], before[2]["pid"], "the host is no device");
    assert_eq!(add["args"]["operands"]["self"], "f16[2, 3]");
    assert_eq!((&add["args"]["bytes"], &add["args"]["succeeded"]), (&48.into(), &true.into()));
    let functions: Vec<_> = control::trace().iter().map(|record| record.function).collect();
    assert_eq!(functions, ["aclrtMemcpy", "aclrtMemcpy", "aclnnAdd"]);
    must_be_well_formed(&events_now);
    drop(trace);
    std::fs::remove_file(path).unwrap();
}

#[test]
#[serial]
fn work_that_fails_on_demand_is_in_the_file() {
    let (_device, [a, b, out]) = operands();
    let path = std::env::temp_dir().join(format!("cann-stubs-failed-{}.json", std::process::id()));
    let trace = control::trace_to(&path).unwrap();
    let fault = control::fail("run:aclnnAdd", When::Nth(1), ACL_ERROR_RT_AICORE_EXCEPTION);
    add(a, b, out);
    // SAFETY: null is the default stream.
    let code = unsafe { EMULATOR.runtime.aclrtSynchronizeStream(ptr::null_mut()) };
    assert_eq!(code.unwrap(), ACL_ERROR_RT_AICORE_EXCEPTION);
    drop((fault, trace));
    let events: Vec<Value> = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    std::fs::remove_file(path).unwrap();
    must_be_well_formed(&events);
    let failed: Vec<_> = events.iter().filter(|event| event["args"]["succeeded"] == false).collect();
    assert_eq!(failed.len(), 1, "{events:?}");
    assert_eq!(failed[0]["name"], "aclnnAdd");
}

#[test]
#[serial]
fn threads_of_the_host_and_streams_have_tracks_of_their_own() {
    let _device = Device::set();
    let path = std::env::temp_dir().join(format!("cann-stubs-tracks-{}.json", std::process::id()));
    let trace = control::trace_to(&path).unwrap();
    let copies = || {
        let _device = Device::set();
        let (a, b, mut stream) = (malloc(1 << 16), malloc(1 << 16), ptr::null_mut());
        // SAFETY: a place for a stream.
        ok(unsafe { EMULATOR.runtime.aclrtCreateStream(&mut stream) });
        for _ in 0..20 {
            write(a, &[1_u8; 1 << 16]);
            // SAFETY: device memory of the size that is told.
            ok(unsafe {
                EMULATOR.runtime.aclrtMemcpyAsync(b, 1 << 16, a, 1 << 16, ACL_MEMCPY_DEVICE_TO_DEVICE, stream)
            });
            // SAFETY: the stream lives.
            ok(unsafe { EMULATOR.runtime.aclrtSynchronizeStream(stream) });
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(copies);
        }
    });
    let events: Vec<Value> = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    must_be_well_formed(&events);
    let copied: usize = control::trace().iter().map(|record| record.bytes).sum();
    assert_eq!(copied, 2 * 20 * 2 * (1 << 16), "the bytes of a copy count once");
    let mut named: Vec<_> = events.iter().filter_map(|event| event["args"]["name"].as_str()).collect();
    named.sort_unstable();
    named.dedup();
    assert_eq!(named[..2], ["device 0", "host"]);
    let (streams, threads) = named[2..].split_at(2);
    assert!(streams.iter().all(|name| name.starts_with("stream ")), "{named:?}");
    assert_eq!(threads, ["thread 1", "thread 2"]);
    drop(trace);
    std::fs::remove_file(path).unwrap();
}

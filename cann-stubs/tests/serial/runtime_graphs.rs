//! Captured graphs: what is stored and replayed, and what is refused while a graph is captured. The expectations are CANN's
//! documented rules and codes; values follow by arithmetic in the head.

use std::ffi::c_void;
use std::ptr::{null_mut, without_provenance_mut};

use aclnn_numerics::DType::F32;
use aclnn_sys::*;
use serial_test::serial;

use crate::support::runtime::*;
use crate::support::{EMULATOR, plan, read, scalar, tensor, write};

fn begin(stream: *mut c_void) {
    ok!(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
}

fn end(stream: *mut c_void) -> *mut c_void {
    let mut graph = null_mut();
    ok!(aclmdlRICaptureEnd(stream, &mut graph));
    assert!(!graph.is_null());
    graph
}

/// The code with which a capture ends that must fail.
fn ends_with(stream: *mut c_void) -> i32 {
    let mut graph = without_provenance_mut(1);
    let code = call!(aclmdlRICaptureEnd(stream, &mut graph));
    assert!(graph.is_null());
    code
}

fn info(stream: *mut c_void) -> (aclmdlRICaptureStatus, *mut c_void) {
    let (mut status, mut graph) = (ACL_MODEL_RI_CAPTURE_STATUS_NONE, null_mut());
    ok!(aclmdlRICaptureGetInfo(stream, &mut status, &mut graph));
    (status, graph)
}

fn replay(graph: *mut c_void, stream: *mut c_void) {
    ok!(aclmdlRIExecuteAsync(graph, stream));
    ok!(aclrtSynchronizeStream(stream));
}

fn event() -> *mut c_void {
    let mut event = null_mut();
    ok!(aclrtCreateEventExWithFlag(&mut event, ACL_EVENT_SYNC));
    event
}

/// Launches `self += alpha` on tensors of two floats.
struct Adds {
    memory: *mut c_void,
    tensor: *mut aclTensor,
}

impl Adds {
    fn new() -> Self {
        let memory = malloc(8);
        write(memory, &[0_f32; 2]);
        Adds { memory, tensor: tensor(F32, &[2], memory) }
    }

    fn launch(&self, addend: f32, stream: *mut c_void) -> i32 {
        let adds = EMULATOR.operators.InplaceAdds().unwrap();
        let (addend, alpha) = (scalar(addend), scalar(1_f32));
        // SAFETY: the handles are live, the places valid.
        let planned = plan(|size, executor| unsafe {
            adds.get_workspace_size(self.tensor, addend, alpha, size, executor)
        });
        assert_eq!(planned.code, 0, "{}", planned.message);
        // SAFETY: the executor was just planned.
        unsafe { adds.launch(null_mut(), 0, planned.executor, stream) }
    }

    fn values(&self) -> Vec<f32> {
        read(self.memory, 2)
    }
}

#[test]
#[serial]
fn captured_work_runs_at_each_replay_and_not_before() {
    let _device = Device::set();
    let (stream, adds) = (create_stream(), Adds::new());
    assert_eq!(info(stream), (ACL_MODEL_RI_CAPTURE_STATUS_NONE, null_mut()));
    begin(stream);
    let (status, graph) = info(stream);
    assert_eq!(status, ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE);
    assert_eq!(adds.launch(1.0, stream), 0);
    assert_eq!(adds.launch(2.0, stream), 0);
    assert_eq!(call!(aclmdlRIExecuteAsync(graph, stream)), ACL_ERROR_RT_STREAM_CAPTURED);
    assert_eq!(call!(aclmdlRIDestroy(graph)), ACL_ERROR_RT_MODEL_CAPTURED);
    assert_eq!(end(stream), graph);
    assert_eq!(info(stream), (ACL_MODEL_RI_CAPTURE_STATUS_NONE, null_mut()));
    ok!(aclrtSynchronizeStream(stream));
    assert_eq!(adds.values(), [0.0; 2]);
    replay(graph, stream);
    assert_eq!(adds.values(), [3.0; 2]);
    // On another stream, the default one too, and after work that changed the operand in between.
    write(adds.memory, &[10_f32, 20.0]);
    let other = create_stream();
    replay(graph, other);
    replay(graph, null_mut());
    assert_eq!(adds.values(), [16.0, 26.0]);
    ok!(aclmdlRIExecute(graph, -1));
    assert_eq!(adds.values(), [19.0, 29.0]);
    ok!(aclmdlRIDestroy(graph));
    // A handle that names no graph is passed over.
    ok!(aclmdlRIDestroy(graph));
    assert_eq!(call!(aclmdlRIExecuteAsync(graph, stream)), ACL_ERROR_RT_PARAM_INVALID);
    ok!(aclrtDestroyStream(other));
    ok!(aclrtDestroyStream(stream));
}

#[test]
#[serial]
fn streams_join_by_events_and_return() {
    let _device = Device::set();
    let (stream, side, adds, copy) = (create_stream(), create_stream(), Adds::new(), Adds::new());
    let (fork, join) = (event(), event());
    begin(stream);
    assert_eq!(adds.launch(1.0, stream), 0);
    ok!(aclrtRecordEvent(fork, stream));
    ok!(aclrtStreamWaitEvent(side, fork));
    assert_eq!(info(side), info(stream));
    ok!(aclrtMemcpyAsync(copy.memory, 8, adds.memory, 8, ACL_MEMCPY_DEVICE_TO_DEVICE, side));
    assert_eq!(copy.launch(100.0, side), 0);
    // The capture ends on the stream that it began on, and not before the other one was waited for.
    assert_eq!(ends_with(side), ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED);
    ok!(aclrtRecordEvent(join, side));
    assert_eq!(call!(aclrtSynchronizeEvent(join)), ACL_ERROR_RT_EVENT_CAPTURED);
    ok!(aclrtStreamWaitEvent(stream, join));
    assert_eq!(copy.launch(1000.0, stream), 0);
    let graph = end(stream);
    // The events are free again, and so are the streams, which the graph does not need.
    ok!(aclrtSynchronizeEvent(join));
    ok!(aclrtDestroyStream(side));
    for round in 1..=3 {
        replay(graph, stream);
        assert_eq!(adds.values(), [round as f32; 2]);
        assert_eq!(copy.values(), [1100.0 + round as f32; 2]);
    }
    ok!(aclmdlRIDestroy(graph));
    ok!(aclrtDestroyEvent(fork));
    ok!(aclrtDestroyEvent(join));
    ok!(aclrtDestroyStream(stream));
}

#[test]
#[serial]
fn a_side_stream_that_does_not_return_fails_the_capture() {
    let _device = Device::set();
    let (stream, side, adds) = (create_stream(), create_stream(), Adds::new());
    let (fork, join, plain) = (event(), event(), create_event());
    for records_last in [false, true] {
        begin(stream);
        ok!(aclrtRecordEvent(fork, stream));
        ok!(aclrtStreamWaitEvent(side, fork));
        assert_eq!(adds.launch(1.0, side), 0);
        if records_last {
            ok!(aclrtRecordEvent(join, side));
        }
        assert_eq!(ends_with(stream), ACL_ERROR_RT_STREAM_UNJOINED);
        // Both streams are free again.
        assert_eq!(info(side).0, ACL_MODEL_RI_CAPTURE_STATUS_NONE);
    }
    ok!(aclrtRecordEvent(join, side));
    begin(stream);
    // Plain events suit no graph, and one that was recorded outside orders nothing in it.
    assert_eq!(call!(aclrtRecordEvent(plain, stream)), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_eq!(call!(aclrtStreamWaitEvent(stream, join)), ACL_ERROR_RT_CAPTURE_DEPENDENCY);
    // The default stream cannot join.
    ok!(aclrtRecordEvent(fork, stream));
    assert_eq!(call!(aclrtStreamWaitEvent(null_mut(), fork)), ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT);
    // Nor can a stream that another graph is captured from.
    begin(side);
    assert_eq!(call!(aclrtStreamWaitEvent(side, fork)), ACL_ERROR_STREAM_CAPTURE_CONFLICT);
    assert_eq!(info(side).0, ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED);
    assert_eq!(ends_with(side), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
    ok!(aclmdlRIDestroy(end(stream)));
    for event in [fork, join, plain] {
        ok!(aclrtDestroyEvent(event));
    }
    ok!(aclrtDestroyStream(side));
    ok!(aclrtDestroyStream(stream));
}

#[test]
#[serial]
fn what_waits_or_happens_at_once_is_refused_in_a_capture() {
    let _device = Device::set();
    let (stream, memory, host) = (create_stream(), malloc(8), [0_u8; 8]);
    let host = host.as_ptr().cast_mut().cast::<c_void>();
    let up = ACL_MEMCPY_HOST_TO_DEVICE;
    let mut status = ACL_STREAM_STATUS_RESERVED;
    begin(stream);
    assert_eq!(
        call!(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL)),
        ACL_ERROR_RT_STREAM_CAPTURED
    );
    assert_eq!(call!(aclrtSynchronizeStream(stream)), ACL_ERROR_RT_STREAM_CAPTURED);
    assert_eq!(call!(aclrtSynchronizeStreamWithTimeout(stream, 1)), ACL_ERROR_RT_STREAM_CAPTURED);
    assert_eq!(call!(aclrtStreamQuery(stream, &mut status)), ACL_ERROR_RT_STREAM_CAPTURED);
    assert_eq!(call!(aclrtDestroyStream(stream)), ACL_ERROR_RT_STREAM_CAPTURED);
    assert_eq!(call!(aclrtSynchronizeDevice()), ACL_ERROR_RT_STREAM_CAPTURED);
    assert_eq!(call!(aclrtMemcpy(memory, 8, host, 8, up)), ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT);
    assert_eq!(call!(aclrtMemset(memory, 8, 0, 8)), ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT);
    // Memory that is not pinned, on the stream and beside it.
    assert_eq!(call!(aclrtMemcpyAsync(memory, 8, host, 8, up, stream)), ACL_ERROR_RT_PARAM_INVALID);
    assert_eq!(
        call!(aclrtMemcpyAsync(memory, 8, host, 8, up, null_mut())),
        ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC
    );
    // A thread may take that upon itself.
    let mut mode = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
    ok!(aclmdlRICaptureThreadExchangeMode(&mut mode));
    assert_eq!(mode, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL);
    ok!(aclrtMemset(memory, 8, 7, 8));
    ok!(aclmdlRICaptureThreadExchangeMode(&mut mode));
    assert_eq!(mode, ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
    // Beside a relaxed capture it is allowed as well.
    ok!(aclmdlRIDestroy(end(stream)));
    ok!(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    ok!(aclrtMemset(memory, 8, 8, 8));
    ok!(aclmdlRIDestroy(end(stream)));
    assert_eq!(download(memory, 8), [8; 8]);

    assert_eq!(
        call!(aclmdlRICaptureBegin(null_mut(), ACL_MODEL_RI_CAPTURE_MODE_GLOBAL)),
        ACL_ERROR_INVALID_PARAM
    );
    assert_eq!(call!(aclmdlRICaptureBegin(stream, aclmdlRICaptureMode(3))), ACL_ERROR_RT_PARAM_INVALID);
    assert_eq!(ends_with(stream), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
    free(memory);
    ok!(aclrtDestroyStream(stream));
}

#[test]
#[serial]
fn pinned_memory_and_host_functions_are_captured() {
    extern "C" fn count(counter: *mut c_void) {
        // SAFETY: the test passes a counter that outlives the graph, and looks at it when the stream is done.
        unsafe { *counter.cast::<u32>() += 1 };
    }
    let _device = Device::set();
    let (stream, adds) = (create_stream(), Adds::new());
    let (mut host, mut counter) = (null_mut(), 0_u32);
    ok!(aclrtMallocHost(&mut host, 8));
    let floats = host.cast::<[f32; 2]>();
    begin(stream);
    ok!(aclrtMemcpyAsync(adds.memory, 8, host, 8, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    assert_eq!(adds.launch(0.5, stream), 0);
    ok!(aclrtLaunchHostFunc(stream, Some(count), (&raw mut counter).cast()));
    ok!(aclrtMemcpyAsync(host, 8, adds.memory, 8, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    let graph = end(stream);
    for value in [1.0, -4.0] {
        // SAFETY: eight bytes of pinned memory, which no work uses now.
        unsafe { *floats = [value, 2.0 * value] };
        replay(graph, stream);
        // SAFETY: as above.
        assert_eq!(unsafe { *floats }, [value + 0.5, 2.0 * value + 0.5]);
    }
    assert_eq!(counter, 2);
    ok!(aclmdlRIDestroy(graph));
    ok!(aclrtFreeHost(host));
    ok!(aclrtDestroyStream(stream));
}

#[test]
#[serial]
fn a_group_of_tasks_takes_other_operands_later() {
    let _device = Device::set();
    let (stream, updating, adds, other) = (create_stream(), create_stream(), Adds::new(), Adds::new());
    let mut group = null_mut();
    assert_eq!(call!(aclmdlRICaptureTaskGrpBegin(stream)), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
    begin(stream);
    assert_eq!(call!(aclmdlRICaptureTaskGrpEnd(stream, &mut group)), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
    ok!(aclmdlRICaptureTaskGrpBegin(stream));
    assert_eq!(call!(aclmdlRICaptureTaskGrpBegin(stream)), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
    assert_eq!(adds.launch(1.0, stream), 0);
    let set = call!(aclrtMemsetAsync(adds.memory, 8, 0, 8, stream));
    assert_eq!(set, ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT);
    ok!(aclmdlRICaptureTaskGrpEnd(stream, &mut group));
    let graph = end(stream);
    replay(graph, stream);
    assert_eq!(adds.values(), [1.0; 2]);

    let begin_update = |stream| call!(aclmdlRICaptureTaskUpdateBegin(stream, group));
    assert_eq!(begin_update(updating), 0);
    assert_eq!(begin_update(stream), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
    assert_eq!(other.launch(5.0, updating), 0);
    assert_ne!(other.launch(6.0, updating), 0, "the group has one operator");
    ok!(aclmdlRICaptureTaskUpdateEnd(updating));
    ok!(aclrtSynchronizeStream(updating));
    assert_eq!(other.values(), [0.0; 2]);
    replay(graph, stream);
    assert_eq!(adds.values(), [1.0; 2]);
    assert_eq!(other.values(), [5.0; 2]);
    assert_eq!(begin_update(updating), 0);
    let too_few = call!(aclmdlRICaptureTaskUpdateEnd(updating));
    assert_eq!(too_few, ACL_ERROR_RT_INTERNAL_ERROR);
    assert_eq!(call!(aclmdlRICaptureTaskUpdateEnd(updating)), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
    ok!(aclmdlRIDestroy(graph));
    ok!(aclrtDestroyStream(updating));
    ok!(aclrtDestroyStream(stream));
}

#[test]
#[serial]
fn memory_that_is_gone_is_found_at_the_replay() {
    let _device = Device::set();
    let (stream, memory) = (create_stream(), malloc(8));
    begin(stream);
    ok!(aclrtMemsetAsync(memory, 8, 1, 8, stream));
    let graph = end(stream);
    replay(graph, stream);
    free(memory);
    assert_ne!(call!(aclmdlRIExecuteAsync(graph, stream)), 0);
    let message = crate::support::runtime::message();
    assert!(message.contains("task 0 of 1, aclrtMemsetAsync"), "{message}");
    ok!(aclrtSynchronizeStream(stream));
    ok!(aclmdlRIDestroy(graph));
    ok!(aclrtDestroyStream(stream));
}

#[test]
#[serial]
fn another_thread_ends_only_a_relaxed_capture() {
    let _device = Device::set();
    for (mode, expected) in [
        (ACL_MODEL_RI_CAPTURE_MODE_GLOBAL, ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD),
        (ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL, ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD),
        (ACL_MODEL_RI_CAPTURE_MODE_RELAXED, 0),
    ] {
        let stream = create_stream();
        ok!(aclmdlRICaptureBegin(stream, mode));
        let sent = Sent(stream);
        let ending = std::thread::spawn(move || {
            let _device = Device::set();
            let mut graph = null_mut();
            let code = call!(aclmdlRICaptureEnd(sent.get(), &mut graph));
            if !graph.is_null() {
                ok!(aclmdlRIDestroy(graph));
            }
            code
        });
        assert_eq!(ending.join().unwrap(), expected);
        assert_eq!(info(stream).0, ACL_MODEL_RI_CAPTURE_STATUS_NONE);
        ok!(aclrtDestroyStream(stream));
    }
}

#[test]
#[serial]
fn a_graph_is_written_as_a_trace() {
    let _device = Device::set();
    let (stream, adds) = (create_stream(), Adds::new());
    begin(stream);
    assert_eq!(adds.launch(1.0, stream), 0);
    let graph = end(stream);
    let path = std::env::temp_dir().join(format!("graph-{}.json", std::process::id()));
    let text = std::ffi::CString::new(path.to_str().unwrap()).unwrap();
    ok!(aclmdlRIDebugJsonPrint(graph, text.as_ptr(), 1));
    let written = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(written.contains(r#""name":"aclnnInplaceAdds""#), "{written}");
    ok!(aclmdlRIDestroy(graph));
    ok!(aclrtDestroyStream(stream));
}

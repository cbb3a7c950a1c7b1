//! The life of an executor: consumed by its launch, kept when repeatable, and never used twice by accident.

use std::ptr;

use aclnn_numerics::DType::{F16, F32, I32};
use aclnn_numerics::f16;
use aclnn_sys::*;
use cann_stubs::control::{self, Level, Mode};
use serial_test::serial;

use crate::support::*;

/// `a + b` over two floats each, planned.
struct Sum {
    a: *mut std::ffi::c_void,
    out: *mut std::ffi::c_void,
    tensors: [*mut aclTensor; 3],
    planned: Planned,
    _device: Device,
    /// Of this test alone, so that nobody else runs what waits in it.
    stream: aclrtStream,
}

fn sum(out_dims: &[i64], out_strides: &[i64]) -> Sum {
    let _device = Device::set();
    let (a, b, out) = (malloc(8), malloc(8), malloc(64));
    write(a, &[1_f32, 2.0]);
    write(b, &[10_f32, 20.0]);
    write(out, &[0_f32; 16]);
    let tensors = [
        tensor(F32, &[2], a),
        tensor(F32, &[2], b),
        strided(F32, out_dims, Some(out_strides), 0, &[16], out),
    ];
    let (add, one) = (EMULATOR.operators.Add().expect("declared"), scalar(1_f32));
    // SAFETY: the handles are the emulator's; the places are valid.
    let planned = plan(|size, executor| unsafe {
        add.get_workspace_size(tensors[0], tensors[1], one, tensors[2], size, executor)
    });
    assert_eq!(planned.code, 0, "{}", planned.message);
    let mut stream = ptr::null_mut();
    // SAFETY: the place is valid.
    ok(unsafe { EMULATOR.runtime.aclrtCreateStream(&mut stream) });
    Sum { a, out, tensors, planned, _device, stream }
}

fn launch(sum: &Sum, workspace: *mut std::ffi::c_void, size: u64) -> (i32, String) {
    let add = EMULATOR.operators.Add().expect("declared");
    // SAFETY: the emulator checks every argument.
    let code = unsafe { add.launch(workspace, size, sum.planned.executor, sum.stream) };
    (code, message())
}

fn synchronise(stream: aclrtStream) {
    // SAFETY: the stream is live, or null for the default one.
    ok(unsafe { EMULATOR.runtime.aclrtSynchronizeStream(stream) });
}

#[test]
#[serial]
fn a_launch_computes_when_somebody_waits_and_consumes_the_executor() {
    let (_mode, _level) = (control::streams_everywhere(Mode::Lazy), control::check(Level::Off));
    let sum = sum(&[2], &[1]);
    assert_eq!(sum.planned.workspace, 0);
    assert_eq!(launch(&sum, ptr::null_mut(), 0).0, 0);
    assert_eq!(read::<f32>(sum.out, 2), [0.0, 0.0], "nothing waited for the stream yet");
    synchronise(sum.stream);
    assert_eq!(read::<f32>(sum.out, 2), [11.0, 22.0]);
    let (code, message) = launch(&sum, ptr::null_mut(), 0);
    assert_eq!(code, ACLNN_ERR_INNER);
    assert!(message.contains("consumes"), "{message}");
    // SAFETY: a dead handle is what the test passes.
    assert_eq!(unsafe { EMULATOR.meta.aclDestroyAclOpExecutor(sum.planned.executor) }, Ok(ACLNN_ERR_INNER));
}

#[test]
#[serial]
fn a_result_with_gaps_asks_for_workspace_in_device_memory() {
    let first = sum(&[2], &[4]);
    assert!(first.planned.workspace > 0);
    let (code, message) = launch(&first, ptr::null_mut(), first.planned.workspace);
    assert_eq!(code, ACLNN_ERR_PARAM_NULLPTR, "{message}");
    assert_eq!(launch(&first, ptr::null_mut(), 0).0, ACLNN_ERR_INNER, "the executor is gone");

    let second = sum(&[2], &[4]);
    let mut on_host = vec![0_u8; second.planned.workspace as usize];
    let (code, message) = launch(&second, on_host.as_mut_ptr().cast(), second.planned.workspace);
    assert_eq!(code, ACLNN_ERR_PARAM_INVALID);
    assert!(message.contains("not device memory"), "{message}");

    let third = sum(&[2], &[4]);
    assert_eq!(launch(&third, malloc(third.planned.workspace as usize), third.planned.workspace).0, 0);
    synchronise(third.stream);
    assert_eq!(read::<f32>(third.out, 6), [11.0, 0.0, 0.0, 0.0, 22.0, 0.0]);
}

#[test]
#[serial]
fn a_repeatable_executor_runs_again_with_new_addresses() {
    let sum = sum(&[2], &[1]);
    // SAFETY: the executor is live.
    ok(unsafe { EMULATOR.meta.aclSetAclOpExecutorRepeatable(sum.planned.executor) });
    assert_eq!(launch(&sum, ptr::null_mut(), 0).0, 0);
    let (input, output) = (malloc(8), malloc(8));
    write(input, &[100_f32, 200.0]);
    // SAFETY: the handles are live, the addresses are device memory.
    unsafe {
        ok(EMULATOR.meta.aclSetInputTensorAddr(sum.planned.executor, 0, sum.tensors[0], input));
        ok(EMULATOR.meta.AclSetOutputTensorAddr(sum.planned.executor, 0, sum.tensors[2], output));
    }
    assert_eq!(launch(&sum, ptr::null_mut(), 0).0, 0);
    synchronise(sum.stream);
    assert_eq!(read::<f32>(sum.out, 2), [11.0, 22.0], "the first launch kept its addresses");
    assert_eq!(read::<f32>(output, 2), [110.0, 220.0]);
    // SAFETY: the executor is live until here.
    ok(unsafe { EMULATOR.meta.aclDestroyAclOpExecutor(sum.planned.executor) });
    assert_eq!(launch(&sum, ptr::null_mut(), 0).0, ACLNN_ERR_INNER);
}

#[test]
#[serial]
fn tensors_must_live_until_the_launch() {
    let sum = sum(&[2], &[1]);
    // SAFETY: the tensor is live.
    ok(unsafe { EMULATOR.meta.aclDestroyTensor(sum.tensors[1]) });
    let (code, message) = launch(&sum, ptr::null_mut(), 0);
    assert_eq!(code, ACLNN_ERR_INNER_NULLPTR);
    assert!(message.contains("other was destroyed"), "{message}");
}

#[test]
#[serial]
fn memory_that_is_not_there_is_told_before_anything_is_queued() {
    let sum = sum(&[2], &[1]);
    // SAFETY: the address is device memory that nothing uses yet.
    ok(unsafe { EMULATOR.runtime.aclrtFree(sum.a) });
    let (code, message) = launch(&sum, ptr::null_mut(), 0);
    assert_eq!(code, ACLNN_ERR_PARAM_INVALID);
    assert!(message.contains("self"), "{message}");
    synchronise(sum.stream);
    assert_eq!(read::<f32>(sum.out, 2), [0.0, 0.0]);
}

/// A repeatable executor remembers where its tensors were found, but no longer than the memory lives, and only for the view
/// at that address.
#[test]
#[serial]
fn a_repeated_launch_notices_memory_that_went_and_addresses_that_changed() {
    let sum = sum(&[2], &[1]);
    // SAFETY: the executor is live.
    ok(unsafe { EMULATOR.meta.aclSetAclOpExecutorRepeatable(sum.planned.executor) });
    for _ in 0..3 {
        assert_eq!(launch(&sum, ptr::null_mut(), 0).0, 0);
    }
    let set = |address| {
        let (executor, tensor) = (sum.planned.executor, sum.tensors[0]);
        // SAFETY: the handles are live; the launch checks the address.
        ok(unsafe { EMULATOR.meta.aclSetInputTensorAddr(executor, 0, tensor, address) });
    };
    // One of the two floats lies past the end.
    set(sum.a.wrapping_byte_add(4));
    let (code, message) = launch(&sum, ptr::null_mut(), 0);
    assert_eq!(code, ACLNN_ERR_PARAM_INVALID);
    assert!(message.contains("self") && message.contains("4 bytes past the end"), "{message}");
    set(sum.a);
    assert_eq!(launch(&sum, ptr::null_mut(), 0).0, 0);
    synchronise(sum.stream);
    // SAFETY: the address is device memory that nothing uses any more.
    ok(unsafe { EMULATOR.runtime.aclrtFree(sum.a) });
    let (code, message) = launch(&sum, ptr::null_mut(), 0);
    assert_eq!(code, ACLNN_ERR_PARAM_INVALID);
    assert!(message.contains("self") && message.contains("freed"), "{message}");
    // SAFETY: the executor is live until here.
    ok(unsafe { EMULATOR.meta.aclDestroyAclOpExecutor(sum.planned.executor) });
}

#[test]
#[serial]
fn overlapping_operands_are_read_before_they_are_written() {
    let _device = Device::set();
    // Larger than what a kernel reads before it writes for the first time.
    const SIDE: usize = 96;
    let side = SIDE as i64;
    let memory = malloc(SIDE * SIDE * 4);
    write(memory, &(0..side as i32 * side as i32).collect::<Vec<_>>());
    let matrix = tensor(I32, &[side, side], memory);
    let transposed = strided(I32, &[side, side], Some(&[1, side]), 0, &[side * side], memory);
    let copy = EMULATOR.operators.InplaceCopy().expect("declared");
    // SAFETY: the handles are the emulator's; the places are valid.
    let planned =
        plan(|size, executor| unsafe { copy.get_workspace_size(matrix, transposed, size, executor) });
    assert_eq!(planned.code, 0, "{}", planned.message);
    let workspace = malloc(planned.workspace as usize);
    // SAFETY: the executor is live, the workspace as large as it asked for.
    assert_eq!(unsafe { copy.launch(workspace, planned.workspace, planned.executor, ptr::null_mut()) }, 0);
    synchronise(ptr::null_mut());
    let expected = (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (column * SIDE + row) as i32));
    assert!(read::<i32>(memory, SIDE * SIDE).into_iter().eq(expected));
    // Wider elements over narrower ones that are still to be read; a device converts them aside first.
    let halves: Vec<f16> = (0..4000_u16).map(|number| f16::from_f32(f32::from(number / 4))).collect();
    let memory = malloc(4 * halves.len());
    write(memory, &vec![0_f32; halves.len()]);
    write(memory, &halves);
    let [wide, narrow] = [F32, F16].map(|dtype| tensor(dtype, &[4000], memory));
    let place = malloc(4);
    write(place, &[0_f32]);
    let zero = tensor(F32, &[1], place);
    let (add, one) = (EMULATOR.operators.Add().expect("declared"), scalar(1_f32));
    // SAFETY: as above.
    let planned =
        plan(|size, executor| unsafe { add.get_workspace_size(narrow, zero, one, wide, size, executor) });
    assert_eq!(planned.code, 0, "{}", planned.message);
    let workspace = malloc(planned.workspace as usize);
    // SAFETY: as above.
    let code = unsafe { add.launch(workspace, planned.workspace, planned.executor, ptr::null_mut()) };
    assert_eq!(code, 0, "{}", message());
    synchronise(ptr::null_mut());
    assert!(read::<f32>(memory, 4000).into_iter().eq(halves.into_iter().map(f32::from)));
}

/// A thread remembers the executors that it has launched.
#[test]
#[serial]
fn an_executor_that_another_thread_destroyed_is_not_launched_again() {
    let sum = sum(&[2], &[1]);
    // SAFETY: the executor is live.
    ok(unsafe { EMULATOR.meta.aclSetAclOpExecutorRepeatable(sum.planned.executor) });
    for _ in 0..2 {
        assert_eq!(launch(&sum, ptr::null_mut(), 0).0, 0);
    }
    synchronise(sum.stream);
    let executor = sum.planned.executor.addr();
    let destroy = move || {
        // SAFETY: the executor is live, and no launch of it is queued.
        unsafe { EMULATOR.meta.aclDestroyAclOpExecutor(ptr::without_provenance_mut(executor)) }
    };
    ok(std::thread::spawn(destroy).join().expect("no panic"));
    let (code, message) = launch(&sum, ptr::null_mut(), 0);
    assert_eq!(code, ACLNN_ERR_INNER);
    assert!(message.contains("destroyed before"), "{message}");
}

/// What a launch found of its tensors is used again, until something changes.
#[test]
#[serial]
fn a_repeated_launch_notices_tensors_and_memory_that_are_gone() {
    let _level = control::check(Level::Off);
    let sum = sum(&[2], &[1]);
    // SAFETY: the executor is live.
    ok(unsafe { EMULATOR.meta.aclSetAclOpExecutorRepeatable(sum.planned.executor) });
    for _ in 0..3 {
        assert_eq!(launch(&sum, ptr::null_mut(), 0).0, 0);
        synchronise(sum.stream);
    }
    // Another tensor takes the place of a destroyed one, but not its handle.
    // SAFETY: nothing is queued.
    ok(unsafe { EMULATOR.meta.aclDestroyTensor(sum.tensors[1]) });
    let other = tensor(F32, &[2], sum.a);
    assert_ne!(other, sum.tensors[1]);
    let (code, message) = launch(&sum, ptr::null_mut(), 0);
    assert_eq!(code, ACLNN_ERR_INNER_NULLPTR, "{message}");
    assert!(message.contains("destroyed before"), "{message}");

    let second = self::sum(&[2], &[1]);
    // SAFETY: the executor is live.
    ok(unsafe { EMULATOR.meta.aclSetAclOpExecutorRepeatable(second.planned.executor) });
    for _ in 0..3 {
        assert_eq!(launch(&second, ptr::null_mut(), 0).0, 0);
    }
    synchronise(second.stream);
    // SAFETY: nothing is queued.
    ok(unsafe { EMULATOR.runtime.aclrtFree(second.a) });
    let (code, message) = launch(&second, ptr::null_mut(), 0);
    assert_eq!(code, ACLNN_ERR_PARAM_INVALID);
    assert!(message.contains("freed before"), "{message}");
}

/// Identical calls share a plan and what was found of it, but not their addresses.
#[test]
#[serial]
fn identical_calls_with_other_memory_are_checked_anew() {
    let sum = sum(&[2], &[1]);
    assert_eq!(launch(&sum, ptr::null_mut(), 0).0, 0);
    let (add, one) = (EMULATOR.operators.Add().expect("declared"), scalar(1_f32));
    let again = |tensors: [*mut aclTensor; 3]| {
        // SAFETY: the handles are the emulator's; the places are valid.
        let planned = plan(|size, executor| unsafe {
            add.get_workspace_size(tensors[0], tensors[1], one, tensors[2], size, executor)
        });
        assert_eq!(planned.code, 0, "{}", planned.message);
        // SAFETY: the emulator checks every argument.
        unsafe { add.launch(ptr::null_mut(), 0, planned.executor, sum.stream) }
    };
    for _ in 0..3 {
        assert_eq!(again(sum.tensors), 0);
    }
    // Memory where nothing was ever written.
    let blank = tensor(F32, &[2], malloc(8));
    assert_eq!(again([sum.tensors[0], blank, sum.tensors[2]]), ACLNN_ERR_RUNTIME_ERROR, "{}", message());
    for _ in 0..2 {
        assert_eq!(again(sum.tensors), 0);
    }
    synchronise(sum.stream);
    assert_eq!(read::<f32>(sum.out, 2), [11.0, 22.0]);
}

/// Right after phase one, on its thread, before any other phase one, and before the launch.
#[test]
#[serial]
fn an_executor_is_made_repeatable_right_after_phase_one() {
    let _cache = control::executor_cache(0);
    let refused = |executor: *mut aclOpExecutor, told: &str| {
        // SAFETY: handles are never dereferenced.
        let code = unsafe { EMULATOR.meta.aclSetAclOpExecutorRepeatable(executor) }.expect("there");
        let message = message();
        assert!(code == ACLNN_ERR_INNER && message.contains(told), "{code}: {message}");
    };
    let (first, second) = (sum(&[2], &[1]), sum(&[2], &[1]));
    refused(first.planned.executor, "is not the one that this thread has planned last");
    // SAFETY: the executor is live.
    ok(unsafe { EMULATOR.meta.aclSetAclOpExecutorRepeatable(second.planned.executor) });
    let third = sum(&[2], &[1]);
    std::thread::scope(|scope| {
        let executor = third.planned.executor.expose_provenance();
        scope.spawn(move || {
            let executor = ptr::with_exposed_provenance_mut(executor);
            refused(executor, "on the same thread and before any other phase one");
        });
    });
    assert_eq!(launch(&third, ptr::null_mut(), 0).0, ACLNN_SUCCESS);
    refused(
        third.planned.executor,
        "was destroyed before; it is made repeatable between phase one and the launch",
    );
    // SAFETY: handles are never dereferenced.
    let again = unsafe { EMULATOR.meta.aclDestroyAclOpExecutor(third.planned.executor) }.expect("there");
    let told = message();
    assert!(again == ACLNN_ERR_INNER && told.contains("a launch ends an executor"), "{told}");
    assert_eq!(launch(&first, ptr::null_mut(), 0).0, ACLNN_SUCCESS);
    // SAFETY: the executor is live.
    ok(unsafe { EMULATOR.meta.aclDestroyAclOpExecutor(second.planned.executor) });
    [first, third].iter().for_each(|sum| synchronise(sum.stream));
}

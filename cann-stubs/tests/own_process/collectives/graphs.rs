//! Collectives and operators of several ranks in captured graphs: a replay does what the calls do when they run one by one, whose
//! results follow by arithmetic in the head.

use std::ffi::{c_char, c_void};
use std::ptr::null_mut;

use aclnn_numerics::DType::{F16, F32};
use aclnn_numerics::f16;
use aclnn_sys::operators::Argument as Passed;
use aclnn_sys::*;
use cann_stubs::control::{self, Mode};

use super::rank::{Rank, done, hccl, processes, root, threads};
use crate::support::child::{self, this_test};
use crate::support::runtime::{call, free, ok};
use crate::support::{EMULATOR, malloc, message, plan, read, scalar, tensor, write};

const SETTINGS: [(&str, &str); 2] = [("CANN_STUBS_DEVICES", "2"), ("CANN_STUBS_MEMORY", "64M")];

/// Launches an operator by its name. Returns its code, and its workspace.
fn try_launch(name: &str, arguments: &[Passed], stream: *mut c_void) -> (i32, *mut c_void) {
    let operator = EMULATOR.operators.by_name(name).unwrap().unwrap();
    // SAFETY: the handles are the emulator's; the places are valid.
    let planned =
        plan(|size, executor| unsafe { operator.get_workspace_size(arguments, size, executor).unwrap() });
    assert_eq!(planned.code, 0, "{}", planned.message);
    let workspace = if planned.workspace > 0 { malloc(planned.workspace as usize) } else { null_mut() };
    // SAFETY: the executor was just planned, and the workspace is as large as it asked for.
    let code = unsafe { operator.launcher()(workspace, planned.workspace, planned.executor, stream) };
    (code, workspace)
}

fn launch(name: &str, arguments: &[Passed], stream: *mut c_void) -> *mut c_void {
    let (code, workspace) = try_launch(name, arguments, stream);
    assert_eq!(code, 0, "{}", message());
    workspace
}

fn name_of(comm: HcclComm) -> [c_char; 128] {
    let mut name = [0; 128];
    done!(HcclGetCommName(comm, name.as_mut_ptr()));
    name
}

/// The arguments of a product that all ranks sum up.
fn summed([left, right, out]: [*mut aclTensor; 3], name: &mut [c_char; 128]) -> [Passed; 8] {
    let (name, op) = (Passed::Text(name.as_mut_ptr()), Passed::Text(c"sum".as_ptr().cast_mut()));
    let [left, right, out] = [left, right, out].map(Passed::Tensor);
    [left, right, Passed::Tensor(null_mut()), name, op, Passed::Int(0), Passed::Int(1), out]
}

fn destroy(tensor: *mut aclTensor) {
    // SAFETY: the tensor is live and not used again.
    assert_eq!(unsafe { EMULATOR.meta.aclDestroyTensor(tensor) }.unwrap(), 0);
}

fn capture(stream: *mut c_void, body: impl FnOnce()) -> *mut c_void {
    let mut graph = null_mut();
    ok!(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
    body();
    ok!(aclmdlRICaptureEnd(stream, &mut graph));
    graph
}

/// Two ranks, which replay a sum of all, the addition of a number, an exchange and a product that all ranks sum up.
fn replays(own: &Rank) {
    let (comm, stream, rank) = (own.comm, own.stream, own.rank);
    let [x, sum, swapped, left, one, product] = [8, 8, 8, 8, 8, 8].map(malloc);
    let halves = |numbers: [f32; 4]| numbers.map(f16::from_f32);
    write(one, &halves([1.0, 0.0, 0.0, 1.0]));
    write(sum, &[7_f32; 2]);
    let mut name = name_of(comm);
    let (to_sum, matrices) =
        (tensor(F32, &[2], sum), [left, one, product].map(|all| tensor(F16, &[2, 2], all)));
    let (addend, alpha) = (scalar(10_f32), scalar(1_f32));
    let mut workspace = null_mut();
    let graph = capture(stream, || {
        done!(HcclAllReduce(x, sum, 2, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, comm, stream));
        let adds = [Passed::Tensor(to_sum), Passed::Scalar(addend), Passed::Scalar(alpha)];
        launch("InplaceAdds", &adds, stream);
        done!(HcclAlltoAll(sum, 1, HCCL_DATA_TYPE_FP32, swapped, 1, HCCL_DATA_TYPE_FP32, comm, stream));
        workspace = launch("MatmulAllReduce", &summed(matrices, &mut name), stream);
    });
    ok!(aclrtSynchronizeStream(stream));
    assert_eq!(read::<f32>(sum, 2), [7.0; 2], "nothing has run");
    for round in 1..=3 {
        let own_number = (round * 10 + rank) as f32;
        write(x, &[own_number, 2.0 * own_number]);
        write(left, &halves([own_number, 1.0, 0.0, 1.0]));
        ok!(aclmdlRIExecuteAsync(graph, stream));
        own.wait();
        let both = (round * 20 + 1) as f32;
        let sums = [both + 10.0, 2.0 * both + 10.0];
        assert_eq!(read::<f32>(sum, 2), sums);
        // The part of each rank from both, which have the same.
        assert_eq!(read::<f32>(swapped, 2), [sums[rank]; 2]);
        assert_eq!(read::<f16>(product, 4), halves([both, 2.0, 0.0, 2.0]));
    }
    ok!(aclmdlRIDestroy(graph));
    matrices.into_iter().chain([to_sum]).for_each(destroy);
    for scalar in [addend, alpha] {
        // SAFETY: the scalar is live and not used again.
        assert_eq!(unsafe { EMULATOR.meta.aclDestroyScalar(scalar) }.unwrap(), 0);
    }
    for memory in [x, sum, swapped, left, one, product, workspace] {
        if !memory.is_null() {
            free(memory);
        }
    }
}

#[test]
fn graphs_of_ranks_as_threads() {
    child::with(this_test!(), &SETTINGS, || {
        for mode in Mode::ALL {
            let _mode = control::streams_everywhere(mode);
            threads(2, replays);
        }
        let (reports, live) = (control::reports(), control::live());
        assert!(reports.is_empty() && live.is_empty(), "{reports:?} {live:?}");
    });
}

#[test]
fn graphs_of_ranks_as_processes() {
    child::with(this_test!(), &SETTINGS, || processes(this_test!(), 2, None, replays));
}

#[test]
fn a_replay_after_the_end_of_its_group_fails() {
    child::with(this_test!(), &SETTINGS, || {
        ok!(aclrtSetDevice(0));
        let own = Rank::join(&root(), 0, 1, 0);
        let memory = malloc(8);
        write(memory, &[1_f32; 2]);
        let (comm, stream) = (own.comm, own.stream);
        let reduce =
            || hccl!(HcclAllReduce(memory, memory, 2, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, comm, stream));
        let graph = capture(stream, || {
            assert_eq!(reduce(), HCCL_SUCCESS, "{}", message());
            // What is wrong is told at the call, and is no task of the graph.
            let kind = (HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM);
            let null = hccl!(HcclAllReduce(memory, null_mut(), 2, kind.0, kind.1, comm, stream));
            assert_eq!(null, HCCL_E_PTR, "{}", message());
        });
        ok!(aclmdlRIExecuteAsync(graph, stream));
        own.wait();
        done!(HcclCommDestroy(comm));
        assert_eq!(call!(aclmdlRIExecuteAsync(graph, stream)), ACL_ERROR_RT_MODEL_EXECUTE);
        let told = message();
        assert!(told.contains("task 0 of 1, HcclAllReduce") && told.contains("comm was destroyed"), "{told}");
        ok!(aclmdlRIDestroy(graph));
        ok!(aclrtDestroyStream(stream));
        free(memory);
    });
}

/// The group is that of the capture, and what is refused when an operator is captured is no task.
#[test]
fn operators_of_ranks_are_checked_when_they_are_captured() {
    child::with(this_test!(), &SETTINGS, || {
        ok!(aclrtSetDevice(0));
        let own = Rank::join(&root(), 0, 1, 0);
        let (comm, stream) = (own.comm, own.stream);
        let memory = [512; 3].map(malloc);
        let mut foreign = [0_u64; 64];
        memory.iter().for_each(|memory| write(*memory, &[f16::from_f32(1.0); 4]));
        let tensors = memory.map(|memory| tensor(F16, &[2, 2], memory));
        let outside = tensor(F16, &[2, 2], foreign.as_mut_ptr().cast());
        let mut name = name_of(comm);
        let [left, right, out] = tensors;
        let mut spaces = [null_mut(); 3];
        let graph = capture(stream, || {
            for (wrong, space) in
                [[outside, right, out], [left, right, outside]].into_iter().zip(&mut spaces[1..])
            {
                let refused = try_launch("MatmulAllReduce", &summed(wrong, &mut name), stream);
                assert_ne!(refused.0, 0);
                *space = refused.1;
            }
            spaces[0] = launch("MatmulAllReduce", &summed(tensors, &mut name), stream);
        });
        ok!(aclmdlRIExecuteAsync(graph, stream));
        own.wait();
        assert_eq!(read::<f16>(memory[2], 4), [f16::from_f32(2.0); 4]);
        // Refused at a replay: a task of the runtime.
        free(memory[0]);
        assert_eq!(call!(aclmdlRIExecuteAsync(graph, stream)), ACL_ERROR_RT_MODEL_EXECUTE);
        let told = message();
        assert!(told.contains("task 0 of 1, aclnnMatmulAllReduce"), "{told}");
        done!(HcclCommDestroy(comm));
        assert_eq!(call!(aclmdlRIExecuteAsync(graph, stream)), ACL_ERROR_RT_MODEL_EXECUTE);
        ok!(aclmdlRIDestroy(graph));
        ok!(aclrtDestroyStream(stream));
        tensors.into_iter().chain([outside]).for_each(destroy);
        let rest = memory[1..].iter().chain(&spaces).filter(|memory| !memory.is_null());
        rest.for_each(|memory| free(*memory));
    });
}

#[test]
fn an_operator_is_of_the_group_that_it_was_captured_with() {
    child::with(this_test!(), &SETTINGS, || {
        ok!(aclrtSetDevice(0));
        let own = Rank::join(&root(), 0, 1, 0);
        let memory = [8; 3].map(malloc);
        memory.iter().for_each(|memory| write(*memory, &[f16::from_f32(1.0); 4]));
        let tensors = memory.map(|memory| tensor(F16, &[2, 2], memory));
        let mut space = null_mut();
        let mut name = name_of(own.comm);
        let graph = capture(own.stream, || {
            space = launch("MatmulAllReduce", &summed(tensors, &mut name), own.stream);
        });
        done!(HcclCommDestroy(own.comm));
        assert_eq!(call!(aclmdlRIExecuteAsync(graph, own.stream)), ACL_ERROR_RT_MODEL_EXECUTE);
        let told = message();
        assert!(told.contains("aclnnMatmulAllReduce") && told.contains("comm was destroyed"), "{told}");
        ok!(aclmdlRIDestroy(graph));
        ok!(aclrtDestroyStream(own.stream));
        tensors.into_iter().for_each(destroy);
        memory.into_iter().chain([space]).filter(|memory| !memory.is_null()).for_each(free);
    });
}

//! Misuse of the two phases of a call: executors, workspaces, and tensors that change in between.

use std::ptr;

use aclnn_numerics::DType::F32;
use aclnn_sys::*;
use cann_stubs::control::{self, Check};
use serial_test::serial;

use super::misuse::found;
use crate::support::program::*;
use crate::support::*;

/// Two floats each, and the sum of both.
fn plan_floats() -> (Planned, [*mut aclTensor; 3]) {
    let tensors = [0; 3].map(|_| tensor(F32, &[2], floats(2)));
    (plan_add(tensors[0], tensors[1], tensors[2]), tensors)
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

/// The library runs the sum, so the call succeeds; each pair of operators is told once in a process.
#[test]
#[serial]
fn an_executor_launched_by_another_operator() {
    let _device = Device::set();
    let product = EMULATOR.operators.Mul().unwrap();
    // SAFETY: a live executor that needs no workspace.
    let multiply =
        |planned: &Planned| unsafe { product.launch(ptr::null_mut(), 0, planned.executor, ptr::null_mut()) };
    let (planned, memory) = {
        let memory = [0; 3].map(|_| floats(2));
        let tensors = memory.map(|memory| tensor(F32, &[2], memory));
        (plan_add(tensors[0], tensors[1], tensors[2]), memory)
    };
    memory[..2].iter().for_each(|memory| write(*memory, &[3_f32, 5.0]));
    let (code, reports) = control::reports_of(|| multiply(&planned));
    good(code);
    let told: Vec<_> =
        reports.iter().map(|report| (report.check, report.function.as_str(), report.code)).collect();
    assert_eq!(told, [(Check::ForeignExecutor, "aclnnMul", 0)]);
    assert!(
        reports[0].message.contains("the executor is that of aclnnAdd, which runs"),
        "{}",
        reports[0].message
    );
    good(rt!(aclrtSynchronizeStream(ptr::null_mut())));
    assert_eq!(read::<f32>(memory[2], 2), [6.0, 10.0]);
    let (code, reports) = control::reports_of(|| multiply(&plan_floats().0));
    good(code);
    assert!(reports.is_empty(), "{reports:?}");
    good(rt!(aclrtSynchronizeStream(ptr::null_mut())));
}

#[test]
#[serial]
fn a_tensor_that_gets_another_address_between_the_phases() {
    found(Check::ChangedTensor, &["aclSetRawTensorAddr has changed other since phase one"], || {
        let (planned, tensors) = plan_floats();
        good(meta!(aclSetRawTensorAddr(tensors[1], floats(2))));
        launch_add(&planned, ptr::null_mut(), ptr::null_mut())
    });
    let _device = Device::set();
    let (_, reports) = control::reports_of(|| {
        // Before phase one; another tensor; and the way that a repeatable executor has for it.
        let [a, b, out] = [0; 3].map(|_| tensor(F32, &[2], ptr::null_mut()));
        [a, b, out].iter().for_each(|tensor| good(meta!(aclSetRawTensorAddr(*tensor, floats(2)))));
        let planned = plan_add(a, b, out);
        good(meta!(aclSetAclOpExecutorRepeatable(planned.executor)));
        good(meta!(aclSetRawTensorAddr(tensor(F32, &[2], ptr::null_mut()), floats(2))));
        good(launch_add(&planned, ptr::null_mut(), ptr::null_mut()));
        good(meta!(aclSetTensorAddr(planned.executor, 0, a, floats(2))));
        good(launch_add(&planned, ptr::null_mut(), ptr::null_mut()));
        good(rt!(aclrtSynchronizeStream(ptr::null_mut())));
        good(meta!(aclDestroyAclOpExecutor(planned.executor)));
    });
    assert!(reports.is_empty(), "{reports:?}");
}

#[test]
#[serial]
fn a_workspace_that_is_memory_of_an_operand() {
    found(Check::Overlap, &["the workspace overlaps self"], || {
        let (memory, out) = (floats(256), floats(16));
        let out = strided(F32, &[4], Some(&[4]), 0, &[16], out);
        let planned = plan_add(tensor(F32, &[4], memory), tensor(F32, &[4], floats(4)), out);
        launch_add(&planned, memory, ptr::null_mut())
    });
}

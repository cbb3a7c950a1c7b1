//! Calls of operators one after the other, as a program makes them.

use std::ffi::c_void;
use std::ptr;

use aclnn_sys::operators::Argument;
use aclnn_sys::*;

use super::{EMULATOR, malloc, ok, plan, write};

/// Device memory with some numbers.
pub(crate) fn memory(values: &[f32]) -> *mut c_void {
    let memory = malloc(size_of_val(values));
    write(memory, values);
    memory
}

pub(crate) fn list(tensors: &[*mut aclTensor]) -> *mut aclTensorList {
    let tensors: Vec<*const aclTensor> = tensors.iter().map(|tensor| tensor.cast_const()).collect();
    // SAFETY: the tensors have the length that is passed.
    unsafe { EMULATOR.meta.aclCreateTensorList(tensors.as_ptr(), tensors.len() as u64) }.expect("declared")
}

/// Calls an operator and waits for it.
#[track_caller]
pub(crate) fn run(name: &str, arguments: &[Argument]) {
    let operator = EMULATOR.operators.by_name(name).expect("declared").expect("the emulator has it");
    // SAFETY: the handles are the emulator's; the places are valid.
    let planned = plan(|size, executor| unsafe {
        operator.get_workspace_size(arguments, size, executor).expect("arguments of its parameters")
    });
    assert_eq!(planned.code, 0, "{}", planned.message);
    let workspace = if planned.workspace > 0 { malloc(planned.workspace as usize) } else { ptr::null_mut() };
    let launch = operator.launcher();
    // SAFETY: the executor is live, and the workspace as large as it asked for.
    ok(Ok::<_, ()>(unsafe { launch(workspace, planned.workspace, planned.executor, ptr::null_mut()) }));
    // SAFETY: null is the default stream.
    ok(unsafe { EMULATOR.runtime.aclrtSynchronizeStream(ptr::null_mut()) });
}

//! Pieces of small programs: the objects they make, and an addition on a stream.

use std::ffi::c_void;
use std::ptr;

use aclnn_numerics::DType::F32;
use aclnn_sys::*;

use super::*;

/// Calls a function of the runtime.
macro_rules! rt {
    ($name:ident($($argument:expr),* $(,)?)) => {
        // SAFETY: the emulator checks every argument.
        $crate::support::code(unsafe { $crate::support::EMULATOR.runtime.$name($($argument),*) })
    };
}
pub(crate) use rt;

/// Calls a function of the descriptors.
macro_rules! meta {
    ($name:ident($($argument:expr),* $(,)?)) => {
        // SAFETY: as above.
        $crate::support::code(unsafe { $crate::support::EMULATOR.meta.$name($($argument),*) })
    };
}
pub(crate) use meta;

pub(crate) fn good(code: i32) {
    assert_eq!(code, 0, "{}", message());
}

pub(crate) fn stream() -> aclrtStream {
    let mut stream = ptr::null_mut();
    good(rt!(aclrtCreateStream(&mut stream)));
    stream
}

pub(crate) fn event() -> aclrtEvent {
    let mut event = ptr::null_mut();
    good(rt!(aclrtCreateEvent(&mut event)));
    event
}

pub(crate) fn at(memory: *mut c_void, bytes: usize) -> *mut c_void {
    memory.wrapping_byte_add(bytes)
}

/// `count` floats on the device, from the host.
pub(crate) fn floats(count: usize) -> *mut c_void {
    let memory = malloc(count * 4);
    write(memory, &vec![1_f32; count]);
    memory
}

pub(crate) fn plan_add(a: *const aclTensor, b: *const aclTensor, out: *mut aclTensor) -> Planned {
    let (add, one) = (EMULATOR.operators.Add().unwrap(), scalar(1_f32));
    // SAFETY: the handles are the emulator's; the places are valid.
    let planned = plan(|size, executor| unsafe { add.get_workspace_size(a, b, one, out, size, executor) });
    good(meta!(aclDestroyScalar(one)));
    planned
}

pub(crate) fn launch_add(planned: &Planned, workspace: *mut c_void, stream: aclrtStream) -> i32 {
    let add = EMULATOR.operators.Add().unwrap();
    // SAFETY: the emulator checks every argument.
    unsafe { add.launch(workspace, planned.workspace, planned.executor, stream) }
}

/// `out = a + b` on a stream, over `count` contiguous floats each.
pub(crate) fn add(
    a: *mut c_void,
    b: *mut c_void,
    out: *mut c_void,
    count: usize,
    stream: aclrtStream,
) -> i32 {
    let tensors = [a, b, out].map(|memory| tensor(F32, &[count as i64], memory));
    let planned = plan_add(tensors[0], tensors[1], tensors[2]);
    assert_eq!((planned.code, planned.workspace), (0, 0), "{}", planned.message);
    let code = launch_add(&planned, ptr::null_mut(), stream);
    for tensor in tensors {
        good(meta!(aclDestroyTensor(tensor)));
    }
    code
}

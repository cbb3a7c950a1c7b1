//! What the checks find. `misuse` plants each kind on purpose, `lent` and `peers` those of memory that work still uses and of
//! other devices; `levels` holds what is told when, and a program without any misuse, about which nothing is said;
//! `host_access` lets the host touch device memory.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../child/mod.rs"]
mod child;
#[path = "../support/mod.rs"]
mod support;

use std::ffi::c_void;
use std::process::Command;
use std::ptr;

use aclnn_numerics::DType::{F16, F32};
use aclnn_sys::*;
use cann_stubs::control::{self, Check, Leaks, Level, Mode, Report};
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

mod host_access;
mod lent;
mod levels;
mod misuse;
mod peers;

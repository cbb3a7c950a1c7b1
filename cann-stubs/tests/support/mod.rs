//! The emulator as a C program sees it, for tests: tables filled from the embedded functions, and short hands.
//!
//! Here are those for operators, in `runtime` those for the runtime, in `program` pieces of small programs; `child` starts
//! processes, and `golden` reads vectors.

#![allow(dead_code, unused_imports, unused_macros, reason = "each program uses a part")]
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

pub(crate) mod calls;
pub(crate) mod cases;
pub(crate) mod child;
pub(crate) mod golden;
pub(crate) mod program;
pub(crate) mod random;
pub(crate) mod runtime;

use std::ffi::CStr;
use std::ptr;
use std::sync::LazyLock;

use aclnn_numerics::DType;
use aclnn_sys::*;

pub(crate) use runtime::Device;

/// What the tests set, whatever the environment says: two small devices.
pub(crate) const SETTINGS: [(&CStr, &CStr); 2] =
    [(c"CANN_STUBS_DEVICES", c"2"), (c"CANN_STUBS_MEMORY", c"512M")];

/// Memory of each device.
pub(crate) const MEMORY: usize = 512 << 20;

pub(crate) struct Emulator {
    pub(crate) runtime: Runtime,
    pub(crate) meta: Meta,
    pub(crate) operators: Operators,
}

pub(crate) static EMULATOR: LazyLock<Emulator> = LazyLock::new(|| {
    let source = cann_stubs::source();
    Emulator {
        runtime: Runtime::load(&source),
        meta: Meta::load(&source),
        operators: Operators::load(&source),
    }
});

/// The code of a call that must exist.
pub(crate) fn code<E: std::fmt::Debug>(answer: Result<i32, E>) -> i32 {
    answer.expect("the emulator has every declared function")
}

/// Fails the test unless the call succeeded.
#[track_caller]
pub(crate) fn ok<E: std::fmt::Debug>(answer: Result<i32, E>) {
    let code = code(answer);
    assert_eq!(code, 0, "{}", message());
}

/// Takes the message of the last failure on this thread.
pub(crate) fn message() -> String {
    // SAFETY: the text stays valid until the next call on this thread.
    unsafe {
        let text = EMULATOR.runtime.aclGetRecentErrMsg().expect("declared");
        if text.is_null() { String::new() } else { CStr::from_ptr(text).to_string_lossy().into_owned() }
    }
}

/// Makes device 0 current on this thread.
pub(crate) fn device() {
    // SAFETY: null is a configuration path that is allowed.
    let init = code(unsafe { EMULATOR.runtime.aclInit(ptr::null()) });
    assert!([0, 100_002].contains(&init));
    // SAFETY: no pointers.
    ok(unsafe { EMULATOR.runtime.aclrtSetDevice(0) });
}

pub(crate) fn malloc(bytes: usize) -> *mut std::ffi::c_void {
    let mut memory = ptr::null_mut();
    // SAFETY: `memory` is a place for a pointer.
    ok(unsafe { EMULATOR.runtime.aclrtMalloc(&mut memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST) });
    memory
}

/// A contiguous tensor over `memory`.
pub(crate) fn tensor(dtype: DType, dims: &[i64], memory: *mut std::ffi::c_void) -> *mut aclTensor {
    strided(dtype, dims, None, 0, dims, memory)
}

pub(crate) fn strided(
    dtype: DType,
    dims: &[i64],
    strides: Option<&[i64]>,
    offset: i64,
    storage: &[i64],
    memory: *mut std::ffi::c_void,
) -> *mut aclTensor {
    formatted(ACL_FORMAT_ND, dtype, dims, strides, offset, storage, memory)
}

/// A tensor whose storage has a format.
pub(crate) fn formatted(
    format: aclFormat,
    dtype: DType,
    dims: &[i64],
    strides: Option<&[i64]>,
    offset: i64,
    storage: &[i64],
    memory: *mut std::ffi::c_void,
) -> *mut aclTensor {
    let dtype = aclDataType(dtype.acl_code().expect("an ACL type"));
    let strides = strides.map_or(ptr::null(), <[i64]>::as_ptr);
    // SAFETY: dims, strides and storage have the lengths that are passed.
    let tensor = unsafe {
        EMULATOR.meta.aclCreateTensor(
            dims.as_ptr(),
            dims.len() as u64,
            dtype,
            strides,
            offset,
            format,
            storage.as_ptr(),
            storage.len() as u64,
            memory,
        )
    };
    let tensor = tensor.expect("declared");
    assert!(!tensor.is_null(), "{}", message());
    tensor
}

pub(crate) fn scalar<T: aclnn_numerics::Element>(value: T) -> *mut aclScalar {
    let dtype = aclDataType(T::DTYPE.acl_code().expect("an ACL type"));
    // SAFETY: the value has the size of its type.
    unsafe { EMULATOR.meta.aclCreateScalar((&raw const value).cast_mut().cast(), dtype) }.expect("declared")
}

pub(crate) fn write<T: aclnn_numerics::Element>(memory: *mut std::ffi::c_void, values: &[T]) {
    let bytes = T::as_bytes(values);
    // SAFETY: `bytes` is valid for its length; the emulator checks the device side.
    ok(unsafe {
        EMULATOR.runtime.aclrtMemcpy(
            memory,
            bytes.len(),
            bytes.as_ptr().cast(),
            bytes.len(),
            ACL_MEMCPY_HOST_TO_DEVICE,
        )
    });
}

pub(crate) fn read<T: aclnn_numerics::Element>(memory: *mut std::ffi::c_void, count: usize) -> Vec<T> {
    let mut bytes = vec![0_u8; count * size_of::<T>()];
    let length = bytes.len();
    // SAFETY: `bytes` is valid for its length; the emulator checks the device side.
    ok(unsafe {
        EMULATOR.runtime.aclrtMemcpy(
            bytes.as_mut_ptr().cast(),
            length,
            memory,
            length,
            ACL_MEMCPY_DEVICE_TO_HOST,
        )
    });
    T::from_bytes(&bytes)
}

/// What phase one answers.
#[derive(Debug)]
pub(crate) struct Planned {
    pub(crate) code: i32,
    pub(crate) workspace: u64,
    pub(crate) executor: *mut aclOpExecutor,
    pub(crate) message: String,
}

/// Runs a phase one with fresh places for its results; a refusal must write neither.
pub(crate) fn plan(phase_one: impl FnOnce(*mut u64, *mut *mut aclOpExecutor) -> i32) -> Planned {
    let (mut workspace, mut executor) = (u64::MAX, ptr::null_mut());
    let code = phase_one(&mut workspace, &mut executor);
    if code != 0 {
        assert_eq!((workspace, executor), (u64::MAX, ptr::null_mut()), "a refused call writes nothing");
    }
    Planned { code, workspace, executor, message: message() }
}

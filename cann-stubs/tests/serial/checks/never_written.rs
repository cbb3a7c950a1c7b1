//! Memory that was never written: what computes with it is refused, copies carry along what is missing, and a table that is
//! looked up needs no values but those that are asked for.

use std::ffi::c_void;
use std::ptr;

use aclnn_numerics::DType::{F16, F32, I64};
use aclnn_sys::*;
use cann_stubs::control::{self, Check};
use serial_test::serial;

use super::misuse::*;
use crate::support::program::*;
use crate::support::*;

/// A table in which only the rows that are asked for hold values, as a cache does that fills up.
#[test]
#[serial]
fn a_table_needs_no_values_but_those_that_are_looked_up() {
    let select = EMULATOR.operators.IndexSelect().expect("declared");
    let select = |table| {
        let (own, out) = (tensor(F32, &[4, 2], table), tensor(F32, &[1, 2], malloc(8)));
        let index = tensor(I64, &[1], numbers(&[1]));
        // SAFETY: the handles are the emulator's; the places are valid.
        let planned =
            plan(|size, executor| unsafe { select.get_workspace_size(own, 0, index, out, size, executor) });
        good(planned.code);
        // SAFETY: the executor is live, and needs no workspace.
        unsafe { select.launch(ptr::null_mut(), 0, planned.executor, ptr::null_mut()) }
    };
    found(Check::NeverWritten, &["self reads", "0 bytes into the allocation"], || {
        let table = malloc(32);
        good(rt!(aclrtMemset(table.wrapping_byte_add(8), 8, 0, 8)));
        good(select(table));
        select(malloc(32))
    });
}

#[test]
#[serial]
fn memory_that_was_never_written() {
    found(Check::NeverWritten, &["other reads", "16 bytes into the allocation"], || {
        let part = malloc(32);
        write(part, &[1_f32; 4]);
        add(floats(8), part, floats(8), 8, ptr::null_mut())
    });
    // A copy carries what is missing along.
    found(Check::NeverWritten, &["self reads", "24 bytes into the allocation"], || {
        let (from, to) = (malloc(32), floats(8));
        good(rt!(aclrtMemset(from, 32, 0, 24)));
        good(rt!(aclrtMemcpyAsync(to, 32, from, 32, ACL_MEMCPY_DEVICE_TO_DEVICE, ptr::null_mut())));
        add(to, floats(8), floats(8), 8, ptr::null_mut())
    });
    // The columns between those that were written.
    found(Check::NeverWritten, &["self reads"], || {
        let memory = malloc(4 * 20_000);
        let columns = |offset| strided(F32, &[10_000], Some(&[2]), offset, &[20_000], memory);
        let (one, out) = (tensor(F32, &[1], floats(1)), tensor(F32, &[10_000], malloc(40_000)));
        let write = plan_add(tensor(F32, &[10_000], floats(10_000)), one, columns(0));
        good(launch_add(&write, malloc(write.workspace as usize), ptr::null_mut()));
        let read = plan_add(columns(0), one, out);
        good(launch_add(&read, malloc(read.workspace as usize), ptr::null_mut()));
        let read = plan_add(columns(1), one, out);
        launch_add(&read, malloc(read.workspace as usize), ptr::null_mut())
    });
}

/// Copies `from` to `to`: eight floats, or the same as eight halves.
type Copying = fn(*mut c_void, *mut c_void) -> i32;

fn batch(to: *mut c_void, from: *mut c_void, stream: Option<aclrtStream>) -> i32 {
    let side = aclrtMemLocation { id: 0, type_: ACL_MEM_LOCATION_TYPE_DEVICE };
    let mut sides = [aclrtMemcpyBatchAttr { dstLoc: side, srcLoc: side, rsv: [0; 16] }];
    let (mut to, mut from, mut sizes, mut rooms) = ([to], [from], [32_usize], [32_usize]);
    let (mut first, mut failed) = ([0_usize], 0);
    macro_rules! batch {
        ($name:ident $(, $rest:expr)*) => {
            rt!($name(
                to.as_mut_ptr(), rooms.as_mut_ptr(), from.as_mut_ptr(), sizes.as_mut_ptr(), 1, sides.as_mut_ptr(),
                first.as_mut_ptr(), 1, &mut failed $(, $rest)*
            ))
        };
    }
    match stream {
        Some(stream) => batch!(aclrtMemcpyBatchAsync, stream),
        None => batch!(aclrtMemcpyBatch),
    }
}

/// `aclnnInplaceCopy` or, where `cast`, `aclnnCast`; between tensors that are destroyed afterwards.
fn copy_by_operator(cast: bool, to: *mut aclTensor, from: *mut aclTensor, dtype: aclDataType) -> i32 {
    let operators = &EMULATOR.operators;
    // SAFETY: the handles are the emulator's; the places are valid.
    let planned = plan(|size, executor| unsafe {
        match cast {
            true => operators.Cast().unwrap().get_workspace_size(from, dtype, to, size, executor),
            false => operators.InplaceCopy().unwrap().get_workspace_size(to, from, size, executor),
        }
    });
    assert_eq!(planned.code, 0, "{}", planned.message);
    let workspace = if planned.workspace > 0 { malloc(planned.workspace as usize) } else { ptr::null_mut() };
    // SAFETY: the executor is live, the workspace as large as it asked for.
    let code = unsafe {
        let (size, executor, stream) = (planned.workspace, planned.executor, ptr::null_mut());
        match cast {
            true => operators.Cast().unwrap().launch(workspace, size, executor, stream),
            false => operators.InplaceCopy().unwrap().launch(workspace, size, executor, stream),
        }
    };
    for tensor in [to, from] {
        good(meta!(aclDestroyTensor(tensor)));
    }
    code
}

/// Every way to copy from device memory to device memory.
const COPIES: [(&str, Copying); 13] = [
    ("at once", |to, from| rt!(aclrtMemcpy(to, 32, from, 32, ACL_MEMCPY_DEVICE_TO_DEVICE))),
    ("queued", |to, from| {
        rt!(aclrtMemcpyAsync(to, 32, from, 32, ACL_MEMCPY_DEVICE_TO_DEVICE, ptr::null_mut()))
    }),
    ("queued with a condition", |to, from| {
        let stream = ptr::null_mut();
        rt!(aclrtMemcpyAsyncWithCondition(to, 32, from, 32, ACL_MEMCPY_DEVICE_TO_DEVICE, stream))
    }),
    ("rows at once", |to, from| rt!(aclrtMemcpy2d(to, 16, from, 16, 16, 2, ACL_MEMCPY_DEVICE_TO_DEVICE))),
    ("rows", |to, from| {
        rt!(aclrtMemcpy2dAsync(to, 8, from, 8, 8, 4, ACL_MEMCPY_DEVICE_TO_DEVICE, ptr::null_mut()))
    }),
    ("a batch at once", |to, from| batch(to, from, None)),
    ("a batch", |to, from| batch(to, from, Some(ptr::null_mut()))),
    ("InplaceCopy", |to, from| {
        copy_by_operator(false, tensor(F32, &[8], to), tensor(F32, &[8], from), ACL_FLOAT)
    }),
    ("InplaceCopy of columns", |to, from| {
        let columns = strided(F32, &[2, 4], Some(&[1, 2]), 0, &[8], from);
        copy_by_operator(false, tensor(F32, &[2, 4], to), columns, ACL_FLOAT)
    }),
    ("InplaceCopy to another type", |to, from| {
        copy_by_operator(false, tensor(F16, &[8], to), tensor(F32, &[8], from), ACL_FLOAT16)
    }),
    ("Roll", |to, from| {
        let (to, from) = (tensor(F32, &[8], to), tensor(F32, &[8], from));
        // SAFETY: both arrays have one number, which is copied.
        let [shift, axis] =
            [3, 0].map(|number| unsafe { EMULATOR.meta.aclCreateIntArray(&number, 1) }.unwrap());
        let roll = EMULATOR.operators.Roll().unwrap();
        // SAFETY: the handles are the emulator's; the places are valid.
        let planned =
            plan(|size, executor| unsafe { roll.get_workspace_size(from, shift, axis, to, size, executor) });
        // SAFETY: of this operator.
        let code = unsafe { roll.launch(ptr::null_mut(), 0, planned.executor, ptr::null_mut()) };
        [to, from].into_iter().for_each(|tensor| good(meta!(aclDestroyTensor(tensor))));
        [shift, axis].into_iter().for_each(|array| good(meta!(aclDestroyIntArray(array))));
        code
    }),
    ("Cat", |to, from| {
        let halves = [tensor(F32, &[4], from).cast_const(), tensor(F32, &[4], at(from, 16))];
        let to = tensor(F32, &[8], to);
        // SAFETY: two tensors, which are the list's from now on.
        let list = unsafe { EMULATOR.meta.aclCreateTensorList(halves.as_ptr(), 2) }.unwrap();
        let cat = EMULATOR.operators.Cat().unwrap();
        // SAFETY: the handles are the emulator's; the places are valid.
        let planned = plan(|size, executor| unsafe { cat.get_workspace_size(list, 0, to, size, executor) });
        // SAFETY: of this operator.
        let code = unsafe { cat.launch(ptr::null_mut(), 0, planned.executor, ptr::null_mut()) };
        good(meta!(aclDestroyTensor(to)));
        good(meta!(aclDestroyTensorList(list)));
        code
    }),
    ("Cast", |to, from| copy_by_operator(true, tensor(F16, &[8], to), tensor(F32, &[8], from), ACL_FLOAT16)),
];

#[test]
#[serial]
fn copies_of_memory_never_written_succeed_and_what_computes_with_them_is_refused() {
    for (way, copy) in COPIES {
        let halves = way.contains("type") || way == "Cast";
        let compute = |memory| {
            let dtype = if halves { F16 } else { F32 };
            let [a, out] = [memory, malloc(64)].map(|memory| tensor(dtype, &[8], memory));
            let planned = plan_add(a, a, out);
            let code = launch_add(&planned, ptr::null_mut(), ptr::null_mut());
            for tensor in [a, out] {
                good(meta!(aclDestroyTensor(tensor)));
            }
            code
        };
        found(Check::NeverWritten, &["reads", "0 bytes into the allocation"], || {
            let (from, to, other) = (malloc(32), floats(8), malloc(32));
            assert_eq!(copy(to, from), 0, "{way}: {}", message());
            good(rt!(aclrtSynchronizeStream(ptr::null_mut())));
            // Over and over, and written meanwhile.
            assert_eq!(copy(other, floats(8)), 0, "{way}");
            good(compute(other));
            compute(to)
        });
        // Written in part, and the copy of that in part.
        found(Check::NeverWritten, &["reads"], || {
            let (from, to) = (malloc(32), malloc(32));
            good(rt!(aclrtMemset(from, 28, 0, 28)));
            assert_eq!(copy(to, from), 0, "{way}");
            compute(to)
        });
    }
}

#[test]
#[serial]
fn a_copy_to_the_host_of_memory_never_written_is_told_once_and_succeeds() {
    let to_host = |memory: *mut c_void, queued: bool| {
        let mut host = [0_u8; 32];
        let (place, kind) = (host.as_mut_ptr().cast(), ACL_MEMCPY_DEVICE_TO_HOST);
        good(match queued {
            true => rt!(aclrtMemcpyAsync(place, 32, memory, 32, kind, ptr::null_mut())),
            false => rt!(aclrtMemcpy(place, 32, memory, 32, kind)),
        });
        good(rt!(aclrtSynchronizeStream(ptr::null_mut())));
    };
    for queued in [false, true] {
        let _device = Device::set();
        let (memory, reports) = control::reports_of(|| {
            let memory = malloc(64);
            (0..3).for_each(|_| to_host(memory, queued));
            to_host(at(memory, 32), queued);
            memory
        });
        let told: Vec<_> = reports.iter().map(|report| (report.check, report.code)).collect();
        assert_eq!(told, [(Check::NeverWritten, 0)], "{reports:?}");
        let text = &reports[0].message;
        assert!(text.contains("src copies 32 bytes") && text.contains("nothing was ever written"), "{text}");
        // Of another allocation again; not where something was written, nor after it came from the host.
        let (_, reports) = control::reports_of(|| {
            to_host(malloc(32), queued);
            let part = malloc(32);
            good(rt!(aclrtMemset(part, 1, 0, 1)));
            to_host(part, queued);
            write(memory, &[1_f32; 8]);
            to_host(memory, queued);
            good(add(memory, memory, memory, 8, ptr::null_mut()));
        });
        assert_eq!(reports.len(), 1, "{reports:?}");
    }
}

//! What sorting operators say when they run: indices that name nothing, results that are larger than their place, and sizes
//! that are set then.

use std::ptr;

use aclnn_numerics::DType::{self, F32, I64};
use aclnn_numerics::Element;
use aclnn_sys::*;
use cann_stubs::control;
use serial_test::serial;

use crate::support::*;

/// A tensor of one axis with these values.
fn of<T: Element>(values: &[T]) -> *mut aclTensor {
    let memory = malloc(size_of_val(values).max(1));
    write(memory, values);
    tensor(T::DTYPE, &[values.len() as i64], memory)
}

fn out(dtype: DType, dims: &[i64]) -> *mut aclTensor {
    tensor(dtype, dims, malloc(1024))
}

fn sizes(tensor: *const aclTensor) -> Vec<i64> {
    let (mut sizes, mut count) = (ptr::null_mut(), 0);
    // SAFETY: the tensor is live, the places are valid.
    ok(unsafe { EMULATOR.meta.aclGetViewShape(tensor, &mut sizes, &mut count) });
    // SAFETY: the call wrote an array of so many numbers, which the test program keeps.
    unsafe { std::slice::from_raw_parts(sizes, count as usize) }.to_vec()
}

/// Runs phase two of an operator and waits: the code, and the message if it is not success.
macro_rules! launched {
    ($operator:ident, $planned:expr) => {{
        let planned = $planned;
        assert_eq!(planned.code, 0, "{}", planned.message);
        let memory = malloc(planned.workspace.max(1) as usize);
        let operator = EMULATOR.operators.$operator().expect("declared");
        let (size, executor) = (planned.workspace, planned.executor);
        // SAFETY: the executor is live, the workspace as large as it asked for.
        let launched = unsafe { operator.launch(memory, size, executor, ptr::null_mut()) };
        assert_eq!(launched, 0, "{}", message());
        // SAFETY: null is the default stream.
        let code = code(unsafe { EMULATOR.runtime.aclrtSynchronizeStream(ptr::null_mut()) });
        (code, if code == 0 { String::new() } else { message() })
    }};
}

fn search(sorter: &[i64]) -> (i32, String) {
    let operator = EMULATOR.operators.SearchSorted().expect("declared");
    let (sequence, values) = (of(&[1.0f32, 2.0, 3.0]), of(&[2.5f32]));
    let (sorter, out) = (of(sorter), out(I64, &[1]));
    // SAFETY: the handles are the emulator's; the places are valid.
    let planned = plan(|size, executor| unsafe {
        operator.get_workspace_size(sequence, values, false, false, sorter, out, size, executor)
    });
    launched!(SearchSorted, planned)
}

#[test]
#[serial]
fn a_sorter_that_names_no_element_fails_the_stream() {
    let _device = Device::set();
    assert_eq!(search(&[0, 1, 2]).0, 0);
    for wrong in [[0, 3, 2], [0, -1, 2]] {
        let _device = Device::set();
        let (code, message) = search(&wrong);
        assert_eq!(code, ACL_ERROR_RT_AICORE_EXCEPTION, "{message}");
        assert!(message.contains("sorter") && message.contains("3 elements"), "{message}");
    }
}

fn unique(own: *mut aclTensor, values: *mut aclTensor, inverse: *mut aclTensor) -> Planned {
    let operator = EMULATOR.operators.Unique().expect("declared");
    // SAFETY: as above.
    plan(|size, executor| unsafe {
        operator.get_workspace_size(own, true, false, values, inverse, size, executor)
    })
}

#[test]
#[serial]
fn unique_elements_that_have_no_room_fail_the_stream() {
    let _device = Device::set();
    let given = of(&[1.0f32, 2.0, 1.0]);
    assert_eq!(launched!(Unique, unique(given, out(F32, &[2]), out(I64, &[1]))).0, 0);
    let (code, message) = launched!(Unique, unique(given, out(F32, &[1]), out(I64, &[1])));
    assert_eq!(code, ACL_ERROR_RT_AICORE_EXCEPTION, "{message}");
    assert!(message.contains("has 1 elements, but the result has 2"), "{message}");
}

#[test]
#[serial]
fn sizes_are_set_when_unique_elements_are_computed_and_such_plans_do_not_repeat() {
    let (_device, _cache) = (Device::set(), control::executor_cache(10_000));
    let (given, values, inverse) = (of(&[4.0f32, 4.0, 1.0]), out(F32, &[3]), out(I64, &[1]));
    let planned = unique(given, values, inverse);
    assert_eq!(sizes(values), [3]);
    // SAFETY: the executor is live.
    let repeats = code(unsafe { EMULATOR.meta.aclSetAclOpExecutorRepeatable(planned.executor) });
    assert_eq!(repeats, ACLNN_ERR_INNER, "{}", message());
    assert_eq!(launched!(Unique, planned).0, 0);
    assert_eq!((sizes(values), sizes(inverse)), (vec![2], vec![1]));

    let strided = strided(F32, &[3], Some(&[2]), 0, &[5], malloc(64));
    let refused = unique(given, strided, inverse);
    assert_eq!(refused.code, ACLNN_ERR_INNER_NULLPTR);
    assert!(refused.message.contains("value_out is not contiguous"), "{}", refused.message);
    let other = unique(given, out(I64, &[3]), inverse);
    assert!(
        other.code == ACLNN_ERR_PARAM_INVALID && other.message.contains("value_out is i64"),
        "{}",
        other.message
    );
}

#[test]
#[serial]
fn a_searched_number_has_one_position() {
    let _device = Device::set();
    let operator = EMULATOR.operators.SearchSorteds().expect("declared");
    let (sequence, number, found) = (of(&[1.0f32, 2.0, 3.0]), scalar(2.5f32), out(I64, &[2, 2]));
    // SAFETY: as above.
    let planned = plan(|size, executor| unsafe {
        operator.get_workspace_size(sequence, number, false, false, ptr::null(), found, size, executor)
    });
    assert_eq!(sizes(found), [1]);
    assert_eq!(launched!(SearchSorteds, planned).0, 0);
    let mut memory = ptr::null_mut();
    // SAFETY: the tensor is live.
    ok(unsafe { EMULATOR.meta.aclGetRawTensorAddr(found, &mut memory) });
    assert_eq!(read::<i64>(memory, 1), [2]);
}

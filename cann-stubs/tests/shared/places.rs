//! Numbers of tensors that name what does not exist. They are read when the operator runs, and fail the stream.

use std::ffi::c_void;

use aclnn_numerics::DType::{self, F16, F32, I8, I32, I64};
use aclnn_numerics::{Element, f16};
use aclnn_sys::ACL_ERROR_RT_AICORE_EXCEPTION;
use aclnn_sys::operators::Argument as Passed;

use crate::support::cases::planned;
use crate::support::*;

fn filled<T: Element>(dtype: DType, dims: &[i64], elements: &[T]) -> Passed {
    let memory: *mut c_void = malloc(size_of_val(elements));
    write(memory, elements);
    Passed::Tensor(tensor(dtype, dims, memory))
}

fn numbers(dtype: DType, dims: &[i64]) -> Passed {
    let count = dims.iter().product::<i64>() as usize;
    match dtype {
        F16 => filled(dtype, dims, &vec![f16::from_f32(1.0); count]),
        F32 => filled(dtype, dims, &vec![1.0_f32; count]),
        I8 => filled(dtype, dims, &vec![1_i8; count]),
        _ => filled(dtype, dims, &vec![0_i64; count]),
    }
}

/// Runs an operator on a stream of its own, and returns the code of the stream with the message.
fn run(name: &str, arguments: &[Passed]) -> (i32, String) {
    let planned = planned(name, arguments);
    assert_eq!(planned.code, 0, "{}", planned.message);
    let launch = EMULATOR.operators.by_name(name).unwrap().unwrap().launcher();
    let (stream, memory) = (runtime::create_stream(), malloc(planned.workspace.max(1) as usize));
    // SAFETY: of this operator.
    let code = unsafe { launch(memory, planned.workspace, planned.executor, stream) };
    assert_eq!(code, 0, "{}", message());
    let code = runtime::call!(aclrtSynchronizeStream(stream));
    let text = message();
    runtime::call!(aclrtDestroyStream(stream));
    (code, text)
}

fn fails(name: &str, arguments: &[Passed], named: &str) {
    let (code, text) = run(name, arguments);
    assert_eq!(code, ACL_ERROR_RT_AICORE_EXCEPTION, "{name}: {text}");
    assert!(text.contains(named), "{name}: {text}");
}

/// A row may name a block twice, but not so often that its keys have no bound.
#[test]
fn blocks_that_are_named_too_often_fail_the_stream() {
    let _device = Device::set();
    let ends = |end: i64| {
        // SAFETY: one number is read.
        Passed::Ints(unsafe { EMULATOR.meta.aclCreateIntArray(&end, 1) }.expect("declared"))
    };
    for (blocks, is_refused) in
        [([0, 0, -1], false), ([0, 1, -1], false), ([0, 1, 0], true), ([0, 9, 1], false)]
    {
        let arguments = [
            numbers(F16, &[1, 1, 16]),
            numbers(F16, &[4, 1, 16]),
            numbers(F16, &[4, 1, 16]),
            filled(I32, &[1, 1, 3], &blocks),
            Passed::Null,
            ends(1),
            ends(4),
            Passed::Float(0.5),
            Passed::Int(1),
            Passed::Text(c"TND".as_ptr().cast_mut()),
            Passed::Int(0),
            Passed::Int(2),
            Passed::Int(3),
            numbers(F32, &[1, 1, 8]),
            numbers(F32, &[1, 1, 8]),
            numbers(F16, &[1, 1, 16]),
        ];
        match is_refused {
            true => fails("NsaSelectedAttention", &arguments, "sees 4 keys"),
            false => assert_eq!(run("NsaSelectedAttention", &arguments).0, 0, "{blocks:?}"),
        }
    }
}

#[test]
fn blocks_and_slots_that_a_cache_lacks_fail_the_stream() {
    let _device = Device::set();
    let call = |dtype: DType, block: i64, size: i64| {
        let own = |dims: &[i64], number: i64| match dtype {
            I32 => filled(I32, dims, &[number as i32]),
            _ => filled(I64, dims, &[number]),
        };
        let sizes = [1, 1, size].map(Passed::Int);
        let [one, place] = [0, 0].map(|number| own(&[1], number));
        [
            own(&[1], 0),
            own(&[1, 1], 7),
            place,
            one,
            own(&[1], 0),
            own(&[1, 1], block),
            sizes[0],
            sizes[1],
            sizes[2],
        ]
    };
    for (dtype, block, size) in [(I64, -1, 4), (I32, -7, 4), (I32, 3, 1 << 30), (I64, 3, 1 << 62)] {
        fails("AdvanceStep", &call(dtype, block, size), &format!("has block {block} for place 0"));
    }
    assert_eq!(run("AdvanceStep", &call(I32, 1, 1 << 30)).0, 0);
}

#[test]
fn rows_of_a_result_that_do_not_exist_fail_the_stream() {
    let _device = Device::set();
    // Two rows are in the group; the third has any place.
    for (places, named) in
        [([1_i64, 2, 0], Some("2 for row 1")), ([-1, 0, 0], Some("-1 for row 0")), ([1, 0, 9], None)]
    {
        let arguments = [
            numbers(I8, &[3, 4]),
            numbers(I8, &[1, 4, 5]),
            numbers(F32, &[1, 5]),
            Passed::Null,
            numbers(F32, &[3]),
            filled(I64, &[1], &[2_i64]),
            Passed::Null,
            Passed::Null,
            filled(I64, &[3], &places),
            Passed::Int(0),
            Passed::Float(1.0),
            Passed::Int(0),
            Passed::Bool(false),
            Passed::Bool(false),
            Passed::Int(0),
            numbers(F32, &[2, 5]),
        ];
        match named {
            Some(named) => fails("GroupedMatmulFinalizeRouting", &arguments, named),
            None => assert_eq!(run("GroupedMatmulFinalizeRouting", &arguments).0, 0),
        }
    }
}

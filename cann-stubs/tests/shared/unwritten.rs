//! Results that cannot be written to their outputs: phase one finds that out last, or not at all where nothing is written.

use std::ptr;

use super::refusals::{INNER_NULL, INVALID, NULL, described, refused};
use crate::support::*;
use aclnn_numerics::DType::{Bool, F8E5M2, F16, F32, I64, U16};
use aclnn_sys::*;

/// An output that nothing writes is found out last: other mistakes come first, and without elements there is nothing to
/// write.
#[test]
fn what_is_not_written_is_refused_last() {
    let (floats, halves, longer) = (described(F32, &[2]), described(F16, &[2]), described(F16, &[3]));
    let (none, no_halves) = (described(F32, &[0]), described(F16, &[0]));
    let heaviside = EMULATOR.operators.Heaviside().expect("declared");
    let heaviside = |own, values, out| {
        // SAFETY: the handles are the emulator's; the places are valid.
        plan(|size, executor| unsafe { heaviside.get_workspace_size(own, values, out, size, executor) })
    };
    refused(&heaviside(floats, floats, halves), INNER_NULL, &["f32", "f16 of out"]);
    refused(&heaviside(floats, floats, longer), INVALID, &["shape"]);
    assert_eq!(heaviside(none, none, no_halves).code, 0);
    let gelu = EMULATOR.operators.GeluBackward().expect("declared");
    let gelu = |own, out| {
        // SAFETY: the handles are the emulator's; the places are valid.
        plan(|size, executor| unsafe { gelu.get_workspace_size(own, own, out, size, executor) })
    };
    refused(&gelu(floats, described(F8E5M2, &[2])), INNER_NULL, &["f32"]);
    refused(&gelu(floats, described(F8E5M2, &[3])), INVALID, &["shape"]);
    assert_eq!(gelu(none, described(F8E5M2, &[0])).code, 0);
    let layer_norm = EMULATOR.operators.FastLayerNorm().expect("declared");
    // SAFETY: the place holds one number.
    let sizes = unsafe { EMULATOR.meta.aclCreateIntArray([2_i64].as_ptr(), 1) }.expect("declared");
    // SAFETY: nothing is read of an empty array.
    let all = unsafe { EMULATOR.meta.aclCreateIntArray(ptr::null(), 0) }.expect("declared");
    let layer_norm = |own, weight, out| {
        let none = ptr::null_mut();
        // SAFETY: the handles are the emulator's or null; the places are valid.
        plan(|size, executor| unsafe {
            layer_norm.get_workspace_size(
                own,
                sizes,
                weight,
                ptr::null(),
                1e-5,
                out,
                none,
                none,
                size,
                executor,
            )
        })
    };
    refused(&layer_norm(floats, ptr::null(), halves), INNER_NULL, &["f16 of out"]);
    let three = described(F32, &[3]);
    refused(&layer_norm(floats, three, halves), INVALID, &["weight"]);
    assert_eq!(layer_norm(described(F32, &[0, 2]), ptr::null(), described(F16, &[0, 2])).code, 0);
    let batch_norm = EMULATOR.operators.BatchNorm().expect("declared");
    let (images, written) = (described(F32, &[3, 2]), described(F16, &[3, 2]));
    let batch_norm = |weight| {
        let no = ptr::null_mut();
        // SAFETY: the handles are the emulator's or null; the places are valid.
        plan(|size, executor| unsafe {
            batch_norm.get_workspace_size(
                images, weight, no, no, no, false, 0.1, 1e-5, written, no, no, size, executor,
            )
        })
    };
    refused(&batch_norm(ptr::null()), INNER_NULL, &["f16"]);
    refused(&batch_norm(three), INVALID, &["weight"]);
    let log_sum = EMULATOR.operators.ReduceLogSum().expect("declared");
    let log_sum = |out| {
        // SAFETY: the handles are the emulator's; the places are valid.
        plan(|size, executor| unsafe {
            log_sum.get_workspace_size(images, all, false, false, out, size, executor)
        })
    };
    refused(&log_sum(described(F16, &[])), INNER_NULL, &["reduce is f16"]);
    refused(&log_sum(halves), INVALID, &["shape"]);
    let bools = described(Bool, &[0]);
    for (name, arguments) in [
        ("IsClose", vec![none, none, no_halves]),
        ("SWhere", vec![bools, bools, bools, no_halves]),
        ("SWhere", vec![bools, none, described(U16, &[0]), none]),
        ("Cast", vec![none, no_halves]),
    ] {
        let mut passed: Vec<_> = arguments.into_iter().map(operators::Argument::Tensor).collect();
        match name {
            "IsClose" => {
                let numbers = [operators::Argument::Float(1e-5), operators::Argument::Float(1e-8)];
                passed.splice(2..2, numbers.into_iter().chain([operators::Argument::Bool(false)]));
            }
            "Cast" => passed.insert(1, operators::Argument::DType(ACL_INT32)),
            _ => {}
        }
        let operator = EMULATOR.operators.by_name(name).expect("declared").expect("the emulator has it");
        // SAFETY: the handles are the emulator's; the places are valid.
        let planned = plan(|size, executor| unsafe {
            operator.get_workspace_size(&passed, size, executor).expect("its kinds")
        });
        assert_eq!(planned.code, 0, "{name}: {}", planned.message);
    }
}

/// A result that cannot be written is an internal failure, to which these operators give the code of null.
#[test]
fn some_operators_answer_what_fails_inside_with_the_code_of_null() {
    let own = described(F32, &[2, 3]);
    // Two elements, of which the second lies behind the storage.
    let outside = |dtype| strided(dtype, &[2], Some(&[5]), 0, &[2], ptr::null_mut());
    let [values, indices] = [outside(F32), outside(I64)];
    let planned = |name: &str, arguments: &[operators::Argument]| {
        let operator = EMULATOR.operators.by_name(name).expect("declared").expect("the emulator has it");
        // SAFETY: the handles are the emulator's; the places are valid.
        plan(|size, executor| unsafe {
            operator.get_workspace_size(arguments, size, executor).expect("its kinds")
        })
    };
    let (dim, keeps) = (operators::Argument::Int(1), operators::Argument::Bool(false));
    let good = [described(F32, &[2]), described(I64, &[2])];
    for name in ["MaxDim", "MinDim", "MedianDim", "NanMedianDim"] {
        for [values, indices] in [[values, good[1]], [good[0], indices]] {
            let outs = [values, indices].map(operators::Argument::Tensor);
            let planned = planned(name, &[operators::Argument::Tensor(own), dim, keeps, outs[0], outs[1]]);
            refused(&planned, NULL, &["storage"]);
        }
    }
}

//! Arange, Range and Linspace as a C program calls them. Expectations are the worked examples of the printed rules, and the
//! rules themselves in a loop.

use std::ptr;

use crate::support::*;
use aclnn_numerics::DType::{self, BF16, F16, F32, F64, I32, I64};
use aclnn_numerics::{bf16, f16};

/// The elements of a tensor of numbers as f64, in which all of these tests are exact.
fn values(dtype: DType, memory: *mut std::ffi::c_void, count: usize) -> Vec<f64> {
    match dtype {
        F32 => read::<f32>(memory, count).into_iter().map(f64::from).collect(),
        F16 => read::<f16>(memory, count).into_iter().map(f64::from).collect(),
        BF16 => read::<bf16>(memory, count).into_iter().map(f64::from).collect(),
        F64 => read(memory, count),
        I32 => read::<i32>(memory, count).into_iter().map(f64::from).collect(),
        I64 => read::<i64>(memory, count).into_iter().map(|value| value as f64).collect(),
        other => panic!("{other} is not of these tests"),
    }
}

/// Runs an operator on an output of `count` elements, all -1 before; its elements afterwards.
macro_rules! run {
    ($operator:ident($($argument:expr),*) => $dtype:expr, $count:expr) => {{
        let _device = Device::set();
        let (dtype, count): (DType, usize) = ($dtype, $count);
        let memory = malloc(8 * count.max(1));
        let out = tensor(dtype, &[count as i64], memory);
        let fill = EMULATOR.operators.InplaceFillScalar().expect("declared");
        let operator = EMULATOR.operators.$operator().expect("declared");
        let minus = scalar(-1_f32);
        // SAFETY: the handles are the emulator's, the places valid; nothing asks for workspace, null is the default stream.
        unsafe {
            let filled = plan(|size, executor| fill.get_workspace_size(out, minus, size, executor));
            assert_eq!(filled.code, 0, "{}", filled.message);
            assert_eq!(fill.launch(ptr::null_mut(), 0, filled.executor, ptr::null_mut()), 0);
            let planned = plan(|size, executor| operator.get_workspace_size($($argument,)* out, size, executor));
            assert_eq!(planned.code, 0, "{}", planned.message);
            let code = operator.launch(ptr::null_mut(), 0, planned.executor, ptr::null_mut());
            assert_eq!(code, 0, "{}", message());
            ok(EMULATOR.runtime.aclrtSynchronizeStream(ptr::null_mut()));
        }
        values(dtype, memory, count)
    }};
}

/// Arange rounds each element to the type of the output; Range counts its end in.
#[test]
fn worked_examples() {
    for (start, end, step, dtype, count, expected) in [
        (0.0, 10.0, 3.0, I32, 4, &[0.0, 3.0, 6.0, 9.0][..]),
        (5.0, 0.0, -2.0, I64, 3, &[5.0, 3.0, 1.0]),
        (0.0, 1.0, 0.25, F32, 4, &[0.0, 0.25, 0.5, 0.75]),
        (2046.0, 2053.0, 1.0, F16, 7, &[2046.0, 2047.0, 2048.0, 2048.0, 2050.0, 2052.0, 2052.0]),
        (254.0, 260.0, 1.0, BF16, 6, &[254.0, 255.0, 256.0, 256.0, 258.0, 260.0]),
        (0.0, 5.0, 2.5, I32, 2, &[0.0, 2.0]),
        // The output decides how many of them are written, and what is not written stays.
        (0.0, 4.0, 1.0, I32, 6, &[0.0, 1.0, 2.0, 3.0, -1.0, -1.0]),
        (0.0, 4.0, 1.0, I32, 2, &[0.0, 1.0]),
        (0.0, 4.0, 1.0, F64, 6, &[0.0, 1.0, 2.0, 3.0, -1.0, -1.0]),
    ] {
        let got = run!(Arange(scalar(start), scalar(end), scalar(step)) => dtype, count);
        assert_eq!(got, expected, "{start} to {end} by {step}");
    }
    for (start, end, step, dtype, count, expected) in [
        (0, 4, 2, I32, 3, &[0.0, 2.0, 4.0][..]),
        (0, 5, 2, I32, 3, &[0.0, 2.0, 4.0]),
        (3, 3, 1, I32, 1, &[3.0]),
    ] {
        let got = run!(Range(scalar(start), scalar(end), scalar(step)) => dtype, count);
        assert_eq!(got, expected, "{start} to {end} by {step}");
    }
}

/// Linspace makes as many as there are steps, from the start to the end.
#[test]
fn evenly_spaced_numbers() {
    for (steps, expected) in [
        (0, &[][..]),
        (1, &[2.0]),
        (2, &[2.0, 8.0]),
        (4, &[2.0, 4.0, 6.0, 8.0]),
        (5, &[2.0, 3.5, 5.0, 6.5, 8.0]),
    ] {
        let got = run!(Linspace(scalar(2_f32), scalar(8_f32), steps as i64) => F32, steps);
        assert_eq!(got, expected);
    }
}

/// A range writes no more elements than its output has, and takes no memory for the others that it counts.
#[test]
fn ranges_far_longer_than_their_output() {
    for dtype in [F32, F16, F64, I32, I64] {
        for end in [scalar(1_i64 << 61), scalar(1_i64 << 29), scalar(1e300_f64), scalar(f64::INFINITY)] {
            assert_eq!(run!(Arange(scalar(0_i64), end, scalar(1_i64)) => dtype, 4), [0.0, 1.0, 2.0, 3.0]);
            assert_eq!(run!(Range(scalar(0_i64), end, scalar(1_i64)) => dtype, 4), [0.0, 1.0, 2.0, 3.0]);
        }
    }
}

/// Each element of f64 is the one before plus the step, however many blocks lie between.
/// So many bytes that they are written past the caches; behind the last number the elements of a fill stay.
#[test]
fn ranges_that_the_caches_do_not_hold() {
    fn check(dtype: DType, step: f64, numbers: usize, element: impl Fn(f64) -> f64) {
        let end = step * numbers as f64;
        let got = run!(Arange(scalar(0.0), scalar(end), scalar(step)) => dtype, numbers + 3);
        let expected = |index: usize| if index < numbers { element(step * index as f64) } else { -1.0 };
        let differ = got.iter().enumerate().position(|(index, got)| *got != expected(index));
        assert_eq!(differ, None, "the element of {dtype} that differs");
    }
    check(I32, 1.0, 7_000_001, |value| value);
    check(I64, -3.0, 3_500_005, |value| value);
    // Exact in f32, so that each is rounded once.
    check(F16, 1.0 / 2048.0, 13_000_007, |value| f64::from(f16::from_f32(value as f32)));
    check(BF16, 0.25, 13_000_001, |value| f64::from(bf16::from_f32(value as f32)));
}

#[test]
fn long_ranges_of_f64_accumulate() {
    const COUNT: usize = 300_000;
    for _ in 0..2 {
        let mut expected = 0.0;
        let got = run!(Arange(scalar(0_f64), scalar(0.1 * COUNT as f64), scalar(0.1_f64)) => F64, COUNT);
        for (index, value) in got.into_iter().enumerate() {
            assert_eq!(value, expected, "element {index}");
            expected += 0.1;
        }
    }
}

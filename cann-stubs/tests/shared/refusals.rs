//! What phase one refuses: CANN's code, a message that names the reason, and nothing handed out.

use std::ptr;

use crate::support::*;
use aclnn_numerics::DType::{Bool, C32, C64, F32, I8, I32, I64, U16};
use aclnn_sys::*;

pub(super) const NULL: i32 = ACLNN_ERR_PARAM_NULLPTR;
pub(super) const INVALID: i32 = ACLNN_ERR_PARAM_INVALID;
pub(super) const INNER_NULL: i32 = ACLNN_ERR_INNER_NULLPTR;

#[track_caller]
pub(super) fn refused(planned: &Planned, code: i32, words: &[&str]) {
    assert_eq!(planned.code, code, "{}", planned.message);
    for word in words {
        assert!(planned.message.contains(word), "{word:?} is not in {:?}", planned.message);
    }
}

/// A tensor whose memory does not matter.
pub(super) fn described(dtype: aclnn_numerics::DType, dims: &[i64]) -> *mut aclTensor {
    tensor(dtype, dims, ptr::null_mut())
}

fn add(
    own: *const aclTensor,
    other: *const aclTensor,
    alpha: *const aclScalar,
    out: *mut aclTensor,
) -> Planned {
    let add = EMULATOR.operators.Add().expect("declared");
    // SAFETY: the handles are the emulator's or null; the places are valid.
    plan(|workspace, executor| unsafe { add.get_workspace_size(own, other, alpha, out, workspace, executor) })
}

#[test]
fn null_arguments() {
    let (a, one) = (described(F32, &[2]), scalar(1_f32));
    refused(&add(ptr::null(), a, one, a), NULL, &["self is null"]);
    refused(&add(a, ptr::null(), one, a), NULL, &["other is null"]);
    refused(&add(a, a, ptr::null(), a), NULL, &["alpha is null"]);
    refused(&add(a, a, one, ptr::null_mut()), NULL, &["out is null"]);
    let operator = EMULATOR.operators.Add().expect("declared");
    let mut size = 0;
    // SAFETY: a null place is what the test passes.
    let code = unsafe { operator.get_workspace_size(a, a, one, a, &mut size, ptr::null_mut()) };
    assert_eq!(code, NULL);
    assert!(message().contains("executor is null"));
}

#[test]
fn types_off_the_list_and_pairs_that_do_not_promote() {
    let one = scalar(1_i64);
    let (u16s, c32s) = (described(U16, &[3]), described(C32, &[3]));
    let f32s = described(F32, &[2, 3]);
    refused(
        &add(u16s, f32s, one, f32s),
        INVALID,
        &["self is u16", "the operator takes f32", "self u16[3]", "other f32[2, 3]"],
    );
    refused(&add(f32s, c32s, one, f32s), INVALID, &["other is c32"]);
    let (fill, value) = (EMULATOR.operators.InplaceFillScalar().expect("declared"), scalar(1_f32));
    // SAFETY: the handles are the emulator's; the places are valid.
    let planned =
        plan(|workspace, executor| unsafe { fill.get_workspace_size(u16s, value, workspace, executor) });
    refused(&planned, INVALID, &["u16", "f32"]);
}

#[test]
fn shapes() {
    let one = scalar(1_f32);
    let (a, b, wrong) = (described(F32, &[2, 3]), described(F32, &[4]), described(F32, &[3, 2]));
    let row = described(F32, &[3]);
    refused(&add(a, b, one, a), INVALID, &["do not broadcast", "[2, 3]", "[4]"]);
    refused(&add(a, row, one, wrong), INVALID, &["out has shape [3, 2]", "[2, 3]"]);
    refused(&add(row, a, one, row), INVALID, &["out has shape [3]"]);
    let deep = described(F32, &[1; 9]);
    refused(&add(deep, a, one, a), INVALID, &["9 axes"]);
    let most = described(F32, &[1; 8]);
    assert_eq!(add(most, most, one, most).code, 0, "eight axes are the most");
    let (empty, two) = (described(F32, &[0]), described(F32, &[2]));
    refused(&add(empty, two, one, empty), INVALID, &["do not broadcast"]);
    let negative = described(F32, &[-2]);
    refused(&add(negative, two, one, two), INVALID, &["negative"]);
}

#[test]
fn results_and_alphas_that_are_not_converted() {
    let (floats, ints, bools) = (described(F32, &[2]), described(I32, &[2]), described(Bool, &[2]));
    let complex = described(C64, &[2]);
    let (int_one, float_one) = (scalar(1_i64), scalar(1_f32));
    refused(&add(floats, ints, int_one, ints), INVALID, &["the result is f32", "i32 of out"]);
    refused(&add(complex, floats, int_one, floats), INVALID, &["the result is c64"]);
    refused(&add(ints, ints, int_one, bools), INVALID, &["bool of out"]);
    refused(&add(ints, ints, float_one, ints), INVALID, &["alpha is f32", "i32"]);
    refused(&add(bools, bools, float_one, bools), INVALID, &["alpha is f32", "bool"]);
}

#[test]
fn in_place_operands_do_not_grow() {
    let (row, matrix, ints) = (described(F32, &[3]), described(F32, &[2, 3]), described(I32, &[3]));
    let add = EMULATOR.operators.InplaceAdd().expect("declared");
    let one = scalar(1_i64);
    let in_place = |own, other| {
        // SAFETY: the handles are the emulator's; the places are valid.
        plan(|size, executor| unsafe { add.get_workspace_size(own, other, one, size, executor) })
    };
    refused(&in_place(row, matrix), INVALID, &["self has shape [3]"]);
    refused(&in_place(ints, row), INVALID, &["the result is f32"]);
}

#[test]
fn division_of_integers_may_end_in_integers() {
    let ints = described(I32, &[0]);
    let div = EMULATOR.operators.Div().expect("declared");
    // SAFETY: the handles are the emulator's; the places are valid.
    let planned = plan(|size, executor| unsafe { div.get_workspace_size(ints, ints, ints, size, executor) });
    assert_eq!((planned.code, planned.workspace), (0, 0), "{}", planned.message);
    // SAFETY: the executor is live.
    ok(unsafe { EMULATOR.meta.aclDestroyAclOpExecutor(planned.executor) });
}

#[test]
fn casts() {
    let (a, ints, short) = (described(F32, &[2]), described(I32, &[2]), described(I32, &[1]));
    let cast = EMULATOR.operators.Cast().expect("declared");
    // SAFETY: the handles are the emulator's; the places are valid.
    let cast =
        |out, dtype| plan(|size, executor| unsafe { cast.get_workspace_size(a, dtype, out, size, executor) });
    refused(&cast(ints, ACL_COMPLEX32), INVALID, &["dtype is c32"]);
    refused(&cast(ints, aclDataType(99)), INVALID, &["dtype is dtype 99"]);
    refused(&cast(short, ACL_INT32), INVALID, &["out has shape [1]"]);
    refused(&cast(ints, ACL_INT64), INNER_NULL, &["dtype is i64", "out is i32"]);
}

#[test]
fn ranges() {
    let (floats, ints, scalar_out) = (described(F32, &[4]), described(I32, &[4]), described(F32, &[]));
    let arange = EMULATOR.operators.Arange().expect("declared");
    let range = EMULATOR.operators.Range().expect("declared");
    let linspace = EMULATOR.operators.Linspace().expect("declared");
    let (zero, four, half, minus) = (scalar(0_i64), scalar(4_i64), scalar(0.5_f64), scalar(-1_i64));
    let complex = scalar(aclnn_numerics::Complex::new(1_f32, 0.0));
    let arange = |start, end, step, out| {
        // SAFETY: the handles are the emulator's or null; the places are valid.
        plan(|size, executor| unsafe { arange.get_workspace_size(start, end, step, out, size, executor) })
    };
    let range = |start, end, step, out| {
        // SAFETY: the handles are the emulator's or null; the places are valid.
        plan(|size, executor| unsafe { range.get_workspace_size(start, end, step, out, size, executor) })
    };
    let linspace = |start, end, steps, out| {
        // SAFETY: the handles are the emulator's or null; the places are valid.
        plan(|size, executor| unsafe { linspace.get_workspace_size(start, end, steps, out, size, executor) })
    };
    refused(&arange(ptr::null(), four, half, floats), NULL, &["start is null"]);
    refused(&range(ptr::null(), four, half, floats), INNER_NULL, &["start is null"]);
    refused(&linspace(ptr::null(), four, 4, floats), INNER_NULL, &["start is null"]);
    refused(&arange(zero, four, half, ints), INVALID, &["step 0.5", "zero"]);
    refused(&arange(zero, four, zero, floats), INVALID, &["zero"]);
    refused(&arange(four, zero, half, floats), INVALID, &["leads away"]);
    refused(&arange(zero, four, minus, floats), INVALID, &["leads away"]);
    refused(&arange(complex, four, half, floats), INVALID, &["start is c64"]);
    refused(&arange(zero, four, half, described(I8, &[4])), INVALID, &["out is i8"]);
    refused(&range(zero, four, half, scalar_out), INVALID, &["no axis"]);
    refused(&linspace(zero, four, 3, floats), INVALID, &["steps is 3", "[4]"]);
    refused(&linspace(zero, four, -1, floats), INVALID, &["steps is -1"]);
    refused(&linspace(complex, four, 4, floats), INVALID, &["start is c64"]);
}

#[test]
fn views_beyond_their_storage() {
    let one = scalar(1_f32);
    let beyond = strided(F32, &[2, 2], Some(&[4, 1]), 0, &[5], ptr::null_mut());
    refused(&add(beyond, beyond, one, described(F32, &[2, 2])), INNER_NULL, &["self reaches", "5 elements"]);
    let before = strided(F32, &[2], Some(&[-1]), 0, &[5], ptr::null_mut());
    refused(&add(before, before, one, described(F32, &[2])), INNER_NULL, &["self reaches"]);
}

/// No size, stride or count that a caller gives overflows or takes memory by itself.
#[test]
fn numbers_beyond_any_memory() {
    const MOST: i64 = i64::MAX;
    let one = scalar(1_f32);
    type View = (&'static [i64], &'static [i64], i64, &'static [i64]);
    let cases: [View; 7] = [
        (&[2], &[MOST], 0, &[2]),
        (&[1], &[MOST], 0, &[1]),
        (&[1, 1], &[MOST, -MOST], MOST, &[1]),
        (&[MOST, MOST], &[0, 0], 0, &[1]),
        (&[MOST, MOST, MOST], &[MOST, 1, 0], 0, &[MOST; 8]),
        (&[1 << 40, 1 << 40], &[1 << 40, 1], 0, &[1 << 40, 1 << 40]),
        (&[2, 2], &[i64::MIN, i64::MIN], MOST, &[4]),
    ];
    for (dims, strides, offset, storage) in cases {
        let odd = strided(F32, dims, Some(strides), offset, storage, ptr::null_mut());
        let plain = described(F32, dims);
        for (own, out) in [(odd, odd), (odd, plain), (plain, odd)] {
            let planned = add(own, own, one, out);
            assert!(!planned.message.contains("internal error"), "{dims:?} {strides:?}: {}", planned.message);
            if planned.code == 0 {
                // SAFETY: the executor is live.
                let code = unsafe { EMULATOR.meta.aclDestroyAclOpExecutor(planned.executor) };
                assert_eq!(code, Ok(0));
            }
        }
    }
}

/// Of the sizes of an empty tensor, those that are not 0 may be multiplied.
#[test]
fn sizes_whose_product_overflows_beside_an_empty_axis() {
    let abs = EMULATOR.operators.Abs().expect("declared");
    for dims in [[0, 1 << 62, 1 << 62], [1 << 62, 0, 1 << 62], [1 << 31, 1 << 32, 1]] {
        let own = described(F32, &dims);
        // SAFETY: the handles are the emulator's; the places are valid.
        let planned = plan(|size, executor| unsafe { abs.get_workspace_size(own, own, size, executor) });
        refused(&planned, INVALID, &["self has more elements than can be counted"]);
    }
}

/// A plan takes no memory for each index of an axis: what an axis of any size is split into is counted first, and a matrix of
/// any height has two kinds of diagonals.
#[test]
fn plans_do_not_grow_with_sizes() {
    let tall = described(F32, &[1 << 60, 1]);
    let split = EMULATOR.operators.SplitTensor().expect("declared");
    let part = described(F32, &[1, 1]);
    // SAFETY: the list takes the one tensor that is passed.
    let parts =
        unsafe { EMULATOR.meta.aclCreateTensorList([part.cast_const()].as_ptr(), 1) }.expect("declared");
    // SAFETY: the handles are the emulator's; the places are valid.
    let planned =
        plan(|size, executor| unsafe { split.get_workspace_size(tall, 1, 0, parts, size, executor) });
    refused(&planned, INVALID, &[&format!("{} parts", 1_u64 << 60), "1 tensors"]);
    let (fill, one) = (EMULATOR.operators.InplaceFillDiagonal().expect("declared"), scalar(1_f32));
    // SAFETY: the handles are the emulator's; the places are valid.
    let planned = plan(|size, executor| unsafe { fill.get_workspace_size(tall, one, true, size, executor) });
    assert_eq!(planned.code, 0, "{}", planned.message);
    // SAFETY: the executor is live.
    assert_eq!(unsafe { EMULATOR.meta.aclDestroyAclOpExecutor(planned.executor) }, Ok(0));
}

/// Windows over images, and images in another size: what no device has is refused before sizes overflow.
#[test]
fn plans_of_images_do_not_grow_with_sizes() {
    let image =
        |dims: &[i64]| formatted(aclFormat::of_rank(dims.len()), F32, dims, None, 0, dims, ptr::null_mut());
    // SAFETY: the values have the length that is passed.
    let ints = |values: &[i64]| unsafe {
        EMULATOR.meta.aclCreateIntArray(values.as_ptr(), values.len() as u64).expect("declared")
    };
    let planned_and_gone = |planned: &Planned| {
        assert_eq!(planned.code, 0, "{}", planned.message);
        // SAFETY: the executor is live.
        assert_eq!(unsafe { EMULATOR.meta.aclDestroyAclOpExecutor(planned.executor) }, Ok(0));
    };
    let (large, most) = (1 << 29, i64::from(i32::MAX));
    let (one, none, far) = (ints(&[1]), ints(&[0]), ints(&[most]));
    let (wide, line) = (image(&[1, 1, 1 << 8, large]), image(&[1, 1, large]));
    let pool = EMULATOR.operators.AvgPool2d().expect("declared");
    let nearest = EMULATOR.operators.UpsampleNearest1d().expect("declared");
    let convolve = EMULATOR.operators.Convolution().expect("declared");
    // SAFETY: the handles are the emulator's; the places are valid.
    planned_and_gone(&plan(|size, executor| unsafe {
        pool.get_workspace_size(wide, one, one, none, false, true, 0, 0, wide, size, executor)
    }));
    let sizes = ints(&[large]);
    // SAFETY: as above.
    planned_and_gone(&plan(|size, executor| unsafe {
        nearest.get_workspace_size(line, sizes, line, size, executor)
    }));
    let kernel = image(&[1, 1, 3]);
    for (own, transposed) in
        [(image(&[1, 1, 1 << 62]), false), (line, true), (image(&[1 << 30, 1 << 30, 1]), true)]
    {
        // SAFETY: as above.
        let planned = plan(|size, executor| unsafe {
            convolve.get_workspace_size(
                own,
                kernel,
                ptr::null(),
                far,
                none,
                one,
                transposed,
                none,
                1,
                line,
                0,
                size,
                executor,
            )
        });
        refused(&planned, INVALID, &["has shape"]);
    }
}

/// Sizes of grids and of cells that no device has are refused before they overflow.
#[test]
fn plans_of_grids_and_cells_do_not_grow_with_sizes() {
    let sample = EMULATOR.operators.GridSampler2D().expect("declared");
    let large = 1 << 31;
    let image = |dims: &[i64]| formatted(ACL_FORMAT_NCHW, F32, dims, None, 0, dims, ptr::null_mut());
    let (own, grid) = (image(&[1, large, 1, 1]), image(&[1, large, 1, 2]));
    let out = image(&[1, large, large, 1]);
    // SAFETY: the handles are the emulator's; the places are valid.
    let planned = plan(|size, executor| unsafe {
        sample.get_workspace_size(own, grid, 0, 0, false, out, size, executor)
    });
    refused(&planned, INVALID, &["no device has so much memory"]);
    let cell = EMULATOR.operators.ThnnFusedLstmCellBackward().expect("declared");
    let (states, gates) = (described(F32, &[1 << 40, 1 << 40]), described(F32, &[1 << 40, 1 << 42]));
    let bias = described(F32, &[1 << 42]);
    // SAFETY: as above.
    let planned = plan(|size, executor| unsafe {
        cell.get_workspace_size(
            states, states, states, states, gates, true, gates, states, bias, size, executor,
        )
    });
    refused(&planned, INVALID, &["more elements than can be counted"]);
}

/// Lerp counts axes only where an operand is not contiguous.
#[test]
fn weights_between_tensors_of_many_axes() {
    let lerp = EMULATOR.operators.Lerp().expect("declared");
    let (plain, deep) = ([1, 1, 1, 1, 1, 1, 1, 1, 3], [1, 1, 1, 1, 1, 1, 1, 1, 2]);
    let plain = described(F32, &plain);
    let spread = strided(F32, &[1, 1, 1, 1, 1, 1, 1, 1, 3], Some(&deep), 0, &[6], ptr::null_mut());
    for (end, code) in [(plain, 0), (spread, INVALID)] {
        // SAFETY: the handles are the emulator's; the places are valid.
        let planned = plan(|size, executor| unsafe {
            lerp.get_workspace_size(plain, end, plain, plain, size, executor)
        });
        assert_eq!(planned.code, code, "{}", planned.message);
    }
}

#[test]
fn empty_tensors_are_checked_and_then_nothing_is_done() {
    let _device = Device::set();
    let (empty, wrong, one) = (described(F32, &[0, 3]), described(U16, &[0, 3]), scalar(1_f32));
    refused(&add(wrong, empty, one, empty), INVALID, &["self is u16"]);
    let planned = add(empty, empty, one, empty);
    assert_eq!((planned.code, planned.workspace), (0, 0), "{}", planned.message);
    let operator = EMULATOR.operators.Add().expect("declared");
    assert_eq!(
        // SAFETY: the executor is live; the stream is the default one.
        unsafe { operator.launch(ptr::null_mut(), 0, planned.executor, ptr::null_mut()) },
        0,
        "{}",
        message()
    );
}

/// Cat without tensors ends before anything else is looked at, and does not say how much workspace it needs.
#[test]
fn joining_nothing_leaves_the_size_of_the_workspace() {
    let cat = EMULATOR.operators.Cat().expect("declared");
    // SAFETY: no tensors are read.
    let list = unsafe { EMULATOR.meta.aclCreateTensorList(ptr::null(), 0) }.expect("declared");
    // SAFETY: the handles are the emulator's or null; the places are valid.
    let planned =
        plan(|size, executor| unsafe { cat.get_workspace_size(list, 5, ptr::null_mut(), size, executor) });
    assert_eq!((planned.code, planned.workspace), (0, u64::MAX), "{}", planned.message);
    assert!(!planned.executor.is_null());
}

/// The values of `repeats` are read when the operator runs.
#[test]
fn repetitions_that_do_not_make_the_promised_size_fail_the_stream() {
    let _device = Device::set();
    let operator = EMULATOR.operators.RepeatInterleaveTensor().expect("declared");
    for counts in [[2_i64, 1, 1], [4, -1, 0]] {
        let (own, out) = (malloc(24), malloc(24));
        write(own, &counts);
        write(out, &[7_i64; 3]);
        let (repeats, result) = (tensor(I64, &[3], own), tensor(I64, &[3], out));
        // SAFETY: the handles are the emulator's; the places are valid.
        let planned =
            plan(|size, executor| unsafe { operator.get_workspace_size(repeats, 3, result, size, executor) });
        assert_eq!((planned.code, planned.workspace), (0, 0), "{}", planned.message);
        let stream = runtime::create_stream();
        // SAFETY: of this operator.
        let code = unsafe { operator.launch(ptr::null_mut(), 0, planned.executor, stream) };
        assert_eq!(code, 0, "{}", message());
        assert_eq!(runtime::call!(aclrtSynchronizeStream(stream)), ACL_ERROR_RT_AICORE_EXCEPTION);
        assert!(message().contains("outputSize is 3"), "{}", message());
        runtime::call!(aclrtDestroyStream(stream));
        assert_eq!(read::<i64>(out, 3), [7; 3]);
    }
}

/// Classes are read when the operator runs.
#[test]
fn classes_that_do_not_exist_fail_the_stream() {
    let _device = Device::set();
    let operator = EMULATOR.operators.NLLLoss().expect("declared");
    for (labels, named) in [([0_i64, 2], "class 2 for row 1"), ([-1, 1], "class -1 for row 0")] {
        let [own, target, weight, out, total] = [16, 16, 8, 4, 4].map(malloc);
        write(own, &[-1.0_f32; 4]);
        write(target, &labels);
        write(weight, &[1.0_f32; 2]);
        let [rows, classes] = [tensor(F32, &[2, 2], own), tensor(I64, &[2], target)];
        let weights = tensor(F32, &[2], weight);
        let results = [out, total].map(|memory| tensor(F32, &[], memory));
        // SAFETY: the handles are the emulator's; the places are valid.
        let planned = plan(|size, executor| unsafe {
            operator
                .get_workspace_size(rows, classes, weights, 1, -100, results[0], results[1], size, executor)
        });
        assert_eq!(planned.code, 0, "{}", planned.message);
        let stream = runtime::create_stream();
        // SAFETY: of this operator, which asks for no workspace.
        let code = unsafe { operator.launch(ptr::null_mut(), 0, planned.executor, stream) };
        assert_eq!((code, planned.workspace), (0, 0), "{}", message());
        assert_eq!(runtime::call!(aclrtSynchronizeStream(stream)), ACL_ERROR_RT_AICORE_EXCEPTION);
        assert!(message().contains(named), "{}", message());
        runtime::call!(aclrtDestroyStream(stream));
    }
}

/// Numbers of elements in a plane are read when the operator runs.
#[test]
fn elements_that_a_plane_does_not_have_fail_the_stream() {
    let _device = Device::set();
    let (forward, backward) = (EMULATOR.operators.MaxUnpool2d(), EMULATOR.operators.MaxUnpool2dBackward());
    let (forward, backward) = (forward.expect("declared"), backward.expect("declared"));
    for (number, is_gradient) in [(6_i64, false), (-1, false), (6, true), (-1, true)] {
        let [small, place, large] = [4, 8, 24].map(malloc);
        write(small, &[1.0_f32]);
        write(place, &[number]);
        write(large, &[0.0_f32; 6]);
        let image = |dims: &[i64], memory| formatted(ACL_FORMAT_NCHW, F32, dims, None, 0, dims, memory);
        let (own, plane) = (image(&[1, 1, 1, 1], small), image(&[1, 1, 2, 3], large));
        let indices = tensor(I64, &[1, 1, 1, 1], place);
        // SAFETY: the values have the length that is passed.
        let sizes = unsafe { EMULATOR.meta.aclCreateIntArray([2, 3].as_ptr(), 2) }.expect("declared");
        // SAFETY: the handles are the emulator's; the places are valid.
        let planned = plan(|size, executor| unsafe {
            match is_gradient {
                true => {
                    let out = image(&[1, 1, 1, 1], malloc(4));
                    backward.get_workspace_size(plane, own, indices, sizes, out, size, executor)
                }
                false => forward.get_workspace_size(own, indices, sizes, plane, size, executor),
            }
        });
        assert_eq!((planned.code, planned.workspace), (0, 0), "{}", planned.message);
        let stream = runtime::create_stream();
        // SAFETY: of this operator, which asks for no workspace.
        let code = unsafe {
            match is_gradient {
                true => backward.launch(ptr::null_mut(), 0, planned.executor, stream),
                false => forward.launch(ptr::null_mut(), 0, planned.executor, stream),
            }
        };
        assert_eq!(code, 0, "{}", message());
        assert_eq!(runtime::call!(aclrtSynchronizeStream(stream)), ACL_ERROR_RT_AICORE_EXCEPTION);
        assert!(
            message().contains(&format!("the index {number} is in no plane of 6 elements")),
            "{}",
            message()
        );
        runtime::call!(aclrtDestroyStream(stream));
    }
}

/// Where bags begin and which rows they have is read when the operator runs.
#[test]
fn bags_and_rows_that_do_not_exist_fail_the_stream() {
    let _device = Device::set();
    let operator = EMULATOR.operators.EmbeddingBag().expect("declared");
    for (rows, begins, named) in [
        ([0_i64, 1, 4], [0_i64, 1], "index 4 at element 2"),
        ([0, -1, 1], [0, 1], "index -1 at element 1"),
        ([0, 1, 1], [1, 2], "1 at element 0"),
        ([0, 1, 1], [0, 4], "at element 0"),
        ([0, 1, 1], [0, -1], "-1 at element 1"),
    ] {
        let [table, indices, offsets, out, places, sizes, greatest] =
            [32, 24, 16, 16, 24, 16, 16].map(malloc);
        write(table, &[1.0_f32; 8]);
        write(indices, &rows);
        write(offsets, &begins);
        let weight = tensor(F32, &[4, 2], table);
        let [ids, starts] = [tensor(I64, &[3], indices), tensor(I64, &[2], offsets)];
        let out = tensor(F32, &[2, 2], out);
        let others =
            [(3, places), (2, sizes), (2, greatest)].map(|(count, memory)| tensor(I64, &[count], memory));
        // SAFETY: the handles are the emulator's; the places are valid.
        let planned = plan(|size, executor| unsafe {
            operator.get_workspace_size(
                weight,
                ids,
                starts,
                false,
                0,
                false,
                ptr::null(),
                false,
                -1,
                out,
                others[0],
                others[1],
                others[2],
                size,
                executor,
            )
        });
        assert_eq!((planned.code, planned.workspace), (0, 0), "{}", planned.message);
        let stream = runtime::create_stream();
        // SAFETY: of this operator.
        let code = unsafe { operator.launch(ptr::null_mut(), 0, planned.executor, stream) };
        assert_eq!(code, 0, "{}", message());
        assert_eq!(runtime::call!(aclrtSynchronizeStream(stream)), ACL_ERROR_RT_AICORE_EXCEPTION);
        assert!(message().contains(named), "{}", message());
        runtime::call!(aclrtDestroyStream(stream));
    }
}

/// A list of types that is empty says nothing to a reader.
#[test]
fn operators_of_other_products_name_the_product_that_lacks_them() {
    let own = described(F32, &[4]);
    let operator = EMULATOR.operators.Square().expect("declared");
    // SAFETY: the handles are the emulator's; the places are valid.
    let planned = plan(|size, executor| unsafe { operator.get_workspace_size(own, own, size, executor) });
    refused(&planned, INVALID, &["Ascend910B does not have this operator", "CANN_STUBS_SOC"]);
}

//! Quantised and grouped products through views that cases do not have: packed integers, and transposed factors as tensor
//! libraries pass them. Expected numbers are sums in f64 of whole numbers and halves, which every type here holds.

use std::ffi::c_void;
use std::ptr::null;

use aclnn_numerics::DType::{self, BF16, F16, F32, I4, I8, I32, I64};
use aclnn_numerics::{bf16, f16};
use aclnn_sys::operators::Argument as Passed;
use aclnn_sys::{
    ACL_ERROR_RT_AICORE_EXCEPTION, ACLNN_ERR_INNER_FIND_KERNEL_ERROR, ACLNN_ERR_PARAM_INVALID, aclTensor,
};

use crate::support::cases::call;
use crate::support::random::Random;
use crate::support::*;

const SIZES: [usize; 3] = [3, 64, 8];
const GROUP: usize = 32;

/// The tensor of a matrix whose columns lie one after the other in memory.
fn by_columns(dtype: DType, [rows, columns]: [usize; 2], memory: *mut c_void) -> *mut aclTensor {
    let (dims, strides) = ([rows as i64, columns as i64], [1, rows as i64]);
    strided(dtype, &dims, Some(&strides), 0, &[(rows * columns) as i64], memory)
}

fn stored<T: aclnn_numerics::Element>(elements: &[T]) -> *mut c_void {
    let memory = malloc(std::mem::size_of_val(elements));
    write(memory, elements);
    memory
}

/// A list of tensors as an argument.
fn lists(tensors: &[*mut aclTensor]) -> Passed {
    let tensors: Vec<*const aclTensor> = tensors.iter().map(|tensor| tensor.cast_const()).collect();
    // SAFETY: the tensors have the length that is passed.
    let list = unsafe { EMULATOR.meta.aclCreateTensorList(tensors.as_ptr(), tensors.len() as u64) };
    Passed::Tensors(list.expect("declared"))
}

/// Two integers of four bits in each byte, the first in the lower half.
fn packed(integers: &[i8]) -> Vec<u8> {
    integers.chunks(2).map(|pair| pair[0] as u8 & 15 | (pair[1] as u8) << 4).collect()
}

#[test]
fn weights_of_four_bits_give_what_the_same_bytes_give_through_transposed_views() {
    device();
    let [m, k, n] = SIZES;
    let mut random = Random(7);
    let mut below = |limit: usize| random.below(limit) as i64;
    let x: Vec<f16> = (0..m * k).map(|_| f16::from_f32(below(9) as f32 - 4.0)).collect();
    // Column by column.
    let weight: Vec<i8> = (0..k * n).map(|_| below(16) as i8 - 8).collect();
    let groups = k / GROUP;
    let scale: Vec<f16> = (0..groups * n).map(|_| f16::from_f32(0.5 + below(4) as f32 * 0.5)).collect();
    let expected: Vec<f64> = (0..m * n)
        .map(|place| {
            let (row, column) = (place / n, place % n);
            let term = |along: usize| {
                let factor = f64::from(scale[column * groups + along / GROUP]);
                f64::from(x[row * k + along]) * f64::from(weight[column * k + along]) * factor
            };
            (0..k).map(term).sum()
        })
        .collect();
    let nibbles = packed(&weight);
    let words: Vec<i32> =
        nibbles.chunks(4).map(|bytes| i32::from_le_bytes(bytes.try_into().unwrap())).collect();
    let forms = [
        (I8, by_columns(I8, [k, n], stored(&weight))),
        (I4, by_columns(I4, [k, n], stored(&nibbles))),
        (I32, by_columns(I32, [k / 8, n], stored(&words))),
    ];
    for (dtype, weight) in forms {
        let out = malloc(m * n * 2);
        let arguments = [
            Passed::Tensor(tensor(F16, &[m as i64, k as i64], stored(&x))),
            Passed::Tensor(weight),
            Passed::Tensor(by_columns(F16, [groups, n], stored(&scale))),
            Passed::Null,
            Passed::Null,
            Passed::Null,
            Passed::Null,
            Passed::Int(GROUP as i64),
            Passed::Tensor(tensor(F16, &[m as i64, n as i64], out)),
        ];
        let called = call("WeightQuantBatchMatmulV2", &arguments);
        assert_eq!(called.code, 0, "{dtype}: {}", called.message);
        let results: Vec<f64> = read::<f16>(out, m * n).into_iter().map(f64::from).collect();
        assert_eq!(results, expected, "{dtype}");
    }
}

#[test]
fn groups_of_the_common_axis_take_a_transposed_view() {
    device();
    let [m, k, n] = [3, 10, 4];
    let ends = [4_i64, 4, 9];
    let number = |place: usize| f16::from_f32((place * 5 % 11) as f32 / 2.0 - 2.0);
    let x: Vec<f16> = (0..m * k).map(number).collect();
    let weight: Vec<f16> = (0..k * n).map(|place| number(place * 3 + 1)).collect();
    let out = malloc(3 * m * n * 2);
    let arguments = |x: *mut aclTensor| {
        [
            lists(&[x]),
            lists(&[tensor(F16, &[k as i64, n as i64], stored(&weight))]),
            Passed::Null,
            Passed::Null,
            Passed::Null,
            Passed::Null,
            Passed::Null,
            Passed::Tensor(tensor(I64, &[3], stored(&ends))),
            Passed::Int(3),
            Passed::Int(2),
            lists(&[tensor(F16, &[3, m as i64, n as i64], out)]),
        ]
    };
    let called = call("GroupedMatmulV3", &arguments(by_columns(F16, [m, k], stored(&x))));
    assert_eq!(called.code, 0, "{}", called.message);
    let expected: Vec<f64> = (0..3 * m * n)
        .map(|place| {
            let (group, row, column) = (place / (m * n), place / n % m, place % n);
            let start = if group == 0 { 0 } else { ends[group - 1] as usize };
            let term = |along: usize| f64::from(x[along * m + row]) * f64::from(weight[along * n + column]);
            (start..ends[group] as usize).map(term).sum()
        })
        .collect();
    let results: Vec<f64> = read::<f16>(out, 3 * m * n).into_iter().map(f64::from).collect();
    assert_eq!(results, expected);
    let plain = tensor(F16, &[m as i64, k as i64], stored(&x));
    assert_eq!(call("GroupedMatmulV3", &arguments(plain)).code, 161002);
}

/// The results of all groups lie in one output, so the weights have its columns.
#[test]
fn groups_of_one_output_have_its_columns() {
    device();
    let zeros = |count: usize| stored(&vec![f16::from_f32(0.0); count]);
    let guard = [f16::from_f32(7.0); 512];
    let out = stored(&guard);
    let arguments = |columns: i64| {
        [
            lists(&[tensor(F16, &[4, 8], zeros(32))]),
            lists(&[
                tensor(F16, &[8, 4], zeros(32)),
                tensor(F16, &[8, columns], zeros(8 * columns as usize)),
            ]),
            Passed::Null,
            Passed::Null,
            Passed::Null,
            Passed::Null,
            Passed::Null,
            Passed::Tensor(tensor(I64, &[2], stored(&[2_i64, 4]))),
            Passed::Int(2),
            Passed::Int(0),
            lists(&[tensor(F16, &[4, 4], out)]),
        ]
    };
    let called = call("GroupedMatmulV3", &arguments(64));
    assert_eq!(called.code, 161002, "{}", called.message);
    assert_eq!(read::<f16>(out, 512), guard);
    let called = call("GroupedMatmulV3", &arguments(4));
    assert_eq!(called.code, 0, "{}", called.message);
    assert_eq!(read::<f16>(out, 16), [f16::from_f32(0.0); 16]);
    assert_eq!(read::<f16>(out, 512)[16..], guard[16..]);
}

/// Groups of integers with weights of four bits go together, but only a device multiplies them.
#[test]
fn groups_of_integers_with_weights_of_four_bits_are_not_emulated() {
    device();
    for x in [I8, I4] {
        let arguments = |scale: Passed| {
            [
                lists(&[tensor(x, &[4, 8], malloc(64))]),
                lists(&[tensor(I4, &[1, 8, 4], malloc(64))]),
                Passed::Null,
                scale,
                Passed::Null,
                Passed::Null,
                Passed::Null,
                Passed::Tensor(tensor(I64, &[1], stored(&[4_i64]))),
                Passed::Int(2),
                Passed::Int(0),
                lists(&[tensor(F16, &[4, 4], malloc(64))]),
            ]
        };
        let scale = lists(&[tensor(F32, &[1, 4], malloc(64))]);
        let called = call("GroupedMatmulV3", &arguments(scale));
        assert_eq!(called.code, ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "{}", called.message);
        assert!(called.message.contains("does not compute products of groups of"), "{}", called.message);
        let called = call("GroupedMatmulV3", &arguments(Passed::Null));
        assert_eq!(called.code, ACLNN_ERR_PARAM_INVALID, "{}", called.message);
    }
}

/// Tensor libraries pass the weights of one expert of many as the address of all, the offset of this one, and a storage of
/// one. Products take transposed weights and scales through views that are not held against the storage.
#[test]
fn transposed_weights_and_scales_may_lie_behind_their_declared_storage() {
    const EXPERTS: usize = 3;
    device();
    let [m, k, n] = SIZES;
    let mut random = Random(11);
    let mut below = |limit: usize| random.below(limit) as i64;
    let x: Vec<f16> = (0..m * k).map(|_| f16::from_f32(below(9) as f32 - 4.0)).collect();
    let weights: Vec<i8> = (0..EXPERTS * k * n).map(|_| below(16) as i8 - 8).collect();
    let scales: Vec<f16> =
        (0..EXPERTS * n * k / GROUP).map(|_| f16::from_f32(0.5 + below(4) as f32)).collect();
    let (weight, scale) = (stored(&weights), stored(&scales));
    for expert in 0..EXPERTS {
        let of_one = |dtype, [rows, columns]: [usize; 2], memory| {
            let (dims, strides) = ([rows as i64, columns as i64], [1, rows as i64]);
            let size = (rows * columns) as i64;
            strided(dtype, &dims, Some(&strides), expert as i64 * size, &[size], memory)
        };
        let out = malloc(m * n * 2);
        let arguments = [
            Passed::Tensor(tensor(F16, &[m as i64, k as i64], stored(&x))),
            Passed::Tensor(of_one(I8, [k, n], weight)),
            Passed::Tensor(of_one(F16, [k / GROUP, n], scale)),
            Passed::Null,
            Passed::Null,
            Passed::Null,
            Passed::Null,
            Passed::Int(GROUP as i64),
            Passed::Tensor(tensor(F16, &[m as i64, n as i64], out)),
        ];
        let called = call("WeightQuantBatchMatmulV2", &arguments);
        assert_eq!(called.code, 0, "{}", called.message);
        let (weight, scale) = (&weights[expert * k * n..], &scales[expert * n * k / GROUP..]);
        let expected: Vec<f64> = (0..m * n)
            .map(|place| {
                let (row, column) = (place / n, place % n);
                let term = |along: usize| {
                    let factor = f64::from(scale[column * (k / GROUP) + along / GROUP]);
                    f64::from(x[row * k + along]) * f64::from(weight[column * k + along]) * factor
                };
                (0..k).map(term).sum()
            })
            .collect();
        let found: Vec<f64> = read::<f16>(out, m * n).into_iter().map(f64::from).collect();
        let is_near = |(found, wanted): (&f64, &f64)| (found - wanted).abs() <= wanted.abs() / 1024.0;
        assert!(found.iter().zip(&expected).all(is_near), "{expert}: {found:?} {expected:?}");
    }
}

/// Elements of four bits lie two in a byte, as those of i32 do in golden cases. The codes are those of whole numbers by a scale
/// of 1.
#[test]
fn rows_are_quantised_to_four_bits() {
    device();
    let codes: Vec<i8> = [[7, -3, 0, 5, 1, -6], [-7, 2, 4, -1, 0, 6]].concat();
    let numbers: Vec<f16> = codes.iter().map(|code| f16::from_f32(f32::from(*code))).collect();
    let (out, scale) = (malloc(6), malloc(8));
    let x = || Passed::Tensor(tensor(F16, &[2, 6], stored(&numbers)));
    let arguments = [
        x(),
        Passed::Null,
        Passed::Null,
        Passed::Int(29),
        Passed::Tensor(tensor(I4, &[2, 6], out)),
        Passed::Tensor(tensor(F32, &[2], scale)),
        Passed::Null,
    ];
    let called = call("DynamicQuantV2", &arguments);
    assert_eq!(called.code, 0, "{}", called.message);
    assert_eq!(read::<u8>(out, 6), packed(&codes));
    let by = stored(&[f16::from_f32(1.0)]);
    let arguments = [
        x(),
        Passed::Tensor(tensor(F16, &[1], by)),
        Passed::Null,
        Passed::Bool(false),
        Passed::Text(c"round".as_ptr().cast_mut()),
        Passed::Int(29),
        Passed::Int(-1),
        Passed::Tensor(tensor(I4, &[2, 6], out)),
    ];
    let called = call("AscendQuantV3", &arguments);
    assert_eq!(called.code, 0, "{}", called.message);
    assert_eq!(read::<u8>(out, 6), packed(&codes));
    // Two numbers in a byte need an even number.
    let odd = Passed::Tensor(tensor(F16, &[2, 5], stored(&numbers)));
    let y = Passed::Tensor(tensor(I4, &[2, 5], out));
    let arguments =
        [odd, arguments[1], Passed::Null, arguments[3], arguments[4], arguments[5], arguments[6], y];
    assert_eq!(call("AscendQuantV3", &arguments).code, ACLNN_ERR_PARAM_INVALID);
}

/// Pairs of a group and the number of its rows are read when the operator runs.
#[test]
fn rows_of_groups_that_do_not_exist_fail_the_stream() {
    let _device = Device::set();
    let operator = EMULATOR.operators.DequantSwigluQuant().expect("declared");
    for pairs in [[5_i64, 3, 0, 1], [-1, 1, 1, 3]] {
        let guard = [0x5A_u8; 4 * 32];
        let (numbers, out) = (stored(&[1_f32; 2 * 32]), stored(&guard));
        let x = tensor(BF16, &[4, 64], stored(&[bf16::from_f32(1.0); 4 * 64]));
        let [steps, offsets] = [(); 2].map(|()| tensor(F32, &[2, 32], numbers));
        let list = tensor(I64, &[2, 2], stored(&pairs));
        let (y, scale) = (tensor(I8, &[4, 32], out), tensor(F32, &[4], malloc(16)));
        let mode = c"static".as_ptr().cast_mut();
        // SAFETY: the handles are the emulator's; the places are valid.
        let planned = plan(|size, executor| unsafe {
            operator.get_workspace_size(
                x,
                null(),
                null(),
                null(),
                steps,
                offsets,
                list,
                true,
                mode,
                y,
                scale,
                size,
                executor,
            )
        });
        assert_eq!(planned.code, 0, "{}", planned.message);
        let (stream, memory) = (runtime::create_stream(), malloc(planned.workspace as usize));
        // SAFETY: of this operator.
        let code = unsafe { operator.launch(memory, planned.workspace, planned.executor, stream) };
        assert_eq!(code, 0, "{}", message());
        assert_eq!(runtime::call!(aclrtSynchronizeStream(stream)), ACL_ERROR_RT_AICORE_EXCEPTION);
        assert!(message().contains("there are 2, from 0 to 1"), "{}", message());
        runtime::call!(aclrtDestroyStream(stream));
        // The first row is of this group.
        assert_eq!(read::<u8>(out, 32), guard[..32], "{pairs:?}");
    }
}

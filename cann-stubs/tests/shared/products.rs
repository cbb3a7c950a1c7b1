//! Products of matrices of bf16 of every size around those of the tiles and blocks that kernels work in. Elements are small integers,
//! so that every sum is exact and a loop in f32 gives the only right bits.

use std::num::NonZero;
use std::ptr;

use aclnn_numerics::DType::BF16;
use aclnn_numerics::{Element, bf16};
use cann_stubs::control;

use crate::support::*;

/// An element of a result.
trait Rounded: Element {
    /// The bits of a number, or those that stand for every NaN.
    fn bits(number: f32) -> u32;
}

impl Rounded for f32 {
    fn bits(number: f32) -> u32 {
        if number.is_nan() { u32::MAX } else { number.to_bits() }
    }
}

impl Rounded for bf16 {
    fn bits(number: f32) -> u32 {
        f32::bits(bf16::from_f32(number).to_f32())
    }
}

/// Multiplies two matrices, each of which lies by rows or, transposed, by columns; returns the product as bits.
fn multiplied<R: Rounded + Into<f32>>(
    [m, k, n]: [usize; 3],
    [left, right]: [&[f32]; 2],
    transposed: [bool; 2],
) -> Vec<u32> {
    let operand = |elements: &[f32], [rows, columns]: [usize; 2], by_columns: bool| {
        let place = |index: usize| if by_columns { index % rows * columns + index / rows } else { index };
        let stored: Vec<bf16> =
            (0..elements.len()).map(|index| bf16::from_f32(elements[place(index)])).collect();
        let memory = malloc(size_of_val(&stored[..]));
        write(memory, &stored);
        let (dims, count) = ([rows as i64, columns as i64], [elements.len() as i64]);
        let strides = if by_columns { [1, dims[0]] } else { [dims[1], 1] };
        (strided(BF16, &dims, Some(&strides), 0, &count, memory), memory)
    };
    let ((a, of_a), (b, of_b)) =
        (operand(left, [m, k], transposed[0]), operand(right, [k, n], transposed[1]));
    let to = malloc(m * n * size_of::<R>());
    let out = tensor(R::DTYPE, &[m as i64, n as i64], to);
    let multiply = EMULATOR.operators.Mm().unwrap();
    // SAFETY: handles of the emulator; null is the default stream.
    unsafe {
        let planned = plan(|size, executor| multiply.get_workspace_size(a, b, out, 0, size, executor));
        assert_eq!(planned.code, 0, "{}", planned.message);
        let workspace = malloc(planned.workspace.max(1) as usize);
        assert_eq!(multiply.launch(workspace, planned.workspace, planned.executor, ptr::null_mut()), 0);
        ok(EMULATOR.runtime.aclrtSynchronizeStream(ptr::null_mut()));
        let bits = read::<R>(to, m * n).into_iter().map(|element| f32::bits(element.into())).collect();
        for memory in [of_a, of_b, to, workspace] {
            ok(EMULATOR.runtime.aclrtFree(memory));
        }
        for tensor in [a, b, out] {
            EMULATOR.meta.aclDestroyTensor(tensor).unwrap();
        }
        bits
    }
}

/// Checks products of matrices of one size in every layout, by the loops of this processor and by those of any.
fn check(sizes: [usize; 3]) {
    let [m, k, n] = sizes;
    let numbers = |count: usize, factor: usize| -> Vec<f32> {
        (0..count).map(|index| (index * factor % 9) as f32 - 4.0).collect()
    };
    let (mut left, right) = (numbers(m * k, 7), numbers(k * n, 5));
    // It belongs to the last row alone, although it follows the last element of the row before.
    left[(m - 1) * k] = f32::INFINITY;
    let mut sums = vec![0_f32; m * n];
    for (row, sums) in left.chunks(k).zip(sums.chunks_mut(n)) {
        for (factor, row) in row.iter().zip(right.chunks(n)) {
            sums.iter_mut().zip(row).for_each(|(sum, element)| *sum += factor * element);
        }
    }
    let expected = [f32::bits, bf16::bits].map(|bits| sums.iter().map(|sum| bits(*sum)).collect::<Vec<_>>());
    // Each product is planned for its own loops.
    let _cache = control::executor_cache(0);
    let operands = [&left[..], &right];
    for transposed in [[false, false], [false, true], [true, false], [true, true]] {
        for instructions in [0, 3] {
            let _loops = control::loops(instructions, NonZero::new(1024).unwrap());
            let products = [
                multiplied::<f32>(sizes, operands, transposed),
                multiplied::<bf16>(sizes, operands, transposed),
            ];
            assert!(
                products == expected,
                "{sizes:?}, transposed {transposed:?}, instructions {instructions}"
            );
        }
    }
}

#[test]
fn products_of_sizes_around_those_of_tiles() {
    device();
    for m in [2, 5, 8, 9, 12] {
        for n in [2, 16, 33, 63, 130] {
            for k in [1, 2, 31, 33] {
                check([m, k, n]);
            }
        }
    }
}

#[test]
fn products_of_sizes_around_those_of_blocks() {
    device();
    for k in [1023, 1024, 1025, 2050] {
        check([7, k, 18]);
        check([8, k, 18]);
    }
    check([514, 3, 20]);
    check([3, 4, 1027]);
    check([3, 4, 257]);
}

#[test]
fn products_with_a_vector_of_sizes_around_those_of_blocks() {
    device();
    for (k, n) in
        [(1, 1), (5, 1030), (66, 7), (259, 256), (3, 300), (1031, 9), (31, 40), (2100, 1), (1024, 33)]
    {
        check([1, k, n]);
        check([n, k, 1]);
    }
}

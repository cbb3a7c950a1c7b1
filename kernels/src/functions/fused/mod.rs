//! Loops for common pairs of types, which load, convert, combine, round and store in registers. Every other pair is
//! converted block by block, with the same result.
//!
//! | combined in | pairs, in both orders |
//! |---|---|
//! | f32 | f32 with f32, f16, bf16, bool, i32, i64; f16 with bf16 |
//! | f32, rounded to f16 | f16 with f16, with i32 that is rounded to f16 first, with a number of f32 |
//! | f32, rounded to bf16 | bf16 with bf16, with a number of f32 |
//! | i16 | i8 with u8 |
//!
//! They are written once in `loops`, over the vectors of `avx2` and `avx512`, of `bf16` where the result is of that type, of
//! `shorts` for integers, and of `neon`; other processors convert block by block.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod bf16;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod loops;
#[cfg(target_arch = "aarch64")]
mod neon;
mod planar;
#[cfg(target_arch = "x86_64")]
mod shorts;

use aclnn_numerics::DType;

pub use planar::{Fused, Pair};

use crate::functions::arithmetic::Operation;
use crate::views::instructions::Instructions;

/// Returns the loop that converts elements of `a` and `b` to `promoted`, combines them and rounds the result to
/// `promoted`. `None` for pairs without such a loop.
pub fn pair(operation: Operation, a: DType, b: DType, promoted: DType) -> Option<Fused> {
    compiled(operation, a, b, promoted, Instructions::chosen())
}

/// `instructions` must be those of this processor.
#[cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    allow(unused_variables, reason = "other processors have no such loop")
)]
fn compiled(
    operation: Operation,
    a: DType,
    b: DType,
    promoted: DType,
    instructions: Instructions,
) -> Option<Fused> {
    let planar = match instructions {
        Instructions::Baseline => None,
        #[cfg(target_arch = "x86_64")]
        _ if promoted == DType::I16 => shorts::pair(operation, a, b),
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2 => loops::pair::<avx2::Avx2>(operation, a, b, promoted),
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512 => loops::pair::<avx512::Avx512>(operation, a, b, promoted),
        #[cfg(target_arch = "x86_64")]
        Instructions::Bf16 => bf16::pair(operation, a, b, promoted),
        #[cfg(target_arch = "aarch64")]
        Instructions::Neon if promoted == DType::I16 => neon::shorts(operation, a, b),
        #[cfg(target_arch = "aarch64")]
        Instructions::Neon => loops::pair::<neon::Neon>(operation, a, b, promoted),
    };
    planar.map(Fused::Plane)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functions::arithmetic::compute_type;
    use crate::views::runs::Plane;
    use crate::{Block, Conversions, size_of_dtype};
    use aclnn_numerics::DType::*;
    use aclnn_numerics::product::Product;

    /// The pairs of the table above, with the type that they are promoted to.
    const PAIRS: &[(DType, DType, DType)] = &[
        (F32, F32, F32),
        (F32, F16, F32),
        (F16, F32, F32),
        (F32, BF16, F32),
        (BF16, F32, F32),
        (F16, BF16, F32),
        (BF16, F16, F32),
        (F32, Bool, F32),
        (Bool, F32, F32),
        (F32, I32, F32),
        (I32, F32, F32),
        (F32, I64, F32),
        (I64, F32, F32),
        (F16, F16, F16),
        (F16, I32, F16),
        (I32, F16, F16),
        (F16, F32, F16),
        (BF16, BF16, BF16),
        (BF16, F32, BF16),
        (I8, U8, I16),
        (U8, I8, I16),
    ];

    /// Zeros, numbers at the ends of the ranges, infinities, quiet and signalling NaNs with payloads, of both signs.
    fn special(dtype: DType) -> Vec<u32> {
        let magnitudes: &[u32] = match dtype {
            F16 => &[0, 1, 0x3FF, 0x400, 0x3C00, 0x3C01, 0x7BFF, 0x7C00, 0x7C01, 0x7DFF, 0x7E00, 0x7EAB],
            BF16 => &[0, 1, 0x7F, 0x80, 0x3F80, 0x3F81, 0x7F7F, 0x7F80, 0x7F81, 0x7FBF, 0x7FC0, 0x7FEB],
            F32 => &[
                0,
                1,
                0x007F_FFFF,
                0x0080_0000,
                0x3F80_0000,
                0x3F80_8000,
                0x3F81_8000,
                0x3F80_1000,
                0x477F_F000,
                0x3300_0000,
                0x7F7F_FFFF,
                0x7F80_0000,
                0x7F80_0001,
                0x7FA0_1234,
                0x7FC0_0000,
                0x7FEA_BCDE,
            ],
            _ => &[0, 1, 2, 0x7F, 0x80, 0xFF, 2049, 65519, 65520, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF],
        };
        let sign = 1 << (dtype.bits().min(32) - 1);
        magnitudes.iter().flat_map(|&bits| [bits, bits ^ sign]).collect()
    }

    /// Elements to combine: every special value with every other, and arbitrary ones.
    fn operands(a: DType, b: DType) -> (Vec<u32>, Vec<u32>) {
        let mut random = fastrand::Rng::with_seed(11);
        let mut arbitrary = || random.u32(..);
        let (of_a, of_b) = (special(a), special(b));
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for &one in &of_a {
            first.extend(of_b.iter().map(|_| one));
            second.extend(&of_b);
        }
        // Every value of a half, beside special and arbitrary ones.
        for index in 0..=u32::from(u16::MAX) {
            let any = arbitrary();
            let other = if index % 2 == 0 { any } else { of_b[any as usize % of_b.len()] };
            first.push(if a.bits() <= 16 { index } else { arbitrary() });
            second.push(other);
        }
        (first, second)
    }

    fn bytes(dtype: DType, elements: &[u32]) -> Vec<u8> {
        let size = size_of_dtype(dtype);
        // What is wider gets bits up to the sign, and those that decide how it is rounded.
        let wide = |element: u32| i64::from(element as i32).wrapping_mul(0x1_0000_8001);
        elements.iter().flat_map(|element| wide(*element).to_ne_bytes().into_iter().take(size)).collect()
    }

    /// The same result by conversions of whole blocks.
    fn by_chain(operation: Operation, operands: [(DType, &[u8]); 2], promoted: DType, out: &mut [u8]) {
        let compute = compute_type(promoted);
        let count = out.len() / size_of_dtype(promoted);
        let converted = operands.map(|(dtype, bytes)| {
            let mut block = Block::new();
            let to = &mut block.bytes_mut()[..count * size_of_dtype(compute)];
            // A number beside a half is of the compute type already.
            let promoted = if dtype == F32 { F32 } else { promoted };
            let conversions =
                Conversions::through(Product::Ascend910B, &[dtype, promoted, compute]).expect("a conversion");
            conversions.apply(count, bytes, to, &mut Block::new());
            block
        });
        let mut combined = Block::new();
        let to = &mut combined.bytes_mut()[..count * size_of_dtype(compute)];
        let combine = operation.compiled(compute, Instructions::Baseline).expect("a type to compute in");
        combine(converted[0].bytes(), converted[1].bytes(), to);
        let round = Conversions::through(Product::Ascend910B, &[compute, promoted]).expect("a conversion");
        round.apply(count, combined.bytes(), out, &mut Block::new());
    }

    #[test]
    fn fused_loops_give_the_bits_of_the_chain_of_conversions() {
        for &(a, b, promoted) in PAIRS {
            let (first, second) = operands(a, b);
            let (first, second) = (bytes(a, &first), bytes(b, &second));
            let [size_a, size_b, size] = [a, b, promoted].map(size_of_dtype);
            let count = first.len() / size_a;
            for &operation in Operation::ALL {
                let sets = Instructions::of_this_processor();
                let fused: Vec<_> = sets
                    .into_iter()
                    .filter_map(|set| Some((set, compiled(operation, a, b, promoted, set)?)))
                    .collect();
                // Lengths around those of vectors, then long ones.
                let (mut at, mut len) = (0, 0);
                while at < count && !fused.is_empty() {
                    let end = (at + len).min(count);
                    let (x, y) = (&first[at * size_a..end * size_a], &second[at * size_b..end * size_b]);
                    let mut expected = vec![0; (end - at) * size];
                    by_chain(operation, [(a, x), (b, y)], promoted, &mut expected);
                    for (instructions, fused) in &fused {
                        let mut got = vec![0xA5; (end - at) * size + 1];
                        fused.block(x, y, &mut got[..(end - at) * size]);
                        assert_eq!(got.pop(), Some(0xA5), "a byte behind the result");
                        let differ = got.iter().zip(&expected).position(|(got, expected)| got != expected);
                        assert_eq!(
                            differ.map(|byte| at + byte / size),
                            None,
                            "the element at which {operation:?} of {a} and {b} differs, {instructions:?}"
                        );
                    }
                    (at, len) = (end, if len < 40 { len + 1 } else { 1000 });
                }
            }
        }
    }

    /// Against pieces that the second cache holds, from an address on that is no multiple of a vector.
    #[test]
    fn more_elements_than_the_caches_hold_are_combined_as_few_are() {
        const FEW: usize = 1000;
        for &(a, b, promoted) in PAIRS {
            let (first, second) = operands(a, b);
            let [size_a, size_b, size] = [a, b, promoted].map(size_of_dtype);
            let times = (2 << 20) / (first.len() * size) + 1;
            let (first, second) = (bytes(a, &first).repeat(times), bytes(b, &second).repeat(times));
            let (first, second) = (&first[size_a..], &second[size_b..]);
            let count = first.len() / size_a;
            for instructions in Instructions::of_this_processor() {
                let Some(fused) = compiled(Operation::Sub, a, b, promoted, instructions) else { continue };
                let (mut got, mut expected) = (vec![0xA5; count * size], vec![0; count * size]);
                fused.block(first, second, &mut got);
                let pieces = first.chunks(FEW * size_a).zip(second.chunks(FEW * size_b));
                for ((a, b), out) in pieces.zip(expected.chunks_mut(FEW * size)) {
                    fused.block(a, b, out);
                }
                assert!(got == expected, "{a} and {b}, {instructions:?}");
            }
        }
    }

    #[test]
    fn an_operand_of_one_element_is_repeated() {
        for &(a, b, promoted) in PAIRS {
            let (first, second) = operands(a, b);
            let (first, second) = (bytes(a, &first), bytes(b, &second));
            let [size_a, size_b, size] = [a, b, promoted].map(size_of_dtype);
            for instructions in Instructions::of_this_processor() {
                let Some(fused) = compiled(Operation::Sub, a, b, promoted, instructions) else { continue };
                for count in [1, 5, 16, 77, 1000] {
                    let run = |x: &[u8], y: &[u8]| {
                        let mut out = vec![0; count * size];
                        fused.block(x, y, &mut out);
                        out
                    };
                    let (x, y) = (&first[..count * size_a], &second[..count * size_b]);
                    let (one_x, one_y) = (&x[..size_a], &y[..size_b]);
                    assert_eq!(run(one_x, y), run(&one_x.repeat(count), y), "one {a}, {count} of {b}");
                    assert_eq!(run(x, one_y), run(x, &one_y.repeat(count)), "{count} of {a}, one {b}");
                    let both = run(&one_x.repeat(count), &one_y.repeat(count));
                    assert_eq!(run(one_x, one_y), both, "one {a} and one {b}");
                }
            }
        }
    }

    /// Rows of any length, near and far from each other, repeated and not, from any address on, past the caches and not: each
    /// against the loop over a block. What lies between the rows of the result stays.
    #[test]
    fn planes_are_computed_as_their_rows_one_by_one() {
        for &(a, b, promoted) in PAIRS {
            let (first, second) = operands(a, b);
            let (first, second) = (bytes(a, &first), bytes(b, &second));
            let [size_a, size_b, size] = [a, b, promoted].map(size_of_dtype);
            for instructions in Instructions::of_this_processor() {
                let Some(Fused::Plane(planar)) = compiled(Operation::Sub, a, b, promoted, instructions)
                else {
                    continue;
                };
                for columns in [1, 7, 16, 33, 100] {
                    for ([across_a, across_b], [down_a, down_b]) in [
                        ([1, 1], [120, 101]),
                        ([1, 1], [101, 0]),
                        ([0, 1], [1, 0]),
                        ([1, 0], [-100, 3]),
                        ([2, 1], [200, 100]),
                        ([0, 2], [3, 0]),
                        ([2, 2], [0, -5]),
                    ] {
                        for (begin, down, streams) in
                            [(0, 112, true), (size, 100, true), (3, 107, false), (5, 100, true)]
                        {
                            let rows = 4;
                            let last = |down: isize| if down < 0 { (1 - rows) * down } else { 0 };
                            let (of_a, of_b) =
                                (last(down_a) as usize * size_a + 1, last(down_b) as usize * size_b + 1);
                            let plane =
                                |block: &[u8], down, across| Plane { first: block.as_ptr(), down, across };
                            let mut out = Block::new();
                            out.bytes_mut().fill(0xA5);
                            let mut expected = Block::new();
                            expected.bytes_mut().fill(0xA5);
                            let pair = Pair {
                                operands: [
                                    plane(&first[of_a..], down_a, across_a),
                                    plane(&second[of_b..], down_b, across_b),
                                ],
                                out: Plane { first: out.bytes_mut()[begin..].as_mut_ptr(), down, across: 1 },
                                counts: [rows as usize, columns],
                                streams,
                            };
                            // SAFETY: the operands are longer than their planes, and so is the block.
                            unsafe { planar.run(&pair) };
                            crate::views::past_caches::fence();
                            for row in 0..rows {
                                let part =
                                    |block: &[u8], at: usize, down: isize, across: isize, size: usize| {
                                        let begin = (at as isize + row * down * size as isize) as usize;
                                        let elements =
                                            block[begin..].chunks(size).step_by(across.max(1) as usize);
                                        elements
                                            .take(if across == 0 { 1 } else { columns })
                                            .collect::<Vec<_>>()
                                            .concat()
                                    };
                                let x = part(&first, of_a, down_a, across_a, size_a);
                                let y = part(&second, of_b, down_b, across_b, size_b);
                                let place = begin + (row * down) as usize * size;
                                planar.block(
                                    &x,
                                    &y,
                                    &mut expected.bytes_mut()[place..place + columns * size],
                                );
                            }
                            assert!(
                                out.bytes() == expected.bytes(),
                                "{a} and {b}, {instructions:?}: {columns} columns, {begin} {down} {streams} {down_a} {down_b}"
                            );
                        }
                    }
                }
            }
        }
    }

    /// A pair that is promised is not left to the chain by mistake.
    #[test]
    fn every_pair_of_the_table_is_fused() {
        if Instructions::chosen() == Instructions::Baseline {
            return;
        }
        for &(a, b, promoted) in PAIRS {
            for operation in [Operation::Add, Operation::Sub, Operation::Mul] {
                assert!(pair(operation, a, b, promoted).is_some(), "{operation:?} of {a} and {b}");
            }
        }
    }
}

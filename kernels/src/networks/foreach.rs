//! Functions of operators of lists, beside the functions of other operators.

use std::ops::Range;

use aclnn_numerics::DType;
use bytemuck::{try_cast_slice, try_cast_slice_mut};

use crate::functions::arithmetic::Binary;
use crate::functions::n_ary::{self, by_rows};
use crate::views::failure::Result;
use crate::{Bound, Function, Sizes, Whole};

/// Returns the loop of an expression of one element of each operand.
macro_rules! each {
    ($type:ty, $operands:tt $result:expr) => {
        |operands, out| {
            by_rows(operands, out, n_ary::each!($type => $type, $operands $result));
        }
    };
}

/// The loop of an expression of f32, with the instructions of this processor.
macro_rules! in_f32 {
    ($operands:tt $result:expr) => {
        |operands, out| {
            by_rows(operands, out, n_ary::each_by_vectors!(f32, $operands $result));
        }
    };
}

/// `x1 + alpha · x2`, in a type that lists are computed in.
pub fn add_scaled(compute: DType) -> Option<Function> {
    Some(Function::Many(match compute {
        DType::F32 => in_f32!([a, b, alpha] a + alpha * b),
        DType::I32 => each!(i32, [a, b, alpha] a.wrapping_add(alpha.wrapping_mul(b))),
        _ => return None,
    }))
}

/// `x1 − alpha · x2`, in a type that lists are computed in.
pub fn sub_scaled(compute: DType) -> Option<Function> {
    Some(Function::Many(match compute {
        DType::F32 => in_f32!([a, b, alpha] a - alpha * b),
        DType::I32 => each!(i32, [a, b, alpha] a.wrapping_sub(alpha.wrapping_mul(b))),
        _ => return None,
    }))
}

/// Computes the first operand rounded in the mode with the number of the second: 1 to the nearest whole number, ties to
/// the even one, 2 down, 3 up, 4 to the nearest, ties away from zero, 5 towards zero; 7 is what the last leaves. Other
/// modes change nothing.
pub fn round_off(compute: DType) -> Option<Binary> {
    fn rounded(x: f32, mode: f32) -> f32 {
        match mode as i32 {
            1 => x.round_ties_even(),
            2 => x.floor(),
            3 => x.ceil(),
            4 => x.round(),
            5 => x.trunc(),
            7 => x - x.trunc(),
            _ => x,
        }
    }
    Some(match compute {
        DType::F32 => |a, b, out| {
            by_rows(&[a, b], out, n_ary::each!(f32 => f32, [x, mode] rounded(x, mode)));
        },
        DType::I32 => |a, b, out| {
            by_rows(&[a, b], out, n_ary::each!(i32 => i32, [x, mode] if mode == 7 { 0 } else { x }));
        },
        _ => return None,
    })
}

/// The kind of norm.
#[derive(Clone, Copy)]
pub enum Norm {
    /// The sum of the absolute values.
    Sum,
    /// The root of the sum of the squares.
    Root,
    /// The greatest absolute value; NaN if one is NaN.
    Greatest,
}

/// The norm of one lane of f32, summed in f64.
pub fn norm(which: Norm) -> impl Fn(usize, &[&[u8]], &mut [&mut [u8]]) -> Result {
    move |_, inputs, outputs| {
        let ([lane], [output]) = (inputs, outputs) else { return Ok(()) };
        let (Ok(lane), Ok([out])) = (try_cast_slice::<u8, f32>(lane), try_cast_slice_mut(output)) else {
            debug_assert!(false, "lanes are aligned");
            return Ok(());
        };
        let magnitudes = lane.iter().map(|x| f64::from(x.abs()));
        let made = match which {
            Norm::Sum => magnitudes.sum::<f64>(),
            Norm::Root => magnitudes.map(|x| x * x).sum::<f64>().sqrt(),
            Norm::Greatest => magnitudes.fold(0.0, |most, x| if x.is_nan() || x > most { x } else { most }),
        };
        *out = made as f32;
        Ok(())
    }
}

/// Writes 1 if an element of an input is infinite or NaN, and otherwise nothing.
pub struct NotFinite {
    /// The bits of the exponent, all of which are set then.
    exponent: u32,
}

/// Elements that are looked at together.
const TOGETHER: usize = 4096;

impl NotFinite {
    /// For elements of a type: f32, f16 or bf16.
    pub fn new(dtype: DType) -> Self {
        let exponent = match dtype {
            DType::F16 => 0x7c00,
            DType::BF16 => 0x7f80,
            _ => 0x7f80_0000,
        };
        Self { exponent }
    }

    fn is_among(&self, elements: &[u8], size: usize) -> bool {
        // All of them, so that the loop is made of vectors.
        let found = |is_found: bool, bits: u32| is_found | (bits & self.exponent == self.exponent);
        match size {
            2 => {
                elements.as_chunks().0.iter().map(|bits| u16::from_ne_bytes(*bits).into()).fold(false, found)
            }
            _ => elements.as_chunks().0.iter().map(|bits| u32::from_ne_bytes(*bits)).fold(false, found),
        }
    }
}

impl Whole for NotFinite {
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], _: &mut Sizes) -> Result {
        let mut gathered = Vec::new();
        for input in inputs {
            let size = input.size();
            for first in (0..input.numel()).step_by(TOGETHER) {
                let range: Range<usize> = first..input.numel().min(first + TOGETHER);
                let elements = match input.contiguous(range.clone()) {
                    Some(elements) => elements,
                    None => {
                        gathered.resize(range.len() * size, 0);
                        input.gather(range, &mut gathered);
                        &gathered
                    }
                };
                if self.is_among(elements, size) {
                    outputs.iter().for_each(|output| output.scatter(0..1, &1f32.to_ne_bytes()));
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["look for what is not finite"]
    }
}

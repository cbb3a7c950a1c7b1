//! Powers with an exponent that is known.
//!
//! The functions that choose a loop are never inlined: a crate that calls them would compile every loop again.

use aclnn_numerics::DType;

use crate::functions::arithmetic::{Binary, Operation};
use crate::functions::n_ary::{self, by_rows};
use crate::size_of_dtype;

/// Returns the function of f32 for an exponent that has one, each of its steps rounded; it takes the first operand
/// alone.
#[inline(never)]
pub fn special(exponent: f32) -> Option<Binary> {
    macro_rules! function {
        ($x:ident $result:expr) => {
            |from, _, to| {
                by_rows(&[from], to, n_ary::each_by_vectors!(brief, [$x] $result));
            }
        };
    }
    Some(match exponent {
        3.0 => function!(x x * (x * x)),
        -1.0 => function!(x 1.0 / x),
        -2.0 => function!(x 1.0 / (x * x)),
        0.5 => function!(x x.sqrt()),
        -0.5 => function!(x 1.0 / x.sqrt()),
        _ => return None,
    })
}

/// Computes the second power, in the type itself.
#[inline(never)]
pub fn square(compute: DType) -> Option<Binary> {
    macro_rules! squares {
        ($($variant:ident)*) => {
            match compute {
                $(DType::$variant => |from, _, to| {
                    if let Some(multiply) = Operation::Mul.in_type(DType::$variant) {
                        multiply(from, from, to);
                    }
                },)*
                _ => return None,
            }
        };
    }
    Some(squares! { F32 F64 I32 I64 C64 C128 })
}

/// Computes the first power: the elements themselves.
#[inline(never)]
pub fn first(compute: DType) -> Option<Binary> {
    Some(match size_of_dtype(compute) {
        1 => copy::<1>,
        2 => copy::<2>,
        4 => copy::<4>,
        8 => copy::<8>,
        16 => copy::<16>,
        _ => return None,
    })
}

fn copy<const SIZE: usize>(from: &[u8], _: &[u8], to: &mut [u8]) {
    if from.len() == SIZE {
        return to.chunks_exact_mut(SIZE).for_each(|to| to.copy_from_slice(from));
    }
    to.copy_from_slice(&from[..to.len()]);
}

//! Two operands: comparisons, operations on bits and truth values, extremes, powers, in every compute type.

use std::f64::consts::LN_2;

use aclnn_numerics::DType;
use bytemuck::{Pod, try_cast_slice, try_cast_slice_mut};
use num_complex::Complex64;

use super::arithmetic::Binary;
use super::integer::Integer;
use super::special;

/// Combines the elements of two blocks; an operand of one element is repeated.
fn each<T: Pod, U: Pod>(a: &[u8], b: &[u8], out: &mut [u8], function: impl Fn(T, T) -> U) {
    let count = out.len() / size_of::<U>() * size_of::<T>();
    let cut = |bytes: &'_ [u8]| bytes.len().min(count);
    let (Ok(a), Ok(b), Ok(out)) = (
        try_cast_slice::<u8, T>(&a[..cut(a)]),
        try_cast_slice::<u8, T>(&b[..cut(b)]),
        try_cast_slice_mut::<u8, U>(out),
    ) else {
        debug_assert!(false, "blocks are aligned");
        return;
    };
    match (a, b) {
        ([one], _) => out.iter_mut().zip(b.iter().cycle()).for_each(|(out, b)| *out = function(*one, *b)),
        (_, [one]) => out.iter_mut().zip(a).for_each(|(out, a)| *out = function(*a, *one)),
        _ => out.iter_mut().zip(a).zip(b).for_each(|((out, a), b)| *out = function(*a, *b)),
    }
}

/// A function in the types that it is computed in.
macro_rules! functions {
    ($($name:ident($a:ident, $b:ident): $($kind:ident $result:expr),*;)*) => {$(
        /// The function of the operator of this name for a compute type.
        pub(crate) fn $name(compute: DType) -> Option<Binary> {
            $(functions!(@ $kind compute $a $b $result);)*
            None
        }
    )*};
    // By the order of real numbers.
    (@ order $compute:ident $a:ident $b:ident $result:expr) => {
        functions!(@@ $compute $a $b u8::from($result); F32 f32, F64 f64, Bool u8);
        functions!(@@ $compute $a $b u8::from($result);
            I8 i8, U8 u8, I16 i16, U16 u16, I32 i32, U32 u32, I64 i64, U64 u64)
    };
    (@ complex $compute:ident $a:ident $b:ident $result:expr) => {
        functions!(@@ $compute $a $b u8::from($result); C64 [f32; 2], C128 [f64; 2])
    };
    (@ float $compute:ident $a:ident $b:ident $result:expr) => {
        functions!(@@ $compute $a $b $result; F32 f32, F64 f64)
    };
    (@ wide $compute:ident $a:ident $b:ident $result:expr) => {
        match $compute {
            DType::F32 => return Some(|a, b, out| each(a, b, out, |a: f32, b: f32| {
                let ($a, $b) = (f64::from(a), f64::from(b));
                ($result) as f32
            })),
            DType::F64 => return Some(|a, b, out| each(a, b, out, |$a: f64, $b: f64| $result)),
            _ => {}
        }
    };
    (@ power $compute:ident $a:ident $b:ident $result:expr) => {
        match $compute {
            DType::C64 => return Some(|a, b, out| each(a, b, out, |a: [f32; 2], b: [f32; 2]| {
                let [$a, $b] = [a, b].map(|[re, im]| Complex64::new(re.into(), im.into()));
                let result: Complex64 = $result;
                [result.re as f32, result.im as f32]
            })),
            DType::C128 => return Some(|a, b, out| each(a, b, out, |$a: Complex64, $b: Complex64| -> Complex64 { $result })),
            _ => {}
        }
    };
    (@ integer $compute:ident $a:ident $b:ident $result:expr) => {
        functions!(@@ $compute $a $b $result;
            I8 i8, U8 u8, I16 i16, U16 u16, I32 i32, U32 u32, I64 i64, U64 u64)
    };
    (@ truth $compute:ident $a:ident $b:ident $result:expr) => {
        if $compute == DType::Bool {
            return Some(|a, b, out| each(a, b, out, |a: u8, b: u8| {
                let ($a, $b) = (a != 0, b != 0);
                u8::from($result)
            }));
        }
    };
    (@@ $compute:ident $a:ident $b:ident $result:expr; $($variant:ident $type:ty),*) => {
        match $compute {
            $(DType::$variant => return Some(|a, b, out| each(a, b, out, |$a: $type, $b: $type| $result)),)*
            _ => {}
        }
    };
}

functions! {
    eq(a, b): truth a == b, order a == b, complex a == b;
    ne(a, b): truth a != b, order a != b, complex a != b;
    lt(a, b): truth !a & b, order a < b;
    le(a, b): truth a <= b, order a <= b;
    gt(a, b): truth a & !b, order a > b;
    ge(a, b): truth a >= b, order a >= b;
    bitwise_and(a, b): truth a & b, integer a & b;
    bitwise_or(a, b): truth a | b, integer a | b;
    bitwise_xor(a, b): truth a ^ b, integer a ^ b;
    logical_and(a, b): truth a & b;
    logical_or(a, b): truth a | b;
    logical_xor(a, b): truth a ^ b;
    maximum(a, b): truth a | b, float if a.is_nan() || a > b { a } else { b }, integer a.max(b);
    minimum(a, b): truth a & b, float if a.is_nan() || a < b { a } else { b }, integer a.min(b);
    atan2(a, b): wide a.atan2(b);
    pow(a, b): wide a.powf(b), integer a.power(b), power special::power(a, b);
    xlogy(a, b): wide if b.is_nan() { b } else if a == 0.0 { 0.0 } else { a * b.ln() };
    xlog1py(a, b): wide if b.is_nan() { b } else if a == 0.0 { 0.0 } else { a * b.ln_1p() };
    logaddexp(a, b): wide if a == b { a + LN_2 } else { a.max(b) + (-(a - b).abs()).exp().ln_1p() };
    logaddexp2(a, b): wide if a == b { a + 1.0 } else { a.max(b) + (-(a - b).abs()).exp2().ln_1p() / LN_2 };
    gcd(a, b): integer a.gcd(b);
    left_shift(a, b): integer a.shifted_up(b);
    right_shift(a, b): integer a.shifted_down(b);
}

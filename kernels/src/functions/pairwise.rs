//! Two operands: comparisons, operations on bits and truth values, extremes, powers, in every compute type.

use std::f64::consts::LN_2;

use aclnn_numerics::DType;
use num_complex::Complex64;

use crate::functions::arithmetic::Binary;
use crate::functions::integer::Integer;
use crate::functions::n_ary::{self, by_rows};
use crate::functions::special;
use crate::views::instructions::for_instructions;

/// Returns the loop of an expression of two elements of a type.
macro_rules! each {
    ($type:ty => $out:ty, $a:ident $b:ident $result:expr) => {
        return Some(|a, b, out| {
            by_rows(&[a, b], out, n_ary::each!($type => $out, [$a, $b] $result));
        })
    };
}

/// A function in the types that it is computed in.
macro_rules! functions {
    ($($name:ident($a:ident, $b:ident): $($kind:ident $result:expr),*;)*) => {$(
        /// Returns the function of the operator of this name for a compute type.
        #[inline(never)] // so that its loops are compiled in this crate
        pub fn $name(compute: DType) -> Option<Binary> {
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
        if $compute == DType::F32 {
            for_instructions! {
                fn row($a: &[f32], $b: &[f32], out: &mut [f32]) {
                    n_ary::in_rows!([$a, $b] out[index] => out[index] = $result);
                }
            }
            return Some(|a, b, out| {
                by_rows(&[a, b], out, |[a, b]: [&[f32]; 2], out: &mut [f32]| {
                    row(a, b, out);
                    true
                });
            });
        }
        functions!(@@ $compute $a $b $result; F64 f64)
    };
    (@ wide $compute:ident $a:ident $b:ident $result:expr) => {
        match $compute {
            DType::F32 => return Some(|a, b, out| {
                by_rows(&[a, b], out, n_ary::each_by_vectors!(f64, [$a, $b] $result));
            }),
            DType::F64 => {
                #[allow(unused_imports, reason = "few functions use them")]
                use special::double::*;
                each!(f64 => f64, $a $b $result);
            }
            _ => {}
        }
    };
    (@ power $compute:ident $a:ident $b:ident $result:expr) => {
        match $compute {
            DType::C64 => each!([f32; 2] => [f32; 2], $a $b {
                let [$a, $b] = [$a, $b].map(|[re, im]| Complex64::new(re.into(), im.into()));
                let result: Complex64 = $result;
                [result.re as f32, result.im as f32]
            }),
            DType::C128 => each!(Complex64 => Complex64, $a $b $result),
            _ => {}
        }
    };
    (@ integer $compute:ident $a:ident $b:ident $result:expr) => {
        functions!(@@ $compute $a $b $result;
            I8 i8, U8 u8, I16 i16, U16 u16, I32 i32, U32 u32, I64 i64, U64 u64)
    };
    (@ truth $compute:ident $a:ident $b:ident $result:expr) => {
        if $compute == DType::Bool {
            each!(u8 => u8, $a $b {
                let ($a, $b) = ($a != 0, $b != 0);
                u8::from($result)
            });
        }
    };
    (@@ $compute:ident $a:ident $b:ident $result:expr; $($variant:ident $type:ty),*) => {
        match $compute {
            $(DType::$variant => each!($type => _, $a $b $result),)*
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
    atan2(a, b): wide atan2(a, b);
    pow(a, b): wide power(a, b), integer a.power(b), power special::power(a, b);
    xlogy(a, b): wide if b.is_nan() { b } else if a == 0.0 { 0.0 } else { a * ln(b) };
    xlog1py(a, b): wide if b.is_nan() { b } else if a == 0.0 { 0.0 } else { a * ln_1p(b) };
    logaddexp(a, b): wide { let sum = a.max(b) + ln_1p(exp(-(a - b).abs())); if a == b { a + LN_2 } else { sum } };
    logaddexp2(a, b): wide { let sum = a.max(b) + ln_1p(exp2(-(a - b).abs())) / LN_2; if a == b { a + 1.0 } else { sum } };
    gcd(a, b): integer a.gcd(b);
    left_shift(a, b): integer a.shifted_up(b);
    right_shift(a, b): integer a.shifted_down(b);
}

#[cfg(test)]
mod tests {
    use bytemuck::{cast_slice, cast_slice_mut};

    use super::*;
    use crate::views::instructions::{Choice, choose};

    /// Special numbers with each other, and arbitrary ones.
    fn pairs() -> [Vec<f32>; 2] {
        let special = [0.0, 1e-40, 0.5, 1.0, 1.5, 3.0, 1e10, f32::MAX, f32::INFINITY, f32::NAN];
        let special: Vec<f32> = special.into_iter().flat_map(|number: f32| [number, -number]).collect();
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for number in &special {
            first.extend(special.iter().map(|_| *number));
            second.extend(&special);
        }
        let mut random = fastrand::Rng::with_seed(7);
        let mut bits = || f32::from_bits(random.u32(..));
        first.extend((0..20_000).map(|_| bits()));
        second.extend((0..20_000).map(|_| bits()));
        for step in -1000..1000_i16 {
            first.push(f32::from(step) * 0.037);
            second.push(f32::from(step / 7) * 0.25);
        }
        [first, second]
    }

    /// The reference is the standard library in f64, rounded once.
    #[test]
    fn functions_without_calls_are_those_of_the_standard_library() {
        let [first, second] = pairs();
        type Reference = fn(f64, f64) -> f64;
        let functions: [(Option<Binary>, Reference); 4] = [
            (atan2(DType::F32), f64::atan2),
            (xlogy(DType::F32), |a, b| if a == 0.0 && !b.is_nan() { 0.0 } else { a * b.ln() }),
            (xlog1py(DType::F32), |a, b| if a == 0.0 && !b.is_nan() { 0.0 } else { a * b.ln_1p() }),
            (logaddexp(DType::F32), |a, b| {
                if a == b { a + LN_2 } else { a.max(b) + (-(a - b).abs()).exp().ln_1p() }
            }),
        ];
        for (number, (function, reference)) in functions.into_iter().enumerate() {
            let function = function.expect("for f32");
            for instructions in 0..=3 {
                let before = choose(Choice { instructions: Some(instructions), block: None });
                let mut results = vec![0_f32; first.len()];
                function(cast_slice(&first), cast_slice(&second), cast_slice_mut(&mut results));
                // One element of an operand beside many, and beside one.
                let last = first.len() - 1;
                let [mut left, mut right, mut one] = [10, 10, 1].map(|count| vec![0_f32; count]);
                function(
                    cast_slice(&first[last..]),
                    cast_slice(&second[last - 9..]),
                    cast_slice_mut(&mut left),
                );
                function(
                    cast_slice(&first[last - 9..]),
                    cast_slice(&second[last..]),
                    cast_slice_mut(&mut right),
                );
                function(cast_slice(&first[last..]), cast_slice(&second[last..]), cast_slice_mut(&mut one));
                assert_eq!([left[9], right[9], one[0]], [results[last]; 3], "{number}");
                choose(before);
                for ((a, b), result) in first.iter().zip(&second).zip(results) {
                    let expected = reference(f64::from(*a), f64::from(*b)) as f32;
                    let is_same = expected.to_bits() == result.to_bits();
                    assert!(
                        is_same || expected.is_nan() && result.is_nan(),
                        "{number}: {a:e}, {b:e}: {result:e}, not {expected:e}"
                    );
                }
            }
        }
    }

    /// The reference is the standard library in f64; products of exponents and logarithms may be rounded to a neighbour.
    #[test]
    fn powers_are_those_of_the_standard_library() {
        let [first, second] = pairs();
        let function = pow(DType::F32).expect("for f32");
        let bits = |instructions| {
            let before = choose(Choice { instructions: Some(instructions), block: None });
            let mut results = vec![0_f32; first.len()];
            function(cast_slice(&first), cast_slice(&second), cast_slice_mut(&mut results));
            choose(before);
            results
        };
        let (results, others) = (bits(0), bits(3));
        let mut neighbours = 0;
        for (place, (a, b)) in first.iter().zip(&second).enumerate() {
            let (result, expected) = (results[place], f64::from(*a).powf(f64::from(*b)) as f32);
            assert_eq!(result.to_bits(), others[place].to_bits(), "{a:e}, {b:e}");
            if result.to_bits() == expected.to_bits() || result.is_nan() && expected.is_nan() {
                continue;
            }
            let is_near = [expected.next_up(), expected.next_down()].contains(&result);
            assert!(is_near, "{a:e}, {b:e}: {result:e}, not {expected:e}");
            neighbours += 1;
        }
        assert!(neighbours <= 2, "{neighbours}");
    }
}

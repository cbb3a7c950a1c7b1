//! Quotients that are made whole, and what they leave.

use std::ops::Rem;

use aclnn_numerics::DType;

use crate::Function;
use crate::functions::integer::Integer;
use crate::functions::n_ary::{self, by_rows};
use crate::views::instructions::{self, for_wide_instructions};

/// What an integer divided by zero is; so is the smallest one by −1.
pub(crate) const NO_QUOTIENT: &str =
    "an integer is divided by zero, or the smallest one by -1; such a quotient is no integer";

/// What the 950 makes of an integer divided by zero, of which i8, i32 and i64 are described, and of the smallest one
/// divided by −1.
macro_rules! without_quotient {
    ($dividend:ident, $divisor:ident) => {
        if $divisor != 0 {
            $dividend
        } else if size_of_val(&$dividend) == 8 && $dividend > $divisor.wrapping_sub(1) {
            u64::from(u32::MAX) as _
        } else {
            $divisor.wrapping_sub(1)
        }
    };
}

/// Returns the function of an expression of one element of each operand.
macro_rules! many {
    ($type:ty, $operands:tt $result:expr) => {
        Function::Many(|operands, out| {
            by_rows(operands, out, n_ary::each!($type => $type, $operands $result));
        })
    };
}

/// Returns the loop over rows of an expression that not all elements have a result of, by vectors for a common type.
macro_rules! partial_row {
    (i32, [$($x:ident),+] $result:expr) => {{
        for_wide_instructions! {
            fn row($($x: &[i32],)+ out: &mut [i32]) -> bool {
                let mut have_results = true;
                // Without a branch, so that it becomes vectors.
                n_ary::in_rows!([$($x),+] out[index] => {
                    let result = $result;
                    have_results &= result.is_some();
                    out[index] = result.unwrap_or(out[index]);
                });
                have_results
            }
        }
        |[$($x),+]: [&[i32]; _], out: &mut [i32]| row($($x,)+ out)
    }};
    ($type:ty, $operands:tt $result:expr) => {
        n_ary::try_each!($type, $operands $result)
    };
}

macro_rules! functions {
    ($(
        $name:ident($a:ident, $b:ident): $kind:ident $float:expr $(, partial $partial:expr)? $(, integer $integer:expr)?;
    )*) => {$(
        /// Returns the function of the operator of this name for a compute type.
        #[inline(never)] // so that its loops are compiled in this crate
        pub fn $name(compute: DType) -> Option<Function> {
            macro_rules! float {
                ($type:ty) => {
                    many!($type, [$a, $b] $float)
                };
            }
            macro_rules! integer {
                ($type:ident) => {
                    $(Function::Partial(|operands, out| {
                        let have_results = by_rows(operands, out, partial_row!($type, [$a, $b] $partial));
                        if have_results { Ok(()) } else { Err(NO_QUOTIENT) }
                    }))?
                    $(many!($type, [$a, $b] $integer))?
                };
            }
            Some(match compute {
                DType::F32 => functions!(@ $kind [$a, $b] $float),
                DType::F64 => float!(f64),
                DType::I8 => integer!(i8),
                DType::U8 => integer!(u8),
                DType::I16 => integer!(i16),
                DType::I32 => integer!(i32),
                DType::I64 => integer!(i64),
                _ => return None,
            })
        }
    )*};
    (@ float [$a:ident, $b:ident] $result:expr) => {
        Function::Many(|operands, out| {
            by_rows(operands, out, n_ary::each_by_vectors!(f32, [$a, $b] $result));
        })
    };
    // Those of `%`, which is a call for each element where quotients are great.
    (@ rest [$a:ident, $b:ident] $result:expr) => {{
        struct This;
        impl instructions::Function<2> for This {
            #[inline(always)]
            fn at([$a, $b]: [f32; 2]) -> f32 {
                $result
            }

            #[inline(always)]
            fn row([a, b]: [&[f32]; 2], out: &mut [f32]) {
                let mut is_any_great = false;
                n_ary::in_rows!([a, b] out[index] => {
                    is_any_great |= is_great(a, b);
                    let ($a, $b) = (Dividend(a), b);
                    out[index] = $result;
                });
                if is_any_great {
                    n_ary::in_rows!([a, b] out[index] => if is_great(a, b) { out[index] = Self::at([a, b]) });
                }
            }
        }
        Function::Many(|operands, out| {
            by_rows(operands, out, instructions::row::<2, This>());
        })
    }};
}

/// A number of which there is the rest of a division whose quotient is not great, without a call. Beside a great one it is of
/// no use.
#[derive(Clone, Copy)]
struct Dividend(f32);

/// The product of a smaller quotient and an f32 is exact in f64.
const GREAT_QUOTIENT: f64 = (1 << 29) as f64;

/// Returns whether the quotient of two numbers is too great for [`Dividend`], or none.
#[inline(always)]
fn is_great(a: f32, b: f32) -> bool {
    let quotient = f64::from(a) / f64::from(b);
    quotient.is_nan() || quotient.abs() >= GREAT_QUOTIENT
}

impl Rem<f32> for Dividend {
    type Output = f32;

    #[inline(always)]
    fn rem(self, divisor: f32) -> f32 {
        let (a, b) = (f64::from(self.0), f64::from(divisor));
        let quotient = (a / b).trunc();
        // Exact; but a quotient that was rounded up to a whole number is greater by one.
        let rest = a - quotient * b;
        let is_beyond = rest != 0.0 && (rest < 0.0) != (a < 0.0);
        let rest = if is_beyond { rest + b.abs().copysign(a) } else { rest };
        let rest = if quotient == 0.0 { a } else { rest };
        (rest as f32).copysign(self.0)
    }
}

functions! {
    floor_divide(a, b): float (a / b).floor(), partial a.quotient_below(b);
    trunc_divide(a, b): float (a / b).trunc(), partial a.quotient(b);
    trunc_divide_always(a, b): float (a / b).trunc(), integer a.quotient(b).unwrap_or(without_quotient!(a, b));
    fmod(a, b): rest a % b, integer a.rest(b);
    remainder(a, b): rest {
        let rest = a % b;
        if rest != 0.0 && (rest < 0.0) != (b < 0.0) { rest + b } else { rest }
    }, integer a.modulus(b);
}

#[cfg(test)]
mod tests {
    use bytemuck::{cast_slice, cast_slice_mut};

    use super::*;
    use crate::views::instructions::{Choice, choose};

    /// The reference is the division of wider integers. Elements without a quotient keep what they were.
    #[test]
    fn quotients_of_i32_are_exact_with_every_instruction_set() {
        let special = [0, 1, -1, 2, -2, 3, 46_341, i32::MAX, i32::MAX - 1, i32::MIN, i32::MIN + 1];
        let mut random = fastrand::Rng::with_seed(31);
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for a in special {
            first.extend([a; 11]);
            second.extend(special);
        }
        for number in 0..20_000 {
            let b = random.i32(..) >> random.u32(..32);
            first.push(if number % 2 == 0 { random.i32(..) } else { b.wrapping_mul(random.i32(..) >> 16) });
            second.push(b);
        }
        for instructions in 0..=3 {
            let before = choose(Choice { instructions: Some(instructions), block: None });
            let Some(Function::Partial(function)) = floor_divide(DType::I32) else { panic!("for i32") };
            let mut results = vec![77_i32; first.len()];
            let done = function(&[cast_slice(&first), cast_slice(&second)], cast_slice_mut(&mut results));
            choose(before);
            assert_eq!(done, Err(NO_QUOTIENT));
            for ((a, b), result) in first.iter().zip(&second).zip(results) {
                let (a, b) = (i64::from(*a), i64::from(*b));
                let below = (b != 0).then(|| a.div_euclid(b) - i64::from(b < 0 && a.rem_euclid(b) != 0));
                let expected = below.and_then(|below| i32::try_from(below).ok()).unwrap_or(77);
                assert_eq!(result, expected, "{a} / {b}");
            }
        }
    }

    /// The reference is the crate libm, which subtracts bit by bit. Dividends are arbitrary, near to multiples of divisors,
    /// or special.
    #[test]
    fn rests_of_f32_are_exact_with_every_instruction_set() {
        let special = [0.0, 1e-45, 1e-40, 0.5, 1.0, 3.0, 1e10, f32::MAX, f32::INFINITY, f32::NAN];
        let special: Vec<f32> = special.into_iter().flat_map(|number: f32| [number, -number]).collect();
        let mut random = fastrand::Rng::with_seed(9);
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for a in &special {
            first.extend(special.iter().map(|_| *a));
            second.extend(&special);
        }
        for number in 0..60_000 {
            let b = f32::from_bits(random.u32(..));
            first.push(match number % 3 {
                0 => f32::from_bits(random.u32(..)),
                1 => b * random.u32(..1 << 24) as f32,
                _ => (b * random.u32(..1 << 12) as f32).next_down(),
            });
            second.push(b);
        }
        let sign_of = |rest: f32, b: f32| rest != 0.0 && (rest < 0.0) != (b < 0.0);
        for instructions in 0..=3 {
            let before = choose(Choice { instructions: Some(instructions), block: None });
            for is_modulus in [false, true] {
                let function = if is_modulus { remainder(DType::F32) } else { fmod(DType::F32) };
                let Some(Function::Many(function)) = function else { panic!("for f32") };
                let mut results = vec![0_f32; first.len()];
                function(&[cast_slice(&first), cast_slice(&second)], cast_slice_mut(&mut results));
                for ((a, b), result) in first.iter().zip(&second).zip(results) {
                    let rest = libm::fmodf(*a, *b);
                    let expected = if is_modulus && sign_of(rest, *b) { rest + b } else { rest };
                    assert!(
                        result.to_bits() == expected.to_bits() || result.is_nan() && expected.is_nan(),
                        "{a:e}, {b:e}: {result:e}, not {expected:e}"
                    );
                }
            }
            choose(before);
        }
    }
}

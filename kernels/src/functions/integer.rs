//! Integers: what they have beside sums and products. `None` is what no integer is.

use bytemuck::Pod;

/// An integer of the device. Results that a type does not hold wrap.
pub(crate) trait Integer: Pod {
    /// The quotient, rounded towards zero.
    fn quotient(self, divisor: Self) -> Option<Self>;
    /// The quotient, rounded down.
    fn quotient_below(self, divisor: Self) -> Option<Self>;
    /// What is left of a division that rounds towards zero; it has the sign of the dividend. A division by zero, of which CANN
    /// describes no result, leaves the dividend.
    fn rest(self, divisor: Self) -> Self;
    /// What is left of a division that rounds down; it has the sign of the divisor, or is the dividend where that is zero.
    fn modulus(self, divisor: Self) -> Self;
    /// One over an integer is 0, but for 1 and −1.
    fn power(self, exponent: Self) -> Self;
    /// The greatest common divisor of the magnitudes.
    fn gcd(self, other: Self) -> Self;
    /// Zero for a count of bits that the type has not.
    fn shifted_up(self, bits: Self) -> Self;
    /// A count of bits that the type has not counts as the nearest one that it has.
    fn shifted_down(self, bits: Self) -> Self;
}

/// Whether a quotient is an integer of the type: not that of zero, or of the least negative number and −1.
macro_rules! has_quotient {
    ($dividend:expr, $divisor:expr) => {
        ($divisor != 0) & !((Self::MIN < 0) & ($dividend == Self::MIN) & ($divisor.wrapping_add(1) == 0))
    };
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        #[allow(unused_comparisons, reason = "an unsigned number is never negative")]
        impl Integer for $type {
            // Quotients of up to 32 bits are those of f64, of which processors have vectors: none that is not whole is rounded to a
            // whole one there.
            #[inline(always)]
            fn quotient(self, divisor: Self) -> Option<Self> {
                if size_of::<Self>() > size_of::<u32>() {
                    return self.checked_div(divisor);
                }
                let has = has_quotient!(self, divisor);
                let exact = self as f64 / if has { divisor as f64 } else { 1.0 };
                // SAFETY: it is not greater than the dividend, or the type holds it.
                has.then_some(unsafe { exact.to_int_unchecked() })
            }

            #[inline(always)]
            fn quotient_below(self, divisor: Self) -> Option<Self> {
                if size_of::<Self>() > size_of::<u32>() {
                    let (quotient, rest) = (self.checked_div(divisor)?, self.wrapping_rem(divisor));
                    return Some(if rest != 0 && (rest < 0) != (divisor < 0) { quotient - 1 } else { quotient });
                }
                let has = has_quotient!(self, divisor);
                let exact = self as f64 / if has { divisor as f64 } else { 1.0 };
                // SAFETY: as above.
                let quotient: Self = unsafe { exact.to_int_unchecked() };
                has.then_some(quotient.wrapping_sub((quotient as f64 > exact) as Self))
            }

            fn rest(self, divisor: Self) -> Self {
                if divisor == 0 { self } else { self.wrapping_rem(divisor) }
            }

            fn modulus(self, divisor: Self) -> Self {
                let rest = self.rest(divisor);
                if divisor != 0 && rest != 0 && (rest < 0) != (divisor < 0) { rest + divisor } else { rest }
            }

            fn power(self, exponent: Self) -> Self {
                if exponent < 0 {
                    // The powers of −1 alternate.
                    let is_minus_one = self < 0 && self.wrapping_add(1) == 0;
                    return if is_minus_one && exponent % 2 == 0 { 1 } else if is_minus_one || self == 1 { self } else { 0 };
                }
                let (mut power, mut square, mut rest) = (1, self, exponent);
                while rest > 0 {
                    if rest % 2 == 1 {
                        power = Self::wrapping_mul(power, square);
                    }
                    square = square.wrapping_mul(square);
                    rest /= 2;
                }
                power
            }

            fn gcd(self, other: Self) -> Self {
                let (mut a, mut b) = (i128::from(self).unsigned_abs(), i128::from(other).unsigned_abs());
                while b != 0 {
                    (a, b) = (b, a % b);
                }
                a as Self
            }

            fn shifted_up(self, bits: Self) -> Self {
                u32::try_from(bits).ok().and_then(|bits| self.checked_shl(bits)).unwrap_or(0)
            }

            fn shifted_down(self, bits: Self) -> Self {
                self >> bits.clamp(0, (Self::BITS - 1) as Self)
            }
        }
    )*};
}

integers!(i8 u8 i16 u16 i32 u32 i64 u64);

#[cfg(test)]
mod tests {
    use super::*;

    /// Against wide integers, for every pair of i8 and of u8.
    #[test]
    fn small_integers_agree_with_wide_ones() {
        fn check<T: Integer + TryFrom<i64> + Into<i64> + Copy + PartialEq + std::fmt::Debug>(
            numbers: std::ops::RangeInclusive<i64>,
            wrap: fn(i64) -> T,
        ) {
            let bits = 8;
            let of = |number| wrap(number);
            for (a, b) in numbers.clone().flat_map(|a| numbers.clone().map(move |b| (a, b))) {
                let (x, y) = (of(a), of(b));
                let held = |number: i64| numbers.contains(&number).then(|| of(number));
                let (below, modulus) = match b {
                    // What CANN makes of it is not described; PyTorch raises an error.
                    0 => (None, x),
                    // The floor of a division of floats, which is exact for such numbers.
                    _ => (
                        held((a as f64 / b as f64).floor() as i64),
                        of(a - b * (a as f64 / b as f64).floor() as i64),
                    ),
                };
                assert_eq!((x.quotient_below(y), x.modulus(y)), (below, modulus), "{a} {b}");
                let towards_zero = (b != 0).then(|| (a as f64 / b as f64).trunc() as i64);
                assert_eq!(x.quotient(y), towards_zero.and_then(held), "{a} {b}");
                assert_eq!(x.rest(y), towards_zero.map_or(x, |quotient| of(a - b * quotient)), "{a} {b}");
                let up = if (0..bits).contains(&b) { of(a << b) } else { of(0) };
                assert_eq!(
                    (x.shifted_up(y), x.shifted_down(y)),
                    (up, of(a >> b.clamp(0, bits - 1))),
                    "{a} {b}"
                );
                let common = (1..=256).rev().find(|by| a % by == 0 && b % by == 0).unwrap_or(0);
                assert_eq!(x.gcd(y), of(if (a, b) == (0, 0) { 0 } else { common }), "{a} {b}");
                let mut power = of(1);
                (0..b).for_each(|_| power = of(power.into() * a));
                if b < 0 {
                    power = of(match a {
                        1 => 1,
                        -1 if b % 2 == 0 => 1,
                        -1 => -1,
                        _ => 0,
                    });
                }
                assert_eq!(x.power(y), power, "{a} {b}");
            }
        }
        check::<i8>(-128..=127, |number| number as i8);
        check::<u8>(0..=255, |number| number as u8);
    }
}

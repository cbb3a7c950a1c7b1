//! Functions of f32 that are computed in f32: without branches and calls, so that loops over them become vectors, and the
//! same on every machine. A value for which one f32 has too few digits is a pair: a number, and the part that it lacks.
//! Coefficients are those of polynomials whose largest error is least (Remez), those of the highest powers first.

/// Beside it no fraction has a place in an f32: a number to which it is added is rounded to an integer, which the last bits of
/// the sum are.
const WHOLE: f32 = 12_582_912.0;

/// The logarithm of 2, and what is missing of it. A product of the first and the exponent of an f32 is exact.
const LN_2: [f32; 2] = [0.693_145_75, 1.428_606_8e-6];

/// A number, and the part that it lacks.
type Pair = (f32, f32);

/// The sum of two numbers, the first of which is not nearer to 0.
#[inline(always)]
fn sum(a: f32, b: f32) -> Pair {
    let sum = a + b;
    (sum, (a - sum) + b)
}

/// The value of a polynomial.
#[inline(always)]
fn polynomial<const N: usize>(coefficients: [f32; N], x: f32) -> f32 {
    let mut value = coefficients[0];
    for coefficient in &coefficients[1..] {
        value = value.mul_add(x, *coefficient);
    }
    value
}

/// A number that is not beyond limits; NaN stays.
#[inline(always)]
fn within(least: f32, x: f32, most: f32) -> f32 {
    let y = if x < least { least } else { x };
    if y > most { most } else { y }
}

/// A number times 2 to the power of the integer that the last bits of `shifted`, a sum with [`WHOLE`], are. In two steps, since
/// results may be subnormal.
#[inline(always)]
fn scaled(x: f32, shifted: f32) -> f32 {
    let power = (shifted.to_bits() as i32).wrapping_sub(WHOLE.to_bits() as i32);
    let half = power >> 1;
    let of = |power: i32| f32::from_bits((power.wrapping_add(127) as u32) << 23);
    x * of(half) * of(power.wrapping_sub(half))
}

/// `e` to the power of `x + low`, without its power of two, which [`scaled`] brings in by the last number.
#[inline(always)]
fn exponential((x, low): Pair) -> (Pair, f32) {
    const SERIES: [f32; 5] = [0.0013950497, 0.008368903, 0.041666206, 0.16666518, 0.5];
    let x = within(-110.0, x, 110.0);
    let shifted = x.mul_add(std::f32::consts::LOG2_E, WHOLE);
    let power = shifted - WHOLE;
    let above = power.mul_add(-LN_2[0], x);
    let rest = power.mul_add(-LN_2[1], above);
    let low = power.mul_add(-LN_2[1], above - rest) + low;
    let (one, lost) = sum(1.0, rest);
    let series = (rest * rest).mul_add(polynomial(SERIES, rest), low);
    ((one, lost + series), shifted)
}

/// `eˣ`.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    let ((power, low), shifted) = exponential((x, 0.0));
    scaled(power + low, shifted)
}

/// `eˣ` of a number that is not positive, within two units of the last place.
#[inline(always)]
pub(crate) fn exp_of_distance(x: f32) -> f32 {
    exp_of_bounded(if x < -110.0 { -110.0 } else { x })
}

/// `eˣ` of a number from −110 to 110, within two units of the last place.
#[inline(always)]
fn exp_of_bounded(x: f32) -> f32 {
    const SERIES: [f32; 7] = [0.0013950497, 0.008368903, 0.041666206, 0.16666518, 0.5, 1.0, 1.0];
    let shifted = x.mul_add(std::f32::consts::LOG2_E, WHOLE);
    let power = shifted - WHOLE;
    let rest = power.mul_add(-LN_2[1], power.mul_add(-LN_2[0], x));
    scaled(polynomial(SERIES, rest), shifted)
}

/// `g − s eˣ`, within two units of the last place of the greater term.
#[inline(always)]
pub(crate) fn less_exp(g: f32, x: f32, s: f32) -> f32 {
    exp_of_bounded(within(-110.0, x, 110.0)).mul_add(-s, g)
}

/// The exponent of a positive number, and its fraction less 1: between the roots of 1/2 and 2, less 1.
#[inline(always)]
fn parts(x: f32) -> (f32, f32) {
    /// The bits of the root of 1/2.
    const LEAST: u32 = 0x3F35_04F3;
    let is_small = x < f32::MIN_POSITIVE;
    let x = if is_small { x * 8_388_608.0 } else { x };
    let steps = x.to_bits().wrapping_sub(LEAST);
    let exponent = (steps as i32 >> 23) as f32 - if is_small { 23.0 } else { 0.0 };
    let fraction = f32::from_bits((steps & 0x007F_FFFF).wrapping_add(LEAST));
    (exponent, fraction - 1.0)
}

/// `ln(1 + f)` of a number between the roots of 1/2 and 2, less 1.
#[inline(always)]
fn logarithm_of_fraction(f: f32) -> Pair {
    /// Of `(ln(1 + f) − f + f²/2) / f³`.
    const SERIES: [f32; 9] = [
        0.06915291,
        -0.11789768,
        0.118729904,
        -0.12384356,
        0.14218657,
        -0.16669251,
        0.20002227,
        -0.24999987,
        0.3333331,
    ];
    let square = f * f;
    let lost_of_square = f.mul_add(f, -square);
    let (high, lost) = sum(f, -0.5 * square);
    (high, lost + (f * square).mul_add(polynomial(SERIES, f), -0.5 * lost_of_square))
}

/// A logarithm of a number, or what there is instead where it is not positive and finite.
#[inline(always)]
fn ended(x: f32, logarithm: f32) -> f32 {
    let result = if x == 0.0 { f32::NEG_INFINITY } else { logarithm };
    let result = if x == f32::INFINITY { x } else { result };
    if x >= 0.0 { result } else { f32::NAN }
}

/// The natural logarithm.
#[inline(always)]
pub(crate) fn ln(x: f32) -> f32 {
    let (exponent, f) = parts(x);
    let (own, behind) = logarithm_of_fraction(f);
    let (high, low) = sum(exponent * LN_2[0], own);
    ended(x, high + (low + exponent.mul_add(LN_2[1], behind)))
}

/// One over the root: in f32, and one of Newton's steps in f64.
#[inline(always)]
pub(crate) fn rsqrt(x: f32) -> f32 {
    let near = 1.0 / x.sqrt();
    let y = f64::from(near);
    let result = (y * (1.5 - 0.5 * f64::from(x) * (y * y))) as f32;
    if x == 0.0 || x == f32::INFINITY { near } else { result }
}

/// Returns whether the logistic function of a number is so near to 0 that it is that of [`far`].
#[inline(always)]
pub(crate) fn is_far(x: f32) -> bool {
    x < -80.0
}

/// The sigmoid linear unit.
#[inline(always)]
pub(crate) fn silu(x: f32) -> f32 {
    if is_far(x) { far::silu(x) } else { near::silu(x) }
}

/// The functions of numbers that are not far.
pub(crate) mod near {
    use super::{LN_2, Pair, WHOLE, sum};

    /// Of a number above, the logistic function is 1.
    const MOST: f32 = 87.0;

    /// The logistic function, as a number and the part that it lacks.
    #[inline(always)]
    fn logistic(x: f32) -> Pair {
        let magnitude = x.abs();
        let magnitude = if MOST < magnitude { MOST } else { magnitude };
        // As in `exponential`, of the number that is not positive, with its power of two. Short chains of steps count here.
        let shifted = magnitude.mul_add(-std::f32::consts::LOG2_E, WHOLE);
        let power = shifted - WHOLE;
        let rest = power.mul_add(-LN_2[1], power.mul_add(-LN_2[0], -magnitude));
        let square = rest * rest;
        let lower = rest.mul_add(0.16666518, 0.5);
        let upper = square.mul_add(0.0013950497, rest.mul_add(0.008368903, 0.041666206));
        let (one, lost) = sum(1.0, rest);
        let low = square.mul_add(square.mul_add(upper, lower), lost);
        let scale = f32::from_bits((shifted.to_bits() << 23).wrapping_add(1_f32.to_bits()));
        let (exponential, low) = (one * scale, low * scale);
        let divisor = (1.0 + exponential) + low;
        let lost = (exponential - (divisor - 1.0)) + low;
        let (number, low) = if x < 0.0 { (exponential, low) } else { (1.0, 0.0) };
        let inverse = 1.0 / divisor;
        let quotient = number * inverse;
        let rest = quotient.mul_add(-divisor, number) + quotient.mul_add(-lost, low);
        (quotient, rest * inverse)
    }

    #[inline(always)]
    pub(crate) fn sigmoid(x: f32) -> f32 {
        let (quotient, low) = logistic(x);
        quotient + low
    }

    #[inline(always)]
    pub(crate) fn silu(x: f32) -> f32 {
        let (quotient, low) = logistic(x);
        let result = x.mul_add(quotient, x * low);
        if x > MOST { x } else { result }
    }
}

/// The functions of numbers of which the logistic function is the exponential.
pub(crate) mod far {
    use super::{exponential, scaled};

    #[inline(always)]
    pub(crate) fn sigmoid(x: f32) -> f32 {
        super::exp(x)
    }

    #[inline(always)]
    pub(crate) fn silu(x: f32) -> f32 {
        let ((power, low), shifted) = exponential((x, 0.0));
        // Nearer to 0 than any f32 from there on.
        let y = if x < -110.0 { -110.0 } else { x };
        let product = y * power;
        let low = y.mul_add(power, -product) + y * low;
        let result = scaled(product + low, shifted);
        if x == f32::NEG_INFINITY { f32::NAN } else { result }
    }
}

//! Functions that neither the standard library nor the C library has.

use std::f64::consts::PI;

use aclnn_numerics::DType;
use num_complex::Complex64;

/// Rounds results in f32 to the digits of a shorter type, halves away from zero, where the 950 narrows them so.
pub(crate) fn narrow_away(results: &mut [u8], to: DType) {
    let Ok(results) = bytemuck::try_cast_slice_mut::<u8, f32>(results) else { return };
    let (digits, least) = if to == DType::F16 { (10, -14) } else { (7, -126) };
    for result in results.iter_mut().filter(|result| result.is_finite()) {
        let exponent = (result.to_bits() >> 23 & 0xFF) as i32 - 127;
        let step = 2f64.powi(exponent.max(least) - digits);
        *result = ((f64::from(*result) / step).round() * step) as f32;
    }
}

/// The factor of the scaled exponential linear unit.
pub(crate) const SELU_SCALE: f64 = 1.0507009873554805;
/// The factor of its exponential.
pub(crate) const SELU_ALPHA: f64 = 1.6732632423543772;

/// In the approximation of the Gaussian error linear unit by tanh: twice the square root of 2/π, in the digits of CANN's kernel,
/// and the factor of the cube.
pub(crate) const GELU_SLOPE: f64 = 1.595769121;
pub(crate) const GELU_CUBE: f64 = 0.044715;
/// The slope of the logistic function in the fast approximation of the Gaussian error linear unit.
pub(crate) const FAST_GELU_SLOPE: f64 = 1.702;

/// The functions that those of a module give.
macro_rules! given_functions {
    () => {
        use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};

        /// The Gaussian error linear unit, without the cancellation of `1 + erf`.
        #[inline(always)]
        pub(crate) fn gelu(x: f64) -> f64 {
            0.5 * x * erfc(-x * FRAC_1_SQRT_2)
        }

        /// The derivative of that.
        #[inline(always)]
        pub(crate) fn gelu_slope(x: f64) -> f64 {
            const DENSITY_OF_ZERO: f64 = FRAC_2_SQRT_PI * FRAC_1_SQRT_2 / 2.0;
            0.5 * erfc(-x * FRAC_1_SQRT_2) + x * DENSITY_OF_ZERO * exp(-0.5 * x * x)
        }

        /// The logistic function.
        #[inline(always)]
        pub(crate) fn sigmoid(x: f64) -> f64 {
            1.0 / (1.0 + exp(-x))
        }

        /// An approximation of the Gaussian error linear unit with tanh.
        #[inline(always)]
        pub(crate) fn gelu_by_tanh(x: f64) -> f64 {
            x / (1.0 + exp(-super::GELU_SLOPE * (x + super::GELU_CUBE * x * x * x)))
        }

        /// The derivative of that.
        #[inline(always)]
        pub(crate) fn gelu_by_tanh_slope(x: f64) -> f64 {
            let s = sigmoid(super::GELU_SLOPE * (x + super::GELU_CUBE * x * x * x));
            s + x * s * (1.0 - s) * super::GELU_SLOPE * (1.0 + 3.0 * super::GELU_CUBE * x * x)
        }

        /// A fast approximation of the Gaussian error linear unit.
        #[inline(always)]
        pub(crate) fn fast_gelu(x: f64) -> f64 {
            x / (1.0 + exp(-super::FAST_GELU_SLOPE * x))
        }

        /// The factor of the function Mish: `tanh(log(1 + eˣ))` as a quotient of powers of `eˣ`.
        #[inline(always)]
        pub(crate) fn mish_factor(x: f64) -> f64 {
            /// From here on no digit of the factor differs from those of 1.
            const ONE: f64 = 40.0;
            let e = exp(x);
            let both = e * (e + 2.0);
            if x > ONE { 1.0 } else { both / (both + 2.0) }
        }

        /// The derivative of the function Mish.
        #[inline(always)]
        pub(crate) fn mish_slope(x: f64) -> f64 {
            let t = mish_factor(x);
            t + x * sigmoid(x) * (1.0 - t * t)
        }

        /// The logarithm of the logistic function.
        #[inline(always)]
        pub(crate) fn log_sigmoid(x: f64) -> f64 {
            // Not negated, so that the zero of a great number is positive.
            0.0 - ln_1p_exp(-x)
        }

        /// `log(1 + e^(beta x)) / beta` up to a threshold of `beta x`. The exponential has the range of f32.
        #[inline(always)]
        pub(crate) fn softplus(x: f64, beta: f64, threshold: f64) -> f64 {
            /// The logarithm of the greatest f32.
            const MOST: f64 = 88.722_839_052_068_35;
            let scaled = beta * x;
            let logarithm = ln_1p_exp(scaled);
            let logarithm = if scaled > MOST { f64::INFINITY } else { logarithm };
            let result = logarithm / if beta.abs() <= f64::from(f32::EPSILON) { 0.0 } else { beta };
            if scaled > threshold { x } else { result }
        }

        /// The exponential linear unit. Where a factor is not finite, the exponential counts as 0.
        #[inline(always)]
        pub(crate) fn elu(x: f64, alpha: f64, scale: f64, input_scale: f64) -> f64 {
            let has_exponential = alpha.is_finite() && input_scale.is_finite();
            let factor = if has_exponential { exp_m1(input_scale * x) } else { -1.0 };
            let result = if x > 0.0 { scale * x } else { scale * alpha * factor };
            if x.is_nan() { x } else { result }
        }

        /// The gradient of that by its argument or by its result.
        #[inline(always)]
        pub(crate) fn elu_slope(x: f64, [alpha, scale, input_scale]: [f64; 3], is_result: bool) -> f64 {
            let by_result = input_scale * (x + alpha * scale);
            let by_argument = input_scale * alpha * scale * exp(x * input_scale);
            let slope = if is_result { by_result } else { by_argument };
            if x > 0.0 { scale } else { slope }
        }

        /// The continuously differentiable exponential linear unit.
        #[inline(always)]
        pub(crate) fn celu(x: f64, alpha: f64) -> f64 {
            let result = x.max(0.0) + (alpha * exp_m1(x / alpha)).min(0.0);
            if x.is_nan() { x } else { result }
        }

        /// The scaled exponential linear unit.
        #[inline(always)]
        pub(crate) fn selu(x: f64) -> f64 {
            let below = super::SELU_ALPHA * exp_m1(x);
            super::SELU_SCALE * if x > 0.0 { x } else { below }
        }
    };
}

pub(crate) mod double;
pub(crate) mod native;
pub(crate) mod single;

/// The number below which a normally distributed one is with a probability.
pub(crate) fn ndtri(p: f64) -> f64 {
    if !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    let (tail, sign) = if p < 0.5 { (p, -1.0) } else { (1.0 - p, 1.0) };
    if tail == 0.0 {
        return sign * f64::INFINITY;
    }
    // The first terms of the asymptotic expansion far out, and otherwise near zero, which the steps below make exact.
    let far = (-2.0 * tail.ln()).sqrt();
    let log = (2.0 * PI * far * far).ln();
    let mut x = if tail < 0.02 { (far * far - log).max(1.0).sqrt() } else { 2.5 * (0.5 - tail) };
    for _ in 0..5 {
        // Halley's steps on the logarithm, whose slope does not vanish.
        let below = 0.5 * libm::erfc(x * std::f64::consts::FRAC_1_SQRT_2);
        let density = (-0.5 * x * x).exp() / (2.0 * PI).sqrt();
        let error = (below / tail).ln();
        let slope = density / below;
        x += error / slope / (1.0 + 0.5 * error / slope * (slope - x));
    }
    sign * x
}

/// The integrals of `cos(π t² / 2)` and of `sin(π t² / 2)` from 0 to `x`.
pub(crate) fn fresnel(x: f64) -> [f64; 2] {
    let size = x.abs();
    if size.is_nan() || size > 1e8 {
        return [if size.is_nan() { x } else { 0.5_f64.copysign(x) }; 2];
    }
    let both = if size < 1.6 { by_series(size) } else { by_fraction(size) };
    both.map(|integral| integral.copysign(integral * x))
}

/// The sum of the powers of both integrals, for a small number.
fn by_series(x: f64) -> [f64; 2] {
    let square = 0.5 * PI * x * x;
    let (mut sums, mut term) = ([0.0; 2], x);
    for power in 0..60 {
        let index = f64::from(power);
        let sign = if power % 4 < 2 { 1.0 } else { -1.0 };
        sums[power as usize % 2] += sign * term / (2.0 * index + 1.0);
        term *= square / (index + 1.0);
    }
    sums
}

/// Both integrals by the continued fraction of the complementary error function, for a number that is not small.
fn by_fraction(x: f64) -> [f64; 2] {
    let square = PI * x * x;
    let mut b = Complex64::new(1.0, -square);
    let mut c = Complex64::new(1e300, 0.0);
    let mut d = b.inv();
    let mut fraction = d;
    let mut odd = -1.0;
    for _ in 0..100 {
        odd += 2.0;
        let a = -odd * (odd + 1.0);
        b += 4.0;
        d = (d * a + b).inv();
        c = b + a / c;
        let change = c * d;
        fraction *= change;
        if (change - 1.0).norm() < 1e-15 {
            break;
        }
    }
    // The angle is reduced exactly, as long as whole turns are told apart.
    let half = 0.5 * x * x % 2.0;
    let (sine, cosine) = (PI * half).sin_cos();
    let scaled = Complex64::new(x, -x) * fraction;
    let both = Complex64::new(0.5, 0.5) * (1.0 - Complex64::new(cosine, sine) * scaled);
    [both.re, both.im]
}

/// The number whose error function is `y`.
pub(crate) fn erfinv(y: f64) -> f64 {
    let magnitude = y.abs();
    if magnitude >= 1.0 || magnitude.is_nan() || magnitude == 0.0 {
        return match magnitude {
            1.0 => f64::INFINITY.copysign(y),
            0.0 => y,
            _ => f64::NAN,
        };
    }
    // An approximation by elementary functions, to about 0.002, which the steps below make exact.
    let a = 0.147;
    let log = (-magnitude * magnitude).ln_1p();
    let b = 2.0 / (PI * a) + log / 2.0;
    let mut x = ((b * b - log / a).sqrt() - b).sqrt();
    for _ in 0..3 {
        // Halley's steps; near one the difference of the complements keeps its digits.
        let error =
            if magnitude < 0.5 { libm::erf(x) - magnitude } else { (1.0 - magnitude) - libm::erfc(x) };
        let slope = 2.0 / PI.sqrt() * (-x * x).exp();
        let step = error / slope;
        x -= step / (1.0 + x * step);
    }
    x.copysign(y)
}

/// The logarithmic derivative of the gamma function.
pub(crate) fn digamma(x: f64) -> f64 {
    if x == 0.0 {
        return f64::NEG_INFINITY.copysign(-x);
    }
    if x < 0.0 && x.trunc() == x {
        return f64::NAN;
    }
    if x < 0.0 {
        // The reflection; the remainder keeps the digits of the tangent.
        let fraction = x - x.trunc();
        return digamma(1.0 - x) - PI / (PI * fraction).tan();
    }
    let (mut x, mut sum) = (x, 0.0);
    while x < 10.0 {
        sum -= 1.0 / x;
        x += 1.0;
    }
    // The Bernoulli numbers of the asymptotic series, each divided by its even index.
    const SERIES: [f64; 7] =
        [1.0 / 12.0, -1.0 / 120.0, 1.0 / 252.0, -1.0 / 240.0, 1.0 / 132.0, -691.0 / 32760.0, 1.0 / 12.0];
    let inverse = 1.0 / (x * x);
    let tail = SERIES.iter().rev().fold(0.0, |tail, term| (tail + term) * inverse);
    sum + x.ln() - 0.5 / x - tail
}

/// `sin(πx) / πx`, and 1 for zero.
pub(crate) fn sinc(x: f64) -> f64 {
    let angle = PI * x;
    if angle == 0.0 { 1.0 } else { angle.sin() / angle }
}

/// The same with π and each step rounded.
pub(crate) fn sinc_in_steps(x: f32, rounded: impl Fn(f32) -> f32) -> f32 {
    let angle = rounded(x * rounded(PI as f32));
    if x == 0.0 { 1.0 } else { rounded(rounded(f64::from(angle).sin() as f32) / angle) }
}

/// The number whose hyperbolic tangent is `z`; on the cuts the sign of a zero imaginary part tells the side, as in C.
pub(crate) fn atanh(z: Complex64) -> Complex64 {
    ((z + 1.0).ln() - (-z + 1.0).ln()) / 2.0
}

/// A power; that of zero with an exponent whose real part is negative is no number.
pub(crate) fn power(base: Complex64, exponent: Complex64) -> Complex64 {
    match base.re == 0.0 && base.im == 0.0 && exponent.re < 0.0 {
        true => Complex64::new(f64::NAN, f64::NAN),
        false => base.powc(exponent),
    }
}

/// `x` rounded to so many decimals in three steps, each of which is rounded to f32.
pub(crate) fn round_decimals_f32(x: f32, decimals: f32) -> f32 {
    let power = 10f64.powi(decimals.abs() as i32) as f32;
    match decimals {
        0.0 => x.round_ties_even(),
        d if d > 0.0 => (x * power).round_ties_even() / power,
        _ => (x / power).round_ties_even() * power,
    }
}

/// `x` rounded as the device's processors do it: the lower of two integers and 0 or 1, so that what comes to zero from below
/// is +0; a fraction that is almost a half counts as one, which goes to the even integer.
pub(crate) fn round(x: f64) -> f64 {
    const NEAR: f64 = 0.5e-14;
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let floor = x.floor();
    let above_half = x - floor - 0.5;
    let is_up = if above_half.abs() <= NEAR { floor % 2.0 != 0.0 } else { above_half > 0.0 };
    if is_up { floor + 1.0 } else { floor }
}

/// The same in f64, as the device's processors round.
pub(crate) fn round_decimals_f64(x: f64, decimals: f64) -> f64 {
    let power = 10f64.powi(decimals.abs() as i32);
    match decimals {
        0.0 => round(x),
        d if d > 0.0 => round(x * power) / power,
        _ => round(x / power) * power,
    }
}

/// The same for i32: exact, ties to even; what is too large is the smallest number.
pub(crate) fn round_decimals_i32(x: i32, decimals: i32) -> i32 {
    let Some(power) = decimals.checked_neg().and_then(|digits| u32::try_from(digits).ok()) else {
        return if decimals == i32::MIN { i32::MIN } else { x };
    };
    let Some(power) = 10i64.checked_pow(power) else { return if power > 308 { i32::MIN } else { 0 } };
    let magnitude = i64::from(x).abs();
    let (whole, rest) = (magnitude / power, magnitude % power);
    let up = 2 * rest > power || 2 * rest == power && whole % 2 == 1;
    let rounded = (whole + i64::from(up)) * power * i64::from(x).signum();
    i32::try_from(rounded).unwrap_or(i32::MIN)
}

/// The same for i64, as the device's processors compute it: truncated, with 2 in place of a quotient of 1.
pub(crate) fn round_decimals_i64(x: i64, decimals: i64) -> i64 {
    let digits = u32::try_from(decimals.unsigned_abs()).unwrap_or(u32::MAX);
    let power = 10i64.wrapping_pow(digits);
    if decimals >= 0 {
        return x.wrapping_mul(power).checked_div(power).unwrap_or(0);
    }
    match x.checked_div(power).unwrap_or(0) {
        1 => power.wrapping_mul(2),
        quotient => quotient.wrapping_mul(power),
    }
}

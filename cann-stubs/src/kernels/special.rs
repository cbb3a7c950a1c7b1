//! Functions that neither the standard library nor the C library has.

use std::f64::consts::PI;

use num_complex::Complex64;

/// The number whose error function is `y`.
pub(super) fn erfinv(y: f64) -> f64 {
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
pub(super) fn digamma(x: f64) -> f64 {
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
pub(super) fn sinc(x: f64) -> f64 {
    let angle = PI * x;
    if angle == 0.0 { 1.0 } else { angle.sin() / angle }
}

/// The number whose hyperbolic tangent is `z`; on the cuts the sign of a zero imaginary part tells the side, as in C.
pub(super) fn atanh(z: Complex64) -> Complex64 {
    ((z + 1.0).ln() - (-z + 1.0).ln()) / 2.0
}

/// A power; that of zero with an exponent whose real part is negative is no number.
pub(super) fn power(base: Complex64, exponent: Complex64) -> Complex64 {
    match base.re == 0.0 && base.im == 0.0 && exponent.re < 0.0 {
        true => Complex64::new(f64::NAN, f64::NAN),
        false => base.powc(exponent),
    }
}

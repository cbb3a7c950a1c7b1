//! The errors of results in f32, for the functions of one element that have a name in mathematics.
//!
//! The unit of an error is the distance between neighbouring f32 where the exact result lies. A result that is rounded
//! correctly is off by at most 0.5. The reference is the standard library in f64, whose own errors are below 10⁻⁷ units, and
//! `libm` for error functions. `benches/operators/accuracy.py` reads the lines that are printed, and knows `STRIDE` as well.
//!
//! `.ci/run` runs these tests with optimisation, where they go over many arguments; without, they go over a sample.
//! `EVERY_ARGUMENT=1` makes them go over all.

#![allow(clippy::expect_used, reason = "a helper of tests")]

use std::f64::consts::PI;

use super::arithmetic::Binary;
use super::unary;
use aclnn_numerics::DType;
use bytemuck::{cast_slice, cast_slice_mut};

/// One of so many bit patterns is an argument, besides every bf16 and its two neighbours. Primes, so that all patterns of the
/// low bits occur.
const STRIDE: usize = if cfg!(debug_assertions) { 65_537 } else { 61 };

/// The number of arguments that a kernel is given at once.
const BLOCK: usize = 4096;

/// The number that an infinite f32 stands for: the next one if there were more exponents.
const END: f64 = f32::MAX as f64 + (1_u128 << 104) as f64;

fn arguments() -> Box<dyn Iterator<Item = f32>> {
    if std::env::var_os("EVERY_ARGUMENT").is_some_and(|value| value == "1") {
        return Box::new((0..=u32::MAX).map(f32::from_bits));
    }
    let spread = (0..=u32::MAX).step_by(STRIDE);
    let edges = (0..=u16::MAX).flat_map(|code| {
        let bits = u32::from(code) << 16;
        [bits.wrapping_sub(1), bits, bits + 1]
    });
    Box::new(spread.chain(edges).map(f32::from_bits))
}

/// The error of a result in units of the last place.
#[inline(always)]
fn error(result: f32, exact: f64) -> f64 {
    if result.is_nan() || exact.is_nan() {
        return if result.is_nan() && exact.is_nan() { 0.0 } else { f64::INFINITY };
    }
    let exact = exact.clamp(-END, END);
    let power = f64::from_bits(exact.to_bits() & f64::INFINITY.to_bits());
    let unit = power.clamp(f64::from(f32::MIN_POSITIVE), END / 2.0) * f64::from(f32::EPSILON);
    (f64::from(result).clamp(-END, END) - exact).abs() / unit
}

/// Goes over the arguments of a function, prints the largest error, and fails if it is beyond a limit.
fn check(name: &str, function: Option<Binary>, limit: f64, reference: impl Fn(f64) -> f64) {
    let function = function.expect("for f32");
    let (mut block, mut results) = (Vec::with_capacity(BLOCK), [0_f32; BLOCK]);
    let (mut most, mut at, mut count) = (0.0, f32::NAN, 0_u64);
    let mut all = arguments();
    loop {
        block.clear();
        block.extend(all.by_ref().take(BLOCK));
        if block.is_empty() {
            break;
        }
        let results = &mut results[..block.len()];
        function(cast_slice(&block), &[], cast_slice_mut(results));
        for (x, result) in block.iter().zip(results) {
            let error = error(*result, reference(f64::from(*x)));
            if error > most {
                (most, at) = (error, *x);
            }
        }
        count += block.len() as u64;
    }
    println!("\naccuracy of {name}: {most:.4} at {at:e}, largest of {count}");
    assert!(most <= limit, "{name}({at:e}) is off by {most} units of the last place; {limit} are allowed");
}

/// A test for each function: how many units it may be off, and the function in f64. Those with 0.51 are computed in f64 and
/// rounded, or by one exact operation; the others are computed in f32.
macro_rules! accurate {
    ($($name:ident: $limit:literal, $reference:expr;)*) => {$(
        #[test]
        fn $name() {
            check(stringify!($name), unary::$name(DType::F32), $limit, $reference);
        }
    )*};
}

accurate! {
    exp: 1.0, f64::exp;
    exp2: 0.51, f64::exp2;
    expm1: 0.51, f64::exp_m1;
    log: 1.0, f64::ln;
    log2: 0.51, f64::log2;
    log10: 0.51, f64::log10;
    log1p: 0.51, f64::ln_1p;
    sqrt: 0.51, f64::sqrt;
    rsqrt: 0.51, |x| 1.0 / x.sqrt();
    reciprocal: 0.51, |x| 1.0 / x;
    sin: 0.51, f64::sin;
    cos: 0.51, f64::cos;
    tan: 0.51, f64::tan;
    asin: 0.51, f64::asin;
    acos: 0.51, f64::acos;
    atan: 0.51, f64::atan;
    sinh: 0.51, f64::sinh;
    cosh: 0.51, f64::cosh;
    tanh: 0.51, f64::tanh;
    asinh: 0.51, f64::asinh;
    acosh: 0.51, f64::acosh;
    atanh: 0.51, f64::atanh;
    erf: 0.51, libm::erf;
    erfc: 0.51, libm::erfc;
    erfinv: 0.51, inverse_of_erf;
    lgamma: 0.51, libm::lgamma;
    sigmoid: 1.0, logistic;
    silu: 1.0, |x| x / (1.0 + (-x).exp());
    log_sigmoid: 0.51, |x| x.min(0.0) - (-x.abs()).exp().ln_1p();
    mish: 0.51, |x| x * x.exp().ln_1p().tanh();
    selu: 0.51, |x| 1.0507009873554805 * if x > 0.0 { x } else { 1.6732632423543772 * x.exp_m1() };
    // With the digits of CANN's kernel in place of twice the root of 2/π.
    gelu: 0.51, |x| x * logistic(1.595769121 * (x + 0.044715 * x * x * x));
    fast_gelu: 0.51, |x| x * logistic(1.702 * x);
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Newton's steps with the error function, from an approximation by elementary functions. The distance to 1 keeps its digits.
fn inverse_of_erf(y: f64) -> f64 {
    let magnitude = y.abs();
    if magnitude == 0.0 || magnitude == 1.0 {
        return if magnitude == 0.0 { y } else { f64::INFINITY.copysign(y) };
    }
    let (a, log) = (0.147, (-y * y).ln_1p());
    let b = 2.0 / (PI * a) + log / 2.0;
    let mut x = ((b * b - log / a).sqrt() - b).sqrt();
    for _ in 0..3 {
        let error =
            if magnitude < 0.5 { libm::erf(x) - magnitude } else { (1.0 - magnitude) - libm::erfc(x) };
        x -= error * PI.sqrt() / 2.0 * (x * x).exp();
    }
    x.copysign(y)
}

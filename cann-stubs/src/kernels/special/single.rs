//! Functions of numbers in f64 whose results are rounded to f32: without branches and calls, so that loops over them become
//! vectors, and the same on every machine.

/// `eˣ`, within 10⁻¹⁴ of it. A result that no f32 comes near is 0 or infinite.
#[inline(always)]
pub(in crate::kernels) fn exp(x: f64) -> f64 {
    const MOST: f64 = 708.0;
    /// Beside it no fraction has a place in an f64.
    const WHOLE: f64 = 6_755_399_441_055_744.0;
    /// The logarithm of 2, and what is missing of it.
    const LN_2: [f64; 2] = [0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10];
    // NaN stays.
    let y = if x < -MOST { -MOST } else { x };
    let y = if y > MOST { MOST } else { y };
    let shifted = y * std::f64::consts::LOG2_E + WHOLE;
    let power = shifted - WHOLE;
    let rest = (y - power * LN_2[0]) - power * LN_2[1];
    let mut series = 1.0 / 39_916_800.0;
    for factorial in [3_628_800.0, 362_880.0, 40_320.0, 5_040.0, 720.0, 120.0, 24.0, 6.0, 2.0, 1.0, 1.0] {
        series = series * rest + 1.0 / factorial;
    }
    // The last bits of the shifted number are those of the power of two.
    let scale = f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52);
    let result = if x < -MOST { 0.0 } else { series * scale };
    if x > MOST { f64::INFINITY } else { result }
}

/// The hyperbolic tangent, within 10⁻¹² of it.
#[inline(always)]
pub(in crate::kernels) fn tanh(x: f64) -> f64 {
    /// Nearer to 0 the difference below loses digits, and three terms of the series are enough.
    const SMALL: f64 = 1.0 / 256.0;
    let (magnitude, square) = (x.abs(), x * x);
    let small = x * (1.0 + square * (2.0 / 15.0 * square - 1.0 / 3.0));
    let large = 1.0 - 2.0 / (exp(2.0 * magnitude) + 1.0);
    if magnitude < SMALL { small } else { large.copysign(x) }
}

/// The error function, within 10⁻¹³ of it.
#[inline(always)]
pub(in crate::kernels) fn erf(x: f64) -> f64 {
    let large = (1.0 - erfc_of_large(x.abs())).copysign(x);
    if x.abs() < 1.0 { erf_of_small(x) } else { large }
}

/// What the error function lacks of 1, within 10⁻¹² of it. A result that no f32 comes near is 0.
#[inline(always)]
pub(in crate::kernels) fn erfc(x: f64) -> f64 {
    let large = erfc_of_large(x.abs());
    let large = if x < 0.0 { 2.0 - large } else { large };
    if x.abs() < 1.0 { 1.0 - erf_of_small(x) } else { large }
}

/// The coefficients are those of the polynomial through 200 Chebyshev nodes for `erf(√q) / √q`, `q` from 0 to 1, cut off
/// behind the tenth degree.
#[inline(always)]
fn erf_of_small(x: f64) -> f64 {
    const SERIES: [f64; 11] = [
        9.431_393_509_376_132e-9,
        -1.518_967_633_827_279e-7,
        1.631_065_244_829_830_6e-6,
        -1.491_333_570_819_604_2e-5,
        0.000_120_546_843_995_177_72,
        -0.000_854_830_498_207,
        0.005_223_977_157_138_312,
        -0.026_866_170_586_992_8,
        0.112_837_916_705_848_28,
        -0.376_126_389_031_745_67,
        1.128_379_167_095_512_1,
    ];
    x * polynomial(SERIES, x * x)
}

/// Of a number that is not below 1. The coefficients are those of the polynomial through 200 Chebyshev nodes for
/// `exp(x²) erfc(x)` of `(x − 4) / (x + 4)`, `x` from 1 to 11, cut off behind the fourteenth degree.
#[inline(always)]
fn erfc_of_large(x: f64) -> f64 {
    const MOST: f64 = 11.0;
    const SERIES: [f64; 15] = [
        2.791_658_596_392_616e-6,
        -2.209_241_559_258_695_3e-6,
        -2.253_837_925_809_799_7e-5,
        7.908_316_027_774_885e-5,
        -2.175_714_036_760_742_5e-5,
        -0.000_799_144_000_231_793_9,
        0.004_060_262_214_086_016,
        -0.012_843_944_412_437_906,
        0.031_299_056_658_021_43,
        -0.063_107_815_719_667_55,
        0.108_963_177_393_196_87,
        -0.164_257_816_695_533_83,
        0.218_719_678_918_346_2,
        -0.259_068_048_760_183_24,
        0.136_999_457_625_061_22,
    ];
    let result = exp(-x * x) * polynomial(SERIES, (x - 4.0) / (x + 4.0));
    if x > MOST { 0.0 } else { result }
}

/// The coefficient of the highest power comes first.
#[inline(always)]
fn polynomial<const N: usize>(coefficients: [f64; N], x: f64) -> f64 {
    coefficients.into_iter().fold(0.0, |sum, coefficient| sum * x + coefficient)
}

given_functions!();

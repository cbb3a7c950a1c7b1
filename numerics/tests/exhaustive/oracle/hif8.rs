//! HiF8 by its printed description, in f64, which holds everything here exactly.

use std::sync::LazyLock;

use aclnn_numerics::convert::round;
use aclnn_numerics::{bf16, f16};

use crate::sweep;

/// HiF8 as its description is printed: a prefix, the exponent's sign and its bits after the leading one, the fraction.
pub(crate) fn value(code: u8) -> f64 {
    match code {
        0x00 => return 0.0,
        0x80 => return f64::NAN,
        0x6F => return f64::INFINITY,
        0xEF => return f64::NEG_INFINITY,
        _ => {}
    }
    let text = format!("{code:08b}");
    let (sign, rest) = text.split_at(1);
    let number = |bits: &str| if bits.is_empty() { 0 } else { i32::from_str_radix(bits, 2).unwrap() };
    let prefixes = [("11", 4, 1), ("10", 3, 2), ("01", 2, 3), ("001", 1, 3), ("0001", 0, 3)];
    let magnitude = match prefixes.into_iter().find(|(prefix, ..)| rest.starts_with(prefix)) {
        None => 2f64.powi(number(rest) - 23),
        Some((prefix, exponent_bits, fraction_bits)) => {
            let (exponent, fraction) = rest[prefix.len()..].split_at(exponent_bits);
            assert_eq!(fraction.len(), fraction_bits);
            let exponent = match exponent.split_at_checked(1) {
                None => 0,
                Some(("0", hidden)) => number(&format!("1{hidden}")),
                Some((_, hidden)) => -number(&format!("1{hidden}")),
            };
            let fraction = f64::from(number(fraction)) / 2f64.powi(fraction_bits as i32);
            2f64.powi(exponent) * (1.0 + fraction)
        }
    };
    if sign == "1" { -magnitude } else { magnitude }
}

/// The nearest of all values, of two the larger; what is nearer to 49152 than to the largest is infinite.
pub(crate) fn code(number: f64) -> u8 {
    if number.is_nan() {
        return 0x80;
    }
    static CODES: LazyLock<Vec<(u8, f64)>> = LazyLock::new(|| {
        (0..0x80).map(|code| (code, if code == 0x6F { 49152.0 } else { value(code) })).collect()
    });
    let distance =
        |candidate: f64| if number.is_infinite() { -candidate } else { (candidate - number.abs()).abs() };
    let nearest =
        CODES.iter().min_by(|(_, a), (_, b)| (distance(*a), -a).partial_cmp(&(distance(*b), -b)).unwrap());
    let code = nearest.unwrap().0;
    if code == 0 || number > 0.0 { code } else { code | 0x80 }
}

/// The f16 and bf16 of a sweep, and every f32 around what lies in the middle between two codes.
pub(crate) fn inputs() -> Vec<f32> {
    let mut values: Vec<f64> = (0..0x6F).map(value).chain([49152.0]).collect();
    values.sort_by(f64::total_cmp);
    let around = |value: f64| [(value as f32).next_down(), value as f32, (value as f32).next_up()];
    let middles = values.windows(2).flat_map(|pair| around((pair[0] + pair[1]) / 2.0));
    let mut inputs: Vec<f32> = middles.chain(values.iter().copied().flat_map(around)).collect();
    inputs.extend(inputs.clone().into_iter().map(|value| -value));
    inputs.extend([
        0.0,
        -0.0,
        f32::NAN,
        -f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::MAX,
        f32::MIN_POSITIVE,
    ]);
    for code in sweep::codes() {
        inputs
            .extend([round::f32_from_f16(f16::from_bits(code)), round::f32_from_bf16(bf16::from_bits(code))]);
    }
    inputs
}

//! HiF8, whose exponent and fraction share seven bits: the larger the exponent, the shorter the fraction.
//!
//! | after the sign | exponent | bits of the fraction | values |
//! |---|---|---|---|
//! | `11` s mmm f | ±8 … ±15 | 1 | 2⁻¹⁵ … 2⁻⁸ · 1.5, 2⁸ … 2¹⁵ |
//! | `10` s mm ff | ±4 … ±7 | 2 | |
//! | `01` s m fff | ±2, ±3 | 3 | |
//! | `001` s fff | ±1 | 3 | |
//! | `0001` fff | 0 | 3 | 1 … 1.875 |
//! | `0000` mmm | mmm − 23, of 001 to 111 | 0 | 2⁻²² … 2⁻¹⁶ |
//!
//! `s` is the sign of the exponent, after which its magnitude follows without the leading one. 0x00 is zero and there is no −0:
//! 0x80 is NaN. 0x6F and 0xEF, which would be ±49152, are ±∞. Every value is an f16.
//!
//! Values are rounded to the nearest, ties away from zero, as if 49152 were a value: numbers from 40960 on become
//! infinite.

/// The only NaN.
const NAN: u8 = 0x80;

/// The code of ∞, without sign.
const INFINITY: u8 = 0x6F;

/// The exponents of the smallest and of the largest value.
const LOWEST: i32 = -22;
const HIGHEST: i32 = 15;

/// Bits of the fraction beside an exponent.
const fn fraction_bits(exponent: i32) -> u32 {
    match exponent.unsigned_abs() {
        0..=3 => 3,
        4..=7 => 2,
        8..=15 => 1,
        _ => 0,
    }
}

/// Returns the value of a code.
pub const fn decode(code: u8) -> f32 {
    let magnitude = (code & 0x7F) as u32;
    let sign = ((code & 0x80) as u32) << 24;
    let bits = match (code, magnitude as u8) {
        (0, _) => 0,
        (NAN, _) => f32::NAN.to_bits(),
        (_, INFINITY) => sign | f32::INFINITY.to_bits(),
        (_, 0x01..=0x07) => sign | (magnitude + (LOWEST - 1 + 127) as u32) << 23,
        _ => {
            // The bits of the exponent's magnitude that are written, the least magnitude, and the bits of the fraction.
            let (written, least, width) = match magnitude {
                0x60.. => (3, 8, 1),
                0x40.. => (2, 4, 2),
                0x20.. => (1, 2, 3),
                0x10.. => (0, 1, 3),
                _ => (0, 0, 3),
            };
            let size = (least + (magnitude >> width & ((1 << written) - 1))) as i32;
            let is_negative = least > 0 && magnitude >> (width + written) & 1 == 1;
            let exponent = if is_negative { -size } else { size };
            let fraction = magnitude & ((1 << width) - 1);
            sign | ((exponent + 127) as u32) << 23 | fraction << (23 - width)
        }
    };
    f32::from_bits(bits)
}

/// Returns the values of all codes, indexed by code.
pub(crate) const fn values() -> [f32; 256] {
    let mut values = [0.0; 256];
    let mut code = 0;
    while code < values.len() {
        values[code] = decode(code as u8);
        code += 1;
    }
    values
}

/// Returns the code of the nearest value, ties away from zero.
#[inline]
pub const fn encode(value: f32) -> u8 {
    let bits = value.to_bits();
    let sign = (bits >> 24) as u8 & 0x80;
    let magnitude = bits & 0x7FFF_FFFF;
    if magnitude > 0x7F80_0000 {
        return NAN;
    }
    let exponent = (magnitude >> 23) as i32 - 127;
    if exponent < LOWEST - 1 {
        return 0;
    }
    // A carry out of the fraction increments the exponent, and leaves a fraction of zero.
    let rounded = magnitude + (1 << (22 - fraction_bits(exponent)));
    let exponent = (rounded >> 23) as i32 - 127;
    if exponent > HIGHEST {
        return sign | INFINITY;
    }
    let width = fraction_bits(exponent);
    let fraction = (rounded >> (23 - width)) as u8 & ((1 << width) - 1);
    let size = exponent.unsigned_abs() as u8;
    let is_negative = (exponent < 0) as u8;
    sign | match size {
        0 => 0x08 | fraction,
        1 => 0x10 | is_negative << 3 | fraction,
        2..=3 => 0x20 | is_negative << 4 | (size - 2) << 3 | fraction,
        4..=7 => 0x40 | is_negative << 4 | (size - 4) << 2 | fraction,
        8..=15 => 0x60 | is_negative << 4 | (size - 8) << 1 | fraction,
        // Values from half of the smallest value up to the smallest value are rounded up to it.
        _ if exponent < LOWEST => 1,
        _ => (exponent - LOWEST + 1) as u8,
    }
}

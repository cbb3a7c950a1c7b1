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

/// Returns the magnitude of the least exponent of a row of the table, and the bits of the fraction, from the magnitude
/// of an exponent up to 15; above that there is no fraction.
#[inline]
const fn row(size: u32) -> (u32, u32) {
    // Comparisons one by one: of a `match`, the compiler makes a table, whose lookups do not vectorise.
    let mut row = (16, 0);
    row = if size < 16 { (8, 1) } else { row };
    row = if size < 8 { (4, 2) } else { row };
    row = if size < 4 { (2, 3) } else { row };
    if size < 2 { (size, 3) } else { row }
}

/// Returns the value of a code.
///
/// The arithmetic has no branches, so that loops over it vectorise; so has [`encode`].
#[inline]
pub const fn decode(code: u8) -> f32 {
    let magnitude = (code & 0x7F) as u32;
    let sign = ((code & 0x80) as u32) << 24;
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
    let mut bits = ((exponent + 127) as u32) << 23 | fraction << (23 - width);
    bits = if magnitude < 0x08 { (magnitude + (LOWEST - 1 + 127) as u32) << 23 } else { bits };
    bits = if magnitude as u8 == INFINITY { f32::INFINITY.to_bits() } else { bits };
    bits |= sign;
    bits = if code == 0 { 0 } else { bits };
    bits = if code == NAN { f32::NAN.to_bits() } else { bits };
    f32::from_bits(bits)
}

/// Returns the code of the nearest value, ties away from zero.
#[inline]
pub const fn encode(value: f32) -> u8 {
    let bits = value.to_bits();
    let sign = bits >> 24 & 0x80;
    let magnitude = bits & 0x7FFF_FFFF;
    let exponent = (magnitude >> 23) as i32 - 127;
    // A carry out of the fraction increments the exponent, and leaves a fraction of zero. NaNs do not overflow.
    let (_, width) = row(exponent.unsigned_abs());
    let rounded = magnitude + (1 << (22 - width));
    let rounded_exponent = (rounded >> 23) as i32 - 127;
    let size = rounded_exponent.unsigned_abs();
    let (least, width) = row(size);
    let fraction = rounded >> (23 - width) & ((1 << width) - 1);
    let is_negative = (rounded_exponent < 0) as u32;
    // The leading ones of a row and the sign of its exponents.
    let leading = if least < 4 { 0x08 << least } else { 0x20 + 8 * least };
    let sign_shift = if least == 1 { 3 } else { 4 };
    let mut code = leading | is_negative << sign_shift | (size - least) << width | fraction;
    // Values from half of the smallest value up to the smallest value are rounded up to it.
    let power = rounded_exponent - LOWEST + 1;
    let power = if power < 1 { 1 } else { power as u32 };
    code = if rounded_exponent < -HIGHEST { power } else { code };
    code = if rounded_exponent > HIGHEST { INFINITY as u32 } else { code };
    code |= sign;
    code = if exponent < LOWEST - 1 { 0 } else { code };
    code = if magnitude > 0x7F80_0000 { NAN as u32 } else { code };
    code as u8
}

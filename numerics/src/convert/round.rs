//! The primitive roundings between floating-point formats.
//!
//! Each function rounds once, to nearest, ties to even, unless its name says otherwise; overflow gives infinity. A NaN
//! stays a NaN: it becomes quiet, and keeps its sign and the upper bits of its payload. The arithmetic has no branches,
//! so that loops over it vectorise.

use half::{bf16, f16};

/// Converts exactly.
#[inline(always)]
pub const fn f32_from_bf16(value: bf16) -> f32 {
    let quiet = ((value.to_bits() & 0x7FFF > 0x7F80) as u32) << 22;
    f32::from_bits((value.to_bits() as u32) << 16 | quiet)
}

/// Converts with one rounding.
#[inline(always)]
pub const fn bf16_from_f32(value: f32) -> bf16 {
    let bits = value.to_bits();
    let rounded = bits.wrapping_add(0x7FFF + ((bits >> 16) & 1)) >> 16;
    let quiet = bits >> 16 | 0x0040;
    let is_nan = bits & 0x7FFF_FFFF > 0x7F80_0000;
    bf16::from_bits(if is_nan { quiet } else { rounded } as u16)
}

/// Converts what is no NaN with one rounding.
#[inline(always)]
pub(crate) const fn bf16_from_number(value: f32) -> bf16 {
    let bits = value.to_bits();
    bf16::from_bits((bits.wrapping_add(0x7FFF + ((bits >> 16) & 1)) >> 16) as u16)
}

/// Converts exactly.
#[inline(always)]
pub const fn f32_from_f16(value: f16) -> f32 {
    let bits = value.to_bits() as u32;
    let sign = (bits & 0x8000) << 16;
    let shifted = (bits & 0x7FFF) << 13;
    let exponent = bits & 0x7C00;
    let quiet = ((bits & 0x7FFF > 0x7C00) as u32) << 22;
    let normal = shifted + ((127 - 15) << 23);
    let special = shifted | 0x7F80_0000 | quiet;
    // 2⁻¹⁴ with the fraction of the subnormal, less 2⁻¹⁴: the subtraction is exact and normalises.
    let smallest_normal = 113 << 23;
    let subnormal = (f32::from_bits(shifted | smallest_normal) - f32::from_bits(smallest_normal)).to_bits();
    let magnitude = match exponent {
        0 => subnormal,
        0x7C00 => special,
        _ => normal,
    };
    f32::from_bits(sign | magnitude)
}

/// Converts with one rounding; values from 65520 on become infinite.
#[inline(always)]
pub const fn f16_from_f32(value: f32) -> f16 {
    let bits = value.to_bits();
    let sign = (bits >> 16) & 0x8000;
    let magnitude = bits & 0x7FFF_FFFF;
    // Normal: exponent rebiased, 13 bits rounded away; a carry into the exponent is right, even up to infinity.
    let rebias = (127 - 15) << 23;
    let normal = magnitude.wrapping_sub(rebias).wrapping_add(0x0FFF + ((magnitude >> 13) & 1)) >> 13;
    // Subnormal: adding 0.5, whose last place is 2⁻²⁴, leaves the rounding to the addition.
    let half_bits = 0.5f32.to_bits();
    let subnormal = (f32::from_bits(magnitude) + 0.5).to_bits().wrapping_sub(half_bits);
    let nan = 0x7E00 | (magnitude >> 13) & 0x03FF;
    let mut result = if magnitude < 113 << 23 { subnormal } else { normal };
    result = if magnitude >= 0x477F_F000 { 0x7C00 } else { result };
    result = if magnitude > 0x7F80_0000 { nan } else { result };
    f16::from_bits((sign | result) as u16)
}

/// Rounds to odd: where `value` is between two f32, to the one with an odd last place.
///
/// The result keeps a trace of what was cut off, so that a further rounding to nearest, two or more places shorter,
/// gives what a single rounding would.
#[inline]
pub const fn f32_from_f64_to_odd(value: f64) -> f32 {
    let nearest = value as f32;
    let bits = nearest.to_bits();
    let back = nearest as f64;
    let inexact = back != value && !value.is_nan();
    let is_even = bits & 1 == 0;
    // The other neighbour: towards zero if the nearest one lies beyond the value.
    let beyond = back.abs() > value.abs();
    let other = if beyond { bits.wrapping_sub(1) } else { bits.wrapping_add(1) };
    f32::from_bits(if inexact && is_even { other } else { bits })
}

/// Converts with one rounding, unlike a conversion through f32.
#[inline]
pub const fn f16_from_f64(value: f64) -> f16 {
    f16_from_f32(f32_from_f64_to_odd(value))
}

/// Converts with one rounding, unlike a conversion through f32.
#[inline]
pub const fn bf16_from_f64(value: f64) -> bf16 {
    bf16_from_f32(f32_from_f64_to_odd(value))
}

/// Rounds to odd, see [`f32_from_f64_to_odd`].
#[inline]
pub const fn f32_from_u64_to_odd(value: u64) -> f32 {
    // From 2⁵³ on the low eleven bits may not fit into f64: if one of them is set, the bit above them is set instead.
    let cut = value & !0x7FF | ((value & 0x7FF != 0) as u64) << 11;
    f32_from_f64_to_odd(if value >> 53 == 0 { value } else { cut } as f64)
}

/// Rounds to odd, see [`f32_from_f64_to_odd`].
#[inline]
pub const fn f32_from_i64_to_odd(value: i64) -> f32 {
    let magnitude = f32_from_u64_to_odd(value.unsigned_abs());
    if value < 0 { -magnitude } else { magnitude }
}

/// Rounds towards zero: only an infinity becomes infinite.
#[inline]
pub const fn f32_from_f64_towards_zero(value: f64) -> f32 {
    let nearest = value as f32;
    let beyond = (nearest as f64).abs() > value.abs();
    f32::from_bits(nearest.to_bits() - beyond as u32)
}

/// Rounds towards zero: only an infinity becomes infinite.
#[inline]
pub const fn f16_from_f32_towards_zero(value: f32) -> f16 {
    let nearest = f16_from_f32(value);
    let beyond = f32_from_f16(nearest).abs() > value.abs();
    f16::from_bits(nearest.to_bits() - beyond as u16)
}

/// Rounds towards zero: only an infinity becomes infinite.
#[inline]
pub const fn bf16_from_f32_towards_zero(value: f32) -> bf16 {
    let nearest = bf16_from_f32(value);
    let beyond = f32_from_bf16(nearest).abs() > value.abs();
    bf16::from_bits(nearest.to_bits() - beyond as u16)
}

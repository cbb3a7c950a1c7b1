//! The small floating-point formats, described as data, and one decoder and one encoder for all of them.
//!
//! | type | bits | largest | ∞ | NaN | −0 |
//! |---|---|---|---|---|---|
//! | f8e4m3fn | 1-4-3, bias 7 | 448 | none | 0x7F, 0xFF | yes |
//! | f8e4m3fnuz | 1-4-3, bias 8 | 240 | none | 0x80 | none |
//! | f8e5m2 | 1-5-2, bias 15 | 57344 | 0x7C, 0xFC | 0x7D–0x7F, 0xFD–0xFF | yes |
//! | f8e5m2fnuz | 1-5-2, bias 16 | 57344 | none | 0x80 | none |
//! | f8e8m0 | 0-8-0, bias 127 | 2¹²⁷ | none | 0xFF | no zero, no sign |
//! | f6e3m2 | 1-3-2, bias 3 | 28 | none | none | yes |
//! | f6e2m3 | 1-2-3, bias 1 | 7.5 | none | none | yes |
//! | f4e2m1 | 1-2-1, bias 1 | 6 | none | none | yes |
//! | f4e1m2, hif4 | 1-1-2, bias 1 | 1.75 | none | none | yes |
//!
//! Every value of every format is an f32. Values wider than f32 are rounded to odd first
//! ([`f32_from_f64_to_odd`](super::round::f32_from_f64_to_odd)), so that the encoding rounds them only once.
//!
//! HiF8, whose exponent and fraction share their bits, is described in [`hif8`](super::hif8). HiF4 is a sign and a
//! number of quarters, which is f4e1m2. How a device rounds to HiF4 is not known; here it is rounded to the nearest,
//! ties to even.

use crate::dtype::DType;

/// A binary floating-point format of up to eight bits.
///
/// The lowest exponent holds zero and the subnormal numbers. A format without fraction bits has neither; its lowest
/// exponent is like the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FloatFormat {
    /// Whether the highest bit is a sign.
    signed: bool,
    /// The number of bits of the exponent.
    exponent: u32,
    /// The number of bits of the fraction.
    fraction: u32,
    /// The difference between the exponent field and the exponent.
    bias: i32,
    /// The codes that are not finite numbers.
    specials: Specials,
}

/// The codes of a format that are not finite numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Specials {
    /// As in IEEE formats: the highest exponent holds ∞ and NaNs.
    Ieee,
    /// No ∞; the code of all ones is NaN, with either sign.
    AllOnes,
    /// No ∞ and no −0; the code of −0 is the only NaN.
    NegativeZero,
    /// Every code is a finite number.
    None,
}

/// The result for a value that is too large.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beyond {
    /// The largest finite value, with the sign.
    Largest,
    /// ∞; NaN where there is none; the largest value where there is neither.
    Special,
}

/// The rounding of a value between two powers of two, for f8e8m0, which holds powers of two only.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum RoundMode {
    /// Away from zero.
    #[default]
    Up,
    /// Towards zero.
    Down,
    /// To the nearest; upwards if both are equally near.
    Nearest,
}

#[inline]
const fn format(signed: bool, exponent: u32, fraction: u32, bias: i32, specials: Specials) -> FloatFormat {
    FloatFormat { signed, exponent, fraction, bias, specials }
}

impl FloatFormat {
    pub(crate) const F8E4M3FN: FloatFormat = format(true, 4, 3, 7, Specials::AllOnes);
    pub(crate) const F8E5M2: FloatFormat = format(true, 5, 2, 15, Specials::Ieee);
    pub(crate) const F4E2M1: FloatFormat = format(true, 2, 1, 1, Specials::None);
    pub(crate) const F4E1M2: FloatFormat = format(true, 1, 2, 1, Specials::None);

    /// Returns the format of a type; `None` if the type is wider than a byte, not a float, or HiF8.
    #[inline]
    pub const fn of(dtype: DType) -> Option<FloatFormat> {
        use Specials::{AllOnes, NegativeZero, None as Finite};
        Some(match dtype {
            DType::F8E4M3FN => Self::F8E4M3FN,
            DType::F8E4M3FNUZ => format(true, 4, 3, 8, NegativeZero),
            DType::F8E5M2 => Self::F8E5M2,
            DType::F8E5M2FNUZ => format(true, 5, 2, 16, NegativeZero),
            DType::F8E8M0 => format(false, 8, 0, 127, AllOnes),
            DType::F6E3M2 => format(true, 3, 2, 3, Finite),
            DType::F6E2M3 => format(true, 2, 3, 1, Finite),
            DType::F4E2M1 => Self::F4E2M1,
            DType::F4E1M2 | DType::HiF4 => Self::F4E1M2,
            _ => return None,
        })
    }

    /// Returns the number of bits of a code.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.signed as u32 + self.exponent + self.fraction
    }

    /// Returns the bit of the sign; 0 if there is none.
    #[inline]
    const fn sign(self) -> u8 {
        if self.signed { 1 << (self.exponent + self.fraction) } else { 0 }
    }

    /// Returns the code of all ones, without sign.
    #[inline]
    const fn ones(self) -> u8 {
        0xFF >> (8 - self.exponent - self.fraction)
    }

    /// Returns the code of ∞, if the format has ∞.
    #[inline]
    pub const fn infinity(self) -> Option<u8> {
        match self.specials {
            Specials::Ieee => Some(self.ones() >> self.fraction << self.fraction),
            _ => None,
        }
    }

    /// Returns the code of the quiet NaN without sign, if the format has NaN.
    #[inline]
    pub const fn nan(self) -> Option<u8> {
        match self.specials {
            Specials::Ieee => Some(self.ones() & !(self.ones() >> (self.exponent + 1))),
            Specials::AllOnes => Some(self.ones()),
            Specials::NegativeZero => Some(self.sign()),
            Specials::None => None,
        }
    }

    /// Returns the code of the largest finite value.
    #[inline]
    pub const fn largest(self) -> u8 {
        match self.specials {
            Specials::Ieee => (self.ones() >> self.fraction << self.fraction) - 1,
            Specials::AllOnes => self.ones() - 1,
            Specials::NegativeZero | Specials::None => self.ones(),
        }
    }

    /// Returns the exact value of a code; bits above the width of the format are ignored.
    ///
    /// The arithmetic has no branches once the format is known, so that loops over it vectorise.
    #[inline]
    pub const fn decode(self, code: u8) -> f32 {
        let magnitude = (code & self.ones()) as u32;
        let sign = ((code & self.sign()) as u32) << (32 - self.bits());
        let shifted = magnitude << (23 - self.fraction);
        let normal = shifted + (((127 - self.bias) as u32) << 23);
        // The smallest normal number with the fraction of the subnormal, less that number: the subtraction is exact
        // and normalises.
        let smallest_normal = ((128 - self.bias) as u32) << 23;
        let subnormal =
            (f32::from_bits(shifted + smallest_normal) - f32::from_bits(smallest_normal)).to_bits();
        let mut value = if magnitude >> self.fraction == 0 { subnormal } else { normal };
        if self.fraction == 0 {
            // The lowest exponent is like the others, and in f8e8m0, whose bias is that of f32, subnormal there.
            value = if magnitude == 0 { power_of_two(-self.bias).to_bits() } else { normal };
        }
        let largest = self.largest() as u32;
        let (is_infinite, is_nan) = match self.specials {
            Specials::Ieee => (magnitude == largest + 1, magnitude > largest + 1),
            Specials::AllOnes => (false, magnitude > largest),
            Specials::NegativeZero => (false, magnitude == 0 && sign != 0),
            Specials::None => (false, false),
        };
        value = if is_infinite { f32::INFINITY.to_bits() } else { value };
        value = if is_nan { f32::NAN.to_bits() } else { value };
        f32::from_bits(value | sign)
    }

    /// Returns the encoder that rounds to nearest, ties to even; a value is too large if its rounded value is.
    ///
    /// A NaN keeps its sign where the format has NaNs of both signs. A format without NaN makes a zero of it, with the
    /// other sign, as ml_dtypes does. `None` for a format without fraction bits: see [`PowerEncoder`].
    #[inline]
    pub const fn encoder(self, overflow: Beyond, infinite: Beyond) -> Option<FloatEncoder> {
        if self.fraction == 0 { None } else { Some(self.nearest(overflow, infinite)) }
    }

    /// Returns the same encoder for a format that is known to have fraction bits.
    #[inline]
    pub(crate) const fn nearest(self, overflow: Beyond, infinite: Beyond) -> FloatEncoder {
        let nan = self.nan();
        FloatEncoder {
            smallest_normal: ((128 - self.bias) as u32) << 23,
            rebias: ((127 - self.bias) as u32) << 23,
            shift: 23 - self.fraction,
            unit: power_of_two(24 - self.bias - self.fraction as i32),
            sign_shift: 32 - self.bits(),
            largest: self.largest() as u32,
            overflow: self.beyond(overflow),
            infinite: self.beyond(infinite),
            nan: match nan {
                Some(code) => code as u32,
                None => 0,
            },
            nan_flip: (nan.is_none() as u32) << 31,
            negative_zero: !matches!(self.specials, Specials::NegativeZero),
        }
    }

    #[inline]
    const fn beyond(self, beyond: Beyond) -> u32 {
        let code = match (beyond, self.infinity(), self.nan()) {
            (Beyond::Special, Some(code), _) | (Beyond::Special, None, Some(code)) => code,
            _ => self.largest(),
        };
        code as u32
    }
}

/// Returns 2 to a power from −149 to 127.
#[inline]
const fn power_of_two(power: i32) -> f32 {
    f32::from_bits(if power < -126 { 1 << (power + 149) } else { ((power + 127) as u32) << 23 })
}

/// An encoder into a format, made by [`FloatFormat::encoder`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FloatEncoder {
    /// The bits of an f32, as `rebias` is.
    smallest_normal: u32,
    rebias: u32,
    shift: u32,
    /// The f32 whose last place has the value of the smallest subnormal.
    unit: f32,
    sign_shift: u32,
    /// Codes without sign. Where the only NaN is the code of −0, setting the sign changes nothing.
    largest: u32,
    overflow: u32,
    infinite: u32,
    nan: u32,
    /// The bits to flip for the sign of a NaN.
    nan_flip: u32,
    negative_zero: bool,
}

impl FloatEncoder {
    /// Returns the code of the nearest value, ties to even.
    #[inline]
    pub const fn encode(&self, value: f32) -> u8 {
        let bits = value.to_bits();
        let magnitude = bits & 0x7FFF_FFFF;
        let half = (1 << (self.shift - 1)) - 1;
        // The codes continue past the largest one, so that overflow is checked after rounding.
        let even = half + (magnitude >> self.shift & 1);
        let normal = magnitude.wrapping_sub(self.rebias).wrapping_add(even) >> self.shift;
        // The addition rounds.
        let subnormal = (f32::from_bits(magnitude) + self.unit).to_bits().wrapping_sub(self.unit.to_bits());
        let is_nan = magnitude > 0x7F80_0000;
        let mut code = if magnitude < self.smallest_normal { subnormal } else { normal };
        code = if code > self.largest { self.overflow } else { code };
        code = if magnitude == 0x7F80_0000 { self.infinite } else { code };
        code = if is_nan { self.nan } else { code };
        let negative = (bits ^ if is_nan { self.nan_flip } else { 0 }) & 0x8000_0000;
        let has_sign = self.negative_zero | (code != 0);
        (code | if has_sign { negative >> self.sign_shift } else { 0 }) as u8
    }
}

/// How a format is that of the upper byte of f16 shifted upwards, if it has the fewer exponents for that.
#[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "other machines encode by arithmetic"))]
#[derive(Clone, Copy)]
pub(super) struct ByWayOfF16 {
    /// The power of two, at most 1, that makes the exponents those of f16.
    pub(super) scale: f32,
    /// By how many bits the fraction is longer than that in the upper byte of f16.
    pub(super) shift: u8,
    /// The codes for what is too large, which is the largest one or follows it, for ∞ and for NaN.
    pub(super) overflow: u8,
    pub(super) infinite: u8,
    pub(super) nan: u8,
}

impl FloatEncoder {
    /// Returns the way by f16; `None` for formats other than f8e5m2 and f8e4m3fn, whose signs have rules of their own.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(dead_code, reason = "other machines encode by arithmetic")
    )]
    #[inline]
    pub(super) const fn by_way_of_f16(&self) -> Option<ByWayOfF16> {
        let is_signed_byte = self.sign_shift == 24 && self.negative_zero && self.nan_flip == 0;
        if !is_signed_byte || self.shift < 20 || self.shift > 21 {
            return None;
        }
        Some(ByWayOfF16 {
            scale: power_of_two(127 - (self.rebias >> 23) as i32 - 15),
            shift: (21 - self.shift) as u8,
            overflow: self.overflow as u8,
            infinite: self.infinite as u8,
            nan: self.nan as u8,
        })
    }
}

/// An encoder into f8e8m0, which has powers of two only.
///
/// With saturation, a value out of range becomes the nearer end of the range, and zero counts as below the range;
/// without it, both become NaN. The range is checked before rounding. NaN and negative numbers become NaN in both
/// cases; −0 is zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PowerEncoder {
    /// The fraction of a significand, in bits of f32, from which on the value is rounded to the next power of two.
    threshold: u32,
    below: u8,
    above: u8,
}

impl PowerEncoder {
    const NAN: u8 = 0xFF;
    const LARGEST: u8 = 0xFE;

    /// Creates an encoder with a rounding and with or without saturation.
    #[inline]
    pub const fn new(round: RoundMode, saturate: bool) -> PowerEncoder {
        let threshold = match round {
            RoundMode::Up => 1,
            RoundMode::Nearest => 1 << 22,
            RoundMode::Down => 1 << 23,
        };
        let (below, above) = if saturate { (0, Self::LARGEST) } else { (Self::NAN, Self::NAN) };
        PowerEncoder { threshold, below, above }
    }

    /// Returns the code of a value.
    #[inline]
    pub const fn encode(&self, value: f32) -> u8 {
        const SMALLEST: u32 = power_of_two(-127).to_bits();
        const LARGEST: u32 = power_of_two(127).to_bits();
        let bits = value.to_bits();
        let magnitude = bits & 0x7FFF_FFFF;
        // The smallest power is subnormal in f32: there the fraction begins one place lower.
        let is_smallest = magnitude >> 23 == 0;
        let fraction =
            if is_smallest { magnitude.wrapping_sub(SMALLEST) << 1 } else { magnitude & 0x007F_FFFF };
        let mut code = ((magnitude >> 23) as u8).wrapping_add((fraction >= self.threshold) as u8);
        code = if magnitude < SMALLEST { self.below } else { code };
        code = if magnitude > LARGEST { self.above } else { code };
        let is_nan = magnitude > 0x7F80_0000 || bits > 0x8000_0000;
        if is_nan { Self::NAN } else { code }
    }
}

//! ONNX Cast once more, slow and obvious: exact values, and a search over all codes of the target.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

pub(crate) mod hif8;

use std::cmp::Ordering;

use aclnn_numerics::DType;
use aclnn_numerics::convert::onnx::{CastOptions, RoundMode};

/// A positive number, `significand` · 2^`exponent`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exact {
    significand: u128,
    exponent: i32,
}

impl Exact {
    const ZERO: Exact = Exact { significand: 0, exponent: 0 };

    fn doubled(self) -> Exact {
        Exact { exponent: self.exponent + 1, ..self }
    }

    fn plus(self, other: Exact) -> Exact {
        let exponent = self.exponent.min(other.exponent);
        let aligned = |number: Exact| number.significand << (number.exponent - exponent);
        Exact { significand: aligned(self) + aligned(other), exponent }
    }

    fn cmp(self, other: Exact) -> Ordering {
        match (self.significand, other.significand) {
            (0, 0) => return Ordering::Equal,
            (0, _) => return Ordering::Less,
            (_, 0) => return Ordering::Greater,
            _ => {}
        }
        let key = |number: Exact| {
            let zeros = number.significand.leading_zeros();
            (number.exponent - zeros as i32, number.significand << zeros)
        };
        key(self).cmp(&key(other))
    }

    /// The whole part, which is taken for 2¹²⁰ if it is larger.
    fn whole(self) -> i128 {
        let bits = 128 - self.significand.leading_zeros() as i32 + self.exponent;
        match self.exponent {
            _ if bits > 120 => 1 << 120,
            0.. => (self.significand << self.exponent) as i128,
            -127.. => (self.significand >> -self.exponent) as i128,
            _ => 0,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    Nan { negative: bool },
    Infinite { negative: bool },
    Finite { negative: bool, magnitude: Exact },
}

/// Fraction bits, exponent bits, bias, and the codes of ∞ and NaN without sign.
#[derive(Clone, Copy)]
pub(crate) struct Layout {
    fraction: u32,
    exponent: u32,
    bias: i32,
    infinity: Option<u64>,
    largest: u64,
}

pub(crate) fn layout(dtype: DType) -> Layout {
    let (fraction, exponent, bias, infinity, largest) = match dtype {
        DType::F64 => (52, 11, 1023, Some(0x7FF << 52), (0x7FF << 52) - 1),
        DType::F32 => (23, 8, 127, Some(0x7F80_0000), 0x7F7F_FFFF),
        DType::F16 => (10, 5, 15, Some(0x7C00), 0x7BFF),
        DType::BF16 => (7, 8, 127, Some(0x7F80), 0x7F7F),
        DType::F8E5M2 => (2, 5, 15, Some(0x7C), 0x7B),
        DType::F8E4M3FN => (3, 4, 7, None, 0x7E),
        DType::F8E4M3FNUZ => (3, 4, 8, None, 0x7F),
        DType::F8E5M2FNUZ => (2, 5, 16, None, 0x7F),
        DType::F6E3M2 => (2, 3, 3, None, 0x1F),
        DType::F6E2M3 => (3, 2, 1, None, 0x1F),
        DType::F4E2M1 => (1, 2, 1, None, 0x07),
        DType::F4E1M2 | DType::HiF4 => (2, 1, 1, None, 0x07),
        _ => panic!("{dtype} is no float with a fraction"),
    };
    Layout { fraction, exponent, bias, infinity, largest }
}

impl Layout {
    /// The value of a code without sign, continued past the largest one.
    pub(crate) fn magnitude(self, code: u64) -> Exact {
        let field = (code >> self.fraction) as i32;
        let fraction = u128::from(code & ((1 << self.fraction) - 1));
        let exponent = field.max(1) - self.bias - self.fraction as i32;
        Exact { significand: fraction + if field == 0 { 0 } else { 1 << self.fraction }, exponent }
    }

    fn sign(self) -> u64 {
        1 << (self.fraction + self.exponent)
    }

    /// The nearest code, by search; of two, the even one. May be past the largest.
    fn nearest(self, value: Exact) -> u64 {
        let (mut low, mut high) = (0, self.largest + 2);
        while high - low > 1 {
            let between = low + (high - low) / 2;
            if self.magnitude(between).cmp(value) == Ordering::Greater {
                high = between
            } else {
                low = between
            }
        }
        let middle = self.magnitude(low).plus(self.magnitude(high));
        match value.doubled().cmp(middle) {
            Ordering::Less => low,
            Ordering::Greater => high,
            Ordering::Equal => low + low % 2,
        }
    }
}

pub(crate) fn value(dtype: DType, code: u64) -> Value {
    let finite = |negative, significand: u64, exponent| Value::Finite {
        negative,
        magnitude: Exact { significand: significand.into(), exponent },
    };
    let bits = dtype.bits() as u32;
    match dtype {
        DType::Bool => finite(false, u64::from(code != 0), 0),
        DType::F8E8M0 if code == 0xFF => Value::Nan { negative: false },
        DType::F8E8M0 => finite(false, 1, code as i32 - 127),
        _ if dtype.is_float() => {
            let layout = layout(dtype);
            let negative = code & layout.sign() != 0;
            let magnitude = code & (layout.sign() - 1);
            let fnuz = matches!(dtype, DType::F8E4M3FNUZ | DType::F8E5M2FNUZ);
            match magnitude {
                0 if fnuz && negative => Value::Nan { negative },
                _ if layout.infinity == Some(magnitude) => Value::Infinite { negative },
                _ if magnitude > layout.largest => Value::Nan { negative },
                _ => Value::Finite { negative, magnitude: layout.magnitude(magnitude) },
            }
        }
        _ => {
            let unused = 64 - bits;
            let signed = (code << unused) as i64 >> unused;
            if dtype.class() == aclnn_numerics::Class::Signed {
                finite(signed < 0, signed.unsigned_abs(), 0)
            } else {
                finite(false, code, 0)
            }
        }
    }
}

/// The code that a value of a type becomes. A NaN of a wide type is the quiet one with the sign.
pub(crate) fn cast(from: DType, value: Value, to: DType, options: CastOptions) -> u64 {
    if to == DType::Bool {
        return match value {
            Value::Finite { magnitude, .. } => u64::from(magnitude.significand != 0),
            _ => 1,
        };
    }
    if to == DType::F8E8M0 {
        return power(value, options);
    }
    if to.is_float() { float(value, to, options) } else { integer(from, value, to) }
}

/// Truncates the value and saturates it, then keeps the low bits.
fn integer(from: DType, value: Value, to: DType) -> u64 {
    let bits = to.bits();
    let (low, high) = match (from, to) {
        (_, DType::U64) => (0, (1i128 << 64) - 1),
        (_, DType::U32) => (0, (1 << 32) - 1),
        (_, DType::I64) => (-(1 << 63), (1 << 63) - 1),
        (DType::F16 | DType::F64, DType::U8) => (-(1 << 31), (1 << 31) - 1),
        (_, DType::U8) => (-(1 << 63), (1 << 63) - 1),
        _ => (-(1 << 31), (1 << 31) - 1),
    };
    let whole = match value {
        Value::Nan { .. } => 0,
        Value::Infinite { negative: true } => low,
        Value::Infinite { negative: false } => high,
        Value::Finite { negative, magnitude } => {
            let whole = magnitude.whole();
            (if negative { -whole } else { whole }).clamp(low, high)
        }
    };
    whole as u64 & (u64::MAX >> (64 - bits))
}

/// As [`integer`], for an integer source: nothing saturates.
pub(crate) fn low_bits(value: i128, to: DType) -> u64 {
    value as u64 & (u64::MAX >> (64 - to.bits()))
}

/// The tables as printed.
fn float(value: Value, to: DType, options: CastOptions) -> u64 {
    let layout = layout(to);
    let signed = |negative: bool, code: u64| if negative { code | layout.sign() } else { code };
    let float8 = matches!(to, DType::F8E4M3FN | DType::F8E4M3FNUZ | DType::F8E5M2 | DType::F8E5M2FNUZ);
    let saturate = to.bits() < 8 || float8 && options.saturate;
    match (value, to) {
        (Value::Nan { .. }, DType::F8E4M3FNUZ | DType::F8E5M2FNUZ) => 0x80,
        (Value::Nan { negative }, DType::F8E4M3FN) => signed(negative, 0x7F),
        (Value::Nan { negative }, _) if to.bits() < 8 => signed(!negative, 0),
        (Value::Nan { negative }, _) => {
            signed(negative, layout.infinity.unwrap() | 1 << (layout.fraction - 1))
        }
        (Value::Infinite { .. }, DType::F8E4M3FNUZ | DType::F8E5M2FNUZ) if saturate && options.opset < 24 => {
            0x80
        }
        (Value::Infinite { negative }, _) => too_large(negative, to, saturate),
        (Value::Finite { negative, magnitude }, _) => {
            let nearest = layout.nearest(magnitude);
            match to {
                _ if nearest > layout.largest => too_large(negative, to, saturate),
                DType::F8E4M3FNUZ | DType::F8E5M2FNUZ if nearest == 0 => 0,
                _ => signed(negative, nearest),
            }
        }
    }
}

fn too_large(negative: bool, to: DType, saturate: bool) -> u64 {
    let layout = layout(to);
    let code = match (saturate, layout.infinity, to) {
        (true, ..) => layout.largest,
        (false, Some(infinity), _) => infinity,
        (false, None, DType::F8E4M3FN) => 0x7F,
        (false, None, _) => return 0x80,
    };
    if negative { code | layout.sign() } else { code }
}

fn power(value: Value, options: CastOptions) -> u64 {
    let (below, above) = if options.saturate { (0, 0xFE) } else { (0xFF, 0xFF) };
    let (negative, magnitude) = match value {
        Value::Nan { .. } | Value::Infinite { negative: true } => return 0xFF,
        Value::Infinite { negative: false } => return above,
        Value::Finite { negative, magnitude } => (negative, magnitude),
    };
    let power = |code: u64| Exact { significand: 1, exponent: code as i32 - 127 };
    if magnitude.cmp(Exact::ZERO) == Ordering::Equal {
        return below;
    } else if negative {
        return 0xFF;
    } else if magnitude.cmp(power(0)) == Ordering::Less {
        return below;
    } else if magnitude.cmp(power(0xFE)) == Ordering::Greater {
        return above;
    }
    let low = (0..=0xFE).rfind(|&code| power(code).cmp(magnitude) != Ordering::Greater).unwrap();
    let exact = power(low).cmp(magnitude) == Ordering::Equal;
    let from_middle = magnitude.doubled().cmp(power(low).plus(power(low + 1))) != Ordering::Less;
    match options.round_mode {
        _ if exact => low,
        RoundMode::Up => low + 1,
        RoundMode::Down => low,
        RoundMode::Nearest => low + u64::from(from_middle),
    }
}

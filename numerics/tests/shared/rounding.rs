//! The primitive roundings and every half-width value, against slow and obvious references.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use aclnn_numerics::convert::cann::converter;
use aclnn_numerics::convert::round;
use aclnn_numerics::{DType, bf16, f16};

/// A 16-bit float format.
#[derive(Clone, Copy)]
struct Format {
    fraction: u32,
    bias: i32,
}

const F16: Format = Format { fraction: 10, bias: 15 };
const BF16: Format = Format { fraction: 7, bias: 127 };

impl Format {
    fn infinity(self) -> u16 {
        0x7FFF >> self.fraction << self.fraction
    }

    /// The value of a pattern without sign, continued past the largest finite one.
    fn magnitude(self, pattern: u16) -> f64 {
        let exponent = i32::from(pattern >> self.fraction);
        let fraction = f64::from(pattern & ((1 << self.fraction) - 1));
        let one = f64::from(1u32 << self.fraction);
        if exponent == 0 {
            fraction / one * 2f64.powi(1 - self.bias)
        } else {
            (1.0 + fraction / one) * 2f64.powi(exponent - self.bias)
        }
    }

    fn decode(self, bits: u16) -> f64 {
        let magnitude = match bits & 0x7FFF {
            pattern if pattern > self.infinity() => f64::NAN,
            pattern if pattern == self.infinity() => f64::INFINITY,
            pattern => self.magnitude(pattern),
        };
        if bits & 0x8000 == 0 { magnitude } else { -magnitude }
    }

    /// The nearest pattern, by search; of two, the even one.
    fn encode(self, value: f64) -> u16 {
        let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
        let value = value.abs();
        if value.is_nan() {
            return sign | self.infinity() | 1 << (self.fraction - 1);
        }
        // The search: `low` is at most the value, `high` is beyond it or infinity.
        let (mut low, mut high) = (0, self.infinity());
        while high - low > 1 {
            let between = low + (high - low) / 2;
            if self.magnitude(between) <= value { low = between } else { high = between }
        }
        // Exact: differences of neighbours and their halves need few places more than the format.
        let middle = self.magnitude(low) + (self.magnitude(high) - self.magnitude(low)) / 2.0;
        let up = value > middle || value == middle && low % 2 == 1;
        sign | if up { high } else { low }
    }
}

fn same_f32(got: f32, want: f64) -> bool {
    if want.is_nan() {
        got.is_nan() && got.is_sign_negative() == want.is_sign_negative() && got.to_bits() & 0x0040_0000 != 0
    } else {
        f64::from(got).to_bits() == want.to_bits()
    }
}

fn all_patterns() -> impl Iterator<Item = u16> {
    0..=u16::MAX
}

#[test]
fn widening_is_exact() {
    for bits in all_patterns() {
        let got = round::f32_from_f16(f16::from_bits(bits));
        assert!(same_f32(got, F16.decode(bits)), "f16 {bits:04x}: {got:?}");
        let got = round::f32_from_bf16(bf16::from_bits(bits));
        assert!(same_f32(got, BF16.decode(bits)), "bf16 {bits:04x}: {got:?}");
    }
}

/// Each value, each middle between neighbours, and what is next to either, in f32 and in f64.
#[test]
fn narrowing_rounds_once() {
    for (format, f32_to, f64_to) in [
        (
            F16,
            (|v| round::f16_from_f32(v).to_bits()) as fn(f32) -> u16,
            (|v| round::f16_from_f64(v).to_bits()) as fn(f64) -> u16,
        ),
        (BF16, |v| round::bf16_from_f32(v).to_bits(), |v| round::bf16_from_f64(v).to_bits()),
    ] {
        for low in 0..format.infinity() {
            let (value, next) = (format.magnitude(low), format.magnitude(low + 1));
            let middle = value + (next - value) / 2.0;
            let even = low + low % 2;
            let doubles = [
                (value, low),
                (value.next_up(), low),
                (middle.next_down(), low),
                (middle, even),
                (middle.next_up(), low + 1),
                (next.next_down(), low + 1),
            ];
            for (double, want) in doubles {
                assert_eq!(f64_to(double), want, "{double:e}");
                assert_eq!(f64_to(-double), want | 0x8000, "-{double:e}");
            }
            let single = |v: f64| {
                let narrow = v as f32;
                assert_eq!(f64::from(narrow), v);
                narrow
            };
            let singles = [
                (single(value), low),
                (single(value).next_up(), low),
                (single(middle).next_down(), low),
                (single(middle), even),
                (single(middle).next_up(), low + 1),
            ];
            for (single, want) in singles {
                assert_eq!(f32_to(single), want, "{single:e}");
                assert_eq!(f32_to(-single), want | 0x8000, "-{single:e}");
            }
        }
        for (huge, want) in [(f64::MAX, format.infinity()), (f64::INFINITY, format.infinity()), (5e-324, 0)] {
            assert_eq!(f64_to(huge), want);
            assert_eq!(f64_to(-huge), want | 0x8000);
        }
        assert_eq!(f32_to(f32::MAX), format.infinity());
        assert_eq!(f32_to(f32::INFINITY), format.infinity());
        for (sign, nan) in [(0, f32::NAN), (0x8000, -f32::NAN), (0, f32::from_bits(0x7F80_0001))] {
            let quiet = format.infinity() | 1 << (format.fraction - 1);
            assert_eq!(f32_to(nan) & (0x8000 | quiet), sign | quiet);
            assert_eq!(f64_to(f64::from(nan)) & (0x8000 | quiet), sign | quiet);
        }
    }
}

#[test]
fn double_rounding_is_where_it_is_promised() {
    let value = 1.0 + 2f64.powi(-11) + 2f64.powi(-30);
    assert_eq!(round::f16_from_f64(value).to_f64(), 1.0009765625);
    assert_eq!(round::f16_from_f32(value as f32).to_f64(), 1.0);
}

/// All 2¹⁶ values of both half-width formats to every type of the tables.
#[test]
fn every_half_to_every_type() {
    for (from, format) in [(DType::F16, F16), (DType::BF16, BF16)] {
        let source: Vec<u8> = all_patterns().flat_map(u16::to_le_bytes).collect();
        for to in DType::TABLE {
            let size = to.bits() / 8;
            let mut target = vec![0xA5; 65536 * size];
            converter(from, to).unwrap()(&source, &mut target);
            for (bits, got) in all_patterns().zip(target.chunks(size)) {
                let context = || format!("{from} {bits:04x} to {to}: {got:02x?}");
                if from == to {
                    assert_eq!(got, bits.to_le_bytes(), "{}", context());
                } else {
                    check(format.decode(bits), from, to, got, &context);
                }
            }
        }
    }
}

fn check(value: f64, from: DType, to: DType, got: &[u8], context: &dyn Fn() -> String) {
    let float = |got: &[u8]| match got.len() {
        4 => f64::from(f32::from_le_bytes(got.try_into().unwrap())),
        _ => f64::from_le_bytes(got.try_into().unwrap()),
    };
    let same = |got: f64, want: f64| match want.is_nan() {
        true => got.is_nan() && got.is_sign_negative() == want.is_sign_negative(),
        false => got.to_bits() == want.to_bits(),
    };
    let sixteen = |format: Format, got: &[u8]| {
        let got = u16::from_le_bytes(got.try_into().unwrap());
        if value.is_nan() { same(format.decode(got), value) } else { got == format.encode(value) }
    };
    // Truncated in a width, saturating; the low bits are compared.
    let integer = |low: i128, high: i128| {
        let whole = match value {
            v if v.is_nan() => 0,
            v if v >= high as f64 => high,
            v if v <= low as f64 => low,
            v => v as i128,
        };
        whole.to_le_bytes()[..got.len()] == *got
    };
    let (i32_range, i64_range) = ((-(1i128 << 31), (1i128 << 31) - 1), (-(1i128 << 63), (1i128 << 63) - 1));
    let holds = match to {
        DType::F32 | DType::F64 => same(float(got), value),
        DType::F16 => sixteen(F16, got),
        DType::BF16 => sixteen(BF16, got),
        DType::U8 if from == DType::BF16 => integer(i64_range.0, i64_range.1),
        DType::I8 | DType::U8 | DType::I16 | DType::U16 | DType::I32 => integer(i32_range.0, i32_range.1),
        DType::U32 => integer(0, (1 << 32) - 1),
        DType::I64 => integer(i64_range.0, i64_range.1),
        DType::U64 => integer(0, (1 << 64) - 1),
        DType::Bool => got == [u8::from(value != 0.0)],
        DType::C32 | DType::C64 | DType::C128 => {
            let (real, imaginary) = got.split_at(got.len() / 2);
            let real_holds = if to == DType::C32 { sixteen(F16, real) } else { same(float(real), value) };
            real_holds && imaginary.iter().all(|&byte| byte == 0)
        }
        other => panic!("{other} is not in the tables"),
    };
    assert!(holds, "{}", context());
}

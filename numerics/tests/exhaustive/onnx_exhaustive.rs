//! ONNX Cast, and CANN's of small floats, against an independent reference: every value of every type of up to 16 bits, all
//! boundaries of each target in f32 and f64, and random values of the wide types.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use aclnn_numerics::convert::cann::{converter_on, has_cast};
use aclnn_numerics::convert::hif8;
use aclnn_numerics::convert::onnx::{Cast, CastOptions, RoundMode, types};
use aclnn_numerics::convert::pack::Width;
use aclnn_numerics::convert::small::{Beyond, FloatFormat};
use aclnn_numerics::product::Product;
use aclnn_numerics::{Class, DType};
use proptest::prelude::*;

use crate::{oracle, sweep};

fn numbers() -> impl Iterator<Item = DType> {
    types(25).filter(|&dtype| dtype != DType::String)
}

/// The options that make a difference for a target.
fn options(to: DType) -> Vec<CastOptions> {
    let default = CastOptions::default();
    let both = [true, false].map(|saturate| CastOptions { saturate, ..default });
    match to {
        DType::F8E8M0 => [RoundMode::Up, RoundMode::Down, RoundMode::Nearest]
            .into_iter()
            .flat_map(|round_mode| both.map(|options| CastOptions { round_mode, ..options }))
            .collect(),
        _ if to.is_float() && to.bits() == 8 => {
            both.into_iter().flat_map(|options| [options, CastOptions { opset: 19, ..options }]).collect()
        }
        _ => vec![default],
    }
}

fn size(dtype: DType) -> usize {
    dtype.bits().div_ceil(8)
}

/// All codes at once, through the slices.
fn convert(from: DType, to: DType, options: CastOptions, codes: &[u64]) -> Vec<u64> {
    let spread = |dtype: DType, codes: &[u64]| -> Vec<u8> {
        codes.iter().flat_map(|code| code.to_le_bytes()[..size(dtype)].to_vec()).collect()
    };
    let mut source = spread(from, codes);
    if let Some(width) = Width::of(from) {
        let unpacked = source.clone();
        source.truncate(from.storage_bytes(codes.len()).unwrap());
        width.pack(&unpacked, &mut source);
    }
    let mut target = vec![0; to.storage_bytes(codes.len()).unwrap()];
    Cast::new(from, to, options).unwrap().run(&source, codes.len(), &mut target).unwrap();
    if let Some(width) = Width::of(to) {
        let packed = target;
        target = vec![0; codes.len()];
        width.unpack(&packed, &mut target);
    }
    let code = |bytes: &[u8]| bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
    target.chunks(size(to)).map(code).collect()
}

/// A NaN of a wide type with its payload reduced to the quiet bit.
fn comparable(dtype: DType, code: u64) -> u64 {
    match (dtype, oracle::value(dtype, code)) {
        (DType::F16 | DType::BF16 | DType::F32 | DType::F64, nan @ oracle::Value::Nan { .. }) => {
            oracle::cast(dtype, nan, dtype, CastOptions::default())
        }
        _ => code,
    }
}

fn expected(from: DType, code: u64, to: DType, options: CastOptions) -> u64 {
    if from == to && !matches!(to, DType::F8E5M2 | DType::Bool) {
        return comparable(to, code);
    }
    if matches!(from.class(), Class::Signed | Class::Unsigned) && (to.is_integer()) {
        let unused = 64 - from.bits();
        let signed = i128::from((code << unused) as i64 >> unused);
        return oracle::low_bits(if from.class() == Class::Signed { signed } else { code.into() }, to);
    }
    oracle::cast(from, oracle::value(from, code), to, options)
}

fn check(from: DType, codes: &[u64], to: DType) {
    for options in options(to) {
        let opset = options.opset;
        // An older opset may lack the source.
        let options =
            CastOptions { opset: if Cast::new(from, to, options).is_ok() { opset } else { 25 }, ..options };
        for (&code, got) in codes.iter().zip(convert(from, to, options, codes)) {
            let want = expected(from, code, to, options);
            assert_eq!(
                comparable(to, got),
                want,
                "{from} {code:#x} to {to}, {options:?}: {got:#x}, not {want:#x}"
            );
        }
    }
}

#[test]
fn every_half_to_every_type() {
    let all: Vec<u64> = sweep::codes().map(u64::from).collect();
    for from in [DType::F16, DType::BF16] {
        for to in numbers() {
            check(from, &all, to);
        }
    }
}

#[test]
fn every_integer_of_16_bits_to_every_type() {
    let all: Vec<u64> = sweep::codes().map(u64::from).collect();
    for from in [DType::I16, DType::U16] {
        for to in numbers() {
            check(from, &all, to);
        }
    }
}

#[test]
fn every_code_to_every_type() {
    for from in numbers().filter(|dtype| dtype.bits() <= 8) {
        // More than a block, so that the last one is short.
        let codes: Vec<u64> = (0..1 << from.bits()).cycle().take(700).collect();
        for to in numbers() {
            check(from, &codes, to);
        }
    }
}

/// Values, middles of neighbours and what is next to either, in the bits of f64 and of f32.
fn boundaries(to: DType) -> (Vec<u64>, Vec<u64>) {
    let mut exact: Vec<f64> =
        vec![0.0, 5e-324, 1e-45, f64::MAX, f64::from(f32::MAX), f64::INFINITY, f64::NAN];
    if to == DType::F8E8M0 {
        for power in -130..130 {
            exact.extend([1.0, 1.25, 1.5, 1.75].map(|factor: f64| factor * 2f64.powi(power)));
        }
    } else if to.is_float() && to.bits() <= 16 {
        let layout = oracle::layout(to);
        let decoded = |code| {
            let value = oracle::Value::Finite { negative: false, magnitude: layout.magnitude(code) };
            f64::from_bits(oracle::cast(to, value, DType::F64, CastOptions::default()))
        };
        for code in (0..=1 << (to.bits() - 1)).filter(|&code| to.bits() < 16 || sweep::takes(code as u16)) {
            let (value, next) = (decoded(code), decoded(code + 1));
            exact.extend([value, value + (next - value) / 2.0]);
        }
    } else {
        for power in [0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 62, 63, 64, 65, 127] {
            let power = 2f64.powi(power);
            exact.extend([power, power - 1.0, power + 1.0, power - 0.5, power + 0.5]);
        }
    }
    let mut doubles = Vec::new();
    let mut singles = Vec::new();
    for value in exact {
        for sign in [1.0, -1.0] {
            let value = sign * value;
            doubles.extend([value.next_down(), value, value.next_up()].map(f64::to_bits));
            let single = value as f32;
            singles.extend([single.next_down(), single, single.next_up()].map(|v| u64::from(v.to_bits())));
        }
    }
    (doubles, singles)
}

#[test]
fn boundaries_of_every_target() {
    for to in numbers() {
        let (doubles, singles) = boundaries(to);
        check(DType::F64, &doubles, to);
        check(DType::F32, &singles, to);
    }
}

/// The formats that are no types of Cast, and all others as codecs.
#[test]
fn codecs() {
    for &dtype in DType::ALL {
        let Some(format) = FloatFormat::of(dtype) else {
            assert!(dtype.bits() > 8 || !dtype.is_float() || dtype == DType::HiF8);
            continue;
        };
        for code in 0..1u16 << dtype.bits() {
            let code = code as u8;
            let want =
                oracle::cast(dtype, oracle::value(dtype, code.into()), DType::F32, CastOptions::default());
            assert_eq!(u64::from(format.decode(code).to_bits()), want, "{dtype} {code:#x}");
        }
        let Some(encoder) = format.encoder(Beyond::Largest, Beyond::Largest) else {
            assert_eq!(dtype, DType::F8E8M0);
            continue;
        };
        let special = format.encoder(Beyond::Special, Beyond::Special).unwrap();
        for single in boundaries(dtype).1 {
            let value = oracle::value(DType::F32, single);
            let number = f32::from_bits(single as u32);
            let want = oracle::cast(DType::F32, value, dtype, CastOptions::default());
            assert_eq!(u64::from(encoder.encode(number)), want, "{number:e} to {dtype}");
            let options = CastOptions { saturate: false, ..CastOptions::default() };
            let want = oracle::cast(DType::F32, value, dtype, options);
            assert_eq!(u64::from(special.encode(number)), want, "{number:e} to {dtype}, not saturating");
        }
    }
}

#[test]
fn hif8_decodes_and_rounds_as_its_table_says() {
    for code in 0..=u8::MAX {
        let (got, want) = (f64::from(hif8::decode(code)), oracle::hif8::value(code));
        assert!(got == want || got.is_nan() && want.is_nan(), "{code:#x}: {got}, not {want}");
        assert_eq!(hif8::encode(got as f32), code, "{code:#x} comes back");
    }
    assert_eq!([0x6E, 0x01, 0x08, 0x0F].map(hif8::decode), [32768.0, 2f32.powi(-22), 1.0, 1.875]);
    // A zero has no sign, and ties are rounded away from zero.
    assert_eq!(
        [-0.0, -(2f32.powi(-24)), 2f32.powi(-23), 1.0625, -1.0625].map(hif8::encode),
        [0, 0, 1, 0x09, 0x89]
    );
    assert_eq!([40959.0, 40960.0, -40960.0].map(hif8::encode), [0x6E, 0x6F, 0xEF]);
    for input in oracle::hif8::inputs() {
        assert_eq!(hif8::encode(input), oracle::hif8::code(input.into()), "{input:e}");
    }
}

#[test]
fn hif4_is_a_sign_and_quarters() {
    let format = FloatFormat::of(DType::HiF4).unwrap();
    for code in 0..16 {
        let quarters = f32::from(code % 8) / 4.0;
        let want = if code < 8 { quarters } else { -quarters };
        assert_eq!(format.decode(code).to_bits(), want.to_bits(), "{code:#x}");
        let encoder = format.encoder(Beyond::Special, Beyond::Special).unwrap();
        assert_eq!(encoder.encode(want), code);
        // There is no infinity: what is too large is the largest.
        assert_eq!(encoder.encode(want * 1e9), if code % 8 == 0 { code } else { code | 7 });
    }
}

/// Every pair of the types that the Ascend 950 alone casts, in exact arithmetic.
#[test]
fn small_floats_are_cast_on_the_950_as_its_rules_say() {
    let (wide, small) = (
        [DType::F32, DType::F16, DType::BF16],
        [DType::HiF8, DType::F8E5M2, DType::F8E4M3FN, DType::F4E2M1, DType::F4E1M2],
    );
    let options = CastOptions { saturate: false, ..CastOptions::default() };
    // A code of one type as another; HiF8 is exact as f32, as what becomes HiF8 is.
    let step = |from, code: u64, to| match (from, to) {
        (DType::HiF8, _) => {
            let exact =
                oracle::value(DType::F32, u64::from((oracle::hif8::value(code as u8) as f32).to_bits()));
            oracle::cast(DType::F32, exact, to, options)
        }
        (_, DType::HiF8) => {
            let exact = oracle::cast(from, oracle::value(from, code), DType::F32, options);
            u64::from(oracle::hif8::code(f32::from_bits(exact as u32).into()))
        }
        _ => oracle::cast(from, oracle::value(from, code), to, options),
    };
    let mut pairs = 0;
    for from in wide.into_iter().chain(small) {
        for to in wide.into_iter().chain(small) {
            let convert = converter_on(Product::Ascend950, from, to);
            if !has_cast(from, to) {
                assert!(convert.is_none(), "{from} → {to}");
                continue;
            }
            if from == to || wide.contains(&from) && wide.contains(&to) {
                continue;
            }
            let on_others = converter_on(Product::Ascend910B, from, to);
            assert!(on_others.is_none(), "{from} → {to} is of the 950 alone");
            let codes: Vec<u64> = match (from, to) {
                (DType::F32, DType::HiF8) => {
                    oracle::hif8::inputs().iter().map(|v| u64::from(v.to_bits())).collect()
                }
                (DType::F32, _) => boundaries(to).1.into_iter().chain(boundaries(DType::BF16).1).collect(),
                (DType::F16 | DType::BF16, _) => sweep::codes().map(u64::from).collect(),
                _ => (0..1 << from.bits()).collect(),
            };
            let [size, wide_size] = [from, to].map(|dtype| dtype.bits().div_ceil(8));
            let narrow =
                matches!(to, DType::F4E2M1 | DType::F4E1M2) && matches!(from, DType::F32 | DType::F16);
            for code in codes {
                let mut got = [0; 8];
                convert.unwrap()(&code.to_le_bytes()[..size], &mut got[..wide_size]);
                let want = match narrow {
                    true => step(DType::BF16, step(from, code, DType::BF16), to),
                    false => step(from, code, to),
                };
                let got = u64::from_le_bytes(got);
                let same = if wide.contains(&to) {
                    comparable(to, got) == comparable(to, want)
                } else {
                    got == want
                };
                assert!(same, "{from} {code:#x} → {to}: {got:#x}, not {want:#x}");
            }
            pairs += 1;
        }
    }
    assert_eq!(pairs, 2 * 3 * 5 + 2 * 3 * 2);
    let low_bits = converter_on(Product::Ascend950, DType::I32, DType::I4).unwrap();
    let mut codes = [0; 3];
    low_bits(&[7i32, -1, 24].map(i32::to_le_bytes).concat(), &mut codes);
    assert_eq!(codes, [7, 15, 8]);
}

/// Random bits, and values a few units of the last place away from what a short format can hold or is in the middle of.
fn doubles() -> impl Strategy<Value = u64> {
    let near = (any::<u64>(), 0u32..50, -2i64..=2, 950u64..1100).prop_map(|(bits, kept, ulps, exponent)| {
        let short = bits >> (12 + kept) << kept | exponent << 52 | bits & 1 << 63;
        ((short >> kept << kept) as i64 + ulps) as u64
    });
    prop_oneof![any::<u64>(), near]
}

fn integers() -> impl Strategy<Value = u64> {
    let near = (any::<u64>(), 0u32..64, 0u32..64, -2i64..=2)
        .prop_map(|(bits, kept, shift, offset)| (bits >> kept << kept >> shift).wrapping_add(offset as u64));
    prop_oneof![any::<u64>(), near]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_doubles(codes in prop::collection::vec(doubles(), 64)) {
        for to in numbers() {
            check(DType::F64, &codes, to);
        }
    }

    #[test]
    fn random_singles(codes in prop::collection::vec(any::<u32>(), 64)) {
        let codes: Vec<u64> = codes.into_iter().map(u64::from).collect();
        for to in numbers() {
            check(DType::F32, &codes, to);
        }
    }

    #[test]
    fn random_integers(codes in prop::collection::vec(integers(), 64)) {
        let narrow: Vec<u64> = codes.iter().map(|&code| code & 0xFFFF_FFFF).collect();
        for to in numbers() {
            check(DType::I64, &codes, to);
            check(DType::U64, &codes, to);
            check(DType::I32, &narrow, to);
            check(DType::U32, &narrow, to);
        }
    }
}

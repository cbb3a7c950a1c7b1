//! ONNX Cast against an independent reference: every value of every type of up to 16 bits, all boundaries of each target in
//! f32 and f64, and random values of the wide types.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

mod oracle;

use aclnn_numerics::convert::onnx::{Cast, CastOptions, RoundMode, types};
use aclnn_numerics::convert::pack::Width;
use aclnn_numerics::convert::small::{Beyond, FloatFormat};
use aclnn_numerics::{Class, DType};
use proptest::prelude::*;

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
            oracle::cast(nan, dtype, CastOptions::default())
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
    oracle::cast(oracle::value(from, code), to, options)
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
    let all: Vec<u64> = (0..1 << 16).collect();
    for from in [DType::F16, DType::BF16] {
        for to in numbers() {
            check(from, &all, to);
        }
    }
}

#[test]
fn every_integer_of_16_bits_to_every_type() {
    let all: Vec<u64> = (0..1 << 16).collect();
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
            f64::from_bits(oracle::cast(value, DType::F64, CastOptions::default()))
        };
        for code in 0..=1 << (to.bits() - 1) {
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
            assert!(dtype.bits() > 8 || !dtype.is_float() || matches!(dtype, DType::HiF8 | DType::HiF4));
            continue;
        };
        for code in 0..1u16 << dtype.bits() {
            let code = code as u8;
            let want = oracle::cast(oracle::value(dtype, code.into()), DType::F32, CastOptions::default());
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
            let want = oracle::cast(value, dtype, CastOptions::default());
            assert_eq!(u64::from(encoder.encode(number)), want, "{number:e} to {dtype}");
            let options = CastOptions { saturate: false, ..CastOptions::default() };
            let want = oracle::cast(value, dtype, options);
            assert_eq!(u64::from(special.encode(number)), want, "{number:e} to {dtype}, not saturating");
        }
    }
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

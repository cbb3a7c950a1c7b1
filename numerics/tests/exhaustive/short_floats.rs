//! Short floats as text.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use aclnn_numerics::DType;
use aclnn_numerics::convert::onnx::{
    Cast, CastOptions, RoundMode, cast_from_strings, cast_to_strings, types,
};
use aclnn_numerics::convert::pack::Width;

use crate::sweep;

/// Every element of a short type comes back, and no text with fewer digits does.
#[test]
fn short_floats_are_written_with_the_fewest_digits() {
    let options = CastOptions { saturate: false, round_mode: RoundMode::Nearest, opset: 25 };
    for dtype in types(25).filter(|dtype| dtype.is_float() && dtype.bits() <= 16) {
        let width = dtype.bits().div_ceil(8);
        let codes: Vec<u16> = match dtype.bits() {
            16 => sweep::codes().collect(),
            bits => (0..1 << bits).collect(),
        };
        let spread: Vec<u8> = codes.iter().flat_map(|code| code.to_le_bytes()[..width].to_vec()).collect();
        let mut source = vec![0; dtype.storage_bytes(codes.len()).unwrap()];
        match Width::of(dtype) {
            Some(width) => width.pack(&spread, &mut source),
            None => source.copy_from_slice(&spread),
        }
        let texts = cast_to_strings(dtype, CastOptions::default(), &source, codes.len()).unwrap();
        let mut back = vec![0; source.len()];
        cast_from_strings(&texts, dtype, options, &mut back).unwrap();
        let widen = Cast::new(dtype, DType::F64, options).unwrap();
        let narrow = Cast::new(DType::F64, dtype, options).unwrap();
        let mut unpacked = vec![0; codes.len() * width];
        match Width::of(dtype) {
            Some(width) => width.unpack(&back, &mut unpacked),
            None => unpacked.copy_from_slice(&back),
        }
        for ((&code, text), back) in codes.iter().zip(&texts).zip(unpacked.chunks(width)) {
            let value = f64::from_bits(widen.code(code.into()));
            if value.is_nan() {
                assert_eq!(text, "nan");
                continue;
            }
            if value.is_infinite() {
                assert_eq!(text.trim_start_matches('-'), "inf");
                continue;
            }
            assert_eq!(back, &code.to_le_bytes()[..width], "{dtype} {code:#x}: {text}");
            let digits = text.trim_start_matches('-').replace('.', "");
            let digits = digits.trim_matches('0').len();
            if dtype == DType::F8E8M0 || digits < 2 || code % 7 != 0 {
                continue;
            }
            // All texts with one digit less that are near: the two around the value.
            let places = digits - 2;
            let near = format!("{:.places$e}", value.abs());
            let (mantissa, exponent) = near.split_once('e').unwrap();
            let number: i64 = mantissa.replace('.', "").parse().unwrap();
            for number in number - 1..=number + 1 {
                let text = format!(
                    "{}{number}e{}",
                    if value < 0.0 { "-" } else { "" },
                    exponent.parse::<i64>().unwrap() - places as i64
                );
                let shorter = narrow.code(text.parse::<f64>().unwrap().to_bits());
                assert_ne!(shorter, u64::from(code), "{dtype} {code:#x}: {text} would do");
            }
        }
    }
}

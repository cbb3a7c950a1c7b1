//! The forms of ONNX Cast besides whole tensors: typed elements, text, attributes, packing; and what is refused.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use aclnn_numerics::convert::onnx::{
    Cast, CastElement, CastError, CastOptions, RoundMode, To, cast, cast_from_strings, cast_one, cast_slice,
    cast_to_strings, types,
};
use aclnn_numerics::convert::pack::Width;
use aclnn_numerics::convert::round;
use aclnn_numerics::element::{F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F8E8M0};
use aclnn_numerics::{DType, bf16, f16};
use proptest::prelude::*;

fn opset(opset: u32) -> CastOptions {
    CastOptions { opset, ..Default::default() }
}

fn one<A: CastElement, B: CastElement>(value: A) -> B {
    cast_one(value, CastOptions::default()).unwrap()
}

#[test]
fn typed_elements() {
    assert_eq!(one::<i16, i8>(200), -56);
    assert_eq!(one::<f32, i8>(300.0), 44);
    // What ONNX leaves open is what CANN's Cast does.
    assert_eq!((one::<f32, u32>(-1.0), one::<f64, u64>(-1.0), one::<f32, u32>(1e20)), (0, 0, u32::MAX));
    assert_eq!(
        (one::<f32, u8>(4294967296.0), one::<f64, u8>(4294967296.0), one::<f32, u8>(-1.0)),
        (0, 255, 255)
    );
    assert_eq!((one::<f32, i32>(f32::NAN), one::<f32, i32>(1e20), one::<f32, i8>(1e20)), (0, i32::MAX, -1));
    assert_eq!(one::<f64, f16>(1.0 + 2f64.powi(-11) + 2f64.powi(-30)).to_f64(), 1.0009765625);
    assert_eq!(one::<f64, bf16>(1.0 + 2f64.powi(-8) + 2f64.powi(-40)).to_f64(), 1.0078125);
    assert_eq!(one::<i64, f16>(65520), f16::INFINITY);
    assert_eq!(one::<u64, f16>(65519), f16::MAX);
    assert_eq!(one::<u64, bf16>((1 << 63) + (1 << 55) + 1).to_f64(), 2f64.powi(63) + 2f64.powi(56));
    assert_eq!(one::<f64, F8E4M3FN>(1.0 + 2f64.powi(-4) + 2f64.powi(-40)), F8E4M3FN(0x39));
    assert_eq!(one::<f32, F8E4M3FNUZ>(-0.0), F8E4M3FNUZ(0));
    assert_eq!(one::<f32, F8E5M2FNUZ>(f32::NAN), F8E5M2FNUZ(0x80));
    assert_eq!(one::<F8E8M0, f32>(F8E8M0(0)), 2f32.powi(-127));
    assert_eq!(one::<F8E5M2, F8E5M2>(F8E5M2(0xFC)), F8E5M2(0xFB));
    assert!(one::<f32, bool>(f32::NAN) && one::<f32, bool>(1e-40) && !one::<f32, bool>(-0.0));
    assert_eq!(one::<bool, f32>(true), 1.0);

    let source: Vec<i32> = (0..1000).collect();
    let mut target = vec![bf16::ZERO; 999];
    cast_slice(&source, &mut target, CastOptions::default()).unwrap();
    assert!(source.iter().zip(&target).all(|(&from, &to)| one::<i32, bf16>(from) == to));
    let mut bools = [false; 3];
    cast_slice(&[0u8, 2, 255], &mut bools, CastOptions::default()).unwrap();
    assert_eq!(bools, [false, true, true]);
    assert_eq!(<f32 as CastElement>::read(&[1]), 0.0);
}

#[test]
fn a_bool_of_any_byte_is_true() {
    let mut target = [9; 3];
    cast(DType::Bool, DType::Bool, CastOptions::default(), &[0, 2, 255], 3, &mut target).unwrap();
    assert_eq!(target, [0, 1, 1]);
    cast(DType::Bool, DType::I8, CastOptions::default(), &[0, 2, 255], 3, &mut target).unwrap();
    assert_eq!(target, [0, 1, 1]);
}

#[test]
fn packed_elements_fill_their_last_byte_with_zeros() {
    let mut target = [0xEE; 3];
    cast(DType::I8, DType::I4, CastOptions::default(), &[1, 0xFF, 0x17], 3, &mut target).unwrap();
    assert_eq!(target, [0xF1, 0x07, 0xEE]);
    cast(DType::I4, DType::I4, CastOptions::default(), &[0xF1, 0xA7], 3, &mut target).unwrap();
    assert_eq!(target, [0xF1, 0x07, 0xEE]);
    cast(DType::U2, DType::U2, CastOptions::default(), &[0xFF, 0xFF], 5, &mut target).unwrap();
    assert_eq!(target, [0xFF, 0x03, 0xEE]);
    cast(DType::I4, DType::I2, CastOptions::default(), &[0x4B, 0xFE, 0xFF], 5, &mut target).unwrap();
    assert_eq!(target, [0b11_10_00_11, 0b11, 0xEE]);
    cast(DType::I4, DType::U2, CastOptions::default(), &[], 0, &mut []).unwrap();
}

#[test]
fn widths_pack_and_unpack_every_length() {
    for (dtype, width) in DType::ALL.iter().filter_map(|&dtype| Some((dtype, Width::of(dtype)?))) {
        if dtype == DType::String {
            continue;
        }
        let mask = width.mask();
        assert_eq!(u32::from(mask).count_ones() as usize, dtype.bits());
        for count in 0..40 {
            let codes: Vec<u8> = (0..count).map(|i| (i as u8).wrapping_mul(77) & mask).collect();
            let bytes = dtype.storage_bytes(count).unwrap();
            let mut packed = vec![0xEE; bytes + 1];
            // Bits above the width do not reach the neighbours.
            let dirty: Vec<u8> = codes.iter().map(|&code| code | !mask).collect();
            width.pack(&dirty, &mut packed);
            assert_eq!(packed[bytes], 0xEE, "{dtype} {count}");
            // Bit by bit.
            for bit in 0..bytes * 8 {
                let (element, place) = (bit / dtype.bits(), bit % dtype.bits());
                let want = codes.get(element).is_some_and(|code| code >> place & 1 == 1);
                assert_eq!(packed[bit / 8] >> (bit % 8) & 1 == 1, want, "{dtype} {count}");
            }
            let mut unpacked = vec![0xEE; count + 1];
            width.unpack(&packed[..bytes], &mut unpacked[..count]);
            assert_eq!(unpacked[..count], codes, "{dtype} {count}");
            assert_eq!(unpacked[count], 0xEE);
            // Too few bytes hold fewer elements.
            let mut some = vec![0xEE; count];
            width.unpack(&packed[..bytes / 2], &mut some);
            let held = (bytes / 2 * 8 / dtype.bits()).min(count);
            assert_eq!(some[..held], codes[..held]);
            assert!(some[held..].iter().all(|&byte| byte == 0xEE), "{dtype} {count}");
            width.pack(&codes, &mut packed[..bytes / 2]);
        }
    }
    assert_eq!((Width::Bits4.sign_extend(0x8), Width::Bits4.sign_extend(0xF7)), (-8, 7));
    assert_eq!(
        (Width::Bits2.sign_extend(2), Width::Bits1.sign_extend(1), Width::Bits8.sign_extend(0x80)),
        (-2, -1, -128)
    );
}

#[test]
fn attributes() {
    assert_eq!(To::Name("FLOAT16").resolve(1), Ok(DType::F16));
    assert_eq!(To::Name("double").resolve(5), Ok(DType::F64));
    assert_eq!(To::Code(10).resolve(6), Ok(DType::F16));
    assert_eq!(To::Code(26).resolve(25), Ok(DType::I2));
    for dtype in types(1) {
        let name = dtype.onnx_name().unwrap().to_uppercase();
        assert_eq!(To::Name(&name).resolve(1), Ok(dtype));
        assert_eq!(To::Code(dtype.onnx_code().unwrap().into()).resolve(13), Ok(dtype));
    }
    for (to, opset, message) in [
        (To::Name("FLOAT"), 6, "ONNX Cast at opset 6 takes `to` as the code of a type, not as its name"),
        (To::Code(1), 5, "ONNX Cast at opset 5 takes `to` as the name of a type, not as its code"),
        (To::Name("ACL_FLOAT"), 1, "`to` is \"ACL_FLOAT\", which is no name of an ONNX type"),
        (To::Code(0), 9, "`to` is 0, which is no code of an ONNX type"),
        (To::Code(i64::MAX), 9, "`to` is 9223372036854775807, which is no code of an ONNX type"),
        (
            To::Code(1),
            0,
            "opset 0 is not known: give one from 1 to 27, which have the versions 1 to 25 of ONNX Cast",
        ),
        (
            To::Code(1),
            28,
            "opset 28 is not known: give one from 1 to 27, which have the versions 1 to 25 of ONNX Cast",
        ),
    ] {
        assert_eq!(to.resolve(opset).unwrap_err().to_string(), message);
    }
    assert_eq!(
        ["up", "down", "nearest"].map(|name| name.parse::<RoundMode>().unwrap()),
        [RoundMode::Up, RoundMode::Down, RoundMode::Nearest]
    );
    assert_eq!(
        "UP".parse::<RoundMode>().unwrap_err().to_string(),
        "round_mode is \"UP\"; it can be \"up\", \"down\" or \"nearest\""
    );
    assert_eq!(CastOptions::default(), CastOptions { saturate: true, round_mode: RoundMode::Up, opset: 25 });
}

#[test]
fn refusals() {
    let refused = |from, to, at| Cast::new(from, to, opset(at)).unwrap_err().to_string();
    assert_eq!(
        refused(DType::BF16, DType::I4, 12),
        "i4 is not a type of ONNX Cast at opset 12: version 21 first allows it"
    );
    assert_eq!(
        refused(DType::F8E8M0, DType::F32, 23),
        "f8e8m0 is not a type of ONNX Cast at opset 23: version 24 first allows it"
    );
    assert_eq!(refused(DType::F32, DType::C64, 25), "c64 is not a type of ONNX Cast in any version");
    assert_eq!(refused(DType::HiF8, DType::F32, 25), "hif8 is not a type of ONNX Cast in any version");
    assert!(refused(DType::F32, DType::String, 25).contains("cast_to_strings"));
    // Between versions the one before holds.
    assert!(Cast::new(DType::F32, DType::BF16, opset(18)).is_ok());
    assert!(Cast::new(DType::F32, DType::F8E5M2, opset(18)).is_err());
    assert!(Cast::new(DType::U2, DType::F32, opset(27)).is_ok());

    let cast = Cast::new(DType::F32, DType::I4, CastOptions::default()).unwrap();
    let mut target = [0xEE; 2];
    let error = cast.run(&[0; 11], 3, &mut target).unwrap_err();
    assert_eq!(error.to_string(), "the source has 11 bytes, its elements take 12");
    let error = cast.run(&[0; 20], 5, &mut target).unwrap_err();
    assert_eq!(error.to_string(), "the target has 2 bytes, its elements take 3");
    assert!(matches!(cast.run(&[0; 20], usize::MAX, &mut target), Err(CastError::Source { .. })));
    assert_eq!(target, [0xEE; 2]);
}

fn read<T: CastElement>(text: &str) -> T {
    let mut bytes = [0; 8];
    cast_from_strings(&[text], T::DTYPE, CastOptions::default(), &mut bytes).unwrap();
    T::read(&bytes)
}

fn unread(text: &str, to: DType) -> CastError {
    cast_from_strings(&["1", text], to, CastOptions::default(), &mut [0; 16]).unwrap_err()
}

#[test]
fn numbers_are_read() {
    assert_eq!(
        (read::<f32>("2.71"), read::<f64>("1000"), read::<f32>("1e-5"), read::<f64>("1E8")),
        (2.71, 1000.0, 1e-5, 1e8)
    );
    for infinity in ["INF", "+INF", "inf", "+Inf", "infinity"] {
        assert_eq!((read::<f32>(infinity), read::<f16>(infinity)), (f32::INFINITY, f16::INFINITY));
        assert_eq!(read::<F8E4M3FN>(infinity), F8E4M3FN(0x7E));
    }
    assert_eq!(read::<bf16>("-INF"), bf16::NEG_INFINITY);
    assert!(
        read::<f64>("NaN").is_nan() && read::<f16>("nan").is_nan() && read::<F8E5M2>("NAN") == F8E5M2(0x7E)
    );
    assert_eq!(
        (read::<i64>("9223372036854775807"), read::<i64>("-9223372036854775808")),
        (i64::MAX, i64::MIN)
    );
    assert_eq!(read::<u64>("18446744073709551615"), u64::MAX);
    assert_eq!(
        (read::<i32>("100.5"), read::<i32>("-2.718"), read::<u8>("-0.9"), read::<i16>("1e3")),
        (100, -2, 0, 1000)
    );
    assert_eq!(
        (
            read::<i64>("1234e-2"),
            read::<i64>("0e99999999999999999999"),
            read::<i64>("1e-99999999999999999999")
        ),
        (12, 0, 0)
    );
    assert_eq!((read::<f64>("1e99999999999999999999"), read::<f64>(" 7\t")), (f64::INFINITY, 7.0));
    assert_eq!(
        (read::<bool>("1"), read::<bool>("0.0"), read::<bool>("True"), read::<bool>("false")),
        (true, false, true, false)
    );

    let mut packed = [0; 2];
    cast_from_strings(&["-8", "7", "-1"], DType::I4, CastOptions::default(), &mut packed).unwrap();
    assert_eq!(packed, [0x78, 0x0F]);
    let many: Vec<String> = (0..200).map(|i| (i % 4).to_string()).collect();
    let mut packed = [0; 50];
    cast_from_strings(&many, DType::U2, CastOptions::default(), &mut packed).unwrap();
    assert_eq!(packed, [0b11_10_01_00; 50]);
}

/// Just above and below the middle of two neighbours, further than f64 can tell.
#[test]
fn text_is_rounded_once() {
    let tail = "000000000000000000000000000000000000000001";
    assert_eq!(read::<f16>("1.00048828125"), f16::ONE);
    assert_eq!(read::<f16>(&format!("1.00048828125{tail}")).to_bits(), 0x3C01);
    assert_eq!(read::<f16>(&format!("1.00146484374{}", "9".repeat(40))).to_bits(), 0x3C01);
    assert_eq!(read::<f16>("1.00146484375").to_bits(), 0x3C02);
    assert_eq!(read::<f32>(&format!("16777217.{tail}")), 16777218.0);
    assert_eq!(read::<f32>("16777217"), 16777216.0);
    assert_eq!(read::<bf16>(&format!("257{tail}e-42")).to_f32(), 258.0);
    assert_eq!(read::<F8E4M3FN>(&format!("1.0625{tail}")), F8E4M3FN(0x39));
    assert_eq!((read::<F8E8M0>("1"), read::<F8E8M0>(&format!("1.{tail}"))), (F8E8M0(0x7F), F8E8M0(0x80)));
    assert_eq!(read::<f16>("65519.99999999999999999999999999"), f16::MAX);
    // The tie at the bottom, and what is nearly zero.
    assert_eq!(read::<f16>("2.98023223876953125e-8").to_bits(), 0);
    assert_eq!(read::<f16>("2.98023223876953125000000000000000000001e-8").to_bits(), 1);
    assert_eq!((read::<f16>("1e-400").to_bits(), read::<f16>("-1e-400").to_bits()), (0, 0x8000));
    assert_eq!((read::<F8E8M0>("1e-400"), read::<F8E8M0>("1e400")), (F8E8M0(0), F8E8M0(0xFE)));
    // Not saturating, what is too large for f64 is too large, not infinite.
    let mut code = [0];
    let options = CastOptions { saturate: false, ..Default::default() };
    cast_from_strings(&["1e400"], DType::F8E5M2, options, &mut code).unwrap();
    assert_eq!(code, [0x7C]);
    cast_from_strings(&["1e400"], DType::F8E4M3FNUZ, opset(19), &mut code).unwrap();
    assert_eq!(code, [0x7F]);
    cast_from_strings(&["inf"], DType::F8E4M3FNUZ, opset(19), &mut code).unwrap();
    assert_eq!(code, [0x80]);
}

#[test]
fn what_is_not_a_number_is_named() {
    for text in [
        "",
        " ",
        "Hello World!",
        "1_000",
        "0x10",
        "1,5",
        "1e",
        "e5",
        ".",
        "+",
        "--1",
        "1 2",
        "infinit",
        "+-INF",
        "１",
    ] {
        for to in [DType::F32, DType::I32, DType::Bool, DType::F8E8M0] {
            assert_eq!(unread(text, to), CastError::NotANumber { index: 1, text: text.to_owned() });
        }
    }
    assert_eq!(unread("Hello World!", DType::F32).to_string(), "string 1 is not a number: \"Hello World!\"");
    assert_eq!(unread("True", DType::F32), CastError::NotANumber { index: 1, text: "True".to_owned() });
    for (text, to) in [
        ("300", DType::I8),
        ("-1", DType::U64),
        ("18446744073709551616", DType::U64),
        ("9223372036854775808", DType::I64),
        ("1e30", DType::I64),
        ("1e400", DType::I64),
        ("NaN", DType::I32),
        ("-INF", DType::I32),
        ("8", DType::I4),
        ("4", DType::U2),
    ] {
        assert_eq!(unread(text, to), CastError::NotInRange { index: 1, text: text.to_owned(), to });
    }
    assert_eq!(unread("300", DType::I8).to_string(), "string 1 is not in the range of i8: \"300\"");
    let late = cast_from_strings(
        &vec!["1"; 99].iter().copied().chain(["x"]).collect::<Vec<_>>(),
        DType::U2,
        opset(25),
        &mut [0; 25],
    );
    assert_eq!(late, Err(CastError::NotANumber { index: 99, text: "x".to_owned() }));

    assert!(cast_from_strings(&["1"], DType::F32, opset(9), &mut [0; 4]).is_ok());
    assert!(matches!(
        cast_from_strings(&["1"], DType::F32, opset(8), &mut [0; 4]),
        Err(CastError::Type { dtype: DType::String, since: Some(9), .. })
    ));
    assert!(matches!(
        cast_from_strings(&["1"], DType::C64, opset(9), &mut [0; 8]),
        Err(CastError::Type { .. })
    ));
    assert_eq!(cast_from_strings(&["1"], DType::String, opset(9), &mut []), Err(CastError::Strings));
    assert_eq!(
        cast_from_strings(&["1"], DType::F32, opset(9), &mut [0; 3]),
        Err(CastError::Target { needed: 4, found: 3 })
    );
    assert!(matches!(cast_to_strings(DType::F32, opset(9), &[0; 3], 1), Err(CastError::Source { .. })));
    assert_eq!(cast_to_strings(DType::String, opset(9), &[], 0), Err(CastError::Strings));
}

fn written<T: CastElement>(value: T) -> String {
    cast_to_strings(T::DTYPE, CastOptions::default(), T::as_bytes(&[value]), 1).unwrap().remove(0)
}

#[test]
fn numbers_are_written_plainly() {
    assert_eq!(written(314.15926f64), "314.15926");
    assert_eq!(
        (written(0.1f32), written(0.1f64), written(f16::from_f32(0.1)), written(bf16::from_f32(0.1))).3,
        "0.1"
    );
    assert_eq!(
        (written(1f32), written(-0f32), written(1e-5f32)),
        ("1.0".into(), "-0.0".into(), "0.00001".into())
    );
    assert_eq!(written(1e20f32), "100000000000000000000.0");
    assert_eq!(written(f32::MAX), "340282350000000000000000000000000000000.0");
    // 128.953125, midway between the two numbers of eight digits that read back: the last digit is even.
    let tie = f32::from_bits(0x4300_F400);
    assert_eq!((written(tie), written(-tie)), ("128.95312".into(), "-128.95312".into()));
    assert_eq!(
        (written(f64::NAN), written(f16::INFINITY), written(-f32::INFINITY)),
        ("nan".into(), "inf".into(), "-inf".into())
    );
    assert_eq!(
        (written(i8::MIN), written(u64::MAX), written(true)),
        ("-128".into(), u64::MAX.to_string(), "True".into())
    );
    assert_eq!((written(f16::MAX), written(f16::from_bits(1))), ("65500.0".into(), "0.00000006".into()));
    assert_eq!(
        (written(F8E4M3FN(0x7D)), written(F8E4M3FN(0x7E)), written(F8E4M3FN(0x7F))),
        ("420.0".into(), "450.0".into(), "nan".into())
    );
    assert_eq!(written(F8E8M0(0x7E)), "0.5");
    let strings = cast_to_strings(DType::F4E2M1, CastOptions::default(), &[0x10, 0x9F], 3).unwrap();
    assert_eq!(strings, ["0.0", "0.5", "-6.0"]);
    let strings = cast_to_strings(DType::I4, CastOptions::default(), &[0x78, 0x0F], 3).unwrap();
    assert_eq!(strings, ["-8", "7", "-1"]);
}

#[test]
fn integers_to_odd_and_towards_zero() {
    assert_eq!(round::f32_from_u64_to_odd(1 << 63 | 1), f32::from_bits(0x5F00_0001));
    assert_eq!(round::f32_from_i64_to_odd(-(1 << 25) - 1), -33554436.0);
    assert_eq!(round::f32_from_f64_towards_zero(0.1), 0.099999994);
    assert_eq!(round::f32_from_f64_towards_zero(-1e300), f32::MIN);
    assert_eq!(round::f32_from_f64_towards_zero(f64::INFINITY), f32::INFINITY);
    assert_eq!(round::f16_from_f32_towards_zero(70000.0), f16::MAX);
    assert_eq!(round::bf16_from_f32_towards_zero(-f32::MAX), bf16::MIN);
    assert!(round::f16_from_f32_towards_zero(f32::NAN).is_nan());
}

proptest! {
    #[test]
    fn floats_come_back_from_their_text(bits: u64) {
        let double = f64::from_bits(bits);
        let single = f32::from_bits(bits as u32);
        prop_assume!(!double.is_nan() && !single.is_nan());
        prop_assert_eq!(read::<f64>(&written(double)).to_bits(), double.to_bits());
        prop_assert_eq!(read::<f32>(&written(single)).to_bits(), single.to_bits());
        prop_assert!(!written(double).contains('e'));
    }

    #[test]
    fn integers_come_back_from_their_text(value: i64) {
        prop_assert_eq!(read::<i64>(&written(value)), value);
        prop_assert_eq!(read::<u64>(&written(value as u64)), value as u64);
    }

    #[test]
    fn towards_zero_is_the_neighbour_nearer_to_zero(bits: u64) {
        let value = f64::from_bits(bits >> 3 << 3 | 0x3000_0000_0000_0000);
        prop_assume!(value.is_finite());
        let cut = round::f32_from_f64_towards_zero(value);
        prop_assert!(f64::from(cut).abs() <= value.abs());
        prop_assert!(cut.abs() == f32::MAX || f64::from(f32::from_bits(cut.to_bits() + 1)).abs() > value.abs());
    }
}

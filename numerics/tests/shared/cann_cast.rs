//! The conversions of CANN against golden vectors, for every pair of the sixteen types.
//!
//! `xtask/golden/cann_cast.py` makes the vectors and states how.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use aclnn_numerics::convert::cann::{
    Numeric, ScalarValue, cast, cast_slice, converter, scalar, scalar_converter,
};
use aclnn_numerics::{Complex, DType, Element, bf16, f16};

struct Golden {
    from: DType,
    values: Vec<u8>,
    /// The values as each target type.
    converted: Vec<(DType, Vec<u8>)>,
}

fn golden(mut data: &[u8], types: &[DType]) -> Vec<Golden> {
    let mut take = |bytes: usize| {
        let (head, tail) = data.split_at(bytes);
        data = tail;
        head.to_vec()
    };
    let golden = types
        .iter()
        .map(|&from| {
            let count = u32::from_le_bytes(take(4).try_into().unwrap()) as usize;
            let values = take(count * from.bits() / 8);
            let converted = types.iter().map(|&to| (to, take(count * to.bits() / 8))).collect();
            Golden { from, values, converted }
        })
        .collect();
    assert!(take(0).is_empty() && data.is_empty());
    golden
}

fn casts() -> Vec<Golden> {
    golden(include_bytes!("../data/cann_cast.bin"), &DType::TABLE)
}

fn scalars() -> Vec<Golden> {
    let types: Vec<_> = DType::TABLE.into_iter().filter(|&dtype| dtype != DType::C32).collect();
    golden(include_bytes!("../data/acl_scalar.bin"), &types)
}

/// A NaN with its payload reduced to sign and quiet bit, so that only these are compared.
fn comparable(dtype: DType, element: &[u8]) -> Vec<u8> {
    let (part, fraction) = match dtype {
        DType::F16 | DType::C32 => (2, 10),
        DType::BF16 => (2, 7),
        DType::F32 | DType::C64 => (4, 23),
        DType::F64 | DType::C128 => (8, 52),
        _ => return element.to_vec(),
    };
    element
        .chunks(part)
        .flat_map(|bytes| {
            let mut bits = bytes.iter().rev().fold(0u64, |bits, &byte| bits << 8 | u64::from(byte));
            let infinity = (1u64 << (part * 8 - 1)) - (1 << fraction);
            let sign = 1u64 << (part * 8 - 1);
            if bits & !sign > infinity {
                bits &= sign | infinity | 1 << (fraction - 1);
            }
            bits.to_le_bytes()[..part].to_vec()
        })
        .collect()
}

fn compare(convert: impl Fn(&[u8], &mut [u8]), from: DType, values: &[u8], to: DType, expected: &[u8]) {
    let (n, m) = (from.bits() / 8, to.bits() / 8);
    let mut converted = vec![0xA5; expected.len()];
    convert(values, &mut converted);
    if from == to {
        assert_eq!(converted, expected, "{from} to itself is a copy");
        return;
    }
    for ((value, got), want) in values.chunks(n).zip(converted.chunks(m)).zip(expected.chunks(m)) {
        assert_eq!(
            comparable(to, got),
            comparable(to, want),
            "{from} {value:02x?} to {to}: {got:02x?}, not {want:02x?}"
        );
    }
}

#[test]
fn cast_of_every_pair() {
    for golden in casts() {
        for (to, expected) in golden.converted {
            compare(converter(golden.from, to).unwrap(), golden.from, &golden.values, to, &expected);
        }
    }
}

#[test]
fn scalar_of_every_pair() {
    for golden in scalars() {
        for (to, expected) in golden.converted {
            let one = scalar_converter(golden.from, to).unwrap();
            let each = |values: &[u8], converted: &mut [u8]| {
                let targets = converted.chunks_mut(to.bits() / 8);
                values
                    .chunks(golden.from.bits() / 8)
                    .zip(targets)
                    .for_each(|(value, target)| one(value, target));
            };
            compare(each, golden.from, &golden.values, to, &expected);
        }
    }
}

#[test]
fn a_scalar_converter_converts_one_element_that_is_there() {
    for (from, to) in DType::TABLE.iter().flat_map(|&from| DType::TABLE.iter().map(move |&to| (from, to))) {
        let Some(convert) = scalar_converter(from, to) else { continue };
        let (n, m) = (from.bits() / 8, to.bits() / 8);
        let mut target = vec![0xA5; 2 * m];
        convert(&[1; 32][..2 * n], &mut target);
        assert!(target[m..].iter().all(|byte| *byte == 0xA5), "{from} to {to}: {target:02x?}");
        for (len, room) in [(0, m), (n - 1, m), (n, m - 1)] {
            let mut target = vec![0xA5; room];
            convert(&[1; 16][..len], &mut target);
            assert!(target.iter().all(|byte| *byte == 0xA5), "{from} to {to}: {target:02x?}");
        }
    }
}

#[test]
fn nan_of_a_scalar_has_one_code() {
    for nan in [f32::NAN, f32::from_bits(0x7F80_0001)] {
        let code = |value: f32, to| scalar(value.into(), to).unwrap();
        assert_eq!(code(nan, DType::F16).as_bytes(), 0x7FFFu16.to_le_bytes());
        assert_eq!(code(-nan, DType::F16).as_bytes(), 0xFFFFu16.to_le_bytes());
        assert_eq!(code(-nan, DType::BF16).as_bytes(), 0x7FC0u16.to_le_bytes());
    }
}

#[test]
fn converters_take_any_alignment_and_length() {
    for golden in casts() {
        let (n, from) = (golden.from.bits() / 8, golden.from);
        for (to, expected) in golden.converted {
            let m = to.bits() / 8;
            let convert = converter(from, to).unwrap();
            let mut shifted = vec![0xEE];
            shifted.extend_from_slice(&golden.values);
            let mut target = vec![0xEE; expected.len() + 1];
            convert(&shifted[1..], &mut target[1..]);
            let mut aligned = vec![0; expected.len()];
            convert(&golden.values, &mut aligned);
            assert_eq!(target[1..], aligned, "{from} to {to} unaligned");
            assert_eq!(target[0], 0xEE);

            // Two elements and a part of one; the target has room for more, and for less.
            let mut target = vec![0xEE; 4 * m];
            convert(&golden.values[..3 * n - usize::from(n > 1)], &mut target);
            let whole = 3 - usize::from(n > 1);
            assert_eq!(target[..whole * m], aligned[..whole * m]);
            assert!(
                target[whole * m..].iter().all(|&byte| byte == 0xEE),
                "{from} to {to} wrote past the input"
            );
            let mut target = vec![0xEE; 2 * m - 1];
            convert(&golden.values, &mut target);
            assert_eq!(target[..m], aligned[..m]);
            assert!(target[m..].iter().all(|&byte| byte == 0xEE), "{from} to {to} wrote part of an element");
            convert(&[], &mut []);
        }
    }
}

#[test]
fn typed_casts_are_the_converters() {
    fn pair<A: Numeric, B: Numeric>(golden: &Golden) {
        let values = A::from_bytes(&golden.values);
        let mut bytes = vec![0; values.len() * B::DTYPE.bits() / 8];
        converter(A::DTYPE, B::DTYPE).unwrap()(A::as_bytes(&values), &mut bytes);
        let cast_each: Vec<B> = values.iter().map(|&value| cast(value)).collect();
        assert_eq!(B::as_bytes(&cast_each), bytes, "{} to {}", A::DTYPE, B::DTYPE);
        let mut sliced = cast_each.clone();
        sliced.fill(cast(false));
        cast_slice(&values, &mut sliced);
        assert_eq!(B::as_bytes(&sliced), bytes);
    }
    fn from<A: Numeric>() {
        let all = casts();
        let golden = all.iter().find(|golden| golden.from == A::DTYPE).unwrap();
        pair::<A, f32>(golden);
        pair::<A, f16>(golden);
        pair::<A, f64>(golden);
        pair::<A, bf16>(golden);
        pair::<A, i8>(golden);
        pair::<A, u8>(golden);
        pair::<A, i16>(golden);
        pair::<A, u16>(golden);
        pair::<A, i32>(golden);
        pair::<A, u32>(golden);
        pair::<A, i64>(golden);
        pair::<A, u64>(golden);
        pair::<A, bool>(golden);
        pair::<A, Complex<f16>>(golden);
        pair::<A, Complex<f32>>(golden);
        pair::<A, Complex<f64>>(golden);
    }
    from::<f32>();
    from::<f16>();
    from::<f64>();
    from::<bf16>();
    from::<i8>();
    from::<u8>();
    from::<i16>();
    from::<u16>();
    from::<i32>();
    from::<u32>();
    from::<i64>();
    from::<u64>();
    from::<bool>();
    from::<Complex<f16>>();
    from::<Complex<f32>>();
    from::<Complex<f64>>();
}

#[test]
fn stated_examples() {
    assert_eq!(cast::<f32, i8>(300.0), 44);
    assert_eq!(cast::<f32, i8>(1e20), -1);
    assert_eq!(cast::<f16, u8>(f16::NEG_ONE), 255);
    assert_eq!(cast::<i32, bf16>(16842753).to_f32(), 16777216.0);
    assert_eq!(cast::<f64, f16>(1.0 + 2f64.powi(-11) + 2f64.powi(-30)), f16::ONE);
    assert!(cast::<f32, bool>(1e-40) && cast::<f32, bool>(f32::NAN) && !cast::<f32, bool>(-0.0));
    assert!(cast::<i32, bool>(256));
    assert_eq!(scalar(1e-8f32.into(), DType::Bool).unwrap().get(), Some(false));
    assert_eq!(scalar(Complex::new(2f32, 1.0).into(), DType::F32).unwrap().get(), Some(0f32));
    assert_eq!(cast::<Complex<f32>, f32>(Complex::new(2.0, 1.0)), 2.0);
}

#[test]
fn other_types_have_no_conversion() {
    for &outside in DType::ALL.iter().filter(|dtype| !DType::TABLE.contains(dtype)) {
        for &other in DType::ALL {
            for (from, to) in [(outside, other), (other, outside)] {
                assert!(
                    converter(from, to).is_none() && scalar_converter(from, to).is_none(),
                    "{from} to {to}"
                );
            }
        }
    }
    assert!(scalar_converter(DType::C32, DType::F32).is_none());
    assert!(scalar_converter(DType::F32, DType::C32).is_none());
}

#[test]
fn a_scalar_value_is_its_bytes() {
    assert_eq!(ScalarValue::new(DType::Bool, &[2]).unwrap().as_bytes(), [2]);
    assert_eq!(ScalarValue::new(DType::F32, &[0, 0, 0]), None);
    assert_eq!(ScalarValue::new(DType::I4, &[0]), None);
    assert_eq!(ScalarValue::new(DType::String, &[0]), None);
    let value = ScalarValue::from(-3i16);
    assert_eq!((value.dtype(), value.get::<i16>(), value.get::<u16>()), (DType::I16, Some(-3), None));
    assert_eq!(ScalarValue::new(DType::I16, i16::as_bytes(&[-3])), Some(value));
}

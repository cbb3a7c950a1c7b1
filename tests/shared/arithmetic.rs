//! Add, Sub, Mul, Div and Rsub over every pair of types, by every policy, against golden vectors that NumPy and ml_dtypes
//! made (`xtask/golden/arithmetic.py`).

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../../cann-stubs/tests/support/golden.rs"]
mod golden;

use aclnn::plan::Policy;
use aclnn::product::Product;
use aclnn::promote::{Edition, promote};
use aclnn::{Complex, DType, Device, Element, Tensor, bf16, f16, ops};
use golden::{Reader, same, show};

use crate::support;

/// A tensor of the elements in `bytes`.
fn tensor(device: &Device, dtype: DType, bytes: &[u8], shape: &[usize]) -> Tensor {
    macro_rules! of {
        ($($variant:ident $type:ty),*) => {
            match dtype {
                $(DType::$variant => Tensor::from_slice(device, &<$type>::from_bytes(bytes), shape),)*
                other => panic!("{other} is not in the golden file"),
            }
        };
    }
    of! { F32 f32, F64 f64, F16 f16, BF16 bf16, I8 i8, U8 u8, I16 i16, I32 i32, I64 i64, Bool bool,
    C64 Complex<f32>, C128 Complex<f64> }
    .expect("a tensor")
}

#[test]
fn every_pair_of_types() {
    let device = Device::open(0).expect("a device");
    let mut file = Reader(include_bytes!("../../cann-stubs/tests/data/arithmetic_pairs.bin"));
    let (mut inserted, mut delegated) = (0, 0);
    let is_950 = device.product() == Some(Product::Ascend950);
    let has_bf16 = support::has_bf16(&device);
    while !file.is_empty() {
        let operation = file.operation();
        let types = [file.dtype(), file.dtype()];
        let by_library = file.byte() == 0;
        let result = file.dtype();
        let values = types.map(|dtype| file.elements(dtype, 10));
        let expected = file.elements(result, 100);
        if types.contains(&DType::BF16) && !has_bf16 {
            continue;
        }

        let a = tensor(&device, types[0], values[0], &[10, 1]);
        let b = tensor(&device, types[1], values[1], &[10]);
        macro_rules! run {
            ($function:ident, $policy:expr) => {
                ops::$function(&a, &b).policy($policy).run()
            };
        }
        let run = |operation, policy| match operation {
            "add" => run!(add, policy),
            "sub" => run!(sub, policy),
            "mul" => run!(mul, policy),
            "div" => run!(div, policy),
            "rsub" => run!(rsub, policy),
            "rdiv" => ops::rdiv(&b, &a).policy(policy).run(),
            other => panic!("no such operator: {other}"),
        };
        let check = |operation, policy| {
            let name = format!("{operation} of {} and {}, {policy:?}", types[0], types[1]);
            let got = run(operation, policy).unwrap_or_else(|error| panic!("{name}: {error}"));
            // There, an operand is multiplied by alpha also where that is one, and parts of infinity become NaN.
            let is_scaled = is_950 && ["add", "sub", "rsub"].contains(&operation);
            if is_scaled && matches!(result, DType::C64 | DType::C128) {
                return;
            }
            assert_eq!((got.dtype(), &got.shape()[..]), (result, &[10, 10][..]), "{name}");
            let got = got.to_bytes().expect("the result");
            assert!(
                same(result, &got, expected),
                "{name}: {}, not {}",
                show(result, &got),
                show(result, expected)
            );
        };
        // By the published table, which the golden file holds apart where it differs from the library's.
        let published = promote(types[0], types[1]).expect("promotes");
        let library = Edition::Library.promote(types[0], types[1]).expect("promotes");
        if !by_library || published == library {
            for policy in [Policy::Insert, Policy::Auto] {
                check(operation, policy);
                if operation == "div" {
                    check("rdiv", policy);
                }
            }
            inserted += 1;
        }
        if by_library {
            check(operation, Policy::Delegate);
            if operation == "div" {
                check("rdiv", Policy::Delegate);
            }
            delegated += 1;
        }
    }
    // Rsub takes all types but bool.
    let types = if has_bf16 { 12 } else { 11 };
    let pairs = 4 * types * types + (types - 1) * (types - 1);
    assert_eq!((inserted, delegated), (pairs, pairs));
}

/// The negative of elements.
fn negative<T: Element>(device: &Device, elements: &[T]) -> Vec<T> {
    let tensor = Tensor::from_slice(device, elements, elements.len()).expect("a tensor");
    (-&tensor).expect("a result").to_vec().expect("its elements")
}

#[test]
fn negatives_differ_in_the_sign_alone() {
    let device = Device::open(0).expect("a device");
    // All halves: the sign is the highest bit, of zeros and infinities too. That of NaN is not defined.
    let halves: Vec<f16> = (0..=u16::MAX).map(f16::from_bits).collect();
    for (from, to) in halves.iter().zip(negative(&device, &halves)) {
        assert!(to.to_bits() == from.to_bits() ^ 0x8000 || from.is_nan() && to.is_nan(), "{from:?}: {to:?}");
    }
    if support::has_bf16(&device) {
        let halves: Vec<bf16> = (0..=u16::MAX).map(bf16::from_bits).collect();
        for (from, to) in halves.iter().zip(negative(&device, &halves)) {
            let is_negative = to.to_bits() == from.to_bits() ^ 0x8000;
            assert!(is_negative || from.is_nan() && to.is_nan(), "{from:?}: {to:?}");
        }
    }
    let wide = [0.0, 1.5, f64::MIN_POSITIVE, 5e-324, f64::MAX, f64::INFINITY, f64::EPSILON];
    let wide: Vec<f64> = wide.iter().flat_map(|&value| [value, -value]).collect();
    let bits = |values: Vec<f64>| values.into_iter().map(f64::to_bits).collect::<Vec<_>>();
    assert_eq!(bits(negative(&device, &wide)), bits(wide.iter().map(|value| -value).collect()));
    let single: Vec<f32> = (0..4096u32).map(|step| f32::from_bits(step << 20)).collect();
    for (from, to) in single.iter().zip(negative(&device, &single)) {
        assert!(
            to.to_bits() == from.to_bits() ^ (1 << 31) || from.is_nan() && to.is_nan(),
            "{from:?}: {to:?}"
        );
    }

    // Integers wrap.
    let bytes: Vec<u8> = (0..=u8::MAX).collect();
    assert_eq!(negative(&device, &bytes), bytes.iter().map(|byte| byte.wrapping_neg()).collect::<Vec<_>>());
    assert_eq!(negative(&device, &[i8::MIN, -1, 0, 5, i8::MAX]), [i8::MIN, 1, 0, -5, -i8::MAX]);
    assert_eq!(negative(&device, &[i16::MIN, 7]), [i16::MIN, -7]);
    assert_eq!(negative(&device, &[i32::MIN, (1 << 24) + 1]), [i32::MIN, -(1 << 24) - 1]);
    assert_eq!(negative(&device, &[i64::MIN, (1 << 53) + 1]), [i64::MIN, -(1 << 53) - 1]);

    // Both parts of a complex number, each by itself.
    let parts = [0.0, -0.0, 1.5, -2.5];
    let complex: Vec<_> = parts.iter().flat_map(|&re| parts.map(|im| Complex::new(re, im))).collect();
    let bits = |value: &Complex<f32>| (value.re.to_bits(), value.im.to_bits());
    // There the library multiplies by alpha, so zeros may lose their signs.
    let signed = device.product() != Some(Product::Ascend950);
    for (from, to) in complex.iter().zip(negative(&device, &complex)) {
        let expected = Complex::new(-from.re, -from.im);
        assert!(to == expected && (bits(&to) == bits(&expected) || !signed), "{from}: {to}");
    }
}

#[test]
fn a_number_is_divided_by_halves_in_f32() {
    let device = Device::open(0).expect("a device");
    let halves: Vec<f16> = (0..=u16::MAX).map(f16::from_bits).collect();
    let tensor = Tensor::from_slice(&device, &halves, halves.len()).expect("a tensor");
    let quotients: Vec<f16> = (0.1f32 / &tensor).expect("a result").to_vec().expect("its elements");
    for (by, got) in halves.iter().zip(quotients) {
        let expected = f16::from_f32(0.1f32 / by.to_f32());
        assert!(
            got.to_bits() == expected.to_bits() || got.is_nan() && expected.is_nan(),
            "0.1 / {by}: {got}, not {expected}"
        );
    }
}

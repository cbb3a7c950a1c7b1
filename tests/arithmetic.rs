//! Add, Sub, Mul, Div and Rsub over every pair of types, by both policies, against golden vectors that NumPy and ml_dtypes
//! made (`xtask/golden/arithmetic.py`).

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../cann-stubs/tests/support/golden.rs"]
mod golden;

use aclnn::plan::Policy;
use aclnn::promote::{Edition, promote};
use aclnn::{Complex, DType, Device, Element, Tensor, bf16, f16, ops};
use golden::{Reader, same, show};

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
    let mut file = Reader(include_bytes!("../cann-stubs/tests/data/arithmetic_pairs.bin"));
    let (mut inserted, mut delegated) = (0, 0);
    while !file.is_empty() {
        let operation = file.operation();
        let types = [file.dtype(), file.dtype()];
        let by_library = file.byte() == 0;
        let result = file.dtype();
        let values = types.map(|dtype| file.elements(dtype, 10));
        let expected = file.elements(result, 100);

        let a = tensor(&device, types[0], values[0], &[10, 1]);
        let b = tensor(&device, types[1], values[1], &[10]);
        macro_rules! run {
            ($function:ident, $policy:expr) => {
                ops::$function(&a, &b).policy($policy).run()
            };
        }
        let run = |policy| match operation {
            "add" => run!(add, policy),
            "sub" => run!(sub, policy),
            "mul" => run!(mul, policy),
            "div" => run!(div, policy),
            "rsub" => run!(rsub, policy),
            other => panic!("no such operator: {other}"),
        };
        let check = |policy| {
            let name = format!("{operation} of {} and {}, {policy:?}", types[0], types[1]);
            let got = run(policy).unwrap_or_else(|error| panic!("{name}: {error}"));
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
            check(Policy::Insert);
            inserted += 1;
        }
        if by_library {
            check(Policy::Delegate);
            delegated += 1;
        }
    }
    assert_eq!((inserted, delegated), (4 * 144 + 121, 4 * 144 + 121));
}

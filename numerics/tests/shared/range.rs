//! Arange, Range and Linspace: the worked examples, and where their definitions differ from the obvious ones.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use aclnn_numerics::convert::cann::{Numeric, ScalarValue};
use aclnn_numerics::range::{Linspace, Number, Progression, RangeError, arange_count, range_count};
use aclnn_numerics::{Complex, DType, bf16, f16};

type Count = fn(Number, Number, Number, DType) -> Result<usize, RangeError>;

fn run<T: Numeric>(
    count: Count,
    start: impl Into<Number>,
    end: impl Into<Number>,
    step: impl Into<Number>,
) -> Vec<T> {
    let (start, step) = (start.into(), step.into());
    let count = count(start, end.into(), step, T::DTYPE).unwrap();
    let mut elements = T::from_bytes(&vec![0; count * T::DTYPE.bits() / 8]);
    let progression = Progression::new(start, step, T::DTYPE).unwrap();
    progression.fill(0, &mut elements).unwrap();

    // The same from bytes, unaligned, and from the middle.
    let mut bytes = vec![0xEE; count * T::DTYPE.bits() / 8 + 1];
    progression.fill_bytes(0, &mut bytes[1..]);
    assert_eq!(bytes[1..], *T::as_bytes(&elements));
    let mut tail = elements[count / 2..].to_vec();
    progression.fill(count / 2, &mut tail).unwrap();
    assert_eq!(tail, elements[count / 2..]);
    elements
}

fn refused(
    start: impl Into<Number>,
    end: impl Into<Number>,
    step: impl Into<Number>,
    out: DType,
) -> RangeError {
    let (start, end, step) = (start.into(), end.into(), step.into());
    let error = arange_count(start, end, step, out).unwrap_err();
    // By text, for a NaN in it is not equal to itself.
    let closed = range_count(start, end, step, out).unwrap_err();
    assert_eq!(closed.to_string(), error.to_string());
    error
}

const OUTPUTS: [DType; 6] = [DType::F32, DType::F16, DType::BF16, DType::F64, DType::I32, DType::I64];

#[test]
fn arange_examples() {
    assert_eq!(run::<i32>(arange_count, 0, 10, 3), [0, 3, 6, 9]);
    assert_eq!(run::<i64>(arange_count, 5, 0, -2), [5, 3, 1]);
    assert_eq!(run::<f32>(arange_count, 0, 1, 0.25), [0.0, 0.25, 0.5, 0.75]);
    let halves = run::<f16>(arange_count, 2046, 2053, 1);
    assert_eq!(
        halves.iter().map(|v| v.to_f32()).collect::<Vec<_>>(),
        [2046., 2047., 2048., 2048., 2050., 2052., 2052.]
    );
    let brains = run::<bf16>(arange_count, 254, 260, 1);
    assert_eq!(brains.iter().map(|v| v.to_f32()).collect::<Vec<_>>(), [254., 255., 256., 256., 258., 260.]);
    assert_eq!(
        run::<i64>(arange_count, 9007199254740992i64, 9007199254740995i64, 1),
        [9007199254740992, 9007199254740993, 9007199254740994]
    );
    assert_eq!(run::<i32>(arange_count, 2147483647, 2147483649i64, 1), [2147483647, -2147483648]);
    assert_eq!(run::<i32>(arange_count, 0, 5, 2.5), [0, 2]);
    assert_eq!(run::<i32>(arange_count, 0, 4, 1), [0, 1, 2, 3]);
    assert_eq!(run::<f32>(arange_count, 0, 4, 0.5), [0., 0.5, 1., 1.5, 2., 2.5, 3., 3.5]);
    for out in OUTPUTS {
        assert_eq!(arange_count(3.into(), 3.into(), 1.into(), out), Ok(0), "{out}");
        assert!(matches!(refused(4, 0, 1, out), RangeError::Direction { .. }), "{out}");
        assert!(matches!(refused(0, 4, -1, out), RangeError::Direction { .. }), "{out}");
        assert!(matches!(refused(0, 4, 0, out), RangeError::Step { .. }), "{out}");
        assert!(matches!(refused(0, 4, f64::NAN, out), RangeError::Step { .. }), "{out}");
    }
}

#[test]
fn range_examples() {
    assert_eq!(run::<i32>(range_count, 0, 4, 2), [0, 2, 4]);
    assert_eq!(run::<i32>(range_count, 0, 5, 2), [0, 2, 4]);
    assert_eq!(run::<i32>(range_count, 3, 3, 1), [3]);
    assert_eq!(run::<i64>(range_count, 4, 0, -2), [4, 2, 0]);
    assert_eq!(run::<f64>(range_count, 0, 1, 0.5), [0.0, 0.5, 1.0]);
    for out in OUTPUTS {
        assert_eq!(range_count(3.into(), 3.into(), 1.into(), out), Ok(1), "{out}");
    }
}

#[test]
fn counts_depend_on_the_precision() {
    let arange = |end: Number, start: i32, step: Number| arange_count(start.into(), end, step, DType::F32);
    assert_eq!(arange(0.3f32.into(), 0, 0.1f32.into()), Ok(4));
    assert_eq!(arange(1.3f64.into(), 1, 0.1f64.into()), Ok(4));
    let range = |step: Number, out| range_count(0.into(), 1.into(), step, out);
    assert_eq!(range(0.1f32.into(), DType::F32), Ok(10));
    assert_eq!(range(0.1f64.into(), DType::F16), Ok(11));
    // 9 times the f32 nearest to 0.1, rounded; the f32 nearest to 0.9 lies below.
    assert_eq!(run::<f32>(range_count, 0, 1, 0.1f32).last(), Some(&0.90000004));
}

#[test]
fn checks_are_made_in_the_type_of_the_output() {
    for out in [DType::I32, DType::I64] {
        assert_eq!(
            refused(0, 4, 0.5, out).to_string(),
            "step 0.5 is not usable: converted to i64, in which it is checked, it is zero"
        );
        assert_eq!(arange_count(0.9.into(), 0.1.into(), 1.into(), out), Ok(0));
    }
    assert!(matches!(refused(0, 1, 1e-60, DType::F32), RangeError::Step { check: DType::F32, .. }));
    assert!(arange_count(0.into(), 1e-60.into(), 1e-60.into(), DType::F64).is_ok());
    // NaN bounds compare false and pass; there is nothing to count.
    assert_eq!(arange_count(f64::NAN.into(), 1.into(), 1.into(), DType::F32), Ok(0));
    assert_eq!(
        refused(4, 0, 1, DType::F32).to_string(),
        "step 1 leads away from the end: start is 4, end is 0"
    );
    for out in DType::ALL {
        if !OUTPUTS.contains(out) {
            assert_eq!(refused(0, 1, 1, *out), RangeError::Output { dtype: *out });
        }
    }
}

#[test]
fn elements_multiply_in_f32_and_accumulate_in_f64() {
    let singles = run::<f32>(arange_count, 0, 100.5f32, 0.1f32);
    assert_eq!((singles[7], singles[10], singles[1000]), (0.7, 1.0, 100.0));
    let doubles = run::<f64>(arange_count, 0, 2, 0.1);
    assert_eq!((doubles[6], doubles[10]), (0.6, 0.9999999999999999));
    let halves = run::<f16>(arange_count, 0, 20, 0.1);
    assert_eq!(halves[100], f16::from_f32(10.0));
}

#[test]
fn an_index_past_2_24_is_rounded() {
    let progression = Progression::new(0.into(), 1.into(), DType::F32).unwrap();
    let mut element = [0f32];
    progression.fill((1 << 24) + 1, &mut element).unwrap();
    assert_eq!(element, [16777216.0]);
    // An index past 2³¹ takes the wide way.
    progression.fill(1 << 40, &mut element).unwrap();
    assert_eq!(element, [1099511627776.0]);
}

#[test]
fn integers_wrap() {
    let big = i64::MAX;
    let progression = Progression::new(big.into(), 2.into(), DType::I64).unwrap();
    let mut elements = [0i64; 2];
    progression.fill(0, &mut elements).unwrap();
    assert_eq!(elements, [big, i64::MIN + 1]);
    assert_eq!(arange_count(i64::MIN.into(), i64::MAX.into(), 1.into(), DType::I64), Ok(usize::MAX));
    assert_eq!(range_count(i64::MIN.into(), i64::MAX.into(), 1.into(), DType::I64), Ok(usize::MAX));
    assert_eq!(arange_count(i64::MAX.into(), i64::MIN.into(), i64::MIN.into(), DType::I64), Ok(2));
}

#[test]
fn the_output_must_hold_the_type() {
    let progression = Progression::new(0.into(), 1.into(), DType::F32).unwrap();
    let error = progression.fill(0, &mut [0f64]).unwrap_err();
    assert_eq!(error, RangeError::Element { slice: DType::F64, range: DType::F32 });
    assert!(Linspace::new(0.into(), 1.into(), 2, DType::F32).unwrap().fill(0, &mut [0u8]).is_err());
}

fn linspace<T: Numeric>(start: impl Into<Number>, end: impl Into<Number>, steps: usize) -> Vec<T> {
    let linspace = Linspace::new(start.into(), end.into(), steps, T::DTYPE).unwrap();
    let mut bytes = vec![0; steps * T::DTYPE.bits() / 8];
    linspace.fill_bytes(0, &mut bytes);
    let elements = T::from_bytes(&bytes);
    let mut again = elements.clone();
    linspace.fill(0, &mut again).unwrap();
    assert_eq!(again, elements);
    elements
}

#[test]
fn linspace_counts_from_both_ends() {
    assert_eq!(linspace::<f32>(0, 1, 5), [0.0, 0.25, 0.5, 0.75, 1.0]);
    assert_eq!(linspace::<f32>(3, 9, 1), [3.0]);
    assert_eq!(linspace::<f32>(3, 9, 0), []);
    assert_eq!(linspace::<f64>(1, 0, 3), [1.0, 0.5, 0.0]);
    for steps in 2..200 {
        let elements = linspace::<f32>(0.1f32, 0.1f32 + 0.7f32, steps);
        let (start, end) = (0.1f32, 0.1f32 + 0.7f32);
        assert_eq!((elements[0], elements[steps - 1]), (start, end));
        // Counted from the near end, the error of the distance is not multiplied by the far one.
        for (i, &element) in elements.iter().enumerate() {
            let exact = f64::from(start) + f64::from(end - start) * i as f64 / (steps - 1) as f64;
            assert!((f64::from(element) - exact).abs() < 2e-7, "{steps} {i}");
        }
    }
    // Counted from the start the middle would be 0.39999998.
    assert_eq!(linspace::<f32>(0.1f32, 0.7f32, 3)[1], 0.4);
    assert_eq!(linspace::<f32>(0.1f32, 0.7f32, 4)[2], 0.5);
    let mut last = [0f32];
    Linspace::new(0.into(), f32::INFINITY.into(), 4, DType::F32).unwrap().fill(3, &mut last).unwrap();
    assert_eq!(last, [f32::INFINITY]);
}

#[test]
fn linspace_of_integers_truncates() {
    assert_eq!(linspace::<i32>(0.9, 10.9, 3), [0, 5, 10]);
    assert_eq!(linspace::<i32>(0, 1, 3), [0, 0, 1]);
    assert_eq!(linspace::<i8>(300, 44, 2), [44, 44]);
    assert_eq!(linspace::<i64>(0.5, 2.5, 3), [0, 1, 2]);
    assert_eq!(linspace::<u8>(true, 3, 3), [1, 2, 3]);
    assert!(Linspace::new(0.into(), 1.into(), 2, DType::C64).is_err());
}

#[test]
fn numbers_of_scalars() {
    let number = |scalar: ScalarValue| Number::from_scalar(scalar);
    assert_eq!(number((-3i8).into()), Some(Number::Int(-3)));
    assert_eq!(number(i64::MIN.into()), Some(Number::Int(i64::MIN)));
    assert_eq!(number(u64::MAX.into()), Some(Number::UInt(u64::MAX)));
    assert_eq!(number(0.1f32.into()), Some(Number::Float(0.1f32.into())));
    assert_eq!(number(f16::ONE.into()), Some(Number::Float(1.0)));
    assert_eq!(number(true.into()).map(Number::to_f64), Some(1.0));
    assert_eq!(number(Complex::new(1f32, 0.0).into()), None);
    assert_eq!(Number::Float(-1e30).to_i64(), i64::MIN);
    assert_eq!(Number::UInt(u64::MAX).to_i64(), -1);
}

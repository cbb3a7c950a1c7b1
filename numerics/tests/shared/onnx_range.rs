//! The ranges of ONNX and OpenVINO: the worked examples, where the definitions differ, and what they leave open.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests")]

use aclnn_numerics::convert::cann::{Numeric, ScalarValue};
use aclnn_numerics::range::{
    Number, RangeError, Sequence, onnx, onnx_body, openvino, openvino_implemented, openvino_tf,
};
use aclnn_numerics::{Complex, DType, Element, bf16, f16};
use proptest::prelude::*;

type Onnx = fn(ScalarValue, ScalarValue, ScalarValue) -> Result<Sequence, RangeError>;
type OpenVino = fn(Number, Number, Number, DType) -> Result<Sequence, RangeError>;

const ONNX: [Onnx; 2] = [onnx, onnx_body];
const OPENVINO: [OpenVino; 2] = [openvino, openvino_tf];

fn elements<T: Numeric>(range: &Sequence) -> Vec<T> {
    assert_eq!(range.dtype(), T::DTYPE);
    let size = T::DTYPE.bits() / 8;
    let mut bytes = vec![0xEE; range.count() * size + 1];
    range.fill_bytes(0, &mut bytes[1..]);
    let elements = T::from_bytes(&bytes[1..]);

    // The same typed, from the middle, and no more than there are.
    let middle = range.count() / 2;
    let mut again = elements.clone();
    range.fill(0, &mut again).unwrap();
    assert_eq!(again, elements);
    let mut tail = elements[middle..].to_vec();
    range.fill(middle, &mut tail).unwrap();
    assert_eq!(tail, elements[middle..]);
    let mut past = vec![0xEE; 3 * size];
    range.fill_bytes(range.count(), &mut past);
    assert_eq!(past, vec![0xEE; 3 * size]);
    elements
}

fn run<T: Numeric>(define: Onnx, start: T, limit: T, delta: T) -> Vec<T> {
    elements(&define(start.into(), limit.into(), delta.into()).unwrap())
}

fn count<T: Element>(define: Onnx, start: T, limit: T, delta: T) -> usize {
    define(start.into(), limit.into(), delta.into()).unwrap().count()
}

fn run_mixed<T: Numeric>(
    define: OpenVino,
    start: impl Into<Number>,
    stop: impl Into<Number>,
    step: impl Into<Number>,
) -> Vec<T> {
    elements(&define(start.into(), stop.into(), step.into(), T::DTYPE).unwrap())
}

/// One element, however far.
fn at<T: Numeric>(range: &Sequence, index: usize) -> T {
    let mut element = T::from_bytes(&vec![0; T::DTYPE.bits() / 8]);
    range.fill(index, &mut element).unwrap();
    element[0]
}

#[test]
fn examples_of_onnx() {
    for define in ONNX {
        assert_eq!(run(define, 3, 9, 3), [3, 6]);
        assert_eq!(run(define, 10, 4, -2), [10, 8, 6]);
        assert_eq!(run(define, 3i16, 9, 3), [3, 6]);
        assert_eq!(run(define, 10i64, 4, -2), [10, 8, 6]);
        assert_eq!(run(define, 3f32, 9.0, 3.0), [3.0, 6.0]);
        assert_eq!(run(define, 10f64, 4.0, -2.0), [10.0, 8.0, 6.0]);
    }
}

#[test]
fn examples_of_openvino() {
    for define in OPENVINO {
        assert_eq!(run_mixed::<i32>(define, 2, 23, 3), [2, 5, 8, 11, 14, 17, 20]);
        assert_eq!(run_mixed::<i32>(define, 23, 2, -3), [23, 20, 17, 14, 11, 8, 5]);
        assert_eq!(run_mixed::<f32>(define, 1, 2.5f32, 0.5f32), [1.0, 1.5, 2.0]);
    }
}

/// Multiplied and accumulated, digit for digit.
#[test]
fn accumulation_differs() {
    let single = |define: Onnx| define(0f32.into(), 2e5f32.into(), 0.1f32.into()).unwrap();
    let (multiplied, accumulated) = (single(onnx), single(onnx_body));
    let openvino_f32 = openvino(0.into(), 2e5f32.into(), 0.1f32.into(), DType::F32).unwrap();
    for (i, iterative, direct) in [
        (7, "0.70000005", "0.7"),
        (10, "1.0000001", "1"),
        (1000, "99.99905", "100"),
        (1_000_000, "100958.34", "100000"),
    ] {
        assert_eq!(at::<f32>(&accumulated, i).to_string(), iterative);
        assert_eq!(at::<f32>(&openvino_f32, i).to_string(), iterative);
        assert_eq!(at::<f32>(&multiplied, i).to_string(), direct);
    }
    assert_eq!(format!("{:.9}", at::<f32>(&multiplied, 7)), "0.699999988");
    let doubles = |define| run(define, 0f64, 2.0, 0.1);
    assert_eq!((doubles(onnx)[6], doubles(onnx)[10]), (0.6000000000000001, 1.0));
    assert_eq!((doubles(onnx_body)[6], doubles(onnx_body)[10]), (0.6, 0.9999999999999999));

    // f16 and bf16 go on where their own arithmetic is stuck; elements are cut, not rounded.
    let halves = run_mixed::<f16>(openvino, 0, 2053, 1);
    let tail: Vec<f32> = halves[2048..].iter().map(|v| v.to_f32()).collect();
    assert_eq!(tail, [2048.0, 2048.0, 2050.0, 2050.0, 2052.0]);
    let brains = run_mixed::<bf16>(openvino, 0, 261, 1);
    let tail: Vec<f32> = brains[256..].iter().map(|v| v.to_f32()).collect();
    assert_eq!(tail, [256.0, 256.0, 258.0, 258.0, 260.0]);

    // An index past 2²⁴ rounds.
    let long = onnx(0f32.into(), 3e7f32.into(), 1f32.into()).unwrap();
    assert_eq!(at::<f32>(&long, (1 << 24) + 1), 16777216.0);
    assert!(!long.is_sequential() && accumulated.is_sequential());
}

#[test]
fn counts_of_onnx() {
    // Exact past 2²⁴ and 2⁵³; the body counts in f32.
    assert_eq!(count(onnx, 0i64, 16777217, 1), 16777217);
    assert_eq!(count(onnx_body, 0i64, 16777217, 1), 16777216);
    assert_eq!(count(onnx, 0i64, (1 << 53) + 1, 1), (1 << 53) + 1);
    assert_eq!(count(onnx, i64::MIN, i64::MAX, 1), usize::MAX);
    assert_eq!(count(onnx, i64::MIN, i64::MAX, i64::MAX), 3);
    assert_eq!(run(onnx, i64::MIN, i64::MAX, i64::MAX), [i64::MIN, -1, i64::MAX - 1]);
    // The body takes the distance modulo 2ⁿ, which turns its direction.
    assert_eq!((count(onnx, -30000i16, 30000, 1), count(onnx_body, -30000i16, 30000, 1)), (60000, 0));
    assert_eq!(count(onnx_body, i32::MIN, i32::MAX, 1), 0);
    // 1.3 − 1 in f64 is more than three times 0.1, in f32 it is not.
    assert_eq!((count(onnx, 1f64, 1.3, 0.1), count(onnx_body, 1f64, 1.3, 0.1)), (4, 3));
    assert_eq!((count(onnx, 0f32, 0.3, 0.1), count(onnx_body, 0f32, 0.3, 0.1)), (4, 3));
    // A quotient that underflows is still more than zero.
    assert_eq!((count(onnx, 0f64, 1e-300, 1e300), count(onnx, 0f64, -1e-300, 1e300)), (1, 0));
    // A loop adds to the last element what wraps.
    assert_eq!(run(onnx, 32766i16, 32767, 2), [32766]);
}

#[test]
fn counts_of_openvino() {
    for define in OPENVINO {
        let count = |stop: i64, out| define(0.into(), stop.into(), 1.into(), out).map(|range| range.count());
        assert_eq!(count((1 << 53) + 1, DType::I64), Ok((1 << 53) + 1));
        assert_eq!(count(16777217, DType::F64), Ok(16777217));
        let range = define(0.into(), u64::MAX.into(), 1.into(), DType::U64).unwrap();
        assert_eq!((range.count(), at::<u64>(&range, usize::MAX - 1)), (usize::MAX, u64::MAX - 1));
    }
    // What is counted is the inputs as they are given, whatever the type of the elements.
    assert_eq!(openvino(0.into(), 16777217.into(), 1.into(), DType::F32).unwrap().count(), 16777217);
    assert_eq!(openvino_tf(0.into(), 16777217.into(), 1.into(), DType::F32).unwrap().count(), 16777216);
    for out in [DType::F32, DType::F16, DType::BF16] {
        assert_eq!(openvino(0.into(), 1.into(), 0.1.into(), out).unwrap().count(), 10);
    }
    let mixed = openvino(2147483648i64.into(), 2147483647i32.into(), (-1f32).into(), DType::F32).unwrap();
    assert_eq!((mixed.count(), at::<f32>(&mixed, 0)), (1, 2147483648.0));
    let far = 1i64 << 60;
    assert_eq!(openvino(far.into(), (far + 5).into(), 1.into(), DType::F64).unwrap().count(), 5);
    // Both 0.3 and 0.1 are cut, to what is three times the other.
    assert_eq!(run_mixed::<f32>(openvino, 0, 0.3, 0.1), [0.0, 0.099999994, 0.19999999]);
    assert_eq!(run_mixed::<f32>(openvino, 0, 0.3f32, 0.1f32).len(), 4);
    assert_eq!(run_mixed::<f64>(openvino, 0, 0.3, 0.1), [0.0, 0.1, 0.2]);
}

#[test]
fn openvino_casts_its_inputs() {
    // Of an integer range all inputs are whole.
    for define in OPENVINO {
        assert_eq!(run_mixed::<i32>(define, 0.9, 5.9, 2.5), [0, 2, 4]);
        assert_eq!(run_mixed::<i8>(define, -1.9, 1u64, true), [-1, 0]);
    }
    assert_eq!(run_mixed::<u16>(openvino, 3.5f32, f16::from_f32(0.5), -1i8), [3, 2, 1]);
    assert_eq!(run_mixed::<u16>(openvino_tf, 3.5f32, f16::from_f32(0.5), -1i8), []);
    // A step needs no room in the output.
    assert_eq!(run_mixed::<u8>(openvino, 23, 2, -3f32), [23, 20, 17, 14, 11, 8, 5]);
    assert_eq!(run_mixed::<u8>(openvino, 0, 5, 256), [0]);
    // The aligned form casts to the output first.
    let tenth = f16::from_f32(0.1);
    let accumulated = run_mixed::<f16>(openvino, 0, 20, 0.1);
    let aligned = run_mixed::<f16>(openvino_tf, 0, 20, 0.1);
    assert_eq!((accumulated[1], aligned[1]), (f16::from_bits(tenth.to_bits()), f16::from_bits(0x2E66)));
    // 0.1 of f16 is less than a tenth.
    assert_eq!((accumulated.len(), aligned.len()), (200, 201));
    assert_eq!(run_mixed::<u8>(openvino, 250, 258, 2), [250, 252, 254, 0]);
    assert_eq!(run_mixed::<u8>(openvino_tf, 250, 258, 2), []);
    assert_eq!(run_mixed::<i8>(openvino_tf, 0, 300, 1).len(), 44, "300 is 44 in eight bits");
    assert_eq!(run_mixed::<f16>(openvino, 60000, 80000, 10000).len(), 2);
    assert_eq!(run_mixed::<f16>(openvino, 60000, 80000, 10000)[1].to_f32(), 65504.0);
    assert_eq!(run_mixed::<f16>(openvino_tf, 60000, 80000, 10000).len(), 1);
    // Beyond the type, but not infinite.
    assert_eq!(run_mixed::<f32>(openvino, 1e300, 0, -1e300), [f32::MAX]);
    assert_eq!(run_mixed::<f64>(openvino, i64::MAX, i64::MIN, i64::MIN), [9223372036854774784.0, -1024.0]);
}

#[test]
fn wrong_direction_is_empty() {
    for define in ONNX {
        assert_eq!(run(define, 0, 5, -1), []);
        assert_eq!(run(define, 5f32, 0.0, 1.0), []);
        assert_eq!(run(define, 3f64, 3.0, 1.0), []);
        assert_eq!(count(define, 0f32, f32::NEG_INFINITY, 1.0), 0);
    }
    for define in OPENVINO {
        assert_eq!(run_mixed::<i32>(define, 0, 5, -1), []);
        assert_eq!(run_mixed::<f16>(define, 5, 0, 1), []);
        assert_eq!(run_mixed::<u64>(define, 3, 3, 1), []);
        assert_eq!(run_mixed::<f32>(define, 0, f64::NEG_INFINITY, 1), []);
    }
}

#[test]
fn what_is_not_defined_is_refused() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    for define in ONNX {
        let refused = |start: f64, limit: f64, delta: f64| {
            define(start.into(), limit.into(), delta.into()).unwrap_err()
        };
        assert!(matches!(refused(0.0, 5.0, 0.0), RangeError::Step { check: DType::F64, .. }));
        assert!(matches!(refused(0.0, 5.0, -0.0), RangeError::Step { .. }));
        for [start, limit, delta] in
            [[nan, 5., 1.], [0., nan, 1.], [0., 5., nan], [inf, inf, 1.], [0., inf, inf]]
        {
            assert!(
                matches!(refused(start, limit, delta), RangeError::Undefined { .. }),
                "{start} {limit} {delta}"
            );
        }
        for [start, limit, delta] in [[0., inf, 1.], [-inf, 0., 1.], [0., -inf, -1.], [0., 1e30, 1.]] {
            assert!(
                matches!(refused(start, limit, delta), RangeError::Endless { .. }),
                "{start} {limit} {delta}"
            );
        }
        assert!(matches!(define(0i64.into(), 5i64.into(), 0i64.into()), Err(RangeError::Step { .. })));
        let mixed = define(0i64.into(), 5i32.into(), 1i64.into()).unwrap_err();
        assert_eq!(
            mixed.to_string(),
            "the scalars of a range must have one type, not i64, i32 and i64; convert them to one"
        );
        assert_eq!(define(0u8.into(), 5u8.into(), 1u8.into()), Err(RangeError::Output { dtype: DType::U8 }));
        let one = ScalarValue::from(Complex::new(1f32, 0.0));
        assert_eq!(define(one, one, one), Err(RangeError::Output { dtype: DType::C64 }));
    }
    // A step of infinity leaves the start; the body counts 5 / ∞.
    assert_eq!((run(onnx, 2.0, 5.0, inf), run(onnx_body, 2.0, 5.0, inf)), (vec![2.0], vec![]));
    // A step that f32 has no room for.
    assert!(matches!(onnx_body(0.0.into(), 1.0.into(), 1e-60.into()), Err(RangeError::Endless { .. })));

    for define in OPENVINO {
        let refused = |start: f64, stop: f64, step: f64, out| {
            define(start.into(), stop.into(), step.into(), out).unwrap_err()
        };
        for (step, out) in [(0.5, DType::I32), (1e-9, DType::F16), (1e-60, DType::F32), (0.0, DType::F64)] {
            assert!(matches!(refused(0.0, 5.0, step, out), RangeError::Step { check, .. } if check == out));
        }
        for out in [DType::F16, DType::F32, DType::F64, DType::I32, DType::U64] {
            assert!(matches!(refused(nan, 5.0, 1.0, out), RangeError::Undefined { .. }));
            let endless = refused(0.0, inf, 1.0, out);
            assert_eq!(matches!(endless, RangeError::Endless { .. }), out.is_float(), "{endless}");
        }
        for out in [DType::Bool, DType::C64, DType::String, DType::I4, DType::F8E5M2] {
            assert_eq!(refused(0.0, 1.0, 1.0, out), RangeError::Output { dtype: out });
        }
    }
    assert_eq!(
        openvino(0.into(), 1e30.into(), 1.into(), DType::I64).unwrap_err().to_string(),
        "a range from 0 to 1e30 by 1 has more elements than can be counted"
    );
    // 256 keeps no bits of u8, and nothing negative is one.
    for step in [Number::from(256), Number::from(-3f32)] {
        let error = openvino_tf(23.into(), 2.into(), step, DType::U8).unwrap_err();
        assert!(matches!(error, RangeError::Step { check: DType::U8, .. }));
    }
    // As i64 this end is finite.
    let aligned = openvino_tf(0.into(), 1e30.into(), 1.into(), DType::I64).unwrap();
    assert_eq!(aligned.count(), i64::MAX as usize);
    let range = onnx(0.into(), 5.into(), 1.into()).unwrap();
    let error = range.fill(0, &mut [0f32]).unwrap_err();
    assert_eq!(error, RangeError::Element { slice: DType::F32, range: DType::I32 });
}

/// The inputs of a line: a type and its bits each.
fn number(text: &str) -> (DType, Number) {
    let (name, bits) = text.split_once(':').unwrap();
    let (dtype, bits) = (name.parse::<DType>().unwrap(), u64::from_str_radix(bits, 16).unwrap());
    let scalar = ScalarValue::new(dtype, &bits.to_le_bytes()).unwrap();
    (dtype, Number::from_scalar(scalar).unwrap())
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect()
}

/// `xtask/golden/openvino_range.py` describes the file.
#[test]
fn ranges_of_mixed_types_are_those_of_the_openvino_library() {
    let (mut counted, mut refused) = (0, 0);
    for line in include_str!("../data/openvino_range.tsv").lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let out: DType = fields[0].parse().unwrap();
        let inputs = [1, 2, 3].map(|field| number(fields[field]));
        let [start, stop, step] = inputs.map(|(_, number)| number);
        let (page, implemented) =
            (openvino(start, stop, step, out), openvino_implemented(start, stop, step, out));
        if fields[4] == "refused" {
            implemented.expect_err(line);
            // The page has a use for infinities of floats.
            assert!(page.is_err() || [start, stop, step].iter().any(|v| v.to_f64().is_infinite()), "{line}");
            refused += 1;
            continue;
        }
        let implemented = implemented.expect(line);
        assert_eq!(implemented.count().to_string(), fields[4], "{line}");
        for (elements, first) in [(fields[5], 0), (fields[6], implemented.count().saturating_sub(4))] {
            let mut got = bytes(elements);
            got.fill(0xEE);
            implemented.fill_bytes(first, &mut got);
            assert_eq!(got, bytes(elements), "{line}");
        }
        // The same number of elements by the page, and the same integers. A step that is zero as output is refused there.
        match page {
            Ok(page) => {
                assert_eq!(page.count(), implemented.count(), "{line}");
                if out.is_integer() {
                    assert_eq!(page, implemented, "{line}");
                }
            }
            Err(error) => {
                assert!(matches!(error, RangeError::Step { .. }) && out.is_float(), "{line}: {error}")
            }
        }
        counted += 1;
    }
    assert!(counted > 1000 && refused > 10, "{counted} {refused}");
}

proptest! {
    #[test]
    fn integers_are_counted_by_hand(start in -300i16..300, limit in -300i16..300, delta in -40i16..40) {
        prop_assume!(delta != 0);
        let mut want = Vec::new();
        let mut value = start;
        while if delta > 0 { value < limit } else { value > limit } {
            want.push(value);
            value += delta;
        }
        for define in ONNX {
            prop_assert_eq!(&run(define, start, limit, delta), &want);
        }
        for define in OPENVINO {
            prop_assert_eq!(&run_mixed::<i16>(define, start, limit, delta), &want);
        }
    }

    #[test]
    fn long_integer_ranges_are_exact(start: i64, limit: i64, delta: i64) {
        prop_assume!(delta != 0);
        let range = onnx(start.into(), limit.into(), delta.into()).unwrap();
        let (start, limit, delta) = (i128::from(start), i128::from(limit), i128::from(delta));
        let count = range.count() as i128;
        let inside = |value: i128| if delta > 0 { value < limit } else { value > limit };
        prop_assert!(!inside(start + count * delta));
        if count > 0 {
            let last = start + (count - 1) * delta;
            prop_assert!(inside(last));
            prop_assert_eq!(i128::from(at::<i64>(&range, count as usize - 1)), last);
        }
    }
}

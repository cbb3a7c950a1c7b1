//! Where the safe layer lets the device do what ONNX and OpenVINO describe: the two definitions must agree there, and
//! must differ wherever the device is not used. Each is the other's expectation.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use aclnn_numerics::DType::{self, *};
use aclnn_numerics::convert::cann::converter;
use aclnn_numerics::convert::onnx::rule::{Rule, rule};
use aclnn_numerics::convert::onnx::{Cast, CastOptions, is_exact_on_cann};
use aclnn_numerics::range::{self, Number, Progression, Sequence, arange_count};
use proptest::prelude::*;

use crate::sweep::{self, SHARE};

const TYPES: [DType; 13] = [F32, F16, F64, BF16, I8, U8, I16, U16, I32, U32, I64, U64, Bool];

/// Elements of a type: those of a sweep of the small ones; of the others edges, neighbours of powers of two and of what
/// lies in the middle between two short floats, and a scatter.
fn elements(dtype: DType) -> Vec<[u8; 8]> {
    let mut codes: Vec<u64> = match dtype.bits() {
        _ if dtype == Bool => vec![0, 1],
        8 => (0..1 << 8).collect(),
        16 => sweep::codes().map(u64::from).collect(),
        bits => {
            let neighbours = |code: u64| (-2_i64..=2).map(move |by| code.wrapping_add_signed(by));
            let near = (0..bits).flat_map(|bit| neighbours(1 << bit));
            let mut state = 0x9E37_79B9_7F4A_7C15_u64;
            let scatter = std::iter::repeat_with(move || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                state.rotate_left(23)
            });
            // Around the middle of two neighbours in bf16, f16 and f32, which are rounded wrongly when they are rounded twice.
            let middles = (0..bits).flat_map(|bit| {
                let halves = [8, 11, 24].into_iter().filter(move |&places| places <= bit);
                halves.flat_map(move |places| {
                    [1, 3]
                        .map(|odd| (1_u64 << bit) + (odd << (bit - places)))
                        .into_iter()
                        .flat_map(neighbours)
                })
            });
            let edges = near.chain(middles).flat_map(|code| [code, code.wrapping_neg()]);
            edges.chain(scatter.take(40_000 / SHARE)).collect()
        }
    };
    if dtype == F32 || dtype == F64 {
        // Numbers that the narrow types have neighbours of: small integers, halves, thirds, ties.
        let numbers = (-70_000..70_000)
            .step_by(SHARE)
            .map(|i| f64::from(i) / 2.0)
            .chain((0..2000).map(|i| f64::from(i) / 3.0));
        let ties = (0..4096).map(|i| 1.0 + f64::from(i) / 4096.0 + 1e-10 * f64::from(i % 3 - 1));
        codes.extend(numbers.chain(ties).map(|value| match dtype {
            F32 => u64::from((value as f32).to_bits()),
            _ => value.to_bits(),
        }));
    }
    codes.into_iter().map(u64::to_le_bytes).collect()
}

fn value(dtype: DType, bytes: &[u8]) -> f64 {
    let code = |count: usize| {
        let mut wide = [0; 8];
        wide[..count].copy_from_slice(&bytes[..count]);
        u64::from_le_bytes(wide)
    };
    match dtype {
        F32 => f64::from(f32::from_bits(code(4) as u32)),
        F16 => aclnn_numerics::f16::from_bits(code(2) as u16).to_f64(),
        BF16 => aclnn_numerics::bf16::from_bits(code(2) as u16).to_f64(),
        F64 => f64::from_bits(code(8)),
        _ => 0.0,
    }
}

/// Whether ONNX defines the conversion: a float that is truncated lies in the range of the integer type.
fn is_defined(from: DType, to: DType, bytes: &[u8]) -> bool {
    if !from.is_float() || !to.is_integer() {
        return true;
    }
    let value = value(from, bytes).trunc();
    let bits = to.bits() as i32;
    let (low, high) = match to {
        U8 | U16 | U32 | U64 => (0.0, 2_f64.powi(bits)),
        _ => (-2_f64.powi(bits - 1), 2_f64.powi(bits - 1)),
    };
    low <= value && value < high
}

/// A value that is open in ONNX: a float that an integer type does not hold, or a bool that is neither 0 nor 1.
///
/// The expectation is the text of the rules, in exact integers.
fn by_the_rule(from: DType, to: DType, bytes: &[u8]) -> Option<u128> {
    let code = u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    let value = value(from, bytes);
    let low_bits = |whole: i128| whole as u128 & (u128::MAX >> (128 - to.bits()));
    let between = |low: i128, high: i128| match value {
        value if value.is_nan() => 0,
        value => (value.trunc() as i128).clamp(low, high),
    };
    let ends = |bits: u32| (-1 << (bits - 1), (1 << (bits - 1)) - 1);
    Some(match rule(from, to).expect("types of ONNX") {
        Rule::Whole => low_bits(between(ends(32).0, ends(32).1)),
        Rule::Wide => low_bits(between(ends(64).0, ends(64).1)),
        Rule::Clamp if matches!(to, U32 | U64) => between(0, (1 << to.bits()) - 1) as u128,
        Rule::Clamp => low_bits(between(ends(to.bits() as u32).0, ends(to.bits() as u32).1)),
        Rule::Bits if from == Bool => u128::from(code & 0xFF != 0),
        Rule::Truth if from == Bool => u128::from(code & 0xFF != 0),
        _ => return None,
    })
}

#[test]
fn the_table_of_rules_says_what_happens_to_values_that_onnx_leaves_open_on_every_path() {
    let mut checked = 0;
    for from in TYPES {
        let mut elements = elements(from);
        if from == Bool {
            elements = (0..=255_u64).map(u64::to_le_bytes).collect();
        }
        for to in TYPES {
            let device = converter(from, to).expect("a pair of the table");
            let host = Cast::new(from, to, CastOptions::default()).expect("a pair of the latest version");
            let size = [from, to].map(|dtype| dtype.bits() / 8);
            // A third of the wide ones, and all bytes.
            for bytes in elements.iter().step_by(if from.bits() == 8 { 1 } else { 3 }) {
                let Some(want) = by_the_rule(from, to, bytes) else { break };
                let (mut a, mut b) = ([0; 16], [0; 16]);
                device(&bytes[..size[0]], &mut a[..size[1]]);
                host.run(&bytes[..size[0]], 1, &mut b[..size[1]]).expect("long enough");
                let got = [a, b].map(u128::from_le_bytes);
                assert_eq!(got, [want; 2], "{from} → {to}, device and host, of {bytes:02x?}");
                checked += 1;
            }
        }
    }
    assert!(checked > 300_000 / SHARE, "{checked}");
}

#[test]
fn casts_agree_where_the_device_is_used_and_differ_where_it_is_not() {
    for from in TYPES {
        let elements = elements(from);
        for to in TYPES {
            let device = converter(from, to).expect("a pair of the table");
            let described =
                Cast::new(from, to, CastOptions::default()).expect("a pair of the latest version");
            let size = [from, to].map(|dtype| dtype.bits() / 8);
            let differs = elements.iter().find(|bytes| {
                let (mut a, mut b) = ([0; 8], [0; 8]);
                device(&bytes[..size[0]], &mut a[..size[1]]);
                described.run(&bytes[..size[0]], 1, &mut b[..size[1]]).expect("long enough");
                // Where the device is used, NaNs keep sign and payload as on the host.
                let both_nan =
                    value(to, &a).is_nan() && value(to, &b).is_nan() && !is_exact_on_cann(from, to);
                is_defined(from, to, &bytes[..]) && a != b && !both_nan
            });
            match (is_exact_on_cann(from, to), differs) {
                (true, Some(bytes)) => panic!("{from} → {to} differs for {bytes:02x?}"),
                (false, None) => panic!("{from} → {to} could run on the device"),
                _ => {}
            }
        }
    }
}

/// The elements that CANN's Arange writes for a sequence, counted and computed by its own definition.
fn on_cann(sequence: &Sequence) -> Option<Vec<u8>> {
    let arange = sequence.as_arange()?;
    let size = |dtype: DType| dtype.bits() / 8;
    let count = arange_count(arange.start, arange.end, arange.step, arange.dtype).expect("an accepted range");
    assert_eq!(count, sequence.count(), "{arange:?}");
    let mut elements = vec![0; count * size(arange.dtype)];
    Progression::new(arange.start, arange.step, arange.dtype)
        .expect("a type of Arange")
        .fill_bytes(0, &mut elements);
    if arange.dtype == sequence.dtype() {
        return Some(elements);
    }
    let mut cast = vec![0; count * size(sequence.dtype())];
    converter(arange.dtype, sequence.dtype()).expect("a pair of the table")(&elements, &mut cast);
    Some(cast)
}

fn described(sequence: &Sequence) -> Vec<u8> {
    let mut elements = vec![0; sequence.count() * sequence.dtype().bits() / 8];
    sequence.fill_bytes(0, &mut elements);
    elements
}

#[test]
fn exact_ranges_run_on_the_device_and_inexact_ones_do_not() {
    let onnx = |start: f32, limit: f32, delta: f32| {
        range::onnx(start.into(), limit.into(), delta.into()).expect("a range")
    };
    assert_eq!(on_cann(&onnx(1.0, 2.5, 0.5)), Some(described(&onnx(1.0, 2.5, 0.5))));
    assert_eq!(on_cann(&onnx(0.0, 1.0, 0.1)), None, "0.1 is rounded in every product");
    assert_eq!(on_cann(&onnx(-0.0, 2.0, 1.0)), None, "-0 + 0 depends on the order");
    assert!(on_cann(&onnx(16_777_200.0, 16_777_216.0, 1.0)).is_some());
    assert_eq!(on_cann(&onnx(16_777_200.0, 16_777_232.0, 1.0)), None, "16777217 has no f32");
    let f16 =
        |stop: i64| range::openvino(Number::Int(0), Number::Int(stop), Number::Int(1), F16).expect("a range");
    assert_eq!(on_cann(&f16(2048)), Some(described(&f16(2048))));
    assert_eq!(on_cann(&f16(2060)), None, "2049 has no f16");
    let down = range::openvino(Number::Int(2048), Number::Int(2043), Number::Int(-1), F16).expect("a range");
    assert_eq!(on_cann(&down), Some(described(&down)), "2048 ones are a f16");
    let still = range::openvino(Number::Int(5), Number::Int(1 << 33), Number::Int(1 << 32), I32);
    assert_eq!(still.expect("a range").as_arange(), None, "the low bits of the step are zero");
}

/// A range of i32 takes its end as f64, in which integers up to 2⁵³ are exact and the next one is not.
#[test]
fn ends_that_f64_holds_run_on_the_device() {
    const EXACT: i64 = 1 << 53;
    const STEP: i64 = 1 << 30;
    for sign in [1, -1] {
        let range = |end: i64| {
            let [start, end, step] = [0, sign * end, sign * STEP].map(Number::Int);
            range::openvino(start, end, step, I32).expect("a range")
        };
        let last = range(EXACT);
        let arange = last.as_arange().expect("the last end that is exact");
        assert_eq!(arange.end, Number::Int(sign * EXACT));
        assert_eq!(arange_count(arange.start, arange.end, arange.step, arange.dtype), Ok(last.count()));
        assert_eq!(range(EXACT + 1).as_arange(), None, "one more element");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn integer_ranges_agree(
        start in -40_000_i64..40_000, distance in -70_000_i64..70_000, step in -300_i64..300,
        out in prop::sample::select(vec![I8, U8, I16, U16, I32, U32, I64, U64]),
        offset in prop::sample::select(vec![0_i64, 1 << 31, -(1 << 31), 1 << 53, 1 << 62]),
    ) {
        let [start, stop] = [start, start + distance].map(|value| Number::Int(value + offset));
        for define in [range::openvino, range::openvino_implemented] {
            if let Ok(sequence) = define(start, stop, Number::Int(step), out)
                && let Some(elements) = on_cann(&sequence)
            {
                prop_assert_eq!(elements, described(&sequence));
            }
        }
    }

    #[test]
    fn float_ranges_agree(
        start in -3000_i32..3000, count in 0_i32..3000, step in 1_i32..40, down in any::<bool>(), scale in -30_i32..30,
        out in prop::sample::select(vec![F16, BF16, F32, F64]),
    ) {
        let unit = 2_f64.powi(scale);
        let step = if down { -step } else { step };
        let [start, stop, step] =
            [start, start + count * step, step].map(|value| Number::Float(f64::from(value) * unit));
        for define in [range::openvino, range::openvino_implemented] {
            if let Ok(sequence) = define(start, stop, step, out)
                && sequence.count() > 0
                && let Some(elements) = on_cann(&sequence)
            {
                prop_assert_eq!(elements, described(&sequence));
            }
        }
    }

    #[test]
    fn arbitrary_floats_never_go_wrong(start in any::<f32>(), step in any::<f32>(), count in 1_u32..50) {
        let limit = start + step * count as f32;
        if let Ok(sequence) = range::onnx(start.into(), limit.into(), step.into())
            && (1..=100).contains(&sequence.count())
            && let Some(elements) = on_cann(&sequence)
        {
            prop_assert_eq!(elements, described(&sequence));
        }
    }
}

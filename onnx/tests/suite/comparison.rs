//! The comparison of results with what a case expects.

use aclnn_onnx::cases::{Tolerance, differs};
use aclnn_onnx::{Array, DType, Value};

fn differ(given: Array, expected: Array) -> Option<String> {
    differs(&given.into(), &expected.into(), Tolerance::default()).unwrap()
}

fn floats(values: &[f32]) -> Array {
    Array::from_slice(values, [values.len()]).unwrap()
}

/// The rule is that of `numpy.testing.assert_allclose`.
#[test]
fn floats_may_differ_by_the_tolerance() {
    let expected = || floats(&[1.0, -1000.0, 0.0, f32::NAN, f32::INFINITY]);
    assert_eq!(differ(floats(&[1.0009, -1000.9, 9e-8, f32::NAN, f32::INFINITY]), expected()), None);
    for (place, wrong) in [(0, 1.0012), (1, -998.0), (2, 2e-7), (3, 0.0), (4, f32::MAX), (4, -f32::INFINITY)]
    {
        let mut values = [1.0, -1000.0, 0.0, f32::NAN, f32::INFINITY];
        *values.get_mut(place).unwrap() = wrong;
        let reason = differ(floats(&values), expected()).unwrap();
        assert!(reason.starts_with(&format!("1 of 5 elements differ: element {place} is ")), "{reason}");
    }
}

#[test]
fn what_is_drawn_at_random_has_a_type_and_a_shape() {
    let any = Tolerance { absolute: f64::INFINITY, ..Tolerance::default() };
    let pair = |given: &[bool], expected: &[bool]| {
        let [given, expected] =
            [given, expected].map(|values| Array::from_slice(values, [values.len()]).unwrap());
        differs(&given.into(), &expected.into(), any).unwrap()
    };
    assert_eq!(pair(&[true, false], &[false, false]), None);
    assert_eq!(pair(&[true], &[false, false]).unwrap(), "it is bool[1], not bool[2]");
}

#[test]
fn bf16_may_differ_by_two_units_in_the_last_place() {
    let brain = |values: &[f32]| floats(values).cast(DType::BF16).unwrap();
    assert_eq!(differ(brain(&[1.015625, 3.0]), brain(&[1.0, 3.0])), None);
    assert!(differ(brain(&[1.03125, 3.0]), brain(&[1.0, 3.0])).is_some());
}

#[test]
fn integers_and_strings_are_equal_or_wrong() {
    let ints = |values: &[u64]| Array::from_slice(values, [values.len()]).unwrap();
    assert_eq!(
        differ(ints(&[1 << 60, u64::MAX]), ints(&[1 << 60, u64::MAX - 1])),
        Some(
            "1 of 2 elements differ: element 1 is 18446744073709551615, not 18446744073709551614".to_owned()
        )
    );
    let strings = |text: &str| Array::from_strings([text.to_owned()], [1]).unwrap();
    assert_eq!(differ(strings("a"), strings("a")), None);
    assert_eq!(
        differ(strings("a"), strings("b")),
        Some("1 of 1 elements differ: element 0 is \"a\", not \"b\"".to_owned())
    );
}

#[test]
fn types_shapes_and_kinds_are_the_same() {
    let reason = differ(floats(&[1.0]), Array::from_slice(&[1.0f64], [1]).unwrap());
    assert_eq!(reason.unwrap(), "it is f32[1], not f64[1]");
    let reason = differ(floats(&[1.0]), Array::from_slice(&[1.0f32], [1, 1]).unwrap());
    assert_eq!(reason.unwrap(), "it is f32[1], not f32[1, 1]");
    let one = Value::from(floats(&[1.0]));
    let list = Value::Sequence([one.clone()].into());
    let tolerance = Tolerance::default();
    assert_eq!(differs(&one, &list, tolerance).unwrap().unwrap(), "it is f32[1], not sequence of 1 values");
    let other = Value::Sequence([floats(&[2.0]).into()].into());
    let reason = differs(&list, &other, tolerance).unwrap().unwrap();
    assert_eq!(reason, "value 0: 1 of 1 elements differ: element 0 is 1, not 2");
    let some = Value::Optional(Some(one.clone().into()));
    assert_eq!(differs(&some, &one, tolerance).unwrap(), None);
    assert!(differs(&Value::Optional(None), &one, tolerance).unwrap().is_some());
}

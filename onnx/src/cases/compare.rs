//! Whether a value is as expected.

use aclnn::DType;

use crate::array::Array;
use crate::error::Result;
use crate::value::Value;

/// The distance that results may have from what is expected.
///
/// An element is near enough if it differs by no more than `absolute + relative · |expected|`. Integers, truth values and
/// strings must be equal. For bf16, `relative` is at least 2⁻⁶, two units in the last place.
///
/// With an infinite `absolute`, elements of all types may be anything, as those that a model draws at random.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tolerance {
    /// A part of the expected number; `rtol` in NumPy.
    pub relative: f64,
    /// A distance for any number; `atol` in NumPy.
    pub absolute: f64,
}

/// The tolerance of the test cases of ONNX that say no other: 10⁻³ and 10⁻⁷.
impl Default for Tolerance {
    fn default() -> Self {
        Tolerance { relative: 1e-3, absolute: 1e-7 }
    }
}

impl Tolerance {
    fn allows(self, distance: f64, expected: f64) -> bool {
        distance <= self.absolute + self.relative * expected.abs()
    }
}

/// Returns how a value differs from what is expected; `None` if it does not.
///
/// Types and shapes must be the same. An optional with a value is the same as the value. NaN is the same as NaN. Waits for
/// the device if the value is there.
///
/// # Errors
/// The error that the device returned when the value was read.
pub fn differs(given: &Value, expected: &Value, tolerance: Tolerance) -> Result<Option<String>> {
    match (given, expected) {
        (Value::Sequence(given), Value::Sequence(expected)) => {
            if given.len() != expected.len() {
                return Ok(Some(format!("it has {} values, not {}", given.len(), expected.len())));
            }
            for (place, (given, expected)) in given.iter().zip(expected.iter()).enumerate() {
                if let Some(reason) = differs(given, expected, tolerance)? {
                    return Ok(Some(format!("value {place}: {reason}")));
                }
            }
            Ok(None)
        }
        (Value::Optional(None), Value::Optional(None)) => Ok(None),
        (Value::Optional(Some(given)), expected) => differs(given, expected, tolerance),
        (given, Value::Optional(Some(expected))) => differs(given, expected, tolerance),
        (Value::Tensor(_) | Value::Known(_), Value::Tensor(_) | Value::Known(_)) => {
            arrays_differ(&given.to_array()?, &expected.to_array()?, tolerance)
        }
        _ => Ok(Some(format!("it is {given}, not {expected}"))),
    }
}

fn arrays_differ(given: &Array, expected: &Array, tolerance: Tolerance) -> Result<Option<String>> {
    let dtype = expected.dtype();
    if given.dtype() != dtype || given.shape() != expected.shape() {
        return Ok(Some(format!("it is {given:?}, not {expected:?}")));
    }
    if tolerance.absolute == f64::INFINITY {
        return Ok(None);
    }
    if let (Some(given), Some(expected)) = (given.strings(), expected.strings()) {
        let pairs = given.iter().zip(expected).map(|(given, expected)| Pair {
            given: format!("{given:?}"),
            expected: format!("{expected:?}"),
            near: given == expected,
        });
        return Ok(worst(pairs));
    }
    if given.bytes() == expected.bytes() {
        return Ok(None);
    }
    if dtype.is_complex() {
        let (given, expected) = (parts(given)?, parts(expected)?);
        let pairs = given.as_chunks::<2>().0.iter().zip(expected.as_chunks::<2>().0);
        let pairs = pairs.map(|(&[re, im], &[expected_re, expected_im])| Pair {
            given: format!("{re}{im:+}i"),
            expected: format!("{expected_re}{expected_im:+}i"),
            near: [re, im] == [expected_re, expected_im]
                || tolerance
                    .allows((re - expected_re).hypot(im - expected_im), expected_re.hypot(expected_im))
                    && expected_re.is_finite()
                    && expected_im.is_finite()
                || (re.is_nan() || im.is_nan()) && (expected_re.is_nan() || expected_im.is_nan()),
        });
        return Ok(worst(pairs));
    }
    if dtype == DType::U64 {
        let (given, expected) = (given.to_vec::<u64>()?, expected.to_vec::<u64>()?);
        return Ok(worst(given.iter().zip(&expected).map(Pair::equal)));
    }
    if dtype.is_integer() || dtype == DType::Bool {
        let (given, expected) = (given.to_i64s()?, expected.to_i64s()?);
        return Ok(worst(given.iter().zip(&expected).map(Pair::equal)));
    }
    let tolerance = match dtype {
        DType::BF16 => Tolerance { relative: tolerance.relative.max(1.0 / 64.0), ..tolerance },
        _ => tolerance,
    };
    let (given, expected) = (given.to_f64s()?, expected.to_f64s()?);
    let pairs = given.iter().zip(&expected).map(|(&given, &expected)| Pair {
        given: shown(given),
        expected: shown(expected),
        // Nothing but infinity is near infinity.
        near: given == expected
            || expected.is_finite() && tolerance.allows((given - expected).abs(), expected)
            || given.is_nan() && expected.is_nan(),
    });
    Ok(worst(pairs))
}

/// Returns a number as people read it.
fn shown(number: f64) -> String {
    match number.abs() {
        size if size == 0.0 || (1e-4..1e15).contains(&size) || !size.is_finite() => number.to_string(),
        _ => format!("{number:e}"),
    }
}

/// Returns the real and imaginary parts of complex numbers.
fn parts(array: &Array) -> Result<Vec<f64>> {
    let dtype = match array.dtype() {
        DType::C32 => DType::F16,
        DType::C64 => DType::F32,
        _ => DType::F64,
    };
    Array::new(dtype, [2 * array.numel()], array.bytes().to_vec())?.to_f64s()
}

/// An element, and what is expected of it.
struct Pair {
    given: String,
    expected: String,
    near: bool,
}

impl Pair {
    fn equal<T: PartialEq + ToString>((given, expected): (&T, &T)) -> Pair {
        Pair { given: given.to_string(), expected: expected.to_string(), near: given == expected }
    }
}

/// Describes the elements that are not near enough: the first one, and how many there are.
fn worst(pairs: impl ExactSizeIterator<Item = Pair>) -> Option<String> {
    let count = pairs.len();
    let mut wrong = pairs.enumerate().filter(|(_, pair)| !pair.near);
    let (place, Pair { given, expected, .. }) = wrong.next()?;
    let wrong = 1 + wrong.count();
    Some(format!("{wrong} of {count} elements differ: element {place} is {given:.60}, not {expected:.60}"))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        for (place, wrong) in
            [(0, 1.0012), (1, -998.0), (2, 2e-7), (3, 0.0), (4, f32::MAX), (4, -f32::INFINITY)]
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
                "1 of 2 elements differ: element 1 is 18446744073709551615, not 18446744073709551614"
                    .to_owned()
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
        assert_eq!(
            differs(&one, &list, tolerance).unwrap().unwrap(),
            "it is f32[1], not sequence of 1 values"
        );
        let other = Value::Sequence([floats(&[2.0]).into()].into());
        let reason = differs(&list, &other, tolerance).unwrap().unwrap();
        assert_eq!(reason, "value 0: 1 of 1 elements differ: element 0 is 1, not 2");
        let some = Value::Optional(Some(one.clone().into()));
        assert_eq!(differs(&some, &one, tolerance).unwrap(), None);
        assert!(differs(&Value::Optional(None), &one, tolerance).unwrap().is_some());
    }
}

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

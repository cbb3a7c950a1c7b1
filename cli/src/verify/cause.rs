//! Why results are wrong: which rule, broken in which way, makes just the elements that were found.
//!
//! Each hypothesis looks at all elements that are beyond the tolerance, and says something only if it explains every one.

use aclnn_numerics::DType;

use super::borders::Format;
use super::case::{Argument, Role, Tensor, UNTOUCHED};
use super::elements::{decode, limits, part};
use super::frame::Output;

/// An output with elements that are wrong.
pub(super) struct Evidence<'a> {
    pub(super) arguments: &'a [Argument],
    /// What it was before the call.
    pub(super) tensor: &'a Tensor,
    pub(super) found: &'a Output,
    pub(super) expected: &'a Output,
    /// The numbers of the elements that are wrong.
    pub(super) wrong: &'a [usize],
    /// Whether the operator does nothing but convert its operand.
    pub(super) converts: bool,
}

/// What explains every wrong element, in words.
pub(super) fn likely(evidence: &Evidence<'_>) -> Option<String> {
    let hypotheses: [fn(&Evidence<'_>) -> Option<&'static str>; 9] =
        [stale, shifted, turned, special, overflow, unclamped, other_bound, narrower, direction];
    let cause = hypotheses.into_iter().find_map(|hypothesis| hypothesis(evidence))?;
    Some(cause.to_owned())
}

/// What may be said where nothing better explains it.
pub(super) fn perhaps(evidence: &Evidence<'_>) -> Option<String> {
    let sorted = |output: &Output| {
        let mut elements: Vec<Vec<u8>> =
            output.elements.chunks(evidence.size()).map(<[u8]>::to_vec).collect();
        elements.sort_unstable();
        elements
    };
    (evidence.wrong.len() > 1 && sorted(evidence.found) == sorted(evidence.expected))
        .then(|| "wrong index or axis: the right elements stand in other places".to_owned())
}

impl<'a> Evidence<'a> {
    fn size(&self) -> usize {
        self.tensor.size().max(1)
    }

    fn element(&self, output: &'a Output, number: usize) -> Option<&'a [u8]> {
        output.elements.get(number * self.size()..)?.get(..self.size())
    }

    fn count(&self) -> usize {
        self.expected.elements.len() / self.size()
    }

    /// Returns whether something holds for every wrong element, found and expected.
    fn all(&self, mut holds: impl FnMut(usize, &[u8], &[u8]) -> bool) -> bool {
        self.wrong.iter().all(|&number| {
            match (self.element(self.found, number), self.element(self.expected, number)) {
                (Some(found), Some(expected)) => holds(number, found, expected),
                _ => false,
            }
        })
    }

    /// The numbers of the wrong elements, found and expected; of a complex one those of its parts that differ.
    fn numbers(&self) -> Vec<(f64, f64)> {
        let part = part(self.tensor.dtype);
        let size = (part.bits() / 8).max(1);
        let mut pairs = Vec::new();
        for &number in self.wrong {
            let (Some(found), Some(expected)) =
                (self.element(self.found, number), self.element(self.expected, number))
            else {
                continue;
            };
            let parts =
                found.chunks(size).zip(expected.chunks(size)).filter(|(found, expected)| found != expected);
            pairs.extend(parts.map(|(found, expected)| (decode(part, found), decode(part, expected))));
        }
        pairs
    }

    fn format(&self) -> Option<Format> {
        Format::of(part(self.tensor.dtype))
    }

    /// The first operand with an element for each of the result.
    fn operand(&self) -> Option<&'a Tensor> {
        let tensors = self.arguments.iter().filter_map(|argument| match argument {
            Argument::Tensor(tensor) => Some(tensor),
            _ => None,
        });
        tensors
            .filter(|tensor| tensor.elements.len() == self.count() * tensor.size())
            .find(|tensor| tensor.role == Role::Read || !self.converts && tensor.role == Role::ReadAndWritten)
    }
}

fn stale(evidence: &Evidence<'_>) -> Option<&'static str> {
    let (before, size) = (&evidence.tensor.elements, evidence.size());
    let holds = match evidence.tensor.role {
        Role::ReadAndWritten => evidence
            .all(|number, found, _| before.get(number * size..).is_some_and(|rest| rest.starts_with(found))),
        _ => evidence.all(|_, found, _| found.iter().all(|byte| *byte == UNTOUCHED)),
    };
    holds.then_some("stale memory: the wrong elements hold what was there before the call")
}

fn shifted(evidence: &Evidence<'_>) -> Option<&'static str> {
    let count = evidence.count();
    let is_moved = |by: usize| {
        evidence
            .all(|number, found, _| evidence.element(evidence.expected, (number + by) % count) == Some(found))
    };
    let is_told_apart = evidence.wrong.len() > 2;
    match count {
        3.. if is_told_apart && is_moved(1) => Some("index off by one: each element is the one behind it"),
        3.. if is_told_apart && is_moved(count - 1) => {
            Some("index off by one: each element is the one before it")
        }
        _ => None,
    }
}

fn turned(evidence: &Evidence<'_>) -> Option<&'static str> {
    let [rows, columns] = evidence.expected.dims.as_slice() else { return None };
    let (rows, columns) = (*rows as usize, *columns as usize);
    let is_turned = |rows: usize, columns: usize| {
        evidence.all(|number, found, _| {
            let other = number % columns * rows + number / columns;
            evidence.element(evidence.expected, other) == Some(found)
        })
    };
    (rows > 1
        && columns > 1
        && evidence.wrong.len() > 2
        && (is_turned(rows, columns) || is_turned(columns, rows)))
    .then_some("wrong axis: rows and columns are exchanged")
}

fn special(evidence: &Evidence<'_>) -> Option<&'static str> {
    evidence.format()?;
    let numbers = evidence.numbers();
    let all = |holds: fn(f64, f64) -> bool| numbers.iter().all(|(found, expected)| holds(*found, *expected));
    match () {
        () if all(|found, expected| !found.is_nan() && expected.is_nan()) => {
            Some("NaN is lost: a number stands where the result is not one")
        }
        () if all(|found, expected| found.is_nan() && !expected.is_nan()) => {
            Some("NaN stands where the result is a number")
        }
        () if all(|found, expected| found == 0.0 && expected == 0.0) => {
            Some("the sign of zero is another one")
        }
        () => None,
    }
}

fn overflow(evidence: &Evidence<'_>) -> Option<&'static str> {
    let numbers = evidence.numbers();
    let all =
        |holds: &dyn Fn(f64, f64) -> bool| numbers.iter().all(|(found, expected)| holds(*found, *expected));
    if let Some(format) = evidence.format() {
        let greatest = format.greatest();
        return match () {
            () if all(&|found, expected| expected.is_infinite() && found == greatest.copysign(expected)) => {
                Some("saturation: the greatest finite number stands where infinity is expected")
            }
            () if all(&|found, expected| found.is_infinite() && expected == greatest.copysign(found)) => {
                Some("no saturation: infinity stands where the greatest finite number is expected")
            }
            () => None,
        };
    }
    let (least, greatest) = limits(evidence.tensor.dtype)?;
    let is_limit = |number: f64| number == least as f64 || number == greatest as f64;
    match () {
        () if all(&|found, _| is_limit(found)) && !all(&|_, expected| is_limit(expected)) => {
            Some("saturation: a limit of the type stands where the lowest bits are expected")
        }
        () if all(&|_, expected| is_limit(expected)) && !all(&|found, _| is_limit(found)) => {
            Some("no saturation: other bits stand where a limit of the type is expected")
        }
        () => None,
    }
}

fn unclamped(evidence: &Evidence<'_>) -> Option<&'static str> {
    let (operand, size) = (evidence.operand()?, evidence.size());
    let passes = |number: usize, found: &[u8], _: &[u8]| {
        operand.elements.get(number * size..).is_some_and(|rest| rest.starts_with(found))
    };
    (operand.dtype == evidence.tensor.dtype && evidence.all(passes))
        .then_some("no clamping: the operand passes as it is")
}

fn other_bound(evidence: &Evidence<'_>) -> Option<&'static str> {
    let part = part(evidence.tensor.dtype);
    let size = (part.bits() / 8).max(1);
    let numbers = evidence.expected.elements.chunks(size).map(|element| decode(part, element));
    let (least, greatest) = numbers
        .filter(|number| number.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, greatest), number| {
            (least.min(number), greatest.max(number))
        });
    let wrong = evidence.numbers();
    let is_other = |(found, expected): &(f64, f64)| {
        *expected == least && *found == greatest || *expected == greatest && *found == least
    };
    (least < greatest && wrong.len() > 1 && wrong.iter().all(is_other))
        .then_some("wrong bound of a clamp: what lies beyond one bound becomes the other")
}

fn narrower(evidence: &Evidence<'_>) -> Option<&'static str> {
    let format = evidence.format()?;
    let part = part(evidence.tensor.dtype);
    let size = (part.bits() / 8).max(1);
    let numbers = |output: &Output| -> Vec<f64> {
        output.elements.chunks(size).map(|element| decode(part, element)).collect()
    };
    let (found, expected) = (numbers(evidence.found), numbers(evidence.expected));
    let is_of = |dtype: DType| {
        let holds = |number: &f64| {
            number.is_nan() || decode(dtype, &super::elements::encode(dtype, *number)) == *number
        };
        let Some(other) = Format::of(dtype).filter(|other| other.digits < format.digits) else {
            return false;
        };
        // A few roundings to the narrower type, or no number of it.
        let (far, least) = (2f64.powi(3 - other.digits), 2f64.powi(other.exponents.0));
        let is_near = |(found, expected): (&f64, &f64)| {
            !found.is_finite()
                || !expected.is_finite()
                || (found - expected).abs() <= far * expected.abs().max(least)
        };
        found.iter().all(holds) && !expected.iter().all(holds) && found.iter().zip(&expected).all(is_near)
    };
    match () {
        () if evidence.wrong.len() < 3 => None,
        () if is_of(DType::BF16) => Some("computed in bf16: every element is one of its numbers"),
        () if is_of(DType::F16) => Some("computed in f16: every element is one of its numbers"),
        () if is_of(DType::F32) => Some("computed in f32: every element is one of its numbers"),
        () => None,
    }
}

/// The place of a float among all of its type.
fn place(dtype: DType, number: f64) -> i64 {
    let bytes = super::elements::encode(dtype, number.abs());
    let mut bits = [0; 8];
    bits.iter_mut().zip(bytes).for_each(|(bit, byte)| *bit = byte);
    let magnitude = i64::from_le_bytes(bits);
    if number.is_sign_negative() { -magnitude } else { magnitude }
}

fn direction(evidence: &Evidence<'_>) -> Option<&'static str> {
    evidence.format()?;
    let dtype = part(evidence.tensor.dtype);
    let numbers = evidence.numbers();
    let are_neighbours = numbers.iter().all(|(found, expected)| {
        !found.is_nan() && !expected.is_nan() && place(dtype, *found).abs_diff(place(dtype, *expected)) == 1
    });
    if !are_neighbours {
        return None;
    }
    let all =
        |holds: &dyn Fn(f64, f64) -> bool| numbers.iter().all(|(found, expected)| holds(*found, *expected));
    match () {
        () if all(&|found, expected| found.abs() < expected.abs()) => {
            Some("rounding: towards zero, not to the nearest")
        }
        // Of two numbers that are as near, the even one is expected.
        () if all(&|found, expected| found.abs() > expected.abs() && place(dtype, expected) % 2 == 0)
            && ties(evidence).unwrap_or(true) =>
        {
            Some("rounding: ties away from zero, not to the even neighbour")
        }
        () if all(&|found, expected| found > expected) => Some("rounding: up, not to the nearest"),
        () if all(&|found, expected| found < expected) => Some("rounding: down, not to the nearest"),
        () if all(&|found, expected| found.abs() > expected.abs()) => {
            Some("rounding: away from zero, not to the nearest")
        }
        () => Some("rounding: to a neighbour of the nearest"),
    }
}

/// Returns whether every operand of a conversion lies halfway between what is found and what is expected; `None` where
/// operands are not known.
fn ties(evidence: &Evidence<'_>) -> Option<bool> {
    let operand = evidence.operand().filter(|operand| evidence.converts && !operand.dtype.is_complex())?;
    let dtype = evidence.tensor.dtype;
    Some(evidence.all(|number, found, expected| {
        let Some(given) = operand.elements.get(number * operand.size()..) else { return false };
        let (given, found) = (decode(operand.dtype, given), decode(dtype, found));
        found.is_infinite() || given - decode(dtype, expected) == found - given
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::case::Layout;
    use crate::verify::elements::encode;

    /// The cause of what was found, of the elements that differ.
    fn cause(
        operand: (DType, &[f64]),
        dtype: DType,
        dims: &[i64],
        found: &[f64],
        expected: &[f64],
    ) -> Option<String> {
        let bytes = |dtype, numbers: &[f64]| -> Vec<u8> {
            numbers.iter().flat_map(|number| encode(dtype, *number)).collect()
        };
        let source =
            Tensor::new(Role::Read, operand.0, dims, Layout::Contiguous, bytes(operand.0, operand.1));
        let tensor = Tensor::new(Role::Written, dtype, dims, Layout::Contiguous, Vec::new());
        let arguments = [Argument::Tensor(source), Argument::Tensor(tensor.clone())];
        let output = |numbers| Output { dims: dims.to_vec(), elements: bytes(dtype, numbers) };
        let (found, expected) = (output(found), output(expected));
        let differs = |number: &usize| {
            let at = |output: &Output| output.elements.chunks(tensor.size()).nth(*number).map(<[u8]>::to_vec);
            at(&found) != at(&expected)
        };
        let wrong: Vec<usize> = (0..dims.iter().product::<i64>() as usize).filter(differs).collect();
        let evidence = Evidence {
            arguments: &arguments,
            tensor: &tensor,
            found: &found,
            expected: &expected,
            wrong: &wrong,
            converts: operand.0 != dtype,
        };
        likely(&evidence).or_else(|| perhaps(&evidence))
    }

    /// Numbers whose neighbours are counted by hand: the step of f16 from 1 on is 2⁻¹⁰.
    #[test]
    fn each_rule_that_may_be_broken_has_its_words() {
        const STEP: f64 = 0.000_976_562_5;
        let halves = |found: &[f64], expected: &[f64]| {
            let given = [1.0 + 0.75 * STEP, -1.0 - 0.75 * STEP, 1.0 + 0.5 * STEP, 7.0];
            cause((DType::F32, &given), DType::F16, &[4], found, expected).unwrap_or_default()
        };
        let (up, half) = (1.0 + STEP, 1.0);
        let right = [up, -up, half, 7.0];
        assert!(halves(&[1.0, -1.0, half, 7.0], &right).contains("towards zero"));
        assert!(halves(&[up, -up, up, 7.0], &right).contains("ties away from zero"));
        assert!(halves(&[up, -1.0, up, 7.0], &right).contains("rounding: up"));
        assert!(halves(&[1.0, -up, half, 7.0], &right).contains("towards zero"));
        let infinite = [f64::INFINITY, f64::NEG_INFINITY, 1.0, 2.0];
        assert!(halves(&[65504.0, -65504.0, 1.0, 2.0], &infinite).starts_with("saturation: the greatest"));
        assert!(halves(&infinite, &[65504.0, -65504.0, 1.0, 2.0]).starts_with("no saturation: infinity"));
        assert!(halves(&[0.0, 1.0, 2.0, 3.0], &[f64::NAN, 1.0, 2.0, 3.0]).contains("NaN is lost"));
        assert!(halves(&[-0.0, 1.0, 2.0, 3.0], &[0.0, 1.0, 2.0, 3.0]).contains("sign of zero"));

        let bytes = |found: &[f64], expected: &[f64]| {
            cause((DType::I32, &[300.0, -200.0, 1.0, 2.0]), DType::I8, &[4], found, expected)
                .unwrap_or_default()
        };
        assert!(
            bytes(&[127.0, -128.0, 1.0, 2.0], &[44.0, 56.0, 1.0, 2.0]).starts_with("saturation: a limit")
        );
        assert!(
            bytes(&[44.0, 56.0, 1.0, 2.0], &[127.0, -128.0, 1.0, 2.0])
                .starts_with("no saturation: other bits")
        );

        let clamped = |found: &[f64], expected: &[f64]| {
            cause((DType::F32, &[-9.0, 0.5, 2.0, 9.0]), DType::F32, &[4], found, expected).unwrap_or_default()
        };
        assert!(clamped(&[-9.0, 0.5, 2.0, 9.0], &[-1.0, 0.5, 2.0, 3.0]).starts_with("no clamping"));
        assert!(clamped(&[3.0, 0.5, 2.0, -1.0], &[-1.0, 0.5, 2.0, 3.0]).starts_with("wrong bound"));

        let moved = |found: &[f64]| {
            let right = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
            cause((DType::F32, &[0.0; 6]), DType::F32, &[2, 3], found, &right).unwrap_or_default()
        };
        assert!(moved(&[2.0, 3.0, 4.0, 5.0, 6.0, 1.0]).contains("is the one behind it"));
        assert!(moved(&[6.0, 1.0, 2.0, 3.0, 4.0, 5.0]).contains("is the one before it"));
        assert!(moved(&[1.0, 4.0, 2.0, 5.0, 3.0, 6.0]).contains("rows and columns"));
        assert!(moved(&[1.0, 3.0, 2.0, 6.0, 4.0, 5.0]).contains("stand in other places"));
        assert_eq!(moved(&[9.0, 8.0, 7.0, 0.1, 5.0, 6.0]), "");
        let third = 1.0 / 3.0;
        let narrow = [0.333_984_375, 0.667_968_75, 1.664_062_5];
        let wide = [third, 2.0 * third, 5.0 * third];
        assert!(
            cause((DType::F32, &[1.0; 3]), DType::F32, &[3], &narrow, &wide).unwrap().contains("in bf16")
        );
        let far = narrow.map(|number| 2.0 * number);
        assert_eq!(cause((DType::F32, &[1.0; 3]), DType::F32, &[3], &far, &wide), None);
        let before = f64::from(f32::from_le_bytes([UNTOUCHED; 4]));
        assert!(moved(&[1.0, 2.0, 3.0, 4.0, before, before]).starts_with("stale memory"));
    }
}

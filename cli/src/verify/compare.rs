//! Comparison of the answer to a case with that of the reference.

use aclnn_numerics::DType;
use serde::{Deserialize, Serialize};

use super::case::{Argument, Id, Role, Tensor};
use super::cause::{self, Evidence};
use super::elements::{decode, part, show};
use super::frame::{Frame, Output};
use super::process::Answer;
use super::tolerance::{self, Tolerance};
use crate::declared::Operator;
use crate::report::{Failure, FailureKind, Worst};

/// How a case ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Outcome {
    /// Within the tolerance, at most so many units in the last place from the reference.
    Right {
        ulps: f64,
    },
    /// Refused, as the reference does.
    Refused,
    /// The release is known not to have the operator.
    Absent,
    Failed(Box<Failure>),
}

/// Compares what the libraries under test and the reference answered.
pub(super) fn compare(
    operator: &Operator,
    id: &Id,
    arguments: &[Argument],
    found: &Answer,
    expected: &Answer,
    release: Option<Release>,
) -> Outcome {
    judge(operator, arguments, found, expected, release).unwrap_or_else(|wrong| {
        let Wrong { kind, text, worst, first, cause, .. } = *wrong;
        let operands = named(operator, arguments);
        Outcome::Failed(Box::new(Failure { case: id.to_string(), kind, text, cause, operands, worst, first }))
    })
}

/// What may be said of a wrong result where nothing else explains it.
pub(super) fn perhaps(
    operator: &Operator,
    arguments: &[Argument],
    found: &Answer,
    expected: &Answer,
) -> Option<String> {
    judge(operator, arguments, found, expected, None).err()?.perhaps
}

/// Returns whether a result is the one of another call, within the tolerance.
pub(super) fn is_that_of(operator: &Operator, arguments: &[Argument], found: &Answer, other: &Frame) -> bool {
    let other = Answer::Frame(other.clone());
    matches!(judge(operator, arguments, found, &other, None), Ok(Outcome::Right { .. }))
}

/// In which way a case is not right.
struct Wrong {
    kind: FailureKind,
    text: String,
    worst: Option<Worst>,
    /// The first wrong element that is finite and is expected to be.
    first: Option<Worst>,
    cause: Option<String>,
    perhaps: Option<String>,
}

/// The major and minor number of a release of CANN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Release(u32, u32);

impl Release {
    /// Reads the numbers at the start of a version such as `9.1.0` or `8.5.RC1`.
    pub(super) fn of(version: &str) -> Option<Self> {
        let mut numbers = version.split('.').map(|number| number.parse().ok());
        Some(Self(numbers.next()??, numbers.next()??))
    }
}

/// Each argument under the name of its parameter.
fn named(operator: &Operator, arguments: &[Argument]) -> Vec<String> {
    let names = operator.info.parameters.iter().map(|parameter| parameter.name);
    names.zip(arguments).map(|(name, argument)| format!("{name} {argument}")).collect()
}

fn wrong<T>(kind: FailureKind, text: String) -> Result<T, Box<Wrong>> {
    Err(Box::new(Wrong { kind, text, worst: None, first: None, cause: None, perhaps: None }))
}

fn judge(
    operator: &Operator,
    arguments: &[Argument],
    found: &Answer,
    expected: &Answer,
    release: Option<Release>,
) -> Result<Outcome, Box<Wrong>> {
    let expected = match expected {
        Answer::Frame(frame) => frame,
        other => return ended(other, "the reference"),
    };
    let found = match found {
        Answer::Frame(frame) => frame,
        other => return ended(other, "the library"),
    };
    if let Some(missing) = &found.missing {
        // A release before the one that the operator is known from need not have it.
        let since = operator.info.since.and_then(Release::of);
        return match since {
            Some(since) if release.is_none_or(|release| release < since) => Ok(Outcome::Absent),
            _ => wrong(FailureKind::Missing, missing.clone()),
        };
    }
    codes(found, expected)?;
    if let Some(parameter) = &found.changed {
        return wrong(FailureKind::Outside, format!("bytes of {parameter} beside the result were changed"));
    }
    if !expected.succeeded() {
        return Ok(Outcome::Refused);
    }
    let read = tensors(arguments).filter(|tensor| !matches!(tensor.role, Role::Written | Role::Sized));
    let tolerance = tolerance::of(operator).of_operands(read.map(|tensor| tensor.dtype));
    let mut ulps: f64 = 0.0;
    let written = tensors(arguments).filter(|tensor| tensor.role != Role::Read);
    for (number, tensor) in written.enumerate() {
        let (Some(found), Some(expected)) = (found.outputs.get(number), expected.outputs.get(number)) else {
            return wrong(FailureKind::Wrong, "an output is missing".to_owned());
        };
        if found.dims != expected.dims {
            let text = format!("the sizes of the result are {:?}, not {:?}", found.dims, expected.dims);
            return wrong(FailureKind::Wrong, text);
        }
        let worst = worst(&tolerance, tensor.dtype, arguments, found, expected);
        if worst.over > 0.0 {
            let text = worst.text(&tolerance, tensor.dtype, found, expected);
            let converts = matches!(operator.info.name(), "Cast" | "InplaceCopy");
            let evidence = Evidence { arguments, tensor, found, expected, wrong: &worst.wrong, converts };
            let (cause, perhaps) = (cause::likely(&evidence), cause::perhaps(&evidence));
            let first = worst.first_finite.map(|(index, ulps)| {
                let first = Distance { index, ulps, ..Distance::default() };
                first.describe(tensor.dtype, arguments, found, expected)
            });
            let worst = worst.describe(tensor.dtype, arguments, found, expected);
            let kind = FailureKind::Wrong;
            return Err(Box::new(Wrong { kind, text, worst: Some(worst), first, cause, perhaps }));
        }
        ulps = ulps.max(worst.ulps);
    }
    Ok(Outcome::Right { ulps })
}

/// What is said of a case that has no frame.
fn ended<T>(answer: &Answer, who: &str) -> Result<T, Box<Wrong>> {
    match answer {
        Answer::Died(how) => wrong(FailureKind::Died, format!("{who} ended the process: {how}")),
        Answer::GivenUp(kind) => {
            wrong(*kind, format!("not tried: {who} did not survive other cases of the operator"))
        }
        _ => wrong(FailureKind::Hung, format!("{who} did not end within the time of a case")),
    }
}

/// Compares the codes.
fn codes(found: &Frame, expected: &Frame) -> Result<(), Box<Wrong>> {
    let said =
        |frame: &Frame| if frame.message.is_empty() { String::new() } else { format!(": {}", frame.message) };
    let (kind, text) = match (found.codes, expected.codes) {
        (a, b) if a == b => return Ok(()),
        ([0, 0, 0], [code, ..]) if code != 0 => {
            (FailureKind::Accepted, format!("accepted, where code {code} is expected{}", said(expected)))
        }
        ([code, ..], [0, ..]) if code != 0 => {
            (FailureKind::Refused, format!("refused with code {code}{}", said(found)))
        }
        ([a, ..], [b, ..]) if a != b && a != 0 => (
            FailureKind::Code,
            format!("refused with code {a}{}; expected is code {b}{}", said(found), said(expected)),
        ),
        ([_, launch, stream], _) => {
            let (what, code) = if launch != 0 { ("the launch", launch) } else { ("the stream", stream) };
            (FailureKind::Stream, format!("{what} failed with code {code}{}", said(found)))
        }
    };
    wrong(kind, text)
}

fn tensors(arguments: &[Argument]) -> impl Iterator<Item = &Tensor> {
    arguments.iter().flat_map(|argument| match argument {
        Argument::Tensor(tensor) => std::slice::from_ref(tensor),
        Argument::Tensors(list) => list,
        _ => &[],
    })
}

/// The element that differs most, and which differ too much.
#[derive(Default)]
struct Distance {
    index: usize,
    ulps: f64,
    /// How far it is beyond the tolerance, in units in the last place.
    over: f64,
    /// The numbers of all elements that are beyond it.
    wrong: Vec<usize>,
    /// The first of them that is finite and is expected to be, and its units in the last place.
    first_finite: Option<(usize, f64)>,
}

fn worst(
    tolerance: &Tolerance,
    dtype: DType,
    arguments: &[Argument],
    found: &Output,
    expected: &Output,
) -> Distance {
    let mut worst = Distance::default();
    let size = (dtype.bits() / 8).max(1);
    let error = if tolerance.sums { error_of_sums(arguments, expected.elements.len() / size) } else { 0.0 };
    for (index, (found, expected)) in
        found.elements.chunks(size).zip(expected.elements.chunks(size)).enumerate()
    {
        if found == expected {
            continue;
        }
        let (ulps, unit) = distance(tolerance, dtype, found, expected);
        let allowed = tolerance.units(dtype) + if unit > 0.0 { error / unit } else { 0.0 };
        // What is not a number is not within anything.
        let over = if ulps <= allowed { 0.0 } else { (ulps - allowed).max(f64::MIN_POSITIVE) };
        if over > 0.0 {
            worst.wrong.push(index);
            if worst.first_finite.is_none() && is_finite(dtype, found) && is_finite(dtype, expected) {
                worst.first_finite = Some((index, ulps));
            }
        }
        if over > worst.over || worst.over == 0.0 && ulps > worst.ulps {
            worst = Distance { index, ulps, over, ..worst };
        }
    }
    worst
}

fn is_finite(dtype: DType, element: &[u8]) -> bool {
    let part = part(dtype);
    element.chunks((part.bits() / 8).max(1)).all(|bytes| decode(part, bytes).is_finite())
}

/// The error that the order of a sum may make: a rounding in the type of the operand for each element of a sum of the
/// greatest ones.
fn error_of_sums(arguments: &[Argument], results: usize) -> f64 {
    let mut error: f64 = 0.0;
    for tensor in
        tensors(arguments).filter(|tensor| tensor.role == Role::Read || tensor.role == Role::ReadAndWritten)
    {
        let part = part(tensor.dtype);
        let greatest = tensor
            .elements
            .chunks((part.bits() / 8).max(1))
            .map(|element| decode(part, element).abs())
            .filter(|element| element.is_finite())
            .fold(0.0, f64::max);
        let count = (tensor.count() as f64 / results.max(1) as f64)
            .max(tensor.dims.iter().copied().max().unwrap_or(1) as f64);
        error = error.max(greatest * count * count * 2f64.powi(1 - digits(part)));
    }
    error
}

/// The digits of a type's numbers, in bits.
fn digits(dtype: DType) -> i32 {
    match dtype {
        DType::F16 => 11,
        DType::BF16 => 8,
        DType::F64 => 53,
        _ => 24,
    }
}

/// The distance of two elements in units in the last place of the expected one, and that unit.
fn distance(tolerance: &Tolerance, dtype: DType, found: &[u8], expected: &[u8]) -> (f64, f64) {
    let part = part(dtype);
    let size = (part.bits() / 8).max(1);
    let numbers =
        |bytes: &[u8]| -> Vec<f64> { bytes.chunks(size).map(|bytes| decode(part, bytes)).collect() };
    if !matches!(part, DType::F16 | DType::BF16 | DType::F32 | DType::F64) {
        return (f64::INFINITY, 0.0);
    }
    let (found, expected) = (numbers(found), numbers(expected));
    let smallest = match part {
        DType::F16 => 2f64.powi(-14),
        DType::F64 => f64::MIN_POSITIVE,
        _ => 2f64.powi(-126),
    };
    let finite = expected.iter().filter(|number| number.is_finite());
    let largest =
        finite.fold(smallest.max(tolerance.least), |largest: f64, number| largest.max(number.abs()));
    let unit = 2f64.powi(largest.log2().floor() as i32 - (digits(part) - 1));
    let mut ulps: f64 = 0.0;
    for (found, expected) in found.iter().zip(&expected) {
        ulps = ulps.max(match (found, expected) {
            (a, b) if a.is_nan() && b.is_nan() => 0.0,
            (a, b) if a == b && (a.is_sign_negative() == b.is_sign_negative() || !tolerance.signed_zero) => {
                0.0
            }
            (a, b) if a == b => f64::INFINITY,
            (a, b) if a.is_finite() && b.is_finite() => (a - b).abs() / unit,
            _ => f64::INFINITY,
        });
    }
    (ulps, unit)
}

impl Distance {
    fn text(&self, tolerance: &Tolerance, dtype: DType, found: &Output, expected: &Output) -> String {
        let (found, expected) = (self.element(dtype, found), self.element(dtype, expected));
        let others = match self.wrong.len() {
            1 => String::new(),
            count => format!("; {count} of its elements are wrong"),
        };
        let allowed = match tolerance.units(dtype) {
            0.0 => "exactly".to_owned(),
            units => format!("within {units} units in the last place"),
        };
        let index = self.index;
        format!("element {index} is {found}; {expected} is expected, {allowed}{others}")
    }

    fn element(&self, dtype: DType, output: &Output) -> String {
        let size = (dtype.bits() / 8).max(1);
        output.elements.chunks(size).nth(self.index).map(|element| show(dtype, element)).unwrap_or_default()
    }

    fn describe(&self, dtype: DType, arguments: &[Argument], found: &Output, expected: &Output) -> Worst {
        let index = position(&expected.dims, self.index);
        let inputs = tensors(arguments)
            .filter(|tensor| tensor.role != Role::Written && tensor.role != Role::Sized)
            .filter_map(|tensor| at(tensor, &index))
            .collect();
        Worst {
            inputs,
            index,
            expected: self.element(dtype, expected),
            found: self.element(dtype, found),
            ulps: self.ulps,
        }
    }
}

/// The position of an element by its number.
fn position(dims: &[i64], number: usize) -> Vec<i64> {
    let mut rest = number as i64;
    let mut position: Vec<i64> = dims
        .iter()
        .rev()
        .map(|size| {
            let at = rest % size.max(&1);
            rest /= size.max(&1);
            at
        })
        .collect();
    position.reverse();
    position
}

/// The element of an operand that stands at a position of the result, if it broadcasts to it.
fn at(tensor: &Tensor, position: &[i64]) -> Option<String> {
    let position = position.get(position.len().checked_sub(tensor.dims.len())?..)?;
    let mut number = 0;
    for (size, at) in tensor.dims.iter().zip(position) {
        let at = if *size == 1 { 0 } else { *at };
        if at >= *size {
            return None;
        }
        number = number * size + at;
    }
    let size = tensor.size();
    let element = tensor.elements.chunks(size).nth(number as usize)?;
    Some(show(tensor.dtype, element))
}

#[cfg(test)]
mod tests {
    use aclnn_sys::operators;

    use super::*;
    use crate::declared;
    use crate::verify::case::Layout;
    use crate::verify::elements::encode;

    fn operator(name: &str) -> Operator {
        operators::named(name).and_then(declared::of).unwrap()
    }

    fn bits(dtype: DType, bits: u64) -> Vec<u8> {
        bits.to_le_bytes()[..dtype.bits() / 8].to_vec()
    }

    /// The distance by the tolerance of an operator, in units in the last place.
    fn ulps(name: &str, dtype: DType, found: &[u8], expected: &[u8]) -> f64 {
        distance(&tolerance::of(&operator(name)), dtype, found, expected).0
    }

    /// Neighbours by their bits, which stand in IEEE 754.
    #[test]
    fn a_unit_in_the_last_place_is_the_step_to_the_neighbour() {
        for (dtype, one, neighbour) in [
            (DType::F32, 0x3F80_0000, 0x3F80_0001),
            (DType::F16, 0x3C00, 0x3C01),
            (DType::BF16, 0x3F80, 0x3F81),
            (DType::F64, 0x3FF0_0000_0000_0000, 0x3FF0_0000_0000_0001),
        ] {
            let (one, neighbour) = (bits(dtype, one), bits(dtype, neighbour));
            assert_eq!(ulps("Add", dtype, &neighbour, &one), 1.0, "{dtype}");
            let (pair, other) = ([one.clone(), one.clone()].concat(), [one, neighbour].concat());
            let complex = [(DType::F32, DType::C64), (DType::F16, DType::C32), (DType::F64, DType::C128)];
            if let Some((_, complex)) = complex.iter().find(|(part, _)| *part == dtype) {
                assert_eq!(ulps("Add", *complex, &other, &pair), 1.0, "{complex}");
            }
        }
        assert_eq!(
            ulps("Add", DType::I32, &encode(DType::I32, 1.0), &encode(DType::I32, 2.0)),
            f64::INFINITY
        );
    }

    #[test]
    fn every_nan_is_the_same_and_zeros_are_where_that_is_stated() {
        let f32s = |found, expected| (bits(DType::F32, found), bits(DType::F32, expected));
        let far =
            |name: &str, (found, expected): (Vec<u8>, Vec<u8>)| ulps(name, DType::F32, &found, &expected);
        assert_eq!(far("Add", f32s(0x7FC0_0000, 0xFFC0_0001)), 0.0);
        assert_eq!(far("Add", f32s(0x7FC0_0000, 0x3F80_0000)), f64::INFINITY);
        assert_eq!(far("Add", f32s(0x7F80_0000, 0x7F7F_FFFF)), f64::INFINITY);
        assert_eq!(far("Add", f32s(0x8000_0000, 0)), f64::INFINITY);
        assert_eq!(far("Maximum", f32s(0x8000_0000, 0)), 0.0);
    }

    /// Beside numbers that cancelled, a unit is that of the numbers.
    #[test]
    fn small_results_of_large_terms_count_by_the_terms() {
        let (found, expected) = (encode(DType::F32, 1e-6), encode(DType::F32, 0.0));
        assert!(ulps("RemainderTensorTensor", DType::F32, &found, &expected) < 1.0);
        assert!(ulps("Sqrt", DType::F32, &found, &expected) > 1e6);
    }

    fn frame(codes: [i32; 3], output: &[f64]) -> Answer {
        let elements = output.iter().flat_map(|number| encode(DType::F32, *number)).collect();
        let outputs = vec![Output { dims: vec![output.len() as i64], elements }];
        Answer::Frame(Frame { codes, outputs, ..Frame::default() })
    }

    /// In which way a sum of two tensors fails; none if it is right or refused as expected.
    fn kind(found: &Answer, expected: &Answer) -> Option<FailureKind> {
        let tensor =
            |role| Argument::Tensor(Tensor::new(role, DType::F32, &[2], Layout::Contiguous, vec![0; 8]));
        let alpha = Argument::Scalar(DType::F32, encode(DType::F32, 1.0));
        let arguments = [tensor(Role::Read), tensor(Role::Read), alpha, tensor(Role::Written)];
        judge(&operator("Add"), &arguments, found, expected, None).err().map(|wrong| wrong.kind)
    }

    #[test]
    fn every_way_to_be_wrong_has_its_name() {
        let right = frame([0; 3], &[1.0, 2.0]);
        let refused = frame([161_002, 0, 0], &[]);
        assert_eq!(kind(&right, &right), None);
        assert_eq!(kind(&refused, &refused), None);
        assert_eq!(kind(&frame([0; 3], &[1.0, 2.5]), &right), Some(FailureKind::Wrong));
        assert_eq!(kind(&frame([0; 3], &[1.0]), &right), Some(FailureKind::Wrong));
        assert_eq!(kind(&right, &refused), Some(FailureKind::Accepted));
        assert_eq!(kind(&refused, &right), Some(FailureKind::Refused));
        assert_eq!(kind(&frame([161_001, 0, 0], &[]), &refused), Some(FailureKind::Code));
        assert_eq!(kind(&frame([0, 561_000, 0], &[]), &right), Some(FailureKind::Stream));
        assert_eq!(kind(&frame([0, 0, 507_015], &[]), &right), Some(FailureKind::Stream));
        assert_eq!(kind(&Answer::Died(String::new()), &right), Some(FailureKind::Died));
        assert_eq!(kind(&Answer::Hung, &right), Some(FailureKind::Hung));
        let missing = Frame { missing: Some("no aclnnAdd".to_owned()), ..Frame::default() };
        assert_eq!(kind(&Answer::Frame(missing), &right), Some(FailureKind::Missing));
        let Answer::Frame(outside) = right.clone() else { return };
        let outside = Frame { changed: Some("out".to_owned()), ..outside };
        assert_eq!(kind(&Answer::Frame(outside), &right), Some(FailureKind::Outside));
    }
}

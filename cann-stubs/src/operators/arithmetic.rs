//! Add, subtract, multiply, divide: promotion, `alpha`, and which types each product computes in.

use std::cmp::Ordering;
use std::sync::Arc;

use aclnn_numerics::DType::{self, *};
use aclnn_numerics::convert::cann::scalar_converter;
use aclnn_numerics::layout::Shape;
use aclnn_numerics::product::TypeList;
use aclnn_sys::{ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_PARAM_INVALID};
use smallvec::SmallVec;

use super::call::{Call, Operand, Plan, workspace};
use super::{check, entry_points};
use crate::kernels::arithmetic::{self, Binary, compute_type};
use crate::kernels::{Block, Conversions, Elementwise, Scale, Source, size_of_dtype};
use crate::meta::scalar::Scalar;
use crate::status::{Result, Status};

aclnn_sys::arithmetic_operators!(entry_points);

/// How an operator of this family differs from the others.
struct Rules {
    function: fn(DType) -> Option<Binary>,
    types: TypeList,
    alpha: Alpha,
    /// Whether the result must be convertible to the output's type.
    checks_result: bool,
    /// Whether the output's type must be in the list too.
    checks_output: bool,
    /// Integers and truth values are divided as f32.
    divides: bool,
    scalar: fn(Operands) -> Result<Types>,
}

/// What `alpha` multiplies, and how precisely.
#[derive(Clone, Copy, PartialEq)]
enum Alpha {
    None,
    /// Addition: f32, f16 and s32 are one multiply-add with `alpha` in f32; for the others the product is rounded.
    OfOtherInAdd,
    /// Subtraction: floats but f64 are one multiply-add in f32.
    OfOtherInSub,
    /// Reverse subtraction: the product is always rounded.
    OfSelf,
}

/// The types of a tensor and a scalar, and of the output, from which the compute type follows.
#[derive(Clone, Copy)]
struct Operands {
    tensor: DType,
    scalar: DType,
    out: Option<DType>,
}

/// What the operands are converted to, and what the result is rounded to.
#[derive(Clone, Copy)]
struct Types {
    operands: DType,
    result: DType,
}

impl Types {
    fn same(dtype: DType) -> Self {
        Types { operands: dtype, result: dtype }
    }
}

fn add(call: &Call<'_>) -> Result<Plan> {
    binary(call, &Rules { function: arithmetic::add, alpha: Alpha::OfOtherInAdd, ..SUM })
}

fn sub(call: &Call<'_>) -> Result<Plan> {
    binary(call, &Rules { function: arithmetic::sub, alpha: Alpha::OfOtherInSub, ..SUM })
}

fn rsub(call: &Call<'_>) -> Result<Plan> {
    let rules = Rules {
        function: arithmetic::rsub,
        alpha: Alpha::OfSelf,
        types: TypeList::ReverseSub,
        scalar: rsubs_types,
        ..SUM
    };
    binary(call, &rules)
}

fn mul(call: &Call<'_>) -> Result<Plan> {
    let with_scalar = call.is_scalar("other");
    let rules = Rules {
        function: arithmetic::mul,
        alpha: Alpha::None,
        checks_result: !with_scalar,
        checks_output: !with_scalar && !call.is_in_place(),
        scalar: muls_types,
        ..SUM
    };
    binary(call, &rules)
}

fn div(call: &Call<'_>) -> Result<Plan> {
    binary(
        call,
        &Rules { function: arithmetic::div, alpha: Alpha::None, divides: true, scalar: divs_types, ..SUM },
    )
}

/// The rules that most of the family shares.
const SUM: Rules = Rules {
    function: arithmetic::add,
    types: TypeList::Arithmetic,
    alpha: Alpha::None,
    checks_result: true,
    checks_output: false,
    divides: false,
    scalar: adds_types,
};

/// A scalar beside a tensor, on products before the 950.
fn adds_types(Operands { tensor, scalar, out }: Operands) -> Result<Types> {
    if tensor.is_complex() || scalar.is_complex() {
        return check::promote(tensor, scalar).map(Types::same);
    }
    Ok(Types::same(if tensor.is_float() {
        tensor
    } else if scalar == F64 && out == Some(F32) {
        F32
    } else if scalar.is_float() || tensor == Bool {
        check::promote(tensor, scalar)?
    } else {
        tensor
    }))
}

fn rsubs_types(Operands { tensor, scalar, .. }: Operands) -> Result<Types> {
    let promoted = if tensor.is_float() || !scalar.is_float() && !scalar.is_complex() && !tensor.is_complex()
    {
        tensor
    } else {
        check::promote(tensor, scalar)?
    };
    Ok(Types::same(promoted))
}

/// bf16 computes in f32, and nothing is refused: a type that does not promote fails where no kernel is found.
fn muls_types(operands: Operands) -> Result<Types> {
    match (operands.tensor, operands.scalar) {
        (BF16, scalar) if !scalar.is_complex() => {
            Ok(Types { operands: F32, result: if scalar == F64 { BF16 } else { F32 } })
        }
        (Bool, F64) => Ok(Types::same(F32)),
        _ => adds_types(operands).map_err(|status| Status::new(ACLNN_ERR_INNER_NULLPTR, status.message)),
    }
}

/// Pairs of small floats divide in f32 and keep the tensor's type; other pairs promote.
fn divs_types(Operands { tensor, scalar, .. }: Operands) -> Result<Types> {
    match (tensor, scalar) {
        (F16 | BF16, F32) | (F32, F16 | BF16) | (BF16, F64) | (F16, BF16) | (BF16, F16) => {
            Ok(Types { operands: F32, result: tensor })
        }
        _ => check::promote(tensor, scalar).map(Types::same),
    }
}

/// The second operand.
enum Other {
    Tensor(Operand),
    Scalar(Arc<Scalar>),
}

fn binary(call: &Call<'_>, rules: &Rules) -> Result<Plan> {
    let own = call.tensor("self")?;
    let other = if call.is_scalar("other") {
        Other::Scalar(call.scalar("other")?)
    } else {
        Other::Tensor(call.tensor("other")?)
    };
    let alpha = if call.has("alpha") { Some(call.scalar("alpha")?) } else { None };
    let output = call.output()?;

    let shapes_first = call.is_in_place() || rules.divides;
    let shape = if shapes_first { Some(result_shape(&own, &other, &output)?) } else { None };
    let (a, b) = dtypes(call, rules, &own, &other)?;
    let types = match other {
        Other::Tensor(_) => Types::same(check::promote(a, b)?),
        Other::Scalar(_) => (rules.scalar)(Operands { tensor: a, scalar: b, out: output.known_dtype() })?,
    };
    if let Some(alpha) = &alpha {
        check_alpha(alpha.dtype, types.operands)?;
    }
    if rules.checks_output {
        check::dtype(call, &output, rules.types)?;
    }
    let out = if rules.checks_result {
        check::output_dtype(&output, types.result)?
    } else {
        check::dtype(call, &output, rules.types)?
    };
    let shape = match shape {
        Some(shape) => shape,
        None => result_shape(&own, &other, &output)?,
    };
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }

    let divides_as_f32 = rules.divides && (types.operands.is_integer() || types.operands == Bool);
    let types = if divides_as_f32 { Types::same(F32) } else { types };
    let body = elementwise(rules, types, a, &other, b, alpha.as_deref(), out)?;
    let mut inputs: SmallVec<[(&Operand, DType); 2]> = SmallVec::from_slice(&[(&own, a)]);
    if let Other::Tensor(other) = &other {
        inputs.push((other, b));
    }
    let temporaries = temporaries(&inputs, (&output, out), types, &shape);
    let converts =
        |index: usize| inputs.get(index).map_or(out != types.result, |input| input.1 != types.operands);
    Ok(Plan::new(&inputs, (&output, out), &shape, temporaries, body)?.converting(converts))
}

fn dtypes(call: &Call<'_>, rules: &Rules, own: &Operand, other: &Other) -> Result<(DType, DType)> {
    let a = check::dtype(call, own, rules.types)?;
    let b = match other {
        Other::Tensor(other) => check::dtype(call, other, rules.types)?,
        Other::Scalar(other) => other.dtype,
    };
    Ok((a, b))
}

fn result_shape(own: &Operand, other: &Other, output: &Operand) -> Result<Shape> {
    let shape = match other {
        Other::Tensor(other) => check::broadcast_shape(own, other)?,
        Other::Scalar(_) => {
            check::rank(own)?;
            own.shape()?.clone()
        }
    };
    check::output_shape(output, &shape)?;
    Ok(shape)
}

fn check_alpha(alpha: DType, promoted: DType) -> Result {
    let accepted = if promoted == Bool {
        alpha.is_integer() || alpha == Bool
    } else {
        check::convertible(alpha, promoted)
    };
    if accepted {
        return Ok(());
    }
    let message =
        format!("alpha is {alpha}, which is not converted to {promoted}, in which the operands are computed");
    Err(Status::new(ACLNN_ERR_PARAM_INVALID, message))
}

fn elementwise(
    rules: &Rules,
    types: Types,
    a: DType,
    other: &Other,
    b: DType,
    alpha: Option<&Scalar>,
    out: DType,
) -> Result<Elementwise> {
    let compute = compute_type(types.operands);
    let source = |input, dtype: DType| -> Result<Source> {
        Ok(Source::Tensor { input, conversions: conversions(&[dtype, types.operands, compute])? })
    };
    let second = match other {
        Other::Tensor(_) => source(1, b)?,
        Other::Scalar(scalar) => Source::Constant(constant(scalar, types.operands, compute)?),
    };
    let function = (rules.function)(compute).ok_or_else(|| no_kernel(types.operands))?;
    let scale = match alpha {
        Some(alpha) if !is_one(alpha, rules.alpha) => {
            Some(scale(rules.alpha, alpha, types.operands, compute)?)
        }
        _ => None,
    };
    Ok(Elementwise {
        sources: [source(0, a)?, second].into_iter().collect(),
        scale,
        function: Some(function),
        result: conversions(&[compute, types.result, out])?,
        compute_size: size_of_dtype(compute),
    })
}

/// Whether `alpha` leaves its operand as it is. Compared as f32, so that NaN and numbers close to one count as one;
/// reverse subtraction compares an integer as s32.
fn is_one(alpha: &Scalar, role: Alpha) -> bool {
    if role == Alpha::OfSelf {
        let (target, one): (DType, &[u8]) =
            if alpha.dtype.is_float() { (F64, &1f64.to_ne_bytes()) } else { (I32, &1i32.to_ne_bytes()) };
        return converted(alpha, target).is_ok_and(|bytes| bytes[..one.len()] == *one);
    }
    let value =
        converted(alpha, F32).map(|bytes| f32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
    value.is_ok_and(|value| !matches!(value.partial_cmp(&1.0), Some(Ordering::Less | Ordering::Greater)))
}

fn scale(role: Alpha, alpha: &Scalar, promoted: DType, compute: DType) -> Result<Scale> {
    let in_f32 = match role {
        Alpha::OfOtherInAdd => matches!(promoted, F32 | F16 | I32),
        Alpha::OfOtherInSub => matches!(promoted, F32 | F16 | BF16),
        Alpha::OfSelf | Alpha::None => false,
    };
    let factor = if in_f32 {
        // The multiply-add takes alpha as f32, whatever it was, also beside integers.
        let wide = converted(alpha, F32)?;
        let mut element = [0; 16];
        if let Some(convert) = aclnn_numerics::convert::cann::converter(F32, compute) {
            convert(&wide[..4], &mut element[..size_of_dtype(compute)]);
        }
        Box::new(Block::filled_with(&element[..size_of_dtype(compute)]))
    } else {
        constant(alpha, promoted, compute)?
    };
    let rounding = if in_f32 { Conversions::default() } else { conversions(&[compute, promoted, compute])? };
    let multiply = arithmetic::mul(compute).ok_or_else(|| no_kernel(promoted))?;
    Ok(Scale { source: usize::from(role != Alpha::OfSelf), factor, multiply, rounding })
}

/// A scalar as a block of the compute type, after it was rounded to `promoted`.
fn constant(scalar: &Scalar, promoted: DType, compute: DType) -> Result<Box<Block>> {
    let rounded = converted(scalar, promoted)?;
    let mut element = [0; 16];
    let widen = conversions(&[promoted, compute])?;
    let bytes = &mut element[..size_of_dtype(compute)];
    widen.apply(1, &rounded[..size_of_dtype(promoted)], bytes, &mut Block::new());
    Ok(Box::new(Block::filled_with(bytes)))
}

/// A scalar by the library's rules for scalars on the host.
fn converted(scalar: &Scalar, to: DType) -> Result<[u8; 16]> {
    let mut element = [0; 16];
    let convert = scalar_converter(scalar.dtype, to).ok_or_else(|| no_kernel(to))?;
    convert(scalar.bytes(), &mut element[..size_of_dtype(to)]);
    Ok(element)
}

fn conversions(chain: &[DType]) -> Result<Conversions> {
    Conversions::through(chain).ok_or_else(|| no_kernel(chain[chain.len() - 1]))
}

fn no_kernel(dtype: DType) -> Status {
    Status::new(ACLNN_ERR_INNER_NULLPTR, format_args!("there is no kernel for {dtype}"))
}

/// What a device would keep in workspace: inputs converted or made contiguous, and a result before its conversion.
fn temporaries(inputs: &[(&Operand, DType)], output: (&Operand, DType), types: Types, shape: &Shape) -> u64 {
    let input = |(operand, dtype): &(&Operand, DType)| {
        let own = operand.shape().ok()?.numel()?;
        (*dtype != types.operands || !operand.is_contiguous())
            .then(|| types.operands.storage_bytes(own))
            .flatten()
    };
    let (operand, dtype) = output;
    let result = (dtype != types.result || !operand.is_contiguous())
        .then(|| types.result.storage_bytes(shape.numel()?))
        .flatten();
    workspace(inputs.iter().map(input).chain([result]))
}

//! Add, subtract, multiply, divide: promotion, `alpha`, and which types each product computes in.

use aclnn_numerics::DType::{self, *};
use aclnn_numerics::layout::Shape;
use aclnn_numerics::product::Product;
use aclnn_numerics::signature::Promote;
use aclnn_sys::ACLNN_ERR_PARAM_INVALID;
use cann_kernels::functions::arithmetic::{Operation, compute_type};
use cann_kernels::functions::fused;
use cann_kernels::{Block, Conversions, Elementwise, Scale, Source, size_of_dtype};
use smallvec::SmallVec;

use super::call::{Call, Operand, Plan, Tasks, workspace};
use super::combination::no_kernel;
use super::conversions::through;
use super::functions_by_product::division;
use super::pairwise::{Pair, Value};
use super::phases::entry_points;
use super::{check, pairwise, signatures};
use crate::compute::alpha::Alpha;
use crate::compute::scalar_types::{Operands, Types};
use crate::compute::{scalar_types, units};
use crate::meta::scalar::Scalar;
use crate::settings;
use crate::status::{Result, Status};

aclnn_sys::arithmetic_operators!(entry_points);

/// How an operator of this family differs from the others.
struct Rules {
    operation: Operation,
    /// Whether the second operand comes first in the operation.
    is_reversed: bool,
    signature: Promote,
    alpha: Alpha,
    /// Whether the result must be convertible to the output's type.
    checks_result: bool,
    /// Whether the output's type must be in the list too, where the declaration says so.
    checks_output: bool,
    /// Whether the AI cores compute in a type.
    on_cores: fn(Product, DType) -> bool,
    scalar: scalar_types::Rule,
}

fn add(call: &Call<'_>) -> Result<Plan> {
    binary(call, &Rules { operation: Operation::Add, alpha: Alpha::OfOtherInAdd, ..SUM })
}

fn sub(call: &Call<'_>) -> Result<Plan> {
    binary(call, &Rules { operation: Operation::Sub, alpha: Alpha::OfOtherInSub, ..SUM })
}

fn rsub(call: &Call<'_>) -> Result<Plan> {
    let rules = Rules {
        operation: Operation::Sub,
        is_reversed: true,
        alpha: Alpha::OfSelf,
        signature: signatures::rsub,
        scalar: scalar_types::rsubs,
        ..SUM
    };
    binary(call, &rules)
}

fn mul(call: &Call<'_>) -> Result<Plan> {
    let with_scalar = call.is_scalar("other");
    let rules = Rules {
        operation: Operation::Mul,
        is_reversed: false,
        alpha: Alpha::None,
        // The 950 checks where the others do not, and the other way round.
        checks_result: with_scalar == (product() == Product::Ascend950),
        checks_output: !with_scalar && !call.is_in_place(),
        signature: signatures::mul,
        on_cores: units::multiplies,
        scalar: scalar_types::muls,
    };
    binary(call, &rules)
}

fn div(call: &Call<'_>) -> Result<Plan> {
    binary(
        call,
        &Rules {
            operation: Operation::Div,
            alpha: Alpha::None,
            signature: signatures::div,
            on_cores: units::divides,
            scalar: scalar_types::divs,
            ..SUM
        },
    )
}

/// With mode 0 a division, with 1 one that is rounded towards zero, with 2 one that is rounded down.
fn div_mod(call: &Call<'_>) -> Result<Plan> {
    let (pair, signature) = (Pair::of(call)?, signatures::div_mod);
    let rounds_down = match call.int("mode")? {
        0 => return div(call),
        mode @ (1 | 2) => mode == 2,
        mode => {
            let message = format!("mode is {mode}; it can be 0, 1 (towards zero) and 2 (down)");
            return Err(Status::new(ACLNN_ERR_PARAM_INVALID, message));
        }
    };
    let given = pair.dtypes(&signature)?;
    let types = match &pair.values {
        [_, Value::Scalar(scalar)] => {
            scalar_types::divs(product(), Operands { tensor: given[0], scalar, alpha: None, out: None })?
        }
        _ => Types::same(pair.promoted(signature.scalars, given)?),
    };
    let promoted = pairwise::accepted(&signature, types.result)?;
    let is_950 = product() == Product::Ascend950;
    let out = match rounds_down || !is_950 {
        true => check::output_dtype(&pair.output, promoted)?,
        false => check::any_dtype(&pair.output)?,
    };
    let shape = pair.shape()?;
    // Before the 950 only small floats, and a pair of i32 on the 910B, are rounded towards zero in their own types.
    let is_exact = is_950
        || matches!(promoted, F32 | F16 | BF16)
        || product() == Product::Ascend910B
            && given == [I32; 2]
            && matches!(pair.values, [_, Value::Tensor(_)]);
    let (operands, result) = match types.operands {
        _ if !rounds_down && !is_exact => (F32, F32),
        Bool => (F32, F32),
        operands => (operands, promoted),
    };
    let compute = compute_type(operands);
    let function =
        if rounds_down { division::floor_divide(compute) } else { division::trunc_divide(compute) };
    let function = function.ok_or_else(|| no_kernel(operands))?;
    pair.plan(&pairwise::Types { given, operands, result, out }, compute, &shape, function)
}

/// The rules that most of the family shares.
const SUM: Rules = Rules {
    operation: Operation::Add,
    is_reversed: false,
    signature: signatures::add,
    alpha: Alpha::None,
    checks_result: true,
    checks_output: false,
    on_cores: units::adds,
    scalar: scalar_types::adds,
};

/// The second operand.
enum Other<'c> {
    Tensor(Operand<'c>),
    Scalar(&'c Scalar),
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

    let shapes_first = call.is_in_place() || rules.signature.divides();
    let shape = if shapes_first { Some(result_shape(&own, &other, &output)?) } else { None };
    let (a, b) = dtypes(rules, &own, &other)?;
    let mut types = match &other {
        Other::Tensor(_) => Types::same(check::promote(a, b)?),
        Other::Scalar(scalar) => {
            let out = output.known_dtype();
            (rules.scalar)(product(), Operands { tensor: a, scalar, alpha, out })?
        }
    };
    let divides_as_f32 = rules.signature.divides() && (types.operands.is_integer() || types.operands == Bool);
    if product() == Product::Ascend950 {
        check_on_950(rules, &[("self", a), ("other", b)], types)?;
        // On that product the compute type must be convertible to the output's type, on the others the promoted type.
        if divides_as_f32 {
            types = Types::same(F32);
        }
    }
    if let Some(alpha) = &alpha {
        check_alpha(alpha.dtype, types.operands)?;
    }
    if rules.checks_output {
        check::dtype(&output, rules.signature.takes)?;
    }
    let out = if rules.checks_result {
        check::output_dtype(&output, types.result)?
    } else {
        check::dtype(&output, rules.signature.takes)?
    };
    let shape = match shape {
        Some(shape) => shape,
        None => result_shape(&own, &other, &output)?,
    };
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }

    if divides_as_f32 {
        types = Types::same(F32);
    }
    let body = elementwise(rules, types, a, &other, b, alpha, out)?;
    let mut inputs: SmallVec<[(&Operand, DType); 3]> = SmallVec::from_slice(&[(&own, a)]);
    if let Other::Tensor(other) = &other {
        inputs.push((other, b));
    }
    // The types of the operands after what the kernel itself converts.
    let mut seen = inputs.clone();
    if rules.operation == Operation::Mul && takes_both_types(&inputs) {
        seen.iter_mut().for_each(|operand| operand.1 = types.operands);
    }
    let temporaries = temporaries(&seen, (&output, out), types, &shape);
    let converts = seen.iter().map(|operand| operand.1 != types.operands).chain([out != types.result]);
    let conversions = inputs.iter().map(|input| (input.1, types.operands)).chain([(types.result, out)]);
    let on_cores = (rules.on_cores)(product(), types.operands)
        && conversions.into_iter().all(|(from, to)| units::converts(product(), from, to));
    let tasks = if on_cores { Tasks::Cores } else { Tasks::Processors };
    Ok(Plan::new(&inputs, (&output, out), &shape, temporaries, body)?.converting(converts).by(tasks))
}

/// Returns whether a kernel of products takes both operands as they are: f32 beside a half, both contiguous.
fn takes_both_types(operands: &[(&Operand, DType)]) -> bool {
    let is_pair = |a, b| a == F32 && matches!(b, F16 | BF16);
    match operands {
        [(first, a), (second, b)] => {
            (is_pair(*a, *b) || is_pair(*b, *a)) && first.is_contiguous() && second.is_contiguous()
        }
        _ => false,
    }
}

/// The checks that only the 950 makes: operands that are convertible to the compute type, and that type in the list.
fn check_on_950(rules: &Rules, operands: &[(&'static str, DType)], types: Types) -> Result {
    for (name, dtype) in operands {
        if !check::convertible(*dtype, types.operands) {
            let message = format!(
                "{name} is {dtype}, which is not converted to {}, which is computed in",
                types.operands
            );
            return Err(Status::new(ACLNN_ERR_PARAM_INVALID, message));
        }
    }
    let list = check::types(rules.signature.takes);
    if !list.contains(types.operands) {
        let dtype = types.operands;
        let message = format!("the operands promote to {dtype}, but the operator computes in {list}");
        return Err(Status::new(ACLNN_ERR_PARAM_INVALID, message));
    }
    Ok(())
}

fn dtypes(rules: &Rules, own: &Operand, other: &Other) -> Result<(DType, DType)> {
    let a = check::dtype(own, rules.signature.takes)?;
    let b = match other {
        Other::Tensor(other) => check::dtype(other, rules.signature.takes)?,
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
        Ok(Source::Tensor { input, conversions: through(&[dtype, types.operands, compute])? })
    };
    let size = size_of_dtype(compute);
    let second = match other {
        Other::Tensor(_) => source(1, b)?,
        Other::Scalar(scalar) if types.reciprocal => Source::Constant { block: reciprocal(scalar)?, size },
        Other::Scalar(scalar) => Source::Constant { block: constant(scalar, types.operands, compute)?, size },
    };
    let operation = if types.reciprocal { Operation::Mul } else { rules.operation };
    let function = operation.in_type(compute).ok_or_else(|| no_kernel(types.operands))?;
    let mut scale = match alpha {
        Some(alpha) if !rules.alpha.is_one(product(), alpha, types.operands) => {
            Some(scale(rules.alpha, alpha, types.operands, compute)?)
        }
        _ => None,
    };
    let second_type = if matches!(other, Other::Scalar(_)) { compute } else { b };
    let (mut sources, mut stored) = ([source(0, a)?, second], [a, second_type]);
    if rules.is_reversed {
        sources.reverse();
        stored.reverse();
        scale.iter_mut().for_each(|scale| scale.source = 1 - scale.source);
    }
    let [first_type, second_type] = stored;
    let fused = if scale.is_some() || types.result != types.operands || out != types.operands {
        None
    } else {
        fused::pair(operation, first_type, second_type, types.operands)
    };
    Ok(Elementwise {
        sources: sources.into_iter().collect(),
        scale,
        function: Some(function.into()),
        fused,
        result: through(&[compute, types.result, out])?,
        compute_size: size,
    })
}

fn scale(role: Alpha, alpha: &Scalar, promoted: DType, compute: DType) -> Result<Scale> {
    let in_f32 = role.is_multiply_add(product(), promoted);
    let factor = if in_f32 {
        // The multiply-add takes alpha as f32, whatever it was, also beside integers.
        let wide = converted(alpha, F32)?;
        let mut element = [0; 16];
        if let Some(convert) = cann_kernels::converter(F32, compute) {
            convert(&wide[..4], &mut element[..size_of_dtype(compute)]);
        }
        Box::new(Block::filled_with(&element[..size_of_dtype(compute)]))
    } else {
        constant(alpha, promoted, compute)?
    };
    let rounding = if in_f32 { Conversions::default() } else { through(&[compute, promoted, compute])? };
    let multiply = Operation::Mul.in_type(compute).ok_or_else(|| no_kernel(promoted))?;
    Ok(Scale { source: role.operand(), factor, multiply, rounding })
}

/// A scalar as a block of the compute type, after it was rounded to `promoted`.
fn constant(scalar: &Scalar, promoted: DType, compute: DType) -> Result<Box<Block>> {
    let rounded = converted(scalar, promoted)?;
    let mut element = [0; 16];
    let widen = through(&[promoted, compute])?;
    let bytes = &mut element[..size_of_dtype(compute)];
    widen.apply(1, &rounded[..size_of_dtype(promoted)], bytes, &mut Block::new());
    Ok(Box::new(Block::filled_with(bytes)))
}

/// One over a scalar, computed in f64 and rounded to f32.
fn reciprocal(scalar: &Scalar) -> Result<Box<Block>> {
    let bytes = converted(scalar, F64)?;
    let value = bytes.first_chunk().map_or(f64::NAN, |bytes| f64::from_ne_bytes(*bytes));
    Ok(Box::new(Block::filled_with(&((1.0 / value) as f32).to_ne_bytes())))
}

fn converted(scalar: &Scalar, to: DType) -> Result<[u8; 16]> {
    scalar.converted(to).ok_or_else(|| no_kernel(to))
}

fn product() -> Product {
    settings::get().product
}

/// The workspace of a device: inputs that are converted or made contiguous, and a result before its conversion.
fn temporaries(inputs: &[(&Operand, DType)], output: (&Operand, DType), types: Types, shape: &Shape) -> u64 {
    let input = |(operand, dtype): &(&Operand, DType)| {
        let own = operand.shape().ok()?.numel()?;
        (*dtype != types.operands || !operand.is_contiguous())
            .then(|| types.operands.storage_bytes(own).unwrap_or(usize::MAX))
    };
    let (operand, dtype) = output;
    let result = (dtype != types.result || !operand.is_contiguous())
        .then(|| shape.numel().and_then(|count| types.result.storage_bytes(count)).unwrap_or(usize::MAX));
    workspace(inputs.iter().map(input).chain([result]))
}

//! Functions of each element that have attributes, or several operands, or both.

use aclnn_numerics::DType::{self, BF16, F16, F32, I16, I32};
use aclnn_numerics::layout::{Shape, broadcast};
use aclnn_numerics::product::Product;
use aclnn_numerics::signature::{Operands, Parametric, Refused, Scalars, Shapes};
use aclnn_sys::{ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_PARAM_INVALID};
use cann_kernels::functions::arithmetic::compute_type;
use cann_kernels::{Elementwise, Source, View, size_of_dtype};
use smallvec::SmallVec;

use super::attributes::{Argument, Arguments, Function};
use super::axes::refuse_output;
use super::call::{Call, Operand, Plan, Tasks, workspace};
use super::combination::constant;
use super::conversions;
use super::functions_by_product::parametric as functions;
use super::phases::entry_points;
use super::plan_builder::PlanBuilder;
use super::{check, signatures};
use crate::compute::{scalar_types, units};
use crate::settings;
use crate::status::{Result, Status};

aclnn_sys::parametric_operators!(entry_points);
aclnn_sys::parametric_operators!(rules);

/// Expands to a function for each operator: its signature with the kernel of the same name.
macro_rules! rules {
    (
        $family:ident, $Rule:ident:
        $(
            $(#[$doc:meta])*
            $function:ident $signature:tt { $($form:tt)* }
        )*
    ) => {$(
        fn $function(call: &Call<'_>) -> Result<Plan> {
            map(call, &signatures::$function, functions::$function)
        }
    )*};
}
use rules;

/// The types of a call.
#[derive(Clone, Copy)]
struct Types {
    /// The type that operands are converted to.
    operands: DType,
    out: DType,
    /// Why the result is not written to the output, which is found out last.
    unwritten: Option<Refused>,
}

fn types(signature: &Parametric, arguments: &Arguments, own: DType) -> Result<Types> {
    let product = settings::get().product;
    let output = &arguments.output;
    let listed = |dtype: DType| {
        let list = check::types(signature.takes);
        if list.contains(dtype) {
            return Ok(dtype);
        }
        let message = format!("the operands promote to {dtype}, but the operator computes in {list}");
        Err(Status::new(ACLNN_ERR_PARAM_INVALID, message))
    };
    let others = || arguments.tensors.iter().skip(1);
    let promoted = || {
        others().try_fold(own, |promoted, other| {
            let dtype = other.known_dtype().ok_or_else(|| untyped(other))?;
            check::promote(promoted, dtype)
        })
    };
    let alike = || arguments.alike(own);
    let operands = match signature.operands {
        Operands::Alike => alike().map(|()| own)?,
        Operands::AlikeWide => {
            alike()?;
            if own == I16 && product != Product::Ascend950 { I32 } else { own }
        }
        Operands::AlikeListed => {
            for other in others() {
                check::dtype(other, signature.takes)?;
            }
            own
        }
        Operands::Promoting => {
            for other in others() {
                check::dtype(other, signature.takes)?;
            }
            promoted()?
        }
        Operands::PromotingTo | Operands::Bounded => listed(promoted()?)?,
        Operands::Clamped if product == Product::Ascend950 => {
            let mut scalars = arguments.scalars().map(|scalar| scalar.dtype);
            let first = scalars.next().unwrap_or(own);
            let scalar = scalars.try_fold(reduced(first), |a, b| check::promote(a, reduced(b)))?;
            listed(scalar_types::combined(own, scalar)?)?
        }
        Operands::Clamped => check::output_dtype(output, own)?,
        Operands::Widened => {
            let same = others().all(|other| other.known_dtype() == Some(own));
            if same && matches!(own, F32 | F16 | BF16) { own } else { F32 }
        }
    };
    let out = output.known_dtype().ok_or_else(|| untyped(output))?;
    // The wide type of an integer is an intermediate one: the result counts as the operand's.
    let result = if signature.operands == Operands::AlikeWide { own } else { operands };
    let (refused, unwritten) = match signature.refuses_output(product, own, result, out) {
        Some(Refused::Unwritten(result)) => (None, Some(Refused::Unwritten(result))),
        other => (other, None),
    };
    if let Some(refused) = refused {
        return Err(refuse_output(refused, out, output.name));
    }
    if matches!(signature.operands, Operands::Clamped | Operands::Bounded) {
        check::output_dtype(output, operands)?;
    }
    Ok(Types { operands, out, unwritten })
}

/// The type of a scalar that counts in a promotion on the 950.
fn reduced(dtype: DType) -> DType {
    match dtype {
        dtype if dtype.is_complex() => DType::C64,
        dtype if dtype.is_float() => F32,
        other => other,
    }
}

fn untyped(operand: &Operand) -> Status {
    let message = format!("{} has a type that no operator takes", operand.name);
    Status::new(ACLNN_ERR_PARAM_INVALID, message)
}

/// The shape of the result.
fn shape(signature: &Parametric, arguments: &Arguments) -> Result<Shape> {
    let first = arguments.first()?;
    let own = first.shape()?;
    let others = || arguments.tensors.iter().skip(1);
    let broadcast = || {
        others().try_fold(own.clone(), |shape, other| {
            broadcast(&shape, other.shape()?).map_err(|why| {
                let message = format!("{} and {} do not broadcast: {why}", first.name, other.name);
                Status::new(ACLNN_ERR_PARAM_INVALID, message)
            })
        })
    };
    match signature.shapes {
        Shapes::Equal => {
            for other in others() {
                if other.shape()? != own {
                    let message =
                        format!("{} has shape {}, but {} has {own}", other.name, other.shape()?, first.name);
                    return Err(Status::new(ACLNN_ERR_PARAM_INVALID, message));
                }
            }
            Ok(own.clone())
        }
        Shapes::Broadcasting => broadcast(),
        Shapes::Channels => {
            let channels = if own.rank() < 2 { 1 } else { own[1] };
            for other in others() {
                let count = other.shape()?.numel();
                if own.numel() != Some(0) && !matches!(count, Some(0 | 1)) && count != Some(channels) {
                    let message = format!(
                        "{} has shape {}, but needs one element or {channels}, the size of axis 1 of {}",
                        other.name,
                        other.shape()?,
                        first.name
                    );
                    return Err(Status::new(ACLNN_ERR_PARAM_INVALID, message));
                }
            }
            Ok(own.clone())
        }
        Shapes::Counted => {
            let is_one = others().all(|other| other.shape().is_ok_and(|shape| shape.numel() == Some(1)));
            if is_one { Ok(own.clone()) } else { broadcast() }
        }
    }
}

/// The shape of the result, after a check of the numbers of axes and of the output.
fn checked_shape(signature: &Parametric, arguments: &Arguments) -> Result<Shape> {
    if !signature.any_rank {
        check::ranks(&arguments.tensors)?;
    }
    let shape = shape(signature, arguments)?;
    check_output_shape(signature, &arguments.output, &shape)?;
    Ok(shape)
}

/// Checks the shape of the output.
fn check_output_shape(signature: &Parametric, output: &Operand, shape: &Shape) -> Result {
    if signature.shapes != Shapes::Counted {
        return check::output_shape(output, shape);
    }
    let own = output.shape()?;
    let (count, wanted) = (own.numel(), shape.numel());
    if count != wanted {
        let message = format!("{} has shape {own}, but the result has {shape}", output.name);
        return Err(Status::new(ACLNN_ERR_PARAM_INVALID, message));
    }
    if own == shape || count == Some(1) {
        return Ok(());
    }
    let message = format!("{} has shape {own}, in which a result of {shape} is not written", output.name);
    Err(Status::new(ACLNN_ERR_INNER_NULLPTR, message))
}

fn map(call: &Call<'_>, signature: &Parametric, function: Function) -> Result<Plan> {
    let arguments = Arguments::of(call)?;
    let function = arguments.function.unwrap_or(function);
    let first = arguments.first()?;
    if let (true, Some(list)) = (call.is_in_place(), signature.in_place) {
        check::dtype(first, list)?;
    }
    let own = match signature.operands {
        Operands::PromotingTo => first.known_dtype().ok_or_else(|| untyped(first))?,
        _ => check::dtype(first, signature.takes)?,
    };
    // The operators of the clamp family look at types and shapes only where there is something to compute.
    let is_empty = || {
        let mut shapes = arguments.tensors.iter().map(Operand::shape);
        shapes.any(|shape| shape.is_ok_and(|shape| shape.is_empty_tensor()))
    };
    if matches!(signature.operands, Operands::Clamped | Operands::Bounded) {
        check::dtype(&arguments.output, signature.takes)?;
        if signature.shapes == Shapes::Equal {
            check::output_shape(&arguments.output, first.shape()?)?;
        }
        check::ranks(&arguments.tensors)?;
        if is_empty() {
            return Ok(Plan::empty());
        }
    }
    let types = types(signature, &arguments, own)?;
    arguments.check_scalars(signature)?;
    let checked = checked_shape(signature, &arguments);
    let shape = if signature.own_phase_one { checked } else { checked.map_err(check::when_divided) }?;
    if is_empty() || shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    if signature.operands == Operands::AlikeListed {
        arguments.alike(own).map_err(|status| status.with_code(ACLNN_ERR_INNER_NULLPTR))?;
    }
    if let Some(refused) = types.unwritten {
        return Err(refuse_output(refused, types.out, arguments.output.name));
    }
    plan(signature, &arguments, function, types, &shape)
}

/// The plan, after all checks.
fn plan(
    signature: &Parametric,
    arguments: &Arguments,
    function: Function,
    types: Types,
    shape: &Shape,
) -> Result<Plan> {
    let Types { operands, out, .. } = types;
    let compute = compute_type(operands);
    let no_kernel =
        || Status::new(ACLNN_ERR_INNER_NULLPTR, format_args!("there is no kernel for {operands}"));
    let product = settings::get().product;
    let mut on_cores = units::computes(product, operands) && units::converts(product, operands, out);
    let mut builder = PlanBuilder::new();
    let mut places = Vec::new();
    let mut kept = Vec::new();
    let keeps = |operand: &Operand, from: DType, to: DType| {
        let count = operand.shape().ok()?.numel()?;
        (from != to || !operand.is_contiguous()).then(|| to.storage_bytes(count).unwrap_or(usize::MAX))
    };
    let mut sources = SmallVec::new();
    for operand in &arguments.operands {
        let via = match signature.scalars {
            Scalars::InF32 | Scalars::RealInF32 => F32,
            Scalars::AsOperands | Scalars::ListedAsOperands => operands,
        };
        let number = |scalar, via| constant(scalar, via, compute);
        sources.push(match operand {
            Argument::Scalar(scalar) => number(scalar, via)?,
            Argument::Value(value, rounded) => number(value, if *rounded { operands } else { compute })?,
            Argument::Tensor(index) => {
                let Some(tensor) = arguments.tensors.get(*index) else { return Err(no_kernel()) };
                let dtype = tensor.known_dtype().ok_or_else(|| untyped(tensor))?;
                let view = match (signature.shapes, index) {
                    (Shapes::Channels, 1..) => of_channels(tensor, dtype, shape)?,
                    // A single element stands for all, whatever its axes.
                    (Shapes::Counted, 1..) if tensor.shape()?.numel() == Some(1) => {
                        repeated(tensor, dtype, shape)?
                    }
                    _ => tensor.view(dtype, shape)?,
                };
                places.push(builder.read(tensor, view, dtype == operands));
                kept.push(keeps(tensor, dtype, operands));
                on_cores &= units::converts(product, dtype, operands);
                let conversions = conversions::through(&[dtype, operands, compute])?;
                Source::Tensor { input: places.len() - 1, conversions }
            }
        });
    }
    let body = Elementwise {
        sources,
        scale: None,
        function: Some(cann_kernels::Function::Many(
            function(operands).or_else(|| function(compute)).ok_or_else(no_kernel)?,
        )),
        fused: None,
        result: conversions::through(&[compute, operands, out])?,
        compute_size: size_of_dtype(compute),
    };
    let output = &arguments.output;
    kept.push(keeps(output, out, operands));
    let view = if output.shape()? == shape { output.view(out, shape)? } else { output.in_order(out)? };
    let to = builder.write(output, out, view, out == operands)?;
    builder.elements(&places, to, shape, body);
    let tasks = if on_cores { Tasks::Cores } else { Tasks::Processors };
    Ok(builder.plan(workspace(kept)).by(tasks))
}

/// One element for every element of `shape`.
fn repeated(operand: &Operand, dtype: DType, shape: &Shape) -> Result<View> {
    let strides: SmallVec<[isize; 8]> = SmallVec::from_elem(0, shape.rank());
    operand.view_of(dtype, shape, &strides, operand.offset())
}

/// One element, or one for each index of the second axis of `shape`.
fn of_channels(operand: &Operand, dtype: DType, shape: &Shape) -> Result<View> {
    let sizes = operand.shape()?;
    if sizes.numel() == Some(1) {
        return repeated(operand, dtype, shape);
    }
    let mut strides: SmallVec<[isize; 8]> = SmallVec::from_elem(0, shape.rank());
    let own = operand.strides();
    let mut long = sizes.iter().zip(&own).filter(|(size, _)| **size != 1);
    let step = match (operand.is_contiguous(), long.next(), long.next()) {
        (true, ..) => 1,
        (false, Some((_, stride)), None) => *stride,
        _ => {
            let message = format!("{} has several axes and is not contiguous; copy it first", operand.name);
            return Err(Status::new(ACLNN_ERR_INNER_NULLPTR, message));
        }
    };
    if let Some(stride) = strides.get_mut(1) {
        *stride = step;
    }
    operand.view_of(dtype, shape, &strides, operand.offset())
}

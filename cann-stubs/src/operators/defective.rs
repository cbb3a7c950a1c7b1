//! Operators that are wrong on purpose: plans and arguments with the defects of `defect` planted. Kernels know nothing of it.

use aclnn_numerics::DType;
use aclnn_sys::operators::ParameterKind;
use aclnn_sys::{ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_NULLPTR};
use cann_kernels::converter;

use super::argument::Argument;
use super::call::{Call, Plan};
use super::planted::{Clamping, Kept, Planted, Rounded, Way};
use crate::defect::Kind;
use crate::meta::tensor::{Own, TENSORS};
use crate::settings;
use crate::status::Result;

/// A function that checks the arguments of a call and plans it.
type Planner = fn(&Call<'_>) -> Result<Plan>;

/// Plans a call of the operator called `name` by `function`, with the defects that the operator has.
pub(super) fn plan(name: &str, call: &Call<'_>, function: Planner) -> Result<Plan> {
    let mut defects = settings::get().defects.of(name).peekable();
    if defects.peek().is_none() {
        return function(call);
    }
    let (mut is_dense, mut swaps_codes, mut swapped, mut along_another) = (false, false, None, None);
    let mut planted: Vec<Planted> = Vec::new();
    for defect in defects {
        match defect {
            Kind::Strides => is_dense = true,
            Kind::Code => swaps_codes = true,
            Kind::Swap => swapped = first_two(call),
            Kind::Axis => along_another = other_axis(call),
            Kind::Promotion => planted.extend(through_first(call)),
            Kind::Rounding => planted.extend(rounded(name, call, Way::Truncate)),
            Kind::Ties => planted.extend(rounded(name, call, Way::TiesAway)),
            Kind::Saturate => planted.extend(rounded(name, call, Way::Saturate)),
            Kind::Wrap => planted.extend(rounded(name, call, Way::Wrap)),
            Kind::Clamp => planted.extend(clamped(call, Clamping::ToTheOther)),
            Kind::Unclamped => planted.extend(clamped(call, Clamping::Never)),
            Kind::Index => planted.push(Planted::Index),
            Kind::Stale => planted.push(Planted::Stale { kept: Kept::default() }),
            Kind::Nan => planted.extend(no_nan(call)),
            Kind::Past => planted.push(Planted::Past),
            Kind::Leak => planted.push(Planted::Leak),
            Kind::Crash => planted.push(Planted::Crash),
            Kind::Hang => planted.push(Planted::Hang),
            Kind::Missing => {}
        }
    }
    let planned = match (swapped, along_another) {
        (Some(pair), _) => plan_swapped(call, pair, function),
        // Where the sizes do not allow another axis, it is the one that is named.
        (_, Some((argument, axis))) => {
            let mut arguments = call.arguments.to_vec();
            if let Some(place) = arguments.get_mut(argument) {
                *place = Argument::Int(axis);
            }
            function(&Call::new(call.info, &arguments)).or_else(|_| function(call))
        }
        _ if is_dense => plan_dense(call, function),
        _ => function(call),
    };
    let planned = planned.map_err(|status| match status.code {
        _ if !swaps_codes => status,
        ACLNN_ERR_PARAM_INVALID => status.with_code(ACLNN_ERR_PARAM_NULLPTR),
        _ => status.with_code(ACLNN_ERR_PARAM_INVALID),
    });
    Ok(planted.into_iter().fold(planned?, |plan, planted| match planted.keeps() {
        Some(kept) => plan.preceded_by(Planted::Keep { kept }).followed_by(planted),
        None => plan.followed_by(planted),
    }))
}

/// Plans with every tensor as if its elements lay one after the other, where its storage has room for them.
fn plan_dense(call: &Call<'_>, function: Planner) -> Result<Plan> {
    let dense: Vec<Option<Own>> = call
        .arguments
        .iter()
        .map(|argument| match argument {
            Argument::Tensor(handle) => Own::contiguous(*handle),
            _ => None,
        })
        .collect();
    let instead = |(argument, dense): (&Argument, &Option<Own>)| {
        dense.as_ref().map_or(*argument, |dense| Argument::Tensor(dense.handle()))
    };
    let arguments: Vec<Argument> = call.arguments.iter().zip(&dense).map(instead).collect();
    function(&Call::new(call.info, &arguments))
}

/// The numbers of the first two tensors that are read.
fn first_two(call: &Call<'_>) -> Option<(usize, usize)> {
    let parameters = call.info.parameters.iter().enumerate();
    let mut read = parameters.filter(|(_, parameter)| parameter.kind == ParameterKind::Tensor);
    Some((read.next()?.0, read.next()?.0))
}

/// Plans with two tensors in each other's place; the kernel finds each where it is passed.
fn plan_swapped(call: &Call<'_>, (first, second): (usize, usize), function: Planner) -> Result<Plan> {
    let mut arguments = call.arguments.to_vec();
    arguments.swap(first, second);
    let mut plan = function(&Call::new(call.info, &arguments))?;
    for tensor in &mut plan.tensors {
        tensor.slot.argument = match tensor.slot.argument {
            argument if argument == first => second,
            argument if argument == second => first,
            argument => argument,
        };
    }
    Ok(plan)
}

/// The number of the argument that names an axis, and the axis before it.
fn other_axis(call: &Call<'_>) -> Option<(usize, i64)> {
    let argument =
        call.info.parameters.iter().position(|parameter| ["dim", "axis"].contains(&parameter.name))?;
    let Some(Argument::Int(axis)) = call.arguments.get(argument) else { return None };
    let Some(Argument::Tensor(first)) = call.arguments.first() else { return None };
    let rank = TENSORS.with(*first, |tensor| tensor.description.dims().len()).ok()? as i64;
    (rank > 1).then(|| (argument, (axis - 1).rem_euclid(rank)))
}

fn through_first(call: &Call<'_>) -> Option<Planted> {
    let types = inputs(call);
    let (first, out) = (*types.first()?, output(call)?);
    let (there, back) = (converter(out, first)?, converter(first, out)?);
    let is_mixed = types.iter().any(|dtype| *dtype != first);
    is_mixed.then_some(Planted::Through { there, back, size: first.storage_bytes(1)? })
}

fn rounded(name: &str, call: &Call<'_>, way: Way) -> Option<Planted> {
    let (mut types, to) = (inputs(call), output(call)?);
    let is_conversion = !call.has("other");
    if is_conversion {
        types = vec![*types.last()?];
    }
    let widest = types.iter().filter(|dtype| dtype.is_float()).map(|dtype| dtype.bits()).max().unwrap_or(0);
    let narrows = to.is_float()
        && (is_conversion && types.iter().any(|dtype| dtype.bits() >= 32) || to.bits() < widest);
    if matches!(way, Way::Truncate | Way::TiesAway) && !narrows || to.is_complex() {
        return None;
    }
    let alpha = match call.has("alpha") {
        true => call.scalar("alpha").ok()?.real(DType::F64)?,
        false => 1.0,
    };
    let exact: fn(&[f64], f64) -> f64 = match name {
        "aclnnAdd" => |of, alpha| of.iter().take(1).chain(of.get(1).map(|other| other * alpha).iter()).sum(),
        "aclnnSub" => |of, alpha| of.first().zip(of.get(1)).map_or(f64::NAN, |(a, b)| a - alpha * b),
        "aclnnMul" => |of, _| of.iter().product(),
        "aclnnDiv" => |of, _| of.first().zip(of.get(1)).map_or(f64::NAN, |(a, b)| a / b),
        _ => |of, _| of.first().copied().unwrap_or(f64::NAN),
    };
    let inputs = types.iter().map(|dtype| converter(*dtype, DType::F64)).collect::<Option<_>>()?;
    let output = converter(to, DType::F64)?;
    // Sums and products of numbers in f32 are rounded to f32 first.
    let is_single = !is_conversion && widest <= 32;
    Some(Planted::Rounded(Rounded { way, inputs, exact, alpha, is_single, dtype: to, output }))
}

fn clamped(call: &Call<'_>, clamping: Clamping) -> Option<Planted> {
    let (own, out) = (*inputs(call).first()?, output(call)?);
    let convert = converter(out, DType::F64)?;
    (own == out).then(|| Planted::Clamped { clamping, convert, kept: Kept::default() })
}

fn no_nan(call: &Call<'_>) -> Option<Planted> {
    let out = output(call).filter(|dtype| dtype.is_float())?;
    Some(Planted::NoNan { output: converter(out, DType::F64)? })
}

/// The types of the operands that are read.
fn inputs(call: &Call<'_>) -> Vec<DType> {
    let mut types: Vec<DType> = call.arguments.iter().filter_map(dtype).collect();
    if !call.is_in_place() {
        types.pop();
    } else if call.has("src") {
        types.remove(0);
    }
    types
}

fn output(call: &Call<'_>) -> Option<DType> {
    call.output().ok()?.known_dtype()
}

fn dtype(argument: &Argument) -> Option<DType> {
    match argument {
        Argument::Tensor(handle) => TENSORS.with(*handle, |tensor| tensor.description.known_dtype()).ok()?,
        _ => None,
    }
}

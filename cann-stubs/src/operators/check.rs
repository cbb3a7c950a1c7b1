//! The checks of phase one, each with CANN's code and a sentence.

use aclnn_numerics::DType;
use aclnn_numerics::layout::{Shape, broadcast};
use aclnn_numerics::promote::output::refused;
use aclnn_numerics::types_by_product::{TypeSet, Types};
use aclnn_sys::{
    ACLNN_ERR_INNER_FIND_KERNEL_ERROR, ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_INNER_TILING_ERROR,
    ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_NULLPTR,
};

use super::call::{Operand, described};
use super::operand::MaybeOperand;
use crate::settings;
use crate::status::{Result, Status};

pub(super) use crate::compute::promote;

/// The highest rank that operators accept.
const MAX_RANK: usize = 8;

fn refuse<T>(message: String) -> Result<T> {
    Err(Status::new(ACLNN_ERR_PARAM_INVALID, message))
}

/// Some operators answer null with the code of an internal error.
pub(super) fn null_is_internal(status: Status) -> Status {
    match status.code {
        ACLNN_ERR_PARAM_NULLPTR => status.with_code(ACLNN_ERR_INNER_NULLPTR),
        _ => status,
    }
}

/// Refuses what a device finds out when it divides the work.
#[inline(never)]
pub(super) fn untiled<T>(message: impl std::fmt::Display) -> Result<T> {
    Err(Status::new(ACLNN_ERR_INNER_TILING_ERROR, message.to_string()))
}

/// Refuses what fails inside phase one of a device: a kernel that it calls, or a copy of the result.
pub(super) fn unlaunched<T>(message: impl std::fmt::Display) -> Result<T> {
    Err(Status::new(ACLNN_ERR_INNER_NULLPTR, message))
}

/// The failure as one inside phase one of a device.
pub(super) fn when_launched(status: Status) -> Status {
    status.with_code(ACLNN_ERR_INNER_NULLPTR)
}

/// Refuses what the emulator leaves to a device.
#[inline(never)]
pub(super) fn not_emulated<T>(what: impl std::fmt::Display) -> Result<T> {
    let message = format!("the emulator does not compute {what}; run this part of the program on a device");
    Err(Status::new(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, message))
}

/// Operators without a phase one of their own refuse parameters where the work is divided.
pub(super) fn when_divided(status: Status) -> Status {
    match status.code {
        ACLNN_ERR_PARAM_INVALID => status.with_code(ACLNN_ERR_INNER_TILING_ERROR),
        _ => status,
    }
}

/// The element types of a list on the emulated product.
pub(super) fn types(list: Types) -> TypeSet {
    list.on(settings::get().product)
}

/// The operand's type, which must be in the operator's list.
#[inline(never)]
pub(super) fn dtype(operand: &Operand, list: Types) -> Result<DType> {
    let list = types(list);
    match operand.known_dtype().filter(|dtype| list.contains(*dtype)) {
        Some(dtype) => Ok(dtype),
        None if list.is_empty() => refuse(format!(
            "the {:?} does not have this operator for any type of {}; CANN_STUBS_SOC chooses another product",
            settings::get().product,
            operand.name
        )),
        None => refuse(format!(
            "{} is {}, but the operator takes {}",
            operand.name,
            described(operand.raw_dtype()),
            list
        )),
    }
}

/// The operand must have this type.
#[inline(never)]
pub(super) fn exactly(operand: &Operand, wanted: DType) -> Result {
    match operand.known_dtype() {
        Some(own) if own == wanted => Ok(()),
        _ => refuse(format!("{} is {}, but must be {wanted}", operand.name, described(operand.raw_dtype()))),
    }
}

/// Takes the next operand that is given.
fn next<'a>(operands: &mut std::slice::Iter<'a, impl MaybeOperand>) -> Option<&'a Operand<'a>> {
    operands.find_map(MaybeOperand::operand)
}

/// Checks operands of a list that are given, one after the other.
#[inline(never)]
pub(super) fn each<'a, T>(
    operands: &'a [impl MaybeOperand],
    check: impl Fn(&'a Operand<'a>) -> Result<T>,
) -> Result {
    let mut operands = operands.iter();
    while let Some(operand) = next(&mut operands) {
        check(operand)?;
    }
    Ok(())
}

/// Checks that the operands that are given have this type.
#[inline(never)]
pub(super) fn all_exactly(operands: &[impl MaybeOperand], wanted: DType) -> Result {
    each(operands, |operand| exactly(operand, wanted))
}

/// The type of operands, which must all have one that is in the operator's list.
#[inline(never)]
pub(super) fn alike(operands: &[impl MaybeOperand], list: Types) -> Result<DType> {
    let mut operands = operands.iter();
    let Some(first) = next(&mut operands) else { return Ok(DType::F32) };
    let own = dtype(first, list)?;
    while let Some(operand) = next(&mut operands) {
        let other = dtype(operand, list)?;
        if other != own {
            return refuse(format!("{} is {other}, but {} is {own}", operand.name, first.name));
        }
    }
    Ok(own)
}

/// Returns whether the library converts a result to an output by itself.
pub(super) fn convertible(from: DType, to: DType) -> bool {
    refused(from, to).is_none()
}

/// The output's type, to which a result of type `computed` must be convertible.
#[inline(never)]
pub(super) fn output_dtype(output: &Operand, computed: DType) -> Result<DType> {
    match output.known_dtype() {
        Some(dtype) if convertible(computed, dtype) => Ok(dtype),
        _ => refuse(format!(
            "the result is {computed}, which is not converted to {} of {}",
            described(output.raw_dtype()),
            output.name
        )),
    }
}

/// The output's type, to which whatever is computed is cast.
pub(super) fn any_dtype(output: &Operand) -> Result<DType> {
    output
        .known_dtype()
        .map_or_else(|| refuse(format!("{} has a type that no operator writes", output.name)), Ok)
}

/// The shape to which both broadcast; at most eight axes each.
pub(super) fn broadcast_shape(a: &Operand, b: &Operand) -> Result<Shape> {
    rank(a)?;
    rank(b)?;
    broadcast(a.shape()?, b.shape()?)
        .or_else(|why| refuse(format!("{} and {} do not broadcast: {why}", a.name, b.name)))
}

/// The shape to which all broadcast.
#[inline(never)]
pub(super) fn broadcast_all(operands: &[impl MaybeOperand]) -> Result<Shape> {
    let (mut common, mut operands) = (Shape::scalar(), operands.iter());
    while let Some(operand) = next(&mut operands) {
        common = broadcast(&common, operand.shape()?)
            .or_else(|why| refuse(format!("{} does not broadcast with the others: {why}", operand.name)))?;
    }
    Ok(common)
}

#[inline(never)]
pub(super) fn rank(operand: &Operand) -> Result {
    if operand.rank() > MAX_RANK {
        return refuse(format!(
            "{} has {} axes; at most {MAX_RANK} are possible",
            operand.name,
            operand.rank()
        ));
    }
    Ok(())
}

/// Checks that the operands that are given have at most eight axes.
#[inline(never)]
pub(super) fn ranks(operands: &[impl MaybeOperand]) -> Result {
    each(operands, rank)
}

/// The output's shape must be exactly `shape`.
#[inline(never)]
pub(super) fn output_shape(output: &Operand, shape: &[usize]) -> Result {
    let own = output.shape()?;
    if own[..] != *shape {
        let (name, shape) = (output.name, Shape::from(shape));
        return refuse(format!("{name} has shape {own}, but the result has {shape}"));
    }
    Ok(())
}

/// A text that may be null, as messages print it.
pub(super) fn shown(text: Option<&str>) -> &str {
    text.unwrap_or("null")
}

/// Checks that an operand has exactly this shape.
#[inline(never)]
pub(super) fn has_shape(operand: &Operand, shape: &[usize]) -> Result {
    let own = operand.shape()?;
    if own[..] != *shape {
        let (name, shape) = (operand.name, Shape::from(shape));
        return refuse(format!("{name} has shape {own}, but must have {shape}"));
    }
    Ok(())
}

/// Checks that operands that are given have exactly this shape.
#[inline(never)]
pub(super) fn have_shape(operands: &[impl MaybeOperand], shape: &[usize]) -> Result {
    each(operands, |operand| has_shape(operand, shape))
}

/// Checks that operands that are given have so many elements, in any shape.
pub(super) fn have_elements(operands: &[impl MaybeOperand], count: usize) -> Result {
    each(operands, |operand| match operand.shape()?.numel() == Some(count) {
        true => Ok(()),
        false => {
            refuse(format!("{} has shape {}, but must have {count} elements", operand.name, operand.shape()?))
        }
    })
}

/// The sizes of an operand of so many axes.
#[inline(never)]
pub(super) fn sizes<const N: usize>(operand: &Operand) -> Result<[usize; N]> {
    let wrong = || refuse(format!("{} has {} axes, but must have {N}", operand.name, operand.rank()));
    <[usize; N]>::try_from(&operand.shape()?[..]).or_else(|_| wrong())
}

//! What the checks of these operators have in common.

use aclnn_numerics::DType;
use aclnn_numerics::layout::Shape;
use aclnn_sys::ACLNN_ERR_PARAM_INVALID;
use smallvec::SmallVec;

use super::super::call::{Operand, described};
use crate::status::{Result, Status};

pub(super) fn refuse<T>(message: String) -> Result<T> {
    Err(Status::new(ACLNN_ERR_PARAM_INVALID, message))
}

/// The axis that `dim` names, counted from the start. A tensor without axes has one for this purpose.
pub(super) fn axis(operand: &Operand, dim: i64) -> Result<usize> {
    let rank = operand.rank().max(1) as i64;
    if !(-rank..rank).contains(&dim) {
        return refuse(format!("dim is {dim}, but {} has axes from {} to {}", operand.name, -rank, rank - 1));
    }
    Ok(dim.rem_euclid(rank) as usize)
}

/// The size of an axis; 1 where there are no axes.
pub(super) fn size(operand: &Operand, axis: usize) -> Result<usize> {
    Ok(operand.shape()?.get(axis).copied().unwrap_or(1))
}

/// The axes to work along: none where there are no axes.
pub(super) fn along(operand: &Operand, axis: usize) -> SmallVec<[usize; 1]> {
    (operand.rank() > 0).then_some(axis).into_iter().collect()
}

/// The operand must have this type.
pub(super) fn exactly(operand: &Operand, dtype: DType) -> Result {
    match operand.known_dtype() {
        Some(own) if own == dtype => Ok(()),
        _ => refuse(format!("{} is {}, but must be {dtype}", operand.name, described(operand.raw_dtype()))),
    }
}

/// The operand must have this shape, or both one element.
pub(super) fn fits(operand: &Operand, shape: &Shape) -> Result {
    let own = operand.shape()?;
    if own != shape && (own.numel() != Some(1) || shape.numel() != Some(1)) {
        return refuse(format!("{} has shape {own}, but the result has {shape}", operand.name));
    }
    Ok(())
}

/// The sizes with another one for an axis; without axes they stay.
pub(super) fn resized(shape: &Shape, axis: usize, size: usize) -> Shape {
    let mut sizes: SmallVec<[usize; 8]> = SmallVec::from_slice(shape);
    if let Some(own) = sizes.get_mut(axis) {
        *own = size;
    }
    Shape::from(&sizes[..])
}

/// The sizes without an axis.
pub(super) fn reduced(shape: &Shape, axis: usize, keeps: bool) -> Shape {
    if keeps {
        return resized(shape, axis, 1);
    }
    let sizes = shape.iter().enumerate().filter(|(number, _)| *number != axis).map(|(_, size)| *size);
    Shape::from(&sizes.collect::<SmallVec<[usize; 8]>>()[..])
}

/// The bytes of a temporary for an operand that is converted or not contiguous.
pub(super) fn kept(operand: &Operand, own: DType, seen: DType) -> Option<usize> {
    let count = operand.shape().ok()?.numel()?;
    (own != seen || !operand.is_contiguous()).then(|| seen.storage_bytes(count)).flatten()
}

//! Common checks of these operators.

use aclnn_numerics::DType;
use aclnn_numerics::layout::Shape;
use aclnn_sys::ACLNN_ERR_PARAM_INVALID;
use smallvec::SmallVec;

use super::super::call::Operand;
use crate::status::{Result, Status};

pub(super) fn refuse<T>(message: String) -> Result<T> {
    Err(Status::new(ACLNN_ERR_PARAM_INVALID, message))
}

/// The size of an axis; 1 where there are no axes.
pub(super) fn size(operand: &Operand, axis: usize) -> Result<usize> {
    Ok(operand.shape()?.get(axis).copied().unwrap_or(1))
}

/// The axes to work along: none where there are no axes.
pub(super) fn along(operand: &Operand, axis: usize) -> SmallVec<[usize; 8]> {
    (operand.rank() > 0).then_some(axis).into_iter().collect()
}

/// The sizes with another one for an axis; without axes they stay.
pub(super) fn resized(shape: &Shape, axis: usize, size: usize) -> Shape {
    let mut sizes: SmallVec<[usize; 8]> = SmallVec::from_slice(shape);
    if let Some(own) = sizes.get_mut(axis) {
        *own = size;
    }
    Shape::from(&sizes[..])
}

/// The bytes of a temporary for an operand that is converted or not contiguous.
pub(super) fn kept(operand: &Operand, own: DType, seen: DType) -> Option<usize> {
    let count = operand.shape().ok()?.numel()?;
    (own != seen || !operand.is_contiguous()).then(|| seen.storage_bytes(count).unwrap_or(usize::MAX))
}

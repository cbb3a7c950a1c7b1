//! Movements of the elements of one tensor to a new one, bit by bit.

use aclnn_numerics::DType::{self, F16, F32, F64, I8, I16, I32, I64};
use aclnn_numerics::Shape;
use aclnn_numerics::types_by_product::Types;

use crate::argument_checks::{Operation, accepts};
use crate::error::Result;
use crate::limits::MAX_RANK;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// Returns the type as which an operator moves elements: their own, or one of the same width if it does not take theirs,
/// since bits are bits. `by` is the library's operator, which takes the types of `list`.
#[inline]
pub(super) fn moved_as(
    operation: &Operation<'_>,
    by: &'static str,
    list: Types,
    own: DType,
) -> Result<DType> {
    let device = operation.stream.device();
    if accepts(device, list, own) {
        return Ok(own);
    }
    let alike: &[DType] = match own.bits() {
        8 => &[I8],
        16 => &[I16, F16],
        32 => &[I32, F32],
        64 => &[I64, F64],
        _ => &[],
    };
    match alike.iter().copied().find(|alike| accepts(device, list, *alike)) {
        Some(alike) => Ok(alike),
        None => operation.takes(by, list, own).map(|()| own),
    }
}

/// Makes a tensor of `shape` to which `launch` moves the elements of `own`; it gets the stream and both tensors, as a type
/// that the operator takes.
pub(super) fn moved(
    operation: &Operation<'_>,
    (by, list): (&'static str, Types),
    own: &Tensor,
    shape: impl Into<Shape>,
    launch: impl FnOnce(&Stream, &Tensor, &Tensor) -> Result<()>,
) -> Result<Tensor> {
    operation.placed()?;
    let shape = shape.into();
    if shape.rank() > MAX_RANK {
        let rank = shape.rank();
        return Err(
            operation.refused(format!("the result has {rank} axes; operators make at most {MAX_RANK}"))
        );
    }
    let seen = moved_as(operation, by, list, own.dtype())?;
    let out = operation.empty(shape, own.dtype())?;
    launch(operation.stream, &own.with_bits_of(seen), &out.with_bits_of(seen))?;
    Ok(out)
}

/// Returns the same elements in another shape: a view if they lie so, and otherwise a view of a copy.
#[inline]
pub(super) fn in_shape(tensor: &Tensor, shape: &Shape) -> Result<Tensor> {
    match tensor.reshape(shape) {
        Ok(view) => Ok(view),
        Err(_) => tensor.copy()?.reshape(shape),
    }
}

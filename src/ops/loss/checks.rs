//! The checks of losses before anything is launched.

use aclnn_numerics::DType::{self, I32, I64, U8};

use super::reduction::LossReduction;
use crate::argument_checks::Operation;
use crate::error::Result;
use crate::tensor::Tensor;

/// Refuses a tensor of another shape.
#[inline]
pub(super) fn has_shape(
    operation: &Operation<'_>,
    name: &str,
    tensor: &Tensor,
    wanted: &[usize],
) -> Result<()> {
    match tensor.dims() == wanted {
        true => Ok(()),
        false => Err(operation.refused(format!(
            "{name} has shape {}, but must have {}",
            tensor.shape(),
            aclnn_numerics::Shape::from(wanted)
        ))),
    }
}

/// Refuses a tensor of another type.
#[inline]
pub(super) fn has_type(operation: &Operation<'_>, name: &str, tensor: &Tensor, wanted: DType) -> Result<()> {
    match tensor.dtype() == wanted {
        true => Ok(()),
        false => {
            let given = tensor.dtype();
            Err(operation.refused(format!("{name} is {given}, but must be {wanted}; cast it first")))
        }
    }
}

/// Refuses labels that are no integers.
#[inline]
pub(super) fn are_labels(operation: &Operation<'_>, labels: &Tensor) -> Result<()> {
    match labels.dtype() {
        I64 | I32 | U8 => Ok(()),
        other => Err(operation.refused(format!("target is {other}, but classes must be i64, i32 or u8"))),
    }
}

/// Refuses the one reduction that only one loss has.
#[inline]
pub(super) fn has_no_batches(operation: &Operation<'_>, reduction: LossReduction) -> Result<()> {
    match reduction {
        LossReduction::BatchMean => {
            let reason = "there is no mean over batches alone; `LossReduction::Sum` and a division give it";
            Err(operation.refused(reason.to_owned()))
        }
        _ => Ok(()),
    }
}

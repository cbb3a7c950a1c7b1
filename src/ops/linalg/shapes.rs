//! The matrices of a tensor: those of its last two axes.

use aclnn_numerics::Shape;
use aclnn_numerics::types_by_product::Types;

use crate::argument_checks::Operation;
use crate::error::Result;
use crate::tensor::Tensor;

/// Checks the type of a tensor, and returns the axes before its matrices, and rows and columns of these.
#[inline]
pub(super) fn matrices<'a>(
    operation: &Operation<'_>,
    (form, takes): (&'static str, Types),
    (name, tensor): (&'static str, &'a Tensor),
) -> Result<(&'a [usize], [usize; 2])> {
    operation.placed()?;
    operation.takes(form, takes, tensor.dtype())?;
    match tensor.dims().split_last_chunk::<2>() {
        Some((batch, size)) => Ok((batch, *size)),
        None => {
            Err(operation.refused(format!("{name} has {} axes, but must have two or more", tensor.rank())))
        }
    }
}

/// Checks matrices that must have as many rows as columns.
#[inline]
pub(super) fn squares<'a>(
    operation: &Operation<'_>,
    taken: (&'static str, Types),
    (name, tensor): (&'static str, &'a Tensor),
) -> Result<(&'a [usize], usize)> {
    match matrices(operation, taken, (name, tensor))? {
        (batch, [rows, columns]) if rows == columns => Ok((batch, rows)),
        (_, [rows, columns]) => {
            let reason = format!("{name} has {rows} rows and {columns} columns; both must be the same");
            Err(operation.refused(reason))
        }
    }
}

/// Refuses tensors that have another type than the first one.
#[inline]
pub(super) fn alike(operation: &Operation<'_>, first: &Tensor, others: &[&Tensor]) -> Result<()> {
    match others.iter().find(|other| other.dtype() != first.dtype()) {
        Some(other) => Err(operation.refused(format!(
            "operands are {} and {}, but must have one type; cast one of them",
            first.dtype(),
            other.dtype()
        ))),
        None => Ok(()),
    }
}

/// A batch and the sizes of a result for each matrix.
#[inline]
pub(super) fn shape(batch: &[usize], sizes: &[usize]) -> Shape {
    batch.iter().chain(sizes).copied().collect()
}

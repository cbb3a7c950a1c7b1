//! The shapes of products of matrices, and their plans.

use aclnn_numerics::DType::{self, F32};
use aclnn_numerics::Shape;
use smallvec::{SmallVec, smallvec};

use crate::argument_checks::Operation;
use crate::error::Result;
use crate::ops::prepared::Target;
use crate::plan::{Plan, Step};
use crate::tensor::{Overlap, Tensor};

/// The most axes of a factor.
const MOST: usize = 6;

/// Rows and columns of the matrices of a tensor; `vector` is what a tensor with one axis is.
#[inline]
fn matrix(tensor: &Tensor, vector: fn(usize) -> [usize; 2]) -> (Shape, [usize; 2]) {
    match tensor.shape().split_last_chunk::<2>() {
        Some((batch, size)) => (Shape::from_iter(batch.iter().copied()), *size),
        None => (Shape::scalar(), vector(tensor.numel())),
    }
}

/// Returns the shape of the product of two tensors with the same rules as NumPy's `matmul`: the last two axes are matrices, the
/// others broadcast; a vector is one row on the left and one column on the right, and its axis is not in the result.
#[inline]
pub(super) fn product(operation: &Operation<'_>, left: &Tensor, right: &Tensor) -> Result<Shape> {
    for (name, tensor) in [("self", left), ("other", right)] {
        if !(1..=MOST).contains(&tensor.rank()) {
            let rank = tensor.rank();
            let reason = format!("{name} has {rank} axes, but must have one to six");
            return Err(operation.refused(reason));
        }
    }
    let (outer, [rows, common]) = matrix(left, |len| [1, len]);
    let (others, [own, columns]) = matrix(right, |len| [len, 1]);
    if common != own {
        return Err(operation.refused(format!(
            "rows of self have {common} elements and columns of other have {own}; both must be the same"
        )));
    }
    let batch = operation.broadcast(&outer, &others)?;
    let rows = (left.rank() > 1).then_some(rows);
    let columns = (right.rank() > 1).then_some(columns);
    Ok(Shape::from_iter(batch.iter().copied().chain(rows).chain(columns)))
}

/// Refuses a factor without so many axes.
#[inline]
pub(super) fn has_rank(operation: &Operation<'_>, name: &str, tensor: &Tensor, rank: usize) -> Result<()> {
    match tensor.rank() == rank {
        true => Ok(()),
        false => {
            let reason = format!("{name} has {} axes, but must have {rank}", tensor.rank());
            Err(operation.refused(reason))
        }
    }
}

/// Refuses an output that shares memory with a factor, which is read while the output is written.
#[inline]
pub(super) fn lies_apart(operation: &Operation<'_>, target: Target<'_>, factors: [&Tensor; 2]) -> Result<()> {
    match target {
        Target::Into(out) if factors.into_iter().any(|factor| factor.overlap(out) != Overlap::None) => {
            let reason = "out shares memory with a factor, which is read while out is written".to_owned();
            Err(operation.refused(reason))
        }
        _ => Ok(()),
    }
}

/// Returns the plan of one launch.
#[inline]
pub(super) fn planned(
    operator: &'static str,
    form: &'static str,
    dtypes: &[DType],
    shape: Shape,
    out: DType,
) -> Plan {
    let first = dtypes.first().copied().unwrap_or(F32);
    let (operands, compute) = match dtypes.iter().all(|dtype| *dtype == first) {
        true => (smallvec![first], first),
        false => (SmallVec::from_slice(dtypes), F32),
    };
    let step = Step::Compute { operator: form, in_place: false, operands, out };
    Plan { operator, steps: smallvec![step], compute, out, shape, choice: None }
}

//! The elements that an operator orders, in a type that it takes.

use aclnn_numerics::DType::{self, BF16, Bool, F16, F32, I16, I32, I64, U8, U16, U32};
use aclnn_numerics::Shape;
use aclnn_numerics::types_by_product::Types;
use smallvec::{SmallVec, smallvec};

use super::super::cast::cast_into;
use crate::argument_checks::{Operation, accepts};
use crate::error::Result;
use crate::plan::{CastBy, Plan, Role, Step, casts};
use crate::tensor::Tensor;

/// The type in which an operator orders elements of a type: their own if it takes that, or one in which they keep value and
/// order. `by` is the library's operator, which takes the types of `list`.
#[inline]
pub(super) fn ordered_as(
    operation: &Operation<'_>,
    by: &'static str,
    list: Types,
    own: DType,
) -> Result<DType> {
    let device = operation.stream.device();
    if accepts(device, list, own) {
        return Ok(own);
    }
    let wider: &[DType] = match own {
        BF16 | F16 => &[F32],
        Bool => &[U8],
        U16 => &[I32],
        U32 => &[I64],
        U8 => &[I16],
        _ => &[],
    };
    let wider = wider.iter().copied().find(|wider| accepts(device, list, *wider));
    match wider.filter(|wider| operation.castable(own, *wider).and(operation.castable(*wider, own)).is_ok()) {
        Some(wider) => Ok(wider),
        None => operation.takes(by, list, own).map(|()| own),
    }
}

/// Plans an operator, the library's `by`, whose operand is ordered as another type than its own where that is needed. The
/// compute type of the plan is the one in which the elements are ordered.
#[inline]
pub(super) fn planned(
    operation: &Operation<'_>,
    by: &'static str,
    own: &Tensor,
    dtype: DType,
    shape: Shape,
) -> Result<Plan> {
    let mut steps: SmallVec<[Step; 4]> = SmallVec::new();
    casts::cast_operand(operation, Role::Own, own, dtype, &mut steps)?;
    let wanted = own.dtype();
    steps.push(Step::Compute { operator: by, in_place: false, operands: smallvec![dtype], out: dtype });
    if dtype != wanted {
        operation.castable(dtype, wanted)?;
        steps.push(Step::Cast { operand: Role::Result, from: dtype, to: wanted, by: CastBy::Cast });
    }
    let operator = operation.operator;
    Ok(Plan { operator, steps, compute: dtype, out: wanted, shape, choice: None })
}

/// The tensor, or its elements in another type.
#[inline]
pub(super) fn cast_to(operation: &Operation<'_>, tensor: &Tensor, dtype: DType) -> Result<Tensor> {
    if tensor.dtype() == dtype {
        return Ok(tensor.clone());
    }
    let cast = operation.empty(tensor.shape(), dtype)?;
    cast_into(operation.stream, tensor, &cast, casts::cast_by(tensor))?;
    Ok(cast)
}

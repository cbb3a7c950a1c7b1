//! The checks that operators of indices share.

use aclnn_numerics::DType;
use aclnn_numerics::layout::Shape;
use aclnn_numerics::product::Product;
use aclnn_numerics::types_by_product::Types;
use aclnn_sys::{ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_PARAM_INVALID};

use crate::operators::call::{Operand, described};
use crate::operators::check;
pub(super) use crate::operators::check::ranks;
use crate::settings;
use crate::status::{Result, Status};

/// The operator refuses its arguments.
pub(super) fn invalid<T>(message: impl Into<String>) -> Result<T> {
    Err(Status::new(ACLNN_ERR_PARAM_INVALID, message.into()))
}

/// The checks pass, but there is nothing that computes it.
pub(super) fn no_kernel<T>(message: impl Into<String>) -> Result<T> {
    Err(Status::new(ACLNN_ERR_INNER_NULLPTR, message.into()))
}

pub(super) fn is_950() -> bool {
    settings::get().product == Product::Ascend950
}

/// The other operand must have the same type.
pub(super) fn same_type(other: &Operand, own: &Operand) -> Result {
    if other.raw_dtype() != own.raw_dtype() {
        return invalid(format!(
            "{} is {}, but must be {} as {}",
            other.name,
            described(other.raw_dtype()),
            described(own.raw_dtype()),
            own.name
        ));
    }
    Ok(())
}

/// Returns whether indices, of a type of the list, are i64.
pub(super) fn is_wide(indices: &Operand, list: Types) -> Result<bool> {
    Ok(check::dtype(indices, list)? == DType::I64)
}

pub(super) fn is_empty(operand: &Operand) -> Result<bool> {
    Ok(operand.shape()?.is_empty_tensor())
}

pub(super) fn numel(operand: &Operand) -> Result<usize> {
    Ok(operand.shape()?.numel().unwrap_or(usize::MAX))
}

/// The operand must have this shape.
pub(super) fn shape(operand: &Operand, sizes: &[usize]) -> Result {
    let (own, wanted) = (operand.shape()?, Shape::from(sizes));
    if *own != wanted {
        return invalid(format!("{} has shape {own}, but {wanted} is needed", operand.name));
    }
    Ok(())
}

/// Both must have the same number of axes; where `counts` says so, one without axes counts as one with a single axis.
pub(super) fn same_rank(a: &Operand, b: &Operand, counts: bool) -> Result {
    let rank = |operand: &Operand| if counts { operand.rank().max(1) } else { operand.rank() };
    if rank(a) != rank(b) {
        return invalid(format!("{} has {} axes, but {} has {}", a.name, a.rank(), b.name, b.rank()));
    }
    Ok(())
}

/// The sizes; one axis of size 1 for a tensor without axes.
pub(super) fn sizes(operand: &Operand) -> Result<Vec<usize>> {
    let sizes = operand.shape()?.to_vec();
    Ok(if sizes.is_empty() { vec![1] } else { sizes })
}

/// No axis of `a` but `except` may be longer than that of `b`.
pub(super) fn fits(a: &Operand, b: &Operand, except: Option<usize>) -> Result {
    let (own, other) = (sizes(a)?, sizes(b)?);
    for (axis, (size, limit)) in own.iter().zip(&other).enumerate() {
        if Some(axis) != except && size > limit {
            return invalid(format!(
                "axis {axis} of {} has {size} elements, but that of {} has {limit}",
                a.name, b.name
            ));
        }
    }
    Ok(())
}

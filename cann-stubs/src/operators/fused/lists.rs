//! The lists of grouped products.

use aclnn_numerics::DType;
use aclnn_sys::{ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_NULLPTR};

use super::operands::one_of;
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, all_given};
use crate::status::{Result, Status};

/// The most tensors of a list, and entries of a list of groups.
const MOST: usize = 128;
pub(super) const MOST_GROUPS: usize = 1024;

/// A list that must be there and have tensors.
pub(super) fn required<'c>(call: &'c Call<'_>, name: &str) -> Result<Vec<Operand<'c>>> {
    let list = call.optional_tensors(name)?;
    if list.is_empty() {
        return Err(Status::new(ACLNN_ERR_PARAM_NULLPTR, format_args!("{name} has no tensors")));
    }
    if list.len() > MOST {
        return invalid(format_args!("{name} has {} tensors; at most {MOST} are possible", list.len()));
    }
    all_given(&list, name, ACLNN_ERR_PARAM_INVALID)
}

/// A list that may be missing: null, empty, with a null tensor in front, or with one tensor of shape `[0]`.
pub(super) fn optional<'c>(call: &'c Call<'_>, name: &str) -> Result<Option<Vec<Operand<'c>>>> {
    if !call.has(name) {
        return Ok(None);
    }
    let list = call.optional(name, Call::optional_tensors)?.unwrap_or_default();
    match &list[..] {
        [] | [None, ..] => return Ok(None),
        [Some(only)] if only.shape()?[..] == [0] => return Ok(None),
        _ => {}
    }
    all_given(&list, name, ACLNN_ERR_PARAM_INVALID).map(Some)
}

/// The type of all tensors of a list, which must be one of some.
pub(super) fn one_type(list: &[Operand], types: &[DType]) -> Result<DType> {
    let mut all = list.iter().map(|operand| one_of(operand, types));
    let first = all.next().unwrap_or_else(|| invalid("a list has no tensors"))?;
    for dtype in all {
        let dtype = dtype?;
        if dtype != first {
            return invalid(format_args!("a list has tensors of {first} and of {dtype}"));
        }
    }
    Ok(first)
}

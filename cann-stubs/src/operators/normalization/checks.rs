//! Checks that the operators share.

use aclnn_numerics::DType::{self, F32};
use aclnn_numerics::types_by_product::Types;
use aclnn_sys::{
    ACL_FORMAT_NC, ACL_FORMAT_NCDHW, ACL_FORMAT_NCHW, ACL_FORMAT_NCL, ACL_FORMAT_ND, ACLNN_ERR_PARAM_INVALID,
    ACLNN_ERR_PARAM_NULLPTR,
};

use crate::operators::axes::{filled_each, invalid};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check;
pub(super) use crate::operators::check::{has_shape, have_elements};
use crate::status::{Result, Status};

/// Those that are given have the type `own`, or all f32.
pub(super) fn are_own_or_single(operands: &[Option<&Operand>], own: DType) -> Result {
    let mut given = operands.iter().flatten();
    let Some(first) = given.next() else { return Ok(()) };
    if first.known_dtype() != Some(F32) {
        check::exactly(first, own)?;
    }
    given.try_for_each(|other| check::exactly(other, first.known_dtype().unwrap_or(own)))
}

/// Those that are given have types of the list.
pub(super) fn are_listed(operands: &[Option<&Operand>], list: Types) -> Result {
    check::each(operands, |operand| check::dtype(operand, list))
}

/// Those that are given have one axis of `count` elements.
pub(super) fn are_channels(operands: &[Option<&Operand>], count: usize) -> Result {
    check::have_shape(operands, &[count])
}

/// The storage format of the operand has its channels on axis 1.
pub(super) fn channels_first(operand: &Operand) -> Result {
    match operand.format() {
        ACL_FORMAT_ND | ACL_FORMAT_NCHW | ACL_FORMAT_NCDHW | ACL_FORMAT_NCL | ACL_FORMAT_NC => Ok(()),
        other => invalid(format_args!(
            "{} has storage format {}; pass one with channels on axis 1",
            operand.name, other.0
        )),
    }
}

/// A number for each output that is given, written to every element of it, if it has some.
pub(super) fn constants(outputs: &[(Option<&Operand>, f64)]) -> Result<Plan> {
    let mut typed = Vec::new();
    for (output, number) in outputs {
        if let Some(output) = *output {
            typed.push((output, check::any_dtype(output)?, *number));
        }
    }
    filled_each(&typed)
}

/// The number of trailing axes of the operand that a shape consists of.
pub(super) fn trailing(operand: &Operand, sizes: &[usize]) -> Result<usize> {
    match !sizes.is_empty() && operand.shape()?.ends_with(sizes) {
        true => Ok(sizes.len()),
        false => invalid(format_args!(
            "{} has shape {}, which does not end with {sizes:?}",
            operand.name,
            operand.shape()?
        )),
    }
}

/// Outputs by the elements of a mask: an output whose element is false counts as null, and one whose element is true must not
/// be, or the call ends with `code`.
pub(super) fn masked<'c, const N: usize>(
    call: &'c Call<'_>,
    mask: &[bool],
    names: [&str; N],
    code: i32,
) -> Result<[Option<Operand<'c>>; N]> {
    if mask.len() != N {
        return Err(Status::new(
            ACLNN_ERR_PARAM_INVALID,
            format_args!("outputMask has {} elements, but there are {N} outputs", mask.len()),
        ));
    }
    let mut outputs = [const { None }; N];
    for ((output, name), is_wanted) in outputs.iter_mut().zip(names).zip(mask) {
        if !is_wanted {
            continue;
        }
        *output = call.optional_tensor(name)?;
        if output.is_none() {
            return Err(Status::new(code, format_args!("{name} is null, but outputMask asks for it")));
        }
    }
    Ok(outputs)
}

/// The outputs of a mask, where a null output is a null argument.
pub(super) fn masked_or_null<'c, const N: usize>(
    call: &'c Call<'_>,
    mask: &[bool],
    names: [&str; N],
) -> Result<[Option<Operand<'c>>; N]> {
    masked(call, mask, names, ACLNN_ERR_PARAM_NULLPTR)
}

//! Weights of products: how many elements they have in the layout that a device likes best, and the conversion to it.
//!
//! The emulator keeps weights as they are, and sees them through the strides of their descriptors.

use aclnn_numerics::DType::{self, BF16, F16, I8};
use aclnn_numerics::product::Product::{Ascend910, Ascend910B, Ascend950};
use aclnn_sys::{ACL_FORMAT_ND, ACLNN_ERR_PARAM_NULLPTR, ACLNN_ERR_RUNTIME_ERROR, aclDataType, aclIntArray};

use crate::entry::{Handle, Out};
use crate::meta::array::INT_ARRAYS;
use crate::meta::handle_codes::dangling;
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Plan};
use crate::operators::phases::alone;
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::{Result, Status};

pub(super) fn trans_matmul_weight(call: &Call<'_>) -> Result<Plan> {
    let own = call.tensor("mmWeightRef")?;
    let dtype = check::dtype(&own, signatures::trans_matmul_weight.takes)?;
    if own.format() != ACL_FORMAT_ND {
        return invalid(format_args!("{} must have the storage format ND", own.name));
    }
    let sizes: Vec<i64> = own.shape()?.iter().map(|size| *size as i64).collect();
    has_matrices(sizes.len(), dtype != I8)?;
    Ok(Plan::empty())
}

/// Refuses numbers of axes that a weight does not have.
fn has_matrices(rank: usize, only_two: bool) -> Result {
    let may_have_more = !only_two || matches!(settings::get().product, Ascend910B | Ascend950);
    let most = if may_have_more { 6 } else { 2 };
    match (2..=most).contains(&rank) {
        true => Ok(()),
        false => invalid(format_args!("a weight has 2 to {most} axes, and not {rank}")),
    }
}

/// The elements of a weight whose last two sizes are rounded up.
fn elements(sizes: &[i64], columns: i64) -> Result<u64> {
    let tiles = |size: i64, of: i64| u64::try_from(size).ok()?.checked_next_multiple_of(of.unsigned_abs());
    let (outer, matrix) = sizes.split_at(sizes.len().saturating_sub(2));
    let count = outer.iter().try_fold(1, |count: u64, size| count.checked_mul(u64::try_from(*size).ok()?));
    let rounded = matrix
        .iter()
        .zip([16, columns])
        .try_fold(1, |count: u64, (size, of)| count.checked_mul(tiles(*size, of)?));
    match (count, rounded) {
        (Some(count), Some(rounded)) if count.checked_mul(rounded).is_some() => Ok(count * rounded),
        _ => invalid(format_args!("{sizes:?} are no sizes of a weight")),
    }
}

/// The elements of a weight of f16, in sizes of an array.
fn size(shape: Handle<*const aclIntArray>, size: Out<u64>) -> Result {
    let sizes = INT_ARRAYS.get(shape.0).map_err(|why| dangling("shape", why))?;
    let place = size.required("size", ACLNN_ERR_PARAM_NULLPTR)?;
    has_matrices(sizes.len(), true)?;
    place.write(elements(&sizes, 16)?);
    Ok(())
}

fn size_of(shape: Handle<*const aclIntArray>, dtype: aclDataType, size: Out<u64>) -> Result {
    if settings::get().product == Ascend910 {
        let message = "this product has no weights in a layout of their own";
        return Err(Status::new(ACLNN_ERR_RUNTIME_ERROR, message));
    }
    let sizes = INT_ARRAYS.get(shape.0).map_err(|why| dangling("shape", why))?;
    let place = size.required("size", ACLNN_ERR_PARAM_NULLPTR)?;
    has_matrices(sizes.len(), false)?;
    if sizes.contains(&0) {
        return invalid(format_args!("the sizes {:?} of a weight have a zero", sizes.as_slice()));
    }
    let is_half = matches!(DType::from_acl_code(dtype.0), Some(F16 | BF16));
    place.write(elements(&sizes, if is_half { 16 } else { 32 })?);
    Ok(())
}

alone! {
    fn weight_size = "aclnnCalculateMatmulWeightSize" (shape: Handle<*const aclIntArray>, to: Out<u64>) by size;
    fn weight_size_of = "aclnnCalculateMatmulWeightSizeV2" (
        shape: Handle<*const aclIntArray>, dtype: aclDataType, to: Out<u64>
    ) by size_of;
}

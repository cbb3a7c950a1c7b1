//! In which type an operator computes, and which unit of the device does: rules of types, without tensors.

pub(crate) mod alpha;
pub(crate) mod scalar_types;
pub(crate) mod units;

use aclnn_numerics::DType;
use aclnn_numerics::promote::Edition;
use aclnn_sys::ACLNN_ERR_PARAM_INVALID;

use crate::status::{Result, Status};

/// The type to which the library promotes two types.
#[inline(never)]
pub(crate) fn promote(a: DType, b: DType) -> Result<DType> {
    Edition::Library.promote(a, b).map_err(|why| Status::new(ACLNN_ERR_PARAM_INVALID, why))
}

//! The floats that the device computes with, and the precision of its products.

use aclnn::ops::Precision;
use aclnn::product::Product;
use aclnn::{DType, Tensor};

/// Returns how f32 is multiplied: in f16 where the device multiplies nothing else.
pub(super) fn precision(of: &Tensor) -> Precision {
    match of.device().product() {
        Some(Product::Ascend910 | Product::Ascend310P) if of.dtype() == DType::F32 => Precision::F16,
        _ => Precision::Keep,
    }
}

/// Returns whether a type is one of the floats that the device's norms, products and attention take.
pub(super) fn is_short_float(dtype: DType) -> bool {
    matches!(dtype, DType::F32 | DType::F16 | DType::BF16)
}

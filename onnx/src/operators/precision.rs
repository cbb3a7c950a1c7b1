//! Products in a precision that the device has.

use aclnn::ops::{self, Precision};
use aclnn::product::Product;
use aclnn::{DType, Tensor};

/// Returns how f32 is multiplied: in f16 where the device multiplies nothing else.
pub(super) fn precision(of: &Tensor) -> Precision {
    match of.device().product() {
        Some(Product::Ascend910 | Product::Ascend310P) if of.dtype() == DType::F32 => Precision::F16,
        _ => Precision::Keep,
    }
}

/// Returns products of matrices of floats; those of f64 are sums of products of elements.
pub(super) fn product(a: &Tensor, b: &Tensor) -> Result<Tensor, aclnn::Error> {
    match a.dtype() {
        DType::F64 => a.unsqueeze(-1)?.mul(&b.unsqueeze(-3)?)?.sum(-2),
        _ => ops::matmul(a, b).precision(precision(a)).run(),
    }
}

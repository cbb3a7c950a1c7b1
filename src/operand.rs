//! The second operand of an operator: a tensor, or a scalar.

use aclnn_numerics::Element;

use crate::scalar::Scalar;
use crate::tensor::Tensor;

/// A tensor or a scalar beside a tensor. Functions take anything that becomes one: `&tensor`, `2`, `0.5f32`.
#[derive(Debug, Clone, Copy)]
pub enum Operand<'a> {
    /// Broadcast with the first operand, and promoted with it.
    Tensor(&'a Tensor),
    /// Beside every element; its type counts for less than that of the tensor.
    Scalar(Scalar),
}

impl<'a> From<&'a Tensor> for Operand<'a> {
    fn from(tensor: &'a Tensor) -> Self {
        Operand::Tensor(tensor)
    }
}

impl From<Scalar> for Operand<'_> {
    fn from(scalar: Scalar) -> Self {
        Operand::Scalar(scalar)
    }
}

impl<T: Element> From<T> for Operand<'_> {
    fn from(value: T) -> Self {
        Operand::Scalar(value.into())
    }
}

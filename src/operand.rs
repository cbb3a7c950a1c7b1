//! The second operand of an operator: a tensor, or a scalar.

use aclnn_numerics::element::{F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F8E8M0, HiF8};
use aclnn_numerics::{Complex, bf16, f16};

use crate::scalar::Scalar;
use crate::tensor::Tensor;

/// The second operand of an operator. Functions take any value that converts to one: `&tensor`, `2`, `0.5f32`.
#[derive(Debug, Clone, Copy)]
pub enum Operand<'a> {
    /// A tensor, which is broadcast with the first operand and promoted with it.
    Tensor(&'a Tensor),
    /// A scalar, which is combined with every element. In promotion its type has less weight than the tensor's type.
    Scalar(Scalar),
}

/// A value that can be the second operand: a borrowed tensor, a [`Scalar`], or any number.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand beside a tensor",
    label = "neither a borrowed tensor nor a number",
    note = "a tensor is borrowed here: `&other`",
    note = "numbers are those of Rust, `f16`, `bf16` and `Complex`; `aclnn::Scalar` holds any of them"
)]
pub trait IntoOperand<'a> {
    /// Converts the value to an operand.
    fn into_operand(self) -> Operand<'a>;
}

impl<'a> IntoOperand<'a> for Operand<'a> {
    fn into_operand(self) -> Operand<'a> {
        self
    }
}

impl<'a> IntoOperand<'a> for &'a Tensor {
    fn into_operand(self) -> Operand<'a> {
        Operand::Tensor(self)
    }
}

/// One implementation for each type, so that compiler errors name [`IntoOperand`] and not the traits that would lead to
/// it.
macro_rules! numbers {
    ($($type:ty)*) => {$(
        impl<'a> IntoOperand<'a> for $type {
            fn into_operand(self) -> Operand<'a> {
                Operand::Scalar(self.into())
            }
        }
    )*};
}

numbers! {
    Scalar f32 f64 f16 bf16 i8 i16 i32 i64 u8 u16 u32 u64 bool Complex<f16> Complex<f32> Complex<f64>
    HiF8 F8E5M2 F8E4M3FN F8E8M0 F8E4M3FNUZ F8E5M2FNUZ
}

/// Converts to an i64, or to a u64 if the value is larger, so that `&sum / sum.numel()` works as it reads.
impl<'a> IntoOperand<'a> for usize {
    fn into_operand(self) -> Operand<'a> {
        Operand::Scalar(self.into())
    }
}

/// Converts to an i64.
impl<'a> IntoOperand<'a> for isize {
    fn into_operand(self) -> Operand<'a> {
        Operand::Scalar(self.into())
    }
}

//! Operator overloads: `+`, `-`, `*` and `/` between tensors and with numbers, and `-` before a tensor.
//!
//! Of Rust's own number types, `f32`, `f64` and `i32` are possible on the left. With only one float type, `0.5` would
//! need no suffix, but then either a variable of `f32` would not compile, or a literal would lose digits with a tensor
//! of f64. A second integer type would make `1 / &tensor` ambiguous too.

use std::ops::{Add, Div, Mul, Neg, Sub};

use aclnn_numerics::{Complex, bf16, f16};

use crate::error::Result;
use crate::operand::IntoOperand;
use crate::scalar::Scalar;
use crate::tensor::Tensor;

/// Implements an operator of Rust by a method, and by the method with both sides exchanged.
macro_rules! operators {
    ($($Trait:ident $method:ident $reversed:ident;)*) => {$(
        impl<'a, T: IntoOperand<'a>> $Trait<T> for &'a Tensor {
            type Output = Result<Tensor>;

            #[inline]
            fn $method(self, other: T) -> Result<Tensor> {
                Tensor::$method(self, other)
            }
        }

        impl<'a, T: IntoOperand<'a>> $Trait<T> for Tensor {
            type Output = Result<Tensor>;

            #[inline]
            fn $method(self, other: T) -> Result<Tensor> {
                Tensor::$method(&self, other.into_operand())
            }
        }

        impl $Trait<Tensor> for &Tensor {
            type Output = Result<Tensor>;

            #[inline]
            fn $method(self, other: Tensor) -> Result<Tensor> {
                Tensor::$method(self, &other)
            }
        }

        impl $Trait<Tensor> for Tensor {
            type Output = Result<Tensor>;

            #[inline]
            fn $method(self, other: Tensor) -> Result<Tensor> {
                Tensor::$method(&self, &other)
            }
        }

        left! { $Trait $method $reversed: Scalar f32 f64 i32 f16 bf16 Complex<f32> Complex<f64> }
    )*};
}

/// Implements the operators for numbers on the left.
macro_rules! left {
    ($Trait:ident $method:ident $reversed:ident: $($type:ty)*) => {$(
        impl $Trait<&Tensor> for $type {
            type Output = Result<Tensor>;

            #[inline]
            fn $method(self, tensor: &Tensor) -> Result<Tensor> {
                tensor.$reversed(self)
            }
        }

        impl $Trait<Tensor> for $type {
            type Output = Result<Tensor>;

            #[inline]
            fn $method(self, tensor: Tensor) -> Result<Tensor> {
                tensor.$reversed(self)
            }
        }
    )*};
}

operators! {
    Add add add;
    Sub sub rsub;
    Mul mul mul;
    Div div rdiv;
}

impl Neg for &Tensor {
    type Output = Result<Tensor>;

    #[inline]
    fn neg(self) -> Result<Tensor> {
        Tensor::neg(self)
    }
}

impl Neg for Tensor {
    type Output = Result<Tensor>;

    #[inline]
    fn neg(self) -> Result<Tensor> {
        Tensor::neg(&self)
    }
}

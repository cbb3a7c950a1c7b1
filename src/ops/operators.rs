//! `+`, `-`, `*` and `/` on references; each returns a `Result`.
//!
//! The right side is a tensor or any number. On the left stand `f64`, `i32` and [`Scalar`] too: were there more types, a
//! literal would not know its own. There is no `2.0 / &tensor`: the library has no reverse division.

use std::ops::{Add, Div, Mul, Sub};

use super::rsub;
use crate::error::Result;
use crate::operand::Operand;
use crate::scalar::Scalar;
use crate::tensor::Tensor;

macro_rules! right {
    ($($Trait:ident $method:ident;)*) => {$(
        impl<'a, T: Into<Operand<'a>>> $Trait<T> for &'a Tensor {
            type Output = Result<Tensor>;

            fn $method(self, other: T) -> Result<Tensor> {
                Tensor::$method(self, other)
            }
        }
    )*};
}

right! {
    Add add;
    Sub sub;
    Mul mul;
    Div div;
}

macro_rules! left {
    ($($type:ty)*) => {$(
        impl Add<&Tensor> for $type {
            type Output = Result<Tensor>;

            fn add(self, tensor: &Tensor) -> Result<Tensor> {
                tensor.add(self)
            }
        }

        impl Sub<&Tensor> for $type {
            type Output = Result<Tensor>;

            fn sub(self, tensor: &Tensor) -> Result<Tensor> {
                rsub(tensor, self).run()
            }
        }

        impl Mul<&Tensor> for $type {
            type Output = Result<Tensor>;

            fn mul(self, tensor: &Tensor) -> Result<Tensor> {
                tensor.mul(self)
            }
        }
    )*};
}

left! { f64 i32 Scalar }

//! The checks of the operands of a normalisation, and the options that all normalisations have.

use aclnn_numerics::DType::{self, F32};
use aclnn_numerics::Shape;

use crate::argument_checks::Operation;
use crate::error::Result;
use crate::tensor::Tensor;

/// The operand has this shape.
#[inline]
pub(super) fn has_shape(
    operation: &Operation<'_>,
    name: &'static str,
    tensor: &Tensor,
    shape: &Shape,
) -> Result<()> {
    match tensor.shape() == shape {
        true => Ok(()),
        false => {
            let reason = format!("{name} has shape {}, but must have {shape}", tensor.shape());
            Err(operation.refused(reason))
        }
    }
}

/// The operand has this type.
#[inline]
pub(super) fn has_dtype(
    operation: &Operation<'_>,
    name: &'static str,
    tensor: &Tensor,
    dtype: DType,
) -> Result<()> {
    match tensor.dtype() == dtype {
        true => Ok(()),
        false => {
            let reason = format!("{name} is {}, but must be {dtype}; cast it first", tensor.dtype());
            Err(operation.refused(reason))
        }
    }
}

/// Those that are given have this shape, and all the type `own` or all f32.
#[inline]
pub(super) fn are_weights(
    operation: &Operation<'_>,
    weights: &[(&'static str, Option<&Tensor>)],
    shape: &Shape,
    own: DType,
) -> Result<()> {
    let mut given = weights.iter().filter_map(|(name, weight)| Some((*name, (*weight)?)));
    let Some((name, first)) = given.next() else { return Ok(()) };
    if first.dtype() != F32 {
        has_dtype(operation, name, first, own)?;
    }
    has_shape(operation, name, first, shape)?;
    given.try_for_each(|(name, other)| {
        has_dtype(operation, name, other, first.dtype())?;
        has_shape(operation, name, other, shape)
    })
}

/// The number of channels, which are on axis 1.
#[inline]
pub(super) fn channels(operation: &Operation<'_>, tensor: &Tensor) -> Result<usize> {
    tensor.dims().get(1).copied().ok_or_else(|| {
        let reason = format!("self has {} axes, but channels are on the second one", tensor.rank());
        operation.refused(reason)
    })
}

/// Expands to the options of normalisations with a weight and a bias.
macro_rules! affine {
    ($Type:ident) => {
        impl<'a> $Type<'a> {
            /// Sets the tensor by which normalised elements are multiplied. It has the type of the tensor, or f32.
            #[inline]
            pub fn weight(mut self, weight: &'a crate::tensor::Tensor) -> Self {
                self.weight = Some(weight);
                self
            }

            /// Sets the tensor that is added in the end. It has the type of the weight, if there is one.
            #[inline]
            pub fn bias(mut self, bias: &'a crate::tensor::Tensor) -> Self {
                self.bias = Some(bias);
                self
            }

            /// Sets the number that is added to a variance before its root is taken; the default is 10⁻⁵.
            #[inline]
            pub fn eps(mut self, eps: f64) -> Self {
                self.eps = eps;
                self
            }
        }

        crate::ops::prepared::prepared! {
            ['a] $Type<'a>:
            on("the tensor")
        }
    };
}
pub(super) use affine;

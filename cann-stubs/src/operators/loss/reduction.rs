//! Reductions of losses, and the outputs for that.

use aclnn_numerics::DType;
use aclnn_numerics::layout::Shape;

use crate::operators::axes::{filled, invalid, no_kernel};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check;
use crate::status::Result;

/// How the losses of elements are combined.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reduction {
    None,
    Mean,
    Sum,
    /// The sum over the size of the first axis.
    BatchMean,
}

impl Reduction {
    pub(super) fn of(call: &Call<'_>) -> Result<Self> {
        match Self::of_batches(call)? {
            Self::BatchMean => invalid("reduction is 3, but must be 0 (none), 1 (mean) or 2 (sum)"),
            other => Ok(other),
        }
    }

    pub(super) fn of_batches(call: &Call<'_>) -> Result<Self> {
        Ok(match call.int("reduction")? {
            0 => Self::None,
            1 => Self::Mean,
            2 => Self::Sum,
            3 => Self::BatchMean,
            other => return invalid(format_args!("reduction is {other}, which is no reduction")),
        })
    }

    /// The divisor of a sum over elements of `shape`, of which `own` is the shape of the predictions.
    pub(super) fn divisor(self, shape: &Shape, own: &Shape) -> f64 {
        match self {
            Self::None | Self::Sum => 1.0,
            Self::Mean => shape.numel().unwrap_or(0) as f64,
            Self::BatchMean => own.first().copied().unwrap_or(1) as f64,
        }
    }

    /// The result of no elements: nothing for a result without elements, the mean of none, or their sum.
    pub(super) fn of_nothing(self, output: (&Operand, DType), own: &Shape) -> Result<Plan> {
        match self {
            Self::None => Ok(Plan::empty()),
            Self::BatchMean if own.first() != Some(&0) => filled(&[output], 0.0),
            Self::Mean | Self::BatchMean => filled(&[output], f64::NAN),
            Self::Sum => filled(&[output], 0.0),
        }
    }

    /// Checks an output: of the shape of the elements, or of none of its own.
    pub(super) fn shapes(self, output: &Operand, shape: &Shape) -> Result {
        match self {
            Self::None => check::output_shape(output, shape),
            _ => check::output_shape(output, &Shape::scalar()),
        }
    }

    /// Checks an output: of the shape of the elements, or with one element in any number of axes.
    pub(super) fn shapes_or_single(self, output: &Operand, shape: &Shape) -> Result {
        match self {
            Self::None => check::output_shape(output, shape),
            _ if output.shape()?.numel() == Some(1) => Ok(()),
            _ => invalid(format_args!(
                "{} has shape {}, but the result has one element",
                output.name,
                output.shape()?
            )),
        }
    }
}

/// Refuses an output of a shape that only the kernel looks at.
pub(super) fn must_have_one_element(output: &Operand) -> Result {
    match output.shape()?.numel() {
        Some(1) => Ok(()),
        _ => Err(no_kernel(format_args!(
            "{} has shape {}, but the result has one element",
            output.name,
            output.shape()?
        ))),
    }
}

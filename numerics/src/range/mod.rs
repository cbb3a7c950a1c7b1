//! Element counts and elements of CANN's Arange, Range and Linspace.
//!
//! Arange is half-open, Range includes the end when a step hits it. Neither derives its count from the output: the
//! caller sizes the output by [`arange_count`] or [`range_count`], and the operator writes the smaller of the two.
//!
//! | output | checked in | start and step held as | element i |
//! |---|---|---|---|
//! | f32 | f32 | f32 | start + step · f32(i), product and sum each rounded |
//! | f16, bf16 | f32 | f32 | the f32 value rounded once |
//! | f64 | f64 | f64 | accumulated: the previous element + step |
//! | s32 | s64 | s32, truncated | start + i · step, modulo 2³² |
//! | s64 | s64 | s64, truncated | start + i · step, modulo 2⁶⁴ |
//!
//! The sources do not say whether product and sum of the f32 kernels are fused, and f64 runs in a kernel that is not
//! among them; separate roundings and accumulation are the choices here.

mod linspace;
mod number;
mod progression;

use std::fmt;

use crate::dtype::DType;

pub use linspace::Linspace;
pub use number::Number;
pub use progression::{Progression, arange_count, range_count};

/// A range that the operators refuse.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum RangeError {
    /// The operator does not produce this type.
    Output {
        /// The type asked for.
        dtype: DType,
    },
    /// The step is zero, or NaN, in the type the check is made in.
    Step {
        /// The step as given.
        step: Number,
        /// The type the check is made in.
        check: DType,
    },
    /// The step leads away from the end.
    Direction {
        /// The first element.
        start: Number,
        /// The bound.
        end: Number,
        /// The step.
        step: Number,
    },
    /// The output slice holds another type than the range produces.
    Element {
        /// The type of the slice.
        slice: DType,
        /// The type the range produces.
        range: DType,
    },
}

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Output { dtype } => write!(f, "a range of {dtype} is not supported"),
            Self::Step { step, check } => {
                write!(f, "step {step} is not usable: converted to {check}, in which it is checked, ")?;
                f.write_str(if step.to_f64().is_nan() { "it is not a number" } else { "it is zero" })
            }
            Self::Direction { start, end, step } => {
                write!(f, "step {step} leads away from the end: start is {start}, end is {end}")
            }
            Self::Element { slice, range } => {
                write!(f, "the range produces {range}, the output holds {slice}")
            }
        }
    }
}

impl std::error::Error for RangeError {}

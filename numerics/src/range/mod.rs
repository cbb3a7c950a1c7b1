//! Element counts and elements of CANN's Arange, Range and Linspace, and of the ranges of ONNX and OpenVINO.
//!
//! # CANN
//!
//! Arange is half-open; Range includes the end when a step hits it. Neither takes its count from the output: the caller
//! sizes the output by [`arange_count`] or [`range_count`], and the operator writes the smaller number of elements.
//!
//! | output | checked in | start and step held as | element i |
//! |---|---|---|---|
//! | f32 | f32 | f32 | start + step · f32(i), product and sum each rounded |
//! | f16, bf16 | f32 | f32 | the f32 value rounded once |
//! | f64 | f64 | f64 | accumulated: the previous element + step |
//! | i32 | i64 | i32, truncated | start + i · step, modulo 2³² |
//! | i64 | i64 | i64, truncated | start + i · step, modulo 2⁶⁴ |
//!
//! The sources do not say whether the f32 kernels fuse product and sum, and the kernel for f64 is not among them; this
//! crate chose separate roundings, and accumulation for f64.
//!
//! # ONNX and OpenVINO
//!
//! These ranges know their own length: each function returns a [`Sequence`]. All of them exclude the end, and a step
//! that leads away from the end gives no elements.
//!
//! | | [`onnx`] | [`onnx_body`] | [`openvino`] | [`openvino_tf`] |
//! |---|---|---|---|---|
//! | described as | pseudocode of Range-11 | function body of Range-11 | Range-4 | Range-4 with inputs cast before |
//! | inputs | one of f32, f64, i16, i32, i64 | the same | any real numbers | any real numbers |
//! | output | the type of the inputs | the same | any float but the 8-bit ones, any whole-byte integer | the same |
//! | inputs are cast to | — | — | the accumulate type, for elements | the output, then the accumulate type |
//! | count, integers | exact | in f32, the distance modulo 2ⁿ | exact | exact |
//! | count, floats | in f64 | in f32, the distance in the type | in f64 from the inputs as given, exact if they are integers | in f64 |
//! | element i, integers | start + i · step modulo 2ⁿ | the same | the same | the same |
//! | element i, floats | start + i · step, each rounded, i too | previous + step | previous + step in the accumulate type, cast to the output | the same |
//! | step zero | refused | refused | refused if zero as output; for integer outputs if zero when truncated | refused if zero as output |
//! | NaN, or ∞ − ∞, ∞ / ∞ in the count | refused | refused | refused | refused |
//! | infinitely many, or more than `usize` counts | refused | refused | refused | refused |
//! | other infinities | a step of ∞ gives the start, a bound of ∞ behind it nothing | by the formula: a step of ∞ gives nothing | as the pseudocode; refused for integer outputs | the same |
//!
//! The accumulate type of OpenVINO is "equal or better" than the output: here f64 for counting, and for the elements
//! f32 for f16, bf16 and f32, f64 for f64, and exact integers for integers. All its casts round towards zero, so that
//! an f64 of 0.1 becomes the f32 0.099999994; in casts to a narrower integer type, integers keep their low bits and
//! floats saturate. The descriptions leave the precision of the count open; the reference evaluator of ONNX counts f32
//! scalars in f64, as this crate does.
//!
//! The library of OpenVINO counts as its page says, but makes other elements: it multiplies, and rounds to nearest.
//! [`openvino_implemented`] returns what the library computes.

mod as_arange;
mod fill;
mod linspace;
mod number;
mod onnx;
mod openvino;
mod progression;
mod ramp;
mod sequence;

use std::fmt;

use crate::dtype::DType;

pub use as_arange::Arange;
pub use linspace::Linspace;
pub use number::Number;
pub use onnx::{onnx, onnx_body};
pub use openvino::{openvino, openvino_implemented, openvino_tf};
pub use progression::{Progression, arange_count, range_count};
pub use sequence::Sequence;

/// The reason why a range is refused.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum RangeError {
    /// The operator does not produce this type.
    Output {
        /// The type asked for.
        dtype: DType,
    },
    /// The step is zero or NaN in the type of the check.
    Step {
        /// The step as given.
        step: Number,
        /// The type of the check.
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
    /// The scalars of a range have different types.
    Mixed {
        /// The types of the first element, the bound and the step.
        types: [DType; 3],
    },
    /// The number of elements is not defined, because of a NaN or of infinities.
    Undefined {
        /// The first element.
        start: Number,
        /// The bound.
        end: Number,
        /// The step.
        step: Number,
    },
    /// The number of elements is infinite, or more than can be counted.
    Endless {
        /// The first element.
        start: Number,
        /// The bound.
        end: Number,
        /// The step.
        step: Number,
    },
    /// The output slice has another element type than the range.
    Element {
        /// The type of the slice.
        slice: DType,
        /// The type of the elements of the range.
        range: DType,
    },
}

impl fmt::Display for RangeError {
    #[inline]
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
            Self::Mixed { types: [start, end, step] } => {
                write!(
                    f,
                    "the scalars of a range must have one type, not {start}, {end} and {step}; convert them to one"
                )
            }
            Self::Undefined { start, end, step } => {
                write!(f, "a range from {start} to {end} by {step} has no defined number of elements")
            }
            Self::Endless { start, end, step } => {
                write!(f, "a range from {start} to {end} by {step} has more elements than can be counted")
            }
            Self::Element { slice, range } => {
                write!(f, "the range produces {range}, the output holds {slice}")
            }
        }
    }
}

impl std::error::Error for RangeError {}

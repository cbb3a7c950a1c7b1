//! ONNX Range.

use aclnn_numerics::range;

use crate::error::Result;
use crate::exact_range::{RangeInput, SequencePlan, plan, read, run};
use crate::scalar::Scalar;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// An ONNX Range.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct Range {
    stream: Stream,
    inputs: [RangeInput; 3],
    by_body: bool,
}

/// Prepares the range `start`, `start + delta`, … before `limit`, as a tensor of one axis on a device or stream:
/// Range-11, by its pseudocode.
///
/// Each input is a number or a tensor without axes. They have one type: f32, f64, i16, i32 or i64. A delta that leads away
/// from the limit gives no elements. Nothing is launched before [`Range::run`].
pub fn range(
    on: impl Into<Stream>,
    start: impl Into<RangeInput>,
    limit: impl Into<RangeInput>,
    delta: impl Into<RangeInput>,
) -> Range {
    Range { stream: on.into(), inputs: [start.into(), limit.into(), delta.into()], by_body: false }
}

impl Range {
    /// Uses the function body of the operator instead, which counts in f32 and accumulates.
    #[inline]
    pub fn by_function_body(self) -> Self {
        Self { by_body: true, ..self }
    }

    /// Returns the plan: the number of elements, and whether the device or the host makes them. Checks everything and
    /// launches nothing; waits for inputs that are tensors.
    ///
    /// # Errors
    /// [`Error::Range`](crate::Error::Range) if the inputs differ in type, delta is zero, or the number of elements is
    /// not defined or infinite; [`Error::Scalar`](crate::Error::Scalar) if a tensor has axes.
    #[inline]
    pub fn plan(&self) -> Result<SequencePlan> {
        let names = ["start", "limit", "delta"];
        let scalars = read("Range-11", names, &self.inputs)?;
        let [start, limit, delta] = scalars.map(Scalar::value);
        let sequence = if self.by_body {
            range::onnx_body(start, limit, delta)
        } else {
            range::onnx(start, limit, delta)
        };
        plan("Range-11", &self.stream, names, scalars, sequence)
    }

    /// Queues the computation, or makes the elements on the host.
    ///
    /// # Errors
    /// Those of [`Range::plan`], before anything is launched; [`Error::OutOfMemory`](crate::Error::OutOfMemory), or what
    /// the library returned.
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        run(&self.stream, &self.plan()?)
    }
}

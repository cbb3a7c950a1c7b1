//! OpenVINO Range-4, exactly.
//!
//! The device makes the elements if its own range gives the same ones, otherwise the host does; the plan tells which.
//! [`numerics::range`](aclnn_numerics::range) has the definition, and what was chosen where it is silent.
//!
//! ```
//! use aclnn::{DType, Device, openvino};
//!
//! let device = Device::open(0)?;
//! // The inputs may be of any types; 2.9 becomes 2.
//! let range = openvino::range(&device, 2.9f32, 23i64, 3u8, DType::I32);
//! assert_eq!(range.plan()?.to_string(), "Range-4: 7 × i32 by Arange on the device");
//! assert_eq!(range.run()?.to_vec::<i32>()?, [2, 5, 8, 11, 14, 17, 20]);
//! # Ok::<(), aclnn::Error>(())
//! ```
//!
//! The page of the operator and the library of OpenVINO agree on the number of elements, but not on the elements: the
//! page adds the step repeatedly and rounds towards zero, the library multiplies and rounds to nearest.
//! [`Range::as_implemented`] gives the elements that the library computes.

use aclnn_numerics::DType;
use aclnn_numerics::range::{self, Number, RangeError, Sequence};

use crate::argument_checks::Operation;
use crate::error::Result;
use crate::exact_range::{SequencePlan, plan, read, run};
use crate::stream::Stream;
use crate::tensor::Tensor;

pub use crate::exact_range::RangeInput;

/// An OpenVINO Range, with its options.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct Range {
    stream: Stream,
    inputs: [RangeInput; 3],
    output_type: DType,
    definition: Definition,
}

/// A function of `numerics` that defines a range.
type Definition = fn(Number, Number, Number, DType) -> Result<Sequence, RangeError>;

/// Prepares the range `start`, `start + step`, … before `stop`, as a tensor of one axis of `output_type` on a device or
/// stream.
/// The inputs may be real numbers of any types, or tensors without axes that hold them. A step that leads away from the
/// stop gives no elements. Nothing is launched before [`Range::run`].
pub fn range(
    on: impl Into<Stream>,
    start: impl Into<RangeInput>,
    stop: impl Into<RangeInput>,
    step: impl Into<RangeInput>,
    output_type: DType,
) -> Range {
    let inputs = [start.into(), stop.into(), step.into()];
    Range { stream: on.into(), inputs, output_type, definition: range::openvino }
}

impl Range {
    /// Casts the inputs to the output type first, which makes it the range of TensorFlow.
    #[inline]
    pub fn tf_aligned(self) -> Self {
        Self { definition: range::openvino_tf, ..self }
    }

    /// Makes the elements that the library of OpenVINO makes, instead of those that its page describes.
    /// [`range::openvino_implemented`] describes how they differ.
    #[inline]
    pub fn as_implemented(self) -> Self {
        Self { definition: range::openvino_implemented, ..self }
    }

    /// Returns the plan: the number of elements, and whether the device or the host makes them. Checks everything and
    /// launches nothing; waits for inputs that are tensors.
    ///
    /// # Errors
    /// [`Error::Range`](crate::Error::Range) if the output type is not a float of 16 to 64 bits or an integer of 8 to 64, the
    /// step is zero, or the number of elements is not defined or infinite; [`Error::Scalar`](crate::Error::Scalar) if an input
    /// is not a real number, or a tensor has axes.
    #[inline]
    pub fn plan(&self) -> Result<SequencePlan> {
        let names = ["start", "stop", "step"];
        let scalars = read("Range-4", names, &self.inputs)?;
        let mut numbers = [Number::Int(0); 3];
        for ((number, name), scalar) in numbers.iter_mut().zip(names).zip(scalars) {
            *number = scalar.number().ok_or_else(|| {
                let operation = Operation::new("Range-4", &self.stream).scalar(name, scalar);
                operation.bad_scalar(format!("{name} is {scalar}, not a real number"))
            })?;
        }
        let [start, stop, step] = numbers;
        let sequence = (self.definition)(start, stop, step, self.output_type);
        plan("Range-4", &self.stream, names, scalars, sequence)
    }

    /// Queues the computation, or makes the elements on the host.
    ///
    /// # Errors
    /// Those of [`Range::plan`], before anything is launched; [`Error::OutOfMemory`](crate::Error::OutOfMemory), or what the library returned.
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        run(&self.stream, &self.plan()?)
    }
}

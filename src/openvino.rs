//! OpenVINO Range-4, exactly.
//!
//! The device makes the elements where its own range gives the same ones, the host where it might not; the plan tells
//! which. [`numerics::range`](aclnn_numerics::range) holds the definition and what was chosen where it is silent.
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

use aclnn_numerics::DType;
use aclnn_numerics::range::{self, Number};

use crate::check::Operation;
use crate::error::Result;
use crate::scalar::Scalar;
use crate::sequence::{SequencePlan, plan, run};
use crate::stream::Stream;
use crate::tensor::Tensor;

/// A Range of OpenVINO.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct Range {
    stream: Stream,
    scalars: [Scalar; 3],
    output_type: DType,
    tf_aligned: bool,
}

/// `start`, `start + step`, … before `stop`, as a tensor of one axis of `output_type` on a device or stream.
///
/// The inputs may be real numbers of any types. A step that leads away from the stop gives no elements. Nothing is
/// launched before [`Range::run`].
pub fn range(
    on: impl Into<Stream>,
    start: impl Into<Scalar>,
    stop: impl Into<Scalar>,
    step: impl Into<Scalar>,
    output_type: DType,
) -> Range {
    let scalars = [start.into(), stop.into(), step.into()];
    Range { stream: on.into(), scalars, output_type, tf_aligned: false }
}

impl Range {
    /// Casts the inputs to the output type first, which makes it the range of TensorFlow.
    pub fn tf_aligned(self) -> Self {
        Self { tf_aligned: true, ..self }
    }

    /// How many elements there are and what makes them. Checks everything and launches nothing.
    ///
    /// # Errors
    /// [`Error::Range`](crate::Error::Range) if the output type is not a float of 16 to 64 bits or an integer of 8 to 64, the step is zero as
    /// that type, or the number of elements is not defined or infinite; [`Error::Scalar`](crate::Error::Scalar) if an input is not a real
    /// number.
    pub fn plan(&self) -> Result<SequencePlan> {
        let names = ["start", "stop", "step"];
        let mut numbers = [Number::Int(0); 3];
        for ((number, name), scalar) in numbers.iter_mut().zip(names).zip(self.scalars) {
            *number = scalar.number().ok_or_else(|| {
                let operation = Operation::new("Range-4", &self.stream).scalar(name, scalar);
                operation.bad_scalar(format!("{name} is {scalar}, not a real number"))
            })?;
        }
        let [start, stop, step] = numbers;
        let definition = if self.tf_aligned { range::openvino_tf } else { range::openvino };
        let sequence = definition(start, stop, step, self.output_type);
        plan("Range-4", &self.stream, names, self.scalars, sequence)
    }

    /// Queues the computation, or makes the elements on the host.
    ///
    /// # Errors
    /// Those of [`Range::plan`], before anything is launched; [`Error::OutOfMemory`](crate::Error::OutOfMemory), or what the library returned.
    pub fn run(&self) -> Result<Tensor> {
        run(&self.stream, &self.plan()?)
    }
}

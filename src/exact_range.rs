//! The ranges of ONNX and OpenVINO: on the device if Arange of CANN gives the same elements, otherwise on the host.

use std::fmt;

use aclnn_numerics::convert::cann::ScalarValue;
use aclnn_numerics::range::{Arange, Number, RangeError, Sequence};
use aclnn_numerics::{DType, Element};

use crate::argument_checks::{Operation, accepts};
use crate::call::launch;
use crate::error::{Error, Operands, Result};
use crate::memory::host_zeros;
use crate::scalar::Scalar;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::{BLOCK, Tensor};

/// The start, the end or the step of a range: a number, or a tensor without axes, as in a model.
///
/// A tensor is read when the range is planned or run, which waits for the work that computes it.
#[derive(Debug, Clone)]
pub struct RangeInput(Input);

#[derive(Debug, Clone)]
enum Input {
    Scalar(Scalar),
    Tensor(Tensor),
}

impl<T: Element> From<T> for RangeInput {
    #[inline]
    fn from(value: T) -> RangeInput {
        RangeInput(Input::Scalar(Scalar::new(value)))
    }
}

impl From<Scalar> for RangeInput {
    #[inline]
    fn from(scalar: Scalar) -> RangeInput {
        RangeInput(Input::Scalar(scalar))
    }
}

impl From<&Tensor> for RangeInput {
    #[inline]
    fn from(tensor: &Tensor) -> RangeInput {
        RangeInput(Input::Tensor(tensor.clone()))
    }
}

impl RangeInput {
    #[inline]
    fn read(&self, operator: &'static str, name: &'static str) -> Result<Scalar> {
        let tensor = match &self.0 {
            Input::Scalar(scalar) => return Ok(*scalar),
            Input::Tensor(tensor) => tensor,
        };
        let refused =
            |reason| Operation::new(operator, tensor.stream()).tensor(name, tensor).bad_scalar(reason);
        if tensor.rank() != 0 {
            let reason = format!(
                "{name} has {} axes, and a range takes tensors without any; select one element",
                tensor.rank()
            );
            return Err(refused(reason));
        }
        let value = ScalarValue::new(tensor.dtype(), &tensor.to_bytes()?);
        value
            .map(Scalar::from_value)
            .ok_or_else(|| refused(format!("{name} is {}; cast it first", tensor.dtype())))
    }
}

/// Reads the inputs of a range as scalars.
#[inline]
pub(crate) fn read(
    operator: &'static str,
    names: [&'static str; 3],
    inputs: &[RangeInput; 3],
) -> Result<[Scalar; 3]> {
    let [start, end, step] = inputs;
    let [first, second, third] = names;
    Ok([start.read(operator, first)?, end.read(operator, second)?, step.read(operator, third)?])
}

/// The plan of a range: its elements, and whether the device or the host makes them.
#[derive(Debug, Clone, PartialEq)]
pub struct SequencePlan {
    operator: &'static str,
    sequence: Sequence,
    arange: Option<Arange>,
}

/// Plans a range with the input `names` and `scalars` that a definition turned into a sequence.
#[inline]
pub(crate) fn plan(
    operator: &'static str,
    stream: &Stream,
    names: [&'static str; 3],
    scalars: [Scalar; 3],
    sequence: Result<Sequence, RangeError>,
) -> Result<SequencePlan> {
    let sequence = sequence.map_err(|cause| {
        let operation = Operation::new(operator, stream);
        let operation =
            names.into_iter().zip(scalars).fold(operation, |all, (name, scalar)| all.scalar(name, scalar));
        Error::Range { operator, operands: operation.operands(), cause }
    })?;
    let device = stream.device();
    let arange = sequence.as_arange().filter(|arange| {
        let casts = [arange.dtype, sequence.dtype()];
        let cast = arange.dtype == sequence.dtype()
            || casts.iter().all(|dtype| accepts(device, signatures::cast.takes, *dtype));
        // A device whose product is not known may hold the scalars in another type, and so count differently.
        let known = device.product().is_some();
        known && sequence.count() > 0 && accepts(device, signatures::range.takes, arange.dtype) && cast
    });
    Ok(SequencePlan { operator, sequence, arange })
}

/// Makes the elements of the plan.
#[inline]
pub(crate) fn run(stream: &Stream, plan: &SequencePlan) -> Result<Tensor> {
    make(stream, plan).map_err(|error| error.during(plan.operator, || Operands::new([])))
}

#[inline]
fn make(stream: &Stream, plan: &SequencePlan) -> Result<Tensor> {
    let (dtype, count) = (plan.sequence.dtype(), plan.sequence.count());
    if let Some(Arange { start, end, step, dtype: made }) = plan.arange {
        let out = Tensor::empty(stream, count, made)?;
        launch::Arange(stream.into(), &scalar(start), &scalar(end), &scalar(step), &out)?;
        return if made == dtype { Ok(out) } else { out.cast(dtype) };
    }
    let out = Tensor::empty(stream, count, dtype)?;
    // A block of a sequence in which each element needs the one before would compute all elements before it again.
    let block = if plan.sequence.is_sequential() { count } else { count.min(BLOCK) };
    let size = dtype.bits() / 8;
    let mut bytes = host_zeros(block.saturating_mul(size))?;
    let bound = stream.device().bind()?;
    for first in (0..count).step_by(block.max(1)) {
        let bytes = bytes.get_mut(..block.min(count - first) * size).unwrap_or_default();
        plan.sequence.fill_bytes(first, bytes);
        out.buffer().upload(&bound, first * size, bytes)?;
    }
    Ok(out)
}

#[inline]
fn scalar(number: Number) -> Scalar {
    match number {
        Number::Int(value) => value.into(),
        Number::UInt(value) => value.into(),
        Number::Float(value) => value.into(),
    }
}

impl SequencePlan {
    /// Returns the number of elements.
    #[inline]
    pub fn count(&self) -> usize {
        self.sequence.count()
    }

    /// Returns the type of the elements.
    #[inline]
    pub fn dtype(&self) -> DType {
        self.sequence.dtype()
    }

    /// Returns whether the device makes the elements; otherwise the host does.
    #[inline]
    pub fn is_on_device(&self) -> bool {
        self.arange.is_some()
    }
}

/// Formats as, for example, `Range-11: 3 × i32 by Arange on the device`.
impl fmt::Display for SequencePlan {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} × {}", self.operator, self.count(), self.dtype())?;
        match &self.arange {
            _ if self.count() == 0 => f.write_str(", nothing to do"),
            Some(arange) if arange.dtype == self.dtype() => f.write_str(" by Arange on the device"),
            Some(arange) => write!(f, " by Arange {} and Cast on the device", arange.dtype),
            None => f.write_str(" on the host, as the device is not known to make them exactly"),
        }
    }
}

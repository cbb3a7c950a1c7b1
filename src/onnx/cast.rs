//! ONNX Cast and CastLike.

use std::fmt;

use aclnn_numerics::DType;
use aclnn_numerics::convert::onnx::{self, CastError, CastOptions, RoundMode, To, is_exact_on_cann};

use crate::argument_checks::{Operation, accepts};
use crate::error::{Error, Result};
use crate::limits::MAX_RANK;
use crate::memory::host_zeros;
use crate::signatures;
use crate::tensor::{BLOCK, Tensor};

/// An ONNX Cast, with its attributes.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct Cast<'a> {
    operator: Operator,
    input: &'a Tensor,
    to: To<'a>,
    options: CastOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Cast,
    CastLike,
}

impl Operator {
    #[inline]
    fn name(self) -> &'static str {
        match self {
            Operator::Cast => "Cast",
            Operator::CastLike => "CastLike",
        }
    }

    #[inline]
    fn version(self, opset: u32) -> Result<u32, CastError> {
        match self {
            Operator::Cast => onnx::version(opset),
            Operator::CastLike => onnx::cast_like_version(opset),
        }
    }
}

/// The plan of a Cast: where it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CastPlan {
    operator: Operator,
    version: u32,
    from: DType,
    to: DType,
    place: Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The types are equal: a copy.
    Copy,
    Device,
    /// The host converts, for this reason.
    Host(&'static str),
}

/// Prepares a conversion of every element to another type, by the rules of the opset; the default is
/// [`LATEST`](super::LATEST), and [`Cast::options`] sets another. The target is a type, or the attribute `to` as in the
/// model.
///
/// Nothing is launched before [`Cast::run`].
///
/// ```
/// use aclnn::onnx::{self, To};
/// use aclnn::{DType, Device, Tensor};
///
/// let device = Device::open(0)?;
/// let a = Tensor::from_slice(&device, &[1.5f32, -2.0], [2])?;
/// assert_eq!(onnx::cast(&a, DType::I32).run()?.to_vec::<i32>()?, [1, -2]);
/// assert_eq!(onnx::cast(&a, To::Code(6)).run()?.to_vec::<i32>()?, [1, -2]);
/// # Ok::<(), aclnn::Error>(())
/// ```
pub fn cast<'a>(input: &'a Tensor, to: impl Into<To<'a>>) -> Cast<'a> {
    Cast { operator: Operator::Cast, input, to: to.into(), options: CastOptions::default() }
}

/// Prepares a conversion of every element to the type of `like`. The operator exists from opset 15 on.
///
/// Nothing is launched before [`Cast::run`].
#[inline]
pub fn cast_like<'a>(input: &'a Tensor, like: &Tensor) -> Cast<'a> {
    Cast { operator: Operator::CastLike, ..cast(input, like.dtype()) }
}

impl<'a> Cast<'a> {
    /// Sets `saturate`, `round_mode` and the opset at once.
    #[inline]
    pub fn options(self, options: CastOptions) -> Self {
        Self { options, ..self }
    }

    /// Sets the opset of the model.
    #[inline]
    pub fn opset(mut self, opset: u32) -> Self {
        self.options.opset = opset;
        self
    }

    /// Sets whether a value too large for a float8 type becomes the largest one.
    #[inline]
    pub fn saturate(mut self, saturate: bool) -> Self {
        self.options.saturate = saturate;
        self
    }

    /// Sets how a value between two powers of two is rounded to f8e8m0.
    #[inline]
    pub fn round_mode(mut self, round_mode: RoundMode) -> Self {
        self.options.round_mode = round_mode;
        self
    }

    #[inline]
    fn operation(&self) -> Operation<'a> {
        Operation::new(self.operator.name(), self.input.stream()).tensor("input", self.input)
    }

    #[inline]
    pub(super) fn refused(&self, cause: CastError) -> Error {
        Error::Cast { operator: self.operator.name(), operands: self.operation().operands(), cause }
    }

    /// Returns the plan: where the Cast would run, and by which version. Checks everything and launches nothing.
    ///
    /// # Errors
    /// [`Error::Cast`] if the opset is not known or lacks the operator, or if its version lacks one of the types: then
    /// the error names the first version that has it; or if the target is string, for which there is
    /// [`cast_to_strings`](super::cast_to_strings).
    #[inline]
    pub fn plan(&self) -> Result<CastPlan> {
        let opset = self.options.opset;
        let version = self.operator.version(opset).map_err(|cause| self.refused(cause))?;
        let to = self.to.resolve(opset).map_err(|cause| self.refused(cause))?;
        let from = self.input.dtype();
        onnx::Cast::new(from, to, self.options).map_err(|cause| self.refused(cause))?;
        let device = self.input.device();
        let place = if from == to && !is_changed(to) {
            Place::Copy
        } else if ![from, to].iter().all(|dtype| accepts(device, signatures::cast.takes, *dtype)) {
            Place::Host("which the device cannot do")
        } else if self.input.rank() > MAX_RANK {
            Place::Host("as it has more axes than the device takes")
        } else if is_exact_on_cann(from, to) {
            Place::Device
        } else {
            Place::Host("as the device is not known to do it exactly")
        };
        Ok(CastPlan { operator: self.operator, version, from, to, place })
    }

    /// Queues the conversion, or converts on the host, and returns a new contiguous tensor.
    ///
    /// # Errors
    /// Those of [`Cast::plan`], before anything is launched; [`Error::OutOfMemory`], or what the library returned.
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        let plan = self.plan()?;
        match plan.place {
            Place::Copy => self.input.copy(),
            Place::Device => self.input.cast(plan.to),
            Place::Host(_) => self.on_host(&plan),
        }
    }

    /// Converts block by block, so that the elements stay in the cache between device memory and device memory.
    #[inline]
    fn on_host(&self, plan: &CastPlan) -> Result<Tensor> {
        let refused = |cause| self.refused(cause);
        let cast = onnx::Cast::new(plan.from, plan.to, self.options).map_err(refused)?;
        let target = Tensor::empty(self.input.stream(), self.input.shape(), plan.to)
            .map_err(|error| self.operation().explain(error))?;
        let size = |count: usize| plan.to.storage_bytes(count).unwrap_or(0);
        let mut block = host_zeros(size(BLOCK.min(self.input.numel())))?;
        let (bound, mut done) = (self.input.device().bind()?, 0);
        self.input.read_blocks(|source, count| {
            let block = block.get_mut(..size(count)).unwrap_or_default();
            cast.run(source, count, block).map_err(refused)?;
            target.buffer().upload(&bound, done, block)?;
            done += block.len();
            Ok(())
        })?;
        Ok(target)
    }
}

/// Returns whether elements change even if the type stays: ∞ of f8e5m2 saturates, and every true bool becomes 1.
#[inline]
fn is_changed(dtype: DType) -> bool {
    use DType::{Bool, F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ};
    matches!(dtype, Bool | F8E4M3FN | F8E4M3FNUZ | F8E5M2 | F8E5M2FNUZ)
}

impl CastPlan {
    /// Returns the version of the operator in the opset.
    #[inline]
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Returns the type of the result.
    #[inline]
    pub fn dtype(&self) -> DType {
        self.to
    }

    /// Returns whether the device converts; otherwise the host does.
    #[inline]
    pub fn is_on_device(&self) -> bool {
        !matches!(self.place, Place::Host(_))
    }
}

/// Formats as, for example, `Cast-25: Cast f32→f16 on the device`.
impl fmt::Display for CastPlan {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { version, from, to, place, .. } = self;
        let operator = self.operator.name();
        match place {
            Place::Copy => write!(f, "{operator}-{version}: a copy of {from} on the device"),
            Place::Device => write!(f, "{operator}-{version}: Cast {from}→{to} on the device"),
            Place::Host(why) => write!(f, "{operator}-{version}: {from}→{to} on the host, {why}"),
        }
    }
}

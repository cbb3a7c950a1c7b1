//! Cast and CastLike.

use std::fmt;

use aclnn_numerics::convert::onnx::{self, CastError, CastOptions, RoundMode, To, is_exact_on_cann};
use aclnn_numerics::product::TypeList;
use aclnn_numerics::{DType, Shape};

use crate::check::{Operation, accepts};
use crate::error::{Error, OperandInfo, Operands, Result};
use crate::memory::host_zeros;
use crate::stream::Stream;
use crate::tensor::{Tensor, sizes};

/// A Cast of ONNX, with its attributes.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct Cast<'a> {
    operator: &'static str,
    input: &'a Tensor,
    to: Target<'a>,
    options: CastOptions,
}

#[derive(Debug, Clone, Copy)]
enum Target<'a> {
    Type(DType),
    Attribute(To<'a>),
}

impl From<DType> for Target<'_> {
    fn from(dtype: DType) -> Self {
        Target::Type(dtype)
    }
}

/// Where a Cast runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CastPlan {
    operator: &'static str,
    version: u32,
    from: DType,
    to: DType,
    place: Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The same type: a copy.
    Copy,
    Device,
    /// On the host, for a reason.
    Host(&'static str),
}

/// Converts every element to another type, by the rules of the opset: [`LATEST`](super::LATEST) unless
/// [given](Cast::options).
///
/// Nothing is launched before [`Cast::run`].
pub fn cast(input: &Tensor, to: DType) -> Cast<'_> {
    Cast { operator: "Cast", input, to: to.into(), options: CastOptions::default() }
}

/// Converts every element to the type of `like`.
///
/// Nothing is launched before [`Cast::run`].
pub fn cast_like<'a>(input: &'a Tensor, like: &Tensor) -> Cast<'a> {
    Cast { operator: "CastLike", ..cast(input, like.dtype()) }
}

impl<'a> Cast<'a> {
    /// `saturate`, `round_mode` and the opset at once.
    pub fn options(self, options: CastOptions) -> Self {
        Self { options, ..self }
    }

    /// The opset of the model.
    pub fn opset(mut self, opset: u32) -> Self {
        self.options.opset = opset;
        self
    }

    /// Whether a value too large for a float8 type becomes the largest one.
    pub fn saturate(mut self, saturate: bool) -> Self {
        self.options.saturate = saturate;
        self
    }

    /// How a value between two powers of two is rounded to f8e8m0.
    pub fn round_mode(mut self, round_mode: RoundMode) -> Self {
        self.options.round_mode = round_mode;
        self
    }

    /// The attribute `to` as the model has it, in place of the type given before: a name in version 1, a code later.
    pub fn to(self, attribute: To<'a>) -> Self {
        Self { to: Target::Attribute(attribute), ..self }
    }

    fn operation(&self) -> Operation<'a> {
        Operation::new(self.operator, self.input.stream()).tensor("input", self.input)
    }

    fn refused(&self, cause: CastError) -> Error {
        Error::Cast { operator: self.operator, operands: self.operation().operands(), cause }
    }

    /// Where it would run, and by which version. Checks everything and launches nothing.
    ///
    /// # Errors
    /// [`Error::Cast`] if the opset is not known, or its version lacks one of the types: then it names the version that
    /// first has it.
    pub fn plan(&self) -> Result<CastPlan> {
        let opset = self.options.opset;
        let to = match self.to {
            Target::Type(dtype) => dtype,
            Target::Attribute(attribute) => attribute.resolve(opset).map_err(|cause| self.refused(cause))?,
        };
        let version = onnx::version(opset).map_err(|cause| self.refused(cause))?;
        let from = self.input.dtype();
        onnx::Cast::new(from, to, self.options).map_err(|cause| self.refused(cause))?;
        let device = self.input.device();
        let place = if from == to && !is_float8(to) {
            Place::Copy
        } else if ![from, to].iter().all(|dtype| accepts(device, TypeList::Cast, *dtype)) {
            Place::Host("which the device cannot do")
        } else if self.input.rank() > crate::MAX_RANK {
            Place::Host("as it has more axes than the device takes")
        } else if is_exact_on_cann(from, to) {
            Place::Device
        } else {
            Place::Host("as the device is not known to do it exactly")
        };
        Ok(CastPlan { operator: self.operator, version, from, to, place })
    }

    /// Queues the conversion, or does it on the host. The result is a new contiguous tensor.
    ///
    /// # Errors
    /// Those of [`Cast::plan`], before anything is launched; [`Error::OutOfMemory`], or what the library returned.
    pub fn run(&self) -> Result<Tensor> {
        let plan = self.plan()?;
        match plan.place {
            Place::Copy => self.input.copy(),
            Place::Device => self.input.cast(plan.to),
            Place::Host(_) => {
                let source = self.input.to_bytes()?;
                let sizes = sizes(self.input.shape(), plan.to);
                let (_, bytes) = sizes.map_err(|error| self.operation().explain(error))?;
                let mut target = host_zeros(bytes)?;
                onnx::cast(plan.from, plan.to, self.options, &source, self.input.numel(), &mut target)
                    .map_err(|cause| self.refused(cause))?;
                Tensor::from_bytes(self.input.stream(), plan.to, &target, self.input.shape())
            }
        }
    }
}

/// ∞ of f8e5m2 saturates even where the type stays the same.
fn is_float8(dtype: DType) -> bool {
    matches!(dtype, DType::F8E4M3FN | DType::F8E4M3FNUZ | DType::F8E5M2 | DType::F8E5M2FNUZ)
}

impl CastPlan {
    /// The version of the operator that the opset has.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The type of the result.
    pub fn dtype(&self) -> DType {
        self.to
    }

    /// Whether the device converts; else the host does.
    pub fn is_on_device(&self) -> bool {
        !matches!(self.place, Place::Host(_))
    }
}

/// For example `Cast-25: Cast f32→f16 on the device`.
impl fmt::Display for CastPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { operator, version, from, to, place } = self;
        match place {
            Place::Copy => write!(f, "{operator}-{version}: a copy of {from} on the device"),
            Place::Device => write!(f, "{operator}-{version}: Cast {from}→{to} on the device"),
            Place::Host(why) => write!(f, "{operator}-{version}: {from}→{to} on the host, {why}"),
        }
    }
}

/// Reads one number per string, in row-major order, into a tensor on a device or stream: the Cast of a string tensor.
///
/// [`numerics`](aclnn_numerics::convert::onnx::cast_from_strings) tells what is a number.
///
/// # Errors
/// [`Error::Cast`] if the version lacks strings or the type, or a string is not a number: then it tells which;
/// [`Error::Length`] if the strings are not as many as the shape has elements; [`Error::OutOfMemory`].
pub fn cast_from_strings<S: AsRef<str>>(
    on: impl Into<Stream>,
    strings: &[S],
    shape: impl Into<Shape>,
    to: DType,
    options: CastOptions,
) -> Result<Tensor> {
    let (stream, shape) = (on.into(), shape.into());
    let operands = || Operands::new([OperandInfo::of_host("input", DType::String, strings.len())]);
    if shape.numel() != Some(strings.len()) {
        let (operands, given) = (operands(), strings.len());
        return Err(Error::Length { operator: "Cast", operands, given, shape: Box::new(shape) });
    }
    let sizes = || sizes(&shape, to).map_err(|error| error.during("Cast", operands));
    // Strings made of strings take no bytes, and are refused below.
    let bytes = if to.bits() == 0 { 0 } else { sizes()?.1 };
    let mut bytes = host_zeros(bytes)?;
    onnx::cast_from_strings(strings, to, options, &mut bytes).map_err(|cause| Error::Cast {
        operator: "Cast",
        operands: operands(),
        cause,
    })?;
    Tensor::from_bytes(&stream, to, &bytes, shape)
}

/// Writes one string per element, in row-major order and in plain decimal notation: the Cast to a string tensor. Waits
/// for the work that computes the elements.
///
/// [`numerics`](aclnn_numerics::convert::onnx::cast_to_strings) tells how numbers are written.
///
/// # Errors
/// [`Error::Cast`] if the version lacks strings or the type, or what failed while the work ran.
pub fn cast_to_strings(input: &Tensor, options: CastOptions) -> Result<Vec<String>> {
    let bytes = input.to_bytes()?;
    onnx::cast_to_strings(input.dtype(), options, &bytes, input.numel())
        .map_err(|cause| cast(input, DType::String).refused(cause))
}

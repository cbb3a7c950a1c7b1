//! Tensors of strings, which are on the host, and their Casts.

use aclnn_numerics::convert::onnx::{self, CastError, CastOptions, To};
use aclnn_numerics::{DType, Shape};

use crate::error::{Error, OperandInfo, Operands, Result};
use crate::memory::host_zeros;
use crate::stream::Stream;
use crate::tensor::{Tensor, sizes};

use super::cast;

/// A tensor of strings. It is on the host, as no device has elements of this type.
///
/// ```
/// use aclnn::onnx::{self, CastOptions, StringTensor};
/// use aclnn::{DType, Device};
///
/// let device = Device::open(0)?;
/// let words = StringTensor::new(["3.14", "-INF"], [2])?;
/// let numbers = onnx::cast_from_strings(&device, &words, DType::F32, CastOptions::default())?;
/// assert_eq!(numbers.to_vec::<f32>()?, [3.14, f32::NEG_INFINITY]);
/// let back = onnx::cast_to_strings(&numbers, CastOptions::default())?;
/// assert_eq!(back.strings(), ["3.14", "-inf"]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StringTensor {
    strings: Vec<String>,
    shape: Shape,
}

impl StringTensor {
    /// Makes a tensor of strings in row-major order.
    ///
    /// # Errors
    /// [`Error::Length`] if the number of strings is not the number of elements of the shape.
    pub fn new<S: Into<String>>(
        strings: impl IntoIterator<Item = S>,
        shape: impl Into<Shape>,
    ) -> Result<StringTensor> {
        let strings: Vec<String> = strings.into_iter().map(Into::into).collect();
        let shape = shape.into();
        if shape.numel() != Some(strings.len()) {
            let given = strings.len();
            let operands = Operands::new([OperandInfo::of_host("strings", DType::String, given)]);
            return Err(Error::Length { operator: "StringTensor", operands, given, shape: Box::new(shape) });
        }
        Ok(StringTensor { strings, shape })
    }

    /// Returns the sizes of the axes.
    #[inline]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns the strings in row-major order.
    #[inline]
    pub fn strings(&self) -> &[String] {
        &self.strings
    }

    /// Consumes the tensor and returns its strings in row-major order.
    #[inline]
    pub fn into_strings(self) -> Vec<String> {
        self.strings
    }

    #[inline]
    fn operands(&self) -> Operands {
        Operands::new([OperandInfo { name: "input", dtype: DType::String, shape: Some(self.shape.clone()) }])
    }

    #[inline]
    fn refused(&self, cause: CastError) -> Error {
        Error::Cast { operator: "Cast", operands: self.operands(), cause }
    }
}

/// Reads one number per string into a tensor on a device or stream: the Cast of a string tensor to another type.
///
/// [`numerics`](aclnn_numerics::convert::onnx::cast_from_strings) describes which strings are numbers.
///
/// # Errors
/// [`Error::Cast`] if the version lacks strings or the type, or if a string is not a number, which the error names;
/// [`Error::OutOfMemory`].
pub fn cast_from_strings<'a>(
    on: impl Into<Stream>,
    input: &StringTensor,
    to: impl Into<To<'a>>,
    options: CastOptions,
) -> Result<Tensor> {
    let stream = on.into();
    let to = to.into().resolve(options.opset).map_err(|cause| input.refused(cause))?;
    // A string takes no bytes, and is refused below.
    let sizes = || sizes(&input.shape, to).map_err(|error| error.during("Cast", || input.operands()));
    let bytes = if to.bits() == 0 { 0 } else { sizes()?.1 };
    let mut bytes = host_zeros(bytes)?;
    onnx::cast_from_strings(&input.strings, to, options, &mut bytes).map_err(|cause| input.refused(cause))?;
    Tensor::from_bytes(&stream, to, &bytes, &input.shape)
}

/// Writes one string per element in plain decimal notation: the Cast to a string tensor. Waits for the work that computes
/// the elements.
///
/// [`numerics`](aclnn_numerics::convert::onnx::cast_to_strings) describes how numbers are written.
///
/// # Errors
/// [`Error::Cast`] if the version lacks strings or the type, or what failed while the work ran.
#[inline]
pub fn cast_to_strings(input: &Tensor, options: CastOptions) -> Result<StringTensor> {
    let bytes = input.to_bytes()?;
    let strings = onnx::cast_to_strings(input.dtype(), options, &bytes, input.numel())
        .map_err(|cause| cast(input, DType::String).refused(cause))?;
    StringTensor::new(strings, input.shape())
}

/// Copies every string: the Cast of a string tensor to its own type.
///
/// # Errors
/// [`Error::Cast`] if the version lacks strings.
#[inline]
pub fn cast_strings(input: &StringTensor, options: CastOptions) -> Result<StringTensor> {
    match onnx::Cast::new(DType::String, DType::String, options) {
        Ok(_) => Ok(input.clone()),
        Err(cause) => Err(input.refused(cause)),
    }
}

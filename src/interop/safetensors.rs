//! Tensors from and to files of the format safetensors (feature `safetensors`).
//!
//! All types of the format are read and written. Its `F8_E4M3` is f8e4m3fn; `F4` and `F6` are packed, the first element
//! in the low bits.
//!
//! ```
//! use aclnn::interop::safetensors;
//! use aclnn::{DType, Device, Tensor};
//!
//! let device = Device::open(0)?;
//! let weight = Tensor::ones(&device, [2, 3], DType::BF16)?;
//! let file = safetensors::save([("weight", &weight), ("bias", &weight.select(0, 1)?)])?;
//! let tensors = safetensors::load(&device, &file)?;
//! assert_eq!(tensors["bias"].to_string(), "[1., 1., 1.] bf16[3] on device 0");
//! # Ok::<(), aclnn::Error>(())
//! ```

use std::borrow::Cow;
use std::collections::BTreeMap;

use aclnn_numerics::{DType, Shape};
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensorError, SafeTensors, View};

use crate::error::{Error, Result};
use crate::stream::Stream;
use crate::tensor::Tensor;

/// The types of the format and the types of this crate.
const TYPES: [(Dtype, DType); 22] = [
    (Dtype::BOOL, DType::Bool),
    (Dtype::F4, DType::F4E2M1),
    (Dtype::F6_E2M3, DType::F6E2M3),
    (Dtype::F6_E3M2, DType::F6E3M2),
    (Dtype::U8, DType::U8),
    (Dtype::I8, DType::I8),
    (Dtype::F8_E5M2, DType::F8E5M2),
    (Dtype::F8_E4M3, DType::F8E4M3FN),
    (Dtype::F8_E8M0, DType::F8E8M0),
    (Dtype::F8_E4M3FNUZ, DType::F8E4M3FNUZ),
    (Dtype::F8_E5M2FNUZ, DType::F8E5M2FNUZ),
    (Dtype::I16, DType::I16),
    (Dtype::U16, DType::U16),
    (Dtype::F16, DType::F16),
    (Dtype::BF16, DType::BF16),
    (Dtype::I32, DType::I32),
    (Dtype::U32, DType::U32),
    (Dtype::F32, DType::F32),
    (Dtype::C64, DType::C64),
    (Dtype::F64, DType::F64),
    (Dtype::I64, DType::I64),
    (Dtype::U64, DType::U64),
];

#[inline]
fn refused(reason: String) -> Error {
    Error::Interop { with: "safetensors", reason }
}

impl Tensor {
    /// Copies a tensor of a file to a device, or to the device of a stream (feature `safetensors`). The copy is
    /// complete on return.
    ///
    /// # Errors
    /// [`Error::Interop`] for a type that is not known here, and those of [`Tensor::from_bytes`].
    pub fn from_safetensors(on: impl Into<Stream>, view: &TensorView<'_>) -> Result<Tensor> {
        let dtype = TYPES.iter().find(|(theirs, _)| *theirs == view.dtype()).map(|&(_, dtype)| dtype);
        let dtype = dtype.ok_or_else(|| {
            let known: Vec<_> = TYPES.iter().map(|(theirs, _)| theirs.to_string()).collect();
            refused(format!("type {} is not known here, only {}", view.dtype(), known.join(" ")))
        })?;
        Tensor::from_bytes(on, dtype, view.data(), view.shape())
    }
}

/// Copies all tensors of a file, given as its bytes, to a device, or to the device of a stream.
///
/// # Errors
/// [`Error::Interop`] if the bytes are not such a file, and those of [`Tensor::from_safetensors`].
pub fn load(on: impl Into<Stream>, file: &[u8]) -> Result<BTreeMap<String, Tensor>> {
    let stream = on.into();
    let file = SafeTensors::deserialize(file).map_err(failed)?;
    file.iter().map(|(name, view)| Ok((name.to_owned(), Tensor::from_safetensors(&stream, &view)?))).collect()
}

/// Returns the bytes of a file with these tensors. Waits for the work that computes them.
///
/// # Errors
/// [`Error::Interop`] if two tensors have the same name, and those of [`HostTensor::new`].
pub fn save<'a, N: Into<String>>(tensors: impl IntoIterator<Item = (N, &'a Tensor)>) -> Result<Vec<u8>> {
    let mut all = BTreeMap::new();
    for (name, tensor) in tensors {
        let name = name.into();
        if all.contains_key(&name) {
            return Err(refused(format!("two tensors are named {name:?}; name each differently")));
        }
        all.insert(name, HostTensor::new(tensor)?);
    }
    safetensors::serialize(all, None).map_err(failed)
}

/// A copy of a tensor in the memory of the host. The functions of the crate `safetensors` take it, which also write
/// files and metadata.
#[derive(Debug, Clone)]
pub struct HostTensor {
    dtype: Dtype,
    shape: Shape,
    bytes: Vec<u8>,
}

impl HostTensor {
    /// Copies the elements in row-major order. Waits for the work that computes them.
    ///
    /// # Errors
    /// [`Error::Interop`] for a type that the format does not have, and for elements of less than a byte that do not fill
    /// their last byte; and those of [`Tensor::to_bytes`].
    #[inline]
    pub fn new(tensor: &Tensor) -> Result<HostTensor> {
        let (ours, shape) = (tensor.dtype(), tensor.shape());
        let dtype = TYPES.iter().find(|(_, dtype)| *dtype == ours).map(|&(theirs, _)| theirs);
        let dtype = dtype
            .ok_or_else(|| refused(format!("the format has no type for {ours}{shape}; cast it first")))?;
        if ours.bits() < 8 && !tensor.numel().wrapping_mul(ours.bits()).is_multiple_of(8) {
            return Err(refused(format!("{ours}{shape} does not fill its last byte; pad it")));
        }
        Ok(HostTensor { dtype, shape: shape.clone(), bytes: tensor.to_bytes()? })
    }
}

impl View for HostTensor {
    #[inline]
    fn dtype(&self) -> Dtype {
        self.dtype
    }

    #[inline]
    fn shape(&self) -> &[usize] {
        &self.shape
    }

    #[inline]
    fn data(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.bytes)
    }

    #[inline]
    fn data_len(&self) -> usize {
        self.bytes.len()
    }
}

#[inline]
fn failed(cause: SafeTensorError) -> Error {
    refused(cause.to_string())
}

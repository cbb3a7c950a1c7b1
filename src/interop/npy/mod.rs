//! Tensors from and to files of NumPy, `.npy` (feature `npy`).
//!
//! All types of this crate are read and written but text. NumPy has no names for bf16, floats of a byte and less, and 4-bit
//! integers: the package ml_dtypes writes their bytes without a type, and so does this module. [`load_as`] reads them.
//!
//! ```
//! use aclnn::interop::npy;
//! use aclnn::{DType, Device, Tensor};
//!
//! let device = Device::open(0)?;
//! let x = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0], 3)?;
//! let file = npy::save(&x)?;
//! assert!(file.starts_with(b"\x93NUMPY"));
//! assert_eq!(npy::load(&device, &file)?.to_string(), "[1., 2., 3.] f32[3] on device 0");
//!
//! let halves = npy::save(&x.cast(DType::BF16)?)?;
//! assert_eq!(npy::load_as(&device, &halves, DType::BF16)?.dtype(), DType::BF16);
//! # Ok::<(), aclnn::Error>(())
//! ```
//!
//! [`Tensor::read_npy`] and [`Tensor::write_npy`] take the path of a file.

use std::fs;
use std::path::Path;

use aclnn_numerics::DType;

use crate::error::{Error, Result};
use crate::stream::Stream;
use crate::tensor::Tensor;

// Floors, from the ground up: `reason`, `header`, `array`.

mod array;
mod header;
mod reason;

use array::Npy;

#[inline]
fn refused(reason: String) -> Error {
    Error::Interop { with: "npy", reason }
}

/// Copies the array of a file, given as its bytes, to a device, or to the device of a stream. The copy is complete on return.
///
/// # Errors
/// [`Error::Interop`] if the bytes are not such a file, or hold records, objects or elements of a type that they do not name;
/// and those of [`Tensor::from_bytes`].
pub fn load(on: impl Into<Stream>, file: &[u8]) -> Result<Tensor> {
    read(on.into(), file, None)
}

/// Copies the array of a file whose elements have a type that NumPy does not name, as [`load`] does. Unsigned integers of the
/// same size are taken for bits of that type too.
///
/// # Errors
/// Those of [`load`]; [`Error::Interop`] also if the file names another type.
pub fn load_as(on: impl Into<Stream>, file: &[u8], dtype: DType) -> Result<Tensor> {
    read(on.into(), file, Some(dtype))
}

#[inline]
fn read(stream: Stream, file: &[u8], dtype: Option<DType>) -> Result<Tensor> {
    let Npy { dtype, mut shape, is_fortran, bytes } = Npy::read(file, dtype).map_err(refused)?;
    if !is_fortran {
        return Tensor::from_bytes(stream, dtype, &bytes, shape);
    }
    // The same elements with the axes in the reverse order, seen from the other side.
    shape.reverse();
    let axes: Vec<usize> = (0..shape.len()).rev().collect();
    Tensor::from_bytes(stream, dtype, &bytes, shape)?.permute(&axes)
}

/// Returns the bytes of a file with the elements of a tensor in row-major order. Waits for the work that computes them.
///
/// # Errors
/// [`Error::Interop`] for more axes than the format has room for, and those of [`Tensor::to_bytes`].
#[inline]
pub fn save(tensor: &Tensor) -> Result<Vec<u8>> {
    Npy::write(tensor.dtype(), tensor.dims(), &tensor.to_bytes()?).map_err(refused)
}

impl Tensor {
    /// Reads a file of NumPy, `.npy`, to a device, or to the device of a stream (feature `npy`). The functions of
    /// [`interop::npy`](crate::interop::npy) take the bytes of a file, and types that NumPy does not name.
    ///
    /// # Errors
    /// Those of [`npy::load`](load); [`Error::Interop`] also if the file cannot be read.
    #[doc(alias = "load")]
    pub fn read_npy(on: impl Into<Stream>, path: impl AsRef<Path>) -> Result<Tensor> {
        let path = path.as_ref();
        let file = fs::read(path).map_err(|cause| refused(format!("{}: {cause}", path.display())))?;
        load(on, &file).map_err(|error| match error {
            Error::Interop { with, reason } => {
                Error::Interop { with, reason: format!("{}: {reason}", path.display()) }
            }
            other => other,
        })
    }

    /// Writes a file of NumPy, `.npy` (feature `npy`), with the elements in row-major order. Waits for the work that computes
    /// them; where that fails, a file that stands there stays as it is.
    ///
    /// # Errors
    /// Those of [`npy::save`](save); [`Error::Interop`] also if the file cannot be written.
    #[doc(alias = "save")]
    pub fn write_npy(&self, path: impl AsRef<Path>) -> Result<()> {
        let (path, file) = (path.as_ref(), save(self)?);
        fs::write(path, file).map_err(|cause| refused(format!("{}: {cause}", path.display())))
    }
}

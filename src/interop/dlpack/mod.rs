//! Tensors of any library that supports DLPack 1, in C, C++ or Python (feature `dlpack`).
//!
//! `abi` holds the C structures, `dtype` the codes of the element types, `managed` the owner of a tensor in that form;
//! `export` and `import` hold the two directions.
//!
//! DLPack knows nothing of this crate's streams. [`Tensor::to_dlpack`](crate::Tensor::to_dlpack) waits for the work
//! that was queued before. Other code that uses the device memory of a tensor must finish its work and synchronise
//! before the tensor is used here again or its last handle is dropped. This crate never reads device memory on the
//! host, so a mistake there gives wrong elements and nothing worse.
//!
//! ```
//! use aclnn::interop::dlpack::{DLDeviceType, ManagedTensor};
//! use aclnn::{Device, Tensor};
//!
//! let device = Device::open(0)?;
//! let tensor = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [2, 3])?;
//! let shared = tensor.transpose(0, 1)?.to_dlpack()?;
//! assert_eq!(shared.tensor().device.device_type, DLDeviceType::EXT_DEV);
//!
//! // For a Python capsule, say; whoever has the pointer calls the deleter.
//! let raw = tensor.to_dlpack_on_host()?.into_raw();
//! // SAFETY: a live tensor that nobody else has.
//! let copied = unsafe { ManagedTensor::from_raw(raw)? };
//! assert_eq!(Tensor::from_dlpack(&device, &copied)?.to_vec::<i32>()?, [1, 2, 3, 4, 5, 6]);
//! # Ok::<(), aclnn::Error>(())
//! ```

mod abi;
mod dtype;
mod export;
mod import;
mod managed;

pub use abi::{
    DLDataType, DLDevice, DLDeviceType, DLManagedTensor, DLManagedTensorVersioned, DLPackVersion, DLTensor,
};
pub use managed::ManagedTensor;

use crate::error::Error;

#[inline]
fn refused(reason: String) -> Error {
    Error::Interop { with: "DLPack", reason }
}

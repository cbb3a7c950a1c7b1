//! A library for other languages that takes and returns tensors by DLPack; `dlpack_numpy.py` uses it from Python.
//!
//! ```sh
//! cargo build --example dlpack_library --features dlpack
//! python3 examples/dlpack_numpy.py target/debug/examples/libdlpack_library.so
//! ```

use std::ptr::{self, NonNull};

use aclnn::interop::dlpack::{DLManagedTensor, DLManagedTensorVersioned, ManagedTensor};
use aclnn::{Device, Error, Tensor};

/// Twice the tensor, computed on device 0, as a tensor on the host; null if that failed.
///
/// # Safety
/// A live tensor of DLPack 1, which is given away.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn doubled(tensor: *mut DLManagedTensorVersioned) -> *mut DLManagedTensorVersioned {
    or_null(NonNull::new(tensor), |tensor| {
        // SAFETY: the caller gives it away.
        let tensor = unsafe { ManagedTensor::from_raw(tensor)? };
        Ok(double(&tensor)?.into_raw())
    })
}

/// As [`doubled`], in the form before version 1.
///
/// # Safety
/// As for [`doubled`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn doubled_unversioned(tensor: *mut DLManagedTensor) -> *mut DLManagedTensor {
    or_null(NonNull::new(tensor), |tensor| {
        // SAFETY: the caller gives it away.
        let tensor = unsafe { ManagedTensor::from_raw_unversioned(tensor) };
        double(&tensor)?.into_raw_unversioned()
    })
}

fn double(tensor: &ManagedTensor) -> Result<ManagedTensor, Error> {
    let device = Device::open(0)?;
    let tensor = Tensor::from_dlpack(&device, tensor)?;
    tensor.add(&tensor)?.to_dlpack_on_host()
}

fn or_null<T>(tensor: Option<NonNull<T>>, f: impl FnOnce(NonNull<T>) -> Result<NonNull<T>, Error>) -> *mut T {
    match tensor.map(f) {
        Some(Ok(tensor)) => tensor.as_ptr(),
        Some(Err(error)) => {
            eprintln!("{error}");
            ptr::null_mut()
        }
        None => ptr::null_mut(),
    }
}

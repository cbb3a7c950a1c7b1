//! `aclTensor` and `aclScalar`: made for a call, destroyed with it.

use std::ptr::NonNull;

use aclnn_sys::{ACL_FORMAT_ND, aclDataType, aclScalar, aclTensor};
use smallvec::SmallVec;

use crate::acl;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::scalar::Scalar;
use crate::tensor::Tensor;

/// Describes a tensor to the library. It borrows the device memory: the tensor outlives the call.
pub(super) struct TensorDescriptor<'a> {
    raw: NonNull<aclTensor>,
    device: &'a Device,
}

impl<'a> TensorDescriptor<'a> {
    pub(super) fn new(device: &'a Device, tensor: &Tensor) -> Result<Self> {
        let backend = device.backend();
        let layout = tensor.layout();
        let sizes = layout.shape().iter().map(|&size| size as i64).collect::<SmallVec<[i64; 8]>>();
        let strides = layout.strides().iter().map(|&stride| stride as i64).collect::<SmallVec<[i64; 8]>>();
        let storage = [tensor.capacity() as i64];
        let refuse =
            |reason| Error::Tensor { dtype: tensor.dtype(), shape: Box::new(tensor.shape().clone()), reason };
        let dtype = tensor.dtype().acl_code().map(aclDataType);
        let dtype = dtype.ok_or_else(|| refuse("CANN has no tensors of this type; cast it first"))?;
        if tensor.dtype().bits() < 8 && (!tensor.is_contiguous() || layout.offset() > 0) {
            return Err(refuse(
                "the library takes elements of less than a byte only as a contiguous tensor; copy it first",
            ));
        }
        // SAFETY: every array has the number of elements that is given, and is copied. The address is that of device
        // memory that holds the storage.
        let raw = unsafe {
            backend.meta().aclCreateTensor(
                sizes.as_ptr(),
                sizes.len() as u64,
                dtype,
                strides.as_ptr(),
                layout.offset() as i64,
                ACL_FORMAT_ND,
                storage.as_ptr(),
                1,
                tensor.as_raw(),
            )?
        };
        match NonNull::new(raw) {
            Some(raw) => Ok(Self { raw, device }),
            None => Err(acl::failed(backend, "aclCreateTensor", None).into()),
        }
    }

    pub(super) fn as_raw(&self) -> *mut aclTensor {
        self.raw.as_ptr()
    }
}

impl Drop for TensorDescriptor<'_> {
    fn drop(&mut self) {
        let backend = self.device.backend();
        // SAFETY: made above, and the call that used it has returned. Only the descriptor goes, not the memory.
        let code = unsafe { backend.meta().aclDestroyTensor(self.raw.as_ptr()) };
        self.device.defer("the description of a tensor", acl::check(backend, "aclDestroyTensor", code));
    }
}

/// Describes a scalar to the library.
pub(super) struct ScalarDescriptor<'a> {
    raw: NonNull<aclScalar>,
    device: &'a Device,
}

impl<'a> ScalarDescriptor<'a> {
    /// `dtype` is the type of the scalar.
    pub(super) fn new(device: &'a Device, scalar: &Scalar, dtype: aclDataType) -> Result<Self> {
        let backend = device.backend();
        let mut value = [0u64; 2];
        for (to, &from) in bytemuck::bytes_of_mut(&mut value).iter_mut().zip(scalar.as_bytes()) {
            *to = from;
        }
        // SAFETY: sixteen aligned bytes hold the widest value; it is copied.
        let raw = unsafe { backend.meta().aclCreateScalar(value.as_mut_ptr().cast(), dtype)? };
        match NonNull::new(raw) {
            Some(raw) => Ok(Self { raw, device }),
            None => Err(acl::failed(backend, "aclCreateScalar", None).into()),
        }
    }

    pub(super) fn as_raw(&self) -> *const aclScalar {
        self.raw.as_ptr()
    }
}

impl Drop for ScalarDescriptor<'_> {
    fn drop(&mut self) {
        let backend = self.device.backend();
        // SAFETY: made above, and the call that used it has returned.
        let code = unsafe { backend.meta().aclDestroyScalar(self.raw.as_ptr()) };
        self.device.defer("the description of a scalar", acl::check(backend, "aclDestroyScalar", code));
    }
}

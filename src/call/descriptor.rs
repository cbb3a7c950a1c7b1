//! What describes an argument to the library: made for a call, destroyed with what uses it.

use std::ffi::c_void;
use std::ptr::NonNull;

use aclnn_sys::{ACL_FORMAT_ND, MissingSymbol, aclDataType};
use smallvec::SmallVec;

use crate::acl;
use crate::backend::Backend;
use crate::error::{Error, Result};
use crate::scalar::Scalar;
use crate::tensor::Tensor;

/// An `aclTensor`, `aclScalar`, array or list of ours.
///
/// A tensor is described, not held: its memory outlives the work that uses it by other means.
pub(super) struct Descriptor {
    raw: NonNull<c_void>,
    kind: Kind,
    backend: &'static Backend,
}

#[derive(Clone, Copy)]
enum Kind {
    Tensor,
    Scalar,
    Ints,
    Floats,
    Bools,
    /// Destroys its tensors too.
    Tensors,
    /// Destroys its scalars too.
    Scalars,
}

// SAFETY: a handle, which the library takes on every thread; only who owns it uses it.
unsafe impl Send for Descriptor {}

impl Descriptor {
    pub(super) fn tensor(backend: &'static Backend, tensor: &Tensor) -> Result<Self> {
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
            )
        };
        Self::new(backend, Kind::Tensor, "aclCreateTensor", raw)
    }

    /// `dtype` is the type of the scalar.
    pub(super) fn scalar(backend: &'static Backend, scalar: &Scalar, dtype: aclDataType) -> Result<Self> {
        let mut value = [0u64; 2];
        for (to, &from) in bytemuck::bytes_of_mut(&mut value).iter_mut().zip(scalar.as_bytes()) {
            *to = from;
        }
        // SAFETY: sixteen aligned bytes hold the widest value; it is copied.
        let raw = unsafe { backend.meta().aclCreateScalar(value.as_mut_ptr().cast(), dtype) };
        Self::new(backend, Kind::Scalar, "aclCreateScalar", raw)
    }

    pub(super) fn ints(backend: &'static Backend, values: &[i64]) -> Result<Self> {
        // SAFETY: as many values as are given, and they are copied.
        let raw = unsafe { backend.meta().aclCreateIntArray(values.as_ptr(), values.len() as u64) };
        Self::new(backend, Kind::Ints, "aclCreateIntArray", raw)
    }

    pub(super) fn floats(backend: &'static Backend, values: &[f32]) -> Result<Self> {
        // SAFETY: as above.
        let raw = unsafe { backend.meta().aclCreateFloatArray(values.as_ptr(), values.len() as u64) };
        Self::new(backend, Kind::Floats, "aclCreateFloatArray", raw)
    }

    pub(super) fn bools(backend: &'static Backend, values: &[bool]) -> Result<Self> {
        // SAFETY: as above.
        let raw = unsafe { backend.meta().aclCreateBoolArray(values.as_ptr(), values.len() as u64) };
        Self::new(backend, Kind::Bools, "aclCreateBoolArray", raw)
    }

    /// A list of tensors, which takes their descriptors.
    pub(super) fn tensors(backend: &'static Backend, tensors: Vec<Self>) -> Result<Self> {
        let raw: Vec<_> = tensors.iter().map(|tensor| tensor.raw.as_ptr().cast_const().cast()).collect();
        // SAFETY: live descriptors, as many as are given; from here on they are the list's.
        let list = unsafe { backend.meta().aclCreateTensorList(raw.as_ptr(), raw.len() as u64) };
        let list = Self::new(backend, Kind::Tensors, "aclCreateTensorList", list)?;
        tensors.into_iter().for_each(std::mem::forget);
        Ok(list)
    }

    /// A list of scalars, which takes their descriptors.
    pub(super) fn scalars(backend: &'static Backend, scalars: Vec<Self>) -> Result<Self> {
        let raw: Vec<_> = scalars.iter().map(|scalar| scalar.raw.as_ptr().cast_const().cast()).collect();
        // SAFETY: as above.
        let list = unsafe { backend.meta().aclCreateScalarList(raw.as_ptr(), raw.len() as u64) };
        let list = Self::new(backend, Kind::Scalars, "aclCreateScalarList", list)?;
        scalars.into_iter().for_each(std::mem::forget);
        Ok(list)
    }

    /// Takes what the library made.
    fn new<T>(
        backend: &'static Backend,
        kind: Kind,
        function: &'static str,
        raw: Result<*mut T, MissingSymbol>,
    ) -> Result<Self> {
        match NonNull::new(raw?.cast()) {
            Some(raw) => Ok(Self { raw, kind, backend }),
            None => Err(acl::failed(backend, function, None).into()),
        }
    }

    pub(super) fn is_tensor(&self) -> bool {
        matches!(self.kind, Kind::Tensor)
    }

    pub(super) fn as_raw(&self) -> *mut c_void {
        self.raw.as_ptr()
    }
}

impl Drop for Descriptor {
    fn drop(&mut self) {
        let (meta, raw) = (self.backend.meta(), self.raw.as_ptr());
        // SAFETY: the library made it as this kind, and the call that used it has returned. Of a tensor only the descriptor
        // goes, not the memory.
        let _ = unsafe {
            match self.kind {
                Kind::Tensor => meta.aclDestroyTensor(raw.cast()),
                Kind::Scalar => meta.aclDestroyScalar(raw.cast()),
                Kind::Ints => meta.aclDestroyIntArray(raw.cast()),
                Kind::Floats => meta.aclDestroyFloatArray(raw.cast()),
                Kind::Bools => meta.aclDestroyBoolArray(raw.cast()),
                Kind::Tensors => meta.aclDestroyTensorList(raw.cast()),
                Kind::Scalars => meta.aclDestroyScalarList(raw.cast()),
            }
        };
    }
}

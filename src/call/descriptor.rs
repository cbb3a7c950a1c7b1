//! Descriptors of arguments for the library: made for a call, and destroyed with the value that uses them.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::Arc;

use aclnn_sys::{ACL_FORMAT_ND, MissingSymbol, aclDataType};
use smallvec::SmallVec;

use crate::acl;
use crate::backend::Backend;
use crate::device::{Deferred, Device};
use crate::error::Result;
use crate::process;
use crate::scalar::Scalar;
use crate::tensor::{Tensor, refused};

/// An `aclTensor`, `aclScalar`, array or list that this crate owns.
///
/// A descriptor does not keep its tensor: the call ensures that the tensor's memory outlives the work that uses it.
pub(super) struct Descriptor {
    raw: NonNull<c_void>,
    kind: Kind,
    backend: &'static Backend,
    failures: Arc<Deferred>,
}

#[derive(Clone, Copy)]
enum Kind {
    Tensor,
    Scalar,
    Ints,
    Floats,
    Bools,
    /// A list of tensors, destroyed with its tensors.
    Tensors,
    /// A list of scalars, destroyed with its scalars.
    Scalars,
    /// An item of a list, which destroys it.
    Listed,
}

// SAFETY: a handle, which the library takes on every thread; only who owns it uses it.
unsafe impl Send for Descriptor {}

impl Descriptor {
    pub(super) fn tensor(device: &Device, tensor: &Tensor) -> Result<Self> {
        let layout = tensor.layout();
        let sizes = layout.shape().iter().map(|&size| size as i64).collect::<SmallVec<[i64; 8]>>();
        let strides = layout.strides().iter().map(|&stride| stride as i64).collect::<SmallVec<[i64; 8]>>();
        let storage = [tensor.capacity() as i64];
        let refuse = |reason| refused(tensor.shape(), tensor.dtype(), reason);
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
            device.backend().meta().aclCreateTensor(
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
        Self::new(device, Kind::Tensor, "aclCreateTensor", raw)
    }

    /// Describes a scalar, whose type is `dtype`.
    pub(super) fn scalar(device: &Device, scalar: &Scalar, dtype: aclDataType) -> Result<Self> {
        let mut value = [0u64; 2];
        for (to, &from) in bytemuck::bytes_of_mut(&mut value).iter_mut().zip(scalar.as_bytes()) {
            *to = from;
        }
        // SAFETY: sixteen aligned bytes hold the widest value; it is copied.
        let raw = unsafe { device.backend().meta().aclCreateScalar(value.as_mut_ptr().cast(), dtype) };
        Self::new(device, Kind::Scalar, "aclCreateScalar", raw)
    }

    pub(super) fn ints(device: &Device, values: &[i64]) -> Result<Self> {
        // SAFETY: as many values as are given, and they are copied.
        let raw = unsafe { device.backend().meta().aclCreateIntArray(values.as_ptr(), values.len() as u64) };
        Self::new(device, Kind::Ints, "aclCreateIntArray", raw)
    }

    pub(super) fn floats(device: &Device, values: &[f32]) -> Result<Self> {
        // SAFETY: as above.
        let raw =
            unsafe { device.backend().meta().aclCreateFloatArray(values.as_ptr(), values.len() as u64) };
        Self::new(device, Kind::Floats, "aclCreateFloatArray", raw)
    }

    pub(super) fn bools(device: &Device, values: &[bool]) -> Result<Self> {
        // SAFETY: as above.
        let raw = unsafe { device.backend().meta().aclCreateBoolArray(values.as_ptr(), values.len() as u64) };
        Self::new(device, Kind::Bools, "aclCreateBoolArray", raw)
    }

    /// Makes a list of tensors, which takes over their descriptors.
    pub(super) fn tensors(device: &Device, tensors: Vec<Self>) -> Result<Self> {
        let raw: Vec<_> = tensors.iter().map(|tensor| tensor.raw.as_ptr().cast_const().cast()).collect();
        // SAFETY: live descriptors, as many as are given; from here on they are the list's.
        let list = unsafe { device.backend().meta().aclCreateTensorList(raw.as_ptr(), raw.len() as u64) };
        let list = Self::new(device, Kind::Tensors, "aclCreateTensorList", list)?;
        tensors.into_iter().for_each(Self::give_away);
        Ok(list)
    }

    /// Makes a list of scalars, which takes over their descriptors.
    pub(super) fn scalars(device: &Device, scalars: Vec<Self>) -> Result<Self> {
        let raw: Vec<_> = scalars.iter().map(|scalar| scalar.raw.as_ptr().cast_const().cast()).collect();
        // SAFETY: as above.
        let list = unsafe { device.backend().meta().aclCreateScalarList(raw.as_ptr(), raw.len() as u64) };
        let list = Self::new(device, Kind::Scalars, "aclCreateScalarList", list)?;
        scalars.into_iter().for_each(Self::give_away);
        Ok(list)
    }

    /// Gives the descriptor to a list, which owns it from now on.
    fn give_away(mut self) {
        self.kind = Kind::Listed;
    }

    /// Takes over a descriptor that the library made.
    fn new<T>(
        device: &Device,
        kind: Kind,
        function: &'static str,
        raw: Result<*mut T, MissingSymbol>,
    ) -> Result<Self> {
        match NonNull::new(raw?.cast()) {
            Some(raw) => {
                let (backend, failures) = (device.backend(), device.failures().clone());
                Ok(Self { raw, kind, backend, failures })
            }
            None => Err(acl::failed(device.backend(), function, None).into()),
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
        if process::is_forked() {
            return;
        }
        let (meta, raw) = (self.backend.meta(), self.raw.as_ptr());
        // SAFETY: the library made it as this kind, and the call that used it has returned. Of a tensor only the descriptor
        // goes, not the memory.
        let (function, code) = unsafe {
            match self.kind {
                Kind::Tensor => ("aclDestroyTensor", meta.aclDestroyTensor(raw.cast())),
                Kind::Scalar => ("aclDestroyScalar", meta.aclDestroyScalar(raw.cast())),
                Kind::Ints => ("aclDestroyIntArray", meta.aclDestroyIntArray(raw.cast())),
                Kind::Floats => ("aclDestroyFloatArray", meta.aclDestroyFloatArray(raw.cast())),
                Kind::Bools => ("aclDestroyBoolArray", meta.aclDestroyBoolArray(raw.cast())),
                Kind::Tensors => ("aclDestroyTensorList", meta.aclDestroyTensorList(raw.cast())),
                Kind::Scalars => ("aclDestroyScalarList", meta.aclDestroyScalarList(raw.cast())),
                Kind::Listed => return,
            }
        };
        self.failures.defer("the description of an operand", acl::check(self.backend, function, code));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DType;

    #[test]
    fn a_list_leaves_nothing_behind() -> Result<()> {
        let device = Device::of_unknown_product()?;
        let tensor = Tensor::zeros(&device, [2], DType::F32)?;
        let kept = Arc::strong_count(device.failures());
        let listed = || Descriptor::tensor(&device, &tensor);
        drop(Descriptor::tensors(&device, vec![listed()?, listed()?])?);
        assert_eq!(Arc::strong_count(device.failures()), kept);
        Ok(())
    }
}

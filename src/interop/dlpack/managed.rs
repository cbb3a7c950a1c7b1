//! The owner of a tensor in DLPack's form.

use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::{fmt, slice};

use aclnn_numerics::{DType, Layout, Shape};

use super::abi::{DLDevice, DLManagedTensor, DLManagedTensorVersioned, DLTensor, VERSION};
use super::refused;
use crate::error::{Error, Result};

/// A tensor in DLPack's form, with the owner of its memory (feature `dlpack`). Dropping it calls the producer's
/// deleter.
///
/// [`Tensor::to_dlpack`](crate::Tensor::to_dlpack) makes one for other libraries, which take it by
/// [`into_raw`](ManagedTensor::into_raw). [`Tensor::from_dlpack`](crate::Tensor::from_dlpack) reads one from another
/// library.
pub struct ManagedTensor(NonNull<DLManagedTensorVersioned>);

// SAFETY: the producer vouches that the deleter may be called on any thread; everything else is only read.
unsafe impl Send for ManagedTensor {}
// SAFETY: as above; nothing is changed through a shared one.
unsafe impl Sync for ManagedTensor {}

/// A structure for another library, with the owner of its memory.
struct Kept<M, O> {
    managed: M,
    _owner: O,
}

/// A tensor of another library, in the form before version 1.
struct Unversioned(NonNull<DLManagedTensor>);

// SAFETY: as for `ManagedTensor`.
unsafe impl Send for Unversioned {}

impl Drop for Unversioned {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: it is live, and nobody else deletes it.
        unsafe {
            if let Some(deleter) = self.0.as_ref().deleter {
                deleter(self.0.as_ptr());
            }
        }
    }
}

/// # Safety
/// Called once, with a `managed` of [`ManagedTensor::keep`] for the same `O`.
unsafe extern "C" fn delete<O>(managed: *mut DLManagedTensorVersioned) {
    // SAFETY: made by `Box::into_raw` there.
    drop(unsafe { Box::from_raw((*managed).manager_ctx.cast::<Kept<DLManagedTensorVersioned, O>>()) });
}

/// # Safety
/// Called once, with a `managed` of [`ManagedTensor::into_raw_unversioned`].
unsafe extern "C" fn delete_unversioned(managed: *mut DLManagedTensor) {
    // SAFETY: made by `Box::into_raw` there.
    drop(unsafe { Box::from_raw((*managed).manager_ctx.cast::<Kept<DLManagedTensor, ManagedTensor>>()) });
}

impl ManagedTensor {
    /// Makes a tensor at `data`, `byte_offset` bytes further on, which stays as long as `owner` does. The offset of the
    /// layout is ignored.
    pub(super) fn new<O: Send + 'static>(
        owner: O,
        (data, byte_offset): (*mut c_void, u64),
        device: DLDevice,
        (dtype, layout): (DType, &Layout),
        flags: u64,
    ) -> Result<ManagedTensor> {
        let mut shape: Vec<i64> = layout.shape().iter().map(|&size| size as i64).collect();
        let mut strides: Vec<i64> = layout.strides().iter().map(|&stride| stride as i64).collect();
        let tensor = DLTensor {
            data: if layout.shape().is_empty_tensor() { ptr::null_mut() } else { data },
            device,
            ndim: shape.len() as i32,
            dtype: dtype.try_into()?,
            shape: shape.as_mut_ptr(),
            strides: strides.as_mut_ptr(),
            byte_offset,
        };
        Ok(Self::keep((owner, shape, strides), tensor, flags))
    }

    fn keep<O: Send + 'static>(owner: O, tensor: DLTensor, flags: u64) -> ManagedTensor {
        let managed = DLManagedTensorVersioned {
            version: VERSION,
            manager_ctx: ptr::null_mut(),
            deleter: Some(delete::<O>),
            flags,
            dl_tensor: tensor,
        };
        let kept = Box::into_raw(Box::new(Kept { managed, _owner: owner }));
        // SAFETY: just made, and not null.
        unsafe {
            (*kept).managed.manager_ctx = kept.cast();
            ManagedTensor(NonNull::new_unchecked(&raw mut (*kept).managed))
        }
    }

    /// Takes over a tensor.
    ///
    /// # Safety
    /// `raw` is a live tensor as DLPack describes it, no other code deletes it, and its deleter may be called on any
    /// thread. As long as it lives its structures do not change. If its memory is that of the host, all its elements
    /// are initialised and no other code writes them while they are read here.
    ///
    /// # Errors
    /// [`Error::Interop`] if its major version is not 1. The tensor is deleted then.
    #[inline]
    pub unsafe fn from_raw(raw: NonNull<DLManagedTensorVersioned>) -> Result<ManagedTensor> {
        let managed = ManagedTensor(raw);
        // SAFETY: live. The version and the deleter lie at the same place in all versions.
        let version = unsafe { (&raw const (*raw.as_ptr()).version).read() };
        if version.major == VERSION.major {
            Ok(managed)
        } else {
            let (major, minor) = (version.major, version.minor);
            Err(refused(format!(
                "the tensor is of version {major}.{minor}, version 1 is known; ask its producer for that"
            )))
        }
    }

    /// Takes over a tensor in the form before version 1.
    ///
    /// # Safety
    /// As for [`ManagedTensor::from_raw`].
    #[inline]
    pub unsafe fn from_raw_unversioned(raw: NonNull<DLManagedTensor>) -> ManagedTensor {
        // SAFETY: live, as the caller vouches.
        let tensor = unsafe { raw.as_ref().dl_tensor };
        Self::keep(Unversioned(raw), tensor, 0)
    }

    /// Returns the tensor for another library, which will call its deleter; for a Python capsule
    /// `"dltensor_versioned"`.
    #[inline]
    pub fn into_raw(self) -> NonNull<DLManagedTensorVersioned> {
        std::mem::ManuallyDrop::new(self).0
    }

    /// Returns the tensor as [`ManagedTensor::into_raw`] does, in the form before version 1; for a Python capsule
    /// `"dltensor"`.
    ///
    /// # Errors
    /// [`Error::Interop`] if the tensor is read-only or its elements are padded to bytes, which that form cannot
    /// express.
    #[inline]
    pub fn into_raw_unversioned(self) -> Result<NonNull<DLManagedTensor>> {
        if self.flags() & !DLManagedTensorVersioned::FLAG_IS_COPIED != 0 {
            return Err(refused(
                "the form before version 1 has neither read-only nor padded tensors; use version 1, or copy it"
                    .to_owned(),
            ));
        }
        let managed = DLManagedTensor {
            dl_tensor: *self.tensor(),
            manager_ctx: ptr::null_mut(),
            deleter: Some(delete_unversioned),
        };
        let kept = Box::into_raw(Box::new(Kept { managed, _owner: self }));
        // SAFETY: just made, and not null.
        unsafe {
            (*kept).managed.manager_ctx = kept.cast();
            Ok(NonNull::new_unchecked(&raw mut (*kept).managed))
        }
    }

    /// Returns the tensor.
    #[inline]
    pub fn tensor(&self) -> &DLTensor {
        // SAFETY: it lives as long as `self`, and does not change.
        unsafe { &(*self.0.as_ptr()).dl_tensor }
    }

    /// Returns the flags, as [`DLManagedTensorVersioned`] numbers them.
    #[inline]
    pub fn flags(&self) -> u64 {
        // SAFETY: as above.
        unsafe { (*self.0.as_ptr()).flags }
    }

    /// Returns the layout of the elements after the first one.
    ///
    /// # Errors
    /// [`Error::Interop`] if the numbers are not a valid layout.
    #[inline]
    pub fn layout(&self) -> Result<Layout> {
        let DLTensor { ndim, shape, strides, .. } = *self.tensor();
        let nonsense = |what: String| refused(format!("the tensor has {what}"));
        let rank = usize::try_from(ndim).map_err(|_| nonsense(format!("{ndim} axes")))?;
        if rank == 0 {
            return Ok(Layout::contiguous(Shape::scalar()));
        }
        let numbers = |list: *mut i64| {
            // SAFETY: DLPack's structures have a number for every axis, or null.
            (!list.is_null()).then(|| unsafe { slice::from_raw_parts(list.cast_const(), rank) })
        };
        let shape = numbers(shape).ok_or_else(|| nonsense("no shape".into()))?;
        let size = |&size: &i64| usize::try_from(size).map_err(|_| nonsense(format!("shape {shape:?}")));
        let sizes = shape.iter().map(size).collect::<Result<Shape>>()?;
        let Some(strides) = numbers(strides) else { return Ok(Layout::contiguous(sizes)) };
        let stride =
            |&stride: &i64| isize::try_from(stride).map_err(|_| nonsense(format!("strides {strides:?}")));
        let strides = strides.iter().map(stride).collect::<Result<Vec<_>>>()?;
        Layout::new(sizes, &strides, 0).map_err(|cause| refused(cause.to_string()))
    }
}

impl Drop for ManagedTensor {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: it is live, and nobody else deletes it.
        unsafe {
            if let Some(deleter) = (*self.0.as_ptr()).deleter {
                deleter(self.0.as_ptr());
            }
        }
    }
}

impl fmt::Debug for ManagedTensor {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DLTensor { device, dtype, .. } = self.tensor();
        let layout = self.layout().map_err(|error: Error| error.to_string());
        f.debug_struct("ManagedTensor")
            .field("device", device)
            .field("dtype", dtype)
            .field("layout", &layout)
            .field("flags", &self.flags())
            .finish_non_exhaustive()
    }
}

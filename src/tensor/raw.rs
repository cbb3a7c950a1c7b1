//! Adopting memory that other code allocated.

use std::ffi::c_void;

use aclnn_numerics::{DType, Layout, Shape};

use super::{Tensor, refused, sizes};
use crate::error::{Operands, Result};
use crate::fork;
use crate::memory::SharedBuffer;
use crate::stream::Stream;

impl Tensor {
    /// Adopts device memory as a contiguous tensor, on the device of a stream. Nothing is copied or queued.
    ///
    /// From then on the memory belongs to this crate: when the last tensor that shares it is dropped, it becomes cached
    /// memory for other tensors, and it is freed by [`Device::trim`](crate::Device::trim) or with the device. It counts
    /// as [reserved](crate::MemoryStatistics), regardless of the limit. To leave memory with its owner, copy it
    /// instead.
    ///
    /// ```
    /// use std::ptr;
    /// use aclnn::{DType, Device, Tensor, sys};
    ///
    /// let device = Device::open(0)?;
    /// let (runtime, mut memory) = (device.backend().runtime(), ptr::null_mut());
    /// // SAFETY: the context of an open device, and a valid place.
    /// let codes = unsafe {
    ///     [
    ///         runtime.aclrtSetCurrentContext(device.as_raw())?,
    ///         runtime.aclrtMalloc(&mut memory, 64, sys::ACL_MEM_MALLOC_HUGE_FIRST)?,
    ///     ]
    /// };
    /// assert_eq!(codes, [sys::ACL_SUCCESS; 2]);
    /// // SAFETY: memory of that device, of 64 bytes, which nobody else uses or frees.
    /// let mut tensor = unsafe { Tensor::from_raw(&device, memory, [4, 4], DType::F32)? };
    /// tensor.fill_in_place(0.5)?;
    /// assert_eq!(tensor.to_vec::<f32>()?, [0.5; 16]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Safety
    /// `memory` was allocated by `aclrtMalloc` for this device, has at least the bytes that the elements take, and was
    /// not freed. Work that other code queued on it is finished, and from now on no other code uses or frees it.
    ///
    /// # Errors
    /// [`Error::Tensor`](crate::Error::Tensor) if such a tensor cannot exist, or `memory` is null;
    /// [`Error::StreamFailed`](crate::Error::StreamFailed); [`Error::Forked`](crate::Error::Forked). The memory then
    /// stays with the caller.
    #[doc(alias = "aclrtMalloc")]
    pub unsafe fn from_raw(
        on: impl Into<Stream>,
        memory: *mut c_void,
        shape: impl Into<Shape>,
        dtype: DType,
    ) -> Result<Tensor> {
        fork::check()?;
        let (stream, shape) = (on.into(), shape.into());
        let adopted = sizes(&shape, dtype).and_then(|(capacity, bytes)| {
            stream.core().check()?;
            // SAFETY: the caller vouches for it.
            let buffer = unsafe { SharedBuffer::adopt(&stream, memory, bytes)? };
            let buffer = buffer.ok_or_else(|| refused(&shape, dtype, "its memory is null"))?;
            Ok(Tensor { buffer, dtype, layout: Layout::contiguous(&shape), capacity })
        });
        adopted.map_err(|error| error.during("from_raw", || Operands::new([])))
    }
}

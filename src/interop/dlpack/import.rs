//! Importing tensors from other libraries.

use std::borrow::Cow;
use std::ffi::c_void;
use std::slice;

use aclnn_numerics::convert::pack::Width;
use aclnn_numerics::layout::Walk;
use aclnn_numerics::{DType, Layout};

use super::abi::{DLDeviceType, DLManagedTensorVersioned, DLTensor};
use super::{ManagedTensor, refused};
use crate::error::{Error, Operands, Result};
use crate::stream::Stream;
use crate::tensor::{Tensor, sizes};

impl Tensor {
    /// Copies a tensor of another library from the memory of the host to a device, or to the device of a stream, as a
    /// contiguous tensor (feature `dlpack`). The copy is complete on return.
    ///
    /// # Errors
    /// [`Error::Interop`] for element types that only DLPack has, packed elements of less than a byte that are not
    /// contiguous, and memory of a device; [`Error::HostMemory`], and those of [`Tensor::from_bytes`].
    pub fn from_dlpack(on: impl Into<Stream>, source: &ManagedTensor) -> Result<Tensor> {
        const HOST: [DLDeviceType; 3] = [DLDeviceType::CPU, DLDeviceType::CUDA_HOST, DLDeviceType::ROCM_HOST];
        let DLDeviceType(kind) = source.tensor().device.device_type;
        if !HOST.contains(&DLDeviceType(kind)) {
            return Err(refused(format!(
                "the tensor lies in the memory of a device of type {kind}; copy it to the host there{}",
                if DLDeviceType(kind) == DLDeviceType::EXT_DEV { ", or use from_dlpack_device" } else { "" }
            )));
        }
        let (dtype, layout) = (DType::try_from(source.tensor().dtype)?, source.layout()?);
        let padded =
            dtype.bits() < 8 && source.flags() & DLManagedTensorVersioned::FLAG_IS_SUBBYTE_TYPE_PADDED != 0;
        let stored = if padded { DType::U8 } else { dtype };
        // SAFETY: the memory is that of the host, and holds the elements: so the maker of `source` vouches.
        let mut bytes = unsafe { elements(source.tensor(), stored, &layout)? };
        if let (true, Some(width)) = (padded, Width::of(dtype)) {
            let (_, len) = sizes(layout.shape(), dtype).map_err(named)?;
            let mut packed = crate::memory::host_zeros(len)?;
            width.pack(&bytes, &mut packed);
            bytes = packed.into();
        }
        Tensor::from_bytes(on, dtype, &bytes, layout.shape())
    }

    /// Copies a tensor of another library that is in the memory of this device (`kDLExtDev`) to a new tensor (feature
    /// `dlpack`). The copy is complete on return.
    ///
    /// # Safety
    /// The address points to memory of this device that holds the elements, in the process and context of this crate,
    /// and all work that writes it is finished. `kDLExtDev` may mean a device of any kind.
    ///
    /// # Errors
    /// [`Error::Interop`] for memory of the host or of another device, element types that only DLPack has, and elements
    /// that are not contiguous or padded to bytes; [`Error::OutOfMemory`], or what the library returned.
    pub unsafe fn from_dlpack_device(on: impl Into<Stream>, source: &ManagedTensor) -> Result<Tensor> {
        let stream = on.into();
        let tensor = source.tensor();
        let (kind, id, ours) = (tensor.device.device_type, tensor.device.device_id, stream.device().id());
        if (kind, id) != (DLDeviceType::EXT_DEV, ours) {
            return Err(refused(format!(
                "the tensor lies on device {id} of type {}, not on device {ours} of type 12 (kDLExtDev)",
                kind.0
            )));
        }
        let (dtype, layout) = (DType::try_from(tensor.dtype)?, source.layout()?);
        let padded =
            dtype.bits() < 8 && source.flags() & DLManagedTensorVersioned::FLAG_IS_SUBBYTE_TYPE_PADDED != 0;
        if padded || !layout.is_contiguous() {
            return Err(refused(format!(
                "{dtype}{} does not lie in row-major order without gaps; let its library make a contiguous copy",
                layout.shape()
            )));
        }
        let copy = Tensor::empty(&stream, layout.shape(), dtype).map_err(named)?;
        let (_, bytes) = sizes(layout.shape(), dtype).map_err(named)?;
        let bound = stream.device().bind()?;
        // The copy's memory may come from the cache, so earlier work on it must be done.
        copy.buffer().wait(&bound)?;
        // SAFETY: the buffer was made for so many bytes and nothing uses it; the caller vouches for the source.
        unsafe { bound.copy_device_memory(copy.as_raw(), first(tensor)?, bytes)? };
        Ok(copy)
    }
}

/// Returns the error for a tensor that cannot exist.
#[inline]
fn named(error: Error) -> Error {
    error.during("from_dlpack", || Operands::new([]))
}

/// Returns the address of the first element.
#[inline]
fn first(tensor: &DLTensor) -> Result<*const c_void> {
    let offset = usize::try_from(tensor.byte_offset);
    let offset = offset.map_err(|_| refused(format!("the tensor begins at byte {}", tensor.byte_offset)))?;
    Ok(tensor.data.cast_const().wrapping_byte_add(offset))
}

/// Returns the elements in row-major order, borrowed if they lie in that order already.
///
/// # Safety
/// The memory is that of the host and holds the elements.
#[inline]
unsafe fn elements<'a>(tensor: &'a DLTensor, dtype: DType, layout: &Layout) -> Result<Cow<'a, [u8]>> {
    let (_, len) = sizes(layout.shape(), dtype).map_err(named)?;
    if len == 0 {
        return Ok(Cow::default());
    }
    let first = first(tensor)?.cast::<u8>();
    if tensor.data.is_null() {
        return Err(refused("the tensor has elements but no memory".to_owned()));
    }
    if layout.is_contiguous() {
        // SAFETY: so many bytes lie there, initialised.
        return Ok(Cow::Borrowed(unsafe { slice::from_raw_parts(first, len) }));
    }
    if dtype.bits() < 8 {
        let shape = layout.shape();
        return Err(refused(format!(
            "{dtype}{shape} is packed and not contiguous; make it contiguous first"
        )));
    }
    let size = dtype.bits() / 8;
    let mut gathered: Vec<u8> = Vec::new();
    gathered.try_reserve_exact(len).map_err(|_| Error::HostMemory { bytes: len })?;
    let walk = Walk::new(layout.shape(), [layout.strides()]);
    let [stride] = walk.inner_strides();
    walk.for_each_run(|[offset], run| {
        for index in 0..run as isize {
            let element = first.wrapping_offset((offset + stride * index).wrapping_mul(size as isize));
            // SAFETY: an element lies there. Not what lies between elements, which others may be writing.
            gathered.extend_from_slice(unsafe { slice::from_raw_parts(element, size) });
        }
    });
    Ok(Cow::Owned(gathered))
}

//! The C structures of DLPack 1, as published in `dlpack.h`. Fields have the names of C without the prefixes.

use std::ffi::c_void;

/// The version of the structures that a producer uses. Another `major` means another layout.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DLPackVersion {
    /// The major version: 1 for the structures here.
    pub major: u32,
    /// The minor version, which counts additions that change no layout.
    pub minor: u32,
}

/// The kind of memory that a tensor is in.
#[repr(transparent)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DLDeviceType(pub i32);

impl DLDeviceType {
    /// `kDLCPU`: memory of the host.
    pub const CPU: Self = Self(1);
    /// `kDLCUDAHost`: memory of the host, pinned by CUDA.
    pub const CUDA_HOST: Self = Self(3);
    /// `kDLROCMHost`: memory of the host, pinned by ROCm.
    pub const ROCM_HOST: Self = Self(11);
    /// `kDLExtDev`: memory of a device without a number of its own, such as an NPU.
    pub const EXT_DEV: Self = Self(12);
}

/// A device.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DLDevice {
    /// The kind of the device's memory.
    pub device_type: DLDeviceType,
    /// The ordinal of the device.
    pub device_id: i32,
}

/// An element type. [`DType`](crate::DType) converts from it, and into it.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DLDataType {
    /// A `DLDataTypeCode`.
    pub code: u8,
    /// The bits of an element; for a complex number, of both parts together.
    pub bits: u8,
    /// The elements of a vector; 1 if elements are not vectors.
    pub lanes: u16,
}

/// A tensor that does not own its memory.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct DLTensor {
    /// The address of the memory; null if there are no elements.
    pub data: *mut c_void,
    /// The device that the memory belongs to.
    pub device: DLDevice,
    /// The number of axes.
    pub ndim: i32,
    /// The element type.
    pub dtype: DLDataType,
    /// The size of every axis.
    pub shape: *mut i64,
    /// The number of elements from one index to the next, for every axis. Null for row-major order without gaps.
    pub strides: *mut i64,
    /// The number of bytes from `data` to the first element.
    pub byte_offset: u64,
}

/// A tensor with the owner of its memory, in the form before version 1: a capsule `"dltensor"` in Python.
#[repr(C)]
#[derive(Debug)]
pub struct DLManagedTensor {
    /// The tensor.
    pub dl_tensor: DLTensor,
    /// A pointer for the deleter.
    pub manager_ctx: *mut c_void,
    /// The function to call once, when the tensor is no longer needed.
    pub deleter: Option<unsafe extern "C" fn(*mut DLManagedTensor)>,
}

/// A tensor with the owner of its memory: a capsule `"dltensor_versioned"` in Python.
#[repr(C)]
#[derive(Debug)]
pub struct DLManagedTensorVersioned {
    /// The version of this structure.
    pub version: DLPackVersion,
    /// A pointer for the deleter.
    pub manager_ctx: *mut c_void,
    /// The function to call once, when the tensor is no longer needed.
    pub deleter: Option<unsafe extern "C" fn(*mut DLManagedTensorVersioned)>,
    /// The sum of the `FLAG_…` values that apply.
    pub flags: u64,
    /// The tensor.
    pub dl_tensor: DLTensor,
}

impl DLManagedTensorVersioned {
    /// `DLPACK_FLAG_BITMASK_READ_ONLY`: the memory must not be written.
    pub const FLAG_READ_ONLY: u64 = 1;
    /// `DLPACK_FLAG_BITMASK_IS_COPIED`: the memory was copied for this tensor and is not shared.
    pub const FLAG_IS_COPIED: u64 = 2;
    /// `DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED`: elements of less than a byte take a byte each.
    pub const FLAG_IS_SUBBYTE_TYPE_PADDED: u64 = 4;
}

/// The version that this crate uses. Its minor number is that of the first version with floats of 8, 6 and 4 bits.
pub(super) const VERSION: DLPackVersion = DLPackVersion { major: 1, minor: 1 };

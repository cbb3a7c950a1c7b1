//! The C structures of DLPack 1, as published in `dlpack.h`. Field names are those of C without its prefixes.

use std::ffi::c_void;

/// The version of the structures that a producer speaks. Another `major` means another layout.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DLPackVersion {
    /// 1 for the structures here.
    pub major: u32,
    /// Counts additions that change no layout.
    pub minor: u32,
}

/// Where memory lies.
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
    /// Where its memory lies.
    pub device_type: DLDeviceType,
    /// Its number.
    pub device_id: i32,
}

/// An element type. [`DType`](crate::DType) converts from it, and into it.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DLDataType {
    /// A `DLDataTypeCode`.
    pub code: u8,
    /// Bits of an element; of both parts of a complex number.
    pub bits: u8,
    /// More than 1 for elements that are vectors.
    pub lanes: u16,
}

/// A tensor, which owns nothing.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct DLTensor {
    /// Where its memory begins; null if there are no elements.
    pub data: *mut c_void,
    /// Whose memory it is.
    pub device: DLDevice,
    /// Number of axes.
    pub ndim: i32,
    /// The element type.
    pub dtype: DLDataType,
    /// The size of every axis.
    pub shape: *mut i64,
    /// Elements from one index to the next, for every axis. Null for row-major order without gaps.
    pub strides: *mut i64,
    /// Bytes from `data` to the first element.
    pub byte_offset: u64,
}

/// A tensor with what keeps its memory, as it was before version 1: a capsule `"dltensor"` in Python.
#[repr(C)]
#[derive(Debug)]
pub struct DLManagedTensor {
    /// The tensor.
    pub dl_tensor: DLTensor,
    /// For the deleter.
    pub manager_ctx: *mut c_void,
    /// Called once, by who needs the tensor no more.
    pub deleter: Option<unsafe extern "C" fn(*mut DLManagedTensor)>,
}

/// A tensor with what keeps its memory: a capsule `"dltensor_versioned"` in Python.
#[repr(C)]
#[derive(Debug)]
pub struct DLManagedTensorVersioned {
    /// The version of this structure.
    pub version: DLPackVersion,
    /// For the deleter.
    pub manager_ctx: *mut c_void,
    /// Called once, by who needs the tensor no more.
    pub deleter: Option<unsafe extern "C" fn(*mut DLManagedTensorVersioned)>,
    /// `FLAG_…`, added.
    pub flags: u64,
    /// The tensor.
    pub dl_tensor: DLTensor,
}

impl DLManagedTensorVersioned {
    /// `DLPACK_FLAG_BITMASK_READ_ONLY`: nobody may write the memory.
    pub const FLAG_READ_ONLY: u64 = 1;
    /// `DLPACK_FLAG_BITMASK_IS_COPIED`: the memory was copied for this tensor, so nobody else sees it.
    pub const FLAG_IS_COPIED: u64 = 2;
    /// `DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED`: elements of less than a byte take a byte each.
    pub const FLAG_IS_SUBBYTE_TYPE_PADDED: u64 = 4;
}

/// The version that is spoken here. Its minor number is that of the first one with floats of 8, 6 and 4 bits.
pub(super) const VERSION: DLPackVersion = DLPackVersion { major: 1, minor: 1 };

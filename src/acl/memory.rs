//! Device memory, and copies of its bytes that are complete when their function returns.

use std::ffi::c_void;
use std::ptr::{self, NonNull};

use aclnn_sys::{
    ACL_HBM_MEM, ACL_MEM_MALLOC_HUGE_FIRST, ACL_MEMCPY_DEVICE_TO_DEVICE, ACL_MEMCPY_DEVICE_TO_HOST,
    ACL_MEMCPY_HOST_TO_DEVICE,
};

use super::context::{Bound, call_in, release_in};
use crate::error::Result;

/// Device memory that this crate owns.
#[derive(Debug)]
pub(crate) struct Memory {
    start: NonNull<c_void>,
    bytes: usize,
}

/// A range of bytes of device memory, valid as long as that memory.
#[derive(Debug)]
pub(crate) struct Part {
    start: NonNull<c_void>,
    bytes: usize,
}

// SAFETY: an address, which means the same on every thread. Only device work accesses the memory behind it.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}
// SAFETY: as for memory.
unsafe impl Send for Part {}
// SAFETY: as for memory.
unsafe impl Sync for Part {}

impl Memory {
    /// Takes over memory that other code allocated; returns `None` for null.
    ///
    /// # Safety
    /// `start` is live memory of the device with that many bytes, and no other code frees it.
    pub(crate) unsafe fn adopt(start: *mut c_void, bytes: usize) -> Option<Self> {
        Some(Self { start: NonNull::new(start)?, bytes })
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the `bytes` from `offset` on, if they lie within this memory.
    pub(crate) fn part(&self, offset: usize, bytes: usize) -> Option<Part> {
        offset.checked_add(bytes).filter(|&end| end <= self.bytes)?;
        let start = NonNull::new(self.start.as_ptr().wrapping_byte_add(offset))?;
        Some(Part { start, bytes })
    }
}

impl Part {
    pub(crate) fn start(&self) -> NonNull<c_void> {
        self.start
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Bound<'_> {
    /// Allocates device memory of `bytes`, which is not 0; its contents are not defined.
    pub(crate) fn allocate(&self, bytes: usize) -> Result<Memory> {
        let mut start = ptr::null_mut();
        // SAFETY: a valid place.
        unsafe { call_in!(self, aclrtMalloc(&mut start, bytes, ACL_MEM_MALLOC_HUGE_FIRST)) }?;
        match NonNull::new(start) {
            Some(start) => Ok(Memory { start, bytes }),
            None => Err(self.acl.failed("aclrtMalloc", None).into()),
        }
    }

    /// Frees device memory.
    ///
    /// # Safety
    /// No queued work touches it.
    pub(crate) unsafe fn free(&self, memory: Memory) -> Result<()> {
        // SAFETY: live memory, which is consumed here, and the caller vouches for the queued work.
        unsafe { release_in!(self, aclrtFree(memory.start.as_ptr())) }
    }

    /// Returns the free bytes and the total bytes.
    pub(crate) fn memory_info(&self) -> Result<(usize, usize)> {
        let (mut free, mut total) = (0, 0);
        // SAFETY: valid places.
        unsafe { call_in!(self, aclrtGetMemInfo(ACL_HBM_MEM, &mut free, &mut total)) }?;
        Ok((free, total))
    }

    /// Copies bytes from the host. The copy is complete when this function returns.
    ///
    /// # Safety
    /// The bytes lie in `memory`, which is live, and no queued work touches them.
    pub(crate) unsafe fn upload(&self, memory: &Part, offset: usize, bytes: &[u8]) -> Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let to = memory.start.as_ptr().wrapping_byte_add(offset);
        let kind = ACL_MEMCPY_HOST_TO_DEVICE;
        let (from, len) = (bytes.as_ptr().cast(), bytes.len());
        // SAFETY: the source is a slice; the caller vouches for the target.
        self.notes
            .copy("host to device", len, || unsafe { call_in!(self, aclrtMemcpy(to, len, from, len, kind)) })
    }

    /// Copies bytes to the host.
    ///
    /// # Safety
    /// The bytes lie in `memory`, which is live, and no queued work writes them.
    pub(crate) unsafe fn download(&self, memory: &Part, offset: usize, bytes: &mut [u8]) -> Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let (to, len) = (bytes.as_mut_ptr().cast(), bytes.len());
        let from = memory.start.as_ptr().wrapping_byte_add(offset);
        // SAFETY: the target is a slice; the caller vouches for the source.
        self.notes.copy("device to host", len, || unsafe {
            call_in!(self, aclrtMemcpy(to, len, from, len, ACL_MEMCPY_DEVICE_TO_HOST))
        })
    }

    /// Copies bytes from device memory to device memory, of one device or of two that reach each other. The copy is
    /// complete when this function returns.
    ///
    /// # Safety
    /// Both addresses lead to that many bytes of device memory. No queued work writes the source or touches the target.
    pub(crate) unsafe fn copy_device_memory(
        &self,
        to: *mut c_void,
        from: *const c_void,
        bytes: usize,
    ) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        let kind = ACL_MEMCPY_DEVICE_TO_DEVICE;
        // SAFETY: the caller vouches for both sides.
        self.notes.copy("device to device", bytes, || unsafe {
            call_in!(self, aclrtMemcpy(to, bytes, from, bytes, kind))
        })
    }
}

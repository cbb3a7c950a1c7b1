//! Pinned host memory, and copies in the order of a stream.

use std::ffi::c_void;
use std::ptr::{self, NonNull};

use aclnn_sys::{ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_HOST_TO_DEVICE};

use super::context::{Bound, call_in, release_in};
use super::stream::RawStream;
use crate::error::{Error, Result};

/// The largest alignment that any element needs; the runtime promises more.
const ALIGNMENT: usize = 16;

/// Pinned host memory that this crate owns. Dropping it frees nothing: its owner frees it when no copy uses it.
#[derive(Debug)]
pub(crate) struct HostMemory {
    start: NonNull<c_void>,
    bytes: usize,
}

// SAFETY: memory of the process, owned by this value alone and reached through its owner.
unsafe impl Send for HostMemory {}
// SAFETY: nothing is changed through a shared one.
unsafe impl Sync for HostMemory {}

impl HostMemory {
    pub(crate) fn start(&self) -> NonNull<c_void> {
        self.start
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Bound<'_> {
    /// Allocates pinned memory of `bytes`, which is not 0, aligned for every element; its contents are not defined.
    pub(crate) fn allocate_host(&self, bytes: usize) -> Result<HostMemory> {
        let mut start = ptr::null_mut();
        // SAFETY: a valid place.
        unsafe { call_in!(self, aclrtMallocHost(&mut start, bytes)) }.map_err(|error| match error {
            Error::Library(cause) if cause.is_out_of_memory() => Error::HostMemory { bytes },
            error => error,
        })?;
        let start =
            NonNull::new(start).ok_or_else(|| Error::from(self.acl.failed("aclrtMallocHost", None)))?;
        let memory = HostMemory { start, bytes };
        if start.addr().get().is_multiple_of(ALIGNMENT) {
            return Ok(memory);
        }
        // SAFETY: no work uses the memory yet.
        unsafe { self.free_host(memory) }?;
        Err(Error::Internal { what: "pinned memory that is not aligned" })
    }

    /// Frees pinned memory.
    ///
    /// # Safety
    /// No queued work touches it.
    pub(crate) unsafe fn free_host(&self, memory: HostMemory) -> Result<()> {
        // SAFETY: live memory, which is consumed here, and the caller vouches for the queued work.
        unsafe { release_in!(self, aclrtFreeHost(memory.start.as_ptr())) }
    }

    /// Queues a copy of all bytes of `memory` to a device address.
    ///
    /// # Safety
    /// The bytes behind `to` are device memory. Until the copy is over they are not freed, and `memory` is neither freed
    /// nor written.
    pub(crate) unsafe fn queue_upload(
        &self,
        to: *mut c_void,
        memory: &HostMemory,
        stream: &RawStream,
    ) -> Result<()> {
        let (from, bytes) = (memory.start.as_ptr(), memory.bytes);
        let kind = ACL_MEMCPY_HOST_TO_DEVICE;
        // SAFETY: the source is live memory of that size; the caller vouches for the rest.
        self.notes.copy("host to device, queued", bytes, || unsafe {
            call_in!(self, aclrtMemcpyAsync(to, bytes, from, bytes, kind, stream.as_raw()))
        })
    }

    /// Queues a copy from a device address to all bytes of `memory`.
    ///
    /// # Safety
    /// The bytes behind `from` are device memory. Until the copy is over they are not freed, and `memory` is neither
    /// freed, nor read, nor written.
    pub(crate) unsafe fn queue_download(
        &self,
        memory: &HostMemory,
        from: *const c_void,
        stream: &RawStream,
    ) -> Result<()> {
        let (to, bytes) = (memory.start.as_ptr(), memory.bytes);
        let kind = ACL_MEMCPY_DEVICE_TO_HOST;
        // SAFETY: the target is live memory of that size; the caller vouches for the rest.
        self.notes.copy("device to host, queued", bytes, || unsafe {
            call_in!(self, aclrtMemcpyAsync(to, bytes, from, bytes, kind, stream.as_raw()))
        })
    }
}

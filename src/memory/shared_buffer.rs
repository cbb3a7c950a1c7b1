//! The shared handle of a buffer: a tensor and its views hold one each, and the last one returns the memory.

use std::ffi::c_void;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::buffer::Buffer;
use crate::acl::Bound;
use crate::error::Result;
use crate::stream::Stream;

/// The number of host allocations that are kept for the buffers of a device.
const MOST: usize = 4096;

/// Buffers that have ended and have no home; their host allocations are used again. They belong to no device, but each
/// device has a list of its own, by its ordinal, so that devices do not wait for each other. Beyond 16 devices share.
static PLACES: [Places; 16] = [const { Places(Mutex::new(Vec::new())) }; 16];

/// A list, in cache lines of its own: otherwise threads that use two devices would wait for the same line.
#[repr(align(128))]
struct Places(Mutex<Vec<Arc<Buffer>>>);

impl Places {
    /// Returns the list for the buffers of `home`.
    fn of(home: &Stream) -> Option<&'static Places> {
        PLACES.get(home.device().id() as usize % PLACES.len())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Buffer>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Frees the host allocations that are kept. They outlive their devices, but not the use of the libraries.
pub(crate) fn free_places() {
    for places in &PLACES {
        let kept = std::mem::take(&mut *places.lock());
        drop(kept);
    }
}

/// A buffer that tensors share. The last handle returns the memory to the pool, and keeps the host allocation, so that
/// making a tensor from cached memory allocates nothing.
#[derive(Debug, Clone)]
pub(crate) struct SharedBuffer(Arc<Buffer>);

impl SharedBuffer {
    /// As [`Buffer::allocate`].
    pub(crate) fn allocate(home: &Stream, bound: &Bound<'_>, bytes: usize) -> Result<SharedBuffer> {
        Ok(Self::placed(home, Buffer::allocate(home, bound, bytes)?))
    }

    /// As [`Buffer::adopt`].
    ///
    /// # Safety
    /// As for [`Buffer::adopt`].
    pub(crate) unsafe fn adopt(
        home: &Stream,
        start: *mut c_void,
        bytes: usize,
    ) -> Result<Option<SharedBuffer>> {
        // SAFETY: the caller vouches for it.
        let buffer = unsafe { Buffer::adopt(home, start, bytes)? };
        Ok(buffer.map(|buffer| Self::placed(home, buffer)))
    }

    fn placed(home: &Stream, buffer: Buffer) -> SharedBuffer {
        let mut place = Places::of(home).and_then(|places| places.lock().pop()).unwrap_or_default();
        // The handle that returned the host allocation may not have released it yet.
        match Arc::get_mut(&mut place) {
            Some(ended) => *ended = buffer,
            None => place = Arc::new(buffer),
        }
        SharedBuffer(place)
    }

    /// Returns the memory to the pool and reports what failed, or gives the handle back if other handles share the
    /// buffer.
    pub(crate) fn close(mut self) -> Result<Result<()>, SharedBuffer> {
        self.end().map(|(_, ended)| ended).ok_or(self)
    }

    #[inline]
    pub(crate) fn is(&self, other: &SharedBuffer) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Returns the number of other handles.
    pub(crate) fn others(&self) -> usize {
        Arc::strong_count(&self.0).saturating_sub(1)
    }

    /// Ends the buffer if no other handle shares it. The handle must not be used afterwards.
    fn end(&mut self) -> Option<(Stream, Result<()>)> {
        let (home, ended) = Arc::get_mut(&mut self.0)?.end()?;
        if let Some(mut places) = Places::of(&home).map(Places::lock)
            && places.len() < MOST
        {
            places.push(self.0.clone());
        }
        Some((home, ended))
    }
}

impl Deref for SharedBuffer {
    type Target = Buffer;

    #[inline]
    fn deref(&self) -> &Buffer {
        &self.0
    }
}

impl Drop for SharedBuffer {
    fn drop(&mut self) {
        // If two handles are dropped at once, neither may be recognised as the last one. Then the buffer ends in its
        // own drop.
        if let Some((home, ended)) = self.end() {
            home.device().defer("a tensor", ended);
        }
    }
}

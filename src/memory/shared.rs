//! The handle that tensors hold.

use std::ffi::c_void;
use std::ops::Deref;
use std::sync::Arc;

use super::buffer::Buffer;
use crate::acl::Bound;
use crate::error::Result;
use crate::stream::Stream;

/// A buffer that tensors share. The last one returns its memory to the pool, and its place on the host too, so that making
/// a tensor of the pool's memory allocates nothing.
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
        let mut place = home.device().pool().place().unwrap_or_default();
        // Who left the place may not have let go of it yet.
        match Arc::get_mut(&mut place) {
            Some(ended) => *ended = buffer,
            None => place = Arc::new(buffer),
        }
        SharedBuffer(place)
    }

    /// Returns the memory and tells what failed, or gives the handle back if others share the buffer.
    pub(crate) fn close(mut self) -> Result<Result<()>, SharedBuffer> {
        self.end().map(|(_, ended)| ended).ok_or(self)
    }

    pub(crate) fn is(&self, other: &SharedBuffer) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Number of other handles.
    pub(crate) fn others(&self) -> usize {
        Arc::strong_count(&self.0).saturating_sub(1)
    }

    /// Ends the buffer if nobody shares it. The handle must not be used any more.
    fn end(&mut self) -> Option<(Stream, Result<()>)> {
        let (home, ended) = Arc::get_mut(&mut self.0)?.end()?;
        home.device().pool().keep(self.0.clone());
        Some((home, ended))
    }
}

impl Deref for SharedBuffer {
    type Target = Buffer;

    fn deref(&self) -> &Buffer {
        &self.0
    }
}

impl Drop for SharedBuffer {
    fn drop(&mut self) {
        // Where two are dropped at once, neither may be found to be the last. Then the buffer ends by itself.
        if let Some((home, ended)) = self.end() {
            home.device().defer("a tensor", ended);
        }
    }
}

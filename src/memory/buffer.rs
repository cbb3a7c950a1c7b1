//! Device memory in use.

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::host_zeros;
use super::uses::Uses;
use crate::acl::{Bound, Memory, Part};
use crate::error::{Error, Result};
use crate::fork;
use crate::pool::Lent;
use crate::stream::Stream;
use crate::stream_core::StreamCore;

/// Device memory of one or more tensors, or of a call.
#[derive(Debug, Default)]
pub(crate) struct Buffer {
    /// `None` when the buffer has ended, as is its home.
    lent: Option<Lent>,
    uses: RwLock<Uses>,
    /// The stream that may use the buffer without locking its uses, as these would not change: twice its number, and one
    /// more if it may write too; 0 if there is none. Such work is queued while the executors of the stream are locked.
    entrusted: AtomicU64,
    home: Option<Stream>,
}

impl Buffer {
    /// Allocates memory for at least `bytes`, in the order of `home`; its contents are not defined.
    pub(crate) fn allocate(home: &Stream, bound: &Bound<'_>, bytes: usize) -> Result<Buffer> {
        let (core, device) = (home.core(), home.device());
        core.check()?;
        let lent = device.pool().take(core, device.streams(), bound, bytes)?;
        // No work was queued since a capture began, which waits for the work before.
        let busy = !core.is_captured() && !core.has_passed(lent.moment());
        let uses = RwLock::new(Uses::after(busy.then_some(core)));
        Ok(Buffer::new(lent, uses, home))
    }

    /// Takes over memory that other code allocated; returns `None` for null.
    ///
    /// # Safety
    /// `start` is live memory of the device of `home` with that many bytes, from `aclrtMalloc`, which leaves some more
    /// behind them. No queued work uses it and no other code frees it.
    pub(super) unsafe fn adopt(home: &Stream, start: *mut c_void, bytes: usize) -> Result<Option<Buffer>> {
        // SAFETY: the caller vouches for it.
        let Some(memory) = (unsafe { Memory::adopt(start, bytes) }) else { return Ok(None) };
        let lent = home.device().pool().adopt(home.core(), memory)?;
        Ok(Some(Buffer::new(lent, RwLock::default(), home)))
    }

    fn new(lent: Lent, uses: RwLock<Uses>, home: &Stream) -> Buffer {
        Buffer { lent: Some(lent), uses, entrusted: AtomicU64::new(0), home: Some(home.clone()) }
    }

    /// Returns the stream in whose order the memory is returned.
    #[inline]
    pub(crate) fn home(&self) -> &Stream {
        // SAFETY: `allocate` always sets the home. `end` takes it only when no other handle shares the buffer, and the
        // buffer is being dropped, or its last handle is and keeps it as a place for another buffer. No reference to a
        // place is lent.
        unsafe { self.home.as_ref().unwrap_unchecked() }
    }

    /// Returns the device address at which the buffer begins.
    #[inline]
    pub(crate) fn address(&self) -> *mut c_void {
        self.lent.as_ref().map_or(ptr::null_mut(), |lent| lent.memory().start().as_ptr())
    }

    /// Locks the buffer to launch work that reads it.
    pub(crate) fn lock_to_read(&self) -> RwLockReadGuard<'_, Uses> {
        let uses = self.uses.read().unwrap_or_else(PoisonError::into_inner);
        // Others may read meanwhile.
        if self.entrusted.load(Ordering::Acquire) & 1 == 1 {
            self.revoke(&uses);
        }
        uses
    }

    /// Locks the buffer to launch work that writes it.
    pub(crate) fn lock_to_write(&self) -> RwLockWriteGuard<'_, Uses> {
        let uses = self.uses.write().unwrap_or_else(PoisonError::into_inner);
        if self.entrusted.load(Ordering::Acquire) != 0 {
            self.revoke(&uses);
        }
        uses
    }

    /// Lets no stream use the buffer without the lock any more, and waits until such work is queued.
    #[cold]
    fn revoke(&self, uses: &Uses) {
        loop {
            let entrusted = self.entrusted.load(Ordering::Acquire);
            if entrusted == 0 {
                return;
            }
            let stream = uses.stream(entrusted >> 1);
            // A stream that has ended queues nothing.
            let _none_is_launching = stream.as_ref().map(|stream| stream.executors.lock());
            let revoked = self.entrusted.compare_exchange(entrusted, 0, Ordering::AcqRel, Ordering::Acquire);
            if revoked.is_ok() {
                return;
            }
        }
    }

    /// Lets a stream read the buffer without the lock from now on, which is held to read, after the stream was put in order.
    pub(crate) fn entrust_to_read(&self, _uses: &Uses, stream: &StreamCore) {
        // One stream at a time: any other one would first have to be revoked.
        if self.entrusted.load(Ordering::Relaxed) == 0 {
            let new = stream.id() << 1;
            let _ = self.entrusted.compare_exchange(0, new, Ordering::AcqRel, Ordering::Relaxed);
        }
    }

    /// Lets a stream read and write the buffer without the lock from now on, which is held to write, after the stream was put
    /// in order.
    pub(crate) fn entrust_to_write(&self, _uses: &mut Uses, stream: &StreamCore) {
        self.entrusted.store(stream.id() << 1 | 1, Ordering::Release);
    }

    /// Returns whether a stream, whose executors are locked, may use the buffer without the lock.
    #[inline]
    pub(crate) fn is_entrusted_to(&self, stream: u64, writes: bool) -> bool {
        let entrusted = self.entrusted.load(Ordering::Acquire);
        entrusted >> 1 == stream && (entrusted & 1 == 1 || !writes)
    }

    /// Waits for all queued work on the buffer.
    #[cfg(feature = "dlpack")]
    pub(crate) fn wait(&self, bound: &Bound<'_>) -> Result<()> {
        self.home().core().must_not_be_captured("reading elements")?;
        let mut uses = self.lock_to_write();
        uses.end(bound)?;
        *uses = Uses::default();
        Ok(())
    }

    /// Copies bytes to `offset`, after waiting for all queued work on the buffer.
    pub(crate) fn upload(&self, bound: &Bound<'_>, offset: usize, bytes: &[u8]) -> Result<()> {
        let mut uses = self.lock_to_write();
        uses.end(bound)?;
        let memory = self.range(offset, bytes.len())?;
        // SAFETY: the range lies in the buffer; its streams were waited for, and the lock keeps new work away.
        unsafe { bound.upload(memory, offset, bytes)? };
        *uses = Uses::default();
        Ok(())
    }

    /// Copies `len` bytes from `offset`, after waiting for queued work that writes the buffer.
    pub(crate) fn download(&self, bound: &Bound<'_>, offset: usize, len: usize) -> Result<Vec<u8>> {
        self.range(offset, len)?;
        // Zeros first: an incomplete copy must not leave host memory uninitialised.
        let mut bytes = host_zeros(len)?;
        self.download_to(bound, offset, &mut bytes)?;
        Ok(bytes)
    }

    /// Copies bytes from `offset` to the host, after waiting for queued work that writes the buffer.
    pub(crate) fn download_to(&self, bound: &Bound<'_>, offset: usize, bytes: &mut [u8]) -> Result<()> {
        self.home().core().must_not_be_captured("reading elements")?;
        let uses = self.lock_to_read();
        uses.end_of_writes(bound)?;
        let memory = self.range(offset, bytes.len())?;
        // SAFETY: the range lies in the buffer; its writer was waited for, and the lock keeps new writers away.
        unsafe { bound.download(memory, offset, bytes) }
    }

    /// Copies `len` bytes from `offset`, after waiting for queued work that writes the buffer, in blocks of `block` bytes
    /// and a rest. `take` gets each block. No other work writes the buffer meanwhile.
    pub(crate) fn download_blocks(
        &self,
        bound: &Bound<'_>,
        offset: usize,
        len: usize,
        block: usize,
        mut take: impl FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        self.home().core().must_not_be_captured("reading elements")?;
        let uses = self.lock_to_read();
        uses.end_of_writes(bound)?;
        let memory = self.range(offset, len)?;
        let mut bytes = host_zeros(len.min(block))?;
        let mut done = 0;
        while done < len {
            let part = bytes.get_mut(..block.min(len - done)).unwrap_or_default();
            // SAFETY: the range lies in the buffer; its writer was waited for, and the lock keeps new writers away.
            unsafe { bound.download(memory, offset + done, part)? };
            done += part.len();
            take(part)?;
        }
        Ok(())
    }

    /// Returns the memory, if it has these bytes.
    fn range(&self, offset: usize, len: usize) -> Result<&Part> {
        let memory = self.lent.as_ref().map(Lent::memory);
        memory
            .filter(|memory| offset.checked_add(len).is_some_and(|end| end <= memory.bytes()))
            .ok_or(Error::Internal { what: "a copy beyond its buffer" })
    }

    /// Returns the memory to the pool; it is free when all work that uses it is done. Returns the home and what failed,
    /// or `None` if the buffer has ended before.
    pub(super) fn end(&mut self) -> Option<(Stream, Result<()>)> {
        if fork::is_forked() {
            return None;
        }
        let (lent, home) = (self.lent.take()?, self.home.take()?);
        let uses = std::mem::take(self.uses.get_mut().unwrap_or_else(PoisonError::into_inner));
        let (core, device) = (home.core(), home.device());
        // Work of a stream that is captured now was waited for when the capture began.
        let mut others = uses.others(core);
        others.retain(|other| !other.is_captured());
        let ordered = if core.is_captured() {
            None
        } else if others.is_empty() {
            Some(Ok(()))
        } else {
            let after = |bound| others.iter().try_for_each(|other| core.wait_for(other, &bound));
            // Where the context cannot be made current, for example while a thread ends, streams may not be put in
            // order.
            device.bind_to_drop().ok().map(after)
        };
        // This is safe without the order: the memory is not used again before the device was synchronised.
        device.pool().give(lent, matches!(ordered, Some(Ok(()))).then_some(core));
        Some((home, ordered.unwrap_or(Ok(()))))
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if let Some((home, ended)) = self.end() {
            home.device().defer("a tensor", ended);
        }
    }
}

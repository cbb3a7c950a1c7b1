//! Device memory: buffers that know which streams use them, and a pool that takes them back in the order of a stream.
//!
//! A buffer belongs to the stream it was allocated for. When its last tensor goes, that stream waits for every other
//! one that used it, and the memory returns to the pool: work queued later on the same stream may have it at once. It is
//! freed only after the device was synchronised.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use smallvec::SmallVec;

use crate::acl::{Bound, Memory};
use crate::error::{Error, Result};
use crate::process;
use crate::stream::{Stream, StreamCore, Streams};

/// Memory of a device that no buffer has at the moment.
#[derive(Default)]
pub(crate) struct Pool {
    free: Mutex<HashMap<(u64, usize), Vec<Block>>>,
}

/// Memory that is free in the order of a stream.
struct Block {
    memory: Memory,
    /// The moment on that stream after which nothing touches it.
    moment: u64,
}

/// In place of a stream's number: free for every stream.
const EVERYBODY: u64 = 0;

/// In place of a stream's number: free when the device was synchronised.
const NOBODY: u64 = u64::MAX;

/// Sizes up to here are rounded to powers of two, larger ones to multiples of it.
const STEP: usize = 2 << 20;
const SMALLEST: usize = 512;

fn rounded(bytes: usize) -> Option<usize> {
    if bytes <= STEP {
        Some(bytes.max(SMALLEST).next_power_of_two())
    } else {
        bytes.checked_next_multiple_of(STEP)
    }
}

/// Memory of the host, or an error where it has too little.
pub(crate) fn host_zeros(bytes: usize) -> Result<Vec<u8>> {
    bytemuck::allocation::try_zeroed_vec(bytes).map_err(|()| Error::HostMemory { bytes })
}

impl Pool {
    fn lock(&self) -> MutexGuard<'_, HashMap<(u64, usize), Vec<Block>>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, stream: u64, size: usize) -> Option<Block> {
        let mut free = self.lock();
        [stream, EVERYBODY].into_iter().find_map(|whose| free.get_mut(&(whose, size))?.pop())
    }

    fn give(&self, stream: u64, block: Block) {
        self.lock().entry((stream, block.memory.bytes())).or_default().push(block);
    }

    /// A stream is gone and has passed all its work: what was free in its order is free for everybody.
    pub(crate) fn share(&self, stream: u64) {
        let mut free = self.lock();
        let sizes: SmallVec<[usize; 16]> =
            free.keys().filter(|(whose, _)| *whose == stream).map(|(_, size)| *size).collect();
        for size in sizes {
            let blocks = free.remove(&(stream, size)).unwrap_or_default();
            let blocks = blocks.into_iter().map(|block| Block { moment: 0, ..block });
            free.entry((EVERYBODY, size)).or_default().extend(blocks);
        }
    }

    /// Waits for the device and frees everything. All of it is tried; the first failure is reported, but not that of work,
    /// which its stream keeps.
    pub(crate) fn trim(&self, streams: &Streams, bound: &Bound<'_>) -> Result<()> {
        let blocks = std::mem::take(&mut *self.lock());
        if let Err(error) = streams.idle(bound) {
            // Still free in the order of the streams, but nobody knows what runs.
            for ((stream, _), block) in
                blocks.into_iter().flat_map(|(key, blocks)| blocks.into_iter().map(move |b| (key, b)))
            {
                self.give(stream, block);
            }
            return Err(error);
        }
        let mut result = Ok(());
        for block in blocks.into_values().flatten() {
            // SAFETY: the device has finished everything that was queued before the block became free.
            result = result.and(unsafe { bound.free(block.memory) });
        }
        result
    }
}

/// Device memory of one or more tensors.
#[derive(Debug)]
pub(crate) struct Buffer {
    /// `None` only while the buffer ends.
    memory: Option<Memory>,
    uses: RwLock<Uses>,
    home: Stream,
}

/// Which streams hold work on a buffer. Who launches work holds the lock until it is queued: for reading, or for writing.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    /// The last stream that wrote. `None` if the host did, and waited.
    writer: Option<Arc<StreamCore>>,
    /// Streams that come after the writer and have read since.
    readers: Mutex<SmallVec<[Arc<StreamCore>; 2]>>,
}

impl Buffer {
    /// Memory for at least `bytes`, in the order of `home`; its contents are not defined.
    pub(crate) fn allocate(home: &Stream, bound: &Bound<'_>, bytes: usize) -> Result<Buffer> {
        home.core().check()?;
        let device = home.device();
        let pool = device.pool();
        let exhausted = |error| match error {
            Error::Library(cause) if cause.is_out_of_memory() => {
                let (free, total) = bound.memory_info().unwrap_or_default();
                Error::OutOfMemory { device: device.id(), requested: bytes, free, total, cause }
            }
            error => error,
        };
        let size = rounded(bytes).unwrap_or(bytes);
        let block = match pool.take(home.id(), size) {
            Some(block) => block,
            None => {
                let fresh = bound.allocate(size).or_else(|error| match error {
                    Error::Library(cause) if cause.is_out_of_memory() => {
                        pool.trim(device.streams(), bound)?;
                        bound.allocate(size)
                    }
                    error => Err(error),
                });
                Block { memory: fresh.map_err(exhausted)?, moment: 0 }
            }
        };
        let idle = home.core().has_passed(block.moment);
        // Work of the block's earlier life counts as written by this stream.
        let uses = Uses { writer: (!idle).then(|| home.core().clone()), readers: Mutex::default() };
        Ok(Buffer { memory: Some(block.memory), uses: RwLock::new(uses), home: home.clone() })
    }

    pub(crate) fn home(&self) -> &Stream {
        &self.home
    }

    /// Where it begins, for the device.
    pub(crate) fn address(&self) -> *mut std::ffi::c_void {
        self.memory.as_ref().map_or(std::ptr::null_mut(), |memory| memory.start().as_ptr())
    }

    /// To launch work that reads.
    pub(crate) fn lock_to_read(&self) -> RwLockReadGuard<'_, Uses> {
        self.uses.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// To launch work that writes.
    pub(crate) fn lock_to_write(&self) -> RwLockWriteGuard<'_, Uses> {
        self.uses.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Copies bytes to `offset`, when no queued work uses the buffer any more.
    pub(crate) fn upload(&self, bound: &Bound<'_>, offset: usize, bytes: &[u8]) -> Result<()> {
        let mut uses = self.lock_to_write();
        uses.end(bound)?;
        let memory = self.range(offset, bytes.len())?;
        // SAFETY: the range lies in the buffer; its streams were waited for, and the lock keeps new work away.
        unsafe { bound.upload(memory, offset, bytes)? };
        *uses = Uses::default();
        Ok(())
    }

    /// Copies `len` bytes from `offset`, when no queued work writes the buffer any more.
    pub(crate) fn download(&self, bound: &Bound<'_>, offset: usize, len: usize) -> Result<Vec<u8>> {
        let uses = self.lock_to_read();
        uses.end_of_writes(bound)?;
        let memory = self.range(offset, len)?;
        // Zeros first: an incomplete copy must not leave memory that was never written.
        let mut bytes = host_zeros(len)?;
        // SAFETY: the range lies in the buffer; its writer was waited for, and the lock keeps new writers away.
        unsafe { bound.download(memory, offset, &mut bytes)? };
        Ok(bytes)
    }

    /// The memory, if it has these bytes.
    fn range(&self, offset: usize, len: usize) -> Result<&Memory> {
        let memory = self.memory.as_ref();
        memory
            .filter(|memory| offset.checked_add(len).is_some_and(|end| end <= memory.bytes()))
            .ok_or(Error::Internal { what: "a copy beyond its buffer" })
    }

    fn end(&mut self) {
        if process::is_forked() {
            return;
        }
        let Some(memory) = self.memory.take() else { return };
        let uses = std::mem::take(self.uses.get_mut().unwrap_or_else(PoisonError::into_inner));
        let (home, device) = (self.home.core(), self.home.device());
        let mut others = uses.others(home).peekable();
        let ordered = if others.peek().is_none() {
            Ok(())
        } else {
            device.bind_to_drop().and_then(|bound| others.try_for_each(|other| home.wait_for(&other, &bound)))
        };
        let (stream, moment) = match ordered {
            Ok(()) => (home.id(), home.moment()),
            // As while a thread ends. Nothing is lost by it: nobody has the memory before the device was synchronised.
            Err(_) => (NOBODY, 0),
        };
        device.pool().give(stream, Block { memory, moment });
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        self.end();
    }
}

impl Uses {
    /// Makes `stream` come after the last writer, whose results it uses, and notes that it reads.
    pub(crate) fn read_on(&self, stream: &Arc<StreamCore>, bound: &Bound<'_>) -> Result<()> {
        if self.writer.as_ref() == Some(stream) {
            return Ok(());
        }
        let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        if !readers.contains(stream) {
            if let Some(writer) = &self.writer {
                stream.follow(writer, bound)?;
            }
            readers.push(stream.clone());
        }
        Ok(())
    }

    /// Makes `stream` come after everything, and notes that it writes.
    pub(crate) fn write_on(&mut self, stream: &Arc<StreamCore>, bound: &Bound<'_>) -> Result<()> {
        if let Some(writer) = self.writer.as_ref().filter(|&writer| writer != stream) {
            // What it does not overwrite stays.
            stream.follow(writer, bound)?;
        }
        self.others(stream)
            .filter(|other| self.writer.as_ref() != Some(other))
            .try_for_each(|other| stream.wait_for(&other, bound))?;
        if self.writer.as_ref() != Some(stream) {
            self.writer = Some(stream.clone());
        }
        self.readers.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
        Ok(())
    }

    /// Streams but `stream` that hold work on the buffer.
    fn others(&self, stream: &Arc<StreamCore>) -> impl Iterator<Item = Arc<StreamCore>> {
        let readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        let all: SmallVec<[Arc<StreamCore>; 3]> =
            self.writer.iter().chain(readers.iter()).filter(|&o| o != stream).cloned().collect();
        all.into_iter()
    }

    /// Waits for the work that writes the buffer.
    pub(crate) fn end_of_writes(&self, bound: &Bound<'_>) -> Result<()> {
        self.writer.as_ref().map_or(Ok(()), |writer| writer.synchronize(bound))
    }

    /// Waits for all work on the buffer. A reader that failed has changed nothing.
    pub(crate) fn end(&self, bound: &Bound<'_>) -> Result<()> {
        self.end_of_writes(bound)?;
        let readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        readers.iter().try_for_each(|reader| reader.idle(bound))
    }
}

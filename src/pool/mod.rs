//! The pool of memory that is held on a device: it caches memory in the order of a stream.
//!
//! `class` chooses sizes, `blocks` splits and joins, and this module asks the device for more. It knows no handle:
//! [`memory`](crate::memory) lends its blocks to tensors.

mod blocks;
mod class;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use slab::Slab;

use crate::acl::{Bound, Memory, Part};
use crate::error::{CallInfo, Error, Failure, Operands, Result};
use crate::statistics::MemoryStatistics;
use crate::stream_core::{StreamCore, Streams};
use blocks::{Blocks, NOBODY, Taken};
use class::{Class, SPARE, block_size};

/// The memory of a device: segments, and which of their blocks are free.
#[derive(Debug)]
pub(crate) struct Pool {
    /// The ordinal of the device.
    device: i32,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    /// The segments, each without the bytes that the device's allocator leaves behind it.
    segments: Slab<Memory>,
    blocks: Blocks,
    /// The streams in whose order blocks became free.
    streams: BTreeMap<u64, Arc<StreamCore>>,
    /// The statistics that are counted as they change.
    counts: MemoryStatistics,
}

/// A block that a buffer uses.
#[derive(Debug)]
pub(crate) struct Lent {
    block: Taken,
    /// The part of the block that was asked for.
    memory: Part,
}

impl Lent {
    /// Returns the moment, on the stream that the block was lent for, after which no earlier work uses it.
    pub(crate) fn moment(&self) -> u64 {
        self.block.moment
    }

    pub(crate) fn memory(&self) -> &Part {
        &self.memory
    }
}

/// A request for memory.
#[derive(Clone, Copy)]
struct Request {
    order: u64,
    bytes: usize,
    /// The size of the block, in bytes.
    size: usize,
}

/// The refusal of a segment: by the library, with its failure, or because of the limit.
struct Refused(Option<Failure>);

impl Pool {
    pub(crate) fn new(device: i32) -> Self {
        Self { device, held: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes memory in the order of `home`.
    pub(crate) fn take(
        &self,
        home: &StreamCore,
        streams: &Streams,
        bound: &Bound<'_>,
        bytes: usize,
    ) -> Result<Lent> {
        let request = Request { order: home.id(), bytes, size: block_size(bytes) };
        if let Some(lent) = self.lock().reuse(request) {
            return Ok(lent);
        }
        if let Ok(lent) = self.grow(request, Class::of(request.size).segment(request.size), bound)? {
            return Ok(lent);
        }
        // A segment for this block alone may still fit.
        if let Ok(lent) = self.grow(request, request.size, bound)? {
            return Ok(lent);
        }
        match self.trim(0, streams, bound) {
            // Nothing can be waited for, and so freed.
            Err(Error::Capture { .. }) => {}
            trimmed => trimmed?,
        }
        if let Some(lent) = self.lock().find(request) {
            return Ok(lent);
        }
        self.grow(request, request.size, bound)?.map_err(|Refused(cause)| {
            let (free, total) = bound.memory_info().unwrap_or_default();
            let pool = Box::new(self.statistics());
            let call = Box::new(CallInfo { operator: "empty", operands: Operands::new([]) });
            let (device, requested) = (self.device, bytes);
            Error::OutOfMemory { call, device, requested, free, total, pool, cause }
        })
    }

    /// Adopts memory that other code allocated, as a segment of its own, lent in the order of `home`.
    pub(crate) fn adopt(&self, home: &StreamCore, memory: Memory) -> Result<Lent> {
        let (bytes, size) = (memory.bytes(), memory.bytes().saturating_add(SPARE));
        let mut held = self.lock();
        // The memory is allocated already, so the limit does not apply.
        held.counts.reserved = held.counts.reserved.saturating_add(size);
        held.add(memory, size, Request { order: home.id(), bytes, size })
    }

    /// Takes a block of a new segment of `size` bytes. The last `SPARE` bytes are not asked for, as the device's
    /// allocator leaves that many behind every allocation: so a segment of whole pages takes no extra page.
    fn grow(&self, request: Request, size: usize, bound: &Bound<'_>) -> Result<Result<Lent, Refused>> {
        if !self.lock().reserve(size) {
            return Ok(Err(Refused(None)));
        }
        // Without the lock, so that other threads can return blocks while this one waits for the device.
        match bound.allocate(size - SPARE) {
            Ok(memory) => {
                bound.notes().memory("taken from the device", size);
                self.lock().add(memory, size, request).map(Ok)
            }
            Err(error) => {
                self.lock().counts.reserved -= size;
                match error {
                    Error::Library(cause) if cause.is_out_of_memory() => Ok(Err(Refused(Some(cause)))),
                    error => Err(error),
                }
            }
        }
    }

    /// Takes memory back. It is free in the order of a stream, or otherwise when the device was synchronised.
    pub(crate) fn give(&self, lent: Lent, home: Option<&Arc<StreamCore>>) {
        let mut held = self.lock();
        let (order, moment) = home.map_or((NOBODY, u64::MAX), |home| {
            held.streams.entry(home.id()).or_insert_with(|| home.clone());
            (home.id(), home.moment())
        });
        let size = held.blocks.give(lent.block.block, order, moment);
        held.counts.live -= size;
        held.counts.live_blocks -= 1;
        held.counts.requested -= lent.memory.bytes();
    }

    /// Records that a stream has ended and passed all its work: blocks that were free in its order are free for every
    /// stream.
    pub(crate) fn share(&self, stream: u64) {
        let mut held = self.lock();
        held.blocks.end(stream);
        held.streams.remove(&stream);
    }

    /// Waits for the device and frees all segments without a block in use, as long as `keep` bytes stay cached. All
    /// steps are tried and the first failure is reported, except failures of work, which its stream keeps.
    pub(crate) fn trim(&self, keep: usize, streams: &Streams, bound: &Bound<'_>) -> Result<()> {
        // Memory that becomes free from now on may be used by work that is not waited for.
        let now = self.lock().blocks.now();
        streams.idle(bound)?;
        let segments: Vec<_> = {
            let mut held = self.lock();
            held.blocks.release(|freed| freed.since <= now);
            let segments = held.blocks.remove_segments(keep);
            segments.into_iter().filter_map(|segment| held.segments.try_remove(segment)).collect()
        };
        let mut result = Ok(());
        for memory in segments {
            let size = memory.bytes() + SPARE;
            bound.notes().memory("given back to the device", size);
            // SAFETY: the device has finished everything that was queued before its blocks became free.
            result = result.and(unsafe { bound.free(memory) });
            self.lock().counts.reserved -= size;
        }
        result
    }

    pub(crate) fn statistics(&self) -> MemoryStatistics {
        let mut held = self.lock();
        held.settle();
        let free = held.blocks.free();
        MemoryStatistics {
            cached: free.bytes,
            cached_blocks: free.blocks,
            largest_cached: free.largest,
            segments: held.segments.len(),
            ..held.counts
        }
    }

    /// Sets the peak of the bytes in use, at least to those in use now. Returns the bytes in use, and the peak before.
    pub(crate) fn swap_peak(&self, peak: usize) -> (usize, usize) {
        let counts = &mut self.lock().counts;
        let before = std::mem::replace(&mut counts.peak_live, peak.max(counts.live));
        (counts.live, before)
    }

    pub(crate) fn reset_peaks(&self) {
        let counts = &mut self.lock().counts;
        (counts.peak_live, counts.peak_reserved) = (counts.live, counts.reserved);
    }

    pub(crate) fn set_limit(&self, bytes: Option<usize>) {
        self.lock().counts.limit = bytes;
    }
}

impl Held {
    /// Takes a free block, if necessary one of another stream that is known to be done with it.
    fn reuse(&mut self, request: Request) -> Option<Lent> {
        let class = Class::of(request.size);
        let found = self.blocks.take(request.order, class, request.size);
        let block = found.or_else(|| {
            self.settle();
            self.blocks.take(request.order, class, request.size)
        })?;
        self.counts.from_cache += 1;
        self.lend(block, request)
    }

    /// Takes a free block of any class: when memory is short, small blocks are cut from large segments too.
    fn find(&mut self, request: Request) -> Option<Lent> {
        let mut classes = Class::ALL.into_iter();
        let block = classes.find_map(|class| self.blocks.take(request.order, class, request.size))?;
        self.counts.from_cache += 1;
        self.lend(block, request)
    }

    /// Makes blocks free for every stream if their streams are known to be done with them, so that they can be joined.
    fn settle(&mut self) {
        let Held { blocks, streams, .. } = self;
        blocks.release(|freed| {
            // The rest of a segment that was cut off and never taken was used by no work.
            freed.moment == 0
                || streams.get(&freed.order).is_some_and(|stream| stream.has_passed(freed.moment))
        });
    }

    /// Counts a segment that is about to be taken from the device, unless it exceeds the limit.
    fn reserve(&mut self, size: usize) -> bool {
        let counts = &mut self.counts;
        let reserved = counts.reserved.checked_add(size);
        let reserved = reserved.filter(|reserved| counts.limit.is_none_or(|limit| *reserved <= limit));
        counts.reserved = reserved.unwrap_or(counts.reserved);
        reserved.is_some()
    }

    fn add(&mut self, memory: Memory, size: usize, request: Request) -> Result<Lent> {
        let segment = self.segments.insert(memory);
        let class = Class::of(request.size);
        let counts = &mut self.counts;
        counts.peak_reserved = counts.peak_reserved.max(counts.reserved);
        counts.from_device += 1;
        let block = self.blocks.grow((segment, size), request.order, class, request.size);
        block
            .and_then(|block| self.lend(block, request))
            .ok_or(Error::Internal { what: "a block that does not lie in its segment" })
    }

    fn lend(&mut self, block: Taken, request: Request) -> Option<Lent> {
        let memory = self.segments.get(block.segment)?.part(block.offset, request.bytes)?;
        let counts = &mut self.counts;
        counts.live += block.size;
        counts.live_blocks += 1;
        counts.requested += request.bytes;
        counts.peak_live = counts.peak_live.max(counts.live);
        Some(Lent { block, memory })
    }
}

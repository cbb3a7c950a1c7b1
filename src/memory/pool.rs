//! The memory that is held of a device.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use slab::Slab;

use super::MemoryStatistics;
use super::blocks::{Blocks, NOBODY, Taken};
use super::buffer::Buffer;
use super::class::{Class, SPARE, block_size};
use crate::acl::{Bound, Memory, Part};
use crate::error::{CallInfo, Error, Failure, Operands, Result};
use crate::stream::{Stream, StreamCore, Streams};

/// Places on the host that are kept for buffers.
const PLACES: usize = 4096;

/// Memory of a device: segments, and which blocks of them are free.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    held: Mutex<Held>,
    /// Buffers that have ended, and have no home.
    places: Mutex<Vec<Arc<Buffer>>>,
}

#[derive(Debug, Default)]
struct Held {
    /// Each without the bytes that the device's allocator leaves behind it.
    segments: Slab<Memory>,
    blocks: Blocks,
    /// Those in whose order blocks became free.
    streams: BTreeMap<u64, Arc<StreamCore>>,
    /// What is counted as it comes about.
    counts: MemoryStatistics,
}

/// A block that a buffer has.
#[derive(Debug)]
pub(super) struct Lent {
    block: Taken,
    /// As many bytes of it as were asked for.
    memory: Part,
}

impl Lent {
    /// The moment on the stream it was lent for after which nothing touches it.
    pub(super) fn moment(&self) -> u64 {
        self.block.moment
    }

    pub(super) fn memory(&self) -> &Part {
        &self.memory
    }
}

/// What is asked for.
#[derive(Clone, Copy)]
struct Request {
    order: u64,
    bytes: usize,
    /// Of the block.
    size: usize,
}

/// A segment that was refused, by the library or for the limit.
struct Refused(Option<Failure>);

impl Pool {
    fn lock(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Memory in the order of `home`.
    pub(super) fn take(&self, home: &Stream, bound: &Bound<'_>, bytes: usize) -> Result<Lent> {
        let request = Request { order: home.id(), bytes, size: block_size(bytes) };
        if let Some(lent) = self.lock().reuse(request) {
            return Ok(lent);
        }
        let device = home.device();
        if let Ok(lent) = self.grow(request, Class::of(request.size).segment(request.size), bound)? {
            return Ok(lent);
        }
        // A segment for this block alone may still fit.
        if let Ok(lent) = self.grow(request, request.size, bound)? {
            return Ok(lent);
        }
        self.trim(0, device.streams(), bound)?;
        if let Some(lent) = self.lock().find(request) {
            return Ok(lent);
        }
        self.grow(request, request.size, bound)?.map_err(|Refused(cause)| {
            let (free, total) = bound.memory_info().unwrap_or_default();
            let pool = Box::new(self.statistics());
            let call = Box::new(CallInfo { operator: "empty", operands: Operands::new([]) });
            let (device, requested) = (device.id(), bytes);
            Error::OutOfMemory { call, device, requested, free, total, pool, cause }
        })
    }

    /// Memory that others have allocated, as a segment of its own, lent in the order of `home`.
    pub(super) fn adopt(&self, home: &Stream, memory: Memory) -> Result<Lent> {
        let (bytes, size) = (memory.bytes(), memory.bytes().saturating_add(SPARE));
        let mut held = self.lock();
        // It is there already, so no limit keeps it away.
        held.counts.reserved = held.counts.reserved.saturating_add(size);
        held.add(memory, size, Request { order: home.id(), bytes, size })
    }

    /// A block of a new segment of `size` bytes. The last of them are not asked for, as the device's allocator leaves as many
    /// behind every allocation: so a segment of whole pages takes no page more.
    fn grow(&self, request: Request, size: usize, bound: &Bound<'_>) -> Result<Result<Lent, Refused>> {
        if !self.lock().reserve(size) {
            return Ok(Err(Refused(None)));
        }
        // Without the lock: nobody who has a block to give back waits for the device.
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

    /// Takes memory back that is free in the order of a stream, or else when the device was synchronised.
    pub(super) fn give(&self, lent: Lent, home: Option<&Arc<StreamCore>>) {
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

    /// A stream is gone and has passed all its work: what was free in its order is free for everybody.
    pub(crate) fn share(&self, stream: u64) {
        let mut held = self.lock();
        held.blocks.end(stream);
        held.streams.remove(&stream);
    }

    /// Waits for the device and frees all segments that nobody has a block of, as long as `keep` bytes stay cached. All of it
    /// is tried; the first failure is reported, but not that of work, which its stream keeps.
    pub(crate) fn trim(&self, keep: usize, streams: &Streams, bound: &Bound<'_>) -> Result<()> {
        // What becomes free from now on may be used by work that is not waited for.
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

    pub(super) fn statistics(&self) -> MemoryStatistics {
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

    pub(super) fn reset_peaks(&self) {
        let counts = &mut self.lock().counts;
        (counts.peak_live, counts.peak_reserved) = (counts.live, counts.reserved);
    }

    pub(super) fn set_limit(&self, bytes: Option<usize>) {
        self.lock().counts.limit = bytes;
    }

    fn places(&self) -> MutexGuard<'_, Vec<Arc<Buffer>>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a buffer.
    pub(super) fn place(&self) -> Option<Arc<Buffer>> {
        self.places().pop()
    }

    /// Keeps the place of a buffer that has ended.
    pub(super) fn keep(&self, place: Arc<Buffer>) {
        let mut places = self.places();
        if places.len() < PLACES {
            places.push(place);
        }
    }
}

impl Held {
    /// A free block, if need be one of another stream that is known to be done with it.
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

    /// A free block of any class: when memory is short, small blocks are cut from large segments too.
    fn find(&mut self, request: Request) -> Option<Lent> {
        let mut classes = Class::ALL.into_iter();
        let block = classes.find_map(|class| self.blocks.take(request.order, class, request.size))?;
        self.counts.from_cache += 1;
        self.lend(block, request)
    }

    /// Lets blocks that their streams are known to be done with be free for everybody, so that they join.
    fn settle(&mut self) {
        let Held { blocks, streams, .. } = self;
        blocks.release(|freed| {
            // Nothing has used what was cut from a segment and never taken.
            freed.moment == 0
                || streams.get(&freed.order).is_some_and(|stream| stream.has_passed(freed.moment))
        });
    }

    /// Counts a segment that is about to be taken from the device, unless that is beyond the limit.
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

//! The allocations of one device: its addresses, the memory behind them, and who has what of it.

use std::collections::BTreeMap;
use std::hint;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, TryLockError};

use super::freed_pages::FreedPages;
use super::heap::{self, Block, Heap};
use super::host_access::{Find, Hit, Watch};
use super::window::{LARGE_PAGE, Window};
use crate::check::live_objects::{self, Live};
use crate::check::tracker;
use crate::misuse::Check;
use crate::runtime::{code, product};
use crate::status::{Result, Status};
use crate::sync::{Mutex, MutexGuard};

/// Alignment of every allocation: what CANN asks the driver for.
const ALIGNMENT: usize = 512;

/// CANN rounds the size of an allocation up to this; most products have some bytes to spare behind it.
const ROUNDING: usize = 32;

/// The pages of freed blocks from this size on are counted; those of smaller ones stay, whatever their number.
const KEEP_FROM: usize = 256 << 10;

/// The system may take the pages of freed blocks from this size on when it is short of memory. Smaller ones are not worth the
/// call.
const LEND_FROM: usize = 16 << 20;

/// So many bytes of freed blocks are kept at least, and half of the most that was in use.
const KEPT: usize = 256 << 20;

/// How many freed blocks are remembered, to tell a use of them from a use of an address that was never allocated.
const REMEMBERED: usize = 4096;

/// How often a signal handler tries to take the lock.
const PATIENCE: usize = 10_000;

/// The bytes before host memory in which the allocators of the host keep their header.
const HEADER: usize = 16;

/// The allocations of a device.
#[derive(Debug)]
pub(crate) struct Allocations {
    pub(super) device: i32,
    pub(super) total: usize,
    window: Window,
    ledger: Mutex<Ledger>,
    /// Reports what the host accesses, while memory is allocated.
    watch: Watch,
}

/// The allocated part of a device's memory.
#[derive(Debug)]
struct Ledger {
    heap: Heap,
    /// The start and end of blocks that were freed and not allocated again.
    freed: BTreeMap<usize, usize>,
    /// Freed memory whose pages are kept.
    kept: FreedPages,
    /// Bytes of physical memory handles.
    physical: usize,
    peak: usize,
}

impl Ledger {
    fn used(&self) -> usize {
        self.heap.taken() + self.physical
    }

    /// The start of the freed block that held `offset`.
    fn freed_start(&self, offset: usize) -> Option<usize> {
        let (&start, &end) = self.freed.range(..=offset).next_back()?;
        (offset < end).then_some(start)
    }

    /// Returns whether `offset` was in a block that was freed.
    fn was_freed(&self, offset: usize) -> bool {
        self.freed_start(offset).is_some()
    }

    fn note_freed(&mut self, block: Block) {
        if self.freed.len() == REMEMBERED {
            self.freed.pop_first();
        }
        self.freed.insert(block.start, block.start + block.reserved);
    }

    fn note_taken(&mut self, block: Block) {
        let end = block.start + block.reserved;
        while let Some((&start, &freed_end)) = self.freed.range(..end).next_back() {
            if freed_end <= block.start {
                break;
            }
            self.freed.remove(&start);
        }
    }

    fn note_peak(&mut self) {
        self.peak = self.peak.max(self.used());
    }
}

/// How many allocations ended, on all devices: while it does not change, an address that was found stays valid.
static LOSSES: AtomicU64 = AtomicU64::new(0);

#[inline]
pub(crate) fn losses() -> u64 {
    LOSSES.load(Ordering::Acquire)
}

/// The locked memory of a device, in which nothing is allocated or freed in the meantime.
#[derive(Debug)]
pub(crate) struct Held<'a> {
    memory: &'a Allocations,
    ledger: MutexGuard<'a, Ledger>,
}

impl Held<'_> {
    /// Where the bytes of `[address, address + len)` are; `None` when the device never hands out the address.
    pub(crate) fn find(&self, address: usize, len: usize) -> Option<Result<*mut u8>> {
        let offset = self.memory.window.offset(address)?;
        Some(self.memory.find_in(&self.ledger, offset, address, len))
    }
}

/// How much of a device's memory is in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Usage {
    pub(crate) total: usize,
    pub(crate) used: usize,
    pub(crate) peak: usize,
}

impl Allocations {
    /// Reserves the addresses. `find` says what is at an address of any device.
    pub(super) fn reserve(device: i32, total: usize, find: Find) -> Result<Self> {
        // Gaps before blocks that begin with a page take none of the memory.
        let window = Window::reserve(total.saturating_add(total / heap::PAGES))
            .map_err(|why| refused(device, total, &why))?;
        let heap = Heap::new(window.len(), ALIGNMENT, LARGE_PAGE);
        let ledger = Mutex::new(Ledger {
            heap,
            freed: BTreeMap::new(),
            kept: FreedPages::default(),
            physical: 0,
            peak: 0,
        });
        Ok(Allocations { device, total, window, ledger, watch: Watch::new(find) })
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn usage(&self) -> Usage {
        let ledger = self.ledger();
        Usage { total: self.total, used: ledger.used(), peak: ledger.peak }
    }

    /// Allocates `bytes`, which is not 0, and returns the address. `padded` adds CANN's spare bytes after them.
    pub(crate) fn allocate(&self, bytes: usize, padded: bool) -> Result<usize> {
        let mut ledger = self.ledger();
        let padding = if padded { product::emulated().padding } else { 0 };
        let rounded = bytes.checked_next_multiple_of(ROUNDING);
        let taken = rounded.and_then(|rounded| rounded.checked_add(padding)).and_then(|spare| {
            let cost = ledger.heap.cost(spare)?;
            let fits = cost <= self.total.saturating_sub(ledger.used());
            fits.then(|| ledger.heap.take(bytes, spare)).flatten()
        });
        let Some(block) = taken else { return Err(self.exhausted(&ledger, bytes)) };
        if let Err(why) = self.window.grow(block.start + block.reserved) {
            ledger.heap.give(block.start);
            return Err(refused(self.device, bytes, &why));
        }
        ledger.note_peak();
        ledger.note_taken(block);
        ledger.kept.remove(block.start, block.start + block.reserved);
        self.watch.begin();
        let address = self.window.start() + block.start;
        // Under the lock, so that the history of an address follows its allocations.
        tracker::born(address, bytes);
        live_objects::made(address, false);
        Ok(address)
    }

    /// Frees the allocation that starts at `address`. `None` when the address is not this memory's.
    pub(crate) fn free(&self, address: usize) -> Option<Result> {
        let offset = self.window.offset(address)?;
        let mut ledger = self.ledger();
        if let Some(block) = ledger.heap.holding(offset)
            && block.start == offset
            && let Err(refused) = tracker::may_go(address, code::PARAM_INVALID, "was not freed")
        {
            return Some(Err(refused));
        }
        let Some(block) = ledger.heap.give(offset) else {
            let freed = ledger.freed.contains_key(&offset);
            let check = if freed { Check::DoubleFree } else { Check::ForeignPointer };
            let message = match ledger.heap.holding(offset) {
                Some(block) => format!(
                    "{address:#x} lies {} bytes inside {}; pass its start",
                    offset - block.start,
                    self.describe(block)
                ),
                None if freed => format!("{address:#x} of device {} was freed before", self.device),
                None => format!("no allocation of device {} starts at {address:#x}", self.device),
            };
            return Some(Err(Status::new(code::PARAM_INVALID, message).of(check)));
        };
        LOSSES.fetch_add(1, Ordering::Release);
        ledger.note_freed(block);
        tracker::died(address, address + 1);
        live_objects::gone(address);
        // Under the lock, so that the block is not allocated again meanwhile.
        if block.reserved >= LEND_FROM {
            self.window.lend(block.start, block.reserved);
        }
        if block.reserved >= KEEP_FROM {
            let most = (ledger.peak / 2).max(KEPT);
            ledger.kept.add(block.start, block.start + block.reserved);
            ledger.kept.shrink(most, |start, len| self.window.release(start, len));
        }
        Some(Ok(()))
    }

    /// Returns what is at `address`, for a signal handler: waits for no lock, and allocates nothing. `None` when the address
    /// is not in this memory.
    pub(super) fn hit(&self, address: usize) -> Option<Hit> {
        let (here, behind) =
            (self.window.offset(address), self.window.offset(address.saturating_add(HEADER)));
        if here.is_none() && behind.is_none() {
            return None;
        }
        // A thread holds the lock only for a moment, unless it is the thread that was interrupted.
        let ledger = (0..PATIENCE).find_map(|_| match self.ledger.try_lock() {
            Ok(ledger) => Some(ledger),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => {
                hint::spin_loop();
                None
            }
        });
        let Some(ledger) = ledger else { return Some(Hit::Unknown) };
        let address_of = |start| self.window.start() + start;
        let taken = |offset| {
            let block = ledger.heap.holding(offset)?;
            Some(Hit::Allocation { start: address_of(block.start), bytes: block.requested })
        };
        let freed = |offset| Some(Hit::Freed { start: address_of(ledger.freed_start(offset)?) });
        let before = |offset| Some(Hit::Before { start: address_of(ledger.heap.holding(offset)?.start) });
        let hit = here.and_then(taken).or_else(|| behind.and_then(before));
        Some(hit.or_else(|| here.and_then(freed)).unwrap_or(Hit::Nothing))
    }

    /// Returns whether `address` is one that allocations may get.
    pub(crate) fn hands_out(&self, address: usize) -> bool {
        self.window.offset(address).is_some()
    }

    /// How far behind an address its byte is.
    pub(crate) fn distance(&self) -> isize {
        self.window.distance()
    }

    /// Locks the memory until the result is dropped.
    pub(crate) fn hold(&self) -> Held<'_> {
        Held { memory: self, ledger: self.ledger() }
    }

    fn find_in(&self, ledger: &Ledger, offset: usize, address: usize, len: usize) -> Result<*mut u8> {
        let found = ledger.heap.holding(offset);
        if let Some(block) = found
            && len <= block.requested - (offset - block.start)
        {
            return Ok(self.window.bytes(offset));
        }
        let range = format!("[{address:#x}, +{len} bytes)");
        let freed = ledger.was_freed(offset);
        let check = match found {
            Some(_) => Check::OutOfBounds,
            None if freed => Check::FreedPointer,
            None => Check::ForeignPointer,
        };
        let message = match found.or_else(|| ledger.heap.nearest(offset)) {
            _ if found.is_none() && freed => format!("{range} is not allocated: it was freed before"),
            Some(block) if found.is_some() => {
                let past = len - (block.requested - (offset - block.start));
                format!("{range} reaches {past} bytes past the end of {}", self.describe(block))
            }
            Some(block) if block.start > offset => format!(
                "{range} is not allocated; the nearest allocation, {} bytes further on, is {}",
                block.start - offset,
                self.describe(block)
            ),
            Some(block) => format!(
                "{range} is not allocated; the nearest allocation, ending {} bytes before, is {}",
                offset - (block.start + block.requested),
                self.describe(block)
            ),
            None => format!("{range} is not allocated; device {} has no live allocation", self.device),
        };
        Err(Status::new(code::PARAM_INVALID, message).of(check))
    }

    /// The whole live allocation that holds `address`: start and length as asked for.
    pub(super) fn extent(&self, address: usize) -> Option<(usize, usize)> {
        let block = self.ledger().heap.holding(self.window.offset(address)?)?;
        Some((self.window.start() + block.start, block.requested))
    }

    /// Sets `bytes` aside for a handle of physical memory.
    pub(crate) fn take_physical(&self, bytes: usize) -> Result {
        let mut ledger = self.ledger();
        if bytes > self.total.saturating_sub(ledger.used()) {
            return Err(self.exhausted(&ledger, bytes));
        }
        ledger.physical += bytes;
        ledger.note_peak();
        Ok(())
    }

    pub(crate) fn give_physical(&self, bytes: usize) {
        let mut ledger = self.ledger();
        ledger.physical = ledger.physical.saturating_sub(bytes);
    }

    /// Begins to report what the host accesses.
    pub(super) fn watch(&self) {
        self.watch.begin();
    }

    /// Frees everything, and returns the memory to the system. Gives the allocations that still lived.
    pub(crate) fn clear(&self) -> Vec<Live> {
        let mut ledger = self.ledger();
        self.watch.end();
        let left: Vec<Live> = self.live_in(&ledger).map(Live::located).collect();
        left.iter().for_each(|one| live_objects::gone(one.handle));
        ledger.heap = Heap::new(self.window.len(), ALIGNMENT, LARGE_PAGE);
        ledger.kept = FreedPages::default();
        LOSSES.fetch_add(1, Ordering::Release);
        ledger.freed.clear();
        tracker::died(self.window.start(), self.window.start() + self.window.len());
        ledger.peak = ledger.used();
        self.window.release(0, self.window.len());
        left
    }

    /// Adds every allocation.
    pub(crate) fn live(&self, all: &mut Vec<Live>) {
        all.extend(self.live_in(&self.ledger()));
    }

    fn live_in(&self, ledger: &Ledger) -> impl Iterator<Item = Live> {
        let start = self.window.start();
        ledger
            .heap
            .live()
            .map(move |block| Live::new("device memory", start + block.start).of_bytes(block.requested))
    }

    fn describe(&self, block: Block) -> String {
        let start = self.window.start() + block.start;
        format!("the allocation of {} bytes at {start:#x} on device {}", block.requested, self.device)
    }

    fn exhausted(&self, ledger: &Ledger, bytes: usize) -> Status {
        let free = self.total.saturating_sub(ledger.used());
        let largest = ledger.heap.largest_free().min(free);
        let (device, total) = (self.device, self.total);
        let allocations = ledger.heap.live().count();
        Status::new(
            code::MEMORY_ALLOCATION,
            format_args!(
                "device {device} cannot give {bytes} bytes: {free} of {total} are free, the largest block has {largest}, \
                 live allocations: {allocations}; CANN_STUBS_MEMORY sets the size of a device"
            ),
        )
    }
}

pub(super) fn refused(device: i32, bytes: usize, why: &io::Error) -> Status {
    Status::new(
        code::MEMORY_ALLOCATION,
        format_args!(
            "the system refuses {bytes} bytes of addresses for device {device} ({why}); a smaller CANN_STUBS_MEMORY may help"
        ),
    )
}

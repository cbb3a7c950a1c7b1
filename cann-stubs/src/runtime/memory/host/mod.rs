//! Host memory that the runtime knows: pinned memory, which it allocates, and registered memory, which the program brings.
//!
//! The address of registered memory on a device equals the one on the host. Pinned memory outlives `aclFinalize`: the
//! program may still hold a plain pointer to it.
//!
//! Any other host memory, which is not pinned, is not recorded here. An address that no device hands out counts as such
//! memory, if it can be one at all ([`must_be_possible`]); copies of it are treated like those of pinned memory, and a
//! queued copy reads or writes it when it runs.

mod entry;

pub(super) use entry::SYMBOLS;

use std::alloc::{Layout, alloc, dealloc};
use std::sync::{Arc, PoisonError};

use crate::check::live_objects::{self, Live};
use crate::check::tracker;
use crate::misuse::Check;
use crate::ranges::Ranges;
use crate::runtime::code;
use crate::runtime::memory::window::{LARGE_PAGE, advise_large_pages};
use crate::runtime::stream::callback;
use crate::status::{Result, Status};
use crate::sync::{Mutex, MutexGuard, statics};

/// How many freed addresses are remembered, for messages about a wrong address.
const REMEMBERED: usize = 64;

/// Alignment of pinned memory of less than a large page; there it is the page.
const ALIGNMENT: usize = 64;

/// Host memory that the runtime knows.
struct Known {
    pinned: Ranges<Arc<Block>>,
    registered: Ranges<Registration>,
    /// Addresses of pinned memory that was freed recently.
    freed: Vec<usize>,
}

#[derive(Clone, Copy)]
struct Registration {
    start: usize,
    len: usize,
    /// Whether devices can reach it.
    mapped: bool,
    /// Whether its use is tracked by itself, and not as a part of pinned memory.
    tracked: bool,
}

statics! {
    static KNOWN: Mutex<Known> =
        Mutex::new(Known { pinned: Ranges::new(), registered: Ranges::new(), freed: Vec::new() });
}

fn known() -> MutexGuard<'static, Known> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns whether devices can reach `[address, address + len)`.
pub(super) fn is_registered(address: usize, len: usize) -> bool {
    let known = known();
    let holding = known.registered.holding(address);
    holding.is_some_and(|found| found.value.mapped && len <= found.end - address)
}

/// Pinned memory, which is freed with its last `Arc`.
#[derive(Debug)]
pub(super) struct Block {
    start: usize,
    layout: Layout,
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: it was allocated with this layout, and this is the last that knows of it.
        unsafe { dealloc(std::ptr::with_exposed_provenance_mut(self.start), self.layout) };
    }
}

/// Pinned memory that queued work uses. Freeing it too early is refused; where checks are off and nothing is refused, the
/// memory still lives until the work is done.
pub(super) type Shares = Vec<Arc<Block>>;

/// Shares of the pinned memory in which some of `addresses` lie.
pub(super) fn shares(addresses: &[usize]) -> Shares {
    let known = known();
    addresses.iter().filter_map(|address| known.pinned(*address).cloned()).collect()
}

impl Known {
    /// The pinned memory that holds `address`.
    fn pinned(&self, address: usize) -> Option<&Arc<Block>> {
        self.pinned.holding(address).map(|found| found.value)
    }
}

/// Returns whether `address` lies in pinned or registered memory.
pub(super) fn is_known(address: usize) -> bool {
    let known = known();
    known.pinned.holding(address).is_some() || known.registered.holding(address).is_some()
}

/// Refuses a range that begins in pinned or registered memory and reaches past its end: what lies there is not the
/// program's to give.
pub(super) fn must_hold(address: usize, len: usize) -> Result {
    let known = known();
    let pinned = known.pinned(address).map(|block| ("pinned", block.start, block.layout.size()));
    let registered = known.registered.holding(address);
    let registered = registered.map(|found| ("registered", found.start, found.value.len));
    let Some((kind, start, size)) = pinned.or(registered) else { return Ok(()) };
    let left = size - (address - start);
    if len <= left {
        return Ok(());
    }
    let message = format!(
        "address {address:#x} ({len} bytes) reaches past the end of {kind} host memory of {size} bytes at {start:#x}; \
         {left} bytes are left there"
    );
    Err(Status::new(code::PARAM_INVALID, message).of(Check::OutOfBounds))
}

/// Refuses memory of the program whose pages are gone, as those of a block that was freed or of the stack of a thread that
/// ended. Memory that was freed and whose pages stay cannot be told from other memory.
pub(super) fn must_be_mapped(address: usize, len: usize) -> Result {
    /// Pages that are asked for at once.
    const PAGES: usize = 1024;
    // SAFETY: asks for a number.
    let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(1 << 12);
    let mut first = address / page * page;
    while first < address.saturating_add(len) {
        let pages = (address + len - first).div_ceil(page).min(PAGES);
        let mut are_resident = [0_u8; PAGES];
        // SAFETY: there is a byte for each page; nothing else is written, whatever the address is.
        let code = unsafe {
            let pointer = std::ptr::without_provenance_mut(first);
            libc::mincore(pointer, pages * page, are_resident.as_mut_ptr().cast())
        };
        let is_gone = code != 0 && std::io::Error::last_os_error().raw_os_error() == Some(libc::ENOMEM);
        if is_gone {
            let message = format!(
                "host memory at {address:#x} ({len} bytes) is gone: it was freed after the work that uses it was queued; \
                 synchronise the stream first"
            );
            return Err(Status::new(code::PARAM_INVALID, message).of(Check::FreedPointer));
        }
        first += pages * page;
    }
    Ok(())
}

/// Adds the pinned memory that is not freed.
pub(super) fn live(all: &mut Vec<Live>) {
    let pinned = &known().pinned;
    all.extend(
        pinned
            .values()
            .map(|block| Live::new("pinned host memory", block.start).of_bytes(block.layout.size())),
    );
}

/// Takes back every registration; for the end of the runtime.
pub(crate) fn forget_registrations() {
    let mut known = known();
    std::mem::take(&mut known.registered).values().for_each(Registration::forget);
}

impl Registration {
    /// Ends its tracking.
    fn forget(&self) {
        if self.tracked {
            tracker::died(self.start, self.start + 1);
        }
    }
}

/// Refuses what cannot be memory of the program: the first page, and addresses that no system allocates, such as handles.
pub(super) fn must_be_possible(address: usize, len: usize) -> Result {
    let possible = address.checked_add(len).is_some_and(|end| address >= 1 << 12 && end <= 1 << 56);
    let refused = || Status::new(code::PARAM_INVALID, format_args!("{address:#x} is no address of memory"));
    possible.then_some(()).ok_or_else(|| refused().of(Check::ForeignPointer))
}

/// Allocates pinned memory and returns its address.
fn allocate(size: usize) -> Result<usize> {
    if size == 0 {
        return Err(Status::new(code::INVALID_PARAM, "size is 0"));
    }
    let refused = || Status::new(code::MEMORY_ALLOCATION, format_args!("the host cannot give {size} bytes"));
    let alignment = if size < LARGE_PAGE { ALIGNMENT } else { LARGE_PAGE };
    let layout = Layout::from_size_align(size, alignment).map_err(|_| refused())?;
    // SAFETY: the size is not 0.
    let pointer = unsafe { alloc(layout) };
    if pointer.is_null() {
        return Err(refused());
    }
    advise_large_pages(pointer, size);
    let address = pointer.expose_provenance();
    {
        let mut known = known();
        known.pinned.insert(address, address + size, Arc::new(Block { start: address, layout }));
        tracker::lent(address, size);
    }
    live_objects::made(address, false);
    Ok(address)
}

fn free(address: usize) -> Result {
    callback::forbid("memory is released")?;
    let mut known = known();
    if known.pinned.get(address).is_none() {
        let message = format!("{address:#x} is not host memory of aclrtMallocHost, or was freed before");
        let check = if known.freed.contains(&address) { Check::DoubleFree } else { Check::ForeignPointer };
        return Err(Status::new(code::PARAM_INVALID, message).of(check));
    }
    tracker::may_go(address, code::PARAM_INVALID, "was not freed")?;
    let block = known.pinned.remove(address);
    tracker::died(address, address + 1);
    if known.freed.len() == REMEMBERED {
        known.freed.remove(0);
    }
    known.freed.push(address);
    drop(known);
    live_objects::gone(address);
    drop(block);
    Ok(())
}

fn register(address: usize, size: u64, mapped: bool) -> Result {
    let wrong = || Status::new(code::INVALID_PARAM, format_args!("size is {size}"));
    let len = usize::try_from(size).ok().filter(|&len| len > 0 && address.checked_add(len).is_some());
    let len = len.ok_or_else(wrong)?;
    must_be_possible(address, len)?;
    let mut known = known();
    let last = known.registered.before(address + (len - 1));
    if last.is_some_and(|one| one.start + one.len > address) {
        let message =
            format!("host memory at {address:#x} ({len} bytes) is registered already, in whole or in part");
        return Err(Status::new(code::HOST_MEMORY_ALREADY_REGISTERED, message));
    }
    let tracked = tracker::lent(address, len);
    let registration = Registration { start: address, len, mapped, tracked };
    known.registered.insert(address, address + len, registration);
    Ok(())
}

fn unregister(address: usize) -> Result {
    let mut known = known();
    let Some(registration) = known.registered.get(address).copied() else {
        let message = format!("nothing registered starts at {address:#x}");
        return Err(Status::new(code::HOST_MEMORY_NOT_REGISTERED, message));
    };
    tracker::may_go(address, code::PARAM_INVALID, "stays registered")?;
    known.registered.remove(address);
    registration.forget();
    Ok(())
}

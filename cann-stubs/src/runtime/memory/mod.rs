//! Memory: what a pointer of the program means, and who owns the bytes.
//!
//! A device hands out addresses that the host cannot touch; `place` finds the bytes behind them.

// Floors, from the ground up. A module uses what lies on lower floors, and its own children; `cargo xtask layers` checks it.
//
// 1. `window`, `heap`, `host_access`, `malloc_config`, `combined`: addresses and the memory behind them; which are taken;
//    reports of what the host touches; what a caller configures; two elements that become one
// 2. `freed_pages`: freed memory whose pages are kept
// 3. `allocations`, `host`: the allocations of a device; pinned and registered memory of the host
// 4. `physical`: physical memory, which can be mapped
// 5. `virtual_space`: addresses where it can be mapped
// 6. `device`: the memory of each device
// 7. `peer`: which memory of other devices a device may access
// 8. `place`: what a pointer means
// 9. `caches`, `copy`, `malloc`, `pool`, `reduce`, `sharing`, `stream_allocator`, `value`, `virtual_memory`: functions that
//    programs call
// 10. `batch`, `fill`: those that check as copies do
mod allocations;
mod batch;
mod caches;
mod combined;
mod copy;
pub(crate) mod device;
mod fill;
mod freed_pages;
mod heap;
mod host;
mod host_access;
mod malloc;
mod malloc_config;
pub(crate) mod peer;
mod physical;
mod place;
mod pool;
mod reduce;
mod sharing;
mod stream_allocator;
mod value;
mod virtual_memory;
mod virtual_space;
mod window;

pub(crate) use allocations::losses;
pub(crate) use combined::Combined;
pub(crate) use device::{distance, lose};
pub(crate) use peer::must_reach;
pub(crate) use place::{Lookup, device_bytes};

use crate::check::live_objects::Live;
use crate::entry::EntryPoint;

/// The entry points of this module.
pub(crate) const SYMBOLS: &[&[EntryPoint]] = &[
    batch::SYMBOLS,
    caches::SYMBOLS,
    copy::SYMBOLS,
    copy::ASYNC_SYMBOLS,
    fill::SYMBOLS,
    host::SYMBOLS,
    malloc::SYMBOLS,
    pool::SYMBOLS,
    reduce::SYMBOLS,
    sharing::SYMBOLS,
    stream_allocator::SYMBOLS,
    value::SYMBOLS,
    virtual_memory::SYMBOLS,
];

/// Adds the memory of the program that is not freed.
pub(crate) fn live(all: &mut Vec<Live>) {
    device::live(all);
    host::live(all);
    physical::live(all);
}

/// Forgets what outlives the memory of devices, but for pinned memory; for the end of the runtime.
pub(crate) fn forget_all() {
    pool::forget_pools();
    sharing::forget_shared();
    physical::forget_physical();
    host::forget_registrations();
}

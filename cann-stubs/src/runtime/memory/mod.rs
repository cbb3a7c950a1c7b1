//! Memory: what a pointer of the program means, and who owns the bytes.
//!
//! `window` reserves addresses and the memory behind them, `heap` says which are taken; `allocations` joins both for one
//! device, and `virtual_memory` maps physical memory into a window of its own. `device` has the memory of each device, and
//! `peer` says which of it another device may access. `host` keeps pinned and registered host memory; `host_access` reports
//! an access of the host to device memory. `place` tells which bytes a pointer leads to. Above it, `allocate`, `copy`,
//! `batch`, `fill`, `reduce` and `value` hold the functions that programs call; `pool`, `sharing` and `allocator` keep the
//! pools, shared keys and allocators of a program.

mod allocate;
mod allocations;
mod allocator;
mod batch;
mod copy;
pub(crate) mod device;
mod fill;
mod heap;
mod host;
mod host_access;
pub(crate) mod peer;
mod place;
mod pool;
mod reduce;
mod sharing;
mod value;
mod virtual_memory;
mod window;

pub(crate) use allocations::losses;
pub(crate) use peer::must_reach;
pub(crate) use place::{Lookup, device_bytes};

use crate::check::objects::Live;
use crate::entry::EntryPoint;

/// The entry points of this module.
pub(crate) const SYMBOLS: &[&[EntryPoint]] = &[
    allocate::SYMBOLS,
    allocator::SYMBOLS,
    batch::SYMBOLS,
    copy::SYMBOLS,
    copy::ASYNC_SYMBOLS,
    fill::SYMBOLS,
    host::SYMBOLS,
    pool::SYMBOLS,
    reduce::SYMBOLS,
    sharing::SYMBOLS,
    value::SYMBOLS,
    virtual_memory::SYMBOLS,
];

/// Adds the memory of the program that is not freed.
pub(crate) fn live(all: &mut Vec<Live>) {
    device::live(all);
    host::live(all);
    virtual_memory::physical::live(all);
}

/// Forgets what outlives the memory of devices, but for pinned memory; for the end of the runtime.
pub(crate) fn forget_all() {
    pool::forget_pools();
    sharing::forget_shared();
    virtual_memory::physical::forget_physical();
    host::forget_registrations();
}

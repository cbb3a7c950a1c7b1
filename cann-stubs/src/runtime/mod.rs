//! The runtime: devices, contexts, streams, events, callbacks, memory, errors and versions.
//!
//! A program sets a device, which makes a context with a default stream current on its thread. Streams hold tasks, which
//! run when a thread waits for them or queries them.
//!
//! Locks are taken in the order of this list, from the outermost on, and none is held while a thread waits for another or
//! runs work of the program; kernels of few elements run while the queue is locked. The list: the primary context of a
//! device; the queue of a stream; what the launches of an executor, or of a plan, found of its tensors;
//! the ids and the latest record of an event; the desk of callbacks; what a pool or a key shares; host memory; the mappings
//! of virtual memory; the allocations of a device's memory; the peers of a device and the handler for host accesses; the
//! history of the checks; the tally of a stream. A thread that changes something for which others wait calls
//! `stream::progress` after it has released its locks. `tests/scheduler.rs` runs all of this in many orders of the threads.
//!
//! C entry points stand at the end of the file that is about them. Where such a file has to lie below others, they stand
//! above those, in a file called `entry`.

// Floors, from the ground up. A module uses what lies on lower floors, and its own children; `cargo xtask layers` checks it.
//
// 1. `code`, `element`: codes of the runtime; elements on the host
// 2. `product`: what is emulated: cores and caches, which devices there are, versions
// 3. `stream`, `error`: streams, contexts, events, callbacks and the scheduler; messages
// 4. `memory`, `aclop`, `profiler`: memory of devices and of the host, and what a pointer means; what the older interface of
//    operators takes; the profiler, which records nothing
// 5. `device`: setting and resetting devices, what programs ask them, and settings that are only stored
// 6. `end`: the end of everything that lives
pub(crate) mod aclop;
pub(crate) mod code;
mod device;
mod element;
pub(crate) mod end;
mod error;
pub(crate) mod memory;
pub(crate) mod product;
mod profiler;
pub(crate) mod stream;

pub(crate) use device::options::is_deterministic;

use crate::check::live_objects::Live;
use crate::entry::EntryPoint;

/// Adds the live objects of this module.
pub(crate) fn live(all: &mut Vec<Live>) {
    memory::live(all);
    stream::live(all);
    aclop::live(all);
}

/// Every entry point of this module.
pub(crate) fn symbols() -> Vec<EntryPoint> {
    let own: &[&[EntryPoint]] =
        &[element::SYMBOLS, error::SYMBOLS, error::LAST_ERROR, error::VARIADIC, profiler::SYMBOLS];
    let rooms = [aclop::SYMBOLS, device::SYMBOLS, own, memory::SYMBOLS, product::SYMBOLS, stream::SYMBOLS];
    rooms.concat().concat()
}

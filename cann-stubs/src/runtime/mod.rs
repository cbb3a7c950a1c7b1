//! The runtime: devices, contexts, streams, events, callbacks, memory, errors and versions.
//!
//! A program sets a `device`, which makes a `context` with a default `stream` current on its thread. Streams hold tasks
//! and their `work`; `drain` runs them on the thread that waits or queries, passing `event`s and `callback`s, and waits
//! through `progress` where it has to; `policy` says what runs although no thread waits or queries, and `worker` runs it.
//! `memory` knows what a pointer means.
//!
//! Locks are taken in the order of this list, from the outermost on, and none is held while a thread waits for another or
//! runs work of the program: the primary context of a device; the queue of a stream; the ids and the latest record of an
//! event; the desk of callbacks; what a pool or a key shares; host memory; the mappings of virtual memory; the allocations
//! of a device's memory; the peers of a device and the handler for host accesses; the history of the checks. A thread that
//! changes something for which others wait calls `progress` after it has released its locks. `tests/scheduler.rs` runs all
//! of this in many orders of the threads.
//!
//! | room | holds |
//! |---|---|
//! | `product` | what is emulated: cores, caches, capabilities, versions |
//! | `stream` | streams, the contexts that own them, events, notifies, callbacks, and the scheduler |
//! | `memory` | what a pointer means: memory of devices and of the host, copies and fills |
//! | `device` | devices, their settings, and the beginning and the end of the runtime |
//! | `aclop` | what the older interface of operators takes |
//! | `error` `code` | messages and codes |
//!
//! A file called `entry` holds only entry points; a file whose code serves one group of entry points alone ends with them.

mod aclop;
pub(crate) mod code;
mod device;
pub(crate) mod end;
mod error;
pub(crate) mod memory;
pub(crate) mod product;
pub(crate) mod stream;

use crate::check::objects::Live;
use crate::entry::EntryPoint;

/// Adds the live objects of this module.
pub(crate) fn live(all: &mut Vec<Live>) {
    memory::live(all);
    stream::live(all);
    aclop::live(all);
}

/// Every entry point of this module.
pub(crate) fn symbols() -> impl Iterator<Item = &'static EntryPoint> {
    let own: &[&[EntryPoint]] = &[error::SYMBOLS, error::LAST_ERROR, error::VARIADIC];
    let rooms = [aclop::SYMBOLS, device::SYMBOLS, own, memory::SYMBOLS, product::SYMBOLS, stream::SYMBOLS];
    rooms.into_iter().flatten().copied().flatten()
}

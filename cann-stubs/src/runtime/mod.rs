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
//! | `device` | devices and their settings |
//! | `aclop` | what the older interface of operators takes |
//! | `error` `code` | messages and codes |
//!
//! A file called `entry` holds only entry points; a file whose code serves one group of entry points alone ends with them.

mod aclop;
pub(crate) mod code;
pub(crate) mod device;
mod error;
pub(crate) mod memory;
pub(crate) mod product;
pub(crate) mod stream;

pub(crate) use stream::{policy, work};

use crate::check::objects::Live;
use crate::entry::EntryPoint;
use crate::status::Result;

/// Adds the live objects of this module.
pub(crate) fn live(all: &mut Vec<Live>) {
    memory::live(all);
    stream::live(all);
    stream::event::live(all);
    stream::context::live(all);
    aclop::live(all);
}

/// Runs what is queued on every stream and can be run.
pub(crate) fn settle() {
    for (_, stream) in stream::all() {
        stream::drain::settle(&stream);
    }
}

/// Ends everything that lives. Returns the first failure of a task that was not reported yet.
pub(crate) fn end() -> Result {
    device::set_default(None);
    let told = &mut Vec::new();
    let mut outcome = stream::context::destroy_made(told);
    for device in device::all() {
        if device.is_set() {
            outcome = outcome.and(device.reset(true, told));
        }
        device.release_if_unused(told);
    }
    stream::event::forget_all();
    memory::forget_pools();
    memory::forget_shared();
    memory::forget_physical();
    memory::forget_registrations();
    device::forget_settings();
    outcome
}

/// Every entry point of this module.
pub(crate) fn symbols() -> impl Iterator<Item = &'static EntryPoint> {
    let own: &[&[EntryPoint]] = &[error::SYMBOLS, error::LAST_ERROR, error::VARIADIC];
    let rooms = [aclop::SYMBOLS, device::SYMBOLS, own, memory::SYMBOLS, product::SYMBOLS, stream::SYMBOLS];
    rooms.into_iter().flatten().copied().flatten()
}

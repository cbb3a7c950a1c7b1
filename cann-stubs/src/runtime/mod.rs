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
//! `event_id` counts the hardware ids of events; `configuration` reads the file that `init` is given. `options`,
//! `resources`, `allocator`, `attribute` and `tensor_description` keep settings that programs only store and read back.
//! The files called `…_api` hold only entry points; `init`, `options`,
//! `capability`, `version`, `error`, `data_buffer` and `element` are small enough to hold entry points and their code.

mod allocator;
mod attribute;
mod callback;
mod callback_api;
mod capability;
mod code;
mod configuration;
mod context;
mod data_buffer;
mod device;
mod device_api;
mod drain;
mod element;
mod error;
mod event;
mod event_api;
mod event_id;
mod event_sharing;
mod health;
mod init;
pub(crate) mod memory;
mod notify;
mod options;
pub(crate) mod policy;
pub(crate) mod product;
mod progress;
mod resources;
pub(crate) mod stream;
mod stream_api;
mod tensor_description;
mod version;
pub(crate) mod work;
mod worker;

use crate::check::objects::Live;
use crate::entry::EntryPoint;

/// Adds the live objects of this module.
pub(crate) fn live(all: &mut Vec<Live>) {
    memory::live(all);
    stream::live(all);
    event::live(all);
    context::live(all);
    data_buffer::live(all);
}

/// Every entry point of this module.
pub(crate) fn symbols() -> impl Iterator<Item = &'static EntryPoint> {
    let own = [
        allocator::SYMBOLS,
        attribute::SYMBOLS,
        callback_api::SYMBOLS,
        capability::SYMBOLS,
        context::SYMBOLS,
        data_buffer::SYMBOLS,
        device_api::SYMBOLS,
        element::SYMBOLS,
        error::SYMBOLS,
        error::LAST_ERROR,
        error::VARIADIC,
        event_api::SYMBOLS,
        event_sharing::SYMBOLS,
        health::SYMBOLS,
        init::SYMBOLS,
        notify::SYMBOLS,
        options::SYMBOLS,
        resources::SYMBOLS,
        stream_api::SYMBOLS,
        tensor_description::SYMBOLS,
        version::SYMBOLS,
    ];
    own.into_iter().chain(memory::SYMBOLS.iter().copied()).flatten()
}

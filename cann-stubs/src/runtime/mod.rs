//! The runtime: devices, contexts, streams, events, callbacks, memory, errors and versions.
//!
//! A program sets a `device`, which makes a `context` with a default `stream` current on its thread. Streams hold tasks
//! and their `work`; `drain` runs them on the thread that looks, passing `event`s and `callback`s, and waits through
//! `progress` where it has to; `policy` says what runs although nobody looks, and `worker` runs it. `memory` knows what a
//! pointer means.
//!
//! Locks are taken in the order of this list, from the outermost on, and none is held while a thread waits for another or
//! runs work of the program: the primary context of a device; the queue of a stream; the ids and the latest record of an
//! event; the desk of callbacks; what a pool or a key shares; host memory; the mappings of virtual memory; what is taken of
//! a device's memory; the peers of a device and who watches for host accesses; the history of the checks. Whoever changes
//! what a waiting thread looks at tells `progress`, after it let its locks go. `tests/scheduler.rs` runs all of this in
//! many orders of the threads.
//!
//! `event_id` counts what events take of a device; `configuration` reads the file that `init` is given. What programs only
//! tell and ask again is kept by `options`, `resources`, `allocator`, `attribute` and `tensor_description`; `refused` lists
//! what a CPU cannot stand in for. The files called `…_api` hold entry points alone; `init`, `options`, `capability`,
//! `version`, `error`, `data_buffer` and `element` are small enough to hold both.

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
mod refused;
mod resources;
pub(crate) mod stream;
mod stream_api;
mod tensor_description;
mod version;
pub(crate) mod work;
mod worker;

pub use policy::Mode;

use crate::check::objects::Live;
use crate::entry::EntryPoint;

/// Adds what lives of this room.
pub(crate) fn live(all: &mut Vec<Live>) {
    memory::live(all);
    stream::live(all);
    event::live(all);
    context::live(all);
    data_buffer::live(all);
}

/// Every entry point of this room.
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
    own.into_iter().chain(refused::SYMBOLS.iter().copied()).chain(memory::SYMBOLS.iter().copied()).flatten()
}

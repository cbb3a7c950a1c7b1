//! The runtime: devices, contexts, streams, events, callbacks, memory, errors and versions.
//!
//! A program sets a `device`, which makes a `context` with a default `stream` current on its thread. Streams hold tasks;
//! `drain` runs them on the thread that looks, passing `event`s and `callback`s, and waits through `progress` where it
//! has to; `policy` says what runs although nobody looks, and `worker` runs it. `memory` knows what a pointer means.
//!
//! The files called `…_api` hold entry points alone; `init`, `options`, `capability`, `version`, `error`, `data_buffer`
//! and `element` are small enough to hold both.

mod callback;
mod callback_api;
mod capability;
mod code;
mod context;
mod data_buffer;
mod device;
mod device_api;
mod drain;
mod element;
mod error;
mod event;
mod event_api;
mod init;
pub(crate) mod memory;
mod options;
pub(crate) mod policy;
pub(crate) mod product;
mod progress;
pub(crate) mod stream;
mod stream_api;
mod version;
mod worker;

pub use policy::Mode;

use crate::check::objects::Live;
use crate::entry::Symbol;

/// Adds what lives of this room.
pub(crate) fn live(all: &mut Vec<Live>) {
    memory::live(all);
    stream::live(all);
    event::live(all);
    context::live(all);
    data_buffer::live(all);
}

/// Every entry point of this room.
pub(crate) fn symbols() -> impl Iterator<Item = &'static Symbol> {
    let own = [
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
        init::SYMBOLS,
        options::SYMBOLS,
        stream_api::SYMBOLS,
        version::SYMBOLS,
    ];
    own.into_iter().chain(memory::SYMBOLS.iter().copied()).flatten()
}

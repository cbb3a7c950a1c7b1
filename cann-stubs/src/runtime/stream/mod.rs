//! Streams: queues of tasks, the contexts that own them, and what runs, orders and watches the tasks.
//!
//! A `queue` holds tasks and their `work`; `submit` adds to it. `drain` runs the tasks on the thread that waits or queries,
//! passing the records of events and the reports of callbacks, and waits through `progress` where it has to; `policy` says
//! what runs by the `mode` of streams although no thread waits or queries, and `worker` runs it. `registry` knows the live
//! streams. A `context` owns streams and is current on a thread: it finds the stream that a handle means there. Above them,
//! `event`, `callback` and `notify` let streams, threads and each other wait; `stored` keeps the settings of a stream.

mod attribute;
pub(crate) mod callback;
pub(crate) mod context;
pub(crate) mod drain;
mod entry;
pub(crate) mod event;
pub(crate) mod mode;
mod notify;
mod policy;
pub(crate) mod progress;
mod queue;
pub(crate) mod registry;
mod stored;
mod submit;
pub(crate) mod work;
mod worker;

pub(crate) use context::resolve;
pub(crate) use queue::{Condition, Stream, Task};

use crate::check::objects::Live;
use crate::entry::EntryPoint;

/// Adds the live objects of this module.
pub(crate) fn live(all: &mut Vec<Live>) {
    context::live_streams(all);
    event::live(all);
    context::live(all);
}

/// The entry points of this module.
pub(crate) const SYMBOLS: &[&[EntryPoint]] = &[
    attribute::SYMBOLS,
    callback::SYMBOLS,
    entry::SYMBOLS,
    event::SYMBOLS,
    event::SHARING_SYMBOLS,
    notify::SYMBOLS,
];

//! Streams: queues of tasks, the contexts that own them, and what runs, orders and watches the tasks.
//!
//! A `queue` holds tasks and their `work`; `drain` runs them on the thread that waits or queries, passing `event`s and
//! `callback`s, and waits through `progress` where it has to; `policy` says what runs although no thread waits or queries,
//! and `worker` runs it. A `context` owns streams and is current on a thread. Files called `entry` hold only entry points.

pub(crate) mod callback;
pub(crate) mod context;
pub(crate) mod drain;
mod entry;
pub(crate) mod event;
mod notify;
pub(crate) mod policy;
pub(crate) mod progress;
mod queue;
pub(crate) mod work;
mod worker;

pub(crate) use entry::set_failure_mode;
pub(crate) use queue::{
    Condition, Halt, Stream, Task, all, available, destroy, live, look_at_all, resolve, whichever,
};

use crate::entry::EntryPoint;

/// The entry points of this module.
pub(super) const SYMBOLS: &[&[EntryPoint]] = &[
    callback::SYMBOLS,
    context::SYMBOLS,
    entry::SYMBOLS,
    event::SYMBOLS,
    event::SHARING_SYMBOLS,
    notify::SYMBOLS,
];

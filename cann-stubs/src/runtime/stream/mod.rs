//! Streams: queues of tasks, the contexts that own them, and what runs, orders and watches the tasks.
//!
//! A stream is a queue of tasks, which run on the thread that waits for them or queries them, and on threads of the
//! emulator where the mode of streams says so.

// Floors, from the ground up. A module uses what lies on lower floors, and its own children; `cargo xtask layers` checks it.
//
// 1. `chosen_mode`, `progress`, `stored_settings`, `work`, `event_id`: the mode of streams; waiting for other threads; what
//    is stored for a stream; what a task does; the hardware ids of events
// 2. `record`, `callback_delivery`: what came of a recorded event; callbacks on their way to a thread
// 3. `queue`: a stream and its tasks
// 4. `registry`, `worker`: the live streams and their handles; threads that serve streams
// 5. `drain`: running streams on the thread that waits or queries
// 6. `context`: the owners of streams, and the stream that a handle means on a thread
// 7. `when_work_runs`: what runs although no thread waits or queries
// 8. `submit`: adding tasks to a stream
// 9. `recording`: marks in a stream that others wait for
// 10. `capture`: graphs, which store the work of streams and replay it
// 11. `attribute`, `callback`, `event`, `notify`, `refused_work`: attributes of streams; functions of the host; events;
//     signals; work that cannot be done
// 12. `entry`: the entry points of streams
mod attribute;
pub(crate) mod callback;
mod callback_delivery;
pub(crate) mod capture;
pub(crate) mod chosen_mode;
pub(crate) mod context;
pub(crate) mod drain;
mod entry;
pub(crate) mod event;
mod event_id;
mod notify;
pub(crate) mod progress;
mod queue;
mod record;
mod recording;
pub(crate) mod refused_work;
pub(crate) mod registry;
mod stored_settings;
mod submit;
mod when_work_runs;
pub(crate) mod work;
mod worker;

pub(crate) use context::{lend, resolve};
pub(crate) use queue::{Condition, Stream, Submission, Task};
pub(crate) use submit::is_observed;
pub(crate) use work::{Step, Steps};

use crate::check::live_objects::Live;
use crate::entry::EntryPoint;

/// Adds the live objects of this module.
pub(crate) fn live(all: &mut Vec<Live>) {
    context::live_streams(all);
    event::live(all);
    capture::live(all);
    context::live(all);
}

/// The entry points of this module.
pub(crate) const SYMBOLS: &[&[EntryPoint]] = &[
    attribute::SYMBOLS,
    callback::SYMBOLS,
    capture::SYMBOLS,
    entry::SYMBOLS,
    event::SYMBOLS,
    event::SHARING_SYMBOLS,
    notify::SYMBOLS,
];

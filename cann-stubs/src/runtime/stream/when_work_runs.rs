//! Work that runs when it is submitted, by the mode of streams.

use crate::runtime::stream::chosen_mode::mode;
use crate::runtime::stream::drain;
use crate::runtime::stream::progress::Patience;
use crate::runtime::stream::queue::Stream;
use crate::stream_mode::Mode;

/// How many tasks of a lazy stream wake a worker: it takes them all, so that a wake-up costs each of them little.
const BATCH: usize = 1024;

/// How many tasks may wait in a lazy stream: where the worker does not keep up, the submitting thread helps, so that the
/// memory which the tasks hold stays bounded.
const LIMIT: usize = 8 * BATCH;

/// Called after a task was queued on `stream`, where `waiting` tasks are now.
#[inline]
pub(crate) fn submitted(stream: &Stream, waiting: usize) {
    match mode() {
        Mode::Deferred => {}
        // What waits for a callback or a signal goes on when that comes, which may be in no call at all.
        Mode::Inline if drain::settle(stream) => {}
        Mode::Inline | Mode::Worker => drain::wake_worker(stream),
        Mode::Lazy if waiting > LIMIT => drop(drain::reach(stream, stream.end(), Patience::None)),
        Mode::Lazy if waiting >= BATCH => drain::wake_worker(stream),
        Mode::Lazy => {}
    }
}

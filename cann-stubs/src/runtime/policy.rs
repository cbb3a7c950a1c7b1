//! When work runs although nobody looks.

use crate::runtime::drain;
use crate::runtime::progress::Patience;
use crate::runtime::stream::Stream;

/// Tasks that may wait in a stream. A program that submits for ever without looking is served all the same, and the
/// memory that its tasks hold stays bounded.
const WAITING_TASKS: usize = 4096;

/// Called after a task was queued on `stream`, where `waiting` tasks are now.
pub(crate) fn submitted(stream: &Stream, waiting: usize) {
    if waiting > WAITING_TASKS {
        // What cannot run now, such as a task behind a callback, stays queued.
        let _ = drain::reach(stream, stream.end(), Patience::None);
    }
}

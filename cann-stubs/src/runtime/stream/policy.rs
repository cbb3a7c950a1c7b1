//! When queued work runs although no thread waits for it.

use std::sync::atomic::{AtomicU8, Ordering};

use crate::mode::Mode;
use crate::runtime::stream::Stream;
use crate::runtime::stream::progress::Patience;
use crate::runtime::stream::{drain, worker};
use crate::settings;

/// The value while no mode is chosen yet: the environment decides.
const UNREAD: u8 = u8::MAX;

static MODE: AtomicU8 = AtomicU8::new(UNREAD);

pub(crate) fn mode() -> Mode {
    let number = MODE.load(Ordering::Relaxed);
    Mode::ALL.into_iter().find(|mode| *mode as u8 == number).unwrap_or_else(|| {
        let chosen = settings::get().streams;
        set(chosen);
        chosen
    })
}

/// Changes the mode for what is queued from now on.
pub(crate) fn set(mode: Mode) {
    MODE.store(mode as u8, Ordering::Relaxed);
}

/// How many tasks of a lazy stream wake a worker: it takes them all, so that a wake-up costs each of them little.
const BATCH: usize = 1024;

/// How many tasks may wait in a lazy stream: where the worker does not keep up, the submitting thread helps, so that the
/// memory which the tasks hold stays bounded.
const LIMIT: usize = 8 * BATCH;

/// Called after a task was queued on `stream`, where `waiting` tasks are now.
pub(crate) fn submitted(stream: &Stream, waiting: usize) {
    match mode() {
        Mode::Deferred => {}
        // What waits for a callback or a signal goes on when that comes, which may be in no call at all.
        Mode::Inline if drain::settle(stream) => {}
        Mode::Inline | Mode::Worker => worker::wake(stream),
        Mode::Lazy if waiting > LIMIT => drop(drain::reach(stream, stream.end(), Patience::None)),
        Mode::Lazy if waiting >= BATCH => worker::wake(stream),
        Mode::Lazy => {}
    }
}

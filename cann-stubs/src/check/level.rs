//! The level of checking, of the process and of each thread.

use std::cell::Cell;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::misuse::Level;
use crate::settings;

const UNREAD: u8 = u8::MAX;

/// The level of the process; `UNREAD` until the environment was read.
static LEVEL: AtomicU8 = AtomicU8::new(UNREAD);

thread_local! {
    /// The level of this thread, where it differs.
    static OWN: Cell<Option<Level>> = const { Cell::new(None) };
}

#[inline]
pub(crate) fn process_level() -> Level {
    // The levels are numbered in that order.
    Level::ALL.get(usize::from(LEVEL.load(Ordering::Relaxed))).copied().unwrap_or_else(from_settings)
}

#[cold]
fn from_settings() -> Level {
    let chosen = settings::get().check;
    LEVEL.store(chosen as u8, Ordering::Relaxed);
    chosen
}

/// What happens to misuse that this thread commits.
pub(crate) fn level() -> Level {
    OWN.try_with(Cell::get).ok().flatten().unwrap_or_else(process_level)
}

/// Returns whether this thread commits misuse on purpose, so that nothing is reported.
pub(super) fn is_off_here() -> bool {
    OWN.try_with(Cell::get).ok().flatten() == Some(Level::Off)
}

/// Returns whether the history of the program is kept. A thread whose own level is `Off` is still part of the history.
#[inline]
pub(crate) fn is_tracking() -> bool {
    process_level() != Level::Off
}

/// Changes the level of the process.
pub(super) fn set_process_level(level: Level) {
    LEVEL.store(level as u8, Ordering::Relaxed);
}

/// Changes the level of this thread and returns the previous one.
pub(crate) fn set_own_level(level: Option<Level>) -> Option<Level> {
    OWN.try_with(|own| own.replace(level)).ok().flatten()
}

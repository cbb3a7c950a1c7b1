//! The mode of streams that the environment or the program chose.

use std::sync::atomic::{AtomicU8, Ordering};

use crate::settings;
use crate::stream_mode::Mode;

/// The value while no mode is chosen yet: the environment decides.
const UNREAD: u8 = u8::MAX;

static MODE: AtomicU8 = AtomicU8::new(UNREAD);

#[inline]
pub(crate) fn mode() -> Mode {
    // The modes are numbered in that order.
    Mode::ALL.get(usize::from(MODE.load(Ordering::Relaxed))).copied().unwrap_or_else(from_settings)
}

#[cold]
fn from_settings() -> Mode {
    let chosen = settings::get().streams;
    set(chosen);
    chosen
}

/// Changes the mode for what is queued from now on.
pub(crate) fn set(mode: Mode) {
    MODE.store(mode as u8, Ordering::Relaxed);
}

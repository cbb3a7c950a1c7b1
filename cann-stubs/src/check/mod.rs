//! The checks that make the emulator stricter than hardware: they find misuse, name it and report it.
//!
//! A failure that is misuse carries its [`Check`](crate::misuse::Check); the border to C passes every failure to [`report_failure`],
//! which keeps a report, or stops the program. Most checks follow from what handles and pointers mean. Those that need a
//! history of the program are in `tracker`, which builds on `span` (bytes that a view touches), `written_bytes` (bytes
//! that hold a value), `stream_order` and `clock` (which work runs before which). `live_objects` knows the live objects;
//! `leaks` reports those that should have ended. `level` says what happens to misuse, `report` does it, and `abort` ends the
//! program.

mod abort;
pub(crate) mod clock;
pub(crate) mod leaks;
mod level;
pub(crate) mod live_objects;
mod report;
mod stream_order;
pub(crate) mod tracker;
mod written_bytes;

pub(crate) use level::{is_tracking, level, process_level, set_own_level};
pub use report::Report;
pub(crate) use report::{all_reports, collect, notice, report_failure};

use crate::misuse::Level;

/// Changes the level of the process. Memory that was not tracked since its allocation is never checked.
pub(crate) fn set_process_level(level: Level) {
    level::set_process_level(level);
    tracker::forget_all();
}

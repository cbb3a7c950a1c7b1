//! Tests of what a whole process shares, a module for each subject: devices and what lives on them, modes, levels, records
//! and reports. One runs at a time: each is `#[serial]` and leaves the process as it found it. No device stays set, and
//! with the last `Device` ends what is on it. A test that needs a process of its own stands in `../own_process`.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

mod answers;
mod checks;
mod executors;
mod modes;
mod repetition;
mod runtime_callbacks;
mod runtime_events;
mod runtime_graphs;
mod runtime_lifecycle;
mod runtime_memory;
mod runtime_settings;
mod runtime_sharing;
mod runtime_signals;
mod runtime_streams;
#[path = "../support/set_before_main.rs"]
mod set_before_main;
mod sorting;
#[path = "../support/mod.rs"]
mod support;
mod trace;

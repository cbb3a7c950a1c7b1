//! Tests that need a process of their own, a module for each subject: they set the environment, begin or end the runtime,
//! die, or look at everything that lives or was told in the process.
//!
//! Each test starts this program again by `child::with` or `child::run`, for itself alone, and does nothing else with the
//! emulator; so these tests are neither `#[serial]` nor disturb each other.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

mod allocations;
mod boundary;
mod checks;
mod collectives;
mod defects;
mod fault_sweep;
mod faults;
mod fuzz;
mod huge;
mod language;
mod products;
mod releases;
mod runtime_events;
mod runtime_lifecycle;
mod runtime_memory;
mod runtime_sharing;
mod stress;
#[path = "../support/mod.rs"]
mod support;
mod threads;

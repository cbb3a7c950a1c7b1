//! Tests that need a process of their own: they have settings, count what the process allocates, let calls fail, or die.
//!
//! Each test starts this program again by `child::with` or `child::output`, for itself alone.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod allocations;
mod child;
mod faults;
mod fuzz;
mod memory;
mod modes;
#[path = "../support/mod.rs"]
mod support;

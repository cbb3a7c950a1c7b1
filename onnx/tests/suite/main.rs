//! Tests that run side by side in one process, on every backend: they set nothing that others notice, and let no work fail.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod comparison;
mod nodes;
mod plans;
mod reader;
mod rewritings;
mod sharing;
#[path = "../support/mod.rs"]
mod support;

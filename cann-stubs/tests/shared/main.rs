//! Tests that run side by side in one process, a module for each subject. They count nothing of the whole process and
//! change nothing for other threads, beyond setting a device while they run. Others stand in `../serial`, and those that
//! need a process of their own in `../own_process`; only `operators` starts the program again, for the golden cases of
//! other products.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

mod absent;
mod arithmetic;
mod by_name;
mod differential;
mod faults;
mod foreach;
mod lanes;
mod layouts;
mod linalg;
mod needs;
mod normalization;
mod operators;
mod output_types;
mod places;
mod products;
mod quantised;
mod random;
mod ranges;
mod refusals;
mod sequences;
#[path = "../support/set_before_main.rs"]
mod set_before_main;
#[path = "../support/mod.rs"]
mod support;
mod training;
mod unwritten;
mod versions;
mod weights;

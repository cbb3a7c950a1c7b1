//! Tests of what a whole process shares: the memory of a device, the ends of handles, failures that the next call tells,
//! what the emulator counts and reports. One runs at a time: each is `#[serial]` or starts itself in a process of its own,
//! and each leaves no device open.

#[path = "../support/mod.rs"]
mod support;

mod allocations;
mod failures;
mod fork;
mod handles;
mod indices;
mod memory;
mod misuse;
mod reuse;
mod streams;
mod transfers;

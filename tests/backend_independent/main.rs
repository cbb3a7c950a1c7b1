//! Tests that do not depend on the backend that serves: they start programs that choose their own, or use none.

#[path = "../support/mod.rs"]
mod support;

mod backend;
mod c_programs;
mod compile_fail;
mod examples;
mod send_sync;
mod sources;

//! The command as a user runs it: the built binary, with what it prints.
//!
//! A test runs a line in a [`shell::Shell`] and compares what it prints with a file of `cli/tests/snapshots/`. The page
//! `docs/command.md` shows those files. `UPDATE_PAGES=1 cargo test -p aclnn-cli` writes both.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod bench;
mod browser;
mod completions;
mod doctor;
mod info;
mod libraries;
mod man;
mod onnx;
mod ops;
mod page;
mod promote;
mod rehearsal;
mod run;
mod shell;
mod snapshot;
mod trace;
mod verify;

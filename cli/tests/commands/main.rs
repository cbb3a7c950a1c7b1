//! The commands, run as a user runs them.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

mod bench;
mod run;
mod trace;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Returns the built command, on the emulator and without settings of the caller.
fn aclnn() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aclnn"));
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy().into_owned();
        if ["ACLNN_", "CANN_STUBS_", "ASCEND_"].iter().any(|start| text.starts_with(start)) {
            command.env_remove(name);
        }
    }
    command.env("ACLNN_BACKEND", "emulator");
    command
}

/// Returns the path of a file of the tests.
fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

/// Runs a command that must succeed, and returns what it printed.
fn printed(command: &mut Command) -> String {
    let output: Output = command.output().expect("it starts");
    assert!(output.status.success(), "{command:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// Runs a command that must fail, and returns what it said.
fn refused(command: &mut Command) -> String {
    let output: Output = command.output().expect("it starts");
    assert_eq!(output.status.code(), Some(2), "{command:?} prints {}", text(&output.stdout));
    text(&output.stderr)
}

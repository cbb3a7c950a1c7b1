//! What several tests need.

#![allow(dead_code, reason = "not every test needs everything")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// The directory of the drop-in libraries, built once for a file of tests.
pub(crate) fn toolkit() -> &'static Path {
    static TOOLKIT: LazyLock<PathBuf> = LazyLock::new(|| {
        let toolkit = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("toolkit");
        let mut build = Command::new(env!("CARGO"));
        // As the tests are built: what the library needs is there already.
        build
            .args(["run", "--quiet", "--package", "xtask", "--", "toolkit", "--debug", "--out"])
            .arg(&toolkit);
        build.current_dir(env!("CARGO_MANIFEST_DIR"));
        let built = build.output().is_ok_and(|output| output.status.success());
        assert!(built, "the drop-in libraries were not built");
        toolkit
    });
    &TOOLKIT
}

/// A program of the folder `examples`, built beforehand with the tests, without settings from outside.
pub(crate) fn example(name: &str) -> Command {
    let tests = std::env::current_exe().unwrap_or_default();
    let target = tests.ancestors().nth(2).unwrap_or(&tests);
    let mut command = Command::new(target.join("examples").join(name));
    for (variable, _) in std::env::vars_os() {
        let name = variable.to_string_lossy();
        if name.starts_with("ACLNN_") || name.starts_with("CANN_STUBS_") || name == "RUST_BACKTRACE" {
            command.env_remove(&variable);
        }
    }
    command
}

/// Runs an example and compares what it prints with the comment at the end of its source, in which `…` stands for any
/// rest of a line.
pub(crate) fn prints_its_output(source: &Path, command: &mut Command) {
    let name = source.display();
    let output = command.output().unwrap_or_else(|error| {
        unreachable!("{name} does not start, build it with `cargo build --examples`: {error}")
    });
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && told.is_empty(), "{name}: {told}");
    let printed = String::from_utf8_lossy(&output.stdout);
    let source = std::fs::read_to_string(source).unwrap_or_default();
    let (_, expected) = source.split_once("\n// Output:\n").unwrap_or_default();
    let expected: Vec<_> =
        expected.lines().map(|line| line.trim_start_matches("//").strip_prefix(' ').unwrap_or("")).collect();
    let same = |(printed, expected): (&str, &&str)| match expected.split_once('…') {
        Some((start, "")) => printed.starts_with(start),
        _ => printed == *expected,
    };
    let all = printed.lines().count() == expected.len() && printed.lines().zip(&expected).all(same);
    assert!(!expected.is_empty() && all, "{name} prints\n{printed}\nand says\n{}", expected.join("\n"));
}

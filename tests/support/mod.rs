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
        build.args(["run", "--quiet", "--package", "xtask", "--", "toolkit", "--out"]).arg(&toolkit);
        build.current_dir(env!("CARGO_MANIFEST_DIR"));
        let built = build.output().is_ok_and(|output| output.status.success());
        assert!(built, "the drop-in libraries were not built");
        toolkit
    });
    &TOOLKIT
}

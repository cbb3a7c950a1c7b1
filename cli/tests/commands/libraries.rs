//! Directories of libraries to serve instead of CANN's.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// The drop-in libraries of the emulator, built once for all tests.
pub(crate) fn toolkit() -> &'static Path {
    static TOOLKIT: LazyLock<PathBuf> = LazyLock::new(|| {
        let toolkit = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("toolkit");
        let mut build = Command::new(env!("CARGO"));
        // As all tests are built: what the library needs is there already.
        build
            .args(["run", "--quiet", "--package", "xtask", "--", "toolkit", "--debug", "--out"])
            .arg(&toolkit);
        build.current_dir(env!("CARGO_MANIFEST_DIR"));
        assert!(build.output().unwrap().status.success(), "the drop-in libraries were not built");
        toolkit
    });
    &TOOLKIT
}

/// Builds libraries of C functions in a directory. All functions that they need for a search to accept them are in
/// `functions`; everything else is missing.
pub(crate) fn build(directory: &Path, functions: &str) {
    let source = directory.join("functions.c");
    std::fs::write(&source, format!("#include <stdint.h>\n#include <stddef.h>\n{functions}\n")).unwrap();
    for name in ["libascendcl.so", "libnnopbase.so", "libopapi.so"] {
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-w", "-o"]).arg(directory.join(name)).arg(&source);
        assert!(compiler.status().unwrap().success(), "a C compiler makes {name}");
    }
}

//! C and C++ programs written for CANN, compiled against the headers and linked with the drop-in libraries.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// The drop-in directory, built once for all tests of this file.
static TOOLKIT: LazyLock<PathBuf> = LazyLock::new(|| {
    let toolkit = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("toolkit");
    let mut build = Command::new(env!("CARGO"));
    build.args(["run", "--quiet", "--package", "xtask", "--", "toolkit", "--out"]).arg(&toolkit);
    build.current_dir(env!("CARGO_MANIFEST_DIR"));
    assert!(build.status().expect("cargo starts").success(), "the drop-in libraries were not built");
    toolkit
});

/// Compiles `source` with `compiler`, runs it with the drop-in libraries alone, and returns what it prints.
fn compile_and_run(compiler: &str, standard: &str, source: &str) -> String {
    let toolkit = &*TOOLKIT;
    let directory = tempfile::tempdir().expect("a temporary directory");
    let program = directory.path().join("program");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(source);
    let compiled = Command::new(compiler)
        .args([standard, "-Wall", "-Wextra", "-Werror", "-pedantic", "-g"])
        .arg("-I")
        .arg(toolkit.join("include"))
        .arg("-I")
        .arg(toolkit.join("include/aclnnop"))
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .arg("-L")
        .arg(toolkit.join("lib64"))
        .args(["-lascendcl", "-lnnopbase", "-lopapi"])
        .output()
        .expect("the compiler starts");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let ran = Command::new(&program)
        .env("LD_LIBRARY_PATH", toolkit.join("lib64"))
        .output()
        .expect("the program starts");
    assert!(ran.status.success(), "{:?}: {}", ran.status, String::from_utf8_lossy(&ran.stderr));
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

#[test]
fn a_c99_program_adds_mixed_types() {
    assert_eq!(compile_and_run("gcc", "-std=c99", "mixed_add.c"), "2 4.5 1 5 7.5 4 \n");
}

#[test]
fn a_cpp17_program_uses_views_ranges_and_casts() {
    assert_eq!(compile_and_run("g++", "-std=c++17", "views_and_errors.cpp"), "all as expected\n");
}

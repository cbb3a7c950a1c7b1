//! The drop-in directory has every function, and each of its libraries what programs look up in it.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use aclnn_sys::{ACL_ERROR_API_NOT_SUPPORT, Library, Runtime, SymbolSource};

/// Lays out a toolkit, once for all tests of this file.
static TOOLKIT: std::sync::LazyLock<PathBuf> = std::sync::LazyLock::new(|| {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("toolkit");
    let built = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(["toolkit", "--debug", "--out"])
        .arg(&out)
        .status()
        .unwrap();
    assert!(built.success());
    out.join("lib64")
});

/// Every file name that programs link or open, as the programs in the wild do.
const LIBRARIES: [&str; 12] = [
    "libascendcl.so",
    "libacl_rt.so",
    "libnnopbase.so",
    "libopapi.so",
    "libopapi_math.so",
    "libopapi_nn.so",
    "libacl_op_compiler.so",
    "libruntime.so",
    "libhccl.so",
    "libge_runner.so",
    "libgraph.so",
    "libacl_tdt_channel.so",
];

#[test]
fn the_library_exports_what_the_list_says_and_nothing_else() {
    let output = Command::new("nm")
        .args(["-D", "--defined-only"])
        .arg(TOOLKIT.join("libcann_stubs.so"))
        .output()
        .unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let exported: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| line.split_whitespace().last())
        .filter(|name| !name.starts_with("rust_") && !name.starts_with("_R"))
        .collect();
    let listed: BTreeSet<&str> = cann_stubs::entry_points().map(|entry| entry.name()).collect();
    let missing: Vec<_> = listed.difference(&exported).collect();
    let unlisted: Vec<_> = exported.difference(&listed).collect();
    assert!(missing.is_empty() && unlisted.is_empty(), "missing: {missing:?}, not listed: {unlisted:?}");
}

#[test]
fn every_symbol_that_programs_bind_resolves_from_every_library() {
    let list = include_str!("../../cann-stubs/tests/data/surface.txt");
    let symbols: Vec<String> = list
        .lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(|line| match line.split_once(' ').unwrap() {
            ("runtime" | "meta" | "function", name) => vec![name.to_owned()],
            (_, operator) => vec![format!("aclnn{operator}"), format!("aclnn{operator}GetWorkspaceSize")],
        })
        .collect();
    assert_eq!(symbols.len(), 470);
    for name in LIBRARIES {
        // SAFETY: the library was just built from this repository.
        let library = unsafe { Library::open(TOOLKIT.join(name)) }.unwrap();
        let missing: Vec<&String> = symbols.iter().filter(|name| library.symbol(name).is_none()).collect();
        assert!(missing.is_empty(), "{name} lacks {missing:?}");
    }
}

/// A drop-in library has the functions of every release, so those that the emulated one lacks refuse.
#[test]
fn functions_of_later_releases_refuse() {
    // SAFETY: no other test of this file reads the environment.
    unsafe { std::env::set_var("CANN_STUBS_VERSION", "9.0") };
    // SAFETY: the library was just built from this repository.
    let library = unsafe { Library::open(TOOLKIT.join("libacl_rt.so")) }.unwrap();
    let runtime = Runtime::load(&library);
    // SAFETY: the places are valid, and null is what the function has to refuse.
    unsafe {
        let null = std::ptr::null_mut();
        assert_eq!(runtime.aclrtMemsetD32(null, 4, 0, 1), Ok(ACL_ERROR_API_NOT_SUPPORT));
        let text = std::ffi::CStr::from_ptr(runtime.aclGetRecentErrMsg().unwrap()).to_string_lossy();
        for word in ["aclrtMemsetD32", "9.1", "9.0", "CANN_STUBS_VERSION"] {
            assert!(text.contains(word), "{word}: {text}");
        }
        // Of 9.0: it is there, and only misses its arguments.
        assert_eq!(runtime.aclrtMemPoolDestroy(null), Ok(aclnn_sys::ACL_ERROR_RT_PARAM_INVALID));
    }
}

//! The library that holds the emulator.

use crate::workspace;
use anyhow::{Context, Result, bail};
use std::{
    env,
    ffi::{CStr, c_char},
    path::{Path, PathBuf},
};

/// The name of the library, as a file and for the dynamic linker.
pub(super) const NAME: &str = "libcann_stubs.so";

/// The prefix of the C name of each function that the library exports.
pub(super) const PREFIX: &str = "cann_stubs_";

/// The variable that says what is left out of the library; `none` keeps the names for a profiler. Cargo reads it for packages
/// alone that have no settings of their own.
const STRIP: &str = "CARGO_PROFILE_TOOLKIT_STRIP";

/// How the library is built.
#[derive(Clone, Copy)]
pub(super) enum Profile {
    Release,
    Debug,
}

/// A function of the emulator.
pub(super) struct Entry {
    /// The part of the emulator that the function belongs to: `runtime`, `meta` or `operators`.
    pub(super) room: String,
    /// The C name of the function.
    pub(super) name: String,
}

/// Builds the library with every entry point exported.
pub(super) fn build(profile: Profile) -> Result<PathBuf> {
    let mut cargo = workspace::cargo();
    let library = match profile {
        Profile::Release => {
            cargo.args([
                "rustc",
                "--profile",
                "toolkit",
                "--package",
                "cann-stubs",
                "--lib",
                "--crate-type",
                "cdylib",
            ]);
            // In a directory of its own, since the features are not those of other builds.
            let target = workspace::target().join("drop-in");
            cargo.args(["--features", "drop-in,catalogue", "--target-dir"]).arg(&target);
            // Other libraries find this one by its name alone, wherever the directory is moved.
            cargo.args(["--", "-C", &format!("link-arg=-Wl,-soname,{NAME}")]);
            // A sixth of the file is names of functions that it does not export.
            let strip = env::var(STRIP).unwrap_or_else(|_| "symbols".to_owned());
            cargo.args(["-C", &format!("strip={strip}")]);
            target.join("toolkit").join(NAME)
        }
        // With the features of all packages, so that its dependencies are those that were built with the tests. Cargo has
        // them for an example alone.
        Profile::Debug => {
            let target = workspace::target();
            cargo.args(["build", "--workspace", "--example", "drop_in", "--features", "cann-stubs/drop-in"]);
            cargo.arg("--target-dir").arg(&target);
            target.join("debug/examples/libdrop_in.so")
        }
    };
    if !cargo.status().context("starting cargo")?.success() {
        bail!("building {NAME} failed");
    }
    Ok(library)
}

/// Returns the functions of the library, as the library lists them.
pub(super) fn entries(library: &Path) -> Result<Vec<Entry>> {
    // SAFETY: it was just built from this repository; opening it runs no code but that of the standard library.
    let library = unsafe { libloading::Library::new(library) }.context("opening what was built")?;
    let list: libloading::Symbol<'_, unsafe extern "C" fn() -> *const c_char> =
        // SAFETY: the function has this prototype.
        unsafe { library.get(b"cann_stubs_entry_points") }.context("looking for the list of functions")?;
    // SAFETY: the function returns a string that lives as long as the library.
    let text = unsafe { CStr::from_ptr(list()) }.to_str()?.to_owned();
    let entries = text.lines().map(|line| {
        let (room, name) = line.split_once(' ').with_context(|| format!("no function: {line}"))?;
        Ok(Entry { room: room.to_owned(), name: name.to_owned() })
    });
    entries.collect()
}

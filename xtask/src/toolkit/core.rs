//! The library that holds the emulator.

use super::Profile;
use crate::workspace;
use anyhow::{Context, Result, bail};
use std::{
    ffi::{CStr, c_char},
    path::{Path, PathBuf},
};

/// Its name, in files and for the dynamic linker.
pub(super) const NAME: &str = "libcann_stubs.so";

/// Before the C name of each function that it exports.
pub(super) const PREFIX: &str = "cann_stubs_";

/// A function of the emulator.
pub(super) struct Entry {
    /// The room of the emulator that it belongs to: `runtime`, `meta` or `operators`.
    pub(super) room: String,
    /// Its C name.
    pub(super) name: String,
}

/// Builds the library with every entry point exported.
pub(super) fn build(profile: Profile) -> Result<PathBuf> {
    let target = match profile {
        // Apart, since its features are not those of other builds.
        Profile::Release => workspace::target().join("drop-in"),
        // Tests use the debug one: what it needs was built with them.
        Profile::Debug => workspace::target(),
    };
    let mut cargo = workspace::cargo();
    cargo.args(["rustc", "--package", "cann-stubs", "--lib"]);
    cargo.args(["--crate-type", "cdylib", "--features", "drop-in"]).arg("--target-dir").arg(&target);
    let directory = match profile {
        Profile::Release => {
            cargo.arg("--release");
            "release"
        }
        Profile::Debug => "debug",
    };
    // Those that need it find it by its name alone, wherever the directory is moved.
    cargo.args(["--", "-C", &format!("link-arg=-Wl,-soname,{NAME}")]);
    if !cargo.status().context("starting cargo")?.success() {
        bail!("building {NAME} failed");
    }
    Ok(target.join(directory).join(NAME))
}

/// The functions of the library, as it lists them.
pub(super) fn entries(library: &Path) -> Result<Vec<Entry>> {
    // SAFETY: it was just built from this repository; opening it runs no code but that of the standard library.
    let library = unsafe { libloading::Library::new(library) }.context("opening what was built")?;
    let list: libloading::Symbol<'_, unsafe extern "C" fn() -> *const c_char> =
        // SAFETY: the function has this prototype.
        unsafe { library.get(b"cann_stubs_entry_points") }.context("looking for the list of functions")?;
    // SAFETY: the function gives text that lives as long as the library.
    let text = unsafe { CStr::from_ptr(list()) }.to_str()?.to_owned();
    let entries = text.lines().map(|line| {
        let (room, name) = line.split_once(' ').with_context(|| format!("no function: {line}"))?;
        Ok(Entry { room: room.to_owned(), name: name.to_owned() })
    });
    entries.collect()
}

//! The directories of the workspace.

use std::path::{Path, PathBuf};

/// Returns the root of the workspace.
pub(crate) fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.ancestors().nth(2).unwrap_or(manifest).to_owned()
}

/// Returns the crate that holds the headers and the bindings.
#[cfg(feature = "bindings")]
pub(crate) fn sys() -> PathBuf {
    root().join("sys")
}

//! Lays out the C headers in a directory: those written by hand in `sys/include`, and those of the operators, which are
//! written from the table of all operators, `sys/operators.tsv`.

mod operators;

use anyhow::{Context, Result};
use std::{fs, path::Path};

/// The headers that are written by hand.
const BY_HAND: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sys/include");

/// Lays out every header in `include`, which holds nothing else afterwards.
///
/// # Errors
/// When the directory cannot be emptied or written.
pub fn lay_out(include: &Path) -> Result<()> {
    if include.exists() {
        fs::remove_dir_all(include).with_context(|| format!("removing {}", include.display()))?;
    }
    copy_tree(Path::new(BY_HAND), include)?;
    operators::write(&include.join("aclnnop"))
}

fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("creating {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("reading {}", from.display()))? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_tree(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), &to).with_context(|| format!("writing {}", to.display()))?;
        }
    }
    Ok(())
}

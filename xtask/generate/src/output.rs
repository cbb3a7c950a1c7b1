//! Generated files, which are written, or compared with the existing ones.

use crate::workspace;
use anyhow::{Context, Result, bail};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// What to do with generated files.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Write the files that differ.
    Write,
    /// Fail if a file differs.
    Check,
}

/// Generated files by path.
#[derive(Default)]
pub(crate) struct Output {
    files: BTreeMap<PathBuf, String>,
}

impl Output {
    /// Adds a file.
    pub(crate) fn file(&mut self, path: impl Into<PathBuf>, text: String) {
        self.files.insert(path.into(), text);
    }

    /// Writes or checks all files.
    pub(crate) fn finish(self, mode: Mode) -> Result<()> {
        let mut different = Vec::new();
        for (path, text) in &self.files {
            if fs::read_to_string(path).is_ok_and(|old| old == *text) {
                continue;
            }
            different.push(path.clone());
            if mode == Mode::Write {
                if let Some(parent) = path.parent() {
                    fs::create_dir_all(parent).with_context(|| format!("creating {}", parent.display()))?;
                }
                fs::write(path, text).with_context(|| format!("writing {}", path.display()))?;
            }
        }
        let names: Vec<String> = different.iter().map(|path| shown(path)).collect();
        match mode {
            Mode::Write => names.iter().for_each(|name| println!("wrote {name}")),
            Mode::Check if names.is_empty() => {}
            Mode::Check => bail!("generated files differ:\n  {}", names.join("\n  ")),
        }
        Ok(())
    }
}

fn shown(path: &Path) -> String {
    path.strip_prefix(workspace::root()).unwrap_or(path).display().to_string()
}

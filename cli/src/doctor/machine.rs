//! The files and variables that the checks look at: those of this machine, or a tree that stands for one.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// A machine.
pub(super) struct Machine {
    /// The directory that stands for `/`.
    root: PathBuf,
    variables: BTreeMap<String, String>,
}

/// What a library is for, by the head of its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Architecture {
    Known(&'static str),
    /// Another one, by its number.
    Other(u16),
    /// It is no library at all.
    NotElf,
}

impl Machine {
    /// Describes this machine, with the files below `root`.
    pub(super) fn new(root: PathBuf) -> Self {
        let text = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
        Self { root, variables: std::env::vars_os().map(|(name, value)| (text(name), text(value))).collect() }
    }

    /// Returns whether this is the machine that the process runs on, and not a tree that stands for one.
    pub(super) fn is_real(&self) -> bool {
        self.root == Path::new("/")
    }

    /// Returns a variable that is set to something.
    pub(super) fn variable(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Returns the paths of a variable that has colons between them.
    pub(super) fn paths(&self, name: &str) -> Vec<PathBuf> {
        let value = self.variable(name).unwrap_or_default();
        value.split(':').filter(|path| !path.is_empty()).map(PathBuf::from).collect()
    }

    /// Returns the path under which a file of the machine is found.
    pub(super) fn at(&self, path: &Path) -> PathBuf {
        self.root.join(path.strip_prefix("/").unwrap_or(path))
    }

    pub(super) fn exists(&self, path: impl AsRef<Path>) -> bool {
        self.at(path.as_ref()).exists()
    }

    pub(super) fn read(&self, path: impl AsRef<Path>) -> Option<String> {
        fs::read_to_string(self.at(path.as_ref())).ok()
    }

    /// Returns the names in a directory, sorted; none where there is no such directory.
    pub(super) fn names(&self, directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(self.at(directory)).into_iter().flatten().flatten();
        let mut names: Vec<String> =
            entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        names
    }

    /// Returns the path with links followed, or the path itself if it does not exist.
    pub(super) fn canonical(&self, path: &Path) -> PathBuf {
        let followed = || {
            let root = self.root.canonicalize().ok()?;
            let path = self.at(path).canonicalize().ok()?;
            Some(Path::new("/").join(path.strip_prefix(root).ok()?))
        };
        followed().unwrap_or_else(|| path.to_owned())
    }

    /// Reads for which processors a library is.
    pub(super) fn architecture(&self, library: &Path) -> Option<Architecture> {
        let mut head = [0; 20];
        let mut file = File::open(self.at(library)).ok()?;
        if file.read_exact(&mut head).is_err() || !head.starts_with(b"\x7fELF") {
            return Some(Architecture::NotElf);
        }
        let [.., low, high] = head;
        Some(match u16::from_le_bytes([low, high]) {
            0x3e => Architecture::Known("x86_64"),
            0xb7 => Architecture::Known("aarch64"),
            other => Architecture::Other(other),
        })
    }
}

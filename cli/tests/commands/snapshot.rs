//! What lines printed before, as files: `promote/two_types` is `cli/tests/snapshots/promote/two_types.txt`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::page;

/// Whether to write files rather than to compare them.
pub(crate) fn is_written() -> bool {
    std::env::var_os("UPDATE_PAGES").is_some()
}

pub(crate) fn directory() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots")
}

/// Reads a snapshot.
pub(crate) fn read(name: &str) -> String {
    let path = directory().join(name).with_extension("txt");
    fs::read_to_string(&path).unwrap_or_else(|error| {
        panic!("{}: {error}; UPDATE_PAGES=1 writes what a test prints", path.display())
    })
}

/// Compares `text` with the snapshot, or writes it, and with it the page that shows it.
pub(crate) fn compare(name: &str, text: &str) {
    compare_file(&format!("tests/snapshots/{name}.txt"), text);
    if is_written() {
        page::write();
    }
}

/// Compares `text` with a file, by its path from the package on, or writes it.
pub(crate) fn compare_file(path: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if is_written() {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        return fs::write(file, text).unwrap();
    }
    let expected = fs::read_to_string(&file)
        .unwrap_or_else(|error| panic!("{path}: {error}; UPDATE_PAGES=1 writes what a test prints"));
    assert!(
        expected == text,
        "{path} says\n{expected}\nand what was printed is\n{text}\nUPDATE_PAGES=1 writes it"
    );
}

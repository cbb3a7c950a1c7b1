//! Small trees written here, and the sources of this repository.

mod arrows;
mod repository;
mod rule;

use std::{fs, path::Path};
use tempfile::TempDir;

/// Writes files, each after a line `== path`, into a new directory.
fn tree(text: &str) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let mut files: Vec<(&str, String)> = Vec::new();
    for line in text.lines() {
        let path = line.strip_prefix("== ");
        match (path, files.last_mut()) {
            (Some(path), _) => files.push((path, String::new())),
            (None, Some((_, file))) => *file += &format!("{line}\n"),
            (None, None) => assert_eq!(line, "", "a file has to start with its path"),
        }
    }
    for (path, text) in files {
        write(directory.path(), path, &text);
    }
    directory
}

fn write(directory: &Path, path: &str, text: &str) {
    let path = directory.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

//! Where the bytes of a model come from: a mapped file or memory, and the files beside it.

use std::collections::HashMap;
use std::fs::File;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use memmap2::Mmap;

use crate::error::{Error, Result};

/// The bytes of a model.
#[derive(Debug)]
pub(crate) struct Source {
    /// The name that stands for the model in errors.
    pub(crate) name: String,
    pub(crate) bytes: Bytes,
    /// The folder in which files with weights lie; `None` for a model in memory.
    folder: Option<PathBuf>,
    /// The files that were mapped so far.
    beside: Mutex<HashMap<PathBuf, Bytes>>,
}

impl Source {
    /// Maps a file.
    pub(crate) fn open(path: &Path) -> Result<Source> {
        let folder = path.parent().map(|folder| match folder.as_os_str().is_empty() {
            true => PathBuf::from("."),
            false => folder.to_owned(),
        });
        let name = path.display().to_string();
        Ok(Source { name, bytes: map(path)?, folder, beside: Mutex::default() })
    }

    /// Returns a model in memory. Files beside it are searched for in `folder`.
    pub(crate) fn memory(name: &str, bytes: Bytes, folder: Option<PathBuf>) -> Source {
        Source { name: name.to_owned(), bytes, folder, beside: Mutex::default() }
    }

    /// Returns a part of a file beside the model, or the reason why there is none.
    pub(crate) fn beside(
        &self,
        location: &str,
        offset: usize,
        length: Option<usize>,
    ) -> Result<Bytes, String> {
        let Some(folder) = &self.folder else {
            return Err(format!(
                "its elements are in the file `{location}`, but the model is not in a folder"
            ));
        };
        let relative = Path::new(location);
        if location.is_empty()
            || relative.components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir))
        {
            return Err(format!(
                "the file `{location}` with its elements must be in the folder of the model"
            ));
        }
        let unreadable = |error: std::io::Error| format!("the file `{location}` with its elements: {error}");
        let path = folder.join(relative).canonicalize().map_err(unreadable)?;
        if !path.starts_with(folder.canonicalize().map_err(unreadable)?) {
            return Err(format!(
                "the file `{location}` with its elements is a link out of the model's folder"
            ));
        }
        // Whoever opens a pipe waits for its other end.
        if !path.is_file() {
            return Err(format!("`{location}` with its elements is not a file"));
        }
        let mut files = self.beside.lock().unwrap_or_else(PoisonError::into_inner);
        let file = match files.get(&path) {
            Some(file) => file.clone(),
            None => {
                let file = map(&path).map_err(|error| error.to_string())?;
                files.insert(path, file.clone());
                file
            }
        };
        let end = match length {
            Some(length) => offset.checked_add(length),
            None => Some(file.len()),
        };
        match end {
            Some(end) if offset <= end && end <= file.len() => Ok(file.slice(offset..end)),
            _ => Err(format!(
                "the file `{location}` has {} bytes, too few for {} bytes at {offset}",
                file.len(),
                length.unwrap_or(0)
            )),
        }
    }
}

/// Maps a file into memory.
fn map(path: &Path) -> Result<Bytes> {
    let failed = |source| Error::File { path: path.to_owned(), source };
    let file = File::open(path).map_err(failed)?;
    // An empty file cannot be mapped.
    if file.metadata().map_err(failed)?.len() == 0 {
        return Ok(Bytes::new());
    }
    // SAFETY: the mapping is private and is only read, as bytes that may have any value. The documentation of
    // `Model::open` says that the file must not be written while the model is in use.
    let mapped = unsafe { Mmap::map(&file) }.map_err(failed)?;
    Ok(Bytes::from_owner(mapped))
}

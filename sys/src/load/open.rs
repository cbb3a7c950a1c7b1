//! Opening the libraries of one directory.

use super::files::{Files, custom_operators};
use super::not_found::reason;
use super::on_first_use::OnFirstUse;
use super::{Attempt, Environment, resident};
use crate::{Chain, Library, SymbolSource};
use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

/// An opened CANN: all libraries of one directory, and those of custom operators.
pub struct Toolkit {
    /// The functions of [`Runtime`](crate::Runtime).
    pub runtime: Arc<dyn SymbolSource>,
    /// The functions of [`Meta`](crate::Meta).
    pub meta: Arc<dyn SymbolSource>,
    /// The functions of [`Operators`](crate::Operators), custom ones first.
    pub operators: Arc<dyn SymbolSource>,
    /// The functions of [`Collectives`](crate::Collectives). Their libraries are opened when one is looked for.
    pub collectives: Arc<dyn SymbolSource>,
    /// The directory of the libraries.
    pub directory: PathBuf,
    /// The reason why this directory was tried: a variable, the dynamic linker, a default.
    pub origin: &'static str,
    /// Everything that was tried, in order, including this directory.
    pub tried: Vec<Attempt>,
    /// The libraries that were opened, in order.
    pub(super) libraries: Libraries,
}

impl fmt::Debug for Toolkit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Toolkit")
            .field("directory", &self.directory)
            .field("tried", &self.tried)
            .finish_non_exhaustive()
    }
}

/// The reason not to use libraries of another directory beside those that are loaded.
const NOT_MIXED: &str = "and libraries of two releases must not meet in one process";
/// Opened libraries, in order.
pub(super) type Libraries = Vec<Arc<Library>>;

/// Closes libraries, the last opened first.
///
/// # Safety
/// No function of the libraries is used any more.
pub(super) unsafe fn close(libraries: Libraries) {
    for library in libraries.iter().rev() {
        // SAFETY: the caller vouches for it, and the list is consumed.
        unsafe { library.close() };
    }
}

/// A candidate that is being opened.
struct Opening<'a> {
    directory: &'a Path,
    origin: &'static str,
    tried: &'a mut Vec<Attempt>,
    libraries: Libraries,
}

/// Opens the libraries in `directory`: all libraries of the groups, or none. The compiler, older libraries of operators
/// and custom operators only add functions, and may be missing.
///
/// # Safety
/// Code of the libraries runs when they are opened: they are CANN's, or stand in for CANN's.
pub(super) unsafe fn directory(
    directory: &Path,
    files: Files,
    origin: &'static str,
    environment: &Environment,
    tried: &mut Vec<Attempt>,
) -> Option<Toolkit> {
    if let Some(other) = resident::of_another(directory) {
        let error = format!("{} is loaded in this process already, {NOT_MIXED}", other.display());
        tried.push(Attempt { origin, path: directory.to_owned(), error: Some(error) });
        return None;
    }
    let mut opening = Opening { directory, origin, tried, libraries: Vec::new() };
    // SAFETY: the caller vouches for the libraries.
    let mut groups = || unsafe {
        Some((opening.all(&files.runtime)?, opening.all(&files.meta)?, opening.all(&files.operators)?))
    };
    let Some((runtime, meta, operators)) = groups() else {
        // SAFETY: no function of the libraries was given out.
        unsafe { close(opening.libraries) };
        return None;
    };
    // SAFETY: as above.
    let (compiler, old, custom) = unsafe {
        let custom = custom_operators(environment).into_iter().filter(|path| path.exists());
        let (compiler, old) = (opening.some(files.compiler), opening.some(files.old_operators));
        opening.origin = "custom operators";
        (compiler, old, opening.some(custom))
    };
    let chain = |first: Libraries, second: Libraries| -> Arc<dyn SymbolSource> {
        Arc::new(Chain::new(first.into_iter().chain(second).map(|library| library as Arc<dyn SymbolSource>)))
    };
    Some(Toolkit {
        runtime: chain(runtime, compiler),
        meta: chain(meta, Vec::new()),
        operators: chain(custom, operators.into_iter().chain(old).collect()),
        // SAFETY: the caller vouches for the libraries.
        collectives: Arc::new(unsafe { OnFirstUse::new(files.collectives) }),
        directory: directory.to_owned(),
        origin,
        tried: Vec::new(),
        libraries: opening.libraries,
    })
}

impl Opening<'_> {
    /// Opens all of `paths`. It stops at the first library that does not open, as libraries of another candidate must
    /// not be loaded beside those of this one.
    ///
    /// # Safety
    /// As for [`directory`].
    unsafe fn all(&mut self, paths: &[PathBuf]) -> Option<Libraries> {
        // SAFETY: the caller vouches for the libraries.
        paths.iter().map(|path| unsafe { self.one(path) }).collect()
    }

    /// Opens what can be opened of `paths`.
    ///
    /// # Safety
    /// As for [`directory`].
    unsafe fn some(&mut self, paths: impl IntoIterator<Item = PathBuf>) -> Libraries {
        // SAFETY: the caller vouches for the libraries.
        paths.into_iter().filter_map(|path| unsafe { self.one(&path) }).collect()
    }

    /// # Safety
    /// As for [`directory`].
    unsafe fn one(&mut self, path: &Path) -> Option<Arc<Library>> {
        // SAFETY: the caller vouches for the library.
        let library = unsafe { Library::open(path) };
        let opened = library.map(Arc::new).map_err(|error| explained(path, reason(&error)));
        let opened = opened.and_then(|library| match resident::of_another(self.directory) {
            None => Ok(library),
            Some(other) => {
                // SAFETY: no function of the library was given out.
                unsafe { library.close() };
                Err(format!(
                    "with it comes {}, {NOT_MIXED}: let {} come first in LD_LIBRARY_PATH, as its set_env.sh does",
                    other.display(),
                    self.directory.display()
                ))
            }
        });
        let error = opened.as_ref().err().cloned();
        self.tried.push(Attempt { origin: self.origin, path: path.to_owned(), error });
        let library = opened.ok()?;
        self.libraries.push(library.clone());
        Some(library)
    }
}

/// Returns the message of the dynamic linker, and what to do if it is about another library than the one that was
/// opened.
fn explained(path: &Path, reason: String) -> String {
    if reason.contains("cannot open shared object file") && !reason.starts_with(&*path.to_string_lossy()) {
        return format!(
            "{reason}; it needs that library: install the driver if it is one of its, and put its directory into LD_LIBRARY_PATH, \
             as set_env.sh does for those of CANN"
        );
    }
    reason
}

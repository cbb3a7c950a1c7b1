//! The places where CANN may be, the preferred place first.

use super::files::{Files, META, RUNTIME};
use super::not_found::{AS_TOLD, reason};
use super::open::{self, Libraries};
use super::{Attempt, Environment, NotFound, Toolkit, file_of};
use crate::{Library, SymbolSource};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

impl Toolkit {
    /// Opens the CANN that the environment names, that the dynamic linker finds, or that is at a default place. The
    /// last place tried is `recorded`, where a CANN was when the program was built.
    ///
    /// # Safety
    /// Code of the libraries runs when they are opened: the libraries with CANN's names in all these places are CANN's,
    /// or stand in for CANN's.
    ///
    /// # Errors
    /// [`NotFound`] with everything that was tried.
    pub unsafe fn find(environment: &Environment, recorded: Option<&Path>) -> Result<Self, NotFound> {
        let mut search = Search::new(environment);
        for (origin, place) in candidates(environment, recorded) {
            // SAFETY: the caller vouches for the libraries.
            if let Some(toolkit) = unsafe { search.open(origin, place) } {
                return Ok(Self { tried: search.tried, ..toolkit });
            }
        }
        Err(NotFound { tried: search.tried })
    }

    /// Searches as [`Toolkit::find`] does, but continues with the next place if `accept` returns why a toolkit does not
    /// serve. The reason is recorded among the attempts.
    ///
    /// The libraries of a refused toolkit are closed before others are opened, as libraries of two releases must not be
    /// in one process. If they stay loaded nevertheless, other toolkits are refused.
    ///
    /// # Safety
    /// As for [`Toolkit::find`]. In addition, nothing of a toolkit that `accept` refuses is used afterwards, nor still
    /// runs.
    ///
    /// # Errors
    /// [`NotFound`] with everything that was tried.
    pub unsafe fn find_with<T>(
        environment: &Environment,
        recorded: Option<&Path>,
        mut accept: impl FnMut(&Self) -> Result<T, String>,
    ) -> Result<T, NotFound> {
        let mut search = Search::new(environment);
        for (origin, place) in candidates(environment, recorded) {
            // SAFETY: the caller vouches for the libraries.
            let Some(mut toolkit) = (unsafe { search.open(origin, place) }) else { continue };
            toolkit.tried.clone_from(&search.tried);
            match accept(&toolkit) {
                Ok(accepted) => return Ok(accepted),
                Err(why) => {
                    search.tried.push(Attempt { origin, path: toolkit.directory, error: Some(why) });
                    search.refused.extend(toolkit.libraries);
                }
            }
        }
        Err(NotFound { tried: search.tried })
    }

    /// Opens the CANN at `path`, a toolkit or a directory of libraries. No other place is searched, except for custom
    /// operators.
    ///
    /// # Safety
    /// Code of the libraries runs when they are opened: they are CANN's, or stand in for CANN's.
    ///
    /// # Errors
    /// [`NotFound`] with everything that was tried.
    pub unsafe fn open(path: &Path, environment: &Environment) -> Result<Self, NotFound> {
        let mut search = Search::new(environment);
        // SAFETY: the caller vouches for the libraries.
        match unsafe { search.open(AS_TOLD, Place::Root(path.to_owned())) } {
            Some(toolkit) => Ok(Self { tried: search.tried, ..toolkit }),
            None => Err(NotFound { tried: search.tried }),
        }
    }
}

/// The state of a search while places are tried in turn.
struct Search<'a> {
    environment: &'a Environment,
    tried: Vec<Attempt>,
    /// The directories whose libraries were opened, by their real names, as several places may lead to the same
    /// directory.
    seen: Vec<PathBuf>,
    /// Libraries that were used and do not serve. They are closed only when others are to be opened, as not every
    /// library survives being closed.
    refused: Libraries,
}

impl<'a> Search<'a> {
    fn new(environment: &'a Environment) -> Self {
        Self { environment, tried: Vec::new(), seen: Vec::new(), refused: Libraries::new() }
    }

    /// Opens the libraries at a place, all or none.
    ///
    /// # Safety
    /// The libraries are CANN's, or stand in for CANN's, and nothing that was refused is used any more.
    unsafe fn open(&mut self, origin: &'static str, place: Place) -> Option<Toolkit> {
        let (directory, found_by) = match place {
            Place::Root(root) => (libraries(&root), None),
            Place::Directory(directory) => (directory, None),
            Place::DynamicLinker => {
                let mut first = linked_directories(self.environment);
                if first.next().is_some_and(|directory| self.was_seen(directory)) {
                    // The dynamic linker would find the same directory again.
                    return None;
                }
                // SAFETY: the caller vouches for it.
                unsafe { open::close(std::mem::take(&mut self.refused)) };
                // SAFETY: the caller vouches for the library.
                match unsafe { linked_directory() } {
                    Ok((directory, library)) => (directory, Some(library)),
                    Err(error) => return self.fail(origin, META.into(), error),
                }
            }
        };
        // SAFETY: as above.
        let opened = unsafe { self.open_directory(origin, directory) };
        match (opened, found_by) {
            (Some(mut toolkit), Some(library)) => {
                toolkit.libraries.insert(0, library);
                Some(toolkit)
            }
            (None, Some(library)) => {
                // SAFETY: no function of the library was given out.
                unsafe { library.close() };
                None
            }
            (opened, None) => opened,
        }
    }

    /// # Safety
    /// As for [`Search::open`].
    unsafe fn open_directory(&mut self, origin: &'static str, directory: PathBuf) -> Option<Toolkit> {
        let files = Files::of(&directory);
        if let Some(error) = files.lack() {
            return self.fail(origin, directory, error);
        }
        if self.was_seen(&directory) {
            return self.fail(origin, directory, SEEN.to_owned());
        }
        self.seen.extend(directory.canonicalize());
        // SAFETY: the caller vouches for what was refused, and for the libraries.
        unsafe {
            open::close(std::mem::take(&mut self.refused));
            open::directory(&directory, files, origin, self.environment, &mut self.tried)
        }
    }

    fn was_seen(&self, directory: &Path) -> bool {
        directory.canonicalize().is_ok_and(|directory| self.seen.contains(&directory))
    }

    fn fail(&mut self, origin: &'static str, path: PathBuf, error: String) -> Option<Toolkit> {
        self.tried.push(Attempt { origin, path, error: Some(error) });
        None
    }
}

const SEEN: &str = "tried above";

/// A place to try.
enum Place {
    Root(PathBuf),
    Directory(PathBuf),
    DynamicLinker,
}

fn candidates<'a>(
    environment: &'a Environment,
    recorded: Option<&'a Path>,
) -> impl Iterator<Item = (&'static str, Place)> + 'a {
    let variables = [
        ("ACLNN_CANN_PATH", &environment.aclnn_cann_path),
        ("ASCEND_HOME_PATH", &environment.ascend_home_path),
        ("ASCEND_TOOLKIT_HOME", &environment.ascend_toolkit_home),
    ];
    let variables = variables.map(|(name, path)| path.clone().map(|path| (name, Place::Root(path))));
    // The dynamic linker itself finds the first directory only, which may be one that does not serve.
    let linked = linked_directories(environment).map(|directory| Place::Directory(directory.clone()));
    let linked = linked.chain([Place::DynamicLinker]).map(|place| ("dynamic linker", place));
    let linker = linked.filter(|_| environment.dynamic_linker);
    let defaults = environment.default_roots.clone().into_iter().map(|root| ("default", Place::Root(root)));
    let recorded = recorded.map(|path| ("recorded at build time", Place::Root(path.to_owned())));
    variables.into_iter().flatten().chain(linker).chain(defaults).chain(recorded)
}

/// Returns the directories of `LD_LIBRARY_PATH` that hold the operator base library, the preferred one first.
fn linked_directories(environment: &Environment) -> impl Iterator<Item = &PathBuf> {
    environment.ld_library_path.iter().filter(|directory| directory.join(META).exists())
}

/// Returns the directory of libraries of a toolkit, which is `root` itself if it holds them.
fn libraries(root: &Path) -> PathBuf {
    let lib64 = root.join("lib64");
    if RUNTIME.iter().any(|name| root.join(name).exists()) && !lib64.join(META).exists() {
        root.to_owned()
    } else {
        lib64
    }
}

/// Returns the directory from which the dynamic linker takes the operator base library, and that library. All other
/// libraries are taken from there too, as libraries of two releases must not be in one process.
///
/// # Safety
/// The library that the dynamic linker finds under CANN's name is CANN's, or stands in for CANN's.
unsafe fn linked_directory() -> Result<(PathBuf, Arc<Library>), String> {
    // SAFETY: the caller vouches for the library.
    let library = unsafe { Library::open(META) }.map_err(|error| reason(&error))?;
    let directory = || {
        let address = library.symbol("aclCreateTensor").ok_or("it lacks `aclCreateTensor`")?;
        // SAFETY: the library is open.
        let path = unsafe { file_of(address) }.ok_or("the dynamic linker does not tell where it lies")?;
        path.parent().map(Path::to_owned).ok_or_else(|| format!("{} has no directory", path.display()))
    };
    match directory() {
        Ok(directory) => Ok((directory, Arc::new(library))),
        Err(error) => {
            // SAFETY: no function of the library was given out.
            unsafe { library.close() };
            Err(error)
        }
    }
}

//! Where CANN may be, the preferred place first.

use super::tried::AS_TOLD;
use super::{Attempt, Environment, NotFound, Toolkit, open};
use crate::{Library, SymbolSource};
use std::{
    ffi::c_void,
    path::{Path, PathBuf},
    ptr::NonNull,
};

impl Toolkit {
    /// Opens the CANN that the environment names, the dynamic linker finds, or stands at a default place; last the one
    /// at `recorded`, where one stood when the program was built.
    ///
    /// # Errors
    /// [`NotFound`] with everything that was tried.
    pub fn find(environment: &Environment, recorded: Option<&Path>) -> Result<Self, NotFound> {
        let mut tried = Vec::new();
        for candidate in candidates(environment, recorded) {
            let (origin, path) = candidate;
            let directory = match path {
                Place::Root(root) => Ok(libraries(&root)),
                Place::DynamicLinker => linked_directory(),
            };
            match directory {
                Ok(directory) => {
                    if let Some(toolkit) = open::directory(&directory, origin, environment, &mut tried) {
                        return Ok(Self { tried, ..toolkit });
                    }
                }
                Err(error) => tried.push(Attempt { origin, path: open::META.into(), error: Some(error) }),
            }
        }
        Err(NotFound { tried })
    }

    /// Opens the CANN at `path`, a toolkit or a directory of libraries. Nothing else is looked at, but for custom
    /// operators.
    ///
    /// # Errors
    /// [`NotFound`] with everything that was tried.
    pub fn open(path: &Path, environment: &Environment) -> Result<Self, NotFound> {
        let mut tried = Vec::new();
        match open::directory(&libraries(path), AS_TOLD, environment, &mut tried) {
            Some(toolkit) => Ok(Self { tried, ..toolkit }),
            None => Err(NotFound { tried }),
        }
    }
}

/// A place to look at.
enum Place {
    Root(PathBuf),
    DynamicLinker,
}

fn candidates(
    environment: &Environment,
    recorded: Option<&Path>,
) -> impl Iterator<Item = (&'static str, Place)> {
    let variables = [
        ("ACLNN_CANN_PATH", &environment.aclnn_cann_path),
        ("ASCEND_HOME_PATH", &environment.ascend_home_path),
        ("ASCEND_TOOLKIT_HOME", &environment.ascend_toolkit_home),
    ];
    let variables = variables.map(|(name, path)| path.clone().map(|path| (name, Place::Root(path))));
    let linker = environment.dynamic_linker.then_some(("dynamic linker", Place::DynamicLinker));
    let defaults = environment.default_roots.clone().into_iter().map(|root| ("default", Place::Root(root)));
    let recorded = recorded.map(|path| ("recorded at build time", Place::Root(path.to_owned())));
    variables.into_iter().flatten().chain(linker).chain(defaults).chain(recorded)
}

/// The directory of libraries of a toolkit, which is `root` itself if it holds them.
fn libraries(root: &Path) -> PathBuf {
    let lib64 = root.join("lib64");
    if open::RUNTIME.iter().any(|name| root.join(name).exists()) && !lib64.join(open::META).exists() {
        root.to_owned()
    } else {
        lib64
    }
}

/// The directory from which the dynamic linker takes the operator base library. All others are taken from there too:
/// libraries of two releases must not meet in one process.
fn linked_directory() -> Result<PathBuf, String> {
    // SAFETY: the library that goes by CANN's name where the user lets the dynamic linker search.
    let library = unsafe { Library::open(open::META) }.map_err(|error| open::reason(&error))?;
    let address = library.symbol("aclCreateTensor").ok_or("it lacks `aclCreateTensor`")?;
    let path = path_of(address).ok_or("the dynamic linker does not tell where it lies")?;
    path.parent().map(Path::to_owned).ok_or_else(|| format!("{} has no directory", path.display()))
}

/// The file that holds a function.
#[cfg(unix)]
fn path_of(address: NonNull<c_void>) -> Option<PathBuf> {
    use std::{
        ffi::{CStr, OsStr},
        os::unix::ffi::OsStrExt,
    };

    let mut info = std::mem::MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: any address may be asked for, and `info` is valid for writing.
    let found = unsafe { libc::dladdr(address.as_ptr(), info.as_mut_ptr()) };
    // SAFETY: zeros are a valid value, and `dladdr` writes valid ones.
    let info = unsafe { info.assume_init() };
    if found == 0 || info.dli_fname.is_null() {
        return None;
    }
    // SAFETY: text that lives as long as the library, which is never closed.
    let name = unsafe { CStr::from_ptr(info.dli_fname) };
    Some(PathBuf::from(OsStr::from_bytes(name.to_bytes())))
}

/// CANN is for Linux: elsewhere nobody asks the dynamic linker for it with success.
#[cfg(not(unix))]
fn path_of(_: NonNull<c_void>) -> Option<PathBuf> {
    None
}

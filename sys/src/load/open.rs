//! Opening the libraries of one directory.

use super::{Attempt, Environment, resident};
use crate::{Chain, Library, SymbolSource};
use std::{
    error::Error,
    ffi::OsStr,
    fmt, fs,
    path::{Path, PathBuf},
    sync::Arc,
};

/// An opened CANN: all libraries of one directory, and those of custom operators.
pub struct Toolkit {
    /// Functions of [`Runtime`](crate::Runtime).
    pub runtime: Arc<dyn SymbolSource>,
    /// Functions of [`Meta`](crate::Meta).
    pub meta: Arc<dyn SymbolSource>,
    /// Functions of [`Operators`](crate::Operators), custom ones first.
    pub operators: Arc<dyn SymbolSource>,
    /// Where the libraries lie.
    pub directory: PathBuf,
    /// Why it was looked for there: a variable, the dynamic linker, a default.
    pub origin: &'static str,
    /// Everything that was tried, in order, this one included.
    pub tried: Vec<Attempt>,
    /// What was opened, in order.
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

/// Libraries of the runtime; a function is taken from the first that has it.
pub(super) const RUNTIME: &[&str] = &["libacl_rt.so", "libascendcl.so"];
/// Has the options of the operator compiler, which older runtimes lack.
const COMPILER: &str = "libacl_op_compiler.so";
/// The operator base library.
pub(super) const META: &str = "libnnopbase.so";
/// The operators in one library, as CANN had them up to 8.3. Not to be mixed with those in several.
const OPERATORS: &str = "libopapi.so";
/// The operators in several libraries; first these, then all others.
const SPLIT_OPERATORS: &[&str] = &[
    "libopapi_math.so",
    "libopapi_nn.so",
    "libopapi_cv.so",
    "libopapi_transformer.so",
    "libopapi_oam.so",
    "libopapi_legacy.so",
];
/// Why libraries of another directory are not taken beside those that are there.
const NOT_MIXED: &str = "and libraries of two releases must not meet in one process";
/// Custom operators, in their package.
const CUSTOM: &str = "op_api/lib/libcust_opapi.so";

/// Whether libraries of the groups lie in a directory.
pub(super) fn holds_cann(directory: &Path) -> bool {
    RUNTIME.iter().chain([&META, &OPERATORS]).any(|name| directory.join(name).exists())
}

/// Opened libraries, in order.
pub(super) type Libraries = Vec<Arc<Library>>;

/// Closes libraries, the last opened first.
///
/// # Safety
/// No function of them is used any more.
pub(super) unsafe fn close(libraries: Libraries) {
    for library in libraries.iter().rev() {
        // SAFETY: the caller vouches for it, and the list goes with it.
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

/// Opens the libraries in `directory`: all of the groups, or none. The compiler, older libraries of operators and custom
/// operators only add to them, and may be missing.
///
/// # Safety
/// Code runs when they are opened: they are CANN's, or stand in for them.
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
        // SAFETY: nobody has got a function of them.
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
        directory: directory.to_owned(),
        origin,
        tried: Vec::new(),
        libraries: opening.libraries,
    })
}

impl Opening<'_> {
    /// Opens all of `paths`. At the first one that does not open it stops: no other candidate may meet what is left of
    /// this one.
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
                // SAFETY: nobody has got a function of it.
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

/// The libraries in a directory, by group.
pub(super) struct Files {
    runtime: Vec<PathBuf>,
    compiler: Vec<PathBuf>,
    meta: Vec<PathBuf>,
    operators: Vec<PathBuf>,
    old_operators: Vec<PathBuf>,
    error: Option<String>,
}

impl Files {
    pub(super) fn of(directory: &Path) -> Self {
        let (names, error) = match names(directory) {
            Ok(names) => (names, None),
            Err(error) => (Vec::new(), Some(error.to_string())),
        };
        let present = |wanted: &[&str]| -> Vec<PathBuf> {
            let wanted = wanted.iter().filter(|name| names.iter().any(|present| present == *name));
            wanted.map(|name| directory.join(name)).collect()
        };
        let with_prefix = |prefix: &str| -> Vec<&str> {
            let names = names.iter().map(String::as_str);
            names.filter(|name| name.starts_with(prefix) && name.ends_with(".so")).collect()
        };

        let mut split = with_prefix("libopapi_");
        split.sort_by_key(|name| {
            let place = SPLIT_OPERATORS.iter().position(|known| known == name);
            (place.unwrap_or(SPLIT_OPERATORS.len()), *name)
        });
        Self {
            runtime: present(RUNTIME),
            compiler: present(&[COMPILER]),
            meta: present(&[META]),
            operators: present(if split.is_empty() { &[OPERATORS] } else { &split }),
            old_operators: present(&with_prefix("libaclnn_")),
            error,
        }
    }

    /// What is missing in the directory.
    pub(super) fn lack(&self) -> Option<String> {
        let groups = [
            ("libacl_rt.so or libascendcl.so", &self.runtime),
            (META, &self.meta),
            ("libopapi.so or libopapi_*.so", &self.operators),
        ];
        let missing: Vec<&str> =
            groups.iter().filter(|(_, files)| files.is_empty()).map(|(name, _)| *name).collect();
        match &self.error {
            Some(error) => Some(error.clone()),
            None if missing.is_empty() => None,
            None => Some(format!("there is no {}", missing.join(", no "))),
        }
    }
}

/// The names in a directory, sorted.
fn names(directory: &Path) -> std::io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(directory)? {
        names.extend(entry?.file_name().into_string());
    }
    names.sort();
    Ok(names)
}

/// What the dynamic linker says, and what to do if it is about another library than the one that was opened.
fn explained(path: &Path, reason: String) -> String {
    if reason.contains("cannot open shared object file") && !reason.starts_with(&*path.to_string_lossy()) {
        return format!(
            "{reason}; it needs that library: install the driver if it is one of its, and put its directory into LD_LIBRARY_PATH, \
             as set_env.sh does for those of CANN"
        );
    }
    reason
}

/// What the dynamic linker says.
pub(super) fn reason(error: &libloading::Error) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

/// The libraries of custom operators: those of `ASCEND_CUSTOM_OPP_PATH`, then those of other vendors, in the order that
/// `vendors/config.ini` gives them.
fn custom_operators(environment: &Environment) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        environment.ascend_custom_opp_path.iter().map(|package| package.join(CUSTOM)).collect();
    if let Some(packages) = &environment.ascend_opp_path {
        let vendors = packages.join("vendors");
        let priority = fs::read_to_string(vendors.join("config.ini")).unwrap_or_default();
        let names = priority.lines().filter_map(|line| line.trim().strip_prefix("load_priority="));
        let names = names.flat_map(|names| names.split(',')).map(str::trim).filter(|name| !name.is_empty());
        paths.extend(names.map(|name| vendors.join(OsStr::new(name)).join(CUSTOM)));
    }
    paths
}

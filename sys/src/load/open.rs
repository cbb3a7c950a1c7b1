//! Opening the libraries of one directory.

use super::{Attempt, Environment};
use crate::{Chain, Library, SymbolSource};
use std::{
    error::Error,
    ffi::OsStr,
    fmt, fs,
    path::{Path, PathBuf},
    sync::Arc,
};

/// An opened CANN.
pub struct Toolkit {
    /// Functions of [`Runtime`](crate::Runtime).
    pub runtime: Arc<dyn SymbolSource>,
    /// Functions of [`Meta`](crate::Meta).
    pub meta: Arc<dyn SymbolSource>,
    /// Functions of [`Operators`](crate::Operators), custom ones first.
    pub operators: Arc<dyn SymbolSource>,
    /// Where the libraries lie.
    pub directory: PathBuf,
    /// Everything that was tried, in order, this one included.
    pub tried: Vec<Attempt>,
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
/// Custom operators, in their package.
const CUSTOM: &str = "op_api/lib/libcust_opapi.so";

/// Opens the libraries in `directory`, if all groups are there.
pub(super) fn directory(
    directory: &Path,
    origin: &'static str,
    environment: &Environment,
    tried: &mut Vec<Attempt>,
) -> Option<Toolkit> {
    // Nothing is opened before everything is known to be there: an opened library stays.
    let files = Files::of(directory);
    if let Some(error) = files.lack() {
        tried.push(Attempt { origin, path: directory.to_owned(), error: Some(error) });
        return None;
    }
    let mut opened = |files: &[PathBuf]| -> Chain {
        Chain::new(files.iter().filter_map(|path| open(path, origin, tried)))
    };
    let runtime = opened(&files.runtime);
    let meta = opened(&files.meta);
    let operators = opened(&files.operators);
    if runtime.is_empty() || meta.is_empty() || operators.is_empty() {
        return None;
    }
    let compiler = opened(&files.compiler);
    let runtime = [runtime, compiler].into_iter().filter(|chain| !chain.is_empty());
    let runtime = Chain::new(runtime.map(|chain| Arc::new(chain) as Arc<dyn SymbolSource>));
    let custom = custom_operators(environment);
    let custom =
        custom.iter().filter(|path| path.exists()).filter_map(|path| open(path, "custom operators", tried));
    let operators = Chain::new(custom.chain([Arc::new(operators) as Arc<dyn SymbolSource>]));
    Some(Toolkit {
        runtime: Arc::new(runtime),
        meta: Arc::new(meta),
        operators: Arc::new(operators),
        directory: directory.to_owned(),
        tried: Vec::new(),
    })
}

/// The libraries in a directory, by group.
struct Files {
    runtime: Vec<PathBuf>,
    compiler: Vec<PathBuf>,
    meta: Vec<PathBuf>,
    operators: Vec<PathBuf>,
    error: Option<String>,
}

impl Files {
    fn of(directory: &Path) -> Self {
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
        let mut operators = present(if split.is_empty() { &[OPERATORS] } else { &split });
        operators.extend(present(&with_prefix("libaclnn_")));
        Self {
            runtime: present(RUNTIME),
            compiler: present(&[COMPILER]),
            meta: present(&[META]),
            operators,
            error,
        }
    }

    /// What is missing in the directory.
    fn lack(&self) -> Option<String> {
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

fn open(path: &Path, origin: &'static str, tried: &mut Vec<Attempt>) -> Option<Arc<dyn SymbolSource>> {
    // SAFETY: a library that goes by CANN's name, in a directory where the user lets CANN be looked for.
    let library = unsafe { Library::open(path) };
    let error = library.as_ref().err().map(|error| explained(path, reason(error)));
    tried.push(Attempt { origin, path: path.to_owned(), error });
    library.ok().map(|library| Arc::new(library) as Arc<dyn SymbolSource>)
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

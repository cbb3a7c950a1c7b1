//! The names of the libraries that make up a CANN, and those of them that lie in a directory.

use super::Environment;
use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
};

/// The libraries of the runtime; a function is taken from the first that has it.
pub(super) const RUNTIME: &[&str] = &["libacl_rt.so", "libascendcl.so"];
/// The library with the options of the operator compiler, which older runtimes lack.
const COMPILER: &str = "libacl_op_compiler.so";
/// The operator base library.
pub(super) const META: &str = "libnnopbase.so";
/// The operators in one library, as CANN had them up to 8.3. This library must not be mixed with the split ones.
const OPERATORS: &str = "libopapi.so";
/// The operators in several libraries: first these, then all others.
const SPLIT_OPERATORS: &[&str] = &[
    "libopapi_math.so",
    "libopapi_nn.so",
    "libopapi_cv.so",
    "libopapi_transformer.so",
    "libopapi_oam.so",
    "libopapi_legacy.so",
];
/// The libraries of collectives, which are opened when they are needed.
const COLLECTIVES: &[&str] = &["libhccl.so", "libhcomm.so"];
/// The library of custom operators, in their package.
const CUSTOM: &str = "op_api/lib/libcust_opapi.so";

/// Returns whether a directory holds libraries of the groups.
pub(super) fn holds_cann(directory: &Path) -> bool {
    RUNTIME.iter().chain([&META, &OPERATORS]).any(|name| directory.join(name).exists())
}

/// The libraries in a directory, by group.
pub(super) struct Files {
    pub(super) runtime: Vec<PathBuf>,
    pub(super) compiler: Vec<PathBuf>,
    pub(super) meta: Vec<PathBuf>,
    pub(super) operators: Vec<PathBuf>,
    pub(super) old_operators: Vec<PathBuf>,
    pub(super) collectives: Vec<PathBuf>,
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

        // Those that are known, in their order, then the others in that of their names, which are sorted.
        let found = with_prefix("libopapi_");
        let others = found.iter().filter(|name| !SPLIT_OPERATORS.contains(name));
        let split: Vec<&str> =
            SPLIT_OPERATORS.iter().filter(|name| found.contains(name)).chain(others).copied().collect();
        Self {
            runtime: present(RUNTIME),
            compiler: present(&[COMPILER]),
            meta: present(&[META]),
            operators: present(if split.is_empty() { &[OPERATORS] } else { &split }),
            old_operators: present(&with_prefix("libaclnn_")),
            collectives: present(COLLECTIVES),
            error,
        }
    }

    /// Returns what is missing in the directory.
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

/// Returns the names in a directory, sorted.
fn names(directory: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(directory)? {
        names.extend(entry?.file_name().into_string());
    }
    names.sort();
    Ok(names)
}

/// Returns the libraries of custom operators: those of `ASCEND_CUSTOM_OPP_PATH`, then those of other vendors, in the
/// order of `vendors/config.ini`.
pub(super) fn custom_operators(environment: &Environment) -> Vec<PathBuf> {
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

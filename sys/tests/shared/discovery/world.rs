//! Directories of libraries that are made for a test, and a process that searches them.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, c_int},
    fs,
    path::PathBuf,
    process::Command,
    sync::atomic::{AtomicU32, Ordering},
};
use tempfile::TempDir;

use crate::support;

/// Directories of libraries; each library exports some functions, which return its number.
pub(crate) struct World(TempDir);

/// What else there is to a library.
#[derive(Default)]
pub(crate) struct Traits<'a> {
    /// A library that it needs, by its path.
    pub(crate) needs: Option<&'a str>,
    /// A function of another library that it calls, and the function by which it does so.
    pub(crate) calls: Option<(&'a str, &'a str)>,
    /// The dynamic linker keeps it when it is closed.
    pub(crate) stays: bool,
}

impl World {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    /// A library at `path` with `functions`. Returns its number.
    pub(crate) fn library(&self, path: &str, functions: &[&str]) -> c_int {
        self.library_with(path, functions, &Traits::default())
    }

    pub(crate) fn library_with(&self, path: &str, functions: &[&str], traits: &Traits<'_>) -> c_int {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let mut source: String = functions
            .iter()
            .map(|name| format!("int {name}(void);\nint {name}(void) {{ return {number}; }}\n"))
            .collect();
        if let Some((by, function)) = traits.calls {
            source += &format!(
                "int {function}(void);\nint {by}(void);\nint {by}(void) {{ return {function}(); }}\n"
            );
        }
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let file = self.path("source");
        fs::write(&file, source + "extern int unused;\n").unwrap();
        let mut compiler = support::Language::C99.compiler();
        compiler.args(["-shared", "-fPIC", "-o"]).arg(&path).arg(&file);
        compiler.arg(format!("-Wl,-soname,{}", path.file_name().unwrap().display()));
        if traits.stays {
            compiler.arg("-Wl,-z,nodelete");
        }
        if let Some(needed) = traits.needs {
            // Not as source in C.
            compiler.args(["-x", "none", "-Wl,--no-as-needed"]).arg(self.path(needed));
        }
        support::succeed(&mut compiler);
        number.try_into().unwrap()
    }

    /// A toolkit of the smallest kind: runtime, base, operators.
    pub(crate) fn toolkit(&self, root: &str, operators: &str) -> [c_int; 3] {
        [
            self.library(&format!("{root}/lib64/libascendcl.so"), &["aclInit"]),
            self.library(&format!("{root}/lib64/libnnopbase.so"), &["aclCreateTensor"]),
            self.library(&format!("{root}/lib64/{operators}"), &["aclnnAdd"]),
        ]
    }

    /// A toolkit whose operators use its base, as those of CANN do: `aclnnBase` gives the number of the one they meet.
    pub(crate) fn linked_toolkit(&self, root: &str) -> [c_int; 3] {
        let numbers = self.toolkit(root, "libopapi.so");
        let traits = Traits {
            needs: Some(&format!("{root}/lib64/libnnopbase.so")),
            calls: Some(("aclnnBase", "aclCreateTensor")),
            ..Traits::default()
        };
        let operators = self.library_with(&format!("{root}/lib64/libopapi.so"), &["aclnnAdd"], &traits);
        [numbers[0], numbers[1], operators]
    }

    /// Lets the library at `path` need one that is not there.
    pub(crate) fn break_dependency(&self, path: &str, functions: &[&str]) {
        self.library("absent/libabsent.so", &[]);
        let traits = Traits { needs: Some("absent/libabsent.so"), ..Traits::default() };
        self.library_with(path, functions, &traits);
        fs::remove_file(self.path("absent/libabsent.so")).unwrap();
    }

    pub(crate) fn shown(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.0.path().display()), "")
    }

    /// What a process finds that has these variables and no others that matter.
    pub(crate) fn search<V: AsRef<OsStr>>(&self, variables: &[(&str, V)]) -> Found {
        let mut child = Command::new(std::env::current_exe().unwrap());
        child
            .args(["--ignored", "--exact", "discovery::child", "--nocapture"])
            .env("HOME", self.path("home of the user"));
        for name in ["ACLNN_CANN_PATH", "ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME", "LD_LIBRARY_PATH"] {
            child.env_remove(name);
        }
        for name in ["ASCEND_OPP_PATH", "ASCEND_CUSTOM_OPP_PATH"] {
            child.env_remove(name);
        }
        for (name, value) in variables {
            child.env(name, value);
        }
        let output = support::succeed(&mut child);
        Found::read(&self.shown(&String::from_utf8(output.stdout).unwrap()))
    }
}

/// What a search found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) directory: String,
    /// By table and function: `meta.aclCreateTensor`.
    pub(crate) numbers: BTreeMap<String, c_int>,
    pub(crate) tried: Vec<String>,
    /// Libraries that are loaded in the end.
    pub(crate) loaded: Vec<String>,
}

impl Found {
    pub(crate) fn read(text: &str) -> Self {
        let mut found = Self::default();
        for line in text.lines() {
            match line.split_once(": ") {
                Some(("directory", directory)) => directory.clone_into(&mut found.directory),
                Some(("tried", attempt)) => found.tried.push(attempt.to_owned()),
                Some(("loaded", library)) => found.loaded.push(library.to_owned()),
                Some((function, number)) if function.contains('.') => {
                    _ = found.numbers.insert(function.to_owned(), number.parse().unwrap());
                }
                _ => {}
            }
        }
        found
    }

    pub(crate) fn number(&self, function: &str) -> Option<c_int> {
        self.numbers.get(function).copied()
    }

    /// Of the three libraries of the smallest toolkit.
    pub(crate) fn numbers(&self) -> [Option<c_int>; 3] {
        ["runtime.aclInit", "meta.aclCreateTensor", "operators.aclnnAdd"].map(|name| self.number(name))
    }
}

/// A library that the child opens before it searches.
pub(crate) const BEFORE: &str = "ACLNN_TEST_BEFORE";
/// A path that is opened, in place of a search.
pub(crate) const OPEN: &str = "ACLNN_TEST_OPEN";
/// How many candidates are refused after they were opened.
pub(crate) const REFUSE: &str = "ACLNN_TEST_REFUSE";
/// Where a toolkit stood when the child was built.
pub(crate) const RECORDED: &str = "ACLNN_TEST_RECORDED";

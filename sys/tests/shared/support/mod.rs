//! Compiling C and C++ in tests.

#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::LazyLock,
};

/// The headers, those of the operators among them, which are written once for all tests.
pub(crate) fn include() -> &'static Path {
    static INCLUDE: LazyLock<PathBuf> = LazyLock::new(|| {
        let include = Path::new(env!("CARGO_TARGET_TMPDIR")).join("include");
        xtask_headers::lay_out(&include).unwrap();
        include
    });
    &INCLUDE
}

/// Every header, relative to the directory of headers, sorted.
pub(crate) fn headers() -> Vec<String> {
    fn collect(directory: &Path, headers: &mut Vec<String>) {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, headers);
            } else {
                headers.push(path.strip_prefix(include()).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    let mut headers = Vec::new();
    collect(include(), &mut headers);
    headers.sort();
    headers
}

/// A language and its compiler.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Language {
    C99,
    Cpp17,
}

pub(crate) const LANGUAGES: [Language; 2] = [Language::C99, Language::Cpp17];

impl Language {
    /// The compiler with every warning an error.
    pub(crate) fn compiler(self) -> Command {
        let (compiler, standard, suffix) = match self {
            Self::C99 => ("gcc", "c99", "c"),
            Self::Cpp17 => ("g++", "c++17", "c++"),
        };
        let mut command = Command::new(compiler);
        command.arg(format!("-std={standard}")).args([
            "-Wall",
            "-Wextra",
            "-pedantic",
            "-Werror",
            "-x",
            suffix,
        ]);
        command
    }
}

/// Runs a command; panics with its output if it fails.
pub(crate) fn succeed(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// What a program in `language` prints.
pub(crate) fn run(language: Language, source: &str) -> String {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("program");
    let program = directory.path().join("a.out");
    std::fs::write(&file, source).unwrap();
    succeed(language.compiler().arg("-I").arg(include()).arg("-o").arg(&program).arg(&file));
    String::from_utf8(succeed(&mut Command::new(&program)).stdout).unwrap()
}

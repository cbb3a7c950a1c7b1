//! A shell that knows `aclnn` alone.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::snapshot;

/// An empty directory in which lines are run, with the embedded emulator and no other variables.
pub(crate) struct Shell {
    directory: TempDir,
    variables: Vec<(String, String)>,
    hidden: Vec<(String, String)>,
}

/// What a line printed.
pub(crate) struct Printed {
    line: String,
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) code: Option<i32>,
}

impl Shell {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().to_string_lossy().into_owned();
        Self {
            directory,
            variables: vec![("ACLNN_BACKEND".to_owned(), "emulator".to_owned())],
            // The directory and the processor are of this machine.
            hidden: vec![(path, "DIR".to_owned()), (std::env::consts::ARCH.to_owned(), "ARCH".to_owned())],
        }
    }

    /// Copies the arrays of `cli/tests/data` to the directory.
    pub(crate) fn with_arrays(self) -> Self {
        let arrays = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        for array in std::fs::read_dir(arrays).unwrap() {
            let array = array.unwrap();
            std::fs::copy(array.path(), self.path(array.file_name().to_str().unwrap())).unwrap();
        }
        self
    }

    /// Sets a variable.
    pub(crate) fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.variables.push((name.to_owned(), value.into()));
        self
    }

    /// Prints `shown` where `text` would be printed, as that differs from machine to machine.
    pub(crate) fn hiding(mut self, text: impl Into<String>, shown: &str) -> Self {
        self.hidden.insert(0, (text.into(), shown.to_owned()));
        self
    }

    /// The path of a file in the directory.
    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.directory.path().join(file)
    }

    /// Runs a line such as `aclnn promote f16 bf16`; words are separated by spaces.
    pub(crate) fn run(&self, line: &str) -> Printed {
        self.run_with(line, &[])
    }

    /// Runs a line with further variables.
    pub(crate) fn run_with(&self, line: &str, further: &[(&str, &str)]) -> Printed {
        let mut words = line.split_whitespace();
        assert_eq!(words.next(), Some("aclnn"), "{line}");
        let mut command = Command::new(Path::new(env!("CARGO_BIN_EXE_aclnn")));
        command.args(words).current_dir(self.directory.path()).env_clear();
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.envs(further.iter().copied());
        let output = command.output().unwrap();
        let text = |bytes| {
            let text = String::from_utf8(bytes).unwrap();
            self.hidden.iter().fold(text, |text, (hidden, shown)| text.replace(hidden, shown))
        };
        Printed {
            line: line.to_owned(),
            out: text(output.stdout),
            err: text(output.stderr),
            code: output.status.code(),
        }
    }
}

impl Printed {
    /// The output as JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}{}", self.out, self.err))
    }

    /// Changes each printed line, to hide what differs from run to run, such as times.
    pub(crate) fn changing(mut self, change: impl Fn(&str) -> String) -> Self {
        self.out = self.out.lines().map(|line| change(line) + "\n").collect();
        self
    }

    /// Leaves out lines, as there may be more of them or fewer.
    pub(crate) fn without(mut self, is_left_out: impl Fn(&str) -> bool) -> Self {
        self.out =
            self.out.lines().filter(|line| !is_left_out(line)).map(|line| format!("{line}\n")).collect();
        self
    }

    /// Compares everything with the snapshot of that name, or writes it.
    pub(crate) fn is(self, name: &str) -> Self {
        let code = match self.code {
            Some(0) => String::new(),
            Some(code) => format!("[exit code {code}]\n"),
            None => "[ended by a signal]\n".to_owned(),
        };
        snapshot::compare(name, &format!("$ {}\n{}{}{code}", self.line, self.out, self.err));
        self
    }
}

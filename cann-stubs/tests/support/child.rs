//! Tests in a process of their own: the test starts its program again, for itself alone, and its body runs there.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Output};

use super::SETTINGS;

/// Set in a child. Who sets it by hand runs the body of a test in place, for instance where no child can be started.
const CHILD: &str = "EMULATOR_TEST_CHILD";

/// Whether this process was started for one test.
pub(crate) fn is_child() -> bool {
    std::env::var_os(CHILD).is_some()
}

/// The test function that it stands in, by its name in the list of the program.
macro_rules! this_test {
    () => {{
        fn here() {}
        $crate::support::child::test_of(std::any::type_name_of_val(&here))
    }};
}
pub(crate) use this_test;

/// Of `program::module::test::here`, or of `program::module::test::{{closure}}::here`, the module and the test.
pub(crate) fn test_of(path: &'static str) -> &'static str {
    let (_, test) = path.split_once("::").unwrap();
    test.split("::{{closure}}").next().unwrap().trim_end_matches("::here")
}

/// This program, for the test called `test` alone.
pub(crate) fn command(test: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]).env(CHILD, "1");
    for (name, value) in SETTINGS {
        command.env(OsStr::from_bytes(name.to_bytes()), OsStr::from_bytes(value.to_bytes()));
    }
    // Where every object was made would be found out, which takes long.
    command.env_remove("RUST_BACKTRACE");
    command
}

/// What becomes of a process that runs one test.
pub(crate) fn output(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains("running 1 test"), "{command:?} finds no test: {printed}");
    output
}

/// Runs `body` in a process with `settings`; gives what became of the process, and `None` there.
pub(crate) fn run(test: &str, settings: &[(&str, &str)], body: impl FnOnce()) -> Option<Output> {
    if is_child() {
        let is_mine = |(name, value): &(&str, &str)| std::env::var(name).is_ok_and(|set| set == *value);
        if settings.iter().all(is_mine) {
            body();
        }
        return None;
    }
    Some(output(command(test).envs(settings.iter().copied())))
}

/// As `run`, for a `body` that succeeds.
pub(crate) fn with(test: &str, settings: &[(&str, &str)], body: impl FnOnce()) {
    let Some(output) = run(test, settings, body) else { return };
    let [printed, told] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "with {settings:?}:\n{printed}{told}");
    assert!(printed.contains("1 passed"), "with {settings:?}:\n{printed}{told}");
}

//! Tests in a process of their own: the test starts its program again, for itself alone, and its body runs there.

use std::process::{Command, Output};

/// Set in a child.
const CHILD: &str = "ONNX_TEST_CHILD";

/// Whether this process was started for one test.
pub(crate) fn is_child() -> bool {
    std::env::var_os(CHILD).is_some()
}

/// The test function that it stands in, by its name in the list of the program.
macro_rules! this_test {
    () => {{
        fn here() {}
        $crate::child::test_of(std::any::type_name_of_val(&here))
    }};
}
pub(crate) use this_test;

/// Of `program::module::test::here` the module and the test.
pub(crate) fn test_of(path: &'static str) -> &'static str {
    let (_, test) = path.split_once("::").unwrap();
    test.split("::{{closure}}").next().unwrap().trim_end_matches("::here")
}

/// This program, for the test called `test` alone.
pub(crate) fn command(test: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]).env(CHILD, "1");
    // The emulator would find out where every object was made, which takes long.
    command.env("RUST_BACKTRACE", "0");
    command
}

/// Returns what becomes of a process that runs one test.
pub(crate) fn output(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains("running 1 test"), "{command:?} finds no test: {printed}");
    output
}

/// Runs `body` in a process with `settings`, where it has to succeed.
pub(crate) fn with(test: &str, settings: &[(&str, &str)], body: impl FnOnce()) {
    if is_child() {
        let is_mine = |(name, value): &(&str, &str)| std::env::var(name).is_ok_and(|set| set == *value);
        if settings.iter().all(is_mine) {
            body();
        }
        return;
    }
    let output = output(command(test).envs(settings.iter().copied()));
    let [printed, told] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success() && printed.contains("1 passed"), "with {settings:?}:\n{printed}{told}");
}

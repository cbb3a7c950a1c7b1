//! Settings are read once in a process, and some programs die: such a test runs again in a process of its own.

#![allow(dead_code, reason = "each test binary uses a part")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::{Command, Output};

/// Runs `body` in a process with `settings`: the test called `test` starts itself, and does nothing else in the child. Gives
/// what became of the child, and there `None`.
pub(crate) fn run(test: &str, settings: &[(&str, &str)], body: impl FnOnce()) -> Option<Output> {
    const CHILD: &str = "EMULATOR_TEST_CHILD";
    if std::env::var_os(CHILD).is_some() {
        let is_mine = |(name, value): &(&str, &str)| std::env::var(name).is_ok_and(|set| set == *value);
        if settings.iter().all(is_mine) {
            body();
        }
        return None;
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]).env(CHILD, "1");
    Some(command.envs(settings.iter().copied()).output().unwrap())
}

/// As `run`, for a `body` that succeeds.
pub(crate) fn with(test: &str, settings: &[(&str, &str)], body: impl FnOnce()) {
    let Some(output) = run(test, settings, body) else { return };
    let [printed, told] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "with {settings:?}:\n{printed}{told}");
    assert!(printed.contains("1 passed"), "there is no test called {test}");
}

//! Settings are read once in a process, so a test of other settings runs again in a process of its own.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::Command;

/// Runs `body` in a process with `settings`: the test called `test` starts itself, and does nothing else in the child.
pub(crate) fn with(test: &str, settings: &[(&str, &str)], body: impl FnOnce()) {
    const CHILD: &str = "EMULATOR_TEST_CHILD";
    if std::env::var_os(CHILD).is_some() {
        let is_mine = |(name, value): &(&str, &str)| std::env::var(name).is_ok_and(|set| set == *value);
        if settings.iter().all(is_mine) {
            body();
        }
        return;
    }
    let test_binary = std::env::current_exe().unwrap();
    let mut command = Command::new(test_binary);
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]).env(CHILD, "1");
    let output = command.envs(settings.iter().copied()).output().unwrap();
    assert!(
        output.status.success(),
        "with {settings:?}:\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "there is no test called {test}");
}

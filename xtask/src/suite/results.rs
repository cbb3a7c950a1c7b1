//! What test programs printed, test by test.

use std::collections::BTreeMap;

/// The outcome of one test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    Passed,
    /// What the test printed.
    Failed(String),
    /// Why the test does not apply.
    Skipped(String),
}

/// One test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Test {
    pub(super) name: String,
    pub(super) outcome: Outcome,
}

/// One test program, or the tests of the documentation.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) name: String,
    pub(super) tests: Vec<Test>,
    /// The messages of the emulator.
    pub(super) reports: Vec<String>,
    pub(super) seconds: f32,
}

/// What the tests said on one backend.
pub(super) struct Run {
    pub(super) name: String,
    /// The libraries, and the versions of CANN, product, devices and driver.
    pub(super) serves: Vec<String>,
    pub(super) programs: Vec<Program>,
}

impl Run {
    pub(super) fn seconds(&self) -> f32 {
        self.programs.iter().map(|program| program.seconds).sum()
    }
}

/// The number of tests by outcome, and of the messages of the emulator.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) passed: usize,
    pub(super) failed: usize,
    pub(super) skipped: usize,
    pub(super) reports: usize,
}

impl Counts {
    pub(super) fn of<'a>(programs: impl IntoIterator<Item = &'a Program>) -> Self {
        let mut counts = Self::default();
        for program in programs {
            counts.reports += program.reports.len();
            for test in &program.tests {
                match test.outcome {
                    Outcome::Passed => counts.passed += 1,
                    Outcome::Failed(_) => counts.failed += 1,
                    Outcome::Skipped(_) => counts.skipped += 1,
                }
            }
        }
        counts
    }
}

/// The start of a line in which a test says that it does not apply. The harness counts such a test as passed.
const SKIPPED: &str = "skipped: ";

impl Program {
    /// Reads what a program wrote to standard output and standard error; `end` says how the program ended if it did not
    /// succeed.
    pub(super) fn read(
        name: &str,
        stdout: &[String],
        stderr: &[String],
        end: Option<&str>,
        seconds: f32,
    ) -> Self {
        let mut skipped = skipped(name, stdout.iter().chain(stderr));
        let mut failures = failures(stdout);
        let mut tests = Vec::new();
        let mut announced = None;
        for line in stdout {
            if let Some(count) = line.strip_prefix("running ").and_then(|rest| number_before(rest, " test")) {
                *announced.get_or_insert(0) += count;
            } else if let Some((name, result)) =
                line.strip_prefix("test ").and_then(|line| line.rsplit_once(" ... "))
            {
                // The harness adds what a test expects, as in "test name - should panic ... ok".
                let name = name.strip_suffix(" - should panic").unwrap_or(name);
                let outcome = match result.split_once(", ").unwrap_or((result, "ignored")) {
                    ("FAILED", _) => Outcome::Failed(failures.remove(name).unwrap_or_default()),
                    ("ignored", why) => Outcome::Skipped(why.to_owned()),
                    _ => skipped.remove(name).map_or(Outcome::Passed, Outcome::Skipped),
                };
                tests.push(Test { name: name.to_owned(), outcome });
            }
        }
        let reports = stdout.iter().chain(stderr).filter(|line| line.starts_with("cann-stubs: "));
        let mut program = Self { name: name.to_owned(), tests, reports: reports.cloned().collect(), seconds };
        program.add_end(announced, end, stdout, stderr);
        let rest = skipped.into_iter().map(|(name, why)| Test { name, outcome: Outcome::Skipped(why) });
        program.tests.extend(rest);
        program
    }

    /// Adds a test for the program itself, if it ended in a way that its tests do not tell: it died before all of them had a
    /// result, it was not built, or it has no harness.
    fn add_end(&mut self, announced: Option<usize>, end: Option<&str>, stdout: &[String], stderr: &[String]) {
        let has_failed = self.tests.iter().any(|test| matches!(test.outcome, Outcome::Failed(_)));
        let missing = announced.unwrap_or_default().saturating_sub(self.tests.len());
        let outcome = match end {
            _ if missing > 0 => {
                let end = end.unwrap_or("without an error");
                let lines = last_lines(stdout, stderr);
                Outcome::Failed(format!("{missing} tests have no result: the program ended {end}\n{lines}"))
            }
            Some(end) if !has_failed => {
                Outcome::Failed(format!("the program ended {end}\n{}", last_lines(stdout, stderr)))
            }
            None if announced.is_none() => Outcome::Passed,
            _ => return,
        };
        self.tests.push(Test { name: "the program".to_owned(), outcome });
    }
}

/// Returns why each test does not apply that said so, by name.
fn skipped<'a>(program: &str, lines: impl Iterator<Item = &'a String>) -> BTreeMap<String, String> {
    let of = |line: &str| {
        let (test, why) = line.strip_prefix(SKIPPED)?.split_once(": ")?;
        let name = test.strip_prefix(program).and_then(|rest| rest.strip_prefix("::")).unwrap_or(test);
        Some((name.to_owned(), why.to_owned()))
    };
    lines.filter_map(|line| of(line)).collect()
}

/// Returns what each failed test printed, by name.
fn failures(stdout: &[String]) -> BTreeMap<&str, String> {
    let mut failures = BTreeMap::new();
    let mut current: Option<(&str, Vec<&str>)> = None;
    for line in stdout {
        let heading = line.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" stdout ----"));
        let ends = line == "failures:" || line.starts_with("test result: ");
        if heading.is_some() || ends {
            failures.extend(current.take().map(|(name, lines)| (name, lines.join("\n").trim().to_owned())));
            current = heading.map(|name| (name, Vec::new()));
        } else if let Some((_, lines)) = &mut current {
            lines.push(line);
        }
    }
    failures
}

/// Returns the last lines of both outputs.
fn last_lines(stdout: &[String], stderr: &[String]) -> String {
    let last = |lines: &[String]| lines[lines.len().saturating_sub(30)..].join("\n");
    format!("{}\n{}", last(stdout), last(stderr)).trim().to_owned()
}

/// Returns the number right before a word.
fn number_before(line: &str, word: &str) -> Option<usize> {
    line.split_once(word)?.0.rsplit(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    const STDOUT: &str = "
running 5 tests
test child ... ignored, other tests start it
test errors::of_two_failures_none_is_lost ... ok
test views::refused - should panic ... ok
test sums ... FAILED
test devices::all_devices ... ok

failures:

---- sums stdout ----
thread 'sums' panicked at tests/sums.rs:1:
left: 1


failures:
    sums

test result: FAILED. 3 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.15s
";

    /// The harness counts a test that returns at once as passed.
    #[test]
    fn tests_that_do_not_apply_are_skipped_and_not_passed() {
        let stderr = lines(
            "skipped: shared::devices::all_devices: there is one device alone
cann-stubs: misuse: a handle is used after its end
skipped: shared::devices::all_devices: there is one device alone",
        );
        let program = Program::read("shared", &lines(STDOUT), &stderr, Some("with code 101"), 1.5);
        let skipped = |why: &str| Outcome::Skipped(why.to_owned());
        let outcomes: Vec<_> =
            program.tests.iter().map(|test| (test.name.as_str(), test.outcome.clone())).collect();
        assert_eq!(
            outcomes,
            [
                ("child", skipped("other tests start it")),
                ("errors::of_two_failures_none_is_lost", Outcome::Passed),
                ("views::refused", Outcome::Passed),
                ("sums", Outcome::Failed("thread 'sums' panicked at tests/sums.rs:1:\nleft: 1".to_owned())),
                ("devices::all_devices", skipped("there is one device alone")),
            ]
        );
        assert_eq!(Counts::of([&program]), Counts { passed: 2, failed: 1, skipped: 2, reports: 1 });
    }

    /// A driver may end the process that uses it.
    #[test]
    fn a_program_that_dies_fails_and_says_how_many_tests_have_no_result() {
        let stdout = lines("running 3 tests\ntest first ... ok");
        let stderr = lines("error: test failed\nCaused by:\n  signal: 11");
        let program = Program::read("shared", &stdout, &stderr, Some("with code 101"), 0.0);
        let Some(Test { name, outcome: Outcome::Failed(why) }) = program.tests.last() else {
            panic!("{program:?}");
        };
        assert_eq!(name, "the program");
        assert!(why.starts_with("2 tests have no result: the program ended with code 101"), "{why}");
        assert!(why.contains("signal: 11"), "{why}");
        let counts = Counts::of([&program]);
        assert_eq!(counts.passed + counts.failed + counts.skipped, 2);
    }

    #[test]
    fn a_program_without_a_harness_is_one_test() {
        let succeeds = Program::read("process_end", &[], &[], None, 0.0);
        assert_eq!(succeeds.tests.len(), 1);
        assert_eq!(succeeds.tests[0].outcome, Outcome::Passed);
        let fails = Program::read("process_end", &[], &lines("panicked"), Some("with code 101"), 0.0);
        assert_eq!(
            fails.tests[0].outcome,
            Outcome::Failed("the program ended with code 101\npanicked".to_owned())
        );
    }

    /// Tests of the documentation run in several groups.
    #[test]
    fn groups_of_tests_are_one_program() {
        let stdout = lines(
            "running 1 test\ntest src/a.rs - a (line 3) ... ok\nrunning 1 test\ntest src/b.rs - b (line 9) - compile ... ok",
        );
        let program = Program::read("documentation", &stdout, &[], None, 0.0);
        assert_eq!(Counts::of([&program]), Counts { passed: 2, ..Counts::default() });
    }
}

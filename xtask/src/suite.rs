//! `cargo xtask suite`: runs the tests of the safe layer on every available backend.

use crate::{toolkit, workspace};
use anyhow::{Result, bail};
use std::{
    collections::BTreeMap,
    env, fs,
    io::{BufRead, BufReader, Read},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// A backend and its strictness.
struct Configuration {
    name: &'static str,
    variables: Vec<(&'static str, String)>,
}

impl Configuration {
    fn new(name: &'static str, backend: &str, strict: bool) -> Self {
        let mut variables = vec![("ACLNN_BACKEND", backend.to_owned())];
        if strict {
            // No work is done before a thread waits for it, and misuse ends the process.
            variables.push(("CANN_STUBS_STREAMS", "deferred".to_owned()));
            variables.push(("CANN_STUBS_CHECK", "abort".to_owned()));
        }
        Self { name, variables }
    }
}

/// The outcome of a run of the tests.
struct Outcome {
    /// The version of CANN, product, devices and driver.
    serves: String,
    counts: Counts,
    succeeded: bool,
    took: Duration,
}

/// The counts from the output of the tests.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    passed: usize,
    failed: usize,
    /// The tests that do not apply to the backend, and why. The harness counts them as passed.
    skipped: BTreeMap<String, String>,
    /// The number of messages of the emulator.
    told: usize,
}

impl Counts {
    fn of<'a>(lines: impl Iterator<Item = &'a str>) -> Self {
        let mut counts = Self::default();
        for line in lines {
            if let Some(result) = line.strip_prefix("test result: ") {
                counts.passed += number_before(result, " passed").unwrap_or_default();
                counts.failed += number_before(result, " failed").unwrap_or_default();
            } else if let Some(skipped) = line.strip_prefix(SKIPPED) {
                let (test, why) = skipped.split_once(": ").unwrap_or((skipped, ""));
                counts.skipped.insert(test.to_owned(), why.to_owned());
            } else if line.starts_with("cann-stubs: ") {
                counts.told += 1;
            }
        }
        counts.passed = counts.passed.saturating_sub(counts.skipped.len());
        counts
    }
}

/// The start of a line in which a test says that it does not apply.
const SKIPPED: &str = "skipped: ";
/// The start of a line in which a test describes the backend.
const SERVES: &str = "serves: ";

/// Runs the suite: on the emulator in all its forms, or on what `--backend` names.
pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    let configurations = match arguments {
        [] => {
            let toolkit = workspace::target().join("suite").join("toolkit").display().to_string();
            toolkit::run(&["--out", &toolkit])?;
            let libraries = format!("{toolkit}/lib64");
            vec![
                Configuration::new("embedded", "emulator", false),
                Configuration::new("drop-in", &libraries, false),
                Configuration::new("embedded, strict", "emulator", true),
                Configuration::new("drop-in, strict", &libraries, true),
            ]
        }
        ["--backend", "cann"] => vec![Configuration::new("CANN", "cann", false)],
        ["--backend", directory] => vec![Configuration::new("as told", directory, false)],
        _ => bail!("usage: cargo xtask suite [--backend cann|DIR]"),
    };
    build_examples()?;
    let outcomes: Vec<_> = configurations
        .iter()
        .map(|configuration| Ok((configuration.name, test(configuration)?)))
        .collect::<Result<_>>()?;
    tell(&outcomes);
    if outcomes.iter().any(|(_, outcome)| !outcome.succeeded || outcome.counts.told > 0) {
        bail!("the suite failed");
    }
    Ok(())
}

/// Builds the examples, which some tests start.
fn build_examples() -> Result<()> {
    let packages = ["--package", "aclnn", "--package", "aclnn-tests"];
    let built = workspace::cargo()
        .args(["build", "--quiet", "--all-features", "--examples"])
        .args(packages)
        .status()?;
    if built.success() { Ok(()) } else { bail!("the examples do not build") }
}

/// Prints the table: the backends, the outcomes of the tests, and the tests that did not apply.
fn tell(outcomes: &[(&str, Outcome)]) {
    let header = ["backend", "passed", "failed", "skipped", "reports", "seconds"];
    let [backend, passed, failed, skipped, reports, seconds] = header;
    println!("\n{backend:<18} {passed:>6} {failed:>6} {skipped:>7} {reports:>7} {seconds:>7}");
    for (name, Outcome { counts: Counts { passed, failed, skipped, told }, took, .. }) in outcomes {
        let (skipped, seconds) = (skipped.len(), took.as_secs_f32());
        println!("{name:<18} {passed:>6} {failed:>6} {skipped:>7} {told:>7} {seconds:>7.0}");
    }
    println!();
    for (name, Outcome { serves, .. }) in outcomes {
        println!("{name}: {serves}");
    }
    for (name, Outcome { counts, .. }) in
        outcomes.iter().filter(|(_, outcome)| !outcome.counts.skipped.is_empty())
    {
        println!("\n{name}: skipped");
        counts.skipped.iter().for_each(|(test, why)| println!("  {test}: {why}"));
    }
}

/// The test program that does not depend on the backend: what is in it brings its own, or uses none.
const BACKEND_INDEPENDENT: &str = "backend_independent";

/// Returns the arguments of cargo for the tests of the safe layer: those of its library and of the test programs, and those
/// of its documentation.
fn parts() -> Result<[Vec<String>; 2]> {
    let arguments = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    let mut programs = arguments(&["--package", "aclnn", "--package", "aclnn-tests", "--lib"]);
    let manifest = fs::read_to_string(workspace::root().join("tests/Cargo.toml"))?;
    for program in programs_of(&manifest).filter(|&program| program != BACKEND_INDEPENDENT) {
        programs.extend(arguments(&["--test", program]));
    }
    Ok([programs, arguments(&["--package", "aclnn", "--doc"])])
}

/// Returns the names of the test programs of a manifest.
fn programs_of(manifest: &str) -> impl Iterator<Item = &str> {
    manifest.split("[[test]]\nname = \"").skip(1).filter_map(|program| program.split('"').next())
}

/// Runs the tests in one configuration.
fn test(configuration: &Configuration) -> Result<Outcome> {
    println!("\n{}", configuration.name);
    let began = Instant::now();
    let serves = serves(configuration)?;
    let (mut lines, mut succeeded) = (Vec::new(), true);
    for part in parts()? {
        let mut command = cargo_test(configuration);
        command.arg("--no-fail-fast").args(part);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
            bail!("no output of the tests");
        };
        let stderr = thread::spawn(move || follow(stderr));
        lines.extend(follow(stdout));
        lines.extend(stderr.join().unwrap_or_default());
        succeeded &= child.wait()?.success();
    }
    let counts = Counts::of(lines.iter().map(String::as_str));
    Ok(Outcome { serves, counts, succeeded, took: began.elapsed() })
}

/// Returns a command that runs tests in a configuration.
fn cargo_test(configuration: &Configuration) -> Command {
    let mut command = workspace::cargo();
    command.args(["test", "--all-features"]);
    for (name, _) in env::vars_os() {
        if name.to_string_lossy().starts_with("CANN_STUBS_") {
            command.env_remove(name);
        }
    }
    command.envs(configuration.variables.iter().map(|(name, value)| (name, value)));
    command
}

/// Returns a description of the backend of a configuration: version of CANN, product, devices and driver.
fn serves(configuration: &Configuration) -> Result<String> {
    let mut command = cargo_test(configuration);
    command.args([
        "--quiet",
        "--package",
        "aclnn",
        "--package",
        "aclnn-tests",
        "--test",
        BACKEND_INDEPENDENT,
    ]);
    command.args(["--", "--nocapture", "--exact", "backend::version_product_devices_and_driver_are_told"]);
    let output = command.output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    match text.lines().find_map(|line| line.strip_prefix(SERVES)) {
        Some(serves) if output.status.success() => Ok(serves.to_owned()),
        _ => bail!("nothing serves:\n{text}{}", String::from_utf8_lossy(&output.stderr)),
    }
}

/// Returns the number right before a word.
fn number_before(line: &str, word: &str) -> Option<usize> {
    line.split_once(word)?.0.rsplit(' ').next()?.parse().ok()
}

/// Reads lines, and prints those that show the progress and the failures of the suite.
fn follow(from: impl Read) -> Vec<String> {
    let mut lines = Vec::new();
    let mut tells = false;
    for line in BufReader::new(from).lines().map_while(Result::ok) {
        let line = line.trim_end().to_owned();
        // After the first failure, every line up to the result is printed.
        tells =
            (tells || line == "failures:" || line.starts_with("error")) && !line.starts_with("test result:");
        let shown = tells
            || ["test result:", "     Running", "   Doc-tests", "cann-stubs: "]
                .iter()
                .any(|start| line.starts_with(start));
        if shown {
            println!("  {line}");
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_counted() {
        let line = "ok. 12 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.15s";
        assert_eq!((number_before(line, " passed"), number_before(line, " failed")), (Some(12), Some(3)));
        assert_eq!(number_before(line, " lost"), None);
    }

    #[test]
    fn every_program_takes_part_that_depends_on_the_backend() {
        let [programs, _] = parts().unwrap();
        let tests = programs.iter().skip_while(|word| *word != "--test").filter(|word| *word != "--test");
        assert_eq!(tests.collect::<Vec<_>>(), ["shared", "serial", "process_end"]);
    }

    /// The harness counts a test that returns at once as passed.
    #[test]
    fn tests_that_do_not_apply_are_skipped_and_not_passed() {
        let lines = [
            "skipped: errors::of_two_failures_none_is_lost: only the embedded emulator fails on demand",
            "test result: ok. 12 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.15s",
            "skipped: devices::all_devices: there is one device alone",
            // A test may say so twice.
            "skipped: devices::all_devices: there is one device alone",
            "cann-stubs: misuse: a handle is used after its end",
            "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.15s",
        ];
        let counts = Counts::of(lines.into_iter());
        assert_eq!((counts.passed, counts.failed, counts.told), (13, 1, 1));
        let skipped: Vec<_> =
            counts.skipped.iter().map(|(test, why)| (test.as_str(), why.as_str())).collect();
        assert_eq!(
            skipped,
            [
                ("devices::all_devices", "there is one device alone"),
                ("errors::of_two_failures_none_is_lost", "only the embedded emulator fails on demand"),
            ]
        );
    }
}

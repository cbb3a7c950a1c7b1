//! `cargo xtask suite`: runs the tests of the safe layer on every available backend.

mod junit;
mod results;
#[path = "../../cli/src/report/xml.rs"]
mod xml;

use crate::{toolkit, workspace};
use anyhow::{Context, Result, bail};
use results::{Counts, Outcome, Program, Run, Test};
use std::{
    env, fs,
    io::{BufRead, BufReader, Read},
    process::{Command, Stdio},
    thread,
    time::Instant,
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

const USAGE: &str = "usage: cargo xtask suite [--backend cann|DIR] [--junit FILE]";

/// Runs the suite: on the emulator in all its forms, or on what `--backend` names.
pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    let (mut backend, mut junit) = (None, None);
    for pair in arguments.chunks(2) {
        match *pair {
            ["--backend", name] => backend = Some(name),
            ["--junit", file] => junit = Some(file),
            _ => bail!("{USAGE}"),
        }
    }
    let configurations = match backend {
        None => {
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
        Some("cann") => vec![Configuration::new("CANN", "cann", false)],
        Some(directory) => vec![Configuration::new("as told", directory, false)],
    };
    build()?;
    // After each program, so that one that never ends does not take the results of others with it.
    let keep = |runs: &[Run]| match junit {
        Some(file) => fs::write(file, junit::report(runs)).with_context(|| format!("writing {file}")),
        None => Ok(()),
    };
    let mut runs = Vec::new();
    for configuration in &configurations {
        test(configuration, &mut runs, keep)?;
    }
    tell(&runs);
    if let Some(file) = junit {
        println!("\nwrote {file}");
    }
    let counts = Counts::of(runs.iter().flat_map(|run| &run.programs));
    if counts.failed > 0 || counts.reports > 0 {
        bail!("the suite failed");
    }
    Ok(())
}

/// Builds the tests, and the examples, which some tests start.
fn build() -> Result<()> {
    let build = |arguments: &[&str]| {
        let built =
            workspace::cargo().args(arguments).args(["--quiet", "--all-features"]).args(PACKAGES).status()?;
        if built.success() { Ok(()) } else { bail!("cargo {} failed", arguments.join(" ")) }
    };
    build(&["build", "--examples"])?;
    build(&["test", "--no-run", "--tests"])
}

/// Prints the table: the backends, the outcomes of the tests, and the tests that failed or did not apply.
fn tell(runs: &[Run]) {
    let header = ["backend", "passed", "failed", "skipped", "reports", "seconds"];
    let [backend, passed, failed, skipped, reports, seconds] = header;
    println!("\n{backend:<18} {passed:>6} {failed:>6} {skipped:>7} {reports:>7} {seconds:>7}");
    for run in runs {
        let Counts { passed, failed, skipped, reports } = Counts::of(&run.programs);
        let (name, seconds) = (&run.name, run.seconds());
        println!("{name:<18} {passed:>6} {failed:>6} {skipped:>7} {reports:>7} {seconds:>7.0}");
    }
    println!();
    for Run { name, serves, .. } in runs {
        serves.iter().for_each(|line| println!("{name}: {line}"));
    }
    for Run { name, programs, .. } in runs {
        let tests =
            || programs.iter().flat_map(|program| program.tests.iter().map(move |test| (program, test)));
        for (program, Test { name: test, outcome }) in tests() {
            if let Outcome::Failed(why) = outcome {
                println!("\n{name}: failed: {}::{test}\n{why}", program.name);
            }
        }
        if tests().any(|(_, test)| matches!(test.outcome, Outcome::Skipped(_))) {
            println!("\n{name}: skipped");
        }
        for (program, Test { name: test, outcome }) in tests() {
            if let Outcome::Skipped(why) = outcome {
                println!("  {}::{test}: {why}", program.name);
            }
        }
    }
}

/// The packages whose tests take part, and whose features are built together.
const PACKAGES: [&str; 6] = ["--package", "aclnn", "--package", "aclnn-tests", "--package", "aclnn-onnx"];
/// The test program that does not depend on the backend: what is in it brings its own, or uses none.
const BACKEND_INDEPENDENT: &str = "backend_independent";

/// Returns the parts of the suite, with their arguments of cargo: the tests of the library, the test programs, that of ONNX
/// models, and the tests of the documentation. Each is run by itself, so that one that dies takes nothing with it.
fn parts() -> Result<Vec<(String, Vec<String>)>> {
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    let mut parts = vec![("aclnn".to_owned(), words(&[&PACKAGES[..], &["--lib"]].concat()))];
    let manifest = fs::read_to_string(workspace::root().join("tests/Cargo.toml"))?;
    for program in programs_of(&manifest).filter(|&program| program != BACKEND_INDEPENDENT) {
        parts.push((program.to_owned(), words(&[&PACKAGES[..], &["--test", program]].concat())));
    }
    parts.push(("onnx".to_owned(), words(&[&PACKAGES[..], &["--test", "suite"]].concat())));
    parts.push(("documentation".to_owned(), words(&["--package", "aclnn", "--doc"])));
    Ok(parts)
}

/// Returns the names of the test programs of a manifest.
fn programs_of(manifest: &str) -> impl Iterator<Item = &str> {
    manifest.split("[[test]]\nname = \"").skip(1).filter_map(|program| program.split('"').next())
}

/// Runs the tests in one configuration, and keeps the results after each program.
fn test(
    configuration: &Configuration,
    runs: &mut Vec<Run>,
    keep: impl Fn(&[Run]) -> Result<()>,
) -> Result<()> {
    println!("\n{}", configuration.name);
    let mut run = Run { name: configuration.name.to_owned(), serves: Vec::new(), programs: Vec::new() };
    let parts = match serves(configuration)? {
        Ok(serves) => {
            serves.iter().for_each(|line| println!("  {line}"));
            run.serves = serves;
            parts()?
        }
        Err(nothing) => {
            let failed = Test { name: "the backend serves".to_owned(), outcome: Outcome::Failed(nothing) };
            let (name, tests, reports) = ("backend".to_owned(), vec![failed], Vec::new());
            run.programs.push(Program { name, tests, reports, seconds: 0.0 });
            Vec::new()
        }
    };
    let at = runs.len();
    runs.push(run);
    keep(runs)?;
    for (name, arguments) in parts {
        let program = test_program(configuration, &name, arguments)?;
        runs[at].programs.push(program);
        keep(runs)?;
    }
    Ok(())
}

/// Runs one part of the suite.
fn test_program(configuration: &Configuration, name: &str, arguments: Vec<String>) -> Result<Program> {
    let mut command = cargo_test(configuration);
    command.arg("--no-fail-fast").args(arguments);
    let began = Instant::now();
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
        bail!("no output of the tests");
    };
    let stderr = thread::spawn(move || follow(stderr));
    let stdout = follow(stdout);
    let stderr = stderr.join().unwrap_or_default();
    let status = child.wait()?;
    let end = (!status.success()).then(|| format!("with {status}"));
    Ok(Program::read(name, &stdout, &stderr, end.as_deref(), began.elapsed().as_secs_f32()))
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

/// The start of a line in which a test describes the backend.
const SERVES: &str = "serves: ";

/// Returns a description of the backend of a configuration: libraries, versions, products and devices; or why nothing serves.
fn serves(configuration: &Configuration) -> Result<Result<Vec<String>, String>> {
    let mut command = cargo_test(configuration);
    command.arg("--quiet").args(PACKAGES).args(["--test", BACKEND_INDEPENDENT]);
    command.args(["--", "--nocapture", "--exact", "backend::version_product_devices_and_driver_are_told"]);
    let output = command.output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let serves: Vec<_> =
        text.lines().filter_map(|line| line.strip_prefix(SERVES)).map(str::to_owned).collect();
    if output.status.success() && !serves.is_empty() {
        return Ok(Ok(serves));
    }
    // Between what the test returned and what cargo adds.
    let errors = String::from_utf8_lossy(&output.stderr);
    let why = errors.split_once("Error: ").map_or(&*errors, |(_, why)| why);
    Ok(Err(why.split("\nerror: test failed").next().unwrap_or(why).to_owned()))
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
    fn every_program_takes_part_that_depends_on_the_backend() {
        let parts = parts().unwrap();
        let names: Vec<_> = parts.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["aclnn", "shared", "serial", "process_end", "onnx", "documentation"]);
    }
}

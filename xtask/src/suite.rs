//! `cargo xtask suite`: the tests of the safe layer on every backend there is.

use crate::{toolkit, workspace};
use anyhow::{Result, bail};
use std::{
    env, fs,
    io::{BufRead, BufReader, Read},
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

/// A backend, and how strict it is.
struct Configuration {
    name: &'static str,
    variables: Vec<(&'static str, String)>,
}

impl Configuration {
    fn new(name: &'static str, backend: &str, strict: bool) -> Self {
        let mut variables = vec![("ACLNN_BACKEND", backend.to_owned())];
        if strict {
            // Nothing happens before somebody waits, and misuse ends the process.
            variables.push(("CANN_STUBS_STREAMS", "deferred".to_owned()));
            variables.push(("CANN_STUBS_CHECK", "abort".to_owned()));
        }
        Self { name, variables }
    }
}

/// What a run of the tests came to.
struct Outcome {
    passed: usize,
    failed: usize,
    /// What the emulator had to say.
    told: usize,
    succeeded: bool,
    took: Duration,
}

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
    let outcomes: Vec<_> = configurations
        .iter()
        .map(|configuration| Ok((configuration.name, test(configuration)?)))
        .collect::<Result<_>>()?;
    println!("\n{:<18} {:>6} {:>6} {:>8} {:>7}", "backend", "passed", "failed", "reports", "seconds");
    for (name, Outcome { passed, failed, told, took, .. }) in &outcomes {
        println!("{name:<18} {passed:>6} {failed:>6} {told:>8} {:>7.0}", took.as_secs_f32());
    }
    if outcomes.iter().any(|(_, outcome)| !outcome.succeeded || outcome.told > 0) {
        bail!("the suite failed");
    }
    Ok(())
}

/// Programs of tests that have to do with no backend: they bring their own, or none.
const APART: &[&str] = &["backend", "c_programs", "compile_fail", "examples", "send_sync"];

/// Arguments of cargo for the tests of the crate: of its library and its programs, and of its documentation.
fn parts() -> Result<[Vec<String>; 2]> {
    let mut programs = vec!["--lib".to_owned(), "--examples".to_owned()];
    for entry in fs::read_dir(workspace::root().join("tests"))? {
        let path = entry?.path();
        let is_program = path.extension().is_some_and(|end| end == "rs") || path.join("main.rs").exists();
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if is_program && !APART.contains(&name.as_str()) {
            programs.extend(["--test".to_owned(), name]);
        }
    }
    Ok([programs, vec!["--doc".to_owned()]])
}

/// Runs the tests in one configuration.
fn test(configuration: &Configuration) -> Result<Outcome> {
    println!("\n{}", configuration.name);
    let began = Instant::now();
    let (mut out, mut err, mut succeeded) = (Vec::new(), Vec::new(), true);
    for part in parts()? {
        let mut command = workspace::cargo();
        command.args(["test", "--package", "aclnn", "--all-features", "--no-fail-fast"]).args(part);
        for (name, _) in env::vars_os() {
            if name.to_string_lossy().starts_with("CANN_STUBS_") {
                command.env_remove(name);
            }
        }
        command.envs(configuration.variables.iter().map(|(name, value)| (name, value)));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
            bail!("no output of the tests");
        };
        let stderr = thread::spawn(move || follow(stderr));
        out.extend(follow(stdout));
        err.extend(stderr.join().unwrap_or_default());
        succeeded &= child.wait()?.success();
    }
    let sum = |word: &str| {
        let results = out.iter().filter_map(|line| line.strip_prefix("test result: "));
        results.filter_map(|line| number_before(line, word)).sum()
    };
    let told = out.iter().chain(&err).filter(|line| line.starts_with("cann-stubs: ")).count();
    Ok(Outcome { passed: sum(" passed"), failed: sum(" failed"), told, succeeded, took: began.elapsed() })
}

/// The number right before a word.
fn number_before(line: &str, word: &str) -> Option<usize> {
    line.split_once(word)?.0.rsplit(' ').next()?.parse().ok()
}

/// Reads lines, and shows those that say where the suite is and what went wrong.
fn follow(from: impl Read) -> Vec<String> {
    let mut lines = Vec::new();
    let mut tells = false;
    for line in BufReader::new(from).lines().map_while(Result::ok) {
        let line = line.trim_end().to_owned();
        // From the first failure on, everything up to the result.
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
}

//! `aclnn onnx test`: models with inputs and expected outputs.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use aclnn::Device;
use aclnn_onnx::cases::{self, Case, Outcome};
use anyhow::{Context as _, Result};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::output::{BAD, Format, GOOD, NOTED};
use crate::report::xml;

const EXAMPLES: &str = "\
Examples:
  aclnn onnx test folder                    all models in a folder and the folders in it
  aclnn onnx test a b --junit junit.xml

A folder holds model.onnx and test_data_set_0, test_data_set_1 …, and these hold input_0.pb, input_1.pb
… and output_0.pb …, as the test cases of ONNX do. Its file tolerance.txt, with lines such as
`rtol 0.002` and `atol 1e-6`, replaces the tolerances 0.001 and 1e-7. Its file carried.txt, with
lines such as `state_out state_in`, names outputs that are inputs of the next data set.";

/// Tests models on inputs with expected outputs
///
/// Runs each model on its data sets, and compares the outputs with what is expected. Prints the cases that do not pass, and
/// a count at the end. A case whose model needs what is not supported does not count as failed. The exit status is 1 if a
/// case failed.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The folders: of one case, or of any number of them
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Write the results as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// The ordinal of the device
    #[arg(long, default_value_t = 0)]
    device: i32,
    #[command(flatten)]
    format: Format,
}

/// The results.
#[derive(Debug, Serialize)]
struct Report {
    passed: usize,
    failed: usize,
    not_supported: usize,
    cases: Vec<Tested>,
}

/// The result of a case.
#[derive(Debug, Serialize)]
struct Tested {
    name: String,
    folder: String,
    outcome: Word,
    /// Why it did not pass.
    reason: Option<String>,
    /// The nodes that the host computed.
    on_host: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Word {
    Passed,
    Failed,
    NotSupported,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let start = Instant::now();
    let mut all: Vec<Case> = Vec::new();
    for folder in &arguments.folders {
        all.extend(cases::find(folder)?);
    }
    let device = Device::open(arguments.device)?;
    let report = test(&all, device)?;
    if let Some(file) = &arguments.junit {
        let document = junit(&report, start.elapsed().as_secs_f64());
        std::fs::write(file, document).with_context(|| format!("{} cannot be written", file.display()))?;
    }
    arguments.format.print(&report, text)?;
    Ok(if report.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn test(all: &[Case], mut device: Device) -> Result<Report> {
    // It is drawn on terminals alone, on the standard error.
    let progress = ProgressBar::new(all.len() as u64)
        .with_style(ProgressStyle::with_template("{bar:40} {pos}/{len} {msg} ({elapsed}, {eta} left)")?);
    let mut report = Report { passed: 0, failed: 0, not_supported: 0, cases: Vec::new() };
    for case in all {
        progress.set_message(case.name());
        let (count, outcome, reason, on_host) = match case.run(&device) {
            Outcome::Passed { on_host } => (&mut report.passed, Word::Passed, None, on_host),
            Outcome::NotSupported { reason } => {
                (&mut report.not_supported, Word::NotSupported, Some(reason), Vec::new())
            }
            Outcome::Failed { reason } => (&mut report.failed, Word::Failed, Some(reason), Vec::new()),
            other => (&mut report.failed, Word::Failed, Some(other.to_string()), Vec::new()),
        };
        *count += 1;
        if outcome != Word::Passed {
            device = cases::renewed(device)?;
        }
        let folder = case.folder().display().to_string();
        report.cases.push(Tested { name: case.name(), folder, outcome, reason, on_host });
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(report)
}

fn text(report: &Report) -> String {
    let mut text = String::new();
    let wrong = || report.cases.iter().filter(|case| case.outcome != Word::Passed);
    let width = wrong().map(|case| case.name.chars().count()).max().unwrap_or(0);
    for Tested { name, outcome, reason, .. } in wrong() {
        let (style, word) = match outcome {
            Word::Failed => (BAD, "failed"),
            _ => (NOTED, "not supported"),
        };
        let reason = reason.as_deref().unwrap_or_default().replace('\n', " ");
        _ = writeln!(text, "{style}{word:<13}{style:#}  {name:<width$}  {reason}");
    }
    let Report { passed, failed, not_supported, .. } = report;
    let style = if *failed == 0 { GOOD } else { BAD };
    text + &format!("{style}{passed} passed, {failed} failed, {not_supported} not supported{style:#}\n")
}

fn junit(report: &Report, seconds: f64) -> String {
    let cases = report.cases.iter().map(|case| xml::Case {
        class: "onnx".to_owned(),
        name: case.name.clone(),
        outcome: match (case.outcome, case.reason.clone().unwrap_or_default()) {
            (Word::Passed, _) => xml::Outcome::Passed,
            (Word::NotSupported, reason) => xml::Outcome::Skipped(reason),
            (Word::Failed, reason) => xml::Outcome::Failed { message: reason, text: case.folder.clone() },
        },
    });
    let suite = xml::Suite {
        name: "onnx".to_owned(),
        properties: Vec::new(),
        cases: cases.collect(),
        seconds: Some(seconds),
        written: String::new(),
    };
    xml::document("aclnn onnx test", seconds, &[suite])
}

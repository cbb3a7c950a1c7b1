//! `aclnn doctor`: why CANN does not serve, and what to do.
//!
//! `machine` is where the checks look, `installation` what they find installed; `software`, `hardware` and `choice` are the
//! checks, and a `finding` is what each says.

mod choice;
mod finding;
mod hardware;
mod installation;
mod machine;
mod software;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::LazyLock;

use aclnn_sys::language::Translations;

use crate::output::{BAD, Format, GOOD, NOTED, STRONG};
use finding::{Finding, Outcome};
use installation::Installation;
use machine::Machine;

/// Checks the requirements of CANN on this machine, and explains how to meet them
///
/// Checks the driver, toolkits, variables, device nodes and libraries without opening any of them, and at the end which
/// library is in use. The exit status is 1 if there is a problem.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aclnn doctor
  ACLNN_BACKEND=cann aclnn doctor --json")]
pub(crate) struct Arguments {
    /// A directory that stands for /
    #[arg(long, value_name = "DIR", default_value = "/", hide = true)]
    root: PathBuf,
    #[command(flatten)]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let machine = Machine::new(arguments.root.clone());
    let findings = check(&machine);
    arguments.format.print(&findings, |findings| text(findings))?;
    let is_well = findings.iter().all(|finding| finding.outcome != Outcome::Problem);
    Ok(if is_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn check(machine: &Machine) -> Vec<Finding> {
    let found = Installation::of(machine);
    let mut findings: Vec<Finding> = choice::backend(machine).into_iter().collect();
    findings.extend(software::installed(machine, &found));
    findings.extend(software::sourced(machine, &found));
    findings.extend(software::one_installation(machine, &found));
    findings.extend(software::for_linking(machine, &found));
    findings.extend(software::architecture(machine, &found));
    findings.extend(software::custom_operators(machine));
    findings.extend(hardware::nodes(machine, &found));
    findings.extend(hardware::permission(machine, &found));
    findings.extend(hardware::visible(machine, &found));
    // A tree that stands for a machine is looked at, and nothing of it runs.
    if machine.is_real() {
        let is_explained = findings.iter().any(|finding| finding.outcome == Outcome::Problem);
        findings.push(choice::serves(is_explained));
    }
    findings
}

/// Findings in the language of the process. JSON, which programs read, stays English.
static SAID: LazyLock<Translations> =
    LazyLock::new(|| Translations::of_process(include_str!("findings.zh.tsv")));

/// Returns how many columns of a terminal a text takes.
fn columns(text: &str) -> usize {
    text.chars().map(|letter| if letter < '\u{1100}' { 1 } else { 2 }).sum()
}

/// Returns a text with blanks behind it, up to a number of columns.
fn padded(text: &str, width: usize) -> String {
    text.to_owned() + &" ".repeat(width.saturating_sub(columns(text)))
}

fn text(findings: &[Finding]) -> String {
    let said = |text: &str| SAID.translate(text);
    let width = findings.iter().map(|finding| columns(&said(finding.check))).max().unwrap_or_default();
    let mut text = String::new();
    for Finding { check, outcome, text: what, advice } in findings {
        let (style, word) = match outcome {
            Outcome::Good => (GOOD, "good"),
            Outcome::Note => (NOTED, "note"),
            Outcome::Problem => (BAD, "problem"),
        };
        let (word, check) = (padded(&said(word), 7), padded(&said(check), width));
        _ = writeln!(text, "{style}{word}{style:#}  {check}  {}", said(what));
        if let Some(advice) = advice {
            _ = writeln!(text, "{:width$}  → {STRONG}{}{STRONG:#}", "", said(advice), width = width + 9);
        }
    }
    let problems = findings.iter().filter(|finding| finding.outcome == Outcome::Problem).count();
    let (style, end) = match problems {
        0 => (GOOD, "no problems".to_owned()),
        1 => (BAD, "1 problem".to_owned()),
        _ => (BAD, format!("{problems} problems")),
    };
    text + &format!("\n{style}{}{style:#}\n", said(&end))
}

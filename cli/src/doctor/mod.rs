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

use crate::output::{BAD, Format, GOOD, NOTED, STRONG};
use finding::{Finding, Outcome};
use installation::Installation;
use machine::Machine;

/// Checks what CANN needs on this machine, and says what to do
///
/// Looks at the driver, toolkits, variables, device nodes and libraries without opening any of them, and at last asks what
/// serves. The code at the end is 1 where there is a problem.
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

fn text(findings: &[Finding]) -> String {
    let width = findings.iter().map(|finding| finding.check.len()).max().unwrap_or_default();
    let mut text = String::new();
    for Finding { check, outcome, text: what, advice } in findings {
        let (style, word) = match outcome {
            Outcome::Good => (GOOD, "good"),
            Outcome::Note => (NOTED, "note"),
            Outcome::Problem => (BAD, "problem"),
        };
        _ = writeln!(text, "{style}{word:<7}{style:#}  {check:<width$}  {what}");
        if let Some(advice) = advice {
            _ = writeln!(text, "{:width$}  → {STRONG}{advice}{STRONG:#}", "", width = width + 9);
        }
    }
    let problems = findings.iter().filter(|finding| finding.outcome == Outcome::Problem).count();
    let end = match problems {
        0 => format!("{GOOD}no problems{GOOD:#}"),
        1 => format!("{BAD}1 problem{BAD:#}"),
        _ => format!("{BAD}{problems} problems{BAD:#}"),
    };
    text + "\n" + &end + "\n"
}

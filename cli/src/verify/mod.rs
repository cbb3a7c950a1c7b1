//! `aclnn verify`: whether what serves this machine does what it promises.

mod alone;
mod answer;
mod behaviour;
mod named;
mod probes;
mod raw;

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;

use crate::output::Format;
use crate::report::{Behaviour, Report};

/// Verifies what serves this machine
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Ask what only hardware answers, and print what to send back
    #[arg(long)]
    probes: bool,
    /// The device
    #[arg(long, default_value_t = 0)]
    device: i32,
    /// Only checks whose name contains this text
    #[arg(long)]
    filter: Vec<String>,
    /// Answers checks by name, for the process that asks
    #[arg(long, hide = true, num_args = 1.., value_name = "NAME")]
    answer: Vec<String>,
    #[command(flatten)]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    if !arguments.answer.is_empty() {
        return named::answer(&arguments.answer, arguments.device).map(|()| ExitCode::SUCCESS);
    }
    let choice = named::Choice {
        filters: &arguments.filter,
        device: arguments.device,
        patience: Duration::from_secs(20),
    };
    let report = Report {
        behaviour: named::behaviour(&choice, |_| ())?,
        probes: if arguments.probes { named::probes(&choice, |_| ())? } else { Vec::new() },
        ..Report::default()
    };
    arguments.format.print(&report, |report| {
        let mut text = String::new();
        for Behaviour { name, outcome, text: found, .. } in &report.behaviour {
            text += &format!("{outcome:?} {name}: {found}\n");
        }
        text += &named::text(&report.probes);
        text
    })?;
    Ok(ExitCode::SUCCESS)
}

//! `aclnn info`: one screen that answers the first questions of a bug report.

use std::{fmt::Write as _, process::ExitCode};

use crate::{environment::Environment, output::Format};

/// Tells what serves this machine, and why
///
/// Prints the libraries that serve and the reason, everything that was tried, the devices, and the environment
/// variables that matter: one screen to paste into a report.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let environment = Environment::of_process();
    arguments.format.print(&environment, text)?;
    Ok(if environment.error.is_none() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn text(environment: &Environment) -> String {
    let mut text = format!("aclnn      {}, {}\n", environment.aclnn, environment.host);
    if let Some(backend) = &environment.backend {
        _ = writeln!(text, "backend    {backend}");
    }
    if let Some(error) = &environment.error {
        _ = writeln!(text, "error      {error}");
    }
    for tried in &environment.tried {
        _ = writeln!(text, "tried      {tried}");
    }
    for device in &environment.devices {
        let product = device.product.as_deref().unwrap_or("unknown product");
        _ = writeln!(text, "device {:<3} {}, {product}", device.ordinal, device.soc);
    }
    for (name, value) in &environment.variables {
        _ = writeln!(text, "variable   {name}={value}");
    }
    text
}

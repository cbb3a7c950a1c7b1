//! `aclnn info`: one screen that answers the first questions of a bug report.

use std::collections::BTreeMap;
use std::{fmt::Write as _, process::ExitCode};

use crate::environment::{DeviceInfo, Environment, Missing};
use crate::output::{BAD, FAINT, Format, GOOD, NOTED, STRONG, wrapped};

/// Shows which library is in use, and why
///
/// Prints the libraries in use and the reason, all libraries that were tried, versions, devices, functions that are
/// missing in the libraries, and the environment variables that matter: one screen to paste into a bug report. The exit
/// status is 1 if no library can be used; then run `aclnn doctor`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aclnn info
  aclnn info --missing
  ACLNN_BACKEND=cann aclnn info --json")]
pub(crate) struct Arguments {
    /// List every missing function, not only some
    #[arg(long)]
    missing: bool,
    #[command(flatten)]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let environment = Environment::of_process();
    let named = if arguments.missing { usize::MAX } else { 3 };
    arguments.format.print(&environment, |environment| text(environment, named))?;
    Ok(if environment.error.is_none() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Columns of a line, and of its label.
const WIDTH: usize = 100;
const LABEL: usize = 11;

fn text(environment: &Environment, named: usize) -> String {
    let mut text = String::new();
    let mut line = |label: &str, what: String| {
        let what = what.lines().map(|one| wrapped(one, WIDTH - LABEL)).collect::<Vec<_>>().join("\n");
        _ = writeln!(text, "{label:<LABEL$}{}", what.replace('\n', &format!("\n{:LABEL$}", "")));
    };
    line("aclnn", format!("{STRONG}{}{STRONG:#}, {}", environment.aclnn, environment.host));
    line("compiler", environment.compiler.clone());
    if let Some(backend) = &environment.backend {
        line("backend", format!("{GOOD}{backend}{GOOD:#}"));
    }
    if let Some(error) = &environment.error {
        line("error", format!("{BAD}{}{BAD:#}", error));
    }
    for tried in &environment.tried {
        line("tried", format!("{FAINT}{tried}{FAINT:#}"));
    }
    versions(&environment.versions).into_iter().for_each(|versions| line("version", versions));
    if !environment.capabilities.is_empty() {
        let has = |(name, has): (&String, &bool)| if *has { name.clone() } else { format!("no {name}") };
        line("CANN has", environment.capabilities.iter().map(has).collect::<Vec<_>>().join(", "));
    }
    if environment.backend.is_some() && environment.devices.is_empty() {
        line("device", format!("{NOTED}none{NOTED:#}"));
    }
    for device in &environment.devices {
        let label = format!("device {}", device.ordinal);
        for (position, part) in device_lines(device).into_iter().enumerate() {
            line(if position == 0 { &label } else { "" }, part);
        }
    }
    let counts = environment.operators;
    if counts.declared > 0 {
        let style = if counts.present == counts.declared { GOOD } else { NOTED };
        line(
            "operators",
            format!("{style}{} of {}{style:#} are in the libraries", counts.present, counts.declared),
        );
    }
    environment.missing.iter().for_each(|missing| line("missing", missing_line(missing, named)));
    for (name, value) in &environment.variables {
        line("variable", format!("{name}={value}"));
    }
    if environment.error.is_some() {
        line("next", format!("{STRONG}aclnn doctor{STRONG:#} looks for the reason"));
    }
    text
}

/// Returns one line for packages of the same version.
fn versions(versions: &BTreeMap<String, String>) -> Vec<String> {
    let mut lines: Vec<(&str, Vec<&str>)> = Vec::new();
    for (package, version) in versions {
        match lines.iter_mut().find(|(known, _)| known == version) {
            Some((_, packages)) => packages.push(package),
            None => lines.push((version, vec![package])),
        }
    }
    lines.into_iter().map(|(version, packages)| format!("{}: {version}", packages.join(", "))).collect()
}

fn device_lines(device: &DeviceInfo) -> Vec<String> {
    if let Some(error) = &device.error {
        return vec![format!("{BAD}{error}{BAD:#}")];
    }
    let DeviceInfo { soc, health, load, .. } = device;
    let style = if health == "abnormal" { BAD } else { STRONG };
    let product = device.product.as_deref().unwrap_or("unknown product");
    let gib = |bytes: u64| format!("{:.1} GiB", bytes as f64 / (1u64 << 30) as f64);
    let number = |number: Option<i64>| number.map_or("unknown".to_owned(), |number| number.to_string());
    let memory = match (device.memory_free, device.memory_total) {
        (Some(free), Some(total)) => format!("{} free of {}", gib(free), gib(total)),
        _ => "unknown".to_owned(),
    };
    let l2 = device.l2_cache.map_or("unknown".to_owned(), |bytes| format!("{} MiB", bytes >> 20));
    vec![
        format!("{STRONG}{soc}{STRONG:#}, {product}; health {style}{health}{style:#}; memory {memory}"),
        format!(
            "AI cores {}, vector cores {}, L2 cache {l2}; load {load}",
            number(device.ai_cores),
            number(device.vector_cores)
        ),
    ]
}

fn missing_line(missing: &Missing, named: usize) -> String {
    let Missing { library, since, symbols } = missing;
    let from = match since {
        Some(since) => format!("from CANN {since} on"),
        None => "no release known".to_owned(),
    };
    let rest = symbols.len().saturating_sub(named);
    let mut names = symbols.iter().take(named).cloned().collect::<Vec<_>>().join(", ");
    if rest > 0 {
        names += &format!(" and {rest} more");
    }
    format!("{library}, {from}: {NOTED}{}{NOTED:#} ({names})", symbols.len())
}

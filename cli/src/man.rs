//! `aclnn man`: manual pages.

use std::{fs, path::PathBuf, process::ExitCode};

use anyhow::Context as _;
use clap_mangen::Man;

use crate::output;

/// Prints the manual page, or writes one for each command
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aclnn man | man -l -
  aclnn man --out ~/.local/share/man/man1")]
pub(crate) struct Arguments {
    /// A directory for the pages of all commands
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, mut command: clap::Command) -> anyhow::Result<ExitCode> {
    command.build();
    let Some(out) = &arguments.out else {
        output::print(&String::from_utf8(page(command)?)?)?;
        return Ok(ExitCode::SUCCESS);
    };
    fs::create_dir_all(out).with_context(|| format!("creating {}", out.display()))?;
    for command in with_subcommands(&command) {
        let path = out.join(format!("{}.1", command.get_display_name().unwrap_or("aclnn")));
        fs::write(&path, page(command)?).with_context(|| format!("writing {}", path.display()))?;
        output::print(&format!("{}\n", path.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns a command with all commands below it, but those that print help.
fn with_subcommands(command: &clap::Command) -> Vec<clap::Command> {
    let below = command.get_subcommands().filter(|one| one.get_name() != "help").flat_map(with_subcommands);
    std::iter::once(command.clone()).chain(below).collect()
}

fn page(command: clap::Command) -> anyhow::Result<Vec<u8>> {
    let mut text = Vec::new();
    Man::new(command).render(&mut text)?;
    Ok(text)
}

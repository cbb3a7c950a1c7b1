//! `aclnn completions`: what shells complete.

use std::process::ExitCode;

use clap_complete::Shell;

use crate::output;

/// Prints the completions for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aclnn completions bash > ~/.local/share/bash-completion/completions/aclnn
  aclnn completions zsh > \"${fpath[1]}/_aclnn\"
  aclnn completions fish > ~/.config/fish/completions/aclnn.fish")]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments, mut command: clap::Command) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "aclnn", &mut script);
    output::print(&String::from_utf8(script)?)?;
    Ok(ExitCode::SUCCESS)
}

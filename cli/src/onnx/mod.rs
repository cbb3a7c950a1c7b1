//! `aclnn onnx`: models of ONNX.

// Floors, from the ground up.
//
// 1. `inputs`, `profile`: values of the command line; charts of time
// 2. `info`, `run`, `test`: the commands, one a module

mod info;
mod inputs;
mod profile;
mod run;
mod test;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

/// Describes, runs and tests models of ONNX
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aclnn onnx info model.onnx
  aclnn onnx run model.onnx --input x=x.npy --output results
  aclnn onnx test folder")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Info(info::Arguments),
    Run(run::Arguments),
    Test(test::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    match &arguments.command {
        Command::Info(arguments) => info::run(arguments),
        Command::Run(arguments) => run::run(arguments),
        Command::Test(arguments) => test::run(arguments),
    }
}

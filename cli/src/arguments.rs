//! The command line.

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};

use crate::bench;
use crate::cast;
use crate::completions;
use crate::doctor;
use crate::info;
use crate::man;
use crate::onnx;
use crate::ops;
use crate::output;
use crate::promote;
use crate::range;
use crate::run;
use crate::trace;
use crate::verify;

/// Runs, inspects and verifies the operators of Ascend NPUs, or of the emulator in place of an NPU.
///
/// ACLNN_BACKEND selects the library: auto, cann, emulator, or a directory of libraries.
#[derive(Debug, Parser)]
#[command(name = "aclnn", version, max_term_width = 100, styles = output::HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Info(info::Arguments),
    Doctor(doctor::Arguments),
    Promote(promote::Arguments),
    Ops(ops::Arguments),
    Run(run::Arguments),
    Cast(cast::Arguments),
    Range(range::Arguments),
    Onnx(onnx::Arguments),
    Verify(verify::Arguments),
    Trace(trace::Arguments),
    Bench(bench::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

impl Arguments {
    /// Runs the chosen command. A code other than 0 says that the command worked and found something wrong; an error,
    /// that it did not work.
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        match &self.command {
            Command::Info(arguments) => info::run(arguments),
            Command::Doctor(arguments) => doctor::run(arguments),
            Command::Promote(arguments) => promote::run(arguments),
            Command::Ops(arguments) => ops::run(arguments),
            Command::Run(arguments) => run::run(arguments),
            Command::Cast(arguments) => cast::run(arguments),
            Command::Range(arguments) => range::run(arguments),
            Command::Onnx(arguments) => onnx::run(arguments),
            Command::Verify(arguments) => verify::run(arguments),
            Command::Trace(arguments) => trace::run(arguments),
            Command::Bench(arguments) => bench::run(arguments),
            Command::Completions(arguments) => completions::run(arguments, Self::command()),
            Command::Man(arguments) => man::run(arguments, Self::command()),
        }
    }
}

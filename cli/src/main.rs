//! The command `aclnn`: what serves this machine, what its operators compute, and whether they compute it right.

// Floors, from the ground up. A module uses what lies on lower floors, and its own children.
//
// 1. `output`: text or JSON, colours on terminals alone
// 2. `environment`: what serves, as data
// 3. `report`: the results of a verification or a measurement, as data
// 4. `info`: the commands, one a module
// 5. `arguments`: the command line

mod arguments;
mod environment;
mod info;
mod output;
mod report;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    arguments::Arguments::parse().run().unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}

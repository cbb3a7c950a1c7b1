//! The command `aclnn`: what serves this machine, what its operators compute, and whether they compute it right.

// Floors, from the ground up. A module uses what lies on lower floors, and its own children.
//
// 1. `columns`, `output`: tables; text or JSON, colours on terminals alone
// 2. `environment`: what serves, as data
// 3. `report`: the results of a verification or a measurement, as data
// 4. `arrays`, `calls`: tensors in files; operators by name
// 5. `written`: what is told about the result of a call
// 6. `bench`, `cast`, `info`, `range`, `run`, `trace`: the commands, one a module
// 7. `arguments`: the command line

mod arguments;
mod arrays;
mod bench;
mod calls;
mod cast;
mod columns;
mod environment;
mod info;
mod output;
mod range;
mod report;
mod run;
mod trace;
mod written;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    arguments::Arguments::parse().run().unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}

//! The command `aclnn`: what serves this machine, what its operators compute, and whether they compute it right.

// Floors, from the ground up. A module uses what lies on lower floors, and its own children; `cargo xtask layers` checks it.
//
// 1. `columns`, `output`, `suggest`: tables; text or JSON, colours on terminals alone; what was meant by a name that is
//    not known
// 2. `declared`, `element_type`, `environment`: operators with their types; element types as people write them; what
//    serves, as data
// 3. `arrays`, `calls`, `report`: tensors in files; operators called by name; the results of a verification or a
//    measurement, as data
// 4. `written`: what is told about the results of a call
// 5. `bench`, `cast`, `completions`, `doctor`, `info`, `man`, `onnx`, `ops`, `promote`, `range`, `run`, `trace`, `verify`: the
//    commands, one a module
// 6. `arguments`: the command line

mod arguments;
mod arrays;
mod bench;
mod calls;
mod cast;
mod columns;
mod completions;
mod declared;
mod doctor;
mod element_type;
mod environment;
mod info;
mod man;
mod onnx;
mod ops;
mod output;
mod promote;
mod range;
mod report;
mod run;
mod suggest;
mod trace;
mod verify;
mod written;

use std::process::ExitCode;

use clap::Parser as _;
use output::BAD;

fn main() -> ExitCode {
    arguments::Arguments::parse().run().unwrap_or_else(|error| {
        anstream::eprintln!("{BAD}error:{BAD:#} {}", text(&error));
        ExitCode::from(2)
    })
}

/// Returns the message of an error with those of its causes that it does not hold already.
fn text(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |text, cause| match text.as_str() {
        "" => cause,
        told if told.contains(&cause) => text,
        told => format!("{told}: {cause}"),
    })
}

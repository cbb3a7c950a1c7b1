//! Developer commands: `cargo xtask <command>`.

mod bindings;
mod golden;
mod headers;
mod output;
mod suite;
mod surface;
mod toolkit;
mod workspace;

use anyhow::{Result, bail};

const USAGE: &str = "\
usage: cargo xtask <command>

  bindings [--check]          write sys/include/aclnnop, sys/src/bindings and the list of refused operators from
                              sys/operators.tsv, the declarations and the headers; --check: only compare
  golden [--nodes]            write the golden vectors of the tests with Python; --nodes: those of ONNX nodes too
  suite [--backend cann|DIR]  run the tests of aclnn on every form of the emulator, or on a backend
  surface [--check]           write cann-stubs/src/surface.md; --check: only compare
  toolkit --out DIR [--debug] lay out drop-in libraries, headers and set_env.sh in DIR";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["bindings"] => bindings::run(output::Mode::Write),
        ["bindings", "--check"] => bindings::run(output::Mode::Check),
        ["golden"] => golden::run(false),
        ["golden", "--nodes"] => golden::run(true),
        ["surface"] => surface::run(output::Mode::Write),
        ["surface", "--check"] => surface::run(output::Mode::Check),
        ["suite", rest @ ..] => suite::run(rest),
        ["toolkit", rest @ ..] => toolkit::run(rest),
        _ => bail!("{USAGE}"),
    }
}

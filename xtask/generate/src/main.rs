//! Writes the generated files of the repository; started by `cargo xtask bindings`, `coverage`, `layers` and `surface`.

#[cfg(feature = "bindings")]
mod bindings;
#[cfg(feature = "surface")]
mod coverage;
mod layers;
mod output;
#[cfg(feature = "surface")]
mod surface;
mod workspace;

use anyhow::{Result, bail};
use output::Mode;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        #[cfg(feature = "bindings")]
        ["bindings"] => bindings::run(Mode::Write),
        #[cfg(feature = "bindings")]
        ["bindings", "--check"] => bindings::run(Mode::Check),
        #[cfg(feature = "surface")]
        ["coverage"] => coverage::run(Mode::Write),
        #[cfg(feature = "surface")]
        ["coverage", "--check"] => coverage::run(Mode::Check),
        ["layers"] => layers::run(Mode::Write),
        ["layers", "--check"] => layers::run(Mode::Check),
        #[cfg(feature = "surface")]
        ["surface"] => surface::run(Mode::Write),
        #[cfg(feature = "surface")]
        ["surface", "--check"] => surface::run(Mode::Check),
        _ => bail!("usage: cargo xtask bindings|coverage|layers|surface [--check]"),
    }
}

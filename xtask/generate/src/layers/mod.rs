//! `cargo xtask layers`: the house of crates, floors and rooms; whether every arrow in it runs down, and its picture.
//!
//! `crates` reads the manifests, `source` the modules of a crate, `paths` and `tokens` what a module names. `resolve`
//! follows a name to the file that defines it, `arrows` says which file uses which. `floors` reads the lists of floors,
//! `house` puts it together, `check` compares, `text` and `picture` show it. Nothing is compiled for it.

mod arrows;
mod cfg;
mod check;
mod circles;
mod crates;
mod floors;
mod house;
mod mention;
mod paths;
mod picture;
mod resolve;
mod source;
#[cfg(test)]
mod tests;
mod text;
mod tokens;

use crate::{
    output::{Mode, Output},
    workspace,
};
use anyhow::{Result, bail};
use house::House;

/// Prints the house and writes its picture, or only compares the picture; fails where the house breaks the rule.
pub(crate) fn run(mode: Mode) -> Result<()> {
    let house = House::read(&workspace::root())?;
    if mode == Mode::Write {
        println!("{}", text::text(&house));
    }
    house.problems.iter().for_each(|problem| eprintln!("{problem}"));
    let mut output = Output::default();
    output.file(workspace::root().join("docs/house.svg"), picture::svg(&house));
    output.finish(mode)?;
    if !house.problems.is_empty() {
        bail!("the house breaks its rule in {} places", house.problems.len());
    }
    Ok(())
}

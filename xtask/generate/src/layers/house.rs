//! The house: the crates of the workspace, their floors, and the arrows between their rooms.

use super::{
    arrows, check,
    crates::{self, Crate},
    floors::{self, Plan},
    source::Source,
};
use anyhow::Result;
use std::path::Path;

/// All crates, from the ground up.
pub(crate) struct House {
    pub(crate) storeys: Vec<Storey>,
    /// What breaks the rule, as sentences.
    pub(crate) problems: Vec<String>,
}

/// A crate.
pub(crate) struct Storey {
    pub(crate) about: Crate,
    /// The floors of the root, and those within large rooms.
    pub(crate) plans: Vec<Plan>,
}

impl House {
    /// Reads the workspace in the directory `root`.
    pub(crate) fn read(root: &Path) -> Result<House> {
        let mut house = House { storeys: Vec::new(), problems: Vec::new() };
        for about in crates::read(root)? {
            let source = Source::read(root, &about.entry)?;
            let arrows = arrows::find(&source);
            let plans = floors::plans(&source, &mut house.problems);
            house.problems.extend(check::problems(&about, &source, &plans, &arrows));
            house.storeys.push(Storey { about, plans });
        }
        Ok(house)
    }
}

//! The house: the crates of the workspace, their floors, and the arrows between their rooms.

use super::{
    arrows::{self, Arrow},
    check,
    crates::{self, Crate},
    floors::{self, Floor, Plan},
    source::Source,
};
use anyhow::Result;
use std::{collections::BTreeSet, panic::resume_unwind, path::Path, thread};

/// All crates, from the ground up.
pub(crate) struct House {
    pub(crate) storeys: Vec<Storey>,
    /// What breaks the rule, as sentences.
    pub(crate) problems: Vec<String>,
}

/// A crate.
pub(crate) struct Storey {
    pub(crate) about: Crate,
    /// The rooms of the root, and those within large rooms.
    pub(crate) parts: Vec<Part>,
}

/// The rooms that lie in the root or in a large room.
pub(crate) struct Part {
    /// The path of the large room; empty for the root.
    pub(crate) path: String,
    /// From the ground up.
    pub(crate) floors: Vec<Floor>,
    /// The names of rooms where the first uses the second.
    pub(crate) uses: BTreeSet<(String, String)>,
}

impl House {
    /// Reads the workspace in the directory `root`, all crates at the same time.
    pub(crate) fn read(root: &Path) -> Result<House> {
        let crates = crates::read(root)?;
        let read: Result<Vec<_>> = thread::scope(|scope| {
            let tasks: Vec<_> =
                crates.into_iter().map(|about| scope.spawn(move || Storey::read(root, about))).collect();
            tasks.into_iter().map(|task| task.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
        });
        let (storeys, problems): (_, Vec<_>) = read?.into_iter().unzip();
        Ok(House { storeys, problems: problems.concat() })
    }
}

impl Storey {
    /// Reads a crate of the workspace in the directory `root`, and says what breaks the rule.
    fn read(root: &Path, about: Crate) -> Result<(Storey, Vec<String>)> {
        let mut problems = Vec::new();
        let source = Source::read(root, &about.entry)?;
        let arrows = arrows::find(&source);
        let plans = floors::plans(&source, &mut problems);
        problems.extend(check::problems(&about, &source, &plans, &arrows));
        let parts = plans.into_iter().map(|plan| part(&source, plan, &arrows)).collect();
        Ok((Storey { about, parts }, problems))
    }

    /// Returns the rooms within a room; those of the root have no path.
    pub(crate) fn part(&self, path: &str) -> Option<&Part> {
        self.parts.iter().find(|part| part.path == path)
    }
}

impl Part {
    /// Returns the rooms that a room uses.
    pub(crate) fn used_by<'a>(&'a self, room: &'a str) -> impl Iterator<Item = &'a str> {
        self.uses.iter().filter(move |(user, _)| user == room).map(|(_, used)| used.as_str())
    }
}

fn part(source: &Source, plan: Plan, arrows: &[Arrow]) -> Part {
    let name = |file| check::room(source, plan.module, file).map(|room| source.modules[room].name.clone());
    let pairs = arrows.iter().filter_map(|arrow| Some((name(arrow.from)?, name(arrow.to)?)));
    let uses = pairs.filter(|(from, to)| from != to).collect();
    Part { path: source.path(plan.module).join("::"), floors: plan.floors, uses }
}

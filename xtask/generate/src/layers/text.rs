//! The house as text, from the roof down.

use super::{
    floors::Plan,
    house::{House, Storey},
};
use std::fmt::Write;

/// Returns all crates with their floors and rooms.
pub(crate) fn text(house: &House) -> String {
    let libraries = house.storeys.iter().rev().filter(|storey| storey.about.is_library);
    libraries.map(storey).collect::<Vec<_>>().join("\n")
}

fn storey(storey: &Storey) -> String {
    let mut text = format!("{}: {}\n", storey.about.name, storey.about.description);
    let root = storey.plans.iter().find(|plan| plan.path.is_empty());
    let names =
        |plan: &Plan| plan.floors.iter().map(|floor| floor.rooms.join(" ").len()).max().unwrap_or_default();
    let width = storey.plans.iter().map(names).max().unwrap_or_default();
    if let Some(root) = root {
        floors(&mut text, root, 2, width);
    }
    for plan in storey.plans.iter().filter(|plan| !plan.path.is_empty()) {
        _ = writeln!(text, "  within {}:", plan.path);
        floors(&mut text, plan, 4, width.saturating_sub(2));
    }
    text
}

fn floors(text: &mut String, plan: &Plan, indent: usize, width: usize) {
    for (position, floor) in plan.floors.iter().enumerate().rev() {
        let rooms = floor.rooms.join(" ");
        _ = writeln!(text, "{:indent$}{:2}  {rooms:width$}  {}", "", position + 1, floor.says);
    }
}

//! The house as text, from the roof down.

use super::house::{House, Part, Storey};
use std::fmt::Write;

/// Returns all crates with their floors and rooms.
pub(crate) fn text(house: &House) -> String {
    let crates = house.storeys.iter().rev().filter(|storey| storey.about.is_published);
    crates.map(storey).collect::<Vec<_>>().join("\n")
}

fn storey(storey: &Storey) -> String {
    let mut text = format!("{}: {}\n", storey.about.name, storey.about.description);
    let (root, within): (Vec<&Part>, Vec<&Part>) = storey.parts.iter().partition(|part| part.path.is_empty());
    for part in root.into_iter().chain(within) {
        if !part.path.is_empty() {
            _ = writeln!(text, "  within `{}`:", part.path);
        }
        let width = part.floors.iter().map(|floor| floor.rooms.join(" ").len()).max().unwrap_or_default();
        for (position, floor) in part.floors.iter().enumerate().rev() {
            let rooms = floor.rooms.join(" ");
            _ = writeln!(text, "  {:2}  {rooms:width$}  {}", position + 1, floor.says);
        }
    }
    text
}

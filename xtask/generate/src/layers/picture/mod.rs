//! The house as a picture: an SVG file that follows the colours of its reader.
//!
//! `rows` draws the floors of a crate, `connections` which room uses which, and `words` breaks text into lines.

mod connections;
mod rows;
mod words;

use super::house::{House, Storey};
use rows::{Columns, Drawing};
use std::fmt::Write;
use words::{escaped, wrapped};

const WIDTH: i32 = 900;
/// Between the walls, and on both sides of the house.
const GAP: i32 = 12;
const ROOF: i32 = 104;
/// The height of the name of a crate, and of each line that says what it is for.
const NAME: i32 = 28;
const LINE: i32 = 17;
/// Between walls and what they hold.
const INSIDE: i32 = 16;

const STYLE: &str = include_str!("style.css");

const LEGEND: [&str; 2] = [
    "Crates, their floors, and the modules on them as rooms.",
    "A room uses only rooms on lower floors: the lines run down. A line that follows from others is left out.",
];

/// Returns the picture.
pub(crate) fn svg(house: &House) -> String {
    let crates: Vec<&Storey> = house.storeys.iter().filter(|storey| storey.about.is_published).collect();
    let top = crates.iter().map(|storey| storey.about.level).max().unwrap_or_default();
    let mut y = ROOF + GAP;
    let mut body = String::new();
    for level in (0..=top).rev() {
        let wings: Vec<&Storey> =
            crates.iter().copied().filter(|storey| storey.about.level == level).collect();
        y += storey(&mut body, &wings, y) + GAP;
    }
    // That of the package at the root of the workspace.
    let named = crates.iter().find(|storey| storey.about.entry.starts_with("src/"));
    let title = format!(
        "Architecture of {}: layers and dependencies",
        named.map(|storey| storey.about.name.as_str()).unwrap_or_default()
    );
    let description = escaped(&description(&crates));
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {}\" width=\"{WIDTH}\" role=\"img\" \
         aria-labelledby=\"title description\">\n  \
         <!-- Written by `cargo xtask layers` from the lists of floors in lib.rs and mod.rs; change those instead. -->\n  \
         <title id=\"title\">{title}</title>\n  <desc id=\"description\">{description}</desc>\n  \
         <style>\n{STYLE}  </style>\n\n",
        y - GAP / 2 + 2,
    );
    let middle = WIDTH / 2;
    _ = writeln!(text, "  <path class=\"roof\" d=\"M2 {ROOF}L{middle} 4L{} {ROOF}Z\"/>", WIDTH - 2);
    _ = writeln!(text, "  <text class=\"title\" x=\"{middle}\" y=\"54\">{title}</text>");
    for (line, y) in LEGEND.into_iter().zip([75, 92]) {
        _ = writeln!(text, "  <text class=\"note middle\" x=\"{middle}\" y=\"{y}\">{line}</text>");
    }
    _ = writeln!(text, "{body}\n  <path class=\"ground\" d=\"M0 {0}H{WIDTH}\"/>\n</svg>", y - GAP / 2);
    text
}

/// Draws crates that stand beside each other, and returns their height.
fn storey(body: &mut String, wings: &[&Storey], y: i32) -> i32 {
    let count = i32::try_from(wings.len()).unwrap_or(i32::MAX).max(1);
    let width = (WIDTH - GAP * (count + 1)) / count;
    let columns = Columns::new(width - 2 * INSIDE);
    let drawn: Vec<(Vec<String>, Drawing)> = wings
        .iter()
        .map(|storey| {
            (wrapped(&storey.about.description, width - 2 * INSIDE), rows::draw(storey, "", columns))
        })
        .collect();
    let head = |lines: &[String]| NAME + LINE * i32::try_from(lines.len()).unwrap_or_default() + 4;
    let height = drawn.iter().map(|(says, rows)| head(says) + rows.height).max().unwrap_or_default() + 8;
    for (position, (storey, (says, rows))) in wings.iter().zip(drawn).enumerate() {
        let x = GAP + (width + GAP) * i32::try_from(position).unwrap_or_default();
        _ = writeln!(
            body,
            "\n  <g class=\"level{}\" transform=\"translate({x} {y})\">",
            storey.about.level % 4
        );
        _ = writeln!(body, "    <rect class=\"wall\" width=\"{width}\" height=\"{height}\" rx=\"6\"/>");
        _ = writeln!(body, "    <text class=\"head\" x=\"{INSIDE}\" y=\"24\">{}</text>", storey.about.name);
        for (line, y) in says.iter().zip((NAME + 14..).step_by(LINE as usize)) {
            _ = writeln!(body, "    <text class=\"note\" x=\"{INSIDE}\" y=\"{y}\">{}</text>", escaped(line));
        }
        // The rooms of a crate stand on the ground, even beside a higher crate.
        let down = height - rows.height - 8;
        _ = writeln!(body, "    <g transform=\"translate({INSIDE} {down})\">\n{}    </g>\n  </g>", rows.text);
    }
    height
}

fn description(crates: &[&Storey]) -> String {
    let crates = crates.iter().rev().map(|storey| match storey.about.uses.join(", ") {
        below if below.is_empty() => storey.about.name.clone(),
        below => format!("{} on {below}", storey.about.name),
    });
    let crates: Vec<String> = crates.collect();
    format!(
        "Crates from the roof down: {}. In each, floors with rooms, which are its modules.",
        crates.join("; ")
    )
}

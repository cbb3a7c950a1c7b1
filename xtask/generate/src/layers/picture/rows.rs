//! The floors of a crate, one row each.

use super::{
    super::house::Storey,
    connections::{self, Place, ROOM},
    words::{escaped, width_of_name, wrapped},
};
use std::{collections::BTreeMap, fmt::Write};

/// The height of a line of text.
const LINE: i32 = 17;
/// Between rooms that stand beside each other.
const APART: i32 = 8;
/// Above and below rooms.
const ABOVE: i32 = 6;
/// From the top of a floor to the line on which its first text stands.
const BASELINE: i32 = ABOVE + 16;

/// What was drawn, and how high it is.
pub(super) struct Drawing {
    pub(super) text: String,
    pub(super) height: i32,
}

/// Where the columns stand: numbers, rooms, and what the lists say.
#[derive(Clone, Copy)]
pub(super) struct Columns {
    left: i32,
    rooms: i32,
    rooms_width: i32,
    says: i32,
    right: i32,
}

impl Columns {
    pub(super) fn new(width: i32) -> Self {
        let rooms = 30;
        let rooms_width = if width > 600 { 340 } else { 190 };
        Self { left: 0, rooms, rooms_width, says: rooms + rooms_width + 14, right: width }
    }

    /// Returns the same columns for the floors within a room.
    fn within(self) -> Self {
        Self { left: self.left + 30, right: self.right - APART, ..self }
    }
}

/// Draws the floors of the root of a crate, or those within the room `path`.
pub(super) fn draw(storey: &Storey, path: &str, columns: Columns) -> Drawing {
    let Some(part) = storey.part(path) else { return Drawing { text: String::new(), height: 0 } };
    let Columns { left, rooms, rooms_width, says, right } = columns;
    let mut places = BTreeMap::new();
    let (mut floors, mut boxes, mut y) = (String::new(), String::new(), 0);
    for (row, (position, floor)) in part.floors.iter().enumerate().rev().enumerate() {
        // The uppermost floor of a room lies under its wall.
        if row > 0 || path.is_empty() {
            _ = writeln!(floors, "      <path class=\"floor\" d=\"M{left} {y}H{right}\"/>");
        }
        let number = position + 1;
        _ = writeln!(
            floors,
            "      <text class=\"number\" x=\"{}\" y=\"{}\">{number}</text>",
            left + 18,
            y + BASELINE
        );
        for (line, y) in
            wrapped(&floor.says, right - says).iter().zip((y + BASELINE..).step_by(LINE as usize))
        {
            _ = writeln!(
                floors,
                "      <text class=\"note\" x=\"{says}\" y=\"{y}\">{}</text>",
                escaped(line)
            );
        }
        let lines = i32::try_from(wrapped(&floor.says, right - says).len()).unwrap_or_default();
        let below_text = y + BASELINE + (lines - 1) * LINE + 10;
        y += ABOVE;
        for line in broken(&floor.rooms, rooms_width) {
            let total: i32 = line.iter().map(|room| width(room) + APART).sum::<i32>() - APART;
            let mut x = rooms + (rooms_width - total) / 2;
            for room in line {
                let place = Place { row, left: x, right: x + width(room), top: y, bottom: y + ROOM };
                boxes += &labelled(room, place);
                places.insert(room.as_str(), place);
                x = place.right + APART;
            }
            y += ROOM + ABOVE;
        }
        y = y.max(below_text);
        for room in &floor.rooms {
            // Rooms within rooms are enough; what these hold is for the text.
            if path.is_empty() && storey.part(room).is_some() {
                let inside = columns.within();
                let drawn = draw(storey, room, inside);
                let (x, width) = (inside.left - 4, inside.right - inside.left + 8);
                _ = writeln!(
                    boxes,
                    "      <rect class=\"large\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{}\" rx=\"6\"/>",
                    drawn.height
                );
                _ = writeln!(boxes, "      <g transform=\"translate(0 {y})\">\n{}      </g>", drawn.text);
                y += drawn.height;
                if let Some(place) = places.get_mut(room.as_str()) {
                    place.bottom = y;
                }
                y += ABOVE;
            }
        }
    }
    let middle = rooms + rooms_width / 2;
    Drawing { text: floors + &connections::draw(part, &places, middle) + &boxes, height: y }
}

fn labelled(room: &str, place: Place) -> String {
    let (width, middle, baseline) =
        (place.right - place.left, (place.left + place.right) / 2, place.top + 16);
    format!(
        "      <rect class=\"room\" x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{ROOM}\" rx=\"5\"/>\n      \
         <text class=\"code\" x=\"{middle}\" y=\"{baseline}\">{room}</text>\n",
        place.left, place.top,
    )
}

fn width(room: &str) -> i32 {
    width_of_name(room) + 16
}

/// Returns rooms in lines that are not wider than `most`.
fn broken(rooms: &[String], most: i32) -> Vec<Vec<&String>> {
    let mut lines: Vec<Vec<&String>> = Vec::new();
    let mut used = 0;
    for room in rooms {
        match lines.last_mut() {
            Some(line) if used + width(room) <= most => line.push(room),
            _ => {
                lines.push(vec![room]);
                used = 0;
            }
        }
        used += width(room) + APART;
    }
    lines
}

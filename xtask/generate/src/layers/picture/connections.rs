//! The lines from rooms to the rooms that they use.

use super::super::house::Part;
use std::{collections::BTreeMap, fmt::Write};

/// The height of the box of a room.
pub(super) const ROOM: i32 = 24;

/// The box of a room. A large one reaches down to its own ground.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// The floor, counted from the top.
    pub(super) row: usize,
    pub(super) left: i32,
    pub(super) right: i32,
    pub(super) top: i32,
    pub(super) bottom: i32,
}

/// Draws the connections around a column of rooms with its centre at `middle`.
pub(super) fn draw(part: &Part, places: &BTreeMap<&str, Place>, middle: i32) -> String {
    let mut text = String::new();
    for (user, used) in &part.uses {
        let (Some(from), Some(to)) = (places.get(user.as_str()), places.get(used.as_str())) else { continue };
        if to.row > from.row && !follows(part, user, used) {
            let curve =
                if to.row == from.row + 1 { straight(from, to) } else { around(from, to, middle, places) };
            _ = writeln!(text, "      <path class=\"line\" d=\"{curve}\"/>");
        }
    }
    text
}

/// Returns the curve to a room on the next floor.
fn straight(from: &Place, to: &Place) -> String {
    let (x1, x2) = ((from.left + from.right) / 2, (to.left + to.right) / 2);
    let (y1, y2) = (from.bottom, to.top);
    let y = (y1 + y2) / 2;
    format!("M{x1} {y1}C{x1} {y} {x2} {y} {x2} {y2}")
}

/// Returns the curve past the floors between two rooms, on the side that is nearer.
fn around(from: &Place, to: &Place, middle: i32, places: &BTreeMap<&str, Place>) -> String {
    let centre = |place: &Place| (place.left + place.right) / 2;
    let is_left = centre(from) + centre(to) <= 2 * middle;
    let bow = 10 + 9 * i32::try_from(to.row - from.row).unwrap_or_default();
    let side = |place: &Place| if is_left { place.left } else { place.right };
    let x = if is_left { side(from).min(side(to)) - bow } else { side(from).max(side(to)) + bow };
    // Beside a room may be another one.
    let is_outer = |place: &Place| {
        let mut beside = places.values().filter(|other| other.top == place.top);
        beside.all(|other| if is_left { other.left >= place.left } else { other.right <= place.right })
    };
    let (x1, y1) = if from.bottom > from.top + ROOM {
        // A large room is left at its ground.
        (x, from.bottom)
    } else if is_outer(from) {
        (side(from), from.top + ROOM / 2)
    } else {
        (centre(from), from.bottom)
    };
    let (x2, y2) = if is_outer(to) { (side(to), to.top + ROOM / 2) } else { (centre(to), to.top) };
    format!("M{x1} {y1}C{x} {} {x} {} {x2} {y2}", y1 + 6, y2 - 6)
}

/// Returns whether a room uses another one that leads to `used`.
fn follows(part: &Part, user: &str, used: &str) -> bool {
    let mut reached: Vec<&str> = part.used_by(user).filter(|&via| via != used).collect();
    let mut position = 0;
    while let Some(&room) = reached.get(position) {
        let more: Vec<&str> = part.used_by(room).filter(|next| !reached.contains(next)).collect();
        reached.extend(more);
        position += 1;
    }
    reached.contains(&used)
}

//! The lists of floors, which stand in comments above the `mod` lines.

use super::source::{ModuleId, Source};
use anyhow::{Context, Result, bail};

/// The start of the first line of every list.
const START: &str = "// Floors, from the ground up.";

/// The floors of a module.
pub(crate) struct Plan {
    pub(crate) module: ModuleId,
    /// From the ground up.
    pub(crate) floors: Vec<Floor>,
}

/// Rooms that do not use each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Floor {
    pub(crate) rooms: Vec<String>,
    /// What the list says about them.
    pub(crate) says: String,
    pub(crate) line: usize,
}

/// Returns the lists of the root and of all modules below it. What is not understood is added to the `problems`.
pub(crate) fn plans(source: &Source, problems: &mut Vec<String>) -> Vec<Plan> {
    let mut plans = Vec::new();
    for file in &source.files {
        match read(&file.text) {
            Ok(Some(floors)) => {
                plans.push(Plan { module: file.module, floors });
            }
            Ok(None) => {}
            Err(error) => problems.push(format!("{}:{error}", file.path)),
        }
    }
    plans
}

/// Returns the floors that a source text lists, from the ground up; `None` where it has no list.
///
/// # Errors
/// A line of the list is not understood; the error names the line.
fn read(text: &str) -> Result<Option<Vec<Floor>>> {
    let mut lines = text.lines().enumerate().skip_while(|(_, line)| !line.starts_with(START));
    if lines.next().is_none() {
        return Ok(None);
    }
    // The text of each floor in one line, with the number of the first.
    let mut texts: Vec<(usize, String)> = Vec::new();
    for (position, line) in lines {
        let line_number = position + 1;
        let Some(line) = line.strip_prefix("//") else { break };
        if let Some(line) = line.strip_prefix(&format!(" {}. ", texts.len() + 1)) {
            texts.push((line_number, line.trim().to_owned()));
        } else if line.trim_start().starts_with(|first: char| first.is_ascii_digit()) {
            bail!("{line_number}: the next floor would have the number {}", texts.len() + 1);
        } else if let (Some((_, text)), false) = (texts.last_mut(), line.trim().is_empty()) {
            *text += &format!(" {}", line.trim());
        }
    }
    let floors = texts.into_iter().map(|(line, text)| {
        floor(&text, line)
            .with_context(|| format!("{line}: a floor is written as // 1. `room`, `room`: what they hold"))
    });
    floors.collect::<Result<Vec<Floor>>>().map(Some)
}

fn floor(line: &str, number: usize) -> Option<Floor> {
    let mut rooms = Vec::new();
    let mut rest = line;
    loop {
        let (room, after) = rest.strip_prefix('`')?.split_once('`')?;
        rooms.push(room.to_owned());
        if let Some(says) = after.strip_prefix(':') {
            return Some(Floor { rooms, says: says.trim().to_owned(), line: number });
        }
        rest = after.strip_prefix(", ")?;
    }
}

//! Which operators the safe layer launches, as its sources tell.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use aclnn_sys::operators::{self, OperatorInfo};
use anyhow::{Context, Result};

/// The operators and families that the sources of the safe layer name, above the functions that launch.
pub(super) struct Safe {
    /// Operators that are launched by name, or named beside the function that launches them.
    operators: HashSet<String>,
    /// Families whose operators are expanded, as the macro of each is called.
    families: HashSet<String>,
}

impl Safe {
    /// Reads the sources below a directory.
    pub(super) fn read(directory: &Path) -> Result<Self> {
        let mut text = String::new();
        add(directory, &mut text)?;
        let after = |start: &str, is_part: fn(char) -> bool| -> HashSet<String> {
            let rest = text.split(start).skip(1);
            rest.filter_map(|rest| rest.split(|letter| !is_part(letter)).next()).map(str::to_owned).collect()
        };
        let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let mut operators = after("launch::", is_of_name);
        operators.extend(after("\"aclnn", |letter| letter != '"'));
        Ok(Self { operators, families: after("aclnn_sys::", |letter| letter != '(') })
    }

    /// Whether a function of the safe layer launches some form of the operator's function.
    pub(super) fn has(&self, operator: &OperatorInfo) -> bool {
        let is_form = |other: &&OperatorInfo| {
            (other.family(), other.function()) == (operator.family(), operator.function())
        };
        self.families.contains(&format!("{}_operators!", operator.family()))
            || operators::all().filter(is_form).any(|form| self.operators.contains(form.name()))
    }
}

fn add(directory: &Path, text: &mut String) -> Result<()> {
    let entries = fs::read_dir(directory).with_context(|| format!("reading {}", directory.display()))?;
    for entry in entries {
        let path = entry?.path();
        let is_expanded_for_every_operator =
            ["call/launch.rs", "src/signatures.rs"].iter().any(|file| path.ends_with(file));
        if path.is_dir() {
            add(&path, text)?;
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && !is_expanded_for_every_operator
        {
            *text += &fs::read_to_string(&path)?;
        }
    }
    Ok(())
}

//! Which operators the safe layer launches, as its sources tell.

use std::fs;
use std::path::Path;

use aclnn_sys::operators::{self, OperatorInfo};
use anyhow::{Context, Result};

/// The sources of the safe layer above the functions that launch.
pub(super) struct Safe(String);

impl Safe {
    /// Reads the sources below a directory.
    pub(super) fn read(directory: &Path) -> Result<Self> {
        let mut text = String::new();
        add(directory, &mut text)?;
        Ok(Self(text))
    }

    /// Whether a function of the safe layer launches some form of the operator's function.
    pub(super) fn has(&self, operator: &OperatorInfo) -> bool {
        let is_form =
            |other: &&OperatorInfo| (other.family, other.function) == (operator.family, operator.function);
        operators::all().filter(is_form).any(|form| self.launches(form))
    }

    /// Whether the operator is launched by name, named beside the function that launches it, or expanded with its family.
    fn launches(&self, operator: &OperatorInfo) -> bool {
        let family = format!("aclnn_sys::{}_operators!(", operator.family);
        let name = format!("launch::{}", operator.name);
        let is_named = self.0.match_indices(&name).any(|(at, _)| {
            let next = self.0[at + name.len()..].chars().next();
            !next.is_some_and(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        });
        let alias = format!("\"aclnn{}\"", operator.name);
        is_named || self.0.contains(&alias) || self.0.contains(&family)
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

//! A named check.

use anyhow::Result;

use crate::verify::answer::Answer;
use crate::verify::raw::Setting;

/// A named check.
pub(crate) struct Check {
    /// Without `behaviour/`.
    pub(crate) name: &'static str,
    /// What it checks, in one sentence.
    pub(crate) about: &'static str,
    /// Whether it needs a process of its own.
    pub(crate) is_alone: bool,
    pub(crate) run: fn(&Setting) -> Result<Answer>,
}

impl Check {
    /// A check that bears others in its process.
    pub(super) const fn new(
        name: &'static str,
        about: &'static str,
        run: fn(&Setting) -> Result<Answer>,
    ) -> Self {
        Self { name, about, is_alone: false, run }
    }

    /// The same check in a process of its own.
    pub(super) const fn alone(self) -> Self {
        Self { is_alone: true, ..self }
    }
}

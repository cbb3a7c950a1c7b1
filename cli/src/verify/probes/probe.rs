//! A question to a library.

use anyhow::Result;

use crate::verify::answer::Answer;
use crate::verify::raw::Setting;

/// A question.
pub(crate) struct Probe {
    /// Without `probe/`.
    pub(crate) name: &'static str,
    pub(crate) question: &'static str,
    /// What this project assumes until somebody knows.
    pub(crate) assumed: &'static str,
    /// Whether asking may end the process, or leave it in a state that others cannot work in.
    pub(crate) is_dangerous: bool,
    pub(crate) run: fn(&Setting) -> Result<Answer>,
}

impl Probe {
    pub(super) const fn new(
        name: &'static str,
        question: &'static str,
        assumed: &'static str,
        run: fn(&Setting) -> Result<Answer>,
    ) -> Self {
        Self { name, question, assumed, is_dangerous: false, run }
    }

    /// The same question, which may end the process.
    pub(super) const fn dangerous(self) -> Self {
        Self { is_dangerous: true, ..self }
    }
}

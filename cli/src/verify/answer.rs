//! Answers of named checks and probes.

use serde::{Deserialize, Serialize};

use crate::report::Outcome;

/// An outcome, and what was found in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Answer {
    pub(crate) outcome: Outcome,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn right(text: impl Into<String>) -> Self {
        Self { outcome: Outcome::Right, text: text.into() }
    }

    pub(crate) fn wrong(text: impl Into<String>) -> Self {
        Self { outcome: Outcome::Wrong, text: text.into() }
    }

    /// It does not apply to what serves.
    pub(crate) fn skipped(text: impl Into<String>) -> Self {
        Self { outcome: Outcome::Skipped, text: text.into() }
    }

    /// Right if what this project assumes holds.
    pub(crate) fn as_assumed(holds: bool, text: impl Into<String>) -> Self {
        if holds { Self::right(text) } else { Self::wrong(text) }
    }
}

/// Compares one thing after the other, and answers with all that differ.
#[derive(Default)]
pub(crate) struct Findings {
    compared: usize,
    wrong: Vec<String>,
}

impl Findings {
    /// Compares what was found with what is right.
    pub(crate) fn equal<T: PartialEq + std::fmt::Debug>(&mut self, what: &str, found: T, expected: T) {
        let told = || format!("{what}: {found:?} instead of {expected:?}");
        let wrong = (found != expected).then(told);
        self.compared += 1;
        self.wrong.extend(wrong);
    }

    /// Notes whether something holds.
    pub(crate) fn holds(&mut self, holds: bool, otherwise: impl FnOnce() -> String) {
        self.compared += 1;
        if !holds {
            self.wrong.push(otherwise());
        }
    }

    pub(crate) fn answer(self) -> Answer {
        match self.wrong.as_slice() {
            [] => Answer::right(format!("{} comparisons hold", self.compared)),
            wrong => Answer::wrong(wrong.join("; ")),
        }
    }
}

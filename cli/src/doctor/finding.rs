//! Findings of a check.

use serde::Serialize;

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Outcome {
    Good,
    /// Worth knowing, and no reason for a failure.
    Note,
    Problem,
}

/// What a check found, and what to do about it.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Finding {
    pub(super) check: &'static str,
    pub(super) outcome: Outcome,
    pub(super) text: String,
    pub(super) advice: Option<String>,
}

impl Finding {
    pub(super) fn good(check: &'static str, text: impl Into<String>) -> Self {
        Self { check, outcome: Outcome::Good, text: text.into(), advice: None }
    }

    pub(super) fn note(check: &'static str, text: impl Into<String>) -> Self {
        Self { outcome: Outcome::Note, ..Self::good(check, text) }
    }

    pub(super) fn problem(check: &'static str, text: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { outcome: Outcome::Problem, advice: Some(advice.into()), ..Self::good(check, text) }
    }
}

//! Output of a command about its results: the plan, a summary of each, the files.

use std::fmt::Write as _;

use aclnn::Tensor;
use anyhow::Result;
use serde::Serialize;

use crate::arrays::{Summary, Target};

/// The results of a call.
#[derive(Debug, Serialize)]
pub(crate) struct Written {
    operator: &'static str,
    /// The launches, where the library shows them.
    plan: Option<String>,
    /// What a reader may not expect.
    note: Option<String>,
    results: Vec<Summary>,
    /// The files that were written.
    files: Vec<String>,
}

impl Written {
    /// Describes results and writes them to files.
    pub(crate) fn new(
        operator: &'static str,
        plan: Option<String>,
        results: &[Tensor],
        targets: &[Target],
    ) -> Result<Written> {
        // What fails on the device fails before a file is written.
        let summaries = results.iter().map(Summary::of).collect::<Result<_>>()?;
        let files = Target::write(targets, results)?;
        // JSON holds no name that is not UTF-8.
        let files = files.iter().map(|file| file.display().to_string()).collect();
        Ok(Written { operator, plan, note: None, results: summaries, files })
    }

    /// Describes a call that was only planned.
    pub(crate) fn planned(operator: &'static str, plan: Option<String>) -> Written {
        let note =
            plan.is_none().then(|| "this function shows no plan; its arguments are complete".to_owned());
        Written { operator, plan, note, results: Vec::new(), files: Vec::new() }
    }

    /// Adds what a reader may not expect.
    pub(crate) fn noting(mut self, note: Option<String>) -> Written {
        self.note = note.or(self.note);
        self
    }

    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        if let Some(plan) = &self.plan {
            _ = writeln!(text, "plan       {plan}");
        }
        if let Some(note) = &self.note {
            _ = writeln!(text, "note       {note}");
        }
        for (number, result) in self.results.iter().enumerate() {
            let label =
                if self.results.len() == 1 { "result".to_owned() } else { format!("result {number}") };
            _ = writeln!(text, "{label:<10} {result}");
        }
        for file in &self.files {
            _ = writeln!(text, "written    {file}");
        }
        text
    }
}

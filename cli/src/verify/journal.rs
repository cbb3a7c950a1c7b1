//! The results so far, a line for each case, from which a verification goes on after a crash.

use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::Path;

use anyhow::{Context as _, ensure};
use serde::{Deserialize, Serialize};

use super::compare::Outcome;
use super::frame::send;

/// The first line: what is verified.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Head {
    pub(super) aclnn: String,
    pub(super) soc: String,
    /// A number that differs when the list of cases or the seed does.
    pub(super) cases: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct Line {
    number: usize,
    outcome: Outcome,
}

/// A journal that is written.
pub(super) struct Journal(Option<BufWriter<File>>);

impl Journal {
    /// A journal that keeps nothing.
    pub(super) fn none() -> Self {
        Self(None)
    }

    /// Starts a journal with the results that are known already.
    pub(super) fn create(path: &Path, head: &Head, known: &[(usize, Outcome)]) -> anyhow::Result<Self> {
        let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
        let mut journal = Self(Some(BufWriter::new(file)));
        if let Some(file) = &mut journal.0 {
            send(file, head)?;
        }
        known.iter().try_for_each(|(number, outcome)| journal.add(*number, outcome))?;
        Ok(journal)
    }

    pub(super) fn add(&mut self, number: usize, outcome: &Outcome) -> anyhow::Result<()> {
        let Some(file) = &mut self.0 else { return Ok(()) };
        serde_json::to_writer(&mut *file, &Line { number, outcome: outcome.clone() })?;
        file.write_all(b"\n")?;
        // A failure may be the last thing that is written; what is lost of the others is computed again.
        if matches!(outcome, Outcome::Failed(_)) {
            file.flush()?;
        }
        Ok(())
    }
}

/// Reads the results of a journal of the same cases.
pub(super) fn read(path: &Path, head: &Head) -> anyhow::Result<Vec<(usize, Outcome)>> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut lines = BufReader::new(file).lines();
    let first = lines.next().context("the journal is empty")??;
    let own: Head = serde_json::from_str(&first).context("the journal has no head")?;
    ensure!(own == *head, "the journal is of another verification: {own:?}, but this one is {head:?}");
    let mut results = Vec::new();
    for line in lines {
        // The last line may be cut off.
        let Ok(line) = serde_json::from_str::<Line>(&line?) else { break };
        results.push((line.number, line.outcome));
    }
    Ok(results)
}

//! The results of a verification, as data: what the JSON file holds, and what pages and summaries are made of.

pub(crate) mod bench;
pub(crate) mod compare;
pub(crate) mod html;
pub(crate) mod junit;
pub(crate) mod xml;

use serde::{Deserialize, Deserializer, Serialize};

use crate::environment::Environment;

/// A report of `aclnn verify`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Report {
    /// The version of this structure.
    pub(crate) format: u32,
    /// When it was made, in seconds since 1970 in UTC.
    pub(crate) made: u64,
    /// The command line that makes it again.
    pub(crate) command: String,
    pub(crate) seed: u64,
    /// How long it took, in seconds.
    pub(crate) seconds: f64,
    /// What was verified.
    pub(crate) environment: Environment,
    /// What it was compared with, in one line.
    pub(crate) reference: String,
    /// By operator, each form under its C name.
    pub(crate) operators: Vec<OperatorReport>,
    /// What does not belong to one operator: order by events, copies, error codes …
    pub(crate) behaviour: Vec<Behaviour>,
    /// What only hardware can answer.
    pub(crate) probes: Vec<Probe>,
}

impl Report {
    /// How many cases of all operators ended how.
    pub(crate) fn counts(&self) -> Counts {
        let cells = self.operators.iter().flat_map(|operator| &operator.cells);
        cells.fold(Counts::default(), |sum, cell| Counts {
            right: sum.right + cell.counts.right,
            refused: sum.refused + cell.counts.refused,
            failed: sum.failed + cell.counts.failed,
            absent: sum.absent + cell.counts.absent,
        })
    }

    /// The names of the operators with a case that is not right, or that keep memory.
    pub(crate) fn failing(&self) -> Vec<&str> {
        let cases = self.operators.iter().filter(|operator| operator.failed() > 0);
        let mut names: Vec<&str> = cases.map(|operator| operator.name.as_str()).collect();
        let checks = self.behaviour.iter().filter(|check| check.outcome.is_failure());
        let kept = checks.filter_map(|check| check.name.strip_prefix(OF_MEMORY));
        for name in kept {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// How many cases and checks are not right.
    pub(crate) fn failed(&self) -> u64 {
        let checks = self.behaviour.iter().filter(|check| check.outcome.is_failure()).count();
        self.counts().failed + checks as u64
    }
}

/// The beginning of the names of checks.
pub(crate) const OF_CHECKS: &str = "behaviour/";

/// The name of a check, of the memory that an operator keeps, before that of the operator.
pub(crate) const OF_MEMORY: &str = "behaviour/memory-of-";

/// The cases of one form of an operator.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct OperatorReport {
    /// The C name without its prefix: `InplaceAdds`.
    pub(crate) name: String,
    /// The function of which it is a form: `add`.
    pub(crate) function: String,
    /// The family that declares it: `arithmetic`.
    pub(crate) family: String,
    /// Of which parameters the types of a cell are: `["self", "other"]`, or `["self", "out"]`.
    #[serde(default)]
    pub(crate) parameters: Vec<String>,
    pub(crate) cells: Vec<Cell>,
}

impl OperatorReport {
    /// How many cases are not right.
    pub(crate) fn failed(&self) -> u64 {
        self.cells.iter().map(|cell| cell.counts.failed).sum()
    }
}

/// The cases with the same element types.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Cell {
    /// The element types, by short name: those of the tensors and scalars that are computed, in the order of the
    /// parameters (`["f16", "f32"]`), or those of one operand and the output where there is one operand.
    pub(crate) types: Vec<String>,
    pub(crate) counts: Counts,
    /// The greatest distance from the reference, in units in the last place; of the cases that count as right too.
    #[serde(deserialize_with = "infinite_if_null")]
    pub(crate) ulps: f64,
    /// The cases that are not right: the first ones of each kind.
    pub(crate) failures: Vec<Failure>,
}

/// How many cases ended how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Counts {
    /// Within the stated tolerance.
    pub(crate) right: u64,
    /// Refused, as the declaration predicts for this product.
    pub(crate) refused: u64,
    /// Failed, in one of the ways of [`FailureKind`].
    pub(crate) failed: u64,
    /// Not tried: the symbol is missing, and the release is known not to have it.
    pub(crate) absent: u64,
}

/// A case that is not right.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Failure {
    /// What `--filter` takes to run the case alone: `Add/f16,f32/transposed`.
    pub(crate) case: String,
    pub(crate) kind: FailureKind,
    /// One line for people.
    pub(crate) text: String,
    /// Which rule is broken, where that explains every wrong element.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) cause: Option<String>,
    /// Each operand, with type, shape and layout.
    pub(crate) operands: Vec<String>,
    /// The index of the worst element, its operands, and both results.
    pub(crate) worst: Option<Worst>,
    /// The same of the first wrong element that is finite and is expected to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) first: Option<Worst>,
}

/// A wrong element.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Worst {
    pub(crate) index: Vec<i64>,
    pub(crate) inputs: Vec<String>,
    pub(crate) expected: String,
    pub(crate) found: String,
    #[serde(deserialize_with = "infinite_if_null")]
    pub(crate) ulps: f64,
}

/// In which way a case is not right.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FailureKind {
    /// A result outside the tolerance.
    #[default]
    Wrong,
    /// Accepted, although the declaration says that this product refuses it.
    Accepted,
    /// Refused, although the declaration says that this product takes it.
    Refused,
    /// Refused with another code than the documented one.
    Code,
    /// Bytes outside the result were changed.
    Outside,
    /// Work failed on its stream.
    Stream,
    /// The function is missing.
    Missing,
    /// The process died.
    Died,
    /// The case did not end within its time.
    Hung,
    /// Memory or objects were not given back.
    Leaked,
}

/// A check that does not belong to one operator.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Behaviour {
    /// Its name, which `--filter` takes: `behaviour/events-order-streams`.
    pub(crate) name: String,
    /// What it checks, in one sentence.
    pub(crate) about: String,
    pub(crate) outcome: Outcome,
    /// What was found, for people.
    pub(crate) text: String,
}

/// How a check ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Outcome {
    #[default]
    Right,
    Wrong,
    /// It does not apply to what serves.
    Skipped,
    Died,
    Hung,
}

impl Outcome {
    /// Returns whether something is not right.
    pub(crate) fn is_failure(self) -> bool {
        !matches!(self, Outcome::Right | Outcome::Skipped)
    }
}

/// A question that only hardware answers.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Probe {
    /// Its name: `probe/repeatable-executor-destroyed-while-queued`.
    pub(crate) name: String,
    pub(crate) question: String,
    /// What this project assumes until somebody knows.
    pub(crate) assumed: String,
    /// Whether it was asked in a process of its own, as it may end that.
    #[serde(default)]
    pub(crate) is_dangerous: bool,
    pub(crate) outcome: Outcome,
    /// What the library did.
    pub(crate) answer: String,
}

/// Reads a distance, which JSON writes as `null` where it is infinite.
fn infinite_if_null<'a, D: Deserializer<'a>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(f64::INFINITY))
}

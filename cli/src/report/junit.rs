//! A report as JUnit XML: a test suite for each operator, a test case for each cell.

use super::xml::{self, Case, Suite};
use super::{Behaviour, Cell, OperatorReport, Outcome, Report};

/// Returns the document.
pub(crate) fn document(report: &Report) -> String {
    let mut suites: Vec<Suite> = report.operators.iter().map(of_operator).collect();
    if !report.behaviour.is_empty() {
        suites.push(suite("behaviour", report.behaviour.iter().map(of_check).collect()));
    }
    xml::document("aclnn verify", report.seconds, &suites)
}

fn suite(name: &str, cases: Vec<Case>) -> Suite {
    Suite { name: name.to_owned(), properties: Vec::new(), cases, seconds: None, written: String::new() }
}

fn of_operator(operator: &OperatorReport) -> Suite {
    let class = format!("{}.{}", operator.family, operator.name);
    let case = |cell: &Cell| Case {
        class: class.clone(),
        name: cell.types.join(","),
        outcome: match cell {
            cell if cell.counts.failed > 0 => failed(cell),
            cell if is_skipped(cell) => {
                xml::Outcome::Skipped("this release does not have the operator".to_owned())
            }
            _ => xml::Outcome::Passed,
        },
    };
    suite(&operator.name, operator.cells.iter().map(case).collect())
}

fn failed(cell: &Cell) -> xml::Outcome {
    let lines = cell.failures.iter().map(|failure| {
        let cause = failure.cause.iter().map(|cause| format!("; likely cause: {cause}")).collect::<String>();
        format!("{}: {}{cause} ({})", failure.case, failure.text, failure.operands.join("; "))
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    xml::Outcome::Failed { message: format!("{} cases failed", cell.counts.failed), text }
}

fn is_skipped(cell: &Cell) -> bool {
    cell.counts.absent > 0 && cell.counts.right + cell.counts.refused + cell.counts.failed == 0
}

fn of_check(check: &Behaviour) -> Case {
    let text = check.text.clone();
    let outcome = match check.outcome {
        Outcome::Right => xml::Outcome::Passed,
        Outcome::Skipped => xml::Outcome::Skipped(text),
        _ => xml::Outcome::Failed { message: text, text: String::new() },
    };
    Case { class: "behaviour".to_owned(), name: check.name.clone(), outcome }
}

//! A report as text for a terminal.

use std::fmt::Write as _;
use std::path::Path;

use crate::output::{BAD, GOOD};
use crate::report::compare::Changes;
use crate::report::{Failure, OperatorReport, Outcome, Probe, Report, Worst};

/// How many operators are named with their worst case.
const NAMED: usize = 20;

pub(super) fn text(report: &Report, changes: Option<&Changes>, directory: Option<&Path>) -> String {
    let counts = report.counts();
    let mut text = String::new();
    _ = writeln!(text, "verified   {}", report.environment.backend.as_deref().unwrap_or("nothing"));
    _ = writeln!(text, "against    {}", report.reference);
    if !report.operators.is_empty() {
        _ = writeln!(
            text,
            "cases      {}, of {}, in {:.1} s, seed {}",
            counts.right + counts.refused + counts.failed + counts.absent,
            counted(report.operators.len() as u64, "operator"),
            report.seconds,
            report.seed
        );
        _ = writeln!(
            text,
            "           {} right, {} refused as expected, {} absent from this release, {} failed",
            counts.right, counts.refused, counts.absent, counts.failed
        );
    }
    let checks = report.behaviour.len();
    if checks > 0 {
        let failed = report.behaviour.iter().filter(|check| check.outcome.is_failure()).count();
        let skipped = report.behaviour.iter().filter(|check| check.outcome == Outcome::Skipped).count();
        let right = checks - failed - skipped;
        _ = writeln!(text, "checks     {right} right, {skipped} do not apply, {failed} failed");
    }
    let failing: Vec<&OperatorReport> =
        report.operators.iter().filter(|operator| operator.failed() > 0).collect();
    for operator in failing.iter().take(NAMED) {
        _ = writeln!(
            text,
            "{BAD}FAILED{BAD:#}     {}: {}",
            operator.name,
            counted(operator.failed(), "case")
        );
        if let Some(failure) = worst(operator) {
            _ = writeln!(text, "           {}: {}", failure.case, failure.text);
            if let Some(Worst { index, found, expected, .. }) = first_finite(failure) {
                let about = "the first wrong element that is finite";
                _ = writeln!(text, "           {about}, {index:?}, is {found}; {expected} is expected");
            }
        }
        for (cause, count) in causes(operator) {
            let cases = counted(count, "case");
            _ = writeln!(text, "           likely cause, of {cases}: {cause}");
        }
    }
    if failing.len() > NAMED {
        _ = writeln!(text, "           and {} operators more", failing.len() - NAMED);
    }
    for check in report.behaviour.iter().filter(|check| check.outcome.is_failure()) {
        _ = writeln!(text, "{BAD}FAILED{BAD:#}     {}: {}", check.name, check.text);
    }
    if let Some(changes) = changes {
        changed(&mut text, changes);
    }
    if let Some(directory) = directory {
        _ = writeln!(text, "report     {}", directory.join("report.html").display());
    }
    let first = failing.first().and_then(|operator| worst(operator));
    match first {
        Some(failure) => {
            _ = writeln!(text, "next       aclnn verify --filter {} runs one failure alone", failure.case)
        }
        None if report.failed() == 0 => _ = writeln!(text, "{GOOD}everything is as expected{GOOD:#}"),
        None => {}
    }
    text
}

/// The first wrong finite element of a failure, where the worst one is another.
fn first_finite(failure: &Failure) -> Option<&Worst> {
    let worst = failure.worst.as_ref()?;
    failure.first.as_ref().filter(|first| first.index != worst.index)
}

/// How many likely causes of an operator's failures are told.
const CAUSES: usize = 3;

/// The likely causes of the failures that are kept, the most frequent first, each with the number of cases.
fn causes(operator: &OperatorReport) -> Vec<(&str, u64)> {
    let mut causes: Vec<(&str, u64)> = Vec::new();
    let failures = operator.cells.iter().flat_map(|cell| &cell.failures);
    for cause in failures.filter_map(|failure| failure.cause.as_deref()) {
        match causes.iter_mut().find(|(known, _)| *known == cause) {
            Some((_, count)) => *count += 1,
            None => causes.push((cause, 1)),
        }
    }
    causes.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    causes.truncate(CAUSES);
    causes
}

fn changed(text: &mut String, changes: &Changes) {
    let Changes { newly_failing, newly_right, added, removed } = changes;
    _ = writeln!(
        text,
        "baseline   {} newly failing, {} right again, {} new and right, {} not tried this time",
        newly_failing.len(),
        newly_right.len(),
        added.len(),
        removed.len()
    );
    for cell in newly_failing.iter().take(NAMED) {
        _ = writeln!(text, "           now fails: {cell}");
    }
    for cell in newly_right.iter().take(NAMED) {
        _ = writeln!(text, "           right again: {cell}");
    }
}

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// The failure that is worst: one that ends the process, or the one that differs most.
fn worst(operator: &OperatorReport) -> Option<&Failure> {
    let failures = operator.cells.iter().flat_map(|cell| &cell.failures);
    let ulps = |failure: &Failure| failure.worst.as_ref().map_or(0.0, |worst| worst.ulps);
    failures.max_by(|a, b| a.kind.cmp(&b.kind).then(ulps(a).total_cmp(&ulps(b))))
}

/// The answers to questions about hardware, and what to send back.
pub(super) fn probes(report: &Report, file: Option<&Path>) -> String {
    let mut text = format!("asked      {}\n\n", report.environment.backend.as_deref().unwrap_or("nothing"));
    for Probe { name, question, assumed, is_dangerous, outcome, answer } in &report.probes {
        let found = match outcome {
            Outcome::Right => "as assumed",
            Outcome::Wrong => "otherwise",
            Outcome::Skipped => "does not apply",
            Outcome::Died => "the process died",
            Outcome::Hung => "the process hung",
        };
        let where_asked =
            if *is_dangerous { " (asked in a process of its own, which it may end)" } else { "" };
        _ = writeln!(
            text,
            "{name}: {found}{where_asked}\n  {question}\n  assumed: {assumed}\n  found: {answer}\n"
        );
    }
    let count = |wanted| report.probes.iter().filter(|probe| probe.outcome == wanted).count();
    _ = writeln!(
        text,
        "{} questions: {} answered as assumed, {} otherwise, {} do not apply; {} ended the process, {} hung",
        report.probes.len(),
        count(Outcome::Right),
        count(Outcome::Wrong),
        count(Outcome::Skipped),
        count(Outcome::Died),
        count(Outcome::Hung)
    );
    _ = match file {
        Some(file) => writeln!(text, "send back  {}", file.display()),
        None => {
            writeln!(text, "send back  report/probes.json, which aclnn verify --probes --out report writes")
        }
    };
    text
}

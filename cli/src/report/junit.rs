//! A report as JUnit XML: a test suite for each operator, a test case for each cell.

use std::fmt::Write as _;

use super::{Cell, OperatorReport, Outcome, Report};

/// Returns the document.
pub(crate) fn document(report: &Report) -> String {
    let checks = report.behaviour.len() as u64;
    let tests: u64 = report.operators.iter().map(|operator| operator.cells.len() as u64).sum();
    let failures: u64 = report.operators.iter().map(failing).sum();
    let failed = report.behaviour.iter().filter(|check| check.outcome.is_failure()).count() as u64;
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    _ = writeln!(
        xml,
        "<testsuites name=\"aclnn verify\" tests=\"{}\" failures=\"{}\" time=\"{:.3}\">",
        tests + checks,
        failures + failed,
        report.seconds
    );
    for operator in &report.operators {
        suite(&mut xml, operator);
    }
    if checks > 0 {
        behaviour(&mut xml, report, failed);
    }
    xml.push_str("</testsuites>\n");
    xml
}

fn failing(operator: &OperatorReport) -> u64 {
    operator.cells.iter().filter(|cell| cell.counts.failed > 0).count() as u64
}

fn suite(xml: &mut String, operator: &OperatorReport) {
    let name = escaped(&operator.name);
    let skipped = operator.cells.iter().filter(|cell| is_skipped(cell)).count();
    _ = writeln!(
        xml,
        "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{}\" skipped=\"{skipped}\">",
        operator.cells.len(),
        failing(operator)
    );
    let class = format!("{}.{name}", escaped(&operator.family));
    for cell in &operator.cells {
        let case = escaped(&cell.types.join(","));
        _ = write!(xml, "    <testcase classname=\"{class}\" name=\"{case}\"");
        if cell.counts.failed > 0 {
            _ = writeln!(xml, ">\n      <failure message=\"{} cases failed\">", cell.counts.failed);
            for failure in &cell.failures {
                let operands = failure.operands.join("; ");
                _ = writeln!(xml, "{}", escaped(&format!("{}: {} ({operands})", failure.case, failure.text)));
            }
            xml.push_str("      </failure>\n    </testcase>\n");
        } else if is_skipped(cell) {
            xml.push_str(
                ">\n      <skipped message=\"this release does not have the operator\"/>\n    </testcase>\n",
            );
        } else {
            xml.push_str("/>\n");
        }
    }
    xml.push_str("  </testsuite>\n");
}

fn is_skipped(cell: &Cell) -> bool {
    cell.counts.absent > 0 && cell.counts.right + cell.counts.refused + cell.counts.failed == 0
}

fn behaviour(xml: &mut String, report: &Report, failed: u64) {
    let checks = &report.behaviour;
    _ = writeln!(xml, "  <testsuite name=\"behaviour\" tests=\"{}\" failures=\"{failed}\">", checks.len());
    for check in checks {
        _ = write!(xml, "    <testcase classname=\"behaviour\" name=\"{}\"", escaped(&check.name));
        let text = escaped(&check.text);
        match check.outcome {
            Outcome::Right => xml.push_str("/>\n"),
            Outcome::Skipped => _ = writeln!(xml, ">\n      <skipped message=\"{text}\"/>\n    </testcase>"),
            _ => _ = writeln!(xml, ">\n      <failure message=\"{text}\"/>\n    </testcase>"),
        }
    }
    xml.push_str("  </testsuite>\n");
}

/// Text for elements and attributes: without the characters that XML 1.0 does not have.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(character),
            character if character.is_control() || matches!(character, '\u{FFFE}' | '\u{FFFF}') => {
                escaped.push('\u{FFFD}')
            }
            character => escaped.push(character),
        }
    }
    escaped
}

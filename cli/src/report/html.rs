//! The report as a page: one file with its data, style and script in it, which needs no network.

use super::bench::BenchReport;
use super::{Report, compare::Changes};

/// Returns the page of a report, of what changed since an earlier one, and of measurements.
///
/// # Errors
/// Where a number of the report cannot be written as JSON.
pub(crate) fn page(
    report: &Report,
    baseline: Option<&Report>,
    bench: Option<&BenchReport>,
) -> serde_json::Result<String> {
    let changes = baseline.map(|earlier| Changes::between(earlier, report));
    let parts = [
        ("{title}", title(report)),
        ("{style}", include_str!("page/page.css").to_owned()),
        ("{report}", embedded(&serde_json::to_string(report)?)),
        ("{headline}", embedded(&serde_json::to_string(&headline(report))?)),
        ("{changes}", embedded(&serde_json::to_string(&changes)?)),
        ("{bench}", embedded(&serde_json::to_string(&bench)?)),
        ("{script}", include_str!("page/page.js").to_owned()),
    ];
    let mut rest = include_str!("page/page.html");
    let mut page = String::new();
    // In the order of the template, so that a text which is put in is never searched.
    for (place, text) in parts {
        let (before, after) = rest.split_once(place).unwrap_or((rest, ""));
        page.push_str(before);
        page.push_str(&text);
        rest = after;
    }
    Ok(page + rest)
}

/// The first sentence of the page.
fn headline(report: &Report) -> String {
    let counted = |count: u64, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let cases = report.counts().failed;
    let failed = match (cases, report.failed() - cases) {
        (0, 0) => return "Everything is right".to_owned(),
        (cases, 0) => counted(cases, "case"),
        (0, checks) => counted(checks, "check"),
        (cases, checks) => format!("{} and {}", counted(cases, "case"), counted(checks, "check")),
    };
    format!("{failed} failed{}", of(&report.failing()))
}

fn title(report: &Report) -> String {
    match report.failed() {
        0 => "aclnn verify".to_owned(),
        failed => format!("aclnn verify: {failed} failed{}", of(&report.failing())),
    }
}

/// How many operators a headline names.
const NAMED: usize = 3;

/// The operators in which something failed, for a headline.
fn of(names: &[&str]) -> String {
    match names.split_at_checked(NAMED) {
        _ if names.is_empty() => String::new(),
        Some((first, rest)) if !rest.is_empty() => {
            format!(" in {} and {} more", first.join(", "), rest.len())
        }
        _ => format!(" in {}", names.join(", ")),
    }
}

/// Returns JSON that cannot end the element it stands in: a string may hold `</script>` or `<!--`.
fn embedded(json: &str) -> String {
    json.replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Behaviour, Cell, Counts, OperatorReport, Outcome};

    #[test]
    fn a_text_of_the_report_never_ends_the_script() {
        let command = "</script><script>alert(1)//{script}<!--".to_owned();
        let report = Report { command, ..Report::default() };
        let page = page(&report, Some(&Report::default()), None).unwrap();
        assert_eq!(page.matches("</script>").count(), 5);
        assert!(!page.contains("alert(1)//{script}<"));
        assert_eq!(page.matches("// Draws the report").count(), 1);
    }

    fn operator(name: &str, failed: u64) -> OperatorReport {
        let cell = Cell { counts: Counts { failed, ..Counts::default() }, ..Cell::default() };
        OperatorReport { name: name.to_owned(), cells: vec![cell], ..OperatorReport::default() }
    }

    #[test]
    fn the_headline_names_operators() {
        let leak = |name: &str| Behaviour {
            name: format!("behaviour/{name}"),
            outcome: Outcome::Wrong,
            ..Behaviour::default()
        };
        let of = |operators: Vec<OperatorReport>, behaviour: Vec<Behaviour>| {
            let report = Report { operators, behaviour, ..Report::default() };
            (headline(&report), title(&report))
        };
        assert_eq!(of(vec![operator("Add", 0)], vec![]).0, "Everything is right");
        let (headline, title) = of(vec![operator("Add", 0), operator("Cast", 26)], vec![]);
        assert_eq!((&*headline, &*title), ("26 cases failed in Cast", "aclnn verify: 26 failed in Cast"));
        let four = ["Add", "Sub", "Mul", "Div"].map(|name| operator(name, 1)).into();
        assert_eq!(of(four, vec![]).0, "4 cases failed in Add, Sub, Mul and 1 more");
        assert_eq!(of(vec![], vec![leak("memory-of-Mul")]).0, "1 check failed in Mul");
        assert_eq!(
            of(vec![operator("Mul", 2)], vec![leak("memory-of-Mul"), leak("order")]).0,
            "2 cases and 2 checks failed in Mul"
        );
    }

    /// The formulas are those of the guidelines for accessible content (WCAG 2.1), which ask for 4.5 of text of this size.
    #[test]
    fn every_text_of_the_page_has_enough_contrast() {
        let style = include_str!("page/page.css");
        let schemes: Vec<&str> =
            style.split(":root {").skip(1).filter_map(|rest| rest.split('}').next()).collect();
        assert_eq!(schemes.len(), 2, "light and dark");
        for scheme in schemes {
            let light = |name: &str| -> f64 {
                let (_, colour) = scheme.split_once(&format!("--{name}: #")).unwrap();
                let channel = |at: usize| {
                    let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
                    if value <= 0.03928 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
                };
                0.2126 * channel(0) + 0.7152 * channel(2) + 0.0722 * channel(4)
            };
            for (text, ground) in [
                ("text", "ground"),
                ("text", "raised"),
                ("quiet", "ground"),
                ("quiet", "raised"),
                ("quiet", "absent"),
                ("failed", "ground"),
                ("failed", "raised"),
                ("right-text", "right"),
                ("close-text", "close"),
                ("refused-text", "refused"),
                ("failed-text", "failed"),
            ] {
                let (a, b) = (light(text), light(ground));
                let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
                assert!(contrast >= 4.5, "{text} on {ground}: {contrast}");
            }
        }
    }

    #[test]
    fn the_page_asks_for_nothing_outside_itself() {
        let page = page(&Report::default(), None, Some(&BenchReport::default())).unwrap();
        for outside in ["http:", "https:", "src=", "<link", "url(", "@import", "fetch("] {
            assert!(!page.contains(outside), "{outside}");
        }
    }
}

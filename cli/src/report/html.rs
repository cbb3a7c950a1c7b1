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

fn title(report: &Report) -> String {
    let failed: u64 =
        report.operators.iter().flat_map(|operator| &operator.cells).map(|cell| cell.counts.failed).sum();
    if failed == 0 { "aclnn verify".to_owned() } else { format!("aclnn verify: {failed} failed") }
}

/// Returns JSON that cannot end the element it stands in: a string may hold `</script>` or `<!--`.
fn embedded(json: &str) -> String {
    json.replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_the_report_never_ends_the_script() {
        let command = "</script><script>alert(1)//{script}<!--".to_owned();
        let report = Report { command, ..Report::default() };
        let page = page(&report, Some(&Report::default()), None).unwrap();
        assert_eq!(page.matches("</script>").count(), 4);
        assert!(!page.contains("alert(1)//{script}<"));
        assert_eq!(page.matches("// Draws the report").count(), 1);
    }

    #[test]
    fn the_page_asks_for_nothing_outside_itself() {
        let page = page(&Report::default(), None, Some(&BenchReport::default())).unwrap();
        for outside in ["http:", "https:", "src=", "<link", "url(", "@import", "fetch("] {
            assert!(!page.contains(outside), "{outside}");
        }
    }
}

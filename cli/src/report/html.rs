//! The report as a page: one file with its data, style and script in it, which needs no network.

use aclnn_sys::language::{Language, Translations};

use super::bench::BenchReport;
use super::{Report, compare::Changes};

/// The texts of a report in Chinese.
pub(crate) const TEXTS: &str = include_str!("page/texts.zh.tsv");

/// Returns the page of a report in the language of the process, of what changed since an earlier one, and of measurements.
///
/// # Errors
/// Where a number of the report cannot be written as JSON.
pub(crate) fn page(
    report: &Report,
    baseline: Option<&Report>,
    bench: Option<&BenchReport>,
) -> serde_json::Result<String> {
    page_in(Language::get(), report, baseline, bench)
}

fn page_in(
    language: Language,
    report: &Report,
    baseline: Option<&Report>,
    bench: Option<&BenchReport>,
) -> serde_json::Result<String> {
    let changes = baseline.map(|earlier| Changes::between(earlier, report));
    let (title, headline) = (title(report), headline(report));
    let (lang, words, title, headline, report) = match language {
        Language::English => ("en", "null", title, headline, serde_json::to_string(report)?),
        Language::Chinese => {
            let texts = Translations::parse(TEXTS);
            let report = serde_json::to_string(&translated(report.clone(), &texts))?;
            let words = include_str!("page/words.zh.json");
            ("zh-CN", words, texts.translate(&title), texts.translate(&headline), report)
        }
    };
    let parts = [
        ("{lang}", lang.to_owned()),
        ("{title}", title),
        ("{style}", include_str!("page/page.css").to_owned()),
        ("{words}", embedded(words)),
        ("{report}", embedded(&report)),
        ("{headline}", embedded(&serde_json::to_string(&headline)?)),
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

/// Returns a report whose sentences are in another language; names, types and numbers stay.
fn translated(mut report: Report, texts: &Translations) -> Report {
    let cells = report.operators.iter_mut().flat_map(|operator| &mut operator.cells);
    for failure in cells.flat_map(|cell| &mut cell.failures) {
        failure.text = texts.translate(&failure.text);
        failure.cause = failure.cause.take().map(|cause| texts.translate(&cause));
    }
    for check in &mut report.behaviour {
        check.about = texts.translate(&check.about);
        check.text = texts.translate(&check.text);
    }
    for probe in &mut report.probes {
        for text in [&mut probe.question, &mut probe.assumed, &mut probe.answer] {
            *text = texts.translate(text);
        }
    }
    report
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
    use std::collections::BTreeMap;

    use super::*;
    use crate::report::{Behaviour, Cell, Counts, Failure, OperatorReport, Outcome};

    #[test]
    fn a_text_of_the_report_never_ends_the_script() {
        let command = "</script><script>alert(1)//{script}<!--".to_owned();
        let report = Report { command, ..Report::default() };
        let page = page(&report, Some(&Report::default()), None).unwrap();
        assert_eq!(page.matches("</script>").count(), 6);
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

    #[test]
    fn a_page_in_chinese_says_all_its_words_in_chinese() {
        let failure = Failure {
            text: "refused with code 161002: self is u4".to_owned(),
            cause: Some("rounding: towards zero, not to the nearest".to_owned()),
            ..Failure::default()
        };
        let mut failing = operator("Cast", 2);
        failing.cells[0].failures.push(failure);
        let report = Report { operators: vec![failing], ..Report::default() };
        let page = page_in(Language::Chinese, &report, None, None).unwrap();
        for part in [
            "<html lang=\"zh-CN\">",
            "\"Cast 有 2 个用例失败\"",
            "以错误码 161002 拒绝：self is u4",
            "舍入：向零舍入，而不是就近舍入",
            "\"Measurements\": \"测量\"",
        ] {
            assert!(page.contains(part), "{part}");
        }
        let english = page_in(Language::English, &report, None, None).unwrap();
        assert!(english.contains("<html lang=\"en\">") && !english.contains("测量"));
    }

    /// The texts between tags of the page, and those of its script.
    #[test]
    fn every_text_of_the_page_has_a_translation() {
        let words: BTreeMap<String, String> =
            serde_json::from_str(include_str!("page/words.zh.json")).unwrap();
        let (page, script) = (include_str!("page/page.html"), include_str!("page/page.js"));
        let body = page.split("<body>").nth(1).unwrap();
        let texts = body.split('>').filter_map(|part| part.split('<').next()).map(str::trim);
        let said = script.split("say(\"").skip(1).filter_map(|rest| rest.split('"').next());
        // Tables of words, each before a comma, and the names of what failed.
        let lists = script.split("const words").nth(1).unwrap().split("function head").next().unwrap();
        let listed = lists.split('"').skip(1).step_by(2);
        let mut count = 0;
        for text in texts.chain(said).chain(listed).filter(|text| text.contains(char::is_alphabetic)) {
            // The name of the command, what is put in, and what stands in a page without a script.
            if text == "aclnn verify" || text.starts_with('{') || text.starts_with("The report is drawn") {
                continue;
            }
            assert!(words.contains_key(text), "no translation: {text}");
            count += 1;
        }
        assert!(count > 40, "{count}");
        // The rest are lists of the script. A word that nothing says is left over.
        let is_said = |word: &str| {
            page.contains(word)
                || script.contains(&format!("\"{word}\""))
                || script.contains(&format!("{word}:"))
        };
        let left: Vec<&String> = words.keys().filter(|word| !is_said(word)).collect();
        assert!(left.is_empty(), "nothing says {left:?}");
        let holes = |text: &str| text.matches('{').count();
        assert!(words.iter().all(|(english, chinese)| holes(english) == holes(chinese)), "{words:?}");
        assert_eq!(aclnn_sys::language::faults(TEXTS), "");
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

//! The page of `aclnn verify` in a browser: Debian's `chromium`, without a window and without a network.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use crate::shell::Shell;

/// Whether there is a browser; a test is skipped by its name where there is none.
fn has_browser(test: &str) -> bool {
    let found =
        Command::new("chromium").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        let _ = writeln!(std::io::stderr(), "skipped: commands::browser::{test}: chromium is not installed");
    }
    found
}

/// Opens a page, and returns its elements as text when its scripts have run. Every host name is unknown to the browser.
fn opened(page: &Path, arguments: &[&str]) -> String {
    let profile = tempfile::tempdir().unwrap();
    let output = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000", "--dump-dom"])
        .arg("--host-resolver-rules=MAP * ~NOTFOUND")
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .args(arguments)
        .arg(format!("file://{}", page.display()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A user looks at a cell that is right, then at one that failed.
const CLICKS: &str = r##"<script>
const told = () => ({
  operator: document.querySelector("#operator-name").textContent,
  cells: document.querySelectorAll("#map button").length,
  failing: document.querySelectorAll("#map button.failed").length,
  failures: document.querySelectorAll("#cell article").length,
  command: document.querySelector("#cell article pre")?.textContent ?? "",
});
const steps = [
  () => document.querySelector('[data-operator="Add"]').click(),
  () => document.querySelector("#map button.right").click(),
  () => document.querySelector("#map button.failed").click(),
];
const seen = [];
const step = () => {
  seen.push(told());
  if (steps.length) {
    steps.shift()();
    setTimeout(step, 50);
  } else {
    document.body.append(Object.assign(document.createElement("output"), { textContent: JSON.stringify(seen) }));
  }
};
setTimeout(step, 50);
</script>"##;

#[test]
fn a_cell_that_failed_tells_its_case_when_it_is_clicked() {
    if !has_browser("a_cell_that_failed_tells_its_case_when_it_is_clicked") {
        return;
    }
    let shell = Shell::new().with("CANN_STUBS_DEFECT", "promotion:aclnnAdd");
    let printed = shell.run("aclnn verify --filter Add/ --out report");
    assert_eq!(printed.code, Some(1), "{}", printed.out);
    let page = fs::read_to_string(shell.path("report/report.html")).unwrap();
    assert!(!page.contains("://"), "the page names nothing outside itself");
    let clicked = shell.path("report/clicked.html");
    fs::write(&clicked, page.replace("</body>", &format!("{CLICKS}</body>"))).unwrap();

    let elements = opened(&clicked, &[]);
    let told = elements.split("<output>").nth(1).and_then(|rest| rest.split("</output>").next());
    let told = told.expect(&elements).replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&");
    let seen: serde_json::Value = serde_json::from_str(&told).unwrap();
    let (right, failed) = (&seen[2], &seen[3]);
    assert_eq!((&right["operator"], &failed["operator"]), (&"aclnnAdd".into(), &"aclnnAdd".into()));
    assert!(right["cells"].as_u64() > Some(100), "a map of pairs of types: {right}");
    assert!(right["failing"].as_u64() > Some(0), "{right}");
    assert_eq!(right["failures"], 0, "nothing failed there: {right}");
    assert!(failed["failures"].as_u64() > Some(0), "{failed}");
    let command = failed["command"].as_str().unwrap();
    assert!(command.starts_with("aclnn verify --filter 'Add/"), "{command}");
}

/// Of an operator whose cases are right and that keeps memory, the chip is among those that failed; a map of one operand names
/// the operand and the result; no header of a table is empty.
#[test]
fn an_operator_that_keeps_memory_is_shown_as_failed() {
    if !has_browser("an_operator_that_keeps_memory_is_shown_as_failed") {
        return;
    }
    let shell = Shell::new().with("CANN_STUBS_DEFECT", "leak:aclnnNeg");
    let printed = shell.run("aclnn verify --filter Neg --filter behaviour/memory-of-Neg --out report");
    assert_eq!(printed.code, Some(1), "{}", printed.out);
    let page = fs::read_to_string(shell.path("report/report.html")).unwrap();
    let checked =
        page.replace("</body>", "<script>document.querySelector('#only-failed').click()</script></body>");
    fs::write(shell.path("report/checked.html"), checked).unwrap();
    let elements = opened(&shell.path("report/checked.html"), &[]);
    assert!(elements.contains("1 check failed in Neg</p>"), "the headline");
    let chips: Vec<&str> = elements.split("<button").filter(|chip| chip.contains("data-operator")).collect();
    assert!(
        chips.iter().any(|chip| chip.contains("\"chip failed\"") && chip.contains("Neg ✗ 1")),
        "{chips:?}"
    );
    assert!(elements.contains("Downwards the type of self, to the right that of out."));
    assert!(!elements.contains("second operand") && !elements.contains("></th>"));
}

#[test]
fn the_page_is_in_chinese_where_that_is_asked_for() {
    let shell = Shell::new().with("ACLNN_LANG", "zh");
    let verified = shell.run("aclnn verify --filter Abs/ --out report");
    assert_eq!(verified.code, Some(0), "{}", verified.err);
    let page = fs::read_to_string(shell.path("report/report.html")).unwrap();
    assert!(page.contains("<html lang=\"zh-CN\">") && page.contains("\"全部正确\""), "{page}");
    if !has_browser("the_page_is_in_chinese_where_that_is_asked_for") {
        return;
    }
    let elements = opened(&shell.path("report/report.html"), &[]);
    for part in ["全部正确</p>", "<h2>算子</h2>", "按预期拒绝</li>", "abs 的一种形式"] {
        assert!(elements.contains(part), "{part}: {elements}");
    }
}

#[test]
fn measurements_are_charts_of_the_page() {
    if !has_browser("measurements_are_charts_of_the_page") {
        return;
    }
    let shell = Shell::new();
    let measured = shell.run("aclnn bench --quick --filter copies --out bench.json");
    assert_eq!(measured.code, Some(0), "{}", measured.err);
    let verified = shell.run("aclnn verify --filter Abs/ --out report --bench bench.json");
    assert_eq!(verified.code, Some(0), "{}", verified.err);
    let report: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(shell.path("bench.json")).unwrap()).unwrap();
    let elements = opened(&shell.path("report/report.html"), &[]);
    let series = report["series"].as_array().unwrap();
    assert!(!series.is_empty());
    assert_eq!(elements.matches("<figure>").count(), series.len());
    for one in series {
        assert!(elements.contains(&format!("<span>{}</span>", one["name"].as_str().unwrap())), "{one}");
    }
}

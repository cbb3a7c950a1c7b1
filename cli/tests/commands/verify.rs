//! `aclnn verify`: the matrix of operators, on the emulator and on one that is wrong on purpose.

use std::fs;

use serde_json::Value;

use crate::shell::Shell;

/// Hides how long it took.
fn hidden(line: &str) -> String {
    let is_time = |word: &str| word.parse::<f64>().is_ok() && word.contains('.');
    if !line.starts_with("cases ") {
        return line.to_owned();
    }
    line.split(' ').map(|word| if is_time(word) { "N" } else { word }).collect::<Vec<_>>().join(" ")
}

/// The reports of a directory: without what differs from run to run.
fn report(shell: &Shell, directory: &str) -> Value {
    let text = fs::read_to_string(shell.path(directory).join("report.json")).unwrap();
    let mut report: Value = serde_json::from_str(&text).unwrap();
    for changing in ["made", "seconds", "command"] {
        report[changing] = Value::Null;
    }
    report
}

#[test]
fn libraries_that_are_right_have_no_failure() {
    let shell = Shell::new();
    let printed = shell.run("aclnn verify --filter softmax --filter Cat --out report").changing(hidden);
    let printed = printed.is("verify/right");
    assert_eq!(printed.code, Some(0));
    let page = fs::read_to_string(shell.path("report/report.html")).unwrap();
    assert!(page.contains("LogSoftmax") || page.contains("Softmax"), "the page has the operators");
}

/// The case of a failure runs alone by its name, and the results of both sides are told.
#[test]
fn a_wrong_result_is_told_with_its_case_and_runs_alone() {
    let shell = Shell::new().with("CANN_STUBS_DEFECT", "rounding:aclnnCast");
    let line = "aclnn verify --filter Cast --out report";
    let printed = shell.run(line).changing(hidden).is("verify/wrong");
    assert_eq!(printed.code, Some(1));
    let report = report(&shell, "report");
    let cells = report["operators"][0]["cells"].as_array().unwrap();
    let failing: Vec<&Value> = cells.iter().filter(|cell| cell["counts"]["failed"] != 0).collect();
    // Only conversions to floats that do not hold the number round.
    let narrow =
        |cell: &&Value| matches!(cell["types"][1].as_str(), Some("f16" | "bf16" | "f32" | "c32" | "c64"));
    assert!(!failing.is_empty() && failing.iter().all(narrow), "{failing:?}");
    let failure = &failing[0]["failures"][0];
    assert_ne!(failure["worst"]["expected"], failure["worst"]["found"]);
    let alone =
        shell.run(&format!("aclnn verify --json --filter {}", failure["case"].as_str().unwrap())).json();
    assert_eq!(alone["operators"].as_array().unwrap().len(), 1);
    assert_eq!(alone["operators"][0]["cells"][0]["failures"][0], *failure);
}

/// A parser reads the document, and every failing cell is a failed test in it.
#[test]
fn the_document_for_ci_is_well_formed() {
    let shell = Shell::new().with("CANN_STUBS_DEFECT", "rounding:aclnnCast,code:aclnnAdd");
    shell.run("aclnn verify --filter Cast --filter Add --out report");
    let text = fs::read_to_string(shell.path("report/junit.xml")).unwrap();
    let document = roxmltree::Document::parse(&text).unwrap();
    let failures = document.descendants().filter(|node| node.has_tag_name("failure")).count();
    let report = report(&shell, "report");
    let cells = report["operators"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|operator| operator["cells"].as_array().unwrap());
    assert_eq!(failures, cells.filter(|cell| cell["counts"]["failed"] != 0).count());
    assert_eq!(document.root_element().attribute("failures"), Some(failures.to_string().as_str()));
    assert!(text.contains("161001"), "the code is told");

    // What a release does not have is no failure.
    let shell =
        Shell::new().with("CANN_STUBS_DEFECT", "missing:aclnnLeftShift").with("CANN_STUBS_VERSION", "8.5");
    shell.run("aclnn verify --filter LeftShift/i32,i32 --out report");
    let text = fs::read_to_string(shell.path("report/junit.xml")).unwrap();
    let document = roxmltree::Document::parse(&text).unwrap();
    let count = |tag: &str| document.descendants().filter(|node| node.has_tag_name(tag)).count();
    assert_eq!((count("skipped"), count("failure")), (1, 0), "{text}");
    let suite = document.descendants().find(|node| node.has_tag_name("testsuite")).unwrap();
    assert_eq!((suite.attribute("skipped"), suite.attribute("failures")), (Some("1"), Some("0")), "{text}");
}

/// A case that ends its process costs itself: the others of the operator, and the other operators, are verified.
#[test]
fn a_case_that_ends_its_process_costs_itself() {
    let shell = Shell::new().with("CANN_STUBS_DEFECT", "crash:aclnnDiv");
    let printed = shell.run("aclnn verify --json --filter Div/f32,f32 --filter Mul/f32,f32");
    assert_eq!(printed.code, Some(1));
    let report = printed.json();
    let operators = report["operators"].as_array().unwrap();
    let kinds = |name: &str| -> Vec<&str> {
        let operator = operators.iter().find(|operator| operator["name"] == name).unwrap();
        let cells = operator["cells"].as_array().unwrap().iter();
        cells
            .flat_map(|cell| cell["failures"].as_array().unwrap())
            .map(|one| one["kind"].as_str().unwrap())
            .collect()
    };
    assert!(kinds("Mul").is_empty());
    let died = kinds("Div");
    assert!(!died.is_empty() && died.iter().all(|kind| *kind == "died"), "{died:?}");
    // Empty tensors launch nothing, and types that are refused neither.
    let div = operators.iter().find(|operator| operator["name"] == "Div").unwrap();
    assert!(div["cells"][0]["counts"]["right"].as_u64() >= Some(1), "{div}");
}

/// After three cases that hang, the others of the operator are not tried; other operators are.
#[test]
fn an_operator_that_never_ends_costs_the_time_of_three_cases() {
    let shell = Shell::new().with("CANN_STUBS_DEFECT", "hang:aclnnSqrt");
    let printed = shell.run("aclnn verify --json --timeout 1 --filter Sqrt/f32,f32 --filter Exp/f32,f32");
    let report = printed.json();
    assert_eq!(printed.code, Some(1));
    let cell = |operator: usize| &report["operators"][operator]["cells"][0];
    assert_eq!(cell(0)["counts"]["failed"], 0, "{report}");
    assert_eq!(cell(1)["counts"]["failed"], 8, "{report}");
    assert!(cell(1)["failures"].as_array().unwrap().iter().all(|failure| failure["kind"] == "hung"));
}

#[test]
fn operators_of_later_releases_are_absent_and_others_are_missing() {
    let counts = |shell: Shell| -> (Option<i32>, Value) {
        let printed = shell.run("aclnn verify --json --filter LeftShift/i32,i32");
        let cell = printed.json()["operators"][0]["cells"][0].clone();
        (printed.code, cell)
    };
    let lacking = || Shell::new().with("CANN_STUBS_DEFECT", "missing:aclnnLeftShift");
    // It is known from 9.0 on.
    let (code, cell) = counts(lacking().with("CANN_STUBS_VERSION", "8.5"));
    assert_eq!((code, &cell["counts"]["failed"]), (Some(0), &Value::from(0)), "{cell}");
    assert!(cell["counts"]["absent"].as_u64() >= Some(1), "{cell}");
    let (code, cell) = counts(lacking());
    assert_eq!((code, &cell["counts"]["absent"]), (Some(1), &Value::from(0)), "{cell}");
    assert_eq!(cell["failures"][0]["kind"], "missing");
}

/// A journal that was cut off: what is in it is not run again, and the rest is.
#[test]
fn a_verification_goes_on_where_it_was_cut_off() {
    let shell = Shell::new();
    let filter = "--filter Add --filter softmax";
    shell.run(&format!("aclnn verify {filter} --out whole"));
    let journal = fs::read_to_string(shell.path("whole/journal.jsonl")).unwrap();
    let lines: Vec<&str> = journal.lines().collect();
    // The last line that is kept is not whole, and the one before says what no run would.
    let (kept, cut) = (&lines[..lines.len() / 2], lines[lines.len() / 2]);
    let marked =
        kept.last().unwrap().split("\"outcome\"").next().unwrap().to_owned() + "\"outcome\":\"absent\"}";
    let cut_off = format!("{}\n{marked}\n{}", kept[..kept.len() - 1].join("\n"), &cut[..cut.len() / 2]);
    fs::write(shell.path("cut.jsonl"), cut_off).unwrap();
    let printed = shell.run(&format!("aclnn verify {filter} --out rest --resume cut.jsonl"));
    assert_eq!(printed.code, Some(0), "{}", printed.err);
    let counts = |report: &Value, of: &str| -> u64 {
        let operators = report["operators"].as_array().unwrap().iter();
        operators
            .flat_map(|one| one["cells"].as_array().unwrap())
            .map(|cell| cell["counts"][of].as_u64().unwrap())
            .sum()
    };
    let (whole, rest) = (report(&shell, "whole"), report(&shell, "rest"));
    let all =
        |report: &Value| ["right", "refused", "absent"].map(|of| counts(report, of)).iter().sum::<u64>();
    assert_eq!(all(&whole), all(&rest));
    assert_eq!((counts(&whole, "absent"), counts(&rest, "absent")), (0, 1));
    let other = shell.run(&format!("aclnn verify {filter} --seed 1 --resume cut.jsonl"));
    assert_eq!(other.code, Some(2));
    assert!(other.err.contains("another verification"), "{}", other.err);
}

#[test]
fn an_earlier_report_tells_what_is_new() {
    let wrong = Shell::new().with("CANN_STUBS_DEFECT", "nan:aclnnExp");
    wrong.run("aclnn verify --filter Exp --filter Neg --out wrong");
    let shell = Shell::new();
    shell.run("aclnn verify --filter Exp --filter Neg --out right");
    fs::copy(shell.path("right/report.json"), wrong.path("right.json")).unwrap();
    fs::copy(wrong.path("wrong/report.json"), shell.path("wrong.json")).unwrap();
    let worse = wrong.run("aclnn verify --filter Exp --filter Neg --baseline right.json").changing(hidden);
    worse.is("verify/baseline");
    let better = shell.run("aclnn verify --filter Exp --filter Neg --baseline wrong.json");
    assert!(better.out.contains("right again: Exp/f32,f32"), "{}", better.out);
}

/// The list does not depend on the seed, and neither on the machine.
#[test]
fn the_list_of_cases_is_stable() {
    let shell = Shell::new();
    let list = shell.run("aclnn verify --list").out;
    assert_eq!(list, shell.run("aclnn verify --list --seed 7").out);
    let all = shell.run("aclnn verify --list --full").out;
    let names: std::collections::BTreeSet<&str> = all.lines().collect();
    assert_eq!(names.len(), all.lines().count(), "names are unique");
    assert!(list.lines().all(|name| names.contains(name)));
    let one = shell.run("aclnn verify --list --filter Add/f16,f32/transposed").out;
    assert_eq!(one, "Add/f16,f32/transposed\n");
}

#[test]
fn what_cannot_run_says_why() {
    let shell = Shell::new();
    let unknown = shell.run("aclnn verify --filter Nothing").is("verify/unknown_case");
    assert_eq!(unknown.code, Some(2));
    let unknown = shell.run("aclnn verify --filter behaviour/nothing").is("verify/unknown_check");
    assert_eq!(unknown.code, Some(2));
    let unknown = shell.run("aclnn verify --probes --filter probe/nothing").is("verify/unknown_question");
    assert_eq!(unknown.code, Some(2));
    let nothing = Shell::new().with("ACLNN_BACKEND", "libraries").run("aclnn verify");
    assert_eq!(nothing.code, Some(2));
    assert!(nothing.err.contains("no library can be used"), "{}", nothing.err);
}

/// Ctrl-C says how to go on, and what it names does.
#[test]
fn a_verification_that_is_interrupted_says_how_it_goes_on() {
    use std::os::unix::process::ExitStatusExt as _;
    let shell = Shell::new();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_aclnn"));
    command.args(["verify", "--filter", "unary", "--out", "report"]).current_dir(shell.path(""));
    command
        .env("ACLNN_BACKEND", "emulator")
        .stderr(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null());
    let child = command.spawn().unwrap();
    let journal = shell.path("report/journal.jsonl");
    while fs::metadata(&journal).map_or(0, |file| file.len()) == 0 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    // As a terminal does.
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.signal(), Some(2), "{output:?}");
    let told = String::from_utf8_lossy(&output.stderr);
    let line = told.lines().map(str::trim).find(|line| line.starts_with("aclnn verify")).unwrap();
    assert_eq!(line, "aclnn verify --filter unary --out report --resume report/journal.jsonl");
    let printed = shell.run(&line.replace("--filter unary", "--quick --filter unary"));
    assert_eq!(printed.code, Some(2), "a journal of other cases: {}", printed.out);
    let printed = shell.run(line);
    assert_eq!(printed.code, Some(0), "{}{}", printed.out, printed.err);
}

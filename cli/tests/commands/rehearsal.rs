//! `aclnn verify` before it meets hardware: drop-in libraries with planted defects, each of which is found and named.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

use crate::libraries;
use crate::shell::Shell;

/// The names of what failed, each with the ways in which it did.
fn failures(report: &Value) -> BTreeSet<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let operators = report["operators"].as_array().unwrap().iter().flat_map(|operator| {
        let cells = operator["cells"].as_array().unwrap().iter();
        let failures = cells.flat_map(|cell| cell["failures"].as_array().unwrap());
        failures.map(|failure| (text(&operator["name"]), text(&failure["kind"])))
    });
    let checks = report["behaviour"].as_array().unwrap().iter();
    let failing = checks.filter(|check| !["right", "skipped"].contains(&check["outcome"].as_str().unwrap()));
    operators.chain(failing.map(|check| (text(&check["name"]), text(&check["outcome"])))).collect()
}

fn named(expected: &[(&str, &str)]) -> BTreeSet<(String, String)> {
    expected.iter().map(|(name, kind)| ((*name).to_owned(), (*kind).to_owned())).collect()
}

/// Counts the cases of an operator that ended so.
fn count(report: &Value, operator: &str, how: &str) -> u64 {
    let operators = report["operators"].as_array().unwrap();
    let operator = operators.iter().find(|one| one["name"] == operator).unwrap();
    let cells = operator["cells"].as_array().unwrap().iter();
    cells.map(|cell| cell["counts"][how].as_u64().unwrap()).sum()
}

const DEFECTS: &str = "promotion:aclnnAdd,rounding:aclnnCast,nan:aclnnExp,strides:aclnnSub,past:aclnnNeg,leak:aclnnMul,\
                       code:aclnnMaximum,crash:aclnnDiv,hang:aclnnSqrt,events";

const CASES: [&str; 17] = [
    "Add/f16,f32/contiguous",
    "Cast/f32,bf16/contiguous",
    "Exp/f32,f32/contiguous",
    "Sub/f32,f32/strided",
    "Sub/f32,f32/transposed",
    "Neg/f32,f32/strided",
    "Maximum/f32,c64/contiguous",
    "Div/f32,f32/contiguous",
    "Div/f32,f32/empty",
    "Sqrt/f32,f32/contiguous",
    "Sqrt/f32,f32/empty",
    "Mul/f32,f32/strided",
    "Abs/f32,f32/strided",
    "behaviour/events-order-streams",
    "behaviour/pageable-copies",
    "behaviour/memory-of-Mul",
    "behaviour/memory-of-Abs",
];

#[test]
fn every_planted_defect_is_found_and_named_and_nothing_else() {
    let toolkit = libraries::toolkit().to_str().unwrap();
    let line = format!("aclnn verify --json --timeout 3 --filter {}", CASES.join(" --filter "));
    let right = Shell::new().with("ACLNN_BACKEND", toolkit).run(&line);
    assert_eq!((failures(&right.json()), right.code), (BTreeSet::new(), Some(0)));

    let shell = Shell::new().with("ACLNN_BACKEND", toolkit).with("CANN_STUBS_DEFECT", DEFECTS);
    let wrong = shell.run(&line);
    let (report, code) = (wrong.json(), wrong.code);
    let expected = named(&[
        ("Add", "wrong"),
        ("Cast", "wrong"),
        ("Exp", "wrong"),
        ("Sub", "outside"),
        ("Neg", "outside"),
        ("Maximum", "code"),
        ("Div", "died"),
        ("Sqrt", "hung"),
        ("behaviour/events-order-streams", "wrong"),
        ("behaviour/memory-of-Mul", "wrong"),
    ]);
    assert_eq!((failures(&report), code), (expected, Some(1)));
    // What dies or hangs costs its case, and not the next one, which launches nothing.
    for operator in ["Div", "Sqrt", "Mul", "Abs"] {
        assert_eq!(count(&report, operator, "right"), 1, "{operator}");
    }
}

#[test]
fn an_operator_that_libraries_lack_is_named() {
    let shell = Shell::new();
    let toolkit = shell.path("lacking");
    let mut make = Command::new(env!("CARGO"));
    make.args(["run", "--quiet", "--package", "xtask", "--", "toolkit", "--debug", "--without", "aclnnMul"]);
    make.arg("--out").arg(&toolkit).current_dir(env!("CARGO_MANIFEST_DIR"));
    assert!(make.output().unwrap().status.success(), "the drop-in libraries were not built");
    let shell = shell.with("ACLNN_BACKEND", toolkit.to_str().unwrap());
    let report = shell.run("aclnn verify --json --filter Mul/f32,f32 --filter Abs/f32,f32").json();
    assert_eq!(failures(&report), named(&[("Mul", "missing")]));
}

/// Hides numbers that depend on the time that work takes.
fn without_times(line: &str) -> String {
    match line.split_once("milliseconds count as ") {
        Some((start, rest)) => {
            format!("{start}milliseconds count as N{}", rest.trim_start_matches(char::is_numeric))
        }
        None => line.to_owned(),
    }
}

#[test]
fn what_libraries_promise_is_checked_by_name() {
    let shell = Shell::new().with("CANN_STUBS_DEVICES", "2");
    let printed = shell.run("aclnn verify --filter behaviour/").is("verify/checks");
    assert_eq!(printed.code, Some(0));
    let wrong = shell.with("CANN_STUBS_DEFECT", "leak:aclnnMul,events");
    let printed = wrong.run("aclnn verify --filter behaviour/memory-of-Mul --filter behaviour/events-order");
    assert_eq!(printed.is("verify/leak").code, Some(1));
}

#[test]
fn questions_are_answered_and_written_to_a_file() {
    let shell = Shell::new().with("CANN_STUBS_DEVICES", "2");
    let line = "aclnn verify --probes --filter probe/alignment --filter probe/unit-of-timestamps --filter probe/shape --out report";
    let printed = shell.run(line).changing(without_times).is("verify/probes");
    assert_eq!(printed.code, Some(0));
    let file = std::fs::read_to_string(shell.path("report/probes.json")).unwrap();
    let file: Value = serde_json::from_str(&file).unwrap();
    assert_eq!(file["probes"].as_array().unwrap().len(), 3);
    assert!(file["environment"]["backend"].as_str().unwrap().contains("emulator"));

    // The emulator does what is assumed, as it was made by the assumptions.
    let all = shell.run("aclnn verify --probes --json");
    assert_eq!(all.code, Some(0));
    let all = all.json();
    let others: Vec<&Value> =
        all["probes"].as_array().unwrap().iter().filter(|probe| probe["outcome"] != "right").collect();
    assert!(others.is_empty(), "{others:?}");
}

/// A question that ends its process is answered by that, and the others are asked all the same.
#[test]
fn a_question_that_ends_its_process_is_answered_and_fails_nothing() {
    let shell = Shell::new().with("CANN_STUBS_DEFECT", "crash:aclnnNeg,hang:aclnnClamp");
    let line = "aclnn verify --probes --json --timeout 2 --filter probe/nan-in --filter probe/repeatable --filter probe/add";
    let printed = shell.run(line);
    assert_eq!(printed.code, Some(0));
    let report = printed.json();
    let outcome = |name: &str| {
        let probes = report["probes"].as_array().unwrap();
        probes.iter().find(|probe| probe["name"] == name).unwrap()["outcome"].as_str().unwrap().to_owned()
    };
    assert_eq!(outcome("probe/addresses-of-ordinary-executors"), "died");
    assert_eq!(outcome("probe/repeatable-executor-destroyed-while-queued"), "died");
    assert_eq!(outcome("probe/nan-in-clamp"), "hung");
    assert_eq!(outcome("probe/nan-in-relu"), "right");
}

//! `aclnn bench`: that the work is done and the report is whole; never how long it takes.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::shell::Shell;

fn series(report: &Value) -> Vec<(&str, &str, usize)> {
    let all = report["series"].as_array().unwrap().iter();
    all.map(|one| {
        (
            one["name"].as_str().unwrap(),
            one["unit"].as_str().unwrap(),
            one["points"].as_array().unwrap().len(),
        )
    })
    .collect()
}

#[test]
fn a_report_holds_what_the_filter_names() {
    let shell = Shell::new();
    let printed = shell.run("aclnn bench --quick --filter operators/exp").changing(|line| {
        // Measured values differ, and the widths of their columns with them.
        let words = line.split_whitespace();
        let words: Vec<_> = words.map(|word| if word.parse::<f64>().is_ok() { "N" } else { word }).collect();
        if line.starts_with("exp ") || line.starts_with("operators") {
            words.join("  ")
        } else {
            line.to_owned()
        }
    });
    printed.is("bench/exp");
    let saved: Value = serde_json::from_slice(&fs::read(shell.path("aclnn-bench.json")).unwrap()).unwrap();
    assert_eq!(series(&saved), [("exp f32", "GB/s", 2)]);
    assert!(saved["environment"]["backend"].as_str().unwrap().contains("emulator"), "{saved}");

    let told = shell.run("aclnn bench --quick --filter host/ --out host.json --json").json();
    assert_eq!(series(&told).len(), 7, "{told}");
    let points = told["series"].as_array().unwrap().iter().flat_map(|one| one["points"].as_array().unwrap());
    assert!(points.clone().all(|point| point["y"].as_f64().unwrap() > 0.0), "{told}");
    let saved: Value = serde_json::from_slice(&fs::read(shell.path("host.json")).unwrap()).unwrap();
    assert_eq!(told["series"], saved["series"]);

    let told = shell.run("aclnn bench --quick --filter copies/ --json").json();
    assert_eq!(series(&told).len(), 5, "{told}");
    let error = shell.run("aclnn bench --quick --filter nothing").err;
    assert!(error.contains("no series has \"nothing\""), "{error}");
}

#[test]
fn what_fails_is_told_and_the_rest_is_measured() {
    let shell = Shell::new().with("CANN_STUBS_FAIL", "run:aclnnExp@4=507015");
    let printed = shell.run("aclnn bench --quick --filter operators/exp --dtype f32,f16");
    assert_eq!(printed.code, Some(1), "{}", printed.err);
    let failed = printed.out.lines().filter(|line| line.starts_with("failed "));
    assert_eq!(failed.count(), 1, "{}", printed.out);
    let saved: Value = serde_json::from_slice(&fs::read(shell.path("aclnn-bench.json")).unwrap()).unwrap();
    let points: Vec<usize> = series(&saved).iter().map(|(_, _, points)| *points).collect();
    assert_eq!(points, [0, 2], "{saved}");
    assert!(saved["series"][0]["error"].as_str().unwrap().starts_with("at 10000: "), "{saved}");
}

#[test]
fn every_measured_operator_is_called() {
    let program = Path::new(env!("CARGO_BIN_EXE_aclnn")).parent().unwrap().to_str().unwrap();
    let shell = Shell::new().with("PATH", program);
    let told = shell.run("aclnn trace --json -- aclnn bench --quick --filter operators/").json();
    let functions = told["functions"].as_array().unwrap();
    let called: Vec<&str> = functions.iter().map(|row| row["function"].as_str().unwrap()).collect();
    for form in ["Add", "Div", "Maximum", "Exp", "Gelu", "SWhere", "ReduceSum", "Softmax", "Sort", "Cat"] {
        assert!(called.contains(&format!("aclnn{form}").as_str()), "{form} is not among {called:?}");
    }
}

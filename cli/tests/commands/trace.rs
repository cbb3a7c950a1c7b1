//! `trace`: the table of a program, which is the command itself, and its file.

use std::fs;
use std::process::Command;

use serde_json::Value;

use super::{aclnn, data, printed, text};

/// Runs the command under `trace`.
fn traced(options: &[&str], program: &[&str]) -> Command {
    let mut command = aclnn();
    command
        .current_dir(data(""))
        .arg("trace")
        .args(options)
        .arg("--")
        .arg(env!("CARGO_BIN_EXE_aclnn"))
        .args(program);
    command
}

#[test]
fn a_table_adds_up_the_work_by_function() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace.json");
    let program = ["run", "add", "half.npy", "single.npy"];
    let all = printed(&mut traced(&["--out", file.to_str().unwrap()], &program));
    assert!(all.starts_with("plan       add: Cast self"), "the program prints as ever: {all}");
    let row = |name: &str| {
        let line =
            all.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("no {name} in {all}"));
        line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(row("function"), ["function", "calls", "time", "share", "each", "MB", "GB/s", "failed"]);
    assert_eq!(row("aclnnAdd")[1], "1");
    assert_eq!(row("aclnnCast")[1], "1");
    let events: Vec<Value> = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    assert!(events.iter().any(|event| event["name"] == "aclnnAdd"), "{events:?}");
    assert!(all.contains(&format!("trace in {}", file.display())), "{all}");

    let output = traced(&["--json"], &program).output().unwrap();
    assert!(text(&output.stderr).contains("plan "), "what the program prints does not mix with the report");
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let functions = told["functions"].as_array().unwrap();
    let add = functions.iter().find(|row| row["function"] == "aclnnAdd").unwrap();
    // Two operands of f32 with 6 and 3 elements, and a result of 6.
    assert_eq!(
        (&add["calls"], &add["bytes"], &add["failed"]),
        (&1.into(), &(4 * (6 + 3 + 6)).into(), &0.into())
    );
    assert_eq!((&told["exit"], &told["file"]), (&0.into(), &Value::Null));
}

#[test]
fn failed_work_is_counted_and_the_exit_code_is_that_of_the_program() {
    let mut command = traced(&["--json"], &["run", "add", "half.npy", "half.npy"]);
    let output = command.env("CANN_STUBS_FAIL", "run:aclnnAdd@1=507015").output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let functions = told["functions"].as_array().unwrap();
    let add = functions.iter().find(|row| row["function"] == "aclnnAdd").unwrap();
    assert_eq!((&add["failed"], &told["exit"]), (&1.into(), &2.into()));
}

#[test]
fn a_program_that_the_emulator_does_not_serve_is_told_what_else_measures() {
    let output = aclnn().args(["trace", "--", "true"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = text(&output.stderr);
    assert!(error.contains("left no trace") && error.contains("libmsprofiler.so"), "{error}");
}

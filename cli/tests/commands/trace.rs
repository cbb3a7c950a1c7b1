//! `aclnn trace`: the table of a program, which is the command itself, and its file.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::libraries;
use crate::shell::{Printed, Shell};

/// A shell that finds the command, as programs that it starts do.
fn shell() -> Shell {
    let program = Path::new(env!("CARGO_BIN_EXE_aclnn"));
    Shell::new().with_arrays().with("PATH", program.parent().unwrap().to_str().unwrap())
}

/// Replaces what differs from run to run: times, and the order that they give.
fn without_times(printed: Printed) -> Printed {
    let mut printed = printed.changing(|line| {
        if !line.contains(" ms") {
            return line.to_owned();
        }
        let words = line.split_whitespace();
        let words =
            words.map(|word| if word.contains('.') && word.parse::<f64>().is_ok() { "N" } else { word });
        let gap = if line.starts_with("acl") { "  " } else { " " };
        let line = words.collect::<Vec<_>>().join(gap);
        line.replace("N  ms", "N ms").replace("N  µs", "N µs").replace("N  %", "N %")
    });
    let mut lines: Vec<&str> = printed.out.lines().collect();
    let is_row = |line: &&str| line.starts_with("acl");
    if let Some(title) = lines.iter().position(|line| line.starts_with("function ")) {
        lines[title] = "function  calls  time  share  each  MB  GB/s  failed";
    }
    if let Some(first) = lines.iter().position(is_row) {
        let count = lines[first..].iter().take_while(|line| is_row(line)).count();
        lines[first..first + count].sort_unstable();
    }
    printed.out = lines.join("\n") + "\n";
    printed
}

fn of<'a>(told: &'a Value, function: &str) -> &'a Value {
    let functions = told["functions"].as_array().unwrap();
    functions
        .iter()
        .find(|row| row["function"] == function)
        .unwrap_or_else(|| panic!("no {function} in {told}"))
}

#[test]
fn a_table_adds_up_the_work_by_function() {
    let shell = shell();
    let printed = shell.run("aclnn trace --out trace.json -- aclnn run add half.npy single.npy");
    without_times(printed).is("trace/add");
    let events: Vec<Value> = serde_json::from_slice(&fs::read(shell.path("trace.json")).unwrap()).unwrap();
    assert!(events.iter().any(|event| event["name"] == "aclnnAdd"), "{events:?}");

    let printed = shell.run("aclnn trace --json -- aclnn run add half.npy single.npy");
    assert!(printed.err.contains("plan "), "what the program prints does not mix with the report");
    let told = printed.json();
    let add = of(&told, "aclnnAdd");
    // Two operands of f32 with 6 and 3 elements, and a result of 6.
    assert_eq!(
        (&add["calls"], &add["bytes"], &add["failed"]),
        (&1.into(), &(4 * (6 + 3 + 6)).into(), &0.into())
    );
    assert_eq!((&told["exit"], &told["file"]), (&0.into(), &Value::Null));
    let seconds: Vec<f64> =
        told["functions"].as_array().unwrap().iter().map(|row| row["seconds"].as_f64().unwrap()).collect();
    assert!(
        seconds.len() > 1 && seconds.is_sorted_by(|a, b| a >= b),
        "what took longest comes first: {told}"
    );
}

#[test]
fn failed_work_is_counted_and_the_exit_code_is_that_of_the_program() {
    let shell = shell().with("CANN_STUBS_FAIL", "run:aclnnAdd@1=507015");
    let printed = shell.run("aclnn trace --json -- aclnn run add half.npy half.npy");
    assert_eq!(printed.code, Some(2), "{}", printed.err);
    let told = printed.json();
    assert_eq!((&of(&told, "aclnnAdd")["failed"], &told["exit"]), (&1.into(), &2.into()));
}

#[test]
fn a_program_that_the_emulator_does_not_serve_is_told_what_else_measures() {
    Shell::new().run("aclnn trace -- true").is("trace/elsewhere");
}

/// The dynamic linker finds its libraries by a variable, which is not set here.
#[test]
fn a_c_program_that_is_linked_with_cann_finds_the_libraries_that_are_asked_for() {
    let libraries = libraries::toolkit().join("lib64");
    let shell = shell().with("ACLNN_BACKEND", libraries.to_str().unwrap());
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/c/mixed_add.c");
    let mut compiler = Command::new("cc");
    compiler.arg(source).arg("-I").arg(libraries.join("../include")).arg("-L").arg(&libraries);
    compiler.args(["-lascendcl", "-lnnopbase", "-lopapi", "-lm", "-o"]).arg(shell.path("program"));
    assert!(compiler.status().unwrap().success());
    let told = shell.run("aclnn trace --json -- ./program").json();
    assert_eq!((&of(&told, "aclnnAdd")["calls"], &told["exit"]), (&1.into(), &0.into()));
}

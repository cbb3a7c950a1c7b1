//! What must not compile: one program for each promise that the types make, with what the compiler says about it.
//!
//! A program of `tests/compile_fail/` ends with the errors as comments: each message, the lines it points to, and its notes.
//! Compilers word their messages differently, so the programs are judged by one alone; with another the tests are skipped.
//! `UPDATE_PAGES=1` writes the comments.

use std::error::Error as StdError;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::{env, fs};

use serde_json::Value;

use crate::support;

type Outcome = Result<(), Box<dyn StdError>>;

/// The compiler of the messages.
const COMPILER: &str = "rustc 1.95.";

/// Makes a test of each program.
macro_rules! programs {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() -> Outcome {
                is_refused(stringify!($name))
            }
        )*

        const PROGRAMS: &[&str] = &[$(stringify!($name)),*];
    };
}

programs! {
    alpha_of_an_operator_without
    axis_that_is_no_integer
    cast_outlives_its_input
    device_used_after_close
    element_is_sealed
    event_is_not_copied
    event_used_after_close
    filled_through_a_shared_borrow
    foreign_element_type
    foreign_libraries_opened_safely
    handles_made_of_raw_ones
    in_place_is_not_copied
    in_place_runs_once
    in_place_through_a_shared_borrow
    in_place_with_itself
    inner_rooms_are_closed
    operand_dropped_before_run
    operand_outlives_its_tensor
    operand_that_is_not_borrowed
    operation_forgotten
    operation_outlives_its_operand
    operation_outlives_its_stream
    operators_that_do_not_exist
    output_is_an_operand
    output_is_shared
    parts_of_handles
    stream_used_after_close
    transfer_buffer_read_early
    transfer_buffer_used_again
    transfer_waited_for_twice
}

#[test]
fn every_program_is_tried() -> Outcome {
    let programs = support::sources("tests/compile_fail")?;
    let name = |program: &PathBuf| Some(program.file_stem()?.to_str()?.to_owned());
    let mut names: Vec<_> = programs.iter().filter_map(name).collect();
    names.sort();
    assert_eq!(names, PROGRAMS);
    Ok(())
}

/// Compiles a program, and compares what the compiler says with the comments at its end.
fn is_refused(name: &str) -> Outcome {
    let Some(library) = LIBRARY.as_ref().map_err(String::as_str)? else {
        support::skipped(&format!("the messages are those of {COMPILER}x"));
        return Ok(());
    };
    let path = format!("tests/compile_fail/{name}.rs");
    let output = rustc()
        .current_dir(support::root())
        .args(["--edition=2024", "--crate-type=bin", "--emit=metadata", "--error-format=json", &path, "-o"])
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name))
        .arg("-L")
        .arg(library.with_file_name(""))
        .arg("--extern")
        .arg(format!("aclnn={}", library.display()))
        .output()?;
    let told = String::from_utf8(output.stderr)?;
    assert!(!output.status.success(), "it compiles: {told}");
    let errors: Vec<Value> = told
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()
        .map_err(|error| format!("{error}: {told}"))?;
    let found: String =
        errors.iter().filter(|error| is_of_program(error)).map(|error| described(error, &path)).collect();
    let file = support::root().join(&path);
    let text = fs::read_to_string(&file)?;
    let (program, expected) = text.split_at(text.find("\n\n// error").map_or(text.len(), |end| end + 1));
    if env::var_os("UPDATE_PAGES").is_some() {
        fs::write(file, format!("{}\n\n{found}", program.trim_end()))?;
    } else {
        assert_eq!(found, expected.trim_start(), "{path}");
    }
    Ok(())
}

/// Whether a message is an error that says more than how many there were.
fn is_of_program(message: &Value) -> bool {
    message["level"] == "error" && message["spans"].as_array().is_some_and(|spans| !spans.is_empty())
}

/// A message as comments. What it says of other files is told without their lines, which change.
fn described(message: &Value, path: &str) -> String {
    let mut text = String::new();
    let mut add = |indent: &str, line: &str| text.extend(["// ", indent, line, "\n"]);
    let said = |message: &Value| in_one_line(message["message"].as_str());
    let level = |message: &Value| message["level"].as_str().unwrap_or_default().to_owned();
    let code = message["code"]["code"].as_str().map_or(String::new(), |code| format!("[{code}]"));
    let parts = message["children"].as_array().into_iter().flatten();
    add("", &format!("{}{code}: {}", level(message), said(message)));
    points(message, path).iter().for_each(|point| add("  ", point));
    // Lists of a few types out of many differ by the features of the library.
    for part in parts.filter(|part| !said(part).starts_with("the following ")) {
        add("  ", &format!("{}: {}", level(part), said(part)));
        points(part, path).iter().for_each(|point| add("    ", point));
    }
    text
}

fn in_one_line(text: Option<&str>) -> String {
    text.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The places to which a message points, with what it says there.
fn points(message: &Value, path: &str) -> Vec<String> {
    let spans = message["spans"].as_array().into_iter().flatten();
    let mut points: Vec<_> = spans
        .map(|span| {
            let file = span["file_name"].as_str().unwrap_or_default();
            let line = (file == path).then(|| span["line_start"].as_u64()).flatten();
            let place = line.map_or(file.to_owned(), |line| format!("line {line}"));
            let label = in_one_line(span["label"].as_str().or(span["suggested_replacement"].as_str()));
            (line, format!("{place}: {label}").trim_end_matches([':', ' ']).to_owned())
        })
        .collect();
    points.sort();
    points.into_iter().map(|(_, point)| point).collect()
}

fn rustc() -> Command {
    Command::new(env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc")))
}

/// Finds the library of the workspace; `None` where the compiler is another one.
fn find_library() -> Result<Option<PathBuf>, Box<dyn StdError>> {
    if !rustc().arg("--version").output()?.stdout.starts_with(COMPILER.as_bytes()) {
        return Ok(None);
    }
    // Where the whole workspace is tested it is there already; otherwise it is built.
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")))
        .current_dir(support::root())
        .args(["test", "--workspace", "--no-run", "--message-format=json", "--test", "backend_independent"])
        .output()?;
    let told = String::from_utf8(output.stdout)?;
    let artifacts = told.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let is_library = |target: &Value| target["name"] == "aclnn" && target["kind"][0] == "lib";
    let library = artifacts
        .filter(|one| is_library(&one["target"]) && one["profile"]["test"] == false)
        .find_map(|one| one["filenames"][0].as_str().map(PathBuf::from));
    let library = library.ok_or_else(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
    Ok(Some(library))
}

/// The library that [`find_library`] found, once for all tests.
static LIBRARY: LazyLock<Result<Option<PathBuf>, String>> =
    LazyLock::new(|| find_library().map_err(|error| error.to_string()));

//! The numbered examples print what they say they print: in the program itself, and through the drop-in libraries.

#![cfg(feature = "emulator")]

use std::error::Error;
use std::path::PathBuf;

use crate::support;

type Outcome = Result<(), Box<dyn Error>>;

/// Names and sources of the examples that are one file, in order.
fn examples() -> Result<Vec<(String, PathBuf)>, Box<dyn Error>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(support::root().join("examples"))? {
        let source = entry?.path();
        let name = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let numbered = name.starts_with(|first: char| first.is_ascii_digit());
        if numbered && source.extension().is_some() {
            found.push((name, source));
        }
    }
    found.sort();
    assert!(found.len() >= 8, "{found:?}");
    Ok(found)
}

#[test]
fn examples_print_what_they_say() -> Outcome {
    for (name, source) in examples()? {
        support::prints_its_output(&source, support::example(&name).env("ACLNN_BACKEND", "emulator"));
    }
    Ok(())
}

/// All but those that ask the embedded emulator for a failure.
#[test]
fn examples_print_the_same_through_the_drop_in_libraries() -> Outcome {
    let libraries = support::toolkit().join("lib64");
    for (name, source) in examples()?.iter().filter(|(name, _)| name != "09_errors") {
        support::prints_its_output(source, support::example(name).env("ACLNN_BACKEND", &libraries));
    }
    Ok(())
}

#[test]
fn every_device_takes_part() -> Outcome {
    let mut program = support::example("07_devices_and_threads");
    let output = program.env("ACLNN_BACKEND", "emulator").env("CANN_STUBS_DEVICES", "3").output()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let expected = (0..3).map(|id| format!("device {id}: [0.0, 4950.0, 9900.0, 14850.0]\n"));
    let expected = format!("there are 3 devices\n{}", expected.collect::<String>());
    assert_eq!(String::from_utf8(output.stdout)?, expected);
    Ok(())
}

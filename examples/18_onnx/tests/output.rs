//! The example prints what is written at its end: it reads as many digits right as PyTorch does with the same weights. Its
//! picture shows every digit with what was read.

use std::error::Error;
use std::fs;
use std::process::Command;

#[test]
fn the_example_reads_digits_and_draws_them() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("digits.svg");
    let run = Command::new(env!("CARGO_BIN_EXE_example-18-onnx")).arg(&path).output()?;
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let (_, expected) =
        include_str!("../src/main.rs").split_once("// Output:\n").ok_or("no output is written")?;
    let expected: String = expected
        .lines()
        .map(|line| line.strip_prefix("// ").or(line.strip_prefix("//")).unwrap_or(line).to_owned() + "\n")
        .collect();
    let printed = String::from_utf8(run.stdout)?.replace(&path.display().to_string(), "digits.svg");
    assert_eq!(printed, expected);

    let svg = fs::read_to_string(&path)?;
    assert_eq!(svg.matches("<text").count(), 360);
    // PyTorch reads 353 of them right.
    assert_eq!(svg.matches("#ff6b5e").count(), 7);
    Ok(())
}

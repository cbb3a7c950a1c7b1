//! The example prints what is written at its end: among it, that texts are those of the plain decoder.

use std::error::Error;
use std::process::Command;

#[test]
fn the_example_prints_what_it_says() -> Result<(), Box<dyn Error>> {
    let run = Command::new(env!("CARGO_BIN_EXE_example-19-serving")).output()?;
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let (_, expected) =
        include_str!("../src/main.rs").split_once("// Output:\n").ok_or("no output is written")?;
    let expected: String = expected
        .lines()
        .map(|line| line.strip_prefix("// ").or(line.strip_prefix("//")).unwrap_or(line).to_owned() + "\n")
        .collect();
    assert_eq!(String::from_utf8(run.stdout)?, expected);
    Ok(())
}

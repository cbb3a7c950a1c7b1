//! The example prints what is written at its end, and writes the curve of its loss, which falls.

use std::error::Error;
use std::process::Command;

#[test]
fn the_example_learns_to_read_digits() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("loss.svg");
    let run = Command::new(env!("CARGO_BIN_EXE_example-14-train")).arg(&path).output()?;
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let (_, expected) =
        include_str!("../src/main.rs").split_once("// Output:\n").ok_or("no output is written")?;
    let expected: String =
        expected.lines().map(|line| line.trim_start_matches("// ").to_owned() + "\n").collect();
    let printed = String::from_utf8(run.stdout)?.replace(&path.display().to_string(), "loss.svg");
    assert_eq!(printed, expected);

    // Places from the top, so that a smaller loss is a larger number.
    let svg = std::fs::read_to_string(&path)?;
    let points = svg.split("points=\"").nth(1).and_then(|rest| rest.split('"').next()).ok_or("no curve")?;
    let down: Vec<f32> = points
        .split(' ')
        .map(|point| point.split(',').nth(1).unwrap_or_default().parse())
        .collect::<Result<_, _>>()?;
    let mean = |part: &[f32]| part.iter().sum::<f32>() / part.len() as f32;
    let (first, last) = (mean(&down[..20]), mean(&down[down.len() - 20..]));
    assert!(last > first + 60.0, "from {first} to {last}");
    Ok(())
}

//! Test cases of ONNX: runs each folder that is named, or that a line of the standard input names.
//!
//! Prints one line for each case, with tabs between its parts: `passed`, `failed` or `not supported`, the folder, and the
//! nodes that the host computed or the reason.

use std::io::{self, Write as _};

use aclnn_onnx::Device;
use aclnn_onnx::cases::{self, Case, Outcome};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Opened again after a case that did not pass.
    let mut opened = None;
    let mut counts = [0; 3];
    let mut run = |folder: &str| -> Result<(), Box<dyn std::error::Error>> {
        let device = match opened.take() {
            Some(device) => device,
            None => Device::open(0)?,
        };
        let outcome = match Case::open(folder) {
            Ok(case) => case.run(&device),
            Err(error) => Outcome::Failed { reason: error.to_string() },
        };
        let (place, word, text) = match outcome {
            Outcome::Passed { on_host } => (0, "passed", on_host.join("; ")),
            Outcome::NotSupported { reason } => (2, "not supported", reason),
            Outcome::Failed { reason } => (1, "failed", reason),
            other => (1, "failed", other.to_string()),
        };
        counts[place] += 1;
        opened = Some(if place == 0 { device } else { cases::renewed(device)? });
        Ok(writeln!(io::stdout(), "{word}\t{folder}\t{}", text.replace(['\n', '\t'], " "))?)
    };
    let folders: Vec<String> = std::env::args().skip(1).collect();
    for folder in &folders {
        run(folder)?;
    }
    if folders.is_empty() {
        for folder in io::stdin().lines() {
            run(&folder?)?;
        }
    }
    let [passed, failed, missing] = counts;
    writeln!(io::stderr(), "{passed} passed, {failed} failed, {missing} not supported")?;
    Ok(())
}

//! `cargo xtask bench --onnx`: how fast ONNX models run, beside ONNX Runtime and tract.

use crate::python::check;
use crate::{onnx, python, workspace};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::{fs, process::Command};

const USAGE: &str = "\
usage: cargo xtask bench --onnx [--quick] [--out FILE] [FOLDERS...]

Measures ONNX models with aclnn-onnx on the emulator, with ONNX Runtime and with the crate tract-onnx. The engines take
turns on one processor. Then it writes FILE, docs/performance-onnx.md by default, with a chart beside it. The models are
those of FOLDERS, which hold test cases at any depth; by default those of the folder light of the package onnx, and those
that cargo xtask onnx --models writes: models of other packages and of PyTorch.

  --quick   two turns for each: to see that everything works

It takes about five minutes after the builds; the machine should do nothing else. It needs 8 GB of memory, and without
FOLDERS it fetches PyTorch once.";

/// Runs the engines in turn, and writes the page.
pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    let mut page = workspace::root().join("docs").join("performance-onnx.md");
    let (mut is_quick, mut folders) = (false, Vec::new());
    let mut arguments = arguments.iter().copied();
    while let Some(argument) = arguments.next() {
        match argument {
            "--onnx" => {}
            "--quick" => is_quick = true,
            "--out" => page = PathBuf::from(arguments.next().context(USAGE)?),
            folder if !folder.starts_with('-') => folders.push(PathBuf::from(folder)),
            unknown => bail!("{unknown} is not known\n\n{USAGE}"),
        }
    }
    if folders.is_empty() {
        onnx::run(&["--prepare"])?;
        onnx::run(&["--models", "--prepare"])?;
        let target = workspace::target();
        folders = vec![target.join("onnx").join("light"), target.join("onnx-models")];
    }
    let scripts = scripts();
    let manifest = scripts.join("Cargo.toml");
    let mut build = workspace::cargo();
    build.args(["build", "--release", "--manifest-path"]).arg(manifest);
    check(build.arg("--target-dir").arg(workspace::target()))?;

    let directory = workspace::target().join("bench");
    fs::create_dir_all(&directory).with_context(|| format!("creating {}", directory.display()))?;
    let measured = directory.join("models.json");
    let requirements = workspace::root().join("xtask").join("onnx").join("requirements.txt");
    let python = python::environment("onnx", &["--requirement".as_ref(), requirements.as_ref()])?;
    let mut measure = Command::new(python);
    measure.env_remove("LD_LIBRARY_PATH").arg(scripts.join("measure.py"));
    measure.arg("--engines").arg(workspace::target().join("release").join("aclnn-bench-models"));
    measure.arg("--out").arg(&measured).args(is_quick.then_some("--quick")).args(folders);
    check(&mut measure)?;
    write(&page, &measured)?;
    println!("{}", page.display());
    Ok(())
}

/// Prints what the command does.
pub(crate) fn help() {
    println!("{USAGE}");
}

fn scripts() -> PathBuf {
    workspace::root().join("benches").join("models")
}

/// Writes the page about what was measured, and its chart.
fn write(page: &Path, measured: &Path) -> Result<()> {
    check(Command::new("python3").arg(scripts().join("page.py")).arg(page).arg(measured))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The expected figures are worked out by hand from these few samples.
    #[test]
    fn the_page_says_what_was_measured() {
        let measured = json!({
            "machine": "a machine", "versions": {"aclnn-onnx": "0.1.0", "ONNX Runtime": "9.9", "tract": "8.8"},
            "chain": {
                "nodes_of_chain": 1000, "refused": {},
                // The machine was slow in the second turn.
                "samples": {"aclnn-onnx": [1e6, 9e6, 1e6], "the safe layer": [4e5, 5e5, 4e5]},
            },
            "models": [
                {
                    "model": "large", "refused": {}, "launches": 12, "waits": 1, "session_ms": 3.21, "nodes": 9,
                    "operators": {"Conv": [9_000_000, 3, 3], "Relu": [1_000_000, 3, 3]},
                    "samples": {"aclnn-onnx": [8e6, 80e6, 8e6], "ONNX Runtime": [2e6, 20e6, 2e6], "tract": [16e6, 160e6, 16e6]},
                },
                {
                    "model": "small", "refused": {"tract": "has no <operator> a|b"}, "launches": 1, "waits": 0,
                    "session_ms": 0.5, "nodes": 1, "operators": {"Relu": [1000, 1, 1]},
                    "samples": {"aclnn-onnx": [1e3, 1e3, 1e3], "ONNX Runtime": [1e3, 1e3, 1e3]},
                },
                {"model": "other", "refused": {"aclnn-onnx": "why not"}, "samples": {"ONNX Runtime": [1.0, 1.0, 1.0]}},
            ],
        });
        let directory = tempfile::tempdir().unwrap();
        let file = |name: &str| directory.path().join(name);
        fs::write(file("measured.json"), measured.to_string()).unwrap();
        write(&file("page.md"), &file("measured.json")).unwrap();
        let page = fs::read_to_string(file("page.md")).unwrap();
        for line in [
            // √(4 · 1).
            "| geometric mean of the times: at most 1.5 times that of ONNX Runtime | 2.00 | **not met** |",
            "| geometric mean of the times: below that of tract | 0.50 | met |",
            "| a node of the session: at most 1,000 ns above the call of its operator | 600 | met |",
            "| `large` | 8.000 | 4.00 | 0.50 | 12 | 1 | 3.2 |",
            "| `small` | 0.001 | 1.00 |  | 1 | 0 | 0.5 |",
            "| geometric mean |  | 2.00 (2) | 0.50 (1) |  |  |  |",
            "| `Conv` | 9.00 | 90.0 | 45.0 | 3 | 3 | `large` |",
            "| `Relu` | 1.00 | 10.0 | 55.0 | 4 | 4 | `large` |",
            "| the safe layer | 400 |",
            "| `small` | tract | has no &lt;operator> a\\|b |",
            "| `other` | aclnn-onnx | why not |",
            "| ONNX Runtime | 9.9 |",
        ] {
            assert!(page.lines().any(|found| found == line), "{line}\nis not in\n{page}");
        }
        assert!(page.contains("More than 1.5 times as long as ONNX Runtime: 1 of 3 models."), "{page}");
        let chart = fs::read_to_string(file("page.svg")).unwrap();
        // tract takes eight times as long as ONNX Runtime.
        for text in [">4.00×<", ">8.00×<", ">1.00×<", ">large<"] {
            assert!(chart.contains(text), "{text} is not in\n{chart}");
        }
    }
}

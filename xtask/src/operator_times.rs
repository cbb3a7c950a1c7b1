//! `cargo xtask bench --operators`: how fast operators run, beside PyTorch and others.

use crate::python::check;
use crate::{python, toolkit, workspace};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::{fs, process::Command};

const USAGE: &str = "\
usage: cargo xtask bench --operators [--quick] [--out FILE] [FILTER...]

Measures calls of every family of operators on the emulator, and the same work in PyTorch, ONNX Runtime and OpenVINO. They
take turns on one processor. Then it writes FILE, docs/performance-operators.md by default, with a chart beside it. The items
are in benches/operators/items.py; a FILTER is a part of \"group: name type\", and with one nothing is written without --out.

  --quick   three turns for each: to see that everything works

It takes about twelve minutes after the build; the machine should do nothing else. It needs 4 GB of memory, and fetches PyTorch,
ONNX Runtime and OpenVINO once.";

/// Processes that measure one after the other: some items depend on where the memory of a process lies.
const PROCESSES: usize = 3;

/// Runs all in turn, and writes the page.
pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    let (mut page, mut is_quick, mut filters) = (None, false, Vec::new());
    let mut arguments = arguments.iter().copied();
    while let Some(argument) = arguments.next() {
        match argument {
            "--operators" => {}
            "--quick" => is_quick = true,
            "--out" => page = Some(PathBuf::from(arguments.next().context(USAGE)?)),
            filter if !filter.starts_with('-') => filters.push(filter),
            unknown => bail!("{unknown} is not known\n\n{USAGE}"),
        }
    }
    if page.is_none() && filters.is_empty() {
        page = Some(workspace::root().join("docs").join("performance-operators.md"));
    }
    let directory = workspace::target().join("bench");
    let libraries = directory.join("toolkit");
    fs::create_dir_all(&libraries).with_context(|| format!("creating {}", libraries.display()))?;
    toolkit::run(&["--out", libraries.to_str().context("the target directory is not text")?])?;

    let measured = directory.join("operators.json");
    let processes = if is_quick || page.is_none() { 1 } else { PROCESSES };
    for process in 0..processes {
        let mut measure = python::command("operators", &scripts().join("measure.py"))?;
        measure.arg("--toolkit").arg(&libraries).arg("--out").arg(&measured).arg("--peers");
        measure.args((process > 0).then_some("--add"));
        // The last one writes what is reported.
        let is_last = process + 1 == processes;
        measure.args((filters.is_empty() && is_last).then_some("--gains"));
        check(measure.args(is_quick.then_some("--quick")).args(&filters))?;
    }
    if let Some(page) = page {
        write(&page, &measured, &scripts().join("reasons.tsv"))?;
        println!("{}", page.display());
    }
    Ok(())
}

/// Prints what the command does.
pub(crate) fn help() {
    println!("{USAGE}");
}

fn scripts() -> PathBuf {
    workspace::root().join("benches").join("operators")
}

/// Writes the page about what was measured, and its chart.
fn write(page: &Path, measured: &Path, reasons: &Path) -> Result<()> {
    check(Command::new("python3").arg(scripts().join("page.py")).arg(page).arg(measured).arg(reasons))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The expected figures are worked out by hand from these few samples.
    #[test]
    fn the_page_says_what_was_measured() {
        let entry = |group: &str, name: &str, dtype: &str, ours: [f64; 3], torch: [f64; 3]| {
            json!({
                "group": group, "name": name, "dtype": dtype, "operator": "Exp", "bytes": 1000, "differs": null,
                "samples": {"this project": ours, "PyTorch": torch, "limit": [1e3, 1e3, 1e3]},
            })
        };
        let mut other = entry("products", "slow", "f16", [9e3, 90e3, 9e3], [4.5e3, 45e3, 4.5e3]);
        other["differs"] = json!(0.25);
        let measured = json!({
            "machine": "a machine", "versions": {"torch": "9.9"},
            "items": [
                // The machine was slow in the second turn.
                entry("elements", "exp", "f32", [1e3, 50e3, 1e3], [2e3, 100e3, 2e3]),
                entry("movement", "flip", "f32", [3e3, 3e3, 3e3], [2e3, 2e3, 2e3]),
                other,
            ],
            "gains": [{"item": "add f32", "gain": {"this project": 1.9, "limit": 1.85, "PyTorch": 1.5}}],
        });
        let directory = tempfile::tempdir().unwrap();
        let file = |name: &str| directory.path().join(name);
        fs::write(file("measured.json"), measured.to_string()).unwrap();
        fs::write(file("reasons.tsv"), "# Reasons.\nslow\tit is exact\n").unwrap();
        write(&file("page.md"), &file("measured.json"), &file("reasons.tsv")).unwrap();
        let page = fs::read_to_string(file("page.md")).unwrap();
        for line in [
            // The cube root of 0.5 · 1.5 · 2, and the square root of 0.5 · 1.5.
            "| geometric mean of the items: at most 0.8 of PyTorch's time | 1.14 | **not met** |",
            "| the same of the items in f32 | 0.87 | **not met** |",
            "| each item: at most 1.2 of PyTorch's time, but for those with a reason below | 1 of 3, 1 with a reason | **not met** |",
            "| movement: at most 1.5 times the limit, or 1.2 of PyTorch's time | 0 of 1 | **not met** |",
            "| two threads: a gain of 1.6 where a pass over the bytes gains 1.8 | 1 of 1 | met |",
            "| elements | 1 | 0.50 | 0 |",
            "| all | 3 | 1.14 | 2 |",
            "| slow, f16 | 2.00 | 9.0 | it is exact |",
            "| flip, f32 | 1.50 | 3.0 |  |",
            "| add f32 | 1.90 | 1.85 | 1.50 |",
            "| exp | f32 | `aclnnExp` | 1.0 | 1.0 | 0.50 |",
            "| slow, f16 | 0.25 |",
            "| torch | 9.9 |",
        ] {
            assert!(page.lines().any(|found| found == line), "{line}\nis not in\n{page}");
        }
        let chart = fs::read_to_string(file("page.svg")).unwrap();
        for text in [">f32 0.50×<", ">f16 2.00×<", ">flip<"] {
            assert!(chart.contains(text), "{text} is not in\n{chart}");
        }
    }
}

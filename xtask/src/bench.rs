//! `cargo xtask bench`: measures this project beside other libraries, and writes the page about it.

use crate::{toolkit, workspace};
use anyhow::{Context, Result, bail};
use std::{fs, path::PathBuf, process::Command};

/// The numbers of elements: in the first cache, in the second, in the third, and in memory.
const SIZES: &[&str] = &["1e3", "1e5", "1e6", "1.6e7"];

/// Runs the bench, then the other libraries with its items, and writes the page.
///
/// Where Python lacks NumPy, the page has this project and the limit of memory alone.
pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    let (page, sizes) = match arguments {
        ["--out", page, sizes @ ..] => (PathBuf::from(page), sizes),
        sizes => (workspace::root().join("docs").join("performance.md"), sizes),
    };
    if let Some(unknown) = sizes.iter().find(|size| size.parse::<f64>().is_err()) {
        bail!("{unknown} is not a number of elements; usage: cargo xtask bench [--out FILE] [ELEMENTS...]");
    }
    let sizes = if sizes.is_empty() { SIZES } else { sizes };
    let directory = workspace::target().join("bench");
    let libraries = directory.join("toolkit");
    fs::create_dir_all(&libraries).with_context(|| format!("creating {}", libraries.display()))?;
    toolkit::run(&["--out", libraries.to_str().context("the target directory is not text")?])?;

    let items = directory.join("items.json");
    let mut cargo = workspace::cargo();
    cargo.args(["bench", "--package", "aclnn", "--bench", "peers", "--", "--json"]).arg(&items).args(sizes);
    check(&mut cargo)?;

    let scripts = workspace::root().join("benches");
    let mut measured = items.clone();
    if python().args(["-c", "import numpy"]).output().is_ok_and(|output| output.status.success()) {
        measured = directory.join("peers.json");
        let mut peers = python();
        peers.arg(scripts.join("peers.py")).arg("--items").arg(&items).arg("--toolkit").arg(&libraries);
        check(peers.arg("--out").arg(&measured))?;
    } else {
        eprintln!("python3 has no NumPy, so no other library is measured");
    }
    check(python().arg(scripts.join("report.py")).arg(&measured).arg(&page))?;
    println!("{}", page.display());
    Ok(())
}

fn python() -> Command {
    Command::new("python3")
}

fn check(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("starting {command:?}"))?;
    if !status.success() {
        bail!("{command:?} failed");
    }
    Ok(())
}

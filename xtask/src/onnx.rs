//! `cargo xtask onnx`: the test cases of ONNX, run and counted.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::python::{check, command};
use crate::workspace;

/// Builds the program that runs cases, and starts the script that makes them, runs them and writes the page.
pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    let (mut is_models, mut is_preparation, mut is_check, mut filter) = (false, false, false, None);
    if arguments == ["--chosen"] {
        return choose();
    }
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match *word {
            "--models" => is_models = true,
            "--prepare" => is_preparation = true,
            "--check" => is_check = true,
            "--filter" => filter = Some(*words.next().context("--filter takes a text")?),
            _ => bail!("onnx takes --models, --prepare, --check, --filter TEXT, or --chosen alone"),
        }
    }
    let folder = workspace::target().join(if is_models { "onnx-models" } else { "onnx" });
    if is_models {
        write_models(&folder)?;
    }
    let mut script = command("onnx", &scripts().join("operators.py"))?;
    script.arg("--folder").arg(folder).args(is_models.then_some("--models"));
    if is_preparation {
        return check(script.arg("--prepare"));
    }
    let features = ["--features", "images"];
    check(
        workspace::cargo()
            .args(["build", "--release", "--package", "aclnn-onnx", "--example", "cases"])
            .args(features),
    )?;
    script.arg("--runner").arg(workspace::target().join("release").join("examples").join("cases"));
    script.args(is_check.then_some("--check"));
    if let Some(text) = filter {
        script.args(["--filter", text]);
    }
    check(&mut script)
}

/// Writes the files with test cases that are in the repository.
fn choose() -> Result<()> {
    let target = workspace::target();
    let (nodes, models) = (target.join("onnx"), target.join("onnx-small"));
    check(command("onnx", &scripts().join("operators.py"))?.arg("--folder").arg(&nodes).arg("--prepare"))?;
    let script = |name: &str| command("onnx-models", &scripts().join("models").join(name));
    check(script("exported.py")?.arg(&models).arg("--small"))?;
    check(script("patterns.py")?.arg(&models))?;
    let data = workspace::root().join("onnx").join("tests").join("data");
    for (from, folder, file) in
        [("--nodes", nodes.join("node"), "nodes.cases"), ("--all", models, "models.cases")]
    {
        let mut script = command("onnx", &scripts().join("chosen.py"))?;
        check(script.arg(from).arg(folder).arg("--out").arg(data.join(file)))?;
    }
    Ok(())
}

fn scripts() -> PathBuf {
    workspace::root().join("xtask").join("onnx")
}

/// Writes the models of packages and of PyTorch into a folder, unless they are there.
fn write_models(folder: &Path) -> Result<()> {
    let done = folder.join("complete");
    if done.exists() {
        return Ok(());
    }
    for name in ["packages.py", "exported.py"] {
        check(command("onnx-models", &scripts().join("models").join(name))?.arg(folder))?;
    }
    fs::write(&done, "").with_context(|| format!("writing {}", done.display()))
}

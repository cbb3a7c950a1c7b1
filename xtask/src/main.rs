//! Developer commands: `cargo xtask <command>`.

mod bench;
mod build_times;
mod golden;
mod model_times;
mod onnx;
mod operator_times;
mod python;
mod repository;
mod suite;
mod toolkit;
mod workspace;

use anyhow::{Context, Result, bail};
use std::path::Path;

const USAGE: &str = "\
usage: cargo xtask <command>

  bench [--crates] [--quick] [--out FILE] [ELEMENTS...]
                              measure this project beside other libraries, and write docs/performance.md with a
                              chart; bench --help says more
  bench --build [--runs N] [--out FILE]
                              measure how long builds take, and write docs/build.md
  bench --onnx [--quick] [--out FILE] [FOLDERS...]
                              measure ONNX models beside ONNX Runtime and tract, and write docs/performance-onnx.md with a
                              chart
  bench --operators [--quick] [--out FILE] [FILTER...]
                              measure operators beside PyTorch, ONNX Runtime and OpenVINO, and write
                              docs/performance-operators.md with a chart
  bindings [--check]          write sys/src/bindings from the headers; --check: only compare
  coverage [--check]          write docs/coverage.md, and its counts into both READMEs; --check: only compare
  golden [--nodes]            write the golden vectors of the tests with Python; --nodes: those of ONNX nodes too
  headers --out DIR           lay out the C headers alone in DIR/include
  layers [--check]            print crates with their floors and modules, and write docs/house.svg; fail where a module
                              uses one above it, or files use each other in a circle; --check: only compare
  names                       compare the names of methods with those of candle, burn and PyTorch, with Python, and write
                              docs/names.md
  onnx [--models] [--prepare] [--filter TEXT] | --chosen
                              run the test cases of the package onnx with aclnn-onnx and with ONNX Runtime, with Python,
                              and write docs/onnx-operators.md; --models: run models of other packages and of PyTorch
                              instead, and print what became of them; --prepare: only write the folders of the cases into
                              the target directory; --filter: only the cases whose names hold a text, and no page;
                              --chosen: write the cases that are in the repository, onnx/tests/data/
  set-repository URL          write the address of the repository into the manifests; docs/releasing.md has the other steps
  suite [--backend cann|DIR] [--junit FILE]
                              run the tests of aclnn on every form of the emulator, or on a backend; --junit: write
                              the results as JUnit XML
  surface [--check]           write cann-stubs/src/surface.md, and the list of refused operators from sys/operators.tsv and
                              the declarations; --check: only compare
  toolkit --out DIR [--archive FILE] [--wheel DIR] [--debug] [--without FUNCTION]…
                              lay out drop-in libraries, headers, set_env.sh and packages for CMake and pkg-config in DIR;
                              --archive: pack them into one .tar.gz too; --wheel: and into a package for pip;
                              --without: leave a function out";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if arguments.iter().any(|argument| ["-h", "--help", "help"].contains(argument)) {
        match arguments.as_slice() {
            ["bench", rest @ ..] if rest.contains(&"--build") => build_times::help(),
            ["bench", rest @ ..] if rest.contains(&"--onnx") => model_times::help(),
            ["bench", rest @ ..] if rest.contains(&"--operators") => operator_times::help(),
            ["bench", ..] => bench::help(),
            _ => println!("{USAGE}"),
        }
        return Ok(());
    }
    match arguments.as_slice() {
        ["bindings" | "coverage" | "layers" | "surface", ..] => generate(&arguments),
        ["bench", rest @ ..] if rest.contains(&"--build") => build_times::run(rest),
        ["bench", rest @ ..] if rest.contains(&"--onnx") => model_times::run(rest),
        ["bench", rest @ ..] if rest.contains(&"--operators") => operator_times::run(rest),
        ["bench", rest @ ..] => bench::run(rest),
        ["golden"] => golden::run(false),
        ["golden", "--nodes"] => golden::run(true),
        ["headers", "--out", directory] => xtask_headers::lay_out(&Path::new(directory).join("include")),
        ["names"] => python::run("names", &workspace::root().join("xtask").join("names").join("names.py")),
        ["onnx", rest @ ..] => onnx::run(rest),
        ["set-repository", url] => repository::run(&workspace::root(), url),
        ["suite", rest @ ..] => suite::run(rest),
        ["toolkit", rest @ ..] => toolkit::run(rest),
        _ => bail!("{USAGE}"),
    }
}

/// Passes a command to the package that writes generated files.
fn generate(arguments: &[&str]) -> Result<()> {
    let mut cargo = workspace::cargo();
    cargo.args(["run", "--quiet", "--package", "xtask-generate"]);
    match arguments.first() {
        Some(&("coverage" | "surface")) => {}
        // The emulator is built from the bindings, and does not build while something is missing in them.
        Some(&"bindings") => _ = cargo.args(["--no-default-features", "--features", "bindings"]),
        _ => _ = cargo.arg("--no-default-features"),
    }
    cargo.arg("--").args(arguments);
    if !cargo.status().context("starting cargo")?.success() {
        bail!("{} failed", arguments.join(" "));
    }
    Ok(())
}

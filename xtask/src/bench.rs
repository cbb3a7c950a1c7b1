//! `cargo xtask bench`: measures this project beside other libraries, and writes the page about it.

use crate::{toolkit, workspace};
use anyhow::{Context, Result, bail};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, process::Command, time::Instant};

/// The numbers of elements: in the first cache, in the second, in the third, and in memory.
const SIZES: &[&str] = &["1e3", "1e5", "1e6", "1.6e7"];

const USAGE: &str = "\
usage: cargo xtask bench [--crates] [--quick] [--out FILE] [ELEMENTS...]

Measures this project, the limit of memory and loops written by hand, and beside them NumPy, PyTorch, ONNX Runtime and
OpenVINO where python3 has them (python3 -m pip install numpy ml_dtypes torch onnx onnxruntime openvino). All take turns
on one processor, and then once more with products of matrices. Collectives take turns with those of OpenMPI (mpirun)
and of PyTorch, Gloo. Then it writes FILE, docs/performance.md by default, with a chart beside it: tables for each
number of elements (1e3 1e5 1e6 1.6e7 by default), the goals and what was reached, the machine and the versions.

  --crates  also candle and ndarray, which are fetched and built with all that they depend on
  --quick   a few turns for each, and no release build from nothing: to see that everything works

It takes about a quarter of an hour after the builds, a minute with --quick; the machine should do nothing else. It needs
8 GB of memory.";

/// Runs the bench in turn with the Python libraries, and writes the page.
///
/// Where Python lacks NumPy, the page has no Python library.
pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    let options = Options::parse(arguments)?;
    let directory = workspace::target().join("bench");
    let libraries = directory.join("toolkit");
    fs::create_dir_all(&libraries).with_context(|| format!("creating {}", libraries.display()))?;

    let build = directory.join("build.json");
    eprintln!("building");
    let seconds = if options.quick { None } else { Some(build_from_nothing(&directory.join("build"))?) };
    toolkit::run(&["--out", libraries.to_str().context("the target directory is not text")?])?;
    fs::write(&build, about_the_build(&libraries, seconds)?)?;
    check(options.bench("build", &[]))?;

    let scripts = workspace::root().join("benches");
    let measured = directory.join("measured.json");
    let mut arguments = options.sizes.clone();
    if options.quick {
        arguments.insert(0, "--quick");
    }
    if python().args(["-c", "import numpy"]).output().is_ok_and(|output| output.status.success()) {
        let bench = options.bench("run", &[&["--serve"], arguments.as_slice()].concat());
        let mut peers = python();
        peers.arg(scripts.join("peers.py")).arg("--toolkit").arg(&libraries).arg("--out").arg(&measured);
        peers.arg("--").arg(bench.get_program()).args(bench.get_args());
        check(peers)?;
    } else {
        eprintln!("python3 has no NumPy, so no Python library is measured");
        let file = measured.to_str().context("the target directory is not text")?;
        check(options.bench("run", &[&["--json", file], arguments.as_slice()].concat()))?;
    }
    let collectives = directory.join("collectives.json");
    let mut ranks = python();
    ranks.arg(scripts.join("collectives.py")).arg("--toolkit").arg(&libraries).arg("--out").arg(&collectives);
    if options.quick {
        ranks.arg("--quick");
    }
    check(ranks)?;
    report(&options.page, &[&measured, &collectives, &build])?;
    println!("{}", options.page.display());
    Ok(())
}

struct Options<'a> {
    page: PathBuf,
    crates: bool,
    quick: bool,
    sizes: Vec<&'a str>,
}

impl<'a> Options<'a> {
    fn parse(arguments: &[&'a str]) -> Result<Self> {
        let page = workspace::root().join("docs").join("performance.md");
        let mut options = Self { page, crates: false, quick: false, sizes: Vec::new() };
        let mut arguments = arguments.iter().copied();
        while let Some(argument) = arguments.next() {
            match argument {
                "--out" => options.page = PathBuf::from(arguments.next().context(USAGE)?),
                "--crates" => options.crates = true,
                "--quick" => options.quick = true,
                size if size.parse::<f64>().is_ok() => options.sizes.push(size),
                unknown => bail!("{unknown} is not a number of elements\n\n{USAGE}"),
            }
        }
        if options.sizes.is_empty() {
            options.sizes = SIZES.to_vec();
        }
        Ok(options)
    }

    /// Returns a command of the bench: the one of the workspace, or the one with crates beside it.
    fn bench(&self, command: &str, for_bench: &[&str]) -> Command {
        let folder = if self.crates { "crates" } else { "peers" };
        let manifest = workspace::root().join("benches").join(folder).join("Cargo.toml");
        let mut cargo = workspace::cargo();
        cargo.args([command, "--release", "--manifest-path"]).arg(manifest);
        cargo.arg("--target-dir").arg(workspace::target());
        if !for_bench.is_empty() {
            cargo.arg("--").args(for_bench);
        }
        cargo
    }
}

/// Prints what the command does.
pub(crate) fn help() {
    println!("{USAGE}");
}

/// Writes the page about what was measured, and its chart.
fn report(page: &Path, measured: &[&Path]) -> Result<()> {
    let mut report = python();
    report.arg(workspace::root().join("benches").join("report.py")).arg(page).args(measured);
    check(report)
}

/// Builds the library as a program that depends on it does first, and returns the seconds.
fn build_from_nothing(directory: &Path) -> Result<f64> {
    if directory.exists() {
        fs::remove_dir_all(directory).with_context(|| format!("removing {}", directory.display()))?;
    }
    let mut cargo = workspace::cargo();
    cargo.args(["build", "--release", "--package", "aclnn", "--lib", "--target-dir"]).arg(directory);
    let start = Instant::now();
    check(cargo)?;
    let seconds = start.elapsed().as_secs_f64();
    fs::remove_dir_all(directory).with_context(|| format!("removing {}", directory.display()))?;
    Ok(seconds)
}

/// Returns the sizes of the drop-in libraries and the time of the build as JSON.
fn about_the_build(toolkit: &Path, seconds: Option<f64>) -> Result<String> {
    let mut sizes = Vec::new();
    for entry in fs::read_dir(toolkit.join("lib64"))? {
        let entry = entry?;
        let metadata = entry.path().symlink_metadata()?;
        if metadata.is_file() {
            sizes.push((entry.file_name().to_string_lossy().into_owned(), metadata.len()));
        }
    }
    let mut libraries = String::new();
    for (index, (name, size)) in sizes.iter().enumerate() {
        let separator = if index > 0 { ", " } else { "" };
        write!(libraries, "{separator}\"{name}\": {size}")?;
    }
    let output = Command::new("rustc").arg("--version").output().context("starting rustc")?;
    let rustc = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let seconds = seconds.map_or("null".to_owned(), |seconds| format!("{seconds:.1}"));
    Ok(format!(r#"{{"rustc": "{rustc}", "build": {{"seconds": {seconds}, "libraries": {{{libraries}}}}}}}"#))
}

fn python() -> Command {
    let mut python = Command::new("python3");
    // Cargo puts its own directories there, with the emulator that tests have built without optimisation.
    python.env_remove("LD_LIBRARY_PATH");
    python
}

fn check(mut command: Command) -> Result<()> {
    let status = command.status().with_context(|| format!("starting {command:?}"))?;
    if !status.success() {
        bail!("{command:?} failed");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn item(name: &str, inputs: &[&str], samples: &Value) -> Value {
        let inputs: Vec<Value> =
            inputs.iter().map(|dtype| json!({"dtype": dtype, "stored": 16_000_000})).collect();
        json!({
            "kind": "item", "item": name, "size": 16_000_000, "shape": [16_000_000], "inputs": inputs, "out": "f32",
            "names": ["this project", "limit", "limit, streaming", "by hand"], "samples": samples,
        })
    }

    /// The expected figures are worked out by hand from these few samples.
    #[test]
    fn page_and_chart_say_what_was_measured() {
        let f32_and_f32 = json!({
            // The machine was slow in the second turn, which changes no ratio.
            "this project": [0.5, 5.0, 0.5], "limit": [0.6, 6.0, 0.6], "limit, streaming": [0.4, 4.0, 0.4],
            "by hand": [0.6, 6.0, 0.6], "this project, from Python": [0.5, 5.0, 0.5], "PyTorch": [1.0, 10.0, 1.0],
        });
        let f16_and_f32 = json!({
            "this project": [0.6], "limit": [0.2], "limit, streaming": [0.3], "by hand": [0.3],
            "this project, from Python": [0.6], "PyTorch": [3.6],
        });
        let measured = json!({
            "machine": "a machine", "versions": {"PyTorch": "9.9"},
            "measured": [
                item("f32 + f32", &["f32", "f32"], &f32_and_f32),
                item("f16 + f32", &["f16", "f32"], &f16_and_f32),
                {"kind": "one element", "item": "one call", "size": 1, "names": ["through C", "safe layer"], "allocations": 0.5,
                 "samples": {"safe layer": [300.0], "through C": [90.0, 120.0, 150.0]}},
                // Nanoseconds for an element of the result, which takes 2,048 operations.
                {"kind": "product", "item": "f32 · f32", "size": 1024, "names": ["this project, from Python"],
                 "samples": {"this project, from Python": [20.48], "NumPy": [25.6]}},
            ],
        });
        let collectives = json!({
            "versions": {"OpenMPI": "4.4"},
            "measured": [
                {"kind": "all_reduce", "item": "4 processes", "size": 64 << 20, "names": ["this project", "OpenMPI"],
                 "samples": {"this project": [20e3, 40e3, 20e3], "OpenMPI": [50e3, 100e3, 50e3], "Gloo": [25e3, 50e3, 25e3]}},
                {"kind": "all_reduce", "item": "2 threads", "size": 4, "samples": {"this project": [5.0]}},
            ],
        });
        let directory = tempfile::tempdir().unwrap();
        let file = |name: &str| directory.path().join(name);
        fs::write(file("measured.json"), measured.to_string()).unwrap();
        fs::write(file("collectives.json"), collectives.to_string()).unwrap();
        let libraries = file("toolkit").join("lib64");
        fs::create_dir_all(&libraries).unwrap();
        fs::write(libraries.join("libopapi.so"), [0; 20_000]).unwrap();
        fs::write(file("build.json"), about_the_build(&file("toolkit"), Some(41.7)).unwrap()).unwrap();

        let files = ["measured.json", "collectives.json", "build.json"].map(file);
        report(&file("page.md"), &files.each_ref().map(PathBuf::as_path)).unwrap();
        let page = fs::read_to_string(file("page.md")).unwrap();
        for line in [
            "| f32 + f32 | 0.400 | **0.500** | 80 | 0.600 | **0.500** | 1.000 |",
            "| f16 + f32 | 0.200 | 0.600 | 33 | **0.300** | 0.600 | 3.600 |",
            // √(1.25 · 3), √(1.5 · 1.5), √(1.25 · 3) and √(2.5 · 18).
            "| × limit, geometric mean | 1 | 1.94 | 52 | 1.50 (2) | 1.94 (2) | 6.71 (2) |",
            "| geometric mean at 1.6·10⁷: at most 1.3 times the limit | 1.94 | **not met** |",
            "| each item at 1.6·10⁷: at most twice the limit | 3 (f16 + f32); 1 of 2 | **not met** |",
            "| f16 + f32 at 1.6·10⁷: 6 times as fast as PyTorch | 6 (f16 + f32, 16,000,000) | met |",
            "| one element and the wait, through C: at most 150 ns | 120 | met |",
            "| one element and the wait, through the safe layer: at most 250 ns | 300 | **not met** |",
            "| a safe call of one element: no allocation | 0.5 | **not met** |",
            "| s32 + f16 at 10⁵ and 10⁶: 1.9 times as fast as every peer |  | open |",
            "| one call, 1 element | through C | 120 |",
            "| products of f32, 1024³: at least 90 % of NumPy and PyTorch | 1.25 (f32 · f32, 1,024) | met |",
            "| f32 · f32, 1024³ | 100.0 | 80.0 |",
            "| `all_reduce` of 64 MiB by 4 processes: as fast as the fastest peer | 0.8 (4 processes, 67,108,864) | met |",
            "| `all_reduce` of 4 bytes by 2 threads: at most 20 µs | 5 | met |",
            "| 4 processes, 67,108,864 | 20,000.0 | 50,000.0 | 25,000.0 | 2.50 | 1.25 |",
            "| 2 threads, 4 | 5.0 |  |  |  |  |",
            "| PyTorch | 9.9 |",
            "| OpenMPI | 4.4 |",
            "| release build of `aclnn` from nothing | 42 s |",
            "| `libopapi.so` | 0.02 MB |",
        ] {
            assert!(page.lines().any(|found| found == line), "{line}\nis not in\n{page}");
        }
        let chart = fs::read_to_string(file("page.svg")).unwrap();
        for text in [">1.25×<", ">3.00×<", ">1.94×<", ">6.71×<", "PyTorch: 18×", "prefers-color-scheme: dark"]
        {
            assert!(chart.contains(text), "{text} is not in\n{chart}");
        }
    }
}

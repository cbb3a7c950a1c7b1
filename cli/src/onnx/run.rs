//! `aclnn onnx run`: a model on files.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use aclnn::interop::npy;
use aclnn::{DType, Device, Tensor};
use aclnn_onnx::{Model, Plan, Session, Value};
use anyhow::{Context as _, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::{inputs, profile};
use crate::arrays::Summary;
use crate::output::Format;

const EXAMPLES: &str = "\
Examples:
  aclnn onnx run model.onnx --input x=x.npy --output results
  aclnn onnx run model.onnx --input 'x=random:f32[1,3,224,224]' --repeat 20
  aclnn onnx run model.onnx --input ids=w.safetensors:ids --input mask=ones
  aclnn onnx run model.onnx --input text=input_0.pb --plan
  aclnn onnx run model.onnx --input x=x.npy --profile time.svg

Values are files of NumPy (.npy, .npy:TYPE), of safetensors (.safetensors:NAME) and of ONNX (.pb),
and random, zeros or ones, with a type behind a colon where the model leaves sizes open. Random
floats lie between 0 and 1, random integers are 0 or 1; each run draws the same.";

/// Runs a model on files
///
/// Runs the model, and prints a summary of each output. With --output, each output becomes DIR/NAME.npy; characters of its
/// name other than letters, digits, -, _ and . become _.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The file of the model
    model: PathBuf,
    /// An input and its value: a file, or random, zeros or ones
    #[arg(long, value_name = "NAME=VALUE")]
    input: Vec<OsString>,
    /// The directory for the outputs
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Run the model this often again, and print the shortest time and the median
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    repeat: Option<u32>,
    /// Print which nodes run where, and what each of them launches
    #[arg(long)]
    plan: bool,
    /// Draw the time of each operator as SVG; the nodes run with a wait after each for that
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
    /// The ordinal of the device
    #[arg(long, default_value_t = 0)]
    device: i32,
    #[command(flatten)]
    format: Format,
}

/// The results of a run.
#[derive(Debug, Serialize)]
struct Report {
    /// The operators that each node launches, where that was asked for.
    plan: Option<String>,
    outputs: Vec<Output>,
    times: Option<Times>,
    /// The files that were written.
    files: Vec<String>,
}

/// An output.
#[derive(Debug, Serialize)]
struct Output {
    name: String,
    #[serde(flatten)]
    value: Described,
}

/// A value, described.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Described {
    Tensor(Summary),
    Strings { dtype: String, shape: Vec<usize>, strings: Vec<String> },
    Values { values: Vec<Described> },
    Nothing { values: [(); 0] },
}

/// Seconds of repeated runs, with a wait for the device.
#[derive(Debug, Serialize)]
struct Times {
    runs: usize,
    shortest: f64,
    median: f64,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let model = Model::open(&arguments.model)?;
    let device = Device::open(arguments.device)?;
    let values = inputs::read(&model, &device, &arguments.input)?;
    let session = model.session(&device)?;
    let outputs = session.run(values.iter().map(|(name, value)| (*name, value)))?;
    let mut described = Vec::new();
    for (name, value) in outputs.iter() {
        described.push(Output { name: name.to_owned(), value: Described::of(&device, value)? });
    }
    let plan = if arguments.plan { Some(session.plan()?.to_string()) } else { None };
    let mut files = match &arguments.output {
        Some(directory) => write(directory, &device, outputs.iter())?,
        None => Vec::new(),
    };
    if let Some(file) = &arguments.profile {
        let model = arguments.model.file_name().unwrap_or_default().to_string_lossy();
        let chart = profile::draw(&model, &profile::shares(&measured(&session, &values)?));
        fs::write(file, chart).with_context(|| format!("{} cannot be written", file.display()))?;
        files.push(file.display().to_string());
    }
    let times = arguments.repeat.map(|runs| measure(&session, &device, &values, runs)).transpose()?;
    arguments.format.print(&Report { plan, outputs: described, times, files }, text)?;
    Ok(ExitCode::SUCCESS)
}

/// The number of runs of a model for its chart.
const CHARTED: usize = 3;

/// Runs a model a few times with a wait after each node. Returns the plans with the times.
fn measured(session: &Session, values: &[(&str, Value)]) -> Result<Vec<Plan>> {
    let one = |_| Ok(session.run_measured(values.iter().map(|(name, value)| (*name, value)))?.1);
    (0..CHARTED).map(one).collect()
}

/// Measures runs of a model.
fn measure(session: &Session, device: &Device, values: &[(&str, Value)], runs: u32) -> Result<Times> {
    // It is drawn on terminals alone, on the standard error.
    let progress = ProgressBar::new(runs.into())
        .with_style(ProgressStyle::with_template("{bar:40} {pos}/{len} runs ({elapsed}, {eta} left)")?);
    let mut times: Vec<Duration> = Vec::new();
    for _ in 0..runs {
        let start = Instant::now();
        let outputs = session.run(values.iter().map(|(name, value)| (*name, value)))?;
        device.synchronize()?;
        times.push(start.elapsed());
        drop(outputs);
        progress.inc(1);
    }
    progress.finish_and_clear();
    times.sort();
    let at = |place: usize| times.get(place).map_or(0.0, Duration::as_secs_f64);
    let middle = times.len() / 2;
    let median = if times.len().is_multiple_of(2) { (at(middle - 1) + at(middle)) / 2.0 } else { at(middle) };
    Ok(Times { runs: times.len(), shortest: at(0), median })
}

impl Described {
    fn of(device: &Device, value: &Value) -> Result<Described> {
        Ok(match value {
            Value::Sequence(values) => Described::Values {
                values: values.iter().map(|value| Described::of(device, value)).collect::<Result<_>>()?,
            },
            Value::Optional(Some(value)) => Described::of(device, value)?,
            Value::Optional(None) => Described::Nothing { values: [] },
            value if value.dtype() == Some(DType::String) => {
                let array = value.to_array()?;
                Described::Strings {
                    dtype: array.dtype().to_string(),
                    shape: array.dims().to_vec(),
                    strings: array.strings().unwrap_or_default().to_vec(),
                }
            }
            value => Described::Tensor(Summary::of(&tensor(device, value)?)?),
        })
    }
}

/// Returns a tensor on the device.
fn tensor(device: &Device, value: &Value) -> Result<Tensor> {
    if let Value::Tensor(tensor) = value {
        return Ok(tensor.clone());
    }
    let array = value.to_array()?;
    Ok(Tensor::from_bytes(device, array.dtype(), array.bytes(), array.shape().clone())?)
}

/// Writes each output to a file of its name. Returns the paths.
fn write<'a>(
    directory: &Path,
    device: &Device,
    outputs: impl Iterator<Item = (&'a str, &'a Value)>,
) -> Result<Vec<String>> {
    let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    for (name, value) in outputs {
        collect(directory, device, name, value, &mut files).with_context(|| format!("output {name}"))?;
    }
    // What fails on the device fails before a file is written.
    fs::create_dir_all(directory).with_context(|| format!("{} cannot be made", directory.display()))?;
    for (path, bytes) in &files {
        fs::write(path, bytes).with_context(|| format!("{} cannot be written", path.display()))?;
    }
    Ok(files.iter().map(|(path, _)| path.display().to_string()).collect())
}

fn collect(
    directory: &Path,
    device: &Device,
    name: &str,
    value: &Value,
    files: &mut Vec<(PathBuf, Vec<u8>)>,
) -> Result<()> {
    match value {
        Value::Optional(None) => Ok(()),
        Value::Optional(Some(value)) => collect(directory, device, name, value, files),
        Value::Sequence(values) => {
            let mut values = values.iter().enumerate();
            values.try_for_each(|(place, value)| {
                collect(directory, device, &format!("{name}.{place}"), value, files)
            })
        }
        value if value.dtype() == Some(DType::String) => {
            bail!("it holds strings, for which .npy files have no type; leave --output out to print them")
        }
        value => {
            let path = free(directory, name, files);
            files.push((path, npy::save(&tensor(device, value)?)?));
            Ok(())
        }
    }
}

/// Returns the file for an output: a name that is safe, and that no other output has.
fn free(directory: &Path, name: &str, files: &[(PathBuf, Vec<u8>)]) -> PathBuf {
    let is_safe = |letter: char| letter.is_alphanumeric() || "-_.".contains(letter);
    let safe: String = name.chars().map(|letter| if is_safe(letter) { letter } else { '_' }).collect();
    // A file whose name begins with a point is hidden.
    let safe = match safe.strip_prefix('.') {
        Some(rest) => format!("_{rest}"),
        None if safe.is_empty() => "_".to_owned(),
        None => safe,
    };
    let mut path = directory.join(format!("{safe}.npy"));
    let mut number = 2;
    while files.iter().any(|(other, _)| *other == path) {
        path = directory.join(format!("{safe}-{number}.npy"));
        number += 1;
    }
    path
}

/// Columns of a label.
const LABEL: usize = 11;
/// The number of strings that are shown.
const STRINGS: usize = 20;

fn text(report: &Report) -> String {
    let mut text = String::new();
    if let Some(plan) = &report.plan {
        _ = writeln!(text, "{plan}\n");
    }
    for Output { name, value } in &report.outputs {
        describe(&mut text, name, value);
    }
    if let Some(Times { runs, shortest, median }) = &report.times {
        let shown = |seconds: f64| profile::time(Duration::from_secs_f64(seconds));
        _ = writeln!(
            text,
            "{:<LABEL$}shortest {}, median {} of {runs} runs",
            "time",
            shown(*shortest),
            shown(*median)
        );
    }
    for file in &report.files {
        _ = writeln!(text, "{:<LABEL$}{file}", "written");
    }
    text
}

fn describe(text: &mut String, name: &str, value: &Described) {
    _ = match value {
        Described::Tensor(summary) => writeln!(text, "{:<LABEL$}{name}  {summary}", "output"),
        Described::Strings { dtype, shape, strings } => {
            let shown = &strings[..strings.len().min(STRINGS)];
            let rest = if shown.len() < strings.len() { " …" } else { "" };
            writeln!(text, "{:<LABEL$}{name}  {dtype}{shape:?}\n{shown:?}{rest}", "output")
        }
        Described::Nothing { .. } => writeln!(text, "{:<LABEL$}{name}  no value", "output"),
        Described::Values { values } => {
            _ = writeln!(text, "{:<LABEL$}{name}  {} values", "output", values.len());
            for (place, value) in values.iter().enumerate() {
                describe(text, &format!("{name}.{place}"), value);
            }
            Ok(())
        }
    };
}

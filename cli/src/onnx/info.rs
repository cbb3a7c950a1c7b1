//! `aclnn onnx info`: what a model takes, gives and uses.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use aclnn::Device;
use aclnn_onnx::{Model, Port};
use anyhow::Result;
use serde::Serialize;

use crate::output::{BAD, Format, GOOD, NOTED, STRONG};

/// Describes a model: inputs, outputs, weights and operators
///
/// Prints what the model says of itself, the types of its inputs and outputs, and for each operator how many nodes use it
/// and since which version of the operator set it has the form that runs here, or why it does not run. The line "runs"
/// tells whether the model is ready to run as a whole. The exit status is 0 if the model can be read.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aclnn onnx info model.onnx
  aclnn onnx info model.onnx --json")]
pub(crate) struct Arguments {
    /// The file of the model
    model: PathBuf,
    /// The ordinal of the device
    #[arg(long, default_value_t = 0)]
    device: i32,
    #[command(flatten)]
    format: Format,
}

/// A model, as it is described.
#[derive(Debug, Serialize)]
struct Description {
    file: String,
    graph: String,
    producer: String,
    producer_version: String,
    domain: String,
    description: String,
    version: i64,
    ir_version: i64,
    opsets: Vec<Opset>,
    metadata: Vec<Entry>,
    inputs: Vec<Described>,
    outputs: Vec<Described>,
    weights: usize,
    weight_bytes: usize,
    nodes: usize,
    operators: Vec<Operator>,
    /// Why the model is not ready to run; null if it is.
    error: Option<String>,
}

#[derive(Debug, Serialize)]
struct Opset {
    domain: String,
    version: i64,
}

#[derive(Debug, Serialize)]
struct Entry {
    key: String,
    value: String,
}

/// An input or an output.
#[derive(Debug, Serialize)]
struct Described {
    name: String,
    /// The declared type; null if the model says none.
    r#type: Option<String>,
    has_default: bool,
}

#[derive(Debug, Serialize)]
struct Operator {
    name: String,
    nodes: usize,
    /// The version of the operator set in which it got its form.
    since: Option<u32>,
    /// Why it does not run.
    missing: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let model = Model::open(&arguments.model)?;
    let description = describe(arguments, &model);
    arguments.format.print(&description, text)?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the name of a domain; that of the operators of ONNX itself is empty in most files.
fn domain(name: &str) -> &str {
    match name {
        "" => "ai.onnx",
        name => name,
    }
}

fn describe(arguments: &Arguments, model: &Model) -> Description {
    let described = |port: Port<'_>| Described {
        name: port.name.to_owned(),
        r#type: port.value_type.map(ToString::to_string),
        has_default: port.has_default,
    };
    let survey = model.survey();
    let operators = survey.operators.into_iter().map(|used| Operator {
        name: match used.domain.as_str() {
            "" => used.name,
            domain => format!("{domain}.{}", used.name),
        },
        nodes: used.nodes,
        since: used.since,
        missing: used.missing,
    });
    let ready = Device::open(arguments.device)
        .map_err(anyhow::Error::from)
        .and_then(|device| Ok(model.session(&device).map(drop)?));
    let [producer, producer_version] = model.producer().map(str::to_owned);
    Description {
        file: arguments.model.display().to_string(),
        graph: model.graph_name().to_owned(),
        producer,
        producer_version,
        domain: model.domain().to_owned(),
        description: model.description().to_owned(),
        version: model.version(),
        ir_version: model.ir_version(),
        opsets: model
            .opsets()
            .map(|(name, version)| Opset { domain: domain(name).to_owned(), version })
            .collect(),
        metadata: model
            .metadata()
            .map(|(key, value)| Entry { key: key.to_owned(), value: value.to_owned() })
            .collect(),
        inputs: model.inputs().map(described).collect(),
        outputs: model.outputs().map(described).collect(),
        weights: survey.weights,
        weight_bytes: survey.weight_bytes,
        nodes: survey.nodes,
        operators: operators.collect(),
        error: ready.err().map(|error| error.to_string()),
    }
}

/// Columns of a label.
const LABEL: usize = 12;

fn text(model: &Description) -> String {
    let mut text = String::new();
    let mut line = |label: &str, what: &str| {
        if !what.is_empty() {
            _ = writeln!(text, "{label:<LABEL$}{}", what.replace('\n', &format!("\n{:LABEL$}", "")));
        }
    };
    line("file", &model.file);
    line("graph", &format!("{STRONG}{}{STRONG:#}", model.graph));
    line("producer", format!("{} {}", model.producer, model.producer_version).trim());
    line("domain", &model.domain);
    line("version", &if model.version == 0 { String::new() } else { model.version.to_string() });
    line("description", &model.description);
    for Entry { key, value } in &model.metadata {
        line("metadata", &format!("{key}: {value}"));
    }
    line("format", &format!("IR version {}", model.ir_version));
    let opsets = model.opsets.iter().map(|set| format!("{} {}", set.domain, set.version));
    line("opsets", &opsets.collect::<Vec<_>>().join(", "));
    for (label, ports) in [("input", &model.inputs), ("output", &model.outputs)] {
        let width = ports.iter().map(|port| port.name.chars().count()).max().unwrap_or(0);
        for port in ports {
            let declared = port.r#type.as_deref().unwrap_or("of any type");
            let default = if port.has_default { ", or its default" } else { "" };
            line(label, &format!("{:width$}  {declared}{default}", port.name));
        }
    }
    line("weights", &format!("{}, {}", model.weights, bytes(model.weight_bytes)));
    line("nodes", &model.nodes.to_string());
    line(
        "runs",
        &match &model.error {
            None => format!("{GOOD}yes{GOOD:#}"),
            Some(error) => format!("{BAD}no{BAD:#}: {error}"),
        },
    );
    let name = model.operators.iter().map(|used| used.name.chars().count()).max().unwrap_or(0).max(8);
    _ = writeln!(text, "\n{:name$}  nodes  since", "operator");
    for Operator { name: own, nodes, since, missing } in &model.operators {
        _ = match (since, missing) {
            (Some(since), _) => writeln!(text, "{own:name$}  {nodes:>5}  {since:>5}"),
            (None, missing) => {
                let reason = missing.as_deref().unwrap_or("it does not run");
                writeln!(text, "{own:name$}  {nodes:>5}      –  {NOTED}not supported{NOTED:#}: {reason}")
            }
        };
    }
    text
}

/// Returns a number of bytes as people read it.
fn bytes(bytes: usize) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..10_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        10_000_000..10_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

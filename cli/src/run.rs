//! `aclnn run`: any operator of the library, on files and numbers.

use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

use aclnn::{DType, Device, Edition, Policy};
use anyhow::{Context as _, Result, bail};

use crate::arrays::{Source, Target};
use crate::calls::{Given, Options, Value, find, number};
use crate::element_type;
use crate::output::Format;
use crate::written::Written;

const EXAMPLES: &str = "\
Examples:
  aclnn run add a.npy b.npy                           the sum, its plan and a summary of it
  aclnn run aclnnAdds a.npy 0.5 --attr alpha=2        by the C name, with a number and an attribute
  aclnn run mul a.npy:bf16 2:i16 --out y.npy          bf16, a type that .npy files cannot name
  aclnn run sort w.safetensors:scores --out v.npy --out i.npy
  aclnn run sum a.npy --attr axes=0,2 --dtype f64 --plan
  aclnn run arange 0 10 2.5 --dtype bf16

A number without a decimal point is an i32 (or i64, if it is large), any other number an f64; a type
can follow after a colon. `aclnn ops NAME` shows the operands and attributes of an operator.";

/// Calls an operator on files and numbers
///
/// Plans the call, runs it, and prints the plan and a summary of each result. Operands are files of NumPy (.npy) and
/// safetensors (.safetensors:NAME), and numbers. Operands of different types are promoted as in the library.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The function, such as add, or the C name of an operator, such as aclnnAdd
    operator: String,
    /// Each operand: a.npy, a.npy:TYPE, a.safetensors:NAME, or a number
    #[arg(allow_negative_numbers = true)]
    operands: Vec<OsString>,
    /// An attribute; write a list as 0,2
    #[arg(long = "attr", value_name = "NAME=VALUE")]
    attributes: Vec<String>,
    /// The type of the result
    #[arg(long, value_name = "TYPE", value_parser = element_type::parse)]
    dtype: Option<DType>,
    /// The type of elements for which NumPy has no name, such as bf16
    #[arg(long, value_name = "TYPE", value_parser = element_type::parse)]
    in_dtype: Option<DType>,
    /// The promotion table for tensors: published, revised or library
    #[arg(long, value_parser = edition)]
    edition: Option<Edition>,
    /// The policy for conversions of operands: insert, delegate or auto
    #[arg(long, value_parser = policy)]
    policy: Option<Policy>,
    /// Write the result to a .npy or .safetensors file; give it once for each result, or one .safetensors file for all
    #[arg(long, value_name = "FILE", value_parser = Target::parser())]
    out: Vec<Target>,
    /// Plan the call, but do not run it
    #[arg(long, conflicts_with = "out")]
    plan: bool,
    /// The ordinal of the device
    #[arg(long, default_value_t = 0)]
    device: i32,
    #[command(flatten)]
    format: Format,
}

fn edition(name: &str) -> Result<Edition> {
    Ok(match name {
        "published" => Edition::Published,
        "revised" => Edition::Revised,
        "library" => Edition::Library,
        _ => bail!("the tables are published, revised and library"),
    })
}

fn policy(name: &str) -> Result<Policy> {
    Ok(match name {
        "insert" => Policy::Insert,
        "delegate" => Policy::Delegate,
        "auto" => Policy::Auto,
        _ => bail!("the policies are insert, delegate and auto"),
    })
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let found = find(&arguments.operator)?;
    let pair = |text: &'_ String| {
        let (name, value) =
            text.split_once('=').with_context(|| format!("--attr {text}: write NAME=VALUE"))?;
        Ok((name.to_owned(), value.to_owned()))
    };
    let attributes: Vec<(String, String)> = arguments.attributes.iter().map(pair).collect::<Result<_>>()?;
    let device = Device::open(arguments.device)?;
    let operands: Vec<Value> = arguments
        .operands
        .iter()
        .map(|text| operand(&device, text, arguments.in_dtype))
        .collect::<Result<_>>()?;
    let Arguments { dtype, edition, policy, plan: plans_only, .. } = *arguments;
    let options = Options { dtype, edition, policy, plans_only };
    let named = attributes.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let outcome = found.function.call(Given::new(&device, &operands, named, options))?;
    let (operator, plan) = (found.function.name, outcome.plan);
    let other = plan.as_ref().zip(found.form).filter(|(plan, form)| !launches(plan, form));
    let note = other.map(|(_, form)| {
        format!("these operands are computed by another form than {form}; the plan names it")
    });
    let written = match plans_only {
        true => Written::planned(operator, plan),
        false => Written::new(operator, plan, &outcome.results, &arguments.out)?,
    };
    arguments.format.print(&written.noting(note), Written::text)?;
    Ok(ExitCode::SUCCESS)
}

/// Returns whether a plan launches an operator.
fn launches(plan: &str, form: &str) -> bool {
    plan.split([' ', ';']).any(|word| word == form)
}

/// Reads an operand: a file, or a number.
fn operand(device: &Device, text: &OsStr, told: Option<DType>) -> Result<Value> {
    if let Some(source) = Source::parse(text) {
        return source.load(device, told).map(Value::Tensor);
    }
    let text = text.to_string_lossy();
    let scalar = number(&text)
        .with_context(|| format!("{text} is neither a file (.npy, .safetensors) nor a number"))?;
    Ok(Value::Scalar(scalar))
}

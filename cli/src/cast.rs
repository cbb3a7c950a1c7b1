//! `aclnn cast`: the elements of a file in another type.

use std::ffi::OsString;
use std::process::ExitCode;

use aclnn::onnx::{self, CastOptions, RoundMode};
use aclnn::{DType, Device};
use anyhow::{Context as _, Result};

use crate::arrays::{Source, Target};
use crate::element_type;
use crate::output::Format;
use crate::written::Written;

const EXAMPLES: &str = "\
Examples:
  aclnn cast a.npy b.npy --to bf16                    rounded as in the operator Cast of CANN
  aclnn cast a.npy b.npy --to f8e4m3fn --saturate false
  aclnn cast a.npy:f8e5m2 b.npy --to f32 --onnx-opset 19";

/// Converts the elements of a file to another type
///
/// Without an ONNX option, the operator Cast of the library converts the elements. With one, the result is exactly that
/// of ONNX Cast; the plan shows whether the device or the host computes it.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The file to read: a.npy, a.npy:TYPE or a.safetensors:NAME
    input: OsString,
    /// The file to write, .npy or .safetensors
    #[arg(value_parser = Target::parser())]
    output: Target,
    /// The type to convert to
    #[arg(long, value_name = "TYPE", value_parser = element_type::parse)]
    to: DType,
    /// The type of elements for which NumPy has no name, such as bf16
    #[arg(long, value_name = "TYPE", value_parser = element_type::parse)]
    in_dtype: Option<DType>,
    /// Convert as ONNX Cast does in this version of the operator set
    #[arg(long, value_name = "N")]
    onnx_opset: Option<u32>,
    /// Convert as ONNX Cast; with true, a value that is too large for an 8-bit float becomes the largest one
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    saturate: Option<bool>,
    /// The rounding of ONNX Cast to f8e8m0: up, down or nearest
    #[arg(long, value_name = "MODE")]
    round_mode: Option<RoundMode>,
    /// The ordinal of the device
    #[arg(long, default_value_t = 0)]
    device: i32,
    #[command(flatten)]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let Arguments { to, onnx_opset, saturate, round_mode, .. } = *arguments;
    let text = &arguments.input;
    let source = Source::parse(text)
        .with_context(|| format!("{} is neither .npy nor .safetensors", text.display()))?;
    let device = Device::open(arguments.device)?;
    let input = source.load(&device, arguments.in_dtype)?;
    let is_onnx = onnx_opset.is_some() || saturate.is_some() || round_mode.is_some();
    let (plan, result) = if is_onnx {
        let default = CastOptions::default();
        let cast = onnx::cast(&input, to).options(CastOptions {
            opset: onnx_opset.unwrap_or(default.opset),
            saturate: saturate.unwrap_or(default.saturate),
            round_mode: round_mode.unwrap_or(default.round_mode),
        });
        (cast.plan()?.to_string(), cast.run()?)
    } else {
        (format!("Cast {}→{to} on the device", input.dtype()), input.cast(to)?)
    };
    let written = Written::new("cast", Some(plan), &[result], std::slice::from_ref(&arguments.output))?;
    arguments.format.print(&written, Written::text)?;
    Ok(ExitCode::SUCCESS)
}

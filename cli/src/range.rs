//! `aclnn range`: evenly spaced numbers, by the definition of CANN, ONNX or OpenVINO.

use std::process::ExitCode;

use aclnn::{DType, Device, Scalar, Tensor, onnx, openvino};
use anyhow::{Context as _, Result};

use crate::arrays::Target;
use crate::calls::number;
use crate::element_type;
use crate::output::Format;
use crate::written::Written;

const EXAMPLES: &str = "\
Examples:
  aclnn range 0 1 0.25 --dtype bf16                   as the operator Arange of CANN
  aclnn range 0 1 0.1 --dtype f32 --onnx --out r.npy  ONNX Range-11
  aclnn range 10 0 -3 --dtype i32 --openvino          OpenVINO Range-4";

/// Makes evenly spaced numbers from a start up to a limit, without the limit
///
/// Without --onnx or --openvino, the operator Arange of the library makes them. With one of these options, the elements
/// are exactly those of that definition; the plan shows whether the device or the host computes them.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The first number
    #[arg(allow_negative_numbers = true)]
    start: String,
    /// The limit
    #[arg(allow_negative_numbers = true)]
    limit: String,
    /// The distance between two numbers
    #[arg(allow_negative_numbers = true)]
    step: String,
    /// The type of the elements; without it, i64 for integers and f32 for other numbers
    #[arg(long, value_name = "TYPE", value_parser = element_type::parse)]
    dtype: Option<DType>,
    /// Make the elements of ONNX Range-11
    #[arg(long, group = "definition")]
    onnx: bool,
    /// Make the elements of the function body of ONNX Range-11, which accumulates in f32
    #[arg(long, group = "definition")]
    onnx_body: bool,
    /// Make the elements of OpenVINO Range-4
    #[arg(long, group = "definition")]
    openvino: bool,
    /// Make the elements that the library of OpenVINO computes
    #[arg(long, group = "definition")]
    openvino_library: bool,
    /// Write the result to a .npy or .safetensors file
    #[arg(long, value_name = "FILE", value_parser = Target::parser())]
    out: Option<Target>,
    /// The ordinal of the device
    #[arg(long, default_value_t = 0)]
    device: i32,
    #[command(flatten)]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let (start, limit, step) =
        (number(&arguments.start)?, number(&arguments.limit)?, number(&arguments.step)?);
    let is_whole = [start, limit, step].iter().all(|number| number.dtype().is_integer());
    let dtype = arguments.dtype.unwrap_or(if is_whole { DType::I64 } else { DType::F32 });
    let device = Device::open(arguments.device)?;
    let (plan, result) = if arguments.onnx || arguments.onnx_body {
        // The inputs of ONNX have one type, which is that of the elements.
        let input = |number: Scalar| {
            number.to(dtype).with_context(|| format!("there are no single values of {dtype}"))
        };
        let range = onnx::range(&device, input(start)?, input(limit)?, input(step)?);
        let range = if arguments.onnx_body { range.by_function_body() } else { range };
        (range.plan()?.to_string(), range.run()?)
    } else if arguments.openvino || arguments.openvino_library {
        let range = openvino::range(&device, start, limit, step, dtype);
        let range = if arguments.openvino_library { range.as_implemented() } else { range };
        (range.plan()?.to_string(), range.run()?)
    } else {
        (format!("Arange {dtype} on the device"), Tensor::arange(&device, start, limit, step, dtype)?)
    };
    let written = Written::new("range", Some(plan), &[result], arguments.out.as_slice())?;
    arguments.format.print(&written, Written::text)?;
    Ok(ExitCode::SUCCESS)
}

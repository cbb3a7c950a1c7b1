//! Every function is called once.

use aclnn::{DType, Device, Scalar, Shape, Tensor};
use anyhow::Result;

use super::find::all;
use super::{Given, Options, Value};

/// Returns an operand that most functions take under this name.
fn operand(device: &Device, function: &str, name: &str) -> Result<Value> {
    let ramp = |dtype| Tensor::arange(device, 0, 4, 1, dtype)?.reshape([2, 2]);
    let line = |dtype| Tensor::arange(device, 0, 2, 1, dtype);
    let is_whole = function.starts_with("bit") || ["gcd", "left_shift", "right_shift"].contains(&function);
    let tensor = match (function, name) {
        ("repeat_interleave_each", "counts")
        | ("index_add" | "index_copy" | "index_fill" | "index_select", "index") => line(DType::I64)?,
        (
            "index_copy_in_place" | "index_fill_in_place" | "index_add_in_place" | "scatter_update_in_place",
            "index",
        ) => line(DType::I64)?,
        ("scatter_update_in_place", "indices") => line(DType::I64)?.zeros_like()?,
        ("bincount", "self") => line(DType::I64)?,
        ("bincount", "weights") | ("bucketize", "boundaries") | ("search_sorted", "sequence" | "values") => {
            line(DType::F32)?
        }
        ("scatter_nd" | "scatter_nd_in_place", "updates") => line(DType::F32)?,
        ("diag_flat" | "nonzero_axes", _) => line(DType::F32)?,
        ("pad" | "im2col" | "channel_shuffle", "self") => ramp(DType::F32)?.reshape([1, 2, 2])?,
        ("grouped_matmul", "weight") => ramp(DType::F32)?.reshape([2, 2, 1])?,
        ("grouped_matmul", "bias") => line(DType::F32)?.reshape([2, 1])?,
        ("grouped_matmul", "ends") => line(DType::I64)?.add(1)?,
        ("quant_matmul", "left" | "right") | ("weight_quant_matmul", "weight") => {
            ramp(DType::I32)?.cast(DType::I8)?
        }
        ("quant_matmul", "bias") => line(DType::I32)?,
        ("quant_matmul", _) => line(DType::F32)?,
        ("weight_quant_matmul", "x") => ramp(DType::F16)?,
        ("weight_quant_matmul", _) => line(DType::F16)?,
        ("embedding_backward", "grad") => Tensor::ones(device, [2, 2, 3], DType::F32)?,
        ("prelu", "weight") => line(DType::F32)?,
        ("dropout_by" | "dropout_backward", "mask") => Tensor::zeros(device, [16], DType::U8)?,
        ("dot" | "outer" | "addr", _) | ("addmv", "self" | "right") => line(DType::F32)?,
        ("cholesky", _) => Tensor::eye(device, 2, 2, DType::F32)?,
        ("cross", _) => Tensor::arange(device, 0, 3, 1, DType::F32)?,
        ("baddbmm" | "addbmm", "left" | "right") => ramp(DType::F32)?.unsqueeze(0)?,
        (_, "index" | "indices") => ramp(DType::I64)?.fmod(2)?,
        ("search_sorted", "sorter") => line(DType::I64)?,
        ("masked_fill" | "masked_fill_in_place", "value") => {
            Tensor::ones(device, Shape::scalar(), DType::F32)?
        }
        (_, "mask" | "condition") => ramp(DType::F32)?.gt(1)?,
        ("where_", _) if name == "b" => return Ok(Value::Scalar(Scalar::from(0.5))),
        _ => ramp(if is_whole { DType::I32 } else { DType::F32 })?,
    };
    Ok(Value::Tensor(tensor))
}

/// Returns the text of an attribute that a call needs.
fn attribute(function: &str, name: &str) -> &'static str {
    match (function, name) {
        ("pad", "pads") => "1:0",
        ("pad_backward", "pads") => "0:0",
        ("windows_backward", "shape") => "3",
        ("reshape" | "broadcast_to" | "full" | "ones" | "zeros", "shape") => "2,2",
        ("repeat", "counts") | ("split_with_sizes", "sizes") => "1,1",
        ("rand" | "randn" | "randint" | "dropout_mask", "shape") => "2,2",
        ("im2col", "kernel") => "1,1",
        ("permute", "axes") => "1,0",
        ("embedding_backward", "rows") => "4",
        ("scatter_update_in_place", "axis") => "1",
        ("einsum", "equation") => "ij",
        (_, "by") => "sum",
        (_, "is_result") => "false",
        (_, "axis") => "0",
        (_, "min" | "lower") => "-1",
        _ => "1",
    }
}

#[test]
fn every_function_can_be_called() -> Result<()> {
    let device = Device::open(0)?;
    let (mut failed, mut called) = (Vec::new(), 0);
    for function in all() {
        let operands: Vec<Value> = function
            .parameters
            .iter()
            .filter(|parameter| parameter.is_operand())
            .map(|parameter| match parameter.is_tensor() {
                true => operand(&device, function.name, parameter.name()),
                false => Ok(Value::Scalar(Scalar::from(1))),
            })
            .collect::<Result<_>>()?;
        let needed = function.parameters.iter().filter(|one| !one.is_operand() && one.is_required());
        let attributes = needed.map(|one| (one.name(), attribute(function.name, one.name())));
        let options =
            Options { dtype: (function.name == "cast").then_some(DType::F16), ..Options::default() };
        let attributes: Vec<_> = attributes.filter(|(name, _)| *name != "dtype").collect();
        let outcome = function.call(Given::new(&device, &operands, attributes, options));
        match outcome.and_then(|outcome| {
            anyhow::ensure!(!outcome.results.is_empty(), "no result");
            outcome.results.iter().try_for_each(|result| Ok(result.to_bytes().map(drop)?))
        }) {
            Ok(()) => called += 1,
            Err(error) => failed.push(format!("{}: {error:#}", function.name)),
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(called > 200, "{called}");
    Ok(())
}

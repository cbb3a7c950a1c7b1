//! Every function is called once, and once more with each flag.

use aclnn::{DType, Device, Scalar, Shape, Tensor};
use anyhow::Result;

use super::find::all;
use super::{Function, Given, Options, Value};

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
        (
            "conv1d" | "conv_transpose1d" | "interpolate" | "interpolate_backward",
            "input" | "weight" | "self" | "grad",
        ) => ramp(DType::F32)?.reshape([1, 1, 4])?,
        ("conv3d" | "conv_transpose3d", "input" | "weight") => ramp(DType::F32)?.reshape([1, 1, 1, 2, 2])?,
        ("conv2d" | "conv_transpose2d" | "conv2d_backward", "input" | "weight") => {
            ramp(DType::F32)?.reshape([1, 1, 2, 2])?
        }
        ("conv2d_backward", "grad") => Tensor::ones(device, [1, 1, 1, 1], DType::F32)?,
        (name, "bias") if name.starts_with("conv") => Tensor::ones(device, [1], DType::F32)?,
        ("col2im", "self") => line(DType::F32)?.reshape([2, 1])?,
        (name, "indices") if name.contains("max_pool") => {
            let dtype = if name.starts_with("adaptive") { DType::I64 } else { DType::I32 };
            let shape: &[usize] = if name.contains("3d") { &[1, 1, 2, 2] } else { &[1, 2, 2] };
            Tensor::zeros(device, shape, dtype)?
        }
        ("grid_sample" | "grid_sample_backward", "grid") => Tensor::ones(device, [1, 2, 2, 2], DType::F32)?,
        ("grid_sample" | "grid_sample_backward", _) => ramp(DType::F32)?.reshape([1, 1, 2, 2])?,
        ("rotary_by_positions", "positions") => line(DType::I64)?,
        ("rotary_by_positions", "table") => Tensor::ones(device, [2, 16], DType::F32)?,
        ("rotary_by_positions", _) => Tensor::ones(device, [2, 1, 16], DType::F32)?,
        ("lstm" | "lstm_backward" | "gru" | "gru_backward", name) => {
            let rows = if function.starts_with("lstm") { 8 } else { 6 };
            match name {
                "input" => ramp(DType::F32)?.reshape([2, 2, 1])?,
                "grad" => Tensor::ones(device, [2, 2, 2], DType::F32)?,
                "weight" => Tensor::ones(device, [rows, 1], DType::F32)?,
                "hidden_weight" => Tensor::ones(device, [rows, 2], DType::F32)?,
                _ => Tensor::ones(device, [rows], DType::F32)?,
            }
        }
        ("lstm_cell", "input" | "hidden") | ("lstm_cell_backward", "gates") => {
            Tensor::ones(device, [1, 8], DType::F32)?
        }
        ("lstm_cell" | "lstm_cell_backward", _) => line(DType::F32)?.unsqueeze(0)?,
        ("affine_grid", _) => Tensor::ones(device, [1, 2, 3], DType::F32)?,
        (name, "indices") if name.contains("unpool") => {
            let shape: &[usize] = if name.contains("3d") { &[1, 1, 2, 2] } else { &[1, 2, 2] };
            Tensor::zeros(device, shape, DType::I64)?
        }
        (name, _) if name.contains("unpool2d") => ramp(DType::F32)?.reshape([1, 2, 2])?,
        (name, _) if name.contains("unpool3d") => ramp(DType::F32)?.reshape([1, 1, 2, 2])?,
        (name, _) if name.contains("_pool2d") => ramp(DType::F32)?.reshape([1, 2, 2])?,
        (name, "self") if name.contains("_pool3d") => ramp(DType::F32)?.reshape([1, 1, 2, 2])?,
        (name, "grad") if name.contains("_pool3d") => Tensor::ones(device, [1, 1, 2, 2], DType::F32)?,
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
        ("quantize" | "fake_quantize_along", "scales") => line(DType::F32)?.add(1)?,
        ("quantize" | "fake_quantize_along", "zero_points") => line(DType::I32)?,
        ("fake_quantize", "scale") => Tensor::ones(device, [1], DType::F32)?,
        ("fake_quantize", "zero_point") => Tensor::ones(device, [1], DType::I32)?,
        ("embedding_bag", "indices" | "starts") => line(DType::I64)?,
        ("embedding_bag", "factors") => line(DType::F32)?,
        ("embedding_backward", "grad") => Tensor::ones(device, [2, 2, 3], DType::F32)?,
        ("attention_with_log_sum", _) => Tensor::ones(device, [1, 1, 2, 2], DType::F16)?,
        ("attention" | "attention_backward" | "rotary_embedding" | "rotary_embedding_backward", _) => {
            Tensor::ones(device, [1, 1, 2, 2], DType::F32)?
        }
        ("layer_norm_backward", "mean" | "rstd") => line(DType::F32)?.unsqueeze(1)?,
        ("group_norm_backward", "mean" | "rstd") => ramp(DType::F32)?,
        ("rms_norm_backward", "inverses") => line(DType::F32)?.unsqueeze(1)?,
        ("glu_backward" | "swiglu_backward", "self") | ("geglu_backward", "grad" | "gelu") => {
            line(DType::F32)?.unsqueeze(1)?
        }
        ("embedding_renorm_in_place", "indices") => line(DType::I64)?,
        (name, "weight" | "bias" | "mean" | "variance" | "spread") if name.contains("_norm") => {
            line(DType::F32)?
        }
        ("prelu_backward", "weight") => line(DType::F32)?,
        ("nll_loss" | "nll_loss_backward" | "cross_entropy" | "cross_entropy_backward", "target") => {
            line(DType::I64)?
        }
        ("nll_loss" | "nll_loss_backward" | "cross_entropy" | "cross_entropy_backward", "weight") => {
            line(DType::F32)?
        }
        ("multilabel_margin_loss", "target") => ramp(DType::I64)?.fmod(2)?,
        ("ctc_loss" | "ctc_loss_backward", "self") => ramp(DType::F32)?.reshape([2, 1, 2])?,
        ("ctc_loss" | "ctc_loss_backward", "target") => Tensor::ones(device, [1, 1], DType::I64)?,
        ("ctc_loss_backward", "grad" | "loss") => Tensor::ones(device, [1], DType::F32)?,
        ("ctc_loss_backward", "log_alpha") => Tensor::ones(device, [1, 2, 8], DType::F32)?,
        (_, "total_weight") => Tensor::ones(device, Shape::scalar(), DType::F32)?,
        (name, "grad") if name.contains("loss") || name.contains("entropy") || name.contains("kl_div") => {
            Tensor::ones(device, Shape::scalar(), DType::F32)?
        }
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
        ("col2im", "kernel") => "2,1",
        ("col2im", "size") => "2,1",
        (_, "size" | "kernel" | "stride") if function.contains("2d") => "1,1",
        (_, "size" | "kernel" | "stride") if function.contains("3d") => "1,1,1",
        ("interpolate", "size") => "8",
        ("affine_grid", "size") => "2,2",
        ("interpolate_backward", "shape") => "1,1,2",
        ("permute", "axes") => "1,0",
        ("embedding_backward", "rows") => "4",
        ("scatter_update_in_place", "axis") => "1",
        ("layer_norm" | "layer_norm_backward", "shape")
        | ("group_norm" | "group_norm_backward", "groups") => "2",
        ("ctc_loss" | "ctc_loss_backward", "lengths") => "2",
        ("ctc_loss" | "ctc_loss_backward", "target_lengths") => "1",
        ("einsum", "equation") => "ij",
        (_, "by") => "sum",
        (_, "is_result") => "false",
        (_, "axis") => "0",
        (_, "min" | "lower") => "-1",
        _ => "1",
    }
}

/// The sizes, the type and the bytes of a result.
type Told = (Vec<usize>, DType, Vec<u8>);

/// Calls a function with operands that it takes and the attributes that it needs, and with `more`.
fn call(
    device: &Device,
    function: &Function,
    more: Option<(&'static str, &'static str)>,
) -> Result<Vec<Told>> {
    let operands: Vec<Value> = function
        .parameters
        .iter()
        .filter(|parameter| parameter.is_operand())
        .map(|parameter| match parameter.is_tensor() {
            true => operand(device, function.name, parameter.name()),
            false => Ok(Value::Scalar(Scalar::from(1))),
        })
        .collect::<Result<_>>()?;
    let needed = function.parameters.iter().filter(|one| !one.is_operand() && one.is_required());
    let attributes = needed.map(|one| (one.name(), attribute(function.name, one.name())));
    let options = Options { dtype: (function.name == "cast").then_some(DType::F16), ..Options::default() };
    let attributes: Vec<_> = attributes.filter(|(name, _)| *name != "dtype").chain(more).collect();
    let outcome = function.call(Given::new(device, &operands, attributes, options))?;
    anyhow::ensure!(!outcome.results.is_empty(), "no result");
    let told = |result: &Tensor| Ok((result.dims().to_vec(), result.dtype(), result.to_bytes()?));
    outcome.results.iter().map(told).collect()
}

#[test]
fn every_function_can_be_called() -> Result<()> {
    let device = Device::open(0)?;
    let (mut failed, mut called) = (Vec::new(), 0);
    for function in all() {
        match call(&device, function, None) {
            Ok(_) => called += 1,
            Err(error) => failed.push(format!("{}: {error:#}", function.name)),
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(called > 200, "{called}");
    Ok(())
}

/// Flags that change nothing for operands as small and as plain as those above: without equal elements, NaN, a rest behind the
/// last window, more rows than columns, or probabilities of 0.
const WITHOUT_EFFECT: &[&str] = &[
    "elu_backward is_result",
    "is_close equal_nan",
    "sort stable",
    "argsort stable",
    "topk unsorted",
    "attention causal",
    "avg_pool2d ceil",
    "avg_pool2d count_include_pad",
    "avg_pool2d_backward ceil",
    "avg_pool2d_backward count_include_pad",
    "avg_pool3d ceil",
    "avg_pool3d count_include_pad",
    "avg_pool3d_backward ceil",
    "avg_pool3d_backward count_include_pad",
    "max_pool2d ceil",
    "max_pool2d_with_indices ceil",
    "max_pool2d_backward ceil",
    "max_pool3d ceil",
    "max_pool3d_backward ceil",
    "fill_diagonal_in_place wrap",
    "multinomial replacement",
    "qr complete",
    "cholesky upper",
    "svd full_matrices",
    "ctc_loss_backward zero_infinity",
];

/// A flag that is given reaches the operator: the results are others than without it.
#[test]
fn flags_change_what_is_computed() -> Result<()> {
    let device = Device::open(0)?;
    let mut without_effect = Vec::new();
    for function in all() {
        for parameter in function.parameters {
            let Some(opposite) = parameter.default.and_then(|default| match default {
                "true" => Some("false"),
                "false" => Some("true"),
                _ => None,
            }) else {
                continue;
            };
            // One that does not fit the operands has arrived too.
            let changed = call(&device, function, Some((parameter.name(), opposite))).ok();
            if changed == call(&device, function, None).ok() {
                without_effect.push(format!("{} {}", function.name, parameter.name()));
            }
        }
    }
    assert_eq!(without_effect, WITHOUT_EFFECT);
    Ok(())
}

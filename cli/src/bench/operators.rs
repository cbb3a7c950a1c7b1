//! The throughput of operators: every function that takes tensors of one type and one shape, and needs no attributes.

use aclnn::{DType, Device, Stream, Tensor};
use anyhow::Result;

use super::measure::{Budget, Measured, timed};
use crate::calls::{Function, Given, Options, Outcome, Value, all};

/// The functions that `--quick` measures, one of each kind.
const QUICK: [&str; 10] = ["add", "div", "maximum", "exp", "gelu", "where_", "sum", "softmax", "sort", "cat"];

/// Returns the series whose titles hold a text.
pub(super) fn series<'a>(
    device: &'a Device,
    dtypes: &[DType],
    is_quick: bool,
    wanted: &str,
) -> Vec<Measured<'a>> {
    let sizes: &[usize] =
        if is_quick { &[10_000, 1_000_000] } else { &[1_000, 10_000, 100_000, 1_000_000, 4_000_000] };
    let mut series = Vec::new();
    for function in all().filter(|function| !is_quick || QUICK.contains(&function.name)) {
        for &dtype in dtypes {
            let one = Measured {
                group: "operators",
                name: format!("{} {dtype}", function.name),
                unit: "GB/s",
                axis: "elements",
                sizes: sizes.to_vec(),
                measure: Box::new(move |elements, budget| {
                    throughput(device, function, dtype, elements, budget)
                }),
            };
            // Which types are not for it, the function says.
            if one.title().contains(wanted) && is_measurable(device, function, dtype).unwrap_or(false) {
                series.push(one);
            }
        }
    }
    series
}

/// Returns the operands of a call: tensors of ones, bool for a condition or a mask.
fn operands(stream: &Stream, function: &Function, dtype: DType, elements: usize) -> Result<Vec<Value>> {
    let operands =
        function.parameters.iter().filter(|parameter| parameter.is_operand() && parameter.is_required());
    operands
        .map(|parameter| {
            let is_condition = matches!(parameter.name(), "condition" | "mask");
            let dtype = if is_condition { DType::Bool } else { dtype };
            Ok(Value::Tensor(Tensor::ones(stream, elements, dtype)?))
        })
        .collect()
}

fn called(device: &Device, function: &Function, operands: &[Value]) -> Result<Outcome> {
    function.call(Given::new(device, operands, [], Options::default()))
}

fn tensors(operands: &[Value]) -> impl Iterator<Item = &Tensor> {
    operands.iter().filter_map(|operand| match operand {
        Value::Tensor(tensor) => Some(tensor),
        Value::Scalar(_) => None,
    })
}

/// Returns whether a function takes tensors of a type and computes something of them that is no view.
fn is_measurable(device: &Device, function: &Function, dtype: DType) -> Result<bool> {
    let mut required = function.parameters.iter().filter(|parameter| parameter.is_required());
    let takes_tensors = function.parameters.iter().any(|parameter| parameter.is_tensor());
    if !takes_tensors || !required.all(|parameter| parameter.is_tensor()) {
        return Ok(false);
    }
    // A stream on which work failed is lost.
    let stream = Stream::new(device)?;
    let operands = operands(&stream, function, dtype, 64)?;
    let results = called(device, function, &operands)?.results;
    results.iter().try_for_each(|result| result.to_bytes().map(drop))?;
    let is_new = |result: &Tensor| tensors(&operands).all(|operand| !operand.shares_buffer_with(result));
    // Those of diag and the like, which grow with the square, would be larger than the memory of a device.
    let given: usize = tensors(&operands).map(bytes).sum();
    let is_small = results.iter().map(bytes).sum::<usize>() <= 8 * given;
    Ok(!results.is_empty() && is_small && results.iter().all(is_new))
}

/// Returns the bytes that operands and results hold, by the time of a call and the wait for it.
fn throughput(
    device: &Device,
    function: &Function,
    dtype: DType,
    elements: usize,
    budget: Budget,
) -> Result<f64> {
    let stream = Stream::new(device)?;
    let operands = operands(&stream, function, dtype, elements)?;
    stream.synchronize()?;
    let mut moved = 0;
    let seconds = budget.best(|| {
        let mut results = Vec::new();
        let time = timed(|| {
            results = called(device, function, &operands)?.results;
            Ok(stream.synchronize()?)
        })?;
        moved = tensors(&operands).chain(&results).map(bytes).sum();
        Ok(time)
    })?;
    Ok(moved as f64 / seconds / 1e9)
}

fn bytes(tensor: &Tensor) -> usize {
    tensor.dtype().storage_bytes(tensor.numel()).unwrap_or(0)
}

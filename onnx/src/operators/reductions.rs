//! Elements along axes combined to one: sums, products, means, norms, extremes and their places.

use aclnn::{DType, Shape, Tensor, ops};

use super::elements::{InType, in_order, signed_in_order};
use super::operator::Operator;
use super::precision::is_short_float;
use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::host::elements::{from_integers, integers, is_whole};
use crate::host::places;
use crate::run::{Call, Prepared};

pub(super) const OPERATORS: &[Operator] = &[
    Operator::node("ReduceL1", 1, |node| by_attribute(node, L1)),
    Operator::node("ReduceL1", 18, |node| by_input(node, L1)),
    Operator::node("ReduceL2", 1, |node| by_attribute(node, L2)),
    Operator::node("ReduceL2", 18, |node| by_input(node, L2)),
    Operator::node("ReduceLogSum", 1, |node| by_attribute(node, LOG_SUM)),
    Operator::node("ReduceLogSum", 18, |node| by_input(node, LOG_SUM)),
    Operator::node("ReduceLogSumExp", 1, |node| by_attribute(node, LOG_SUM_EXP)),
    Operator::node("ReduceLogSumExp", 18, |node| by_input(node, LOG_SUM_EXP)),
    Operator::node("ReduceMax", 1, |node| by_attribute(node, MAX)),
    Operator::node("ReduceMax", 18, |node| by_input(node, MAX)),
    Operator::node("ReduceMean", 1, |node| by_attribute(node, MEAN)),
    Operator::node("ReduceMean", 18, |node| by_input(node, MEAN)),
    Operator::node("ReduceMin", 1, |node| by_attribute(node, MIN)),
    Operator::node("ReduceMin", 18, |node| by_input(node, MIN)),
    Operator::node("ReduceProd", 1, |node| by_attribute(node, PROD)),
    Operator::node("ReduceProd", 18, |node| by_input(node, PROD)),
    Operator::node("ReduceSum", 1, |node| by_attribute(node, SUM)),
    Operator::node("ReduceSum", 13, |node| by_input(node, SUM)),
    Operator::node("ReduceSumSquare", 1, |node| by_attribute(node, SUM_SQUARE)),
    Operator::node("ReduceSumSquare", 18, |node| by_input(node, SUM_SQUARE)),
    Operator::node("ArgMax", 1, |node| position(node, |x, axis| ops::argmax(x).axes(axis).keep_dims().run())),
    Operator::node("ArgMin", 1, |node| position(node, |x, axis| ops::argmin(x).axes(axis).keep_dims().run())),
];

/// A reduction. The axes stay in its result, with one element each.
#[derive(Clone, Copy)]
struct Reducer {
    device: fn(&Call<'_>, &Tensor, &[usize]) -> NodeResult<Tensor>,
    /// Combines integers on the host; `None` where the device does it.
    host: Option<fn(i128, i128) -> i128>,
}

const fn on_device(device: fn(&Call<'_>, &Tensor, &[usize]) -> NodeResult<Tensor>) -> Reducer {
    Reducer { device, host: None }
}

const SUM: Reducer = Reducer { device: |_, x, axes| sum(x, axes), host: Some(|a, b| a + b) };
const PROD: Reducer = Reducer { device: prod, host: Some(i128::wrapping_mul) };
const MAX: Reducer = Reducer {
    device: |call, x, axes| extreme(call, x, axes, true, |x, axes| ops::max(x).axes(axes).keep_dims().run()),
    host: Some(|a, b| a.max(b)),
};
const MIN: Reducer = Reducer {
    device: |call, x, axes| extreme(call, x, axes, false, |x, axes| ops::min(x).axes(axes).keep_dims().run()),
    host: Some(|a, b| a.min(b)),
};
const MEAN: Reducer = on_device(mean);
const L1: Reducer = on_device(|call, x, axes| match is_short_float(x.dtype()) {
    true => Ok(ops::norm(x, 1.0).axes(axes).keep_dims().run()?),
    false => sum(&absolute(call, x)?, axes),
});
const L2: Reducer = on_device(|call, x, axes| match is_short_float(x.dtype()) {
    true => Ok(ops::norm(x, 2.0).axes(axes).keep_dims().run()?),
    false => {
        let squares = sum(&call.widened([x], |[x]| x.mul(x))?, axes)?;
        Ok(squares.in_type(DType::F64)?.sqrt()?.in_type(x.dtype())?)
    }
});
const SUM_SQUARE: Reducer = on_device(|call, x, axes| sum(&call.widened([x], |[x]| x.mul(x))?, axes));
const LOG_SUM: Reducer = on_device(|_, x, axes| {
    let sum = sum(x, axes)?;
    match x.dtype().is_float() {
        true => Ok(sum.log()?),
        false => Ok(sum.in_type(DType::F64)?.log()?.in_type(x.dtype())?),
    }
});
const LOG_SUM_EXP: Reducer = on_device(|call, x, axes| match x.dtype() {
    DType::F32 | DType::F16 | DType::BF16 if x.numel() > 0 => {
        Ok(call.widened([x], |[x]| ops::logsumexp(x).axes(axes).keep_dims().run())?)
    }
    _ => log_sum_exp(call, x, axes),
});

fn by_attribute(node: &Node, reducer: Reducer) -> NodeResult<Prepared> {
    let axes = node.ints("axes")?.unwrap_or_default();
    reduced(node, reducer, false, move |_| Ok(axes.clone()))
}

fn by_input(node: &Node, reducer: Reducer) -> NodeResult<Prepared> {
    let keeps_all = node.flag("noop_with_empty_axes", false)?;
    reduced(node, reducer, keeps_all, |call| Ok(call.optional_ints(1)?.unwrap_or_default()))
}

/// Prepares a reduction. Without axes it combines the elements of all, or those of none if `keeps_all`.
fn reduced(
    node: &Node,
    reducer: Reducer,
    keeps_all: bool,
    axes: impl Fn(&Call<'_>) -> NodeResult<Vec<i64>> + Clone + Send + Sync + 'static,
) -> NodeResult<Prepared> {
    let keeps = node.flag("keepdims", true)?;
    let all_axes = move |call: &Call<'_>| -> NodeResult<Vec<usize>> {
        let rank = call.shape(0)?.rank();
        let mut axes = places::axes(&axes(call)?, rank)?;
        if axes.is_empty() && !keeps_all {
            axes.extend(0..rank);
        }
        axes.sort_unstable();
        axes.dedup();
        Ok(axes)
    };
    let on_host = all_axes.clone();
    let prepared = Prepared::device(move |call| {
        let (x, axes) = (call.tensor(0)?, all_axes(call)?);
        // Functions of the single elements: an axis of one element is combined.
        let result = match axes.is_empty() {
            true => (reducer.device)(call, &x.unsqueeze(0)?, &[0])?.reshape(x.shape())?,
            false => (reducer.device)(call, &x, &axes)?,
        };
        match keeps {
            true => Ok(result),
            false => Ok(result.reshape(without(x.dims(), &axes))?),
        }
    });
    let Some(combine) = reducer.host else { return Ok(prepared) };
    Ok(prepared.or_host(move |call| {
        let (array, axes) = (call.array(0)?, on_host(call)?);
        let result = combined(&array, &axes, combine)?;
        match keeps {
            true => Ok(result),
            false => Ok(result.reshape(without(array.dims(), &axes))?),
        }
    }))
}

fn without(dims: &[usize], axes: &[usize]) -> Shape {
    let kept = dims.iter().enumerate().filter(|(axis, _)| !axes.contains(axis));
    kept.map(|(_, &size)| size).collect()
}

fn with_ones(dims: &[usize], axes: &[usize]) -> Shape {
    let sizes = dims.iter().enumerate();
    sizes.map(|(axis, &size)| if axes.contains(&axis) { 1 } else { size }).collect()
}

/// Combines integers on the host.
fn combined(array: &Array, axes: &[usize], combine: fn(i128, i128) -> i128) -> NodeResult<Array> {
    if !is_whole(array) || array.dtype() == DType::Bool || array.numel() == 0 {
        return Reason::missing("the host combines integers alone");
    }
    let shape = with_ones(array.dims(), axes);
    let mut results: Vec<Option<i128>> = vec![None; shape.numel().unwrap_or(0)];
    for (place, value) in integers(array)?.into_iter().enumerate() {
        // The place of the result: the indices of the axes that stay.
        let (mut rest, mut target, mut step) = (place, 0, 1);
        for (axis, &size) in array.dims().iter().enumerate().rev() {
            let index = rest % size;
            rest /= size;
            if !axes.contains(&axis) {
                target += index * step;
                step *= size;
            }
        }
        if let Some(result) = results.get_mut(target) {
            *result = Some(result.map_or(value, |result| combine(result, value)));
        }
    }
    let results: Vec<i128> = results.into_iter().flatten().collect();
    from_integers(array.dtype(), &results, &shape)
}

/// Returns the type in which integers are added up: that of 64 bits for those without a sign.
fn total_type(dtype: DType) -> DType {
    match dtype {
        DType::U16 | DType::U32 | DType::U64 => DType::I64,
        dtype => dtype,
    }
}

fn sum(x: &Tensor, axes: &[usize]) -> NodeResult<Tensor> {
    let total = total_type(x.dtype());
    let sum = ops::sum(&x.in_type(total)?).axes(axes).keep_dims().dtype(total).run()?;
    Ok(sum.in_type(x.dtype())?)
}

fn prod(_: &Call<'_>, x: &Tensor, axes: &[usize]) -> NodeResult<Tensor> {
    let total = total_type(x.dtype());
    let product = ops::prod(&x.in_type(total)?).axes(axes).keep_dims().dtype(total).run()?;
    Ok(product.in_type(x.dtype())?)
}

fn mean(call: &Call<'_>, x: &Tensor, axes: &[usize]) -> NodeResult<Tensor> {
    if x.dtype().is_float() {
        return call.widened([x], |[x]| ops::mean(x).axes(axes).keep_dims().run());
    }
    let sizes = axes.iter().filter_map(|&axis| x.dims().get(axis));
    let count = sizes.fold(1usize, |count, &size| count.saturating_mul(size));
    let total = sum(&x.in_type(DType::I64)?, axes)?;
    // No elements have the mean 0.
    let count = count.max(1);
    let quotient = total.sub(&total.fmod(count)?)?.floor_divide(count)?;
    Ok(quotient.in_type(x.dtype())?)
}

fn absolute(call: &Call<'_>, x: &Tensor) -> NodeResult<Tensor> {
    match x.dtype() {
        DType::U8 | DType::U16 | DType::U32 | DType::U64 => Ok(x.clone()),
        _ => call.widened([x], |[x]| x.abs()),
    }
}

/// Returns the greatest or smallest elements; of none the end of the range of the type.
fn extreme(
    call: &Call<'_>,
    x: &Tensor,
    axes: &[usize],
    is_greatest: bool,
    run: fn(&Tensor, &[usize]) -> Result<Tensor, aclnn::Error>,
) -> NodeResult<Tensor> {
    let shape = with_ones(x.dims(), axes);
    if x.numel() > 0 || shape.numel() == Some(0) {
        return match (x.dtype(), x.numel()) {
            (dtype, 0) => Ok(Tensor::empty(call.stream(), shape, dtype)?),
            _ => in_order(call, [x], |[x]| run(x, axes)),
        };
    }
    let on = call.stream();
    if x.dtype().is_float() {
        let end = if is_greatest { f32::NEG_INFINITY } else { f32::INFINITY };
        return Ok(Tensor::full(on, shape, end, x.dtype())?);
    }
    let end = if is_greatest { least(x.dtype()) } else { most(x.dtype()) };
    Ok(Tensor::full(on, shape, end, DType::I64)?.in_type(x.dtype())?)
}

fn least(dtype: DType) -> i64 {
    match dtype {
        DType::I8 => i8::MIN.into(),
        DType::I16 => i16::MIN.into(),
        DType::I32 => i32::MIN.into(),
        DType::I64 => i64::MIN,
        _ => 0,
    }
}

fn most(dtype: DType) -> i64 {
    match dtype {
        DType::I8 => i8::MAX.into(),
        DType::I16 => i16::MAX.into(),
        DType::I32 => i32::MAX.into(),
        DType::I64 => i64::MAX,
        DType::U8 => u8::MAX.into(),
        DType::U16 => u16::MAX.into(),
        DType::U32 => u32::MAX.into(),
        // All bits.
        DType::U64 => -1,
        _ => 1,
    }
}

/// Returns the logarithms of sums of exponentials of f64 and of integers, with the greatest element taken out.
fn log_sum_exp(call: &Call<'_>, x: &Tensor, axes: &[usize]) -> NodeResult<Tensor> {
    if x.numel() == 0 {
        return extreme(call, x, axes, true, |x, axes| ops::max(x).axes(axes).keep_dims().run());
    }
    let wide = x.in_type(DType::F64)?;
    let most = ops::max(&wide).axes(axes).keep_dims().run()?;
    // An infinity must not be subtracted from itself.
    let shift = ops::where_(&most.abs()?.eq(f64::INFINITY)?, 0.0, &most).run()?;
    let sum = ops::sum(&wide.sub(&shift)?.exp()?).axes(axes).keep_dims().run()?;
    Ok(sum.log()?.add(&shift)?.in_type(x.dtype())?)
}

fn position(node: &Node, run: fn(&Tensor, usize) -> Result<Tensor, aclnn::Error>) -> NodeResult<Prepared> {
    let (axis, keeps) = (node.int("axis", 0)?, node.flag("keepdims", true)?);
    let takes_last = node.flag("select_last_index", false)?;
    Ok(Prepared::device(move |call| {
        let x = call.tensor(0)?;
        let axis = places::axis(axis, x.rank())?;
        let size = x.dims().get(axis).copied().unwrap_or(0) as i64;
        let x = if takes_last { x.flip(axis)? } else { x };
        let x = if x.dtype() == DType::U64 { signed_in_order(&x)? } else { x };
        let (mut places, _) = call.widened_as([&x], |[x]| run(x, axis))?;
        if takes_last {
            places = places.neg()?.add(size - 1)?;
        }
        match keeps {
            true => Ok(places),
            false => Ok(places.squeeze(axis)?),
        }
    }))
}

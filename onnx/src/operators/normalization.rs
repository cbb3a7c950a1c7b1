//! Normalisations: elements less their mean, divided by their spread.

use aclnn::ops;
use aclnn::{DType, Tensor};

use super::operator::Operator;
use super::precision::is_short_float;
use super::shapes::in_shape;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::host::places;
use crate::run::{Call, Prepared, Values};

pub(super) const OPERATORS: &[Operator] = &[
    Operator::node("BatchNormalization", 1, batch),
    Operator::node("InstanceNormalization", 1, instance),
    Operator::node("LayerNormalization", 17, layer),
    Operator::node("GroupNormalization", 18, |node| group(node, true)),
    Operator::node("GroupNormalization", 21, |node| group(node, false)),
    Operator::node("RMSNormalization", 23, root_mean_square),
    Operator::node("LRN", 1, local_response),
];

/// Returns a number for each channel in a shape that broadcasts with the tensor.
fn of_channels(numbers: &Tensor, rank: usize) -> NodeResult<Tensor> {
    let rest = (rank.max(2) - 2).min(rank);
    let shape: Vec<usize> = numbers.dims().iter().copied().chain(vec![1; rest]).collect();
    in_shape(numbers, shape.into())
}

fn batch(node: &Node) -> NodeResult<Prepared> {
    // Before version 7 a model for training said so, and had more outputs.
    node.ignore(&["is_test", "consumed_inputs"]);
    let epsilon = node.float("epsilon", 1e-5)?;
    let momentum = node.float("momentum", 0.9)?;
    let spatial = node.flag("spatial", true)?;
    let training = node.flag("training_mode", false)?;
    Ok(Prepared::device(move |call| {
        let x = call.tensor(0)?;
        if training {
            return trained(call, &x, epsilon, momentum);
        }
        let [scale, bias, mean, variance] =
            [call.tensor(1)?, call.tensor(2)?, call.tensor(3)?, call.tensor(4)?];
        if spatial
            && x.rank() >= 2
            && [&x, &scale, &bias, &mean, &variance].iter().all(|t| is_short_float(t.dtype()))
        {
            let norm = ops::batch_norm_inference(&x, &mean, &variance);
            return Ok(Values::from(norm.weight(&scale).bias(&bias).eps(epsilon.into()).run()?));
        }
        let of = |numbers: &Tensor| {
            let numbers = call.wide(numbers)?;
            if spatial { of_channels(&numbers, x.rank()) } else { Ok(numbers) }
        };
        let y = by_statistics(
            &call.wide(&x)?,
            [&of(&mean)?, &of(&variance)?],
            [&of(&scale)?, &of(&bias)?],
            epsilon,
        )?;
        Ok(call.as_type(y, x.dtype())?.into())
    }))
}

/// Returns `(x − mean) / √(variance + ε) · scale + bias`.
fn by_statistics(
    x: &Tensor,
    [mean, variance]: [&Tensor; 2],
    [scale, bias]: [&Tensor; 2],
    epsilon: f32,
) -> Result<Tensor, aclnn::Error> {
    let factor = scale.div(&variance.add(epsilon)?.sqrt()?)?;
    x.sub(mean)?.mul(&factor)?.add(bias)
}

/// Normalises by the statistics of the batch, and moves the running ones.
fn trained(call: &Call<'_>, x: &Tensor, epsilon: f32, momentum: f32) -> NodeResult<Values> {
    let wide = call.wide(x)?;
    let axes: Vec<i64> = (0..x.rank() as i64).filter(|axis| *axis != 1).collect();
    let mean = ops::mean(&wide).axes(&axes).keep_dims().run()?;
    let less = wide.sub(&mean)?;
    let variance = ops::mean(&less.mul(&less)?).axes(&axes).keep_dims().run()?;
    let of = |input: usize| of_channels(&call.wide(&call.tensor(input)?)?, x.rank());
    let y = by_statistics(&wide, [&mean, &variance], [&of(1)?, &of(2)?], epsilon)?;
    let mut outputs = vec![call.as_type(y, x.dtype())?];
    for (input, own) in [(3, mean), (4, variance)] {
        let running = call.tensor(input)?;
        let own = call.wide(&in_shape(&own, running.shape().clone())?)?.mul(1.0 - momentum)?;
        let moved = call.wide(&running)?.mul(momentum)?.add(&own)?;
        outputs.push(call.as_type(moved, running.dtype())?);
    }
    Ok(outputs.into())
}

fn instance(node: &Node) -> NodeResult<Prepared> {
    let epsilon = node.float("epsilon", 1e-5)?;
    node.ignore(&["consumed_inputs"]);
    Ok(Prepared::device(move |call| {
        let (x, scale, bias) = (call.tensor(0)?, call.tensor(1)?, call.tensor(2)?);
        if is_short_float(x.dtype()) && epsilon > 0.0 && x.numel() > 0 {
            return Ok(ops::instance_norm(&x).weight(&scale).bias(&bias).eps(epsilon.into()).run()?);
        }
        let axes: Vec<i64> = (2..x.rank() as i64).collect();
        let y = normalised(&call.wide(&x)?, &axes, epsilon)?;
        let of = |numbers: &Tensor| of_channels(&call.wide(numbers)?, x.rank());
        call.as_type(y.mul(&of(&scale)?)?.add(&of(&bias)?)?, x.dtype())
    }))
}

/// Returns the elements less their mean along axes, divided by their standard deviation.
fn normalised(x: &Tensor, axes: &[i64], epsilon: f32) -> Result<Tensor, aclnn::Error> {
    let less = x.sub(&ops::mean(x).axes(axes).keep_dims().run()?)?;
    let variance = ops::mean(&less.mul(&less)?).axes(axes).keep_dims().run()?;
    less.div(&variance.add(epsilon)?.sqrt()?)
}

/// Reads the type in which statistics are computed.
fn stash_type(node: &Node) -> NodeResult<DType> {
    Ok(node.dtype("stash_type")?.unwrap_or(DType::F32))
}

/// Returns a scale or a bias in the shape of the axes that are normalised.
fn over_rows(numbers: &Tensor, rows: &[usize]) -> NodeResult<Tensor> {
    match numbers.dims() == rows {
        true => Ok(numbers.clone()),
        false => Ok(numbers.broadcast_to(rows)?.contiguous()?),
    }
}

fn layer(node: &Node) -> NodeResult<Prepared> {
    let epsilon = node.float("epsilon", 1e-5)?;
    let axis = node.int("axis", -1)?;
    let stash = stash_type(node)?;
    Ok(Prepared::device(move |call| {
        let (x, scale, bias) = (call.tensor(0)?, call.tensor(1)?, call.optional_tensor(2)?);
        let axis = places::axis(axis, x.rank())?;
        let (_, rows) = x.dims().split_at_checked(axis).unwrap_or_default();
        let fits = |numbers: &Tensor| numbers.dtype() == x.dtype() && numbers.rank() <= rows.len();
        let short =
            is_short_float(x.dtype()) && fits(&scale) && bias.as_ref().is_none_or(fits) && x.numel() > 0;
        if !short || stash == DType::F64 {
            return layer_by_steps(call, &x, (&scale, bias.as_ref()), axis, (stash, epsilon));
        }
        let (scale, bias) = (over_rows(&scale, rows)?, bias.map(|bias| over_rows(&bias, rows)).transpose()?);
        let norm = ops::layer_norm(&x, rows).weight(&scale).eps(epsilon.into());
        let norm = match &bias {
            Some(bias) => norm.bias(bias),
            None => norm,
        };
        let (y, mean, inverse) = norm.run_with_statistics()?;
        Ok((y, call.as_type(mean, stash)?, call.as_type(inverse, stash)?).into())
    }))
}

fn layer_by_steps(
    call: &Call<'_>,
    x: &Tensor,
    (scale, bias): (&Tensor, Option<&Tensor>),
    axis: usize,
    (stash, epsilon): (DType, f32),
) -> NodeResult<Values> {
    let axes: Vec<i64> = (axis as i64..x.rank() as i64).collect();
    let wide = if stash == DType::F64 { call.as_type(x.clone(), stash)? } else { call.wide(x)? };
    let mean = ops::mean(&wide).axes(&axes).keep_dims().run()?;
    let less = wide.sub(&mean)?;
    let variance = ops::mean(&less.mul(&less)?).axes(&axes).keep_dims().run()?;
    let inverse = variance.add(epsilon)?.sqrt()?.reciprocal()?;
    let of = |numbers: &Tensor| call.as_type(numbers.clone(), wide.dtype());
    let mut y = less.mul(&inverse)?.mul(&of(scale)?)?;
    if let Some(bias) = bias {
        y = y.add(&of(bias)?)?;
    }
    Ok((call.as_type(y, x.dtype())?, call.as_type(mean, stash)?, call.as_type(inverse, stash)?).into())
}

fn group(node: &Node, by_group: bool) -> NodeResult<Prepared> {
    let epsilon = node.float("epsilon", 1e-5)?;
    let groups = match usize::try_from(node.required_int("num_groups")?) {
        Ok(groups) if groups > 0 => groups,
        _ => return Reason::text("its attribute `num_groups` is not positive"),
    };
    stash_type(node)?;
    Ok(Prepared::device(move |call| {
        let x = call.tensor(0)?;
        let &[batches, channels, ..] = x.dims() else { return Reason::text("its images have no channels") };
        if channels % groups != 0 {
            return Reason::text(format!("{channels} channels are not {groups} groups of one size"));
        }
        let of = |input: usize| {
            let numbers = call.tensor(input)?;
            match by_group && numbers.dims() == [groups] && groups != channels {
                true => Ok(numbers.repeat_interleave(channels / groups, 0)?),
                false => NodeResult::Ok(numbers),
            }
        };
        let (scale, bias) = (of(1)?, of(2)?);
        if is_short_float(x.dtype()) && epsilon > 0.0 && x.numel() > 0 {
            let norm = ops::group_norm(&x, groups).weight(&scale).bias(&bias).eps(epsilon.into());
            return Ok(norm.run()?);
        }
        let each = x.numel().checked_div(batches * groups).unwrap_or(0);
        let grouped = call.wide(&x)?.contiguous()?.reshape([batches, groups, each])?;
        let y = normalised(&grouped, &[2], epsilon)?.reshape(x.shape().clone())?;
        let of = |numbers: &Tensor| of_channels(&call.wide(numbers)?, x.rank());
        call.as_type(y.mul(&of(&scale)?)?.add(&of(&bias)?)?, x.dtype())
    }))
}

fn root_mean_square(node: &Node) -> NodeResult<Prepared> {
    let epsilon = node.float("epsilon", 1e-5)?;
    let axis = node.int("axis", -1)?;
    let stash = stash_type(node)?;
    Ok(Prepared::device(move |call| {
        let (x, scale) = (call.tensor(0)?, call.tensor(1)?);
        let axis = places::axis(axis, x.rank())?;
        let (_, rows) = x.dims().split_at_checked(axis).unwrap_or_default();
        if is_short_float(x.dtype())
            && scale.dtype() == x.dtype()
            && scale.rank() <= rows.len()
            && stash != DType::F64
            && x.numel() > 0
        {
            return Ok(ops::rms_norm(&x, &over_rows(&scale, rows)?, epsilon.into())?.0);
        }
        let axes: Vec<i64> = (axis as i64..x.rank() as i64).collect();
        let wide = if stash == DType::F64 { call.as_type(x.clone(), stash)? } else { call.wide(&x)? };
        let mean = ops::mean(&wide.mul(&wide)?).axes(&axes).keep_dims().run()?;
        let y = wide.div(&mean.add(epsilon)?.sqrt()?)?;
        let y = y.mul(&call.as_type(scale.clone(), wide.dtype())?)?;
        call.as_type(y, scale.dtype())
    }))
}

fn local_response(node: &Node) -> NodeResult<Prepared> {
    let (alpha, beta) = (node.float("alpha", 1e-4)?, node.float("beta", 0.75)?);
    let bias = node.float("bias", 1.0)?;
    let size = match usize::try_from(node.required_int("size")?) {
        Ok(size) if (1..=i32::MAX as usize).contains(&size) => size,
        _ => return Reason::text("its attribute `size` is not positive"),
    };
    Ok(Prepared::device(move |call| {
        let x = call.tensor(0)?;
        if x.rank() < 2 {
            return Reason::text("its images have no channels");
        }
        let wide = call.wide(&x)?;
        let pads: Vec<(usize, usize)> =
            (1..x.rank()).map(|axis| if axis == 1 { ((size - 1) / 2, size / 2) } else { (0, 0) }).collect();
        let squares = wide.mul(&wide)?.pad(&pads, ops::PadMode::constant(0))?;
        let sums = squares.windows(1, size, 1)?.sum(-1)?;
        let factor = sums.mul(alpha / size as f32)?.add(bias)?.pow(beta)?;
        call.as_type(wide.div(&factor)?, x.dtype())
    }))
}

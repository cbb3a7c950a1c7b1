//! Convolutions of floats.

use aclnn::ops::{self, Convolution, Precision};
use aclnn::{DType, Tensor};

use super::super::precision::precision;
use super::windows::{Axis, Moves, each, image, padded};
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::run::Prepared;

pub(super) fn conv(node: &Node) -> NodeResult<Prepared> {
    let (moves, groups) = (Moves::of(node)?, groups(node)?);
    Ok(Prepared::device(move |call| {
        let (x, w, bias) = (call.tensor(0)?, call.tensor(1)?, call.optional_tensor(2)?);
        convolved(&x, &w, bias.as_ref(), &moves, groups)
    }))
}

/// Reads the number of groups of channels.
pub(super) fn groups(node: &Node) -> NodeResult<usize> {
    match usize::try_from(node.int("group", 1)?) {
        Ok(groups) if groups > 0 => Ok(groups),
        _ => Reason::text("its attribute `group` is not positive"),
    }
}

/// Returns a convolution.
pub(super) fn convolved(
    x: &Tensor,
    weight: &Tensor,
    bias: Option<&Tensor>,
    moves: &Moves,
    groups: usize,
) -> NodeResult<Tensor> {
    let axes = moves.axes(image(x.dims())?, image(weight.dims())?)?;
    if x.dtype() == DType::F64 {
        return by_elements(x, weight, bias, &axes, groups);
    }
    // What both sides have in common needs no copy of the image.
    let rest: Vec<(usize, usize)> =
        axes.iter().map(|axis| (axis.before - both(axis), axis.after - both(axis))).collect();
    let x = &padded(x, &rest, 0)?;
    let precision = precision(x);
    match axes.len() {
        1 => run(ops::conv1d(x, weight), bias, &axes, (groups, precision)),
        2 => run(ops::conv2d(x, weight), bias, &axes, (groups, precision)),
        3 => run(ops::conv3d(x, weight), bias, &axes, (groups, precision)),
        axes => Reason::missing(format!("images have {axes} axes, and not one to three")),
    }
}

/// Returns the pads that both sides have.
fn both(axis: &Axis) -> usize {
    axis.before.min(axis.after)
}

fn run<'a, const N: usize>(
    prepared: Convolution<'a, N>,
    bias: Option<&'a Tensor>,
    axes: &[Axis],
    (groups, precision): (usize, Precision),
) -> NodeResult<Tensor> {
    let prepared = prepared
        .stride(each(axes, |axis| axis.stride)?)
        .dilation(each(axes, |axis| axis.dilation)?)
        .padding(each(axes, both)?)
        .groups(groups)
        .precision(precision);
    Ok(match bias {
        Some(bias) => prepared.bias(bias).run()?,
        None => prepared.run()?,
    })
}

/// Convolves elements of a type that the device does not convolve: one product and sum for each element of the window.
fn by_elements(
    x: &Tensor,
    weight: &Tensor,
    bias: Option<&Tensor>,
    axes: &[Axis],
    groups: usize,
) -> NodeResult<Tensor> {
    let (&[batches, channels, ..], &[made, each_group, ..]) = (x.dims(), weight.dims()) else {
        return Reason::text("images and weights have axes for batches and channels");
    };
    if each_group.checked_mul(groups) != Some(channels) || made % groups != 0 {
        return Reason::text(format!(
            "{channels} channels do not suit {each_group} in each of {groups} groups"
        ));
    }
    let pads: Vec<(usize, usize)> = axes.iter().map(Axis::reached).collect();
    let x = padded(x, &pads, 0)?;
    let counts: Vec<usize> = axes.iter().map(|axis| axis.count).collect();
    if counts.contains(&0) {
        return Ok(Tensor::zeros(x.stream(), [&[batches, made], &counts[..]].concat(), x.dtype())?);
    }
    let taps: usize = axes.iter().map(|axis| axis.kernel).product();
    let weight = weight.contiguous()?.reshape([groups, made / groups, each_group, taps])?;
    let ones = vec![1; axes.len()];
    let mut sum: Option<Tensor> = None;
    for tap in 0..taps {
        let mut under = x.clone();
        let mut rest = tap;
        for (place, axis) in axes.iter().enumerate().rev() {
            let start = rest % axis.kernel * axis.dilation;
            rest /= axis.kernel;
            let end = start + (axis.count - 1) * axis.stride + 1;
            under = under.slice_step(place + 2, start..end, axis.stride)?;
        }
        let dims = [&[batches, groups, 1, each_group], &counts[..]].concat();
        let under = under.contiguous()?.reshape(dims)?;
        let factor = weight.select(-1, tap)?.contiguous()?;
        let factor = factor.reshape([&[1, groups, made / groups, each_group], &ones[..]].concat())?;
        let part = under.mul(&factor)?.sum(3)?;
        sum = Some(match sum {
            Some(sum) => sum.add(&part)?,
            None => part,
        });
    }
    let Some(sum) = sum else { return Reason::text("its weight is empty") };
    let sum = sum.reshape([&[batches, made], &counts[..]].concat())?;
    Ok(match bias {
        Some(bias) => sum.add(&bias.reshape([&[made], &ones[..]].concat())?)?,
        None => sum,
    })
}

pub(super) fn causal_conv(node: &Node) -> NodeResult<Prepared> {
    let activation = node.text("activation", "none")?;
    let is_silu = match activation.as_str() {
        "none" => false,
        "silu" | "swish" => true,
        other => return Reason::text(format!("its `activation` is `{other}`")),
    };
    Ok(Prepared::device(move |call| {
        let (x, weight, bias) = (call.tensor(0)?, call.tensor(1)?, call.optional_tensor(2)?);
        let (&[batches, channels, length], &[_, _, size]) = (x.dims(), weight.dims()) else {
            return Reason::text("its input and its weight have three axes");
        };
        let Some(carried) = size.checked_sub(1) else { return Reason::text("its weight is empty") };
        let all = match call.optional_tensor(3)? {
            Some(past) => ops::cat(&[&past, &x], 2).run()?,
            None => padded(&x, &[(carried, 0)], 0)?,
        };
        if all.dims() != [batches, channels, length + carried] {
            return Reason::text(format!(
                "its past state does not have {} elements for each channel",
                carried
            ));
        }
        let convolution = ops::conv1d(&all, &weight).groups(channels).precision(precision(&all));
        let y = match &bias {
            Some(bias) => convolution.bias(bias).run()?,
            None => convolution.run()?,
        };
        let y = if is_silu { y.silu()? } else { y };
        Ok((y, all.narrow(2, length, carried)?.copy()?))
    }))
}

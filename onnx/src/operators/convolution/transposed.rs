//! Transposed convolutions.

use aclnn::Tensor;
use aclnn::ops::{self, Convolution, Precision};

use super::super::precision::precision;
use super::plain::groups;
use super::windows::{AutoPad, Axis, Moves, each, image, padded, sizes};
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::run::Prepared;

/// The way in which the size of the result is given.
struct Size {
    output_padding: Option<Vec<usize>>,
    output_shape: Option<Vec<usize>>,
}

/// The part of the whole result along one axis that is the result, and how many elements without a source follow.
#[derive(Clone, Copy)]
struct Part {
    before: usize,
    size: usize,
    whole: usize,
}

pub(super) fn conv_transpose(node: &Node) -> NodeResult<Prepared> {
    let (moves, groups) = (Moves::of(node)?, groups(node)?);
    let list = |name: &str| -> NodeResult<Option<Vec<usize>>> {
        node.ints(name)?.map(|values| sizes(name, &values, 0)).transpose()
    };
    let size = Size { output_padding: list("output_padding")?, output_shape: list("output_shape")? };
    Ok(Prepared::device(move |call| {
        let (x, weight, bias) = (call.tensor(0)?, call.tensor(1)?, call.optional_tensor(2)?);
        let axes = moves.given(image(x.dims())?, image(weight.dims())?)?;
        let parts = size.parts(&axes, moves.auto_pad())?;
        let precision = precision(&x);
        match axes.len() {
            1 => run(ops::conv_transpose1d(&x, &weight), bias.as_ref(), &axes, &parts, (groups, precision)),
            2 => run(ops::conv_transpose2d(&x, &weight), bias.as_ref(), &axes, &parts, (groups, precision)),
            3 => run(ops::conv_transpose3d(&x, &weight), bias.as_ref(), &axes, &parts, (groups, precision)),
            axes => Reason::missing(format!("images have {axes} axes, and not one to three")),
        }
    }))
}

impl Size {
    fn parts(&self, axes: &[Axis], auto_pad: AutoPad) -> NodeResult<Vec<Part>> {
        let shape = match &self.output_shape {
            // It may have batches and channels, too.
            Some(shape) => match shape.len().checked_sub(axes.len()).and_then(|first| shape.get(first..)) {
                Some(shape) => Some(shape),
                None => return Reason::text(format!("its `output_shape` {shape:?} has too few numbers")),
            },
            None => None,
        };
        let number = |list: &Option<Vec<usize>>, axis: usize| match list {
            None => Ok(0),
            Some(list) => match list.get(axis) {
                Some(&number) if list.len() == axes.len() => Ok(number),
                _ => Reason::text(format!(
                    "its `output_padding` {list:?} does not have {} numbers",
                    axes.len()
                )),
            },
        };
        let part = |(place, axis): (usize, &Axis)| {
            let Some(steps) = axis.size.checked_sub(1) else {
                return Reason::text("an axis of its images is empty");
            };
            let whole = steps.saturating_mul(axis.stride).saturating_add(axis.reach());
            let extra = number(&self.output_padding, place)?;
            let wanted = match (shape.and_then(|shape| shape.get(place)), auto_pad) {
                (Some(&size), _) => Some(size),
                (None, AutoPad::SameUpper | AutoPad::SameLower) => {
                    Some(axis.size.saturating_mul(axis.stride))
                }
                _ => None,
            };
            if let Some(size) = wanted {
                let (before, _) = auto_pad.shared((whole + extra).saturating_sub(size));
                return Ok(Part { before, size, whole });
            }
            match (whole + extra).checked_sub(axis.before + axis.after) {
                Some(size) => Ok(Part { before: axis.before, size, whole }),
                None => Reason::text("its pads leave nothing of the result"),
            }
        };
        axes.iter().enumerate().map(part).collect()
    }
}

fn run<'a, const N: usize>(
    prepared: Convolution<'a, N>,
    bias: Option<&'a Tensor>,
    axes: &[Axis],
    parts: &[Part],
    (groups, precision): (usize, Precision),
) -> NodeResult<Tensor> {
    let prepared = prepared
        .stride(each(axes, |axis| axis.stride)?)
        .dilation(each(axes, |axis| axis.dilation)?)
        .groups(groups)
        .precision(precision);
    // The operator leaves out as many elements on both sides, and adds a few behind.
    let fits = |(part, axis): (&Part, &Axis)| {
        let left = part.whole.checked_sub(2 * part.before)?;
        let extra = part.size.checked_sub(left)?;
        (left > 0 && extra < axis.stride.max(axis.dilation)).then_some(extra)
    };
    let extra: Option<Vec<usize>> = parts.iter().zip(axes).map(fits).collect();
    if let Some(Ok(extra)) = extra.map(<[usize; N]>::try_from) {
        let mut before = [0; N];
        for (before, part) in before.iter_mut().zip(parts) {
            *before = part.before;
        }
        let prepared = prepared.padding(before).output_padding(extra);
        return Ok(match bias {
            Some(bias) => prepared.bias(bias).run()?,
            None => prepared.run()?,
        });
    }
    let mut y = prepared.run()?;
    let mut behind = Vec::with_capacity(N);
    for (place, part) in parts.iter().enumerate() {
        let there = part.whole.saturating_sub(part.before).min(part.size);
        y = y.narrow(place + 2, part.before.min(part.whole), there)?;
        behind.push((0, part.size - there));
    }
    let y = padded(&y, &behind, 0)?;
    Ok(match bias {
        Some(bias) => {
            let shape: Vec<usize> = bias.dims().iter().copied().chain([1; N]).collect();
            y.add(&bias.reshape(shape)?)?
        }
        None => y.contiguous()?,
    })
}

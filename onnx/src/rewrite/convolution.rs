//! What follows a convolution channel by channel - a norm, factors, summands - folded into its weights, and factors and
//! summands after a norm into its parameters: computed with 64 bits, rounded once.

use aclnn::DType;

use super::pattern::Pattern;
use crate::array::Array;
use crate::graph::{Attribute, Node, ValueId};

/// A factor and a summand for each channel.
struct Line {
    factors: Vec<f64>,
    summands: Vec<f64>,
}

/// Folds a norm after a convolution.
pub(super) fn norm(pattern: &mut Pattern, place: usize) -> Option<()> {
    let node = pattern.node(place).filter(|node| is_norm(node))?;
    let conv = pattern.made_by(pattern.input(&node, 0)?, "Conv")?;
    let line = line_of_norm(pattern, &node)?;
    fold_into_weights(pattern, place, &conv, &line)
}

/// Folds factors or summands for each channel after a convolution or a norm whose output nothing else uses.
pub(super) fn scale(pattern: &mut Pattern, place: usize) -> Option<()> {
    let node = pattern.node(place).filter(|node| node.domain.is_empty() && node.version >= 7)?;
    let is_product = node.operator == "Mul";
    (is_product || node.operator == "Add").then_some(())?;
    let is_base =
        |id| pattern.made_by(id, "Conv").is_some() || pattern.maker(id).is_some_and(|it| is_norm(&it));
    let [input, own] = pattern.either(&node, is_base)?;
    let base = pattern.maker(input).filter(|_| pattern.uses(input) == 1)?;
    let (own, rank) = (pattern.made_constant(own)?.clone(), pattern.rank(input)?);
    let channels = *pattern.made_constant(pattern.input(&base, 1)?)?.dims().first()?;
    let numbers = of_channels(&own, channels, rank)?;
    let line = match is_product {
        true => Line { summands: vec![0.0; channels], factors: numbers },
        false => Line { factors: vec![1.0; channels], summands: numbers },
    };
    match is_norm(&base) {
        true => fold_into_norm(pattern, place, &base, &line),
        false => fold_into_weights(pattern, place, &base, &line),
    }
}

/// Returns whether a node is a norm by statistics that never change.
fn is_norm(node: &Node) -> bool {
    let trains = matches!(node.attributes.get("training_mode"), Some(Attribute::Int(1)));
    let by_place = matches!(node.attributes.get("spatial"), Some(Attribute::Int(0)));
    // The statistics are outputs of a norm that trains.
    let has_one = node.outputs.iter().flatten().count() == 1;
    let is_named = node.domain.is_empty() && node.operator == "BatchNormalization";
    is_named && node.version >= 7 && !trains && !by_place && has_one
}

/// Returns one number for each channel, of an array that broadcasts with elements of a rank.
fn of_channels(array: &Array, channels: usize, rank: usize) -> Option<Vec<f64>> {
    // Axes that it lacks are the first ones.
    let lacks = rank.checked_sub(array.rank())?;
    let is_line = |(axis, &size): (usize, &usize)| size == 1 || axis + lacks == 1 && size == channels;
    (array.dtype() == DType::F32 && array.dims().iter().enumerate().all(is_line)).then_some(())?;
    match array.to_f64s().ok()? {
        numbers if numbers.len() == channels => Some(numbers),
        numbers => Some(vec![*numbers.first()?; channels]),
    }
}

/// Returns the elements of a vector for the channels.
fn vector(pattern: &mut Pattern, id: ValueId, channels: usize) -> Option<Vec<f64>> {
    let array = pattern.made_constant(id)?;
    (array.dtype() == DType::F32 && array.dims() == [channels]).then_some(())?;
    array.to_f64s().ok()
}

/// Returns what a norm does with each channel.
fn line_of_norm(pattern: &mut Pattern, node: &Node) -> Option<Line> {
    let scale = pattern.input(node, 1)?;
    let channels = pattern.made_constant(scale)?.numel();
    let mut parameter = |number| vector(pattern, pattern.input(node, number)?, channels);
    let (scale, shift, mean, variance) = (parameter(1)?, parameter(2)?, parameter(3)?, parameter(4)?);
    let eps = match node.attributes.get("epsilon") {
        Some(Attribute::Float(eps)) => f64::from(*eps),
        _ => f64::from(1e-5f32),
    };
    let factors: Vec<f64> = scale.iter().zip(&variance).map(|(scale, v)| scale / (v + eps).sqrt()).collect();
    let summands = shift.iter().zip(&mean).zip(&factors).map(|((shift, mean), factor)| shift - mean * factor);
    Some(Line { summands: summands.collect(), factors })
}

fn fold_into_weights(pattern: &mut Pattern, place: usize, conv: &Node, line: &Line) -> Option<()> {
    let weights = pattern.made_constant(pattern.input(conv, 1)?)?.clone();
    let (&channels, each) = weights.dims().split_first()?;
    let each: usize = each.iter().product();
    let suits = weights.dtype() == DType::F32 && each > 0 && line.factors.len() == channels;
    (suits && channels > 0).then_some(())?;
    let bias = match conv.inputs.get(2).copied().flatten() {
        Some(bias) => vector(pattern, bias, channels)?,
        None => vec![0.0; channels],
    };
    let old = weights.to_f64s().ok()?;
    let folded = old.chunks(each).zip(&line.factors);
    let folded: Vec<f64> =
        folded.flat_map(|(weights, factor)| weights.iter().map(move |weight| weight * factor)).collect();
    let folded = Array::from_f64s(DType::F32, &folded, weights.shape().clone()).ok()?;
    let bias = moved(&bias, line)?;
    let source = pattern.input(conv, 0)?;
    let (folded, bias) = (pattern.add_constant(folded), pattern.add_constant(bias));
    let names = ["auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"];
    let inputs = vec![Some(source), Some(folded), Some(bias)];
    pattern.replace(place, "", "Conv", inputs, copied(conv, &names)?)
}

fn fold_into_norm(pattern: &mut Pattern, place: usize, norm: &Node, line: &Line) -> Option<()> {
    let channels = line.factors.len();
    let scale = vector(pattern, pattern.input(norm, 1)?, channels)?;
    let shift = vector(pattern, pattern.input(norm, 2)?, channels)?;
    let scale: Vec<f64> = scale.iter().zip(&line.factors).map(|(scale, factor)| scale * factor).collect();
    let scale = Array::from_f64s(DType::F32, &scale, [channels]).ok()?;
    let shift = moved(&shift, line)?;
    let rest = (3..5).map(|number| pattern.input(norm, number)).collect::<Option<Vec<ValueId>>>()?;
    let own = [pattern.input(norm, 0)?, pattern.add_constant(scale), pattern.add_constant(shift)];
    let inputs = own.into_iter().chain(rest).map(Some).collect();
    pattern.replace(place, "", "BatchNormalization", inputs, copied(norm, &["epsilon"])?)
}

/// Returns summands after a line for each channel.
fn moved(summands: &[f64], line: &Line) -> Option<Array> {
    let both = summands.iter().zip(line.factors.iter().zip(&line.summands));
    let moved: Vec<f64> = both.map(|(own, (factor, summand))| own * factor + summand).collect();
    Array::from_f64s(DType::F32, &moved, [moved.len()]).ok()
}

/// Returns some attributes of a node, those that it has.
fn copied(node: &Node, names: &[&'static str]) -> Option<Vec<(&'static str, Attribute)>> {
    let mut all = Vec::new();
    for name in names {
        match node.attributes.get(name) {
            Some(Attribute::Ints(values)) => all.push((*name, Attribute::Ints(values.clone()))),
            Some(Attribute::Int(value)) => all.push((*name, Attribute::Int(*value))),
            Some(Attribute::Float(value)) => all.push((*name, Attribute::Float(*value))),
            Some(Attribute::Text(text)) => all.push((*name, Attribute::Text(text.clone()))),
            Some(_) => return None,
            None => {}
        }
    }
    Some(all)
}

//! A batch norm after a convolution, folded into the weights: computed with 64 bits, rounded once.

use aclnn::DType;

use super::pattern::Pattern;
use crate::array::Array;
use crate::graph::{Attribute, Node};

pub(super) fn rewrite(pattern: &mut Pattern, place: usize) -> Option<()> {
    let node = pattern.node(place)?;
    (node.domain.is_empty() && node.operator == "BatchNormalization").then_some(())?;
    let trains = matches!(node.attributes.get("training_mode"), Some(Attribute::Int(1)));
    let by_place = matches!(node.attributes.get("spatial"), Some(Attribute::Int(0)));
    // The statistics are outputs of a norm that trains.
    (node.version >= 7 && !trains && !by_place && node.outputs.iter().flatten().count() == 1).then_some(())?;
    let input = pattern.input(&node, 0)?;
    let conv = pattern.made_by(input, "Conv")?;
    let weights = pattern.constant(pattern.input(&conv, 1)?)?.clone();
    let (&channels, each) = weights.dims().split_first()?;
    let each: usize = each.iter().product();
    (weights.dtype() == DType::F32 && channels > 0 && each > 0).then_some(())?;
    let numbers = |id| -> Option<Vec<f64>> {
        let array: &Array = pattern.constant(id)?;
        (array.dtype() == DType::F32 && array.dims() == [channels]).then_some(())?;
        array.to_f64s().ok()
    };
    let parameter = |number| numbers(pattern.input(&node, number)?);
    let (scale, shift, mean, variance) = (parameter(1)?, parameter(2)?, parameter(3)?, parameter(4)?);
    let bias = match conv.inputs.get(2).copied().flatten() {
        Some(bias) => numbers(bias)?,
        None => vec![0.0; channels],
    };
    let eps = match node.attributes.get("epsilon") {
        Some(Attribute::Float(eps)) => f64::from(*eps),
        _ => f64::from(1e-5f32),
    };
    let factors: Vec<f64> = scale.iter().zip(&variance).map(|(scale, v)| scale / (v + eps).sqrt()).collect();
    let old = weights.to_f64s().ok()?;
    let folded =
        old.chunks(each).zip(&factors).flat_map(|(weights, factor)| weights.iter().map(move |w| w * factor));
    let folded: Vec<f64> = folded.collect();
    let moved = bias.iter().zip(&mean).zip(factors.iter().zip(&shift));
    let moved: Vec<f64> =
        moved.map(|((bias, mean), (factor, shift))| (bias - mean) * factor + shift).collect();
    let folded = Array::from_f64s(DType::F32, &folded, weights.shape().clone()).ok()?;
    let moved = Array::from_f64s(DType::F32, &moved, [channels]).ok()?;
    let source = pattern.input(&conv, 0)?;
    let (folded, moved) = (pattern.add_constant(folded), pattern.add_constant(moved));
    let attributes = copied(&conv)?;
    pattern.replace(place, "", "Conv", vec![Some(source), Some(folded), Some(moved)], attributes)
}

/// Returns the attributes of a convolution.
fn copied(conv: &Node) -> Option<Vec<(&'static str, Attribute)>> {
    let names = ["auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"];
    let mut all = Vec::new();
    for name in names {
        match conv.attributes.get(name) {
            Some(Attribute::Ints(values)) => all.push((name, Attribute::Ints(values.clone()))),
            Some(Attribute::Int(value)) => all.push((name, Attribute::Int(*value))),
            Some(Attribute::Text(text)) => all.push((name, Attribute::Text(text.clone()))),
            Some(_) => return None,
            None => {}
        }
    }
    Some(all)
}

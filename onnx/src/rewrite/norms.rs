//! Norms of the last axis, as exporters write them.

use super::pattern::Pattern;
use crate::graph::{Attribute, FUSED, Node, ValueId};

/// Returns the input of a mean along the last axis that keeps the axis.
fn mean_of(pattern: &Pattern, id: ValueId) -> Option<ValueId> {
    let node = pattern.made_by(id, "ReduceMean")?;
    let axes = match node.attributes.get("axes") {
        Some(Attribute::Ints(axes)) => axes.clone(),
        Some(_) => return None,
        None => pattern.integers(pattern.input(&node, 1)?)?,
    };
    let keeps = !matches!(node.attributes.get("keepdims"), Some(Attribute::Int(0)));
    (axes == [-1] && keeps).then(|| pattern.input(&node, 0)).flatten()
}

/// Returns the value whose square a value is.
fn square_of(pattern: &Pattern, id: ValueId) -> Option<ValueId> {
    if let Some(node) = pattern.made_by(id, "Pow") {
        let [base, exponent] = pattern.two(&node)?;
        return (pattern.number(exponent) == Some(2.0)).then_some(base);
    }
    let [a, b] = pattern.two(&*pattern.made_by(id, "Mul")?)?;
    (a == b).then_some(a)
}

/// Returns the value and the number, for `√(mean(value²) + number)`.
fn root(pattern: &Pattern, id: ValueId) -> Option<(ValueId, f64)> {
    let sum = pattern.made_by(pattern.input(&*pattern.made_by(id, "Sqrt")?, 0)?, "Add")?;
    let [eps, mean] = pattern.either(&sum, |id| pattern.number(id).is_some())?;
    Some((square_of(pattern, mean_of(pattern, mean)?)?, pattern.number(eps)?))
}

/// Returns the value and the number, for `value / √(mean(value²) + number)`.
fn normed(pattern: &Pattern, id: ValueId) -> Option<(ValueId, f64)> {
    let node = pattern.maker(id)?;
    let (value, root_id) = match node.operator.as_str() {
        "Div" => pattern.two(&node).map(|[value, root]| (value, root))?,
        "Mul" => {
            let [inverse, value] = pattern.either(&node, |id| inverted(pattern, id).is_some())?;
            (value, inverted(pattern, inverse)?)
        }
        _ => return None,
    };
    let (squared, eps) = root(pattern, root_id)?;
    (squared == value).then_some((value, eps))
}

/// Returns the value whose inverse a value is.
fn inverted(pattern: &Pattern, id: ValueId) -> Option<ValueId> {
    if let Some(node) = pattern.made_by(id, "Reciprocal") {
        return pattern.input(&node, 0);
    }
    let [one, value] = pattern.two(&*pattern.made_by(id, "Div")?)?;
    (pattern.number(one) == Some(1.0)).then_some(value)
}

/// Returns a vector of weights that never changes, and the other input.
fn weighted(pattern: &Pattern, node: &Node) -> Option<[ValueId; 2]> {
    pattern
        .either(node, |id| pattern.constant(id).is_some_and(|array| array.rank() == 1 && array.numel() > 1))
}

/// `weight · x / √(mean(x²) + eps)`.
pub(super) fn root_mean_square(pattern: &mut Pattern, place: usize) -> Option<()> {
    let node = pattern.node(place)?;
    (node.domain.is_empty() && node.operator == "Mul").then_some(())?;
    let [weight, inner] = weighted(pattern, &node)?;
    let (x, eps) = normed(pattern, inner)?;
    let eps = Attribute::number(eps);
    pattern.replace(place, FUSED, "RmsNorm", vec![Some(x), Some(weight)], vec![("epsilon", eps)])
}

/// `weight · (x − mean(x)) / √(mean((x − mean(x))²) + eps) + bias`.
pub(super) fn layer(pattern: &mut Pattern, place: usize) -> Option<()> {
    let node = pattern.node(place)?;
    (node.domain.is_empty() && node.operator == "Add").then_some(())?;
    let [bias, scaled] = weighted(pattern, &node)?;
    let [weight, inner] = weighted(pattern, &*pattern.made_by(scaled, "Mul")?)?;
    let (centred, eps) = normed(pattern, inner)?;
    let [x, mean] = pattern.two(&*pattern.made_by(centred, "Sub")?)?;
    (mean_of(pattern, mean)? == x).then_some(())?;
    let eps = Attribute::number(eps);
    pattern.replace(
        place,
        FUSED,
        "LayerNorm",
        vec![Some(x), Some(weight), Some(bias)],
        vec![("epsilon", eps)],
    )
}

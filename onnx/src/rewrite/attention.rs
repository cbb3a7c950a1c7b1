//! Attention: the softmax of scaled products, times values.

use super::pattern::Pattern;
use crate::graph::{Attribute, FUSED, ValueId};

pub(super) fn rewrite(pattern: &mut Pattern, place: usize) -> Option<()> {
    let node = pattern.node(place)?;
    (node.domain.is_empty() && node.operator == "MatMul").then_some(())?;
    let [weights, value] = pattern.two(&node)?;
    let softmax = pattern.made_by(weights, "Softmax")?;
    let axis = match softmax.attributes.get("axis") {
        Some(Attribute::Int(axis)) => *axis,
        None if softmax.version >= 13 => -1,
        _ => return None,
    };
    matches!(axis, -1 | 3).then_some(())?;
    let scores = pattern.input(&softmax, 0)?;
    // A mask may be added; then the products are the other operand.
    let (scaled, mask) = match pattern.made_by(scores, "Add") {
        Some(sum) => {
            let [scaled, mask] = pattern.either(&sum, |id| scores_of(pattern, id).is_some())?;
            (scaled, Some(mask))
        }
        None => (scores, None),
    };
    let scores = scores_of(pattern, scaled)?;
    let mut inputs = vec![Some(scores.query), Some(scores.key), Some(value), mask];
    inputs.extend(scores.scales.iter().map(|(factor, _)| Some(*factor)));
    let attributes = vec![
        ("scale", Attribute::number(scores.scale)),
        ("scaled", Attribute::Ints(scores.scales.iter().map(|(_, operand)| *operand).collect())),
        ("axis", Attribute::Int(axis)),
    ];
    pattern.replace(place, FUSED, "Attention", inputs, attributes)
}

/// The scaled products of queries with keys.
struct Scores {
    query: ValueId,
    /// With the last two axes exchanged.
    key: ValueId,
    scale: f64,
    /// Factors that are computed from constants and shapes, and what each multiplies: 0 for the queries, 1 for the keys, 2 for
    /// their products.
    scales: Vec<(ValueId, i64)>,
}

fn scores_of(pattern: &Pattern, id: ValueId) -> Option<Scores> {
    let mut scores = Scores { query: id, key: id, scale: 1.0, scales: Vec::new() };
    let product = unscaled(pattern, id, 2, &mut scores);
    let [query, key] = pattern.two(&*pattern.made_by(product, "MatMul")?)?;
    scores.query = unscaled(pattern, query, 0, &mut scores);
    scores.key = unscaled(pattern, key, 1, &mut scores);
    (scores.scales.len() <= 3).then_some(scores)
}

/// Returns a value without the factor that it is multiplied with or divided by, which goes to the scale.
fn unscaled(pattern: &Pattern, id: ValueId, operand: i64, scores: &mut Scores) -> ValueId {
    let Some(node) = pattern.maker(id).filter(|node| node.domain.is_empty()) else { return id };
    let Some([a, b]) = pattern.two(&node) else { return id };
    match node.operator.as_str() {
        "Mul" => {
            let (factor, rest) = if pattern.steers(b) { (b, a) } else { (a, b) };
            if let Some(number) = pattern.number(factor) {
                scores.scale *= number;
            } else if pattern.steers(factor) && pattern.constant(factor).is_none() {
                scores.scales.push((factor, operand));
            } else {
                return id;
            }
            rest
        }
        "Div" => match pattern.number(b) {
            Some(number) => {
                scores.scale /= number;
                a
            }
            None => id,
        },
        _ => id,
    }
}

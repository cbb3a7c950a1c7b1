//! Nodes that do nothing at inference.

use super::pattern::Pattern;
use crate::graph::{Attribute, Node};

pub(super) fn rewrite(pattern: &mut Pattern, place: usize) -> Option<()> {
    let node = pattern.node(place).filter(|node| node.domain.is_empty() && !node.outputs.is_empty())?;
    match node.operator.as_str() {
        "Identity" => pattern.forward(place, pattern.input(&node, 0)?),
        "Dropout" => {
            let has_mask = node.outputs.get(1).is_some_and(Option::is_some);
            // Before version 12 an attribute of the first version, and since then an input, tells that it trains.
            let trains = match node.inputs.get(2).copied().flatten() {
                Some(training) => pattern.number(training) != Some(0.0),
                None => node.version < 7,
            };
            (!has_mask && !trains).then_some(())?;
            pattern.forward(place, pattern.input(&node, 0)?)
        }
        "Transpose" => transposes(pattern, place, &node),
        _ => None,
    }
}

fn order(node: &Node) -> Option<Vec<i64>> {
    match node.attributes.get("perm") {
        Some(Attribute::Ints(order)) => Some(order.clone()),
        _ => None,
    }
}

/// Makes one transpose of two, or none where they undo each other.
fn transposes(pattern: &mut Pattern, place: usize, node: &Node) -> Option<()> {
    let inner = pattern.made_by(pattern.input(node, 0)?, "Transpose")?;
    let (outer, before) = (order(node)?, order(&inner)?);
    let both: Option<Vec<i64>> =
        outer.iter().map(|&axis| before.get(usize::try_from(axis).ok()?).copied()).collect();
    let (both, source) = (both?, pattern.input(&inner, 0)?);
    if both.iter().zip(0..).all(|(&axis, place)| axis == place) {
        return pattern.forward(place, source);
    }
    pattern.replace(place, "", "Transpose", vec![Some(source)], vec![("perm", Attribute::Ints(both))])
}

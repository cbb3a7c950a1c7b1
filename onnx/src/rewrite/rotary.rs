//! Rotary embedding: `x · cos + (−x₂, x₁) · sin`, where `x₁` and `x₂` are the halves of the last axis.

use super::pattern::Pattern;
use crate::graph::{Attribute, FUSED, Node, ValueId};

pub(super) fn rewrite(pattern: &mut Pattern, place: usize) -> Option<()> {
    let node = pattern.node(place)?;
    (node.domain.is_empty() && node.operator == "Add").then_some(())?;
    let [a, b] = pattern.two(&node)?;
    [(a, b), (b, a)].into_iter().find_map(|(plain, turned)| {
        let turned = pattern.made_by(turned, "Mul")?;
        let [halves, sin] = pattern.either(&turned, |id| pattern.made_by(id, "Concat").is_some())?;
        let (x, axes, ends) = rotated(pattern, halves)?;
        let [_, cos] = pattern.either(&*pattern.made_by(plain, "Mul")?, |id| id == x)?;
        let inputs = [Some(x), Some(cos), Some(sin)].into_iter().chain(ends.map(Some)).collect();
        pattern.replace(place, FUSED, "Rotary", inputs, vec![("axes", Attribute::Ints(axes.into()))])
    })
}

/// Returns the value that a value has with its halves exchanged, and the first of them negative; the axes along which it is
/// taken apart and joined, which is the last one of four in two ways of counting; and where the halves end.
fn rotated(
    pattern: &Pattern,
    id: ValueId,
) -> Option<(ValueId, [i64; 2], impl Iterator<Item = ValueId> + use<>)> {
    let last_of = |node: &Node| match node.attributes.get("axis") {
        Some(&Attribute::Int(axis @ (-1 | 3))) => Some(axis),
        _ => None,
    };
    let joined = pattern.made_by(id, "Concat")?;
    let to = last_of(&joined)?;
    let [negative, first] = pattern.two(&joined)?;
    let second = pattern.input(&*pattern.made_by(negative, "Neg")?, 0)?;
    let split = pattern.maker(first)?;
    if split.operator == "Split" {
        let same = std::ptr::eq(&*split, &*pattern.maker(second)?);
        let halves = match (split.inputs.get(1).copied().flatten(), split.attributes.get("split")) {
            (Some(sizes), _) => pattern.integers(sizes).is_some_and(|sizes| is_even(&sizes)),
            (None, Some(Attribute::Ints(sizes))) => is_even(sizes),
            (None, _) => true,
        };
        let whole = halves && split.outputs.len() == 2;
        let order = pattern.output(first) == Some(0) && pattern.output(second) == Some(1);
        (same && whole && order).then_some(())?;
        return Some((pattern.input(&split, 0)?, [last_of(&split)?, to], Vec::new().into_iter()));
    }
    let slice = |id: ValueId| {
        let node = pattern.made_by(id, "Slice").filter(|node| matches!(node.inputs.len(), 4 | 5))?;
        let axes = pattern.integers(pattern.input(&node, 3)?)?;
        let steps = match node.inputs.get(4).copied().flatten() {
            Some(steps) => pattern.integers(steps)?,
            None => vec![1],
        };
        let &[axis @ (-1 | 3)] = axes.as_slice() else { return None };
        (steps == [1]).then_some(())?;
        Some(([pattern.input(&node, 0)?, pattern.input(&node, 1)?, pattern.input(&node, 2)?], axis))
    };
    let (([x, start, middle], axis), ([again, from, end], other)) = (slice(first)?, slice(second)?);
    (axis == other).then_some(())?;
    let equal = |a: ValueId, b: ValueId| {
        a == b || pattern.integers(a).is_some_and(|a| pattern.integers(b) == Some(a))
    };
    let steers = pattern.steers(middle) && pattern.steers(end);
    (x == again && equal(middle, from) && pattern.integers(start)? == [0] && steers).then_some(())?;
    Some((x, [axis, to], vec![middle, end].into_iter()))
}

/// Returns whether sizes are those of two halves.
fn is_even(sizes: &[i64]) -> bool {
    matches!(sizes, [first, second] if first == second)
}

//! A product with a matrix of weights, and the sum with a bias.

use super::pattern::Pattern;
use crate::graph::{Attribute, FUSED, ValueId};

pub(super) fn rewrite(pattern: &mut Pattern, place: usize) -> Option<()> {
    let node = pattern.node(place)?;
    (node.domain.is_empty() && node.operator == "Add").then_some(())?;
    let has_rank =
        |pattern: &Pattern, id, rank| pattern.constant(id).is_some_and(|array| array.rank() == rank);
    let [bias, product] = pattern.either(&node, |id| has_rank(pattern, id, 1))?;
    let [input, weight] = pattern.two(&*pattern.made_by(product, "MatMul")?)?;
    (columns(pattern, weight)? == pattern.constant(bias)?.numel()).then_some(())?;
    pattern.replace(place, FUSED, "Linear", vec![Some(input), Some(weight), Some(bias)], Vec::new())
}

/// Returns the number of columns of a matrix that never changes, or of the transpose of one.
fn columns(pattern: &Pattern, id: ValueId) -> Option<usize> {
    if let Some(node) = pattern.made_by(id, "Transpose") {
        let &[columns, _] = pattern.constant(pattern.input(&node, 0)?)?.dims() else { return None };
        let turns = match node.attributes.get("perm") {
            Some(Attribute::Ints(order)) => order == &[1, 0],
            _ => true,
        };
        return turns.then_some(columns);
    }
    let &[_, columns] = pattern.constant(id)?.dims() else { return None };
    Some(columns)
}

//! Trees on the host, whatever their tests are.

use super::aggregate::Aggregate;
use super::forest::{Forest, TreeNode};
use crate::array::Array;
use crate::error::NodeResult;

/// Returns the aggregate of the weights of each target for each row.
pub(super) fn run(forest: &Forest, rows: &Array, aggregate: Aggregate) -> NodeResult<Array> {
    let &[count, width] = rows.dims() else { return Err("its features are no matrix".to_owned().into()) };
    let numbers = rows.to_f64s()?;
    let mut results = Vec::with_capacity(count * forest.targets);
    for number in 0..count {
        let row = numbers.get(number * width..(number + 1) * width).unwrap_or_default();
        let mut targets: Vec<Option<f64>> = vec![None; forest.targets];
        for &root in &forest.roots {
            for &(target, weight) in leaf(forest, root, row) {
                let Some(own) = targets.get_mut(target) else { continue };
                *own = Some(match (*own, aggregate) {
                    (None, _) => weight,
                    (Some(own), Aggregate::Min) => own.min(weight),
                    (Some(own), Aggregate::Max) => own.max(weight),
                    (Some(own), _) => own + weight,
                });
            }
        }
        let trees = forest.roots.len() as f64;
        results.extend(targets.into_iter().map(|target| match (target.unwrap_or(0.0), aggregate) {
            (target, Aggregate::Average) => target / trees,
            (target, _) => target,
        }));
    }
    Ok(Array::from_f64s(rows.dtype(), &results, [count, forest.targets])?)
}

/// Returns what the leaf that a row reaches adds to targets.
fn leaf<'a>(forest: &'a Forest, root: usize, row: &[f64]) -> &'a [(usize, f64)] {
    let mut place = root;
    loop {
        match forest.nodes.get(place) {
            Some(TreeNode::Branch { feature, test, yes, no, nan }) => {
                let value = row.get(*feature).copied().unwrap_or(f64::NAN);
                let holds = if value.is_nan() { *nan } else { test.holds(value) };
                place = if holds { *yes } else { *no };
            }
            Some(TreeNode::Leaf(weights)) => return weights,
            None => return &[],
        }
    }
}

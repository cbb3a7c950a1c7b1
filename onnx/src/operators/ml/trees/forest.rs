//! Trees as one list of nodes.

use std::sync::OnceLock;

use aclnn::DType;

use crate::error::{NodeResult, Reason};
use crate::value::Value;

/// The most targets of a forest.
pub(super) const MOST_TARGETS: usize = 1 << 24;

/// A comparison of a feature.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Test {
    AtMost(f64),
    Below(f64),
    AtLeast(f64),
    Above(f64),
    Equal(f64),
    Unequal(f64),
    Member(Vec<f64>),
}

impl Test {
    pub(super) fn holds(&self, value: f64) -> bool {
        match self {
            Test::AtMost(limit) => value <= *limit,
            Test::Below(limit) => value < *limit,
            Test::AtLeast(limit) => value >= *limit,
            Test::Above(limit) => value > *limit,
            Test::Equal(other) => value == *other,
            Test::Unequal(other) => value != *other,
            Test::Member(members) => members.contains(&value),
        }
    }
}

/// A node of a tree.
#[derive(Clone, Debug)]
pub(super) enum TreeNode {
    Branch {
        feature: usize,
        test: Test,
        /// The nodes that follow if the test holds, and if it does not.
        yes: usize,
        no: usize,
        /// Whether the test counts as one that holds where the feature is NaN.
        nan: bool,
    },
    /// The targets to which it adds, with the weights.
    Leaf(Vec<(usize, f64)>),
}

/// The nodes of a forest, each property as a line. A leaf leads to itself.
pub(super) struct Tables {
    pub(super) features: Value,
    pub(super) limits: Value,
    pub(super) yes: Value,
    pub(super) no: Value,
    /// The nodes at which NaN takes the way of values up to the limit, if there are any.
    pub(super) nan: Option<Value>,
    /// The weight that each node adds to each target.
    pub(super) weights: Value,
}

/// Trees with their nodes in one list.
pub(super) struct Forest {
    pub(super) nodes: Vec<TreeNode>,
    pub(super) roots: Vec<usize>,
    pub(super) targets: usize,
    /// The most steps from a root to a leaf.
    pub(super) depth: usize,
    narrow: OnceLock<Option<Tables>>,
    wide: OnceLock<Option<Tables>>,
}

impl Forest {
    pub(super) fn new(nodes: Vec<TreeNode>, roots: Vec<usize>, targets: usize) -> NodeResult<Forest> {
        if roots.is_empty() || targets == 0 || targets > MOST_TARGETS {
            return Reason::text(format!("it has {} trees for {targets} targets", roots.len()));
        }
        let depth = depth(&nodes, &roots, targets)?;
        Ok(Forest { nodes, roots, targets, depth, narrow: OnceLock::new(), wide: OnceLock::new() })
    }

    /// Returns how many features a row must have.
    pub(super) fn features(&self) -> usize {
        let features = self.nodes.iter().map(|node| match node {
            TreeNode::Branch { feature, .. } => feature + 1,
            TreeNode::Leaf(_) => 0,
        });
        features.max().unwrap_or(0)
    }

    fn weights(&self) -> impl Iterator<Item = (usize, f64)> {
        self.nodes.iter().flat_map(|node| match node {
            TreeNode::Leaf(weights) => weights.iter().copied(),
            TreeNode::Branch { .. } => [].iter().copied(),
        })
    }

    pub(super) fn weights_are_positive(&self) -> bool {
        self.weights().all(|(_, weight)| weight >= 0.0)
    }

    /// Returns the target to which all leaves add, if it is a single one.
    pub(super) fn only_target(&self) -> Option<usize> {
        let (first, _) = self.weights().next()?;
        self.weights().all(|(target, _)| target == first).then_some(first)
    }

    /// Returns the place of the tables for rows of a type, which are made once.
    pub(super) fn kept_tables(&self, dtype: DType) -> &OnceLock<Option<Tables>> {
        if dtype == DType::F64 { &self.wide } else { &self.narrow }
    }
}

/// Checks that every way ends at a leaf, and returns the number of steps of the longest one.
fn depth(nodes: &[TreeNode], roots: &[usize], targets: usize) -> NodeResult<usize> {
    let mut seen = vec![false; nodes.len()];
    let mut level = roots.to_vec();
    let mut depth = 0;
    loop {
        let mut next = Vec::new();
        for &index in &level {
            let (Some(node), Some(seen)) = (nodes.get(index), seen.get_mut(index)) else {
                return Reason::text(format!("its trees lead to node {index}, which does not exist"));
            };
            match node {
                TreeNode::Branch { .. } if std::mem::replace(seen, true) => {
                    return Reason::text(format!("two ways lead to node {index} of its trees"));
                }
                TreeNode::Branch { yes, no, .. } => next.extend([*yes, *no]),
                TreeNode::Leaf(weights) => {
                    if let Some((target, _)) = weights.iter().find(|(target, _)| *target >= targets) {
                        return Reason::text(format!("a leaf adds to target {target} of {targets}"));
                    }
                }
            }
        }
        if next.is_empty() {
            return Ok(depth);
        }
        depth += 1;
        level = next;
    }
}

//! Trees of `TreeEnsemble`, whose branches and leaves are in lists of their own.

use super::forest::{Forest, Test, TreeNode};
use crate::error::{NodeResult, Reason};
use crate::graph::Node;

pub(super) fn forest(node: &Node) -> NodeResult<Forest> {
    node.ignore(&["nodes_hitrates"]);
    let tensor = |name: &str| -> NodeResult<Vec<f64>> {
        match node.attributes.tensor(name)? {
            Some(tensor) => Ok(tensor.to_f64s()?),
            None => Reason::text(format!("its attribute `{name}` is missing")),
        }
    };
    let modes = match node.attributes.tensor("nodes_modes")? {
        Some(modes) => modes.to_i64s()?,
        None => return Reason::text("its attribute `nodes_modes` is missing"),
    };
    let count = modes.len();
    let ints = |name: &str, count: usize| -> NodeResult<Vec<usize>> {
        let list = node.ints(name)?.unwrap_or_default();
        let list: Option<Vec<usize>> = list.iter().map(|&number| usize::try_from(number).ok()).collect();
        match list {
            Some(list) if list.len() == count => Ok(list),
            _ => Reason::text(format!("`{name}` has not {count} numbers from 0 on")),
        }
    };
    let (yes, no) = (ints("nodes_truenodeids", count)?, ints("nodes_falsenodeids", count)?);
    let (yes_is_leaf, no_is_leaf) = (ints("nodes_trueleafs", count)?, ints("nodes_falseleafs", count)?);
    let (features, splits) = (ints("nodes_featureids", count)?, tensor("nodes_splits")?);
    let nan = match node.attributes.has("nodes_missing_value_tracks_true") {
        true => ints("nodes_missing_value_tracks_true", count)?,
        false => vec![0; count],
    };
    let weights = tensor("leaf_weights")?;
    let leaf_targets = ints("leaf_targetids", weights.len())?;
    let roots = node.ints("tree_roots")?.unwrap_or_default();
    let roots = ints("tree_roots", roots.len())?;
    let targets = usize::try_from(node.required_int("n_targets")?).unwrap_or(0);
    let members = match node.attributes.has("membership_values") {
        true => tensor("membership_values")?,
        false => Vec::new(),
    };
    let mut members = members.split(|number| number.is_nan());
    // Leaves come after branches in the list of all nodes.
    let place = |id: usize, is_leaf: usize| if is_leaf != 0 { count.saturating_add(id) } else { id };
    let mut nodes = Vec::with_capacity(count + weights.len());
    let children = yes.iter().zip(&yes_is_leaf).zip(no.iter().zip(&no_is_leaf));
    let branches = modes.iter().zip(children).zip(&features).zip(&splits).zip(&nan);
    for ((((&mode, ((&yes, &yes_leaf), (&no, &no_leaf))), &feature), &split), &nan) in branches {
        let test = match mode {
            0 => Test::AtMost(split),
            1 => Test::Below(split),
            2 => Test::AtLeast(split),
            3 => Test::Above(split),
            4 => Test::Equal(split),
            5 => Test::Unequal(split),
            6 => Test::Member(members.next().unwrap_or_default().to_vec()),
            other => return Reason::missing(format!("one of its nodes has the mode {other}")),
        };
        let (yes, no) = (place(yes, yes_leaf), place(no, no_leaf));
        nodes.push(TreeNode::Branch { feature, test, yes, no, nan: nan != 0 });
    }
    if nodes.len() != count {
        return Reason::text(format!("it has {count} nodes and {} splits", splits.len()));
    }
    nodes.extend(leaf_targets.into_iter().zip(weights).map(|pair| TreeNode::Leaf(vec![pair])));
    Forest::new(nodes, roots, targets)
}

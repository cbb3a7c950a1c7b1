//! Trees of `TreeEnsembleClassifier` and `TreeEnsembleRegressor`, whose nodes have the number of a tree and their own.

use std::collections::HashMap;

use super::forest::{Forest, Test, TreeNode};
use crate::error::{NodeResult, Reason};
use crate::graph::Node;

/// Returns the numbers of an attribute, which may be floats, or a tensor of a wider type.
pub(super) fn numbers(node: &Node, name: &str) -> NodeResult<Option<Vec<f64>>> {
    if let Some(tensor) = node.attributes.tensor(&format!("{name}_as_tensor"))? {
        return Ok(Some(tensor.to_f64s()?));
    }
    let numbers = node.attributes.floats(name)?;
    Ok(numbers.map(|numbers| numbers.iter().copied().map(f64::from).collect()))
}

fn required<T>(name: &str, list: Option<Vec<T>>, count: usize) -> NodeResult<Vec<T>> {
    match list {
        Some(list) if list.len() == count => Ok(list),
        Some(list) => Reason::text(format!("`{name}` has {} elements, not {count}", list.len())),
        None => Reason::text(format!("its attribute `{name}` is missing")),
    }
}

/// Reads the trees; `kind` begins the names of the attributes of leaves.
pub(super) fn forest(node: &Node, kind: &str, targets: usize) -> NodeResult<Forest> {
    node.ignore(&["nodes_hitrates", "nodes_hitrates_as_tensor"]);
    let Some(modes) = node.attributes.texts("nodes_modes")? else {
        return Reason::text("its attribute `nodes_modes` is missing");
    };
    let count = modes.len();
    let ints = |name: &str| required(name, node.ints(name)?, count);
    let (trees, ids) = (ints("nodes_treeids")?, ints("nodes_nodeids")?);
    let (yes, no) = (ints("nodes_truenodeids")?, ints("nodes_falsenodeids")?);
    let features = ints("nodes_featureids")?;
    let values = required("nodes_values", numbers(node, "nodes_values")?, count)?;
    let nan = match node.ints("nodes_missing_value_tracks_true")? {
        Some(list) if !list.is_empty() => required("nodes_missing_value_tracks_true", Some(list), count)?,
        _ => vec![0; count],
    };
    let places: HashMap<(i64, i64), usize> =
        trees.iter().copied().zip(ids.iter().copied()).zip(0..).collect();
    let mut leaves = leaves(node, kind, &places)?;
    let mut nodes = Vec::with_capacity(count);
    let branches = trees.iter().zip(&yes).zip(&no).zip(&features).zip(&values).zip(&nan);
    for (place, (mode, (((((&tree, &yes), &no), &feature), &value), &nan))) in
        modes.iter().zip(branches).enumerate()
    {
        let child = |id: i64| -> NodeResult<usize> {
            match places.get(&(tree, id)) {
                Some(&place) => Ok(place),
                None => Reason::text(format!("node {id} of tree {tree} does not exist")),
            }
        };
        let Some(test) = test(mode, value)? else {
            nodes.push(TreeNode::Leaf(leaves.remove(&place).unwrap_or_default()));
            continue;
        };
        let feature = usize::try_from(feature).map_err(|_| format!("it reads feature {feature}"))?;
        nodes.push(TreeNode::Branch { feature, test, yes: child(yes)?, no: child(no)?, nan: nan != 0 });
    }
    let mut roots: Vec<usize> = Vec::new();
    let mut known = std::collections::HashSet::new();
    for (place, tree) in trees.iter().enumerate() {
        if known.insert(tree) {
            roots.push(place);
        }
    }
    Forest::new(nodes, roots, targets)
}

/// Returns the comparison of a node, if it is no leaf.
fn test(mode: &str, value: f64) -> NodeResult<Option<Test>> {
    Ok(Some(match mode {
        "LEAF" => return Ok(None),
        "BRANCH_LEQ" => Test::AtMost(value),
        "BRANCH_LT" => Test::Below(value),
        "BRANCH_GTE" => Test::AtLeast(value),
        "BRANCH_GT" => Test::Above(value),
        "BRANCH_EQ" => Test::Equal(value),
        "BRANCH_NEQ" => Test::Unequal(value),
        other => return Reason::missing(format!("one of its nodes has the mode `{other}`")),
    }))
}

/// The weights that leaves add to targets, by the place of the leaf.
type Leaves = HashMap<usize, Vec<(usize, f64)>>;

fn leaves(node: &Node, kind: &str, places: &HashMap<(i64, i64), usize>) -> NodeResult<Leaves> {
    let name = |end: &str| format!("{kind}_{end}");
    let Some(weights) = numbers(node, &name("weights"))? else {
        return Reason::text(format!("its attribute `{}` is missing", name("weights")));
    };
    let ints = |end: &str| required(&name(end), node.ints(&name(end))?, weights.len());
    let (trees, ids, targets) = (ints("treeids")?, ints("nodeids")?, ints("ids")?);
    let mut leaves = Leaves::new();
    for (((tree, id), target), weight) in trees.into_iter().zip(ids).zip(targets).zip(weights) {
        let (Some(&place), Ok(target)) = (places.get(&(tree, id)), usize::try_from(target)) else {
            return Reason::text(format!("node {id} of tree {tree} adds to target {target}"));
        };
        leaves.entry(place).or_default().push((target, weight));
    }
    Ok(leaves)
}

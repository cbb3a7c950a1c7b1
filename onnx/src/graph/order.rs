//! An order in which the nodes of a graph can run.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use crate::format::proto::{GraphProto, NodeProto};

/// Returns the places of the nodes in an order in which each comes after those whose outputs it uses, and otherwise in
/// the order of the file; or the place of a node that waits for itself.
pub(super) fn order(nodes: &[NodeProto]) -> Result<Vec<usize>, usize> {
    let mut makers = HashMap::new();
    for (place, node) in nodes.iter().enumerate() {
        for name in node.output.iter().filter(|name| !name.is_empty()) {
            // A second maker is an error that the caller finds.
            makers.entry(name.as_str()).or_insert(place);
        }
    }
    let mut users = vec![Vec::new(); nodes.len()];
    let mut missing = vec![0usize; nodes.len()];
    for (place, node) in nodes.iter().enumerate() {
        let mut before: Vec<usize> =
            used(node).into_iter().filter_map(|name| makers.get(name).copied()).collect();
        before.sort_unstable();
        before.dedup();
        if let Some(count) = missing.get_mut(place) {
            *count = before.len();
        }
        for maker in before {
            if let Some(users) = users.get_mut(maker) {
                users.push(place);
            }
        }
    }
    let ready = missing.iter().enumerate().filter(|(_, missing)| **missing == 0);
    let mut ready: BinaryHeap<Reverse<usize>> = ready.map(|(place, _)| Reverse(place)).collect();
    let mut order = Vec::with_capacity(nodes.len());
    while let Some(Reverse(place)) = ready.pop() {
        order.push(place);
        for &user in users.get(place).into_iter().flatten() {
            if let Some(count) = missing.get_mut(user) {
                *count -= 1;
                if *count == 0 {
                    ready.push(Reverse(user));
                }
            }
        }
    }
    match missing.iter().position(|&missing| missing > 0) {
        Some(place) => Err(place),
        None => Ok(order),
    }
}

/// Returns the names that a node uses, in its subgraphs too.
fn used(node: &NodeProto) -> HashSet<&str> {
    let mut names: HashSet<&str> = node.input.iter().map(String::as_str).collect();
    for attribute in &node.attribute {
        for graph in attribute.g.iter().chain(&attribute.graphs) {
            names.extend(free(graph));
        }
    }
    // What is derived is named by an attribute.
    if node.op_type == "Gradient" {
        let named = node.attribute.iter().filter(|attribute| attribute.name == "y");
        names.extend(named.filter_map(|attribute| std::str::from_utf8(attribute.s.as_deref()?).ok()));
    }
    names.remove("");
    names
}

/// Returns the names that a graph uses and does not define.
fn free(graph: &GraphProto) -> HashSet<&str> {
    let mut names: HashSet<&str> = graph.node.iter().flat_map(used).collect();
    names.extend(graph.output.iter().map(|output| output.name.as_str()));
    for name in graph.node.iter().flat_map(|node| &node.output) {
        names.remove(name.as_str());
    }
    for name in graph.input.iter().map(|input| &input.name) {
        names.remove(name.as_str());
    }
    for name in graph.sparse_initializer.iter().filter_map(|tensor| Some(&tensor.values.as_ref()?.name)) {
        names.remove(name.as_str());
    }
    for name in graph.initializer.iter().map(|tensor| &tensor.name) {
        names.remove(name.as_str());
    }
    names
}

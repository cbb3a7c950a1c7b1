//! Constants that the graphs of nodes capture become constants of those graphs, so that what is made of them there is folded too.

use std::sync::Arc;

use super::pattern::constants_of;
use crate::graph::Graph;

/// Returns a graph in which no graph of a node captures a constant.
pub(super) fn with_own_constants(graph: &Graph) -> Graph {
    let mut graph = graph.clone();
    let constants = constants_of(&graph);
    for node in graph.nodes.iter_mut().filter(|node| node.attributes.graphs().next().is_some()) {
        let node = Arc::make_mut(node);
        let mut captured = Vec::with_capacity(node.captured.len());
        node.attributes = node.attributes.with_graphs(|inner| {
            let mut own = inner.clone();
            own.captures.clear();
            for &(outer, id) in &inner.captures {
                match constants.get(&outer) {
                    Some(array) => own.constants.push((id, array.clone())),
                    None => {
                        own.captures.push((outer, id));
                        captured.push(outer);
                    }
                }
            }
            with_own_constants(&own)
        });
        node.captured = captured;
    }
    graph
}

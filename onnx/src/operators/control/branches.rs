//! If: one of two graphs.

use crate::error::NodeResult;
use crate::graph::Node;
use crate::run::{Maker, Prepared, Program, Values};

pub(super) fn branches(node: &Node, maker: &Maker<'_>) -> NodeResult<Prepared> {
    let branch = |name: &str| -> NodeResult<(Program, usize)> {
        let before = node.attributes.graphs().take_while(|(other, _)| *other != name);
        let first = before.map(|(_, graph)| graph.captures.len()).sum();
        Ok((maker.program(node.graph(name)?)?, first))
    };
    let (taken, other) = (branch("then_branch")?, branch("else_branch")?);
    let constant = taken.0.is_constant() && other.0.is_constant();
    let prepared = Prepared::device(move |call| {
        let (program, first) = if call.truth(call.value(0)?)? { &taken } else { &other };
        Ok(program.run_within(call, *first, &[])?.into_iter().collect::<Values>())
    });
    Ok(if constant { prepared } else { prepared.each_time() })
}

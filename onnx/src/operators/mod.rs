//! The operators: one table, one file per family. Each function reads the attributes of a node and returns what it does.

mod activations;
mod alignment;
mod along_axis;
mod attention;
mod casts;
mod comparisons;
mod constants;
mod control;
mod convolution;
mod elements;
mod fused;
mod images;
mod indices;
mod losses;
mod ml;
mod movement;
mod node;
mod normalization;
mod operator;
mod optimizers;
mod pooling;
mod precision;
mod products;
mod quantisation;
mod random;
mod recurrent;
mod reductions;
mod selection;
mod sequences;
mod shapes;
mod signal;
mod strings;

use std::sync::LazyLock;

use aclnn::Tensor;

use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::host::elements::pairs;
use crate::run::{Call, Maker, Prepared};
use operator::{Operator, Prepare};

/// Every operator, ordered by domain, name and version.
static TABLE: LazyLock<Vec<&'static Operator>> = LazyLock::new(|| {
    let families = [
        activations::OPERATORS,
        along_axis::OPERATORS,
        attention::OPERATORS,
        casts::OPERATORS,
        comparisons::OPERATORS,
        constants::OPERATORS,
        control::OPERATORS,
        convolution::OPERATORS,
        elements::OPERATORS,
        fused::OPERATORS,
        images::OPERATORS,
        indices::OPERATORS,
        losses::OPERATORS,
        ml::OPERATORS,
        movement::OPERATORS,
        normalization::OPERATORS,
        optimizers::OPERATORS,
        pooling::OPERATORS,
        products::OPERATORS,
        quantisation::OPERATORS,
        random::OPERATORS,
        recurrent::OPERATORS,
        reductions::OPERATORS,
        selection::OPERATORS,
        sequences::OPERATORS,
        shapes::OPERATORS,
        signal::OPERATORS,
        strings::OPERATORS,
    ];
    let mut table: Vec<&Operator> = families.into_iter().flatten().collect();
    table.sort_by_key(|operator| (operator.domain, operator.name, operator.since));
    table
});

/// Finds an operator in a version of its operator set.
pub(crate) fn find(domain: &str, name: &str, version: u32) -> Option<&'static Operator> {
    let after = TABLE.partition_point(|operator| {
        (operator.domain, operator.name, operator.since) <= (domain, name, version)
    });
    let operator = *TABLE.get(after.checked_sub(1)?)?;
    ((operator.domain, operator.name) == (domain, name)).then_some(operator)
}

/// Makes a node ready to run.
pub(crate) fn prepare(node: &Node, maker: &Maker<'_>) -> NodeResult<Prepared> {
    let Some(operator) = find(&node.domain, &node.operator, node.version) else {
        let known = TABLE.iter().find(|known| known.domain == node.domain && known.name == node.operator);
        return Reason::missing(match known {
            Some(known) => format!(
                "version {} of the operator set has it in an older form than version {}, the oldest one known",
                node.version, known.since
            ),
            None => "no operator of this name is known".to_owned(),
        });
    };
    let prepared = match operator.prepare {
        Prepare::Node(prepare) => prepare(node)?,
        Prepare::Graphs(prepare) => prepare(node, maker)?,
        Prepare::Unary(run) => Prepared::device(move |call| call.widened([&call.tensor(0)?], |[x]| run(x))),
        Prepare::Binary(run, pair) => Prepared::device(move |call| binary(call, run))
            .or_host(move |call| pairs(&pair, &call.array(0)?, &call.array(1)?)),
    };
    let prepared = alignment::aligned(node, prepared)?;
    match node.attributes.unread() {
        Some(name) => Reason::missing(format!("its attribute `{name}` is not known")),
        None => Ok(prepared),
    }
}

fn binary(call: &Call<'_>, run: fn(&Tensor, &Tensor) -> Result<Tensor, aclnn::Error>) -> NodeResult<Tensor> {
    let [a, b] = [call.tensor(0)?, call.tensor(1)?];
    if a.dtype() != b.dtype() {
        return Reason::text("its operands have different types");
    }
    call.widened([&a, &b], |[a, b]| run(a, b))
}

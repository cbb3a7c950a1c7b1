//! Attention whose scores and weights graphs change.

use aclnn::{DType, Tensor};

use super::heads::shared_product;
use super::scaled::rounded;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::run::{Call, Maker, Prepared, Program};
use crate::value::Value;

/// A graph that changes a tensor, and the number of what earlier graphs capture.
type Change = Option<(Program, usize)>;

pub(super) fn flex_attention(node: &Node, maker: &Maker<'_>) -> NodeResult<Prepared> {
    let scale = node.attributes.float("scale")?;
    let precision = node.dtype("softmax_precision")?;
    node.ignore(&["score_mod", "prob_mod"]);
    let (mut of_scores, mut of_weights): (Change, Change) = (None, None);
    let mut first = 0;
    for (name, graph) in node.attributes.graphs() {
        let program = maker.program(graph)?;
        let captures = program.captures();
        let change = Some((program, first));
        first += captures;
        if name == "score_mod" {
            of_scores = change;
        } else {
            of_weights = change;
        }
    }
    Ok(Prepared::device(move |call| {
        let (query, key, value) = (call.tensor(0)?, call.tensor(1)?, call.tensor(2)?);
        let &[_, _, _, elements] = query.dims() else {
            return Reason::text("its operands do not have four axes");
        };
        let scale = scale.map_or_else(|| 1.0 / (elements.max(1) as f64).sqrt(), f64::from);
        let precision =
            precision.unwrap_or(if query.dtype() == DType::F64 { DType::F64 } else { DType::F32 });
        let root = rounded(scale.sqrt(), query.dtype());
        let scores = shared_product(&query.mul(root)?, &key.mul(root)?.swapaxes(2, 3)?)?;
        let scores = changed(call, &of_scores, call.as_type(scores, precision)?)?;
        let weights = changed(call, &of_weights, scores.softmax(-1)?)?;
        let y = shared_product(&weights, &call.as_type(value.clone(), precision)?)?;
        call.as_type(y, value.dtype())
    }))
}

/// Runs a graph on a tensor.
fn changed(call: &Call<'_>, change: &Change, tensor: Tensor) -> NodeResult<Tensor> {
    let Some((program, first)) = change else { return Ok(tensor) };
    let outputs = program.run_within(call, *first, &[Some(&Value::Tensor(tensor))])?;
    match outputs.first() {
        Some(output) => call.on_device(output),
        None => Reason::text("a graph of it has no output"),
    }
}

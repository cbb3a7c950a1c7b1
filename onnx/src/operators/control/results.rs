//! The results of a graph that runs many times, one after the other along an axis.

use aclnn::{DType, Tensor};

use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::format::types::{Dimension, ValueType};
use crate::graph::Graph;
use crate::operators::sequences::stacked;
use crate::run::Call;
use crate::value::Value;

/// Joins the results of all runs along a new axis. If there were none, the declared type says what is empty.
pub(super) fn joined(
    call: &Call<'_>,
    results: &[Value],
    declared: Option<&ValueType>,
    axis: i64,
) -> NodeResult<Value> {
    match results.is_empty() {
        false => stacked(call, results, axis),
        true => empty(call, declared, axis),
    }
}

fn empty(call: &Call<'_>, declared: Option<&ValueType>, axis: i64) -> NodeResult<Value> {
    let Some(ValueType::Tensor { dtype, shape: Some(shape) }) = declared else {
        return Reason::text("it does not run once, and the graph does not say what shape its results have");
    };
    let mut dims: Vec<usize> = shape
        .iter()
        .map(|dimension| match dimension {
            Dimension::Fixed(size) => *size,
            _ => 0,
        })
        .collect();
    let axis = crate::host::places::axis(axis, dims.len() + 1)?;
    dims.insert(axis, 0);
    match dtype {
        DType::String => Ok(Array::from_strings([], dims)?.into()),
        _ => Ok(Tensor::empty(call.stream(), dims, *dtype)?.into()),
    }
}

/// Returns the declared types of the outputs of a graph from one of them on.
pub(super) fn declared(graph: &Graph, first: usize) -> Vec<Option<ValueType>> {
    graph.outputs.iter().skip(first).map(|(_, declared)| declared.clone()).collect()
}

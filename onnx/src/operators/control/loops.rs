//! Loop: a graph that runs until a condition is false, or a number of times.

use super::results;
use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::format::types::ValueType;
use crate::graph::Node;
use crate::run::{Call, Maker, Prepared, Program, Values};
use crate::value::Value;

/// A loop that is ready to run.
struct Loop {
    body: Program,
    /// The number of values that go from one run to the next.
    carried: usize,
    /// Whether the number of the run is declared with an axis.
    number_has_axis: bool,
    /// The declared types of what is collected.
    declared: Vec<Option<ValueType>>,
}

pub(super) fn loops(node: &Node, maker: &Maker<'_>) -> NodeResult<Prepared> {
    let graph = node.graph("body")?;
    let Some(carried) = graph.inputs.len().checked_sub(2).filter(|carried| graph.outputs.len() > *carried)
    else {
        return Reason::text(format!(
            "its body has {} inputs and {} outputs",
            graph.inputs.len(),
            graph.outputs.len()
        ));
    };
    let number = graph.inputs.first().and_then(|(_, declared)| declared.as_ref());
    let number_has_axis =
        matches!(number, Some(ValueType::Tensor { shape: Some(shape), .. }) if shape.len() == 1);
    let declared = results::declared(graph, carried + 1);
    let ready = Loop { body: maker.program(graph)?, carried, number_has_axis, declared };
    // It may never end, which must not keep a session from being made.
    Ok(Prepared::device(move |call| ready.run(call)).each_time())
}

impl Loop {
    fn run(&self, call: &Call<'_>) -> NodeResult<Values> {
        let most = if call.has(0) { call.int(0)? } else { i64::MAX };
        let mut condition = match call.optional(1) {
            Some(value) => value.clone(),
            None => Array::from_slice(&[true], [])?.into(),
        };
        let mut carried: Vec<Option<Value>> =
            (0..self.carried).map(|place| call.optional(place + 2).cloned()).collect();
        let mut collected = vec![Vec::new(); self.declared.len()];
        let mut number = 0;
        while number < most && call.truth(&condition)? {
            // What is read once stays known in the run.
            condition = Array::from_slice(&[true], condition.shape().cloned().unwrap_or_default())?.into();
            let count = match self.number_has_axis {
                true => Array::line([number]).into(),
                false => Array::scalar(number).into(),
            };
            let inputs =
                [Some(&count), Some(&condition)].into_iter().chain(carried.iter().map(Option::as_ref));
            let mut outputs = self.body.run_within(call, 0, &inputs.collect::<Vec<_>>())?.into_iter();
            if let Some(next) = outputs.next() {
                condition = next;
            }
            for (carried, output) in carried.iter_mut().zip(outputs.by_ref().take(self.carried)) {
                *carried = Some(output);
            }
            for (collected, output) in collected.iter_mut().zip(outputs) {
                collected.push(output);
            }
            number += 1;
        }
        let mut values = carried;
        for (place, (collected, declared)) in collected.iter().zip(&self.declared).enumerate() {
            values.push(match call.wants(self.carried + place) {
                true => Some(results::joined(call, collected, declared.as_ref(), 0)?),
                false => None,
            });
        }
        Ok(Values::optional(values))
    }
}

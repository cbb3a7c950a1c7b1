//! Sequences and optionals.

use std::sync::Arc;

use super::movement::{joined, parts};
use super::operator::Operator;
use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::host::places;
use crate::run::{Call, Maker, Prepared, Values};
use crate::value::Value;

pub(super) const OPERATORS: &[Operator] = &[
    Operator::node("Optional", 15, optional),
    Operator::node("OptionalGetElement", 15, |_| Ok(Prepared::device(optional_element))),
    Operator::node("OptionalHasElement", 15, |_| {
        Ok(Prepared::device(|call| {
            let has = !matches!(call.optional(0), None | Some(Value::Optional(None)));
            Ok(Array::from_slice(&[has], [])?)
        }))
    }),
    Operator::node("SequenceConstruct", 11, |_| {
        Ok(Prepared::device(|call| {
            let values = (0..call.count()).map(|input| call.value(input).cloned());
            Ok(sequence(values.collect::<NodeResult<_>>()?))
        }))
    }),
    Operator::node("SequenceEmpty", 11, |node| {
        node.ignore(&["dtype"]);
        Ok(Prepared::device(|_| Ok(sequence(Vec::new()))))
    }),
    Operator::node("SequenceAt", 11, |_| Ok(Prepared::device(at))),
    Operator::node("SequenceInsert", 11, |_| Ok(Prepared::device(insert))),
    Operator::node("SequenceErase", 11, |_| Ok(Prepared::device(erase))),
    Operator::node("SequenceLength", 11, |_| {
        Ok(Prepared::device(|call| Ok(Array::scalar(elements(call, 0)?.len() as i64))))
    }),
    Operator::graphs("SequenceMap", 17, map),
    Operator::node("SplitToSequence", 11, split),
    Operator::node("ConcatFromSequence", 11, concat),
];

fn sequence(values: Vec<Value>) -> Value {
    Value::Sequence(values.into())
}

/// Returns the values of an input that is a sequence.
fn elements<'a>(call: &Call<'a>, input: usize) -> NodeResult<&'a Arc<[Value]>> {
    match call.value(input)? {
        Value::Sequence(values) => Ok(values),
        other => Reason::text(format!("its input {input} is {other}, not a sequence")),
    }
}

fn optional(node: &Node) -> NodeResult<Prepared> {
    node.ignore(&["type"]);
    Ok(Prepared::device(|call| {
        Ok(match call.optional(0) {
            Some(value @ Value::Optional(_)) => value.clone(),
            value => Value::Optional(value.map(|value| Arc::new(value.clone()))),
        })
    }))
}

fn optional_element(call: &Call<'_>) -> NodeResult<Value> {
    match call.value(0)? {
        Value::Optional(Some(value)) => Ok((**value).clone()),
        Value::Optional(None) => Reason::text("its optional is empty"),
        value => Ok(value.clone()),
    }
}

fn at(call: &Call<'_>) -> NodeResult<Value> {
    let (values, position) = (elements(call, 0)?, call.int(1)?);
    match values.get(places::index(position, values.len())?) {
        Some(value) => Ok(value.clone()),
        None => Reason::text(format!("there is no value {position}")),
    }
}

fn insert(call: &Call<'_>) -> NodeResult<Value> {
    let (values, new) = (elements(call, 0)?, call.value(1)?);
    let position = match call.has(2) {
        true => {
            let position = call.int(2)?;
            // One place more than there are values.
            let last = if position < 0 { values.len() } else { values.len() + 1 };
            places::index(position, last)?
        }
        false => values.len(),
    };
    let (before, behind) = values.split_at_checked(position).unwrap_or((values, &[]));
    Ok(sequence(before.iter().chain([new]).chain(behind).cloned().collect()))
}

fn erase(call: &Call<'_>) -> NodeResult<Value> {
    let values = elements(call, 0)?;
    let position = places::index(if call.has(1) { call.int(1)? } else { -1 }, values.len())?;
    let kept = values.iter().enumerate().filter(|(place, _)| *place != position);
    Ok(sequence(kept.map(|(_, value)| value.clone()).collect()))
}

/// Runs a graph for the elements of sequences; other inputs are the same each time.
fn map(node: &Node, maker: &Maker<'_>) -> NodeResult<Prepared> {
    let program = maker.program(node.graph("body")?)?;
    let constant = program.is_constant();
    let prepared = Prepared::device(move |call| {
        let count = elements(call, 0)?.len();
        let mut results = vec![Vec::with_capacity(count); program.outputs()];
        for place in 0..count {
            let mut inputs = Vec::with_capacity(call.count());
            for input in 0..call.count() {
                inputs.push(match call.value(input)? {
                    Value::Sequence(values) if values.len() != count => {
                        return Reason::text(format!(
                            "its sequences have {count} and {} values",
                            values.len()
                        ));
                    }
                    Value::Sequence(values) => values.get(place),
                    other => Some(other),
                });
            }
            let outputs = program.run_within(call, 0, &inputs)?;
            for (result, output) in results.iter_mut().zip(outputs) {
                result.push(output);
            }
        }
        Ok(results.into_iter().map(sequence).collect::<Values>())
    });
    Ok(if constant { prepared } else { prepared.each_time() })
}

/// The most values into which a tensor is split.
const MOST: usize = 1 << 24;

fn split(node: &Node) -> NodeResult<Prepared> {
    let (axis, keeps) = (node.int("axis", 0)?, node.flag("keepdims", true)?);
    Ok(Prepared::device(move |call| {
        let dims = call.shape(0)?;
        let axis = places::axis(axis, dims.rank())?;
        let size = dims.get(axis).copied().unwrap_or(0);
        if size > MOST {
            return Reason::text(format!("an axis of size {size} makes too many values"));
        }
        let mut each = false;
        let sizes: Vec<usize> = match call.optional_array(1)? {
            None => {
                each = true;
                vec![1; size]
            }
            Some(split) => {
                let wrong = || format!("parts of {split:?} are wanted of an axis of size {size}");
                let numbers = split.to_i64s()?;
                let sizes: Option<Vec<usize>> =
                    numbers.iter().map(|&number| usize::try_from(number).ok()).collect();
                match (sizes.as_deref(), split.rank()) {
                    (Some(&[part @ 1usize..=usize::MAX]), 0) => {
                        (0..size.div_ceil(part)).map(|number| part.min(size - number * part)).collect()
                    }
                    (Some(sizes), 1)
                        if sizes.iter().try_fold(0usize, |sum, &part| sum.checked_add(part))
                            == Some(size) =>
                    {
                        sizes.to_vec()
                    }
                    _ => return Reason::text(wrong()),
                }
            }
        };
        let mut values = parts(call, axis, &sizes)?;
        if each && !keeps {
            for value in &mut values {
                *value = without_axis(value, axis)?;
            }
        }
        Ok(sequence(values))
    }))
}

/// Returns a tensor without an axis of size 1.
fn without_axis(value: &Value, axis: usize) -> NodeResult<Value> {
    Ok(match value {
        Value::Tensor(tensor) => tensor.squeeze(axis)?.into(),
        other => {
            let array = other.to_array()?;
            places::view(&array, array.layout().squeeze(axis))?.into()
        }
    })
}

fn concat(node: &Node) -> NodeResult<Prepared> {
    let (axis, stacks) = (node.required_int("axis")?, node.flag("new_axis", false)?);
    Ok(Prepared::device(move |call| {
        let values = elements(call, 0)?;
        match stacks {
            true => stacked(call, values, axis),
            false => concatenated(call, values, axis),
        }
    }))
}

/// Joins values along an axis: on the host, if it knows all of them.
fn concatenated(call: &Call<'_>, values: &[Value], axis: i64) -> NodeResult<Value> {
    let known: Option<Vec<Array>> = values.iter().map(|value| value.known().cloned()).collect();
    if let Some(arrays) = known {
        return Ok(places::concat(&arrays, axis)?.into());
    }
    let tensors: Vec<_> = values.iter().map(|value| call.on_device(value)).collect::<NodeResult<_>>()?;
    Ok(joined(call, &tensors, axis)?.into())
}

/// Joins values along a new axis.
pub(super) fn stacked(call: &Call<'_>, values: &[Value], axis: i64) -> NodeResult<Value> {
    let Some(first) = values.first() else { return Reason::text("there is nothing to stack") };
    let Some(rank) = first.shape().map(|shape| shape.rank()) else {
        return Reason::text(format!("{first} is not stacked"));
    };
    let axis = places::axis(axis, rank + 1)?;
    let single = values.iter().map(|value| match value.known() {
        Some(array) => Ok(places::view(array, array.layout().unsqueeze(axis))?.into()),
        None => {
            let tensor = call.on_device(value)?;
            places::axis(axis as i64, tensor.rank() + 1)?;
            Ok(tensor.unsqueeze(axis)?.into())
        }
    });
    concatenated(call, &single.collect::<NodeResult<Vec<Value>>>()?, axis as i64)
}

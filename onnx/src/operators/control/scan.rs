//! Scan: a graph that runs for each element along an axis, and hands values on.

use aclnn::Shape;

use super::results;
use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::format::types::ValueType;
use crate::graph::Node;
use crate::host::places;
use crate::operators::sequences::stacked;
use crate::run::{Call, Maker, Prepared, Program};
use crate::value::Value;

/// An axis of an input or of a result.
#[derive(Clone, Copy)]
struct Way {
    axis: i64,
    backwards: bool,
}

/// A scan that is ready to run.
struct Scan {
    body: Program,
    /// The number of values that go from one run to the next.
    carried: usize,
    inputs: Vec<Way>,
    results: Vec<Way>,
    declared: Vec<Option<ValueType>>,
}

impl Scan {
    fn new(node: &Node, maker: &Maker<'_>, inputs: [&str; 2], outputs: [&str; 2]) -> NodeResult<Scan> {
        let graph = node.graph("body")?;
        let scanned = node.required_int("num_scan_inputs")?;
        let Some((scanned, carried)) = usize::try_from(scanned)
            .ok()
            .and_then(|scanned| Some((scanned, graph.inputs.len().checked_sub(scanned)?)))
            .filter(|(scanned, carried)| *scanned > 0 && *carried <= graph.outputs.len())
        else {
            return Reason::text(format!(
                "it scans {scanned} inputs, and its body has {} inputs and {} outputs",
                graph.inputs.len(),
                graph.outputs.len()
            ));
        };
        Ok(Scan {
            carried,
            inputs: ways(node, inputs, scanned)?,
            results: ways(node, outputs, graph.outputs.len() - carried)?,
            declared: results::declared(graph, carried),
            body: maker.program(graph)?,
        })
    }

    /// Runs for the elements of some inputs. Returns what is handed on at last, and all results.
    fn run(&self, call: &Call<'_>, inputs: &[Value], length: Option<usize>) -> NodeResult<Vec<Value>> {
        let (carried, scanned) = inputs.split_at_checked(self.carried).unwrap_or((inputs, &[]));
        let mut carried = carried.to_vec();
        let mut axes = Vec::with_capacity(scanned.len());
        let mut count = None;
        for (value, way) in scanned.iter().zip(&self.inputs) {
            let Some(shape) = value.shape() else { return Reason::text(format!("{value} is not scanned")) };
            let axis = places::axis(way.axis, shape.rank())?;
            let size = shape.get(axis).copied().unwrap_or(0);
            if count.replace(size).is_some_and(|count| count != size) {
                return Reason::text("what it scans has different lengths");
            }
            axes.push(axis);
        }
        let count = match (count.unwrap_or(0), length) {
            (count, Some(length)) => length.min(count),
            (count, None) => count,
        };
        let mut collected = vec![Vec::new(); self.declared.len()];
        for number in 0..count {
            let mut elements = Vec::with_capacity(scanned.len());
            for ((value, way), &axis) in scanned.iter().zip(&self.inputs).zip(&axes) {
                let index = if way.backwards { count - 1 - number } else { number };
                elements.push(element(value, axis, index)?);
            }
            let inputs: Vec<Option<&Value>> = carried.iter().chain(&elements).map(Some).collect();
            let mut outputs = self.body.run_within(call, 0, &inputs)?.into_iter();
            for (carried, output) in carried.iter_mut().zip(outputs.by_ref().take(self.carried)) {
                *carried = output;
            }
            for (collected, output) in collected.iter_mut().zip(outputs) {
                collected.push(output);
            }
        }
        let mut values = carried;
        for ((collected, way), declared) in collected.iter_mut().zip(&self.results).zip(&self.declared) {
            if way.backwards {
                collected.reverse();
            }
            values.push(results::joined(call, collected, declared.as_ref(), way.axis)?);
        }
        Ok(values)
    }
}

/// Reads the axes and directions of some inputs or results; the axes have no name where they are always the first.
fn ways(node: &Node, [axes, directions]: [&str; 2], count: usize) -> NodeResult<Vec<Way>> {
    let numbers = |name: &str| -> NodeResult<Vec<i64>> {
        let numbers = node.ints(name)?.unwrap_or_else(|| vec![0; count]);
        match numbers.len() == count {
            true => Ok(numbers),
            false => Reason::text(format!("`{name}` has {} numbers for {count} values", numbers.len())),
        }
    };
    let (axes, directions) = (numbers(axes)?, numbers(directions)?);
    Ok(axes.into_iter().zip(directions).map(|(axis, way)| Way { axis, backwards: way != 0 }).collect())
}

/// Returns one index of an axis, without the axis.
fn element(value: &Value, axis: usize, index: usize) -> NodeResult<Value> {
    Ok(match value {
        Value::Tensor(tensor) => tensor.select(axis, index)?.into(),
        other => {
            let array = other.to_array()?;
            places::view(&array, array.layout().select(axis, index))?.into()
        }
    })
}

pub(super) fn scan(node: &Node, maker: &Maker<'_>) -> NodeResult<Prepared> {
    let inputs = ["scan_input_axes", "scan_input_directions"];
    let scan = Scan::new(node, maker, inputs, ["scan_output_axes", "scan_output_directions"])?;
    let constant = scan.body.is_constant();
    let prepared = Prepared::device(move |call| {
        let inputs = (0..call.count()).map(|input| call.value(input).cloned());
        scan.run(call, &inputs.collect::<NodeResult<Vec<_>>>()?, None)
    });
    Ok(if constant { prepared } else { prepared.each_time() })
}

/// The form of version 8: the first axis of everything is that of batches, and the second one is scanned.
pub(super) fn of_batches(node: &Node, maker: &Maker<'_>) -> NodeResult<Prepared> {
    let scan = Scan::new(node, maker, ["", "directions"], ["", ""])?;
    let constant = scan.body.is_constant();
    let prepared = Prepared::device(move |call| {
        let lengths = call.optional_ints(0)?;
        let inputs: Vec<&Value> =
            (1..call.count()).map(|input| call.value(input)).collect::<NodeResult<_>>()?;
        let batches = inputs.first().and_then(|value| value.shape()?.first().copied()).unwrap_or(0);
        let mut all: Vec<Vec<Value>> = Vec::new();
        for batch in 0..batches {
            let own = inputs.iter().map(|value| match value.shape().and_then(|shape| shape.first()) {
                Some(size) if batch < *size => element(value, 0, batch),
                _ => Reason::text(format!("{value} has no {batches} batches")),
            });
            let length = lengths.as_ref().and_then(|lengths| usize::try_from(*lengths.get(batch)?).ok());
            let full = inputs.last().and_then(|value| value.shape()?.get(1).copied()).unwrap_or(0);
            let values = scan.run(call, &own.collect::<NodeResult<Vec<_>>>()?, length)?;
            all.resize(values.len(), Vec::new());
            for (place, (all, value)) in all.iter_mut().zip(values).enumerate() {
                let is_result = place >= scan.carried;
                all.push(if is_result { filled(call, value, full)? } else { value });
            }
        }
        all.iter().map(|values| stacked(call, values, 0)).collect::<NodeResult<Vec<_>>>()
    });
    Ok(if constant { prepared } else { prepared.each_time() })
}

/// Returns a value with zeros at the end of its first axis, up to a size.
fn filled(call: &Call<'_>, value: Value, size: usize) -> NodeResult<Value> {
    let (Some(shape), Some(dtype)) = (value.shape(), value.dtype()) else { return Ok(value) };
    let Some((own, rest)) = shape.split_first().filter(|(own, _)| **own < size) else { return Ok(value) };
    let missing: Shape = [size - own].into_iter().chain(rest.iter().copied()).collect();
    let bytes = missing.numel().and_then(|numel| dtype.storage_bytes(numel)).unwrap_or(0);
    let zeros = call.upload(&Array::new(dtype, missing, vec![0; bytes])?)?;
    Ok(crate::operators::movement::joined(call, &[call.on_device(&value)?, zeros], 0)?.into())
}

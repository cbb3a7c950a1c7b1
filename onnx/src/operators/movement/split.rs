//! Split: the parts of a tensor along an axis.

use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::host::places;
use crate::run::{Call, Prepared};
use crate::value::Value;

/// Splits by an attribute with sizes.
pub(super) fn by_attributes(node: &Node) -> NodeResult<Prepared> {
    let sizes = node.ints("split")?;
    prepared(node, move |call, size| match &sizes {
        Some(sizes) => given(sizes, size),
        None => even(size, call.outputs()),
    })
}

/// Splits by an input with sizes.
pub(super) fn by_input(node: &Node) -> NodeResult<Prepared> {
    prepared(node, |call, size| match call.optional_ints(1)? {
        Some(sizes) => given(&sizes, size),
        None => even(size, call.outputs()),
    })
}

/// Splits by an input with sizes, or into a number of parts of which the last may be smaller.
pub(super) fn by_number(node: &Node) -> NodeResult<Prepared> {
    let number = node.attributes.int("num_outputs")?;
    prepared(node, move |call, size| match (call.optional_ints(1)?, number) {
        (Some(sizes), _) => given(&sizes, size),
        (None, Some(number)) => match usize::try_from(number) {
            Ok(parts @ 1..) if parts == call.outputs() => Ok(nearly_even(size, parts)),
            _ => {
                Reason::text(format!("its `num_outputs` is {number}, and it has {} outputs", call.outputs()))
            }
        },
        (None, None) => even(size, call.outputs()),
    })
}

fn given(sizes: &[i64], size: usize) -> NodeResult<Vec<usize>> {
    let parts: Option<Vec<usize>> = sizes.iter().map(|&part| usize::try_from(part).ok()).collect();
    let total = |parts: &Vec<usize>| parts.iter().try_fold(0usize, |total, &part| total.checked_add(part));
    match parts {
        Some(parts) if total(&parts) == Some(size) => Ok(parts),
        _ => Reason::text(format!("parts of {sizes:?} do not add up to an axis of size {size}")),
    }
}

fn even(size: usize, parts: usize) -> NodeResult<Vec<usize>> {
    match size.checked_rem(parts) {
        Some(0) => Ok(vec![size / parts; parts]),
        _ => Reason::text(format!("an axis of size {size} does not split into {parts} equal parts")),
    }
}

fn nearly_even(size: usize, parts: usize) -> Vec<usize> {
    let most = size.div_ceil(parts);
    (0..parts).map(|part| most.min(size.saturating_sub(part.saturating_mul(most)))).collect()
}

fn prepared(
    node: &Node,
    sizes: impl Fn(&Call<'_>, usize) -> NodeResult<Vec<usize>> + Send + Sync + 'static,
) -> NodeResult<Prepared> {
    let axis = node.int("axis", 0)?;
    Ok(Prepared::device(move |call| {
        let dims = call.shape(0)?;
        let axis = places::axis(axis, dims.rank())?;
        let sizes = sizes(call, dims.get(axis).copied().unwrap_or(0))?;
        if sizes.len() < call.outputs() {
            return Reason::text(format!("it has {} outputs for {} parts", call.outputs(), sizes.len()));
        }
        parts(call, axis, &sizes)
    }))
}

/// Returns the parts of input 0, as views.
pub(in super::super) fn parts(call: &Call<'_>, axis: usize, sizes: &[usize]) -> NodeResult<Vec<Value>> {
    let mut start = 0;
    let ranges = sizes.iter().map(|&size| {
        start += size;
        start - size..start
    });
    // What the host knows stays known.
    if let Some(array) = call.value(0)?.known() {
        return ranges
            .map(|range| Ok(places::view(array, array.layout().slice(axis, range, 1))?.into()))
            .collect();
    }
    let tensor = call.tensor(0)?;
    ranges.map(|range| Ok(tensor.slice(axis, range)?.into())).collect()
}

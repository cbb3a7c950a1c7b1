//! Unique: each different element or slice once.

use std::cmp::Ordering;

use aclnn::{Tensor, ops};

use crate::array::Array;
use crate::error::NodeResult;
use crate::graph::Node;
use crate::host::elements::{integers, is_whole};
use crate::host::places;
use crate::operators::shapes::in_shape;
use crate::run::{Call, Prepared, Values};
use crate::value::Value;

pub(super) fn unique(node: &Node) -> NodeResult<Prepared> {
    let (axis, sorted) = (node.attributes.int("axis")?, node.flag("sorted", true)?);
    Ok(Prepared::device(move |call| on_device(call, axis, sorted)).or_host(move |call| {
        let array = call.array(0)?;
        match axis {
            Some(axis) => on_host(&array, axis, sorted),
            None => on_host(&array.reshape([array.numel()])?, 0, sorted),
        }
    }))
}

fn on_device(call: &Call<'_>, axis: Option<i64>, sorted: bool) -> NodeResult<Values> {
    let tensor = call.tensor(0)?;
    call.note(|notes| notes.waits += 1);
    let axis = axis.map(|axis| places::axis(axis, tensor.rank())).transpose()?;
    let ((values, rest), cast) = call.widened_as([&tensor], |[x]| {
        let mut unique = ops::unique(x);
        if let Some(axis) = axis {
            unique = unique.axis(axis);
        }
        unique.run_with_inverse_and_counts().map(|(values, inverse, counts)| (values, (inverse, counts)))
    })?;
    let values = match cast {
        Some((from, _)) => values.cast(from)?,
        None => values.copy()?,
    };
    let (inverse, counts) = (in_shape(&rest.0, [rest.0.numel()].into())?, rest.1.copy()?);
    if sorted && !call.wants(1) {
        return Ok(results(values, None, inverse, counts));
    }
    // In a stable order by number, the first of each number comes after those of all smaller ones.
    let order = ops::sort(&inverse, 0).stable().indices()?;
    let firsts = order.take(&counts.cumsum(0)?.sub(&counts)?)?;
    if sorted {
        return Ok(results(values, Some(firsts), inverse, counts));
    }
    let (firsts, order) = firsts.sort(0)?;
    let values = call.widened([&values], |[x]| x.take_axis(axis.unwrap_or(0), &order))?;
    let inverse = order.argsort(0)?.take(&inverse)?;
    Ok(results(values, Some(firsts), inverse, counts.take(&order)?))
}

fn results(values: Tensor, firsts: Option<Tensor>, inverse: Tensor, counts: Tensor) -> Values {
    Values::optional(
        [Some(values), firsts, Some(inverse), Some(counts)].map(|tensor| tensor.map(Value::from)),
    )
}

/// Elements that have an order.
enum Keys<'a> {
    Whole(Vec<i128>),
    Floats(Vec<f64>),
    Strings(&'a [String]),
}

impl Keys<'_> {
    fn of(array: &Array) -> NodeResult<Keys<'_>> {
        Ok(match array.strings() {
            Some(strings) => Keys::Strings(strings),
            None if is_whole(array) => Keys::Whole(integers(array)?),
            None => Keys::Floats(array.to_f64s()?),
        })
    }

    fn compare(&self, a: usize, b: usize) -> Ordering {
        match self {
            Keys::Whole(values) => values.get(a).cmp(&values.get(b)),
            Keys::Strings(values) => values.get(a).cmp(&values.get(b)),
            Keys::Floats(values) => match (values.get(a), values.get(b)) {
                (Some(a), Some(b)) => a.partial_cmp(b).unwrap_or_else(|| a.total_cmp(b)),
                _ => Ordering::Equal,
            },
        }
    }
}

fn on_host(array: &Array, axis: i64, sorted: bool) -> NodeResult<Values> {
    let along = places::axis(axis, array.rank())?;
    let (before, size, after) = places::around(array.dims(), along);
    let keys = Keys::of(array)?;
    let compare = |a: usize, b: usize| {
        let place = |slice: usize, number: usize| (number / after * size + slice) * after + number % after;
        let orders = (0..before * after).map(|number| keys.compare(place(a, number), place(b, number)));
        orders.fold(Ordering::Equal, Ordering::then)
    };
    let mut order: Vec<usize> = (0..size).collect();
    order.sort_by(|&a, &b| compare(a, b));
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for slice in order {
        match groups.last_mut() {
            Some(group) if group.first().is_some_and(|&first| compare(first, slice).is_eq()) => {
                group.push(slice)
            }
            _ => groups.push(vec![slice]),
        }
    }
    if !sorted {
        groups.sort_by_key(|group| group.first().copied());
    }
    let mut inverse = vec![0; size];
    for (number, group) in groups.iter().enumerate() {
        for &slice in group {
            if let Some(inverse) = inverse.get_mut(slice) {
                *inverse = number as i64;
            }
        }
    }
    let firsts = Array::line(groups.iter().filter_map(|group| group.first()).map(|&first| first as i64));
    let counts = Array::line(groups.iter().map(|group| group.len() as i64));
    let values = places::gather(array, &firsts, along as i64)?;
    Ok([values, firsts, Array::line(inverse), counts].into_iter().collect())
}

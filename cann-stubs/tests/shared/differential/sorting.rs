//! Sorting, selection by rank, search, unique elements. An element's rank is the number of elements before it.

use aclnn_numerics::DType::{self, *};

use super::draw::{Array, Draw, call, out};
use crate::support::cases::{Argument, Case};

/// The types that all of the sorts take.
const SORTED: &[DType] = &[F32, F16, I8, U8, I16, I32, I64];
const SEARCHED: &[DType] = &[F32, F16, F64, I8, U8, I16, I32, I64];
const COMPARED: &[DType] = &[F32, F16, BF16, F64, I8, U8, I16, I32, I64, U16, U32, U64, Bool];

/// The positions of a row's elements in order.
fn order(row: &[i64], descending: bool) -> Vec<i64> {
    let is_before = |a: usize, b: usize| match descending {
        false => row[a] < row[b] || row[a] == row[b] && a < b,
        true => row[a] > row[b] || row[a] == row[b] && a < b,
    };
    let mut order = vec![0; row.len()];
    for own in 0..row.len() {
        let rank = (0..row.len()).filter(|other| is_before(*other, own)).count();
        order[rank] = own as i64;
    }
    order
}

fn picked(row: &[i64], positions: &[i64]) -> Vec<i64> {
    positions.iter().map(|position| row[*position as usize]).collect()
}

/// The rows along an axis.
fn rows(array: &Array, axis: usize) -> Vec<Vec<i64>> {
    let len = array.dims.get(axis).map_or(1, |len| *len as usize);
    let step = array.dims.iter().skip(axis + 1).product::<i64>() as usize;
    let count = array.values.len() / len.max(1);
    let first = |row: usize| row / step.max(1) * len * step + row % step.max(1);
    let row = |row: usize| (0..len).map(|index| array.values[first(row) + index * step]).collect();
    (0..count).map(row).collect()
}

/// An array with these rows along an axis; without the axis if it goes.
fn of_rows(array: &Array, axis: usize, rows: &[Vec<i64>], len: usize, goes: bool) -> Array {
    let step = array.dims.iter().skip(axis + 1).product::<i64>() as usize;
    let mut dims = array.dims.clone();
    if let Some(size) = dims.get_mut(axis) {
        *size = len as i64;
    }
    let mut values = vec![0; dims.iter().product::<i64>() as usize];
    for (number, row) in rows.iter().enumerate() {
        for (index, value) in row.iter().enumerate() {
            values[number / step.max(1) * len * step + number % step.max(1) + index * step] = *value;
        }
    }
    if goes && axis < dims.len() {
        dims.remove(axis);
    }
    Array { dims, values }
}

/// An axis, and how a call names it.
fn axis(draw: &mut Draw, dims: &[i64]) -> (usize, Argument) {
    let rank = dims.len().max(1);
    let axis = draw.below(rank);
    let named = if draw.once_in(2) { axis as i64 } else { axis as i64 - rank as i64 };
    (axis, Argument::Int(named))
}

pub(super) fn ranked(draw: &mut Draw) -> Case {
    // Rows of some length are sorted in another way.
    let is_long = draw.once_in(50);
    let (dtype, dims) =
        (draw.one(SORTED), if is_long { vec![draw.between(1000, 1200)] } else { draw.dims() });
    let (axis, dim) = axis(draw, &dims);
    let mut array = draw.numbers(dtype, &dims);
    let own = draw.input(dtype, &mut array);
    let len = dims.get(axis).map_or(1, |len| *len as usize);
    let rows = rows(&array, axis);
    let results = |positions: &dyn Fn(&[i64]) -> Vec<i64>, len: usize, goes: bool| {
        let positions: Vec<_> = rows.iter().map(|row| positions(row)).collect();
        let values: Vec<_> = rows.iter().zip(&positions).map(|(row, at)| picked(row, at)).collect();
        [values, positions].map(|rows| of_rows(&array, axis, &rows, len, goes))
    };
    let (flag, goes) = (draw.once_in(2), draw.once_in(2));
    match draw.below(5) {
        0 => {
            let [values, indices] = results(&|row| order(row, flag), len, false);
            let to = if len > 1 { draw.result_type(dtype) } else { dtype };
            let (values, indices) = (out(to, &values), out(I64, &indices));
            call("Sort", vec![own, Argument::Bool(true), dim, Argument::Bool(flag), values, indices])
        }
        1 => {
            let [_, indices] = results(&|row| order(row, flag), len, false);
            call("Argsort", vec![own, dim, Argument::Bool(flag), out(I64, &indices)])
        }
        2 if len > 0 => {
            let k = draw.below(len) + 1;
            let kth = |row: &[i64]| vec![order(row, false)[k - 1]];
            let [values, indices] = results(&kth, 1, goes);
            let (k, keep) = (Argument::Int(k as i64), Argument::Bool(!goes));
            call("Kthvalue", vec![own, k, dim, keep, out(dtype, &values), out(I64, &indices)])
        }
        3 if len > 0 => {
            let middle = |row: &[i64]| vec![order(row, false)[(row.len() - 1) / 2]];
            let [values, indices] = results(&middle, 1, goes);
            let operator = if flag { "MedianDim" } else { "NanMedianDim" };
            let (values, indices) = (out(dtype, &values), out(I64, &indices));
            call(operator, vec![own, dim, Argument::Bool(!goes), values, indices])
        }
        _ => {
            // Without axes there is always one result.
            let k = if dims.is_empty() { 1 } else { draw.below(len + 1) };
            let [values, indices] = results(&|row| order(row, flag)[..k].to_vec(), k, false);
            let (values, indices) = (out(dtype, &values), out(I64, &indices));
            let (largest, sorted) = (Argument::Bool(flag), Argument::Bool(true));
            call("Topk", vec![own, Argument::Int(k as i64), dim, largest, sorted, values, indices])
        }
    }
}

pub(super) fn searched(draw: &mut Draw) -> Case {
    let (stored, dtype) = (draw.one(SEARCHED), draw.one(SEARCHED));
    let (mut dims, own_dims) = (draw.dims(), draw.dims());
    let is_row = draw.once_in(2) || dims.len() < 2;
    let own_dims = if is_row { own_dims } else { [&dims[..dims.len() - 1], &[draw.between(1, 6)]].concat() };
    if is_row {
        dims = vec![draw.between(0, 40)];
    }
    let sequence = draw.numbers(stored, &dims);
    let mut own = draw.numbers(dtype, &own_dims);
    let searched = draw.input(dtype, &mut own);
    let unsorted = rows(&sequence, dims.len() - 1);
    let orders: Vec<_> = unsorted.iter().map(|row| order(row, false)).collect();
    let sorted: Vec<_> = unsorted.iter().zip(&orders).map(|(row, order)| picked(row, order)).collect();
    let [orders, sorted_rows] = [&orders, &sorted]
        .map(|rows| of_rows(&sequence, dims.len() - 1, rows, dims[dims.len() - 1] as usize, false));
    let right = draw.once_in(2);
    let before =
        |row: &[i64], x: i64| row.iter().filter(|y| if right { **y <= x } else { **y < x }).count() as i64;
    let of_a_row = own.values.len() / sorted.len().max(1);
    let empty = sequence.values.is_empty();
    let found = own.values.iter().enumerate().map(|(index, x)| {
        let row = if is_row { 0 } else { index / of_a_row.max(1) };
        if empty { 0 } else { before(&sorted[row], *x) }
    });
    let found = Array { dims: own.dims.clone(), values: found.collect() };
    let (sequence, sorter) = match draw.once_in(3) {
        true => (sequence, Argument::Tensor(orders.elements(I64))),
        false => (sorted_rows, Argument::Null),
    };
    let (position, narrow) = if draw.once_in(2) { (I32, true) } else { (I64, false) };
    let sequence = Argument::Tensor(sequence.elements(stored));
    let (narrow, right) = (Argument::Bool(narrow), Argument::Bool(right));
    call("SearchSorted", vec![sequence, searched, narrow, right, sorter, out(position, &found)])
}

/// The slices along an axis, one after the other.
fn slices(array: &Array, axis: usize) -> Vec<Vec<i64>> {
    let rows = rows(array, axis);
    let len = array.dims.get(axis).map_or(1, |len| *len as usize);
    (0..len).map(|index| rows.iter().map(|row| row[index]).collect()).collect()
}

pub(super) fn unique(draw: &mut Draw) -> Case {
    let (dtype, mut dims) = (draw.one(COMPARED), draw.dims());
    dims.iter_mut().for_each(|size| *size = (*size).max(1));
    let mut array = draw.numbers(dtype, &dims);
    let own = draw.input(dtype, &mut array);
    let is_flat = dims.is_empty() || draw.once_in(2);
    let flat = Array { dims: vec![array.values.len() as i64], values: array.values.clone() };
    let (along, dim) = if is_flat { (0, Argument::Int(1000)) } else { axis(draw, &dims) };
    let array = if is_flat { flat } else { array };
    let sorts = draw.once_in(2);
    let slices = slices(&array, along);
    let mut groups: Vec<(Vec<i64>, i64)> = Vec::new();
    let mut inverse = Vec::new();
    if sorts {
        let mut sorted = slices.clone();
        sorted.sort();
        sorted.dedup();
        let count = |slice: &Vec<i64>| slices.iter().filter(|other| *other == slice).count() as i64;
        groups = sorted.into_iter().map(|slice| (slice.clone(), count(&slice))).collect();
        inverse = slices
            .iter()
            .map(|slice| groups.iter().filter(|group| group.0 < *slice).count() as i64)
            .collect();
    } else {
        for slice in &slices {
            match groups.last_mut() {
                Some((last, count)) if last == slice => *count += 1,
                _ => groups.push((slice.clone(), 1)),
            }
            inverse.push(groups.len() as i64 - 1);
        }
    }
    let count = slices.first().map_or(0, Vec::len);
    let rows: Vec<Vec<i64>> =
        (0..count).map(|row| groups.iter().map(|group| group.0[row]).collect()).collect();
    let values = of_rows(&array, along, &rows, groups.len(), false);
    let numbers = slices.len() as i64;
    let inverse = Array { dims: if is_flat { dims } else { vec![numbers] }, values: inverse };
    let counts =
        Array { dims: vec![groups.len() as i64], values: groups.iter().map(|group| group.1).collect() };
    let results = vec![
        Argument::Sized { made: array.dims.clone(), expected: values.elements(dtype) },
        out(I64, &inverse),
        Argument::Sized { made: vec![numbers], expected: counts.elements(I64) },
    ];
    let yes = || Argument::Bool(true);
    let (operator, options) = match (sorts, is_flat) {
        (true, true) => ("Unique2", vec![yes(), yes(), yes()]),
        (true, false) => ("UniqueDim", vec![yes(), yes(), dim]),
        (false, _) => ("UniqueConsecutive", vec![yes(), yes(), dim]),
    };
    call(operator, [vec![own], options, results].into_iter().flatten().collect())
}

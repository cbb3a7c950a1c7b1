//! Elements by their indices, or by a mask.
//!
//! Indices are in range. Where elements are overwritten they are different: which of two writes to one place wins is not
//! described. Numbers that are added are small and whole, so that every order of a sum gives the same.

use aclnn_numerics::DType::{self, Bool, F32, I32, I64, U8};
use aclnn_numerics::product::Product;

use super::call::{Call, Cell, LAYOUTS, LAYOUTS_IN_PLACE, SHAPES, SHAPES_IN_PLACE, is_in_place, pool};
use crate::declared::{Operator, Signature};
use crate::verify::case::{Argument, Class, Role, Tensor};
use crate::verify::draw::Domain;
use crate::verify::elements::encode;

/// Each type of the elements with each type of the indices.
pub(super) fn cells(operator: &Operator, product: Product) -> Vec<Cell> {
    let takes = operator.signature.takes(product);
    let indices = match operator.signature {
        Signature::Indexed(rule) => rule.indices.on(product),
        _ => takes,
    };
    let has_indices = !matches!(operator.info.function(), "nonzero" | "nonzero_v2" | "index_fill_at");
    let tried: Vec<DType> = match operator.info.function() {
        "embedding_dense_backward" => vec![I32, I64, F32, Bool, DType::F16],
        _ => [I64, I32, Bool, U8, F32]
            .into_iter()
            .filter(|dtype| indices.contains(*dtype) || *dtype == F32)
            .collect(),
    };
    let classes = classes(operator);
    let plain = if is_in_place(operator) { Class::InPlace } else { Class::Contiguous };
    let variants: &[&str] = match operator.info.function() {
        "scatter" | "scatter_value" => &["", "add", "multiply", "maximum", "minimum"],
        "scatter_reduce" => &["add", "multiply"],
        "index_add_v2" => &["", "cores"],
        "index_put" | "put" => &["", "accumulate"],
        _ => &[""],
    };
    let mut cells = Vec::new();
    for own in pool(takes) {
        if !has_indices {
            let classes = if takes.contains(own) { &classes[..] } else { std::slice::from_ref(&plain) };
            cells.push(Cell::new(&[own], classes));
            continue;
        }
        for (number, index) in tried.iter().enumerate() {
            match (takes.contains(own), indices.contains(*index)) {
                (true, true) => cells.push(Cell::with_variants(&[own, *index], &classes, variants)),
                (false, true) if number == 0 => cells.push(Cell::new(&[own, *index], &[plain])),
                (true, false) => cells.push(Cell::new(&[own, *index], &[plain])),
                _ => {}
            }
        }
    }
    cells
}

fn classes(operator: &Operator) -> Vec<Class> {
    let all: &[Class] = match (operator.info.name(), is_in_place(operator)) {
        ("Embedding" | "EmbeddingBag" | "EmbeddingDenseBackward", _) => &LAYOUTS,
        ("InplaceScatterUpdate", _) => &LAYOUTS_IN_PLACE,
        (_, true) => &SHAPES_IN_PLACE,
        (_, false) => &SHAPES,
    };
    // Coordinates and lists of indices need an axis.
    let needs_axis = matches!(
        operator.info.function(),
        "gather_nd"
            | "scatter_nd"
            | "scatter_nd_update"
            | "index"
            | "index_put"
            | "nonzero"
            | "nonzero_v2"
            | "scatter_add_slices"
    );
    // A view that repeats an axis is no place for a result.
    let is_read = operator.info.name() != "IndexCopy";
    all.iter()
        .copied()
        .filter(|class| (!needs_axis || *class != Class::NoAxes) && (is_read || *class != Class::Broadcast))
        .collect()
}

pub(super) fn make(call: &mut Call<'_>) {
    let (own, index) = (call.dtype(0), call.dtype(1));
    let dims = call.class.dims();
    let axis = match call.name() {
        // Before the 950 the first axis alone.
        "GatherV3" if call.product != Product::Ascend950 => 0,
        "IndexAddV2" if call.variant == "cores" => 0,
        _ => dims.len().saturating_sub(1),
    };
    let dim = axis as i64;
    let size = dims.get(axis).copied().unwrap_or(1);
    let at = |size: i64| -> Vec<i64> {
        let mut dims = dims.clone();
        if let Some(own) = dims.get_mut(axis) {
            *own = size;
        }
        dims
    };
    let numel: i64 = dims.iter().product();
    // Small and whole, or anything where elements are only moved.
    let small = Domain::Whole(0, 4);
    let few = |count: i64| count.min(size);
    match call.name() {
        "IndexSelect" => {
            call.read(own, &dims, Domain::Any);
            call.int(dim);
            let shape: &[i64] = if dims.is_empty() { &[] } else { &[5] };
            indices(call, index, shape, 0, size);
            call.write(own, &at(5));
        }
        "GatherV2" | "GatherV3" => {
            call.read(own, &dims, Domain::Any);
            call.int(dim);
            let shape: &[i64] = if dims.is_empty() {
                &[1]
            } else if dims.len() == 8 {
                &[5]
            } else {
                &[2, 3]
            };
            indices(call, index, shape, 0, size);
            if call.name() == "GatherV3" {
                call.int(0);
                call.int(1);
            }
            let mut made = dims.clone();
            match call.name() {
                "GatherV3" if made.is_empty() => made = shape.to_vec(),
                _ if made.is_empty() => {}
                _ => _ = made.splice(axis..=axis, shape.iter().copied()),
            }
            call.write(own, &made);
        }
        "GatherNd" => {
            call.read(own, &dims, Domain::Any);
            if call.class == Class::Empty {
                numbers(call, index, &[0, 1], &[]);
                call.flag(false);
                return call.write(own, &[0, 9]);
            }
            let coordinates: Vec<i64> =
                (0..3).flat_map(|_| [dims[0], dims[1]].map(|size| call.draw.between(0, size - 1))).collect();
            numbers(call, index, &[3, 2], &coordinates);
            call.flag(false);
            call.write(own, &[&[3], &dims[2..]].concat());
        }
        "Take" => {
            call.read(own, &dims, Domain::Any);
            let shape: &[i64] = if numel == 0 { &[0] } else { &[2, 3] };
            indices(call, index, shape, 0, numel);
            call.write(own, shape);
        }
        "Embedding" => {
            call.read(own, &[4, 9], Domain::Any);
            indices(call, index, &[2, 3], 0, 4);
            call.write(own, &[2, 3, 9]);
        }
        // Two bags, of which the second one is longer.
        "EmbeddingBag" => {
            call.read(own, &[4, 9], small);
            indices(call, index, &[5], 0, 4);
            call.read_numbers(index, &[2], &[0, 2]);
            call.flag(false);
            call.int(0);
            call.flag(false);
            call.push(Argument::Null);
            call.flag(false);
            call.int(-1);
            call.write(own, &[2, 9]);
            call.write(index, &[5]);
            call.write(index, &[2]);
            call.write(index, &[2]);
        }
        "EmbeddingDenseBackward" => {
            call.read(own, &[2, 3, 4], small);
            indices(call, index, &[2, 3], 0, 2);
            call.int(5);
            call.int(-1);
            call.flag(false);
            call.write(own, &[5, 4]);
        }
        "Gather" => {
            call.read(own, &dims, Domain::Any);
            call.int(dim);
            let shape = at(few(5));
            indices(call, index, &shape, 0, size);
            call.write(own, &shape);
        }
        "Index" | "IndexPutImpl" => listed(call, own, index, &dims),
        "IndexAdd" | "IndexAddV2" => {
            call.read(own, &dims, small);
            call.int(dim);
            let shape: &[i64] = if dims.is_empty() { &[] } else { &[5] };
            indices(call, index, shape, 0, size);
            call.read(own, &at(5), small);
            let factor = if own == Bool || call.variant == "cores" { 1.0 } else { 2.0 };
            call.scalar(if own.is_float() { F32 } else { I64 }, factor);
            if call.name() == "IndexAddV2" {
                // 0 is a kernel of the AI cores, which knows no factor.
                call.int(i64::from(call.variant != "cores"));
            }
            call.write(own, &dims);
        }
        "IndexCopy" | "InplaceIndexCopy" => {
            call.own(own, &dims, Domain::Any);
            call.int(dim);
            different(call, index, &dims, few(3), size);
            call.read(own, &at(few(3)), Domain::Any);
            call.out(own, &dims);
        }
        "IndexFill" | "InplaceIndexFill" => {
            call.own(own, &dims, Domain::Any);
            call.int(dim);
            different(call, index, &dims, few(3), size);
            call.scalar(own, 3.0);
            call.out(own, &dims);
        }
        "IndexFillTensor" | "InplaceIndexFillTensor" => {
            call.own(own, &dims, Domain::Any);
            call.int(dim);
            let positions = call.draw.different(few(3) as usize, size as usize);
            call.ints(&positions);
            call.scalar(own, 3.0);
            call.out(own, &dims);
        }
        "Scatter"
        | "InplaceScatter"
        | "ScatterValue"
        | "InplaceScatterValue"
        | "ScatterAdd"
        | "ScatterReduce"
        | "InplaceScatterReduce" => scatter(call, own, index, &dims, few(3), size),
        "ScatterNd" | "ScatterNdUpdate" => {
            call.own(own, &dims, Domain::Any);
            let rows = dims.first().copied().unwrap_or(1);
            let count = rows.min(2);
            let positions = call.draw.different(count as usize, rows as usize);
            numbers(call, index, &[count, 1], &positions);
            let updates = [&[count], &dims[1..]].concat();
            call.read(own, &updates, Domain::Any);
            call.out(own, &dims);
        }
        "OneHot" => {
            // Room for one more axis.
            let shape = if dims.len() == 8 { &dims[1..] } else { &dims[..] };
            indices(call, index, shape, 0, 4);
            call.int(4);
            call.read(own, &[], small);
            call.read(own, &[1], small);
            call.int(-1);
            call.write(own, &[shape, &[4]].concat());
        }
        "TfScatterAdd" => {
            call.update(own, &dims, small);
            let rows = dims.first().copied().unwrap_or(1);
            let shape: &[i64] = match call.class {
                Class::Empty => &[0],
                Class::EightAxes => &[3],
                _ => &[2, 3],
            };
            indices(call, index, shape, 0, rows);
            let updates = [shape, dims.get(1..).unwrap_or_default()].concat();
            call.read(own, &updates, small);
        }
        "InplaceScatterUpdate" => {
            call.update(own, &[3, 6, 4], Domain::Any);
            indices(call, index, &[3], 0, 5);
            call.read(own, &[3, 2, 4], Domain::Any);
            call.int(-2);
        }
        "InplacePut" => {
            let count = numel.min(5);
            let adds = call.variant == "accumulate";
            call.update(own, &dims, if adds { small } else { Domain::Any });
            let positions = call.draw.different(count as usize, numel as usize);
            numbers(call, index, &[count], &positions);
            call.read(own, &[count], if adds { small } else { Domain::Any });
            call.flag(adds);
        }
        "MaskedSelect" => {
            call.read(own, &dims, Domain::Any);
            mask(call, index, &dims);
            call.sized(own, &[numel]);
        }
        "InplaceMaskedFillScalar" | "InplaceMaskedFillTensor" => {
            call.update(own, &dims, Domain::Any);
            mask(call, index, &dims);
            if call.name() == "InplaceMaskedFillScalar" {
                call.scalar(own, 3.0)
            } else {
                call.read(own, &[], small)
            }
        }
        "InplaceMaskedScatter" => {
            call.update(own, &dims, Domain::Any);
            mask(call, index, &dims);
            call.read(own, &dims, Domain::Any);
        }
        "Nonzero" | "NonzeroV2" => {
            call.read(own, &dims, Domain::Whole(0, 1));
            let rank = dims.len() as i64;
            let made = if call.name() == "Nonzero" { [numel, rank] } else { [rank, numel] };
            call.sized(I64, &made);
        }
        _ => call.unserved(),
    }
}

/// Adds integers as a tensor of indices; of a type that is no index, too.
fn numbers(call: &mut Call<'_>, dtype: DType, dims: &[i64], numbers: &[i64]) {
    call.read_numbers(dtype, dims, numbers);
}

/// Adds indices from `low` to below `end`.
fn indices(call: &mut Call<'_>, dtype: DType, dims: &[i64], low: i64, end: i64) {
    let count = dims.iter().product::<i64>();
    let chosen: Vec<i64> = (0..count).map(|_| call.draw.between(low, (end - 1).max(low))).collect();
    numbers(call, dtype, dims, &chosen);
}

/// Adds different indices of an axis: a single number beside a tensor without axes.
fn different(call: &mut Call<'_>, dtype: DType, dims: &[i64], count: i64, size: i64) {
    let positions = call.draw.different(count as usize, size as usize);
    let shape: &[i64] = if dims.is_empty() { &[] } else { &[count] };
    numbers(call, dtype, shape, &positions);
}

fn mask(call: &mut Call<'_>, dtype: DType, dims: &[i64]) {
    let count = dims.iter().product::<i64>();
    let truths: Vec<i64> = (0..count).map(|_| call.draw.between(0, 1)).collect();
    numbers(call, dtype, dims, &truths);
}

fn scatter(call: &mut Call<'_>, own: DType, index: DType, dims: &[i64], count: i64, size: i64) {
    let reduce = match call.variant {
        _ if call.name() == "ScatterAdd" => 1,
        "add" => 1,
        "multiply" => 2,
        "maximum" => 3,
        "minimum" => 4,
        _ => 0,
    };
    let domain = if reduce == 0 { Domain::Any } else { Domain::Whole(0, 4) };
    call.own(own, dims, domain);
    let axis = dims.len().saturating_sub(1);
    call.int(axis as i64);
    let mut shape = dims.to_vec();
    if let Some(last) = shape.last_mut() {
        *last = count;
    }
    // Different positions on every row, the same on all.
    let positions = call.draw.different(count as usize, size as usize);
    let rows = shape.iter().take(axis).product::<i64>() as usize;
    numbers(call, index, &shape, &positions.repeat(rows));
    if call.function() == "scatter_value" {
        call.scalar(own, 2.0);
    } else {
        call.read(own, &shape, domain);
    }
    if call.name() != "ScatterAdd" {
        call.int(reduce);
    }
    if call.function() == "scatter_reduce" {
        call.flag(true);
    }
    call.out(own, dims);
}

/// A list of indices for the first axis, or a mask over it.
fn listed(call: &mut Call<'_>, own: DType, index: DType, dims: &[i64]) {
    let adds = call.variant == "accumulate";
    let domain = if adds { Domain::Whole(0, 4) } else { Domain::Any };
    call.own(own, dims, domain);
    let rows = dims[0];
    let (listed, count) = if index == Bool || index == U8 {
        ((0..rows).map(|row| (row + 1) % 2).collect(), (rows + 1) / 2)
    } else {
        let positions = call.draw.different(3, rows as usize);
        let count = positions.len() as i64;
        (positions, count)
    };
    let elements = listed.iter().flat_map(|number| encode(index, *number as f64)).collect();
    let layout = call.class.layout();
    let tensor = Tensor::new(Role::Read, index, &[listed.len() as i64], layout, elements);
    call.push(Argument::Tensors(vec![tensor]));
    let found = [&[count], &dims[1..]].concat();
    if call.name() == "Index" {
        return call.write(own, &found);
    }
    call.read(own, &found, domain);
    call.flag(adds);
    call.flag(false);
}

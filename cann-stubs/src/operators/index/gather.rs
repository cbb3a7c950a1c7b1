//! Elements and slices that indices find, copied out of a tensor.

use aclnn_numerics::DType;
use aclnn_numerics::types_by_product::Types;
use cann_kernels::indexing::index::SumRows;
use cann_kernels::size_of_dtype;

use super::checks::{
    fits, invalid, is_950, is_empty, is_wide, no_kernel, numel, ranks, same_rank, same_type, shape,
};
use super::grid::{Grid, Indices, axis_of, flattened};
use super::plans;
use crate::operators::axes::axis;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::conversions::through;
use crate::operators::plan_builder::PlanBuilder;
use crate::operators::{check, signatures};
use crate::status::Result;

pub(super) fn index_select(call: &Call<'_>) -> Result<Plan> {
    let (own, index, out) = (call.tensor("self")?, call.tensor("index")?, call.tensor("out")?);
    let dtype = check::dtype(&own, signatures::index_select.takes)?;
    same_type(&out, &own)?;
    let wide = is_wide(&index, signatures::index_select.indices)?;
    let dim = axis(&own, call.int("dim")?)?;
    if index.rank() > 1 {
        return invalid(format!("index has {} axes, but must have one", index.rank()));
    }
    ranks(&[&own, &out])?;
    if own.rank() == 0 && out.rank() != 0 {
        return invalid("out has axes, but self has none");
    }
    if is_empty(&own)? || is_empty(&index)? {
        return Ok(Plan::empty());
    }
    shape(
        &out,
        &[&own.shape()?[..dim.min(own.rank())], &one_axis(&index, &own)?, after(&own, dim)?].concat(),
    )?;
    slices(&own, dtype, dim, (&index, wide, false), &out)
}

/// The size of an axis along which a tensor without axes, or with one, is found; no axis if there is none in `own`.
fn one_axis(index: &Operand, own: &Operand) -> Result<Vec<usize>> {
    let count = numel(index)?;
    match own.rank() {
        0 if count != 1 => {
            no_kernel(format!("self has one element and no axes, but index has {count} elements"))
        }
        0 => Ok(Vec::new()),
        _ => Ok(vec![count]),
    }
}

/// The sizes of the axes behind one.
fn after<'a>(own: &'a Operand<'_>, dim: usize) -> Result<&'a [usize]> {
    Ok(own.shape()?.get(dim + 1..).unwrap_or_default())
}

pub(super) fn gather_v2(call: &Call<'_>) -> Result<Plan> {
    let (own, index, out) = (call.tensor("self")?, call.tensor("index")?, call.tensor("out")?);
    let dtype = check::dtype(&own, signatures::gather_v2.takes)?;
    same_type(&out, &own)?;
    let wide = is_wide(&index, signatures::gather_v2.indices)?;
    let dim = axis(&own, call.int("dim")?)?;
    ranks(&[&own, &index, &out])?;
    let indexed = match (own.rank(), index.rank()) {
        (0, _) => Vec::new(),
        (_, 0) => vec![1],
        _ => index.shape()?.to_vec(),
    };
    shape(&out, &[&own.shape()?[..dim.min(own.rank())], &indexed, after(&own, dim)?].concat())?;
    if is_empty(&own)? || is_empty(&index)? {
        return Ok(Plan::empty());
    }
    one_axis(&index, &own)?;
    slices(&own, dtype, dim, (&index, wide, true), &out)
}

/// Copies the slices along an axis that indices number.
fn slices(
    own: &Operand,
    dtype: DType,
    dim: usize,
    (index, wide, wraps): (&Operand, bool, bool),
    out: &Operand,
) -> Result<Plan> {
    let mut grid = Grid::new(own);
    let number = grid.add(Indices::of(index, wide, axis_of(own, dim)?).wrapping(wraps));
    grid.own(0..dim)?;
    grid.along_all(number, index)?;
    grid.own(dim + 1..own.rank())?;
    plans::gather(grid, own, dtype, out)
}

pub(super) fn gather_v3(call: &Call<'_>) -> Result<Plan> {
    let (own, index, out) = (call.tensor("self")?, call.tensor("index")?, call.tensor("out")?);
    let dtype = check::dtype(&own, signatures::gather_v3.takes)?;
    same_type(&out, &own)?;
    let wide = is_wide(&index, signatures::gather_v3.indices)?;
    let (dim, batch, mode) = (call.int("dim")?, call.int("batch_dims")?, call.int("mode")?);
    if !is_950() && (dim, batch, mode) != (0, 0, 1) {
        return invalid(format!(
            "dim is {dim}, batchDims {batch} and mode {mode}, but this product takes 0, 0 and 1 only"
        ));
    }
    let dim = axis(&own, dim)?;
    let most = index.rank().min(dim).min(own.rank().saturating_sub(1));
    let Some(batch) = usize::try_from(batch).ok().filter(|batch| *batch <= most) else {
        return invalid(format!("batchDims is {batch}, but must be from 0 to {most}"));
    };
    let (own_sizes, index_sizes) = (own.shape()?, index.shape()?);
    if own_sizes[..batch] != index_sizes[..batch] {
        return invalid(format!("the first {batch} axes of self and index differ"));
    }
    ranks(&[&own, &index, &out])?;
    let before = &own_sizes[..dim.min(own.rank())];
    shape(&out, &[before, &index_sizes[batch..], after(&own, dim)?].concat())?;
    if is_empty(&own)? || is_empty(&index)? {
        return Ok(Plan::empty());
    }
    let mut grid = Grid::new(&own);
    let number = grid.add(Indices::of(&index, wide, axis_of(&own, dim)?));
    let strides = index.strides();
    for (axis, (size, stride)) in index_sizes.iter().zip(&strides).take(batch).enumerate() {
        grid.beside(*size, axis, [(number, *stride)]);
    }
    grid.own(batch..dim)?;
    for (size, stride) in index_sizes.iter().zip(&strides).skip(batch) {
        grid.along(*size, [(number, *stride)]);
    }
    grid.own(dim + 1..own.rank())?;
    plans::gather(grid, &own, dtype, &out)
}

pub(super) fn take(call: &Call<'_>) -> Result<Plan> {
    let (own, index, out) = (call.tensor("self")?, call.tensor("index")?, call.tensor("out")?);
    let dtype = check::dtype(&own, signatures::take.takes)?;
    same_type(&out, &own)?;
    let wide = is_wide(&index, signatures::take.indices)?;
    check::rank(&index)?;
    shape(&out, index.shape()?)?;
    if is_empty(&index)? {
        return Ok(Plan::empty());
    }
    if is_empty(&own)? {
        return invalid("self has no elements, but index is not empty");
    }
    let mut grid = Grid::new(&own);
    let number = grid.add(Indices::of(&index, wide, flattened(&own)?).wrapping(true));
    grid.along_all(number, &index)?;
    plans::gather(grid, &own, dtype, &out)
}

pub(super) fn embedding(call: &Call<'_>) -> Result<Plan> {
    let (weight, indices, out) = (call.tensor("weight")?, call.tensor("indices")?, call.tensor("out")?);
    let dtype = check::dtype(&weight, signatures::embedding.takes)?;
    same_type(&out, &weight)?;
    let wide = is_wide(&indices, signatures::embedding.indices)?;
    ranks(&[&weight, &indices, &out])?;
    let (rank, leading) = (indices.rank(), out.shape()?.get(..indices.rank()));
    if out.rank() != rank + 1 || leading != Some(&indices.shape()?[..]) {
        return invalid(format!(
            "out has shape {}, but the axes of indices, {}, and one more are needed",
            out.shape()?,
            indices.shape()?
        ));
    }
    if is_empty(&weight)? || is_empty(&indices)? {
        return Ok(Plan::empty());
    }
    let made = [indices.shape()?, after(&weight, 0)?].concat();
    let is_single = numel(&out)? == 1 && made.iter().product::<usize>() == 1;
    if out.shape()?[..] != made[..] && !is_single {
        return no_kernel(format!("out has shape {}, but the rows of weight make {made:?}", out.shape()?));
    }
    slices(&weight, dtype, 0, (&indices, wide, false), &out)
}

pub(super) fn gather_nd(call: &Call<'_>) -> Result<Plan> {
    let (own, indices, out) = (call.tensor("self")?, call.tensor("indices")?, call.tensor("out")?);
    let wraps = call.flag("negative_index_support")?;
    let dtype = check::dtype(&own, signatures::gather_nd.takes)?;
    same_type(&out, &own)?;
    let wide = is_wide(&indices, signatures::gather_nd.indices)?;
    let coordinates = coordinates(&own, &indices)?;
    let made = [leading(&indices)?, &own.shape()?[coordinates..]].concat();
    ranks(&[&own, &indices, &out])?;
    shape(&out, &made)?;
    if is_empty(&own)? || is_empty(&indices)? {
        return Ok(Plan::empty());
    }
    plans::gather(at_coordinates(&own, &indices, wide, wraps)?, &own, dtype, &out)
}

/// How many axes the last axis of `indices` gives coordinates for.
pub(super) fn coordinates(table: &Operand, indices: &Operand) -> Result<usize> {
    for operand in [table, indices] {
        if operand.rank() == 0 {
            return invalid(format!("{} has no axes", operand.name));
        }
    }
    match indices.shape()?.last() {
        Some(count) if (1..=table.rank()).contains(count) => Ok(*count),
        _ => invalid(format!(
            "the last axis of indices, {}, must have from 1 to {} coordinates, the axes of {}",
            indices.shape()?,
            table.rank(),
            table.name
        )),
    }
}

/// The sizes of all axes but the last.
pub(super) fn leading<'a>(indices: &'a Operand<'_>) -> Result<&'a [usize]> {
    Ok(indices.shape()?.split_last().map_or(&[][..], |(_, leading)| leading))
}

/// The elements or slices at the coordinates in the last axis of `indices`.
pub(super) fn at_coordinates<'a>(
    table: &'a Operand,
    indices: &'a Operand,
    wide: bool,
    wraps: bool,
) -> Result<Grid<'a>> {
    let mut grid = Grid::new(table);
    let (strides, count) = (indices.strides(), coordinates(table, indices)?);
    let step = strides.last().copied().unwrap_or(1) as i64;
    for axis in 0..count {
        let further = step.saturating_mul(axis as i64);
        grid.add(Indices::of(indices, wide, axis_of(table, axis)?).further(further).wrapping(wraps));
    }
    for (size, stride) in leading(indices)?.iter().zip(&strides) {
        grid.along(*size, (0..count).map(|number| (number, *stride)));
    }
    grid.own(count..table.rank())?;
    Ok(grid)
}

pub(super) fn gather(call: &Call<'_>) -> Result<Plan> {
    let (own, index, out) = (call.tensor("self")?, call.tensor("index")?, call.tensor("out")?);
    let dtype = check::dtype(&own, signatures::gather.takes)?;
    same_type(&out, &own)?;
    let is_nothing = is_empty(&index)?;
    let wide = !is_nothing && is_wide(&index, signatures::gather.indices)?;
    ranks(&[&own, &index, &out])?;
    same_rank(&own, &index, true)?;
    shape(&out, index.shape()?)?;
    let dim = axis(&own, call.int("dim")?)?;
    if is_nothing {
        return Ok(Plan::empty());
    }
    fits(&index, &own, Some(dim))?;
    if is_empty(&own)? {
        return invalid(format!("axis {dim} of self has no elements, but index is not empty"));
    }
    let grid = beside_index(&own, dim, &index, wide, !is_950())?;
    plans::gather(grid, &own, dtype, &out)
}

/// The elements at the places of the elements of `index`, but along one axis where those say.
pub(super) fn beside_index<'a>(
    table: &'a Operand,
    dim: usize,
    index: &'a Operand,
    wide: bool,
    wraps: bool,
) -> Result<Grid<'a>> {
    let mut grid = Grid::new(table);
    let number = grid.add(Indices::of(index, wide, axis_of(table, dim)?).wrapping(wraps));
    for (axis, (size, stride)) in index.shape()?.iter().zip(index.strides()).enumerate() {
        if axis == dim {
            grid.along(*size, [(number, stride)]);
        } else {
            grid.beside(*size, axis, [(number, stride)]);
        }
    }
    Ok(grid)
}

pub(super) fn embedding_dense_backward(call: &Call<'_>) -> Result<Plan> {
    let (grad, indices, out) = (call.tensor("grad")?, call.tensor("indices")?, call.tensor("out")?);
    let signature = signatures::embedding_dense_backward;
    let (rows, except) = (call.int("num_weights")?, call.int("padding_idx")?);
    let dtype = check::dtype(&grad, signature.takes)?;
    let from = check::dtype(&indices, signature.indices)?;
    let to = check::dtype(&out, signature.output.unwrap_or(Types::of("")))?;
    ranks(&[&grad, &indices, &out])?;
    let Some((len, leading)) = grad.shape()?.split_last() else { return invalid("grad has no axes") };
    let count = leading.iter().product::<usize>();
    if numel(&indices)? != count {
        return invalid(format!("indices has {} elements, but grad has {count} rows", numel(&indices)?));
    }
    let rows = usize::try_from(rows).unwrap_or(usize::MAX);
    shape(&out, &[rows, *len])?;
    if is_empty(&out)? {
        return Ok(Plan::empty());
    }
    let mut builder = PlanBuilder::new();
    let workspace = plans::copies(&[(&grad, dtype), (&indices, from), (&out, to)]);
    if is_empty(&grad)? || is_empty(&indices)? {
        let written = builder.write(&out, to, out.in_order(to)?, true)?;
        builder.fill(written, out.shape()?, &[0; 4][..size_of_dtype(to)]);
        return Ok(builder.plan(workspace));
    }
    let (read, numbers) = (
        builder.read(&grad, grad.in_order(dtype)?, true),
        builder.read(&indices, indices.in_order(from)?, true),
    );
    let written = builder.write(&out, to, out.in_order(to)?, dtype == to)?;
    let body = SumRows {
        len: *len,
        rows,
        numbers: through(&[from, DType::I32])?,
        except,
        divides: call.flag("scale_grad_by_freq")?,
        widen: through(&[dtype, DType::F32])?,
        narrow: through(&[DType::F32, to])?,
    };
    builder.whole(&[read, numbers], &[written], body);
    Ok(builder.plan(workspace))
}

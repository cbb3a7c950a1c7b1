//! Slices along an axis that indices number, written, filled or added to.

use aclnn_numerics::DType;
use aclnn_numerics::types_by_product::Types;
use cann_kernels::functions::arithmetic::compute_type;
use cann_kernels::indexing::index::{Reduce, Reduction, Skips};
use cann_kernels::size_of_dtype;
use smallvec::SmallVec;

use super::checks::{
    invalid, is_950, is_empty, is_wide, no_kernel, numel, ranks, same_rank, same_type, shape, sizes,
};
use super::grid::{Grid, Indices, Origin, axis_of};
use super::plans::{self, Written};
use crate::meta::scalar::Scalar;
use crate::operators::axes::axis;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::{check, signatures};
use crate::runtime::is_deterministic;
use crate::settings;
use crate::status::Result;

pub(super) fn index_add(call: &Call<'_>) -> Result<Plan> {
    add(call, signatures::index_add.takes, None)
}

pub(super) fn index_add_v2(call: &Call<'_>) -> Result<Plan> {
    // Its kernels are not deterministic; where they must be, it is the first version.
    let mode = if is_deterministic() { None } else { Some(call.int("mode")?) };
    add(call, signatures::index_add_v2.takes, mode)
}

/// Adds slices. `mode` is that of the second version: 0 is a kernel of the AI cores, which knows no factor, and every other one
/// is computed in f64.
fn add(call: &Call<'_>, takes: Types, mode: Option<i64>) -> Result<Plan> {
    let (own, index, source) = (call.tensor("self")?, call.tensor("index")?, call.tensor("source")?);
    let (alpha, out) = (call.scalar("alpha")?, call.tensor("out")?);
    let dtype = check::dtype(&own, takes)?;
    same_type(&source, &own)?;
    same_type(&out, &own)?;
    let wide = is_wide(&index, signatures::index_add.indices)?;
    let given = call.int("dim")?;
    let dim = axis(&own, given)?;
    if index.rank() > 1 {
        return invalid(format!("index has {} axes, but must have one", index.rank()));
    }
    ranks(&[&own, &source, &out])?;
    // A negative axis of a tensor without axes is one that source does not have.
    let length = sizes(&source)?.get(dim).copied().filter(|_| own.rank() > 0 || given >= 0);
    if length != Some(numel(&index)?) {
        return invalid(format!(
            "index has {} elements, but source has shape {}",
            numel(&index)?,
            source.shape()?
        ));
    }
    if own.rank() > 0 {
        same_rank(&source, &own, true)?;
        same_beside(&source, &own, dim)?;
    }
    shape(&out, own.shape()?)?;
    if is_empty(&own)? || is_empty(&source)? {
        return Ok(Plan::empty());
    }
    if own.rank() == 0 && source.rank() > 1 {
        return no_kernel("self has no axes, but source has several");
    }
    if mode == Some(0) {
        let takes = matches!(dtype, DType::F32 | DType::F16 | DType::BF16 | DType::I16 | DType::I32);
        if own.rank() != 2 || index.rank() != 1 || dim != 0 || !takes {
            return no_kernel(format!(
                "mode 0 takes f32, f16, bf16, i16 and i32, two axes and dim 0, not {dtype}{} and dim {dim}",
                own.shape()?
            ));
        }
    }
    let compute = match mode {
        Some(other) if other != 0 && matches!(dtype, DType::F32 | DType::F16 | DType::BF16) => DType::F64,
        _ => compute_type(dtype),
    };
    let mut reduce = Reduce::new(settings::get().product, Reduction::Add, dtype, compute, true)?;
    if mode != Some(0) {
        // Halves are multiplied in the wider type, and rounded once with the sum.
        let factor = match alpha.converted(dtype).zip(alpha.converted(compute)) {
            Some((_, wide)) => wide,
            None => return no_kernel(format!("alpha, {}, is not converted to {dtype}", alpha.dtype)),
        };
        let is_one = !alpha.dtype.is_complex() && alpha.real(DType::F64) == Some(1.0);
        if !is_one {
            reduce = reduce.times(&factor[..size_of_dtype(compute)], compute);
        }
    }
    let grid = numbered(&out, dim, &index, wide, false)?;
    let view = source.in_order(dtype)?;
    plans::scatter(grid, (Some(&own), &out), dtype, Written::Tensor(&source, Box::new(view)), Some(reduce))
}

/// All axes but one must be equal.
fn same_beside(a: &Operand, b: &Operand, dim: usize) -> Result {
    let (own, other) = (sizes(a)?, sizes(b)?);
    let differ = own.iter().zip(&other).enumerate().any(|(axis, (a, b))| axis != dim && a != b);
    if differ || own.len() != other.len() {
        return invalid(format!(
            "{} has shape {}, and {} has {}, which may differ on axis {dim} only",
            a.name,
            a.shape()?,
            b.name,
            b.shape()?
        ));
    }
    Ok(())
}

/// The slices along an axis that a tensor numbers.
pub(super) fn numbered<'a>(
    table: &'a Operand,
    dim: usize,
    index: &'a Operand,
    wide: bool,
    skips: bool,
) -> Result<Grid<'a>> {
    let mut grid = Grid::new(table);
    let indices = Indices::of(index, wide, axis_of(table, dim)?).wrapping(skips);
    let number = grid.add(Indices { skips: if skips { Skips::All } else { Skips::Nothing }, ..indices });
    grid.own(0..dim)?;
    grid.along_all(number, index)?;
    grid.own(dim + 1..table.rank())?;
    Ok(grid)
}

pub(super) fn index_copy(call: &Call<'_>) -> Result<Plan> {
    let (own, index, source) = (call.tensor("self")?, call.tensor("index")?, call.tensor("source")?);
    let out = if call.is_in_place() { None } else { Some(call.tensor("out")?) };
    let dtype = check::dtype(&own, signatures::index_copy.takes)?;
    same_type(&source, &own)?;
    let wide = is_wide(&index, signatures::index_copy.indices)?;
    if let Some(out) = &out {
        same_type(out, &own)?;
        shape(out, own.shape()?)?;
    }
    let dim = axis(&own, call.int("dim")?)?;
    ranks(&[&own, &source])?;
    if index.rank() > 1 {
        return invalid(format!("index has {} axes, but must have one", index.rank()));
    }
    if own.rank() > 0 && source.rank() > 0 {
        same_rank(&source, &own, false)?;
    }
    let length = sizes(&source)?.get(dim).copied();
    if length != Some(numel(&index)?) {
        return invalid(format!(
            "index has {} elements, but source has shape {}",
            numel(&index)?,
            source.shape()?
        ));
    }
    same_beside(&source, &own, dim)?;
    if is_empty(&own)? || is_empty(&index)? {
        return Ok(Plan::empty());
    }
    let target = out.as_ref().unwrap_or(&own);
    let grid = numbered(target, dim, &index, wide, false)?;
    let written = Written::Tensor(&source, Box::new(source.in_order(dtype)?));
    plans::scatter(grid, (out.is_some().then_some(&own), target), dtype, written, None)
}

pub(super) fn index_fill(call: &Call<'_>) -> Result<Plan> {
    let (own, index, value) = (call.tensor("self")?, call.tensor("index")?, call.scalar("value")?);
    let filled = Filled::checked(call, own, signatures::index_fill.takes)?;
    let wide = is_wide(&index, signatures::index_fill.indices)?;
    check::rank(&index)?;
    if filled.is_nothing()? {
        return Ok(Plan::empty());
    }
    let dim = filled.dim(call)?;
    let value = element(value, filled.dtype)?;
    let grid = numbered(filled.target(), dim, &index, wide, true)?;
    filled.plan(grid, is_empty(&index)?, value)
}

pub(super) fn index_fill_at(call: &Call<'_>) -> Result<Plan> {
    let (own, index, value) = (call.tensor("self")?, call.ints("index")?, call.scalar("value")?);
    let filled = Filled::checked(call, own, signatures::index_fill_at.takes)?;
    if value.dtype.is_complex() {
        return invalid("value is complex");
    }
    if filled.is_nothing()? {
        return Ok(Plan::empty());
    }
    let dim = filled.dim(call)?;
    let size = sizes(&filled.own)?.get(dim).copied().unwrap_or(1) as i64;
    if let Some(number) = index.iter().find(|number| !(-size..size).contains(number)) {
        return invalid(format!(
            "index holds {number}, but axis {dim} has indices from -{size} to {}",
            size - 1
        ));
    }
    // Before the 950 the value passes through f32.
    let through = if is_950() {
        Some(*value)
    } else {
        value.converted(DType::F32).map(|bytes| Scalar::of_bytes(DType::F32, &bytes))
    };
    let value = match through {
        Some(value) => element(&value, filled.dtype)?,
        None => return no_kernel("value is not converted to f32"),
    };
    let target = filled.target();
    let mut grid = Grid::new(target);
    let from = Origin::Host(index.to_vec());
    let number = grid.add(Indices {
        from,
        name: "index",
        axis: axis_of(target, dim)?,
        wraps: true,
        skips: Skips::Nothing,
    });
    grid.own(0..dim)?;
    grid.along(index.len(), [(number, 1)]);
    grid.own(dim + 1..target.rank())?;
    filled.plan(grid, index.is_empty(), value)
}

/// One value where an axis has the index that a tensor holds, and another one elsewhere.
pub(super) fn one_hot(call: &Call<'_>) -> Result<Plan> {
    let (own, classes) = (call.tensor("self")?, call.int("num_classes")?);
    let (on, off, out) = (call.tensor("on_value")?, call.tensor("off_value")?, call.tensor("out")?);
    let dtype = check::dtype(&on, signatures::one_hot.takes)?;
    same_type(&off, &on)?;
    same_type(&out, &on)?;
    let wide = is_wide(&own, signatures::one_hot.indices)?;
    ranks(&[&own, &out])?;
    for value in [&on, &off] {
        // Of more elements the first counts.
        if is_empty(value)? {
            return invalid(format!("{} has shape {}, but must have an element", value.name, value.shape()?));
        }
    }
    let (Ok(count), inserted) = (usize::try_from(classes), own.rank() as i64 + 1) else {
        return invalid(format!("numClasses is {classes}"));
    };
    let given = call.int("axis")?;
    if !(-inserted..inserted).contains(&given) {
        return invalid(format!("axis is {given}, but must be from -{inserted} to {}", inserted - 1));
    }
    let dim = given.rem_euclid(inserted) as usize;
    let (before, behind) = own.shape()?.split_at(dim);
    shape(&out, &[before, &[count], behind].concat())?;
    if is_empty(&out)? {
        return Ok(Plan::empty());
    }
    let mut grid = Grid::new(&out);
    let indices = Indices::of(&own, wide, axis_of(&out, dim)?);
    let number = grid.add(Indices { skips: Skips::All, ..indices });
    for (axis, (size, stride)) in own.shape()?.iter().zip(own.strides()).enumerate() {
        grid.beside(*size, axis + usize::from(axis >= dim), [(number, stride)]);
    }
    plans::marked(grid, &off, (&on, own.shape()?), &out, dtype)
}

/// A scalar as an element of a type.
pub(super) fn element(value: &Scalar, dtype: DType) -> Result<SmallVec<[u8; 16]>> {
    match value.converted(dtype) {
        Some(bytes) => Ok(SmallVec::from_slice(&bytes[..size_of_dtype(dtype)])),
        None => no_kernel(format!("there is no kernel that converts {} to {dtype}", value.dtype)),
    }
}

/// The operands of a fill.
struct Filled<'c> {
    own: Operand<'c>,
    /// `None` in place.
    out: Option<Operand<'c>>,
    dtype: DType,
}

impl<'c> Filled<'c> {
    fn checked(call: &'c Call<'_>, own: Operand<'c>, takes: Types) -> Result<Self> {
        let out = if call.is_in_place() { None } else { Some(call.tensor("out")?) };
        let dtype = check::dtype(&own, takes)?;
        if let Some(out) = &out {
            same_type(out, &own)?;
        }
        Ok(Filled { own, out, dtype })
    }

    /// Returns whether there is nothing to fill, and so nothing that is checked.
    fn is_nothing(&self) -> Result<bool> {
        is_empty(&self.own)
    }

    fn dim(&self, call: &Call<'_>) -> Result<usize> {
        let dim = axis(&self.own, call.int("dim")?)?;
        if let Some(out) = &self.out {
            shape(out, self.own.shape()?)?;
        }
        check::rank(&self.own)?;
        Ok(dim)
    }

    /// The tensor that is filled.
    fn target(&self) -> &Operand<'_> {
        self.out.as_ref().unwrap_or(&self.own)
    }

    fn plan(&self, grid: Grid<'_>, keeps_all: bool, value: SmallVec<[u8; 16]>) -> Result<Plan> {
        match &self.out {
            Some(out) if keeps_all => plans::copy(&self.own, out, self.dtype),
            None if keeps_all => Ok(Plan::empty()),
            out => {
                let own = out.as_ref().map(|_| &self.own);
                plans::scatter(grid, (own, self.target()), self.dtype, Written::Element(value), None)
            }
        }
    }
}

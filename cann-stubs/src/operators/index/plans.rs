//! Plans of operators that move elements by indices.

use aclnn_numerics::DType;
use aclnn_numerics::layout::Shape;
use cann_kernels::indexing::index::{From, Gather, Reduce, Scatter};
use cann_kernels::{Conversions, View};
use smallvec::SmallVec;

use super::grid::Grid;
use crate::mapped::mapped;
use crate::operators::axes::temporaries;
use crate::operators::call::{Operand, Plan};
use crate::operators::plan_builder::PlanBuilder;
use crate::status::Result;

/// What is written to the positions of a grid.
pub(super) enum Written<'a> {
    /// The elements of a view, in the order of the grid.
    Tensor(&'a Operand<'a>, Box<View>),
    /// One element.
    Element(SmallVec<[u8; 16]>),
}

/// Bytes for copies of operands that are not contiguous.
pub(super) fn copies(operands: &[(&Operand, DType)]) -> u64 {
    temporaries(&mapped::<_, Vec<_>>(operands, |(operand, dtype)| (*operand, *dtype, *dtype)))
}

/// Copies what the grid finds in a tensor to the output, in its order.
pub(super) fn gather(grid: Grid<'_>, table: &Operand, dtype: DType, out: &Operand) -> Result<Plan> {
    let mut builder = PlanBuilder::new();
    let mut inputs = vec![builder.look_up(table, table.in_order(dtype)?)];
    let (positions, indices) = grid.positions(&mut builder)?;
    inputs.extend(indices);
    let to = builder.write(out, dtype, out.in_order(dtype)?, true)?;
    builder.whole(&inputs, &[to], Gather { positions });
    Ok(builder.plan(copies(&[(table, dtype), (out, dtype)])))
}

/// Copies `own` to `out`, unless it is the output itself, and writes to the positions of the grid in the output, or combines
/// what is there.
pub(super) fn scatter(
    grid: Grid<'_>,
    (own, out): (Option<&Operand>, &Operand),
    dtype: DType,
    written: Written<'_>,
    reduce: Option<Reduce>,
) -> Result<Plan> {
    let mut builder = PlanBuilder::new();
    let own = own
        .map(|own| -> Result<_> { Ok((builder.read(own, own.in_order(dtype)?, true), own)) })
        .transpose()?;
    let (positions, mut inputs) = grid.positions(&mut builder)?;
    let mut operands = vec![(out, dtype)];
    let from = match written {
        Written::Tensor(operand, view) => {
            inputs.push(builder.read(operand, *view, true));
            operands.push((operand, dtype));
            From::Tensor(inputs.len() - 1)
        }
        Written::Element(element) => From::Element(element),
    };
    let to = builder.write(out, dtype, written_as(out, own.as_ref().map(|own| own.1), dtype)?, true)?;
    if let Some((place, own)) = own {
        builder.copy(place, to, own.shape()?, Conversions::default());
        operands.push((own, dtype));
    }
    builder.whole(&inputs, &[to], Scatter { positions, from, reduce });
    Ok(builder.plan(copies(&operands)))
}

/// Fills the output with the only element of one tensor, and the positions of the grid, which has a shape, with that of another.
pub(super) fn marked(
    grid: Grid<'_>,
    off: &Operand,
    (on, sizes): (&Operand, &Shape),
    out: &Operand,
    dtype: DType,
) -> Result<Plan> {
    let everywhere = |value: &Operand, sizes: &Shape| {
        let strides: SmallVec<[isize; 8]> = SmallVec::from_elem(0, sizes.rank());
        value.view_of(dtype, sizes, &strides, value.offset())
    };
    let mut builder = PlanBuilder::new();
    let filled = builder.read(off, everywhere(off, out.shape()?)?, true);
    let (positions, mut inputs) = grid.positions(&mut builder)?;
    inputs.push(builder.read(on, everywhere(on, sizes)?, true));
    let from = From::Tensor(inputs.len() - 1);
    let to = builder.write(out, dtype, out.in_order(dtype)?, true)?;
    builder.copy(filled, to, out.shape()?, Conversions::default());
    builder.whole(&inputs, &[to], Scatter { positions, from, reduce: None });
    Ok(builder.plan(copies(&[(out, dtype)])))
}

/// Copies a tensor to another one of its shape.
pub(super) fn copy(own: &Operand, out: &Operand, dtype: DType) -> Result<Plan> {
    let mut builder = PlanBuilder::new();
    let from = builder.read(own, own.in_order(dtype)?, true);
    let to = builder.write(out, dtype, written_as(out, Some(own), dtype)?, true)?;
    builder.copy(from, to, own.shape()?, Conversions::default());
    Ok(builder.plan(copies(&[(own, dtype), (out, dtype)])))
}

/// The output with the shape of what is copied to it. One of another shape has one element.
fn written_as(out: &Operand, own: Option<&Operand>, dtype: DType) -> Result<View> {
    match own.map(Operand::shape).transpose()? {
        Some(shape) if shape != out.shape()? => {
            let strides: SmallVec<[isize; 8]> = SmallVec::from_elem(1, shape.rank());
            out.view_of(dtype, shape, &strides, out.offset())
        }
        _ => out.in_order(dtype),
    }
}

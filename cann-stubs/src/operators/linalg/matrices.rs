//! Operands as batches of matrices, and plans of what is computed of each.

use std::ops::RangeInclusive;

use aclnn_numerics::DType;
use aclnn_numerics::layout::Shape;
use cann_kernels::{Lane, LaneBody, View, size_of_dtype};

use crate::mapped::mapped;
use crate::operators::axes::{invalid, tasks, temporaries};
use crate::operators::call::{Operand, Plan};
use crate::operators::conversions::through;
use crate::operators::plan_builder::PlanBuilder;
use crate::status::Result;

/// The ranks of operands with matrices.
pub(super) const RANKS: RangeInclusive<usize> = 2..=8;

/// The axes before the matrices, and rows and columns of these.
pub(super) fn matrices<'a>(
    own: &'a Operand,
    ranks: &RangeInclusive<usize>,
) -> Result<(&'a [usize], [usize; 2])> {
    let shape = own.shape()?;
    match shape.split_last_chunk::<2>() {
        Some((batch, size)) if ranks.contains(&shape.rank()) => Ok((batch, *size)),
        _ => invalid(format_args!(
            "{} has {} axes, but must have from two to {}",
            own.name,
            own.rank(),
            ranks.end()
        )),
    }
}

/// The axes before square matrices, and the size of these.
pub(super) fn squares<'a>(own: &'a Operand, ranks: &RangeInclusive<usize>) -> Result<(&'a [usize], usize)> {
    match matrices(own, ranks)? {
        (batch, [rows, columns]) if rows == columns => Ok((batch, rows)),
        (_, [rows, columns]) => {
            invalid(format_args!("{} has {rows} rows and {columns} columns; both must be the same", own.name))
        }
    }
}

/// A batch and the sizes of what is computed of each matrix.
pub(super) fn shape(batch: &[usize], sizes: &[usize]) -> Shape {
    Shape::from([batch, sizes].concat())
}

/// The type in which the library computes a type.
pub(super) fn kernel_type(dtype: DType) -> DType {
    match dtype {
        DType::F16 | DType::BF16 => DType::F32,
        other => other,
    }
}

/// An operand as lanes of `len` elements.
pub(super) struct Seen<'a> {
    operand: &'a Operand<'a>,
    dtype: DType,
    /// The type in which the library computes it.
    kernel: DType,
    view: View,
    len: usize,
    /// The type in which the body sees it, if that is another one than it computes in.
    seen: Option<DType>,
}

impl<'a> Seen<'a> {
    /// The elements in order, one lane after the other.
    pub(super) fn whole(operand: &'a Operand, dtype: DType, kernel: DType, len: usize) -> Result<Self> {
        Ok(Self { operand, dtype, kernel, view: operand.in_order(dtype)?, len, seen: None })
    }

    /// The elements broadcast to a shape.
    pub(super) fn broadcast(operand: &'a Operand, dtype: DType, shape: &Shape, len: usize) -> Result<Self> {
        Ok(Self {
            operand,
            dtype,
            kernel: kernel_type(dtype),
            view: operand.view(dtype, shape)?,
            len,
            seen: None,
        })
    }

    /// Other elements of the storage than the operand has, or in another order.
    pub(super) fn through(operand: &'a Operand, dtype: DType, view: View, len: usize) -> Self {
        Self { operand, dtype, kernel: kernel_type(dtype), view, len, seen: None }
    }

    /// The output of a body that writes elements of the type in which the library computes.
    pub(super) fn rounded(self) -> Self {
        Self { seen: Some(self.kernel), ..self }
    }

    fn lane(&self, dtypes: &[DType], compute: DType) -> Result<Lane> {
        Ok(Lane { len: self.len, conversions: through(dtypes)?, size: size_of_dtype(compute) })
    }
}

/// Computes `count` lanes in the type `compute`. Each result is rounded to the type in which the library computes it, then
/// converted to that of its output.
pub(super) fn planned(
    builder: PlanBuilder,
    inputs: Vec<Seen<'_>>,
    outputs: Vec<Seen<'_>>,
    (count, compute): (usize, DType),
    on_cores: bool,
    body: impl LaneBody + 'static,
) -> Result<Plan> {
    let mut builder = builder;
    let (mut read, mut written) = (Vec::new(), Vec::new());
    let mut kept: Vec<(&Operand, DType, DType)> = Vec::new();
    for input in inputs {
        let lane = input.lane(&[input.dtype, input.kernel, compute], compute)?;
        kept.push((input.operand, input.dtype, input.kernel));
        read.push((builder.read(input.operand, input.view, input.dtype == input.kernel), lane));
    }
    for output in outputs {
        let seen = output.seen.unwrap_or(compute);
        let lane = output.lane(&[seen, output.kernel, output.dtype], seen)?;
        kept.push((output.operand, output.dtype, output.kernel));
        let place =
            builder.write(output.operand, output.dtype, output.view, output.dtype == output.kernel)?;
        written.push((place, lane));
    }
    builder.lanes(read, written, count, body);
    let casts: Vec<(DType, DType)> = mapped(&kept, |(_, own, seen)| (*own, *seen));
    Ok(builder.plan(temporaries(&kept)).by(tasks(on_cores, &casts)))
}

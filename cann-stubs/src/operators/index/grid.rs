//! The runs that indices find, from the layouts of the operands.

use aclnn_numerics::DType;
use aclnn_numerics::layout::Walk;
use cann_kernels::indexing::index::{Index, Numbers, Positions, Skips};
use smallvec::SmallVec;

use crate::mapped::mapped;
use crate::operators::axes::invalid;
use crate::operators::call::Operand;
use crate::operators::plan_builder::{Place, PlanBuilder};
use crate::status::Result;

/// A grid of positions in a tensor, the table: the axes of the grid lead along axes of the table, along tensors of indices, or
/// both.
pub(in crate::operators) struct Grid<'a> {
    table: &'a Operand<'a>,
    axes: Vec<Axis>,
    indices: Vec<Indices<'a>>,
}

/// Along an axis of the grid: elements of the table, and of each tensor of indices by its number, from one to the next.
struct Axis {
    size: usize,
    table: isize,
    indices: Vec<(usize, isize)>,
}

/// Indices of an axis of the table.
pub(in crate::operators) struct Indices<'a> {
    pub(in crate::operators) from: Origin<'a>,
    pub(in crate::operators) name: &'static str,
    /// The axis, or what is counted as one.
    pub(in crate::operators) axis: Walk<1>,
    pub(in crate::operators) wraps: bool,
    pub(in crate::operators) skips: Skips,
}

/// Where indices come from.
pub(in crate::operators) enum Origin<'a> {
    /// A tensor, from element `offset` of its storage on.
    Tensor {
        operand: &'a Operand<'a>,
        wide: bool,
        offset: i64,
    },
    Host(Vec<i64>),
    /// The positions of the true elements of a mask along one of its axes.
    Mask {
        operand: &'a Operand<'a>,
        size: usize,
        inner: usize,
        count: Option<usize>,
    },
}

impl<'a> Indices<'a> {
    /// The elements of a tensor as indices of an axis of the table, or of the whole table in row-major order.
    pub(in crate::operators) fn of(operand: &'a Operand, wide: bool, axis: Walk<1>) -> Self {
        let from = Origin::Tensor { operand, wide, offset: operand.offset() };
        Indices { from, name: operand.name, axis, wraps: false, skips: Skips::Nothing }
    }

    /// The same from so many elements of the tensor further on.
    pub(in crate::operators) fn further(mut self, elements: i64) -> Self {
        if let Origin::Tensor { offset, .. } = &mut self.from {
            *offset = offset.saturating_add(elements);
        }
        self
    }

    /// The same, where negative ones count from the end.
    pub(super) fn wrapping(self, wraps: bool) -> Self {
        Indices { wraps, ..self }
    }
}

/// An axis of a tensor, for indices to count along; one element if it does not exist.
pub(in crate::operators) fn axis_of(table: &Operand, axis: usize) -> Result<Walk<1>> {
    let size = table.shape()?.get(axis).copied().unwrap_or(1);
    let stride = table.strides().get(axis).copied().unwrap_or(0);
    Ok(Walk::new(&[size], [&[stride]]))
}

/// All elements of a tensor, as one axis.
pub(super) fn flattened(table: &Operand) -> Result<Walk<1>> {
    Ok(Walk::new(table.shape()?, [&table.strides()]))
}

impl<'a> Grid<'a> {
    pub(in crate::operators) fn new(table: &'a Operand) -> Self {
        Grid { table, axes: Vec::new(), indices: Vec::new() }
    }

    /// Adds indices, and returns their number.
    pub(in crate::operators) fn add(&mut self, indices: Indices<'a>) -> usize {
        self.indices.push(indices);
        self.indices.len() - 1
    }

    /// Adds an axis along some tensors of indices.
    #[inline(never)]
    pub(in crate::operators) fn along(
        &mut self,
        size: usize,
        indices: impl IntoIterator<Item = (usize, isize)>,
    ) {
        self.axes.push(Axis { size, table: 0, indices: indices.into_iter().collect() });
    }

    /// Adds all axes of a tensor of indices.
    pub(super) fn along_all(&mut self, number: usize, operand: &Operand) -> Result {
        for (size, stride) in operand.shape()?.iter().zip(operand.strides()) {
            self.along(*size, [(number, stride)]);
        }
        Ok(())
    }

    /// Adds some axes of the table, along which the grid leads through all of it.
    pub(in crate::operators) fn own(&mut self, axes: std::ops::Range<usize>) -> Result {
        for (size, stride) in
            self.table.shape()?.iter().zip(self.table.strides()).take(axes.end).skip(axes.start)
        {
            self.axes.push(Axis { size: *size, table: stride, indices: Vec::new() });
        }
        Ok(())
    }

    /// Adds an axis that leads along one of the table, though not through all of it, and along tensors of indices.
    pub(super) fn beside(
        &mut self,
        size: usize,
        axis: usize,
        indices: impl IntoIterator<Item = (usize, isize)>,
    ) {
        let table = self.table.strides().get(axis).copied().unwrap_or(0);
        self.axes.push(Axis { size, table, indices: indices.into_iter().collect() });
    }

    /// Adds an axis that leads from each so many elements of the table to the next, though no axis of the table may do so.
    pub(in crate::operators) fn across(&mut self, size: usize, table: isize) {
        self.axes.push(Axis { size, table, indices: Vec::new() });
    }

    /// The sizes of the grid.
    pub(super) fn sizes(&self) -> Vec<usize> {
        mapped(&self.axes, |axis| axis.size)
    }

    /// The positions, and the tensors of indices that they need. The last axes are runs, where the table lies in order along
    /// them and no index does.
    pub(in crate::operators) fn positions(
        mut self,
        builder: &mut PlanBuilder,
    ) -> Result<(Positions, Vec<Place>)> {
        let mut run = 1;
        while let Some(Axis { size, table, indices }) = self.axes.last() {
            let is_run = *table == run as isize && indices.iter().all(|(_, stride)| *stride == 0);
            if *size == 0 || *size != 1 && !is_run {
                break;
            }
            run *= size;
            self.axes.pop();
        }
        let sizes = self.sizes();
        let table: SmallVec<[isize; 8]> = mapped(&self.axes, |axis| axis.table);
        let (mut indices, mut places) = (Vec::new(), Vec::new());
        for (number, one) in self.indices.into_iter().enumerate() {
            let strides: SmallVec<[isize; 8]> = self
                .axes
                .iter()
                .map(|axis| {
                    axis.indices.iter().find(|(other, _)| *other == number).map_or(0, |(_, stride)| *stride)
                })
                .collect();
            let walk = Walk::new(&sizes, [&strides]);
            let input = places.len();
            let numbers = match one.from {
                Origin::Tensor { operand, wide, offset } => {
                    let dtype = if wide { DType::I64 } else { DType::I32 };
                    places.push(builder.read(
                        operand,
                        operand.view_of(dtype, &sizes, &strides, offset)?,
                        true,
                    ));
                    Numbers::Tensor { input, wide }
                }
                Origin::Host(numbers) => Numbers::Host { numbers, walk },
                Origin::Mask { operand, size, inner, count } => {
                    places.push(builder.read(operand, operand.in_order(DType::Bool)?, true));
                    Numbers::Mask { input, size, inner, count, walk }
                }
            };
            let Indices { name, axis, wraps, skips, .. } = one;
            indices.push(Index { name, numbers, axis, wraps, skips });
        }
        let count = match sizes.contains(&0) {
            true => Some(0),
            false => {
                sizes.iter().try_fold(run, |count, size| count.checked_mul(*size)).map(|count| count / run)
            }
        };
        let Some(count) = count else {
            return invalid("the indices stand for more elements than can be counted");
        };
        Ok((Positions { count, run, base: Walk::new(&sizes, [&table]), indices }, places))
    }
}

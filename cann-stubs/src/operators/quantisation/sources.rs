//! The numbers that groups of neighbours are quantised from: those of an operand, gated units of it, or the gradients of such units.

use aclnn_numerics::DType::{self, F32};
use aclnn_numerics::layout::Shape;
use cann_kernels::View;
use cann_kernels::axis::quantisation::{Gate, Numbers};
use smallvec::SmallVec;

use super::rows::Rows;
use crate::operators::axes::halved;
use crate::operators::call::Operand;
use crate::operators::check;
use crate::operators::plan_builder::innermost;
use crate::status::Result;

/// Numbers of a shape, which are computed from operands of one type.
pub(super) struct Source<'a> {
    x: &'a Operand<'a>,
    pub(super) own: DType,
    pub(super) shape: Shape,
    made: Made<'a>,
}

enum Made<'a> {
    Given,
    /// Units of both parts of an axis.
    Units(Gate, usize),
    /// The gradients of both halves of the last axis, from those of plain units.
    Gradients(&'a Operand<'a>, bool),
}

/// Elements along an axis: every `step`th one from the first one on, `len` in all, `times` times over.
#[derive(Clone, Copy)]
struct Part {
    first: usize,
    step: usize,
    len: usize,
    times: usize,
}

impl<'a> Source<'a> {
    pub(super) fn given(x: &'a Operand<'a>, own: DType) -> Result<Self> {
        Ok(Self { x, own, shape: x.shape()?.clone(), made: Made::Given })
    }

    pub(super) fn units(x: &'a Operand<'a>, own: DType, gate: Gate, dim: usize) -> Result<Self> {
        Ok(Self { x, own, shape: halved(x, dim)?, made: Made::Units(gate, dim) })
    }

    pub(super) fn gradients(
        x: &'a Operand<'a>,
        gradient: &'a Operand<'a>,
        own: DType,
        is_left: bool,
    ) -> Result<Self> {
        check::has_shape(gradient, &halved(x, last(x))?)?;
        Ok(Self { x, own, shape: x.shape()?.clone(), made: Made::Gradients(gradient, is_left) })
    }

    /// Reads lanes along an axis of the numbers; returns how they come from what is read.
    pub(super) fn read(&self, rows: &mut Rows<'a>, axis: usize) -> Result<Numbers> {
        let mut read = |operand: &'a Operand<'a>, view: View| {
            rows.read(operand, view, [self.own, F32], self.shape[axis]).map(drop)
        };
        match self.made {
            Made::Given => {
                read(self.x, self.x.lanes(self.own, &[axis])?)?;
                Ok(Numbers::Given)
            }
            Made::Units(gate, dim) => {
                let len = self.shape[dim];
                let (second, step) = if gate.is_interleaved { (1, 2) } else { (len, 1) };
                for first in if gate.is_left { [0, second] } else { [second, 0] } {
                    let part = Part { first, step, len, times: 1 };
                    read(self.x, self.view(self.x, (dim, part), axis)?)?;
                }
                Ok(Numbers::Units(gate.form))
            }
            Made::Gradients(gradient, is_left) => {
                let dim = last(self.x);
                let half = self.shape[dim] / 2;
                let [gate, other] = if is_left { [0, half] } else { [half, 0] };
                for (operand, first) in [(self.x, gate), (self.x, other), (gradient, 0)] {
                    let part = Part { first, step: 1, len: half, times: 2 };
                    read(operand, self.view(operand, (dim, part), axis)?)?;
                }
                Ok(Numbers::Gradients { half, is_left, is_along: axis == dim })
            }
        }
    }

    /// Lanes along an axis of an operand, which has a part of its elements along another one, or along this one.
    fn view(&self, operand: &Operand, (dim, part): (usize, Part), axis: usize) -> Result<View> {
        let (own, strides) = (operand.shape()?, operand.strides());
        let mut sizes: SmallVec<[usize; 8]> = SmallVec::new();
        let mut steps: SmallVec<[isize; 8]> = SmallVec::new();
        let mut first = operand.offset();
        for place in innermost(own.rank(), &[axis]) {
            let (Some(size), Some(stride)) = (own.get(place), strides.get(place)) else { continue };
            if place == dim {
                sizes.extend([part.times, part.len]);
                steps.extend([0, stride.saturating_mul(part.step as isize)]);
                first = first.saturating_add((part.first as i64).saturating_mul(*stride as i64));
            } else {
                sizes.push(*size);
                steps.push(*stride);
            }
        }
        operand.view_of(self.own, &sizes, &steps, first)
    }
}

/// The last axis of an operand, if it has axes.
fn last(operand: &Operand) -> usize {
    operand.rank().saturating_sub(1)
}

//! Rows of numbers, one for each class, with a class each: what kernels of them read and write.

use aclnn_numerics::DType::{self, F32, F64, I64};
use cann_kernels::Lane;

use super::terms::{lane, planned};
use crate::operators::call::{Operand, Plan};
use crate::operators::plan_builder::{Place, PlanBuilder};
use crate::status::Result;

/// A plan of rows in the making.
pub(super) struct Rows<'a> {
    pub(super) builder: PlanBuilder,
    pub(super) count: usize,
    pub(super) classes: usize,
    kept: Vec<(&'a Operand<'a>, DType, DType)>,
}

impl<'a> Rows<'a> {
    pub(super) fn new(count: usize, classes: usize) -> Self {
        Self { builder: PlanBuilder::new(), count, classes, kept: Vec::new() }
    }

    fn keep(&mut self, operand: &'a Operand, dtype: DType, through: DType) {
        self.kept.push((operand, dtype, through));
    }

    /// Rows along an axis of an operand.
    pub(super) fn rows(&mut self, own: &'a Operand, dtype: DType, axis: usize) -> Result<(Place, Lane)> {
        self.keep(own, dtype, dtype);
        let view = own.lanes(dtype, &[axis])?;
        Ok((self.builder.read(own, view, true), lane(self.classes, &[dtype, F32], F32)?))
    }

    /// The class of each row.
    pub(super) fn labels(&mut self, target: &'a Operand, dtype: DType) -> Result<(Place, Lane)> {
        self.keep(target, dtype, dtype);
        let view = target.in_order(dtype)?;
        Ok((self.builder.read(target, view, true), lane(1, &[dtype, I64], I64)?))
    }

    /// The weights of the classes, for every row.
    pub(super) fn weights(&mut self, weight: &'a Operand, dtype: DType) -> Result<(Place, Lane)> {
        self.keep(weight, dtype, dtype);
        let stride = weight.strides().first().copied().unwrap_or(1);
        let view = weight.view_of(dtype, &[self.count, self.classes], &[0, stride], weight.offset())?;
        Ok((self.builder.read(weight, view, true), lane(self.classes, &[dtype, F32], F32)?))
    }

    /// The weights of the classes, for all rows together.
    pub(super) fn weights_once(&mut self, weight: &'a Operand, dtype: DType) -> Result<Place> {
        self.keep(weight, dtype, dtype);
        let stride = weight.strides().first().copied().unwrap_or(1);
        let view = weight.view_of(dtype, &[self.classes], &[stride], weight.offset())?;
        Ok(self.builder.read(weight, view, true))
    }

    /// A number for each row: an element of an operand that has one for each, or the only one.
    pub(super) fn numbers(&mut self, operand: &'a Operand, dtype: DType) -> Result<(Place, Lane)> {
        self.keep(operand, dtype, dtype);
        let view = match operand.shape()?.numel() {
            Some(1) => operand.view_of(dtype, &[self.count], &[0], operand.offset())?,
            _ => operand.in_order(dtype)?,
        };
        Ok((self.builder.read(operand, view, true), lane(1, &[dtype, F64], F64)?))
    }

    /// Lanes of `len` numbers, rounded to `through` and written to an output in order.
    pub(super) fn written(
        &mut self,
        out: &'a Operand,
        through: DType,
        to: DType,
        len: usize,
    ) -> Result<(Place, Lane)> {
        self.keep(out, to, through);
        let place = self.builder.write(out, to, out.in_order(to)?, through == to)?;
        Ok((place, lane(len, &[F64, through, to], F64)?))
    }

    /// Rows of an output, one after the other.
    pub(super) fn written_in_order(&mut self, out: &'a Operand, dtype: DType) -> Result<(Place, Lane)> {
        self.keep(out, dtype, dtype);
        let place = self.builder.write(out, dtype, out.in_order(dtype)?, true)?;
        Ok((place, lane(self.classes, &[F32, dtype], F32)?))
    }

    /// Rows along an axis of an output.
    pub(super) fn written_rows(
        &mut self,
        out: &'a Operand,
        through: DType,
        to: DType,
        axis: usize,
    ) -> Result<(Place, Lane)> {
        self.keep(out, to, through);
        let place = self.builder.write(out, to, out.lanes(to, &[axis])?, through == to)?;
        Ok((place, lane(self.classes, &[F32, through, to], F32)?))
    }

    /// The plan.
    pub(super) fn plan(self) -> Plan {
        planned(self.builder, &self.kept)
    }
}

/// Numbers in f64 that one stage writes and another reads, `len` of a lane.
pub(super) fn between(place: Place, len: usize) -> Result<(Place, Lane)> {
    Ok((place, lane(len, &[F64], F64)?))
}

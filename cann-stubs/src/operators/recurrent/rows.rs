//! Views of operands in the making.

use aclnn_numerics::DType::{self, F32};
use cann_kernels::{Lane, View};

use crate::operators::axes::temporaries;
use crate::operators::call::{Operand, Plan};
use crate::operators::plan_builder::{Place, PlanBuilder, read_lanes, written_lanes};
use crate::status::Result;

/// Operands that are read and written in lanes of f32.
pub(super) struct Rows<'a> {
    pub(super) builder: PlanBuilder,
    dtype: DType,
    kept: Vec<(&'a Operand, DType, DType)>,
}

impl<'a> Rows<'a> {
    /// Makes lanes of no operands yet; those that it reads and writes have one type.
    pub(super) fn new(dtype: DType) -> Self {
        Self { builder: PlanBuilder::new(), dtype, kept: Vec::new() }
    }

    pub(super) fn read(&mut self, operand: &'a Operand, view: View, len: usize) -> Result<(Place, Lane)> {
        self.read_as(operand, view, len, [self.dtype, F32])
    }

    /// Reads an operand of another type, which the kernel sees as `seen`.
    pub(super) fn read_as(
        &mut self,
        operand: &'a Operand,
        view: View,
        len: usize,
        [dtype, seen]: [DType; 2],
    ) -> Result<(Place, Lane)> {
        self.kept.push((operand, dtype, seen));
        let place = self.builder.read(operand, view, dtype == seen);
        Ok((place, read_lanes(len, dtype, seen)?))
    }

    pub(super) fn write(&mut self, operand: &'a Operand, len: usize) -> Result<(Place, Lane)> {
        self.write_to(operand, operand.in_order(self.dtype)?, len, self.dtype)
    }

    /// Writes an operand of a type through a view.
    pub(super) fn write_to(
        &mut self,
        operand: &'a Operand,
        view: View,
        len: usize,
        dtype: DType,
    ) -> Result<(Place, Lane)> {
        self.kept.push((operand, dtype, F32));
        let place = self.builder.write(operand, dtype, view, dtype == F32)?;
        Ok((place, written_lanes(len, F32, dtype)?))
    }

    pub(super) fn plan(self) -> Plan {
        self.builder.plan(temporaries(&self.kept))
    }
}

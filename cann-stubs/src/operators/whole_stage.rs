//! [`WholeStage`]: a plan in the making, of one function that sees all elements of its operands at once.

use aclnn_numerics::DType;
use cann_kernels::{LaneFunction, View};

use crate::operators::call::{Operand, Plan};
use crate::operators::check;
use crate::operators::stage_planner::{StagePlanner, Used};
use crate::status::Result;

/// A plan of one function in the making, with the operands in the order in which the function gets them.
#[derive(Default)]
pub(super) struct WholeStage {
    planner: StagePlanner,
    inputs: Vec<Used>,
    outputs: Vec<Used>,
}

impl WholeStage {
    fn input(&mut self, used: Used) -> usize {
        self.inputs.push(used);
        self.inputs.len() - 1
    }

    /// Reads all elements of an operand as `seen`. Returns the number of the input.
    pub(super) fn read(&mut self, operand: &Operand, seen: DType) -> Result<usize> {
        let used = self.planner.list(operand, Some(seen))?;
        Ok(self.input(used))
    }

    /// Reads an operand that may be missing as `seen`, or as its own type without one. Returns the number of the input.
    pub(super) fn read_if(
        &mut self,
        operand: Option<&Operand>,
        seen: Option<DType>,
    ) -> Result<Option<usize>> {
        let Some(operand) = operand else { return Ok(None) };
        let used = self.planner.list(operand, seen)?;
        Ok(Some(self.input(used)))
    }

    /// Reads an operand through a view of its own type.
    pub(super) fn read_view(&mut self, operand: &Operand, view: View, seen: DType) -> Result<usize> {
        let len = view.numel();
        let used = self.planner.read_view(operand, view, len, Some(seen))?;
        Ok(self.input(used))
    }

    /// Reads some rows of an operand as `seen`, of which the others may hold no value.
    pub(super) fn table(&mut self, operand: &Operand, seen: DType) -> Result<usize> {
        let len = operand.shape()?.numel().unwrap_or(0);
        let used = self.planner.table(operand, len, Some(seen))?;
        Ok(self.input(used))
    }

    /// Writes all elements of an operand, which the function makes as `seen`; empty operands are left out.
    pub(super) fn write(&mut self, operand: &Operand, seen: DType) -> Result<Option<usize>> {
        if operand.is_empty() {
            return Ok(None);
        }
        self.write_view(operand, operand.in_order(check::any_dtype(operand)?)?, seen).map(Some)
    }

    /// Writes an operand through a view of its own type.
    pub(super) fn write_view(&mut self, operand: &Operand, view: View, seen: DType) -> Result<usize> {
        let len = view.numel();
        self.outputs.push(self.planner.write_view(operand, view, len, Some(seen))?);
        Ok(self.outputs.len() - 1)
    }

    pub(super) fn plan(mut self, body: LaneFunction) -> Plan {
        self.planner.builder.lanes(self.inputs, self.outputs, 1, body);
        self.planner.plan()
    }
}

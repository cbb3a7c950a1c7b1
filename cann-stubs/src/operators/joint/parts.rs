//! The group of a call, and its plan in parts.

use std::sync::Arc;

use aclnn_numerics::DType;
use aclnn_numerics::layout::Shape;
use aclnn_sys::ACLNN_ERR_RUNTIME_ERROR;
use cann_kernels::{Conversions, View, size_of_dtype};
use smallvec::SmallVec;

use crate::collective::joint::{self, Exchange};
use crate::meta::plan::{Part, PlannedTensor};
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::operand::Described;
use crate::operators::plan_builder::PlanBuilder;
use crate::runtime::stream::context;
use crate::status::Result;

/// The bytes of which what lies in the workspace begins at a multiple.
const ALIGNED: usize = 512;

/// An operator of several ranks in the making.
pub(super) struct Joint<'c> {
    call: &'c Call<'c>,
    group: Arc<str>,
    pub(super) rank: usize,
    pub(super) ranks: usize,
    parts: Vec<Part>,
    tensors: SmallVec<[PlannedTensor; 3]>,
    /// Bytes of the workspace that are in use from one part to another, and the most that a part asks for beside them.
    kept: usize,
    beside: u64,
}

impl<'c> Joint<'c> {
    /// Finds the group that the parameter `name` names, as `HcclGetCommName` does: the current device must have joined it.
    pub(super) fn of(call: &'c Call<'c>, name: &str) -> Result<Self> {
        let group = call.text(name)?;
        let context = context::current().map_err(|status| status.with_code(ACLNN_ERR_RUNTIME_ERROR))?;
        let Some(place) = joint::place(&group, context.device_id()) else {
            return invalid(format_args!(
                "{name} is \"{group}\", and device {} has joined no group of this name; pass what HcclGetCommName gives",
                context.device_id()
            ));
        };
        Ok(Self {
            call,
            group: Arc::from(group),
            rank: place.rank,
            ranks: place.ranks,
            parts: Vec::new(),
            tensors: SmallVec::new(),
            kept: 0,
            beside: 0,
        })
    }

    /// Refuses a number of ranks that the group does not have.
    pub(super) fn must_have(&self, name: &str, ranks: i64) -> Result {
        match usize::try_from(ranks) == Ok(self.ranks) {
            true => Ok(()),
            false => invalid(format_args!("{name} is {ranks}, but the group has {} ranks", self.ranks)),
        }
    }

    /// Elements in the workspace, one after the other.
    pub(super) fn kept(&mut self, name: &'static str, dtype: DType, sizes: &[usize]) -> Operand<'c> {
        let operand = self.call.keep(Described::in_workspace(name, self.kept, dtype, sizes));
        let bytes = sizes.iter().fold(size_of_dtype(dtype), |bytes, size| bytes.saturating_mul(*size));
        self.kept = self.kept.saturating_add(bytes).checked_next_multiple_of(ALIGNED).unwrap_or(usize::MAX);
        operand
    }

    /// A contiguous operand to hold a result: the output itself, or elements in the workspace that [`Joint::deliver`] copies.
    pub(super) fn staged(&mut self, out: &Operand, dtype: DType) -> Result<Option<Operand<'c>>> {
        let shape = out.shape()?;
        Ok((!out.is_contiguous()).then(|| self.kept(out.name, dtype, shape)))
    }

    /// Copies a result that was staged to its output.
    pub(super) fn deliver(&mut self, staged: Option<&Operand>, out: &Operand, dtype: DType) -> Result {
        let Some(staged) = staged else { return Ok(()) };
        let shape = out.shape()?;
        self.copy((staged, staged.view(dtype, shape)?), (out, out.view(dtype, shape)?), dtype, shape)
    }

    /// Copies elements of `shape` between views of two operands.
    pub(super) fn copy(
        &mut self,
        (from, source): (&Operand, View),
        (to, target): (&Operand, View),
        dtype: DType,
        shape: &[usize],
    ) -> Result {
        let mut builder = PlanBuilder::new();
        let input = builder.read(from, source, true);
        let output = builder.write(to, dtype, target, true)?;
        builder.copy(input, output, shape, Conversions::default());
        self.alone(builder.plan(0));
        Ok(())
    }

    /// The elements of an operand one after the other: those of the operand itself, or copies in the workspace.
    pub(super) fn contiguous(&mut self, operand: &Operand, dtype: DType) -> Result<Option<Operand<'c>>> {
        if operand.is_contiguous() {
            return Ok(None);
        }
        let shape: Shape = operand.shape()?.clone();
        let copy = self.kept(operand.name, dtype, &shape);
        self.copy(
            (operand, operand.view(dtype, &shape)?),
            (&copy, copy.view(dtype, &shape)?),
            dtype,
            &shape,
        )?;
        Ok(Some(copy))
    }

    /// Adds what this rank does alone.
    pub(super) fn alone(&mut self, plan: Plan) {
        if plan.kernel.is_some() {
            self.beside = self.beside.max(plan.workspace);
            self.tensors.extend_from_slice(&plan.tensors);
            self.parts.push(Part::Alone(plan.into()));
        }
    }

    /// Adds what all ranks do together. Buffers are contiguous.
    pub(super) fn together(&mut self, exchange: Exchange, buffers: &[&Operand]) -> Result {
        let mut offsets = SmallVec::new();
        for operand in buffers {
            let size = operand.known_dtype().map_or(1, size_of_dtype);
            let offset = usize::try_from(operand.offset()).ok().and_then(|offset| offset.checked_mul(size));
            let Some(offset) = offset else {
                return invalid(format_args!("{} begins at element {}", operand.name, operand.offset()));
            };
            offsets.push(offset);
            self.tensors.push(PlannedTensor {
                name: operand.name,
                slot: operand.slot(),
                direct: true,
                looked_up: false,
            });
        }
        self.parts.push(Part::Together(Arc::clone(&self.group), exchange, offsets));
        Ok(())
    }

    pub(super) fn plan(self) -> Plan {
        Plan::of_parts(self.parts, self.tensors, (self.kept as u64).saturating_add(self.beside))
    }
}

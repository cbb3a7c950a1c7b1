//! Plans of movements whose bodies get whole lanes.

use aclnn_numerics::DType;
use cann_kernels::{LaneBody, View};

use super::pieces::dtype;
use crate::compute::units;
use crate::operators::call::{Operand, Plan, Tasks, workspace};
use crate::operators::plan_builder::PlanBuilder;
use crate::operators::plan_builder::{read_lanes, written_lanes};
use crate::settings;
use crate::status::Result;

/// An operand as lanes of `len` elements.
pub(super) struct Lanes<'a> {
    pub(super) operand: &'a Operand<'a>,
    pub(super) view: View,
    pub(super) len: usize,
    /// The type in which the body gets the elements.
    pub(super) seen: DType,
}

impl<'a> Lanes<'a> {
    /// The elements in row-major order, so many in a lane.
    pub(super) fn rows(operand: &'a Operand, len: usize, seen: DType) -> Result<Self> {
        Ok(Self { operand, view: operand.in_order(dtype(operand)?)?, len, seen })
    }
}

/// The plan of a body that gets `count` lanes of each operand.
pub(super) fn plan(
    inputs: Vec<Lanes<'_>>,
    output: Lanes<'_>,
    count: usize,
    body: impl LaneBody + 'static,
) -> Result<Plan> {
    let (mut builder, product) = (PlanBuilder::new(), settings::get().product);
    let (mut read, mut temporaries, mut on_cores) = (Vec::new(), Vec::new(), true);
    let mut note = |lanes: &Lanes<'_>, dtype: DType| {
        on_cores &= units::moves(product, dtype);
        temporaries.push(lanes.operand.shape().ok().and_then(|shape| {
            (!lanes.operand.is_contiguous())
                .then(|| shape.numel().and_then(|count| dtype.storage_bytes(count)).unwrap_or(usize::MAX))
        }));
    };
    for lanes in inputs {
        let dtype = dtype(lanes.operand)?;
        note(&lanes, dtype);
        let lane = read_lanes(lanes.len, dtype, lanes.seen)?;
        read.push((builder.read(lanes.operand, lanes.view, true), lane));
    }
    let to = dtype(output.operand)?;
    note(&output, to);
    let lane = written_lanes(output.len, output.seen, to)?;
    let written = builder.write(output.operand, to, output.view, true)?;
    builder.lanes(read, [(written, lane)], count, body);
    let tasks = if on_cores { Tasks::Cores } else { Tasks::Processors };
    Ok(builder.plan(workspace(temporaries)).by(tasks))
}

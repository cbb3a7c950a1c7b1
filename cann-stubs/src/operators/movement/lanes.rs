//! Plans of movements whose bodies get whole lanes.

use aclnn_numerics::DType;

use super::pieces::dtype;
use crate::kernels::{Lane, LaneBody, View};
use crate::operators::call::{Operand, Plan, Tasks, workspace};
use crate::operators::compute_units;
use crate::operators::draft::Draft;
use crate::settings;
use crate::status::Result;

/// An operand as lanes of `len` elements.
pub(super) struct Lanes<'a> {
    pub(super) operand: &'a Operand,
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
    let (mut draft, product) = (Draft::new(), settings::get().product);
    let (mut read, mut temporaries, mut on_cores) = (Vec::new(), Vec::new(), true);
    let mut note = |lanes: &Lanes<'_>, dtype: DType| {
        on_cores &= compute_units::moves(product, dtype);
        temporaries.push(lanes.operand.shape().ok().and_then(|shape| {
            (!lanes.operand.is_contiguous())
                .then(|| shape.numel().and_then(|count| dtype.storage_bytes(count)).unwrap_or(usize::MAX))
        }));
    };
    for lanes in inputs {
        let dtype = dtype(lanes.operand)?;
        note(&lanes, dtype);
        let lane = Lane::read(lanes.len, dtype, lanes.seen)?;
        read.push((draft.read(lanes.operand, lanes.view, true), lane));
    }
    let to = dtype(output.operand)?;
    note(&output, to);
    let lane = Lane::written(output.len, output.seen, to)?;
    let written = draft.write(output.operand, to, output.view, true)?;
    draft.lanes(read, [(written, lane)], count, body);
    let tasks = if on_cores { Tasks::Cores } else { Tasks::Processors };
    Ok(draft.plan(workspace(temporaries)).by(tasks))
}

//! Sums of what experts made of parts.

use aclnn_numerics::DType::I32;
use aclnn_numerics::layout::Shape;
use cann_kernels::{Cause, Failure};

use crate::operators::axes::invalid;
use crate::operators::call::{Call, Plan};
use crate::operators::check::{self, has_shape, sizes, when_divided};
use crate::operators::lane_planner::{Planner, ints};
use crate::operators::signatures;
use crate::status::Result;

pub(super) fn moe_init_routing_v2_grad(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["gradExpandedX", "out"])?;
    let ([grad, out], places) = (&tensors, call.tensor("expandedRowIdx")?);
    check::alike(&[grad, out], signatures::moe_init_routing_v2_grad.takes)?;
    check::exactly(&places, I32)?;
    let (top, mode, active) = (call.int("topK")?, call.int("dropPadMode")?, call.int("activeNum")?);
    let checked = || -> Result<[usize; 3]> {
        let [rows, len] = sizes(out)?;
        let Some(top) = usize::try_from(top).ok().filter(|top| *top > 0) else {
            return invalid(format_args!("topK is {top}, but must be positive"));
        };
        if !(0..=1).contains(&mode) || active < 0 {
            return invalid(format_args!(
                "dropPadMode is {mode} and activeNum {active}; the first must be 0 or 1, and the second not negative"
            ));
        }
        has_shape(&places, &Shape::from([rows.saturating_mul(top)]))?;
        let fits = match (&grad.shape()?[..], mode) {
            ([_, own], 0) | ([_, _, own], 1) => *own == len,
            _ => false,
        };
        match fits {
            true => Ok([rows, len, top]),
            false => invalid(format_args!(
                "gradExpandedX has shape {}, which has no rows of {len} elements",
                grad.shape()?
            )),
        }
    };
    let [rows, len, top] = checked().map_err(when_divided)?;
    if out.is_empty() {
        return Ok(Plan::empty());
    }
    let given = grad.shape()?.numel().unwrap_or(0);
    let limit = if mode == 0 && active > 0 { active as usize } else { usize::MAX };
    let mut planner = Planner::new();
    let inputs = [planner.all(Some(grad), rows)?, planner.numbers(&places, top)?];
    let out = planner.out(out, len)?;
    planner.try_lanes(rows, inputs, [out], "sums of experts", move |[grad, places], [out]| {
        out.fill(0.0);
        for place in ints(places) {
            // Rows that no expert took have a negative place, or one behind those that are active.
            let Some(place) = usize::try_from(*place).ok().filter(|place| *place < limit) else { continue };
            let Some(row) = grad.chunks(len).nth(place) else {
                let message = format_args!("expandedRowIdx has {place}, but there are {} rows", given / len);
                return Err(Failure::new(Cause::AiCore, message));
            };
            out.iter_mut().zip(row).for_each(|(out, x)| *out += x);
        }
        Ok(())
    })?;
    Ok(planner.plan())
}

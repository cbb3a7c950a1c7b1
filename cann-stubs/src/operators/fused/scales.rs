//! Scales in the form that products of integers take from a device: f32 in the lower half of a u64, and an offset in nine
//! bits of the upper half. V3 is taken to place it as V2 does.

use aclnn_numerics::DType::{F32, I64, U64};
use cann_kernels::LaneFunction;
use cann_kernels::axis::quantisation::packed_offset;

use super::operands::one_of;
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Plan};
use crate::operators::plan_builder::PlanBuilder;
use crate::operators::plan_builder::{read_lanes, written_lanes};
use crate::operators::{check, signatures};
use crate::status::Result;

pub(super) fn trans_quant_param(call: &Call<'_>) -> Result<Plan> {
    let (scale, out) = (call.tensor("scale")?, call.tensor("out")?);
    let dtype = check::dtype(&scale, signatures::trans_quant_param.takes)?;
    let to = one_of(&out, &[U64, I64])?;
    let offset = call.optional_tensor("offset")?;
    if let Some(offset) = &offset {
        check::exactly(offset, F32)?;
    }
    if call.has("roundMode") && !(0..=1).contains(&call.int("roundMode")?) {
        return invalid(format_args!("roundMode is {}, but must be 0 or 1", call.int("roundMode")?));
    }
    // One scale for all offsets, or one offset for all scales.
    let operands = [Some(scale), offset];
    let shape = check::broadcast_all(&operands)?;
    check::output_shape(&out, &shape)?;
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let count = shape.numel().unwrap_or(0);
    let mut builder = PlanBuilder::new();
    let mut inputs = Vec::new();
    for operand in operands.iter().flatten() {
        inputs.push((
            builder.read(operand, operand.view(dtype, &shape)?, true),
            read_lanes(count, dtype, F32)?,
        ));
    }
    let output = builder.write(&out, to, out.in_order(to)?, true)?;
    let body = LaneFunction::new("pack", |_, inputs, outputs| {
        let ([scales, offsets @ ..], [packed]) = (inputs, outputs) else { return Ok(()) };
        let packed: &mut [u64] = bytemuck::cast_slice_mut(packed);
        let scales: &[u32] = bytemuck::cast_slice(scales);
        packed.iter_mut().zip(scales).for_each(|(packed, bits)| *packed = u64::from(*bits));
        let offsets = offsets.iter().flat_map(|offsets| bytemuck::cast_slice::<u8, f32>(offsets));
        for (packed, offset) in packed.iter_mut().zip(offsets) {
            *packed |= u64::from(packed_offset(*offset)) << OFFSET_AT;
        }
        Ok(())
    });
    builder.lanes(inputs, [(output, written_lanes(count, to, to)?)], 1, body);
    Ok(builder.plan(0))
}

/// The lowest bit of an offset beside its scale.
const OFFSET_AT: u32 = 37;

//! Scales in the form that products of integers take from a device: f32 in the lower half of a u64.

use aclnn_numerics::DType::{F32, I64, U64};

use super::operands::one_of;
use crate::kernels::{Lane, LaneFunction};
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Plan};
use crate::operators::draft::Draft;
use crate::operators::{check, declared};
use crate::status::Result;

pub(super) fn trans_quant_param(call: &Call<'_>) -> Result<Plan> {
    let (scale, out) = (call.tensor("scale")?, call.tensor("out")?);
    let dtype = check::dtype(&scale, declared::trans_quant_param.takes)?;
    let to = one_of(&out, &[U64, I64])?;
    if call.optional_tensor("offset")?.is_some() {
        return invalid("the emulator does not know where an offset goes; it must be null");
    }
    if call.has("roundMode") && !(0..=1).contains(&call.int("roundMode")?) {
        return invalid(format_args!("roundMode is {}, but must be 0 or 1", call.int("roundMode")?));
    }
    let shape = scale.shape()?;
    check::output_shape(&out, shape)?;
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let count = shape.numel().unwrap_or(0);
    let mut draft = Draft::new();
    let input = draft.read(&scale, scale.in_order(dtype)?, true);
    let output = draft.write(&out, to, out.in_order(to)?, true)?;
    let body = LaneFunction::new("pack", |_, inputs, outputs| {
        let ([scales], [packed]) = (inputs, outputs) else { return Ok(()) };
        let packed: &mut [u64] = bytemuck::cast_slice_mut(packed);
        let scales: &[u32] = bytemuck::cast_slice(scales);
        packed.iter_mut().zip(scales).for_each(|(packed, bits)| *packed = u64::from(*bits));
        Ok(())
    });
    let lanes = [(input, Lane::read(count, dtype, F32)?)];
    draft.lanes(lanes, [(output, Lane::written(count, to, to)?)], 1, body);
    Ok(draft.plan(0))
}

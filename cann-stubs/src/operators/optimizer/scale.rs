//! The scale of a loss in mixed precision.

use aclnn_numerics::DType::{self, BF16, F16, F32, I32};
use aclnn_numerics::{bf16, f16};
use bytemuck::{try_cast_slice, try_cast_slice_mut};
use cann_kernels::LaneFunction;

use super::step::{one_dtype, one_element};
use crate::operators::call::{Call, Plan};
use crate::operators::check;
use crate::operators::plan_builder::PlanBuilder;
use crate::operators::plan_builder::{read_lanes, written_lanes};
use crate::operators::signatures;
use crate::status::Result;

/// A product, rounded to the type of the scale, in which it may be infinite though f32 is not.
fn rounded(product: f64, dtype: DType) -> f32 {
    match dtype {
        F16 => f16::from_f64(product).to_f32(),
        BF16 => bf16::from_f64(product).to_f32(),
        _ => product as f32,
    }
}

pub(super) fn amp_update_scale(call: &Call<'_>) -> Result<Plan> {
    let tensor = |name| call.tensor(name);
    let [scale, tracker, found] = [tensor("currentScale")?, tensor("growthTracker")?, tensor("foundInf")?];
    let [next, next_tracker] = [tensor("updatedScale")?, tensor("updatedGrowthTracker")?];
    let floats = [&scale, &found, &next];
    let Some(dtype) = one_dtype(&floats, signatures::amp_update_scale.takes)? else {
        return Ok(Plan::empty());
    };
    check::each(&floats, |tensor| one_element(tensor, &[dtype]))?;
    check::each(&[&tracker, &next_tracker], |tensor| one_element(tensor, &[I32]))?;
    let [growth, backoff] = [call.float("growthFactor")?, call.float("backoffFactor")?];
    let interval = call.int("growthInterval")?;
    let update = move |_: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
        let ([scale, tracker, found], [next, next_tracker]) = (inputs, outputs) else { return Ok(()) };
        let (Ok([scale]), Ok([tracker]), Ok([found]), Ok([next]), Ok([next_tracker])) = (
            try_cast_slice::<u8, f32>(scale),
            try_cast_slice::<u8, i32>(tracker),
            try_cast_slice::<u8, f32>(found),
            try_cast_slice_mut::<u8, f32>(next),
            try_cast_slice_mut::<u8, i32>(next_tracker),
        ) else {
            debug_assert!(false, "lanes are aligned, and have one element");
            return Ok(());
        };
        let since = tracker.wrapping_add(1);
        let times = |factor: f64| rounded(f64::from(*scale) * factor, dtype);
        (*next, *next_tracker) = if *found != 0.0 {
            (times(backoff), 0)
        } else if i64::from(since) != interval {
            (*scale, since)
        } else {
            (Some(times(growth)).filter(|larger| larger.is_finite()).unwrap_or(*scale), 0)
        };
        Ok(())
    };
    let mut builder = PlanBuilder::new();
    let mut read = Vec::new();
    for (tensor, dtype, seen) in [(&scale, dtype, F32), (&tracker, I32, I32), (&found, dtype, F32)] {
        let place = builder.read(tensor, tensor.in_order(dtype)?, true);
        read.push((place, read_lanes(1, dtype, seen)?));
    }
    let mut written = Vec::new();
    for (tensor, seen, dtype) in [(&next, F32, dtype), (&next_tracker, I32, I32)] {
        let place = builder.write(tensor, dtype, tensor.in_order(dtype)?, true)?;
        written.push((place, written_lanes(1, seen, dtype)?));
    }
    builder.lanes(read, written, 1, LaneFunction::new("update the scale", update));
    Ok(builder.plan(0))
}

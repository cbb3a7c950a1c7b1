//! Numbers in steps. What these operators check is not published: it is what PyTorch's functions of their names take.

use aclnn_numerics::DType::{self, Bool, F32, I8, I32, U8};
use aclnn_numerics::layout::Shape;
use cann_kernels::axis::quantisation::{in_steps, quantized};
use cann_kernels::{LaneBody, View};
use smallvec::SmallVec;

use crate::operators::axes::{axis_in, invalid, named, output_of, temporaries};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::plan_builder::{PlanBuilder, read_lanes, written_lanes};
use crate::operators::{check, conversions, signatures};
use crate::status::Result;

/// Steps and zero points: one for all elements, or one for each index of an axis.
struct Steps<'c> {
    scales: Operand<'c>,
    zeros: Operand<'c>,
    axis: Option<usize>,
    dtypes: [DType; 2],
}

impl<'c> Steps<'c> {
    /// The operands, for elements of a type; `zeros` are the types of zero points.
    fn of(call: &'c Call<'_>, names: [&str; 2], own: DType, zeros: &[DType]) -> Result<Self> {
        let (scale, zero) = (call.tensor(names[0])?, call.tensor(names[1])?);
        let of_scale = match scale.known_dtype() {
            Some(dtype) if dtype == F32 || dtype == own => dtype,
            _ => return invalid(format_args!("{} must be f32 or {own}", scale.name)),
        };
        match zero.known_dtype() {
            Some(dtype) if zeros.contains(&dtype) => {
                Ok(Self { scales: scale, zeros: zero, axis: None, dtypes: [of_scale, dtype] })
            }
            _ => invalid(format_args!("{} must be one of {zeros:?}", zero.name)),
        }
    }

    /// One for each index of an axis of this shape.
    fn along(mut self, axis: usize, shape: &Shape) -> Result<Self> {
        let wanted = Shape::from([shape.get(axis).copied().unwrap_or(1)]);
        check::output_shape(&self.scales, &wanted)?;
        check::output_shape(&self.zeros, &wanted)?;
        self.axis = Some(axis);
        Ok(self)
    }

    /// One for all.
    fn same_for_all(self) -> Result<Self> {
        for operand in [&self.scales, &self.zeros] {
            if operand.shape()?.numel() != Some(1) {
                return invalid(format_args!(
                    "{} has shape {}, but must have one element",
                    operand.name,
                    operand.shape()?
                ));
            }
        }
        Ok(self)
    }

    /// Steps of every element.
    fn views(&self, shape: &Shape) -> Result<[View; 2]> {
        let view = |operand: &Operand, dtype| {
            let step = operand.strides().first().copied().unwrap_or(0);
            let stride = |axis| if Some(axis) == self.axis { step } else { 0 };
            let strides: SmallVec<[isize; 8]> = (0..shape.rank()).map(stride).collect();
            operand.view_of(dtype, shape, &strides, operand.offset())
        };
        Ok([view(&self.scales, self.dtypes[0])?, view(&self.zeros, self.dtypes[1])?])
    }

    /// A plan that computes the outputs, which a body writes as the second of their types, along the last axis.
    fn plan(
        &self,
        (x, own): (&Operand, DType),
        outputs: &[(&Operand, DType, DType)],
        body: impl LaneBody + 'static,
    ) -> Result<Plan> {
        let shape = x.shape()?;
        if shape.is_empty_tensor() {
            return Ok(Plan::empty());
        }
        let len = shape.last().copied().unwrap_or(1);
        let [scales, zeros] = self.views(shape)?;
        let mut builder = PlanBuilder::new();
        let inputs = [
            (builder.read(x, x.in_order(own)?, true), read_lanes(len, own, F32)?),
            (builder.read(&self.scales, scales, true), read_lanes(len, self.dtypes[0], F32)?),
            (builder.read(&self.zeros, zeros, true), read_lanes(len, self.dtypes[1], I32)?),
        ];
        let mut written = Vec::new();
        let mut kept = vec![(x, own, own)];
        for (operand, dtype, seen) in outputs {
            let place = builder.write(operand, *dtype, operand.in_order(*dtype)?, true)?;
            written.push((place, written_lanes(len, *seen, *dtype)?));
            kept.push((*operand, *dtype, *dtype));
        }
        builder.lanes(inputs, written, shape.numel().unwrap_or(0) / len, body);
        Ok(builder.plan(temporaries(&kept)))
    }
}

pub(super) fn quantize(call: &Call<'_>) -> Result<Plan> {
    let (x, out) = (call.tensor("x")?, call.tensor("out")?);
    let own = check::dtype(&x, signatures::quantize.takes)?;
    let steps = Steps::of(call, ["scales", "zeroPoints"], own, &[I32, I8, U8])?;
    let to = output_of(signatures::quantize.output, I32, I32, &out)?;
    if named(call.dtype("dtype")?) != Some(to) {
        return invalid(format_args!("out is {to}, which is not the type that dtype names"));
    }
    check::ranks(&[&x, &out])?;
    let shape = x.shape()?;
    let axis = axis_in("axis", call.int("axis")?, shape.rank().max(1))?;
    let steps = match steps.scales.shape()?.numel() {
        Some(1) => steps.same_for_all()?,
        _ => steps.along(axis, shape)?,
    };
    check::output_shape(&out, shape)?;
    let (least, most) = match to {
        I8 => (i8::MIN.into(), i8::MAX.into()),
        U8 => (u8::MIN.into(), u8::MAX.into()),
        _ => (i32::MIN.into(), i32::MAX.into()),
    };
    steps.plan((&x, own), &[(&out, to, I32)], quantized(least, most))
}

pub(super) fn fake_quantize_per_tensor(call: &Call<'_>) -> Result<Plan> {
    fake(call, call.float("fakeQuantEnabled")? != 0.0, |steps, _| steps.same_for_all())
}

pub(super) fn fake_quantize_per_channel(call: &Call<'_>) -> Result<Plan> {
    fake(call, true, |steps, shape| {
        let axis = axis_in("axis", call.int("axis")?, shape.rank().max(1))?;
        steps.along(axis, shape)
    })
}

fn fake<'c>(
    call: &'c Call<'_>,
    is_enabled: bool,
    placed: impl FnOnce(Steps<'c>, &Shape) -> Result<Steps<'c>>,
) -> Result<Plan> {
    let (own, out, mask) = (call.tensor("self")?, call.tensor("out")?, call.tensor("mask")?);
    let dtype = check::dtype(&own, signatures::fake_quantize_per_tensor.takes)?;
    let steps = Steps::of(call, ["scale", "zeroPoint"], dtype, &[I32])?;
    check::exactly(&out, dtype)?;
    check::exactly(&mask, Bool)?;
    check::rank(&own)?;
    let shape = own.shape()?;
    let steps = placed(steps, shape)?;
    check::each(&[&out, &mask], |output| check::output_shape(output, shape))?;
    let (least, most) = (call.int("quantMin")?, call.int("quantMax")?);
    if least > most {
        return invalid(format_args!("quantMin is {least}, which is above quantMax, {most}"));
    }
    if is_enabled {
        let outputs = [(&out, dtype, F32), (&mask, Bool, Bool)];
        return steps.plan((&own, dtype), &outputs, in_steps(least, most));
    }
    // Everything stays as it is, and counts as within the range.
    let mut builder = PlanBuilder::new();
    let from = builder.read(&own, own.in_order(dtype)?, true);
    let to = builder.write(&out, dtype, out.in_order(dtype)?, true)?;
    let inside = builder.write(&mask, Bool, mask.in_order(Bool)?, true)?;
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    builder.copy(from, to, shape, conversions::through(&[dtype])?);
    builder.fill(inside, shape, &[1]);
    Ok(builder.plan(temporaries(&[(&own, dtype, dtype), (&out, dtype, dtype), (&mask, Bool, Bool)])))
}

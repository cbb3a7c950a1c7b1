//! The plans of poolings: each image is a lane.

use aclnn_numerics::DType::{self, F32, F64, I32, I64};
use cann_kernels::allocation;
use cann_kernels::images::pooling::{Numbered, Windows};
use cann_kernels::{LaneBody, LaneFunction};

use crate::operators::axes::{invalid, temporaries};
use crate::operators::call::{Operand, Plan};
use crate::operators::images::{Images, lane};
use crate::operators::plan_builder::PlanBuilder;
use crate::status::Result;

/// The type of positions.
pub(super) fn positions(operand: &Operand, allowed: &[DType]) -> Result<DType> {
    match operand.known_dtype().filter(|dtype| allowed.contains(dtype)) {
        Some(dtype) => Ok(dtype),
        None => invalid(format_args!("{} must have one of the types {allowed:?}", operand.name)),
    }
}

/// The type in which elements are compared: their own numbers, all of them.
fn compared(dtype: DType) -> DType {
    match dtype {
        F64 => F64,
        dtype if dtype.is_integer() => I64,
        _ => F32,
    }
}

/// A plan with a lane for each image: inputs and outputs, each with its type and the one in which it is computed.
fn plan(
    inputs: &[(&Images<'_>, DType, DType)],
    outputs: &[(&Images<'_>, DType, DType)],
    body: impl LaneBody + 'static,
) -> Result<Plan> {
    let mut builder = PlanBuilder::new();
    let len = |images: &Images<'_>| images.sizes().iter().product();
    let count = inputs.first().map_or(0, |(images, ..)| images.planes());
    let (mut read, mut written, mut kept) = (Vec::new(), Vec::new(), Vec::new());
    for (images, dtype, seen) in inputs {
        let place = builder.read(images.operand, images.view(*dtype)?, dtype == seen);
        read.push((place, lane(len(images), &[*dtype, *seen], *seen)?));
        kept.push((images.operand, *dtype, *seen));
    }
    for (images, dtype, seen) in outputs {
        let place = builder.write(images.operand, *dtype, images.view(*dtype)?, dtype == seen)?;
        written.push((place, lane(len(images), &[*seen, *dtype], *seen)?));
        kept.push((images.operand, *dtype, *seen));
    }
    builder.lanes(read, written, count, body);
    Ok(builder.plan(temporaries(&kept)))
}

/// The averages of windows, or the gradient of them.
pub(super) fn averaged(
    (from, to): (&Images<'_>, &Images<'_>),
    dtype: DType,
    windows: Windows,
    divisor: Option<i64>,
    is_gradient: bool,
) -> Result<Plan> {
    let step = if is_gradient { "spread" } else { "average" };
    let body = LaneFunction::new(step, move |_, inputs, outputs| {
        let ([from], [to]) = (inputs, outputs) else { return Ok(()) };
        let (from, to) = (bytemuck::cast_slice(from), bytemuck::cast_slice_mut(to));
        match is_gradient {
            true => windows.spread(from, divisor, to),
            false => windows.average(from, divisor, to),
        }
    });
    plan(&[(from, dtype, F32)], &[(to, dtype, F32)], body)
}

/// The greatest elements of the windows over an image, and their numbers if they are asked for.
fn greatest_of(windows: Windows, seen: DType) -> LaneFunction {
    LaneFunction::new("greatest", move |_, inputs, outputs| {
        let ([image], [values, numbers @ ..]) = (inputs, outputs) else { return Ok(()) };
        let numbers = numbers.first_mut().map(|numbers| bytemuck::cast_slice_mut(numbers));
        windows.greatest(seen, image, values, numbers)
    })
}

/// The greatest elements of windows.
pub(super) fn greatest(
    (own, out): (&Images<'_>, &Images<'_>),
    dtype: DType,
    windows: Windows,
    numbers: Option<(&Images<'_>, DType)>,
) -> Result<Plan> {
    let seen = compared(dtype);
    let mut outputs = vec![(out, dtype, seen)];
    outputs.extend(numbers.map(|(images, dtype)| (images, dtype, I64)));
    plan(&[(own, dtype, seen)], &outputs, greatest_of(windows, seen))
}

/// Elements that go to those with given numbers, or come from there.
pub(super) fn by_numbers(
    act: Numbered,
    (from, to): (&Images<'_>, &Images<'_>),
    dtype: DType,
    numbers: (&Images<'_>, DType),
) -> Result<Plan> {
    let seen = compared(dtype);
    let body = LaneFunction::new("put back", move |_, inputs, outputs| {
        let ([from, numbers], [to]) = (inputs, outputs) else { return Ok(()) };
        act.run(seen, from, numbers, to)
    });
    plan(&[(from, dtype, seen), (numbers.0, numbers.1, I64)], &[(to, dtype, seen)], body)
}

/// The greatest elements of windows, and a tensor of bytes that begins with their numbers, as i32; a window of a single
/// element has no place for them there, and needs none.
pub(super) fn masked(
    (own, out): (&Images<'_>, &Images<'_>),
    dtype: DType,
    windows: Windows,
    (mask, is_single): (&Operand, bool),
) -> Result<Plan> {
    let mut builder = PlanBuilder::new();
    let (planes, elements, results) = (own.planes(), windows.elements(), windows.positions());
    let input = builder.read(own.operand, own.view(dtype)?, dtype == F32);
    let output = builder.write(out.operand, dtype, out.view(dtype)?, dtype == F32)?;
    let bytes = builder.write(mask, DType::I8, mask.in_order(DType::I8)?, true)?;
    let numbers = builder.temporary(I64, planes * results)?;
    let values = lane(results, &[F32, dtype], F32)?;
    builder.lanes(
        [(input, lane(elements, &[dtype, F32], F32)?)],
        [(output, values), (numbers, lane(results, &[I64], I64)?)],
        planes,
        greatest_of(windows, F32),
    );
    let pack = LaneFunction::new("pack", move |_, inputs, outputs| {
        let ([numbers], [mask]) = (inputs, outputs) else { return Ok(()) };
        mask.fill(0);
        let numbers = if is_single { &[] } else { bytemuck::cast_slice::<u8, i32>(numbers) };
        for (place, number) in mask.chunks_exact_mut(4).zip(numbers) {
            place.copy_from_slice(&number.to_ne_bytes());
        }
        Ok(())
    });
    let whole = mask.shape()?.numel().unwrap_or(0);
    let packed = [(bytes, lane(whole, &[DType::I8], DType::I8)?)];
    builder.lanes([(numbers, lane(planes * results, &[I64, I32], I32)?)], packed, 1, pack);
    Ok(builder.plan(temporaries(&[(own.operand, dtype, F32), (out.operand, dtype, F32)])))
}

/// The gradient of [`masked`].
pub(super) fn unmasked(
    (gradient, out): (&Images<'_>, &Images<'_>),
    dtype: DType,
    windows: Windows,
    (mask, is_single): (&Operand, bool),
) -> Result<Plan> {
    let mut builder = PlanBuilder::new();
    let (planes, elements, results) = (out.planes(), windows.elements(), windows.positions());
    let input = builder.read(gradient.operand, gradient.view(dtype)?, dtype == F32);
    let bytes = builder.read(mask, mask.in_order(DType::I8)?, true);
    let output = builder.write(out.operand, dtype, out.view(dtype)?, dtype == F32)?;
    let body = LaneFunction::new("put back", move |_, inputs, outputs| {
        let ([gradient, mask], [out]) = (inputs, outputs) else { return Ok(()) };
        let planes = gradient.chunks(results.max(1) * size_of::<f32>());
        let planes = planes.zip(out.chunks_mut(elements.max(1) * size_of::<f32>()));
        for (plane, (gradient, out)) in planes.enumerate() {
            let numbers = mask.get(plane * results * 4..).unwrap_or_default().chunks_exact(4).take(results);
            let numbers =
                numbers.map(|bytes| i64::from(i32::from_ne_bytes(bytes.try_into().unwrap_or_default())));
            let numbers = if is_single { windows.firsts()? } else { allocation::collect(numbers)? };
            Numbered::Added.run(F32, gradient, bytemuck::cast_slice(&numbers), out)?;
        }
        Ok(())
    });
    let whole = mask.shape()?.numel().unwrap_or(0);
    let inputs = [
        (input, lane(planes * results, &[dtype, F32], F32)?),
        (bytes, lane(whole, &[DType::I8], DType::I8)?),
    ];
    builder.lanes(inputs, [(output, lane(planes * elements, &[F32, dtype], F32)?)], 1, body);
    Ok(builder.plan(temporaries(&[(gradient.operand, dtype, F32), (out.operand, dtype, F32)])))
}

//! Im2colBackward: columns summed where they lie on the image.

use aclnn_numerics::DType::F32;
use cann_kernels::LaneFunction;

use super::sizes::{Attributes, geometry};
use crate::operators::axes::{invalid, temporaries};
use crate::operators::call::{Call, Plan};
use crate::operators::images::{lane, numbers};
use crate::operators::plan_builder::PlanBuilder;
use crate::operators::{check, signatures};
use crate::status::Result;

pub(super) fn im2col_backward(call: &Call<'_>) -> Result<Plan> {
    let (own, out) = (call.tensor("gradOutput")?, call.tensor("out")?);
    let (sizes, kernel) = (call.ints("inputSize")?, call.ints("kernelSize")?);
    let (dilation, padding, stride) = (call.ints("dilation")?, call.ints("padding")?, call.ints("stride")?);
    let from = check::dtype(&own, signatures::im2col_backward.takes)?;
    let to = check::dtype(&out, signatures::im2col_backward.takes)?;
    if from != to {
        return invalid(format_args!("gradOutput is {from} and out {to}, but both must have one type"));
    }
    for (name, values, least) in [
        ("inputSize", &sizes, 1),
        ("kernelSize", &kernel, 1),
        ("dilation", &dilation, 1),
        ("padding", &padding, 0),
        ("stride", &stride, 1),
    ] {
        numbers(name, values, &[2], least)?;
    }
    let shape = own.shape()?;
    let ([rows, columns], batches) = match shape[..] {
        [rows, columns] => ([rows, columns], None),
        [batches, rows, columns] => ([rows, columns], Some(batches)),
        _ => return invalid(format_args!("gradOutput has shape {shape}, but must have two axes, or three")),
    };
    let (sizes, window) = ([sizes[0] as usize, sizes[1] as usize], [kernel[0] as usize, kernel[1] as usize]);
    let attributes = Attributes { stride, padding, dilation, output_padding: None };
    attributes.must_fit(&sizes, &window)?;
    let windows = attributes.over(&sizes, &window)?;
    let taps = window[0] * window[1];
    let geometry = geometry(1, 1, &[1, rows / taps], &windows);
    if rows % taps != 0 || rows == 0 || columns != geometry.positions() {
        return invalid(format_args!(
            "gradOutput has shape {shape}, but windows of {taps} elements have {} positions",
            geometry.positions()
        ));
    }
    let channels = rows / taps;
    check::output_shape(&out, &[batches.as_slice(), &[channels, sizes[0], sizes[1]]].concat())?;
    if batches == Some(0) {
        return Ok(Plan::empty());
    }
    let mut builder = PlanBuilder::new();
    let input = builder.read(&own, own.in_order(from)?, from == F32);
    let output = builder.write(&out, to, out.in_order(to)?, to == F32)?;
    let lanes =
        [lane(rows * columns, &[from, F32], F32)?, lane(channels * geometry.plane(), &[F32, to], F32)?];
    let [of_columns, of_image] = lanes;
    let body = LaneFunction::new("sum columns", move |_, inputs, outputs| {
        let ([columns], [image]) = (inputs, outputs) else { return Ok(()) };
        let image = bytemuck::cast_slice_mut(image);
        image.fill(0.0);
        geometry.scatter(bytemuck::cast_slice(columns), channels, &(0..geometry.positions()), image);
        Ok(())
    });
    builder.lanes([(input, of_columns)], [(output, of_image)], batches.unwrap_or(1), body);
    Ok(builder.plan(temporaries(&[(&own, from, F32), (&out, to, F32)])))
}

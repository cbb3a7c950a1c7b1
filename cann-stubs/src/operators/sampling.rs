//! Elements of images at places that a grid gives, the gradients of that, and the grids of affine maps.
//!
//! CANN does not describe these operators: what they compute and refuse is what PyTorch computes and refuses.

use aclnn_numerics::DType::{self, F32, F64};
use aclnn_numerics::layout::Shape;
use aclnn_numerics::types_by_product::Types;
use cann_kernels::images::grid_sampler::{self, Between, Beyond, Sampling};
use cann_kernels::{Lane, LaneFunction, View};

use super::axes::{filled, invalid, temporaries, temporaries_of};
use super::call::{Call, Operand, Plan};
use super::images::{Images, PUBLIC, has_format, have_one_format, lane, numbers};
use super::interpolated::{
    chamfer_distance_backward, ciou, deformable_conv2d, deformable_conv2d_backward, gaussian_blur, iou,
    multi_scale_deformable_attention, multi_scale_deformable_attention_grad, non_max_suppression, roi_align,
    roi_align_v2, roi_align_v2_backward, roi_pooling_grad_with_arg_max, roi_pooling_with_arg_max,
};
use super::phases::entry_points;
use super::plan_builder::{Place, PlanBuilder};
use super::{check, signatures};
use crate::mapped::mapped;
use crate::status::Result;

/// The type in which elements are computed.
fn seen(dtype: DType) -> DType {
    if dtype == F64 { F64 } else { F32 }
}

/// Images, a grid of places, and how the images are sampled there.
struct Sampled<'a> {
    images: Images<'a>,
    grid: &'a Operand<'a>,
    /// The shape of a result.
    shape: Shape,
    sampling: Sampling,
}

impl<'a> Sampled<'a> {
    fn of(call: &Call<'_>, [own, grid]: [&'a Operand; 2], dtype: DType, axes: usize) -> Result<Self> {
        has_format(own, PUBLIC)?;
        let images = Images::of(own, axes)?;
        let (given, places) = (own.shape()?, grid.shape()?);
        if given.rank() != axes + 2 || places.rank() != axes + 2 {
            return invalid(format_args!(
                "input has shape {given} and grid {places}, but both must have {} axes",
                axes + 2
            ));
        }
        if places[0] != images.shape[0] || places[axes + 1] != axes {
            return invalid(format_args!(
                "grid has shape {places}, but must have as many batches as input of shape {given}, and {axes} coordinates"
            ));
        }
        images.must_have_sizes()?;
        let between = match call.int("interpolationMode")? {
            0 => Between::Linear,
            1 => Between::Nearest,
            2 if axes == 2 => Between::Cubic,
            other => {
                return invalid(format_args!(
                    "interpolationMode is {other}, but must be 0 (linear), 1 (nearest) or, for images with rows and columns, 2 (cubic)"
                ));
            }
        };
        let beyond = match call.int("paddingMode")? {
            0 => Beyond::Zeros,
            1 => Beyond::Border,
            2 => Beyond::Reflection,
            other => {
                return invalid(format_args!(
                    "paddingMode is {other}, but must be 0 (zeros), 1 (border) or 2 (reflection)"
                ));
            }
        };
        let shape = images.resized(&places[1..=axes]);
        let sizes = images.sizes().to_vec();
        let sampling =
            Sampling { between, beyond, is_aligned: call.flag("alignCorners")?, is_f64: dtype == F64, sizes };
        Ok(Self { images, grid, shape, sampling })
    }

    /// Batches, and elements of one in images, in a grid and in a result.
    fn lens(&self) -> [usize; 4] {
        let (batches, channels) = (self.images.shape[0], self.images.shape[1]);
        let places = self.grid.shape().ok().and_then(|shape| shape.numel()).unwrap_or(0) / batches.max(1);
        let elements = self.sampling.sizes.iter().product::<usize>() * channels;
        [batches, elements, places, (places / self.sampling.sizes.len()).saturating_mul(channels)]
    }
}

/// A view of an operand that is read, with `len` elements of each batch.
fn read(
    builder: &mut PlanBuilder,
    operand: &Operand,
    view: cann_kernels::View,
    dtype: DType,
    len: usize,
) -> Result<(Place, cann_kernels::Lane)> {
    let place = builder.read(operand, view, dtype == seen(dtype));
    Ok((place, lane(len, &[dtype, seen(dtype)], seen(dtype))?))
}

/// A view of an operand that is written.
fn write(
    builder: &mut PlanBuilder,
    operand: &Operand,
    view: View,
    dtype: DType,
    len: usize,
) -> Result<(Place, Lane)> {
    let place = builder.write(operand, dtype, view, dtype == seen(dtype))?;
    Ok((place, lane(len, &[seen(dtype), dtype], seen(dtype))?))
}

fn sample(call: &Call<'_>, takes: Types, axes: usize) -> Result<Plan> {
    let (own, grid, out) = (call.tensor("input")?, call.tensor("grid")?, call.tensor("out")?);
    let dtype = check::alike(&[&own, &grid, &out], takes)?;
    have_one_format(&own, &out)?;
    let all = Sampled::of(call, [&own, &grid], dtype, axes)?;
    check::output_shape(&out, &all.shape)?;
    if all.shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let [batches, elements, places, results] = all.lens();
    let mut builder = PlanBuilder::new();
    let inputs = [
        read(&mut builder, &own, all.images.view(dtype)?, dtype, elements)?,
        read(&mut builder, &grid, grid.in_order(dtype)?, dtype, places)?,
    ];
    let written = write(&mut builder, &out, Images::of(&out, axes)?.view(dtype)?, dtype, results)?;
    let sampling = all.sampling.clone();
    let function = LaneFunction::new("sample", move |_, inputs, outputs| {
        let ([images, grid], [out]) = (inputs, outputs) else { return Ok(()) };
        sampling.sample(images, grid, out);
        Ok(())
    });
    builder.lanes(inputs, [written], batches, function);
    Ok(builder.plan(temporaries_of(&[&own, &grid, &out], dtype, seen(dtype))))
}

fn gradients(call: &Call<'_>, takes: Types, axes: usize) -> Result<Plan> {
    let (gradient, own, grid) = (call.tensor("gradOutput")?, call.tensor("input")?, call.tensor("grid")?);
    let mask = call.bools("outputMask")?;
    let [of_images, of_grid] = mask[..] else {
        return invalid(format_args!("outputMask has {} entries, but must have 2", mask.len()));
    };
    let to_images = of_images.then(|| call.tensor("inputGrad")).transpose()?;
    let to_grid = of_grid.then(|| call.tensor("gridGrad")).transpose()?;
    let mut operands = vec![&gradient, &own, &grid];
    operands.extend(to_images.iter().chain(&to_grid));
    let dtype = check::alike(&operands, takes)?;
    for operand in [to_images, Some(gradient)].iter().flatten() {
        have_one_format(&own, operand)?;
    }
    let all = Sampled::of(call, [&own, &grid], dtype, axes)?;
    check::output_shape(&gradient, &all.shape)?;
    if let Some(out) = &to_images {
        check::output_shape(out, own.shape()?)?;
    }
    if let Some(out) = &to_grid {
        check::output_shape(out, grid.shape()?)?;
    }
    if all.shape.is_empty_tensor() {
        let outputs: Vec<(&Operand, DType)> =
            to_images.iter().chain(&to_grid).map(|out| (out, dtype)).collect();
        return filled(&outputs, 0.0);
    }
    if operands.len() == 3 {
        return Ok(Plan::empty());
    }
    let [batches, elements, places, results] = all.lens();
    let mut builder = PlanBuilder::new();
    let inputs = [
        read(&mut builder, &gradient, Images::of(&gradient, axes)?.view(dtype)?, dtype, results)?,
        read(&mut builder, &own, all.images.view(dtype)?, dtype, elements)?,
        read(&mut builder, &grid, grid.in_order(dtype)?, dtype, places)?,
    ];
    let mut outputs = Vec::new();
    if let Some(out) = &to_images {
        outputs.push(write(&mut builder, out, Images::of(out, axes)?.view(dtype)?, dtype, elements)?);
    }
    if let Some(out) = &to_grid {
        outputs.push(write(&mut builder, out, out.in_order(dtype)?, dtype, places)?);
    }
    let sampling = all.sampling.clone();
    let function = LaneFunction::new("sample back", move |_, inputs, outputs| {
        let [gradient, images, grid] = inputs else { return Ok(()) };
        let mut outputs = outputs.iter_mut();
        let mut next = |is_asked: bool| is_asked.then(|| outputs.next()).flatten();
        if let Some(out) = next(of_images) {
            sampling.spread(gradient, grid, out);
        }
        if let Some(out) = next(of_grid) {
            sampling.pull(gradient, images, grid, out);
        }
        Ok(())
    });
    builder.lanes(inputs, outputs, batches, function);
    let kept: Vec<(&Operand, DType, DType)> =
        operands.into_iter().map(|operand| (operand, dtype, seen(dtype))).collect();
    Ok(builder.plan(temporaries(&kept)))
}

fn affine_grid(call: &Call<'_>) -> Result<Plan> {
    let (map, size, out) = (call.tensor("theta")?, call.ints("size")?, call.tensor("out")?);
    let dtype = check::alike(&[&map, &out], signatures::affine_grid.takes)?;
    numbers("size", size, &[4, 5], 1)?;
    let size: Vec<usize> = mapped(size, |size| *size as usize);
    let (batches, axes) = (size[0], size.len() - 2);
    check::output_shape(&map, &[batches, axes, axes + 1])?;
    let shape = Shape::from([&[batches], &size[2..], &[axes]].concat());
    check::output_shape(&out, &shape)?;
    let (is_aligned, sizes) = (call.flag("alignCorners")?, size[2..].to_vec());
    let mut builder = PlanBuilder::new();
    let given = read(&mut builder, &map, map.in_order(dtype)?, dtype, axes * (axes + 1))?;
    let len = shape.numel().unwrap_or(0) / batches;
    let written = write(&mut builder, &out, out.in_order(dtype)?, dtype, len)?;
    let function = LaneFunction::new("map the grid", move |_, inputs, outputs| {
        let ([map], [out]) = (inputs, outputs) else { return Ok(()) };
        grid_sampler::affine_grid(map, &sizes, is_aligned, seen(dtype) == F64, out);
        Ok(())
    });
    builder.lanes([given], [written], batches, function);
    Ok(builder.plan(temporaries_of(&[&map, &out], dtype, seen(dtype))))
}

macro_rules! operators {
    ($($name:ident: $body:ident($axes:literal);)*) => {$(
        fn $name(call: &Call<'_>) -> Result<Plan> {
            $body(call, signatures::$name.takes, $axes)
        }
    )*};
}

operators! {
    grid_sampler2d: sample(2);
    grid_sampler2d_backward: gradients(2);
    grid_sampler3d: sample(3);
    grid_sampler3d_backward: gradients(3);
}

aclnn_sys::sampling_operators!(entry_points);

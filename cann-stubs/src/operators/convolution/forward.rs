//! Convolutions, also transposed.

use aclnn_numerics::DType::{self, BF16, F8E4M3FN, F16, F32, F64, I32, I64, U64};
use aclnn_numerics::layout::Shape;
use aclnn_numerics::product::Product::{Ascend310P, Ascend910, Ascend950};
use aclnn_numerics::types_by_product::Types;
use aclnn_sys::*;
use cann_kernels::images::convolution::{Convolution, Geometry, Part};
use cann_kernels::{LaneFunction, View};

use super::sizes::{Attributes, Windows, geometry};
use super::types::{USE_F16, computed};
use crate::operators::axes::{invalid, output_of, temporaries};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::fused::one_of;
use crate::operators::images::{FIRST, Images, has_format, have_one_format, lane, numbers};
use crate::operators::plan_builder::PlanBuilder;
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::Result;

/// The types that a bias may have.
const BIASES: Types = Types::of("f32 f16 bf16");

/// The type of an operand of a convolution; one of the 8-bit types is there for transposed ones alone.
pub(super) fn convolved(operand: &Operand, list: Types, transposed: bool) -> Result<DType> {
    let dtype = check::dtype(operand, list)?;
    if dtype == F8E4M3FN && !transposed {
        return invalid(format_args!(
            "{} is {dtype}, which transposed convolutions alone take",
            operand.name
        ));
    }
    Ok(dtype)
}

/// Refuses operands that have other axes than the first.
pub(super) fn one_rank(operands: &[&Operand]) -> Result<usize> {
    let rank = operands.first().map_or(0, |operand| operand.rank());
    match operands.iter().find(|operand| operand.rank() != rank || !(3..=5).contains(&rank)) {
        Some(operand) => invalid(format_args!(
            "{} has {} axes; input, weight and output must have three, four or five, and all as many",
            operand.name,
            operand.rank()
        )),
        None => Ok(rank - 2),
    }
}

/// Refuses channels that do not go with each other. The weight has so many for each group, after or before those of the input.
pub(super) fn channels(input: usize, weight: &[usize], groups: i64, transposed: bool) -> Result<usize> {
    let [first, second, ..] = *weight else { return invalid("weight has no channels") };
    let Some(count) = usize::try_from(groups).ok().filter(|groups| *groups > 0) else {
        return invalid(format_args!("groups is {groups}, but must be positive"));
    };
    let is_right = if transposed { first == input } else { input == second.saturating_mul(count) };
    if !is_right || first % count != 0 {
        return invalid(format_args!(
            "the input has {input} channels, which weight {weight:?} with {count} groups does not take"
        ));
    }
    Ok(count)
}

/// The bias, if there is one, has an element for each channel.
pub(super) fn bias_suits(bias: Option<&Operand>, channels: usize) -> Result {
    let Some(bias) = bias else { return Ok(()) };
    has_format(bias, &[FIRST, &[ACL_FORMAT_ND]].concat())?;
    match bias.shape()?[..] {
        [len] if len == channels => Ok(()),
        _ => {
            let shape = bias.shape()?;
            invalid(format_args!("{} has shape {shape}, but there are {channels} channels", bias.name))
        }
    }
}

/// A convolution whose sizes and types are checked.
struct Checked<'a> {
    geometry: Geometry,
    part: Part,
    /// The type of the operands for the products.
    compute: DType,
    /// The type that the bias is converted to first, and that results are rounded to first.
    bias: DType,
    result: DType,
    /// Input, weight, output: each with its type, and its elements channel by channel.
    operands: [(&'a Operand<'a>, DType, View); 3],
}

impl Checked<'_> {
    fn plan(self, bias: Option<(&Operand, DType)>) -> Result<Plan> {
        let Checked { geometry, part, compute, .. } = self;
        let [(input, from, of_input), (weight, with, of_weight), (output, to, of_output)] = self.operands;
        let mut kept = vec![(input, from, compute), (weight, with, compute), (output, to, self.result)];
        let mut builder = PlanBuilder::new();
        let mut inputs = vec![
            (
                builder.read(input, of_input, from == compute),
                lane(input.count(), &[from, compute, F32], F32)?,
            ),
            (
                builder.read(weight, of_weight, with == compute),
                lane(weight.count(), &[with, compute, F32], F32)?,
            ),
        ];
        if let Some((bias, dtype)) = bias {
            let place = builder.read(bias, bias.in_order(dtype)?, dtype == self.bias);
            inputs.push((place, lane(bias.count(), &[dtype, self.bias, F32], F32)?));
            kept.push((bias, dtype, self.bias));
        }
        let out = builder.write(output, to, of_output, self.result == to)?;
        let out = (out, lane(output.count(), &[F32, self.result, to], F32)?);
        builder.lanes(inputs, [out], 1, Convolution::new(geometry, part));
        Ok(builder.plan(temporaries(&kept)))
    }
}

pub(super) fn convolution(call: &Call<'_>) -> Result<Plan> {
    let (input, weight) = (call.tensor("input")?, call.tensor("weight")?);
    let bias = call.optional_tensor("bias")?;
    let (stride, padding, dilation) = (call.ints("stride")?, call.ints("padding")?, call.ints("dilation")?);
    let (output, transposed) = (call.tensor("output")?, call.flag("transposed")?);
    // It is ignored otherwise.
    let output_padding = transposed.then(|| call.ints("outputPadding")).transpose()?;
    let product = settings::get().product;
    let types = signatures::convolution.takes;
    let [from, with, to] = [
        convolved(&input, types, transposed)?,
        convolved(&weight, types, transposed)?,
        convolved(&output, types, transposed)?,
    ];
    let bias = match bias {
        Some(bias) => {
            let dtype = check::dtype(&bias, BIASES)?;
            Some((bias, dtype))
        }
        None => None,
    };
    let axes = one_rank(&[&input, &weight, &output])?;
    numbers("stride", stride, &[axes], 1)?;
    numbers("dilation", dilation, &[axes], 1)?;
    let pairs = axes == 2 || axes == 1 && !transposed;
    let lengths = [axes, 2 * axes];
    numbers("padding", padding, if pairs { &lengths } else { &lengths[..1] }, i32::MIN.into())?;
    if let Some(extra) = &output_padding {
        numbers("outputPadding", extra, &[axes], 0)?;
        let mut all = extra.iter().zip(stride.iter().zip(dilation.iter()));
        if !all.all(|(extra, (stride, dilation))| extra < stride || extra < dilation) {
            return invalid(format_args!(
                "outputPadding is {extra:?}, but must be smaller than the stride or the dilation of its axis"
            ));
        }
    }
    let mut formats = vec![aclFormat::of_rank(axes + 2)];
    if axes == 3 && product != Ascend950 {
        formats.push(ACL_FORMAT_NDHWC);
    }
    has_format(&input, &formats)?;
    have_one_format(&input, &output)?;
    if axes == 2 && product != Ascend950 && !transposed {
        formats.push(ACL_FORMAT_FRACTAL_Z);
    }
    has_format(&weight, &formats)?;
    if weight.format() == ACL_FORMAT_FRACTAL_Z {
        return check::not_emulated(
            "weights in the storage format FRACTAL_Z, so they must be passed as NCHW",
        );
    }

    let (images, kernels, maps) =
        (Images::of(&input, axes)?, Images::of(&weight, axes)?, Images::of(&output, axes)?);
    let count = channels(images.shape[1], &kernels.shape, call.int("groups")?, transposed)?;
    let out_channels = if transposed { kernels.shape[1].saturating_mul(count) } else { kernels.shape[0] };
    bias_suits(bias.as_ref().map(|(bias, _)| bias), out_channels)?;
    if kernels.sizes().contains(&0) && !(transposed && product == Ascend950) {
        return invalid(format_args!("weight has shape {}, whose window has no elements", weight.shape()?));
    }
    if transposed && images.shape[1] == 0 {
        return invalid("the input has no channels");
    }
    let attributes = Attributes {
        stride,
        padding,
        dilation,
        output_padding: output_padding.as_ref().map(|extra| &extra[..]),
    };
    let (sizes, kernel) = (images.sizes(), kernels.sizes());
    let windows = if transposed {
        if product != Ascend950 && !input.shape()?.is_empty_tensor() && !weight.shape()?.is_empty_tensor() {
            reaches(&attributes, kernel)?;
        }
        attributes.under(sizes, kernel)?
    } else {
        if !input.shape()?.is_empty_tensor() {
            attributes.must_fit(sizes, kernel)?;
        }
        attributes.over(sizes, kernel)?
    };
    let mut shape = vec![images.shape[0], out_channels];
    shape.extend(windows.iter().map(|window| if transposed { window.size } else { window.positions }));
    let shape = Shape::from(shape);
    if maps.shape[..] != shape[..] {
        return invalid(format_args!(
            "{} has shape {}, but the result has {shape}, its channels before the axes of an image",
            output.name,
            output.shape()?
        ));
    }
    let is_empty = input.shape()?.is_empty_tensor() || weight.shape()?.is_empty_tensor();
    if is_empty && !shape.is_empty_tensor() {
        return invalid(format_args!("the result has shape {shape}, but input or weight is empty"));
    }
    let cube = call.int("cubeMathType")?;
    let compute = computed(if from == with { from } else { F32 }, cube, 4)?;
    if is_empty || shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let is_old = matches!(product, Ascend910 | Ascend310P);
    let widens = transposed && to == F32 && cube != USE_F16 && !is_old;
    let keeps = compute == BF16 && product != Ascend950 && !(transposed && axes == 3);
    let checked = Checked {
        geometry: geometry(images.shape[0], count, &kernels.shape, &windows),
        part: if transposed { Part::Image } else { Part::Map },
        compute,
        bias: if keeps { F32 } else { compute },
        result: if widens { F32 } else { compute },
        operands: [
            (&input, from, images.view(from)?),
            (&weight, with, kernels.view(with)?),
            (&output, to, maps.view(to)?),
        ],
    };
    checked.plan(bias.as_ref().map(|(bias, dtype)| (bias, *dtype)))
}

/// How far a transposed convolution may write before the first element.
fn reaches(attributes: &Attributes<'_>, kernel: &[usize]) -> Result {
    let axes = kernel.len();
    for (axis, kernel) in kernel.iter().enumerate() {
        let of = |list: &[i64]| list.get(axis).copied().unwrap_or(0);
        if axes == 3 && axis == 0 {
            // It is not looked at.
            continue;
        }
        let over = of(attributes.dilation).saturating_mul(*kernel as i64 - 1);
        let reach = over.saturating_sub(of(attributes.padding));
        let least = if axes == 3 { 0 } else { i64::MIN };
        if !(least..=255).contains(&reach) {
            return invalid(format_args!(
                "the weight reaches {reach} elements over the edge of axis {axis}; this product has at most 255"
            ));
        }
    }
    Ok(())
}

/// The windows of a convolution of images by weights, by strides, paddings and dilations; `out` must have the shape of the result.
fn windows_of(
    [stride, padding, dilation]: [&[i64]; 3],
    [images, weights]: [&Images; 2],
    out: &Operand,
) -> Result<Windows> {
    let attributes = Attributes { stride, padding, dilation, output_padding: None };
    attributes.must_fit(images.sizes(), weights.sizes())?;
    let windows = attributes.over(images.sizes(), weights.sizes())?;
    let mut shape = vec![images.shape[0], weights.shape[0]];
    shape.extend(windows.iter().map(|window| window.positions));
    check::output_shape(out, &shape)?;
    Ok(windows)
}

pub(super) fn conv_depthwise2d(call: &Call<'_>) -> Result<Plan> {
    let (own, weight, out) = (call.tensor("self")?, call.tensor("weight")?, call.tensor("out")?);
    let (bias, sizes) = (call.optional_tensor("bias")?, call.ints("kernelSize")?);
    let (stride, padding, dilation) = (call.ints("stride")?, call.ints("padding")?, call.ints("dilation")?);
    let operands = [Some(own), Some(weight), Some(out), bias];
    let dtype = check::alike(&operands, signatures::conv_depthwise2d.takes)?;
    let axes = one_rank(&[&own, &weight, &out])?;
    if axes != 2 {
        return invalid(format_args!("self has {} axes, but must have four", own.rank()));
    }
    for operand in [&own, &weight, &out] {
        has_format(operand, &[ACL_FORMAT_NCHW])?;
    }
    numbers("kernelSize", sizes, &[2], 1)?;
    numbers("stride", stride, &[2], 1)?;
    numbers("padding", padding, &[2], 0)?;
    numbers("dilation", dilation, &[2], 1)?;
    let (images, kernels) = (Images::of(&own, axes)?, Images::of(&weight, axes)?);
    let is_kernel = kernels.sizes().iter().zip(sizes.iter()).all(|(size, said)| *size as i64 == *said);
    let groups = channels(images.shape[1], &kernels.shape, images.shape[1] as i64, false)?;
    if !is_kernel || kernels.shape[1] != 1 {
        return invalid(format_args!(
            "weight has shape {}, but must have one channel and a window of {sizes:?}",
            weight.shape()?
        ));
    }
    bias_suits(bias.as_ref(), kernels.shape[0])?;
    let windows = windows_of([stride, padding, dilation], [&images, &kernels], &out)?;
    let compute = computed(dtype, call.int("cubeMathType")?, 4)?;
    if out.is_empty() || own.is_empty() {
        return Ok(Plan::empty());
    }
    let checked = Checked {
        geometry: geometry(images.shape[0], groups, &kernels.shape, &windows),
        part: Part::Map,
        compute,
        bias: if compute == BF16 { F32 } else { compute },
        result: compute,
        operands: [
            (&own, dtype, images.view(dtype)?),
            (&weight, dtype, kernels.view(dtype)?),
            (&out, dtype, out.in_order(dtype)?),
        ],
    };
    checked.plan(bias.as_ref().map(|bias| (bias, dtype)))
}

pub(super) fn conv_tbc(call: &Call<'_>) -> Result<Plan> {
    let (own, weight, bias) = (call.tensor("self")?, call.tensor("weight")?, call.tensor("bias")?);
    let (out, pad) = (call.tensor("output")?, call.int("pad")?);
    let dtype = check::alike(&[&own, &weight, &out], signatures::conv_tbc.takes)?;
    let of_bias = check::dtype(&bias, BIASES)?;
    for operand in [&own, &weight, &out] {
        has_format(operand, &[ACL_FORMAT_ND, ACL_FORMAT_NCL])?;
    }
    numbers("pad", &[pad], &[1], 0)?;
    let ([time, batches, channels], [kernel, inputs, outputs]) = (&own.shape()?[..], &weight.shape()?[..])
    else {
        return invalid("self and weight must have three axes each");
    };
    if channels != inputs || *kernel == 0 {
        return invalid(format_args!(
            "weight has shape {}, but self has {channels} channels",
            weight.shape()?
        ));
    }
    bias_suits(Some(&bias), *outputs)?;
    let attributes = Attributes { stride: &[1], padding: &[pad], dilation: &[1], output_padding: None };
    attributes.must_fit(&[*time], &[*kernel])?;
    let windows = attributes.over(&[*time], &[*kernel])?;
    let shape = Shape::from([windows.first().map_or(0, |window| window.positions), *batches, *outputs]);
    check::output_shape(&out, &shape)?;
    let compute = computed(dtype, call.int("cubeMathType")?, 4)?;
    if shape.is_empty_tensor() || own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let checked = Checked {
        geometry: geometry(*batches, 1, &[*outputs, *inputs], &windows),
        part: Part::Map,
        compute,
        bias: if compute == BF16 { F32 } else { compute },
        result: if matches!(compute, F16 | BF16) { compute } else { F32 },
        operands: [
            (&own, dtype, own.permuted(dtype, &[1, 2, 0])?),
            (&weight, dtype, weight.permuted(dtype, &[2, 1, 0])?),
            (&out, dtype, out.permuted(dtype, &[1, 2, 0])?),
        ],
    };
    checked.plan(Some((&bias, of_bias)))
}

/// The most products of two numbers of eight bits whose sum f32 holds without rounding, and the most if the weight is cut.
const WHOLE_TERMS: usize = (1 << 24) / (128 * 128);
const MOST_TERMS: usize = (1 << 24) / (128 * 15);

/// A part of a weight of eight bits. Sums of f32 are exact for more products of parts than of whole weights.
#[derive(Clone, Copy)]
enum Cut {
    None,
    /// A multiple of 16, and what it is less than the weight.
    Upper,
    Lower,
}

impl Cut {
    fn of(self, weight: f32) -> f32 {
        let upper = (weight / 16.0).floor() * 16.0;
        match self {
            Self::None => weight,
            Self::Upper => upper,
            Self::Lower => weight - upper,
        }
    }
}

/// A convolution of integers, whose sums are exact.
pub(super) fn quant_convolution(call: &Call<'_>) -> Result<Plan> {
    let [input, weight, scale, output] = call.tensors_of(["input", "weight", "scale", "output"])?;
    let (bias, offset) = (call.optional_tensor("bias")?, call.optional_tensor("offset")?);
    let (stride, padding, dilation) = (call.ints("stride")?, call.ints("padding")?, call.ints("dilation")?);
    let signature = &signatures::quant_convolution;
    let own = check::alike(&[&input, &weight], signature.takes)?;
    let to = output_of(signature.output, own, own, &output)?;
    let of_scale = one_of(&scale, &[U64, I64, F32])?;
    let of_bias = bias.as_ref().map(|bias| one_of(bias, &[I32, F32, F16, BF16])).transpose()?;
    let round = call.optional_text("roundMode")?.unwrap_or_else(|| "rint".to_owned());
    if offset.is_some() || call.int("offsetx")? != 0 || round != "rint" {
        return check::not_emulated(
            "convolutions of integers with offsets, or with a roundMode other than \"rint\"",
        );
    }
    if call.flag("transposed")? {
        return invalid("transposed must be false, as integers have no transposed convolution");
    }
    let axes = one_rank(&[&input, &weight, &output])?;
    numbers("stride", stride, &[axes], 1)?;
    numbers("dilation", dilation, &[axes], 1)?;
    numbers("padding", padding, &[axes, 2 * axes], 0)?;
    for operand in [&input, &weight, &output] {
        has_format(operand, &[aclFormat::of_rank(axes + 2)])?;
    }
    let (images, kernels, maps) =
        (Images::of(&input, axes)?, Images::of(&weight, axes)?, Images::of(&output, axes)?);
    let count = channels(images.shape[1], &kernels.shape, call.int("groups")?, false)?;
    let (batches, outputs) = (images.shape[0], kernels.shape[0]);
    bias_suits(bias.as_ref(), outputs)?;
    let each = match scale.shape()?[..] {
        [1] => 0,
        [count] if count == outputs => scale.strides()[0],
        _ => {
            return invalid(format_args!(
                "scale has shape {}, but there are {outputs} channels",
                scale.shape()?
            ));
        }
    };
    let windows = windows_of([stride, padding, dilation], [&images, &kernels], &output)?;
    if [&input, &weight, &output].into_iter().any(|operand| operand.is_empty()) {
        return invalid("a convolution of integers takes no empty tensors");
    }
    let (all, weights) = (output.count(), weight.count());
    let terms = weights / outputs;
    if terms > MOST_TERMS {
        return check::not_emulated(format_args!(
            "convolutions of integers with sums of {terms} products, so there must be {MOST_TERMS} at most"
        ));
    }
    let cuts: &[Cut] = if terms > WHOLE_TERMS { &[Cut::Upper, Cut::Lower] } else { &[Cut::None] };
    let mut builder = PlanBuilder::new();
    let mut sums = Vec::new();
    for cut in cuts {
        let cut_weight = builder.temporary(F32, weights)?;
        let whole = builder.read(&weight, kernels.view(own)?, true);
        let body = LaneFunction::new("cut weights", |_, inputs, outputs| {
            let ([whole], [part]) = (inputs, outputs) else { return Ok(()) };
            let whole: &[f32] = bytemuck::cast_slice(whole);
            bytemuck::cast_slice_mut(part).iter_mut().zip(whole).for_each(|(part, x)| *part = cut.of(*x));
            Ok(())
        });
        let part = lane(weights, &[F32], F32)?;
        builder.lanes([(whole, lane(weights, &[own, F32], F32)?)], [(cut_weight, part)], 1, body);
        let inputs = [
            (builder.read(&input, images.view(own)?, true), lane(input.count(), &[own, F32], F32)?),
            (cut_weight, lane(weights, &[F32], F32)?),
        ];
        let sum = builder.temporary(F32, all)?;
        let body = Convolution::new(geometry(batches, count, &kernels.shape, &windows), Part::Map);
        builder.lanes(inputs, [(sum, lane(all, &[F32], F32)?)], 1, body);
        sums.push(sum);
    }
    // Every image has the numbers of the channels again.
    let sizes = [batches, outputs];
    let view = match of_scale {
        // f32 in the lower half of each element.
        U64 | I64 => {
            scale.in_order(of_scale)?;
            View::new(F32, &sizes, &[0, each.saturating_mul(2)], scale.offset().saturating_mul(2))?
        }
        _ => scale.view_of(F32, &sizes, &[0, each], scale.offset())?,
    };
    let len = all / (batches * outputs);
    let mut inputs = vec![(builder.read(&scale, view, of_scale == F32), lane(1, &[F32], F32)?)];
    for sum in &sums {
        inputs.push((*sum, lane(len, &[F32], F32)?));
    }
    let is_early = of_bias == Some(I32);
    if let Some((bias, dtype)) = bias.as_ref().zip(of_bias) {
        let view = bias.view_of(dtype, &sizes, &[0, bias.strides()[0]], bias.offset())?;
        inputs.push((builder.read(bias, view, true), lane(1, &[dtype, F64], F64)?));
    }
    let out = (builder.write(&output, to, maps.view(to)?, true)?, lane(len, &[F32, to], F32)?);
    let count = sums.len();
    let body = LaneFunction::new("scale", move |_, inputs, outputs| {
        let ([scale, others @ ..], [out]) = (inputs, outputs) else { return Ok(()) };
        let (sums, bias) = others.split_at(count);
        let scale = bytemuck::cast_slice::<u8, f32>(scale).first().copied().unwrap_or(1.0);
        let bias = bias.first().and_then(|bias| bytemuck::cast_slice(bias).first().copied()).unwrap_or(0.0);
        let (early, late) = if is_early { (bias, 0.0) } else { (0.0, bias as f32) };
        for (place, out) in bytemuck::cast_slice_mut::<u8, f32>(out).iter_mut().enumerate() {
            let of_part = |sum: &&[u8]| f64::from(bytemuck::cast_slice::<u8, f32>(sum)[place]);
            let sum = sums.iter().map(of_part).sum::<f64>() + early;
            *out = sum as f32 * scale + late;
        }
        Ok(())
    });
    builder.lanes(inputs, [out], batches * outputs, body);
    Ok(builder.plan(0))
}

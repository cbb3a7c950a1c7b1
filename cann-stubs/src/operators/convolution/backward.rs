//! The gradients of convolutions.

use aclnn_numerics::DType::{self, F32};
use aclnn_numerics::layout::Shape;
use aclnn_numerics::product::Product::{Ascend310P, Ascend910, Ascend950};
use aclnn_sys::*;
use cann_kernels::images::convolution::{Convolution, Geometry, Part, sum_columns};
use cann_kernels::{LaneFunction, View};

use super::forward::{channels, convolved, one_rank};
use super::sizes::{Attributes, geometry};
use super::types::computed;
use crate::operators::axes::{filled, invalid, temporaries};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::images::{Images, has_format, lane, numbers};
use crate::operators::plan_builder::{Place, PlanBuilder};
use crate::operators::{check, signatures};
use crate::runtime::is_deterministic;
use crate::settings;
use crate::status::{Result, Status};

/// The outputs, by their names, and the tensors whose gradients they are.
const GRADIENTS: [&str; 3] = ["gradInput", "gradWeight", "gradBias"];

pub(super) fn convolution_backward(call: &Call<'_>) -> Result<Plan> {
    let product = settings::get().product;
    let (gradient, input, weight) =
        (call.tensor("gradOutput")?, call.tensor("input")?, call.tensor("weight")?);
    let (stride, padding, dilation) = (call.ints("stride")?, call.ints("padding")?, call.ints("dilation")?);
    let (output_padding, mask) = (call.ints("outputPadding")?, call.bools("outputMask")?);
    if mask.len() != 3 {
        // The library answers a wrong length with the code for null.
        let length = mask.len();
        let message = format_args!("outputMask has {length} entries, but must have 3");
        return Err(Status::new(ACLNN_ERR_PARAM_NULLPTR, message));
    }
    let mut outputs: [Option<Operand>; 3] = [None, None, None];
    for ((output, name), is_asked) in outputs.iter_mut().zip(GRADIENTS).zip(&mask) {
        *output = is_asked.then(|| call.tensor(name)).transpose()?;
    }
    let transposed = call.flag("transposed")?;
    let types = signatures::convolution_backward.takes;
    let operands = [&gradient, &input, &weight];
    let mut dtypes = [F32; 3];
    for (dtype, operand) in dtypes.iter_mut().zip(operands) {
        *dtype = convolved(operand, types, transposed)?;
    }
    let mut made = [F32; 3];
    // The gradient of the bias has the type of the gradient of the output there.
    for ((made, output), own) in made.iter_mut().zip(&outputs).zip([dtypes[1], dtypes[2], dtypes[0]]) {
        let Some(output) = output else { continue };
        *made = convolved(output, types, transposed)?;
        if product == Ascend950 && *made != own {
            return invalid(format_args!("{} is {made}, but must be {own}", output.name));
        }
    }
    let axes = one_rank(&[&input, &weight, &gradient])?;
    let mut formats = vec![aclFormat::of_rank(axes + 2)];
    if axes == 1 {
        formats.push(ACL_FORMAT_ND);
    }
    for operand in operands.into_iter().chain(outputs[..2].iter().flatten()) {
        has_format(operand, &formats)?;
    }
    if let Some(bias) =
        outputs[2].as_ref().filter(|_| !transposed && !matches!(product, Ascend910 | Ascend310P))
    {
        has_format(bias, &[ACL_FORMAT_ND])?;
    }
    numbers("stride", stride, &[axes], 1)?;
    numbers("dilation", dilation, &[axes], 1)?;
    numbers("padding", padding, if axes == 2 { &[2, 4][..] } else { std::slice::from_ref(&axes) }, 0)?;
    numbers("outputPadding", output_padding, &[axes], 0)?;
    if !transposed && output_padding.iter().any(|extra| *extra != 0) {
        return invalid(format_args!(
            "outputPadding is {output_padding:?}, which transposed convolutions alone have"
        ));
    }
    let (images, kernels, maps) =
        (Images::of(&input, axes)?, Images::of(&weight, axes)?, Images::of(&gradient, axes)?);
    let count = channels(images.shape[1], &kernels.shape, call.int("groups")?, transposed)?;
    if count > 1 && axes == 3 && mask[1] && matches!(product, Ascend910 | Ascend310P) && is_deterministic() {
        return invalid(format_args!(
            "the gradient of a weight of volumes in {count} groups has no deterministic kernel on this product"
        ));
    }
    let out_channels = if transposed { kernels.shape[1].saturating_mul(count) } else { kernels.shape[0] };
    let attributes = Attributes { stride, padding, dilation, output_padding: Some(output_padding) };
    let is_empty = operands.iter().any(|operand| operand.shape().is_ok_and(|shape| shape.is_empty_tensor()));
    let windows = if transposed {
        attributes.under(images.sizes(), kernels.sizes())?
    } else {
        if !is_empty {
            attributes.must_fit(images.sizes(), kernels.sizes())?;
        }
        attributes.over(images.sizes(), kernels.sizes())?
    };
    let mut shape = vec![images.shape[0], out_channels];
    shape.extend(windows.iter().map(|window| if transposed { window.size } else { window.positions }));
    let shape = Shape::from(shape);
    if maps.shape[..] != shape[..] {
        return invalid(format_args!(
            "gradOutput has shape {}, but the result has {shape}",
            gradient.shape()?
        ));
    }
    let shapes = [input.shape()?.clone(), weight.shape()?.clone(), Shape::from([out_channels])];
    for (output, shape) in outputs.iter().zip(&shapes) {
        check::each(output.as_slice(), |output| check::output_shape(output, shape))?;
    }
    let promoted = check::promote(check::promote(dtypes[0], dtypes[1])?, dtypes[2])?;
    let compute = computed(promoted, call.int("cubeMathType")?, 3)?;
    if is_empty {
        if mask[2] {
            let sizes = call.ints("biasSizes")?;
            if sizes[..] != [out_channels as i64] {
                return invalid(format_args!(
                    "biasSizes is {sizes:?}, but the bias has {out_channels} elements"
                ));
            }
        }
        let zeros: Vec<(&Operand, DType)> = outputs
            .iter()
            .zip(made)
            .skip(1)
            .filter_map(|(output, made)| Some((output.as_ref()?, made)))
            .collect();
        return filled(&zeros, 0.0);
    }

    let gradients = Gradients {
        geometry: geometry(images.shape[0], count, &kernels.shape, &windows),
        transposed,
        compute,
        operands: [
            (&gradient, dtypes[0], maps.view(dtypes[0])?),
            (&input, dtypes[1], images.view(dtypes[1])?),
            (&weight, dtypes[2], kernels.view(dtypes[2])?),
        ],
    };
    let mut written = Vec::new();
    for ((part, output), made) in
        [Asked::Input, Asked::Weight, Asked::Bias].into_iter().zip(&outputs).zip(made)
    {
        if let Some(output) = output {
            written.push((part, output, made, output.in_order(made)?));
        }
    }
    gradients.plan(written)
}

/// An operand or an output, its type, and how its elements lie.
type Seen<'a> = (&'a Operand<'a>, DType, View);

/// A gradient that a call asks for.
#[derive(Clone, Copy)]
enum Asked {
    Input,
    Weight,
    Bias,
}

/// The gradients of a convolution.
struct Gradients<'a> {
    geometry: Geometry,
    transposed: bool,
    compute: DType,
    /// The gradient of the result, the input and the weight.
    operands: [Seen<'a>; 3],
}

impl<'a> Gradients<'a> {
    fn plan(self, outputs: Vec<(Asked, &'a Operand, DType, View)>) -> Result<Plan> {
        let Self { geometry, transposed, compute, operands } = self;
        let mut builder = PlanBuilder::new();
        let mut kept = Vec::new();
        let numel = |operand: &Operand| Result::Ok(operand.shape()?.numel().unwrap_or(0));
        let mut read = |(operand, dtype, view): Seen<'a>| -> Result<(Place, usize, DType)> {
            kept.push((operand, dtype, compute));
            Ok((builder.read(operand, view, dtype == compute), numel(operand)?, dtype))
        };
        let [gradient, input, weight] = operands;
        let (gradients, inputs, weights) = (read(gradient)?, read(input)?, read(weight)?);
        let seen = |(place, numel, dtype): (Place, usize, DType)| -> Result<_> {
            Ok((place, lane(numel, &[dtype, compute, F32], F32)?))
        };
        // A transposed convolution has the input for its map.
        let (image, map) = if transposed { (gradients, inputs) } else { (inputs, gradients) };
        for (asked, output, made, view) in outputs {
            let place = builder.write(output, made, view, made == compute)?;
            let to = [(place, lane(numel(output)?, &[F32, compute, made], F32)?)];
            kept.push((output, made, compute));
            match asked {
                Asked::Input if transposed => {
                    let body = Convolution::new(geometry, Part::Map);
                    builder.lanes([seen(image)?, seen(weights)?], to, 1, body);
                }
                Asked::Input => {
                    let body = Convolution::new(geometry, Part::Image);
                    builder.lanes([seen(map)?, seen(weights)?], to, 1, body);
                }
                Asked::Weight => {
                    let body = Convolution::new(geometry, Part::Weights);
                    builder.lanes([seen(image)?, seen(map)?], to, 1, body);
                }
                Asked::Bias => {
                    let positions = if transposed { geometry.plane() } else { geometry.positions() };
                    let body = LaneFunction::new("sum channels", move |_, inputs, outputs| {
                        let ([map], [sums]) = (inputs, outputs) else { return Ok(()) };
                        let (map, sums) = (bytemuck::cast_slice(map), bytemuck::cast_slice_mut(sums));
                        sum_columns(geometry.batches, positions, map, sums);
                        Ok(())
                    });
                    builder.lanes([seen(gradients)?], to, 1, body);
                }
            }
        }
        Ok(builder.plan(temporaries(&kept)))
    }
}

/// The gradients of a convolution whose axes are time, batches and channels.
///
/// CANN does not describe it: it refuses what the convolution refuses, and computes what PyTorch computes.
pub(super) fn conv_tbc_backward(call: &Call<'_>) -> Result<Plan> {
    let tensor = |name| call.tensor(name);
    let [gradient, input, weight, bias] =
        [tensor("self")?, tensor("input")?, tensor("weight")?, tensor("bias")?];
    let outputs = [tensor("gradInput")?, tensor("gradWeight")?, tensor("gradBias")?];
    let of_images = [&gradient, &input, &weight, &outputs[0], &outputs[1]];
    let all: Vec<&Operand> = of_images.into_iter().chain([&bias, &outputs[2]]).collect();
    let dtype = check::alike(&all, signatures::conv_tbc_backward.takes)?;
    for operand in of_images {
        has_format(operand, &[ACL_FORMAT_ND, ACL_FORMAT_NCL])?;
    }
    let pad = call.int("pad")?;
    numbers("pad", &[pad], &[1], 0)?;
    let ([time, batches, channels], [kernel, inputs, maps]) = (&input.shape()?[..], &weight.shape()?[..])
    else {
        return invalid("input and weight must have three axes each");
    };
    if channels != inputs || *kernel == 0 || bias.shape()?[..] != [*maps] {
        return invalid(format_args!(
            "weight has shape {}, but input has {channels} channels and bias shape {}",
            weight.shape()?,
            bias.shape()?
        ));
    }
    let attributes = Attributes { stride: &[1], padding: &[pad], dilation: &[1], output_padding: None };
    attributes.must_fit(&[*time], &[*kernel])?;
    let windows = attributes.over(&[*time], &[*kernel])?;
    let positions = windows.first().map_or(0, |window| window.positions);
    check::output_shape(&gradient, &[positions, *batches, *maps])?;
    for (output, of) in outputs.iter().zip([&input, &weight, &bias]) {
        check::output_shape(output, of.shape()?)?;
    }
    let compute = computed(dtype, call.int("cubeMathType")?, 3)?;
    if [&gradient, &input, &weight]
        .into_iter()
        .any(|operand| operand.shape().is_ok_and(|shape| shape.is_empty_tensor()))
    {
        return filled(&[(&outputs[1], dtype), (&outputs[2], dtype)], 0.0);
    }
    let gradients = Gradients {
        geometry: geometry(*batches, 1, &[*maps, *inputs], &windows),
        transposed: false,
        compute,
        operands: [
            (&gradient, dtype, gradient.permuted(dtype, &[1, 2, 0])?),
            (&input, dtype, input.permuted(dtype, &[1, 2, 0])?),
            (&weight, dtype, weight.permuted(dtype, &[2, 1, 0])?),
        ],
    };
    let [of_input, of_weight, of_bias] = &outputs;
    gradients.plan(vec![
        (Asked::Input, of_input, dtype, of_input.permuted(dtype, &[1, 2, 0])?),
        (Asked::Weight, of_weight, dtype, of_weight.permuted(dtype, &[2, 1, 0])?),
        (Asked::Bias, of_bias, dtype, of_bias.in_order(dtype)?),
    ])
}

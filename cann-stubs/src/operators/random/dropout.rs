//! Dropout: masks of bits, and the elements that they keep.

use aclnn_numerics::DType::{self, F32, U8};
use aclnn_numerics::convert::cann::cast;
use aclnn_numerics::layout::Shape;
use aclnn_numerics::signature::Random;
use aclnn_numerics::{bf16, f16};
use cann_kernels::Lane;
use cann_kernels::random::{Distribution, Mask, kept};

use super::numbers::is_probability;
use super::source::{Given, Source};
use crate::operators::axes::{filled, invalid, named, output_of};
use crate::operators::call::{Call, Operand, Plan, described};
use crate::operators::conversions::through;
use crate::operators::plan_builder::PlanBuilder;
use crate::operators::plan_builder::read_lanes;
use crate::operators::{check, signatures};
use crate::status::Result;

/// Bytes of the mask of so many elements.
fn mask_bytes(elements: usize) -> usize {
    elements.div_ceil(128).saturating_mul(16)
}

/// A number as a type of floats holds it.
fn rounded(number: f64, dtype: DType) -> f32 {
    match dtype {
        DType::F16 => cast::<f64, f16>(number).to_f32(),
        DType::BF16 => cast::<f64, bf16>(number).to_f32(),
        _ => number as f32,
    }
}

/// The types of an input and of an output of its shape.
fn types(signature: &Random, own: &Operand, out: &Operand) -> Result<(DType, DType)> {
    let from = check::dtype(own, signature.takes)?;
    let to = output_of(signature.output, from, from, out)?;
    check::rank(own)?;
    check::output_shape(out, own.shape()?)?;
    Ok((from, to))
}

fn is_bytes(mask: &Operand) -> Result {
    match mask.known_dtype() {
        Some(U8) => Ok(()),
        _ => invalid(format_args!("{} is {}, but must be u8", mask.name, described(mask.raw_dtype()))),
    }
}

/// Checks that a tensor holds the mask of so many elements, and no more.
fn is_mask(mask: &Operand, elements: usize) -> Result {
    is_bytes(mask)?;
    check::rank(mask)?;
    let (bytes, expected) = (mask.shape()?.numel(), mask_bytes(elements));
    match bytes == Some(expected) {
        true => Ok(()),
        false => invalid(format_args!(
            "{} has shape {}, but the mask of {elements} elements has {expected} bytes",
            mask.name,
            mask.shape()?
        )),
    }
}

pub(super) fn dropout(call: &Call<'_>) -> Result<Plan> {
    let (own, out, mask) = (call.tensor("input")?, call.tensor("out")?, call.tensor("maskOut")?);
    let probability = if call.flag("train")? { Some(call.float("p")?) } else { None };
    let types = types(&signatures::dropout, &own, &out)?;
    is_probability("p", call.float("p")?)?;
    is_mask(&mask, own.shape()?.numel().unwrap_or(usize::MAX))?;
    match probability {
        _ if own.shape()?.is_empty_tensor() => Ok(Plan::empty()),
        None | Some(0.0) => copied(&own, &out, types),
        Some(1.0) => filled(&[(&out, types.1)], 0.0),
        Some(probability) => dropped(call, &own, &out, &mask, (types, probability)),
    }
}

pub(super) fn dropout_v3(call: &Call<'_>) -> Result<Plan> {
    let (own, out, mask) = (call.tensor("input")?, call.tensor("out")?, call.tensor("maskOut")?);
    let probability = call.float("p")?;
    if call.optional_tensor("optionalNoiseShape")?.is_some() {
        return invalid("optionalNoiseShape must be null");
    }
    let types = types(&signatures::dropout_v3, &own, &out)?;
    is_probability("p", probability)?;
    is_mask(&mask, own.shape()?.numel().unwrap_or(usize::MAX))?;
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    dropped(call, &own, &out, &mask, (types, probability))
}

/// The elements that are kept, and the mask that says which: both from the same numbers.
fn dropped(
    call: &Call<'_>,
    own: &Operand,
    out: &Operand,
    mask: &Operand,
    ((from, to), probability): ((DType, DType), f64),
) -> Result<Plan> {
    let source = Source::of(call)?;
    let keep = (1.0 - probability) as f32;
    let divisor = rounded(1.0 - probability, from);
    let distribution = Distribution::Dropout { keep, divisor };
    let draws = source.drawn(distribution, &[Given::Tensor(own, from)], &[F32, from, to])?;
    let mut builder = PlanBuilder::new();
    let input = builder.read(own, own.in_order(from)?, true);
    let result = builder.write(out, to, out.in_order(to)?, from == to)?;
    let bytes = builder.write(mask, U8, mask.in_order(U8)?, true)?;
    builder.elements(&[input], result, own.shape()?, draws);
    builder.elements(&[], bytes, mask.shape()?, Mask { seeds: source.seeds, keep });
    Ok(builder.plan(0).by(Source::tasks(from)))
}

fn copied(own: &Operand, out: &Operand, (from, to): (DType, DType)) -> Result<Plan> {
    let mut builder = PlanBuilder::new();
    let input = builder.read(own, own.in_order(from)?, true);
    let result = builder.write(out, to, out.in_order(to)?, from == to)?;
    builder.copy(input, result, own.shape()?, through(&[from, to])?);
    Ok(builder.plan(0))
}

pub(super) fn dropout_mask(call: &Call<'_>) -> Result<Plan> {
    let (sizes, out, source) = (call.ints("shape")?, call.tensor("out")?, Source::of(call)?);
    let probability = call.float("prob")?;
    let dtype = if call.has("probDataType") { named(call.dtype("probDataType")?) } else { Some(F32) };
    let Some(dtype @ (F32 | DType::F16 | DType::BF16)) = dtype else {
        return invalid(format_args!(
            "probDataType is {}, but must be f32, f16 or bf16",
            described(call.dtype("probDataType")?)
        ));
    };
    check::dtype(&out, signatures::dropout_mask.takes)?;
    source.check()?;
    is_probability("prob", probability)?;
    let elements =
        sizes.iter().try_fold(1_usize, |product, size| product.checked_mul((*size).try_into().ok()?));
    let Some(elements) = elements else {
        return invalid(format_args!("shape is {sizes:?}, of which there is no tensor"));
    };
    is_mask(&out, elements)?;
    if elements == 0 {
        return Ok(Plan::empty());
    }
    let mask = Mask { seeds: source.seeds, keep: rounded(1.0 - probability, dtype) };
    source.elements(&[], (&out, U8), mask)
}

pub(super) fn dropout_do_mask(call: &Call<'_>) -> Result<Plan> {
    let (own, mask, out) = (call.tensor("self")?, call.tensor("mask")?, call.tensor("out")?);
    if own.shape()?.is_empty_tensor() || mask.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let types = types(&signatures::dropout_do_mask, &own, &out)?;
    let probability = call.float("prob")?;
    is_probability("prob", probability)?;
    is_bytes(&mask)?;
    let (bytes, least) =
        (mask.shape()?.numel().unwrap_or(0), mask_bytes(own.shape()?.numel().unwrap_or(usize::MAX)));
    if bytes < least {
        return invalid(format_args!("mask has {bytes} bytes, but that of self has {least}"));
    }
    masked(&own, &mask, &out, (types, probability))
}

pub(super) fn dropout_backward(call: &Call<'_>) -> Result<Plan> {
    let is_third = call.has("gradX");
    let (gradient, mask) =
        (call.tensor(if is_third { "gradY" } else { "gradOutput" })?, call.tensor("mask")?);
    let (out, scale) = (call.output()?, call.float("scale")?);
    let types = types(&signatures::dropout_backward, &gradient, &out)?;
    let probability = if scale == 0.0 { 1.0 } else { 1.0 - 1.0 / scale };
    is_probability("the probability of scale", probability)?;
    is_mask(&mask, gradient.shape()?.numel().unwrap_or(usize::MAX))?;
    if gradient.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    masked(&gradient, &mask, &out, (types, probability))
}

/// The elements that the bits of a mask keep.
fn masked(
    own: &Operand,
    mask: &Operand,
    out: &Operand,
    ((from, to), probability): ((DType, DType), f64),
) -> Result<Plan> {
    match probability {
        0.0 => return copied(own, out, (from, to)),
        1.0 => return filled(&[(out, to)], 0.0),
        _ => {}
    }
    let count = own.shape()?.numel().unwrap_or(0);
    let bytes = Shape::from(mask_bytes(count));
    let mut builder = PlanBuilder::new();
    let input = builder.read(own, own.in_order(from)?, from == F32);
    let bits = builder.read(mask, mask.in_order(U8)?, true);
    let result = builder.write(out, to, out.in_order(to)?, to == F32)?;
    let result_lane = Lane { conversions: through(&[F32, from, to])?, ..read_lanes(count, F32, F32)? };
    let lanes = [(input, read_lanes(count, from, F32)?), (bits, read_lanes(bytes[0], U8, U8)?)];
    builder.lanes(lanes, [(result, result_lane)], 1, kept(rounded(1.0 - probability, from)));
    Ok(builder.plan(0))
}

//! Operators on elements, most of which are aclnn operators under another name.

use std::hash::BuildHasher;

use aclnn_numerics::DType::{self, Bool, F32, U8};
use aclnn_numerics::types_by_product::Types;
use cann_kernels::LaneFunction;

use super::named::{Named, Work};
use crate::meta::scalar::Scalar;
use crate::operators::argument::Argument::{self, Bool as Flag, Float, Int};
use crate::operators::axes::{axis_in, invalid};
use crate::operators::call::{Form, Operand, Plan};
use crate::operators::models::Scores;
use crate::operators::plan_builder::{PlanBuilder, read_lanes, written_lanes};
use crate::operators::{
    check, convolution, fill, index, linalg, loss, matrix, movement, normalization, parametric, random,
    reduction, sorting, unary,
};
use crate::status::Result;

fn number(named: &Named, value: f64) -> Argument {
    named.scalar(Scalar::of_bytes(F32, &(value as f32).to_ne_bytes()))
}

pub(super) fn mish(named: &Named) -> Result<Work> {
    named.call(unary::Mish::FORM, vec![named.input(0), named.output(0)])
}

pub(super) fn mish_grad(named: &Named) -> Result<Work> {
    named.call(parametric::MishBackward::FORM, vec![named.input(0), named.input(1), named.output(0)])
}

pub(super) fn swish(named: &Named) -> Result<Work> {
    let scale = number(named, named.float("scale", 1.0));
    named.call(parametric::Swish::FORM, vec![named.input(0), scale, named.output(0)])
}

pub(super) fn swish_grad(named: &Named) -> Result<Work> {
    let scale = number(named, named.float("scale", 1.0));
    named.call(parametric::SwishBackward::FORM, vec![named.input(0), named.input(1), scale, named.output(0)])
}

pub(super) fn fill(named: &Named) -> Result<Work> {
    match named.is_on_host(1) {
        true => {
            let value = named.scalar(named.host_scalar(1)?);
            named.call(fill::InplaceFillScalar::FORM, vec![named.output(0), value])
        }
        false => named.call(movement::InplaceFillTensor::FORM, vec![named.output(0), named.input(1)]),
    }
}

pub(super) fn sort(named: &Named) -> Result<Work> {
    named.must_be_plain()?;
    let (own, out) = (named.required("x", 0)?, named.written("y", 0)?);
    let axis = named.int("axis", -1);
    Ok(named.work(sorting::sorted_values(&own, &out, axis, named.flag("descending", false))?))
}

pub(super) fn arg_max_with_value(named: &Named) -> Result<Work> {
    extreme(named, reduction::MaxDim::FORM)
}

pub(super) fn arg_min_with_value(named: &Named) -> Result<Work> {
    extreme(named, reduction::MinDim::FORM)
}

fn extreme(named: &Named, form: Form) -> Result<Work> {
    let (axis, keeps) = (Int(named.int("dimension", 0)), Flag(named.flag("keep_dims", false)));
    let arguments = vec![named.input(0), axis, keeps, named.output(1), named.output(0)];
    named.call(form, arguments)
}

pub(super) fn softmax_cross_entropy_with_logits(named: &Named) -> Result<Work> {
    let arguments = vec![named.input(0), named.input(1), named.output(0), named.output(1)];
    named.call(loss::SoftmaxCrossEntropyWithLogits::FORM, arguments)
}

/// The operands are passed as they are, or repeated to one shape `[.., rows, others, columns]`. A negative order is infinity.
pub(super) fn cdist_grad(named: &Named) -> Result<Work> {
    named.must_be_plain()?;
    let grad = named.required("grad", 0)?;
    let order = match named.float("p", 2.0) {
        order if order < 0.0 => f64::INFINITY,
        order => order,
    };
    let mut operands: Vec<Argument> = (0..4).map(|number| named.input(number)).collect();
    if grad.rank() > named.written("y", 0)?.rank() {
        // Each operand lacks one of the last three axes.
        for (number, absent) in [1, 2, 3, 1].into_iter().enumerate() {
            operands[number] = named.without_axis(number, absent)?;
        }
    }
    operands.extend([Float(order), named.output(0)]);
    named.call(linalg::CdistBackward::FORM, operands)
}

pub(super) fn conv2d(named: &Named) -> Result<Work> {
    convolved(named, "NCHW", 2)
}

pub(super) fn conv3d(named: &Named) -> Result<Work> {
    convolved(named, "NCDHW", 3)
}

/// A convolution along some axes. The padding of each side is given, of which both must be the same along an axis.
fn convolved(named: &Named, format: &str, axes: usize) -> Result<Work> {
    if named.text("data_format", "NHWC") != format {
        return check::not_emulated("convolutions by name with channels behind the places");
    }
    let sizes = |name: &str| match named.ints(name) {
        [_, _, sizes @ ..] if sizes.len() == axes => sizes.to_vec(),
        _ => vec![1; axes],
    };
    let pads = named.ints("pads").as_chunks::<2>().0;
    let padding: Vec<i64> =
        pads.iter().filter(|[before, after]| before == after).map(|pads| pads[0]).collect();
    if padding.len() != axes {
        return check::not_emulated(format_args!("a convolution by name with the padding {pads:?}"));
    }
    let arguments = vec![
        named.input(0),
        named.input(1),
        named.input(2),
        named.array(sizes("strides")),
        named.array(padding),
        named.array(sizes("dilations")),
        Flag(false),
        Argument::Ints(0),
        Int(named.int("groups", 1)),
        named.output(0),
        Int(0),
    ];
    named.call(convolution::Convolution::FORM, arguments)
}

pub(super) fn batch_mat_mul(named: &Named) -> Result<Work> {
    multiplied(named, matrix::BatchMatMul::FORM, ["adj_x1", "adj_x2"])
}

pub(super) fn mat_mul(named: &Named) -> Result<Work> {
    match named.optional("bias", 2)? {
        Some(_) => check::not_emulated("a product by name with a bias"),
        None => multiplied(named, matrix::Mm::FORM, ["transpose_x1", "transpose_x2"]),
    }
}

/// The last two axes are matrices, which attributes transpose.
fn multiplied(named: &Named, form: Form, names: [&str; 2]) -> Result<Work> {
    let transposed = |number: usize| match named.flag(names[number], false) {
        true => named.transposed(number),
        false => Ok(named.input(number)),
    };
    let arguments = vec![transposed(0)?, transposed(1)?, named.output(0), Int(0)];
    named.call(form, arguments)
}

/// The axes from one on are normalised together.
pub(super) fn layer_norm(named: &Named) -> Result<Work> {
    let own = named.required("x", 0)?;
    let axis = axis_in("begin_norm_axis", named.int("begin_norm_axis", 0), own.rank().max(1))?;
    let sizes = own.shape()?.iter().skip(axis).map(|size| *size as i64).collect();
    let mut arguments = vec![named.input(0), named.array(sizes), named.input(1), named.input(2)];
    arguments.push(Float(named.float("epsilon", 1e-7)));
    arguments.extend((0..3).map(|number| named.output(number)));
    named.call(normalization::LayerNorm::FORM, arguments)
}

pub(super) fn one_hot(named: &Named) -> Result<Work> {
    let (count, axis) = (Int(named.int("depth", 0)), Int(named.int("axis", -1)));
    let arguments = vec![named.input(0), count, named.input(1), named.input(2), axis, named.output(0)];
    named.call(index::OneHot::FORM, arguments)
}

/// A byte for each element: 1 with the given probability, and otherwise 0.
pub(super) fn drop_out_gen_mask(named: &Named) -> Result<Work> {
    let (seed, second) = (named.int("seed", 0), named.int("seed2", 0));
    let seed = match (seed, second) {
        // Then each call draws others.
        (0, 0) => std::hash::RandomState::new().hash_one(0) as i64,
        (seed, _) => seed,
    };
    let probability = number(named, named.host_number(1)?);
    named.call(random::InplaceBernoulli::FORM, vec![named.output(0), probability, Int(seed), Int(second)])
}

/// The elements that a mask keeps, of a byte for each of them or of a bit, divided by the probability to be kept.
pub(super) fn drop_out_do_mask(named: &Named) -> Result<Work> {
    named.must_be_plain()?;
    let (own, mask, out) = (named.required("x", 0)?, named.required("mask", 1)?, named.written("y", 0)?);
    let dtype = check::dtype(&own, Types::of("float"))?;
    check::exactly(&out, dtype)?;
    check::output_shape(&out, own.shape()?)?;
    check::exactly(&mask, U8)?;
    let factor = (1.0 / named.host_number(2)?) as f32;
    let numel = |operand: &Operand| operand.shape().ok().and_then(|shape| shape.numel());
    let (Some(elements), Some(bytes)) = (numel(&own), numel(&mask)) else {
        return invalid("mask or x has no sizes");
    };
    let is_of_bits = bytes < elements;
    if bytes < elements.div_ceil(8) {
        return invalid(format_args!("mask has {bytes} bytes, but x has {elements} elements"));
    }
    if elements == 0 {
        return Ok(named.work(Plan::empty()));
    }
    let mut builder = PlanBuilder::new();
    let inputs = [
        (builder.read(&own, own.in_order(dtype)?, dtype == F32), read_lanes(elements, dtype, F32)?),
        (builder.read(&mask, mask.in_order(U8)?, true), read_lanes(bytes, U8, U8)?),
    ];
    let to = builder.write(&out, dtype, out.in_order(dtype)?, dtype == F32)?;
    let body = LaneFunction::new("mask", move |_, inputs, outputs| {
        let ([own, mask], [out]) = (inputs, outputs) else { return Ok(()) };
        let (own, out): (&[f32], &mut [f32]) = (bytemuck::cast_slice(own), bytemuck::cast_slice_mut(out));
        for (number, (out, own)) in out.iter_mut().zip(own).enumerate() {
            let is_kept = match is_of_bits {
                true => mask[number / 8] >> (number % 8) & 1 != 0,
                false => mask[number] != 0,
            };
            *out = if is_kept { own * factor } else { 0.0 };
        }
        Ok(())
    });
    builder.lanes(inputs, [(to, written_lanes(elements, F32, dtype)?)], 1, body);
    Ok(named.work(builder.plan(0)))
}

/// The checks of scores, and how they are masked.
fn scores<'a>(
    named: &Named,
    operands: [&'a Operand; 3],
    mask: Option<&'a Operand>,
) -> Result<(Scores<'a>, DType)> {
    named.must_be_plain()?;
    let dtype = check::alike(&operands, Types::of("float"))?;
    let [x, ..] = operands;
    let shape = x.shape()?;
    check::each(&operands, |operand| check::output_shape(operand, shape))?;
    let [.., _, len] = shape[..] else { return invalid("x must have rows and columns") };
    let is_triangle = named.flag("fixed_triu_mask", false);
    let mask = mask.filter(|_| !is_triangle);
    if let Some(mask) = mask {
        if !matches!(mask.known_dtype(), Some(Bool | U8)) {
            return invalid("mask must be bool");
        }
        check::broadcast_shape(mask, x)?;
    }
    Ok((Scores { x, mask, is_triangle, factor: named.float("scale", 1.0), len }, dtype))
}

pub(super) fn scaled_masked_softmax(named: &Named) -> Result<Work> {
    let (own, mask, out) = (named.required("x", 0)?, named.optional("mask", 1)?, named.written("y", 0)?);
    let (scores, dtype) = scores(named, [&own, &own, &out], mask.as_ref())?;
    Ok(named.work(scores.softmax(&out, dtype)?))
}

pub(super) fn scaled_masked_softmax_grad(named: &Named) -> Result<Work> {
    let (grad, own) = (named.required("y_grad", 0)?, named.required("y", 1)?);
    let (mask, out) = (named.optional("mask", 2)?, named.written("x_grad", 0)?);
    let (scores, _) = scores(named, [&grad, &own, &out], mask.as_ref())?;
    Ok(named.work(scores.gradients(&own, &out)?))
}

//! The operators that rewritings make. Where a single operator of the device does not take the operands, they are computed
//! as the model wrote them.

use aclnn::Tensor;
use aclnn::ops::{self, Rotation};

use super::operator::Operator;
use super::precision::{is_short_float, precision};
use super::products::product;
use super::shapes::in_shape;
use crate::error::{NodeResult, Reason};
use crate::graph::{FUSED, Node};
use crate::host::places;
use crate::run::Prepared;

pub(super) const OPERATORS: &[Operator] = &[
    Operator::unary("Gelu", 1, Tensor::gelu_erf).of(FUSED),
    Operator::unary("GeluTanh", 1, |x| ops::gelu(x).run()).of(FUSED),
    Operator::unary("Silu", 1, Tensor::silu).of(FUSED),
    Operator::node("RmsNorm", 1, rms_norm).of(FUSED),
    Operator::node("LayerNorm", 1, layer_norm).of(FUSED),
    Operator::node("Rotary", 1, rotary).of(FUSED),
    Operator::node("Attention", 1, attention).of(FUSED),
    Operator::node("Linear", 1, linear).of(FUSED),
    Operator::node("SumTo", 1, sum_to).of(FUSED),
];

fn rms_norm(node: &Node) -> NodeResult<Prepared> {
    let eps = node.number("epsilon", 1e-5)?;
    Ok(Prepared::device(move |call| {
        let (x, weight) = (call.tensor(0)?, call.tensor(1)?);
        if is_short_float(x.dtype()) && x.dims().last() == weight.dims().last() {
            return Ok(x.rms_norm(&weight, eps)?);
        }
        let mean = ops::mean(&x.mul(&x)?).axes(-1).keep_dims().run()?;
        Ok(x.div(&mean.add(eps)?.sqrt()?)?.mul(&weight)?)
    }))
}

fn layer_norm(node: &Node) -> NodeResult<Prepared> {
    let eps = node.number("epsilon", 1e-5)?;
    Ok(Prepared::device(move |call| {
        let (x, weight, bias) = (call.tensor(0)?, call.tensor(1)?, call.tensor(2)?);
        if is_short_float(x.dtype())
            && x.dims().last() == weight.dims().last()
            && weight.shape() == bias.shape()
        {
            return Ok(ops::layer_norm(&x, weight.shape()).weight(&weight).bias(&bias).eps(eps).run()?);
        }
        let centred = x.sub(&ops::mean(&x).axes(-1).keep_dims().run()?)?;
        let variance = ops::mean(&centred.mul(&centred)?).axes(-1).keep_dims().run()?;
        Ok(centred.div(&variance.add(eps)?.sqrt()?)?.mul(&weight)?.add(&bias)?)
    }))
}

fn rotary(node: &Node) -> NodeResult<Prepared> {
    let &[axis, to] = node.attributes.ints("axes")?.unwrap_or_default() else {
        return Reason::text("it is not told its axes");
    };
    Ok(Prepared::device(move |call| {
        let (x, cos, sin) = (call.tensor(0)?, call.tensor(1)?, call.tensor(2)?);
        let size = x.dims().get(places::axis(axis, x.rank())?).copied().unwrap_or(0);
        let end = |input, default: usize| -> NodeResult<usize> {
            match call.optional_ints(input)?.as_deref() {
                Some(&[end]) => {
                    Ok(if end < 0 { end + size as i64 } else { end }.clamp(0, size as i64) as usize)
                }
                _ => Ok(default),
            }
        };
        let (middle, end) = (end(3, size.div_ceil(2))?, end(4, size)?);
        let fits = |angles: &Tensor| {
            let axes = angles.dims().iter().zip(x.dims()).enumerate();
            angles.rank() == 4
                && axes.into_iter().all(|(axis, (own, of_x))| own == of_x || axis < 3 && *own == 1)
        };
        if x.rank() == 4
            && middle * 2 == size
            && end == size
            && fits(&cos)
            && cos.shape() == sin.shape()
            && is_short_float(x.dtype())
        {
            return Ok(x.rotary_embedding(&cos, &sin, Rotation::Half)?);
        }
        let first = x.slice(axis, 0..middle)?;
        let second = x.slice(axis, middle..end.max(middle))?.neg()?;
        let turned = ops::cat(&[&second, &first], to).run()?;
        Ok(x.mul(&cos)?.add(&turned.mul(&sin)?)?)
    }))
}

fn attention(node: &Node) -> NodeResult<Prepared> {
    let (constant, axis) = (node.number("scale", 1.0)?, node.int("axis", -1)?);
    let scaled = node.ints("scaled")?.unwrap_or_default();
    Ok(Prepared::device(move |call| {
        let (mut query, mut key, value) = (call.tensor(0)?, call.tensor(1)?, call.tensor(2)?);
        let (mask, mut scale, mut of_products) = (call.optional_tensor(3)?, constant, Vec::new());
        for (input, operand) in (4..).zip(&scaled) {
            if call.shape(input)?.numel() == Some(1) {
                scale *= call.optional_number(input)?.unwrap_or(1.0);
                continue;
            }
            let factor = call.tensor(input)?;
            match operand {
                0 => query = query.mul(&factor)?,
                1 => key = key.mul(&factor)?,
                _ => of_products.push(factor),
            }
        }
        if of_products.is_empty()
            && let Some(result) = fused_attention(&query, &key, &value, mask.as_ref(), scale)?
        {
            return Ok(result);
        }
        let mut scores = product(&query, &key)?.mul(scale)?;
        for factor in &of_products {
            scores = scores.mul(factor)?;
        }
        if let Some(mask) = &mask {
            scores = scores.add(mask)?;
        }
        product(&ops::softmax(&scores, axis).run()?, &value)
    }))
}

/// Returns the result of the device's operator, if it takes the operands.
fn fused_attention(
    query: &Tensor,
    key: &Tensor,
    value: &Tensor,
    mask: Option<&Tensor>,
    scale: f64,
) -> NodeResult<Option<Tensor>> {
    let (&[batch, heads, queries, size], &[.., keys]) = (query.dims(), key.dims()) else { return Ok(None) };
    let fits = key.rank() == 4
        && value.rank() == 4
        && key.dims() == [batch, heads, size, keys]
        && value.dims().starts_with(&[batch, heads, keys])
        && value.dims().last().is_some_and(|&own| own <= size)
        && size <= 512
        && is_short_float(query.dtype())
        && mask.is_none_or(|mask| {
            // Otherwise the sum with the mask has more elements than the products.
            let sizes = [batch, heads, queries, keys].into_iter().rev();
            let fits = mask.dims().iter().rev().zip(sizes).all(|(&own, size)| own == 1 || own == size);
            mask.dtype() == query.dtype() && mask.rank() <= 4 && fits
        });
    if !fits || query.numel() == 0 || keys == 0 {
        return Ok(None);
    }
    let key = key.transpose(-1, -2)?;
    let attention = ops::attention(query, &key, value).scale(scale);
    Ok(Some(match mask {
        None => attention.run()?,
        Some(mask) => {
            let mut mask = mask.clone();
            while mask.rank() < 4 {
                mask = mask.unsqueeze(0)?;
            }
            // Its last two axes have the sizes of queries and keys; the other two may have one element.
            let [a, b, ..] = mask.dims() else { return Ok(None) };
            let mask = mask.expand([*a, *b, queries, keys])?;
            attention.bias(&mask).run()?
        }
    }))
}

fn linear(_: &Node) -> NodeResult<Prepared> {
    Ok(Prepared::device(|call| {
        let (input, weight, bias) = (call.tensor(0)?, call.tensor(1)?, call.tensor(2)?);
        if is_short_float(input.dtype()) && input.rank() > 0 {
            return Ok(ops::linear(&input, &weight.t()?).bias(&bias).precision(precision(&input)).run()?);
        }
        Ok(product(&input, &weight)?.add(&bias)?)
    }))
}

/// Sums a tensor to the shape of another one, which broadcasts to its shape.
fn sum_to(_: &Node) -> NodeResult<Prepared> {
    Ok(Prepared::device(|call| {
        let (tensor, shape) = (call.tensor(0)?, call.shape(1)?);
        let more = tensor.rank().saturating_sub(shape.rank());
        let padded = std::iter::repeat_n(1, more).chain(shape.iter().copied());
        let sizes = tensor.dims().iter().zip(padded).enumerate();
        let axes: Vec<usize> = sizes.filter(|(_, (own, size))| *own != size).map(|(axis, _)| axis).collect();
        let sum = if axes.is_empty() { tensor } else { ops::sum(&tensor).axes(axes).keep_dims().run()? };
        in_shape(&sum, shape.clone())
    }))
}

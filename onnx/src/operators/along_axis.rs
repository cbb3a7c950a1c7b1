//! Functions of all elements along an axis, with a result for each: softmax, running sums, normalisation.

use aclnn::{DType, Shape, Tensor, ops};

use super::elements::InType;
use super::operator::Operator;
use super::shapes::in_shape;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::host::places;
use crate::run::{Call, Prepared};

pub(super) const OPERATORS: &[Operator] = &[
    Operator::node("Softmax", 1, |node| of_rows(node, |x, axis| x.softmax(axis))),
    Operator::node("Softmax", 13, |node| along(node, |x, axis| x.softmax(axis))),
    Operator::node("LogSoftmax", 1, |node| of_rows(node, |x, axis| x.log_softmax(axis))),
    Operator::node("LogSoftmax", 13, |node| along(node, |x, axis| x.log_softmax(axis))),
    Operator::node("Hardmax", 1, |node| of_rows(node, hardmax)),
    Operator::node("Hardmax", 13, |node| along(node, hardmax)),
    Operator::node("CumSum", 11, |node| running(node, running_sum)),
    Operator::node("CumProd", 26, |node| running(node, running_product)),
    Operator::node("LpNormalization", 1, |node| lp_normalization(node, false)),
    Operator::node("LpNormalization", 22, |node| lp_normalization(node, true)),
    Operator::node("MeanVarianceNormalization", 9, mean_variance_normalization),
];

type AlongAxis = fn(&Tensor, usize) -> Result<Tensor, aclnn::Error>;

/// Prepares a function along one axis.
fn along(node: &Node, run: AlongAxis) -> NodeResult<Prepared> {
    let axis = node.int("axis", -1)?;
    Ok(Prepared::device(move |call| {
        let x = call.tensor(0)?;
        let axis = places::axis(axis, x.rank())?;
        call.widened([&x], |[x]| run(x, axis))
    }))
}

/// Prepares a function of rows: the axes from one on are seen as one.
fn of_rows(node: &Node, run: AlongAxis) -> NodeResult<Prepared> {
    let axis = node.int("axis", 1)?;
    Ok(Prepared::device(move |call| {
        let x = call.tensor(0)?;
        let axis = if axis == x.rank() as i64 { x.rank() } else { places::axis(axis, x.rank())? };
        let (before, after) = x.dims().split_at_checked(axis).unwrap_or((x.dims(), &[]));
        let rows =
            [before, after].map(|dims| dims.iter().fold(1usize, |count, &size| count.saturating_mul(size)));
        let rows = in_shape(&x, Shape::from(rows))?;
        Ok(call.widened([&rows], |[x]| run(x, 1))?.reshape(x.shape())?)
    }))
}

/// Returns 1 at the first of the greatest elements along an axis, and 0 elsewhere.
fn hardmax(x: &Tensor, axis: usize) -> Result<Tensor, aclnn::Error> {
    let size = x.dims().get(axis).copied().unwrap_or(0);
    let places = ops::argmax(x).axes(axis).run()?;
    places.one_hot(size, DType::I64)?.in_type(x.dtype())?.movedim(-1, axis)
}

fn running(
    node: &Node,
    run: fn(&Tensor, usize, bool, bool) -> Result<Tensor, aclnn::Error>,
) -> NodeResult<Prepared> {
    let (exclusive, reverse) = (node.flag("exclusive", false)?, node.flag("reverse", false)?);
    Ok(Prepared::device(move |call| {
        let x = call.tensor(0)?;
        let axis = places::axis(call.int(1)?, x.rank())?;
        call.widened([&x], |[x]| run(x, axis, exclusive, reverse))
    }))
}

fn running_sum(x: &Tensor, axis: usize, exclusive: bool, reverse: bool) -> Result<Tensor, aclnn::Error> {
    let mut sums = ops::cumsum(x, axis).dtype(x.dtype());
    if exclusive {
        sums = sums.exclusive();
    }
    if reverse {
        sums = sums.reverse();
    }
    sums.run()
}

fn running_product(x: &Tensor, axis: usize, exclusive: bool, reverse: bool) -> Result<Tensor, aclnn::Error> {
    let x = if reverse { x.flip(axis)? } else { x.clone() };
    let mut products = ops::cumprod(&x, axis).dtype(x.dtype()).run()?;
    let size = x.dims().get(axis).copied().unwrap_or(0);
    if exclusive && size > 0 {
        let first = x.narrow(axis, 0, 1)?.ones_like()?;
        products = ops::cat(&[&first, &products.narrow(axis, 0, size - 1)?], axis).run()?;
    }
    if reverse { products.flip(axis) } else { Ok(products) }
}

fn lp_normalization(node: &Node, keeps_zeros: bool) -> NodeResult<Prepared> {
    let (axis, order) = (node.int("axis", -1)?, node.int("p", 2)?);
    if order != 1 && order != 2 {
        return Reason::text(format!("its order is {order}, neither 1 nor 2"));
    }
    Ok(Prepared::device(move |call| {
        let x = call.tensor(0)?;
        let axis = places::axis(axis, x.rank())?;
        let norm = norm(call, &x, axis, order)?;
        let divided = call.widened([&x, &norm], |[x, norm]| x.div(norm))?;
        match keeps_zeros {
            true => Ok(ops::where_(&norm.eq(0)?, 0, &divided).run()?),
            false => Ok(divided),
        }
    }))
}

fn norm(call: &Call<'_>, x: &Tensor, axis: usize, order: i64) -> NodeResult<Tensor> {
    if x.dtype() != DType::F64 {
        return call.widened([x], |[x]| ops::norm(x, order as f64).axes(axis).keep_dims().run());
    }
    // The device has norms of f64 with the digits of f32.
    Ok(match order {
        1 => ops::sum(&x.abs()?).axes(axis).keep_dims().run()?,
        _ => ops::sum(&x.mul(x)?).axes(axis).keep_dims().run()?.sqrt()?,
    })
}

fn mean_variance_normalization(node: &Node) -> NodeResult<Prepared> {
    let axes = node.ints("axes")?.unwrap_or_else(|| vec![0, 2, 3]);
    Ok(Prepared::device(move |call| {
        let x = call.tensor(0)?;
        let axes = places::axes(&axes, x.rank())?;
        let normalized = |x: &Tensor| {
            let centered = x.sub(&ops::mean(x).axes(&axes).keep_dims().run()?)?;
            let variance = ops::mean(&centered.mul(&centered)?).axes(&axes).keep_dims().run()?;
            centered.div(&variance.sqrt()?.add(1e-9)?)
        };
        call.widened([&x], |[x]| normalized(x))
    }))
}

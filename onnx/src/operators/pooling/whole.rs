//! Pools of whole images.

use aclnn::{Tensor, ops};

use super::super::convolution::windows::image;
use super::sums::{raised, root};
use crate::error::NodeResult;
use crate::graph::Node;
use crate::run::Prepared;

/// The axes of images.
fn axes(x: &Tensor) -> NodeResult<Vec<i64>> {
    image(x.dims())?;
    Ok((2..x.rank() as i64).collect())
}

pub(super) fn average(_: &Node) -> NodeResult<Prepared> {
    Ok(Prepared::device(|call| {
        let x = call.tensor(0)?;
        let axes = axes(&x)?;
        call.widened([&x], |[x]| ops::mean(x).axes(&axes).keep_dims().run())
    }))
}

pub(super) fn greatest(_: &Node) -> NodeResult<Prepared> {
    Ok(Prepared::device(|call| {
        let x = call.tensor(0)?;
        let axes = axes(&x)?;
        call.widened([&x], |[x]| ops::max(x).axes(&axes).keep_dims().run())
    }))
}

pub(super) fn norm(node: &Node) -> NodeResult<Prepared> {
    let order = node.int("p", 2)?;
    Ok(Prepared::device(move |call| {
        let x = call.tensor(0)?;
        let powers = raised(&call.wide(&x)?, order)?;
        let norms = root(&ops::sum(&powers).axes(&axes(&x)?).keep_dims().run()?, order)?;
        call.as_type(norms, x.dtype())
    }))
}

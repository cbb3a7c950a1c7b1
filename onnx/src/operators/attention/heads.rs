//! Heads: split, joined, and multiplied where several share one.

use aclnn::Tensor;

use super::super::products::product;
use crate::error::{NodeResult, Reason};

/// Returns `[batch, token, head · element]` as `[batch, head, token, element]`.
pub(super) fn split(tensor: &Tensor, heads: usize) -> NodeResult<Tensor> {
    match *tensor.dims() {
        [batch, tokens, width] if heads > 0 && width % heads == 0 => {
            let split = tensor.contiguous()?.reshape([batch, tokens, heads, width / heads])?;
            Ok(split.swapaxes(1, 2)?)
        }
        _ => Reason::text(format!("elements of {:?} are not those of {heads} heads", tensor.dims())),
    }
}

/// Returns `[batch, head, token, element]` as `[batch, token, head · element]`.
pub(super) fn joined(tensor: &Tensor) -> NodeResult<Tensor> {
    let &[batch, heads, tokens, elements] = tensor.dims() else {
        return Reason::text(format!("{:?} are not the axes of heads", tensor.dims()));
    };
    Ok(tensor.swapaxes(1, 2)?.contiguous()?.reshape([batch, tokens, heads * elements])?)
}

/// Reads a number of heads.
pub(super) fn count(number: Option<i64>) -> NodeResult<Option<usize>> {
    match number.map(usize::try_from) {
        None => Ok(None),
        Some(Ok(heads)) if heads > 0 => Ok(Some(heads)),
        _ => Reason::text("a number of heads is not positive"),
    }
}

/// Returns the products of the matrices of heads: `[batch, head, m, k]` and `[batch, fewer heads, k, n]`, of which each is for as
/// many heads that follow each other.
pub(super) fn shared_product(a: &Tensor, b: &Tensor) -> NodeResult<Tensor> {
    let (&[batch, heads, rows, length], &[_, fewer, _, columns]) = (a.dims(), b.dims()) else {
        return Reason::text(format!("{:?} and {:?} are not the axes of heads", a.dims(), b.dims()));
    };
    if heads == fewer {
        return product(a, b);
    }
    if fewer == 0 || heads % fewer != 0 {
        return Reason::text(format!("{heads} heads do not share {fewer}"));
    }
    let grouped = a.contiguous()?.reshape([batch, fewer, heads / fewer * rows, length])?;
    Ok(product(&grouped, b)?.reshape([batch, heads, rows, columns])?)
}

//! Copies, zeros, norms, and gradients of a scaled loss.

use aclnn_numerics::{DType, Shape};

use super::lists::Lists;
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::scalar::Scalar;
use crate::signatures;
use crate::tensor::{Overlap, Tensor};

/// Copies the tensors of `source`, which have the shapes and the type of those of `own`.
///
/// # Errors
/// Those of [the module](crate::ops::foreach).
#[doc(alias = "aclnnForeachCopy")]
#[inline]
pub fn copy(own: &mut [&mut Tensor], source: &[&Tensor]) -> Result<()> {
    let named = ("foreach::copy", "ForeachCopy");
    match Lists::checked(named, signatures::foreach_copy.takes, own, &[source])? {
        Some(lists) => launch::ForeachCopy(lists.stream.into(), source, lists.own),
        None => Ok(()),
    }
}

/// Replaces each element by zero.
///
/// # Errors
/// Those of [the module](crate::ops::foreach).
#[doc(alias = "aclnnForeachZeroInplace")]
#[inline]
pub fn zero(own: &mut [&mut Tensor]) -> Result<()> {
    let named = ("foreach::zero", "ForeachZeroInplace");
    match Lists::checked(named, signatures::foreach_zero.takes, own, &[])? {
        Some(lists) => launch::ForeachZeroInplace(lists.stream.into(), lists.own),
        None => Ok(()),
    }
}

/// Returns the norm of each tensor, a tensor without axes: of order 1 the sum of the absolute values, of order 2 the root of the
/// sum of the squares.
///
/// ```
/// use aclnn::{Device, Tensor, ops::foreach};
///
/// let device = Device::open(0)?;
/// let gradient = Tensor::from_slice(&device, &[3.0f32, -4.0], [2])?;
/// let norms = foreach::norm(&[&gradient], 2)?;
/// assert_eq!(norms[0].to_vec::<f32>()?, [5.0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
///
/// # Errors
/// Those of [the module](crate::ops::foreach); [`Argument`](crate::Error::Argument) for another order, which CANN's operator computes as 2.
#[doc(alias = "aclnnForeachNorm")]
#[inline]
pub fn norm(tensors: &[&Tensor], order: u8) -> Result<Vec<Tensor>> {
    let Some(first) = tensors.first() else { return Ok(Vec::new()) };
    let mut norms = Vec::with_capacity(tensors.len());
    for tensor in tensors {
        let operation = Operation::new("foreach::norm", first.stream()).tensor("tensor", tensor);
        operation.placed()?;
        operation.takes("ForeachNorm", signatures::foreach_norm.takes, tensor.dtype())?;
        if tensor.dtype() != first.dtype() {
            return Err(
                operation.refused(format!("the first tensor is {}; all must have one type", first.dtype()))
            );
        }
        if !matches!(order, 1 | 2) {
            return Err(operation.refused(format!("the order is {order}, but must be 1 or 2")));
        }
        norms.push(operation.empty(Shape::scalar(), tensor.dtype())?);
    }
    let written: Vec<&mut Tensor> = norms.iter_mut().collect();
    launch::ForeachNorm(first.stream().into(), tensors, &Scalar::from(f32::from(order)), &written)?;
    Ok(norms)
}

/// The longest list that the operator takes.
const MOST: usize = 256;

/// Multiplies gradients of a scaled loss by `inverse`, one over the scale, and writes 1 to `found` if an element of them is
/// infinite or NaN. Otherwise `found` stays as it is. Both are one element of f32.
///
/// ```
/// use aclnn::{Device, Tensor, ops::foreach};
///
/// let device = Device::open(0)?;
/// let mut gradient = Tensor::from_slice(&device, &[512.0f32, 1024.0], [2])?;
/// let mut found = Tensor::from_slice(&device, &[0.0f32], [1])?;
/// let inverse = Tensor::from_slice(&device, &[1.0f32 / 1024.0], [1])?;
/// foreach::unscale(&mut [&mut gradient], &mut found, &inverse)?;
/// assert_eq!(gradient.to_vec::<f32>()?, [0.5, 1.0]);
/// assert_eq!(found.to_vec::<f32>()?, [0.0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
///
/// # Errors
/// Those of [the module](crate::ops::foreach); [`Argument`](crate::Error::Argument) if `found` or `inverse` is not one element of f32, or
/// shares memory with another argument.
#[doc(alias = "aclnnForeachNonFiniteCheckAndUnscale")]
#[inline]
pub fn unscale(own: &mut [&mut Tensor], found: &mut Tensor, inverse: &Tensor) -> Result<()> {
    let named = ("foreach::unscale", "ForeachNonFiniteCheckAndUnscale");
    let Some(lists) = Lists::checked(named, signatures::foreach_unscale.takes, own, &[])? else {
        return Ok(());
    };
    let operation =
        Operation::new("foreach::unscale", lists.stream).tensor("found", found).tensor("inverse", inverse);
    operation.placed()?;
    if [&*found, inverse].into_iter().any(|tensor| tensor.dtype() != DType::F32 || tensor.numel() != 1) {
        return Err(operation.refused("found and inverse must be one element of f32".to_owned()));
    }
    let is_apart = |tensor: &Tensor| tensor.overlap(found) == Overlap::None;
    let shares = |tensor: &&Tensor| !is_apart(tensor) || tensor.overlap(inverse) != Overlap::None;
    if !is_apart(inverse) || lists.read().iter().any(shares) {
        return Err(operation.refused("found and inverse must have memory of their own".to_owned()));
    }
    let stream = lists.stream;
    lists
        .own
        .chunks(MOST)
        .try_for_each(|own| launch::ForeachNonFiniteCheckAndUnscale(stream.into(), own, found, inverse))
}

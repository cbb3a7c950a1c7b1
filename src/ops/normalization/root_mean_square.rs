//! Trailing axes divided by the root of the mean of their squares.

use aclnn_numerics::DType::{self, F32};
use aclnn_numerics::product::Product::{Ascend310P, Ascend910};

use super::checks::{are_weights, has_dtype, has_shape};
use super::layer::rows;
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
use crate::tensor::Tensor;

/// Divides the trailing axes of a tensor, those of the shape of `weight`, by the root of the mean of their squares plus `eps`, and
/// multiplies them by the weight. Returns the result, and the inverses of the roots, which the gradient needs.
///
/// The tensor is f32, f16 or bf16 (not on the 910 and the 310P), and so is the result; the weight has its type, or f32, which
/// needs a 910B or a 950. The inverses are f32, with one element along each axis that is normalised. Everything is computed in
/// f32 or with more digits, and rounded once. [`Tensor::rms_norm`] returns the result alone.
///
/// ```
/// use aclnn::{DType, Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let x = Tensor::from_slice(&device, &[1.0f32, 7.0], [1, 2])?;
/// let weight = Tensor::full(&device, [2], 10, DType::F32)?;
/// let (y, inverses) = ops::rms_norm(&x, &weight, 0.0)?;
/// assert_eq!(y.to_vec::<f32>()?, [2.0, 14.0]);
/// assert_eq!(inverses.to_vec::<f32>()?, [0.2]);
/// # Ok::<(), aclnn::Error>(())
/// ```
///
/// # Errors
/// [`Argument`](crate::Error::Argument), [`Devices`](crate::Error::Devices), [`Rank`](crate::Error::Rank) and
/// [`Unsupported`](crate::Error::Unsupported), all before anything is launched; [`OutOfMemory`](crate::Error::OutOfMemory);
/// [`Launch`](crate::Error::Launch) if the library refuses.
#[doc(alias = "aclnnRmsNorm")]
#[inline]
pub fn rms_norm(own: &Tensor, weight: &Tensor, eps: f64) -> Result<(Tensor, Tensor)> {
    let operation = Operation::new("rms_norm", own.stream()).tensor("self", own).tensor("weight", weight);
    operation.placed()?;
    operation.takes("RmsNorm", signatures::rms_norm.takes, own.dtype())?;
    let kept = rows(&operation, own, weight.shape())?;
    is_weight(&operation, weight, own.dtype())?;
    let (out, rstd) = (operation.empty(own.shape(), own.dtype())?, operation.empty(kept, F32)?);
    launch::RmsNorm(operation.stream.into(), own, weight, eps, &out, &rstd)?;
    Ok((out, rstd))
}

/// Returns the gradients of [`rms_norm`] with respect to its tensor `own` and its weight, for a gradient `grad` of its result, by
/// the inverses that it returned. The first has the type of the tensor, the second is f32.
///
/// ```
/// use aclnn::{DType, Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let x = Tensor::from_slice(&device, &[1.0f32, 7.0], [1, 2])?;
/// let weight = Tensor::ones(&device, [2], DType::F32)?;
/// let (_, inverses) = ops::rms_norm(&x, &weight, 0.0)?;
/// let grad = Tensor::ones(&device, [1, 2], DType::F32)?;
/// let (_, of_weight) = ops::rms_norm_backward(&grad, &x, &inverses, &weight)?;
/// assert_eq!(of_weight.to_vec::<f32>()?, [0.2, 1.4]);
/// # Ok::<(), aclnn::Error>(())
/// ```
///
/// # Errors
/// As [`rms_norm`].
#[doc(alias = "aclnnRmsNormGrad")]
#[inline]
pub fn rms_norm_backward(
    grad: &Tensor,
    own: &Tensor,
    inverses: &Tensor,
    weight: &Tensor,
) -> Result<(Tensor, Tensor)> {
    let operation = Operation::new("rms_norm_backward", grad.stream())
        .tensor("grad", grad)
        .tensor("self", own)
        .tensor("inverses", inverses)
        .tensor("weight", weight);
    operation.placed()?;
    operation.takes("RmsNormGrad", signatures::rms_norm_grad.takes, own.dtype())?;
    has_dtype(&operation, "grad", grad, own.dtype())?;
    has_shape(&operation, "grad", grad, own.shape())?;
    let kept = rows(&operation, own, weight.shape())?;
    is_weight(&operation, weight, own.dtype())?;
    has_dtype(&operation, "inverses", inverses, F32)?;
    has_shape(&operation, "inverses", inverses, &kept)?;
    if own.numel() == 0 {
        // The library writes nothing for no rows.
        let of_weight = Tensor::zeros(operation.stream, weight.shape(), F32)?;
        return Ok((operation.empty(own.shape(), own.dtype())?, of_weight));
    }
    let (of_own, of_weight) =
        (operation.empty(own.shape(), own.dtype())?, operation.empty(weight.shape(), F32)?);
    launch::RmsNormGrad(operation.stream.into(), grad, own, inverses, weight, &of_own, &of_weight)?;
    Ok((of_own, of_weight))
}

/// Adds two tensors and normalises the sum as [`rms_norm`] does. Returns the result, the inverses of the roots, and the sum.
///
/// Both tensors and the weight have one type. Before the 950, the sum of f16 tensors is rounded to f16 before it is normalised,
/// and the normalised elements of f16 and bf16 tensors are rounded before they are multiplied by the weight.
///
/// ```
/// use aclnn::{DType, Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let x = Tensor::from_slice(&device, &[0.5f32, 3.5], [1, 2])?;
/// let weight = Tensor::full(&device, [2], 10, DType::F32)?;
/// let (y, _, sum) = ops::add_rms_norm(&x, &x, &weight, 0.0)?;
/// assert_eq!((y.to_vec::<f32>()?, sum.to_vec::<f32>()?), (vec![2.0, 14.0], vec![1.0, 7.0]));
/// # Ok::<(), aclnn::Error>(())
/// ```
///
/// # Errors
/// As [`rms_norm`].
#[doc(alias = "aclnnAddRmsNorm")]
#[inline]
pub fn add_rms_norm(
    own: &Tensor,
    other: &Tensor,
    weight: &Tensor,
    eps: f64,
) -> Result<(Tensor, Tensor, Tensor)> {
    let operation = Operation::new("add_rms_norm", own.stream())
        .tensor("self", own)
        .tensor("other", other)
        .tensor("weight", weight);
    operation.placed()?;
    operation.takes("AddRmsNorm", signatures::add_rms_norm.takes, own.dtype())?;
    has_dtype(&operation, "other", other, own.dtype())?;
    has_shape(&operation, "other", other, own.shape())?;
    has_dtype(&operation, "weight", weight, own.dtype())?;
    let kept = rows(&operation, own, weight.shape())?;
    has_elements(&operation, weight)?;
    let out = operation.empty(own.shape(), own.dtype())?;
    let (rstd, sum) = (operation.empty(kept, F32)?, operation.empty(own.shape(), own.dtype())?);
    launch::AddRmsNorm(operation.stream.into(), own, other, weight, eps, &out, Some(&rstd), Some(&sum))?;
    Ok((out, rstd, sum))
}

/// The weight has elements, and the type `own` or one that the product takes beside it.
#[inline]
fn is_weight(operation: &Operation<'_>, weight: &Tensor, own: DType) -> Result<()> {
    are_weights(operation, &[("weight", Some(weight))], weight.shape(), own)?;
    if matches!(operation.product(), Some(Ascend910 | Ascend310P)) {
        has_dtype(operation, "weight", weight, own)?;
    }
    has_elements(operation, weight)
}

#[inline]
fn has_elements(operation: &Operation<'_>, weight: &Tensor) -> Result<()> {
    match weight.numel() {
        0 => Err(operation.refused("weight has no elements".to_owned())),
        _ => Ok(()),
    }
}

impl Tensor {
    /// Divides the trailing axes, those of the shape of `weight`, by the root of the mean of their squares plus `eps`, and multiplies
    /// them by the weight. [`ops::rms_norm`](crate::ops::rms_norm()) tells about types, and also returns what the gradient needs.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::from_slice(&device, &[1.0f32, 7.0], [1, 2])?;
    /// let weight = Tensor::full(&device, [2], 10, DType::F32)?;
    /// assert_eq!(x.rms_norm(&weight, 0.0)?.to_vec::<f32>()?, [2.0, 14.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`ops::rms_norm`](crate::ops::rms_norm()).
    #[doc(alias = "aclnnRmsNorm")]
    #[inline]
    pub fn rms_norm(&self, weight: &Tensor, eps: f64) -> Result<Tensor> {
        rms_norm(self, weight, eps).map(|(out, _)| out)
    }
}

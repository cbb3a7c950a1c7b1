//! Derivatives by tensors whose elements were repeated: by padding, and by windows that overlap.

use aclnn_numerics::Shape;
use aclnn_numerics::types_by_product::Types;

use super::elements::in_shape;
use super::pad::{Border, PadMode, padded};
use crate::argument_checks::Operation;
use crate::call::{On, launch};
use crate::error::Result;
use crate::signatures;
use crate::tensor::{Index, Tensor};

type Launch = for<'a> fn(On<'a>, &'a Tensor, &'a Tensor, &'a [i64], &'a Tensor) -> Result<()>;

/// Returns the derivatives of a loss by `own`, for its derivatives `gradient` by what [`Tensor::pad`] made of it: the sums of
/// those of all places where an element is shown.
///
/// Types are f32, f16 and bf16 (not on the 910 and the 310P), but for [`PadMode::Circular`] also f64, one for both; for
/// [`PadMode::Constant`] all that can be copied. CANN does not describe which types the operators take. The emulator adds in f64
/// and rounds once.
///
/// ```
/// use aclnn::{Device, Tensor, ops::{self, PadMode}};
///
/// let device = Device::open(0)?;
/// let line = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0], [1, 3])?;
/// let gradient = Tensor::from_slice(&device, &[1.0f32, 10.0, 100.0, 1000.0, 10000.0], [1, 5])?;
/// let derivatives = ops::pad_backward(&gradient, &line, &[(2, 0)], PadMode::Replicate)?;
/// assert_eq!(derivatives.to_vec::<f32>()?, [111.0, 1000.0, 10000.0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
///
/// # Errors
/// Those of [`Tensor::pad`]; [`Argument`](crate::Error::Argument) also if the gradient has another shape than the result of that,
/// or another type.
#[doc(
    alias = "aclnnReflectionPad1dBackward",
    alias = "aclnnReflectionPad2dBackward",
    alias = "aclnnReflectionPad3dBackward",
    alias = "aclnnReplicationPad1dBackward",
    alias = "aclnnReplicationPad2dBackward",
    alias = "aclnnReplicationPad3dBackward",
    alias = "aclnnCircularPad2dBackward",
    alias = "aclnnCircularPad3dBackward"
)]
#[inline]
pub fn pad_backward(
    gradient: &Tensor,
    own: &Tensor,
    pads: &[(usize, usize)],
    mode: PadMode,
) -> Result<Tensor> {
    let operation = Operation::new("pad_backward", own.stream()).tensor("grad", gradient).tensor("self", own);
    operation.placed()?;
    let shape = padded(&operation, own.shape(), pads)?;
    if *gradient.shape() != shape || gradient.dtype() != own.dtype() {
        let reason =
            format!("the gradient must be {} of shape {shape}, as the padded tensor is", own.dtype());
        return Err(operation.refused(reason));
    }
    if let PadMode::Constant(_) = mode {
        let first = own.rank() - pads.len();
        let inner = pads.iter().enumerate().try_fold(gradient.clone(), |inner, (axis, (before, _))| {
            let size = own.dims().get(first + axis).copied().unwrap_or(0);
            inner.slice(first + axis, *before..*before + size)
        });
        return inner?.copy();
    }
    let Border { numbers, axes, own: flat, padded } =
        Border::of(&operation, own.shape(), &shape, pads, mode)?;
    let (form, list, launch): (&str, Types, Launch) = match (mode, axes) {
        (PadMode::Reflect, 1) => (
            "ReflectionPad1dBackward",
            signatures::reflection_pad_backward.takes,
            launch::ReflectionPad1dBackward,
        ),
        (PadMode::Reflect, 2) => (
            "ReflectionPad2dBackward",
            signatures::reflection_pad_backward.takes,
            launch::ReflectionPad2dBackward,
        ),
        (PadMode::Reflect, _) => (
            "ReflectionPad3dBackward",
            signatures::reflection_pad_backward.takes,
            launch::ReflectionPad3dBackward,
        ),
        (PadMode::Circular, 2) => {
            ("CircularPad2dBackward", signatures::circular_pad_backward.takes, launch::CircularPad2dBackward)
        }
        (PadMode::Circular, _) => {
            ("CircularPad3dBackward", signatures::circular_pad_backward.takes, launch::CircularPad3dBackward)
        }
        (_, 1) => (
            "ReplicationPad1dBackward",
            signatures::replication_pad_backward.takes,
            launch::ReplicationPad1dBackward,
        ),
        (_, 2) => (
            "ReplicationPad2dBackward",
            signatures::replication_pad_backward.takes,
            launch::ReplicationPad2dBackward,
        ),
        (_, _) => (
            "ReplicationPad3dBackward",
            signatures::replication_pad_backward.takes,
            launch::ReplicationPad3dBackward,
        ),
    };
    operation.takes(form, list, own.dtype())?;
    let out = operation.empty(&flat, own.dtype())?;
    if out.numel() > 0 {
        launch(own.stream().into(), &in_shape(gradient, &padded)?, &in_shape(own, &flat)?, &numbers, &out)?;
    }
    out.reshape(own.shape())
}

/// Returns the derivatives of a loss by a tensor of `shape`, for its derivatives `gradient` by the windows along an axis that
/// [`Tensor::windows`] shows of it, `step` elements apart: the sums of those of all windows that show an element.
///
/// The last axis of the gradient is that of the windows. Types are f32, f16 and bf16 (not on the 910 and the 310P); CANN does not
/// describe which ones the operator takes. The emulator adds in f64 and rounds once.
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let gradient = Tensor::from_slice(&device, &[1.0f32, 2.0, 10.0, 20.0, 100.0, 200.0], [3, 2])?;
/// let derivatives = ops::windows_backward(&gradient, [4], 0, 1)?;
/// assert_eq!(derivatives.to_vec::<f32>()?, [1.0, 12.0, 120.0, 200.0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
///
/// # Errors
/// [`Argument`](crate::Error::Argument) if the gradient is not of windows of such a tensor,
/// [`Unsupported`](crate::Error::Unsupported) and [`Rank`](crate::Error::Rank), before anything is launched;
/// [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library refuses.
#[doc(alias = "aclnnUnfoldGrad", alias = "unfold_backward")]
pub fn windows_backward(
    gradient: &Tensor,
    shape: impl Into<Shape>,
    axis: impl Index,
    step: usize,
) -> Result<Tensor> {
    let operation = Operation::new("windows_backward", gradient.stream()).tensor("grad", gradient);
    operation.placed()?;
    operation.takes("UnfoldGrad", signatures::unfold_grad.takes, gradient.dtype())?;
    let shape = shape.into();
    let (Some((size, outer)), false) = (gradient.dims().split_last(), shape.rank() == 0) else {
        return Err(operation.refused(format!("the gradient is not of windows of a tensor of shape {shape}")));
    };
    let number = axis.number();
    let rank = shape.rank() as i128;
    let axis = usize::try_from(if number < 0 { number + rank } else { number }).unwrap_or(usize::MAX);
    let Some(len) = shape.get(axis).copied() else {
        return Err(operation.refused(format!("there is no axis {number} in {shape}")));
    };
    let windows = match len.checked_sub(*size) {
        Some(rest) if step > 0 && *size > 0 => rest / step + 1,
        _ => {
            return Err(operation
                .refused(format!("an axis of {len} elements has no windows of {size}, {step} apart")));
        }
    };
    let expected = shape.iter().enumerate().map(|(other, size)| if other == axis { windows } else { *size });
    if !expected.clone().eq(outer.iter().copied()) {
        let expected: Shape = expected.chain([*size]).collect();
        return Err(operation.refused(format!("the gradient must have shape {expected}")));
    }
    let sizes: Vec<i64> = shape.iter().map(|size| *size as i64).collect();
    let out = operation.empty(shape, gradient.dtype())?;
    let (size, step) = (*size as i64, i64::try_from(step).unwrap_or(i64::MAX));
    launch::UnfoldGrad(gradient.stream().into(), gradient, &sizes, axis as i64, size, step, &out)?;
    Ok(out)
}

//! Poolings of as many parts as the result has.

use aclnn_numerics::DType;
use aclnn_numerics::types_by_product::Types;

use super::windows::{gradient, images, must_be_like};
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
use crate::tensor::Tensor;

/// The shape of a result with images of so many elements along each axis.
#[inline]
fn shape(operation: &Operation<'_>, own: &Tensor, size: &[usize]) -> Result<Vec<usize>> {
    operation.placed()?;
    let dims = own.dims();
    let (leading, image) = dims.split_at(dims.len().saturating_sub(size.len()));
    if !matches!(leading, [_] | [_, _]) || image.contains(&0) || size.contains(&0) {
        return Err(operation.refused(format!(
            "the tensor must have an axis for channels and {} for an image, perhaps after one for batches; no axis of an \
             image may be empty",
            size.len()
        )));
    }
    Ok([leading, size].concat())
}

#[inline]
fn integers(size: &[usize]) -> Vec<i64> {
    size.iter().map(|size| *size as i64).collect()
}

macro_rules! averages {
    ($(
        $(#[$doc:meta])* $name:ident $Form:ident,
        $(#[$of_backward:meta])* $backward:ident $Backward:ident: $axes:literal;
    )*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// [`Argument`](crate::Error::Argument) for other axes, [`Unsupported`](crate::Error::Unsupported), before anything is
        /// launched; [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library refuses.
        #[inline]
        pub fn $name(own: &Tensor, size: [usize; $axes]) -> Result<Tensor> {
            let operation = Operation::new(stringify!($name), own.stream()).tensor("self", own);
            let shape = shape(&operation, own, &size)?;
            operation.takes(stringify!($Form), signatures::$name.takes, own.dtype())?;
            let out = operation.empty(&shape[..], own.dtype())?;
            if out.numel() > 0 {
                launch::$Form(operation.stream.into(), own, &integers(&size), &out)?;
            }
            Ok(out)
        }

        $(#[$of_backward])*
        ///
        /// # Errors
        #[doc = concat!("Those of [`", stringify!($name), "`]; `Argument` also for a gradient of another type or other channels.")]
        #[inline]
        pub fn $backward(grad: &Tensor, own: &Tensor) -> Result<Tensor> {
            let operation =
                Operation::new(stringify!($backward), own.stream()).tensor("grad", grad).tensor("self", own);
            let shape = shape(&operation, own, images(grad, $axes))?;
            operation.takes(stringify!($Backward), signatures::$backward.takes, own.dtype())?;
            must_be_like(&operation, grad, own, &shape)?;
            let out = operation.empty(own.dims(), own.dtype())?;
            if out.numel() > 0 {
                launch::$Backward(operation.stream.into(), grad, own, &out)?;
            }
            Ok(out)
        }
    )*};
}

averages! {
    /// Returns the averages of the parts that images are divided into, so many down and across; the tensor is
    /// `[channels, rows, columns]`, perhaps after an axis for batches. Parts overlap where the sizes are no multiples.
    ///
    /// ```
    /// use aclnn::{Device, Tensor, ops};
    ///
    /// let device = Device::open(0)?;
    /// let image = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [1, 2, 3])?;
    /// assert_eq!(ops::adaptive_avg_pool2d(&image, [1, 2])?.to_vec::<f32>()?, [3.0, 4.0]);
    /// assert_eq!(ops::adaptive_avg_pool2d(&image, [1, 1])?.to_vec::<f32>()?, [3.5]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    #[doc(alias = "aclnnAdaptiveAvgPool2d")]
    adaptive_avg_pool2d AdaptiveAvgPool2d,
    /// Returns the gradient of [`adaptive_avg_pool2d`] for `own`, where `grad` is the gradient for its result.
    #[doc(alias = "aclnnAdaptiveAvgPool2dBackward")]
    adaptive_avg_pool2d_backward AdaptiveAvgPool2dBackward: 2;

    /// Returns the averages of the parts that volumes are divided into; see [`adaptive_avg_pool2d`].
    #[doc(alias = "aclnnAdaptiveAvgPool3d")]
    adaptive_avg_pool3d AdaptiveAvgPool3d,
    /// Returns the gradient of [`adaptive_avg_pool3d`] for `own`, where `grad` is the gradient for its result.
    #[doc(alias = "aclnnAdaptiveAvgPool3dBackward")]
    adaptive_avg_pool3d_backward AdaptiveAvgPool3dBackward: 3;
}

/// The type of the numbers of elements.
const INDICES: DType = DType::I64;

macro_rules! extremes {
    ($(
        $(#[$doc:meta])* $name:ident $Form:ident,
        $(#[$of_backward:meta])* $backward:ident $Backward:ident: $axes:literal;
    )*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// Those of [`adaptive_avg_pool2d`].
        #[inline]
        pub fn $name(own: &Tensor, size: [usize; $axes]) -> Result<(Tensor, Tensor)> {
            let operation = Operation::new(stringify!($name), own.stream()).tensor("self", own);
            let shape = shape(&operation, own, &size)?;
            let types: Types = signatures::$name.takes;
            operation.takes(stringify!($Form), types, own.dtype())?;
            let out = operation.empty(&shape[..], own.dtype())?;
            let indices = operation.empty(&shape[..], INDICES)?;
            if out.numel() > 0 {
                launch::$Form(operation.stream.into(), own, &integers(&size), &out, &indices)?;
            }
            Ok((out, indices))
        }

        $(#[$of_backward])*
        ///
        /// # Errors
        #[doc = concat!("Those of [`", stringify!($name), "`]; `Argument` also if gradient and indices are not those of its results.")]
        #[inline]
        pub fn $backward(grad: &Tensor, own: &Tensor, indices: &Tensor) -> Result<Tensor> {
            let (operation, size) = gradient(stringify!($backward), [grad, own, indices], $axes);
            let shape = shape(&operation, own, size)?;
            operation.takes(stringify!($Backward), signatures::$backward.takes, own.dtype())?;
            must_be_like(&operation, grad, own, &shape)?;
            if indices.dims() != shape || indices.dtype() != INDICES {
                return Err(operation.refused(format!("indices must be {INDICES}{shape:?}")));
            }
            let out = operation.empty(own.dims(), own.dtype())?;
            if out.numel() > 0 {
                launch::$Backward(operation.stream.into(), grad, own, indices, &out)?;
            }
            Ok(out)
        }
    )*};
}

extremes! {
    /// Returns the greatest elements of the parts that images are divided into, as [`adaptive_avg_pool2d`], and for each the
    /// number of its element in the image, counted row by row: i64.
    #[doc(alias = "aclnnAdaptiveMaxPool2d")]
    adaptive_max_pool2d AdaptiveMaxPool2d,
    /// Returns the gradient of [`adaptive_max_pool2d`] for `own`, where `grad` is the gradient for its values.
    #[doc(alias = "aclnnAdaptiveMaxPool2dBackward")]
    adaptive_max_pool2d_backward AdaptiveMaxPool2dBackward: 2;

    /// Returns the greatest elements of the parts that volumes are divided into; see [`adaptive_max_pool2d`].
    #[doc(alias = "aclnnAdaptiveMaxPool3d")]
    adaptive_max_pool3d AdaptiveMaxPool3d,
    /// Returns the gradient of [`adaptive_max_pool3d`] for `own`, where `grad` is the gradient for its values.
    #[doc(alias = "aclnnAdaptiveMaxPool3dBackward")]
    adaptive_max_pool3d_backward AdaptiveMaxPool3dBackward: 3;
}

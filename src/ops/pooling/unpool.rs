//! Elements put back to where a pooling found them, and the gradient of that.

use aclnn_numerics::DType;
use aclnn_numerics::types_by_product::Types;

use super::windows::{gradient, must_be_like};
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
use crate::tensor::Tensor;

/// Checks elements, their numbers and the size of images, and returns the shape of these.
#[inline]
fn shape(
    operation: &Operation<'_>,
    own: &Tensor,
    indices: &Tensor,
    size: &[usize],
    (form, types): (&'static str, Types),
) -> Result<Vec<usize>> {
    operation.placed()?;
    operation.takes(form, types, own.dtype())?;
    let dims = own.dims();
    let (leading, image) = dims.split_at(dims.len().saturating_sub(size.len()));
    let has_elements = leading.last() != Some(&0) && !image.contains(&0) && !size.contains(&0);
    if !matches!(leading, [_] | [_, _]) || !has_elements {
        return Err(operation.refused(format!(
            "the tensor must have an axis for channels and {} for an image, none of them empty, perhaps after one for batches",
            size.len()
        )));
    }
    if indices.dims() != dims || !matches!(indices.dtype(), DType::I32 | DType::I64) {
        return Err(operation.refused(format!("indices must be i32{dims:?} or i64{dims:?}")));
    }
    Ok([leading, size].concat())
}

macro_rules! unpoolings {
    ($(
        $(#[$doc:meta])* $name:ident $Form:ident,
        $(#[$of_backward:meta])* $backward:ident $Backward:ident: $axes:literal $(, $windows:expr)*;
    )*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// [`Argument`](crate::Error::Argument) for other axes, shapes or types of indices,
        /// [`Unsupported`](crate::Error::Unsupported), before anything is launched; [`OutOfMemory`](crate::Error::OutOfMemory);
        /// [`Launch`](crate::Error::Launch) if the library refuses.
        #[inline]
        pub fn $name(own: &Tensor, indices: &Tensor, size: [usize; $axes]) -> Result<Tensor> {
            let operation =
                Operation::new(stringify!($name), own.stream()).tensor("self", own).tensor("indices", indices);
            let shape = shape(&operation, own, indices, &size, (stringify!($Form), signatures::$name.takes))?;
            let out = operation.empty(&shape[..], own.dtype())?;
            if out.numel() > 0 {
                let size = size.map(|size| size as i64);
                launch::$Form(operation.stream.into(), own, indices, &size, $($windows,)* &out)?;
            }
            Ok(out)
        }

        $(#[$of_backward])*
        ///
        /// # Errors
        #[doc = concat!("Those of [`", stringify!($name), "`]; `Argument` also for a gradient of another type or other channels.")]
        #[inline]
        pub fn $backward(grad: &Tensor, own: &Tensor, indices: &Tensor) -> Result<Tensor> {
            let (operation, size) = gradient(stringify!($backward), [grad, own, indices], $axes);
            let shape = shape(&operation, own, indices, size, (stringify!($Backward), signatures::$backward.takes))?;
            must_be_like(&operation, grad, own, &shape)?;
            let out = operation.empty(own.dims(), own.dtype())?;
            if out.numel() > 0 {
                let size: Vec<i64> = size.iter().map(|size| *size as i64).collect();
                launch::$Backward(operation.stream.into(), grad, own, indices, &size, $($windows,)* &out)?;
            }
            Ok(out)
        }
    )*};
}

unpoolings! {
    /// Returns images of so many rows and columns that have each element of the tensor at its number, counted row by row, and 0
    /// elsewhere; the tensor is `[channels, rows, columns]`, perhaps after an axis for batches, and `indices`, of its shape, are
    /// i32 or i64: those of [`MaxPool::run_with_indices`](crate::ops::MaxPool::run_with_indices), for example.
    ///
    /// Which of two elements with one number is kept is not described; on the emulator it is the last one. Types are f32, f64,
    /// f16 and, not on the 910 and the 310P, bf16: as CANN does not list them, those of the emulator.
    ///
    /// ```
    /// use aclnn::{Device, Tensor, ops};
    ///
    /// let device = Device::open(0)?;
    /// let image = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0, 6.0, 5.0, 4.0], [1, 2, 3])?;
    /// let (values, indices) = ops::max_pool2d(&image, [2, 2]).stride([1, 1]).run_with_indices()?;
    /// let back = ops::max_unpool2d(&values, &indices, [2, 3])?;
    /// assert_eq!(back.to_vec::<f32>()?, [0.0, 0.0, 0.0, 6.0, 5.0, 0.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    #[doc(alias = "aclnnMaxUnpool2d")]
    max_unpool2d MaxUnpool2d,
    /// Returns the gradient of [`max_unpool2d`] for `own`, where `grad` is the gradient for its result.
    #[doc(alias = "aclnnMaxUnpool2dBackward")]
    max_unpool2d_backward MaxUnpool2dBackward: 2;

    /// Returns volumes of so many planes, rows and columns that have each element of the tensor at its number; see
    /// [`max_unpool2d`].
    #[doc(alias = "aclnnMaxUnpool3d")]
    max_unpool3d MaxUnpool3d,
    /// Returns the gradient of [`max_unpool3d`] for `own`, where `grad` is the gradient for its result.
    #[doc(alias = "aclnnMaxUnpool3dBackward")]
    max_unpool3d_backward MaxUnpool3dBackward: 3, &[1; 3], &[0; 3];
}

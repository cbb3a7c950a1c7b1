//! Greatest elements of windows, with options.

use aclnn_numerics::DType::{self, F32, I32};

use super::super::prepared::prepared;
use super::windows::{Windows, must_be_like};
use crate::argument_checks::{Operation, accepts};
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// Greatest elements of windows over images with `N` axes, with options; arrays have a number for each of these axes.
///
/// NaN counts as greater than everything. Types are f32, f16 and bf16 on the 910B and the 950, on the 950 also integers of up
/// to 64 bits for images without indices, and f16 on the 910 and the 310P for these.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct MaxPool<'a, const N: usize> {
    own: &'a Tensor,
    windows: Windows<N>,
    stream: Option<&'a Stream>,
}

/// Prepares the greatest elements of windows with so many rows and columns, over images: `[channels, rows, columns]`, perhaps
/// after an axis for batches.
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let image = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0, 6.0, 5.0, 4.0], [1, 2, 3])?;
/// let pool = ops::max_pool2d(&image, [2, 2]).stride([1, 1]);
/// assert_eq!(pool.run()?.to_vec::<f32>()?, [6.0, 5.0]);
/// let (values, indices) = pool.run_with_indices()?;
/// assert_eq!(indices.to_vec::<i32>()?, [3, 4]);
/// assert_eq!(pool.backward(&values, &indices)?.to_vec::<f32>()?, [0.0, 0.0, 0.0, 6.0, 5.0, 0.0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnMaxPool")]
#[inline]
pub fn max_pool2d(own: &Tensor, kernel: [usize; 2]) -> MaxPool<'_, 2> {
    MaxPool { own, windows: Windows::new(kernel), stream: None }
}

/// Prepares the greatest elements of windows with so many planes, rows and columns, over volumes; see [`max_pool2d`].
#[doc(alias = "aclnnMaxPool3dWithArgmax")]
#[inline]
pub fn max_pool3d(own: &Tensor, kernel: [usize; 3]) -> MaxPool<'_, 3> {
    MaxPool { own, windows: Windows::new(kernel), stream: None }
}

prepared! {
    ['a, const N: usize] MaxPool<'a, N>:
    on("the tensor")
}

impl<'a, const N: usize> MaxPool<'a, N> {
    /// Sets the distances between the positions of the window; the default is its size.
    #[inline]
    pub fn stride(mut self, stride: [usize; N]) -> Self {
        self.windows.stride = Some(stride);
        self
    }

    /// Sets how many elements, smaller than all others, lie on each side, at most half of the window; the default is none.
    #[inline]
    pub fn padding(mut self, padding: [usize; N]) -> Self {
        self.windows.padding = padding;
        self
    }

    /// Lets windows reach over the end of the image, so that no element is left out.
    #[inline]
    pub fn ceil_mode(mut self) -> Self {
        self.windows.ceil = true;
        self
    }

    #[inline]
    fn operation(&self, name: &'static str) -> Operation<'a> {
        Operation::new(name, self.stream.unwrap_or(self.own.stream())).tensor("self", self.own)
    }

    /// Queues the operation and returns the greatest elements, a new contiguous tensor.
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if shapes and options do not go together, [`Unsupported`](crate::Error::Unsupported),
    /// before anything is launched; [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library
    /// refuses.
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        let operation = self.operation(if N == 3 { "max_pool3d" } else { "max_pool2d" });
        operation.placed()?;
        let types = signatures::max_pool.takes;
        let has_indices =
            accepts(operation.stream.device(), signatures::max_pool2d_with_indices.takes, self.own.dtype());
        if N == 3 || has_indices && !accepts(operation.stream.device(), types, self.own.dtype()) {
            return self.run_with_indices().map(|(values, _)| values);
        }
        operation.takes("MaxPool", types, self.own.dtype())?;
        let shape = self.windows.shape(&operation, self.own)?;
        let out = operation.empty(&shape[..], self.own.dtype())?;
        if out.numel() == 0 {
            return Ok(out);
        }
        let [kernel, stride, padding] = self.windows.integers();
        let ceil = i64::from(self.windows.ceil);
        launch::MaxPool(operation.stream.into(), self.own, &kernel, &stride, 0, &padding, &[], ceil, &out)?;
        Ok(out)
    }

    /// Queues the operation and returns the greatest elements, and for each the number of its element in the image, counted
    /// row by row: i32. The first of equal elements counts.
    ///
    /// # Errors
    /// As [`MaxPool::run`]. The 910 and the 310P have no operator for it.
    #[doc(
        alias = "aclnnMaxPool2dWithIndices",
        alias = "aclnnMaxPool2dWithMask",
        alias = "aclnnMaxPool3dWithArgmax"
    )]
    #[inline]
    pub fn run_with_indices(&self) -> Result<(Tensor, Tensor)> {
        let operation = self.operation("max_pool_with_indices");
        operation.placed()?;
        operation.takes(
            "MaxPool2dWithIndices",
            signatures::max_pool2d_with_indices.takes,
            self.own.dtype(),
        )?;
        let shape = self.windows.shape(&operation, self.own)?;
        let values = operation.empty(&shape[..], self.own.dtype())?;
        let indices = operation.empty(&shape[..], I32)?;
        if values.numel() == 0 {
            return Ok((values, indices));
        }
        let ([kernel, stride, padding], stream) = (self.windows.integers(), operation.stream);
        let (ceil, dilation) = (self.windows.ceil, [1; N]);
        let call = if N == 2 { launch::MaxPool2dWithIndices } else { launch::MaxPool3dWithArgmax };
        call(stream.into(), self.own, &kernel, &stride, &padding, &dilation, ceil, &values, &indices)?;
        Ok((values, indices))
    }

    /// Queues the gradient for the tensor, where `grad`, of the shape of the result, is the gradient for that, and `indices`
    /// is what [`MaxPool::run_with_indices`] returned. On products whose operator takes f32 alone, halves are converted.
    ///
    /// # Errors
    /// As [`MaxPool::run_with_indices`]; `Argument` also if the gradient or the indices have another shape or type than those.
    #[doc(alias = "aclnnMaxPool2dWithIndicesBackward", alias = "aclnnMaxPool3dWithArgmaxBackward")]
    #[inline]
    pub fn backward(&self, grad: &Tensor, indices: &Tensor) -> Result<Tensor> {
        let operation = self.operation("max_pool_backward").tensor("grad", grad).tensor("indices", indices);
        operation.placed()?;
        let dtype = self.own.dtype();
        operation.takes("MaxPool2dWithIndices", signatures::max_pool2d_with_indices.takes, dtype)?;
        let shape = self.windows.shape(&operation, self.own)?;
        must_be_like(&operation, grad, self.own, &shape)?;
        if indices.dims() != shape || indices.dtype() != I32 {
            return Err(operation.refused(format!("indices must be i32{shape:?}")));
        }
        let types = signatures::max_pool2d_with_indices_backward.takes;
        if N == 3 || accepts(operation.stream.device(), types, dtype) {
            return self.put_back(&operation, (grad, self.own), indices, dtype);
        }
        let (wide, own) = (grad.cast(F32)?, self.own.cast(F32)?);
        self.put_back(&operation, (&wide, &own), indices, F32)?.cast(dtype)
    }

    #[inline]
    fn put_back(
        &self,
        operation: &Operation<'_>,
        (grad, own): (&Tensor, &Tensor),
        indices: &Tensor,
        dtype: DType,
    ) -> Result<Tensor> {
        let out = operation.empty(own.dims(), dtype)?;
        if out.numel() == 0 {
            return Ok(out);
        }
        let ([kernel, stride, padding], stream) = (self.windows.integers(), operation.stream);
        let (ceil, dilation) = (self.windows.ceil, [1; N]);
        let call =
            if N == 2 { launch::MaxPool2dWithIndicesBackward } else { launch::MaxPool3dWithArgmaxBackward };
        call(stream.into(), grad, own, indices, &kernel, &stride, &padding, &dilation, ceil, &out)?;
        Ok(out)
    }
}

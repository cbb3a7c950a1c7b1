//! Averages of windows, with options.

use super::super::prepared::prepared;
use super::windows::{Windows, must_be_like};
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// Averages of windows over images with `N` axes, with options; arrays have a number for each of these axes.
///
/// Types are f32, f16 and, not on the 910 and the 310P, bf16; sums of halves are wider and rounded once.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct AvgPool<'a, const N: usize> {
    own: &'a Tensor,
    windows: Windows<N>,
    counts_padding: bool,
    divisor: i64,
    stream: Option<&'a Stream>,
}

/// Prepares the averages of windows with so many rows and columns, over images: `[channels, rows, columns]`, perhaps after an
/// axis for batches.
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let image = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [1, 2, 3])?;
/// assert_eq!(ops::avg_pool2d(&image, [2, 2]).stride([1, 1]).run()?.to_vec::<f32>()?, [3.0, 4.0]);
/// let padded = ops::avg_pool2d(&image, [2, 2]).padding([1, 1]).count_include_pad(false);
/// assert_eq!(padded.run()?.to_vec::<f32>()?, [1.0, 2.5, 4.0, 5.5]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnAvgPool2d")]
#[inline]
pub fn avg_pool2d(own: &Tensor, kernel: [usize; 2]) -> AvgPool<'_, 2> {
    AvgPool::new(own, kernel)
}

/// Prepares the averages of windows with so many planes, rows and columns, over volumes; see [`avg_pool2d`].
#[doc(alias = "aclnnAvgPool3d")]
#[inline]
pub fn avg_pool3d(own: &Tensor, kernel: [usize; 3]) -> AvgPool<'_, 3> {
    AvgPool::new(own, kernel)
}

prepared! {
    ['a, const N: usize] AvgPool<'a, N>:
    on("the tensor")
}

impl<'a, const N: usize> AvgPool<'a, N> {
    #[inline]
    fn new(own: &'a Tensor, kernel: [usize; N]) -> Self {
        Self { own, windows: Windows::new(kernel), counts_padding: true, divisor: 0, stream: None }
    }

    /// Sets the distances between the positions of the window; the default is its size.
    #[inline]
    pub fn stride(mut self, stride: [usize; N]) -> Self {
        self.windows.stride = Some(stride);
        self
    }

    /// Sets how many zeros lie on each side, at most half of the window; the default is none.
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

    /// Sets whether zeros of the padding count as elements; the default is that they do.
    #[inline]
    pub fn count_include_pad(mut self, counts: bool) -> Self {
        self.counts_padding = counts;
        self
    }

    /// Sets what sums are divided by instead of the number of elements.
    #[inline]
    pub fn divisor(mut self, divisor: i64) -> Self {
        self.divisor = divisor;
        self
    }

    #[inline]
    fn checked(&self, operation: &Operation<'_>) -> Result<Vec<usize>> {
        operation.placed()?;
        operation.takes("AvgPool2d", signatures::avg_pool3d.takes, self.own.dtype())?;
        self.windows.shape(operation, self.own)
    }

    /// Queues the operation and returns the averages, a new contiguous tensor.
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if shapes and options do not go together, [`Unsupported`](crate::Error::Unsupported),
    /// before anything is launched; [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library
    /// refuses.
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        let name = if N == 3 { "avg_pool3d" } else { "avg_pool2d" };
        let operation =
            Operation::new(name, self.stream.unwrap_or(self.own.stream())).tensor("self", self.own);
        let shape = self.checked(&operation)?;
        let out = operation.empty(&shape[..], self.own.dtype())?;
        if out.numel() == 0 {
            return Ok(out);
        }
        let (stream, [kernel, stride, padding]) = (operation.stream, self.windows.integers());
        let (ceil, counts) = (self.windows.ceil, self.counts_padding);
        if N == 2 {
            // On products that convolve no f32 a type of products must be allowed; averages are the same.
            launch::AvgPool2d(
                stream.into(),
                self.own,
                &kernel,
                &stride,
                &padding,
                ceil,
                counts,
                self.divisor,
                ALLOW,
                &out,
            )?;
        } else {
            launch::AvgPool3d(
                stream.into(),
                self.own,
                &kernel,
                &stride,
                &padding,
                ceil,
                counts,
                self.divisor,
                &out,
            )?;
        }
        Ok(out)
    }

    /// Queues the gradient for the tensor, where `grad`, of the shape of the result, is the gradient for that.
    ///
    /// # Errors
    /// As [`AvgPool::run`]; `Argument` also if the gradient has another shape or type than the result.
    #[doc(alias = "aclnnAvgPool2dBackward", alias = "aclnnAvgPool3dBackward")]
    #[inline]
    pub fn backward(&self, grad: &Tensor) -> Result<Tensor> {
        let operation = Operation::new("avg_pool_backward", self.stream.unwrap_or(self.own.stream()))
            .tensor("grad", grad)
            .tensor("self", self.own);
        let shape = self.checked(&operation)?;
        must_be_like(&operation, grad, self.own, &shape)?;
        let out = operation.empty(self.own.dims(), self.own.dtype())?;
        if out.numel() == 0 {
            return Ok(out);
        }
        let (stream, [kernel, stride, padding]) = (operation.stream, self.windows.integers());
        let (ceil, counts, divisor) = (self.windows.ceil, self.counts_padding, self.divisor);
        if N == 2 {
            launch::AvgPool2dBackward(
                stream.into(),
                grad,
                self.own,
                &kernel,
                Some(&stride),
                &padding,
                ceil,
                counts,
                divisor,
                ALLOW,
                &out,
            )?;
        } else {
            launch::AvgPool3dBackward(
                stream.into(),
                grad,
                self.own,
                &kernel,
                &stride,
                &padding,
                ceil,
                counts,
                divisor,
                &out,
            )?;
        }
        Ok(out)
    }
}

/// `cubeMathType` that every product takes.
const ALLOW: i8 = 1;

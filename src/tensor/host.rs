//! Elements between host and device. All of it waits: no borrow of host memory outlives its call.

use aclnn_numerics::layout::Walk;
use aclnn_numerics::product::TypeList;
use aclnn_numerics::{Element, Shape};

use super::Tensor;
use crate::check::accepts;
use crate::error::{Error, Result};
use crate::stream::Stream;

impl Tensor {
    /// Copies a slice to a device, or to the device of a stream, as a contiguous tensor. Done when it returns.
    ///
    /// # Errors
    /// [`Error::Length`] if the slice does not have as many elements as the shape, [`Error::OutOfMemory`], or what the
    /// library returned.
    #[doc(alias = "aclrtMemcpy")]
    pub fn from_slice<T: Element>(
        on: impl Into<Stream>,
        elements: &[T],
        shape: impl Into<Shape>,
    ) -> Result<Tensor> {
        let (stream, shape) = (on.into(), shape.into());
        if shape.numel() != Some(elements.len()) {
            return Err(Error::Length { given: elements.len(), shape: Box::new(shape) });
        }
        let bound = stream.device().bind()?;
        let tensor = Tensor::empty_in(&stream, &bound, &shape, T::DTYPE)?;
        tensor.buffer.upload(&bound, 0, T::as_bytes(elements))?;
        Ok(tensor)
    }

    /// The elements in row-major order. Waits for the work that computes them.
    ///
    /// # Errors
    /// [`Error::ElementType`] if the tensor holds other elements than `T`, or what failed while the work ran.
    #[doc(alias = "aclrtMemcpy")]
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        if T::DTYPE != self.dtype {
            return Err(Error::ElementType { dtype: self.dtype, asked: T::DTYPE });
        }
        Ok(T::from_bytes(&self.to_bytes()?))
    }

    /// The bytes of the elements in row-major order, as they lie on the device. Waits for the work that computes them.
    ///
    /// # Errors
    /// What failed while the work ran.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        if !self.is_contiguous()
            && accepts(self.device(), TypeList::Copy, self.dtype)
            && self.rank() <= crate::MAX_RANK
        {
            return self.copy()?.to_bytes();
        }
        let Some((low, high)) = self.layout.span() else { return Ok(Vec::new()) };
        let (Ok(low), Ok(high)) = (usize::try_from(low), usize::try_from(high)) else {
            return Ok(Vec::new());
        };
        let count = (high - low).saturating_add(1);
        // Elements of less than a byte are contiguous, and begin at a byte: no view of them exists.
        let size = (self.dtype.bits() / 8).max(1);
        let len = self.dtype.storage_bytes(count).unwrap_or(usize::MAX);
        let bytes = self.buffer.download(&self.device().bind()?, low.saturating_mul(size), len)?;
        if self.is_contiguous() {
            return Ok(bytes);
        }
        let mut gathered = Vec::with_capacity(self.numel().saturating_mul(size));
        let walk = Walk::new(self.shape(), [self.layout.strides()]);
        let [stride] = walk.inner_strides();
        walk.for_each_run(|[offset], run| {
            for index in 0..run {
                // Counted from the lowest element, like the bytes.
                let position =
                    (self.layout.offset() - low).wrapping_add_signed(offset + stride * index as isize);
                gathered
                    .extend_from_slice(bytes.get(position * size..(position + 1) * size).unwrap_or_default());
            }
        });
        Ok(gathered)
    }

    /// Copies a slice to the elements in row-major order. Waits for the work that uses them.
    ///
    /// # Errors
    /// [`Error::ElementType`] or [`Error::Length`] if the slice does not fit the tensor, [`Error::SharedElements`] for
    /// a broadcast view, or what the library returned.
    #[doc(alias = "aclrtMemcpy")]
    pub fn copy_from_slice<T: Element>(&mut self, elements: &[T]) -> Result<()> {
        if T::DTYPE != self.dtype {
            return Err(Error::ElementType { dtype: self.dtype, asked: T::DTYPE });
        }
        if self.numel() != elements.len() {
            return Err(Error::Length { given: elements.len(), shape: Box::new(self.shape().clone()) });
        }
        if !self.is_contiguous() {
            return self.copy_from(&Tensor::from_slice(self.stream(), elements, self.shape())?);
        }
        let offset = self.layout.offset().saturating_mul(size_of::<T>());
        self.buffer.upload(&self.device().bind()?, offset, T::as_bytes(elements))
    }
}

//! Elements between host and device. All of it waits: no borrow of host memory outlives its call.

use aclnn_numerics::layout::Walk;
use aclnn_numerics::product::TypeList;
use aclnn_numerics::{DType, Element, Layout, Shape};

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

    /// Copies elements to a device, or to the device of a stream, as a contiguous tensor of any type. They lie one after
    /// the other in row-major order, those of less than a byte packed, the first one low. Done when it returns.
    ///
    /// # Errors
    /// [`Error::Bytes`] if there are not as many bytes as the elements take, [`Error::Tensor`] for strings,
    /// [`Error::OutOfMemory`], or what the library returned.
    pub fn from_bytes(
        on: impl Into<Stream>,
        dtype: DType,
        bytes: &[u8],
        shape: impl Into<Shape>,
    ) -> Result<Tensor> {
        let (stream, shape) = (on.into(), shape.into());
        let needed = shape.numel().and_then(|count| dtype.storage_bytes(count));
        if dtype.bits() > 0 && needed != Some(bytes.len()) {
            return Err(Error::Bytes { given: bytes.len(), dtype, shape: Box::new(shape) });
        }
        let bound = stream.device().bind()?;
        let tensor = Tensor::empty_in(&stream, &bound, &shape, dtype)?;
        tensor.buffer.upload(&bound, 0, bytes)?;
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

    /// The bytes of the elements in row-major order; those of less than a byte are packed, the first one low. Waits for the work that computes them.
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
        // In bits, as elements may be smaller than a byte. A tensor's bits are counted in `usize` where it is made.
        let bits = self.dtype.bits();
        let (begin, end) = (low.saturating_mul(bits), high.saturating_add(1).saturating_mul(bits));
        let first = begin / 8;
        let bytes = self.buffer.download(&self.device().bind()?, first, end.div_ceil(8) - first)?;
        let packed = begin.is_multiple_of(8) && end.is_multiple_of(8);
        if self.is_contiguous() && packed {
            Ok(bytes)
        } else {
            Ok(gather(self.layout(), bits, &bytes, first * 8))
        }
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

/// The elements of a layout, packed, out of bytes that begin with bit `begin` of its storage.
fn gather(layout: &Layout, bits: usize, bytes: &[u8], begin: usize) -> Vec<u8> {
    let walk = Walk::new(layout.shape(), [layout.strides()]);
    let [stride] = walk.inner_strides();
    let mut gathered = Vec::with_capacity(walk.numel().saturating_mul(bits).div_ceil(8));
    // Bits that do not fill a byte yet.
    let (mut held, mut count) = (0_u32, 0);
    walk.for_each_run(|[offset], run| {
        for index in 0..run {
            let element = layout.offset().wrapping_add_signed(offset + stride * index as isize);
            let bit = element * bits - begin;
            if bits >= 8 {
                gathered.extend_from_slice(bytes.get(bit / 8..(bit + bits) / 8).unwrap_or_default());
                continue;
            }
            let byte = |index: usize| u32::from(bytes.get(index).copied().unwrap_or(0));
            let code = ((byte(bit / 8) | byte(bit / 8 + 1) << 8) >> (bit % 8)) & ((1 << bits) - 1);
            held |= code << count;
            count += bits;
            if count >= 8 {
                gathered.push(held as u8);
                (held, count) = (held >> 8, count - 8);
            }
        }
    });
    if count > 0 {
        gathered.push(held as u8);
    }
    gathered
}

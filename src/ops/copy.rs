//! Copies between tensors of one device.

use aclnn_numerics::DType;

use crate::argument_checks::{Operation, copies, written_as};
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::Tensor;

impl Tensor {
    /// Copies `source`, broadcast and converted as by [`Tensor::cast`], to the elements of this tensor. In a view only
    /// the elements of the view change. Copy a source on another device with [`Tensor::to`] first.
    ///
    /// Products before the 950 cannot write u16, u32 and u64 through a view that is not contiguous. On those the bits
    /// are copied as signed integers, after a separate copy that converts other types. All other functions that write a
    /// tensor do the same.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::zeros(&device, [2, 3], DType::I32)?;
    /// grid.select(1, 1)?.copy_from(&Tensor::from_slice(&device, &[1.9f32, 7.0], [2])?)?;
    /// assert_eq!(grid.to_vec::<i32>()?, [0, 1, 0, 0, 7, 0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Devices`](crate::Error::Devices), [`Rank`](crate::Error::Rank), [`Broadcast`](crate::Error::Broadcast),
    /// [`OutputShape`](crate::Error::OutputShape), [`Overlap`](crate::Error::Overlap),
    /// [`SharedElements`](crate::Error::SharedElements), [`SharedBytes`](crate::Error::SharedBytes) and
    /// [`Unsupported`](crate::Error::Unsupported), all before
    /// anything is launched; [`Launch`](crate::Error::Launch) if the library refuses.
    #[doc(alias = "aclnnInplaceCopy", alias = "aclnnInplaceFillTensor")]
    #[doc(alias = "copy_")]
    #[doc(alias = "slice_set")]
    #[inline]
    pub fn copy_from(&mut self, source: &Tensor) -> Result<()> {
        let operation =
            Operation::new("copy_from", self.stream()).tensor("self", self).tensor("source", source);
        operation.placed()?;
        let shape = operation.broadcast(self.shape(), source.shape())?;
        operation.writable("self", self, &shape)?;
        operation.takes("InplaceCopy", signatures::copy.takes, self.dtype())?;
        operation.takes("InplaceCopy", signatures::copy.takes, source.dtype())?;
        match written_as(self) {
            Some(signed) if self.dtype() != source.dtype() => {
                let converted = operation.empty(source.shape(), self.dtype())?;
                launch::InplaceCopy(self.stream().into(), &converted, source)?;
                write_bits(self.stream(), self, &converted, signed)
            }
            _ => write_to(self.stream(), self, source),
        }
    }

    /// Copies the elements to a new contiguous tensor. Types that the product does not copy go through the host.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[1, 2], [2])?;
    /// let mut b = a.copy()?;
    /// b.fill_in_place(0)?;
    /// assert_eq!(a.to_vec::<i32>()?, [1, 2]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory), or what the library returned.
    #[doc(alias = "aclnnInplaceCopy")]
    #[doc(alias = "clone")]
    #[doc(alias = "force_contiguous")]
    #[inline]
    pub fn copy(&self) -> Result<Tensor> {
        self.copy_on(self.stream())
    }

    /// Makes a copy that belongs to another stream of the device.
    #[inline]
    pub(crate) fn copy_on(&self, stream: &Stream) -> Result<Tensor> {
        let copy = Tensor::empty(stream, self.shape(), self.dtype());
        let copy = copy.map_err(|error| error.during("copy", || self.operands()))?;
        if copies(self) {
            launch::InplaceCopy(stream.into(), &copy, self)?;
        } else {
            copy.buffer().upload(&self.device().bind()?, 0, &self.gathered()?)?;
        }
        Ok(copy)
    }

    /// Returns the tensor itself if it is contiguous, otherwise a contiguous copy.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// let turned = grid.transpose(0, 1)?;
    /// assert!(!turned.is_contiguous() && turned.contiguous()?.is_contiguous());
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::copy`].
    #[inline]
    pub fn contiguous(&self) -> Result<Tensor> {
        if self.is_contiguous() { Ok(self.clone()) } else { self.copy() }
    }
}

/// Copies elements to a tensor, whose type is the same wherever the device cannot write it directly.
#[inline]
pub(crate) fn write_to(stream: &Stream, to: &Tensor, from: &Tensor) -> Result<()> {
    match written_as(to) {
        None => launch::InplaceCopy(stream.into(), to, from),
        Some(signed) => write_bits(stream, to, from, signed),
    }
}

/// Copies elements of one type as those of another type of the same width, which the device writes through every view.
#[inline]
pub(super) fn write_bits(stream: &Stream, to: &Tensor, from: &Tensor, dtype: DType) -> Result<()> {
    launch::InplaceCopy(stream.into(), &to.with_bits_of(dtype), &from.with_bits_of(dtype))
}

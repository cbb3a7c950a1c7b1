//! [`Tensor::to`]: copying a tensor to another device, or to another stream.

use crate::error::Result;
use crate::memory::Uses;
use crate::stream::Stream;
use crate::tensor::Tensor;

impl Tensor {
    /// Copies the elements to a new contiguous tensor on a device or a stream.
    ///
    /// On the same device the copy is queued like any other work. Between two devices this function waits for the work
    /// that computes the elements, and until they are copied. The copy goes through the host if the devices cannot
    /// reach each other's memory.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let devices = Device::all()?;
    /// let ones = Tensor::ones(&devices[0], [4], aclnn::DType::F32)?;
    /// for device in &devices {
    ///     let sum = ones.to(device)?.add(1)?;
    ///     assert_eq!(sum.device(), device);
    ///     assert_eq!(sum.to_vec::<f32>()?, [2.0; 4]);
    /// }
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::StreamFailed`](crate::Error::StreamFailed) if the work that computes the elements has failed,
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory), or what the library returned.
    #[doc(alias = "aclrtDeviceEnablePeerAccess")]
    #[doc(alias = "aclrtMemcpy")]
    #[doc(alias = "to_device")]
    #[doc(alias = "cuda")]
    #[doc(alias = "npu")]
    #[doc(alias = "cpu")]
    pub fn to(&self, on: impl Into<Stream>) -> Result<Tensor> {
        let stream = on.into();
        let (own, other) = (self.device(), stream.device());
        if own == other {
            return self.copy_on(&stream);
        }
        // Counted in bits, as elements may be smaller than a byte.
        let first = self.layout().offset().saturating_mul(self.dtype().bits());
        let copied;
        let (source, first) = if self.is_contiguous() && first.is_multiple_of(8) {
            (self, first / 8)
        } else {
            copied = self.copy()?;
            (&copied, 0)
        };
        let reached = own.reaches(other)? && other.reaches(own)?;
        if !reached {
            return Tensor::from_bytes(&stream, self.dtype(), &source.to_bytes()?, self.shape());
        }
        let target = Tensor::empty(&stream, self.shape(), self.dtype());
        let target = target.map_err(|error| error.during("to", || self.operands()))?;
        let Some(bytes) = self.dtype().storage_bytes(self.numel()).filter(|&bytes| bytes > 0) else {
            return Ok(target);
        };
        source.buffer().home().core().must_not_be_captured("reading elements")?;
        let (bound_to_own, bound) = (own.bind()?, other.bind()?);
        let read = source.buffer().lock_to_read();
        read.end_of_writes(&bound_to_own)?;
        let mut written = target.buffer().lock_to_write();
        // The target's memory may come from the cache, so earlier work on it must be done.
        written.end(&bound)?;
        let from = source.as_raw().wrapping_byte_add(first);
        // SAFETY: both have that many bytes. Work that writes the source or touches the target was waited for, and the
        // locks keep new work away.
        unsafe { bound.copy_device_memory(target.as_raw(), from, bytes) }?;
        *written = Uses::default();
        drop((read, written));
        Ok(target)
    }
}

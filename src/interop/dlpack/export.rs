//! Exporting tensors to other libraries.

use aclnn_numerics::Layout;
use bytemuck::{Pod, Zeroable};

use super::abi::{DLDevice, DLDeviceType, DLManagedTensorVersioned};
use super::{ManagedTensor, refused};
use crate::error::{Error, Result};
use crate::tensor::Tensor;

/// DLPack's memory is aligned to 256 bytes.
#[repr(C, align(256))]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Line([u8; 256]);

impl Tensor {
    /// Shares the tensor with another library, in the memory of the device, `kDLExtDev` (feature `dlpack`). Waits for
    /// all work on the tensor.
    ///
    /// The memory stays until the deleter was called, which may happen on any thread. This crate does not know how the
    /// other library uses the memory: see [`dlpack`](super).
    ///
    /// # Errors
    /// [`Error::Interop`] for element types that DLPack does not have, and for a view that begins within a byte;
    /// [`Error::StreamFailed`] if work on the tensor failed, or what the library returned.
    #[inline]
    pub fn to_dlpack(&self) -> Result<ManagedTensor> {
        let layout = self.layout();
        let bit = layout.offset() as u128 * self.dtype().bits() as u128;
        let byte = u64::try_from(bit / 8).ok().filter(|_| bit.is_multiple_of(8));
        let byte = byte.ok_or_else(|| {
            let (dtype, shape) = (self.dtype(), self.shape());
            refused(format!("{dtype}{shape} begins within a byte; make a copy first"))
        })?;
        self.buffer().wait(&self.device().bind()?)?;
        let device = DLDevice { device_type: DLDeviceType::EXT_DEV, device_id: self.device().id() };
        ManagedTensor::new(self.clone(), (self.as_raw(), byte), device, (self.dtype(), layout), 0)
    }

    /// Copies the tensor for another library, to the memory of the host (`kDLCPU`) and in row-major order (feature
    /// `dlpack`). Waits for the work that computes it.
    ///
    /// # Errors
    /// [`Error::Interop`] for element types that DLPack does not have, and those of [`Tensor::to_bytes`].
    #[inline]
    pub fn to_dlpack_on_host(&self) -> Result<ManagedTensor> {
        let bytes = self.to_bytes()?;
        let too_large = |()| Error::HostMemory { bytes: bytes.len() };
        let mut lines: Vec<Line> =
            bytemuck::allocation::try_zeroed_vec(bytes.len().div_ceil(size_of::<Line>()))
                .map_err(too_large)?;
        for (to, from) in lines.iter_mut().zip(bytes.chunks(size_of::<Line>())) {
            if let Some(to) = to.0.get_mut(..from.len()) {
                to.copy_from_slice(from);
            }
        }
        let device = DLDevice { device_type: DLDeviceType::CPU, device_id: 0 };
        let flags = DLManagedTensorVersioned::FLAG_IS_COPIED;
        let (data, layout) = (lines.as_mut_ptr().cast(), Layout::contiguous(self.shape()));
        ManagedTensor::new(lines, (data, 0), device, (self.dtype(), &layout), flags)
    }
}

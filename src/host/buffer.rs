//! Pinned host memory with elements.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::{fmt, ptr, slice};

use aclnn_numerics::Element;

use crate::acl::HostMemory;
use crate::device::Device;
use crate::error::{CloseError, Error, Result};
use crate::fork;

/// A buffer of elements in pinned host memory, which a device reaches directly while the host does other work.
///
/// A buffer is used as a slice. [`Tensor::upload`](crate::Tensor::upload) and
/// [`Tensor::download`](crate::Tensor::download) take it for the time of a copy. Pinned memory is scarce and slow to
/// allocate: make few buffers and use them again.
///
/// ```
/// use aclnn::{Device, HostBuffer};
///
/// let device = Device::open(0)?;
/// let mut buffer = HostBuffer::<f32>::zeroed(&device, 3)?;
/// buffer[1] = 2.5;
/// assert_eq!(*buffer, [0.0, 2.5, 0.0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
pub struct HostBuffer<T: Element> {
    /// The memory of `len` initialised elements. `None` if they take no bytes, or while the buffer ends.
    memory: Option<HostMemory>,
    len: usize,
    device: Device,
    elements: PhantomData<T>,
}

impl<T: Element> HostBuffer<T> {
    /// Allocates a buffer of zeros, or of `false` for bool.
    ///
    /// # Errors
    /// [`Error::HostMemory`] if the host has too little memory that can be pinned, or what the library returned.
    #[doc(alias = "aclrtMallocHost")]
    pub fn zeroed(device: &Device, len: usize) -> Result<Self> {
        // SAFETY: there are that many bytes, and zeros are an element of every type.
        Self::allocate(device, len, |to, bytes| unsafe { ptr::write_bytes(to, 0, bytes) })
    }

    /// Allocates a buffer with the elements of a slice.
    ///
    /// # Errors
    /// Those of [`HostBuffer::zeroed`].
    #[doc(alias = "aclrtMallocHost")]
    pub fn from_slice(device: &Device, elements: &[T]) -> Result<Self> {
        let from = elements.as_ptr().cast::<u8>();
        // SAFETY: both sides have that many bytes, and fresh memory overlaps no slice.
        Self::allocate(device, elements.len(), |to, bytes| unsafe {
            ptr::copy_nonoverlapping(from, to, bytes)
        })
    }

    /// Allocates a buffer whose bytes are all written by `fill`.
    fn allocate(device: &Device, len: usize, fill: impl FnOnce(*mut u8, usize)) -> Result<Self> {
        let bound = device.bind()?;
        let bytes = len.checked_mul(size_of::<T>()).filter(|&bytes| isize::try_from(bytes).is_ok());
        let bytes = bytes.ok_or(Error::HostMemory { bytes: usize::MAX })?;
        let memory = match (bytes, device.retired().take(bytes, &bound)?) {
            (0, _) => None,
            (_, Some(memory)) => Some(memory),
            (_, None) => Some(bound.allocate_host(bytes)?),
        };
        if let Some(memory) = &memory {
            fill(memory.start().as_ptr().cast(), bytes);
        }
        Ok(Self::of_parts(memory, len, device.clone()))
    }

    /// Makes a buffer of memory that holds `len` initialised elements.
    pub(super) fn of_parts(memory: Option<HostMemory>, len: usize, device: Device) -> Self {
        Self { memory, len, device, elements: PhantomData }
    }

    /// Takes the memory out of the buffer, which then frees nothing.
    pub(super) fn take_memory(mut self) -> Option<HostMemory> {
        self.memory.take()
    }

    pub(super) fn memory(&self) -> Option<&HostMemory> {
        self.memory.as_ref()
    }

    /// Returns the device that the memory is pinned for.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Frees the memory and reports failures, which dropping the buffer cannot do.
    ///
    /// # Errors
    /// What failed earlier in a drop, or what the library returned. The buffer is given back if nothing was freed.
    #[doc(alias = "aclrtFreeHost")]
    pub fn close(mut self) -> Result<(), CloseError<Self>> {
        let device = self.device.clone();
        let bound = match device.bind_to_drop() {
            Ok(bound) => bound,
            Err(error) => return Err(CloseError::new(self, error)),
        };
        // SAFETY: work that uses the memory has taken the buffer.
        let freed = self.memory.take().map_or(Ok(()), |memory| unsafe { bound.free_host(memory) });
        Ok(freed.and_then(|()| device.deferred())?)
    }
}

impl<T: Element> Deref for HostBuffer<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        let Some(memory) = &self.memory else { return &[] };
        // SAFETY: that many elements, aligned and initialised, which this buffer owns and no queued work uses: a transfer
        // takes the buffer.
        unsafe { slice::from_raw_parts(memory.start().as_ptr().cast(), self.len) }
    }
}

impl<T: Element> DerefMut for HostBuffer<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        let Some(memory) = &self.memory else { return &mut [] };
        // SAFETY: as for reading, and borrowed by nobody else.
        unsafe { slice::from_raw_parts_mut(memory.start().as_ptr().cast(), self.len) }
    }
}

impl<T: Element> Drop for HostBuffer<T> {
    fn drop(&mut self) {
        if fork::is_forked() {
            return;
        }
        let Some(memory) = self.memory.take() else { return };
        match self.device.bind_to_drop() {
            // SAFETY: work that uses the memory has taken the buffer.
            Ok(bound) => self.device.defer("a host buffer", unsafe { bound.free_host(memory) }),
            // For example while a thread ends: the memory is freed later.
            Err(_) => self.device.retired().put(memory, None),
        }
    }
}

impl<T: Element> fmt::Debug for HostBuffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostBuffer")
            .field("dtype", &T::DTYPE)
            .field("len", &self.len)
            .field("device", &self.device.id())
            .finish()
    }
}

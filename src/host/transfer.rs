//! Copies between pinned memory and tensors that run while the host does other work.

use std::marker::PhantomData;
use std::{fmt, slice};

use aclnn_numerics::{DType, Element};

use super::buffer::HostBuffer;
use crate::acl::{Bound, HostMemory, RawEvent, RawStream};
use crate::device::Copying;
use crate::error::{CloseError, Error, OperandInfo, Operands, Result};
use crate::fork;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// The reason why a copy was not queued or not completed. It gives the buffer back, unless the copy may still be
/// running.
///
/// The `?` operator converts it to an [`Error`].
pub type TransferError<T> = CloseError<HostBuffer<T>>;

/// A queued copy between a [`HostBuffer`] and a tensor, which may still be running. It holds the buffer until
/// [`Transfer::wait`] gives the buffer back.
///
/// Dropping a transfer does not wait: the copy continues, and when it is over the memory is freed or used for another
/// buffer.
#[must_use = "the buffer comes back from `wait`"]
pub struct Transfer<T: Element> {
    /// The memory, which no code uses while the copy runs. `None` if there is nothing to copy, or while the transfer
    /// ends.
    memory: Option<HostMemory>,
    copying: Option<Copying>,
    len: usize,
    stream: Stream,
    direction: Direction,
    elements: PhantomData<T>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Upload,
    Download,
}

impl Direction {
    fn name(self) -> &'static str {
        match self {
            Direction::Upload => "upload",
            Direction::Download => "download",
        }
    }
}

impl Tensor {
    /// Queues a copy of a buffer to the elements, in row-major order, on the stream of the tensor. Returns at once.
    ///
    /// Work that is queued later and reads the tensor sees the new elements, on every stream.
    ///
    /// ```
    /// use aclnn::{DType, Device, HostBuffer, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut tensor = Tensor::zeros(&device, [3], DType::F32)?;
    /// let upload = tensor.upload(HostBuffer::from_slice(&device, &[1.0f32, 2.0, 3.0])?)?;
    /// let sum = tensor.add(1)?;
    /// let buffer = upload.wait()?;
    /// assert_eq!(*sum.download(buffer)?.wait()?, [2.0, 3.0, 4.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::ElementType`], [`Error::Length`], [`Error::NotContiguous`] or [`Error::Devices`] if the buffer does not
    /// fit the tensor, [`Error::StreamFailed`] if the stream is known to have failed, or earlier results of which some
    /// stay in the tensor, or what the library returned.
    ///
    /// If the library fails after the copy was queued, for example when it records the event after the copy, this
    /// function waits for the copy: the tensor then holds the new elements, though the upload has failed. So after a
    /// failure of the library, other than a refusal, the tensor may hold the old or the new elements. The error gives
    /// the buffer back, unless the copy may still be running.
    #[doc(alias = "aclrtMemcpyAsync")]
    pub fn upload<T: Element>(&mut self, from: HostBuffer<T>) -> Result<Transfer<T>, TransferError<T>> {
        self.upload_on(&self.stream().clone(), from)
    }

    /// Queues a copy like [`Tensor::upload`], on another stream of the device.
    ///
    /// # Errors
    /// Those of [`Tensor::upload`].
    #[doc(alias = "aclrtMemcpyAsync")]
    pub fn upload_on<T: Element>(
        &mut self,
        stream: &Stream,
        from: HostBuffer<T>,
    ) -> Result<Transfer<T>, TransferError<T>> {
        Transfer::start(self, stream, from, Direction::Upload)
    }

    /// Queues a copy of the elements, in row-major order, to a buffer, on the stream of the tensor. Returns at once.
    ///
    /// The copy sees the results of work queued earlier, on every stream; later work that writes the tensor waits for
    /// the copy.
    ///
    /// # Errors
    /// Those of [`Tensor::upload`]; if the copy was queued before the failure, the buffer has new elements.
    #[doc(alias = "aclrtMemcpyAsync")]
    pub fn download<T: Element>(&self, to: HostBuffer<T>) -> Result<Transfer<T>, TransferError<T>> {
        self.download_on(self.stream(), to)
    }

    /// Queues a copy like [`Tensor::download`], on another stream of the device.
    ///
    /// # Errors
    /// Those of [`Tensor::upload`].
    #[doc(alias = "aclrtMemcpyAsync")]
    pub fn download_on<T: Element>(
        &self,
        stream: &Stream,
        to: HostBuffer<T>,
    ) -> Result<Transfer<T>, TransferError<T>> {
        Transfer::start(self, stream, to, Direction::Download)
    }
}

impl<T: Element> Transfer<T> {
    fn start(
        tensor: &Tensor,
        stream: &Stream,
        buffer: HostBuffer<T>,
        direction: Direction,
    ) -> Result<Self, TransferError<T>> {
        let started = fits(tensor, stream, &buffer, direction).and_then(|()| {
            let bound = stream.device().bind()?;
            stream.core().check()?;
            // The copy would be refused when the memory is its own already.
            stream.core().must_not_be_captured("an asynchronous copy")?;
            let create = || bound.create_event(false);
            let event = buffer.memory().map(|_| stream.device().streams().with_an_event(&bound, create));
            let event = event.transpose()?;
            Ok((bound, event))
        });
        let (bound, event) = match started {
            Ok(started) => started,
            Err(error) => return Err(CloseError::new(buffer, error)),
        };
        // From here on the memory may be in use: it is freed or given back only when the copy is over.
        let len = buffer.len();
        let mut transfer = Transfer {
            memory: buffer.take_memory(),
            copying: event.map(|event| Copying { stream: stream.core().clone(), event: Some(event) }),
            len,
            stream: stream.clone(),
            direction,
            elements: PhantomData,
        };
        match transfer.queue(tensor, &bound) {
            Ok(()) => Ok(transfer),
            // The copy may or may not have been queued.
            Err(error) => match stream.core().idle(&bound) {
                Ok(()) => Err(CloseError::new(transfer.end(&bound), error)),
                Err(_) => {
                    // The event may have been recorded before the copy was queued.
                    let event = transfer.copying.as_mut().and_then(|copying| copying.event.take());
                    let destroyed = event.map_or(Ok(()), |event| bound.destroy_event(event));
                    stream.device().defer("a transfer", destroyed);
                    Err(error.into())
                }
            },
        }
    }

    /// Queues the copy and the event, after all work that must come first.
    fn queue(&self, tensor: &Tensor, bound: &Bound<'_>) -> Result<()> {
        let (Some(memory), Some(Copying { stream, event: Some(event) })) = (&self.memory, &self.copying)
        else {
            return Ok(());
        };
        let offset = tensor.layout().offset().saturating_mul(size_of::<T>());
        let address = tensor.as_raw().wrapping_byte_add(offset);
        let on_stream =
            |queue: &dyn Fn(&RawStream) -> Result<()>| stream.with_free("an asynchronous copy", queue);
        let copy = |raw: &RawStream| match self.direction {
            // SAFETY: a contiguous tensor has its elements there, and its memory is reused in the order of the streams
            // that use it, which include this one by now. This transfer owns the buffer's memory, and frees it or gives
            // it back when the copy is over.
            Direction::Upload => unsafe { bound.queue_upload(address, memory, raw) },
            // SAFETY: as above.
            Direction::Download => unsafe { bound.queue_download(memory, address, raw) },
        };
        let record = || on_stream(&|raw| bound.record(event, raw));
        let queue =
            || on_stream(&copy).and_then(|()| self.stream.device().streams().with_an_event(bound, record));
        // The locks keep other threads from queueing work between the steps.
        match self.direction {
            Direction::Upload => {
                let mut uses = tensor.buffer().lock_to_write();
                uses.write_on(stream, bound)?;
                queue()
            }
            Direction::Download => {
                let uses = tensor.buffer().lock_to_read();
                uses.read_on(stream, bound)?;
                queue()
            }
        }
    }

    /// Waits for the copy and gives the buffer back: after a download with the elements of the tensor, after an upload
    /// unchanged.
    ///
    /// An upload waits for its copy only; readers of the tensor get the failure of an upload. A download waits for
    /// everything queued so far on its stream, as only a stream knows whether its work succeeded.
    ///
    /// # Errors
    /// [`Error::StreamFailed`] if the work that computed the elements is known to have failed; what failed earlier in a
    /// drop, or what the library returned. The error gives the buffer back if the copy is over.
    #[doc(alias = "aclrtSynchronizeEvent")]
    #[doc(alias = "aclrtSynchronizeStream")]
    pub fn wait(mut self) -> Result<HostBuffer<T>, TransferError<T>> {
        let stream = self.stream.clone();
        let bound = stream.device().bind_to_drop()?;
        let core = stream.core();
        let waited = match (self.event(), self.direction) {
            (None, _) => Ok(()),
            (Some(event), Direction::Upload) => bound.synchronize_event(event),
            (Some(_), Direction::Download) => core.synchronize(&bound),
        };
        let waited = match waited {
            // A failure of other work may be known before the copy is over.
            Err(error) if core.idle(&bound).is_err() => return Err(error.into()),
            waited => waited,
        };
        let buffer = self.end(&bound);
        match waited.and_then(|()| core.check()).and_then(|()| stream.device().deferred()) {
            Ok(()) => Ok(buffer),
            Err(error) => Err(CloseError::new(buffer, error)),
        }
    }

    /// Returns whether the copy is over. [`Transfer::wait`] tells whether it succeeded.
    ///
    /// # Errors
    /// What the library returned.
    #[doc(alias = "aclrtQueryEventStatus")]
    pub fn is_complete(&self) -> Result<bool> {
        let bound = self.stream.device().bind()?;
        self.event().map_or(Ok(true), |event| bound.is_complete(event))
    }

    /// Returns the event after the copy, if there is anything to copy.
    fn event(&self) -> Option<&RawEvent> {
        self.copying.as_ref()?.event.as_ref()
    }

    /// Returns the buffer of a copy that is over.
    fn end(&mut self, bound: &Bound<'_>) -> HostBuffer<T> {
        let device = self.stream.device();
        if let Some(copying) = self.copying.take() {
            device.defer("a transfer", copying.end(bound));
        }
        let memory = self.memory.take();
        if let (DType::Bool, Direction::Download, Some(memory)) = (T::DTYPE, self.direction, &memory) {
            // SAFETY: initialised bytes, which nobody uses any more.
            let bytes = unsafe { slice::from_raw_parts_mut(memory.start().as_ptr().cast(), memory.bytes()) };
            // A device treats every byte but zero as true; `bool` in Rust must be 0 or 1.
            bytes.iter_mut().for_each(|byte: &mut u8| *byte = u8::from(*byte != 0));
        }
        HostBuffer::of_parts(memory, self.len, device.clone())
    }
}

/// Checks that the buffer has elements for the tensor, and that both are on the device of the stream.
fn fits<T: Element>(
    tensor: &Tensor,
    stream: &Stream,
    buffer: &HostBuffer<T>,
    direction: Direction,
) -> Result<()> {
    let (operator, given) = (direction.name(), buffer.len());
    let operands = || Operands::new([tensor.info("self"), OperandInfo::of_host("buffer", T::DTYPE, given)]);
    if let Some(other) =
        [tensor.device(), buffer.device()].into_iter().find(|&other| other != stream.device())
    {
        let (first, second) = (stream.device().id(), other.id());
        return Err(Error::Devices { operator, operands: operands(), first, second });
    }
    if tensor.dtype() != T::DTYPE {
        let (operands, dtype) = (operands(), tensor.dtype());
        return Err(Error::ElementType { operator, operands, dtype, asked: T::DTYPE });
    }
    if tensor.numel() != given {
        let (operands, shape) = (operands(), Box::new(tensor.shape().clone()));
        return Err(Error::Length { operator, operands, given, shape });
    }
    if !tensor.is_contiguous() {
        return Err(Error::NotContiguous { operator, operands: operands() });
    }
    Ok(())
}

impl<T: Element> Drop for Transfer<T> {
    fn drop(&mut self) {
        if fork::is_forked() {
            return;
        }
        if let Some(memory) = self.memory.take() {
            self.stream.device().retired().put(memory, self.copying.take());
        }
    }
}

impl<T: Element> fmt::Debug for Transfer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transfer")
            .field("direction", &self.direction)
            .field("dtype", &T::DTYPE)
            .field("len", &self.len)
            .field("stream", &self.stream)
            .finish_non_exhaustive()
    }
}

//! Streams: queues of work in order.
//!
//! [`Stream`] is the handle; `state` holds what it shares with the buffers it has used, and how failures travel; `marks` the
//! events that put streams in order.

mod marks;
mod state;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use aclnn_sys::aclrtStream;

use crate::acl::{Bound, RawStream};
use crate::device::Device;
use crate::error::{CloseError, Error, Result};
use crate::event::Event;

pub(crate) use state::{StreamCore, Streams};

/// A queue of work that runs in order, beside the work of other streams.
///
/// Operators return as soon as their work is queued. A result is read by [`Tensor::to_vec`](crate::Tensor::to_vec), which
/// waits. Work on tensors of two streams is put in order by itself; events do the same for anything else.
///
/// Handles share the stream, and tensors keep it alive.
///
/// Threads that share a stream queue their work behind each other's. For work side by side each thread makes a stream of
/// its own; tensors are shared as they are:
///
/// ```
/// use std::thread;
///
/// use aclnn::{DType, Device, Stream, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let shared = Tensor::ones(&device, [1000], DType::F32)?;
/// let sums = thread::scope(|scope| {
///     let threads = [1, 2, 3].map(|number| {
///         let (device, shared) = (&device, &shared);
///         scope.spawn(move || {
///             let stream = Stream::new(device)?;
///             ops::add(shared, number).on(&stream).run()?.to_vec::<f32>()
///         })
///     });
///     threads.map(|thread| thread.join().expect("no panic"))
/// });
/// for (number, sum) in [1.0, 2.0, 3.0].into_iter().zip(sums) {
///     assert_eq!(sum?, [1.0 + number; 1000]);
/// }
/// # Ok::<(), aclnn::Error>(())
/// ```
///
/// Work may fail while it runs. Then the stream has failed, and so has every other one that used its results:
/// [synchronising](Stream::synchronize) it, reading a tensor that it wrote and launching on it give
/// [`Error::StreamFailed`] from then on. To go on, make new streams and tensors.
#[derive(Clone)]
pub struct Stream(Which);

#[derive(Clone)]
enum Which {
    /// The one that every device has.
    OfDevice(Device),
    Own(Arc<Own>),
}

struct Own {
    core: Arc<StreamCore>,
    device: Device,
}

impl Stream {
    /// A new stream on a device.
    ///
    /// # Errors
    /// What the library returned; there is a limited number of streams.
    #[doc(alias = "aclrtCreateStream")]
    pub fn new(device: &Device) -> Result<Stream> {
        let core = device.streams().create(&device.bind()?)?;
        Ok(Stream(Which::Own(Arc::new(Own { core, device: device.clone() }))))
    }

    /// Adopts a stream that was made by calling the runtime directly. It is destroyed with the last handle, as one made by
    /// [`Stream::new`].
    ///
    /// For a stream that stays with its owner, record an event there, adopt [that](Event::from_raw), and let a stream of
    /// this crate [wait](Stream::wait) for it.
    ///
    /// ```
    /// use std::ptr;
    /// use aclnn::{DType, Device, Stream, Tensor, sys};
    ///
    /// let device = Device::open(0)?;
    /// let (runtime, mut raw) = (device.backend().runtime(), ptr::null_mut());
    /// // SAFETY: the context of an open device, and a valid place.
    /// let codes =
    ///     unsafe { [runtime.aclrtSetCurrentContext(device.as_raw())?, runtime.aclrtCreateStream(&mut raw)?] };
    /// assert_eq!(codes, [sys::ACL_SUCCESS; 2]);
    /// // SAFETY: a stream of that context, which nobody else destroys.
    /// let stream = unsafe { Stream::from_raw(&device, raw) };
    /// assert_eq!(Tensor::ones(&stream, [2], DType::F32)?.to_vec::<f32>()?, [1.0; 2]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Safety
    /// `stream` is a live stream of the [context](Device::as_raw) of this device, and not null. From now on nobody else
    /// destroys or adopts it. What others queue there is not known to this crate: see [`Stream::as_raw`].
    #[doc(alias = "aclrtCreateStream")]
    pub unsafe fn from_raw(device: &Device, stream: aclrtStream) -> Stream {
        // SAFETY: the caller vouches for it.
        let core = device.streams().adopt(unsafe { RawStream::adopt(stream) });
        Stream(Which::Own(Arc::new(Own { core, device: device.clone() })))
    }

    pub(crate) fn of_device(device: &Device) -> Stream {
        Stream(Which::OfDevice(device.clone()))
    }

    /// The device whose work it takes.
    pub fn device(&self) -> &Device {
        match &self.0 {
            Which::OfDevice(device) => device,
            Which::Own(own) => &own.device,
        }
    }

    /// Waits for all work queued so far, and for the work of other streams whose results it uses.
    ///
    /// # Errors
    /// [`Error::StreamFailed`] if any of the work has failed, now or earlier.
    #[doc(alias = "aclrtSynchronizeStream")]
    pub fn synchronize(&self) -> Result<()> {
        self.core().synchronize(&self.device().bind()?)
    }

    /// Returns whether all work queued so far is done, without waiting for it. Whether it succeeded,
    /// [`Stream::synchronize`] tells. While another thread waits in that, this is `false`.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let sum = Tensor::ones(&device, [1000], DType::F32)?.add(1)?;
    /// if !sum.stream().query()? {
    ///     // … there is time for something else …
    /// }
    /// sum.stream().synchronize()?;
    /// assert!(sum.stream().query()?);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::StreamFailed`] if work is known to have failed, or what the library returned.
    #[doc(alias = "aclrtStreamQuery")]
    pub fn query(&self) -> Result<bool> {
        self.core().query(&self.device().bind()?)
    }

    /// Marks the work queued so far. A device has a limited number of events whose work is not done; where none is left,
    /// the call waits for the work of the device, which gives them back.
    ///
    /// # Errors
    /// What the library returned.
    #[doc(alias = "aclrtRecordEvent")]
    pub fn record(&self) -> Result<Event> {
        Event::record(self)
    }

    /// Lets work that is queued from now on wait for an event, and fail with the work before it.
    ///
    /// # Errors
    /// [`Error::Devices`] if the event belongs to another device, [`Error::StreamFailed`] if its stream is known to have
    /// failed, or what the library returned.
    #[doc(alias = "aclrtStreamWaitEvent")]
    pub fn wait(&self, event: &Event) -> Result<()> {
        event.wait_on(self)
    }

    /// Ends the stream: waits for its work, destroys it and reports what failed, which dropping the last handle could not.
    /// The stream that every device has is only waited for.
    ///
    /// # Errors
    /// [`Error::InUse`], which gives the handle back, while other handles or tensors belong to it; what failed earlier in
    /// a drop; [`Error::StreamFailed`], or what the library returned. The handle comes back too where the stream has not
    /// ended.
    #[doc(alias = "aclrtDestroyStream")]
    pub fn close(self) -> Result<(), CloseError<Stream>> {
        let own = match self.0 {
            Which::OfDevice(device) => return Ok(device.stream().synchronize()?),
            Which::Own(own) => own,
        };
        match Arc::try_unwrap(own) {
            Ok(own) => {
                let device = own.device.clone();
                let bound = match device.bind_to_drop() {
                    Ok(bound) => bound,
                    Err(error) => return Err(CloseError::new(Stream(Which::Own(Arc::new(own))), error)),
                };
                match own.core.check().and(own.end(&bound)) {
                    Err(error) if !own.core.has_ended() => {
                        Err(CloseError::new(Stream(Which::Own(Arc::new(own))), error))
                    }
                    // What failed earlier is told by the next call if this one has a failure of its own.
                    ended => Ok(ended.and_then(|()| device.deferred())?),
                }
            }
            Err(shared) => {
                let device = shared.device.id();
                let others = Arc::strong_count(&shared).saturating_sub(1);
                let error = Error::InUse { what: "stream of device", device, others };
                Err(CloseError::new(Stream(Which::Own(shared)), error))
            }
        }
    }

    /// The stream itself, for calling the runtime or a custom operator directly.
    ///
    /// What is queued there without this crate is not known to it: synchronise before tensors that it touches are used
    /// on other streams or dropped.
    pub fn as_raw(&self) -> aclrtStream {
        self.core().lock().as_ref().map_or(std::ptr::null_mut(), RawStream::as_raw)
    }

    #[inline]
    pub(crate) fn core(&self) -> &Arc<StreamCore> {
        match &self.0 {
            Which::OfDevice(device) => device.stream_core(),
            Which::Own(own) => &own.core,
        }
    }

    /// Different for every stream of the process.
    #[inline]
    pub(crate) fn id(&self) -> u64 {
        self.core().id()
    }
}

impl Own {
    /// Once is enough: a second time there is nothing left to end.
    fn end(&self, bound: &Bound<'_>) -> Result<()> {
        let ended = self.device.streams().end(&self.core, bound);
        // What is free in the order of a stream that stays is freed when the device is synchronised.
        if self.core.has_ended() {
            self.device.pool().share(self.core.id());
        }
        ended
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        // Where its context cannot be made current, as while a thread ends, the stream stays until its device ends.
        if let Ok(bound) = self.device.bind_to_drop() {
            let ended = self.end(&bound);
            self.device.defer("a stream", ended);
        }
    }
}

impl From<&Device> for Stream {
    /// The stream that every device has.
    fn from(device: &Device) -> Stream {
        device.stream()
    }
}

impl From<Device> for Stream {
    /// The stream that every device has.
    fn from(device: Device) -> Stream {
        device.stream()
    }
}

impl From<&Stream> for Stream {
    fn from(stream: &Stream) -> Stream {
        stream.clone()
    }
}

impl PartialEq for Stream {
    fn eq(&self, other: &Stream) -> bool {
        self.id() == other.id()
    }
}

impl Eq for Stream {}

impl Hash for Stream {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id().hash(state);
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("id", &self.id()).field("device", &self.device().id()).finish()
    }
}

//! Streams: the handles to queues of work in order. [`stream_core`](crate::stream_core) holds the part of a stream that
//! its buffers share.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use aclnn_sys::aclrtStream;

use crate::acl::{Bound, RawStream};
use crate::device::Device;
use crate::error::{CloseError, Error, Result};
use crate::stream_core::StreamCore;

/// A queue of work that runs in order, beside the work of other streams.
///
/// Operators return as soon as their work is queued. [`Tensor::to_vec`](crate::Tensor::to_vec) waits for a result and
/// reads it. Work on tensors of two streams is ordered automatically; events order anything else.
///
/// Handles share the stream, and tensors keep the stream alive.
///
/// Work of threads that share a stream runs one after the other. To run work in parallel, each thread makes its own
/// stream; tensors can be shared without change:
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
/// Work may fail while it runs. Then its stream has failed, and so has every other stream that used its results: from
/// then on [`Error::StreamFailed`] is returned by [synchronising](Stream::synchronize) such a stream, by reading a
/// tensor that it wrote and by launching on it. To go on, make new streams and tensors.
#[derive(Clone)]
pub struct Stream(Which);

#[derive(Clone)]
enum Which {
    /// The default stream of the device.
    OfDevice(Device),
    Own(Arc<Own>),
}

struct Own {
    core: Arc<StreamCore>,
    device: Device,
}

impl Stream {
    /// Creates a stream on a device.
    ///
    /// # Errors
    /// What the library returned; the number of streams is limited.
    #[doc(alias = "aclrtCreateStream")]
    pub fn new(device: &Device) -> Result<Stream> {
        let core = device.streams().create(&device.bind()?)?;
        Ok(Stream(Which::Own(Arc::new(Own { core, device: device.clone() }))))
    }

    /// Adopts a stream that was made by calling the runtime directly. It is destroyed with its last handle, like a
    /// stream made by [`Stream::new`].
    ///
    /// For a stream that its owner keeps, record an event on it, adopt [that event](crate::Event::from_raw), and let a
    /// stream of this crate [wait](Stream::wait) for it.
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
    /// `stream` is a live stream of the [context](Device::as_raw) of this device, and not null. From now on no other
    /// code destroys or adopts it. This crate does not know what other code queues on it: see [`Stream::as_raw`].
    #[doc(alias = "aclrtCreateStream")]
    pub unsafe fn from_raw(device: &Device, stream: aclrtStream) -> Stream {
        // SAFETY: the caller vouches for it.
        let core = device.streams().adopt(unsafe { RawStream::adopt(stream) });
        Stream(Which::Own(Arc::new(Own { core, device: device.clone() })))
    }

    /// Returns the device of the stream.
    #[inline]
    pub fn device(&self) -> &Device {
        match &self.0 {
            Which::OfDevice(device) => device,
            Which::Own(own) => &own.device,
        }
    }

    /// Waits for all work queued so far, and for the work of other streams whose results that work uses.
    ///
    /// # Errors
    /// [`Error::StreamFailed`] if any of the work has failed, now or earlier.
    #[doc(alias = "aclrtSynchronizeStream")]
    pub fn synchronize(&self) -> Result<()> {
        self.core().synchronize(&self.device().bind()?)
    }

    /// Returns whether all work queued so far is done, without waiting for it. [`Stream::synchronize`] tells whether
    /// the work succeeded. Returns `false` while another thread waits in [`Stream::synchronize`].
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

    /// Closes the stream: waits for its work, destroys it and reports failures, which dropping the last handle cannot
    /// do. The default stream of a device is only waited for.
    ///
    /// # Errors
    /// [`Error::InUse`], which gives the handle back, while other handles or tensors of the stream exist; what failed
    /// earlier in a drop; [`Error::StreamFailed`], or what the library returned. The handle is also given back if the
    /// stream has not ended.
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
                    // If this call has a failure of its own, the next call reports what failed earlier.
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

    /// Returns the raw stream, for calling the runtime or a custom operator directly.
    ///
    /// This crate does not know of work that other code queues on it: synchronise the stream before tensors that such
    /// work uses are used on other streams or dropped.
    pub fn as_raw(&self) -> aclrtStream {
        self.core().as_raw()
    }

    #[inline]
    pub(crate) fn core(&self) -> &Arc<StreamCore> {
        match &self.0 {
            Which::OfDevice(device) => device.stream_core(),
            Which::Own(own) => &own.core,
        }
    }

    /// Returns a number that is different for every stream of the process.
    #[inline]
    pub(crate) fn id(&self) -> u64 {
        self.core().id()
    }
}

impl Device {
    /// Returns the default stream of the device, which is used where no other stream is given. This crate makes it when
    /// the device is opened; it is not the null stream of C calls.
    pub fn stream(&self) -> Stream {
        Stream(Which::OfDevice(self.clone()))
    }
}

impl Own {
    /// Only the first call does something: afterwards there is nothing left to end.
    fn end(&self, bound: &Bound<'_>) -> Result<()> {
        let ended = self.device.streams().end(&self.core, bound);
        // Memory that is free in the order of a stream that stays is freed when the device is synchronised.
        if self.core.has_ended() {
            self.device.pool().share(self.core.id());
            #[cfg(feature = "collectives")]
            return ended.and(self.device.retired_communicators().sweep(bound));
        }
        ended
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        // If the context cannot be made current, for example while a thread ends, the stream stays until its device
        // ends.
        if let Ok(bound) = self.device.bind_to_drop() {
            let ended = self.end(&bound);
            self.device.defer("a stream", ended);
        }
    }
}

impl From<&Device> for Stream {
    /// Returns the default stream of the device.
    fn from(device: &Device) -> Stream {
        device.stream()
    }
}

impl From<Device> for Stream {
    /// Returns the default stream of the device.
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

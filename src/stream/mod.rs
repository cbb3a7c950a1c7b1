//! Streams: queues of work in order.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use aclnn_sys::aclrtStream;

use crate::acl::{Bound, RawStream};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::event::Event;

/// A queue of work that runs in order, beside the work of other streams.
///
/// Operators return as soon as their work is queued. A result is read by [`Tensor::to_vec`](crate::Tensor::to_vec), which
/// waits. Work on tensors of two streams is put in order by itself; events do the same for anything else.
///
/// Handles share the stream, and tensors keep it alive.
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

/// A stream without its device. Buffers that it has used keep it; it may have ended by then.
#[derive(Debug)]
pub(crate) struct StreamCore {
    /// `None` when the stream has ended, and so has all its work. Who uses it holds the lock.
    raw: RwLock<Option<RawStream>>,
    id: u64,
    /// Counts the moments at which memory became free in the order of this stream.
    released: AtomicU64,
    /// The last of these moments that the stream is known to have passed.
    passed: AtomicU64,
}

impl StreamCore {
    pub(crate) fn new(raw: RawStream) -> Arc<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        Arc::new(Self {
            raw: RwLock::new(Some(raw)),
            id,
            released: AtomicU64::new(0),
            passed: AtomicU64::new(0),
        })
    }

    /// Different for every stream of the process, and never 0.
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    /// The stream, which does not end while the lock is held.
    pub(crate) fn lock(&self) -> RwLockReadGuard<'_, Option<RawStream>> {
        self.raw.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new moment: everything that is queued by now comes before it.
    pub(crate) fn moment(&self) -> u64 {
        self.released.fetch_add(1, Ordering::AcqRel) + 1
    }

    /// Whether the stream is known to have passed a moment.
    pub(crate) fn has_passed(&self, moment: u64) -> bool {
        self.passed.load(Ordering::Acquire) >= moment
    }

    pub(crate) fn synchronize(&self, bound: &Bound<'_>) -> Result<()> {
        let queued = self.released.load(Ordering::Acquire);
        self.lock().as_ref().map_or(Ok(()), |raw| bound.synchronize_stream(raw))?;
        self.passed.fetch_max(queued, Ordering::AcqRel);
        Ok(())
    }

    /// Lets work that is queued here from now on wait for what is queued on another stream of the device so far.
    pub(crate) fn wait_for(&self, other: &StreamCore, bound: &Bound<'_>) -> Result<()> {
        let (own, other) = (self.lock(), other.lock());
        // A stream that has ended has no work.
        let (Some(own), Some(other)) = (own.as_ref(), other.as_ref()) else { return Ok(()) };
        let event = bound.create_event(false)?;
        let ordered = bound.record(&event, other).and_then(|()| bound.wait(own, &event));
        // An event may go before it has come to pass.
        ordered.and(bound.destroy_event(event))
    }

    /// Waits for the work and destroys the stream.
    pub(crate) fn end(&self, bound: &Bound<'_>) -> Result<()> {
        let mut raw = self.raw.write().unwrap_or_else(PoisonError::into_inner);
        raw.take().map_or(Ok(()), |raw| bound.destroy_stream(raw))
    }
}

impl PartialEq for StreamCore {
    fn eq(&self, other: &StreamCore) -> bool {
        self.id == other.id
    }
}

impl Stream {
    /// A new stream on a device.
    ///
    /// # Errors
    /// What the library returned; there is a limited number of streams.
    #[doc(alias = "aclrtCreateStream")]
    pub fn new(device: &Device) -> Result<Stream> {
        let core = StreamCore::new(device.bind()?.create_stream()?);
        Ok(Stream(Which::Own(Arc::new(Own { core, device: device.clone() }))))
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

    /// Waits for all work queued so far.
    ///
    /// # Errors
    /// What failed while the work ran.
    #[doc(alias = "aclrtSynchronizeStream")]
    pub fn synchronize(&self) -> Result<()> {
        self.core().synchronize(&self.device().bind()?)
    }

    /// Marks the work queued so far.
    ///
    /// # Errors
    /// What the library returned.
    #[doc(alias = "aclrtRecordEvent")]
    pub fn record(&self) -> Result<Event> {
        Event::record(self)
    }

    /// Lets work that is queued from now on wait for an event.
    ///
    /// # Errors
    /// [`Error::Devices`] if the event belongs to another device, or what the library returned.
    #[doc(alias = "aclrtStreamWaitEvent")]
    pub fn wait(&self, event: &Event) -> Result<()> {
        event.wait_on(self)
    }

    /// Ends the stream: waits for its work, destroys it and reports what failed, which dropping the last handle could not.
    /// The stream that every device has is only waited for.
    ///
    /// # Errors
    /// [`Error::InUse`] while other handles or tensors belong to it, or what failed while the work ran.
    #[doc(alias = "aclrtDestroyStream")]
    pub fn close(self) -> Result<()> {
        self.synchronize()?;
        let Which::Own(own) = self.0 else { return Ok(()) };
        let device = own.device.id();
        match Arc::try_unwrap(own) {
            Ok(own) => own.end(),
            Err(shared) => Err(Error::InUse {
                what: "stream of device",
                device,
                others: Arc::strong_count(&shared).saturating_sub(1),
            }),
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
        self.core().id
    }
}

impl Own {
    /// Once is enough: a second time there is nothing left to end.
    fn end(&self) -> Result<()> {
        self.core.end(&self.device.bind_to_drop()?)?;
        // It has passed all its work, so what was free in its order is free for everybody.
        self.device.pool().share(self.core.id);
        Ok(())
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        let ended = self.end();
        self.device.defer("a stream", ended);
    }
}

impl From<&Device> for Stream {
    /// The stream that every device has.
    fn from(device: &Device) -> Stream {
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

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("id", &self.id()).field("device", &self.device().id()).finish()
    }
}

//! Devices: shared handles to the NPUs of this machine.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use aclnn_numerics::product::Product;
use aclnn_sys::aclrtContext;

use crate::acl::{self, Bound, Context, RawEvent};
use crate::backend::Backend;
use crate::error::{CloseError, Error, Result};
use crate::host::Retired;
use crate::memory::Pool;
use crate::peer::Peers;
use crate::process;
use crate::stream::{Stream, StreamCore, Streams};
use crate::trace::{self, Notes};

/// An NPU, or an emulated one. Handles are shared: opening a device twice gives two handles to the same device.
///
/// Streams, events and tensors keep their device alive. Many threads may use a device at once. A call makes the
/// device's context current on the calling thread and leaves it current: code that calls the runtime itself, in the
/// program or in another library, must set its own context first.
///
/// ```
/// let device = aclnn::Device::open(0)?;
/// println!("{} on {}", device.soc_name(), device.backend());
/// # Ok::<(), aclnn::Error>(())
/// ```
#[derive(Clone)]
pub struct Device(Arc<Inner>);

struct Inner {
    backend: &'static Backend,
    id: i32,
    context: Context,
    soc_name: String,
    product: Option<Product>,
    stream: Arc<StreamCore>,
    streams: Streams,
    /// Events that could not be destroyed when they were dropped, for example while a thread ended.
    events: Mutex<Vec<RawEvent>>,
    ended: AtomicBool,
    pool: Pool,
    retired: Retired,
    peers: Peers,
    deferred: Arc<Deferred>,
}

/// The free and total memory of a device, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoryInfo {
    /// The bytes that are not allocated. Memory that this crate keeps cached counts as allocated.
    pub free: usize,
    /// The bytes of memory that the device has.
    pub total: usize,
}

/// The devices that are open, and the failures of those that were closed.
static OPEN: Mutex<Vec<Entry>> = Mutex::new(Vec::new());

struct Entry {
    id: i32,
    device: Weak<Inner>,
    lost: Option<Error>,
}

/// The number of devices that have not ended. A device whose last handle is being dropped by another thread counts.
static NOT_ENDED: AtomicUsize = AtomicUsize::new(0);

fn open_devices() -> MutexGuard<'static, Vec<Entry>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `then` if no device is open, and opens none meanwhile. Reports failures of earlier drops.
pub(crate) fn when_none_is_open(then: impl FnOnce() -> Result<()>) -> Result<()> {
    let mut devices = open_devices();
    if NOT_ENDED.load(Ordering::Acquire) > 0 {
        let handles = |entry: &Entry| (entry.id, entry.device.strong_count());
        let (device, others) =
            devices.iter().map(handles).max_by_key(|(_, handles)| *handles).unwrap_or_default();
        return Err(Error::InUse { what: "device", device, others: others.max(1) });
    }
    let done = then();
    let lost = devices.iter_mut().find_map(|entry| entry.lost.take());
    drop(devices);
    done.and(lost.map_or(Ok(()), Err))
}

impl Device {
    /// Opens the device with this ordinal; the first is 0. The first call finds and initialises the libraries.
    ///
    /// # Errors
    /// Those of [`Backend::get`]; an error of the library if there is no such device; or what failed while the last
    /// handle of this device was dropped.
    #[doc(alias = "aclrtSetDevice")]
    pub fn open(id: i32) -> Result<Device> {
        let backend = Backend::get()?;
        let mut devices = open_devices();
        if let Some(entry) = devices.iter_mut().find(|entry| entry.id == id) {
            if let Some(device) = entry.device.upgrade() {
                return Ok(Device(device));
            }
            if let Some(lost) = entry.lost.take() {
                return Err(lost);
            }
        }
        // Another thread may have ended the use of the libraries meanwhile.
        backend.initialise()?;
        let device = Arc::new(Inner::open(backend, id)?);
        devices.retain(|entry| entry.id != id);
        devices.push(Entry { id, device: Arc::downgrade(&device), lost: None });
        // The subscriber that is told may open devices too.
        drop(devices);
        trace::opened(id, &device.soc_name);
        Ok(Device(device))
    }

    /// Opens every device.
    ///
    /// # Errors
    /// Those of [`Device::open`] and [`Device::count`].
    pub fn all() -> Result<Vec<Device>> {
        (0..Device::count()?).map(|id| Device::open(id.cast_signed())).collect()
    }

    /// Returns the number of devices.
    ///
    /// # Errors
    /// Those of [`Backend::get`], or what the library returned.
    #[doc(alias = "aclrtGetDeviceCount")]
    pub fn count() -> Result<u32> {
        acl::device_count(Backend::get()?)
    }

    /// Returns the ordinal of the device.
    pub fn id(&self) -> i32 {
        self.0.id
    }

    /// Returns the libraries that serve the device.
    pub fn backend(&self) -> &'static Backend {
        self.0.backend
    }

    /// Returns the SoC name, such as `Ascend910B1`, or an empty string where the library does not tell it.
    #[doc(alias = "aclrtGetSocName")]
    pub fn soc_name(&self) -> &str {
        &self.0.soc_name
    }

    /// Returns the product line, which decides the element types that operators take, or `None` for a device whose
    /// product line is not known. In that case this crate refuses no type and the library decides.
    pub fn product(&self) -> Option<Product> {
        self.0.product
    }

    /// Returns the default stream of the device, which is used where no other stream is given. This crate makes it when
    /// the device is opened; it is not the null stream of C calls.
    pub fn stream(&self) -> Stream {
        Stream::of_device(self)
    }

    /// Waits for all work on all streams of the device.
    ///
    /// # Errors
    /// [`Error::StreamFailed`] if work of an existing stream has failed, now or earlier.
    #[doc(alias = "aclrtSynchronizeDevice")]
    pub fn synchronize(&self) -> Result<()> {
        let idle = self.0.streams.idle(&self.bind()?);
        self.0.streams.check().and(idle)
    }

    /// Returns the free and total memory of the device.
    ///
    /// # Errors
    /// What the library returned.
    #[doc(alias = "aclrtGetMemInfo")]
    pub fn memory_info(&self) -> Result<MemoryInfo> {
        let (free, total) = self.bind()?.memory_info()?;
        Ok(MemoryInfo { free, total })
    }

    /// Closes the device: waits for its work, releases its memory and reports failures, which dropping the last handle
    /// cannot do.
    ///
    /// # Errors
    /// [`Error::InUse`], which gives the handle back, while other handles, streams, events or tensors of the device
    /// exist; what failed earlier in a drop, while the work ran, or while the device was reset. The handle is also
    /// given back if the device could not be reached.
    #[doc(alias = "aclrtResetDevice")]
    pub fn close(self) -> Result<(), CloseError<Device>> {
        if let Err(error) = process::check() {
            return Err(CloseError::new(self, error));
        }
        let device = self.id();
        let notes = Notes::default();
        // While this is locked, no thread without a handle can get one.
        let mut devices = open_devices();
        let others = Arc::strong_count(&self.0).saturating_sub(1);
        if others > 0 {
            return Err(CloseError::new(self, Error::InUse { what: "device", device, others }));
        }
        let bound = match self.bind_to_drop() {
            Ok(bound) => bound,
            Err(error) => return Err(CloseError::new(self, error)),
        };
        devices.retain(|entry| entry.id != device);
        let earlier = self.deferred();
        let ended = self.0.end(&bound);
        // Subscribers are told after the lock is released.
        notes.take(bound.notes());
        Ok(earlier.and(ended).and(self.deferred())?)
    }

    /// Returns the raw context, for calling the runtime directly. It is the device's own context, which all
    /// libraries of the process share. Handles that other code made in this context can be adopted as a
    /// [stream](Stream::from_raw), an [event](crate::Event::from_raw) or a [tensor](crate::Tensor::from_raw).
    pub fn as_raw(&self) -> aclrtContext {
        self.0.context.as_raw()
    }

    /// Starts calls in the context of the device. Reports failures of earlier drops first.
    #[inline]
    pub(crate) fn bind(&self) -> Result<Bound<'_>> {
        process::check()?;
        self.deferred()?;
        Bound::new(self.0.backend, &self.0.context)
    }

    /// Reports a failure of a drop that was not reported yet.
    #[inline]
    pub(crate) fn deferred(&self) -> Result<()> {
        self.0.deferred.take().map_or(Ok(()), Err)
    }

    /// As [`Device::bind`], for drops: an earlier failure is not reported, and nothing new is started.
    pub(crate) fn bind_to_drop(&self) -> Result<Bound<'_>> {
        Bound::reached(self.0.backend, &self.0.context)
    }

    /// Keeps a failure of a drop for the next call that can report it.
    pub(crate) fn defer(&self, what: &'static str, result: Result<()>) {
        self.0.deferred.defer(what, result);
    }

    /// Returns the store of failures, for values that may outlive their handles.
    pub(crate) fn failures(&self) -> &Arc<Deferred> {
        &self.0.deferred
    }

    /// Keeps a failure for the next call that can report it.
    pub(crate) fn keep(&self, error: Error) {
        self.0.deferred.put(error);
    }

    /// Keeps an event until the device ends.
    pub(crate) fn keep_event(&self, event: RawEvent) {
        self.0.events.lock().unwrap_or_else(PoisonError::into_inner).push(event);
    }

    pub(crate) fn pool(&self) -> &Pool {
        &self.0.pool
    }

    pub(crate) fn retired(&self) -> &Retired {
        &self.0.retired
    }

    pub(crate) fn peers(&self) -> &Peers {
        &self.0.peers
    }

    pub(crate) fn streams(&self) -> &Streams {
        &self.0.streams
    }

    pub(crate) fn stream_core(&self) -> &Arc<StreamCore> {
        &self.0.stream
    }
}

#[cfg(test)]
impl Device {
    /// Opens device 0 of other libraries.
    pub(crate) fn of(backend: &'static Backend) -> Result<Device> {
        Ok(Device(Arc::new(Inner::open(backend, 0)?)))
    }

    /// Opens device 0 as if its product were not known.
    pub(crate) fn of_unknown_product() -> Result<Device> {
        let mut inner = Inner::open(Backend::get()?, 0)?;
        inner.product = None;
        Ok(Device(Arc::new(inner)))
    }
}

impl Inner {
    fn open(backend: &'static Backend, id: i32) -> Result<Inner> {
        let context = acl::set_device(backend, id)?;
        let streams = Streams::default();
        let opened = Bound::new(backend, &context).and_then(|bound| {
            let soc_name = bound.soc_name().unwrap_or_default();
            Ok((soc_name, streams.create(&bound)?))
        });
        let (soc_name, stream) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                // The first failure is the one to report.
                let _ = Bound::new(backend, &context).and_then(|bound| bound.reset(id));
                return Err(error);
            }
        };
        NOT_ENDED.fetch_add(1, Ordering::AcqRel);
        Ok(Inner {
            backend,
            id,
            context,
            product: Product::from_soc_name(&soc_name),
            soc_name,
            stream,
            streams,
            events: Mutex::default(),
            ended: AtomicBool::new(false),
            pool: Pool::default(),
            retired: Retired::default(),
            peers: Peers::default(),
            deferred: Arc::default(),
        })
    }

    /// Releases everything, even if a step fails; the first failure is reported.
    fn end(&self, bound: &Bound<'_>) -> Result<()> {
        if self.ended.swap(true, Ordering::AcqRel) {
            return Ok(());
        }
        let mut result = self.streams.end_all(bound);
        for event in self.events.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            result = result.and(bound.destroy_event(event));
        }
        let pool = self.pool.trim(0, &self.streams, bound);
        let host = self.retired.release(&self.streams, bound);
        let reset = bound.reset(self.id);
        result.and(pool).and(host).and(reset)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if process::is_forked() {
            return;
        }
        let earlier = self.deferred.take();
        let ended = if self.ended.load(Ordering::Acquire) {
            Ok(())
        } else {
            // If the context cannot be made current, the device stays as it is.
            Bound::reached(self.backend, &self.context).and_then(|bound| self.end(&bound))
        };
        let ended = ended.map_err(|cause| Error::Deferred { what: "a device", cause: cause.into() });
        if let Some(lost) = earlier.or(ended.err()).or_else(|| self.deferred.take()) {
            let mut devices = open_devices();
            if let Some(entry) = devices.iter_mut().find(|entry| entry.id == self.id) {
                entry.lost.get_or_insert(lost);
            }
        }
        NOT_ENDED.fetch_sub(1, Ordering::AcqRel);
    }
}

impl PartialEq for Device {
    fn eq(&self, other: &Device) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Device {}

impl Hash for Device {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Device")
            .field("id", &self.0.id)
            .field("soc_name", &self.0.soc_name)
            .finish_non_exhaustive()
    }
}

/// The first failure that could not be reported where it happened.
#[derive(Debug, Default)]
pub(crate) struct Deferred {
    any: AtomicBool,
    error: Mutex<Option<Error>>,
}

impl Deferred {
    /// Keeps a failure of a drop for the next call that can report it.
    pub(crate) fn defer(&self, what: &'static str, result: Result<()>) {
        if let Err(cause) = result
            && !process::is_forked()
        {
            self.put(Error::Deferred { what, cause: cause.into() });
        }
    }

    fn put(&self, error: Error) {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.any.store(true, Ordering::Release);
    }

    #[inline]
    fn take(&self) -> Option<Error> {
        if !self.any.load(Ordering::Acquire) {
            return None;
        }
        let mut error = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        self.any.store(false, Ordering::Release);
        error.take()
    }
}

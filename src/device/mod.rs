//! Devices: shared handles to the NPUs of this machine.
//!
//! [`Device`] is the handle. `open` holds what an open device consists of, and how it ends. `retired_host_memory` holds pinned
//! memory that copies may still use, `retired_communicators` holds communicators whose work may still run, and `peers` tells
//! which other devices a device reaches. Streams and device memory add their methods of [`Device`] where they are: in
//! [`stream`](crate::stream) and [`memory`](crate::memory).

mod open;
mod peers;
#[cfg(feature = "collectives")]
mod retired_communicators;
mod retired_host_memory;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, PoisonError};

use aclnn_numerics::product::Product;
use aclnn_sys::aclrtContext;

use crate::acl::{Bound, RawEvent};
use crate::backend::Backend;
use crate::device_core::DeviceCore;
use crate::error::{CloseError, Error, Result};
use crate::fork;
use crate::pool::Pool;
use crate::stream_core::{StreamCore, Streams};
use crate::trace::{self, Notes};
use open::{Entry, Inner, open_devices};

pub(crate) use open::when_none_is_open;
#[cfg(feature = "collectives")]
pub(crate) use retired_communicators::{RetiredCommunicators, Until};
pub(crate) use retired_host_memory::{Copying, Retired};

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
        Backend::get()?.acl().device_count()
    }

    /// Returns the ordinal of the device.
    pub fn id(&self) -> i32 {
        self.0.id
    }

    /// Returns the libraries that serve the device.
    pub fn backend(&self) -> &'static Backend {
        self.0.core.backend()
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

    /// Waits for all work on all streams of the device. While other code captures a graph from a stream that this crate does
    /// not know, waits for the streams of this crate alone, as the library does not wait for the device then.
    ///
    /// # Errors
    /// [`Error::StreamFailed`] if work of an existing stream has failed, now or earlier.
    #[doc(alias = "aclrtSynchronizeDevice")]
    pub fn synchronize(&self) -> Result<()> {
        let idle = self.0.streams.idle(&self.bind()?);
        self.0.streams.check().and(idle)
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
        if let Err(error) = fork::check() {
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
    /// [stream](crate::Stream::from_raw), an [event](crate::Event::from_raw) or a [tensor](crate::Tensor::from_raw).
    pub fn as_raw(&self) -> aclrtContext {
        self.0.context.as_raw()
    }

    /// Starts calls in the context of the device. Reports failures of earlier drops first.
    #[inline]
    pub(crate) fn bind(&self) -> Result<Bound<'_>> {
        self.0.bind()
    }

    /// Reports a failure of a drop that was not reported yet.
    #[inline]
    pub(crate) fn deferred(&self) -> Result<()> {
        self.0.core.check()
    }

    /// As [`Device::bind`], for drops: an earlier failure is not reported, and nothing new is started.
    pub(crate) fn bind_to_drop(&self) -> Result<Bound<'_>> {
        self.0.bind_to_drop()
    }

    /// Keeps a failure of a drop for the next call that can report it.
    pub(crate) fn defer(&self, what: &'static str, result: Result<()>) {
        self.0.core.defer(what, result);
    }

    /// Keeps a failure for the next call that can report it.
    pub(crate) fn keep(&self, error: Error) {
        self.0.core.keep(error);
    }

    /// Returns the part of the device for values that may outlive it.
    pub(crate) fn core(&self) -> &Arc<DeviceCore> {
        &self.0.core
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

    #[cfg(feature = "collectives")]
    pub(crate) fn retired_communicators(&self) -> &RetiredCommunicators {
        &self.0.retired_communicators
    }

    /// Returns whether this device reaches the memory of another one. The first call enables access.
    pub(crate) fn reaches(&self, peer: &Device) -> Result<bool> {
        self.0.peers.reach(peer.stream_core().id(), &self.bind()?, self.id(), peer.id())
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

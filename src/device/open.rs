//! The devices that are open: what each of them holds until it ends, and the list of all.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use aclnn_numerics::product::Product;

use super::peers::Peers;
#[cfg(feature = "collectives")]
use super::retired_communicators::RetiredCommunicators;
use super::retired_host_memory::Retired;
use crate::acl::{Bound, Context, RawEvent};
use crate::backend::Backend;
use crate::device_core::DeviceCore;
use crate::error::{Error, Result};
use crate::fork;
use crate::pool::Pool;
use crate::stream_core::{StreamCore, Streams};

/// A device that is open, and everything that ends with it.
pub(super) struct Inner {
    pub(super) core: Arc<DeviceCore>,
    pub(super) context: Context,
    pub(super) id: i32,
    pub(super) soc_name: String,
    pub(super) product: Option<Product>,
    /// The default stream.
    pub(super) stream: Arc<StreamCore>,
    pub(super) streams: Streams,
    /// Events that could not be destroyed when they were dropped, for example while a thread ended.
    pub(super) events: Mutex<Vec<RawEvent>>,
    ended: AtomicBool,
    pub(super) pool: Pool,
    pub(super) retired: Retired,
    #[cfg(feature = "collectives")]
    pub(super) retired_communicators: RetiredCommunicators,
    pub(super) peers: Peers,
}

/// The devices that are open, and the failures of those that were closed.
static OPEN: Mutex<Vec<Entry>> = Mutex::new(Vec::new());

pub(super) struct Entry {
    pub(super) id: i32,
    pub(super) device: Weak<Inner>,
    pub(super) lost: Option<Error>,
}

/// The number of devices that have not ended. A device whose last handle is being dropped by another thread counts.
static NOT_ENDED: AtomicUsize = AtomicUsize::new(0);

pub(super) fn open_devices() -> MutexGuard<'static, Vec<Entry>> {
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

impl Inner {
    pub(super) fn open(backend: &'static Backend, id: i32) -> Result<Inner> {
        let context = backend.acl().set_device(id)?;
        let streams = Streams::default();
        let opened = Bound::new(backend.acl(), &context).and_then(|bound| {
            let soc_name = bound.soc_name().unwrap_or_default();
            Ok((soc_name, streams.create(&bound)?))
        });
        let (soc_name, stream) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                // The first failure is the one to report.
                let _ = Bound::new(backend.acl(), &context).and_then(|bound| bound.reset(id));
                return Err(error);
            }
        };
        NOT_ENDED.fetch_add(1, Ordering::AcqRel);
        Ok(Inner {
            core: Arc::new(DeviceCore::new(backend)),
            context,
            id,
            product: Product::from_soc_name(&soc_name),
            soc_name,
            stream,
            streams,
            events: Mutex::default(),
            ended: AtomicBool::new(false),
            pool: Pool::new(id),
            retired: Retired::default(),
            #[cfg(feature = "collectives")]
            retired_communicators: RetiredCommunicators::default(),
            peers: Peers::default(),
        })
    }

    /// Starts calls in the context of the device. Reports failures of earlier drops first.
    #[inline]
    pub(super) fn bind(&self) -> Result<Bound<'_>> {
        fork::check()?;
        self.core.check()?;
        Bound::new(self.core.backend().acl(), &self.context)
    }

    /// As [`Inner::bind`], for drops: an earlier failure is not reported, and nothing new is started. Fails if the
    /// context cannot be made current, for example while a thread ends.
    pub(super) fn bind_to_drop(&self) -> Result<Bound<'_>> {
        Bound::reached(self.core.backend().acl(), &self.context)
    }

    /// Releases everything, even if a step fails; the first failure is reported.
    pub(super) fn end(&self, bound: &Bound<'_>) -> Result<()> {
        if self.ended.swap(true, Ordering::AcqRel) {
            return Ok(());
        }
        let mut result = self.streams.end_all(bound);
        #[cfg(feature = "collectives")]
        {
            result = result.and(self.retired_communicators.release(&self.streams, bound));
        }
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
        if fork::is_forked() {
            return;
        }
        let earlier = self.core.take_deferred();
        let ended = if self.ended.load(Ordering::Acquire) {
            Ok(())
        } else {
            // If the context cannot be made current, the device stays as it is.
            self.bind_to_drop().and_then(|bound| self.end(&bound))
        };
        let ended = ended.map_err(|cause| Error::Deferred { what: "a device", cause: cause.into() });
        if let Some(lost) = earlier.or(ended.err()).or_else(|| self.core.take_deferred()) {
            let mut devices = open_devices();
            if let Some(entry) = devices.iter_mut().find(|entry| entry.id == self.id) {
                entry.lost.get_or_insert(lost);
            }
        }
        NOT_ENDED.fetch_sub(1, Ordering::AcqRel);
    }
}

//! Events: marks in a stream.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use aclnn_sys::aclrtEvent;

use crate::acl::RawEvent;
use crate::device::Device;
use crate::error::{CloseError, Error, Operands, Result};
use crate::fork;
use crate::stream::Stream;
use crate::stream_core::StreamCore;

/// A mark in a stream, made by [`Stream::record`]. It is complete when the work queued before it is done.
///
/// ```
/// use aclnn::{Device, Tensor};
///
/// let device = Device::open(0)?;
/// let before = device.stream().record()?;
/// let ones = Tensor::ones(&device, [1000], aclnn::DType::F32)?;
/// let after = device.stream().record()?;
/// after.synchronize()?;
/// println!("{:?} for {ones}", after.elapsed_since(&before)?);
/// # Ok::<(), aclnn::Error>(())
/// ```
pub struct Event {
    /// `None` only while the event is being destroyed.
    raw: Option<RawEvent>,
    device: Device,
    /// The stream of the event, and the moment on the stream that comes after the event.
    stream: Arc<StreamCore>,
    moment: u64,
}

impl Stream {
    /// Records an event after the work queued so far. A device has a limited number of events whose work is not done;
    /// if none is left, this function waits for the work of the device, which frees events.
    ///
    /// # Errors
    /// What the library returned.
    #[doc(alias = "aclrtRecordEvent")]
    pub fn record(&self) -> Result<Event> {
        Event::record(self)
    }

    /// Makes work that is queued from now on wait for an event, and fail if the work before the event fails.
    ///
    /// # Errors
    /// [`Error::Devices`] if the event belongs to another device, [`Error::StreamFailed`] if the event's stream is
    /// known to have failed, or what the library returned.
    #[doc(alias = "aclrtStreamWaitEvent")]
    pub fn wait(&self, event: &Event) -> Result<()> {
        event.wait_on(self)
    }
}

impl Event {
    fn record(stream: &Stream) -> Result<Event> {
        let device = stream.device();
        let bound = device.bind()?;
        let core = stream.core();
        core.must_not_be_captured("recording an event")?;
        device.streams().with_an_event(&bound, || {
            let raw = bound.create_event(true)?;
            let recorded = core.with_free("recording an event", |stream| bound.record(&raw, stream));
            let (stream, moment) = (core.clone(), core.moment());
            let event = Event { raw: Some(raw), device: device.clone(), stream, moment };
            recorded.map(|()| event)
        })
    }

    /// Adopts an event that was made by calling the runtime directly, and recorded in a stream. Dropping the returned
    /// event destroys it. [`Event::elapsed_since`] needs an event that was made to measure time.
    ///
    /// # Safety
    /// `event` is a live event of the [context](Device::as_raw) of this device, was recorded once in `stream`, or in
    /// another stream of that context that this crate does not own, and is not null. From now on no other code records,
    /// resets, destroys or adopts it.
    #[doc(alias = "aclrtCreateEvent")]
    pub unsafe fn from_raw(stream: &Stream, event: aclrtEvent) -> Event {
        let (device, core) = (stream.device().clone(), stream.core().clone());
        let moment = core.moment();
        // SAFETY: the caller vouches for it.
        Event { raw: Some(unsafe { RawEvent::adopt(event) }), device, stream: core, moment }
    }

    fn wait_on(&self, stream: &Stream) -> Result<()> {
        if *stream.device() != self.device {
            return Err(Error::Devices {
                operator: "wait",
                operands: Operands::new([]),
                first: stream.device().id(),
                second: self.device.id(),
            });
        }
        let bound = stream.device().bind()?;
        stream.core().must_not_be_captured("waiting for an event")?;
        if self.stream != *stream.core() {
            stream.core().uses(&self.stream, self.moment)?;
        }
        let raw = self.raw.as_ref().ok_or(Error::Internal { what: "an event that has ended" })?;
        stream.core().with_free("waiting for an event", |stream| bound.wait(stream, raw))
    }

    /// Returns the device of the event's stream.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Waits until the work before the event is done. [`Stream::synchronize`] tells whether that work succeeded.
    ///
    /// # Errors
    /// What the library returned.
    #[doc(alias = "aclrtSynchronizeEvent")]
    pub fn synchronize(&self) -> Result<()> {
        let bound = self.device.bind()?;
        self.raw.as_ref().map_or(Ok(()), |raw| bound.synchronize_event(raw))
    }

    /// Returns whether the work before the event is done.
    ///
    /// # Errors
    /// What the library returned.
    #[doc(alias = "aclrtQueryEventStatus")]
    pub fn is_complete(&self) -> Result<bool> {
        let bound = self.device.bind()?;
        self.raw.as_ref().map_or(Ok(true), |raw| bound.is_complete(raw))
    }

    /// Returns the time between an earlier event and this one; both must be complete.
    ///
    /// # Errors
    /// [`Error::Devices`] if they belong to two devices, or what the library returned.
    #[doc(alias = "aclrtEventElapsedTime")]
    pub fn elapsed_since(&self, earlier: &Event) -> Result<Duration> {
        if self.device != earlier.device {
            return Err(Error::Devices {
                operator: "elapsed_since",
                operands: Operands::new([]),
                first: earlier.device.id(),
                second: self.device.id(),
            });
        }
        let bound = self.device.bind()?;
        let (Some(start), Some(end)) = (&earlier.raw, &self.raw) else { return Ok(Duration::ZERO) };
        let milliseconds = bound.elapsed(start, end)?;
        Ok(Duration::try_from_secs_f32(milliseconds / 1000.0).unwrap_or_default())
    }

    /// Destroys the event and reports failures, which dropping it cannot do.
    ///
    /// # Errors
    /// What failed earlier in a drop, or what the library returned. The event is given back if nothing was destroyed.
    #[doc(alias = "aclrtDestroyEvent")]
    pub fn close(mut self) -> Result<(), CloseError<Event>> {
        match self.end() {
            Err(error) if self.raw.is_some() => Err(CloseError::new(self, error)),
            ended => Ok(ended.and_then(|()| self.device.deferred())?),
        }
    }

    /// Returns the raw event, for calling the runtime directly.
    pub fn as_raw(&self) -> aclrtEvent {
        self.raw.as_ref().map_or(std::ptr::null_mut(), RawEvent::as_raw)
    }

    fn end(&mut self) -> Result<()> {
        let bound = self.device.bind_to_drop()?;
        self.raw.take().map_or(Ok(()), |raw| bound.destroy_event(raw))
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        let Some(raw) = self.raw.take() else { return };
        if fork::is_forked() {
            return;
        }
        match self.device.bind_to_drop() {
            Ok(bound) => self.device.defer("an event", bound.destroy_event(raw)),
            // For example while a thread ends: the event is destroyed with the device.
            Err(_) => self.device.keep_event(raw),
        }
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Event").field("device", &self.device.id()).finish_non_exhaustive()
    }
}

//! The runtime's functions, made as safe as possible: handles are owned, and codes become errors.
//!
//! Most functions of the runtime work in the context that is current on the thread. A [`Bound`] makes the device's
//! context current right before each of these functions, because code that runs in between, such as the program's
//! allocator, may set another context. Subscribers are told of the calls when the [`Bound`] is dropped, as they may
//! call this crate too. Handle types cannot be copied; releasing a handle consumes it.

use std::ffi::{CStr, c_char, c_void};
use std::ptr::{self, NonNull};

use aclnn_sys::{
    ACL_EVENT_RECORDED_STATUS_COMPLETE, ACL_EVENT_RECORDED_STATUS_NOT_READY, ACL_EVENT_SYNC,
    ACL_EVENT_TIME_LINE, ACL_HBM_MEM, ACL_MEM_MALLOC_HUGE_FIRST, ACL_MEMCPY_DEVICE_TO_DEVICE,
    ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_HOST_TO_DEVICE, ACL_STREAM_STATUS_COMPLETE,
    ACL_STREAM_STATUS_NOT_READY, ACL_SUCCESS, MissingSymbol, Runtime, aclError, aclrtContext, aclrtEvent,
    aclrtStream,
};

use crate::backend::Backend;
use crate::error::{Failure, Result};
use crate::process;
use crate::trace::Notes;

/// Returns the message of the last failure on this thread, which clears it.
pub(crate) fn recent_message(runtime: &Runtime) -> Option<String> {
    // SAFETY: no arguments.
    let message = unsafe { runtime.aclGetRecentErrMsg() }.ok()?;
    if message.is_null() {
        return None;
    }
    // SAFETY: a text that stays until this thread asks again, and is copied at once.
    let message = unsafe { CStr::from_ptr(message) }.to_string_lossy();
    let message = message.trim();
    (!message.is_empty()).then(|| message.to_owned())
}

/// Returns an error for every code but success, with the library's message.
#[inline]
pub(crate) fn check(
    backend: &Backend,
    function: &'static str,
    code: Result<aclError, MissingSymbol>,
) -> Result<()> {
    match code? {
        ACL_SUCCESS => Ok(()),
        code => Err(failed(backend, function, Some(code)).into()),
    }
}

#[cold]
pub(crate) fn failed(backend: &Backend, function: &'static str, code: Option<i32>) -> Failure {
    Failure { function, code, message: recent_message(backend.runtime()) }
}

/// Calls a function of the runtime and checks its code.
macro_rules! call {
    ($backend:expr, $function:ident($($argument:expr),* $(,)?)) => {{
        let backend: &Backend = $backend;
        let code = backend.runtime().$function($($argument),*);
        check(backend, stringify!($function), code)
    }};
}

/// As `call!`, in the context of a [`Bound`]. Nothing runs between making it current and the function.
macro_rules! call_in {
    ($bound:expr, $function:ident($($argument:expr),* $(,)?)) => {{
        let bound: &Bound<'_> = $bound;
        bound.make_current().and_then(|()| call!(bound.backend, $function($($argument),*)))
    }};
}

/// As `call_in!`, for functions that release something. The function is called even if the context cannot be made
/// current: it may need no context, and otherwise it refuses.
macro_rules! release_in {
    ($bound:expr, $function:ident($($argument:expr),* $(,)?)) => {{
        let bound: &Bound<'_> = $bound;
        let current = bound.make_current();
        let released = call!(bound.backend, $function($($argument),*));
        current.and(released)
    }};
}

mod host;
mod peer;

pub(crate) use host::HostMemory;

/// Returns the number of devices.
pub(crate) fn device_count(backend: &Backend) -> Result<u32> {
    let mut count = 0;
    // SAFETY: a valid place.
    unsafe { call!(backend, aclrtGetDeviceCount(&mut count)) }?;
    Ok(count)
}

/// Returns whether these are the emulator's libraries, which their version strings show.
pub(crate) fn is_emulated(runtime: &Runtime) -> bool {
    let mut package = *b"runtime\0";
    let mut version = [0 as c_char; 256];
    // SAFETY: a text that ends with a zero byte, and a place for twice the bytes that are asked for.
    let code = unsafe { runtime.aclsysGetVersionStr(package.as_mut_ptr().cast(), version.as_mut_ptr()) };
    if code != Ok(ACL_SUCCESS) {
        return false;
    }
    let bytes = version.iter().map(|&byte| byte as u8).take_while(|&byte| byte != 0).collect::<Vec<_>>();
    String::from_utf8_lossy(&bytes).to_lowercase().contains("emulat")
}

/// The context of a device.
#[derive(Debug)]
pub(crate) struct Context(aclrtContext);

/// A stream that this crate owns.
#[derive(Debug)]
pub(crate) struct RawStream(aclrtStream);

/// An event that this crate owns.
#[derive(Debug)]
pub(crate) struct RawEvent(aclrtEvent);

/// Device memory that this crate owns.
#[derive(Debug)]
pub(crate) struct Memory {
    start: NonNull<c_void>,
    bytes: usize,
}

/// A range of bytes of device memory, valid as long as that memory.
#[derive(Debug)]
pub(crate) struct Part {
    start: NonNull<c_void>,
    bytes: usize,
}

// SAFETY: a handle that the runtime accepts on every thread.
unsafe impl Send for Context {}
// SAFETY: as above; nothing is changed through a shared reference.
unsafe impl Sync for Context {}
// SAFETY: a handle that the runtime accepts on every thread in the stream's context, which every call makes current.
unsafe impl Send for RawStream {}
// SAFETY: as above; the runtime orders calls that several threads make with one stream.
unsafe impl Sync for RawStream {}
// SAFETY: as for streams.
unsafe impl Send for RawEvent {}
// SAFETY: an event is recorded once, before it is shared; afterwards threads only query it and wait for it.
unsafe impl Sync for RawEvent {}
// SAFETY: an address, which means the same on every thread. Only device work accesses the memory behind it.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}
// SAFETY: as for memory.
unsafe impl Send for Part {}
// SAFETY: as for memory.
unsafe impl Sync for Part {}

impl Context {
    pub(crate) fn as_raw(&self) -> aclrtContext {
        self.0
    }
}

impl RawStream {
    /// Takes over a stream that other code made.
    ///
    /// # Safety
    /// `stream` is live, and no other code destroys it.
    pub(crate) unsafe fn adopt(stream: aclrtStream) -> Self {
        Self(stream)
    }

    pub(crate) fn as_raw(&self) -> aclrtStream {
        self.0
    }
}

impl RawEvent {
    /// Takes over an event that other code made.
    ///
    /// # Safety
    /// `event` is live and was recorded, and no other code records or destroys it.
    pub(crate) unsafe fn adopt(event: aclrtEvent) -> Self {
        Self(event)
    }

    pub(crate) fn as_raw(&self) -> aclrtEvent {
        self.0
    }
}

impl Memory {
    /// Takes over memory that other code allocated; returns `None` for null.
    ///
    /// # Safety
    /// `start` is live memory of the device with that many bytes, and no other code frees it.
    pub(crate) unsafe fn adopt(start: *mut c_void, bytes: usize) -> Option<Self> {
        Some(Self { start: NonNull::new(start)?, bytes })
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the `bytes` from `offset` on, if they lie within this memory.
    pub(crate) fn part(&self, offset: usize, bytes: usize) -> Option<Part> {
        offset.checked_add(bytes).filter(|&end| end <= self.bytes)?;
        let start = NonNull::new(self.start.as_ptr().wrapping_byte_add(offset))?;
        Some(Part { start, bytes })
    }
}

impl Part {
    pub(crate) fn start(&self) -> NonNull<c_void> {
        self.start
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

/// Makes the device current on this thread and returns its context. [`Bound::reset`] undoes it.
pub(crate) fn set_device(backend: &'static Backend, device: i32) -> Result<Context> {
    // SAFETY: any number may be asked for.
    unsafe { call!(backend, aclrtSetDevice(device)) }?;
    let mut context = ptr::null_mut();
    // SAFETY: a valid place.
    match unsafe { call!(backend, aclrtGetCurrentContext(&mut context)) } {
        Ok(()) => Ok(Context(context)),
        Err(error) => {
            // SAFETY: set above. The first failure is the one to report.
            let _ = unsafe { call!(backend, aclrtResetDevice(device)) };
            Err(error)
        }
    }
}

/// Calls in the context of a device. Code that drops it must hold no lock, as subscribers are told then.
pub(crate) struct Bound<'a> {
    backend: &'a Backend,
    /// The owning device lives as long as this borrow.
    context: &'a Context,
    notes: Notes,
}

impl<'a> Bound<'a> {
    #[inline]
    pub(crate) fn new(backend: &'a Backend, context: &'a Context) -> Result<Self> {
        process::check()?;
        Ok(Self { backend, context, notes: Notes::default() })
    }

    /// As [`Bound::new`], but fails if the context cannot be made current, for example while a thread ends.
    pub(crate) fn reached(backend: &'a Backend, context: &'a Context) -> Result<Self> {
        let bound = Self::new(backend, context)?;
        bound.make_current()?;
        Ok(bound)
    }

    /// Makes the context current on this thread.
    #[inline]
    pub(crate) fn make_current(&self) -> Result<()> {
        // SAFETY: the context lives as long as the device that owns it.
        unsafe { call!(self.backend, aclrtSetCurrentContext(self.context.0)) }
    }

    /// Returns the notes of these calls for subscribers.
    pub(crate) fn notes(&self) -> &Notes {
        &self.notes
    }

    /// Returns the SoC name, or `None` where the library does not tell it.
    pub(crate) fn soc_name(&self) -> Option<String> {
        // SAFETY: no arguments.
        let name = unsafe { self.backend.runtime().aclrtGetSocName() }.ok()?;
        if name.is_null() {
            return None;
        }
        // SAFETY: a text of the library, copied at once.
        Some(unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned())
    }

    pub(crate) fn synchronize_device(&self) -> Result<()> {
        // SAFETY: no arguments.
        unsafe { call_in!(self, aclrtSynchronizeDevice()) }
    }

    /// Resets the device. Nothing of it may be used afterwards.
    pub(crate) fn reset(&self, device: i32) -> Result<()> {
        // SAFETY: pairs with `set_device`; the only caller is the end of the device.
        unsafe { call!(self.backend, aclrtResetDevice(device)) }
    }

    pub(crate) fn create_stream(&self) -> Result<RawStream> {
        let mut stream = ptr::null_mut();
        // SAFETY: a valid place.
        unsafe { call_in!(self, aclrtCreateStream(&mut stream)) }?;
        Ok(RawStream(stream))
    }

    /// Waits for the work of the stream and destroys it.
    pub(crate) fn destroy_stream(&self, stream: RawStream) -> Result<()> {
        // SAFETY: a live stream, which is consumed here.
        unsafe { release_in!(self, aclrtDestroyStream(stream.0)) }
    }

    pub(crate) fn synchronize_stream(&self, stream: &RawStream) -> Result<()> {
        // SAFETY: a live stream.
        unsafe { call_in!(self, aclrtSynchronizeStream(stream.0)) }
    }

    /// Returns whether an event takes a hardware id only while it is recorded and the work before it is not done.
    pub(crate) fn has_extended_events(&self) -> bool {
        self.backend.has_extended_events()
    }

    /// Returns whether all work queued on the stream is done.
    pub(crate) fn is_idle(&self, stream: &RawStream) -> Result<bool> {
        let mut status = ACL_STREAM_STATUS_NOT_READY;
        // SAFETY: a live stream and a valid place.
        unsafe { call_in!(self, aclrtStreamQuery(stream.0, &mut status)) }?;
        Ok(status == ACL_STREAM_STATUS_COMPLETE)
    }

    /// Creates an event for ordering streams; with `time` also for measuring time.
    pub(crate) fn create_event(&self, time: bool) -> Result<RawEvent> {
        let mut event = ptr::null_mut();
        let flags = ACL_EVENT_SYNC | if time { ACL_EVENT_TIME_LINE } else { 0 };
        if self.has_extended_events() {
            // SAFETY: a valid place.
            unsafe { call_in!(self, aclrtCreateEventExWithFlag(&mut event, flags)) }?;
        } else {
            // SAFETY: a valid place.
            unsafe { call_in!(self, aclrtCreateEventWithFlag(&mut event, flags)) }?;
        }
        Ok(RawEvent(event))
    }

    /// Destroys an event, even if the work before it is not done.
    pub(crate) fn destroy_event(&self, event: RawEvent) -> Result<()> {
        // SAFETY: a live event, which is consumed here.
        unsafe { release_in!(self, aclrtDestroyEvent(event.0)) }
    }

    pub(crate) fn record(&self, event: &RawEvent, stream: &RawStream) -> Result<()> {
        // SAFETY: both are live.
        unsafe { call_in!(self, aclrtRecordEvent(event.0, stream.0)) }
    }

    pub(crate) fn wait(&self, stream: &RawStream, event: &RawEvent) -> Result<()> {
        // SAFETY: both are live.
        unsafe { call_in!(self, aclrtStreamWaitEvent(stream.0, event.0)) }
    }

    pub(crate) fn synchronize_event(&self, event: &RawEvent) -> Result<()> {
        // SAFETY: a live event.
        unsafe { call_in!(self, aclrtSynchronizeEvent(event.0)) }
    }

    pub(crate) fn is_complete(&self, event: &RawEvent) -> Result<bool> {
        let mut status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
        // SAFETY: a live event and a valid place.
        unsafe { call_in!(self, aclrtQueryEventStatus(event.0, &mut status)) }?;
        Ok(status == ACL_EVENT_RECORDED_STATUS_COMPLETE)
    }

    /// Returns the milliseconds between two events.
    pub(crate) fn elapsed(&self, start: &RawEvent, end: &RawEvent) -> Result<f32> {
        let mut milliseconds = 0.0;
        // SAFETY: both are live, and the place is valid.
        unsafe { call_in!(self, aclrtEventElapsedTime(&mut milliseconds, start.0, end.0)) }?;
        Ok(milliseconds)
    }

    /// Allocates device memory of `bytes`, which is not 0; its contents are not defined.
    pub(crate) fn allocate(&self, bytes: usize) -> Result<Memory> {
        let mut start = ptr::null_mut();
        // SAFETY: a valid place.
        unsafe { call_in!(self, aclrtMalloc(&mut start, bytes, ACL_MEM_MALLOC_HUGE_FIRST)) }?;
        match NonNull::new(start) {
            Some(start) => Ok(Memory { start, bytes }),
            None => Err(failed(self.backend, "aclrtMalloc", None).into()),
        }
    }

    /// Frees device memory.
    ///
    /// # Safety
    /// No queued work touches it.
    pub(crate) unsafe fn free(&self, memory: Memory) -> Result<()> {
        // SAFETY: live memory, which is consumed here, and the caller vouches for the queued work.
        unsafe { release_in!(self, aclrtFree(memory.start.as_ptr())) }
    }

    /// Returns the free bytes and the total bytes.
    pub(crate) fn memory_info(&self) -> Result<(usize, usize)> {
        let (mut free, mut total) = (0, 0);
        // SAFETY: valid places.
        unsafe { call_in!(self, aclrtGetMemInfo(ACL_HBM_MEM, &mut free, &mut total)) }?;
        Ok((free, total))
    }

    /// Copies bytes from the host. The copy is complete when this function returns.
    ///
    /// # Safety
    /// The bytes lie in `memory`, which is live, and no queued work touches them.
    pub(crate) unsafe fn upload(&self, memory: &Part, offset: usize, bytes: &[u8]) -> Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let to = memory.start.as_ptr().wrapping_byte_add(offset);
        let kind = ACL_MEMCPY_HOST_TO_DEVICE;
        let (from, len) = (bytes.as_ptr().cast(), bytes.len());
        // SAFETY: the source is a slice; the caller vouches for the target.
        self.notes
            .copy("host to device", len, || unsafe { call_in!(self, aclrtMemcpy(to, len, from, len, kind)) })
    }

    /// Copies bytes to the host.
    ///
    /// # Safety
    /// The bytes lie in `memory`, which is live, and no queued work writes them.
    pub(crate) unsafe fn download(&self, memory: &Part, offset: usize, bytes: &mut [u8]) -> Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let (to, len) = (bytes.as_mut_ptr().cast(), bytes.len());
        let from = memory.start.as_ptr().wrapping_byte_add(offset);
        // SAFETY: the target is a slice; the caller vouches for the source.
        self.notes.copy("device to host", len, || unsafe {
            call_in!(self, aclrtMemcpy(to, len, from, len, ACL_MEMCPY_DEVICE_TO_HOST))
        })
    }

    /// Copies bytes from device memory to device memory, of one device or of two that reach each other. The copy is
    /// complete when this function returns.
    ///
    /// # Safety
    /// Both addresses lead to that many bytes of device memory. No queued work writes the source or touches the target.
    pub(crate) unsafe fn copy_device_memory(
        &self,
        to: *mut c_void,
        from: *const c_void,
        bytes: usize,
    ) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        let kind = ACL_MEMCPY_DEVICE_TO_DEVICE;
        // SAFETY: the caller vouches for both sides.
        self.notes.copy("device to device", bytes, || unsafe {
            call_in!(self, aclrtMemcpy(to, bytes, from, bytes, kind))
        })
    }
}

//! Contexts: owners of streams on one device, one of them current on a thread.
//!
//! Each device has a primary context, made by `aclrtSetDevice` and shared by threads; a program may make more. Making a
//! context makes it current. A context that was destroyed is no longer current on any thread.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aclnn_sys::aclSysParamOpt;

use crate::check::leaks;
use crate::check::objects::Live;
use crate::entry::{Handle, Out, entry_points};
use crate::handle::{Kind, Registry, to_pointer};
use crate::runtime::code;
use crate::runtime::device::options::{self, SystemParameters};
use crate::runtime::device::{self, Device};
use crate::runtime::stream::{self, Stream};
use crate::runtime::stream::{callback, drain};
use crate::status::{Result, Status};
use crate::sync::thread_local;

static CONTEXTS: Registry<Context> = Registry::new(Kind::Context);

thread_local! {
    static CURRENT: RefCell<Option<(usize, Arc<Context>)>> = const { RefCell::new(None) };
}

/// An owner of streams on one device.
#[derive(Debug)]
pub(crate) struct Context {
    number: u64,
    device: i32,
    primary: bool,
    default_stream: Arc<Stream>,
    default_handle: usize,
    alive: AtomicBool,
    parameters: Mutex<SystemParameters>,
}

impl Context {
    /// Makes a context and its handle.
    pub(crate) fn create(device: i32, primary: bool) -> Result<(usize, Arc<Context>)> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let (default_handle, default_stream) = Stream::create(device, number, 0, 0)?;
        let context = Arc::new(Context {
            number,
            device,
            primary,
            default_stream,
            default_handle,
            alive: AtomicBool::new(true),
            parameters: Mutex::new(BTreeMap::new()),
        });
        Ok((CONTEXTS.insert_shared(Arc::clone(&context)), context))
    }

    /// The number of the context, which no other context ever has.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    pub(crate) fn device_id(&self) -> i32 {
        self.device
    }

    pub(crate) fn device(&self) -> Result<&'static Device> {
        device::get(self.device)
    }

    pub(crate) fn default_stream(&self) -> &Arc<Stream> {
        &self.default_stream
    }

    fn parameters(&self) -> MutexGuard<'_, SystemParameters> {
        self.parameters.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The current context of this thread.
pub(crate) fn current() -> Result<Arc<Context>> {
    with_current(|_, context| Arc::clone(context))
}

/// Runs `look` on the current context of this thread and its handle; for a thread that never set one, on the context of the
/// default device. The current context does not change.
pub(crate) fn with_current<R>(look: impl FnOnce(usize, &Arc<Context>) -> R) -> Result<R> {
    let none = || {
        Status::new(
            code::CONTEXT_NULL,
            "no context is current on this thread; call aclrtSetDevice on it first",
        )
    };
    let mut look = Some(look);
    let mut see = |handle, context: &Arc<Context>| look.take().map(|look| look(handle, context));
    let own = CURRENT.try_with(|current| match &*current.borrow() {
        Some((handle, context)) if context.alive.load(Ordering::Acquire) => Ok(see(*handle, context)),
        Some((_, context)) => {
            let message = format!(
                "the context that was current on this thread (device {}) was destroyed, or its device reset",
                context.device
            );
            Err(Status::new(code::CONTEXT_NULL, message))
        }
        None => Ok(None),
    });
    // Refused only while the thread ends.
    if let Some(seen) = own.map_err(|_| none())?? {
        return Ok(seen);
    }
    // Not made current, so that the thread may still set a device, and another one may end this context.
    let (handle, context) = device::default_context()?.ok_or_else(none)?;
    see(handle, &context).ok_or_else(none)
}

/// Makes a context current on this thread.
pub(crate) fn make_current(handle: usize, context: Arc<Context>) -> Result {
    CURRENT.try_with(|current| drop(current.replace(Some((handle, context))))).map_err(|_| {
        Status::new(code::CONTEXT_NULL, "this thread ends, and no context can be made current on it any more")
    })
}

/// Runs `body`, and makes current again what was current before.
pub(crate) fn keeping_current<T>(body: impl FnOnce() -> T) -> T {
    let before = CURRENT.try_with(|current| current.borrow().clone()).unwrap_or_default();
    let result = body();
    let _ = CURRENT.try_with(|current| current.replace(before));
    result
}

/// Ends a context: runs the work that is queued on its streams and destroys them. Returns the first failure that was not
/// reported yet, and adds to `left` the streams among them that the program made.
pub(crate) fn destroy(handle: usize, left: &mut Vec<Live>) -> Result {
    let gone = CONTEXTS.remove(handle);
    let context = gone.map_err(|why| why.status(code::PARAM_INVALID, "context"))?;
    context.alive.store(false, Ordering::Release);
    let mut failure = None;
    for (handle, stream) in stream::all().into_iter().filter(|(_, stream)| stream.context == context.number) {
        drain::settle(&stream);
        failure = failure.or_else(|| stream.take_failure());
        let one = Live::new("stream", handle).located();
        // The handle is already gone where another thread destroys it at the same moment.
        if stream::destroy(handle).is_ok() && !Arc::ptr_eq(&stream, &context.default_stream) {
            left.push(one);
        }
    }
    failure.map_or(Ok(()), Err)
}

pub(crate) fn is_default_stream(stream: &Arc<Stream>) -> bool {
    CONTEXTS.live().iter().any(|(_, context)| Arc::ptr_eq(&context.default_stream, stream))
}

/// Whether a context that the program made lives on a device.
pub(crate) fn any_made_on(device: i32) -> bool {
    CONTEXTS.live().iter().any(|(_, context)| context.device == device && !context.primary)
}

/// Adds the contexts that the program made and did not destroy.
pub(crate) fn live(all: &mut Vec<Live>) {
    let made = CONTEXTS.live().into_iter().filter(|(_, context)| !context.primary);
    all.extend(made.map(|(handle, _)| Live::new("context", handle)));
}

/// Ends every context that the program made; for the end of the runtime.
pub(crate) fn destroy_made(left: &mut Vec<Live>) -> Result {
    let mut outcome = Ok(());
    for (handle, _) in CONTEXTS.live().into_iter().filter(|(_, context)| !context.primary) {
        outcome = outcome.and(destroy(handle, left));
    }
    outcome
}

entry_points! { SYMBOLS:
    fn aclrtCreateContext(context: Out<*mut c_void>, device: i32) -> i32 {
        callback::forbid("a context is made")?;
        let place = context.required("context", code::INVALID_PARAM)?;
        device::get(device)?;
        let (handle, context) = Context::create(device, false)?;
        make_current(handle, context)?;
        place.write(to_pointer(handle));
        Ok(())
    }

    fn aclrtDestroyContext(context: Handle<*mut c_void>) -> i32 {
        callback::forbid("a context is destroyed")?;
        if context.0 == 0 {
            return Err(Status::new(code::INVALID_PARAM, "context is null"));
        }
        if CONTEXTS.get(context.0).is_ok_and(|context| context.primary) {
            let message = "this is the context of aclrtSetDevice; it ends with aclrtResetDevice";
            return Err(Status::new(code::PARAM_INVALID, message));
        }
        let device = CONTEXTS.get(context.0).map(|context| context.device);
        let mut left = Vec::new();
        let outcome = destroy(context.0, &mut left);
        if let Ok(device) = device {
            device::get(device)?.release_if_unused(&mut left);
        }
        leaks::tell("aclrtDestroyContext", left);
        outcome
    }

    fn aclrtSetCurrentContext(context: Handle<*mut c_void>) -> i32 {
        if context.0 == 0 {
            return Err(Status::new(code::INVALID_PARAM, "context is null"));
        }
        let found = CONTEXTS.get(context.0);
        let found = found.map_err(|why| why.status(code::PARAM_INVALID, "context"))?;
        make_current(context.0, found)
    }

    fn aclrtGetCurrentContext(context: Out<*mut c_void>) -> i32 {
        let place = context.required("context", code::INVALID_PARAM)?;
        place.write(to_pointer(with_current(|handle, _| handle)?));
        Ok(())
    }

    fn aclrtCtxGetCurrentDefaultStream(stream: Out<*mut c_void>) -> i32 {
        let place = stream.required("stream", code::INVALID_PARAM)?;
        place.write(to_pointer(current()?.default_handle));
        Ok(())
    }

    fn aclrtCtxGetSysParamOpt(option: aclSysParamOpt, value: Out<i64>) -> i32 {
        let place = value.required("value", code::INVALID_PARAM)?;
        place.write(options::parameter(&current()?.parameters(), option)?);
        Ok(())
    }

    [stored] fn aclrtCtxSetSysParamOpt(option: aclSysParamOpt, value: i64) -> i32 {
        options::set_parameter(&mut current()?.parameters(), option, value)
    }
}

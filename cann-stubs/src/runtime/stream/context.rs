//! Contexts: owners of streams on one device, one of them current on a thread.
//!
//! Each device has a primary context, made by `aclrtSetDevice` and shared by threads; a program may make more. Making a
//! context makes it current. A context that was destroyed is no longer current on any thread.

use std::cell::RefCell;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};

use crate::check::live_objects::Live;
use crate::handle::{Kind, Known, Registry};
use crate::runtime::code;
use crate::runtime::product::devices::PerDevice;
use crate::runtime::stream::queue::Stream;
use crate::runtime::stream::{drain, registry};
use crate::small_map::SmallMap;
use crate::status::{Result, Status};
use crate::sync::{Mutex, MutexGuard, thread_local};

static CONTEXTS: Registry<Context> = Registry::new(Kind::Context);

/// The primary context of each device.
static PRIMARIES: PerDevice<Mutex<Primary>> = PerDevice::new(Mutex::default);

/// The device of threads that never set one; negative for none.
static DEFAULT: AtomicI32 = AtomicI32::new(-1);

thread_local! {
    static CURRENT: RefCell<Option<(usize, Arc<Context>)>> = const { RefCell::new(None) };

    /// The streams that this thread has used.
    static KNOWN: Known<Stream> = const { Known::new() };
}

/// Switches that a program stores for a context, by their number.
pub(crate) type SystemParameters = SmallMap<u32, i64>;

/// An owner of streams on one device.
#[derive(Debug)]
pub(crate) struct Context {
    number: u64,
    device: i32,
    primary: bool,
    default_stream: Arc<Stream>,
    default_handle: usize,
    alive: AtomicBool,
    parameters: std::sync::Mutex<SystemParameters>,
}

impl Context {
    /// Makes a context and its handle.
    pub(crate) fn create(device: i32, primary: bool) -> Result<(usize, Arc<Context>)> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let (default_handle, default_stream) = registry::create(device, number, 0, 0)?;
        let context = Arc::new(Context {
            number,
            device,
            primary,
            default_stream,
            default_handle,
            alive: AtomicBool::new(true),
            parameters: std::sync::Mutex::default(),
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

    /// Returns whether `aclrtSetDevice` made it.
    pub(crate) fn is_primary(&self) -> bool {
        self.primary
    }

    pub(crate) fn default_handle(&self) -> usize {
        self.default_handle
    }

    pub(crate) fn parameters(&self) -> std::sync::MutexGuard<'_, SystemParameters> {
        self.parameters.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The context that is shared by the threads that set the device or use it by default.
#[derive(Debug, Default)]
struct Primary {
    /// Calls of `aclrtSetDevice` that were not reset. Threads that use the device by default do not count.
    count: u64,
    context: Option<(usize, Arc<Context>)>,
    /// How often such a context ended.
    resets: u64,
}

impl Primary {
    /// The context and its handle, made at the first call.
    fn context(&mut self, device: i32) -> Result<(usize, Arc<Context>)> {
        match &self.context {
            Some(context) => Ok(context.clone()),
            None => Ok(self.context.insert(Context::create(device, true)?).clone()),
        }
    }
}

fn primary(device: i32) -> Result<MutexGuard<'static, Primary>> {
    Ok(PRIMARIES.of(device)?.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Makes the primary context of a device current on this thread, and counts the call.
pub(crate) fn set_primary(device: i32) -> Result {
    let mut primary = primary(device)?;
    let (handle, shared) = primary.context(device)?;
    make_current(handle, shared)?;
    primary.count += 1;
    Ok(())
}

/// Reverses one `set_primary`, or all of them when `force`. The last one gives the handle of the context, to destroy it.
pub(crate) fn take_primary(device: i32, force: bool) -> Result<Option<usize>> {
    let mut primary = primary(device)?;
    if primary.context.is_none() {
        let message = format!("device {device} is not set, or was reset before");
        return Err(Status::new(code::CONTEXT_NULL, message));
    }
    primary.count = if force { 0 } else { primary.count.saturating_sub(1) };
    if primary.count > 0 {
        return Ok(None);
    }
    primary.resets += 1;
    Ok(primary.context.take().map(|(handle, _)| handle))
}

/// How often the primary context of a device has ended.
pub(crate) fn resets(device: i32) -> u64 {
    primary(device).map_or(0, |primary| primary.resets)
}

/// Returns whether the primary context of a device lives.
pub(crate) fn has_primary(device: i32) -> bool {
    primary(device).is_ok_and(|primary| primary.context.is_some())
}

/// Runs `body` if no context lives on a device, while none can become its primary one.
pub(crate) fn if_unused(device: i32, body: impl FnOnce()) {
    if let Ok(primary) = primary(device)
        && primary.context.is_none()
        && !any_made_on(device)
    {
        body();
    }
}

/// Sets the device of threads that never set one, or removes it.
pub(crate) fn set_default(device: Option<i32>) {
    DEFAULT.store(device.unwrap_or(-1), Ordering::Release);
}

/// The primary context of the default device, for threads that never set a device.
fn default_context() -> Result<Option<(usize, Arc<Context>)>> {
    match DEFAULT.load(Ordering::Acquire) {
        ..0 => Ok(None),
        device => primary(device)?.context(device).map(Some),
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
                "the context that was current on this thread (device {}) was destroyed, or its device reset; call aclrtSetDevice \
                 or aclrtSetCurrentContext before more is done",
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
    let (handle, context) = default_context()?.ok_or_else(none)?;
    see(handle, &context).ok_or_else(none)
}

/// The live stream behind `handle`, or the default stream of the current context for 0.
///
/// A thread uses only streams of its current context, as on hardware; [`whichever`] is for functions that wait and query.
pub(crate) fn resolve(handle: usize) -> Result<Arc<Stream>> {
    with_current(|_, context| {
        if handle == 0 {
            return Ok(Arc::clone(&context.default_stream));
        }
        let stream = registry::find(handle)?;
        must_own(context.number, context.device, &stream)?;
        Ok(stream)
    })?
}

#[inline]
fn must_own(context: u64, device: i32, stream: &Stream) -> Result {
    if stream.context == context {
        return Ok(());
    }
    let message = format!(
        "the stream belongs to another context (device {}) than the current one (device {device})",
        stream.device
    );
    Err(Status::new(code::STREAM_CONTEXT, message))
}

/// A live stream that a call uses. The thread finds it without a lock the next time.
pub(crate) struct Lent {
    handle: usize,
    stream: ManuallyDrop<Arc<Stream>>,
}

impl Deref for Lent {
    type Target = Stream;

    #[inline]
    fn deref(&self) -> &Stream {
        &self.stream
    }
}

impl Drop for Lent {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: it is used nowhere after this.
        let stream = unsafe { ManuallyDrop::take(&mut self.stream) };
        // Not kept while the thread ends.
        let _ = KNOWN.try_with(|known| known.keep(self.handle, stream));
    }
}

/// The stream that `resolve` finds, for a call.
#[inline]
pub(crate) fn lend(handle: usize) -> Result<Lent> {
    let look = |context: &Context| (context.number, context.device, context.default_handle);
    // Mostly there is one, in which case nothing has to be said or looked up.
    let own = CURRENT.try_with(|current| match &*current.borrow() {
        Some((_, context)) if context.alive.load(Ordering::Acquire) => Some(look(context)),
        _ => None,
    });
    let (number, device, default) = match own {
        Ok(Some(own)) => own,
        _ => with_current(|_, context| look(context))?,
    };
    let stream = lend_live(if handle == 0 { default } else { handle })?;
    must_own(number, device, &stream)?;
    Ok(stream)
}

/// The stream that `whichever` finds, for a call.
#[inline]
pub(crate) fn lend_any(handle: usize) -> Result<Lent> {
    if handle == 0 { lend(handle) } else { lend_live(handle) }
}

/// The live stream behind `handle`, for a call.
#[inline]
fn lend_live(handle: usize) -> Result<Lent> {
    // Taken out as long as the call uses it, which may use other streams.
    let known = KNOWN.try_with(|known| known.take(handle)).ok().flatten();
    let stream = match known {
        Some(stream) if stream.has_handle() => stream,
        _ => registry::find(handle)?,
    };
    Ok(Lent { handle, stream: ManuallyDrop::new(stream) })
}

/// The live stream behind `handle`, whatever its context, or the default stream of the current context for 0.
pub(crate) fn whichever(handle: usize) -> Result<Arc<Stream>> {
    if handle == 0 { resolve(handle) } else { registry::find(handle) }
}

/// Makes a context current on this thread.
pub(crate) fn make_current(handle: usize, context: Arc<Context>) -> Result {
    CURRENT.try_with(|current| drop(current.replace(Some((handle, context))))).map_err(|_| {
        Status::new(code::CONTEXT_NULL, "this thread ends, and no context can be made current on it any more")
    })
}

/// Makes the context behind `handle` current on this thread.
pub(crate) fn choose(handle: usize) -> Result {
    let is_current = CURRENT.try_with(|current| {
        let current = current.borrow();
        current.as_ref().is_some_and(|(own, context)| *own == handle && context.alive.load(Ordering::Acquire))
    });
    if is_current == Ok(true) { Ok(()) } else { make_current(handle, find(handle)?) }
}

/// Runs `body`, and makes current again what was current before.
pub(crate) fn keeping_current<T>(body: impl FnOnce() -> T) -> T {
    let before = CURRENT.try_with(|current| current.borrow().clone()).unwrap_or_default();
    let result = body();
    let _ = CURRENT.try_with(|current| current.replace(before));
    result
}

/// The live context behind `handle`.
pub(crate) fn find(handle: usize) -> Result<Arc<Context>> {
    CONTEXTS.get(handle).map_err(|why| why.status(code::PARAM_INVALID, "context"))
}

/// Returns whether the context of a number lives.
pub(crate) fn lives(number: u64) -> bool {
    CONTEXTS.live().iter().any(|(_, context)| context.number == number)
}

/// Ends a context: runs the work that is queued on its streams and destroys them. Returns the first failure that was not
/// reported yet, and adds to `left` the streams among them that the program made.
pub(crate) fn destroy(handle: usize, left: &mut Vec<Live>) -> Result {
    let gone = CONTEXTS.remove(handle);
    let context = gone.map_err(|why| why.status(code::PARAM_INVALID, "context"))?;
    context.alive.store(false, Ordering::Release);
    let mut failure = None;
    for (handle, stream) in registry::all().into_iter().filter(|(_, stream)| stream.context == context.number)
    {
        drain::settle(&stream);
        failure = failure.or_else(|| stream.take_failure());
        let is_own = Arc::ptr_eq(&stream, &context.default_stream) || registry::is_inner(&stream);
        // A place is known until the handle is gone, and takes a process 60 ms to find.
        let one = (!is_own).then(|| Live::new("stream", handle).located());
        // The handle is already gone where another thread destroys it at the same moment.
        if registry::destroy(handle).is_ok() {
            left.extend(one);
        }
    }
    failure.map_or(Ok(()), Err)
}

pub(crate) fn is_default_stream(stream: &Arc<Stream>) -> bool {
    CONTEXTS.live().iter().any(|(_, context)| Arc::ptr_eq(&context.default_stream, stream))
}

/// Returns whether a context that the program made lives on a device.
fn any_made_on(device: i32) -> bool {
    CONTEXTS.live().iter().any(|(_, context)| context.device == device && !context.primary)
}

/// Adds the streams that the program made and did not destroy.
pub(crate) fn live_streams(all: &mut Vec<Live>) {
    let is_made = |stream: &Arc<Stream>| !is_default_stream(stream) && !registry::is_inner(stream);
    let made = registry::all().into_iter().filter(|(_, stream)| is_made(stream));
    all.extend(made.map(|(handle, _)| Live::new("stream", handle)));
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

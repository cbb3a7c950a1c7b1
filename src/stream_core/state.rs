//! Streams without their devices: their work, their failures, and the streams whose results they use.
//!
//! The library reports a failure of queued work only once, to the first caller that asks. The failure is kept here, so
//! that every later caller gets it too. An event carries order but no failure, so a stream also keeps the streams whose
//! results it uses, until these are known to have succeeded.

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, RwLockReadGuard, TryLockError};

use aclnn_sys::aclrtStream;
use smallvec::{SmallVec, smallvec};

use super::marks::{Marks, is_lack_of_events};
use crate::acl::{Bound, RawGraph, RawStream};
use crate::error::{Error, Failure, Result};
use crate::executor::Executors;

/// A stream without its device. Buffers that it has used keep it, so it may have ended already.
#[derive(Debug)]
pub(crate) struct StreamCore {
    /// `None` when the stream and all its work have ended. Code that uses the raw stream holds the lock.
    raw: RwLock<Option<RawStream>>,
    /// The handle of the stream; null when it has ended. It stays while a [`Stream`](crate::Stream) exists, and while
    /// `asking` is held.
    handle: AtomicPtr<c_void>,
    id: u64,
    /// Counts the moments at which memory became free in the order of this stream, or another stream came after it.
    released: AtomicU64,
    /// The last of these moments that the stream is known to have passed without a failure.
    passed: AtomicU64,
    /// The first failure, of this stream or of a stream whose results it uses. After it no result of this stream is
    /// reliable.
    fault: OnceLock<Arc<Fault>>,
    /// Streams whose results are used here, each with the moment that it must pass for its results to be good.
    after: Mutex<SmallVec<[After; 4]>>,
    /// Whether there may be such streams.
    has_after: AtomicBool,
    /// The executors of earlier calls, kept for later calls.
    pub(crate) executors: Executors,
    /// The number of the thread that captures a graph from the stream, or 0.
    captured_by: AtomicU64,
    /// Held while a thread asks the library for the result of the work, until the answer is kept.
    asking: Mutex<()>,
    /// The recorded events of the device.
    marks: Arc<Marks>,
}

type After = (Arc<StreamCore>, u64);

/// A failure of work. Streams that used its results share it.
#[derive(Debug)]
struct Fault {
    failure: Failure,
    /// Whether it was reported to any caller.
    told: AtomicBool,
}

impl Fault {
    fn new(failure: &Failure) -> Arc<Fault> {
        Arc::new(Fault { failure: failure.clone(), told: AtomicBool::new(false) })
    }

    fn tell(&self) -> Error {
        self.told.store(true, Ordering::Release);
        Error::StreamFailed(self.failure.clone())
    }
}

/// Returns a number that is different for every thread of the process, and not 0.
#[inline]
fn number_of_thread() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    thread_local!(static NUMBER: u64 = NEXT.fetch_add(1, Ordering::Relaxed));
    // A thread that ends captures nothing.
    NUMBER.try_with(|number| *number).unwrap_or(u64::MAX)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl StreamCore {
    fn new(raw: RawStream, marks: Arc<Marks>) -> Arc<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        Arc::new(Self {
            handle: AtomicPtr::new(raw.as_raw()),
            raw: RwLock::new(Some(raw)),
            id,
            released: AtomicU64::new(0),
            passed: AtomicU64::new(0),
            fault: OnceLock::new(),
            after: Mutex::default(),
            has_after: AtomicBool::new(false),
            executors: Executors::default(),
            captured_by: AtomicU64::new(0),
            asking: Mutex::default(),
            marks,
        })
    }

    /// Returns a number that is different for every stream of the process, and neither 0 nor `u64::MAX`.
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    /// Locks the stream, so that it does not end while the lock is held.
    pub(crate) fn lock(&self) -> RwLockReadGuard<'_, Option<RawStream>> {
        self.raw.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `queue` with the stream, which does not end meanwhile, and from which no graph is captured. `what` is then refused.
    pub(crate) fn with_free<T>(
        &self,
        what: &'static str,
        queue: impl FnOnce(&RawStream) -> Result<T>,
    ) -> Result<T> {
        let raw = self.lock();
        // A capture begins and ends while nobody holds the lock.
        self.must_not_be_captured(what)?;
        match raw.as_ref() {
            Some(raw) => queue(raw),
            None => Err(Error::Internal { what: "work on a stream that has ended" }),
        }
    }

    /// Runs `change` while no other thread waits for the stream or queues work on it.
    fn alone<T>(&self, change: impl FnOnce(&RawStream) -> Result<T>) -> Result<T> {
        let _asking = lock(&self.asking);
        let _executors = self.executors.lock();
        match self.raw.write().unwrap_or_else(PoisonError::into_inner).as_ref() {
            Some(raw) => change(raw),
            None => Err(Error::Internal { what: "a capture from a stream that has ended" }),
        }
    }

    /// Begins to capture a graph by this thread, once the work that is queued is done.
    pub(crate) fn begin_capture(self: &Arc<Self>, bound: &Bound<'_>) -> Result<()> {
        self.synchronize(bound)?;
        self.alone(|raw| {
            self.must_not_be_captured("a second capture")?;
            // Another thread may have queued work since.
            bound.synchronize_stream(raw)?;
            bound.begin_capture(raw)?;
            self.captured_by.store(number_of_thread(), Ordering::Release);
            Ok(())
        })
    }

    /// Ends the capture of this thread. Where the library cannot be called, the stream stays captured, and is of no use.
    pub(crate) fn end_capture(&self, bound: &Bound<'_>) -> Result<RawGraph> {
        self.alone(|raw| {
            let ended = bound.end_capture(raw);
            self.captured_by.store(0, Ordering::Release);
            ended
        })
    }

    /// Returns whether a graph is being captured from the stream.
    #[inline]
    pub(crate) fn is_captured(&self) -> bool {
        self.captured_by.load(Ordering::Acquire) != 0
    }

    /// Refuses what cannot be captured, while a graph is captured from the stream.
    #[inline]
    pub(crate) fn must_not_be_captured(&self, what: &'static str) -> Result<()> {
        if self.is_captured() { Err(Error::Capture { what }) } else { Ok(()) }
    }

    /// Refuses calls of other threads, while a graph is captured from the stream.
    #[inline]
    pub(crate) fn must_be_captured_here(&self) -> Result<()> {
        match self.captured_by.load(Ordering::Acquire) {
            0 => Ok(()),
            thread if thread == number_of_thread() => Ok(()),
            _ => Err(Error::Capture { what: "a call of another thread" }),
        }
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.as_raw().is_null()
    }

    /// Returns the handle, or null when the stream has ended. Code without a [`Stream`](crate::Stream) must lock instead.
    #[inline]
    pub(crate) fn as_raw(&self) -> aclrtStream {
        self.handle.load(Ordering::Acquire)
    }

    /// Starts a new moment: everything that is queued by now comes before it.
    pub(crate) fn moment(&self) -> u64 {
        self.released.fetch_add(1, Ordering::AcqRel) + 1
    }

    /// Returns whether the stream is known to have passed a moment, and all work before it to have succeeded.
    pub(crate) fn has_passed(&self, moment: u64) -> bool {
        self.passed.load(Ordering::Acquire) >= moment
    }

    /// Returns the failure of a stream that is known to have failed.
    #[inline]
    pub(crate) fn check(&self) -> Result<()> {
        self.fault.get().map_or(Ok(()), |fault| Err(fault.tell()))
    }

    fn fail(&self, fault: &Arc<Fault>) {
        self.fault.get_or_init(|| fault.clone());
    }

    /// Waits for all work queued so far, on this stream and on the streams whose results it uses.
    pub(crate) fn synchronize(self: &Arc<Self>, bound: &Bound<'_>) -> Result<()> {
        self.must_not_be_captured("waiting for the stream")?;
        if self.fault.get().is_none() {
            self.finish(bound)?;
        }
        self.check()
    }

    /// As [`StreamCore::synchronize`], but does not report a failure of the work.
    fn finish(self: &Arc<Self>, bound: &Bound<'_>) -> Result<()> {
        // Each stream is paired with its last moment by now; entries that were in `after` by then are checked.
        let moment = self.released.load(Ordering::Acquire);
        if !self.has_after.load(Ordering::Acquire) {
            let waited = self.wait(bound);
            if self.fault.get().is_none() {
                waited?;
                self.pass(moment);
            }
            return Ok(());
        }
        let now = |stream: &Arc<Self>| (stream.clone(), stream.released.load(Ordering::Acquire));
        let mut all: SmallVec<[After; 4]> = smallvec![now(self)];
        let mut next = 0;
        while let Some(stream) = all.get(next).map(|(stream, _)| stream.clone()) {
            for (other, moment) in lock(&stream.after).iter() {
                if !other.has_passed(*moment) && !all.iter().any(|(known, _)| known == other) {
                    all.push(now(other));
                }
            }
            next += 1;
        }
        for (stream, _) in &all {
            let waited = stream.wait(bound);
            if let Some(fault) = stream.fault.get() {
                self.fail(fault);
                return Ok(());
            }
            waited?;
        }
        for (stream, moment) in &all {
            stream.pass(*moment);
        }
        let mut after = lock(&self.after);
        after.retain(|(stream, moment)| !stream.has_passed(*moment));
        self.has_after.store(!after.is_empty(), Ordering::Release);
        Ok(())
    }

    /// Records that the stream has passed a moment.
    fn pass(&self, moment: u64) {
        if !self.has_passed(moment) {
            self.passed.fetch_max(moment, Ordering::AcqRel);
        }
    }

    /// Returns whether everything queued so far is done, without waiting. A failure that the library reports is kept.
    pub(crate) fn query(&self, bound: &Bound<'_>) -> Result<bool> {
        self.check()?;
        let _asking = match self.asking.try_lock() {
            Ok(asking) => asking,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            // Another thread waits for the stream, and gets the result of the work first.
            Err(TryLockError::WouldBlock) => return Ok(false),
        };
        self.must_not_be_captured("asking whether its work is done")?;
        let done = self.lock().as_ref().map_or(Ok(true), |raw| bound.is_idle(raw));
        if let Err(Error::Library(failure)) = &done {
            self.fail(&Fault::new(failure));
        }
        self.check().and(done)
    }

    /// Waits until no work runs on this stream, even if work failed: the library reports a failure once, so asking
    /// again shows that the work is over.
    pub(crate) fn idle(&self, bound: &Bound<'_>) -> Result<()> {
        self.wait(bound).or_else(|_| self.wait(bound))
    }

    fn wait(&self, bound: &Bound<'_>) -> Result<()> {
        self.wait_as(&lock(&self.asking), bound)
    }

    /// Waits for the work queued here, and keeps its failure.
    fn wait_as(&self, _asking: &MutexGuard<'_, ()>, bound: &Bound<'_>) -> Result<()> {
        self.must_not_be_captured("waiting for the stream")?;
        let handle = self.as_raw();
        if handle.is_null() {
            return Ok(());
        }
        // SAFETY: whoever ends the stream takes the handle away while it asks, and destroys the stream only then.
        let waited = bound.synchronize_stream(&unsafe { RawStream::adopt(handle) });
        // The error alone is moved: a copy of a result that was just made is slow to load.
        match waited {
            Ok(()) => Ok(()),
            Err(error) => {
                if let Error::Library(failure) = &error {
                    self.fail(&Fault::new(failure));
                }
                Err(error)
            }
        }
    }

    /// Makes work that is queued here from now on use the results of work queued so far on another stream of the
    /// device: it waits for that work, and fails with it.
    pub(crate) fn follow(&self, other: &Arc<StreamCore>, bound: &Bound<'_>) -> Result<()> {
        self.may_wait_for(other)?;
        self.uses(other, other.moment())?;
        self.wait_for(other, bound)
    }

    /// Records that results of another stream up to a moment are used here, before any work that uses them is queued.
    pub(crate) fn uses(&self, other: &Arc<StreamCore>, moment: u64) -> Result<()> {
        other.check()?;
        let mut after = lock(&self.after);
        after.retain(|(stream, moment)| !stream.has_passed(*moment));
        match after.iter_mut().find(|(stream, _)| stream == other) {
            Some((_, last)) => *last = moment.max(*last),
            None => after.push((other.clone(), moment)),
        }
        self.has_after.store(true, Ordering::Release);
        Ok(())
    }

    /// Makes work that is queued here from now on wait for the work queued so far on another stream of the device.
    pub(crate) fn wait_for(&self, other: &StreamCore, bound: &Bound<'_>) -> Result<()> {
        self.may_wait_for(other)?;
        match self.wait_by_event(other, bound) {
            // In this case the host waits instead, until the earlier work is over.
            Err(error) if is_lack_of_events(&error) => other.idle(bound),
            ordered => ordered,
        }
    }

    /// Refuses streams of which one would join the capture of the other.
    fn may_wait_for(&self, other: &StreamCore) -> Result<()> {
        self.must_not_be_captured("waiting for another stream")?;
        other.must_not_be_captured("waiting for it on another stream")
    }

    fn wait_by_event(&self, other: &StreamCore, bound: &Bound<'_>) -> Result<()> {
        let (own, others) = (self.lock(), other.lock());
        self.may_wait_for(other)?;
        let (own, other) = (own, others);
        let own = own.as_ref().ok_or(Error::Internal { what: "a stream that has ended was to wait" })?;
        // A stream that has ended has no work.
        let Some(other) = other.as_ref() else { return Ok(()) };
        let event = bound.create_event(false)?;
        let ordered = bound.record(&event, other).and_then(|()| bound.wait(own, &event));
        ordered.and(self.marks.retire(event, bound))
    }
}

impl PartialEq for StreamCore {
    fn eq(&self, other: &StreamCore) -> bool {
        self.id == other.id
    }
}

/// The streams of a device that have not ended.
#[derive(Debug, Default)]
pub(crate) struct Streams {
    all: Mutex<Vec<Arc<StreamCore>>>,
    marks: Arc<Marks>,
}

impl Streams {
    pub(crate) fn create(&self, bound: &Bound<'_>) -> Result<Arc<StreamCore>> {
        Ok(self.adopt(bound.create_stream()?))
    }

    pub(crate) fn adopt(&self, stream: RawStream) -> Arc<StreamCore> {
        let stream = StreamCore::new(stream, self.marks.clone());
        lock(&self.all).push(stream.clone());
        stream
    }

    /// Waits until no work runs on the device. Streams keep their failures.
    pub(crate) fn idle(&self, bound: &Bound<'_>) -> Result<()> {
        let streams = lock(&self.all);
        // The device reports failures of streams once. No thread may find a stream healthy before its failure is kept.
        let asking: Vec<_> = streams.iter().map(|stream| lock(&stream.asking)).collect();
        streams.iter().try_for_each(|stream| stream.must_not_be_captured("waiting for its device"))?;
        let mut done = Ok(());
        for (stream, asking) in streams.iter().zip(&asking) {
            // Streams that this call does not finish are finished with the device.
            done = done.and(stream.wait_as(asking, bound));
        }
        let idle = bound.synchronize_device();
        // Other code, or a device that was opened since, captures a graph from a stream of its own.
        let is_captured = |error: &Error| error.code() == Some(aclnn_sys::ACL_ERROR_RT_STREAM_CAPTURED);
        if idle.as_ref().is_err_and(is_captured) {
            return done;
        }
        if let Err(Error::Library(failure)) = &idle {
            // The device does not tell which stream failed.
            let fault = Fault::new(failure);
            streams.iter().for_each(|stream| stream.fail(&fault));
        }
        idle
    }

    /// Returns the failure of the first stream that is known to have failed.
    pub(crate) fn check(&self) -> Result<()> {
        lock(&self.all).iter().try_for_each(|stream| stream.check())
    }

    /// Waits for the work of a stream and destroys the stream. Returns the first failure that was not reported yet. A
    /// stream that is not known to be idle stays.
    pub(crate) fn end(&self, stream: &Arc<StreamCore>, bound: &Bound<'_>) -> Result<()> {
        if stream.has_ended() {
            return Ok(());
        }
        stream.finish(bound)?;
        let fault = stream.fault.get();
        if fault.is_some() && stream.idle(bound).is_err() && self.idle(bound).is_err() {
            return stream.check();
        }
        lock(&self.all).retain(|other| other != stream);
        lock(&stream.after).clear();
        stream.executors.clear();
        {
            let _asking = lock(&stream.asking);
            stream.handle.store(ptr::null_mut(), Ordering::Release);
        }
        let raw = stream.raw.write().unwrap_or_else(PoisonError::into_inner).take();
        let destroyed = raw.map_or(Ok(()), |raw| bound.destroy_stream(raw));
        match fault {
            Some(fault) if !fault.told.load(Ordering::Acquire) => Err(fault.tell()),
            _ => destroyed,
        }
    }

    /// Calls `record` to make an event and record it. If the device has no event left, waits until the work before
    /// recorded events is done, which frees them, and tries once more.
    pub(crate) fn with_an_event<T>(&self, bound: &Bound<'_>, record: impl Fn() -> Result<T>) -> Result<T> {
        match record() {
            Err(error) if is_lack_of_events(&error) => {
                // Streams keep their failures.
                let _ = self.idle(bound);
                record()
            }
            recorded => recorded,
        }
    }

    /// Ends all streams; the first failure is reported.
    pub(crate) fn end_all(&self, bound: &Bound<'_>) -> Result<()> {
        let streams = lock(&self.all).clone();
        let mut result = Ok(());
        for stream in &streams {
            result = result.and(self.end(stream, bound));
        }
        result.and(self.marks.end(bound))
    }
}

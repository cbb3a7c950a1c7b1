//! The helpers of a process, which compute parts of a kernel beside the thread that runs it.

use std::any::Any;
use std::num::NonZero;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use super::parts::{PART_BITS, Parts};
use super::placement::Placement;

/// Helpers are woken for what takes one thread so long, alone or together with the kernels right before it.
pub(super) const WORTH_WAKING: Duration = Duration::from_micros(50);

/// After this long, a helper is woken again though the last one that was woken made a kernel slower: its processor was busy.
const RETREAT: Duration = Duration::from_millis(10);

/// How long a helper stays awake without work, and the longest pause between kernels that count as one row.
const LINGER: Duration = Duration::from_micros(100);

/// How often a thread looks whether the last parts are finished before it sleeps.
const PATIENCE: usize = 200;

/// A function that computes the elements, rows or tiles of a range.
pub(crate) type Body<'a> = dyn Fn(Range<usize>) + Sync + 'a;

/// A kernel that is shared.
#[derive(Clone, Copy)]
struct Job {
    /// Lives until all parts have ended; whoever has claimed a part may use it.
    body: *const Body<'static>,
    parts: Parts,
}

// SAFETY: the body may be called on any thread, and is so only as described at the field.
unsafe impl Send for Job {}

/// The messages of the threads of a pool to each other.
struct Desk {
    /// The latest kernel, and its number.
    job: Option<Job>,
    number: u64,
    /// How many more helpers may take parts of it.
    seats: usize,
    helpers: usize,
    /// Helpers that sleep and are not called.
    asleep: usize,
    /// Helpers that are called and have not noticed yet.
    calls: usize,
    placement: Placement,
}

/// The helpers of a process.
pub(super) struct Pool {
    process: u32,
    processors: usize,
    desk: Mutex<Desk>,
    called: Condvar,
    /// Whether a kernel is shared.
    busy: AtomicBool,
    /// The number of the latest kernel, and in the last bits how many of its parts were taken.
    claims: AtomicU64,
    /// How much of it has not ended.
    left: AtomicUsize,
    /// The message of the first panic of its parts.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
    ended: Condvar,
    /// The helpers that are awake.
    awake: AtomicUsize,
    /// The nanoseconds of the latest kernels in a row, and when the last of them ended, since `begin`.
    row: AtomicU64,
    last: AtomicU64,
    /// When a kernel took longer for which a helper was woken; zero when none did.
    lost: AtomicU64,
    begin: Instant,
}

/// The pool of this process, or of the one that it was forked from.
static POOL: AtomicPtr<Pool> = AtomicPtr::new(ptr::null_mut());

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pool {
    /// The pool of this process. The child of a fork gets one of its own: it has the memory of its parent, and not the threads.
    pub(super) fn of_process() -> &'static Pool {
        loop {
            let known = POOL.load(Ordering::Acquire);
            // SAFETY: what was stored is never freed.
            if let Some(pool) = unsafe { known.as_ref() }
                && pool.process == process::id()
            {
                return pool;
            }
            let new = Box::into_raw(Box::new(Pool::new()));
            if POOL.compare_exchange(known, new, Ordering::AcqRel, Ordering::Relaxed).is_err() {
                // SAFETY: it was made above, and nobody else has seen it.
                drop(unsafe { Box::from_raw(new) });
            }
        }
    }

    fn new() -> Pool {
        Pool {
            process: process::id(),
            processors: thread::available_parallelism().map_or(1, NonZero::get),
            desk: Mutex::new(Desk {
                job: None,
                number: 0,
                seats: 0,
                helpers: 0,
                asleep: 0,
                calls: 0,
                placement: Placement::of_this_thread(),
            }),
            called: Condvar::new(),
            busy: AtomicBool::new(false),
            claims: AtomicU64::new(0),
            left: AtomicUsize::new(0),
            panic: Mutex::new(None),
            ended: Condvar::new(),
            awake: AtomicUsize::new(0),
            row: AtomicU64::new(0),
            last: AtomicU64::new(0),
            lost: AtomicU64::new(0),
            begin: Instant::now(),
        }
    }

    /// The processors of this process.
    pub(super) fn processors(&self) -> usize {
        self.processors
    }

    /// Returns whether a helper is awake.
    pub(super) fn is_awake(&self) -> bool {
        self.awake.load(Ordering::Relaxed) > 0
    }

    /// Notes that a kernel took longer for which a helper was woken.
    pub(super) fn retreat(&self) {
        self.lost.store(self.now(), Ordering::Relaxed);
    }

    /// Notes the end of a kernel, for the row that it is in.
    pub(super) fn end_kernel(&self) {
        self.last.store(self.now(), Ordering::Relaxed);
    }

    fn now(&self) -> u64 {
        self.begin.elapsed().as_nanos() as u64
    }

    /// Counts a kernel whose `rest` one thread has to compute yet.
    pub(super) fn is_worth_waking(&self, rest: Duration) -> bool {
        let (now, is_within) =
            (self.now(), |nanoseconds: u64, limit: Duration| u128::from(nanoseconds) < limit.as_nanos());
        // The time of this kernel so far is none of the pause.
        let is_row = is_within(now.saturating_sub(self.last.load(Ordering::Relaxed)), LINGER + rest);
        let before = if is_row { self.row.load(Ordering::Relaxed) } else { 0 };
        let row = before.saturating_add(rest.as_nanos() as u64);
        self.row.store(row, Ordering::Relaxed);
        let lost = self.lost.load(Ordering::Relaxed);
        let retreats = lost > 0 && is_within(now.saturating_sub(lost), RETREAT);
        !retreats && !is_within(row, WORTH_WAKING)
    }

    /// Computes all parts with at most `helpers`, or returns false, as nobody would help.
    pub(super) fn share(&'static self, parts: Parts, helpers: usize, wake: bool, body: &Body<'_>) -> bool {
        if self.busy.swap(true, Ordering::Acquire) {
            return false;
        }
        // SAFETY: the type differs only in the lifetime, and this function returns after the last use: no part is claimed
        // once all have ended.
        let body = unsafe { std::mem::transmute::<*const Body<'_>, *const Body<'static>>(body) };
        let job = Job { body, parts };
        let number = self.announce(job, helpers, wake);
        if let Some(number) = number {
            self.take_parts(job, number);
            self.wait();
        }
        let panic = lock(&self.panic).take();
        self.busy.store(false, Ordering::Release);
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
        number.is_some()
    }

    /// Tells helpers of a kernel and returns its number; `None` when all are asleep and stay so.
    fn announce(&'static self, job: Job, helpers: usize, wake: bool) -> Option<u64> {
        let mut desk = match self.desk.try_lock() {
            Ok(desk) => desk,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            // A helper looks for work at this moment, and may be interrupted there.
            Err(TryLockError::WouldBlock) => return None,
        };
        desk.placement.keep_away();
        while wake && desk.helpers < helpers {
            let helper = thread::Builder::new().name("cann-stubs kernel".to_owned());
            if helper.spawn(|| self.help()).is_err() {
                break;
            }
            desk.helpers += 1;
        }
        let awake = desk.helpers - desk.asleep;
        let calls = if wake { helpers.saturating_sub(awake).min(desk.asleep) } else { 0 };
        if awake + calls == 0 {
            return None;
        }
        desk.asleep -= calls;
        desk.calls += calls;
        desk.number += 1;
        desk.seats = helpers;
        desk.job = Some(job);
        let number = desk.number;
        self.left.store(job.parts.total, Ordering::Relaxed);
        self.claims.store(number << PART_BITS, Ordering::Release);
        drop(desk);
        (0..calls).for_each(|_| self.called.notify_one());
        Some(number)
    }

    /// Takes parts of a kernel until none is left.
    fn take_parts(&self, job: Job, number: u64) {
        let mut parts = job.parts;
        loop {
            let claims = self.claims.load(Ordering::Acquire);
            if claims >> PART_BITS != number {
                return;
            }
            let Some(part) = parts.part((claims & ((1 << PART_BITS) - 1)) as usize) else { return };
            if self.claims.compare_exchange(claims, claims + 1, Ordering::AcqRel, Ordering::Relaxed).is_err()
            {
                continue;
            }
            let len = part.len();
            // SAFETY: this thread has claimed a part, so `share` has not returned.
            let body = unsafe { &*job.body };
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| body(part))) {
                lock(&self.panic).get_or_insert(panic);
            }
            if self.left.fetch_sub(len, Ordering::AcqRel) == len {
                // Under the lock: who waits has not looked yet, or sleeps.
                let _panic = lock(&self.panic);
                self.ended.notify_one();
            }
        }
    }

    /// Waits for the parts that were begun.
    fn wait(&self) {
        for _ in 0..PATIENCE {
            if self.left.load(Ordering::Acquire) == 0 {
                return;
            }
            thread::yield_now();
        }
        let mut panic = lock(&self.panic);
        while self.left.load(Ordering::Acquire) != 0 {
            panic = self.ended.wait(panic).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes parts of each kernel that is shared, as the work of a helper.
    fn help(&self) {
        let mut seen = 0;
        lock(&self.desk).placement.join();
        self.awake.fetch_add(1, Ordering::Relaxed);
        loop {
            let begin = Instant::now();
            while self.claims.load(Ordering::Acquire) >> PART_BITS == seen && begin.elapsed() < LINGER {
                thread::yield_now();
            }
            let mut desk = lock(&self.desk);
            while desk.number == seen {
                desk.asleep += 1;
                self.awake.fetch_sub(1, Ordering::Relaxed);
                while desk.calls == 0 {
                    desk = self.called.wait(desk).unwrap_or_else(PoisonError::into_inner);
                }
                self.awake.fetch_add(1, Ordering::Relaxed);
                desk.calls -= 1;
            }
            seen = desk.number;
            let Some(seats) = desk.seats.checked_sub(1) else { continue };
            desk.seats = seats;
            let job = desk.job;
            drop(desk);
            if let Some(job) = job {
                self.take_parts(job, seen);
            }
        }
    }
}

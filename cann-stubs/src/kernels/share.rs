//! Threads that share a kernel.
//!
//! The thread that runs a kernel takes parts from the front, and helpers of the process, which are kept, take parts from the
//! back, so that each meets the memory that its caches hold from the kernel before. Nobody waits for a helper that has not
//! begun a part, so a kernel is never slower for a processor that is busy elsewhere. While one kernel is shared, others run
//! on their own threads alone.
//!
//! Waking a helper costs its caller up to 40 µs where a processor has to be fetched from its rest. So a helper stays awake
//! for a moment after its work, giving its processor to whoever wants it. While all sleep, a kernel is begun alone, and its
//! time tells whether the rest of it, or a row of kernels like it, is worth waking one. `rayon-core` would wake more often,
//! spin, and wait for ever in the child of a fork.

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

/// Kernels that read and write fewer bytes run on one thread.
const SHARED: usize = 2 << 20;

/// Helpers are woken for what takes one thread so long,
const WORTH_WAKING: Duration = Duration::from_micros(60);

/// or where it and the kernels right before it take so long.
const ROW_WORTH_WAKING: Duration = Duration::from_micros(250);

/// One over the part of a kernel whose time tells how long the rest takes.
const TRIAL: usize = 8;

/// What a part reads and writes at least, and at most: who waits for its end should not wait long.
const PART: Range<usize> = 256 << 10..4 << 20;

/// How long a helper stays awake without work, and the longest pause between kernels that count as one row.
const LINGER: Duration = Duration::from_micros(100);

/// How often a thread looks whether the last parts are finished before it sleeps.
const PATIENCE: usize = 200;

/// Bits of how many parts were taken from one end; the bits above those of both ends number the kernels.
const PART_BITS: u32 = 12;

/// What computes the elements, rows or tiles of a range.
pub(super) type Body<'a> = dyn Fn(Range<usize>) + Sync + 'a;

/// How many threads share each kernel, when it was chosen; 0 when it was not.
static CHOSEN: AtomicUsize = AtomicUsize::new(0);

/// Chooses how many threads share each kernel, whatever its size; 0 leaves it to the pool. Returns the choice before.
pub(crate) fn choose_threads(count: usize) -> usize {
    CHOSEN.swap(count, Ordering::Relaxed)
}

/// Computes `0..total`, in parts that begin at multiples of `together`, for a kernel that reads and writes `bytes`. When
/// `body` panics, this function panics after all parts have ended.
pub(super) fn each(total: usize, together: usize, bytes: usize, body: &Body<'_>) {
    let chosen = CHOSEN.load(Ordering::Relaxed);
    if (bytes < SHARED && chosen == 0) || total <= together {
        return body(0..total);
    }
    let pool = Pool::of_process();
    let threads = match chosen {
        0 => pool.processors.min(1 + bytes / SHARED),
        chosen => chosen,
    };
    if threads == 1 {
        return body(0..total);
    }
    let shared = |first: usize, wake: bool| {
        let units = |part: usize| (part as u128 * total as u128 / bytes.max(1) as u128) as usize;
        let sizes = if chosen == 0 { units(PART.start)..units(PART.end) } else { 1..total };
        let parts = Parts::new(first..total, together, sizes, threads);
        if !pool.share(parts, threads - 1, wake, body) {
            body(first..total);
        }
    };
    if chosen != 0 || pool.is_awake() {
        shared(0, chosen != 0);
    } else {
        let begin = Instant::now();
        let first = (total / TRIAL).max(1).next_multiple_of(together.max(1)).min(total);
        body(0..first);
        let rest = begin.elapsed() * (TRIAL as u32 - 1);
        if first < total {
            shared(first, pool.is_worth_waking(rest));
        }
    }
    pool.last.store(pool.now(), Ordering::Relaxed);
}

/// The parts of a kernel, of one size.
#[derive(Clone, Copy)]
struct Parts {
    begin: usize,
    end: usize,
    size: usize,
}

impl Parts {
    fn new(all: Range<usize>, together: usize, sizes: Range<usize>, threads: usize) -> Self {
        /// For each thread, so that all end together.
        const PARTS: usize = 16;
        // The numbers of the parts fit.
        let least = sizes.start.max(all.len() >> (PART_BITS - 1)).max(1);
        let size = (all.len() / (PARTS * threads)).clamp(least, sizes.end.max(least));
        Parts { begin: all.start, end: all.end, size: size.next_multiple_of(together.max(1)) }
    }

    fn count(&self) -> usize {
        (self.end - self.begin).div_ceil(self.size)
    }

    fn part(&self, number: usize) -> Range<usize> {
        let begin = self.begin + number * self.size;
        begin..self.end.min(begin.saturating_add(self.size))
    }
}

/// A kernel that is shared.
#[derive(Clone, Copy)]
struct Job {
    /// Lives until all parts have ended; whoever has claimed a part may use it.
    body: *const Body<'static>,
    parts: Parts,
}

// SAFETY: the body may be called on any thread, and is so only as described at the field.
unsafe impl Send for Job {}

/// What the threads of a pool tell each other.
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
}

/// The helpers of a process.
struct Pool {
    process: u32,
    processors: usize,
    desk: Mutex<Desk>,
    called: Condvar,
    /// Whether a kernel is shared.
    busy: AtomicBool,
    /// The number of the latest kernel, and in the last bits how many of its parts were taken from the front, and how many from
    /// the back.
    claims: AtomicU64,
    /// How much of it has not ended.
    left: AtomicUsize,
    /// What the first panic of its parts said.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
    ended: Condvar,
    /// The helpers that are awake.
    awake: AtomicUsize,
    /// The nanoseconds of the latest kernels in a row, and when the last of them ended, since `begin`.
    row: AtomicU64,
    last: AtomicU64,
    begin: Instant,
}

/// The pool of this process, or of the one that it was forked from.
static POOL: AtomicPtr<Pool> = AtomicPtr::new(ptr::null_mut());

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pool {
    /// The pool of this process. The child of a fork gets one of its own: it has the memory of its parent, and not the threads.
    fn of_process() -> &'static Pool {
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
            desk: Mutex::new(Desk { job: None, number: 0, seats: 0, helpers: 0, asleep: 0, calls: 0 }),
            called: Condvar::new(),
            busy: AtomicBool::new(false),
            claims: AtomicU64::new(0),
            left: AtomicUsize::new(0),
            panic: Mutex::new(None),
            ended: Condvar::new(),
            awake: AtomicUsize::new(0),
            row: AtomicU64::new(0),
            last: AtomicU64::new(0),
            begin: Instant::now(),
        }
    }

    fn now(&self) -> u64 {
        self.begin.elapsed().as_nanos() as u64
    }

    fn is_awake(&self) -> bool {
        self.awake.load(Ordering::Relaxed) > 0
    }

    /// Counts a kernel whose `rest` one thread has to compute yet.
    fn is_worth_waking(&self, rest: Duration) -> bool {
        let pause = self.now().saturating_sub(self.last.load(Ordering::Relaxed));
        // The time of this kernel so far is none of the pause.
        let is_row = u128::from(pause) < (LINGER + rest).as_nanos();
        let before = if is_row { self.row.load(Ordering::Relaxed) } else { 0 };
        let row = before.saturating_add(rest.as_nanos() as u64);
        self.row.store(row, Ordering::Relaxed);
        rest >= WORTH_WAKING || u128::from(row) >= ROW_WORTH_WAKING.as_nanos()
    }

    /// Computes all parts with at most `helpers`, or returns false, as nobody would help.
    fn share(&'static self, parts: Parts, helpers: usize, wake: bool, body: &Body<'_>) -> bool {
        if self.busy.swap(true, Ordering::Acquire) {
            return false;
        }
        // SAFETY: the type differs only in the lifetime, and this function returns after the last use: no part is claimed
        // once all have ended.
        let body = unsafe { std::mem::transmute::<*const Body<'_>, *const Body<'static>>(body) };
        let job = Job { body, parts };
        let number = self.announce(job, helpers, wake);
        if let Some(number) = number {
            self.take_parts(job, number, false);
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
        self.left.store(job.parts.end - job.parts.begin, Ordering::Relaxed);
        self.claims.store(number << (2 * PART_BITS), Ordering::Release);
        drop(desk);
        (0..calls).for_each(|_| self.called.notify_one());
        Some(number)
    }

    /// Takes parts of a kernel until none is left.
    fn take_parts(&self, job: Job, number: u64, from_back: bool) {
        let count = job.parts.count();
        loop {
            let claims = self.claims.load(Ordering::Acquire);
            let taken = |end: u32| (claims >> (end * PART_BITS)) as usize % (1 << PART_BITS);
            let (back, front) = (taken(0), taken(1));
            if claims >> (2 * PART_BITS) != number || front + back >= count {
                return;
            }
            let claim = if from_back { 1 } else { 1 << PART_BITS };
            if self
                .claims
                .compare_exchange(claims, claims + claim, Ordering::AcqRel, Ordering::Relaxed)
                .is_err()
            {
                continue;
            }
            let part = job.parts.part(if from_back { count - 1 - back } else { front });
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

    /// What a helper does.
    fn help(&self) {
        let mut seen = 0;
        self.awake.fetch_add(1, Ordering::Relaxed);
        loop {
            let begin = Instant::now();
            while self.claims.load(Ordering::Acquire) >> (2 * PART_BITS) == seen && begin.elapsed() < LINGER {
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
                self.take_parts(job, seen, true);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use serial_test::serial;

    use super::*;

    /// Restores the choice when it ends.
    struct Chosen(usize);

    impl Chosen {
        fn new(threads: usize) -> Self {
            Chosen(choose_threads(threads))
        }
    }

    impl Drop for Chosen {
        fn drop(&mut self) {
            choose_threads(self.0);
        }
    }

    /// How often each of `total` elements was computed.
    fn counts(total: usize, together: usize, bytes: usize) -> Vec<usize> {
        let counts: Vec<_> = (0..total).map(|_| AtomicUsize::new(0)).collect();
        each(total, together, bytes, &|part| {
            assert!(part.start.is_multiple_of(together) && part.is_empty() == (total == 0), "{part:?}");
            counts[part].iter().for_each(|count| _ = count.fetch_add(1, Ordering::Relaxed));
        });
        counts.into_iter().map(AtomicUsize::into_inner).collect()
    }

    #[test]
    #[serial(threads)]
    fn every_element_is_computed_once() {
        for threads in [0, 1, 2, 5] {
            let _chosen = Chosen::new(threads);
            for total in [0, 1, 2, 63, 64, 65, 1_000, 100_003] {
                for together in [1, 3, 64] {
                    for bytes in [0, total * 12, SHARED, 16 * SHARED] {
                        assert_eq!(
                            counts(total, together, bytes),
                            vec![1; total],
                            "{threads} {total} {together}"
                        );
                    }
                }
            }
        }
    }

    /// Parts that wait for each other end only when each has a thread of its own.
    #[test]
    #[serial(threads)]
    fn as_many_threads_share_a_kernel_as_were_chosen() {
        for threads in [2, 5] {
            let _chosen = Chosen::new(threads);
            // A helper that is just about to look for work makes a thread compute alone, so it is tried again.
            let shared = (0..1_000).any(|_| {
                let (all, is_shared) = (Barrier::new(threads), AtomicBool::new(false));
                each(threads, 1, 0, &|part| {
                    if part.len() == 1 {
                        is_shared.store(true, Ordering::Relaxed);
                        all.wait();
                    }
                });
                is_shared.into_inner()
            });
            assert!(shared);
        }
    }

    #[test]
    #[serial(threads)]
    fn a_panic_reaches_the_thread_that_launched_and_the_pool_goes_on() {
        let _chosen = Chosen::new(2);
        for _ in 0..20 {
            let ended = AtomicUsize::new(0);
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                each(100, 1, 0, &|part| {
                    ended.fetch_add(part.len(), Ordering::Relaxed);
                    assert!(!part.contains(&50), "the part with 50");
                });
            }));
            let said = outcome.expect_err("no panic");
            assert_eq!(said.downcast_ref::<&str>(), Some(&"the part with 50"));
            assert_eq!(ended.into_inner(), 100, "all parts have ended");
        }
        assert_eq!(counts(100, 1, 0), [1; 100]);
    }

    #[test]
    #[serial(threads)]
    fn threads_that_launch_at_once_or_inside_a_part_do_not_wait_for_each_other() {
        let _chosen = Chosen::new(3);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..200).for_each(|_| assert_eq!(counts(500, 1, 0), [1; 500])));
            }
        });
        let inner = AtomicUsize::new(0);
        each(50, 1, 0, &|part| {
            each(part.len(), 1, 0, &|part| _ = inner.fetch_add(part.len(), Ordering::Relaxed))
        });
        assert_eq!(inner.into_inner(), 50);
    }

    #[test]
    fn parts_cover_everything() {
        for (all, together, sizes, threads) in [
            (0..1_000_000, 8, 1_000..250_000, 2),
            (7..1_000_003, 1, 1_000..2_000, 2),
            (64..100, 64, 1..100, 5),
            // Ever so many threads and elements do not exhaust the numbers.
            (0..usize::MAX / 2, 1, 1..100, 1_000),
        ] {
            let parts = Parts::new(all.clone(), together, sizes, threads);
            let each: Vec<_> = (0..parts.count()).map(|number| parts.part(number)).collect();
            assert!(each.len() < 1 << PART_BITS);
            assert_eq!((each[0].start, each[each.len() - 1].end), (all.start, all.end));
            assert!(each.windows(2).all(|two| two[0].end == two[1].start && two[0].len() % together == 0));
            assert!(each.iter().all(|part| !part.is_empty()));
        }
    }
}

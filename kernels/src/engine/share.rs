//! Threads that share a kernel.
//!
//! The thread that runs a kernel takes one part after the other, and helpers of the process, which are kept, take parts
//! beside it. Nobody waits for a helper that has not begun a part, so a kernel is never slower for a processor that is busy
//! elsewhere. While one kernel is shared, others run on their own threads alone.
//!
//! A helper that is woken on another processor begins after some 10 to 30 µs, so it stays awake for a moment after its work,
//! giving its processor to whoever wants it. While all sleep, a kernel is begun alone, and its time tells whether the rest of
//! it, or a row of kernels like it, is worth waking one: bytes would not tell how long a function takes. `rayon-core` would wake more often, spin, and wait for ever in the child of a fork.

mod placement;

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

use placement::Placement;

use crate::views::failure::Result;
use crate::views::instructions;

/// Kernels that read and write fewer bytes run on one thread.
pub(crate) const SHARED: usize = 2 << 20;

/// Helpers are woken for what takes one thread so long, alone or together with the kernels right before it.
const WORTH_WAKING: Duration = Duration::from_micros(50);

/// After this long, a helper is woken again though the last one that was woken made a kernel slower: its processor was busy.
const RETREAT: Duration = Duration::from_millis(10);

/// One over the part of a kernel whose time tells how long the rest takes, at most, and what it reads and writes at most.
const TRIAL: usize = 8;
const TRIED: usize = 512 << 10;

/// What a part reads and writes at least, and at most: who waits for its end should not wait long.
const PART: Range<usize> = 256 << 10..4 << 20;

/// How long a helper stays awake without work, and the longest pause between kernels that count as one row.
const LINGER: Duration = Duration::from_micros(100);

/// How often a thread looks whether the last parts are finished before it sleeps.
const PATIENCE: usize = 200;

/// Bits of the number of a part; the others number the kernels.
const PART_BITS: u32 = 16;

/// What computes the elements, rows or tiles of a range.
pub(crate) type Body<'a> = dyn Fn(Range<usize>) + Sync + 'a;

/// How many threads share each kernel, when it was chosen; 0 when it was not.
static CHOSEN: AtomicUsize = AtomicUsize::new(0);

/// Chooses how many threads share each kernel, whatever its size; 0 leaves it to the pool. Returns the choice before.
pub fn choose_threads(count: usize) -> usize {
    CHOSEN.swap(count, Ordering::Relaxed)
}

/// Returns whether the number of threads is chosen.
pub(crate) fn is_chosen() -> bool {
    CHOSEN.load(Ordering::Relaxed) != 0
}

/// Computes as [`each`] does, and returns the first failure of a part.
pub(crate) fn try_each(
    total: usize,
    together: usize,
    bytes: usize,
    body: &(dyn Fn(Range<usize>) -> Result + Sync),
) -> Result {
    let failed = Mutex::new(None);
    each(total, together, bytes, &|range| {
        if let Err(why) = body(range) {
            failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(why);
        }
    });
    failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

/// Computes `0..total`, in parts that begin at multiples of `together`, for a kernel that reads and writes `bytes`. When
/// `body` panics, this function panics after all parts have ended.
pub(crate) fn each(total: usize, together: usize, bytes: usize, body: &Body<'_>) {
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
    // Helpers compute with the loops that this thread has chosen.
    let choice = instructions::chosen();
    let chosen_body = |part: Range<usize>| {
        let before = instructions::choose(choice);
        body(part);
        instructions::choose(before);
    };
    let shared = |first: usize, wake: bool| {
        let units = |part: usize| (part as u128 * total as u128 / bytes.max(1) as u128) as usize;
        let sizes = if chosen == 0 { units(PART.start)..units(PART.end) } else { 1..total };
        let parts = Parts::new(total - first, together, sizes, threads);
        if !pool.share(parts, threads - 1, wake, &|part| chosen_body(first + part.start..first + part.end)) {
            body(first..total);
        }
    };
    if chosen != 0 || pool.awake.load(Ordering::Relaxed) > 0 {
        shared(0, chosen != 0);
    } else if total < 2 * TRIAL && bytes / total >= TRIED / 2 {
        // Their bytes alone take long, and one that is tried alone would keep the others waiting.
        shared(0, pool.is_worth_waking(WORTH_WAKING));
    } else {
        let begin = Instant::now();
        let part =
            (total as u128 * TRIED as u128 / bytes.max(1) as u128).min((total / TRIAL) as u128) as usize;
        let first = part.max(1).next_multiple_of(together.max(1)).min(total);
        body(0..first);
        let rest = begin.elapsed().mul_f64((total - first) as f64 / first as f64);
        if first < total {
            let (wake, begin) = (pool.is_worth_waking(rest), Instant::now());
            shared(first, wake);
            if wake && begin.elapsed() > rest {
                pool.lost.store(pool.now(), Ordering::Relaxed);
            }
        }
    }
    pool.last.store(pool.now(), Ordering::Relaxed);
}

/// Changes elements in pieces of `together`, which threads share, for a kernel that reads and writes `bytes`. `body` gets the number
/// of a piece and the piece.
pub(crate) fn pieces<T: Send>(
    elements: &mut [T],
    together: usize,
    bytes: usize,
    body: &(dyn Fn(usize, &mut [T]) + Sync),
) {
    let pieces: Vec<Mutex<&mut [T]>> = elements.chunks_mut(together.max(1)).map(Mutex::new).collect();
    each(pieces.len(), 1, bytes, &|range| {
        for (number, piece) in pieces.iter().enumerate().take(range.end).skip(range.start) {
            body(number, &mut piece.lock().unwrap_or_else(PoisonError::into_inner));
        }
    });
}

/// The parts of a kernel: large ones first, so that few are taken, then smaller ones, so that all threads end together.
#[derive(Clone, Copy)]
struct Parts {
    total: usize,
    together: usize,
    /// A part is what is left, divided by this,
    divisor: usize,
    /// but at least and at most so much.
    least: usize,
    most: usize,
    /// The number of the next part, and where it begins.
    next: (usize, usize),
}

impl Parts {
    fn new(total: usize, together: usize, sizes: Range<usize>, threads: usize) -> Self {
        // The numbers of the parts fit.
        let least = sizes.start.max(total >> (PART_BITS - 2)).max(1);
        let (divisor, most) = (2 * threads, sizes.end.max(least));
        Parts { total, together: together.max(1), divisor, least, most, next: (0, 0) }
    }

    /// The part of a number that is not below the one asked for before.
    fn part(&mut self, number: usize) -> Option<Range<usize>> {
        loop {
            let (next, begin) = self.next;
            let left = self.total.checked_sub(begin).filter(|left| *left > 0)?;
            let len = (left / self.divisor).clamp(self.least, self.most);
            let len = len.next_multiple_of(self.together).min(left);
            if next == number {
                return Some(begin..begin + len);
            }
            self.next = (next + 1, begin + len);
        }
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
    placement: Placement,
}

/// The helpers of a process.
struct Pool {
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
    /// What the first panic of its parts said.
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

    fn now(&self) -> u64 {
        self.begin.elapsed().as_nanos() as u64
    }

    /// Counts a kernel whose `rest` one thread has to compute yet.
    fn is_worth_waking(&self, rest: Duration) -> bool {
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

    /// What a helper does.
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
            let shared = (0..10_000).any(|tries| {
                if tries > 0 {
                    thread::sleep(Duration::from_millis(1));
                }
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
    fn parts_become_smaller_and_cover_everything() {
        let mut parts = Parts::new(1_000_000, 8, 1_000..250_000, 2);
        let all: Vec<_> = (0..).map_while(|number| parts.part(number)).collect();
        assert_eq!((all[0].clone(), all[1].start, all[all.len() - 1].end), (0..250_000, 250_000, 1_000_000));
        assert!(all.windows(2).all(|two| two[0].end == two[1].start && two[0].len() >= two[1].len()));
        let mut skipping = Parts::new(1_000_000, 8, 1_000..250_000, 2);
        assert_eq!(skipping.part(7), Some(all[7].clone()));
        // Ever so many threads and elements do not exhaust the numbers.
        let mut many = Parts::new(usize::MAX / 2, 1, 1..100, 1_000);
        assert!((0..1 << PART_BITS).map_while(|number| many.part(number)).count() < 1 << PART_BITS);
    }
}

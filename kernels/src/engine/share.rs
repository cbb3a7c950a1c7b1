//! Threads that share a kernel.
//!
//! The thread that runs a kernel takes one part after the other, and helpers of the process, which are kept, take parts
//! beside it. Nobody waits for a helper that has not begun a part, so a kernel is never slower for a processor that is busy
//! elsewhere. While one kernel is shared, others run on their own threads alone.
//!
//! A helper that is woken on another processor begins after some 10 to 30 µs, so it stays awake for a moment after its work,
//! giving its processor to whoever wants it. While all sleep, a kernel is begun alone, and its time tells whether the rest of
//! it, or a row of kernels like it, is worth waking one: bytes would not tell how long a function takes. `rayon-core` would wake
//! more often, spin, and wait for ever in the child of a fork.

mod parts;
mod placement;
mod pool;

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use parts::Parts;
use pool::Pool;

use crate::views::failure::Result;
use crate::views::instructions;

pub(crate) use pool::Body;

/// Kernels that read and write fewer bytes run on one thread.
pub(crate) const SHARED: usize = 2 << 20;

/// One over the part of a kernel whose time tells how long the rest takes, at most, and what it reads and writes at most.
const TRIAL: usize = 8;
const TRIED: usize = 512 << 10;

/// What a part reads and writes at least, and at most: who waits for its end should not wait long.
const PART: Range<usize> = 256 << 10..4 << 20;

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
        0 => pool.processors().min(1 + bytes / SHARED),
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
    if chosen != 0 || pool.is_awake() {
        shared(0, chosen != 0);
    } else if total < 2 * TRIAL && bytes / total >= TRIED / 2 {
        // Their bytes alone take long, and one that is tried alone would keep the others waiting.
        shared(0, pool.is_worth_waking(pool::WORTH_WAKING));
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
                pool.retreat();
            }
        }
    }
    pool.end_kernel();
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

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Barrier;
    use std::sync::atomic::AtomicBool;
    use std::thread;
    use std::time::Duration;

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
}

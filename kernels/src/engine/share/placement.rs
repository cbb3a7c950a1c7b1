//! Placement of helper threads: on other processors than the thread that shares a kernel with them.
//!
//! Left to itself, the system often wakes a thread on the processor of the one that wakes it, though another is idle. There
//! one of the two waits for the other, for milliseconds.

#[cfg(target_os = "linux")]
pub(super) use linux::Placement;
#[cfg(not(target_os = "linux"))]
pub(super) use other::Placement;

#[cfg(target_os = "linux")]
mod linux {
    use rustix::thread::{CpuSet, Pid, gettid, sched_getaffinity, sched_getcpu, sched_setaffinity};

    /// The helpers of a process, and the processor that they keep away from.
    #[derive(Default)]
    pub(crate) struct Placement {
        /// The processors of the threads that began to share kernels; `None` where the system does not tell.
        allowed: Option<CpuSet>,
        helpers: Vec<Pid>,
        avoided: Option<usize>,
    }

    impl Placement {
        /// For helpers that may run where this thread may.
        pub(crate) fn of_this_thread() -> Self {
            Placement { allowed: sched_getaffinity(None).ok(), ..Placement::default() }
        }

        /// Makes the calling thread one of the helpers.
        pub(crate) fn join(&mut self) {
            self.helpers.push(gettid());
            if let Some(places) = self.places() {
                // Where the system refuses, the helper runs anywhere.
                let _ = sched_setaffinity(None, &places);
            }
        }

        /// Keeps all helpers away from the processor of the calling thread.
        #[inline]
        pub(crate) fn keep_away(&mut self) {
            let here = sched_getcpu();
            if self.avoided != Some(here) {
                self.move_away(here);
            }
        }

        #[cold]
        fn move_away(&mut self, here: usize) {
            self.avoided = Some(here);
            if let Some(places) = self.places() {
                for helper in &self.helpers {
                    let _ = sched_setaffinity(Some(*helper), &places);
                }
            }
        }

        /// The processors that are left, if there are any.
        fn places(&self) -> Option<CpuSet> {
            let (mut places, avoided) = (self.allowed?, self.avoided?);
            if avoided < CpuSet::MAX_CPU {
                places.unset(avoided);
            }
            (places.count() > 0).then_some(places)
        }
    }

    #[cfg(test)]
    mod tests {
        use std::sync::{Barrier, Mutex};
        use std::thread;

        use super::*;

        #[test]
        fn helpers_keep_away_from_the_processor_of_the_thread_that_calls_them() {
            let placement = Mutex::new(Placement::of_this_thread());
            let allowed = sched_getaffinity(None).unwrap();
            let is_apart = |helper: Option<Pid>, avoided: usize| {
                let places = sched_getaffinity(helper).unwrap();
                let all_are_allowed =
                    (0..CpuSet::MAX_CPU).all(|cpu| !places.is_set(cpu) || allowed.is_set(cpu));
                // The only processor is shared.
                all_are_allowed && (allowed.count() == 1 || !places.is_set(avoided))
            };
            placement.lock().unwrap().keep_away();
            let (joined, done) = (Barrier::new(2), Barrier::new(2));
            thread::scope(|scope| {
                scope.spawn(|| {
                    let mut placement = placement.lock().unwrap();
                    placement.join();
                    assert!(is_apart(None, placement.avoided.unwrap()));
                    drop(placement);
                    joined.wait();
                    done.wait();
                });
                joined.wait();
                for cpu in (0..CpuSet::MAX_CPU).filter(|cpu| allowed.is_set(*cpu)) {
                    let mut placement = placement.lock().unwrap();
                    placement.move_away(cpu);
                    assert!(is_apart(Some(placement.helpers[0]), cpu), "{cpu}");
                }
                done.wait();
            });
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    /// The system places threads.
    #[derive(Default)]
    pub(crate) struct Placement;

    impl Placement {
        pub(crate) fn of_this_thread() -> Self {
            Placement
        }

        pub(crate) fn join(&mut self) {}

        pub(crate) fn keep_away(&mut self) {}
    }
}

//! Threads that run streams although no thread of the program waits for them or queries them.
//!
//! A stream is given to a thread when it has work and no thread has it; that thread runs it until it is empty, waiting
//! where the stream waits. Threads are made when none is idle and end when they have been idle for a while, so streams
//! that wait for each other, or for something that a host function does elsewhere, never wait for a thread.

use std::collections::VecDeque;
use std::sync::{PoisonError, Weak};
use std::time::Duration;

use crate::runtime::stream::queue::Stream;
use crate::sync::{Condvar, Mutex, MutexGuard, statics, thread, wait_at_most};

/// How long a thread stays without work.
const LINGER: Duration = Duration::from_secs(1);

/// The work of a thread for a stream.
pub(super) type Service = fn(&Stream);

struct Pool {
    /// Streams that have work and no thread.
    streams: VecDeque<(Weak<Stream>, Service)>,
    idle: usize,
}

statics! {
    static POOL: Mutex<Pool> = Mutex::new(Pool { streams: VecDeque::new(), idle: 0 });
    static CALLED: Condvar = Condvar::new();
}

fn pool() -> MutexGuard<'static, Pool> {
    POOL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives `stream` to a thread, unless one has it. Returns false where no thread can be made.
pub(super) fn give(stream: &Stream, service: Service) -> bool {
    if !stream.hand_over() {
        return true;
    }
    let mut pool = pool();
    pool.streams.push_back((stream.weak(), service));
    let enough = pool.streams.len() <= pool.idle;
    drop(pool);
    if enough {
        CALLED.notify_one();
        return true;
    }
    let thread = thread::Builder::new().name("cann-stubs worker".to_owned());
    if thread.spawn(work).is_ok() {
        return true;
    }
    let own = stream.weak();
    self::pool().streams.retain(|(other, _)| !other.ptr_eq(&own));
    stream.take_back();
    false
}

fn work() {
    let mut pool = pool();
    loop {
        if let Some((stream, service)) = pool.streams.pop_front() {
            drop(pool);
            if let Some(stream) = stream.upgrade() {
                serve(&stream, service);
            }
            pool = self::pool();
            continue;
        }
        pool.idle += 1;
        let (guard, late) = wait_at_most(&CALLED, &POOL, pool, LINGER);
        pool = guard;
        pool.idle -= 1;
        if late && pool.streams.is_empty() {
            return;
        }
    }
}

/// Serves `stream` until it is empty.
fn serve(stream: &Stream, service: Service) {
    loop {
        service(stream);
        stream.take_back();
        // A task that was queued after the last run found the stream still claimed.
        if stream.is_done() || !stream.hand_over() {
            return;
        }
    }
}

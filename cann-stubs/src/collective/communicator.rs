//! [`Communicator`]: one rank of a group, what it knows of the others, and how a failure reaches all.

use std::fmt::Display;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU64, fence};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use aclnn_sys::{HCCL_E_PARA, HCCL_E_REMOTE, HCCL_E_TIMEOUT, HcclResult};
use rustix::thread::futex;

use super::call::Call;
use super::outcome::{Result, failed, refused};
use super::process;
use super::segment::{Desk, Segment, TEXT};
use crate::check::tracker;
use crate::handle::{Kind, Registry};
use crate::mapped::mapped;
use crate::runtime::stream::progress;
use crate::status::Status;
use crate::sync::number_of_thread;

/// States of a desk.
pub(super) const JOINING: u32 = 1;
pub(super) const THERE: u32 = 2;
pub(super) const LEFT: u32 = 3;
/// Lost by a fault on demand: for the others it is as if its process had died.
const LOST: u32 = 4;

/// How often a rank that waits looks whether the others still live.
const LOOKS: Duration = Duration::from_millis(20);

/// How many looks in a row must find that the last call of a rank was refused before it is not waited for any more: two seconds
/// in which the program may call something else. They are counted, and no time is taken, since a thread that has to wait for a
/// processor looks as rarely as the other one comes on.
const REFUSED_LOOKS: u32 = 100;

/// How long a rank that waits for another thread looks at it before it gives way.
const SPINS: Duration = Duration::from_micros(40);

/// How often it looks before another thread may have the processor: there may be more ranks than processors.
const GLANCES: usize = 8;

/// The number of streams of a communicator at which those are forgotten whose work is over.
const MANY: usize = 8;

/// How long it then sleeps until another process tells of a change, before the thread looks at its other streams.
const NAP: Duration = Duration::from_millis(4);

/// Every communicator.
pub(super) static COMMUNICATORS: Registry<Communicator> = Registry::new(Kind::Communicator);

/// One rank of a group.
pub(super) struct Communicator {
    pub(super) segment: Segment,
    pub(super) rank: usize,
    pub(super) device: i32,
    /// How often the device had been reset when the rank joined.
    pub(super) resets: u64,
    /// The number of the context in which the rank joined, if the program made that context.
    pub(super) context: Option<u64>,
    pub(super) name: String,
    /// How long a collective waits for others.
    pub(super) timeout: Duration,
    /// The process that joined. A process that was forked from it has no part in the group.
    pub(super) process: u32,
    /// Calls that were queued, and calls that are over: each is done in its turn, whatever its stream is.
    pub(super) queued: AtomicU64,
    pub(super) turn: AtomicU64,
    /// The last call on each stream.
    pub(super) last: Mutex<Vec<Last>>,
    /// Whether memory that is not aligned was reported, which is done once.
    pub(super) is_misaligned: AtomicBool,
    /// Whether it was destroyed.
    pub(super) is_ended: AtomicBool,
}

/// The last call of a communicator on a stream, as the checks number it.
pub(super) struct Last {
    stream: i32,
    tick: u64,
    function: &'static str,
}

impl Communicator {
    pub(super) fn own(&self) -> &Desk {
        self.segment.desk(self.rank)
    }

    /// Returns whether this is the process that joined, and not one that was forked from it.
    pub(super) fn is_own(&self) -> bool {
        self.process == std::process::id()
    }

    /// Tells the other ranks, in other processes too, that something changed. No lock is held.
    pub(super) fn notify(&self) {
        notify(&self.segment);
        progress::announce();
    }

    /// Returns whether the group has failed.
    pub(super) fn has_failed(&self) -> bool {
        self.segment.head().failed.load(Acquire) != 0
    }

    /// The failure of the group, if there is one.
    pub(super) fn failure(&self) -> Option<Status> {
        let head = self.segment.head();
        if !self.is_own() {
            let message = "this process was forked from the one that joined the group, and has no part in it";
            return Some(failed(HCCL_E_REMOTE, message));
        }
        let is_written = || {
            std::thread::yield_now();
            head.failed.load(Acquire) == 2
        };
        match head.failed.load(Acquire) {
            0 if self.own().state.load(Relaxed) == LOST => {
                return Some(failed(HCCL_E_REMOTE, "this rank was lost by a fault on demand"));
            }
            0 => return None,
            // A process that dies while it writes leaves no text.
            1 if !(0..1000).any(|_| is_written()) => {
                return Some(failed(HCCL_E_REMOTE, "a rank failed and died before it said why"));
            }
            _ => {}
        }
        let length = (head.length.load(Relaxed) as usize).min(TEXT);
        let text: Vec<u8> = mapped(&head.text[..length], |byte| byte.load(Relaxed));
        Some(failed(HcclResult(head.code.load(Relaxed)), String::from_utf8_lossy(&text)))
    }

    /// Makes `why` the failure of the group, unless there is one. Returns the failure of the group.
    pub(super) fn fail(&self, why: Status) -> Status {
        let speaks = self.is_own() && self.own().state.load(Relaxed) != LOST;
        if speaks && self.segment.head().fail(&why) {
            self.notify();
        }
        self.failure().unwrap_or(why)
    }

    /// Counts a call that is the next task of a stream. Returns its number.
    pub(super) fn count(&self, stream: i32, tick: u64, function: &'static str) -> u64 {
        let mut calls = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        calls.retain(|last| last.stream != stream);
        if calls.len() >= MANY {
            calls.retain(|last| !tracker::host_knows(last.stream, last.tick));
        }
        calls.push(Last { stream, tick, function });
        // Under the lock, so that the number of a stream's last call is its highest.
        let number = self.queued.fetch_add(1, Relaxed);
        self.own().queued.store(number + 1, Release);
        number
    }

    /// Makes a call of this rank. The other ranks learn of a refusal, since they may wait for the call.
    pub(super) fn calling(&self, function: &str, call: impl FnOnce() -> Result) -> Result {
        call().inspect_err(|why| self.refuse(function, why))
    }

    fn refuse(&self, function: &str, why: &Status) {
        if self.is_own() {
            self.own().refusal.write(&format!("{function} was refused there: {}", why.message));
            self.own().refused_at.store(self.queued.load(Relaxed) + 1, Release);
            self.notify();
        }
    }

    pub(super) fn keep(self: &Arc<Self>) -> Kept {
        Kept(Arc::downgrade(self))
    }

    /// Forgets that a call was refused: the program has corrected it by one that a graph stores, which is not counted.
    pub(super) fn forget_refusal(&self) {
        self.own().refused_at.store(0, Release);
    }

    /// The last call of a rank, in words, if it was refused and the rank has called nothing of this group since.
    fn refusal(&self, rank: usize) -> Option<String> {
        let desk = self.segment.desk(rank);
        let is_last = desk.refused_at.load(Acquire) == desk.queued.load(Acquire) + 1;
        is_last.then(|| desk.refusal.read())
    }

    /// A call that the host does not know to be over.
    pub(super) fn open_call(&self) -> Option<(&'static str, i32)> {
        let calls = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let open = calls.iter().find(|last| !tracker::host_knows(last.stream, last.tick));
        open.map(|last| (last.function, last.stream))
    }

    /// Takes no part in the group any more, without telling the others. Returns the failure of this rank.
    pub(super) fn abandon(&self) -> Status {
        self.own().state.store(LOST, Release);
        self.failure().unwrap_or_else(|| failed(HCCL_E_REMOTE, "this rank was lost"))
    }

    /// A rank for which something does not hold yet: one that this thread runs, or else the first.
    pub(super) fn lacking(&self, holds: impl Fn(&Desk) -> bool) -> Option<usize> {
        let lack = |rank: &usize| !holds(self.segment.desk(*rank));
        let first = (0..self.segment.ranks()).find(lack)?;
        (first..self.segment.ranks()).filter(lack).find(|rank| !self.is_elsewhere(*rank)).or(Some(first))
    }

    /// A rank in words.
    pub(super) fn called(&self, rank: usize) -> String {
        format!("rank {rank} (process {})", self.segment.desk(rank).process.load(Relaxed))
    }

    /// The reason why a rank that is waited for will never come, as far as it is known.
    pub(super) fn gone(&self, rank: usize) -> Option<Status> {
        let desk = self.segment.desk(rank);
        if desk.state.load(Acquire) == LEFT {
            let message = format!("{} has destroyed its communicator", self.called(rank));
            return Some(failed(HCCL_E_REMOTE, message));
        }
        if desk.state.load(Acquire) != LOST
            && process::lives(desk.process.load(Relaxed), desk.started.load(Relaxed))
        {
            return None;
        }
        Some(failed(HCCL_E_REMOTE, format_args!("{} is gone", self.called(rank))))
    }

    /// Returns whether another thread works for a rank, as far as it is known.
    pub(super) fn is_elsewhere(&self, rank: usize) -> bool {
        let thread = self.segment.desk(rank).thread.load(Relaxed);
        self.is_foreign(rank) || ![0, number_of_thread()].contains(&thread)
    }

    /// Returns whether another process works for a rank.
    fn is_foreign(&self, rank: usize) -> bool {
        self.segment.desk(rank).process.load(Relaxed) != self.process
    }

    /// Marks that this thread works for the rank.
    pub(super) fn work(&self) {
        self.own().thread.store(number_of_thread(), Relaxed);
    }

    /// The state of a rank in words.
    pub(super) fn doing(&self, rank: usize) -> String {
        let desk = self.segment.desk(rank);
        match desk.begun.load(Acquire) {
            0 if desk.queued.load(Acquire) == 0 => "has called nothing of this group".to_owned(),
            0 => "has begun no collective of this group".to_owned(),
            begun => match Call::of(desk, begun - 1) {
                Some(call) if desk.gathered.load(Acquire) < self.own().gathered.load(Acquire) => {
                    format!("is in its collective {begun}, {call}")
                }
                Some(call) => format!("has begun {begun} collectives, the last is {call}"),
                None => format!("has begun {begun} collectives"),
            },
        }
    }
}

/// A communicator as a graph keeps it: a rank leaves its group when its communicator is destroyed, and not when the last graph is.
#[derive(Clone)]
pub(crate) struct Kept(Weak<Communicator>);

impl Kept {
    /// Makes a call of the rank, as [`Communicator::calling`] does, unless its communicator is gone.
    pub(super) fn calling(&self, function: &str, call: impl FnOnce(&Arc<Communicator>) -> Result) -> Result {
        match self.0.upgrade() {
            Some(comm) => comm.calling(function, || call(&comm)),
            None => refused("comm was destroyed before"),
        }
    }

    /// As [`Communicator::forget_refusal`].
    pub(crate) fn forget_refusal(&self) {
        if let Some(comm) = self.0.upgrade() {
            comm.forget_refusal();
        }
    }
}

impl Drop for Communicator {
    /// The rank leaves when nothing uses the communicator any more: its handle is gone, and its queued work is over.
    fn drop(&mut self) {
        if self.is_own() {
            // A rank that was lost tells nobody that it leaves.
            let _ = self.own().state.compare_exchange(THERE, LEFT, Release, Relaxed);
            self.notify();
        }
    }
}

/// The rank of a group of this name that a device of this process is, and its handle. Any of them counts where several groups
/// of a device have one name.
pub(super) fn named(group: &str, device: i32) -> Option<(usize, Arc<Communicator>)> {
    let is_it = |comm: &Communicator| comm.name == group && comm.device == device && comm.is_own();
    let live = COMMUNICATORS.live().into_iter().filter(|(_, comm)| is_it(comm));
    live.filter(|(_, comm)| !comm.is_ended.load(Acquire)).last()
}

/// Tells every process of a group that something changed.
pub(super) fn notify(segment: &Segment) {
    let head = segment.head();
    head.changes.fetch_add(1, SeqCst);
    if head.watchers.load(SeqCst) > 0 {
        let _ = futex::wake(&head.changes, futex::Flags::empty(), u32::MAX >> 1);
    }
}

/// Waits until something changed since `seen` was the number of changes, or for a moment.
pub(super) fn wait_for_change(segment: &Segment, seen: u32, moment: Duration) {
    let head = segment.head();
    head.watchers.fetch_add(1, SeqCst);
    let limit = futex::Timespec { tv_sec: 0, tv_nsec: i64::from(moment.subsec_nanos()) };
    // That the number is another one already, a signal, or that the time is up: the caller looks again.
    let _ = futex::wait(&head.changes, futex::Flags::empty(), seen, Some(&limit));
    head.watchers.fetch_sub(1, SeqCst);
}

/// The patience of a call that waits for other ranks.
pub(super) struct Waiting {
    since: Instant,
    looked: Instant,
    /// Whether the other ranks were told what this one waits for.
    is_told: bool,
    /// A rank that is waited for, and how many looks in a row have found that its last call was refused.
    refused_looks: (usize, u32),
}

impl Waiting {
    pub(super) fn begin() -> Self {
        let now = Instant::now();
        Waiting { since: now, looked: now, is_told: false, refused_looks: (0, 0) }
    }

    /// Waits a moment for `rank`, if another thread may run it. Returns whether what it lacks is there now.
    pub(super) fn for_a_moment(comm: &Communicator, rank: usize, is_there: impl Fn() -> bool) -> bool {
        if !comm.is_elsewhere(rank) {
            return false;
        }
        let end = Instant::now() + SPINS;
        loop {
            for _ in 0..GLANCES {
                if is_there() {
                    return true;
                }
                std::hint::spin_loop();
            }
            if Instant::now() >= end {
                break;
            }
            std::thread::yield_now();
        }
        // Threads of this process are told by `progress`, and one that only queries a stream does not wait.
        if !comm.is_foreign(rank) || !progress::is_awaited() {
            return false;
        }
        let end = Instant::now() + NAP;
        loop {
            let seen = comm.segment.head().changes.load(Acquire);
            let left = end.saturating_duration_since(Instant::now());
            if is_there() || left.is_zero() {
                return is_there();
            }
            wait_for_change(&comm.segment, seen, left);
        }
    }

    /// Returns why there is no use in waiting for `rank` any longer. `what` says what waits, and for what.
    pub(super) fn timed_out(
        &mut self,
        comm: &Communicator,
        rank: usize,
        is_there: impl Fn() -> bool,
        what: impl Fn() -> String,
    ) -> Option<Status> {
        if self.looked.elapsed() < LOOKS {
            return None;
        }
        self.looked = Instant::now();
        if let Some(gone) = comm.gone(rank) {
            // It may have done what is needed just before.
            fence(Acquire);
            if is_there() {
                return None;
            }
            let message =
                format!("{}: {}; make a new group of the ranks that are left", what(), gone.message);
            return Some(failed(HcclResult(gone.code.cast_unsigned()), message));
        }
        // A program may correct its call, or go on without it.
        let refusal = comm.refusal(rank);
        let looks_before = if self.refused_looks.0 == rank { self.refused_looks.1 } else { 0 };
        let looks = if refusal.is_some() { looks_before + 1 } else { 0 };
        self.refused_looks = (rank, looks);
        if let Some(refusal) = refusal.as_ref().filter(|_| looks > REFUSED_LOOKS && !is_there()) {
            let message = format!("{}: {} does not come, as {refusal}", what(), comm.called(rank));
            return Some(failed(HCCL_E_REMOTE, message));
        }
        if self.since.elapsed() < comm.timeout || is_there() {
            self.is_told = true;
            tell_others(comm, &format!("{}, and waits for rank {rank}", what()));
            return None;
        }
        let waits = comm.segment.desk(rank).waits.read();
        let meanwhile = if waits.is_empty() { waits } else { format!("; meanwhile {waits}") };
        let refused = refusal.map(|refusal| format!("; {refusal}")).unwrap_or_default();
        let message = format!(
            "{}: {} did not come within {:?}, and {}{refused}{meanwhile}; every rank calls the same in the same order, in all its \
             groups, and a thread that drives several ranks calls it for each of them before it waits",
            what(),
            comm.called(rank),
            comm.timeout,
            comm.doing(rank)
        );
        // The other rank may wait for this one in another group, and give up a little later.
        tell_others(comm, &format!("{}, and waited for rank {rank} in vain", what()));
        self.is_told = false;
        Some(failed(HCCL_E_TIMEOUT, message))
    }

    /// Ends a wait, of which the other ranks need not know any more.
    pub(super) fn end(waiting: &mut Option<Waiting>, comm: &Communicator) {
        if waiting.take().is_some_and(|waiting| waiting.is_told) {
            tell_others(comm, "");
        }
    }
}

/// Notes what a rank waits for where the other ranks of this group see it, and those of the other groups of its device.
fn tell_others(comm: &Communicator, text: &str) {
    let others = COMMUNICATORS.live();
    let of_device = others.iter().map(|(_, other)| &**other).filter(|other| other.device == comm.device);
    for member in of_device.chain([comm]).filter(|member| member.is_own()) {
        member.own().waits.write(text);
    }
}

/// A call that cannot be carried out on this rank, which the others learn of.
pub(super) fn given_up(comm: &Communicator, what: &str) {
    let message = format!(
        "{} gave up {what}: its stream was destroyed, reset or stopped by an earlier failure",
        comm.called(comm.rank)
    );
    comm.fail(failed(HCCL_E_REMOTE, message));
}

/// Refuses what names no rank of the group.
pub(super) fn must_be_rank(
    comm: &Communicator,
    parameter: impl Display,
    rank: u32,
) -> super::outcome::Result {
    let ranks = comm.segment.ranks();
    match (rank as usize) < ranks {
        true => Ok(()),
        false => Err(failed(
            HCCL_E_PARA,
            format_args!("{parameter} is {rank}, but the group has the ranks 0 to {}", ranks - 1),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collective::{group, root_info};

    /// A wait goes on to another rank, whose refusal counts anew.
    #[test]
    fn looks_at_refusals_are_counted_for_each_rank() {
        let root = root_info::make().unwrap();
        let file = root.open().unwrap();
        let join =
            |rank| group::sit_down(&file, 3, rank, 0, "a test".to_owned(), Duration::from_secs(600)).unwrap();
        let ranks: Vec<Communicator> = (0..3).map(join).collect();
        let refused = failed(HCCL_E_PARA, "a test");
        ranks[1..].iter().for_each(|own| own.refuse("HcclBarrier", &refused));
        let mut waiting = Waiting::begin();
        let mut look = |rank| {
            waiting.looked = waiting.looked.checked_sub(LOOKS).unwrap();
            waiting.timed_out(&ranks[0], rank, || false, || "a test".to_owned())
        };
        for number in 0..3 * REFUSED_LOOKS as usize {
            assert!(look(1 + number / 60 % 2).is_none());
        }
        let given_up = (0..=REFUSED_LOOKS).find_map(|_| look(1)).unwrap();
        assert!(given_up.message.contains("HcclBarrier was refused there"), "{}", given_up.message);
        // Corrected by a call of a graph.
        ranks[1].forget_refusal();
        assert!(look(1).is_none());
        root.close();
    }
}

//! A collective on one rank, round by round.
//!
//! In a round each rank publishes elements in its slot, and gathers what it is to have: the elements that others published,
//! as they are or combined. Where all ranks need many combined elements, each combines a share of them first, and they gather
//! the shares. The first round is published before the ranks agree on the collective, so that a small one waits only once.
//!
//! The counters of a rank only grow. A slot is used again two rounds later. All ranks have read it by then: this rank has ended
//! the round between them, for which it needed what all published, and a rank publishes when it has ended the round before.

use std::ops::Range;
use std::slice;
use std::sync::Arc;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use aclnn_sys::HCCL_E_PARA;

use super::call::{Call, Kind, size};
use super::combine;
use super::communicator::{Communicator, Waiting, given_up};
use super::outcome::{Result, failed};
use super::segment::{Area, Desk};
use crate::runtime::memory::device_bytes;
use crate::runtime::stream::{Step, Steps};
use crate::status::Status;

/// Bytes that each rank combines for itself sooner than it waits for the shares of others.
const FEW: usize = 16 << 10;

/// Where a collective is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Earlier calls of the communicator are not over.
    Turn,
    /// The elements of a round are not in the slot, which is free.
    Publish,
    /// Others may not have begun it.
    Agree,
    /// Others may not have published what is shared out.
    Combine,
    /// Others may not have combined their shares, or not have published.
    Gather,
    Over,
}

/// A collective that is queued on a stream.
pub(super) struct Collective {
    pub(super) comm: Arc<Communicator>,
    /// Its number among the calls of the communicator.
    pub(super) number: u64,
    pub(super) call: Call,
    /// The loop of those that combine.
    combine: combine::Loop,
    /// Device memory; 0 for what this rank does not have.
    pub(super) send: usize,
    pub(super) receive: usize,
    state: State,
    waiting: Option<Waiting>,
    /// Its number among the collectives of the rank, once it has begun.
    begun: u64,
    /// Rounds that it has ended.
    rounds: u64,
}

impl Collective {
    pub(super) fn new(
        comm: Arc<Communicator>,
        number: u64,
        call: Call,
        combine: combine::Loop,
        (send, receive): (usize, usize),
    ) -> Self {
        Self {
            comm,
            number,
            call,
            combine,
            send,
            receive,
            state: State::Turn,
            waiting: None,
            begun: 0,
            rounds: 0,
        }
    }

    /// The first element of this round, and how many there are.
    fn elements(&self) -> (usize, usize) {
        let per_round = self.call.per_round(self.comm.segment.ranks());
        let first = self.rounds as usize * per_round;
        (first, (self.call.count as usize).saturating_sub(first).min(per_round))
    }

    /// The elements of this round that a rank combines for all.
    fn share(&self, rank: usize, count: usize) -> Range<usize> {
        let ranks = self.comm.segment.ranks();
        rank * count / ranks..(rank + 1) * count / ranks
    }

    /// Returns whether each rank combines a share for all, and not all elements for itself. Two ranks move as much
    /// either way.
    fn is_shared_out(&self) -> bool {
        let bytes = self.call.count as usize * size(self.call.dtype);
        matches!(self.call.kind, Kind::AllReduce | Kind::Reduce)
            && self.comm.segment.ranks() > 2
            && bytes > FEW
    }

    /// The condition that each desk must meet before the next step.
    fn needs(&self) -> impl Fn(&Desk) -> bool + use<> {
        let (state, begun, is_shared_out) = (self.state, self.begun, self.is_shared_out());
        let round = self.comm.own().gathered.load(Relaxed);
        move |desk: &Desk| match state {
            State::Turn | State::Publish | State::Over => true,
            State::Agree => desk.begun.load(Acquire) > begun,
            State::Gather if is_shared_out => desk.reduced.load(Acquire) > round,
            State::Combine | State::Gather => desk.published.load(Acquire) > round,
        }
    }

    /// Does the next step, for which nothing is lacking.
    fn step(&mut self) -> Result {
        let round = self.comm.own().gathered.load(Relaxed);
        self.state = match self.state {
            State::Turn => {
                let own = self.comm.own();
                self.begun = own.begun.load(Relaxed);
                self.call.write(&own.calls[(self.begun % 2) as usize]);
                own.begun.store(self.begun + 1, Release);
                if self.has_more() { State::Publish } else { State::Agree }
            }
            State::Publish => {
                self.publish(round)?;
                self.comm.own().published.store(round + 1, Release);
                if self.rounds == 0 { State::Agree } else { self.published() }
            }
            State::Agree => {
                self.agree()?;
                if self.has_more() { self.published() } else { State::Over }
            }
            State::Combine => {
                self.combine_share(round);
                self.comm.own().reduced.store(round + 1, Release);
                State::Gather
            }
            State::Gather => {
                self.gather(round)?;
                self.comm.own().gathered.store(round + 1, Release);
                self.rounds += 1;
                if self.has_more() { State::Publish } else { State::Over }
            }
            State::Over => State::Over,
        };
        // Each step has its own patience: a large collective may take long.
        Waiting::end(&mut self.waiting, &self.comm);
        self.comm.notify();
        Ok(())
    }

    fn has_more(&self) -> bool {
        self.elements().1 > 0
    }

    /// What comes after the elements of a round are published.
    fn published(&self) -> State {
        if self.is_shared_out() { State::Combine } else { State::Gather }
    }

    /// Refuses collectives that are not the same on all ranks.
    fn agree(&self) -> Result {
        let calls = || self.comm.segment.desks().map(|desk| Call::of(desk, self.begun));
        if calls().all(|call| call == Some(self.call)) {
            return Ok(());
        }
        let told: Vec<String> = calls()
            .enumerate()
            .map(|(rank, call)| match call {
                Some(call) => format!("rank {rank} calls {call}"),
                None => format!("rank {rank} calls nothing that is known"),
            })
            .collect();
        let message = format_args!(
            "collective {} of the group {} is not the same on all ranks: {}",
            self.begun + 1,
            self.comm.name,
            told.join("; ")
        );
        Err(failed(HCCL_E_PARA, message))
    }

    /// Copies elements of device memory into an area.
    fn put(&self, address: usize, area: Area, offset: usize, bytes: usize) -> Result {
        let from = device_bytes(address, bytes)?;
        let to = self.comm.segment.place(area, offset, bytes);
        // SAFETY: live device memory, which stays accessible even if another thread frees it now, and a place of the segment
        // that no rank reads before a counter says so.
        unsafe { to.copy_from_nonoverlapping(from, bytes) };
        Ok(())
    }

    /// Copies what an area holds to device memory.
    fn take(&self, area: Area, address: usize, bytes: usize) -> Result {
        let to = device_bytes(address, bytes)?;
        let from = self.comm.segment.place(area, 0, bytes);
        // SAFETY: as above; the counters say that the bytes are there, and no rank writes them before this round is over.
        unsafe { to.copy_from_nonoverlapping(from, bytes) };
        Ok(())
    }

    /// The elements of this round that all ranks have published, from `offset` on.
    fn parts(&self, round: u64, offset: usize, bytes: usize) -> Vec<&[u8]> {
        let segment = &self.comm.segment;
        (0..segment.ranks())
            .map(|rank| segment.place(Area::Published(rank, round), offset, bytes))
            // SAFETY: all ranks have published, and none writes its slot before this round is over.
            .map(|part| unsafe { slice::from_raw_parts(part, bytes) })
            .collect()
    }

    fn publish(&self, round: u64) -> Result {
        let ((first, count), size) = (self.elements(), size(self.call.dtype));
        let area = Area::Published(self.comm.rank, round);
        match self.call.kind {
            Kind::Broadcast if self.call.root as usize != self.comm.rank => Ok(()),
            Kind::ReduceScatter => {
                let whole = self.call.count as usize;
                (0..self.comm.segment.ranks()).try_for_each(|rank| {
                    let from = self.send + (rank * whole + first) * size;
                    self.put(from, area, rank * count * size, count * size)
                })
            }
            _ => self.put(self.send + first * size, area, 0, count * size),
        }
    }

    /// Combines the own share for all.
    fn combine_share(&self, round: u64) {
        let (share, size) = (self.share(self.comm.rank, self.elements().1), size(self.call.dtype));
        let bytes = share.len() * size;
        let to = self.comm.segment.place(Area::Reduced(self.comm.rank, round), 0, bytes);
        // SAFETY: this rank alone writes it, and the others read it after the counter says so.
        let to = unsafe { slice::from_raw_parts_mut(to, bytes) };
        (self.combine)(&self.parts(round, share.start * size, bytes), to, self.call.op);
    }

    fn gather(&self, round: u64) -> Result {
        let ((first, count), size) = (self.elements(), size(self.call.dtype));
        let (rank, ranks) = (self.comm.rank, self.comm.segment.ranks());
        let (own, bytes) = (self.receive + first * size, count * size);
        match self.call.kind {
            Kind::Barrier => Ok(()),
            Kind::Reduce if self.call.root as usize != rank => Ok(()),
            _ if self.is_shared_out() => (0..ranks).try_for_each(|rank| {
                let share = self.share(rank, count);
                self.take(Area::Reduced(rank, round), own + share.start * size, share.len() * size)
            }),
            Kind::AllReduce | Kind::Reduce | Kind::ReduceScatter => {
                // Each rank has put the part of a rank behind that of the rank before.
                let offset = if self.call.kind == Kind::ReduceScatter { rank * bytes } else { 0 };
                let to = device_bytes(own, bytes)?;
                // SAFETY: live device memory, which stays accessible even if another thread frees it now.
                let to = unsafe { slice::from_raw_parts_mut(to, bytes) };
                (self.combine)(&self.parts(round, offset, bytes), to, self.call.op);
                Ok(())
            }
            Kind::AllGather => {
                let whole = self.call.count as usize;
                (0..ranks).try_for_each(|rank| {
                    let to = self.receive + (rank * whole + first) * size;
                    self.take(Area::Published(rank, round), to, bytes)
                })
            }
            Kind::Broadcast if self.call.root as usize == rank => Ok(()),
            Kind::Broadcast => {
                let root = self.call.root as usize;
                self.take(Area::Published(root, round), own, bytes)
            }
        }
    }

    fn over(&mut self, outcome: Result) -> Step {
        self.state = State::Over;
        Waiting::end(&mut self.waiting, &self.comm);
        self.comm.turn.fetch_max(self.number + 1, Release);
        Step::Done(outcome)
    }

    /// A failure of this rank becomes that of the group.
    fn fail(&mut self, why: Status) -> Step {
        let failure = self.comm.fail(why);
        self.over(Err(failure))
    }
}

impl Steps for Collective {
    fn go_on(&mut self) -> Step {
        self.comm.work();
        if let Some(failure) = self.comm.failure() {
            return self.over(Err(failure));
        }
        let mut moved = false;
        loop {
            // What else `failure` asks of the system does not change meanwhile.
            if self.comm.has_failed()
                && let Some(failure) = self.comm.failure()
            {
                return self.over(Err(failure));
            }
            if self.state == State::Over {
                return self.over(Ok(()));
            }
            if self.state == State::Turn && self.comm.turn.load(Acquire) != self.number {
                return if moved { Step::Moved } else { Step::Waiting };
            }
            let holds = self.needs();
            if let Some(rank) = self.comm.lacking(&holds) {
                let comm = Arc::clone(&self.comm);
                let is_there = || holds(comm.segment.desk(rank)) || comm.has_failed();
                if Waiting::for_a_moment(&comm, rank, is_there) {
                    continue;
                }
                if moved {
                    return Step::Moved;
                }
                let call = self.call;
                let what = || format!("rank {} is in {call} of the group {}", comm.rank, comm.name);
                let waiting = self.waiting.get_or_insert_with(Waiting::begin);
                return match waiting.timed_out(&comm, rank, is_there, what) {
                    Some(why) => self.fail(why),
                    None => Step::Waiting,
                };
            }
            if let Err(why) = self.step() {
                return self.fail(why);
            }
            moved = true;
        }
    }

    fn abandon(&mut self) -> Step {
        if self.comm.failure().is_none() && self.comm.turn.load(Acquire) != self.number {
            return Step::Waiting;
        }
        let failure = self.comm.abandon();
        self.over(Err(failure))
    }
}

impl Drop for Collective {
    fn drop(&mut self) {
        Waiting::end(&mut self.waiting, &self.comm);
        if self.state != State::Over {
            given_up(&self.comm, &self.call.to_string());
            self.comm.turn.fetch_max(self.number + 1, Release);
        }
    }
}

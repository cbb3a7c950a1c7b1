//! Messages between two ranks, one or several at a time.
//!
//! A mailbox takes two parts of a message. A message counts as sent when it was taken: two ranks that both send first, and
//! receive afterwards, wait for each other, as they may on devices.

use std::sync::Arc;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use aclnn_sys::{HCCL_E_PARA, HcclDataType};

use super::call::{name, size};
use super::communicator::{Communicator, Waiting, given_up};
use super::outcome::{Result, failed};
use super::segment::{Area, Mailbox, PART};
use crate::runtime::memory::device_bytes;
use crate::runtime::stream::{Step, Steps};
use crate::status::Status;

/// One message.
#[derive(Clone, Copy)]
pub(super) struct Message {
    pub(super) sends: bool,
    pub(super) peer: usize,
    pub(super) address: usize,
    pub(super) count: u64,
    pub(super) dtype: HcclDataType,
}

impl Message {
    fn bytes(&self) -> usize {
        self.count as usize * size(self.dtype)
    }

    /// A message without elements has a part, too.
    fn parts(&self) -> u64 {
        self.bytes().div_ceil(PART).max(1) as u64
    }

    fn described(&self) -> String {
        let Self { count, peer, .. } = self;
        let (what, way) = if self.sends { ("sending", "to") } else { ("receiving", "from") };
        format!("{what} {count} {} {way} rank {peer}", name(self.dtype))
    }
}

/// A message on its way.
struct Letter {
    message: Message,
    /// Parts that were put or taken.
    done: u64,
    /// Of a message that was put completely: the number of parts that must be taken.
    last: Option<u64>,
    is_over: bool,
}

impl Letter {
    fn new(message: Message) -> Self {
        Letter { message, done: 0, last: None, is_over: false }
    }
}

/// Finds messages out when those before them are over.
pub(super) type Finding = Box<dyn FnOnce() -> Result<Vec<Message>> + Send>;

/// Messages that are queued on a stream together.
pub(super) struct Messages {
    pub(super) comm: Arc<Communicator>,
    pub(super) number: u64,
    letters: Vec<Letter>,
    /// Of messages that are known only when it is their turn.
    finding: Option<Finding>,
    function: &'static str,
    has_turn: bool,
    waiting: Option<Waiting>,
    is_over: bool,
}

impl Messages {
    pub(super) fn new(
        comm: Arc<Communicator>,
        number: u64,
        messages: &[Message],
        function: &'static str,
    ) -> Self {
        let letters = messages.iter().copied().map(Letter::new).collect();
        let finding = None;
        Self { comm, number, letters, finding, function, has_turn: false, waiting: None, is_over: false }
    }

    /// Messages that are found out when it is their turn.
    pub(super) fn found_late(
        comm: Arc<Communicator>,
        number: u64,
        finding: Finding,
        function: &'static str,
    ) -> Self {
        let mut messages = Self::new(comm, number, &[], function);
        messages.finding = Some(finding);
        messages
    }

    fn mailbox<'c>(comm: &'c Communicator, message: &Message) -> &'c Mailbox {
        let (from, to) = if message.sends { (comm.rank, message.peer) } else { (message.peer, comm.rank) };
        comm.segment.mailbox(from, to)
    }

    /// Returns whether a letter can get on.
    fn can_move(comm: &Communicator, letter: &Letter) -> bool {
        let mailbox = Self::mailbox(comm, &letter.message);
        let (sent, taken) = (mailbox.sent.load(Acquire), mailbox.taken.load(Acquire));
        match (letter.message.sends, letter.last) {
            (true, Some(last)) => taken >= last,
            (true, None) => sent - taken < 2,
            (false, _) => taken < sent,
        }
    }

    /// Moves a part of a letter, or notes that it was taken.
    fn carry(comm: &Communicator, letter: &mut Letter) -> Result {
        if letter.last.is_some() {
            letter.is_over = true;
            return Ok(());
        }
        let message = letter.message;
        let mailbox = Self::mailbox(comm, &message);
        let offset = letter.done as usize * PART;
        let bytes = (message.bytes() - offset.min(message.bytes())).min(PART);
        let memory = device_bytes(message.address + offset, bytes)?;
        if message.sends {
            let part = mailbox.sent.load(Relaxed);
            let place = comm.segment.place(Area::Part(comm.rank, message.peer, part), 0, bytes);
            // SAFETY: live device memory, and a part that the other rank has taken and does not read before the counter says so.
            unsafe { place.copy_from_nonoverlapping(memory, bytes) };
            let note = &mailbox.messages[(part % 2) as usize];
            note.dtype.store(message.dtype.0, Relaxed);
            note.count.store(message.count, Relaxed);
            mailbox.sent.store(part + 1, Release);
            letter.done += 1;
            letter.last = (letter.done == message.parts()).then_some(part + 1);
        } else {
            let part = mailbox.taken.load(Relaxed);
            let note = &mailbox.messages[(part % 2) as usize];
            let (dtype, count) = (HcclDataType(note.dtype.load(Relaxed)), note.count.load(Relaxed));
            if (dtype, count) != (message.dtype, message.count) {
                let message = format_args!(
                    "rank {} sends {count} {} to rank {}, which receives {} {}: both must be the same",
                    message.peer,
                    name(dtype),
                    comm.rank,
                    message.count,
                    name(message.dtype)
                );
                return Err(failed(HCCL_E_PARA, message));
            }
            let place = comm.segment.place(Area::Part(message.peer, comm.rank, part), 0, bytes);
            // SAFETY: live device memory, and a part that the other rank has put there and does not write before it is taken.
            unsafe { memory.copy_from_nonoverlapping(place, bytes) };
            mailbox.taken.store(part + 1, Release);
            letter.done += 1;
            letter.is_over = letter.done == message.parts();
        }
        comm.notify();
        Ok(())
    }

    /// Moves what can be moved. Messages to a rank go one after the other, as do those from a rank.
    fn carry_all(&mut self) -> Result<bool> {
        let (mut moved, mut busy) = (false, Vec::new());
        for letter in self.letters.iter_mut().filter(|letter| !letter.is_over) {
            let way = (letter.message.sends, letter.message.peer);
            // A letter that was put completely lets the next one begin.
            let is_put = letter.last.is_some();
            if busy.contains(&way) {
                continue;
            }
            while !letter.is_over && Self::can_move(&self.comm, letter) {
                Self::carry(&self.comm, letter)?;
                moved = true;
            }
            if !letter.is_over && !is_put {
                busy.push(way);
            }
        }
        Ok(moved)
    }

    fn over(&mut self, outcome: Result) -> Step {
        self.is_over = true;
        Waiting::end(&mut self.waiting, &self.comm);
        self.comm.turn.fetch_max(self.number + 1, Release);
        Step::Done(outcome)
    }

    fn fail(&mut self, why: Status) -> Step {
        let failure = self.comm.fail(why);
        self.over(Err(failure))
    }
}

impl Steps for Messages {
    fn go_on(&mut self) -> Step {
        self.comm.work();
        if !self.has_turn && self.comm.failure().is_none() {
            if self.comm.turn.load(Acquire) != self.number {
                return Step::Waiting;
            }
            self.has_turn = true;
            match self.finding.take().map_or(Ok(Vec::new()), |find| find()) {
                Ok(found) => self.letters.extend(found.into_iter().map(Letter::new)),
                Err(why) => return self.fail(why),
            }
        }
        let mut moved = false;
        loop {
            if let Some(failure) = self.comm.failure() {
                return self.over(Err(failure));
            }
            match self.carry_all() {
                Err(why) => return self.fail(why),
                Ok(false) => {}
                Ok(true) => {
                    moved = true;
                    Waiting::end(&mut self.waiting, &self.comm);
                }
            }
            let comm = Arc::clone(&self.comm);
            let open = || self.letters.iter().filter(|letter| !letter.is_over);
            // One that another rank of this thread has to move comes first.
            let here = open().find(|letter| !comm.is_elsewhere(letter.message.peer));
            let Some(letter) = here.or_else(|| open().next()) else {
                return self.over(Ok(()));
            };
            let is_there = || open().any(|letter| Self::can_move(&comm, letter)) || comm.has_failed();
            if Waiting::for_a_moment(&comm, letter.message.peer, is_there) {
                continue;
            }
            if moved {
                return Step::Moved;
            }
            let described = letter.message.described();
            let what = || format!("rank {} is {described} in the group {}", comm.rank, comm.name);
            let waiting = self.waiting.get_or_insert_with(Waiting::begin);
            return match waiting.timed_out(&comm, letter.message.peer, is_there, what) {
                Some(why) => self.fail(why),
                None => Step::Waiting,
            };
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

impl Drop for Messages {
    fn drop(&mut self) {
        Waiting::end(&mut self.waiting, &self.comm);
        if !self.is_over {
            given_up(&self.comm, self.function);
            self.comm.turn.fetch_max(self.number + 1, Release);
        }
    }
}

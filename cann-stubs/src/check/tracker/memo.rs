//! Memory of work that was judged, so that the same work needs no judgement again.
//!
//! The same work on the same stream is right again, and changes nothing but the numbers of tasks, while the allocations that
//! it uses are in the state that it has left them in: they were used since only in ways that were noted before, none of which
//! stands against it, and all bytes that held values still do.

use std::sync::Arc;

use smallvec::SmallVec;

use super::history::History;
use super::work::{Access, Purpose, Work};
use crate::check::stream_order::Tally;

/// What is remembered of work on a stream; nothing at first.
#[derive(Default)]
pub(crate) struct Memo {
    stream: i32,
    /// One for each access.
    steps: SmallVec<[Step; 3]>,
}

/// An access to an allocation.
struct Step {
    /// Where the allocation is.
    slot: usize,
    state: u64,
    /// The numbers of its use of the bytes, and of the last use of the stream.
    numbers: (usize, usize),
}

impl Memo {
    /// Forgets the work, as other work comes.
    pub(crate) fn clear(&mut self) {
        self.steps.clear();
    }
}

impl History {
    /// Notes work again that is known to be right. Returns false, and changes nothing, where it has to be judged.
    #[inline]
    pub(super) fn repeat(
        &mut self,
        stream: i32,
        tally: &Arc<Tally>,
        (function, accesses): (&'static str, &[Access]),
        memo: &Memo,
    ) -> bool {
        if memo.steps.is_empty() || memo.stream != stream || memo.steps.len() != accesses.len() {
            return false;
        }
        let allocations = &mut self.allocations.0;
        let is_as_left =
            |step: &Step| allocations.in_slot(step.slot).is_some_and(|found| found.value.state == step.state);
        if !memo.steps.iter().all(is_as_left) {
            return false;
        }
        let line = self.streams.line(stream, tally);
        if line.trusting {
            return false;
        }
        let tick = line.count(stream);
        for (step, access) in memo.steps.iter().zip(accesses) {
            if let Some(found) = self.allocations.0.in_slot(step.slot) {
                found.value.renew(step.numbers, (stream, tick), function, access);
            }
        }
        true
    }

    /// Remembers work that was judged and kept just now, if all of it is reading and writing what is checked, or workspace, or
    /// copies of bytes that all hold values: such a copy changes nothing when it comes again.
    pub(super) fn remember(&mut self, stream: i32, work: &Work<'_>, memo: &mut Memo) {
        memo.stream = stream;
        memo.steps.clear();
        for access in work.accesses {
            let slot = self.allocations.0.slot(access.span.start());
            let found = slot.and_then(|slot| Some((slot, self.allocations.0.in_slot(slot)?)));
            let step = found.and_then(|(slot, found)| {
                let is_plain = match access.purpose {
                    Purpose::Read | Purpose::Write | Purpose::Workspace => true,
                    Purpose::Carry | Purpose::Receive | Purpose::LookUp => {
                        found.value.written.missing(&access.span).is_none()
                    }
                    Purpose::Fetch | Purpose::Watch => false,
                };
                let holds = is_plain && found.value.judged && access.span.end() <= found.end;
                let numbers =
                    holds.then(|| found.value.numbers_of_use(&self.streams, stream, access)).flatten()?;
                Some(Step { slot, state: found.value.state, numbers })
            });
            match step {
                Some(step) => memo.steps.push(step),
                None => return memo.steps.clear(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use aclnn_numerics::layout::Walk;

    use super::*;
    use crate::check::tracker::work::Carried;
    use crate::status::{Result, Status};
    use cann_kernels::Span;

    /// Bytes that are copied.
    const COPIED: usize = 256;

    /// A history, and the tallies of its streams.
    #[derive(Default)]
    struct Program {
        history: History,
        tallies: [Arc<Tally>; 3],
    }

    impl Program {
        fn submit(&mut self, stream: usize, work: &Work<'_>, memo: Option<&mut Memo>) -> Result<bool> {
            let (number, tally) = (stream as i32, &self.tallies[stream]);
            let again = (work.function, work.accesses);
            if memo.as_ref().is_some_and(|memo| self.history.repeat(number, tally, again, memo)) {
                return Ok(true);
            }
            self.history.judge(Some(number), work)?;
            self.history.keep(number, tally, work);
            memo.into_iter().for_each(|memo| self.history.remember(number, work, memo));
            Ok(false)
        }

        /// What else may happen, by a random number. `other` is another stream.
        fn change(&mut self, what: usize, (stream, other): (usize, usize), start: usize) {
            let streams = &mut self.history.streams;
            match what {
                0..=3 => self.tallies[stream].note_known(self.tallies[stream].ticks()),
                4..=7 => {
                    let clock = streams.line(other as i32, &self.tallies[other]).clock.clone();
                    let line = streams.line(stream as i32, &self.tallies[stream]);
                    line.clock.join(&clock);
                    line.note_others(stream as i32);
                }
                8 => self.history.allocations.0.remove_all(start, start + 1),
                9 => self.history.allocations.track(start, 4096, true),
                _ => {
                    let span = Span::dense(start, 4096);
                    let accesses = [Access { name: "dst", span, purpose: Purpose::Write }];
                    self.history.mark(&Work { function: "host", code: 1, accesses: &accesses, carried: &[] });
                }
            }
        }
    }

    /// The reference judges all work anew.
    #[test]
    fn work_that_is_repeated_is_judged_as_if_it_was_new() {
        let mut random = fastrand::Rng::with_seed(17);
        let (mut plain, mut quick) = (Program::default(), Program::default());
        let access = |random: &mut fastrand::Rng, name, purpose| {
            let start = (1 + random.usize(..3)) * 4096 + random.usize(..2) * 512;
            Access { name, span: Span::dense(start, 256 + random.usize(..2) * 512), purpose }
        };
        let walk = Walk::new(&[COPIED], [&[1], &[1]]);
        let mut copies: Vec<Vec<Access>> = Vec::new();
        for _ in 0..3 {
            let [source, target] = [0, 0].map(|_| (1 + random.usize(..3)) * 4096 + random.usize(..2) * 512);
            if source != target {
                let span = |start| Span::dense(start, COPIED);
                copies.push(vec![
                    Access { name: "src", span: span(source), purpose: Purpose::Carry },
                    Access { name: "dst", span: span(target), purpose: Purpose::Receive },
                ]);
            }
        }
        let kinds: Vec<Vec<Access>> = (0..8)
            .map(|kind| {
                let inputs = ["self", "other"].map(|name| access(&mut random, name, Purpose::Read));
                let mut accesses = Vec::from(inputs);
                accesses.push(access(&mut random, "out", Purpose::Write));
                accesses.extend((kind < 2).then(|| access(&mut random, "workspace", Purpose::Workspace)));
                accesses
            })
            .chain(copies)
            .collect();
        let mut memos: Vec<Memo> = (0..kinds.len()).map(|_| Memo::default()).collect();
        let (mut repeated, mut refused, mut with_workspace, mut copied) = (0, 0, 0, 0);
        for _ in 0..60_000 {
            // Mostly the first stream. With a third one, what came before the work of two is known to one of them alone.
            let (kind, stream) = (random.usize(..kinds.len()), random.usize(..24).saturating_sub(21));
            if random.usize(..5) == 0 {
                let (what, start) = (random.usize(..11), (1 + random.usize(..3)) * 4096);
                let streams = (stream, (stream + 1 + random.usize(..2)) % 3);
                [&mut plain, &mut quick].into_iter().for_each(|program| program.change(what, streams, start));
                continue;
            }
            // Mostly one kind again and again.
            for _ in 0..1 + random.usize(..4) {
                let carried = match kinds[kind].as_slice() {
                    [source, target] => Some(Carried {
                        walk: &walk,
                        from: source.span.start(),
                        to: target.span.start(),
                        sizes: (1, 1),
                        accesses: (0, 1),
                    }),
                    _ => None,
                };
                let work = Work {
                    function: "aclnnAdd",
                    code: 1,
                    accesses: &kinds[kind],
                    carried: carried.as_slice(),
                };
                let expected = plain.submit(stream, &work, None).map(drop);
                let found = quick.submit(stream, &work, Some(&mut memos[kind]));
                repeated += usize::from(found == Ok(true));
                with_workspace += usize::from(found == Ok(true) && kinds[kind].len() > 3);
                copied += usize::from(found == Ok(true) && carried.is_some());
                refused += usize::from(found.is_err());
                // Of several uses that stand against the work, another one may be told.
                let kind = |refused: Status| (refused.code, refused.check);
                assert_eq!(found.map(drop).map_err(kind), expected.map_err(kind));
            }
            let ends = (1..=3).map(|number| number * 4096);
            let judge = |program: &Program, start| program.history.judge_end(start, 1, "stays");
            assert!(ends.into_iter().all(|start| judge(&plain, start) == judge(&quick, start)));
        }
        assert!(
            repeated > 2_000 && with_workspace > 200 && copied > 200 && refused > 5_000,
            "{repeated} repeated, {with_workspace} with workspace, {copied} copied, {refused} refused"
        );
    }
}

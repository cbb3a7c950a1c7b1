//! The history of the program so far, and the judgement of new work by it.

use std::sync::Arc;

use super::allocation::{Allocations, Last};
use super::carry::carry;
use super::work::{Purpose, Work};
use crate::check::clock::Clock;
use crate::check::report::notice;
use crate::check::stream_order::{Streams, Tally};
use crate::misuse::Check;
use crate::status::{Result, Status};

/// The history of the program.
#[derive(Default)]
pub(super) struct History {
    pub(super) allocations: Allocations,
    pub(super) streams: Streams,
    /// What the host functions and callbacks queued so far run after: they may tell each other.
    pub(super) functions: Clock,
}

impl History {
    /// Looks for misuse in work on a stream, or by the host.
    #[inline]
    pub(super) fn judge(&mut self, stream: Option<i32>, work: &Work<'_>) -> Result {
        let History { allocations, streams, .. } = self;
        for access in work.accesses {
            let Some((start, allocation)) = allocations.holding(&access.span) else { continue };
            if !allocation.judged || access.purpose == Purpose::Watch {
                continue;
            }
            if let Some(status) = allocation.race(streams, stream, work, access) {
                return Err(status);
            }
            let place = |address: usize| {
                format!("{address:#x}, {} bytes into the allocation at {start:#x}", address - start)
            };
            match access.purpose {
                Purpose::Read | Purpose::LookUp => {
                    let (from, to) = (access.span.start(), access.span.end());
                    let missing = match access.purpose {
                        Purpose::Read => allocation.written.missing(&access.span),
                        _ => allocation.written.is_blank(from, to).then_some(from),
                    };
                    if let Some(missing) = missing {
                        let name = access.name;
                        let message =
                            format!("{name} reads {}, where nothing was ever written", place(missing));
                        return Err(Status::new(work.code, message).of(Check::NeverWritten));
                    }
                }
                Purpose::Fetch => {
                    let (from, to) = (access.span.start(), access.span.end());
                    if !allocation.fetched_blank && allocation.written.is_blank(from, to) {
                        allocation.fetched_blank = true;
                        let message = format!(
                            "{} copies {} bytes out of the device, from {}, where nothing was ever written; the copy \
                             succeeds, and is told once for the allocation",
                            access.name,
                            to - from,
                            place(from)
                        );
                        notice(Check::NeverWritten, work.function, &message);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Remembers what work on a stream does.
    #[inline]
    pub(super) fn keep(&mut self, stream: i32, tally: &Arc<Tally>, work: &Work<'_>) {
        let tick = self.streams.line(stream, tally).count(stream);
        for access in work.accesses {
            // One look-up does where one allocation holds everything, as it nearly always does.
            if let Some((_, allocation)) = self.allocations.holding(&access.span) {
                allocation.mark(access);
                allocation.used(&self.streams, (stream, tick), work.function, access);
                continue;
            }
            self.allocations.touched(&access.span, |allocation| {
                allocation.used(&self.streams, (stream, tick), work.function, access);
            });
        }
        for carried in work.carried {
            carry(&mut self.allocations, carried, work.accesses);
        }
    }

    /// Remembers which bytes hold values after some work.
    #[inline]
    pub(super) fn mark(&mut self, work: &Work<'_>) {
        for access in work.accesses {
            if let Some((_, allocation)) = self.allocations.holding(&access.span) {
                allocation.mark(access);
            }
        }
        for carried in work.carried {
            carry(&mut self.allocations, carried, work.accesses);
        }
    }

    /// Checks that the host knows all work on the memory at `start` to be done. `kept` is the part of the message that says
    /// what a refusal leaves.
    pub(super) fn judge_end(&self, start: usize, code: i32, kept: &str) -> Result {
        let Some(allocation) = self.allocations.0.get(start) else { return Ok(()) };
        let busy = allocation.last.iter().find(|last| !self.streams.host_knows(last.stream, last.tick));
        let Some(&Last { stream, workspace, function, .. }) = busy else { return Ok(()) };
        let (what, check) =
            if workspace { ("workspace", Check::FreedWorkspace) } else { ("memory", Check::FreedInUse) };
        let message = format!(
            "{start:#x} is {what} of {function} on stream {stream}, which may still run: synchronise the stream or an event \
             behind the work first; the memory {kept}"
        );
        Err(Status::new(code, message).of(check))
    }
}

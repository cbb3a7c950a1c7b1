//! The history of the program: which bytes hold values, who used them last, and what is ordered before what.
//!
//! Work is checked when it is submitted, in the order of submission. A stream waits only for events that were recorded
//! before, so this order never contradicts the order in which the work runs, and the reports do not depend on when the work
//! runs. All threads of the host count as one: how they synchronise with each other is not seen. When the program learns
//! from a host function that work is done, the tracker learns it when the function runs.
//!
//! Memory that was allocated while checks were off is not tracked, and never checked. Of pinned, registered and virtual
//! memory only the use is tracked, since the host may write it unseen and it may be mapped twice.

mod carry;

use std::collections::BTreeMap;
use std::sync::PoisonError;

use smallvec::SmallVec;

pub(crate) use carry::Carried;

use super::clock::Clock;
use super::order::Streams;
use super::span::Span;
use super::written::Written;
use super::{Check, Level, is_tracking, level, notice};
use crate::status::{Result, Status};
use crate::sync::{Mutex, MutexGuard, statics};

/// How many uses of an allocation are kept. Older ones are dropped, which may miss a race but never reports a false one.
const KEPT: usize = 512;

/// Bytes that a piece of work touches.
#[derive(Debug, Clone)]
pub(crate) struct Access {
    /// The parameter, for messages.
    pub(crate) name: &'static str,
    pub(crate) span: Span,
    pub(crate) purpose: Purpose,
}

/// What is done with the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The work computes with the bytes: each must hold a value.
    Read,
    /// The work copies the bytes to the host: some may be unwritten, as gaps and padding are; if all are, it is reported.
    Fetch,
    /// The work copies the bytes to other device memory, which then holds values exactly where these bytes do.
    Carry,
    Write,
    /// A copy from device memory writes the bytes.
    Receive,
    /// The bytes belong to the work until it is done, as a workspace does.
    Workspace,
    /// The work polls the bytes until another thread or stream writes a value there; no order is needed.
    Watch,
}

impl Purpose {
    fn writes(self) -> bool {
        matches!(self, Purpose::Write | Purpose::Receive | Purpose::Workspace)
    }
}

/// A piece of work as it is submitted.
pub(crate) struct Work<'a> {
    /// The C function.
    pub(crate) function: &'static str,
    /// The code that a refusal returns.
    pub(crate) code: i32,
    pub(crate) accesses: &'a [Access],
    pub(crate) carried: Option<Carried<'a>>,
}

#[derive(Default)]
struct Tracker {
    /// By their first address.
    allocations: BTreeMap<usize, Allocation>,
    streams: Streams,
    /// What the host functions and callbacks queued so far run after: they may tell each other.
    functions: Clock,
}

struct Allocation {
    end: usize,
    /// Whether values and races are checked. If not, only the uses by queued work are known.
    judged: bool,
    written: Written,
    uses: Vec<Use>,
    /// The last use by each stream.
    last: SmallVec<[Last; 2]>,
    /// Whether a copy of nothing but unwritten bytes to the host was reported: it is reported once.
    fetched_blank: bool,
}

/// A use of some bytes by work on a stream.
struct Use {
    stream: i32,
    tick: u64,
    writes: bool,
    span: Span,
    function: &'static str,
    name: &'static str,
}

#[derive(Clone, Copy)]
struct Last {
    stream: i32,
    tick: u64,
    workspace: bool,
    function: &'static str,
}

statics! {
    static TRACKER: Mutex<Option<Tracker>> = Mutex::new(None);
}

/// The locked tracker, which is made at its first use.
struct Held(MutexGuard<'static, Option<Tracker>>);

fn held() -> Held {
    Held(TRACKER.lock().unwrap_or_else(PoisonError::into_inner))
}

impl Held {
    fn get(&mut self) -> &mut Tracker {
        self.0.get_or_insert_default()
    }
}

/// Begins to track an allocation.
pub(crate) fn born(start: usize, len: usize) {
    if is_tracking() {
        held().get().allocations.insert(start, Allocation::new(start, len, true));
    }
}

/// Begins to track only which work uses some memory. Returns false where a part of the memory is tracked already.
pub(crate) fn lent(start: usize, len: usize) -> bool {
    if !is_tracking() {
        return false;
    }
    let mut held = held();
    let allocations = &mut held.get().allocations;
    let fresh = touched(allocations, &Span::dense(start, len)).next().is_none();
    if fresh {
        allocations.insert(start, Allocation::new(start, len, false));
    }
    fresh
}

/// Ends the tracking of the allocations that start in `[start, end)`.
pub(crate) fn died(start: usize, end: usize) {
    if is_tracking() {
        let mut held = held();
        let allocations = &mut held.get().allocations;
        while let Some((&one, _)) = allocations.range(start..end).next() {
            allocations.remove(&one);
        }
    }
}

/// Forgets everything. Memory that is allocated now is not checked any more.
pub(crate) fn forget_all() {
    *held().0 = None;
}

/// Checks that the memory at `start` may be freed or unmapped now: the host knows that all work on it is done. `kept` is the
/// part of the message that says what a refusal leaves, as in "was not freed".
pub(crate) fn may_go(start: usize, code: i32, kept: &str) -> Result {
    if !is_tracking() || level() == Level::Off {
        return Ok(());
    }
    let mut held = held();
    let tracker = held.get();
    let Some(allocation) = tracker.allocations.get(&start) else { return Ok(()) };
    let busy = allocation.last.iter().find(|last| !tracker.streams.host_knows(last.stream, last.tick));
    let Some(&Last { stream, workspace, function, .. }) = busy else { return Ok(()) };
    let (what, check) =
        if workspace { ("workspace", Check::FreedWorkspace) } else { ("memory", Check::FreedInUse) };
    let message = format!(
        "{start:#x} is {what} of {function} on stream {stream}, which may still run: synchronise the stream or an event \
         behind the work first; the memory {kept}"
    );
    Err(Status::new(code, message).of(check))
}

/// Checks work that is about to be queued on `stream`, and remembers it. Refused work leaves no trace.
pub(crate) fn submit(stream: i32, work: &Work<'_>) -> Result {
    if !is_tracking() {
        return Ok(());
    }
    let mut held = held();
    let tracker = held.get();
    tracker.streams.trust_now(stream);
    if level() != Level::Off {
        tracker.judge(Some(stream), work)?;
    }
    tracker.keep(stream, work);
    Ok(())
}

/// Checks what the host does to device memory at once, and remembers it.
pub(crate) fn at_once(work: &Work<'_>) -> Result {
    if !is_tracking() {
        return Ok(());
    }
    let mut held = held();
    let tracker = held.get();
    if level() != Level::Off {
        tracker.judge(None, work)?;
    }
    tracker.mark(work);
    Ok(())
}

/// Returns the clock of everything that is done when all work submitted to `stream` so far is done.
pub(crate) fn so_far(stream: i32) -> Clock {
    if !is_tracking() {
        return Clock::default();
    }
    let mut held = held();
    let streams = &mut held.get().streams;
    streams.trust_now(stream);
    streams.0.get(&stream).map(|line| line.clock.clone()).unwrap_or_default()
}

/// Makes work that is submitted to `stream` from now on run after everything in `clock`.
pub(crate) fn wait(stream: i32, clock: &Clock) {
    if is_tracking() && clock.len() > 0 {
        let mut held = held();
        let streams = &mut held.get().streams;
        let mut joined = std::mem::take(&mut streams.line(stream).clock);
        joined.join(clock);
        streams.line(stream).clock = streams.slimmed(joined);
    }
}

/// Notes that `stream` waits for a value or a signal. The tracker does not know who gives it, so work that is submitted to
/// the stream from now on counts as ordered after everything that other streams have.
pub(crate) fn trust(stream: i32) {
    if is_tracking() {
        held().get().streams.line(stream).trusting = true;
    }
}

/// Notes that the host knows everything in `clock` to be done.
pub(crate) fn host_saw(clock: &Clock) {
    if is_tracking() && clock.len() > 0 {
        let mut held = held();
        let streams = &mut held.get().streams.0;
        for (stream, tick) in clock.entries() {
            if let Some(line) = streams.get_mut(&stream) {
                line.known = line.known.max(tick);
            }
        }
    }
}

/// Notes that a host function is queued on `stream`, and orders what it may wait for and what it may tell. Returns the
/// clock of what is done when the function runs.
pub(crate) fn function(stream: i32) -> Clock {
    if !is_tracking() {
        return Clock::default();
    }
    let mut held = held();
    let tracker = held.get();
    let functions = &mut tracker.functions;
    let line = tracker.streams.line(stream);
    line.clock.join(functions);
    functions.join(&line.clock);
    let clock = line.clock.clone();
    tracker.functions = tracker.streams.slimmed(std::mem::take(functions));
    clock
}

/// Notes that a stream has ended, and all its work with it.
pub(crate) fn ended(stream: i32) {
    if is_tracking() {
        let mut held = held();
        let tracker = held.get();
        if let Some(line) = tracker.streams.0.remove(&stream) {
            drop(held);
            host_saw(&line.clock);
        }
    }
}

/// The allocation that holds all of `span`, and where it starts.
fn holding<'a>(
    allocations: &'a mut BTreeMap<usize, Allocation>,
    span: &Span,
) -> Option<(usize, &'a mut Allocation)> {
    let (&start, allocation) = allocations.range_mut(..=span.start()).next_back()?;
    (!span.is_empty() && span.end() <= allocation.end).then_some((start, allocation))
}

/// The allocations that hold a byte between the first and the last one of `span`.
fn touched<'a>(
    allocations: &'a mut BTreeMap<usize, Allocation>,
    span: &Span,
) -> impl Iterator<Item = &'a mut Allocation> {
    let (start, empty) = (span.start(), span.is_empty());
    // No two overlap, so the one that starts last ends last.
    let before = allocations.range_mut(..span.end()).rev().map(|(_, allocation)| allocation);
    before.take_while(move |allocation| !empty && allocation.end > start)
}

impl Tracker {
    /// Looks for misuse in work on a stream, or by the host.
    fn judge(&mut self, stream: Option<i32>, work: &Work<'_>) -> Result {
        let Tracker { allocations, streams, .. } = self;
        for access in work.accesses {
            let Some((start, allocation)) = holding(allocations, &access.span) else { continue };
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
                Purpose::Read => {
                    if let Some(missing) = allocation.written.missing(&access.span) {
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
                            "{} copies {} bytes to the host from {}, where nothing was ever written; the copy \
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
    fn keep(&mut self, stream: i32, work: &Work<'_>) {
        self.mark(work);
        let line = self.streams.line(stream);
        line.ticks += 1;
        let tick = line.ticks;
        line.clock.raise(stream, tick);
        for access in work.accesses {
            for allocation in touched(&mut self.allocations, &access.span) {
                allocation.used(&self.streams, (stream, tick), work.function, access);
            }
        }
    }

    /// Remembers which bytes hold values after some work.
    fn mark(&mut self, work: &Work<'_>) {
        for access in work.accesses {
            if let Purpose::Write = access.purpose
                && let Some((_, allocation)) = holding(&mut self.allocations, &access.span)
                && allocation.judged
            {
                allocation.written.mark(&access.span);
            }
        }
        if let Some(carried) = &work.carried {
            self.carry(carried, work.accesses);
        }
    }
}

impl Allocation {
    fn new(start: usize, len: usize, judged: bool) -> Self {
        let (end, written) = (start.saturating_add(len), Written::default());
        Allocation { end, judged, written, uses: Vec::new(), last: SmallVec::new(), fetched_blank: false }
    }

    /// Finds another use of the same bytes that nothing orders with this one.
    fn race(
        &self,
        streams: &Streams,
        stream: Option<i32>,
        work: &Work<'_>,
        access: &Access,
    ) -> Option<Status> {
        let writes = access.purpose.writes();
        // For the host, only what it knows to be done comes before.
        let clock = stream.and_then(|stream| streams.0.get(&stream)).map(|line| &line.clock);
        let other = self.uses.iter().find(|other| {
            Some(other.stream) != stream
                && (writes || other.writes)
                && clock.is_none_or(|clock| clock.get(other.stream) < other.tick)
                && !streams.host_knows(other.stream, other.tick)
                && other.span.overlaps(&access.span)
        })?;
        let verb = |writes| if writes { "writes" } else { "reads" };
        // The report already names the function before the message.
        let own = stream.map_or_else(|| "the host".to_owned(), |stream| format!("stream {stream}"));
        let hint = match stream {
            Some(_) => "record an event behind the first and let the other stream wait for it",
            None => "synchronise the stream, or an event behind the work, first",
        };
        let message = format!(
            "{own} {} {} where {} on stream {} {} {}, and nothing orders the two; {hint}",
            verb(writes),
            access.name,
            other.function,
            other.stream,
            verb(other.writes),
            other.name,
        );
        Some(Status::new(work.code, message).of(Check::Race))
    }

    fn used(
        &mut self,
        streams: &Streams,
        (stream, tick): (i32, u64),
        function: &'static str,
        access: &Access,
    ) {
        let workspace = access.purpose == Purpose::Workspace;
        self.last.retain(|last| last.stream == stream || !streams.host_knows(last.stream, last.tick));
        match self.last.iter_mut().find(|last| last.stream == stream) {
            // A use of the buffer as a tensor replaces its earlier use as a workspace.
            Some(last) => *last = Last { stream, tick, workspace, function },
            None => self.last.push(Last { stream, tick, workspace, function }),
        }
        if !self.judged || access.purpose == Purpose::Watch {
            return;
        }
        let writes = access.purpose.writes();
        let same = |one: &&mut Use| one.stream == stream && one.writes == writes && one.span == access.span;
        if let Some(before) = self.uses.iter_mut().find(same) {
            (before.tick, before.function, before.name) = (tick, function, access.name);
            return;
        }
        if self.uses.len() >= self.uses.capacity().max(16) {
            self.uses.retain(|one| !streams.host_knows(one.stream, one.tick));
        }
        if self.uses.len() >= KEPT {
            self.uses.remove(0);
        }
        self.uses.push(Use { stream, tick, writes, span: access.span.clone(), function, name: access.name });
    }
}

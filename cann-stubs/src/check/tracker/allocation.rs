//! The memory whose history is kept: which bytes hold values, and who used which bytes last.

use std::sync::atomic::{AtomicU64, Ordering};

use cann_kernels::Span;
use smallvec::SmallVec;

use super::work::{Access, Purpose, Work};
use crate::check::stream_order::Streams;
use crate::check::written_bytes::Written;
use crate::misuse::Check;
use crate::ranges::{Found, Ranges};
use crate::status::Status;

/// How many uses of an allocation are kept. Older ones are dropped, which may miss a race but never reports a false one.
const KEPT: usize = 512;

/// How many uses are kept, and of how many streams the last ones, before those are dropped that the host knows to be done.
/// As long as none is dropped, work that is repeated needs no judgement, so there is room for those of many streams.
const CROWDED: usize = 256;

/// The most places that remember which use was renewed last.
const PLACES: usize = 256;

/// Where a use is remembered. The memory of tensors mostly begins at a multiple of 512.
#[inline]
fn place(stream: i32, writes: bool, span: &Span, places: usize) -> usize {
    ((span.start() >> 9) * 2).wrapping_add(stream as usize * 6 + usize::from(writes)) & (places - 1)
}

/// A number for a state of an allocation.
pub(super) fn new_state() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The memory that is tracked, by its first address. No two allocations overlap.
#[derive(Default)]
pub(super) struct Allocations(pub(super) Ranges<Allocation>);

pub(super) struct Allocation {
    /// Whether values and races are checked. If not, only the uses by queued work are known.
    pub(super) judged: bool,
    pub(super) written: Written,
    uses: Vec<Use>,
    /// The numbers of uses that were renewed last, each at the place of its span. Another use may have the number by now.
    /// There are as many places as a power of two, and none before the first use.
    renewed: Vec<u16>,
    /// The number of places.
    places: usize,
    /// Which of the states it is in whose judgement may differ: it changes when another use or another stream comes or goes,
    /// and when bytes lose their values. No two states of any allocations share a number.
    pub(super) state: u64,
    /// The last use by each stream.
    pub(super) last: SmallVec<[Last; 2]>,
    /// Whether a copy of nothing but unwritten bytes to the host was reported: it is reported once.
    pub(super) fetched_blank: bool,
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
pub(super) struct Last {
    pub(super) stream: i32,
    pub(super) tick: u64,
    pub(super) workspace: bool,
    pub(super) function: &'static str,
}

impl Allocations {
    /// The allocation that holds all of `span`, and where it starts.
    #[inline]
    pub(super) fn holding(&mut self, span: &Span) -> Option<(usize, &mut Allocation)> {
        let Found { start, end, value } = self.0.holding_mut(span.start())?;
        (!span.is_empty() && span.end() <= end).then_some((start, value))
    }

    /// The allocation that holds all of `span`, if its values are checked.
    #[inline]
    pub(super) fn judged(&mut self, span: &Span) -> Option<&mut Allocation> {
        self.holding(span).map(|(_, allocation)| allocation).filter(|allocation| allocation.judged)
    }

    /// Begins to track the memory at `start`.
    pub(super) fn track(&mut self, start: usize, len: usize, judged: bool) {
        self.0.insert(start, start.saturating_add(len), Allocation::new(len, judged));
    }

    /// Calls `visit` with the allocations that hold a byte between the first and the last one of `span`.
    pub(super) fn touched(&mut self, span: &Span, visit: impl FnMut(&mut Allocation)) {
        if !span.is_empty() {
            self.0.touching(span.start(), span.end(), visit);
        }
    }
}

impl Allocation {
    fn new(len: usize, judged: bool) -> Self {
        Allocation {
            judged,
            written: Written::new(len),
            uses: Vec::new(),
            state: new_state(),
            renewed: Vec::new(),
            places: (len >> 8).clamp(2, PLACES).next_power_of_two(),
            last: SmallVec::new(),
            fetched_blank: false,
        }
    }

    /// Returns whether work that the host does not know to be done, on a stream other than `stream`, may use the
    /// allocation.
    #[inline]
    fn is_shared(&self, streams: &Streams, stream: Option<i32>) -> bool {
        // A use that is not in `last` any more is known to be done.
        self.last
            .iter()
            .any(|last| Some(last.stream) != stream && !streams.host_knows(last.stream, last.tick))
    }

    /// Finds another use of the same bytes that nothing orders with this one.
    #[inline]
    pub(super) fn race(
        &self,
        streams: &Streams,
        stream: Option<i32>,
        work: &Work<'_>,
        access: &Access,
    ) -> Option<Status> {
        if !self.is_shared(streams, stream) {
            return None;
        }
        let writes = access.purpose.writes();
        // For the host, only what it knows to be done comes before.
        let line = stream.and_then(|stream| streams.get(stream));
        let clock = line.map(|line| &line.clock);
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
            Some(_) if line.is_some_and(|line| line.waited_for_nothing) => {
                "the event that this stream has waited for last was not recorded yet: record it behind the first, and then \
                 let the other stream wait for it"
            }
            Some(_) if clock.is_some_and(|clock| clock.get(other.stream) > 0) => {
                "what this stream has waited for was recorded before that work: record an event behind the first and let the \
                 other stream wait for it"
            }
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

    /// The numbers of the use that `used` has noted and of the last use of the stream, if no other stream's use stands
    /// against it, whatever the order of the two.
    pub(super) fn numbers_of_use(
        &mut self,
        streams: &Streams,
        stream: i32,
        access: &Access,
    ) -> Option<(usize, usize)> {
        let writes = access.purpose.writes();
        let is_against =
            |one: &Use| one.stream != stream && (writes || one.writes) && one.span.overlaps(&access.span);
        if self.uses.iter().any(is_against) {
            // One that is done stands against nothing any more, and is another use when it comes again.
            self.state = new_state();
            self.uses.retain(|one| !is_against(one) || !streams.host_knows(one.stream, one.tick));
            if self.uses.iter().any(is_against) {
                return None;
            }
        }
        let is_it = |one: &Use| one.stream == stream && one.writes == writes && one.span == access.span;
        let use_number = self.uses.iter().position(is_it)?;
        Some((use_number, self.last.iter().position(|last| last.stream == stream)?))
    }

    /// Notes a use again by its numbers, which hold as long as the state does.
    #[inline]
    pub(super) fn renew(
        &mut self,
        (use_number, last_number): (usize, usize),
        (stream, tick): (i32, u64),
        function: &'static str,
        access: &Access,
    ) {
        if let (Some(one), Some(last)) = (self.uses.get_mut(use_number), self.last.get_mut(last_number)) {
            (one.tick, one.function, one.name) = (tick, function, access.name);
            *last = Last { stream, tick, workspace: access.purpose == Purpose::Workspace, function };
        }
    }

    /// Remembers which bytes hold values after an access that lies in the allocation.
    #[inline]
    pub(super) fn mark(&mut self, access: &Access) {
        if self.judged && access.purpose == Purpose::Write {
            self.written.mark(&access.span);
        }
    }

    #[inline]
    pub(super) fn used(
        &mut self,
        streams: &Streams,
        (stream, tick): (i32, u64),
        function: &'static str,
        access: &Access,
    ) {
        let workspace = access.purpose == Purpose::Workspace;
        // A use of the buffer as a tensor replaces its earlier use as a workspace.
        let now = Last { stream, tick, workspace, function };
        match self.last.iter_mut().find(|last| last.stream == stream) {
            Some(last) => *last = now,
            None => {
                self.state = new_state();
                if self.last.len() >= CROWDED {
                    self.last.retain(|last| !streams.host_knows(last.stream, last.tick));
                }
                self.last.push(now);
            }
        }
        if !self.judged || access.purpose == Purpose::Watch {
            return;
        }
        let writes = access.purpose.writes();
        let same = |one: &Use| one.stream == stream && one.writes == writes && one.span == access.span;
        let place = place(stream, writes, &access.span, self.places);
        let renewed = self.renewed.get(place).map_or(0, |number| usize::from(*number));
        let number = match self.uses.get(renewed) {
            Some(one) if same(one) => Some(renewed),
            _ => {
                let number = self.uses.iter().position(same);
                self.renewed.resize(self.places, 0);
                self.renewed[place] = number.unwrap_or_default() as u16;
                number
            }
        };
        if let Some(before) = number.and_then(|number| self.uses.get_mut(number)) {
            (before.tick, before.function, before.name) = (tick, function, access.name);
            return;
        }
        self.state = new_state();
        if self.uses.len() >= CROWDED {
            self.uses.retain(|one| !streams.host_knows(one.stream, one.tick));
        }
        if self.uses.len() >= KEPT {
            self.uses.remove(0);
        }
        self.uses.push(Use { stream, tick, writes, span: access.span.clone(), function, name: access.name });
    }
}

//! Queueing collectives and messages: their memory is checked first, and messages of one group of calls become one batch.

use std::cell::RefCell;
use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use aclnn_sys::{HCCL_E_NOT_SUPPORT, HCCL_E_PARA, HCCL_E_UNAVAIL, HcclDataType};
use cann_kernels::Span;
use smallvec::SmallVec;

use super::call::{Call, must_be_op, must_be_type, size};
use super::combine;
use super::communicator::{COMMUNICATORS, Communicator, must_be_rank};
use super::messages::{Message, Messages};
use super::outcome::{Result, failed, null, refused};
use super::rounds::Collective;
use crate::check;
use crate::check::tracker::{self, Access, Purpose, Work};
use crate::entry::Handle;
use crate::mapped::mapped;
use crate::misuse::{Check, Level};
use crate::runtime::memory::{device_bytes, must_reach};
use crate::runtime::stream::{self, Step, Steps, Stream, capture, context};
use crate::trace::Details;

/// The code of a parameter that is not valid.
pub(super) const PARA: i32 = HCCL_E_PARA.0.cast_signed();

/// The live communicator behind a handle.
pub(super) fn find(handle: &Handle<*mut c_void>) -> Result<Arc<Communicator>> {
    COMMUNICATORS.get(handle.0).map_err(|why| why.status(PARA, "comm"))
}

/// Whether a part of an operator has failed: the parts behind it do nothing then.
#[derive(Clone, Default)]
pub(crate) struct Broken(Arc<AtomicBool>);

impl Broken {
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Acquire)
    }

    pub(crate) fn set(&self, is_so: bool) {
        self.0.store(is_so, Release);
    }
}

/// A call: of a function, or of a part of an operator.
#[derive(Clone, Copy)]
pub(super) struct Caller<'a> {
    pub(super) function: &'static str,
    pub(super) operator: Option<&'a Broken>,
    /// Whether the call is only checked: a graph stores the operator as a whole.
    pub(super) is_only_checked: bool,
}

impl From<&'static str> for Caller<'_> {
    fn from(function: &'static str) -> Self {
        Self { function, operator: None, is_only_checked: false }
    }
}

/// A part of an operator.
struct Part {
    /// Nothing once it was given up.
    steps: Option<Box<dyn Steps>>,
    comm: Arc<Communicator>,
    broken: Broken,
}

impl Steps for Part {
    fn go_on(&mut self) -> Step {
        if self.broken.is_set() {
            // What is dropped tells the group.
            self.steps = None;
        }
        let Some(steps) = &mut self.steps else {
            return Step::Done(self.comm.failure().map_or(Ok(()), Err));
        };
        let step = steps.go_on();
        if matches!(step, Step::Done(Err(_))) {
            self.broken.set(true);
        }
        step
    }

    fn abandon(&mut self) -> Step {
        self.steps.as_mut().map_or(Step::Done(Ok(())), |steps| steps.abandon())
    }
}

/// A region of device memory that a call uses.
pub(super) struct Region {
    pub(super) name: &'static str,
    pub(super) address: usize,
    pub(super) bytes: usize,
    /// Bytes of an element.
    pub(super) size: usize,
    pub(super) purpose: Purpose,
}

impl Region {
    fn overlaps(&self, other: &Region) -> bool {
        self.address < other.address + other.bytes && other.address < self.address + self.bytes
    }
}

/// Bytes of some elements for each of some ranks.
fn bytes(count: u64, dtype: HcclDataType, ranks: usize) -> Result<usize> {
    let bytes =
        usize::try_from(count).ok().and_then(|count| count.checked_mul(size(dtype))?.checked_mul(ranks));
    bytes
        .filter(|bytes| isize::try_from(*bytes).is_ok())
        .map_or_else(|| refused(format_args!("{count} elements are more than any memory holds")), Ok)
}

/// Checks that a region which is written overlaps no other one, except for pairs that `is_in_place` knows.
///
/// What a device does with others is not known; here the result would depend on how much is moved at a time.
fn must_lie_apart(regions: &[Region], is_in_place: impl Fn(&Region, &Region) -> bool) -> Result {
    if check::level() == Level::Off {
        return Ok(());
    }
    for (number, written) in regions.iter().enumerate().filter(|(_, region)| region.purpose == Purpose::Write)
    {
        let others = regions.iter().enumerate().filter(|(other, _)| *other != number).map(|(_, other)| other);
        for other in others.filter(|other| written.overlaps(other)) {
            if !is_in_place(written, other) {
                let message = format!(
                    "{} overlaps {}, and is not in place: {} bytes from {:#x} on, and {} bytes from {:#x} on",
                    written.name, other.name, written.bytes, written.address, other.bytes, other.address
                );
                return Err(failed(HCCL_E_PARA, message).of(Check::Overlap));
            }
        }
    }
    Ok(())
}

/// Checks the memory that a call uses, and queues what it does in the order of the communicator; or stores the call in the graph
/// that the stream is captured into, each replay of which does both.
pub(super) fn queue<S: Steps + 'static>(
    caller: Caller<'_>,
    comm: &Arc<Communicator>,
    stream: &Stream,
    regions: Vec<Region>,
    is_in_place: impl Fn(&Region, &Region) -> bool + Send + Sync + 'static,
    make: impl Fn(Arc<Communicator>, u64) -> S + Send + Sync + 'static,
) -> Result {
    let function = caller.function;
    if caller.is_only_checked {
        return must_be_possible(function, comm, stream, &regions, is_in_place);
    }
    if !stream.is_captured() {
        return queue_now(caller, comm, stream, &regions, is_in_place, make);
    }
    must_be_possible(function, comm, stream, &regions, &is_in_place)?;
    let kept = comm.keep();
    capture::submit(stream, function, move |stream| {
        kept.calling(function, |comm| queue_now(function.into(), comm, stream, &regions, &is_in_place, &make))
    })?;
    comm.forget_refusal();
    Ok(())
}

/// Checks that a communicator works, and that a stream and memory are those of its device.
fn must_be_possible(
    function: &'static str,
    comm: &Arc<Communicator>,
    stream: &Stream,
    regions: &[Region],
    is_in_place: impl Fn(&Region, &Region) -> bool,
) -> Result {
    if let Some(failure) = comm.failure() {
        return Err(failure);
    }
    if context::resets(comm.device) != comm.resets {
        // It never takes part again, and the others need not wait for it.
        let message = format_args!(
            "{} reset its device {} after it had joined the group {}; make a new group",
            comm.called(comm.rank),
            comm.device,
            comm.name
        );
        return Err(comm.fail(failed(HCCL_E_UNAVAIL, message)));
    }
    if comm.context.is_some_and(|context| !context::lives(context)) {
        let message = format_args!(
            "{} destroyed the context in which it had joined the group {}; make a new group",
            comm.called(comm.rank),
            comm.name
        );
        return Err(comm.fail(failed(HCCL_E_UNAVAIL, message)));
    }
    if comm.is_ended.load(Acquire) {
        return refused("comm was destroyed before");
    }
    if stream.device != comm.device {
        return refused(format_args!(
            "the stream is one of device {}, and the communicator is on device {}",
            stream.device, comm.device
        ));
    }
    for Region { name, address, bytes, size, .. } in regions {
        let named = |status: crate::status::Status| {
            let message = format!("{name}: {}", status.message);
            status.with_message(message)
        };
        if *address == 0 {
            return Err(null(name));
        }
        device_bytes(*address, *bytes).map_err(named)?;
        must_reach(stream.device, *address).map_err(named)?;
        if address % size != 0 && !comm.is_misaligned.swap(true, Relaxed) {
            let message = format!(
                "{name} is {address:#x}, which is not a multiple of the {size} bytes of an element; the call succeeds, and is \
                 told once for the communicator, as CANN does not say whether a device takes it"
            );
            check::notice(Check::Misaligned, function, &message);
        }
    }
    must_lie_apart(regions, is_in_place)
}

fn queue_now<S: Steps + 'static>(
    Caller { function, operator, .. }: Caller<'_>,
    comm: &Arc<Communicator>,
    stream: &Stream,
    regions: &[Region],
    is_in_place: impl Fn(&Region, &Region) -> bool,
    make: impl Fn(Arc<Communicator>, u64) -> S,
) -> Result {
    must_be_possible(function, comm, stream, regions, is_in_place)?;
    let accesses: SmallVec<[Access; 4]> =
        mapped(regions, |Region { name, address, bytes, purpose, .. }| Access {
            name,
            span: Span::dense(*address, *bytes),
            purpose: *purpose,
        });
    let work = Work { function, code: PARA, accesses: &accesses, carried: &[] };
    let details = || Details {
        kernels: vec!["collective"],
        bytes: regions.iter().map(|region| region.bytes).sum(),
        rank: Some((comm.rank, comm.segment.ranks())),
        ..Details::default()
    };
    // Under the lock of the stream, so that the checks see its order, and the calls of one stream have their numbers in it.
    stream.try_push(|_| {
        tracker::submit(stream.id(), stream.tally(), &work)?;
        let number = comm.count(stream.id(), tracker::last_task(stream.tally()), function);
        let mut steps: Box<dyn Steps> = Box::new(make(Arc::clone(comm), number));
        if let Some(broken) = operator {
            steps = Box::new(Part { steps: Some(steps), comm: Arc::clone(comm), broken: broken.clone() });
        }
        Ok(stream.observed(function, details).steps(steps))
    })
}

/// Queues a collective; `send` and `receive` are addresses and for how many ranks there are elements.
pub(super) fn collective(
    call: Call,
    comm: &Handle<*mut c_void>,
    stream: &Handle<*mut c_void>,
    send: (usize, usize),
    receive: (usize, usize),
) -> Result {
    let comm = find(comm)?;
    let function = call.kind.function();
    comm.calling(function, || {
        queue_collective((function.into(), call), &comm, &*stream::resolve(stream.0)?, send, receive)
    })
}

/// Queues a collective as a part of what is called.
pub(super) fn queue_collective(
    (caller, call): (Caller<'_>, Call),
    comm: &Arc<Communicator>,
    stream: &Stream,
    (send, send_parts): (usize, usize),
    (receive, receive_parts): (usize, usize),
) -> Result {
    must_be_type(call.dtype)?;
    let combine: combine::Loop = if call.kind.reduces() {
        must_be_op(call.op)?;
        combine::of(call.dtype)?
    } else {
        |_, _, _| {}
    };
    must_be_rank(comm, "root", call.root)?;
    let one = bytes(call.count, call.dtype, 1)?;
    let region = |name, address, parts, purpose| {
        let size = size(call.dtype);
        bytes(call.count, call.dtype, parts).map(|bytes| Region { name, address, bytes, size, purpose })
    };
    let reads = if call.kind.reduces() { Purpose::Read } else { Purpose::Fetch };
    let regions = [
        region("sendBuf", send, send_parts, reads)?,
        region("recvBuf", receive, receive_parts, Purpose::Write)?,
    ];
    let used: Vec<Region> = regions.into_iter().filter(|region| region.bytes > 0).collect();
    let rank = comm.rank;
    // The smaller one is that part of the larger one which is the rank's own.
    let is_in_place = move |written: &Region, read: &Region| {
        let own = if written.bytes == read.bytes { 0 } else { rank * one };
        match written.bytes < read.bytes {
            true => written.address == read.address + own,
            false => read.address == written.address + own,
        }
    };
    queue(caller, comm, stream, used, is_in_place, move |comm, number| {
        Collective::new(comm, number, call, combine, (send, receive))
    })
}

/// Messages that are queued on a stream together.
struct Batch {
    comm: Arc<Communicator>,
    stream: Arc<Stream>,
    /// The number of the graph that the stream was captured into when its messages were called.
    graph: Option<u32>,
    messages: Vec<Message>,
}

impl Batch {
    fn queue(self, function: &'static str) -> Result {
        let Batch { comm, stream, graph, messages } = self;
        comm.calling(function, || {
            must_be_captured_together(graph, &stream)?;
            queue_messages(function.into(), &comm, &stream, messages)
        })
    }
}

/// Refuses messages of which a graph would store only a part.
fn must_be_captured_together(graph: Option<u32>, stream: &Stream) -> Result {
    match graph == capture::number(stream) {
        true => Ok(()),
        false => Err(failed(
            HCCL_E_NOT_SUPPORT,
            "a capture began or ended between HcclGroupStart and HcclGroupEnd: all calls of a group are captured into one \
             graph, or none is",
        )),
    }
}

/// Queues messages as one batch.
pub(super) fn queue_messages(
    caller: Caller<'_>,
    comm: &Arc<Communicator>,
    stream: &Stream,
    messages: Vec<Message>,
) -> Result {
    let regions = messages.iter().map(|message| {
        let (name, purpose) =
            if message.sends { ("sendBuf", Purpose::Fetch) } else { ("recvBuf", Purpose::Write) };
        let bytes = bytes(message.count, message.dtype, 1)?;
        Ok(Region { name, address: message.address, bytes, size: size(message.dtype), purpose })
    });
    let regions = regions.filter(|region| region.as_ref().map_or(true, |region| region.bytes > 0));
    let regions = regions.collect::<Result<Vec<_>>>()?;
    let function = caller.function;
    let make = move |comm, number| Messages::new(comm, number, &messages, function);
    queue(caller, comm, stream, regions, |_, _| false, make)
}

/// The calls of a thread between `HcclGroupStart` and `HcclGroupEnd`.
#[derive(Default)]
struct Together {
    /// How many groups are open, one in the other.
    depth: u32,
    batches: Vec<Batch>,
}

thread_local!(static TOGETHER: RefCell<Together> = RefCell::default());

/// Returns whether the messages of this thread wait for the end of a group of calls.
pub(super) fn is_together() -> bool {
    TOGETHER.try_with(|together| together.borrow().depth > 0).unwrap_or(false)
}

/// Begins a group of calls: its messages are queued at its end.
pub(super) fn begin_together() {
    let _ = TOGETHER.try_with(|together| together.borrow_mut().depth += 1);
}

/// Ends a group of calls. The messages of the outermost one are queued, those of each communicator as one batch on the first
/// stream that was named for it; all of them, and the first failure is returned.
pub(super) fn end_together() -> Result {
    let ended = TOGETHER.try_with(|together| {
        let mut together = together.borrow_mut();
        together.depth = together.depth.checked_sub(1)?;
        Some(if together.depth == 0 { std::mem::take(&mut together.batches) } else { Vec::new() })
    });
    match ended.ok().flatten() {
        None => Err(failed(HCCL_E_NOT_SUPPORT, "no HcclGroupStart of this thread is open")),
        Some(batches) => {
            let mut outcome = Ok(());
            for batch in batches {
                outcome = outcome.and(batch.queue("HcclGroupEnd"));
            }
            outcome
        }
    }
}

/// Queues messages, or keeps them for the end of a group of calls.
pub(super) fn messages(
    function: &'static str,
    messages: Vec<Message>,
    comm: Arc<Communicator>,
    stream: &Handle<*mut c_void>,
) -> Result {
    let stream = stream::resolve(stream.0)?;
    let graph = capture::number(&stream);
    if !is_together() {
        return Batch { comm, stream, graph, messages }.queue(function);
    }
    let kept = TOGETHER.try_with(|together| {
        let batches = &mut together.borrow_mut().batches;
        match batches.iter_mut().find(|batch| Arc::ptr_eq(&batch.comm, &comm)) {
            Some(batch) => {
                must_be_captured_together(batch.graph, &stream)?;
                batch.messages.extend(messages);
            }
            None => batches.push(Batch { comm, stream, graph, messages }),
        }
        Ok(())
    });
    // Refused only while the thread ends.
    kept.unwrap_or(Ok(()))
}

/// A message whose parameters name a rank and a type.
pub(super) fn message(
    comm: &Communicator,
    sends: bool,
    address: usize,
    count: u64,
    dtype: HcclDataType,
    (parameter, peer): (&str, u32),
) -> Result<Message> {
    must_be_type(dtype)?;
    must_be_rank(comm, parameter, peer)?;
    Ok(Message { sends, peer: peer as usize, address, count, dtype })
}

/// Queues one message.
pub(super) fn single(
    function: &'static str,
    sends: bool,
    (address, count, dtype): (usize, u64, HcclDataType),
    (parameter, peer): (&str, u32),
    (comm, stream): (&Handle<*mut c_void>, &Handle<*mut c_void>),
) -> Result {
    let comm = find(comm)?;
    comm.calling(function, || {
        let message = message(&comm, sends, address, count, dtype, (parameter, peer))?;
        // Alone it would wait for itself.
        if message.peer == comm.rank && !is_together() {
            return refused(format_args!("{parameter} is {peer}, this rank itself"));
        }
        messages(function, vec![message], Arc::clone(&comm), stream)
    })
}

//! The functions of HCCL.

use std::collections::BTreeSet;
use std::ffi::{c_char, c_void};
use std::mem::{offset_of, size_of};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use aclnn_sys::{
    HCCL_COMM_CONFIG_MAGIC_WORD, HCCL_COMM_CONFIG_NOT_SET, HCCL_COMM_CONFIG_VERSION, HCCL_E_PARA, HCCL_RECV,
    HCCL_REDUCE_SUM, HCCL_SEND, HCCL_SUCCESS, HcclCommConfig, HcclDataType, HcclReduceOp, HcclResult,
    HcclRootInfo, HcclSendRecvItem,
};

use super::call::{Call, Kind, must_be_op, must_be_type, size};
use super::combine;
use super::communicator::{Communicator, must_be_rank};
use super::group::{self, COMMUNICATORS, Options};
use super::messages::{Message, Messages};
use super::outcome::{Result, code_of, null, refused};
use super::root_info::{self, Root};
use super::rounds::Collective;
use crate::check::span::Span;
use crate::check::tracker::{self, Access, Purpose, Work};
use crate::entry::{Address, Array, Handle, Out, entry_points, plain_parameters};
use crate::handle::to_pointer;
use crate::runtime::memory::{device_bytes, must_reach};
use crate::runtime::product::devices;
use crate::runtime::stream::{self, Steps, Stream, context};
use crate::settings;
use crate::status;
use crate::trace::Details;

plain_parameters! { HcclDataType, HcclReduceOp, HcclResult }

/// The code of a parameter that is not valid.
const PARA: i32 = HCCL_E_PARA.0.cast_signed();
/// That of a pointer that is null.
const PTR: i32 = aclnn_sys::HCCL_E_PTR.0.cast_signed();

fn find(handle: &Handle<*mut c_void>) -> Result<Arc<Communicator>> {
    COMMUNICATORS.get(handle.0).map_err(|why| why.status(PARA, "comm"))
}

fn timeout() -> Duration {
    Duration::from_secs(settings::get().rank_timeout.into())
}

/// The settings in a structure of any version: the first fields say how long it is.
fn options(config: &Array<u8>) -> Result<Options> {
    let number = |bytes: &[u8], at: usize| {
        let four = bytes.get(at..at + 4)?.try_into().ok()?;
        Some(u32::from_ne_bytes(four))
    };
    let head = config.read(24).ok_or_else(|| null("config"))?;
    let magic = number(&head, offset_of!(HcclCommConfig, magicWord));
    if magic != Some(HCCL_COMM_CONFIG_MAGIC_WORD) {
        return refused("config was not initialised by HcclCommConfigInit");
    }
    let whole = number(&head, 0).map_or(0, |size| size as usize);
    if !(24..=1 << 16).contains(&whole) {
        return refused(format_args!("config says that it has {whole} bytes"));
    }
    let bytes = config.read(whole.min(size_of::<HcclCommConfig>()) as u64).ok_or_else(|| null("config"))?;
    let name_at = offset_of!(HcclCommConfig, hcclCommName);
    let name = bytes.get(name_at..name_at + 128).unwrap_or_default();
    let name: Vec<u8> = name.iter().copied().take_while(|byte| *byte != 0).collect();
    let seconds = number(&bytes, offset_of!(HcclCommConfig, hcclExecTimeOut));
    let seconds = seconds.filter(|seconds| ![0, HCCL_COMM_CONFIG_NOT_SET].contains(seconds));
    Ok(Options {
        name: (!name.is_empty()).then(|| {
            let mut name = String::from_utf8_lossy(&name).into_owned();
            // It must fit where HcclGetCommName writes it, with its end.
            while name.len() > 127 {
                name.pop();
            }
            name
        }),
        timeout: seconds.map_or_else(timeout, |seconds| Duration::from_secs(seconds.into())),
    })
}

fn join(
    ranks: u32,
    root: &Array<HcclRootInfo>,
    rank: u32,
    options: Options,
    comm: Out<*mut c_void>,
) -> Result {
    let place = comm.required("comm", PTR)?;
    let root = root.read(1).and_then(|all| all.first().copied()).ok_or_else(|| null("rootInfo"))?;
    let device = context::current()?.device_id();
    let root = Root::read(&root)?;
    place.write(to_pointer(group::join(ranks as usize, &root, rank as usize, device, options)?));
    Ok(())
}

/// A region of device memory that a call uses.
struct Region {
    name: &'static str,
    address: usize,
    bytes: usize,
    purpose: Purpose,
}

/// Bytes of some elements for each of some ranks.
fn bytes(count: u64, dtype: HcclDataType, ranks: usize) -> Result<usize> {
    let bytes =
        usize::try_from(count).ok().and_then(|count| count.checked_mul(size(dtype))?.checked_mul(ranks));
    bytes
        .filter(|bytes| isize::try_from(*bytes).is_ok())
        .map_or_else(|| refused(format_args!("{count} elements are more than any memory holds")), Ok)
}

/// Checks the memory that a call uses, and queues what it does in the order of the communicator.
fn queue<S: Steps + 'static>(
    function: &'static str,
    comm: &Arc<Communicator>,
    stream: &Stream,
    regions: &[Region],
    make: impl FnOnce(Arc<Communicator>, u64) -> S,
) -> Result {
    if let Some(failure) = comm.failure() {
        return Err(failure);
    }
    if stream.device != comm.device {
        return refused(format_args!(
            "the stream is one of device {}, and the communicator is on device {}",
            stream.device, comm.device
        ));
    }
    let used = || regions.iter().filter(|region| region.bytes > 0);
    for Region { name, address, bytes, .. } in used() {
        let named = |status: status::Status| {
            let message = format!("{name}: {}", status.message);
            status.told_as(message)
        };
        if *address == 0 {
            return Err(null(name));
        }
        device_bytes(*address, *bytes).map_err(named)?;
        must_reach(stream.device, *address).map_err(named)?;
    }
    stream.must_accept()?;
    let accesses: Vec<Access> = used()
        .map(|Region { name, address, bytes, purpose }| Access {
            name,
            span: Span::dense(*address, *bytes),
            purpose: *purpose,
        })
        .collect();
    tracker::submit(
        stream.id(),
        stream.tally(),
        &Work { function, code: PARA, accesses: &accesses, carried: &[] },
    )?;
    let moved = used().map(|region| region.bytes).sum();
    let details = || Details { kernels: vec!["collective"], operands: Vec::new(), bytes: moved };
    stream.try_push(|_| {
        // Under the lock of the stream, so that the calls of one stream have their numbers in its order.
        let number = comm.queued.fetch_add(1, Relaxed);
        Ok(stream.observed(function, details).steps(Box::new(make(Arc::clone(comm), number))))
    })
}

/// Queues a collective; `send` and `receive` are addresses and how many elements are there.
fn collective(
    call: Call,
    comm: &Handle<*mut c_void>,
    stream: &Handle<*mut c_void>,
    (send, send_parts): (usize, usize),
    (receive, receive_parts): (usize, usize),
) -> Result {
    let comm = find(comm)?;
    must_be_type(call.dtype)?;
    if call.kind.reduces() {
        must_be_op(call.op)?;
        combine::of(call.dtype)?;
    }
    must_be_rank(&comm, "root", call.root)?;
    let stream = stream::resolve(stream.0)?;
    let region = |name, address, parts, purpose| {
        bytes(call.count, call.dtype, parts).map(|bytes| Region { name, address, bytes, purpose })
    };
    let regions = [
        region("sendBuf", send, send_parts, Purpose::Read)?,
        region("recvBuf", receive, receive_parts, Purpose::Write)?,
    ];
    queue(call.kind.function(), &comm, &stream, &regions, |comm, number| {
        Collective::new(comm, number, call, send, receive)
    })
}

/// The ranks of a communicator, and the number of its own.
fn ranks(comm: &Handle<*mut c_void>) -> Result<(usize, u32)> {
    let comm = find(comm)?;
    Ok((comm.segment.ranks(), comm.rank as u32))
}

fn messages(
    function: &'static str,
    messages: Vec<Message>,
    comm: &Arc<Communicator>,
    stream: &Handle<*mut c_void>,
) -> Result {
    let stream = stream::resolve(stream.0)?;
    let regions = messages.iter().map(|message| {
        let (name, purpose) =
            if message.sends { ("sendBuf", Purpose::Read) } else { ("recvBuf", Purpose::Write) };
        let bytes = bytes(message.count, message.dtype, 1)?;
        Ok(Region { name, address: message.address, bytes, purpose })
    });
    let regions = regions.collect::<Result<Vec<_>>>()?;
    queue(function, comm, &stream, &regions, |comm, number| Messages::new(comm, number, messages, function))
}

fn message(
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

fn single(
    function: &'static str,
    sends: bool,
    (address, count, dtype): (usize, u64, HcclDataType),
    (parameter, peer): (&str, u32),
    (comm, stream): (&Handle<*mut c_void>, &Handle<*mut c_void>),
) -> Result {
    let comm = find(comm)?;
    let message = message(&comm, sends, address, count, dtype, (parameter, peer))?;
    if message.peer == comm.rank {
        return refused(format_args!("{parameter} is {peer}, this rank itself"));
    }
    messages(function, vec![message], &comm, stream)
}

/// A result in words.
fn text(code: HcclResult) -> &'static std::ffi::CStr {
    match code.0 {
        0 => c"no error",
        1 => c"parameter error",
        2 => c"empty pointer error",
        3 => c"memory error",
        4 => c"internal error",
        5 => c"not supported",
        6 => c"not found",
        7 => c"unavailable",
        8 => c"error of a system call",
        9 => c"time is up",
        10 => c"a file cannot be opened",
        11 | 12 => c"a connection cannot be made",
        13 | 14 => c"a transfer failed",
        15 => c"error of the runtime",
        16 => c"error of the driver",
        17 => c"error of profiling",
        18 => c"error of the compute cores",
        19 => c"error of the network",
        20 => c"try again",
        21 => c"error of another rank",
        22 => c"the communicator is suspended",
        23 => c"an operation failed again",
        24 => c"out of memory",
        1041 => c"the communicator has failed",
        _ => c"unknown error",
    }
}

entry_points! { SYMBOLS:
    fn HcclGetRootInfo(info: Out<HcclRootInfo>) -> HcclResult {
        let place = info.required("rootInfo", PTR)?;
        context::current()?;
        place.write(root_info::make()?.write());
        Ok(())
    }

    fn HcclCommInitRootInfo(
        ranks: u32,
        root: Array<HcclRootInfo>,
        rank: u32,
        comm: Out<*mut c_void>,
    ) -> HcclResult {
        join(ranks, &root, rank, Options { name: None, timeout: timeout() }, comm)
    }

    fn HcclCommInitRootInfoConfig(
        ranks: u32,
        root: Array<HcclRootInfo>,
        rank: u32,
        config: Array<HcclCommConfig>,
        comm: Out<*mut c_void>,
    ) -> HcclResult {
        let options = options(&config.as_any_bytes())?;
        join(ranks, &root, rank, options, comm)
    }

    fn HcclCommInitAll(count: u32, devices: Out<i32>, comms: Out<*mut c_void>) -> HcclResult {
        // Before the array is read, which has so many elements.
        if count as usize > devices::all().count() {
            return refused(format_args!(
                "ndev is {count}, and the number of devices is {}; CANN_STUBS_DEVICES sets it",
                devices::all().count()
            ));
        }
        let devices = devices.into_array().read(count.into()).ok_or_else(|| null("devices"))?;
        let distinct: BTreeSet<i32> = devices.iter().copied().collect();
        if devices.is_empty() || distinct.len() != devices.len() {
            return refused(format_args!("devices are {devices:?}; each is there once, and there is at least one"));
        }
        if let Some(foreign) = devices.iter().find(|device| !devices::all().any(|known| known == **device)) {
            return refused(format_args!("there is no device {foreign}; CANN_STUBS_DEVICES sets how many there are"));
        }
        let places = comms.required("comms", PTR)?;
        let made = group::make_all(&devices, timeout())?;
        places.write_all(made.into_iter().map(to_pointer));
        Ok(())
    }

    fn HcclCommDestroy(comm: Handle<*mut c_void>) -> HcclResult {
        group::leave(comm.0)
    }

    fn HcclGetRankSize(comm: Handle<*mut c_void>, size: Out<u32>) -> HcclResult {
        let place = size.required("rankSize", PTR)?;
        place.write(ranks(&comm)?.0 as u32);
        Ok(())
    }

    fn HcclGetRankId(comm: Handle<*mut c_void>, rank: Out<u32>) -> HcclResult {
        let place = rank.required("rank", PTR)?;
        place.write(ranks(&comm)?.1);
        Ok(())
    }

    fn HcclGetCommName(comm: Handle<*mut c_void>, name: Out<c_char>) -> HcclResult {
        let place = name.required("commName", PTR)?;
        place.write_text(&find(&comm)?.name);
        Ok(())
    }

    fn HcclGetCommAsyncError(comm: Handle<*mut c_void>, error: Out<HcclResult>) -> HcclResult {
        let place = error.required("asyncError", PTR)?;
        let failure = find(&comm)?.failure();
        // The reason, which the code alone does not tell.
        failure.iter().for_each(|failure| status::remember("HcclGetCommAsyncError", failure));
        place.write(failure.map_or(HCCL_SUCCESS, |failure| code_of(&failure)));
        Ok(())
    }

    fn HcclGetErrorString(code: HcclResult) -> *const c_char {
        text(code).as_ptr()
    }

    fn HcclGetCommConfigCapability() -> u32 {
        HCCL_COMM_CONFIG_VERSION
    }

    fn HcclAllReduce(
        send: Address<*mut c_void>,
        receive: Address<*mut c_void>,
        count: u64,
        dtype: HcclDataType,
        op: HcclReduceOp,
        comm: Handle<*mut c_void>,
        stream: Handle<*mut c_void>,
    ) -> HcclResult {
        let call = Call { kind: Kind::AllReduce, count, dtype, op, root: 0 };
        collective(call, &comm, &stream, (send.0, 1), (receive.0, 1))
    }

    fn HcclBroadcast(
        buffer: Address<*mut c_void>,
        count: u64,
        dtype: HcclDataType,
        root: u32,
        comm: Handle<*mut c_void>,
        stream: Handle<*mut c_void>,
    ) -> HcclResult {
        let call = Call { kind: Kind::Broadcast, count, dtype, op: HCCL_REDUCE_SUM, root };
        let sends = usize::from(ranks(&comm)?.1 == root);
        collective(call, &comm, &stream, (buffer.0, sends), (buffer.0, 1 - sends))
    }

    fn HcclReduceScatter(
        send: Address<*mut c_void>,
        receive: Address<*mut c_void>,
        count: u64,
        dtype: HcclDataType,
        op: HcclReduceOp,
        comm: Handle<*mut c_void>,
        stream: Handle<*mut c_void>,
    ) -> HcclResult {
        let call = Call { kind: Kind::ReduceScatter, count, dtype, op, root: 0 };
        let parts = ranks(&comm)?.0;
        collective(call, &comm, &stream, (send.0, parts), (receive.0, 1))
    }

    fn HcclAllGather(
        send: Address<*mut c_void>,
        receive: Address<*mut c_void>,
        count: u64,
        dtype: HcclDataType,
        comm: Handle<*mut c_void>,
        stream: Handle<*mut c_void>,
    ) -> HcclResult {
        let call = Call { kind: Kind::AllGather, count, dtype, op: HCCL_REDUCE_SUM, root: 0 };
        let parts = ranks(&comm)?.0;
        collective(call, &comm, &stream, (send.0, 1), (receive.0, parts))
    }

    fn HcclReduce(
        send: Address<*mut c_void>,
        receive: Address<*mut c_void>,
        count: u64,
        dtype: HcclDataType,
        op: HcclReduceOp,
        root: u32,
        comm: Handle<*mut c_void>,
        stream: Handle<*mut c_void>,
    ) -> HcclResult {
        let call = Call { kind: Kind::Reduce, count, dtype, op, root };
        let receives = usize::from(ranks(&comm)?.1 == root);
        collective(call, &comm, &stream, (send.0, 1), (receive.0, receives))
    }

    fn HcclSend(
        buffer: Address<*mut c_void>,
        count: u64,
        dtype: HcclDataType,
        rank: u32,
        comm: Handle<*mut c_void>,
        stream: Handle<*mut c_void>,
    ) -> HcclResult {
        single("HcclSend", true, (buffer.0, count, dtype), ("destRank", rank), (&comm, &stream))
    }

    fn HcclRecv(
        buffer: Address<*mut c_void>,
        count: u64,
        dtype: HcclDataType,
        rank: u32,
        comm: Handle<*mut c_void>,
        stream: Handle<*mut c_void>,
    ) -> HcclResult {
        single("HcclRecv", false, (buffer.0, count, dtype), ("srcRank", rank), (&comm, &stream))
    }

    fn HcclBatchSendRecv(
        items: Out<HcclSendRecvItem>,
        count: u32,
        comm: Handle<*mut c_void>,
        stream: Handle<*mut c_void>,
    ) -> HcclResult {
        let items = items.into_array().read(count.into()).ok_or_else(|| null("sendRecvInfo"))?;
        let comm = find(&comm)?;
        let all = items.iter().map(|item| {
            let sends = match item.sendRecvType {
                HCCL_SEND => true,
                HCCL_RECV => false,
                other => return refused(format_args!("sendRecvType is {}; known are 0 and 1", other.0)),
            };
            let address = item.buf.expose_provenance();
            message(&comm, sends, address, item.count, item.dataType, ("remoteRank", item.remoteRank))
        });
        messages("HcclBatchSendRecv", all.collect::<Result<_>>()?, &comm, &stream)
    }

    fn HcclBarrier(comm: Handle<*mut c_void>, stream: Handle<*mut c_void>) -> HcclResult {
        let dtype = aclnn_sys::HCCL_DATA_TYPE_INT8;
        let call = Call { kind: Kind::Barrier, count: 0, dtype, op: HCCL_REDUCE_SUM, root: 0 };
        collective(call, &comm, &stream, (0, 0), (0, 0))
    }
}

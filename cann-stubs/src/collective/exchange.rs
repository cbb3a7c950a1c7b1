//! Collectives in which each rank has a part for each: they are messages from each rank to each, which go together.

use std::ffi::c_void;
use std::sync::Arc;

use aclnn_sys::{
    HCCL_DATA_TYPE_BFP16, HCCL_DATA_TYPE_INT16, HCCL_E_NOT_SUPPORT, HCCL_REDUCE_PROD, HcclDataType,
    HcclReduceOp, HcclResult,
};

use super::call::{Call, Kind, must_be_moved, must_be_reduced, size};
use super::communicator::{Communicator, must_be_rank};
use super::messages::Message;
use super::outcome::{Result, failed, null, refused};
use super::queue::{find, messages, queue_collective};
use crate::entry::{Address, Array, Handle, entry_points};
use crate::runtime::stream;

/// The most elements of a part.
const MOST: u64 = 0x7_FFFF_FFFF;

/// A buffer with a part for each rank.
struct Buffer {
    name: &'static str,
    address: usize,
    dtype: HcclDataType,
    /// By rank: elements, and the element with which the part begins.
    parts: Vec<(u64, u64)>,
}

impl Buffer {
    /// The parts lie one after the other.
    fn packed(
        name: &'static str,
        address: usize,
        dtype: HcclDataType,
        counts: impl Iterator<Item = u64>,
    ) -> Self {
        let parts = counts.scan(0, |end: &mut u64, count| {
            let begin = *end;
            *end = end.saturating_add(count);
            Some((count, begin))
        });
        Buffer { name, address, dtype, parts: parts.collect() }
    }

    fn is_empty(&self) -> bool {
        self.parts.iter().all(|(count, _)| *count == 0)
    }

    /// Checks numbers and the address; types are looked at afterwards.
    fn check(&self) -> Result {
        self.must_have_counts()?;
        match self.address == 0 && !self.is_empty() {
            true => Err(null(self.name)),
            false => Ok(()),
        }
    }

    fn must_have_counts(&self) -> Result {
        if let Some((rank, (count, _))) = self.parts.iter().enumerate().find(|(_, (count, _))| *count > MOST)
        {
            return refused(format_args!(
                "the part of {} for rank {rank} has {count} elements, more than {MOST}",
                self.name
            ));
        }
        Ok(())
    }

    /// A message for each part.
    fn messages(&self, sends: bool) -> Result<Vec<Message>> {
        let message = |(peer, &(count, begin)): (usize, &(u64, u64))| {
            let offset = usize::try_from(begin).ok().and_then(|begin| begin.checked_mul(size(self.dtype)));
            match offset.and_then(|offset| self.address.checked_add(offset)) {
                Some(address) => Ok(Message { sends, peer, address, count, dtype: self.dtype }),
                None => refused(format_args!(
                    "the part of {} for rank {peer} begins at element {begin}",
                    self.name
                )),
            }
        };
        self.parts.iter().enumerate().map(message).collect()
    }
}

/// Checks buffers one after the other, and then their types.
fn check(buffers: &[&Buffer]) -> Result {
    buffers.iter().try_for_each(|buffer| buffer.check())?;
    buffers.iter().try_for_each(|buffer| must_be_moved(buffer.dtype))
}

/// Sends each rank its part of `send`, and receives a part of each.
fn exchange(
    function: &'static str,
    send: &Buffer,
    receive: &Buffer,
    comm: &Handle<*mut c_void>,
    stream: &Handle<*mut c_void>,
) -> Result {
    if send.address == receive.address && send.address != 0 {
        return refused("sendBuf and recvBuf are the same");
    }
    check(&[send, receive])?;
    let all = [send.messages(true)?, receive.messages(false)?].concat();
    messages(function, all, find(comm)?, stream)
}

/// A number for each rank.
fn numbers(name: &str, array: &Array<c_void>, count: usize) -> Result<Vec<u64>> {
    array.of::<u64>().read(count as u64).ok_or_else(|| null(name))
}

/// For each rank the number of its elements, and the element with which they begin.
fn parts(
    ranks: usize,
    (counts, of): (&str, &Array<c_void>),
    (begins, from): (&str, &Array<c_void>),
) -> Result<Vec<(u64, u64)>> {
    Ok(numbers(counts, of, ranks)?.into_iter().zip(numbers(begins, from, ranks)?).collect())
}

/// Makes a call with its communicator; the stream must exist. The other ranks learn of a refusal.
fn with_group(
    function: &str,
    comm: &Handle<*mut c_void>,
    stream: &Handle<*mut c_void>,
    call: impl FnOnce(&Arc<Communicator>) -> Result,
) -> Result {
    if comm.0 == 0 {
        return Err(null("comm"));
    }
    let group = find(comm)?;
    group.calling(function, || {
        stream::resolve(stream.0)?;
        call(&group)
    })
}

entry_points! { SYMBOLS:
    fn HcclAlltoAll(
        send: Address<*const c_void>,
        send_count: u64,
        send_type: HcclDataType,
        receive: Address<*const c_void>,
        receive_count: u64,
        receive_type: HcclDataType,
        comm: Handle<*mut c_void>,
        stream: Handle<*mut c_void>,
    ) -> HcclResult {
        if (send_count, receive_count) == (0, 0) {
            return Ok(());
        }
        with_group("HcclAlltoAll", &comm, &stream, |group| {
            for (name, address) in [("sendBuf", send.0), ("recvBuf", receive.0)] {
                if address == 0 {
                    return Err(null(name));
                }
            }
            if send_count != receive_count {
                return refused(format_args!("sendCount is {send_count} and recvCount {receive_count}: both must be the same"));
            }
            if send_type != receive_type {
                return refused("sendType and recvType differ");
            }
            let ranks = group.segment.ranks();
            let buffer = |name, address| {
                Buffer::packed(name, address, send_type, std::iter::repeat_n(send_count, ranks))
            };
            exchange("HcclAlltoAll", &buffer("sendBuf", send.0), &buffer("recvBuf", receive.0), &comm, &stream)
        })
    }

    fn HcclAlltoAllV(
        send: Address<*const c_void>,
        send_counts: Array<c_void>,
        send_begins: Array<c_void>,
        send_type: HcclDataType,
        receive: Address<*const c_void>,
        receive_counts: Array<c_void>,
        receive_begins: Array<c_void>,
        receive_type: HcclDataType,
        comm: Handle<*mut c_void>,
        stream: Handle<*mut c_void>,
    ) -> HcclResult {
        with_group("HcclAlltoAllV", &comm, &stream, |group| {
            let ranks = group.segment.ranks();
            let send = Buffer {
                name: "sendBuf",
                address: send.0,
                dtype: send_type,
                parts: parts(ranks, ("sendCounts", &send_counts), ("sdispls", &send_begins))?,
            };
            let receive = Buffer {
                name: "recvBuf",
                address: receive.0,
                dtype: receive_type,
                parts: parts(ranks, ("recvCounts", &receive_counts), ("rdispls", &receive_begins))?,
            };
            exchange("HcclAlltoAllV", &send, &receive, &comm, &stream)
        })
    }

    fn HcclAlltoAllVC(
        send: Address<*const c_void>,
        matrix: Array<c_void>,
        send_type: HcclDataType,
        receive: Address<*const c_void>,
        receive_type: HcclDataType,
        comm: Handle<*mut c_void>,
        stream: Handle<*mut c_void>,
    ) -> HcclResult {
        with_group("HcclAlltoAllVC", &comm, &stream, |group| {
            let (ranks, rank) = (group.segment.ranks(), group.rank);
            let counts = numbers("sendCountMatrix", &matrix, ranks * ranks)?;
            let row = counts.iter().skip(rank * ranks).take(ranks).copied();
            let column = counts.iter().skip(rank).step_by(ranks).copied();
            let send = Buffer::packed("sendBuf", send.0, send_type, row);
            let receive = Buffer::packed("recvBuf", receive.0, receive_type, column);
            exchange("HcclAlltoAllVC", &send, &receive, &comm, &stream)
        })
    }

    fn HcclScatter(
        send: Address<*mut c_void>,
        receive: Address<*mut c_void>,
        count: u64,
        dtype: HcclDataType,
        root: u32,
        comm: Handle<*mut c_void>,
        stream: Handle<*mut c_void>,
    ) -> HcclResult {
        if count == 0 {
            return Ok(());
        }
        with_group("HcclScatter", &comm, &stream, |group| {
            must_be_rank(group, "root", root)?;
            let receive = Buffer::packed("recvBuf", receive.0, dtype, std::iter::once(count));
            check(&[&receive])?;
            let receives = receive.messages(false)?.into_iter().map(|message| Message { peer: root as usize, ..message });
            let mut all: Vec<Message> = receives.collect();
            // What the others pass as sendBuf is not used.
            if group.rank == root as usize {
                let parts = std::iter::repeat_n(count, group.segment.ranks());
                let send = Buffer::packed("sendBuf", send.0, dtype, parts);
                check(&[&send])?;
                all.extend(send.messages(true)?);
            }
            messages("HcclScatter", all, Arc::clone(group), &stream)
        })
    }

    fn HcclAllGatherV(
        send: Address<*mut c_void>,
        count: u64,
        receive: Address<*mut c_void>,
        receive_counts: Array<c_void>,
        receive_begins: Array<c_void>,
        dtype: HcclDataType,
        comm: Handle<*mut c_void>,
        stream: Handle<*mut c_void>,
    ) -> HcclResult {
        with_group("HcclAllGatherV", &comm, &stream, |group| {
            let (ranks, rank) = (group.segment.ranks(), group.rank);
            let parts = parts(ranks, ("recvCounts", &receive_counts), ("recvDispls", &receive_begins))?;
            let own = parts.get(rank).map_or(0, |(count, _)| *count);
            let to = Buffer { name: "recvBuf", address: receive.0, dtype, parts };
            if send.0 == 0 && count > 0 {
                return Err(null("sendBuf"));
            }
            to.must_have_counts()?;
            if to.is_empty() {
                return Ok(());
            }
            if count != own {
                return refused(format_args!("sendCount is {count}, but recvCounts has {own} for this rank"));
            }
            check(&[&to])?;
            let receives = to.messages(false)?;
            let is_in_place = receives.get(rank).is_some_and(|own| own.address == send.0);
            let sends = (0..ranks).map(|peer| Message { sends: true, peer, address: send.0, count, dtype });
            // What lies where it belongs stays there.
            let all = sends.chain(receives).filter(|message| message.peer != rank || !is_in_place);
            messages("HcclAllGatherV", all.collect(), Arc::clone(group), &stream)
        })
    }

    // The part of each rank is a reduction with that rank as its root.
    fn HcclReduceScatterV(
        send: Address<*mut c_void>,
        send_counts: Array<c_void>,
        send_begins: Array<c_void>,
        receive: Address<*mut c_void>,
        count: u64,
        dtype: HcclDataType,
        op: HcclReduceOp,
        comm: Handle<*mut c_void>,
        stream: Handle<*mut c_void>,
    ) -> HcclResult {
        let function = "HcclReduceScatterV";
        with_group(function, &comm, &stream, |group| {
            let (ranks, rank) = (group.segment.ranks(), group.rank);
            let parts = parts(ranks, ("sendCounts", &send_counts), ("sendDispls", &send_begins))?;
            if receive.0 == 0 && count > 0 {
                return Err(null("recvBuf"));
            }
            must_be_reduced(dtype)?;
            if op == HCCL_REDUCE_PROD && [HCCL_DATA_TYPE_INT16, HCCL_DATA_TYPE_BFP16].contains(&dtype) {
                return Err(failed(HCCL_E_NOT_SUPPORT, "there are no products of i16 and bf16"));
            }
            let own = parts.get(rank).map_or(0, |(count, _)| *count);
            let from = Buffer { name: "sendBuf", address: send.0, dtype, parts };
            if from.is_empty() {
                return Ok(());
            }
            if count != own {
                return refused(format_args!("recvCount is {count}, but sendCounts has {own} for this rank"));
            }
            from.check()?;
            let stream = stream::resolve(stream.0)?;
            for part in from.messages(true)? {
                let call = Call { kind: Kind::Reduce, count: part.count, dtype, op, root: part.peer as u32 };
                let receives = usize::from(part.peer == rank);
                queue_collective((function.into(), call), group, &stream, (part.address, 1), (receive.0, receives))?;
            }
            Ok(())
        })
    }
}

//! What the ranks of a group do together as a part of an operator, which names the group as `HcclGetCommName` does.
//!
//! A process may have several ranks of a group, each with a device of its own: the device of the stream tells which one calls.

use std::sync::Arc;

use aclnn_numerics::DType;
use aclnn_sys::{
    HCCL_DATA_TYPE_BFP16, HCCL_DATA_TYPE_FP16, HCCL_DATA_TYPE_FP32, HCCL_DATA_TYPE_INT8, HCCL_E_NOT_FOUND,
    HCCL_E_NOT_SUPPORT, HCCL_E_PARA, HCCL_REDUCE_SUM, HcclDataType,
};

use super::call::{Call, Kind};
pub(crate) use super::communicator::Kept;
use super::communicator::{Communicator, named};
use super::messages::{Message, Messages};
use super::outcome::{Result, failed};
pub(crate) use super::queue::Broken;
use super::queue::{Caller, Region, queue, queue_collective, queue_messages};
use crate::check::tracker::Purpose;
use crate::runtime::memory::device_bytes;
use crate::runtime::stream::Stream;

/// A part of an operator that all ranks do together.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Exchange {
    /// Each rank gets the sums of so many elements of all.
    AllReduce(DType, usize),
    /// Each rank gets its part, of so many elements, of the sums of all.
    ReduceScatter(DType, usize),
    /// Each rank gets so many bytes of each.
    AllGather(usize),
    /// Each rank gets a part of so many bytes from each.
    AllToAll(usize),
    /// Each rank gets some rows from each. How many they are is known when all before them is done.
    Rows(Rows),
    Barrier,
}

/// Rows that lie one after the other, by the rank with which they are exchanged.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rows {
    /// The bytes of a row.
    pub(crate) bytes: usize,
    /// The most rows that are sent and received.
    pub(crate) most: [usize; 2],
    /// How many numbers of i64, whose sum is the number of rows, there are for each rank.
    pub(crate) numbers: usize,
}

/// The place of a rank in its group.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub(crate) rank: usize,
    pub(crate) ranks: usize,
}

/// Returns the place of a device in a group, if it has joined one of this name.
pub(crate) fn place(group: &str, device: i32) -> Option<Place> {
    named(group, device).map(|(_, comm)| Place { rank: comm.rank, ranks: comm.segment.ranks() })
}

/// Returns what a device is in a group, which it has to have joined.
pub(crate) fn find(group: &str, device: i32) -> Result<Kept> {
    named(group, device).map(|(_, comm)| comm.keep()).ok_or_else(|| {
        failed(HCCL_E_NOT_FOUND, format_args!("device {device} is in no group {group} any more"))
    })
}

/// Queues a part of an operator on a stream, which gives up if a part before it is broken; without `broken` only checks it. The
/// buffers are at `addresses`: one to send from and one to receive in, and for rows the numbers of those that are sent and of
/// those that are received.
pub(crate) fn launch(
    (operator, broken): (&'static str, Option<&Broken>),
    comm: &Kept,
    exchange: Exchange,
    addresses: &[usize],
    stream: &Stream,
) -> Result {
    let caller = Caller { function: operator, operator: broken, is_only_checked: broken.is_none() };
    comm.calling(operator, |comm| match (exchange, addresses) {
        (Exchange::Barrier, _) => collective(caller, comm, Kind::Barrier, (DType::I8, 0), [0, 0], stream),
        (Exchange::AllReduce(dtype, count), &[send, receive]) => {
            collective(caller, comm, Kind::AllReduce, (dtype, count), [send, receive], stream)
        }
        (Exchange::ReduceScatter(dtype, count), &[send, receive]) => {
            collective(caller, comm, Kind::ReduceScatter, (dtype, count), [send, receive], stream)
        }
        (Exchange::AllGather(bytes), &[send, receive]) => {
            collective(caller, comm, Kind::AllGather, (DType::I8, bytes), [send, receive], stream)
        }
        (Exchange::AllToAll(bytes), &[send, receive]) => {
            let of = |sends: bool, base: usize| {
                let message = move |peer| Message {
                    sends,
                    peer,
                    address: base.saturating_add(peer * bytes),
                    count: bytes as u64,
                    dtype: HCCL_DATA_TYPE_INT8,
                };
                (0..comm.segment.ranks()).map(message)
            };
            queue_messages(caller, comm, stream, of(true, send).chain(of(false, receive)).collect())
        }
        (Exchange::Rows(rows), &[send, receive, sent, received]) => {
            exchange_rows(caller, comm, rows, [send, receive], [sent, received], stream)
        }
        _ => Err(failed(HCCL_E_PARA, "the operator gives other buffers than its ranks exchange")),
    })
}

fn type_of(dtype: DType) -> Result<HcclDataType> {
    Ok(match dtype {
        DType::F32 => HCCL_DATA_TYPE_FP32,
        DType::F16 => HCCL_DATA_TYPE_FP16,
        DType::BF16 => HCCL_DATA_TYPE_BFP16,
        DType::I8 => HCCL_DATA_TYPE_INT8,
        other => {
            return Err(failed(HCCL_E_NOT_SUPPORT, format_args!("operators do not exchange {other}")));
        }
    })
}

fn collective(
    caller: Caller<'_>,
    comm: &Arc<Communicator>,
    kind: Kind,
    (dtype, count): (DType, usize),
    [send, receive]: [usize; 2],
    stream: &Stream,
) -> Result {
    let call = Call { kind, count: count as u64, dtype: type_of(dtype)?, op: HCCL_REDUCE_SUM, root: 0 };
    let ranks = comm.segment.ranks();
    let [sends, receives] = match kind {
        Kind::ReduceScatter => [ranks, 1],
        Kind::AllGather => [1, ranks],
        _ => [1, 1],
    };
    queue_collective((caller, call), comm, stream, (send, sends), (receive, receives))
}

/// The rows for each rank, or of each, by the numbers at an address.
fn count_rows(address: usize, numbers: usize, ranks: usize, most: usize) -> Result<Vec<u64>> {
    let words = ranks.saturating_mul(numbers);
    let from = device_bytes(address, words.saturating_mul(size_of::<i64>()))?.cast::<i64>();
    // SAFETY: live device memory of so many bytes, which stays accessible even if another thread frees it now.
    let all = (0..words).map(|word| unsafe { from.add(word).read_unaligned() });
    let all: Vec<u64> = all.map(|number| u64::try_from(number).unwrap_or(0)).collect();
    let sums: Vec<u64> = all
        .chunks(numbers.max(1))
        .map(|chunk| chunk.iter().fold(0_u64, |sum, own| sum.saturating_add(*own)))
        .collect();
    let whole = sums.iter().fold(0_u64, |sum, own| sum.saturating_add(*own));
    match whole <= most as u64 {
        true => Ok(sums),
        false => {
            let message = format_args!("{whole} rows are exchanged, but there is room for {most}");
            Err(failed(HCCL_E_PARA, message))
        }
    }
}

fn exchange_rows(
    caller: Caller<'_>,
    comm: &Arc<Communicator>,
    rows: Rows,
    buffers: [usize; 2],
    numbers: [usize; 2],
    stream: &Stream,
) -> Result {
    let ranks = comm.segment.ranks();
    let region = |name, address, bytes, purpose| Region { name, address, bytes, size: 1, purpose };
    let words = ranks.saturating_mul(rows.numbers).saturating_mul(size_of::<i64>());
    let [sent, received] = rows.most.map(|most| most.saturating_mul(rows.bytes));
    let regions = [
        // As many rows as the numbers say.
        region("the rows to send", buffers[0], sent, Purpose::LookUp),
        region("the rows to receive", buffers[1], received, Purpose::Write),
        region("the numbers of rows to send", numbers[0], words, Purpose::Read),
        region("the numbers of rows to receive", numbers[1], words, Purpose::Read),
    ];
    let used: Vec<Region> = regions.into_iter().filter(|region| region.bytes > 0).collect();
    let finding = move || {
        let mut all = Vec::new();
        for (sends, number) in [(true, 0), (false, 1)] {
            let counts = count_rows(numbers[number], rows.numbers, ranks, rows.most[number])?;
            let mut address = buffers[number];
            for (peer, count) in counts.into_iter().enumerate() {
                let count = count * rows.bytes as u64;
                all.push(Message { sends, peer, address, count, dtype: HCCL_DATA_TYPE_INT8 });
                address += count as usize;
            }
        }
        Ok(all)
    };
    let function = caller.function;
    queue(
        caller,
        comm,
        stream,
        used,
        |_, _| false,
        move |comm, number| Messages::found_late(comm, number, Box::new(finding), function),
    )
}

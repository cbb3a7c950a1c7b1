//! The functions of HCCL.

use std::ffi::{c_char, c_void};
use std::mem::{offset_of, size_of};
use std::sync::Arc;
use std::time::Duration;

use aclnn_sys::{
    HCCL_COMM_CONFIG_MAGIC_WORD, HCCL_COMM_CONFIG_NOT_SET, HCCL_COMM_CONFIG_RESERVED, HCCL_E_NOT_FOUND,
    HCCL_RECV, HCCL_REDUCE_SUM, HCCL_SEND, HCCL_SUCCESS, HcclCommConfig, HcclDataType, HcclReduceOp,
    HcclResult, HcclRootInfo, HcclSendRecvItem,
};

use super::call::{Call, Kind, must_be_moved};
use super::communicator::named;
use super::group::{self, Options};
use super::outcome::{Result, code_of, failed, null, refused};
use super::queue::{collective, find, is_together, message, messages, single};
use super::root_info::{self, Root};
use crate::entry::{Address, Array, Handle, Out, Text, entry_points, plain_parameters};
use crate::handle::to_pointer;
use crate::release::Release;
use crate::runtime::product::devices;
use crate::runtime::stream::context;
use crate::settings;
use crate::status;

plain_parameters! { HcclDataType, HcclReduceOp, HcclResult }

/// The code of a pointer that is null.
const PTR: i32 = aclnn_sys::HCCL_E_PTR.0.cast_signed();

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

/// The ranks of a communicator, and the number of its own.
fn ranks(comm: &Handle<*mut c_void>) -> Result<(usize, u32)> {
    let comm = find(comm)?;
    Ok((comm.segment.ranks(), comm.rank as u32))
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
        if devices.is_empty() || !devices::are_distinct(&devices) {
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
        group::tell_open_work(comm.0);
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

    fn HcclCommGetHandleWithName(name: Text, comm: Out<*mut c_void>) -> HcclResult {
        let place = comm.required("comm", PTR)?;
        let name = name.read().ok_or_else(|| null("commName"))?;
        let device = context::current()?.device_id();
        let Some((handle, _)) = named(&name, device) else {
            let message = format_args!("device {device} is in no group {name}");
            return Err(failed(HCCL_E_NOT_FOUND, message));
        };
        place.write(to_pointer(handle));
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
        // The structure grew with 9.0. The newest library counts the settings, of which its version is the last but one.
        if settings::get().release == Release::OLDEST { 6 } else { HCCL_COMM_CONFIG_RESERVED.0 }
    }

    fn HcclGroupStatusGet(is_together_now: Out<bool>) -> HcclResult {
        let place = is_together_now.required("isGroupEnabled", PTR)?;
        place.write(is_together());
        Ok(())
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
        if count == 0 {
            return Ok(());
        }
        let comm = find(&comm)?;
        let function = "HcclBatchSendRecv";
        comm.calling(function, || {
            let items = items.into_array().read(count.into()).ok_or_else(|| null("sendRecvInfo"))?;
            let all = items.iter().map(|item| {
                let sends = match item.sendRecvType {
                    HCCL_SEND => true,
                    HCCL_RECV => false,
                    other => return refused(format_args!("sendRecvType is {}; known are 0 and 1", other.0)),
                };
                must_be_moved(item.dataType)?;
                let address = item.buf.expose_provenance();
                message(&comm, sends, address, item.count, item.dataType, ("remoteRank", item.remoteRank))
            });
            let all = all.collect::<Result<_>>()?;
            messages(function, all, Arc::clone(&comm), &stream)
        })
    }

    fn HcclBarrier(comm: Handle<*mut c_void>, stream: Handle<*mut c_void>) -> HcclResult {
        let dtype = aclnn_sys::HCCL_DATA_TYPE_INT8;
        let call = Call { kind: Kind::Barrier, count: 0, dtype, op: HCCL_REDUCE_SUM, root: 0 };
        collective(call, &comm, &stream, (0, 0), (0, 0))
    }
}

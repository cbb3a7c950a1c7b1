//! Communicators, and what the ranks of a group do together.

use std::ffi::{CStr, c_char, c_void};
use std::ptr;

use aclnn_sys::{
    ACL_SUCCESS, HCCL_COMM_NAME_MAX_LENGTH, HCCL_ROOT_INFO_BYTES, HCCL_SUCCESS, HcclComm, HcclCommConfig,
    HcclDataType, HcclReduceOp, HcclResult, HcclRootInfo, HcclSendRecvItem, MissingSymbol,
};

use super::context::Bound;
use super::library::Acl;
use super::stream::RawStream;
use crate::error::{Error, Failure, Result};

/// Calls a function of HCCL in the context of a [`Bound`], and checks its code.
macro_rules! hccl {
    ($bound:expr, $function:ident($($argument:expr),* $(,)?)) => {{
        let acl = $bound.acl;
        // Before the context is made current, as libraries that are opened may set another one.
        let collectives = acl.collectives();
        $bound
            .make_current()
            .and_then(|()| acl.check_collective(stringify!($function), collectives.$function($($argument),*)))
    }};
}

/// A communicator that this crate owns.
#[derive(Debug)]
pub(crate) struct RawCommunicator(HcclComm);

// SAFETY: a handle that the library accepts on every thread with the context of its device, which every call makes
// current.
unsafe impl Send for RawCommunicator {}
// SAFETY: as above. Its owner queues work from one thread at a time; asking for a failure beside that is what the function
// is for.
unsafe impl Sync for RawCommunicator {}

/// A collective with its operands: device addresses, and counts of elements of one type.
pub(crate) enum Collective<'a> {
    AllReduce {
        send: *mut c_void,
        receive: *mut c_void,
        count: u64,
        dtype: HcclDataType,
        op: HcclReduceOp,
    },
    Broadcast {
        buffer: *mut c_void,
        count: u64,
        dtype: HcclDataType,
        root: u32,
    },
    /// The count is that of a part.
    ReduceScatter {
        send: *mut c_void,
        receive: *mut c_void,
        count: u64,
        dtype: HcclDataType,
        op: HcclReduceOp,
    },
    /// The count is that of a part.
    AllGather {
        send: *mut c_void,
        receive: *mut c_void,
        count: u64,
        dtype: HcclDataType,
    },
    Reduce {
        send: *mut c_void,
        receive: *mut c_void,
        count: u64,
        dtype: HcclDataType,
        op: HcclReduceOp,
        root: u32,
    },
    Send {
        buffer: *mut c_void,
        count: u64,
        dtype: HcclDataType,
        to: u32,
    },
    Receive {
        buffer: *mut c_void,
        count: u64,
        dtype: HcclDataType,
        from: u32,
    },
    Batch(&'a mut [HcclSendRecvItem]),
    AllToAllV {
        send: *mut c_void,
        sent: &'a Spread,
        receive: *mut c_void,
        received: &'a Spread,
        dtype: HcclDataType,
    },
    AllGatherV {
        send: *mut c_void,
        count: u64,
        receive: *mut c_void,
        received: &'a Spread,
        dtype: HcclDataType,
    },
    /// The count is that of the own part.
    ReduceScatterV {
        send: *mut c_void,
        sent: &'a Spread,
        receive: *mut c_void,
        count: u64,
        dtype: HcclDataType,
        op: HcclReduceOp,
    },
    Barrier,
}

/// For each rank the elements of its part, and the element with which it begins.
#[derive(Default)]
pub(crate) struct Spread {
    pub(crate) counts: Vec<u64>,
    pub(crate) begins: Vec<u64>,
}

impl Spread {
    /// The numbers as C takes them.
    fn raw(&self) -> (*const c_void, *const c_void) {
        (self.counts.as_ptr().cast(), self.begins.as_ptr().cast())
    }
}

impl Acl {
    /// Returns an error for every code but success, with the library's message.
    fn check_collective(
        &self,
        function: &'static str,
        code: Result<HcclResult, MissingSymbol>,
    ) -> Result<()> {
        match code? {
            HCCL_SUCCESS => Ok(()),
            code => Err(self.failed_collective(function, code).into()),
        }
    }

    #[cold]
    fn failed_collective(&self, function: &'static str, code: HcclResult) -> Failure {
        let mut failure = self.failed(function, Some(code.0.cast_signed()));
        if failure.message.is_none() {
            // SAFETY: any number may be asked for.
            let text = unsafe { self.collectives().HcclGetErrorString(code) }.unwrap_or(ptr::null());
            if !text.is_null() {
                // SAFETY: a text that stays until the process ends.
                let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
                failure.message = Some(text.trim().to_owned()).filter(|text| !text.is_empty());
            }
        }
        failure
    }
}

impl Bound<'_> {
    /// Makes the root information of a new group.
    pub(crate) fn root_info(&self) -> Result<Box<HcclRootInfo>> {
        let mut info = Box::new(HcclRootInfo { internal: [0; HCCL_ROOT_INFO_BYTES] });
        // SAFETY: a valid place.
        unsafe { hccl!(self, HcclGetRootInfo(&mut *info)) }?;
        Ok(info)
    }

    /// Joins a group as one of its ranks; waits until all have joined.
    pub(crate) fn join(
        &self,
        ranks: u32,
        info: &HcclRootInfo,
        rank: u32,
        config: Option<&HcclCommConfig>,
    ) -> Result<RawCommunicator> {
        let mut comm = ptr::null_mut();
        match config {
            // SAFETY: information of its full size, and a valid place.
            None => unsafe { hccl!(self, HcclCommInitRootInfo(ranks, info, rank, &mut comm)) },
            // SAFETY: as above; the settings say how many of their bytes are set.
            Some(config) => unsafe {
                hccl!(self, HcclCommInitRootInfoConfig(ranks, info, rank, config, &mut comm))
            },
        }?;
        self.adopted("HcclCommInitRootInfo", comm)
    }

    /// Makes a group of devices of this process.
    pub(crate) fn join_all(&self, devices: &mut [i32]) -> Result<Vec<RawCommunicator>> {
        let mut comms = vec![ptr::null_mut(); devices.len()];
        let count = u32::try_from(devices.len()).unwrap_or(u32::MAX);
        // SAFETY: as many numbers, and as many places, as are told.
        unsafe { hccl!(self, HcclCommInitAll(count, devices.as_mut_ptr(), comms.as_mut_ptr())) }?;
        comms.into_iter().map(|comm| self.adopted("HcclCommInitAll", comm)).collect()
    }

    fn adopted(&self, function: &'static str, comm: HcclComm) -> Result<RawCommunicator> {
        if comm.is_null() {
            return Err(self.acl.failed(function, None).into());
        }
        Ok(RawCommunicator(comm))
    }

    /// Destroys a communicator whose work is over. The library is called even if the context cannot be made current: it may
    /// need none, and otherwise it refuses.
    pub(crate) fn destroy_communicator(&self, communicator: RawCommunicator) -> Result<()> {
        let (acl, current) = (self.acl, self.make_current());
        // SAFETY: a live communicator, which is consumed here.
        let code = unsafe { acl.collectives().HcclCommDestroy(communicator.0) };
        current.and(acl.check_collective("HcclCommDestroy", code))
    }

    /// Returns the name of the group, or an empty text where the library does not tell it.
    pub(crate) fn group_name(&self, communicator: &RawCommunicator) -> Result<String> {
        // Twice the bytes that the library needs.
        let mut name = [0 as c_char; 2 * HCCL_COMM_NAME_MAX_LENGTH];
        // SAFETY: a live communicator and a valid place.
        unsafe { hccl!(self, HcclGetCommName(communicator.0, name.as_mut_ptr())) }?;
        let bytes = name.iter().flat_map(|letter| letter.to_ne_bytes());
        let bytes: Vec<u8> = bytes.take_while(|&byte| byte != 0).collect();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Returns the failure of work that was queued, if there is one.
    pub(crate) fn failure_of(&self, communicator: &RawCommunicator) -> Result<Option<Failure>> {
        let mut code = HCCL_SUCCESS;
        // SAFETY: a live communicator and a valid place.
        unsafe { hccl!(self, HcclGetCommAsyncError(communicator.0, &mut code)) }?;
        let failed = || self.acl.failed_collective("HcclGetCommAsyncError", code);
        Ok((code != HCCL_SUCCESS).then(failed))
    }

    /// Returns the failure of work that was queued as `failure_of` does, and none where the library does not tell it.
    pub(crate) fn told_failure_of(&self, communicator: &RawCommunicator) -> Result<Option<Failure>> {
        match self.failure_of(communicator) {
            Err(Error::MissingSymbol(_)) => Ok(None),
            told => told,
        }
    }

    /// Returns the newest version of the settings that the library is sure to know. Its own answer is taken to be that
    /// version; as its meaning is not known, so is the release of the runtime.
    pub(crate) fn version_of_config(&self) -> Result<u32> {
        // SAFETY: no arguments.
        let told = unsafe { self.acl.collectives().HcclGetCommConfigCapability() }?;
        let (mut major, mut minor, mut patch) = (0, 0, 0);
        // SAFETY: valid places.
        let code = unsafe { self.acl.runtime().aclrtGetVersion(&mut major, &mut minor, &mut patch) };
        let of_release = match (code, (major, minor)) {
            (Ok(ACL_SUCCESS), (1, 17..) | (2.., _)) => 10,
            (Ok(ACL_SUCCESS), (1, 15..)) => 6,
            _ => 2,
        };
        Ok(told.min(of_release))
    }

    /// Queues a collective on a stream.
    ///
    /// # Safety
    /// The addresses lead to device memory with the elements that are read and written, which is not freed before the
    /// work is over; a [`Spread`] has a number for each rank. No other work touches what is written, nor writes what is read, until then.
    pub(crate) unsafe fn queue_collective(
        &self,
        collective: Collective<'_>,
        communicator: &RawCommunicator,
        stream: &RawStream,
    ) -> Result<()> {
        use Collective as C;
        let (comm, stream) = (communicator.0, stream.as_raw());
        // SAFETY: both handles are live; the caller vouches for the memory.
        unsafe {
            match collective {
                C::AllReduce { send, receive, count, dtype, op } => {
                    hccl!(self, HcclAllReduce(send, receive, count, dtype, op, comm, stream))
                }
                C::Broadcast { buffer, count, dtype, root } => {
                    hccl!(self, HcclBroadcast(buffer, count, dtype, root, comm, stream))
                }
                C::ReduceScatter { send, receive, count, dtype, op } => {
                    hccl!(self, HcclReduceScatter(send, receive, count, dtype, op, comm, stream))
                }
                C::AllGather { send, receive, count, dtype } => {
                    hccl!(self, HcclAllGather(send, receive, count, dtype, comm, stream))
                }
                C::Reduce { send, receive, count, dtype, op, root } => {
                    hccl!(self, HcclReduce(send, receive, count, dtype, op, root, comm, stream))
                }
                C::Send { buffer, count, dtype, to } => {
                    hccl!(self, HcclSend(buffer, count, dtype, to, comm, stream))
                }
                C::Receive { buffer, count, dtype, from } => {
                    hccl!(self, HcclRecv(buffer, count, dtype, from, comm, stream))
                }
                C::Batch(items) => {
                    let count = u32::try_from(items.len()).unwrap_or(u32::MAX);
                    hccl!(self, HcclBatchSendRecv(items.as_mut_ptr(), count, comm, stream))
                }
                C::AllToAllV { send, sent, receive, received, dtype } => {
                    let ((counts, begins), (of, from)) = (sent.raw(), received.raw());
                    hccl!(
                        self,
                        HcclAlltoAllV(send, counts, begins, dtype, receive, of, from, dtype, comm, stream)
                    )
                }
                C::AllGatherV { send, count, receive, received, dtype } => {
                    let (counts, begins) = received.raw();
                    hccl!(self, HcclAllGatherV(send, count, receive, counts, begins, dtype, comm, stream))
                }
                C::ReduceScatterV { send, sent, receive, count, dtype, op } => {
                    let (counts, begins) = sent.raw();
                    hccl!(
                        self,
                        HcclReduceScatterV(send, counts, begins, receive, count, dtype, op, comm, stream)
                    )
                }
                C::Barrier => hccl!(self, HcclBarrier(comm, stream)),
            }
        }
    }

    /// Queues a copy from device memory to device memory.
    ///
    /// # Safety
    /// Both addresses lead to that many bytes of memory of the device, which do not overlap and are not freed before the copy
    /// is over. No other work touches the target, nor writes the source, until then.
    pub(crate) unsafe fn queue_device_copy(
        &self,
        to: *mut c_void,
        from: *const c_void,
        bytes: usize,
        stream: &RawStream,
    ) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        let kind = aclnn_sys::ACL_MEMCPY_DEVICE_TO_DEVICE;
        // SAFETY: the caller vouches for both sides.
        self.notes.copy("device to device, queued", bytes, || unsafe {
            super::context::call_in!(self, aclrtMemcpyAsync(to, bytes, from, bytes, kind, stream.as_raw()))
        })
    }
}

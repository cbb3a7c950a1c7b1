//! A program in which every call fails once, in turn: each time it is told, nothing crashes and nothing leaks.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use aclnn_sys::*;
use cann_stubs::control::{self, Check, Mode, When};

use crate::support::EMULATOR;
use crate::support::child::{self, this_test};

/// The code of a call that failed.
type Outcome<T = ()> = Result<T, i32>;

fn check(code: i32) -> Outcome {
    if code == 0 { Ok(()) } else { Err(code) }
}

/// Calls a function, and gives the code of its failure.
macro_rules! rt {
    ($name:ident($($argument:expr),* $(,)?)) => {
        // SAFETY: the arguments are live handles and valid places.
        check(unsafe { EMULATOR.runtime.$name($($argument),*) }.unwrap())
    };
}

macro_rules! meta {
    ($name:ident($($argument:expr),* $(,)?)) => {
        // SAFETY: as above.
        unsafe { EMULATOR.meta.$name($($argument),*) }.unwrap()
    };
}

/// What a program has to give back, in the order in which it was taken.
#[derive(Default)]
struct Owned(Vec<Box<dyn Fn() -> Outcome>>);

impl Owned {
    fn add(&mut self, release: impl Fn() -> Outcome + 'static) {
        self.0.push(Box::new(release));
    }

    /// Gives everything back; what fails is tried once more, and the first failure is told all the same.
    fn release(mut self) -> Outcome {
        let mut outcome = Ok(());
        while let Some(release) = self.0.pop() {
            if let Err(code) = release() {
                outcome = outcome.and(Err(code));
                release().expect("a fault strikes once");
            }
        }
        outcome
    }
}

static HCCL: LazyLock<Collectives> = LazyLock::new(|| Collectives::load(&cann_stubs::source()));

static CALLS: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn called(_: *mut c_void) {
    CALLS.fetch_add(1, Ordering::Relaxed);
}

/// Something of everything: devices, streams, events, memory on both sides, descriptors, operators, functions of the host.
fn program(owned: &mut Owned) -> Outcome<[f32; 6]> {
    rt!(aclrtSetDevice(0))?;
    owned.add(|| rt!(aclrtResetDevice(0)));
    let (mut stream, mut side, mut event) = (null_mut(), null_mut(), null_mut());
    for stream in [&mut stream, &mut side] {
        rt!(aclrtCreateStream(stream))?;
        let stream = *stream;
        owned.add(move || rt!(aclrtDestroyStream(stream)));
    }
    rt!(aclrtCreateEvent(&mut event))?;
    owned.add(move || rt!(aclrtDestroyEvent(event)));
    let mut host = null_mut();
    rt!(aclrtMallocHost(&mut host, 24))?;
    owned.add(move || rt!(aclrtFreeHost(host)));

    let mut memory = [null_mut(); 3];
    let mut tensors = [null_mut(); 3];
    for (memory, tensor) in memory.iter_mut().zip(&mut tensors) {
        rt!(aclrtMalloc(memory, 24, ACL_MEM_MALLOC_HUGE_FIRST))?;
        let address = *memory;
        owned.add(move || rt!(aclrtFree(address)));
        let dims = [2_i64, 3];
        let (dims, ranks) = (dims.as_ptr(), 2);
        *tensor =
            meta!(aclCreateTensor(dims, ranks, ACL_FLOAT, null(), 0, ACL_FORMAT_ND, dims, ranks, address));
        if tensor.is_null() {
            return Err(-1);
        }
        let made = *tensor;
        owned.add(move || check(meta!(aclDestroyTensor(made))));
    }
    let mut alpha = 2_f32;
    let alpha = meta!(aclCreateScalar((&raw mut alpha).cast(), ACL_FLOAT));
    if alpha.is_null() {
        return Err(-1);
    }
    owned.add(move || check(meta!(aclDestroyScalar(alpha))));

    // From here on work is queued, which has to be over before anything is given back.
    owned.add(move || rt!(aclrtSynchronizeDevice()));
    let values = [1_f32, 2.0, 3.0, 4.0, 5.0, 6.0];
    rt!(aclrtMemcpy(memory[0], 24, values.as_ptr().cast(), 24, ACL_MEMCPY_HOST_TO_DEVICE))?;
    rt!(aclrtMemcpyAsync(memory[1], 24, memory[0], 24, ACL_MEMCPY_DEVICE_TO_DEVICE, stream))?;
    let add = EMULATOR.operators.Add().unwrap();
    let (mut size, mut executor) = (0, null_mut());
    // SAFETY: the handles are live, the places valid.
    check(unsafe {
        add.get_workspace_size(tensors[0], tensors[1], alpha, tensors[2], &mut size, &mut executor)
    })?;
    // SAFETY: the executor is live and asked for no workspace.
    check(unsafe { add.launch(null_mut(), size, executor, stream) })?;
    rt!(aclrtLaunchHostFunc(stream, Some(called), null_mut()))?;
    rt!(aclrtRecordEvent(event, stream))?;
    rt!(aclrtStreamWaitEvent(side, event))?;
    rt!(aclrtMemcpyAsync(host, 24, memory[2], 24, ACL_MEMCPY_DEVICE_TO_HOST, side))?;
    rt!(aclrtSynchronizeStream(side))?;
    rt!(aclrtSynchronizeEvent(event))?;
    // SAFETY: the copy is over, and filled 24 bytes.
    Ok(unsafe { host.cast::<[f32; 6]>().read() })
}

/// As `rt`, for functions of collectives, whose codes are others.
macro_rules! hccl {
    ($name:ident($($argument:expr),* $(,)?)) => {
        // SAFETY: as above.
        match unsafe { HCCL.$name($($argument),*) }.unwrap() {
            HCCL_SUCCESS => Ok(()),
            _ => Err(-1),
        }
    };
}

/// Two ranks of one thread, which combine and move elements and send each other messages.
fn program_of_ranks(owned: &mut Owned) -> Outcome<[f32; 6]> {
    let (mut contexts, mut streams, mut memories) = ([null_mut(); 2], [null_mut(); 2], [null_mut(); 2]);
    for rank in 0..2 {
        let device = rank as i32;
        rt!(aclrtSetDevice(device))?;
        owned.add(move || rt!(aclrtResetDevice(device)));
        rt!(aclrtGetCurrentContext(&mut contexts[rank]))?;
        let context = contexts[rank];
        rt!(aclrtCreateStream(&mut streams[rank]))?;
        let stream = streams[rank];
        owned.add(move || {
            rt!(aclrtSetCurrentContext(context))?;
            rt!(aclrtDestroyStream(stream))
        });
        rt!(aclrtMalloc(&mut memories[rank], 24, ACL_MEM_MALLOC_HUGE_FIRST))?;
        let memory = memories[rank];
        owned.add(move || {
            rt!(aclrtSetCurrentContext(context))?;
            rt!(aclrtFree(memory))
        });
        let values = [1, 2, 3, 4, 5, 6].map(|value| (value * (rank + 1)) as f32);
        rt!(aclrtMemcpy(memory, 24, values.as_ptr().cast(), 24, ACL_MEMCPY_HOST_TO_DEVICE))?;
        // A rank whose communicator is destroyed is not waited for.
        owned.add(move || rt!(aclrtSynchronizeStream(stream)));
    }
    let mut comms = [null_mut(); 2];
    hccl!(HcclCommInitAll(2, [0, 1].as_mut_ptr(), comms.as_mut_ptr()))?;
    comms.into_iter().for_each(|comm| owned.add(move || hccl!(HcclCommDestroy(comm))));
    for rank in 0..2 {
        let (comm, stream, memory) = (comms[rank], streams[rank], memories[rank]);
        let (dtype, peer) = (HCCL_DATA_TYPE_FP32, 1 - rank as u32);
        rt!(aclrtSetCurrentContext(contexts[rank]))?;
        hccl!(HcclAllReduce(memory, memory, 6, dtype, HCCL_REDUCE_SUM, comm, stream))?;
        hccl!(HcclBroadcast(memory, 6, dtype, 1, comm, stream))?;
        match rank {
            0 => hccl!(HcclSend(memory, 6, dtype, peer, comm, stream))?,
            _ => hccl!(HcclRecv(memory, 6, dtype, peer, comm, stream))?,
        }
        hccl!(HcclBarrier(comm, stream))?;
    }
    streams.into_iter().try_for_each(|stream| rt!(aclrtSynchronizeStream(stream)))?;
    let mut failure = HCCL_SUCCESS;
    hccl!(HcclGetCommAsyncError(comms[0], &mut failure))?;
    let mut values = [0_f32; 6];
    rt!(aclrtMemcpy(values.as_mut_ptr().cast(), 24, memories[1], 24, ACL_MEMCPY_DEVICE_TO_HOST))?;
    Ok(values)
}

type Program = fn(&mut Owned) -> Outcome<[f32; 6]>;

fn run(program: Program) -> Outcome<[f32; 6]> {
    let mut owned = Owned::default();
    let result = program(&mut owned);
    let released = owned.release();
    result.and_then(|values| released.map(|()| values))
}

/// Lets every call of a program fail once, and the work of some functions, in every mode of the streams.
fn sweep(program: Program, functions: &[&str]) {
    const CODE: i32 = ACL_ERROR_RT_DRV_INTERNAL_ERROR;
    let run = || run(program);
    for mode in Mode::ALL {
        let _mode = control::streams_everywhere(mode);
        let counter = control::fail("*", When::Nth(u64::MAX), CODE);
        let (values, reports) = control::reports_of(run);
        assert_eq!(values, Ok([3.0, 6.0, 9.0, 12.0, 15.0, 18.0]), "{mode:?}");
        assert!(reports.is_empty(), "{reports:?}");
        let calls = counter.calls();
        drop(counter);
        assert!(calls > 30, "{calls}");
        for call in 1..=calls {
            let fault = control::fail("*", When::Nth(call), CODE);
            let (outcome, mut reports) = control::reports_of(run);
            // A rank that gives up destroys its communicator, so that the other does not wait for it.
            reports.retain(|report| report.check != Check::DestroyedInUse);
            assert!(matches!(outcome, Err(CODE | -1)), "{mode:?}, call {call}: {outcome:?}");
            assert_eq!(fault.struck(), 1);
            drop(fault);
            let live = control::live();
            assert!(reports.is_empty() && live.is_empty(), "{mode:?}, call {call}: {reports:?} {live:?}");
        }
        // Work that fails on its stream is told as well.
        for function in functions {
            let _fault = control::fail(&format!("run:{function}"), When::Nth(1), CODE);
            assert!(matches!(run(), Err(CODE | -1)), "{mode:?}, {function}");
            assert!(control::live().is_empty());
        }
    }
}

#[test]
fn every_call_fails_once() {
    child::with(this_test!(), &[], || {
        sweep(program, &["aclrtMemcpyAsync", "aclnnAdd", "aclrtLaunchHostFunc"]);
    });
}

#[test]
fn every_call_of_ranks_fails_once() {
    child::with(this_test!(), &[], || {
        sweep(program_of_ranks, &["HcclAllReduce", "HcclBroadcast", "HcclSend", "HcclBarrier"]);
    });
}

//! Ranks whose communicator, stream, device, runtime or process ends while others still count on them: nobody waits for ever,
//! and nothing is left.

use std::ptr::null_mut;
use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use aclnn_sys::*;
use cann_stubs::control::{self, Check, Report};

use super::rank::{Rank, done, hccl, nothing_is_left, processes, root, threads};
use crate::support::child::{self, this_test};
use crate::support::runtime::{call, create_event, create_stream, download, ok, upload};
use crate::support::{malloc, message};

const LATE: [(&str, &str); 4] = [
    ("CANN_STUBS_DEVICES", "8"),
    ("CANN_STUBS_MEMORY", "64M"),
    ("CANN_STUBS_RANK_TIMEOUT", "300"),
    ("CANN_STUBS_LEAKS", "off"),
];

const BARRIER: Wait = |own, stream| done!(HcclBarrier(own.comm, stream));
type Wait = fn(&Rank, *mut std::ffi::c_void);

/// A process that is killed while it combines elements, at several moments.
#[test]
fn a_process_that_is_killed_in_a_collective_is_told_to_the_others() {
    const ELEMENTS: usize = 300_000;
    for moment in [1, 7, 23] {
        let moment = moment.to_string();
        let settings: Vec<(&str, &str)> = LATE.into_iter().chain([("TEST_MOMENT", &*moment)]).collect();
        child::with(this_test!(), &settings, || {
            let moment: u64 = std::env::var("TEST_MOMENT").map_or(0, |moment| moment.parse().unwrap());
            processes(this_test!(), 3, Some(2), |own| {
                let memory = malloc(4 * ELEMENTS);
                upload(memory, &vec![0; 4 * ELEMENTS]);
                if own.rank == 2 {
                    thread::spawn(move || {
                        thread::sleep(Duration::from_millis(moment));
                        // SAFETY: of this process alone.
                        unsafe { libc::kill(libc::getpid(), libc::SIGKILL) };
                    });
                }
                let (dtype, op, count) = (HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, ELEMENTS as u64);
                loop {
                    let code = hccl!(HcclAllReduce(memory, memory, count, dtype, op, own.comm, own.stream));
                    if code != HCCL_SUCCESS || own.waited() != 0 {
                        break;
                    }
                }
                let told = message();
                assert!(told.contains("rank 2") && told.contains("is gone"), "rank {}: {told}", own.rank);
                let mut failure = HCCL_SUCCESS;
                done!(HcclGetCommAsyncError(own.comm, &mut failure));
                assert_eq!(failure, HCCL_E_REMOTE);
            });
        });
    }
}

/// Each way in which a rank stops to count on its stream, and what the other learns.
#[test]
fn a_stream_that_ends_with_a_collective_on_it_is_told_to_the_others() {
    type End = fn(&Rank, *mut std::ffi::c_void);
    let ends: [End; 4] = [
        |_, stream| ok!(aclrtDestroyStreamForce(stream)),
        |_, stream| ok!(aclrtStreamAbort(stream)),
        |own, _| ok!(aclrtDeviceTaskAbort(own.rank as i32, 0)),
        |own, _| assert_eq!(call!(aclrtResetDeviceForce(own.rank as i32)), 0),
    ];
    child::with(this_test!(), &LATE, || {
        for end in ends {
            ok!(aclrtSetDevice(0));
            let info = root();
            let (queued, told) = (Barrier::new(2), Barrier::new(3));
            thread::scope(|scope| {
                for rank in 0..3 {
                    let (info, queued, told) = (&info, &queued, &told);
                    scope.spawn(move || {
                        let own = Rank::join(info, rank, 3, rank as i32);
                        // Rank 2 begins nothing, so that nobody gets through.
                        match rank {
                            0 => {
                                BARRIER(&own, own.stream);
                                queued.wait();
                                own.fails(HCCL_E_REMOTE, &["rank 1", "gave up HcclBarrier"]);
                            }
                            1 => {
                                let stream = create_stream();
                                BARRIER(&own, stream);
                                queued.wait();
                                end(&own, stream);
                            }
                            _ => {}
                        }
                        told.wait();
                        done!(HcclCommDestroy(own.comm));
                    });
                }
            });
            nothing_is_left();
        }
    });
}

/// An orderly end of a stream waits for its collectives.
#[test]
fn a_stream_is_destroyed_when_its_collectives_are_over() {
    child::with(this_test!(), &LATE, || {
        threads(2, |own| {
            let (stream, memory) = (create_stream(), malloc(4));
            upload(memory, &[1; 4]);
            done!(HcclAllReduce(memory, memory, 4, HCCL_DATA_TYPE_INT8, HCCL_REDUCE_SUM, own.comm, stream));
            ok!(aclrtDestroyStream(stream));
            assert_eq!(download(memory, 4), [2; 4]);
        });
    });
}

#[test]
fn a_communicator_of_a_device_that_was_reset_is_of_no_more_use() {
    child::with(this_test!(), &LATE, || {
        ok!(aclrtSetDevice(0));
        let info = root();
        let reset = Barrier::new(2);
        thread::scope(|scope| {
            for rank in 0..2 {
                let (info, reset) = (&info, &reset);
                scope.spawn(move || {
                    let own = Rank::join(info, rank, 2, rank as i32);
                    BARRIER(&own, own.stream);
                    own.wait();
                    if rank == 1 {
                        reset.wait();
                        ok!(aclrtResetDevice(1));
                        ok!(aclrtSetDevice(1));
                        let stream = create_stream();
                        assert_eq!(hccl!(HcclBarrier(own.comm, stream)), HCCL_E_UNAVAIL);
                        assert!(message().contains("reset its device 1"), "{}", message());
                    } else {
                        // As soon as rank 1 calls something, rank 0 learns of it.
                        BARRIER(&own, own.stream);
                        reset.wait();
                        own.fails(HCCL_E_UNAVAIL, &["rank 1", "reset its device 1 after it had joined"]);
                    }
                    done!(HcclCommDestroy(own.comm));
                });
            }
        });
        nothing_is_left();
    });
}

#[test]
fn a_communicator_of_a_context_that_was_destroyed_is_of_no_more_use() {
    child::with(this_test!(), &LATE, || {
        ok!(aclrtSetDevice(0));
        let info = root();
        let destroyed = Barrier::new(2);
        thread::scope(|scope| {
            for rank in 0..2 {
                let (info, destroyed) = (&info, &destroyed);
                scope.spawn(move || {
                    let mut context = null_mut();
                    ok!(aclrtCreateContext(&mut context, rank as i32));
                    let (mut comm, stream) = (null_mut(), create_stream());
                    done!(HcclCommInitRootInfo(2, info, rank as u32, &mut comm));
                    let own = Rank { comm, stream, rank, ranks: 2 };
                    BARRIER(&own, own.stream);
                    own.wait();
                    if rank == 1 {
                        destroyed.wait();
                        ok!(aclrtDestroyStream(stream));
                        ok!(aclrtDestroyContext(context));
                        ok!(aclrtSetDevice(1));
                        assert_eq!(hccl!(HcclBarrier(own.comm, create_stream())), HCCL_E_UNAVAIL);
                        assert!(
                            message().contains("destroyed the context in which it had joined"),
                            "{}",
                            message()
                        );
                    } else {
                        BARRIER(&own, own.stream);
                        destroyed.wait();
                        own.fails(HCCL_E_UNAVAIL, &["rank 1", "destroyed the context"]);
                    }
                    done!(HcclCommDestroy(own.comm));
                });
            }
        });
        nothing_is_left();
    });
}

/// With communicators that live, with collectives that wait, and with a group that nobody joined.
#[test]
fn the_runtime_ends_at_once() {
    child::with(this_test!(), &LATE, || {
        for _ in 0..2 {
            ok!(aclInit(std::ptr::null()));
            ok!(aclrtSetDevice(0));
            let _nobody_joins = root();
            let mut comms = [null_mut(); 3];
            done!(HcclCommInitAll(3, [0, 1, 2].as_mut_ptr(), comms.as_mut_ptr()));
            let stream = create_stream();
            done!(HcclBarrier(comms[0], stream));
            let live = || control::live().iter().filter(|live| live.kind == "communicator").count();
            assert_eq!(live(), 3);
            let code = call!(aclFinalize());
            assert!([0, HCCL_E_REMOTE.0.cast_signed()].contains(&code), "{code}: {}", message());
            assert_eq!(live(), 0);
            assert_eq!(hccl!(HcclCommDestroy(comms[0])), HCCL_E_PARA);
            assert_eq!(hccl!(HcclBarrier(comms[1], null_mut())), HCCL_E_PARA);
            nothing_is_left();
        }
    });
}

#[test]
fn a_communicator_is_used_no_more_after_its_end() {
    child::with(this_test!(), &LATE, || {
        threads(2, |own| {
            let memory = malloc(64);
            upload(memory, &[1; 64]);
            let mut comm = null_mut();
            let info = HcclRootInfo { internal: [0; 4108] };
            assert_eq!(hccl!(HcclCommInitRootInfo(1, &info, 0, &mut comm)), HCCL_E_PARA, "nobody made it");
            // Queued before the end, and done after it: a device may do otherwise, so it is reported.
            let (dtype, op) = (HCCL_DATA_TYPE_UINT8, HCCL_REDUCE_SUM);
            let mine = root();
            done!(HcclCommInitRootInfo(1, &mine, 0, &mut comm));
            done!(HcclAllReduce(memory, memory, 64, dtype, op, comm, own.stream));
            let (_, reports) = control::reports_of(|| done!(HcclCommDestroy(comm)));
            let [Report { check: Check::DestroyedInUse, function, message: told, code: 0, .. }] =
                &reports[..]
            else {
                panic!("{reports:?}");
            };
            assert!(function == "HcclCommDestroy" && told.contains("HcclAllReduce on stream"), "{told}");
            own.wait();
            // What the host knows to be over is no misuse, by whatever way it knows.
            let mut other = null_mut();
            let (mine, event) = (root(), create_event());
            done!(HcclCommInitRootInfo(1, &mine, 0, &mut other));
            done!(HcclAllReduce(memory, memory, 64, dtype, op, other, own.stream));
            ok!(aclrtRecordEvent(event, own.stream));
            ok!(aclrtSynchronizeEvent(event));
            let (_, reports) = control::reports_of(|| done!(HcclCommDestroy(other)));
            assert!(reports.is_empty(), "{reports:?}");
            ok!(aclrtDestroyEvent(event));
            let mut number = 0;
            let mut name = [0; 128];
            let mut failure = HCCL_SUCCESS;
            let (count, stream) = (64, own.stream);
            let told = |code| (code, message());
            for (code, told) in [
                told(hccl!(HcclCommDestroy(comm))),
                told(hccl!(HcclGetRankId(comm, &mut number))),
                told(hccl!(HcclGetRankSize(comm, &mut number))),
                told(hccl!(HcclGetCommName(comm, name.as_mut_ptr()))),
                told(hccl!(HcclGetCommAsyncError(comm, &mut failure))),
                told(hccl!(HcclAllReduce(memory, memory, count, dtype, op, comm, stream))),
                told(hccl!(HcclReduce(memory, memory, count, dtype, op, 0, comm, stream))),
                told(hccl!(HcclReduceScatter(memory, memory, count, dtype, op, comm, stream))),
                told(hccl!(HcclAllGather(memory, memory, count, dtype, comm, stream))),
                told(hccl!(HcclBroadcast(memory, count, dtype, 0, comm, stream))),
                told(hccl!(HcclSend(memory, count, dtype, 0, comm, stream))),
                told(hccl!(HcclRecv(memory, count, dtype, 0, comm, stream))),
                told(hccl!(HcclBatchSendRecv(null_mut(), 1, comm, stream))),
                told(hccl!(HcclBarrier(comm, stream))),
            ] {
                assert_eq!(code, HCCL_E_PARA, "{told}");
                assert!(told.contains("comm was destroyed before"), "{told}");
            }
        });
    });
}

/// The root information of a process that has ended leads nowhere.
#[test]
fn root_information_is_of_no_use_after_its_process() {
    child::with(this_test!(), &LATE, || {
        let mut ends = [0; 2];
        // SAFETY: a place for two files.
        assert_eq!(unsafe { libc::pipe(ends.as_mut_ptr()) }, 0);
        // SAFETY: this process has no other thread that holds a lock; the new one ends without destructors.
        let forked = unsafe { libc::fork() };
        if forked == 0 {
            ok!(aclrtSetDevice(0));
            let info = root();
            // SAFETY: the bytes of the structure, which fit into the pipe; then the process ends.
            unsafe {
                libc::write(ends[1], info.internal.as_ptr().cast(), info.internal.len());
                libc::_exit(0);
            }
        }
        let mut info = HcclRootInfo { internal: [0; 4108] };
        // SAFETY: a place for the bytes; the other process has ended, and wrote them all at once.
        let read = unsafe {
            libc::waitpid(forked, null_mut(), 0);
            libc::read(ends[0], info.internal.as_mut_ptr().cast(), info.internal.len())
        };
        assert_eq!(read, 4108);
        ok!(aclrtSetDevice(0));
        let mut comm = null_mut();
        assert_eq!(hccl!(HcclCommInitRootInfo(2, &info, 0, &mut comm)), HCCL_E_NOT_FOUND);
        let told = message();
        assert!(told.contains("has ended; it has to live until all ranks have joined"), "{told}");
    });
}

/// A process that was forked from a rank has no part in its group, and disturbs nobody.
#[test]
fn a_process_that_is_forked_disturbs_no_group() {
    child::with(this_test!(), &LATE, || {
        ok!(aclrtSetDevice(0));
        let own = Rank::join(&root(), 0, 1, 0);
        BARRIER(&own, own.stream);
        own.wait();
        // SAFETY: no other thread of this process holds a lock now; the new one ends without destructors.
        let forked = unsafe { libc::fork() };
        if forked == 0 {
            let refused = hccl!(HcclBarrier(own.comm, own.stream)) == HCCL_E_REMOTE;
            let told = message().contains("forked");
            let left = hccl!(HcclCommDestroy(own.comm)) == HCCL_SUCCESS;
            // SAFETY: ends the process.
            unsafe { libc::_exit(if refused && told && left { 0 } else { 1 }) };
        }
        let mut status = 0;
        // SAFETY: a place for the status of a process that was just made.
        assert_eq!(unsafe { libc::waitpid(forked, &mut status, 0) }, forked);
        assert_eq!(status, 0);
        BARRIER(&own, own.stream);
        own.wait();
        own.leave();
        nothing_is_left();
    });
}

/// Work that the host does not know to be over is found on whichever of many streams it is, and nothing else is.
#[test]
fn open_work_on_any_of_many_streams_is_told_at_the_end() {
    child::with(this_test!(), &LATE, || {
        ok!(aclrtSetDevice(0));
        for open in [None, Some(0), Some(4), Some(11)] {
            let (mine, mut comm) = (root(), null_mut());
            done!(HcclCommInitRootInfo(1, &mine, 0, &mut comm));
            let streams = [(); 12].map(|()| create_stream());
            let is_waited_for = |number: usize| Some(number) != open;
            for (number, stream) in streams.into_iter().enumerate() {
                done!(HcclBarrier(comm, stream));
                if number < 4 && is_waited_for(number) {
                    ok!(aclrtSynchronizeStream(stream));
                }
            }
            let late = (4..streams.len()).filter(|number| is_waited_for(*number));
            late.for_each(|number| ok!(aclrtSynchronizeStream(streams[number])));
            let (_, reports) = control::reports_of(|| done!(HcclCommDestroy(comm)));
            let checks: Vec<Check> = reports.iter().map(|report| report.check).collect();
            assert_eq!(checks, open.map(|_| Check::DestroyedInUse).as_slice(), "{open:?}: {reports:?}");
            streams.iter().for_each(|stream| ok!(aclrtDestroyStream(*stream)));
        }
    });
}

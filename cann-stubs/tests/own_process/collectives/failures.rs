//! Ranks that disagree, come late, leave or die: each an error on every rank, none a hang.

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::{Barrier, Mutex};
use std::thread;
use std::time::Duration;

use aclnn_sys::*;
use cann_stubs::control::{self, When};

use super::rank::{Rank, done, hccl, processes, root, threads};
use crate::support::child::{self, this_test};
use crate::support::runtime::{call, download, ok, upload};
use crate::support::{malloc, message};

/// Ranks that wait for nothing lose a second.
const SOON: [(&str, &str); 3] =
    [("CANN_STUBS_DEVICES", "8"), ("CANN_STUBS_MEMORY", "64M"), ("CANN_STUBS_RANK_TIMEOUT", "1")];
const LATE: [(&str, &str); 3] =
    [("CANN_STUBS_DEVICES", "8"), ("CANN_STUBS_MEMORY", "64M"), ("CANN_STUBS_RANK_TIMEOUT", "300")];

const F32: HcclDataType = HCCL_DATA_TYPE_FP32;

fn all_reduce(own: &Rank, count: u64) -> HcclResult {
    let memory = malloc(4 * count as usize);
    ok!(aclrtMemset(memory, 4 * count as usize, 0, 4 * count as usize));
    hccl!(HcclAllReduce(memory, memory, count, F32, HCCL_REDUCE_SUM, own.comm, own.stream))
}

/// Waits in a stream until all ranks have come to a barrier.
extern "C" fn meet(barrier: *mut c_void) {
    // SAFETY: the test passes a barrier, which lives longer than the streams work.
    unsafe { &*barrier.cast::<Barrier>() }.wait();
}

/// Expects that the rank's stream fails with a code of HCCL and a message, and that the communicator is of no more use.
fn fails(own: &Rank, code: HcclResult, told: &[&str]) {
    own.fails(code, told);
    let mut failure = HCCL_SUCCESS;
    done!(HcclGetCommAsyncError(own.comm, &mut failure));
    assert_eq!(failure, code);
    assert_eq!(hccl!(HcclBarrier(own.comm, own.stream)), code, "a communicator that failed takes no more");
}

#[test]
fn collectives_that_differ_are_told_on_every_rank() {
    type Wrong = fn(&Rank) -> HcclResult;
    let wrong: [(Wrong, &str); 5] = [
        (|own| all_reduce(own, 5), "rank 1 calls HcclAllReduce of 5 f32, sum"),
        (|own| hccl!(HcclBarrier(own.comm, own.stream)), "rank 1 calls HcclBarrier; "),
        (
            |own| {
                let memory = malloc(64);
                hccl!(HcclAllReduce(
                    memory,
                    memory,
                    4,
                    HCCL_DATA_TYPE_INT32,
                    HCCL_REDUCE_SUM,
                    own.comm,
                    own.stream
                ))
            },
            "rank 1 calls HcclAllReduce of 4 i32, sum",
        ),
        (
            |own| {
                let memory = malloc(64);
                hccl!(HcclAllReduce(memory, memory, 4, F32, HCCL_REDUCE_MAX, own.comm, own.stream))
            },
            "rank 1 calls HcclAllReduce of 4 f32, maximum",
        ),
        (
            |own| {
                let memory = malloc(64);
                hccl!(HcclReduce(memory, memory, 4, F32, HCCL_REDUCE_SUM, 1, own.comm, own.stream))
            },
            "rank 1 calls HcclReduce of 4 f32, sum, root 1",
        ),
    ];
    child::with(this_test!(), &LATE, || {
        let _unwritten = control::check_everywhere(control::Level::Off);
        for (call, told) in wrong {
            threads(3, |own| {
                let queued = if own.rank == 1 { call(own) } else { all_reduce(own, 4) };
                assert_eq!(queued, HCCL_SUCCESS, "{}", message());
                fails(
                    own,
                    HCCL_E_PARA,
                    &["is not the same on all ranks", told, "rank 2 calls HcclAllReduce of 4 f32, sum"],
                );
            });
        }
    });
}

#[test]
fn collectives_that_differ_are_told_in_every_process() {
    child::with(this_test!(), &LATE, || {
        processes(this_test!(), 3, None, |own| {
            assert_eq!(all_reduce(own, if own.rank == 1 { 5 } else { 4 }), HCCL_SUCCESS, "{}", message());
            let (one, others) =
                ("rank 1 calls HcclAllReduce of 5 f32, sum", "calls HcclAllReduce of 4 f32, sum");
            fails(own, HCCL_E_PARA, &["is not the same on all ranks", one, others]);
        });
    });
}

#[test]
fn messages_that_differ_are_told() {
    child::with(this_test!(), &LATE, || {
        threads(2, |own| {
            let memory = malloc(64);
            ok!(aclrtMemset(memory, 64, 0, 64));
            let queued = match own.rank {
                0 => hccl!(HcclSend(memory, 8, F32, 1, own.comm, own.stream)),
                _ => hccl!(HcclRecv(memory, 7, F32, 0, own.comm, own.stream)),
            };
            assert_eq!(queued, HCCL_SUCCESS);
            fails(own, HCCL_E_PARA, &["rank 0 sends 8 f32 to rank 1, which receives 7 f32"]);
        });
    });
}

#[test]
fn a_rank_that_does_not_come_is_waited_for_as_long_as_the_setting_says() {
    child::with(this_test!(), &SOON, || {
        let over = Barrier::new(3);
        threads(3, |own| {
            if own.rank != 2 {
                assert_eq!(all_reduce(own, 4), HCCL_SUCCESS);
                fails(
                    own,
                    HCCL_E_TIMEOUT,
                    &["rank 2", "did not come within 1s, and has called nothing of this group"],
                );
            }
            over.wait();
            assert_eq!(hccl!(HcclBarrier(own.comm, own.stream)), HCCL_E_TIMEOUT);
        });
        // Two that send first, and two communicators in different orders.
        threads(2, |own| {
            let memory = malloc(64);
            ok!(aclrtMemset(memory, 64, 0, 64));
            let peer = 1 - own.rank as u32;
            done!(HcclSend(memory, 8, F32, peer, own.comm, own.stream));
            done!(HcclRecv(memory, 8, F32, peer, own.comm, own.stream));
            assert_eq!(own.waited(), HCCL_E_TIMEOUT.0.cast_signed());
            let told = message();
            assert!(told.contains("is sending 8 f32 to rank"), "{told}");
            // Both: the one that gave up, and the one that it waited for.
            let both = ["to rank 0", "to rank 1"].iter().all(|part| told.contains(part));
            assert!(both && told.contains("; meanwhile rank"), "{told}");
        });
        ok!(aclrtSetDevice(0));
        // The one that gives up first must not go on before the other one gave up too, and was told where it was.
        let (second, both) = (root(), Barrier::new(2));
        threads(2, |own| {
            let other = Rank::join(&second, own.rank, 2, own.rank as i32);
            let comms = if own.rank == 0 { [own.comm, other.comm] } else { [other.comm, own.comm] };
            done!(HcclBarrier(comms[0], own.stream));
            ok!(aclrtLaunchHostFunc(own.stream, Some(meet), (&raw const both).cast_mut().cast()));
            done!(HcclBarrier(comms[1], own.stream));
            assert_eq!(own.waited(), HCCL_E_TIMEOUT.0.cast_signed());
            let told = message();
            assert!(told.contains("has begun no collective of this group; meanwhile rank"), "{told}");
            let groups = comms.map(|comm| {
                let mut name = [0; 128];
                done!(HcclGetCommName(comm, name.as_mut_ptr()));
                name.iter().take_while(|byte| **byte != 0).map(|byte| *byte as u8 as char).collect::<String>()
            });
            assert!(
                groups.iter().all(|name| told.contains(&format!("is in HcclBarrier of the group {name}"))),
                "{told}"
            );
            other.leave();
        });
        // A message where the other rank has a collective: whichever waits longer, both are told.
        threads(2, |own| {
            let memory = malloc(64);
            ok!(aclrtMemset(memory, 64, 0, 64));
            match own.rank {
                0 => done!(HcclSend(memory, 8, F32, 1, own.comm, own.stream)),
                _ => done!(HcclBarrier(own.comm, own.stream)),
            }
            assert_eq!(own.waited(), HCCL_E_TIMEOUT.0.cast_signed(), "{}", message());
        });
        // A rank that never joins.
        let info = root();
        let mut comm = null_mut();
        assert_eq!(hccl!(HcclCommInitRootInfo(2, &info, 0, &mut comm)), HCCL_E_TIMEOUT);
        assert!(message().contains("waited 1s for rank 1 of 2 to join"), "{}", message());
    });
}

/// A rank that cannot join, while another one waits for it: both are told at once.
#[test]
fn a_rank_that_joins_wrongly_is_told_to_those_that_wait_for_it() {
    child::with(this_test!(), &LATE, || {
        ok!(aclrtSetDevice(0));
        for (ranks, rank, told) in [
            (2, 0, "rank 0 has joined the group"),
            (2, 2, "rank is 2, but nRanks is 2, and ranks count from 0"),
            (3, 1, "nRanks must be the same"),
        ] {
            let info = root();
            let join = |ranks, rank| {
                ok!(aclrtSetDevice(0));
                let mut comm = null_mut();
                (hccl!(HcclCommInitRootInfo(ranks, &info, rank, &mut comm)), message())
            };
            thread::scope(|scope| {
                let right = scope.spawn(|| join(2, 0));
                let wrong = join(ranks, rank);
                // It may have come first, when there was nobody to be told.
                while !right.is_finished() {
                    join(ranks, rank);
                    thread::sleep(Duration::from_millis(1));
                }
                for (code, message) in [wrong, right.join().unwrap()] {
                    assert_eq!(code, HCCL_E_PARA, "{message}");
                    assert!(message.contains(told), "{message}");
                }
            });
        }
        // Nobody waits, so nobody is told: the rank joins at its second attempt.
        let (info, mut comm) = (root(), null_mut());
        assert_eq!(hccl!(HcclCommInitRootInfo(1, &info, 1, &mut comm)), HCCL_E_PARA);
        done!(HcclCommInitRootInfo(1, &info, 0, &mut comm));
        done!(HcclCommDestroy(comm));
    });
}

#[test]
fn a_rank_that_leaves_or_gives_up_is_told_to_the_others() {
    child::with(this_test!(), &LATE, || {
        let queued = Barrier::new(3);
        threads(3, |own| {
            if own.rank == 1 {
                queued.wait();
                return;
            }
            assert_eq!(all_reduce(own, 4), HCCL_SUCCESS, "{}", message());
            queued.wait();
            fails(own, HCCL_E_REMOTE, &["rank 1", "has destroyed its communicator"]);
        });
        // Work that fails on demand, and a stream that ends with a collective on it.
        let fault = Mutex::new(Some(control::fail_everywhere("run:HcclAllReduce", When::Nth(1), 507_000)));
        let (queued, told) = (Barrier::new(2), Barrier::new(2));
        threads(2, |own| {
            assert_eq!(all_reduce(own, 4), HCCL_SUCCESS, "{}", message());
            queued.wait();
            let waited = own.waited();
            assert!([507_000, HCCL_E_REMOTE.0.cast_signed()].contains(&waited), "{waited}: {}", message());
        });
        drop(fault.into_inner());
        // A third rank never begins the collective; the others may run each other's streams.
        threads(3, |own| match own.rank {
            0 => {
                let mut stream = null_mut();
                ok!(aclrtCreateStream(&mut stream));
                done!(HcclBarrier(own.comm, stream));
                queued.wait();
                ok!(aclrtDestroyStreamForce(stream));
            }
            1 => {
                done!(HcclBarrier(own.comm, own.stream));
                queued.wait();
                fails(own, HCCL_E_REMOTE, &["rank 0", "gave up HcclBarrier"]);
                told.wait();
            }
            _ => drop(told.wait()),
        });
    });
}

/// The limit of the wait is longer than the test may take.
#[test]
fn a_collective_that_is_refused_is_told_to_the_others() {
    child::with(this_test!(), &LATE, || {
        // A rank that leaves would be told as such.
        let is_told = Barrier::new(2);
        threads(2, |own| {
            if own.rank == 1 {
                assert_eq!(all_reduce(own, 4), HCCL_SUCCESS, "{}", message());
                fails(own, HCCL_E_REMOTE, &["rank 0", "HcclAllReduce was refused there"]);
                is_told.wait();
                return;
            }
            let memory = malloc(64);
            let sum = HCCL_REDUCE_SUM;
            let code = hccl!(HcclAllReduce(memory, memory, 1 << 40, F32, sum, own.comm, own.stream));
            assert_ne!(code, HCCL_SUCCESS);
            is_told.wait();
        });
        let is_waiting = Barrier::new(2);
        threads(2, |own| {
            if own.rank == 0 {
                done!(HcclRecv(malloc(64), 4, F32, 1, own.comm, own.stream));
                is_waiting.wait();
                fails(own, HCCL_E_REMOTE, &["rank 1", "HcclSend was refused there", "destRank"]);
                is_told.wait();
                return;
            }
            is_waiting.wait();
            assert_eq!(hccl!(HcclSend(malloc(64), 4, F32, 7, own.comm, own.stream)), HCCL_E_PARA);
            is_told.wait();
        });
    });
}

/// One that is made of messages, too.
#[test]
fn an_exchange_that_is_refused_is_told_to_the_others() {
    child::with(this_test!(), &LATE, || {
        let is_told = Barrier::new(2);
        threads(2, |own| {
            let (send, receive, int8) = (malloc(64), malloc(64), HCCL_DATA_TYPE_INT8);
            upload(send, &[1; 64]);
            // The counts of the second rank differ from each other.
            let received = 4 + own.rank as u64;
            let code = hccl!(HcclAlltoAll(send, 4, int8, receive, received, int8, own.comm, own.stream));
            if own.rank == 0 {
                assert_eq!(code, HCCL_SUCCESS, "{}", message());
                fails(own, HCCL_E_REMOTE, &["rank 1", "HcclAlltoAll was refused there", "recvCount 5"]);
            } else {
                assert_eq!(code, HCCL_E_PARA);
            }
            is_told.wait();
        });
    });
}

/// A call that is refused changes nothing: the right call behind it goes on.
#[test]
fn a_collective_that_is_corrected_after_a_refusal_is_that_of_the_group() {
    child::with(this_test!(), &LATE, || {
        threads(2, |own| {
            let memory = malloc(64);
            upload(memory, &[1; 16]);
            let is_refused = || {
                let sum = HCCL_REDUCE_SUM;
                let code = hccl!(HcclAllReduce(memory, memory, 17, F32, sum, own.comm, own.stream));
                assert_ne!(code, HCCL_SUCCESS);
            };
            for _ in 0..100 {
                is_refused();
                done!(HcclBarrier(own.comm, own.stream));
            }
            own.wait();
            // The other rank waits meanwhile, and looks several times.
            if own.rank == 1 {
                is_refused();
                thread::sleep(Duration::from_millis(200));
            }
            done!(HcclBarrier(own.comm, own.stream));
            own.wait();
            done!(HcclAllReduce(
                memory,
                memory,
                16,
                HCCL_DATA_TYPE_INT8,
                HCCL_REDUCE_SUM,
                own.comm,
                own.stream
            ));
            own.wait();
            assert_eq!(download(memory, 16), [2; 16]);
        });
    });
}

/// A graph stores the right call, and is replayed after the others have looked for long.
#[test]
fn a_collective_that_is_corrected_in_a_capture_is_waited_for() {
    child::with(this_test!(), &LATE, || {
        threads(2, |own| {
            let (memory, mut graph) = (malloc(64), null_mut());
            if own.rank == 1 {
                ok!(aclmdlRICaptureBegin(own.stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
                let sum = HCCL_REDUCE_SUM;
                let code = hccl!(HcclAllReduce(memory, memory, 17, F32, sum, own.comm, own.stream));
                assert_ne!(code, HCCL_SUCCESS);
                done!(HcclBarrier(own.comm, own.stream));
                ok!(aclmdlRICaptureEnd(own.stream, &mut graph));
                thread::sleep(Duration::from_millis(2600));
                ok!(aclmdlRIExecuteAsync(graph, own.stream));
            } else {
                done!(HcclBarrier(own.comm, own.stream));
            }
            own.wait();
            if own.rank == 1 {
                ok!(aclmdlRIDestroy(graph));
            }
        });
    });
}

/// The time is up before the rank that was refused is given up.
#[test]
fn a_wait_that_ends_early_tells_of_a_refusal() {
    child::with(this_test!(), &SOON, || {
        let over = Barrier::new(2);
        threads(2, |own| {
            if own.rank == 0 {
                assert_eq!(all_reduce(own, 4), HCCL_SUCCESS);
                fails(
                    own,
                    HCCL_E_TIMEOUT,
                    &["did not come within 1s", "HcclSend was refused there", "destRank"],
                );
            } else {
                assert_eq!(hccl!(HcclSend(malloc(64), 4, F32, 7, own.comm, own.stream)), HCCL_E_PARA);
            }
            over.wait();
        });
    });
}

#[test]
fn a_process_that_dies_is_told_to_the_others() {
    child::with(this_test!(), &LATE, || {
        processes(this_test!(), 3, Some(2), |own| {
            if own.rank == 2 {
                // Not even destructors run.
                std::process::abort();
            }
            assert_eq!(all_reduce(own, 4), HCCL_SUCCESS);
            fails(own, HCCL_E_REMOTE, &["rank 2", "is gone", "make a new group"]);
        });
    });
}

#[test]
fn handles_arguments_and_places_are_checked() {
    child::with(this_test!(), &LATE, || {
        threads(2, |own| {
            let (comm, stream) = (own.comm, own.stream);
            let memory = malloc(64);
            let mut host = [0_u8; 64];
            let send = |buffer, count, dtype, op, comm, stream| {
                hccl!(HcclAllReduce(buffer, memory, count, dtype, op, comm, stream))
            };
            let sum = HCCL_REDUCE_SUM;
            assert_eq!(send(null_mut(), 4, F32, sum, comm, stream), HCCL_E_PTR);
            assert_eq!(send(memory, 17, F32, sum, comm, stream), HCCL_E_RUNTIME, "past the end");
            assert_eq!(send(host.as_mut_ptr().cast(), 4, F32, sum, comm, stream), HCCL_E_RUNTIME);
            assert_eq!(send(memory, u64::MAX, F32, sum, comm, stream), HCCL_E_PARA);
            assert_eq!(send(memory, 4, HcclDataType(13), sum, comm, stream), HCCL_E_PARA);
            assert_eq!(send(memory, 4, F32, HcclReduceOp(4), comm, stream), HCCL_E_PARA);
            assert_eq!(send(memory, 4, F32, sum, null_mut(), stream), HCCL_E_PARA);
            assert_eq!(send(memory, 4, F32, sum, stream, stream), HCCL_E_PARA, "a stream is no communicator");
            let (own_rank, rank) = (own.rank as u32, own.ranks as u32);
            assert_eq!(hccl!(HcclSend(memory, 4, F32, rank, comm, stream)), HCCL_E_PARA);
            assert_eq!(hccl!(HcclSend(memory, 4, F32, own_rank, comm, stream)), HCCL_E_PARA);
            assert_eq!(hccl!(HcclBroadcast(memory, 4, F32, rank, comm, stream)), HCCL_E_PARA);
            assert_eq!(hccl!(HcclBatchSendRecv(null_mut(), 1, comm, stream)), HCCL_E_PTR);
            assert_eq!(hccl!(HcclGetRankId(comm, null_mut())), HCCL_E_PTR);
            let exchange = |from, sent, of, to, received, into| {
                hccl!(HcclAlltoAll(from, sent, of, to, received, into, comm, stream))
            };
            let other = memory.wrapping_byte_add(32);
            assert_eq!(exchange(null_mut(), 0, F32, null_mut(), 0, F32), HCCL_SUCCESS, "nothing to do");
            assert_eq!(exchange(null_mut(), 1, F32, other, 1, F32), HCCL_E_PTR);
            assert_eq!(exchange(memory, 1, F32, other, 2, F32), HCCL_E_PARA, "counts differ");
            assert_eq!(exchange(memory, 1, F32, other, 1, HCCL_DATA_TYPE_INT32), HCCL_E_PARA);
            assert_eq!(exchange(memory, 1, F32, memory, 1, F32), HCCL_E_PARA, "in place");
            assert_eq!(exchange(memory, 1 << 35, F32, other, 1 << 35, F32), HCCL_E_PARA, "too many");
            assert_eq!(exchange(memory, 1, F32, other, 5, F32), HCCL_E_PARA);
            assert_eq!(exchange(memory, 1, HcclDataType(13), other, 1, HcclDataType(13)), HCCL_E_NOT_SUPPORT);
            let nobody = null_mut();
            assert_eq!(hccl!(HcclAlltoAll(memory, 1, F32, other, 1, F32, nobody, stream)), HCCL_E_PTR);
            assert_eq!(hccl!(HcclBatchSendRecv(null_mut(), 0, comm, stream)), HCCL_SUCCESS, "nothing to do");
            let zeros = [0_u64; 2];
            let none = zeros.as_ptr().cast();
            let null = std::ptr::null();
            let spread = |counts, begins| {
                hccl!(HcclAlltoAllV(memory, counts, begins, F32, other, none, none, F32, comm, stream))
            };
            assert_eq!([spread(null, none), spread(none, null)], [HCCL_E_PTR; 2]);
            assert_eq!(hccl!(HcclAlltoAllVC(memory, null, F32, other, F32, comm, stream)), HCCL_E_PTR);
            assert_eq!(hccl!(HcclScatter(memory, other, 1, F32, rank, comm, stream)), HCCL_E_PARA);
            assert_eq!(hccl!(HcclScatter(memory, null_mut(), 1, F32, 0, comm, stream)), HCCL_E_PTR);
            let gather = |send, count, counts| {
                hccl!(HcclAllGatherV(send, count, other, counts, none, F32, comm, stream))
            };
            let ones = [1_u64; 2];
            let one = ones.as_ptr().cast();
            assert_eq!(gather(memory, 0, null), HCCL_E_PTR);
            assert_eq!(gather(null_mut(), 1, one), HCCL_E_PTR);
            assert_eq!(gather(memory, 2, one), HCCL_E_PARA, "another number than in the array");
            assert_eq!(gather(null_mut(), 0, none), HCCL_SUCCESS, "nothing to do");
            let scatter = |counts, receive, count, dtype, op| {
                hccl!(HcclReduceScatterV(memory, counts, none, receive, count, dtype, op, comm, stream))
            };
            assert_eq!(scatter(null, other, 1, F32, sum), HCCL_E_PTR);
            assert_eq!(scatter(one, null_mut(), 1, F32, sum), HCCL_E_PTR);
            assert_eq!(scatter(one, other, 2, F32, sum), HCCL_E_PARA, "another number than in the array");
            let (bf16, product) = (HCCL_DATA_TYPE_BFP16, HCCL_REDUCE_PROD);
            assert_eq!(scatter(one, other, 1, bf16, product), HCCL_E_NOT_SUPPORT);
            assert_eq!(scatter(one, other, 1, HCCL_DATA_TYPE_FP64, sum), HCCL_E_NOT_SUPPORT);
            assert_eq!(scatter(none, null_mut(), 0, F32, sum), HCCL_SUCCESS, "nothing to do");
            // Nothing was queued and nothing failed.
            done!(HcclBarrier(comm, stream));
            own.wait();
        });
        ok!(aclrtSetDevice(0));
        let (info, mut comm) = (root(), null_mut());
        assert_eq!(hccl!(HcclCommInitRootInfo(1, &info, 1, &mut comm)), HCCL_E_PARA);
        assert_eq!(hccl!(HcclCommInitRootInfo(0, &info, 0, &mut comm)), HCCL_E_PARA);
        // A size that is refused is not that of the group.
        assert_eq!(hccl!(HcclCommInitRootInfo(100_000_000, &info, 0, &mut comm)), HCCL_E_PARA);
        assert!(message().contains("1 to 256 ranks"), "{}", message());
        assert_eq!(hccl!(HcclCommInitRootInfo(1, std::ptr::null(), 0, &mut comm)), HCCL_E_PTR);
        done!(HcclCommInitRootInfo(1, &info, 0, &mut comm));
        let mut again = null_mut();
        assert_eq!(hccl!(HcclCommInitRootInfo(1, &info, 0, &mut again)), HCCL_E_NOT_FOUND, "all have joined");
        assert!(message().contains("all ranks have joined, one of them gave up, or"), "{}", message());
        // The stream of another device.
        ok!(aclrtSetDevice(1));
        let mut stream = null_mut();
        ok!(aclrtCreateStream(&mut stream));
        assert_eq!(hccl!(HcclBarrier(comm, stream)), HCCL_E_PARA);
        assert!(message().contains("the stream is one of device 1"), "{}", message());
        done!(HcclCommDestroy(comm));
        assert_eq!(hccl!(HcclCommDestroy(comm)), HCCL_E_PARA);
        assert_eq!(hccl!(HcclBarrier(comm, stream)), HCCL_E_PARA);
        let mut comms = [null_mut(); 2];
        assert_eq!(hccl!(HcclCommInitAll(2, [0, 0].as_mut_ptr(), comms.as_mut_ptr())), HCCL_E_PARA);
        assert_eq!(hccl!(HcclCommInitAll(2, [0, 9].as_mut_ptr(), comms.as_mut_ptr())), HCCL_E_PARA);
        assert_eq!(call!(aclrtDestroyStream(stream)), 0);
    });
}

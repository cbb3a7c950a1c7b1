//! Random calls: right results as long as the ranks agree, and an end of every call when they do not.

use std::ffi::c_void;
use std::ptr::null_mut;

use aclnn_sys::*;

use super::rank::{Rank, done, hccl, threads};
use crate::support::child::{self, this_test};
use crate::support::random::Random;
use crate::support::runtime::{call, create_stream, download, free, ok, upload};
use crate::support::{malloc, message};

const SOON: [(&str, &str); 4] = [
    ("CANN_STUBS_DEVICES", "8"),
    ("CANN_STUBS_MEMORY", "64M"),
    ("CANN_STUBS_RANK_TIMEOUT", "1"),
    ("CANN_STUBS_LEAKS", "off"),
];

const RANKS: usize = 3;
/// Elements of each rank's memory: a part for each rank, and one that is received into.
const PART: usize = 7;
const ALL: usize = PART * (RANKS + 1);
const I32: HcclDataType = HCCL_DATA_TYPE_INT32;

/// A call that all ranks make.
#[derive(Clone, Copy, Debug)]
enum Call {
    AllReduce { count: usize, op: HcclReduceOp },
    Reduce { count: usize, op: HcclReduceOp, root: usize },
    Broadcast { count: usize, root: usize },
    AllGather { count: usize },
    ReduceScatter { count: usize, op: HcclReduceOp },
    Ring { count: usize },
    Barrier,
}

impl Call {
    fn random(random: &mut Random) -> Self {
        let op = [HCCL_REDUCE_SUM, HCCL_REDUCE_PROD, HCCL_REDUCE_MAX, HCCL_REDUCE_MIN][random.below(4)];
        let (root, count) = (random.below(RANKS), random.below(PART + 1));
        match random.below(7) {
            0 => Call::AllReduce { count, op },
            1 => Call::Reduce { count, op, root },
            2 => Call::Broadcast { count, root },
            3 => Call::AllGather { count },
            4 => Call::ReduceScatter { count, op },
            5 => Call::Ring { count },
            _ => Call::Barrier,
        }
    }

    /// Queues it: from the beginning of the memory to its last part, or all of it from the second part on.
    fn queue(self, own: &Rank, memory: *mut c_void, stream: *mut c_void) -> HcclResult {
        let at = |element: usize| memory.wrapping_byte_add(4 * element);
        let (comm, last) = (own.comm, at(PART * RANKS));
        match self {
            Call::AllReduce { count, op } => {
                hccl!(HcclAllReduce(at(0), last, count as u64, I32, op, comm, stream))
            }
            Call::Reduce { count, op, root } => {
                hccl!(HcclReduce(at(0), last, count as u64, I32, op, root as u32, comm, stream))
            }
            Call::Broadcast { count, root } => {
                hccl!(HcclBroadcast(at(0), count as u64, I32, root as u32, comm, stream))
            }
            Call::AllGather { count } => {
                hccl!(HcclAllGather(at(0), at(PART), count as u64, I32, comm, stream))
            }
            Call::ReduceScatter { count, op } => {
                hccl!(HcclReduceScatter(at(0), last, count as u64, I32, op, comm, stream))
            }
            Call::Ring { count } => {
                let item = |direction, buf, peer: usize| HcclSendRecvItem {
                    sendRecvType: direction,
                    buf,
                    count: count as u64,
                    dataType: I32,
                    remoteRank: (peer % RANKS) as u32,
                };
                let mut items =
                    [item(HCCL_RECV, last, own.rank + RANKS - 1), item(HCCL_SEND, at(0), own.rank + 1)];
                hccl!(HcclBatchSendRecv(items.as_mut_ptr(), 2, comm, stream))
            }
            Call::Barrier => hccl!(HcclBarrier(comm, stream)),
        }
    }

    /// Does to the memory of all ranks what the ranks do together.
    fn apply(self, all: &mut [Vec<i32>; RANKS]) {
        let before = all.clone();
        let combined = |op: HcclReduceOp, place: usize| {
            let elements = before.iter().map(|memory| memory[place]);
            elements
                .reduce(|a, b| match op {
                    HCCL_REDUCE_SUM => a.wrapping_add(b),
                    HCCL_REDUCE_PROD => a.wrapping_mul(b),
                    HCCL_REDUCE_MAX => a.max(b),
                    _ => a.min(b),
                })
                .unwrap()
        };
        for (rank, memory) in all.iter_mut().enumerate() {
            let mut write = |to: usize, count: usize, element: &dyn Fn(usize) -> i32| {
                (0..count).for_each(|index| memory[to + index] = element(index));
            };
            match self {
                Call::AllReduce { count, op } => write(PART * RANKS, count, &|index| combined(op, index)),
                Call::Reduce { count, op, root } if root == rank => {
                    write(PART * RANKS, count, &|index| combined(op, index));
                }
                Call::Broadcast { count, root } => write(0, count, &|index| before[root][index]),
                Call::AllGather { count } => (0..RANKS)
                    .for_each(|from| write(PART + from * count, count, &|index| before[from][index])),
                Call::ReduceScatter { count, op } => {
                    write(PART * RANKS, count, &|index| combined(op, rank * count + index));
                }
                Call::Ring { count } => {
                    write(PART * RANKS, count, &|index| before[(rank + RANKS - 1) % RANKS][index]);
                }
                Call::Barrier | Call::Reduce { .. } => {}
            }
        }
    }
}

/// A call that is refused on this rank alone, and has no effect.
fn wrong(random: &mut Random, own: &Rank, memory: *mut c_void) {
    let (comm, stream, op) = (own.comm, own.stream, HCCL_REDUCE_SUM);
    let past = (ALL + 1) as u64;
    let behind = memory.wrapping_byte_add(4 * ALL);
    let rank = RANKS as u32;
    let (dtype, other) = (HcclDataType(13), HcclReduceOp(9));
    let code = match random.below(11) {
        0 => hccl!(HcclAllReduce(memory, memory, past, I32, op, comm, stream)),
        1 => hccl!(HcclAllReduce(memory, memory, u64::MAX / 3, I32, op, comm, stream)),
        2 => hccl!(HcclAllReduce(memory, memory, 1, dtype, op, comm, stream)),
        3 => hccl!(HcclReduceScatter(memory, memory, 1, I32, other, comm, stream)),
        4 => hccl!(HcclBroadcast(memory, 1, I32, rank, comm, stream)),
        5 => hccl!(HcclSend(memory, 1, I32, own.rank as u32, comm, stream)),
        6 => hccl!(HcclRecv(behind, 1, I32, rank - 1 - own.rank as u32 % 2, comm, memory)),
        7 => hccl!(HcclAllGather(null_mut(), memory, 1, I32, comm, stream)),
        8 => hccl!(HcclBarrier(stream, stream)),
        9 => hccl!(HcclBarrier(comm, comm)),
        _ => hccl!(HcclBatchSendRecv(null_mut(), 2, comm, stream)),
    };
    assert_ne!(code, HCCL_SUCCESS);
}

fn start(rank: usize) -> Vec<i32> {
    (0..ALL).map(|index| (index * 7 + rank * 3) as i32 % 11 - 3).collect()
}

fn bytes(elements: &[i32]) -> Vec<u8> {
    elements.iter().flat_map(|element| element.to_ne_bytes()).collect()
}

#[test]
fn random_calls_on_which_all_ranks_agree_give_what_plain_loops_give() {
    child::with(this_test!(), &SOON, || {
        for seed in 0..6 {
            threads(RANKS, |own| {
                let (mut shared, mut single) = (Random(seed), Random(seed * 10 + own.rank as u64 + 100));
                let (memory, other) = (malloc(4 * ALL), create_stream());
                upload(memory, &bytes(&start(own.rank)));
                let mut expected: [Vec<i32>; RANKS] = std::array::from_fn(start);
                for _ in 0..60 {
                    let call = Call::random(&mut shared);
                    // Another stream now and then, of the ranks' own choice.
                    let stream = match single.below(5) {
                        0 => {
                            own.wait();
                            other
                        }
                        _ => own.stream,
                    };
                    assert_eq!(call.queue(own, memory, stream), HCCL_SUCCESS, "{call:?}: {}", message());
                    if stream == other {
                        ok!(aclrtSynchronizeStream(other));
                    }
                    call.apply(&mut expected);
                    if single.below(3) == 0 {
                        wrong(&mut single, own, memory);
                    }
                    if single.below(8) == 0 {
                        own.wait();
                    }
                }
                own.wait();
                assert!(
                    download(memory, 4 * ALL) == bytes(&expected[own.rank]),
                    "seed {seed}, rank {}",
                    own.rank
                );
                ok!(aclrtDestroyStream(other));
                free(memory);
            });
        }
    });
}

#[test]
fn random_calls_end_when_a_rank_does_something_else() {
    child::with(this_test!(), &SOON, || {
        for seed in 0..12 {
            threads(RANKS, |own| {
                let mut shared = Random(seed);
                let (odd, moment) = (shared.below(RANKS), shared.below(12));
                let memory = malloc(4 * ALL);
                upload(memory, &bytes(&start(own.rank)));
                for number in 0..12 {
                    let call = Call::random(&mut shared);
                    if own.rank != odd || number != moment {
                        // Refused as soon as the failure of the group is known.
                        let _ = call.queue(own, memory, own.stream);
                        continue;
                    }
                    match seed % 6 {
                        0 => {}
                        1 => {
                            let other = Call::AllReduce { count: PART, op: HCCL_REDUCE_MAX };
                            let _ = other.queue(own, memory, own.stream);
                        }
                        2 => {
                            let other = create_stream();
                            let _ = call.queue(own, memory, other);
                            ok!(aclrtDestroyStreamForce(other));
                        }
                        3 => ok!(aclrtStreamAbort(own.stream)),
                        4 => {
                            let _ = hccl!(HcclSend(
                                memory,
                                1,
                                I32,
                                ((odd + 1) % RANKS) as u32,
                                own.comm,
                                own.stream
                            ));
                        }
                        _ => {
                            let _ = call.queue(own, memory, own.stream);
                            let _ = call!(aclrtDeviceTaskAbort(own.rank as i32, 0));
                        }
                    }
                }
                // Whether it failed depends on what was left out and when; that it ends does not.
                let waited = own.waited();
                let mut failure = HCCL_SUCCESS;
                done!(HcclGetCommAsyncError(own.comm, &mut failure));
                assert!(waited == 0 || failure != HCCL_SUCCESS, "{waited}: {}", message());
            });
        }
    });
}

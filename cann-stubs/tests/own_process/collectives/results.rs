//! Every collective by every type on groups of many sizes, compared with plain loops over whole numbers.

use std::ffi::{c_char, c_void};

use aclnn_numerics::{bf16, f16};
use aclnn_sys::*;
use cann_stubs::control::{self, Mode};

use super::rank::{Rank, done, hccl, processes, root, threads};
use crate::support::child::{self, this_test};
use crate::support::runtime::{download, ok, upload};
use crate::support::{malloc, message};

const EIGHT: [(&str, &str); 2] = [("CANN_STUBS_DEVICES", "8"), ("CANN_STUBS_MEMORY", "64M")];

/// A type of elements: its bytes, and how a small whole number is written. Sums and products of the numbers here are exact in
/// each of them.
struct Type {
    dtype: HcclDataType,
    write: fn(i64) -> Vec<u8>,
    combines: bool,
}

macro_rules! types {
    ($($dtype:ident $type:ty, $combines:literal: $write:expr;)*) => {
        [$(Type {
            dtype: $dtype,
            write: |number| { let write: fn(i64) -> $type = $write; write(number).to_ne_bytes().to_vec() },
            combines: $combines,
        }),*]
    };
}

fn types() -> [Type; 17] {
    types! {
        HCCL_DATA_TYPE_INT8 i8, true: |number| number as i8;
        HCCL_DATA_TYPE_INT16 i16, true: |number| number as i16;
        HCCL_DATA_TYPE_INT32 i32, true: |number| number as i32;
        HCCL_DATA_TYPE_INT64 i64, true: |number| number;
        HCCL_DATA_TYPE_UINT8 u8, true: |number| number as u8;
        HCCL_DATA_TYPE_UINT16 u16, true: |number| number as u16;
        HCCL_DATA_TYPE_UINT32 u32, true: |number| number as u32;
        HCCL_DATA_TYPE_UINT64 u64, true: |number| number as u64;
        HCCL_DATA_TYPE_FP16 f16, true: |number| f16::from_f32(number as f32);
        HCCL_DATA_TYPE_BFP16 bf16, true: |number| bf16::from_f32(number as f32);
        HCCL_DATA_TYPE_FP32 f32, true: |number| number as f32;
        HCCL_DATA_TYPE_FP64 f64, true: |number| number as f64;
        HCCL_DATA_TYPE_INT128 i128, false: |number| number.into();
        HCCL_DATA_TYPE_HIF8 u8, false: |number| number as u8;
        HCCL_DATA_TYPE_FP8E4M3 u8, false: |number| number as u8;
        HCCL_DATA_TYPE_FP8E5M2 u8, false: |number| number as u8;
        HCCL_DATA_TYPE_FP8E8M0 u8, false: |number| number as u8;
    }
}

/// The number at a place of what a rank sends: from 1 to 3, so that no product of eight leaves f16.
fn number(rank: usize, index: usize) -> i64 {
    ((rank * 7 + index * 5 + index / 11) % 3 + 1) as i64
}

fn bytes(of: &Type, numbers: impl Iterator<Item = i64>) -> Vec<u8> {
    numbers.flat_map(of.write).collect()
}

fn sent(of: &Type, rank: usize, count: usize) -> Vec<u8> {
    bytes(of, (0..count).map(|index| number(rank, index)))
}

/// The combination of all ranks at a place.
fn combined(op: HcclReduceOp, ranks: usize, index: usize) -> i64 {
    let numbers = (0..ranks).map(|rank| number(rank, index));
    match op {
        HCCL_REDUCE_SUM => numbers.sum(),
        HCCL_REDUCE_PROD => numbers.product(),
        HCCL_REDUCE_MAX => numbers.max().unwrap(),
        _ => numbers.min().unwrap(),
    }
}

/// Memory that holds some bytes.
fn memory(bytes: &[u8]) -> *mut c_void {
    let memory = malloc(bytes.len().max(1));
    if !bytes.is_empty() {
        upload(memory, bytes);
    }
    memory
}

fn holds(memory: *mut c_void, expected: &[u8], what: &str) {
    if !expected.is_empty() {
        assert!(download(memory, expected.len()) == expected, "{what}");
    }
}

fn free(all: &[*mut c_void]) {
    all.iter().for_each(|memory| ok!(aclrtFree(*memory)));
}

/// Compares every collective on a rank, in place and out of place.
fn compare(own: &Rank, of: &Type, count: usize) {
    let &Rank { comm, stream, rank, ranks } = own;
    let (dtype, elements) = (of.dtype, count as u64);
    let last = (ranks - 1) as u32;
    let mine = sent(of, rank, count);
    let blank = vec![0x5A; mine.len()];
    let what = format!("{} elements of type {} on rank {rank} of {ranks}", count, dtype.0);

    for op in [HCCL_REDUCE_SUM, HCCL_REDUCE_PROD, HCCL_REDUCE_MAX, HCCL_REDUCE_MIN] {
        let all = bytes(of, (0..count).map(|index| combined(op, ranks, index)));
        let (send, receive, both) = (memory(&mine), memory(&blank), memory(&mine));
        if !of.combines {
            let code = hccl!(HcclAllReduce(send, receive, elements, dtype, op, comm, stream));
            assert_eq!(code, HCCL_E_NOT_SUPPORT, "{what}");
            free(&[send, receive, both]);
            break;
        }
        done!(HcclAllReduce(send, receive, elements, dtype, op, comm, stream));
        done!(HcclAllReduce(both, both, elements, dtype, op, comm, stream));
        own.wait();
        holds(receive, &all, &format!("all-reduce {} of {what}", op.0));
        holds(both, &all, &format!("all-reduce {} in place of {what}", op.0));
        holds(send, &mine, "what was sent stays");
        free(&[both]);

        let both = memory(&mine);
        upload_if_any(receive, &blank);
        done!(HcclReduce(send, receive, elements, dtype, op, last, comm, stream));
        done!(HcclReduce(both, both, elements, dtype, op, 0, comm, stream));
        own.wait();
        let on = |root: bool, other: &[u8]| if root { all.clone() } else { other.to_vec() };
        holds(receive, &on(rank == ranks - 1, &blank), &format!("reduce {} of {what}", op.0));
        holds(both, &on(rank == 0, &mine), &format!("reduce {} in place of {what}", op.0));
        free(&[send, receive, both]);

        let parts = sent(of, rank, count * ranks);
        let own_part = bytes(of, (rank * count..(rank + 1) * count).map(|index| combined(op, ranks, index)));
        let (send, receive, both) = (memory(&parts), memory(&blank), memory(&parts));
        let inside = both.wrapping_byte_add(rank * mine.len());
        done!(HcclReduceScatter(send, receive, elements, dtype, op, comm, stream));
        done!(HcclReduceScatter(both, inside, elements, dtype, op, comm, stream));
        own.wait();
        holds(receive, &own_part, &format!("reduce-scatter {} of {what}", op.0));
        holds(inside, &own_part, &format!("reduce-scatter {} in place of {what}", op.0));
        free(&[send, receive, both]);
    }

    let all: Vec<u8> = (0..ranks).flat_map(|rank| sent(of, rank, count)).collect();
    let mut parts = vec![0x5A; all.len()];
    parts[rank * mine.len()..(rank + 1) * mine.len()].copy_from_slice(&mine);
    let (send, receive, both) = (memory(&mine), memory(&vec![0x5A; all.len()]), memory(&parts));
    done!(HcclAllGather(send, receive, elements, dtype, comm, stream));
    done!(HcclAllGather(both.wrapping_byte_add(rank * mine.len()), both, elements, dtype, comm, stream));
    own.wait();
    holds(receive, &all, &format!("all-gather of {what}"));
    holds(both, &all, &format!("all-gather in place of {what}"));
    free(&[receive, both]);

    let buffer = memory(&mine);
    done!(HcclBroadcast(buffer, elements, dtype, last, comm, stream));
    done!(HcclBarrier(comm, stream));
    own.wait();
    holds(buffer, &sent(of, ranks - 1, count), &format!("broadcast of {what}"));
    free(&[buffer]);

    // Around a ring, first the even ranks send; then all at once, each to each.
    if ranks > 1 {
        let receive = memory(&blank);
        let (next, before) = ((rank + 1) % ranks, (rank + ranks - 1) % ranks);
        let sends = |peer: usize| done!(HcclSend(send, elements, dtype, peer as u32, comm, stream));
        let receives = |peer: usize| done!(HcclRecv(receive, elements, dtype, peer as u32, comm, stream));
        if rank % 2 == 0 {
            sends(next);
            receives(before);
        } else {
            receives(before);
            sends(next);
        }
        own.wait();
        holds(receive, &sent(of, before, count), &format!("received by {what}"));
        free(&[receive]);
    }
    let receive = memory(&vec![0x5A; all.len()]);
    let mut items: Vec<HcclSendRecvItem> = Vec::new();
    for peer in 0..ranks {
        let item = |direction, buf| HcclSendRecvItem {
            sendRecvType: direction,
            buf,
            count: elements,
            dataType: dtype,
            remoteRank: peer as u32,
        };
        items.push(item(HCCL_SEND, send));
        items.push(item(HCCL_RECV, receive.wrapping_byte_add(peer * mine.len())));
    }
    done!(HcclBatchSendRecv(items.as_mut_ptr(), items.len() as u32, comm, stream));
    own.wait();
    holds(receive, &all, &format!("each to each of {what}"));
    free(&[send, receive]);
}

fn upload_if_any(memory: *mut c_void, bytes: &[u8]) {
    if !bytes.is_empty() {
        upload(memory, bytes);
    }
}

/// Few elements, of every type; and more than two rounds, of some.
fn compare_all(own: &Rank) {
    for of in &types() {
        for count in [0, 1, 13] {
            compare(own, of, count);
        }
    }
    for of in types()
        .iter()
        .filter(|of| [HCCL_DATA_TYPE_FP32, HCCL_DATA_TYPE_FP16, HCCL_DATA_TYPE_INT8].contains(&of.dtype))
    {
        compare(own, of, 70_003);
    }
    let mut number = 0;
    done!(HcclGetRankId(own.comm, &mut number));
    assert_eq!(number as usize, own.rank);
    done!(HcclGetRankSize(own.comm, &mut number));
    assert_eq!(number as usize, own.ranks);
}

#[test]
fn ranks_as_threads() {
    child::with(this_test!(), &EIGHT, || {
        for ranks in [1, 2, 3, 4, 8] {
            threads(ranks, compare_all);
        }
        for mode in [Mode::Worker, Mode::Inline] {
            let _mode = control::streams_everywhere(mode);
            threads(3, |own| types().iter().for_each(|of| compare(own, of, 13)));
        }
        let (reports, live) = (control::reports(), control::live());
        assert!(reports.is_empty() && live.is_empty(), "{reports:?} {live:?}");
    });
}

macro_rules! ranks_as_processes {
    ($($name:ident $ranks:literal)*) => {$(
        #[test]
        fn $name() {
            child::with(this_test!(), &EIGHT, || {
                let files = || std::fs::read_dir("/dev/shm").map_or(0, Iterator::count);
                let before = files();
                processes(this_test!(), $ranks, None, compare_all);
                assert_eq!(files(), before);
            });
        }
    )*};
}

ranks_as_processes! { two_ranks_as_processes 2 three_ranks_as_processes 3 eight_ranks_as_processes 8 }

/// One thread queues on the streams of all devices, and waits for one after the other.
#[test]
fn one_thread_drives_all_ranks() {
    child::with(this_test!(), &EIGHT, || {
        const COUNT: usize = 100_000;
        for mode in Mode::ALL {
            let _mode = control::streams_everywhere(mode);
            let (mut devices, mut comms) = ([3, 1, 2, 0], [std::ptr::null_mut(); 4]);
            ok!(aclrtSetDevice(0));
            done!(HcclCommInitAll(4, devices.as_mut_ptr(), comms.as_mut_ptr()));
            let types = types();
            let of = types.iter().find(|of| of.dtype == HCCL_DATA_TYPE_FP32).unwrap();
            let ranks: Vec<(*mut c_void, *mut c_void)> = (0..4)
                .map(|rank| {
                    ok!(aclrtSetDevice(devices[rank]));
                    let mut stream = std::ptr::null_mut();
                    ok!(aclrtCreateStream(&mut stream));
                    (stream, memory(&sent(of, rank, COUNT)))
                })
                .collect();
            for (((stream, memory), comm), device) in ranks.iter().zip(comms).zip(devices) {
                ok!(aclrtSetDevice(device));
                let (count, dtype) = (COUNT as u64, of.dtype);
                done!(HcclAllReduce(*memory, *memory, count, dtype, HCCL_REDUCE_SUM, comm, *stream));
            }
            let all = bytes(of, (0..COUNT).map(|index| combined(HCCL_REDUCE_SUM, 4, index)));
            for (rank, (stream, memory)) in ranks.iter().enumerate() {
                ok!(aclrtSetDevice(devices[rank]));
                ok!(aclrtSynchronizeStream(*stream));
                holds(*memory, &all, &format!("rank {rank}, {mode:?}"));
                ok!(aclrtDestroyStream(*stream));
                free(&[*memory]);
                done!(HcclCommDestroy(comms[rank]));
            }
        }
        assert!(control::reports().is_empty() && control::live().is_empty());
    });
}

/// Elements are combined in the order of the ranks, whoever comes first: f32 of very different sizes tell. Sums of halves are
/// rounded once: 2049 is none, and would become 2048 before the last one is added. Few elements and many, anywhere in memory.
#[test]
fn sums_are_in_the_order_of_the_ranks_and_rounded_once() {
    child::with(this_test!(), &EIGHT, || {
        let singles = [1e8_f32, 3.0, -1e8, 7.5];
        let sum = singles.into_iter().reduce(|sum, number| sum + number).unwrap().to_ne_bytes().to_vec();
        let halves = [2048.0, 1.0, 0.0, 1.0].map(|number| f16::from_f32(number).to_ne_bytes().to_vec());
        let cases = [
            (HCCL_DATA_TYPE_FP32, singles.map(|number| number.to_ne_bytes().to_vec()), sum),
            (HCCL_DATA_TYPE_FP16, halves, f16::from_f32(2050.0).to_ne_bytes().to_vec()),
        ];
        for (count, times) in [(5, 20), (20_001, 2)] {
            for _ in 0..times {
                threads(4, |own| {
                    for (dtype, numbers, sum) in &cases {
                        let number = &numbers[own.rank];
                        // One byte behind the beginning, which no element of these types is aligned to.
                        let memory = memory(&[&[7], &*number.repeat(count)].concat());
                        let (first, op) = (memory.wrapping_byte_add(1), HCCL_REDUCE_SUM);
                        let (comm, stream) = (own.comm, own.stream);
                        done!(HcclAllReduce(first, first, count as u64, *dtype, op, comm, stream));
                        own.wait();
                        holds(memory, &[&[7], &*sum.repeat(count)].concat(), &message());
                        free(&[memory]);
                    }
                });
            }
        }
    });
}

/// The settings of every published version of the structure are read.
#[test]
fn settings_of_any_version() {
    child::with(this_test!(), &EIGHT, || {
        ok!(aclrtSetDevice(0));
        for (version, size) in [(2, 160), (5, 300), (6, 312), (10, 2232)] {
            // SAFETY: numbers and texts, which may be zero.
            let mut config: HcclCommConfig = unsafe { std::mem::zeroed() };
            config.size = size;
            config.magicWord = HCCL_COMM_CONFIG_MAGIC_WORD;
            config.version = version;
            config.hcclBufferSize = HCCL_COMM_CONFIG_NOT_SET;
            b"pipeline"
                .iter()
                .zip(&mut config.hcclCommName)
                .for_each(|(byte, place)| *place = c_char::from_ne_bytes([*byte]));
            let (info, mut comm, mut name) = (root(), std::ptr::null_mut(), [0; 128]);
            done!(HcclCommInitRootInfoConfig(1, &info, 0, &config, &mut comm));
            done!(HcclGetCommName(comm, name.as_mut_ptr()));
            let name: Vec<u8> =
                name.iter().take_while(|byte| **byte != 0).map(|byte| byte.to_ne_bytes()[0]).collect();
            assert_eq!(name, b"pipeline", "{version}");
            done!(HcclCommDestroy(comm));
            config.magicWord = 0;
            assert_eq!(hccl!(HcclCommInitRootInfoConfig(1, &info, 0, &config, &mut comm)), HCCL_E_PARA);
        }
        assert_eq!(hccl!(HcclGetCommConfigCapability()), 10);
    });
}

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

impl Type {
    /// Whether the default product exchanges parts of it.
    fn is_exchanged(&self) -> bool {
        self.combines
    }

    /// Whether it combines parts of different lengths.
    fn is_reduced_in_parts(&self) -> bool {
        let unsigned =
            [HCCL_DATA_TYPE_UINT8, HCCL_DATA_TYPE_UINT16, HCCL_DATA_TYPE_UINT32, HCCL_DATA_TYPE_UINT64];
        self.combines && self.dtype != HCCL_DATA_TYPE_FP64 && !unsigned.contains(&self.dtype)
    }
}

/// The number at a place of what a rank sends: from 1 to 3, so that no product of eight leaves f16.
fn number(rank: usize, index: usize) -> i64 {
    ((rank * 7 + index * 5 + index / 11) % 3 + 1) as i64
}

/// The bytes of numbers, of which each is written once: few differ, and tests are not optimized.
fn bytes(of: &Type, numbers: impl Iterator<Item = i64>) -> Vec<u8> {
    let mut written: Vec<(i64, Vec<u8>)> = Vec::new();
    let mut all = Vec::new();
    for number in numbers {
        let known = written.iter().position(|(other, _)| *other == number);
        let place = known.unwrap_or_else(|| {
            written.push((number, (of.write)(number)));
            written.len() - 1
        });
        all.extend_from_slice(&written[place].1);
    }
    all
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
    assert!(download(memory, expected.len()) == expected, "{what}");
}

fn free(all: &[*mut c_void]) {
    all.iter().for_each(|memory| ok!(aclrtFree(*memory)));
}

/// The calls of a rank, and what its memory holds before and after them. All pieces lie in one allocation, each at the next
/// place that is aligned for its elements, so that whatever is written beside them is noticed.
struct Program {
    /// Bytes of an element.
    size: usize,
    before: Vec<u8>,
    after: Vec<u8>,
    /// Where each piece ends, and what it is.
    pieces: Vec<(usize, String)>,
    calls: Vec<Box<dyn Fn(*mut c_void)>>,
}

/// The byte that memory holds where nothing is to be written.
const BLANK: u8 = 0x5A;

impl Program {
    /// Adds a piece, and gives its place.
    fn piece(&mut self, what: String, before: &[u8], after: &[u8]) -> usize {
        assert_eq!(before.len(), after.len());
        // Behind a gap, which is to stay as it is.
        let place = (self.before.len() + 16).next_multiple_of(self.size);
        for (image, bytes) in [(&mut self.before, before), (&mut self.after, after)] {
            image.resize(place, BLANK);
            image.extend_from_slice(bytes);
        }
        self.pieces.push((place + before.len(), what));
        place
    }

    /// Adds a piece that is only read.
    fn sent(&mut self, bytes: &[u8]) -> usize {
        self.piece("what was sent".to_owned(), bytes, bytes)
    }

    /// Adds a piece that is only written.
    fn received(&mut self, what: String, after: &[u8]) -> usize {
        self.piece(what, &vec![BLANK; after.len()], after)
    }

    fn call(&mut self, call: impl Fn(*mut c_void) + 'static) {
        self.calls.push(Box::new(call));
    }

    /// Queues all calls, waits once and compares all memory.
    fn run(mut self, own: &Rank) {
        for image in [&mut self.before, &mut self.after] {
            image.resize(image.len() + 16, BLANK);
        }
        let base = memory(&self.before);
        self.calls.iter().for_each(|call| call(base));
        own.wait();
        let found = download(base, self.after.len());
        // As whole slices first: tests are not optimized.
        if found != self.after {
            let wrong =
                found.iter().zip(&self.after).position(|(found, expected)| found != expected).unwrap();
            let piece = self.pieces.iter().find(|(end, _)| wrong < *end);
            panic!("byte {wrong}: {piece:?} on rank {} of {}", own.rank, own.ranks);
        }
        free(&[base]);
    }
}

const OPS: [HcclReduceOp; 4] = [HCCL_REDUCE_SUM, HCCL_REDUCE_PROD, HCCL_REDUCE_MAX, HCCL_REDUCE_MIN];

fn at(base: *mut c_void, place: usize) -> *mut c_void {
    base.wrapping_byte_add(place)
}

/// Adds every collective that combines, in place and out of place.
fn combine(program: &mut Program, own: &Rank, of: &Type, count: usize, op: HcclReduceOp) {
    let &Rank { comm, stream, rank, ranks } = own;
    let (dtype, elements, mine) = (of.dtype, count as u64, sent(of, rank, count));
    let what = |name: &str| format!("{name} {} of {count} elements of type {}", op.0, dtype.0);
    let all = bytes(of, (0..count).map(|index| combined(op, ranks, index)));

    let (send, receive) = (program.sent(&mine), program.received(what("all-reduce"), &all));
    program.call(move |base| {
        let (send, receive) = (at(base, send), at(base, receive));
        done!(HcclAllReduce(send, receive, elements, dtype, op, comm, stream));
    });
    let both = program.piece(what("all-reduce in place"), &mine, &all);
    program.call(move |base| {
        done!(HcclAllReduce(at(base, both), at(base, both), elements, dtype, op, comm, stream));
    });

    let blank = vec![BLANK; mine.len()];
    let on = |root: bool, other: &[u8]| if root { all.clone() } else { other.to_vec() };
    let (send, receive) =
        (program.sent(&mine), program.received(what("reduce"), &on(rank == ranks - 1, &blank)));
    let both = program.piece(what("reduce in place"), &mine, &on(rank == 0, &mine));
    program.call(move |base| {
        let (send, receive, last) = (at(base, send), at(base, receive), ranks as u32 - 1);
        done!(HcclReduce(send, receive, elements, dtype, op, last, comm, stream));
        done!(HcclReduce(at(base, both), at(base, both), elements, dtype, op, 0, comm, stream));
    });

    let parts = sent(of, rank, count * ranks);
    let own_part = bytes(of, (rank * count..(rank + 1) * count).map(|index| combined(op, ranks, index)));
    let mut filled = parts.clone();
    filled[rank * mine.len()..(rank + 1) * mine.len()].copy_from_slice(&own_part);
    let (send, receive) = (program.sent(&parts), program.received(what("reduce-scatter"), &own_part));
    let both = program.piece(what("reduce-scatter in place"), &parts, &filled);
    let inside = both + rank * mine.len();
    program.call(move |base| {
        let (send, receive) = (at(base, send), at(base, receive));
        done!(HcclReduceScatter(send, receive, elements, dtype, op, comm, stream));
        done!(HcclReduceScatter(at(base, both), at(base, inside), elements, dtype, op, comm, stream));
    });
    if of.is_reduced_in_parts() {
        combine_parts(program, own, of, count, op);
    }
}

/// Adds the collective that gives each rank a part of its own length.
fn combine_parts(program: &mut Program, own: &Rank, of: &Type, count: usize, op: HcclReduceOp) {
    let &Rank { comm, stream, rank, ranks } = own;
    let lengths: Vec<u64> = (0..ranks).map(|rank| ((rank + 1) % 2 * (rank + 1) * count) as u64).collect();
    let begins: Vec<u64> = (0..ranks).map(|rank| lengths[rank + 1..].iter().sum()).collect();
    let send = program.sent(&sent(of, rank, lengths.iter().sum::<u64>() as usize));
    let mine = begins[rank] as usize..(begins[rank] + lengths[rank]) as usize;
    let lacks = [HCCL_DATA_TYPE_INT16, HCCL_DATA_TYPE_BFP16].contains(&of.dtype);
    // There are no products of these types.
    let op = if lacks && op == HCCL_REDUCE_PROD { HCCL_REDUCE_SUM } else { op };
    let all = bytes(of, mine.map(|index| combined(op, ranks, index)));
    let receive = program.received(format!("part of {count} elements of type {}", of.dtype.0), &all);
    let (dtype, elements) = (of.dtype, lengths[rank]);
    program.call(move |base| {
        let (send, receive) = (at(base, send), at(base, receive));
        let (counts, begins) = (lengths.as_ptr().cast(), begins.as_ptr().cast());
        done!(HcclReduceScatterV(send, counts, begins, receive, elements, dtype, op, comm, stream));
    });
}

/// Adds every collective that moves elements only, and messages.
fn carry(program: &mut Program, own: &Rank, of: &Type, count: usize) {
    let &Rank { comm, stream, rank, ranks } = own;
    let (dtype, elements, mine) = (of.dtype, count as u64, sent(of, rank, count));
    let what = |name: &str| format!("{name} of {count} elements of type {}", dtype.0);
    let all: Vec<u8> = (0..ranks).flat_map(|rank| sent(of, rank, count)).collect();

    let mut parts = vec![BLANK; all.len()];
    parts[rank * mine.len()..(rank + 1) * mine.len()].copy_from_slice(&mine);
    let (send, receive) = (program.sent(&mine), program.received(what("all-gather"), &all));
    let both = program.piece(what("all-gather in place"), &parts, &all);
    let inside = both + rank * mine.len();
    let from_last = program.piece(what("broadcast"), &mine, &sent(of, ranks - 1, count));
    program.call(move |base| {
        done!(HcclAllGather(at(base, send), at(base, receive), elements, dtype, comm, stream));
        done!(HcclAllGather(at(base, inside), at(base, both), elements, dtype, comm, stream));
        done!(HcclBroadcast(at(base, from_last), elements, dtype, ranks as u32 - 1, comm, stream));
        done!(HcclBarrier(comm, stream));
    });

    // Around a ring, first the even ranks send; then all at once, each to each.
    if ranks > 1 {
        let (next, before) = (((rank + 1) % ranks) as u32, (rank + ranks - 1) % ranks);
        let receive = program.received(what("message around a ring"), &sent(of, before, count));
        program.call(move |base| {
            let sends = || done!(HcclSend(at(base, send), elements, dtype, next, comm, stream));
            let receives =
                || done!(HcclRecv(at(base, receive), elements, dtype, before as u32, comm, stream));
            match rank % 2 {
                0 => (sends(), receives()),
                _ => (receives(), sends()),
            };
        });
    }
    if !of.is_exchanged() {
        return refuses_parts(program, own, of);
    }
    let receive = program.received(what("messages of each to each"), &all);
    let size = mine.len();
    program.call(move |base| {
        let item = |direction, place, peer| HcclSendRecvItem {
            sendRecvType: direction,
            buf: at(base, place),
            count: elements,
            dataType: dtype,
            remoteRank: peer as u32,
        };
        let both = |peer| [item(HCCL_SEND, send, peer), item(HCCL_RECV, receive + peer * size, peer)];
        let mut items: Vec<HcclSendRecvItem> = (0..ranks).flat_map(both).collect();
        done!(HcclBatchSendRecv(items.as_mut_ptr(), items.len() as u32, comm, stream));
    });
    exchange(program, own, of, count);
}

/// Adds calls with parts of a type that the product does not exchange.
fn refuses_parts(program: &mut Program, own: &Rank, of: &Type) {
    let (comm, stream, dtype) = (own.comm, own.stream, of.dtype);
    program.call(move |base| {
        let (other, peer) = (at(base, 16), 0);
        let mut item = HcclSendRecvItem {
            sendRecvType: HCCL_SEND,
            buf: base,
            count: 1,
            dataType: dtype,
            remoteRank: peer,
        };
        let codes = [
            hccl!(HcclAlltoAll(base, 1, dtype, other, 1, dtype, comm, stream)),
            hccl!(HcclScatter(base, other, 1, dtype, 0, comm, stream)),
            hccl!(HcclBatchSendRecv(&mut item, 1, comm, stream)),
        ];
        assert_eq!(codes, [HCCL_E_NOT_SUPPORT; 3], "{}", dtype.0);
    });
}

/// Adds the collectives in which each rank has a part for each.
fn exchange(program: &mut Program, own: &Rank, of: &Type, count: usize) {
    let &Rank { comm, stream, rank, ranks } = own;
    let (dtype, elements, size) = (of.dtype, count as u64, program.size);
    let what = |name: &str| format!("{name} of {count} elements of type {}", dtype.0);
    // What a rank sends: a part of each length for each rank, from one sequence of numbers.
    let part = |from: usize, begin: usize, length: usize| {
        bytes(of, (begin..begin + length).map(|index| number(from, index)))
    };

    let equal: Vec<u8> = (0..ranks).flat_map(|from| part(from, rank * count, count)).collect();
    let send = program.sent(&part(rank, 0, ranks * count));
    let receive = program.received(what("parts to each"), &equal);
    let scattered = program.received(what("scattered parts"), &part(ranks - 1, rank * count, count));
    program.call(move |base| {
        let (from, to) = (at(base, send), at(base, receive));
        done!(HcclAlltoAll(from, elements, dtype, to, elements, dtype, comm, stream));
        // Only the root's elements are sent.
        let from = if rank == ranks - 1 { from } else { std::ptr::null_mut() };
        done!(HcclScatter(from, at(base, scattered), elements, dtype, ranks as u32 - 1, comm, stream));
    });

    // Between two ranks go as many elements as the sum of their numbers says, which is none for some.
    let length = |from: usize, to: usize| (from + 2 * to) % 3 * count;
    let begin = |from: usize, to: usize| (0..to).map(|before| length(from, before)).sum::<usize>();
    let came: Vec<Vec<u8>> =
        (0..ranks).map(|from| part(from, begin(from, rank), length(from, rank))).collect();
    let send = program.sent(&part(rank, 0, begin(rank, ranks)));
    let packed = program.received(what("parts by a matrix"), &came.concat());
    // The parts that come in lie in reverse order, with an element between them.
    let (mut image, mut places) = (Vec::new(), vec![0_u64; ranks]);
    for (from, bytes) in came.iter().enumerate().rev() {
        places[from] = (image.len() / size) as u64;
        image.extend_from_slice(bytes);
        image.resize(image.len() + size, BLANK);
    }
    let spread = program.received(what("parts at places"), &image);
    let numbers = |of: &dyn Fn(usize) -> usize| (0..ranks).map(|other| of(other) as u64).collect::<Vec<_>>();
    let counts = numbers(&|to| length(rank, to));
    let begins = numbers(&|to| begin(rank, to));
    let comes = numbers(&|from| length(from, rank));
    let matrix: Vec<u64> = (0..ranks * ranks).map(|cell| length(cell / ranks, cell % ranks) as u64).collect();
    program.call(move |base| {
        let from = at(base, send);
        let array = |numbers: &Vec<u64>| numbers.as_ptr().cast::<c_void>();
        let (counts, begins) = (array(&counts), array(&begins));
        let (comes, places, to) = (array(&comes), array(&places), at(base, spread));
        done!(HcclAlltoAllV(from, counts, begins, dtype, to, comes, places, dtype, comm, stream));
        let to = at(base, packed);
        done!(HcclAlltoAllVC(from, array(&matrix), dtype, to, dtype, comm, stream));
    });

    // The elements of each rank, of which rank 1 has none, at places in reverse order; in place too.
    let length = |rank: usize| (rank + 1) % 2 * (rank + 1) * count;
    let (mut image, mut places) = (Vec::new(), vec![0_u64; ranks]);
    for from in (0..ranks).rev() {
        places[from] = (image.len() / size) as u64;
        image.extend(part(from, 0, length(from)));
    }
    let mut before = vec![BLANK; image.len()];
    let own = places[rank] as usize * size;
    let mine = part(rank, 0, length(rank));
    before[own..own + mine.len()].copy_from_slice(&mine);
    let (send, elements) = (program.sent(&mine), length(rank) as u64);
    let gathered = program.received(what("elements of all"), &image);
    let in_place = program.piece(what("elements of all in place"), &before, &image);
    let counts = numbers(&length);
    program.call(move |base| {
        let array = |numbers: &Vec<u64>| numbers.as_ptr().cast::<c_void>();
        let (from, to, both) = (at(base, send), at(base, gathered), at(base, in_place));
        let (counts, places) = (array(&counts), array(&places));
        done!(HcclAllGatherV(from, elements, to, counts, places, dtype, comm, stream));
        done!(HcclAllGatherV(at(both, own), elements, both, counts, places, dtype, comm, stream));
    });
}

/// Expects that a type is not combined.
fn combines_nothing(own: &Rank, of: &Type) {
    let (memory, sum) = (memory(&sent(of, own.rank, 1)), HCCL_REDUCE_SUM);
    let codes = [
        hccl!(HcclAllReduce(memory, memory, 1, of.dtype, sum, own.comm, own.stream)),
        hccl!(HcclReduce(memory, memory, 1, of.dtype, sum, 0, own.comm, own.stream)),
        hccl!(HcclReduceScatter(memory, memory, 1, of.dtype, sum, own.comm, own.stream)),
    ];
    assert_eq!(codes, [HCCL_E_NOT_SUPPORT; 3], "{}", of.dtype.0);
    free(&[memory]);
}

/// Every collective with every operation on some counts of elements of a type.
fn compare(own: &Rank, of: &Type, counts: &[usize], ops: &[HcclReduceOp]) {
    let size = (of.write)(0).len();
    let mut program = Program { size, before: vec![], after: vec![], pieces: vec![], calls: vec![] };
    for &count in counts {
        carry(&mut program, own, of, count);
        for &op in ops.iter().filter(|_| of.combines) {
            combine(&mut program, own, of, count, op);
        }
    }
    program.run(own);
}

/// Few elements, of every type; and more than a slot holds, of some.
fn compare_all(own: &Rank) {
    for of in &types() {
        compare(own, of, &[0, 1, 13], &OPS);
        if !of.combines {
            combines_nothing(own, of);
        }
        // More than a slot holds.
        match (own.ranks, of.dtype) {
            (3, HCCL_DATA_TYPE_FP32) | (2, HCCL_DATA_TYPE_FP16) => compare(own, of, &[140_003], &OPS[..1]),
            _ => {}
        }
    }
    let mut number = 0;
    done!(HcclGetRankId(own.comm, &mut number));
    assert_eq!(number as usize, own.rank);
    done!(HcclGetRankSize(own.comm, &mut number));
    assert_eq!(number as usize, own.ranks);
}

macro_rules! of_many_ranks {
    ($($threads:ident $processes:ident $ranks:literal)*) => {$(
        #[test]
        fn $threads() {
            child::with(this_test!(), &EIGHT, || {
                threads($ranks, compare_all);
                let (reports, live) = (control::reports(), control::live());
                assert!(reports.is_empty() && live.is_empty(), "{reports:?} {live:?}");
            });
        }

        #[test]
        fn $processes() {
            child::with(this_test!(), &EIGHT, || processes(this_test!(), $ranks, None, compare_all));
        }
    )*};
}

of_many_ranks! {
    one_rank_as_a_thread one_rank_as_a_process 1
    two_ranks_as_threads two_ranks_as_processes 2
    three_ranks_as_threads three_ranks_as_processes 3
    four_ranks_as_threads four_ranks_as_processes 4
    eight_ranks_as_threads eight_ranks_as_processes 8
}

#[test]
fn ranks_as_threads_in_every_mode() {
    child::with(this_test!(), &EIGHT, || {
        for mode in Mode::ALL {
            let _mode = control::streams_everywhere(mode);
            threads(3, |own| types().iter().for_each(|of| compare(own, of, &[13], &[HCCL_REDUCE_SUM])));
        }
        let (reports, live) = (control::reports(), control::live());
        assert!(reports.is_empty() && live.is_empty(), "{reports:?} {live:?}");
    });
}

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
        // The last two are of a later header, and of one that does not exist yet.
        // A name is cut off where HcclGetCommName would have no room for its end.
        let named = |given: &[u8]| given[..given.len().min(127)].to_vec();
        let names: [&[u8]; 6] = [b"pipeline", b"p", &[b'n'; 126], &[b'n'; 127], &[b'n'; 128], b"pipeline"];
        let versions = [(2, 160), (5, 300), (6, 312), (10, 2232), (10, 2240), (11, 2248)];
        for ((version, size), given) in versions.into_iter().zip(names) {
            // SAFETY: numbers and texts, which may be zero.
            let (mut config, _behind): (HcclCommConfig, [u64; 2]) = unsafe { std::mem::zeroed() };
            config.size = size;
            config.magicWord = HCCL_COMM_CONFIG_MAGIC_WORD;
            config.version = version;
            config.hcclBufferSize = HCCL_COMM_CONFIG_NOT_SET;
            given
                .iter()
                .zip(&mut config.hcclCommName)
                .for_each(|(byte, place)| *place = c_char::from_ne_bytes([*byte]));
            let (info, mut comm, mut name) = (root(), std::ptr::null_mut(), [0; 128]);
            done!(HcclCommInitRootInfoConfig(1, &info, 0, &config, &mut comm));
            done!(HcclGetCommName(comm, name.as_mut_ptr()));
            let name: Vec<u8> =
                name.iter().take_while(|byte| **byte != 0).map(|byte| byte.to_ne_bytes()[0]).collect();
            assert_eq!(name, named(given), "{version}");
            done!(HcclCommDestroy(comm));
            config.magicWord = 0;
            assert_eq!(hccl!(HcclCommInitRootInfoConfig(1, &info, 0, &config, &mut comm)), HCCL_E_PARA);
        }
        assert_eq!(hccl!(HcclGetCommConfigCapability()), 12);
    });
}

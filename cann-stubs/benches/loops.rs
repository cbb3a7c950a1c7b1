//! The loops of the kernels: nanoseconds per element of sums over contiguous, broadcast, strided and transposed operands,
//! beside a loop that reads and writes the same bytes and computes nothing.
//!
//! An argument chooses the sums whose names hold it. The fastest of several rounds counts. On one processor
//! (`taskset -c 0`) a kernel runs on one thread.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a benchmark fails by panicking")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::ffi::c_void;
use std::hint::black_box;
use std::ptr;
use std::time::Instant;

use aclnn_numerics::DType::{self, *};
use support::*;

/// Squares of these sides are computed: in memory, in cache, and with rows that are short and begin anywhere in a line.
const SIDES: [usize; 3] = [4096, 1024, 316];

/// Elements from one to the next along both axes of a square of the given side.
type Strides = fn(i64) -> [i64; 2];

const ROWS: Strides = |side| [side, 1];

struct Sum {
    name: &'static str,
    a: (DType, Strides),
    b: (DType, Strides),
    out: DType,
}

const SUMS: &[Sum] = &[
    Sum { name: "f32+f32", a: (F32, ROWS), b: (F32, ROWS), out: F32 },
    Sum { name: "s8+s8", a: (I8, ROWS), b: (I8, ROWS), out: I8 },
    Sum { name: "f16+f32", a: (F16, ROWS), b: (F32, ROWS), out: F32 },
    Sum { name: "f16+f16", a: (F16, ROWS), b: (F16, ROWS), out: F16 },
    Sum { name: "[N,1]+[1,M]", a: (F32, |_| [1, 0]), b: (F32, |_| [0, 1]), out: F32 },
    Sum { name: "[N,M]+[M]", a: (F32, ROWS), b: (F32, |_| [0, 1]), out: F32 },
    Sum { name: "f32+f32 transposed", a: (F32, ROWS), b: (F32, |side| [1, side]), out: F32 },
    Sum { name: "f16+f32 transposed", a: (F16, ROWS), b: (F32, |side| [1, side]), out: F32 },
    Sum { name: "every other", a: (F32, |side| [2 * side, 2]), b: (F32, ROWS), out: F32 },
];

/// Elements that hold every element of a view.
fn reach(strides: [i64; 2], side: i64) -> i64 {
    1 + strides.iter().map(|stride| stride * (side - 1)).sum::<i64>()
}

/// Nanoseconds per element of the fastest round.
fn best(elements: usize, mut round: impl FnMut()) -> f64 {
    let rounds = if elements > 1 << 22 { 9 } else { 60 };
    let time = |_| {
        let begin = Instant::now();
        round();
        begin.elapsed().as_secs_f64() * 1e9 / elements as f64
    };
    (0..rounds).map(time).fold(f64::INFINITY, f64::min)
}

/// Reads `read` bytes and writes `written` bytes of ordinary memory.
fn limit(elements: usize, read: [usize; 2], written: usize) -> f64 {
    let sources = read.map(|bytes| vec![1_u64; bytes / 8 + 1]);
    let mut target = vec![0_u64; written / 8];
    best(elements, || {
        let seen = sources.iter().flatten().fold(0, |seen, word| seen ^ word);
        target.fill(black_box(seen));
        black_box(&mut target);
    })
}

fn sum(sum: &Sum, side: usize) -> (f64, f64) {
    let (dims, count) = ([side as i64; 2], side * side);
    let operand = |(dtype, strides): (DType, Strides)| {
        let strides = strides(side as i64);
        let storage = reach(strides, side as i64);
        let bytes = storage as usize * dtype.bits() / 8;
        let memory = malloc(bytes);
        write(memory, &vec![0_u8; bytes]);
        (strided(dtype, &dims, Some(&strides), 0, &[storage], memory), memory, bytes)
    };
    let ((a, a_memory, a_bytes), (b, b_memory, b_bytes)) = (operand(sum.a), operand(sum.b));
    let (out, out_memory, out_bytes) = operand((sum.out, ROWS));
    let alpha = scalar(1_i64);
    let add = EMULATOR.operators.Add().unwrap();
    let (mut size, mut executor) = (0, ptr::null_mut());
    let mut workspace = ptr::null_mut::<c_void>();
    let time = best(count, || {
        // SAFETY: the handles are live, the places valid, and null is the default stream.
        unsafe {
            assert_eq!(
                add.get_workspace_size(a, b, alpha, out, &mut size, &mut executor),
                0,
                "{}",
                message()
            );
            if size > 0 && workspace.is_null() {
                workspace = malloc(size as usize);
            }
            assert_eq!(add.launch(workspace, size, executor, ptr::null_mut()), 0, "{}", message());
            ok(EMULATOR.runtime.aclrtSynchronizeStream(ptr::null_mut()));
        }
    });
    for memory in [a_memory, b_memory, out_memory, workspace].into_iter().filter(|memory| !memory.is_null()) {
        // SAFETY: nothing uses the memory any more.
        ok(unsafe { EMULATOR.runtime.aclrtFree(memory) });
    }
    (time, limit(count, [a_bytes, b_bytes], out_bytes))
}

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    device();
    println!("{:<20} {:>6} {:>12} {:>12} {:>8}", "", "side", "ns/element", "limit", "ratio");
    for side in SIDES {
        for each in SUMS.iter().filter(|sum| sum.name.contains(&wanted)) {
            let (time, limit) = sum(each, side);
            println!("{:<20} {side:>6} {time:>12.3} {limit:>12.3} {:>8.2}", each.name, time / limit);
        }
    }
}

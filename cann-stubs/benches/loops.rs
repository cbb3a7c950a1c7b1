//! The loops of the kernels: nanoseconds per element of sums over contiguous, broadcast, strided and transposed operands,
//! beside a loop that reads and writes the same bytes and computes nothing.
//!
//! An argument chooses the sums whose names hold it; `threads` chooses the comparison of one thread with as many as the
//! process may use. The fastest of several rounds counts. On one processor (`taskset -c 0`) a kernel runs on one thread.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a benchmark fails by panicking")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::ffi::c_void;
use std::hint::black_box;
use std::num::NonZero;
use std::ptr;
use std::time::{Duration, Instant};

use aclnn_numerics::DType::{self, *};
use aclnn_sys::{aclScalar, aclTensor};
use cann_stubs::control;
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
fn reach(strides: [i64; 2], dims: [i64; 2]) -> i64 {
    1 + strides.iter().zip(dims).map(|(stride, size)| stride * (size - 1)).sum::<i64>()
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

/// A sum that can be launched again and again, and its memory.
struct Launch {
    tensors: [*mut aclTensor; 3],
    alpha: *mut aclScalar,
    memory: [*mut c_void; 3],
    workspace: *mut c_void,
    /// Elements of the result; bytes of the inputs and of the output.
    count: usize,
    bytes: [usize; 3],
}

impl Launch {
    fn new(sum: &Sum, dims: [i64; 2]) -> Launch {
        let operand = |(dtype, strides): (DType, Strides)| {
            let strides = strides(dims[1]);
            let storage = reach(strides, dims);
            let bytes = storage as usize * dtype.bits() / 8;
            let memory = malloc(bytes);
            write(memory, &vec![0_u8; bytes]);
            (strided(dtype, &dims, Some(&strides), 0, &[storage], memory), memory, bytes)
        };
        let operands = [sum.a, sum.b, (sum.out, ROWS)].map(operand);
        Launch {
            tensors: operands.map(|(tensor, ..)| tensor),
            alpha: scalar(1_i64),
            memory: operands.map(|(_, memory, _)| memory),
            workspace: ptr::null_mut(),
            count: (dims[0] * dims[1]) as usize,
            bytes: operands.map(|(.., bytes)| bytes),
        }
    }

    /// Computes the sum.
    fn run(&mut self) {
        let add = EMULATOR.operators.Add().unwrap();
        let ([a, b, out], mut size, mut executor) = (self.tensors, 0, ptr::null_mut());
        // SAFETY: the handles are live, the places valid, and null is the default stream.
        unsafe {
            let code = add.get_workspace_size(a, b, self.alpha, out, &mut size, &mut executor);
            assert_eq!(code, 0, "{}", message());
            if size > 0 && self.workspace.is_null() {
                self.workspace = malloc(size as usize);
            }
            assert_eq!(add.launch(self.workspace, size, executor, ptr::null_mut()), 0, "{}", message());
            ok(EMULATOR.runtime.aclrtSynchronizeStream(ptr::null_mut()));
        }
    }
}

impl Drop for Launch {
    fn drop(&mut self) {
        for memory in self.memory.into_iter().chain([self.workspace]).filter(|memory| !memory.is_null()) {
            // SAFETY: nothing uses the memory any more.
            ok(unsafe { EMULATOR.runtime.aclrtFree(memory) });
        }
    }
}

fn sum(sum: &Sum, side: usize) -> (f64, f64) {
    let mut launch = Launch::new(sum, [side as i64; 2]);
    let time = best(launch.count, || launch.run());
    let [a, b, out] = launch.bytes;
    (time, limit(launch.count, [a, b], out))
}

/// Nanoseconds per element of `rounds` launches, each after a pause: the median.
fn median(launch: &mut Launch, rounds: usize, pause: Duration) -> f64 {
    let mut times: Vec<f64> = (0..rounds)
        .map(|_| {
            let begin = Instant::now();
            while begin.elapsed() < pause {
                std::hint::spin_loop();
            }
            let begin = Instant::now();
            launch.run();
            begin.elapsed().as_secs_f64() * 1e9 / launch.count as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[rounds / 2]
}

/// Sums on one thread and on all that the process may use, launched in a row and each after a pause.
fn threads() {
    println!(
        "\n{:<20} {:>10} {:>8} {:>12} {:>12} {:>8}",
        "", "elements", "", "one thread", "threads", "ratio"
    );
    for name in ["f32+f32", "f16+f32"] {
        for count in [100_000, 1_000_000, 10_000_000, 100_000_000] {
            let each = SUMS.iter().find(|sum| sum.name == name).unwrap();
            let mut launch = Launch::new(each, [1, count]);
            let rounds = (30_000_000 / launch.count).clamp(5, 50);
            launch.run();
            for (how, pause) in [("in a row", Duration::ZERO), ("apart", Duration::from_millis(1))] {
                let mut best = [f64::INFINITY; 2];
                for _ in 0..5 {
                    let one = {
                        let _one = control::threads_everywhere(NonZero::<usize>::MIN);
                        median(&mut launch, rounds, pause)
                    };
                    let all = median(&mut launch, rounds, pause);
                    best = [best[0].min(one), best[1].min(all)];
                }
                let [one, all] = best;
                println!("{name:<20} {count:>10} {how:>8} {one:>12.3} {all:>12.3} {:>8.2}", one / all);
            }
        }
    }
}

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    device();
    if wanted == "threads" {
        return threads();
    }
    println!("{:<20} {:>6} {:>12} {:>12} {:>8}", "", "side", "ns/element", "limit", "ratio");
    for side in SIDES {
        for each in SUMS.iter().filter(|sum| sum.name.contains(&wanted)) {
            let (time, limit) = sum(each, side);
            println!("{:<20} {side:>6} {time:>12.3} {limit:>12.3} {:>8.2}", each.name, time / limit);
        }
    }
}

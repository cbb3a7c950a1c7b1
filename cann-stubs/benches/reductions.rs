//! Reductions and scans on one thread: nanoseconds per element, beside a loop that only reads the elements, and beside a
//! loop over a slice as one would write it by hand.
//!
//! An argument chooses those whose names hold it. The fastest of several rounds counts.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a benchmark fails by panicking")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::hint::black_box;
use std::num::NonZero;
use std::ptr;
use std::time::Instant;

use aclnn_numerics::DType::{self, *};
use aclnn_sys::*;
use cann_stubs::control;
use support::*;

struct Bench {
    name: &'static str,
    operator: &'static str,
    dtype: DType,
    /// Rows and columns, and the axis.
    dims: [i64; 2],
    axis: i64,
}

const fn bench(name: &'static str, operator: &'static str, dtype: DType, dims: [i64; 2], axis: i64) -> Bench {
    Bench { name, operator, dtype, dims, axis }
}

const LARGE: [i64; 2] = [4096, 4096];
const CACHED: [i64; 2] = [256, 512];

const BENCHES: &[Bench] = &[
    bench("sum f32 of rows", "ReduceSum", F32, LARGE, 1),
    bench("sum f32 of columns", "ReduceSum", F32, LARGE, 0),
    bench("sum f32 of rows, cached", "ReduceSum", F32, CACHED, 1),
    bench("sum f32 of columns, cached", "ReduceSum", F32, CACHED, 0),
    bench("sum f32 of all", "ReduceSum", F32, [1, 1 << 24], 1),
    bench("sum f32 of short rows", "ReduceSum", F32, [1 << 22, 4], 1),
    bench("sum f32 of short columns", "ReduceSum", F32, [4, 1 << 22], 0),
    bench("sum f16 of rows", "ReduceSum", F16, LARGE, 1),
    bench("sum f16 of columns", "ReduceSum", F16, LARGE, 0),
    bench("sum s32 of rows", "ReduceSum", I32, LARGE, 1),
    bench("amax f32 of rows", "Amax", F32, LARGE, 1),
    bench("amax s8 of rows", "Amax", I8, LARGE, 1),
    bench("argmax f32 of rows", "ArgMax", F32, LARGE, 1),
    bench("argmax f32 of columns", "ArgMax", F32, LARGE, 0),
    bench("any bool of rows", "Any", Bool, LARGE, 1),
    bench("variance f32 of rows", "VarCorrection", F32, LARGE, 1),
    bench("variance f32 of columns", "VarCorrection", F32, LARGE, 0),
    bench("logsumexp f32 of rows", "LogSumExp", F32, [1024, 1024], 1),
    bench("cumsum f32 of rows", "Cumsum", F32, LARGE, 1),
    bench("cumsum f32 of columns", "Cumsum", F32, LARGE, 0),
    bench("softmax f32 of rows", "Softmax", F32, [1024, 1024], 1),
];

/// Nanoseconds per element of the fastest round.
fn best(elements: usize, mut round: impl FnMut()) -> f64 {
    let rounds = if elements > 1 << 20 { 7 } else { 60 };
    let time = |_| {
        let begin = Instant::now();
        round();
        begin.elapsed().as_secs_f64() * 1e9 / elements as f64
    };
    (0..rounds).map(time).fold(f64::INFINITY, f64::min)
}

/// Reads so many bytes.
fn limit(elements: usize, bytes: usize) -> f64 {
    let words = vec![1_u64; bytes / 8];
    best(elements, || _ = black_box(words.iter().fold(0, |seen, word| seen ^ word)))
}

/// A sum of rows or columns of f32, as a loop with the running sums of eight lanes, or of the columns.
fn by_hand([rows, columns]: [usize; 2], axis: i64) -> f64 {
    let elements = vec![1.0_f32; rows * columns];
    best(elements.len(), || {
        if axis == 1 {
            for row in elements.chunks_exact(columns) {
                let mut sums = [0.0_f32; 8];
                for lanes in row.chunks_exact(8) {
                    sums.iter_mut().zip(lanes).for_each(|(sum, x)| *sum += x);
                }
                black_box(sums.iter().sum::<f32>());
            }
        } else {
            let mut sums = vec![0.0_f32; columns];
            for row in elements.chunks_exact(columns) {
                sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
            }
            black_box(sums);
        }
    })
}

macro_rules! launch {
    ($operator:ident($($argument:expr),*)) => {{
        let operator = EMULATOR.operators.$operator().expect("declared");
        // SAFETY: the handles are the emulator's.
        let planned = plan(|size, executor| unsafe { operator.get_workspace_size($($argument,)* size, executor) });
        assert_eq!(planned.code, 0, "{}", planned.message);
        let workspace = if planned.workspace > 0 { malloc(planned.workspace as usize) } else { ptr::null_mut() };
        // SAFETY: the executor is live, the workspace as large as it asked for, and nothing uses it afterwards.
        unsafe {
            ok(Ok::<_, ()>(operator.launch(workspace, planned.workspace, planned.executor, ptr::null_mut())));
            ok(EMULATOR.runtime.aclrtSynchronizeStream(ptr::null_mut()));
            if !workspace.is_null() {
                ok(EMULATOR.runtime.aclrtFree(workspace));
            }
        }
    }};
}

fn emulated(bench: &Bench) -> f64 {
    let Bench { operator, dtype, dims, axis, .. } = *bench;
    let count = (dims[0] * dims[1]) as usize;
    let bytes = count * dtype.bits() / 8;
    let [from, to] = [malloc(bytes), malloc(count * 8)];
    write(from, &vec![0x3C_u8; bytes]);
    let kept = [dims[1 - axis as usize]];
    let own = tensor(dtype, &dims, from);
    let out = |dtype: DType| tensor(dtype, &kept, to);
    let same = tensor(dtype, &dims, to);
    let code = aclDataType(dtype.acl_code().expect("a type of CANN"));
    // SAFETY: the array has one element.
    let axes = unsafe { EMULATOR.meta.aclCreateIntArray(&axis, 1) }.expect("declared");
    let time = best(count, || match operator {
        "ReduceSum" => launch!(ReduceSum(own, axes, false, code, out(dtype))),
        "Amax" => launch!(Amax(own, axes, false, out(dtype))),
        "ArgMax" => launch!(ArgMax(own, axis, false, out(I64))),
        "Any" => launch!(Any(own, axes, false, out(Bool))),
        "VarCorrection" => launch!(VarCorrection(own, axes, 1, false, out(dtype))),
        "LogSumExp" => launch!(LogSumExp(own, axes, false, out(dtype))),
        "Cumsum" => launch!(Cumsum(own, axis, code, same)),
        _ => launch!(Softmax(own, axis, same)),
    });
    for memory in [from, to] {
        // SAFETY: nothing uses the memory any more.
        ok(unsafe { EMULATOR.runtime.aclrtFree(memory) });
    }
    time
}

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    device();
    let _one = control::threads_everywhere(NonZero::<usize>::MIN);
    println!(
        "{:<28} {:>12} {:>10} {:>8} {:>10} {:>8}",
        "", "ns/element", "reads", "ratio", "by hand", "ratio"
    );
    for bench in BENCHES.iter().filter(|bench| bench.name.contains(&wanted)) {
        let time = emulated(bench);
        let dims = bench.dims.map(|size| size as usize);
        let count = dims[0] * dims[1];
        let limit = limit(count, count * bench.dtype.bits() / 8);
        print!("{:<28} {time:>12.3} {limit:>10.3} {:>8.2}", bench.name, time / limit);
        if bench.operator == "ReduceSum" && bench.dtype == F32 {
            let hand = by_hand(dims, bench.axis);
            print!(" {hand:>10.3} {:>8.2}", time / hand);
        }
        println!();
    }
}

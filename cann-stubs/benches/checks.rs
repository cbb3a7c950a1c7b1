//! What the checks cost: the same launches with checks off and on, as ratios measured in one run.
//!
//! Rounds of both levels alternate, and the fastest of each counts, so that a slow moment of the machine concerns neither.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a benchmark fails by panicking")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::ffi::c_void;
use std::hint::black_box;
use std::ptr;
use std::time::{Duration, Instant};

use aclnn_numerics::DType::{F16, F32};
use aclnn_sys::*;
use cann_stubs::control::{self, Level};
use support::*;

/// Rounds of each level.
const ROUNDS: usize = 20;

/// A sum that is launched again and again, planned anew each time as a program does.
struct Case {
    name: &'static str,
    launches: usize,
    tensors: fn() -> [*mut aclTensor; 3],
}

const BIG: i64 = 1 << 22;

fn floats(count: i64) -> *mut c_void {
    let bytes = count as usize * 4;
    let memory = malloc(bytes);
    // SAFETY: the memory has as many bytes.
    ok(unsafe { EMULATOR.runtime.aclrtMemset(memory, bytes, 0, bytes) });
    memory
}

fn dense(count: i64) -> *mut aclTensor {
    tensor(F32, &[count], floats(count))
}

fn columns(count: i64) -> *mut aclTensor {
    strided(F32, &[count], Some(&[2]), 0, &[2 * count], floats(2 * count))
}

fn square(strides: [i64; 2]) -> *mut aclTensor {
    strided(F32, &[2048, 2048], Some(&strides), 0, &[2048, 2048], floats(BIG))
}

const CASES: &[Case] = &[
    Case { name: "f32 + f32, 16 elements", launches: 2_000, tensors: || [dense(16), dense(16), dense(16)] },
    Case { name: "f32 + f32, 10^4 elements", launches: 500, tensors: || [10_000; 3].map(dense) },
    Case { name: "f32 + f32, 10^6 elements", launches: 20, tensors: || [1_000_000; 3].map(dense) },
    Case { name: "f32 + f32, 4·10^6 elements", launches: 5, tensors: || [BIG; 3].map(dense) },
    Case {
        name: "f16 + f32, 4·10^6 elements",
        launches: 5,
        tensors: || [tensor(F16, &[BIG], floats(BIG / 2)), dense(BIG), dense(BIG)],
    },
    Case {
        name: "every second f32, 4·10^6 elements",
        launches: 3,
        tensors: || [columns(BIG), dense(BIG), columns(BIG)],
    },
    Case {
        name: "transposed f32, 4·10^6 elements",
        launches: 2,
        tensors: || [square([1, 2048]), square([2048, 1]), square([2048, 1])],
    },
];

fn run(
    launches: usize,
    [a, b, out]: [*mut aclTensor; 3],
    alpha: *const aclScalar,
    workspace: *mut c_void,
) -> Duration {
    let add = EMULATOR.operators.Add().unwrap();
    let begin = Instant::now();
    for _ in 0..launches {
        let (mut size, mut executor) = (0, ptr::null_mut());
        // SAFETY: the handles are live, the places valid, and the workspace as large as any asks for.
        unsafe {
            assert_eq!(add.get_workspace_size(a, b, alpha, out, &mut size, &mut executor), 0);
            assert_eq!(black_box(add.launch(workspace, size, executor, ptr::null_mut())), 0, "{}", message());
        }
    }
    // SAFETY: null is the default stream.
    ok(unsafe { EMULATOR.runtime.aclrtSynchronizeStream(ptr::null_mut()) });
    begin.elapsed()
}

fn main() {
    device();
    let alpha = scalar(1_f32);
    println!("{:<36} {:>12} {:>12} {:>8}", "per launch", "off", "error", "ratio");
    for case in CASES {
        let mut fastest = [Duration::MAX; 2];
        for round in 0..ROUNDS {
            // Whoever comes second finds the machine warmer, so they take turns.
            let levels = [Level::Off, Level::Error];
            for turn in [round, round + 1] {
                let (level, fastest) = (levels[turn % 2], &mut fastest[turn % 2]);
                // Memory is tracked from its allocation on, so it is allocated at the level.
                let _level = control::check_everywhere(level);
                let (tensors, workspace) = ((case.tensors)(), malloc(128 << 20));
                for _ in 0..3 {
                    *fastest = (*fastest).min(run(case.launches, tensors, alpha, workspace));
                }
                // SAFETY: nothing of the device is used any more.
                ok(unsafe { EMULATOR.runtime.aclrtResetDeviceForce(0) });
                device();
            }
        }
        let [off, error] = fastest.map(|time| time.as_secs_f64() * 1e6 / case.launches as f64);
        println!("{:<36} {off:>9.2} µs {error:>9.2} µs {:>8.3}", case.name, error / off);
    }
}

//! What a launch costs beside its arithmetic: time and allocations of each way to launch a sum of sixteen elements.
//!
//! An argument chooses the ways whose names hold it. Rounds of all ways alternate, and the fastest of each counts, so that a slow moment of the machine concerns none.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a benchmark fails by panicking")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::ffi::c_void;
use std::hint::black_box;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use aclnn_numerics::DType::F32;
use aclnn_sys::*;
use cann_stubs::control::{self, Level, Mode};
use support::*;

/// Counts what the program and the emulator take from the heap.
struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is passed on to the system allocator; a counter does not touch the memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as for this function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as for this function.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as for this function.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static HEAP: Counting = Counting;

/// Fewer than what wakes a worker.
const LAUNCHES: usize = 512;
const ROUNDS: usize = 200;
const COUNT: i64 = 16;

/// Two sets of operands, taken in turns.
type Operands = [[*mut c_void; 3]; 2];

/// What lives as long as a way to launch is measured.
struct Setup {
    memory: Operands,
    tensors: [*mut aclTensor; 3],
    alpha: *mut aclScalar,
    repeatable: *mut aclOpExecutor,
}

/// A way to launch.
struct Way {
    name: &'static str,
    /// Plans that the cache of the library keeps.
    cache: usize,
    /// It is told the number of the launch.
    launch: fn(&Setup, usize),
}

const WAYS: &[Way] = &[
    Way { name: "described anew", cache: 10_000, launch: describe },
    Way { name: "described anew, no cache", cache: 0, launch: describe },
    Way { name: "planned anew", cache: 10_000, launch: plan_again },
    Way { name: "planned anew, no cache", cache: 0, launch: plan_again },
    Way { name: "repeated, new addresses", cache: 0, launch: move_and_repeat },
    Way { name: "repeated", cache: 0, launch: |setup, _| launch(setup.repeatable) },
];

fn describe(setup: &Setup, index: usize) {
    let tensors = setup.memory[index % 2].map(|memory| tensor(F32, &[COUNT], memory));
    let alpha = scalar(1_f32);
    launch(phase_one(tensors, alpha));
    // SAFETY: nothing uses them after phase two.
    unsafe {
        tensors.into_iter().for_each(|tensor| ok(EMULATOR.meta.aclDestroyTensor(tensor)));
        ok(EMULATOR.meta.aclDestroyScalar(alpha));
    }
}

fn plan_again(setup: &Setup, _: usize) {
    launch(phase_one(setup.tensors, setup.alpha));
}

fn move_and_repeat(setup: &Setup, index: usize) {
    let [a, b, out] = setup.tensors;
    let memory = setup.memory[index % 2];
    // SAFETY: the handles are live, the addresses are device memory.
    unsafe {
        ok(EMULATOR.meta.aclSetInputTensorAddr(setup.repeatable, 0, a, memory[0]));
        ok(EMULATOR.meta.aclSetInputTensorAddr(setup.repeatable, 1, b, memory[1]));
        ok(EMULATOR.meta.aclSetOutputTensorAddr(setup.repeatable, 0, out, memory[2]));
    }
    launch(setup.repeatable);
}

fn phase_one(tensors: [*mut aclTensor; 3], alpha: *const aclScalar) -> *mut aclOpExecutor {
    let add = EMULATOR.operators.Add().unwrap();
    let ([a, b, out], mut size, mut executor) = (tensors, 0, ptr::null_mut());
    // SAFETY: the handles are live, the places valid.
    let code = unsafe { add.get_workspace_size(a, b, alpha, out, &mut size, &mut executor) };
    assert_eq!((code, size), (0, 0), "{}", message());
    executor
}

fn launch(executor: *mut aclOpExecutor) {
    let add = EMULATOR.operators.Add().unwrap();
    // SAFETY: the executor is live; it asked for no workspace; null is the default stream.
    let code = unsafe { add.launch(ptr::null_mut(), 0, executor, ptr::null_mut()) };
    assert_eq!(code, 0, "{}", message());
}

fn synchronise() {
    // SAFETY: null is the default stream.
    ok(unsafe { EMULATOR.runtime.aclrtSynchronizeStream(ptr::null_mut()) });
}

fn floats() -> *mut c_void {
    let memory = malloc(COUNT as usize * 4);
    write(memory, &[1_f32; COUNT as usize]);
    memory
}

impl Setup {
    fn new() -> Setup {
        let _cache = control::executor_cache(0);
        let memory = [(); 2].map(|()| [(); 3].map(|()| floats()));
        let tensors = memory[0].map(|memory| tensor(F32, &[COUNT], memory));
        let alpha = scalar(1_f32);
        let repeatable = phase_one(tensors, alpha);
        // SAFETY: the executor is live and was not launched.
        ok(unsafe { EMULATOR.meta.aclSetAclOpExecutorRepeatable(repeatable) });
        Setup { memory, tensors, alpha, repeatable }
    }
}

/// The fastest round: until everything was submitted, until everything was done, and allocations of it all.
#[derive(Clone, Copy)]
struct Cost {
    submit: Duration,
    all: Duration,
    allocations: usize,
}

fn round(setup: &Setup, way: &Way) -> Cost {
    let _cache = control::executor_cache(way.cache);
    let (before, begin) = (ALLOCATIONS.load(Ordering::Relaxed), Instant::now());
    (0..LAUNCHES).for_each(|index| (way.launch)(setup, index));
    let submit = begin.elapsed();
    synchronise();
    let (all, after) = (begin.elapsed(), ALLOCATIONS.load(Ordering::Relaxed));
    Cost { submit, all, allocations: after - before }
}

/// Nanoseconds of a call into C that does nothing with four arguments.
fn empty_call() -> f64 {
    type Function = extern "C" fn(*mut c_void, u64, *mut c_void, *mut c_void) -> i32;
    extern "C" fn empty(_: *mut c_void, _: u64, _: *mut c_void, _: *mut c_void) -> i32 {
        black_box(0)
    }
    let function: Function = black_box(empty);
    let time = || {
        let begin = Instant::now();
        for _ in 0..100_000 {
            black_box(function(ptr::null_mut(), black_box(0), ptr::null_mut(), ptr::null_mut()));
        }
        begin.elapsed().as_secs_f64() * 1e9 / 1e5
    };
    (0..20).map(|_| time()).fold(f64::INFINITY, f64::min)
}

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let ways: Vec<_> = WAYS.iter().filter(|way| way.name.contains(&wanted)).collect();
    device();
    let empty = empty_call();
    println!("an empty call into C: {empty:.2} ns");
    println!(
        "{:<24} {:<9} {:<6} {:>10} {:>8} {:>8} {:>8} {:>12}",
        "per launch", "streams", "check", "submit", "run", "all", "÷ empty", "allocations"
    );
    let worst = Cost { submit: Duration::MAX, all: Duration::MAX, allocations: usize::MAX };
    for mode in [Mode::Lazy, Mode::Deferred] {
        for level in [Level::Off, Level::Error] {
            let _mode = control::streams_everywhere(mode);
            // Memory is tracked from its allocation on, so it is allocated at the level.
            let _level = control::check_everywhere(level);
            let setup = Setup::new();
            let mut best = vec![worst; ways.len()];
            for _ in 0..ROUNDS {
                for (way, best) in ways.iter().zip(&mut best) {
                    let cost = round(&setup, way);
                    *best = Cost {
                        submit: best.submit.min(cost.submit),
                        all: best.all.min(cost.all),
                        allocations: best.allocations.min(cost.allocations),
                    };
                }
            }
            for (way, cost) in ways.iter().zip(&best) {
                let each = |time: Duration| time.as_secs_f64() * 1e9 / LAUNCHES as f64;
                let (submit, all) = (each(cost.submit), each(cost.all));
                println!(
                    "{:<24} {:<9} {:<6} {submit:>7.0} ns {:>5.0} ns {all:>5.0} ns {:>8.0} {:>12.2}",
                    way.name,
                    mode.name(),
                    level.name(),
                    all - submit,
                    all / empty,
                    cost.allocations as f64 / LAUNCHES as f64,
                );
            }
        }
    }
}

//! A run of shapes that are known allocates no more on the host than the same calls of the safe layer.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use aclnn_onnx::{Model, Tensor};

use crate::child::{self, this_test};
use crate::support::device;
use crate::support::format::*;

/// The system's allocator, which counts what each thread asks for.
struct Counting;

thread_local!(static COUNT: Cell<usize> = const { Cell::new(0) });

fn count() {
    // Nobody counts while a thread ends.
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: all of it is the system's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as the caller promises.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations of this thread in a run after some others, which may fill caches.
fn in_the_steady_state(mut run: impl FnMut()) -> usize {
    (0..10).for_each(|_| run());
    let before = COUNT.get();
    run();
    COUNT.get() - before
}

/// How often the four operators below are repeated.
const TIMES: usize = 25;

#[test]
fn a_node_allocates_nothing() {
    child::with(this_test!(), &[], || {
        let device = device();
        let mut graph = Vec::new();
        for time in 0..TIMES {
            let name = |step: usize| match time * 4 + step {
                0 => "x".to_owned(),
                last if last == TIMES * 4 => "y".to_owned(),
                number => format!("v{number}"),
            };
            let steps = [("Relu", None), ("Add", Some("x")), ("Mul", Some("x")), ("Sigmoid", None)];
            for (step, (operator, second)) in steps.into_iter().enumerate() {
                let first = name(step);
                let inputs: Vec<&str> = std::iter::once(first.as_str()).chain(second).collect();
                graph.push(node(operator, &inputs, &[&name(step + 1)], Vec::new()));
            }
        }
        graph.extend([port(11, "x", F32, &[16]), port(12, "y", F32, &[16])]);
        let session = Model::from_bytes(model(&graph)).unwrap().session(&device).unwrap();
        let x = Tensor::from_slice(&device, &[0.5f32; 16], [16]).unwrap();
        let mut results = Vec::new();
        let of_session = in_the_steady_state(|| {
            let outputs = session.run([("x", &x)]).unwrap();
            device.synchronize().unwrap();
            drop(outputs);
        });
        results.push(session.run([("x", &x)]).unwrap().array("y").unwrap().to_vec::<f32>().unwrap());
        let direct = || {
            let mut y = x.clone();
            for _ in 0..TIMES {
                y = y.relu().unwrap().add(&x).unwrap().mul(&x).unwrap().sigmoid().unwrap();
            }
            y
        };
        let of_calls = in_the_steady_state(|| {
            let y = direct();
            device.synchronize().unwrap();
            drop(y);
        });
        results.push(direct().to_vec::<f32>().unwrap());
        assert_eq!(results[0], results[1]);
        // The name of the input, and a place for it: nothing for each of the hundred nodes.
        assert!(of_session <= of_calls + 8, "{of_session} by the session, {of_calls} by the calls alone");
    });
}

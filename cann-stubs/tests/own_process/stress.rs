//! Many threads, each with streams of its own: no wrong number, no leak, no report.

use std::ffi::c_void;
use std::ptr;
use std::thread;

use aclnn_numerics::DType::F32;
use cann_stubs::control::{self, Mode};

use crate::support::child::{self, this_test};
use crate::support::*;

const THREADS: usize = 64;
const STREAMS: usize = 3;

/// Operators of each thread. A build without optimisation needs 16 µs for each, so it does one batch; `.ci/run` also runs
/// this test with optimisation.
const OPERATORS: usize = if cfg!(debug_assertions) { BATCH } else { 50_000 };

/// Operators between two waits for a stream.
const BATCH: usize = 500;

/// Operators on one stream before the next goes on.
const TURN: usize = 50;

/// Adds one to every element of a counter, again and again, on one stream after the other.
fn count() {
    device();
    let runtime = &EMULATOR.runtime;
    let (counter, ones, one) = (malloc(32), malloc(32), scalar(1_f32));
    write(counter, &[0_f32; 8]);
    write(ones, &[1_f32; 8]);
    let (sum, addend) = (tensor(F32, &[8], counter), tensor(F32, &[8], ones));
    let (mut streams, mut event) = ([ptr::null_mut::<c_void>(); STREAMS], ptr::null_mut());
    // SAFETY: the places are valid.
    unsafe {
        for stream in &mut streams {
            ok(runtime.aclrtCreateStream(stream));
        }
        ok(runtime.aclrtCreateEvent(&mut event));
    }
    let add = EMULATOR.operators.InplaceAdd().unwrap();
    let mut stream = streams[0];
    for step in 0..OPERATORS {
        if step % TURN == 0 {
            let next = streams[step / TURN % STREAMS];
            // SAFETY: the streams and the event are live.
            unsafe {
                ok(runtime.aclrtRecordEvent(event, stream));
                ok(runtime.aclrtStreamWaitEvent(next, event));
            }
            stream = next;
        }
        let (mut size, mut executor) = (0, ptr::null_mut());
        // SAFETY: the handles are live, the places valid, and no workspace is asked for.
        unsafe {
            assert_eq!(add.get_workspace_size(sum, addend, one, &mut size, &mut executor), 0);
            assert_eq!((add.launch(ptr::null_mut(), size, executor, stream), size), (0, 0), "{}", message());
        }
        if step % BATCH == BATCH - 1 {
            // SAFETY: the stream is live.
            ok(unsafe { runtime.aclrtSynchronizeStream(stream) });
            assert_eq!(read::<f32>(counter, 8), [(step + 1) as f32; 8]);
        }
    }
    // SAFETY: everything is live until here.
    unsafe {
        for stream in streams {
            ok(runtime.aclrtDestroyStream(stream));
        }
        ok(runtime.aclrtDestroyEvent(event));
        assert_eq!(read::<f32>(counter, 8), [OPERATORS as f32; 8]);
        for tensor in [sum, addend] {
            ok(EMULATOR.meta.aclDestroyTensor(tensor));
        }
        ok(EMULATOR.meta.aclDestroyScalar(one));
        for memory in [counter, ones] {
            ok(runtime.aclrtFree(memory));
        }
    }
}

#[test]
fn threads_with_streams_of_their_own() {
    child::with(this_test!(), &[], || {
        for mode in Mode::ALL {
            let _mode = control::streams_everywhere(mode);
            thread::scope(|scope| {
                for _ in 0..THREADS {
                    scope.spawn(count);
                }
            });
            let (reports, live) = (control::reports(), control::live());
            assert!(reports.is_empty() && live.is_empty(), "{mode:?}: {reports:?} {live:?}");
        }
    });
}

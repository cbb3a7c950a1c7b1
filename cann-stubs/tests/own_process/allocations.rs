//! The steady state takes nothing from the heap.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr;

use aclnn_numerics::DType::F32;
use cann_stubs::control::{self, Level, Mode};

use crate::support::child::{self, this_test};
use crate::support::*;

/// Counts what each thread takes from the heap.
struct Counting;

thread_local!(static TAKEN: Cell<usize> = const { Cell::new(0) });

// SAFETY: everything is passed on to the system allocator; a counter of the thread does not touch the memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = TAKEN.try_with(|taken| taken.set(taken.get() + 1));
        // SAFETY: as for this function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as for this function.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static HEAP: Counting = Counting;

#[test]
fn a_repeated_launch_with_new_addresses_takes_nothing() {
    child::with(this_test!(), &[], || {
        for mode in [Mode::Lazy, Mode::Deferred, Mode::Inline] {
            for level in Level::ALL {
                let (_mode, _level) = (control::streams_everywhere(mode), control::check_everywhere(level));
                let _cache = control::executor_cache(0);
                device();
                let memory = [(); 2].map(|()| {
                    [(); 3].map(|()| {
                        let memory = malloc(64);
                        write(memory, &[1_f32; 16]);
                        memory
                    })
                });
                let [a, b, out] = memory[0].map(|memory| tensor(F32, &[16], memory));
                let (add, alpha) = (EMULATOR.operators.Add().unwrap(), scalar(1_f32));
                // SAFETY: the handles are live, the places valid.
                let planned = plan(|size, executor| unsafe {
                    add.get_workspace_size(a, b, alpha, out, size, executor)
                });
                // SAFETY: the executor is live and was not launched.
                ok(unsafe { EMULATOR.meta.aclSetAclOpExecutorRepeatable(planned.executor) });
                let some = || {
                    for addresses in memory.iter().cycle().take(100) {
                        // SAFETY: the handles are live, the addresses device memory; null is the default stream.
                        unsafe {
                            let set = |tensor, address| {
                                ok(EMULATOR.meta.aclSetTensorAddr(planned.executor, 0, tensor, address));
                            };
                            set(a, addresses[0]);
                            set(b, addresses[1]);
                            set(out, addresses[2]);
                            assert_eq!(add.launch(ptr::null_mut(), 0, planned.executor, ptr::null_mut()), 0);
                        }
                    }
                    // SAFETY: null is the default stream.
                    ok(unsafe { EMULATOR.runtime.aclrtSynchronizeStream(ptr::null_mut()) });
                };
                some();
                let before = TAKEN.get();
                some();
                assert_eq!(TAKEN.get() - before, 0, "{mode:?}, {level:?}");
                // SAFETY: nothing uses them any more.
                ok(unsafe { EMULATOR.meta.aclDestroyAclOpExecutor(planned.executor) });
            }
        }
    });
}

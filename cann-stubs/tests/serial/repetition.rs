//! Which executors repeat, and what the library's cache of plans lets a program see.

use std::ffi::c_void;
use std::ptr;

use aclnn_numerics::DType::{self, F16, F32, F64};
use aclnn_sys::*;
use cann_stubs::control::{self, Level, Mode};
use serial_test::serial;

use crate::support::*;

/// A sum of two floats with two floats.
struct Sum {
    memory: [*mut c_void; 3],
    tensors: [*mut aclTensor; 3],
}

fn sum(dtype: DType) -> Sum {
    let memory = [(); 3].map(|()| malloc(16));
    memory.iter().for_each(|memory| write(*memory, &[0_u8; 16]));
    Sum { memory, tensors: memory.map(|memory| tensor(dtype, &[2], memory)) }
}

impl Sum {
    fn plan_with(&self, alpha: f32) -> *mut aclOpExecutor {
        let add = EMULATOR.operators.Add().unwrap();
        let ([a, b, out], alpha) = (self.tensors, scalar(alpha));
        // SAFETY: the handles are live, the places valid.
        let planned =
            plan(|size, executor| unsafe { add.get_workspace_size(a, b, alpha, out, size, executor) });
        assert_eq!(planned.code, 0, "{}", planned.message);
        planned.executor
    }

    fn plan(&self) -> *mut aclOpExecutor {
        self.plan_with(1.0)
    }

    fn write(&self, a: [f32; 2], b: [f32; 2]) {
        write(self.memory[0], &a);
        write(self.memory[1], &b);
    }

    fn out(&self) -> Vec<f32> {
        read(self.memory[2], 2)
    }
}

fn launch(executor: *mut aclOpExecutor) -> i32 {
    let add = EMULATOR.operators.Add().unwrap();
    // SAFETY: the emulator checks every argument; null is the default stream.
    unsafe { add.launch(ptr::null_mut(), 0, executor, ptr::null_mut()) }
}

fn synchronise() {
    // SAFETY: null is the default stream.
    ok(unsafe { EMULATOR.runtime.aclrtSynchronizeStream(ptr::null_mut()) });
}

fn repeat(executor: *mut aclOpExecutor) -> i32 {
    // SAFETY: the emulator checks the handle.
    code(unsafe { EMULATOR.meta.aclSetAclOpExecutorRepeatable(executor) })
}

fn destroy(executor: *mut aclOpExecutor) {
    // SAFETY: as above.
    ok(unsafe { EMULATOR.meta.aclDestroyAclOpExecutor(executor) });
}

/// Whether an executor can be made repeatable; it is gone afterwards.
fn repeats(executor: *mut aclOpExecutor) -> bool {
    let code = repeat(executor);
    assert!([0, ACLNN_ERR_INNER].contains(&code), "{code}");
    destroy(executor);
    code == 0
}

#[test]
#[serial]
fn queued_launches_keep_their_addresses_and_outlive_their_executor() {
    for mode in Mode::ALL {
        let (_mode, _cache) = (control::streams_everywhere(mode), control::executor_cache(0));
        let _device = Device::set();
        let (first, second) = (sum(F32), sum(F32));
        first.write([1.0, 2.0], [10.0, 20.0]);
        second.write([3.0, 4.0], [30.0, 40.0]);
        let executor = first.plan();
        assert_eq!(repeat(executor), 0);
        assert_eq!(launch(executor), 0);
        for (tensor, address) in first.tensors.into_iter().zip(second.memory) {
            // SAFETY: the handles are live, the addresses are device memory.
            ok(unsafe { EMULATOR.meta.aclSetTensorAddr(executor, 0, tensor, address) });
        }
        assert_eq!(launch(executor), 0);
        destroy(executor);
        for tensor in first.tensors {
            // SAFETY: the tensor is live.
            ok(unsafe { EMULATOR.meta.aclDestroyTensor(tensor) });
        }
        synchronise();
        assert_eq!(first.out(), [11.0, 22.0], "{mode:?}");
        assert_eq!(second.out(), [33.0, 44.0], "{mode:?}");
    }
}

/// Memory that goes while work is queued is noticed when the work runs.
#[test]
#[serial]
fn queued_launches_notice_memory_that_went() {
    let _mode = control::streams_everywhere(Mode::Deferred);
    let (_level, _cache) = (control::check(Level::Off), control::executor_cache(0));
    let _device = Device::set();
    for input in 0..3 {
        let sum = sum(F32);
        assert_eq!(launch(sum.plan()), 0);
        // SAFETY: nobody reads the memory; the launch is what the test is about.
        ok(unsafe { EMULATOR.runtime.aclrtFree(sum.memory[input]) });
        // SAFETY: null is the default stream.
        let code = code(unsafe { EMULATOR.runtime.aclrtSynchronizeStream(ptr::null_mut()) });
        assert_eq!(code, ACL_ERROR_RT_AICORE_EXCEPTION, "{}", message());
    }
}

/// What a program sees of the cache.
#[test]
#[serial]
fn a_call_that_the_cache_answers_cannot_be_repeated() {
    let _cache = control::executor_cache(10_000);
    let _device = Device::set();
    let (first, second) = (sum(F32), sum(F32));
    assert_eq!(launch(first.plan()), 0);
    // Other addresses and other objects, but an identical call.
    let executor = second.plan();
    assert_eq!(repeat(executor), ACLNN_ERR_INNER);
    let told = message();
    assert!(told.contains("aclnnAdd") && told.contains("cache"), "{told}");
    // It is an ordinary executor still.
    second.write([1.0, 2.0], [10.0, 20.0]);
    assert_eq!(launch(executor), 0);
    synchronise();
    assert_eq!(second.out(), [11.0, 22.0]);
    assert_eq!(launch(executor), ACLNN_ERR_INNER, "the launch consumed it");
    assert!(!repeats(first.plan()));
}

#[test]
#[serial]
fn a_plan_answers_other_calls_from_its_first_launch_on() {
    let _cache = control::executor_cache(10_000);
    let _device = Device::set();
    let sum = sum(F32);
    assert!(repeats(sum.plan()), "nothing was launched");
    assert!(repeats(sum.plan()), "nothing was launched");
    let (first, second) = (sum.plan(), sum.plan());
    assert_eq!((launch(first), launch(second)), (0, 0), "both phases of two calls in turns");
    assert!(!repeats(sum.plan()));
}

#[test]
#[serial]
fn launches_of_a_repeatable_executor_do_not_fill_the_cache() {
    let _cache = control::executor_cache(10_000);
    let _device = Device::set();
    let sum = sum(F32);
    let executor = sum.plan();
    assert_eq!((repeat(executor), launch(executor), launch(executor)), (0, 0, 0));
    assert!(repeats(sum.plan()));
    destroy(executor);
    assert!(repeats(sum.plan()));
}

#[test]
#[serial]
fn calls_that_differ_in_anything_but_addresses_are_not_identical() {
    let _cache = control::executor_cache(10_000);
    let _device = Device::set();
    let base = sum(F32);
    let plan_with = |tensors: [*mut aclTensor; 3]| Sum { memory: base.memory, tensors }.plan();
    let [a, b, out] = base.tensors;
    assert_eq!(launch(base.plan()), 0);
    assert!(!repeats(plan_with([b, a, out])), "as before with other memory");
    let narrow = |dims: &[i64]| [0, 1, 2].map(|index| tensor(F32, dims, base.memory[index]));
    assert!(repeats(plan_with(narrow(&[1]))), "another shape");
    assert!(repeats(plan_with(narrow(&[2, 1]))), "another rank");
    let apart = |offset, storage: &[i64]| strided(F32, &[2], Some(&[1]), offset, storage, base.memory[0]);
    assert!(repeats(plan_with([apart(0, &[4]), b, out])), "another storage");
    assert!(repeats(plan_with([apart(1, &[2]), b, out])), "another offset");
    let half = tensor(F16, &[2], base.memory[0]);
    assert!(repeats(plan_with([half, b, out])), "another type");
    assert!(repeats(plan_with([a, a, out])), "tensors that share memory");
    assert!(repeats(plan_with([a, b, a])), "a result in place");
    assert!(repeats(base.plan_with(2.0)), "another alpha");
    let sub = EMULATOR.operators.Sub().unwrap();
    let alpha = scalar(1_f32);
    // SAFETY: the handles are live, the places valid.
    let planned = plan(|size, executor| unsafe { sub.get_workspace_size(a, b, alpha, out, size, executor) });
    assert!(repeats(planned.executor), "another operator");
}

#[test]
#[serial]
fn each_thread_has_its_own_cache_of_the_latest_plans() {
    let cache = control::executor_cache(4);
    let _device = Device::set();
    let sum = sum(F32);
    let go = |alpha: u8| assert_eq!(launch(sum.plan_with(f32::from(alpha))), 0);
    (0..4).for_each(go);
    assert!((0..4_u8).all(|alpha| !repeats(sum.plan_with(f32::from(alpha)))));
    (4..8).for_each(go);
    assert!(!repeats(sum.plan_with(7.0)), "the latest is kept");
    assert!(repeats(sum.plan_with(0.0)), "the oldest is not");
    drop(cache);

    let _cache = control::executor_cache(10_000);
    assert_eq!(launch(sum.plan()), 0);
    std::thread::spawn(|| {
        let _device = Device::set();
        assert!(repeats(self::sum(F32).plan()));
    })
    .join()
    .expect("the thread succeeds");
    assert!(!repeats(sum.plan()));
    let _off = control::executor_cache(0);
    assert_eq!(launch(sum.plan()), 0);
    assert!(repeats(sum.plan()), "the cache is off");
}

/// Plans with a task for the device's processors are never stored, and the processors add f64.
#[test]
#[serial]
fn plans_of_the_processors_are_not_kept_and_repeat() {
    let _cache = control::executor_cache(10_000);
    let _device = Device::set();
    let sum = sum(F64);
    for _ in 0..2 {
        assert_eq!(launch(sum.plan()), 0);
        assert!(repeats(sum.plan()));
    }
    synchronise();
}

/// Copies between device memory, and a result that is there already.
#[test]
#[serial]
fn plans_of_copies_do_not_repeat() {
    let _cache = control::executor_cache(10_000);
    let _device = Device::set();
    let (copy, cast) = (EMULATOR.operators.InplaceCopy().unwrap(), EMULATOR.operators.Cast().unwrap());
    let memory = [(); 2].map(|()| malloc(64));
    memory.iter().for_each(|memory| write(*memory, &[1_f32; 16]));
    let [a, b] = memory.map(|memory| tensor(F32, &[2, 2], memory));
    let halves = tensor(F16, &[2, 2], memory[1]);
    let turned = strided(F32, &[2, 2], Some(&[1, 2]), 0, &[4], memory[1]);
    let row = tensor(F32, &[2], memory[1]);
    let dtype = |dtype: DType| aclDataType(dtype.acl_code().unwrap());
    for (to, from, expected) in [
        (a, b, false),
        (a, a, false),
        (a, turned, true),
        (a, row, true),
        (a, halves, true),
        (halves, a, true),
    ] {
        // SAFETY: the handles are live, the places valid.
        let planned = plan(|size, executor| unsafe { copy.get_workspace_size(to, from, size, executor) });
        assert_eq!(planned.code, 0, "{}", planned.message);
        assert_eq!(repeats(planned.executor), expected);
    }
    for (from, to, target, expected) in [(a, b, F32, false), (a, halves, F16, true)] {
        // SAFETY: as above.
        let planned = plan(|size, executor| unsafe {
            cast.get_workspace_size(from, dtype(target), to, size, executor)
        });
        assert_eq!(planned.code, 0, "{}", planned.message);
        assert_eq!(repeats(planned.executor), expected);
    }
    // A refused one is an ordinary executor still.
    write(memory[0], &[5_f32; 4]);
    // SAFETY: as above.
    let planned = plan(|size, executor| unsafe { copy.get_workspace_size(b, a, size, executor) });
    assert_eq!(repeat(planned.executor), ACLNN_ERR_INNER);
    let told = message();
    assert!(told.contains("aclnnInplaceCopy") && told.contains("copy between device memory"), "{told}");
    // SAFETY: the executor is live and asked for no workspace.
    assert_eq!(unsafe { copy.launch(ptr::null_mut(), 0, planned.executor, ptr::null_mut()) }, 0);
    synchronise();
    assert_eq!(read::<f32>(memory[1], 4), [5.0; 4]);
}

/// A call without elements has a plan without kernels, which is kept like others.
#[test]
#[serial]
fn an_empty_call_is_kept() {
    let _cache = control::executor_cache(10_000);
    let _device = Device::set();
    let empty =
        Sum { memory: [ptr::null_mut(); 3], tensors: [(); 3].map(|()| tensor(F32, &[0], ptr::null_mut())) };
    assert!(repeats(empty.plan()));
    assert_eq!(launch(empty.plan()), 0);
    assert!(!repeats(empty.plan()));
}

/// Contiguous bytes of one type are copied by the device up to 400,000 on the 910B, by a kernel beyond.
#[test]
#[serial]
fn a_large_copy_is_a_kernel_and_repeats() {
    let _cache = control::executor_cache(10_000);
    let _device = Device::set();
    let copy = EMULATOR.operators.InplaceCopy().unwrap();
    for (count, expected) in [(100_000, false), (100_001, true)] {
        let [to, from] = [(); 2].map(|()| tensor(F32, &[count], malloc(4 * count as usize)));
        // SAFETY: the handles are live, the places valid.
        let planned = plan(|size, executor| unsafe { copy.get_workspace_size(to, from, size, executor) });
        assert_eq!(planned.code, 0, "{}", planned.message);
        assert_eq!(repeats(planned.executor), expected, "{count} floats");
    }
}

/// A call that the cache answers is judged like any other when it is launched.
#[test]
#[serial]
fn the_cache_hides_no_misuse() {
    let _cache = control::executor_cache(10_000);
    let _device = Device::set();
    let (first, second, third) = (sum(F32), sum(F32), sum(F32));
    assert_eq!(launch(first.plan()), 0);
    let executor = second.plan();
    // SAFETY: the tensor is live.
    ok(unsafe { EMULATOR.meta.aclDestroyTensor(second.tensors[1]) });
    assert_eq!(launch(executor), ACLNN_ERR_INNER_NULLPTR);
    let executor = third.plan();
    // SAFETY: nothing uses the memory.
    ok(unsafe { EMULATOR.runtime.aclrtFree(third.memory[0]) });
    assert_eq!(launch(executor), ACLNN_ERR_PARAM_INVALID);
    let short = sum(F32);
    let past = short.memory[0].wrapping_byte_add(28);
    // SAFETY: the tensor is live.
    ok(unsafe { EMULATOR.meta.aclSetRawTensorAddr(short.tensors[0], past) });
    assert_eq!(launch(short.plan()), ACLNN_ERR_PARAM_INVALID);
    synchronise();
}

#[test]
#[serial]
fn a_repeated_launch_sees_descriptors_that_changed() {
    let _cache = control::executor_cache(0);
    let _device = Device::set();
    let (sum, other) = (sum(F32), sum(F32));
    let executor = sum.plan();
    assert_eq!(repeat(executor), 0);
    sum.write([1.0, 2.0], [10.0, 20.0]);
    let again = || {
        assert_eq!(launch(executor), 0, "{}", message());
        synchronise();
    };
    (0..3).for_each(|_| again());
    assert_eq!(sum.out(), [11.0, 22.0]);
    // Another descriptor behind the handle of the output, with an address of its own.
    let [a, _, out] = sum.tensors;
    let (dims, dtype) = ([2_i64], ACL_FLOAT);
    // SAFETY: arrays of one element, and device memory.
    ok(unsafe {
        EMULATOR.meta.aclInitTensor(
            out,
            dims.as_ptr(),
            1,
            dtype,
            ptr::null(),
            0,
            ACL_FORMAT_ND,
            dims.as_ptr(),
            1,
            other.memory[2],
        )
    });
    sum.write([3.0, 4.0], [10.0, 20.0]);
    again();
    assert_eq!((sum.out(), other.out()), (vec![11.0, 22.0], vec![13.0, 24.0]));
    // An output that overlaps an input in part, and then does not.
    let move_out = |address: usize| {
        // SAFETY: the handles are live.
        ok(unsafe { EMULATOR.meta.aclSetTensorAddr(executor, 0, out, ptr::without_provenance_mut(address)) });
    };
    let wide = malloc(32);
    write(wide, &[5_f32; 8]);
    // SAFETY: the handles are live.
    ok(unsafe { EMULATOR.meta.aclSetTensorAddr(executor, 0, a, wide) });
    for _ in 0..2 {
        move_out(wide.addr() + 4);
        assert_eq!(launch(executor), ACLNN_ERR_RUNTIME_ERROR);
        assert!(message().contains("overlaps"));
        move_out(wide.addr() + 16);
        again();
        assert_eq!(read::<f32>(wide, 8), [5.0, 5.0, 5.0, 5.0, 15.0, 25.0, 5.0, 5.0]);
    }
    // SAFETY: the tensor is live.
    ok(unsafe { EMULATOR.meta.aclDestroyTensor(a) });
    assert_eq!(launch(executor), ACLNN_ERR_INNER_NULLPTR);
    let told = message();
    assert!(told.contains("self was destroyed before") && told.contains("must live"), "{told}");
    destroy(executor);
}

#[test]
#[serial]
fn the_stream_that_a_thread_used_last_is_not_found_when_it_is_gone() {
    let _cache = control::executor_cache(0);
    let _device = Device::set();
    let sum = sum(F32);
    let executor = sum.plan();
    assert_eq!(repeat(executor), 0);
    let add = EMULATOR.operators.Add().unwrap();
    // SAFETY: the emulator checks every argument.
    let launch_on = |stream| unsafe { add.launch(ptr::null_mut(), 0, executor, stream) };
    // SAFETY: the emulator checks the handle.
    let wait_for = |stream| code(unsafe { EMULATOR.runtime.aclrtSynchronizeStream(stream) });
    for _ in 0..3 {
        let stream = runtime::create_stream();
        assert_eq!((launch_on(stream), wait_for(stream)), (0, 0), "{}", message());
        // SAFETY: the stream is live.
        ok(unsafe { EMULATOR.runtime.aclrtDestroyStream(stream) });
        assert_eq!(wait_for(stream), ACL_ERROR_RT_PARAM_INVALID);
        assert!(message().contains("stream was destroyed before"));
        assert_eq!(launch_on(stream), ACLNN_ERR_RUNTIME_ERROR);
        assert!(message().contains("stream was destroyed before"));
    }
    destroy(executor);
}

//! The steady state takes nothing from the heap, and a heap that gives too little ends no process.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use aclnn_numerics::DType::{BF16, F16, F32, F64, I8, I32, I64};
use aclnn_sys::operators::Argument::{Bool, Float, Int, Ints, Null, Scalar, Tensor, Text};
use aclnn_sys::{ACL_ERROR_RT_MEMORY_ALLOCATION, aclFormat};
use cann_stubs::control::{self, Level, Mode};

use crate::support::child::{self, this_test};
use crate::support::*;

/// Counts what each thread takes from the heap, and gives no more than `MOST` bytes at once.
struct Counting;

pub(super) static MOST: AtomicUsize = AtomicUsize::new(usize::MAX);

thread_local!(static TAKEN: Cell<usize> = const { Cell::new(0) });

// SAFETY: everything is passed on to the system allocator; a counter of the thread does not touch the memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = TAKEN.try_with(|taken| taken.set(taken.get() + 1));
        if layout.size() > MOST.load(Relaxed) {
            return ptr::null_mut();
        }
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

/// Whatever a kernel needs beside its operands may be more than the host has, for operands that a device holds. On the 950 a
/// token that is rotated has few elements.
#[test]
fn memory_that_the_host_cannot_give_fails_the_call() {
    const MANY: i64 = 1 << 17;
    child::with(this_test!(), &[("CANN_STUBS_SOC", "Ascend910B")], || {
        device();
        let [a, b, c, d, e, f] = [(); 6].map(|()| {
            let memory = malloc(8 << 20);
            write(memory, &vec![0_u8; 8 << 20]);
            memory
        });
        let ints = |values: &[i64]| {
            // SAFETY: the values have the length that is passed.
            Ints(unsafe { EMULATOR.meta.aclCreateIntArray(values.as_ptr(), values.len() as u64) }.unwrap())
        };
        let of = |dtype, dims: &[i64], memory| {
            let format = aclFormat::of_rank(dims.len());
            Tensor(formatted(format, dtype, dims, None, 0, dims, memory))
        };
        let (zero, one) = (scalar(0_f32), scalar(1_f32));
        let layout = Text(c"BNSD".as_ptr().cast_mut());
        let calls = [
            (
                "Sort",
                vec![
                    of(F32, &[MANY], a),
                    Bool(true),
                    Int(0),
                    Bool(false),
                    of(F32, &[MANY], b),
                    of(I64, &[MANY], c),
                ],
            ),
            (
                "Unique2",
                vec![
                    of(F32, &[MANY], a),
                    Bool(true),
                    Bool(true),
                    Bool(true),
                    of(F32, &[MANY], b),
                    of(I64, &[MANY], c),
                    of(I64, &[MANY], d),
                ],
            ),
            ("Bincount", vec![of(I32, &[MANY], a), Null, Int(0), of(I64, &[MANY], b)]),
            ("Histc", vec![of(F32, &[4], a), Int(MANY), Scalar(zero), Scalar(one), of(F32, &[MANY], b)]),
            (
                "Multinomial",
                vec![of(F32, &[1, MANY], a), Int(1), Bool(true), Int(1), Int(0), of(I64, &[1, 1], b)],
            ),
            ("Inverse", vec![of(F64, &[512, 512], a), of(F64, &[512, 512], b)]),
            ("Slogdet", vec![of(F64, &[512, 512], a), of(F64, &[], b), of(F64, &[], c)]),
            (
                "LinalgQr",
                vec![of(F64, &[512, 256], a), Int(0), of(F64, &[512, 256], b), of(F64, &[256, 256], c)],
            ),
            (
                "Svd",
                vec![
                    of(F64, &[MANY, 1], a),
                    Bool(false),
                    Bool(true),
                    of(F64, &[1], b),
                    of(F64, &[MANY, 1], c),
                    of(F64, &[1, 1], d),
                ],
            ),
            (
                "Addbmm",
                vec![
                    of(F32, &[256, 256], a),
                    of(F32, &[8, 256, 1], b),
                    of(F32, &[8, 1, 256], c),
                    Scalar(one),
                    Scalar(one),
                    of(F32, &[256, 256], d),
                    Int(0),
                ],
            ),
            (
                "QuantMatmulV4",
                vec![
                    of(I8, &[512, 1], a),
                    of(I8, &[1, 512], b),
                    of(F32, &[1], c),
                    Null,
                    Null,
                    Null,
                    Bool(false),
                    Bool(false),
                    of(BF16, &[512, 512], d),
                ],
            ),
            (
                "WeightQuantBatchMatmulV2",
                vec![
                    of(F16, &[16, 512], a),
                    of(I8, &[512, 1024], b),
                    of(F16, &[1], c),
                    Null,
                    Null,
                    Null,
                    Null,
                    Int(0),
                    of(F16, &[16, 1024], d),
                ],
            ),
            (
                "FlashAttentionScore",
                vec![
                    of(F32, &[1, 1, 8, 4], a),
                    of(F32, &[1, 1, MANY, 4], b),
                    of(F32, &[1, 1, MANY, 4], b),
                    Null,
                    Null,
                    Null,
                    Null,
                    Null,
                    Float(1.0),
                    Float(1.0),
                    Int(9),
                    Int(9),
                    Int(1),
                    layout,
                    Int(0),
                    Int(0),
                    of(F32, &[1, 1, 8, 8], c),
                    of(F32, &[1, 1, 8, 8], d),
                    Null,
                    of(F32, &[1, 1, 8, 4], e),
                ],
            ),
            (
                "FlashAttentionScoreGrad",
                vec![
                    of(F32, &[1, 1, 8, 4], a),
                    of(F32, &[1, 1, MANY, 4], b),
                    of(F32, &[1, 1, MANY, 4], b),
                    of(F32, &[1, 1, 8, 4], a),
                    Null,
                    Null,
                    Null,
                    Null,
                    of(F32, &[1, 1, 8, 8], a),
                    of(F32, &[1, 1, 8, 8], a),
                    Null,
                    Null,
                    Null,
                    Float(1.0),
                    Float(1.0),
                    Int(9),
                    Int(9),
                    Int(1),
                    layout,
                    Int(0),
                    Int(0),
                    of(F32, &[1, 1, 8, 4], c),
                    of(F32, &[1, 1, MANY, 4], d),
                    of(F32, &[1, 1, MANY, 4], e),
                    Null,
                ],
            ),
            (
                "Convolution",
                vec![
                    of(F32, &[1, 512, 512], a),
                    of(F32, &[512, 512, 3], b),
                    Null,
                    ints(&[1]),
                    ints(&[0]),
                    ints(&[1]),
                    Bool(false),
                    ints(&[0]),
                    Int(1),
                    of(F32, &[1, 512, 510], c),
                    Int(0),
                ],
            ),
            ("EmbeddingRenorm", vec![of(F32, &[1, MANY], a), of(I64, &[1], b), Float(1.0), Float(2.0)]),
            (
                "EmbeddingDenseBackward",
                vec![
                    of(F32, &[1, MANY], a),
                    of(I64, &[1], b),
                    Int(1),
                    Int(-1),
                    Bool(false),
                    of(F32, &[1, MANY], c),
                ],
            ),
            (
                "AvgPool2d",
                vec![
                    of(F32, &[1, 1, 1, MANY], a),
                    ints(&[1, 1]),
                    ints(&[1, 1]),
                    ints(&[0, 0]),
                    Bool(false),
                    Bool(true),
                    Int(0),
                    Int(0),
                    of(F32, &[1, 1, 1, MANY], b),
                ],
            ),
            (
                "UpsampleBilinear2d",
                vec![
                    of(F32, &[1, 1, 1, MANY], a),
                    ints(&[1, MANY]),
                    Bool(false),
                    Float(0.0),
                    Float(0.0),
                    of(F32, &[1, 1, 1, MANY], b),
                ],
            ),
            (
                "ReflectionPad1dBackward",
                vec![
                    of(F32, &[1, MANY + 1], a),
                    of(F32, &[1, MANY], b),
                    ints(&[0, 1]),
                    of(F32, &[1, MANY], c),
                ],
            ),
            (
                "ReplicationPad1dBackward",
                vec![
                    of(F32, &[1, MANY + 1], a),
                    of(F32, &[1, MANY], b),
                    ints(&[0, 1]),
                    of(F32, &[1, MANY], c),
                ],
            ),
            (
                "RotaryPositionEmbedding",
                vec![
                    of(F16, &[1, 1, 1, MANY], a),
                    of(F16, &[1, 1, 1, MANY], b),
                    of(F16, &[1, 1, 1, MANY], c),
                    Int(1),
                    of(F16, &[1, 1, 1, MANY], d),
                ],
            ),
            (
                "FusedMatmul",
                vec![
                    of(F16, &[512, 1], a),
                    of(F16, &[1, 512], b),
                    Null,
                    Null,
                    Text(c"relu".as_ptr().cast_mut()),
                    Int(0),
                    of(F16, &[512, 512], c),
                ],
            ),
            (
                "AddRmsNorm",
                vec![
                    of(F32, &[1, MANY], a),
                    of(F32, &[1, MANY], b),
                    of(F32, &[MANY], c),
                    Float(1.0),
                    of(F32, &[1, MANY], d),
                    of(F32, &[1, 1], e),
                    of(F32, &[1, MANY], f),
                ],
            ),
        ];
        MOST.store(256 << 10, Relaxed);
        for (name, arguments) in calls {
            let operator = EMULATOR.operators.by_name(name).unwrap().unwrap();
            // SAFETY: the handles are the emulator's; the places are valid.
            let planned = plan(|size, executor| unsafe {
                operator.get_workspace_size(&arguments, size, executor).unwrap()
            });
            let code = match planned.code {
                0 => {
                    let (stream, workspace) =
                        (runtime::create_stream(), malloc(planned.workspace.max(1) as usize));
                    let launch = operator.launcher();
                    // SAFETY: the executor is live, and the workspace as large as it asked for.
                    ok(Ok::<_, ()>(unsafe {
                        launch(workspace, planned.workspace, planned.executor, stream)
                    }));
                    runtime::call!(aclrtSynchronizeStream(stream))
                }
                code => code,
            };
            assert_eq!(code, ACL_ERROR_RT_MEMORY_ALLOCATION, "{name}: {} {}", planned.message, message());
        }
        MOST.store(usize::MAX, Relaxed);
    });
}

/// A sum of more elements than any workspace has bytes for: the plan says so, and the launch fails without an end of the
/// process.
#[test]
fn a_sum_of_countless_elements_is_refused() {
    child::with(this_test!(), &[], || {
        device();
        let repeated = strided(F32, &[i64::MAX], Some(&[0]), 0, &[1], malloc(4));
        let arguments = [
            Tensor(repeated),
            // SAFETY: the place holds one number.
            Ints(unsafe { EMULATOR.meta.aclCreateIntArray([0_i64].as_ptr(), 1) }.unwrap()),
            Bool(false),
            aclnn_sys::operators::Argument::DType(aclnn_sys::aclDataType(0)),
            Tensor(tensor(F32, &[], malloc(4))),
        ];
        let operator = EMULATOR.operators.by_name("ReduceNansum").unwrap().unwrap();
        // SAFETY: the handles are the emulator's; the places are valid.
        let planned = plan(|size, executor| unsafe {
            operator.get_workspace_size(&arguments, size, executor).unwrap()
        });
        assert_eq!((planned.code, planned.workspace), (0, u64::MAX), "{}", planned.message);
        let (mut memory, size) = (ptr::null_mut(), planned.workspace as usize);
        let policy = aclnn_sys::ACL_MEM_MALLOC_HUGE_FIRST;
        // SAFETY: the place is valid.
        let code = unsafe { EMULATOR.runtime.aclrtMalloc(&mut memory, size, policy) }.unwrap();
        assert_ne!(code, 0);
        let launch = operator.launcher();
        // SAFETY: the executor is live; the workspace is refused.
        let code = unsafe { launch(ptr::null_mut(), 0, planned.executor, ptr::null_mut()) };
        assert_ne!(code, 0);
    });
}

/// The factors of a matrix are found without a panic, whatever its elements are.
#[test]
fn singular_values_of_any_elements() {
    child::with(this_test!(), &[], || {
        device();
        let numbers = [0.0_f32, -0.0, 1.0, -1.0, 1e-30, 1e30, f32::MAX, f32::MIN_POSITIVE, 1e-45];
        let operator = EMULATOR.operators.by_name("Svd").unwrap().unwrap();
        let mut random = crate::support::random::Random(3);
        for turn in 0..400 {
            let (m, n) = (1 + random.below(5), 1 + random.below(5));
            let mut element = || match turn % 4 {
                // Of low rank, and of numbers whose squares f64 does not hold.
                0 => numbers[random.below(2)],
                1 => [f32::NAN, f32::INFINITY, 1.0][random.below(3)],
                _ => numbers[random.below(numbers.len())],
            };
            let elements: Vec<f32> = (0..m * n).map(|_| element()).collect();
            let k = m.min(n);
            let is_full = turn % 8 < 4;
            let of = |dims: [usize; 2]| {
                let memory = malloc(4 * dims[0] * dims[1]);
                (memory, tensor(F32, &dims.map(|size| size as i64), memory))
            };
            let (from, own) = of([m, n]);
            write(from, &elements);
            let sigma = tensor(F32, &[k as i64], malloc(4 * k));
            let (left, u) = of([m, if is_full { m } else { k }]);
            let (_, v) = of([n, if is_full { n } else { k }]);
            let arguments = [Tensor(own), Bool(is_full), Bool(true), Tensor(sigma), Tensor(u), Tensor(v)];
            let stream = runtime::create_stream();
            // SAFETY: the handles are the emulator's; the places are valid.
            let planned = plan(|size, executor| unsafe {
                operator.get_workspace_size(&arguments, size, executor).unwrap()
            });
            assert_eq!(planned.code, 0, "{}", planned.message);
            let launch = operator.launcher();
            let workspace = malloc(planned.workspace.max(1) as usize);
            // SAFETY: the executor is live, and the workspace as large as it asked for.
            ok(Ok::<_, ()>(unsafe { launch(workspace, planned.workspace, planned.executor, stream) }));
            let code = runtime::call!(aclrtSynchronizeStream(stream));
            let is_finite = elements.iter().all(|element| element.is_finite());
            assert_eq!(code == 0, is_finite, "{elements:?}: {code} {}", message());
            if is_finite {
                // The columns are orthonormal, also where the matrix leaves their directions open.
                let (u, columns) =
                    (read::<f32>(left, m * if is_full { m } else { k }), if is_full { m } else { k });
                for (a, b) in (0..columns).flat_map(|a| (0..=a).map(move |b| (a, b))) {
                    let dot: f32 = (0..m).map(|row| u[row * columns + a] * u[row * columns + b]).sum();
                    let wanted = if a == b { 1.0 } else { 0.0 };
                    assert!((dot - wanted).abs() < 1e-4, "{elements:?} {m}x{n}: {u:?}");
                }
            }
        }
    });
}

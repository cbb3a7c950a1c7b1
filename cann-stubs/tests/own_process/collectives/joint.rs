//! Operators of several ranks, by the cases that `xtask/golden/joint.py` made: the ranks of a group call them together.

use std::ffi::{CStr, CString, c_void};
use std::ptr::null_mut;
use std::sync::Barrier;

use aclnn_numerics::DType::{F16, F32};
use aclnn_numerics::f16;
use aclnn_sys::operators::Argument as Passed;
use aclnn_sys::*;
use cann_stubs::control::{self, Mode};

use super::rank::{Rank, done, hccl, processes, root, threads};
use crate::support::cases::{Argument, Case, Layout, read_cases};
use crate::support::child::{self, this_test};
use crate::support::runtime::{call, create_stream, free, ok, upload};
use crate::support::{EMULATOR, Planned, malloc, message, plan, read, tensor, write};

const FILE: &[u8] = include_bytes!("../../data/joint.cases");
const SETTINGS: [(&str, &str); 2] = [("CANN_STUBS_DEVICES", "4"), ("CANN_STUBS_MEMORY", "64M")];

/// The calls of each rank of a group of so many.
fn cases(ranks: usize) -> Vec<Vec<Case>> {
    let product = format!("{ranks} ranks");
    let mut all = read_cases(FILE).into_iter().filter(|case| case.product == product).peekable();
    let mut together = Vec::new();
    while all.peek().is_some() {
        together.push(all.by_ref().take(ranks).collect());
    }
    together
}

fn name(comm: HcclComm) -> CString {
    let mut name = [0; 128];
    done!(HcclGetCommName(comm, name.as_mut_ptr()));
    // SAFETY: a text that ends with a zero byte.
    unsafe { CStr::from_ptr(name.as_ptr()) }.to_owned()
}

/// The same call, of the group that the rank has joined.
fn of_group(mut case: Case, own: &Rank) -> Case {
    let name = name(own.comm);
    for argument in &mut case.arguments {
        if matches!(argument, Argument::Text(text) if text.as_bytes() == b"group") {
            *argument = Argument::Text(name.clone());
        }
    }
    case
}

fn check(own: &Rank) {
    let together = cases(own.ranks);
    assert!(!together.is_empty());
    for mut calls in together {
        let case = of_group(calls.swap_remove(own.rank), own);
        for layout in [Layout::Contiguous, Layout::Gaps] {
            if let Err(why) = case.check(layout) {
                panic!("rank {} of {}: {why}", own.rank, own.ranks);
            }
        }
    }
}

#[test]
fn operators_of_ranks_as_threads() {
    child::with(this_test!(), &SETTINGS, || {
        [1, 2, 4].into_iter().for_each(|ranks| threads(ranks, check));
        let (reports, live) = (control::reports(), control::live());
        assert!(reports.is_empty() && live.is_empty(), "{reports:?} {live:?}");
    });
}

#[test]
fn operators_of_ranks_as_processes() {
    child::with(this_test!(), &SETTINGS, || processes(this_test!(), 2, None, check));
}

/// Phase one of a barrier of two ranks.
fn planned_barrier(comm: HcclComm, x: *mut aclTensor) -> Planned {
    let (name, ranks) = (name(comm), 2);
    let arguments = [Passed::Tensor(x), Passed::Text(name.as_ptr().cast_mut()), Passed::Int(ranks)];
    let barrier = EMULATOR.operators.by_name("DistributeBarrier").unwrap().unwrap();
    // SAFETY: the handles are the emulator's; the places are valid.
    plan(|size, executor| unsafe { barrier.get_workspace_size(&arguments, size, executor).unwrap() })
}

fn launch(operator: &str, planned: &Planned, workspace: *mut c_void, stream: *mut c_void) -> i32 {
    let operator = EMULATOR.operators.by_name(operator).unwrap().unwrap();
    // SAFETY: the executor is live, and the workspace as large as it asked for.
    unsafe { operator.launcher()(workspace, planned.workspace, planned.executor, stream) }
}

fn destroy(x: *mut aclTensor) {
    // SAFETY: the tensor is live and not used again.
    assert_eq!(unsafe { EMULATOR.meta.aclDestroyTensor(x) }.unwrap(), 0);
}

#[test]
fn a_rank_that_never_calls_an_operator_is_waited_for_as_long_as_for_a_collective() {
    let soon = [SETTINGS[0], SETTINGS[1], ("CANN_STUBS_RANK_TIMEOUT", "1")];
    child::with(this_test!(), &soon, || {
        let over = Barrier::new(2);
        threads(2, |own| {
            let memory = malloc(4);
            let x = tensor(F32, &[1], memory);
            if own.rank == 0 {
                let planned = planned_barrier(own.comm, x);
                assert_eq!(planned.code, 0, "{}", planned.message);
                assert_eq!(launch("DistributeBarrier", &planned, null_mut(), own.stream), 0);
                own.fails(
                    HCCL_E_TIMEOUT,
                    &["aclnnDistributeBarrier", "rank 1", "has called nothing of this group"],
                );
            }
            over.wait();
            destroy(x);
            free(memory);
        });
    });
}

#[test]
fn an_executor_that_is_kept_serves_launch_after_launch() {
    child::with(this_test!(), &SETTINGS, || {
        threads(2, |own| {
            let memory = malloc(4);
            let x = tensor(F32, &[1], memory);
            let planned = planned_barrier(own.comm, x);
            // SAFETY: the executor is live.
            let kept = unsafe { EMULATOR.meta.aclSetAclOpExecutorRepeatable(planned.executor) };
            assert_eq!(kept.unwrap(), 0, "{}", message());
            for _ in 0..3 {
                assert_eq!(launch("DistributeBarrier", &planned, null_mut(), own.stream), 0, "{}", message());
                own.wait();
            }
            // SAFETY: the executor is live, and its launches are over.
            assert_eq!(unsafe { EMULATOR.meta.aclDestroyAclOpExecutor(planned.executor) }.unwrap(), 0);
            destroy(x);
            free(memory);
        });
    });
}

/// The group is looked up in both phases.
#[test]
fn a_group_that_ends_between_the_phases_is_told_by_the_second() {
    child::with(this_test!(), &SETTINGS, || {
        ok!(aclrtSetDevice(0));
        let second = root();
        threads(2, |own| {
            let memory = malloc(4);
            let x = tensor(F32, &[1], memory);
            let ending = Rank::join(&second, own.rank, 2, own.rank as i32);
            let planned = planned_barrier(ending.comm, x);
            assert_eq!(planned.code, 0, "{}", planned.message);
            let name = name(ending.comm).into_string().unwrap();
            ending.leave();
            assert_eq!(launch("DistributeBarrier", &planned, null_mut(), own.stream), ACLNN_ERR_INNER);
            assert!(message().contains(&format!("is in no group {name} any more")), "{}", message());
            destroy(x);
            free(memory);
        });
    });
}

/// One thread calls for all ranks, and waits afterwards: no call waits for another rank.
#[test]
fn one_thread_drives_the_operators_of_all_ranks() {
    child::with(this_test!(), &SETTINGS, || {
        for mode in Mode::ALL {
            let _mode = control::streams_everywhere(mode);
            let (mut devices, mut comms) = ([1, 0], [null_mut(); 2]);
            ok!(aclrtSetDevice(0));
            done!(HcclCommInitAll(2, devices.as_mut_ptr(), comms.as_mut_ptr()));
            let mut ranks = Vec::new();
            for (rank, (comm, device)) in comms.into_iter().zip(devices).enumerate() {
                ok!(aclrtSetDevice(device));
                let stream = create_stream();
                let halves = |numbers: &[f32]| -> Vec<f16> {
                    numbers.iter().map(|number| f16::from_f32(*number)).collect()
                };
                let [x1, x2, out] = [16, 16, 16].map(malloc);
                write(x1, &halves(&[1.0, 2.0, 3.0, rank as f32]));
                write(x2, &halves(&[1.0, 0.0, 0.0, 1.0]));
                let tensors = [x1, x2, out].map(|memory| tensor(F16, &[2, 2], memory));
                let (name, sum) = (name(comm), c"sum");
                let arguments = [
                    Passed::Tensor(tensors[0]),
                    Passed::Tensor(tensors[1]),
                    Passed::Tensor(null_mut()),
                    Passed::Text(name.as_ptr().cast_mut()),
                    Passed::Text(sum.as_ptr().cast_mut()),
                    Passed::Int(0),
                    Passed::Int(1),
                    Passed::Tensor(tensors[2]),
                ];
                let operator = EMULATOR.operators.by_name("MatmulAllReduce").unwrap().unwrap();
                // SAFETY: the handles are the emulator's; the places are valid.
                let planned = plan(|size, executor| unsafe {
                    operator.get_workspace_size(&arguments, size, executor).unwrap()
                });
                assert_eq!(planned.code, 0, "{}", planned.message);
                let workspace =
                    if planned.workspace > 0 { malloc(planned.workspace as usize) } else { null_mut() };
                assert_eq!(launch("MatmulAllReduce", &planned, workspace, stream), 0, "{}", message());
                tensors.into_iter().for_each(destroy);
                ranks.push((device, stream, comm, [x1, x2, out, workspace]));
            }
            for (device, stream, comm, memory) in ranks {
                ok!(aclrtSetDevice(device));
                assert_eq!(call!(aclrtSynchronizeStream(stream)), 0, "{mode:?}: {}", message());
                let sums = read::<f16>(memory[2], 4).into_iter().map(f32::from);
                assert_eq!(sums.collect::<Vec<_>>(), [2.0, 4.0, 6.0, 1.0], "{mode:?}");
                memory.into_iter().filter(|memory| !memory.is_null()).for_each(free);
                ok!(aclrtDestroyStream(stream));
                done!(HcclCommDestroy(comm));
            }
        }
        let (reports, live) = (control::reports(), control::live());
        assert!(reports.is_empty() && live.is_empty(), "{reports:?} {live:?}");
    });
}

/// Phase one plans sizes that no memory has, or refuses them: it neither panics nor allocates by them.
#[test]
fn huge_tensors_are_planned_or_refused() {
    child::with(this_test!(), &SETTINGS, || {
        threads(1, |own| {
            let memory = malloc(64);
            for case in cases(1).into_iter().flatten().filter(|case| case.code == 0) {
                let case = of_group(case, own);
                let dims = |argument: &Argument| match argument {
                    Argument::Tensor(elements)
                    | Argument::Out { expected: elements, .. }
                    | Argument::InOut { before: elements, .. } => {
                        Some((elements.dtype, elements.dims.clone()))
                    }
                    _ => None,
                };
                let all: Vec<_> = case.arguments.iter().map(dims).collect();
                for huge in [1 << 31, 1 << 44, 1 << 62] {
                    // Each axis of each tensor, and the first axes or the last ones of all.
                    let places = (0..all.len()).flat_map(|own| [0, 1].map(|axis| (own..own + 1, axis)));
                    for (tensors, axis) in places.chain([(0..all.len(), 0), (0..all.len(), 1)]) {
                        let passed: Vec<Passed> = case
                            .arguments
                            .iter()
                            .zip(&all)
                            .enumerate()
                            .map(|(number, (argument, known))| {
                                let Some((dtype, dims)) = known else { return argument.pass_alone() };
                                let mut dims = dims.clone();
                                if let Some(size) = dims.get_mut(axis).filter(|_| tensors.contains(&number)) {
                                    *size = huge;
                                }
                                Passed::Tensor(tensor(*dtype, &dims, memory))
                            })
                            .collect();
                        let operator = EMULATOR.operators.by_name(&case.operator).unwrap().unwrap();
                        // SAFETY: the handles are the emulator's; the places are valid.
                        let planned = plan(|size, executor| unsafe {
                            operator.get_workspace_size(&passed, size, executor).unwrap()
                        });
                        assert!(!planned.message.contains("internal error"), "{}", planned.message);
                        if planned.code == 0 {
                            // SAFETY: the executor is live, and is not launched.
                            let ended = unsafe { EMULATOR.meta.aclDestroyAclOpExecutor(planned.executor) };
                            assert_eq!(ended.unwrap(), 0);
                        }
                        for argument in passed {
                            match argument {
                                Passed::Tensor(x) if !x.is_null() => destroy(x),
                                other => crate::support::cases::destroy(other),
                            }
                        }
                    }
                }
            }
            free(memory);
        });
    });
}

#[test]
fn a_group_is_found_by_its_name_and_device() {
    child::with(this_test!(), &SETTINGS, || {
        threads(2, |own| {
            let (name, mut found) = (name(own.comm), null_mut());
            done!(HcclCommGetHandleWithName(name.as_ptr(), &mut found));
            assert_eq!(found, own.comm);
            assert_eq!(hccl!(HcclCommGetHandleWithName(c"another".as_ptr(), &mut found)), HCCL_E_NOT_FOUND);
            assert!(
                message().contains(&format!("device {} is in no group another", own.rank)),
                "{}",
                message()
            );
            assert_eq!(hccl!(HcclCommGetHandleWithName(std::ptr::null(), &mut found)), HCCL_E_PTR);
            assert_eq!(hccl!(HcclCommGetHandleWithName(name.as_ptr(), null_mut())), HCCL_E_PTR);
            ok!(aclrtSetDevice(3));
            assert_eq!(hccl!(HcclCommGetHandleWithName(name.as_ptr(), &mut found)), HCCL_E_NOT_FOUND);
            ok!(aclrtResetDevice(3));
            ok!(aclrtSetDevice(own.rank as i32));
        });
    });
}

/// A dispatch that fails on one rank is told to the others, which wait for its rows: an expert that does not exist, and
/// rows that have no room.
#[test]
fn a_dispatch_that_fails_on_a_rank_fails_on_all() {
    child::with(this_test!(), &SETTINGS, || {
        for is_too_small in [false, true] {
            let queued = Barrier::new(2);
            threads(2, |own| {
                let mut together = cases(2);
                together.retain(|calls| calls[0].operator == "MoeDistributeDispatch" && calls[0].code == 0);
                let mut case = of_group(together.swap_remove(0).swap_remove(own.rank), own);
                for (number, argument) in case.arguments.iter_mut().enumerate() {
                    match argument {
                        // The experts that are chosen.
                        Argument::Tensor(ids) if number == 1 && own.rank == 1 && !is_too_small => {
                            ids.bytes[..4].copy_from_slice(&999_i32.to_ne_bytes());
                        }
                        // The rows, of which one is not enough for any rank, and their steps.
                        Argument::Out { expected, .. } if is_too_small && expected.dims.len() == 2 => {
                            expected.dims[0] = 1;
                        }
                        _ => {}
                    }
                }
                let mut memories = Vec::new();
                let passed: Vec<Passed> = case
                    .arguments
                    .iter()
                    .map(|argument| {
                        let (elements, is_read) = match argument {
                            Argument::Tensor(elements) => (elements, true),
                            Argument::Out { expected, .. } => (expected, false),
                            other => return other.pass_alone(),
                        };
                        let memory = malloc(elements.bytes.len().max(1));
                        if is_read {
                            upload(memory, &elements.bytes);
                        }
                        memories.push(memory);
                        Passed::Tensor(tensor(elements.dtype, &elements.dims, memory))
                    })
                    .collect();
                let operator = EMULATOR.operators.by_name(&case.operator).unwrap().unwrap();
                // SAFETY: the handles are the emulator's; the places are valid.
                let planned = plan(|size, executor| unsafe {
                    operator.get_workspace_size(&passed, size, executor).unwrap()
                });
                assert_eq!(planned.code, 0, "{}", planned.message);
                let workspace = malloc(planned.workspace as usize);
                assert_eq!(launch(&case.operator, &planned, workspace, own.stream), 0, "{}", message());
                queued.wait();
                assert_ne!(own.waited(), 0);
                let told = message();
                let expected: &[&str] = match (is_too_small, own.rank) {
                    (true, _) => &["rows are exchanged, but there is room for 1"],
                    (false, 1) => &["token 0 chooses expert 999, but experts are numbered from 0 to 3"],
                    (false, _) => &["rank 1", "gave up"],
                };
                expected.iter().for_each(|part| assert!(told.contains(part), "rank {}: {told}", own.rank));
                passed.into_iter().for_each(|argument| match argument {
                    Passed::Tensor(x) if !x.is_null() => destroy(x),
                    _ => {}
                });
                memories.into_iter().chain([workspace]).for_each(free);
            });
        }
    });
}

/// Tokens, the experts of each, all experts and the elements of a row of the layer below.
const TOKENS: usize = 6;
const CHOSEN: usize = 2;
const EXPERTS: usize = 4;
const WIDTH: usize = 32;

/// Device memory with elements, and a tensor of it.
fn placed<T: aclnn_numerics::Element>(values: &[T], dims: &[i64]) -> (*mut aclTensor, *mut c_void) {
    let memory = malloc(size_of_val(values).max(1));
    write(memory, values);
    (tensor(T::DTYPE, dims, memory), memory)
}

/// Calls an operator on the stream of a rank, and waits for it.
fn run(operator: &str, arguments: &[Passed], stream: *mut c_void) {
    let called = EMULATOR.operators.by_name(operator).unwrap().unwrap();
    // SAFETY: the handles are the emulator's; the places are valid.
    let planned =
        plan(|size, executor| unsafe { called.get_workspace_size(arguments, size, executor).unwrap() });
    assert_eq!(planned.code, 0, "{}", planned.message);
    let workspace = if planned.workspace > 0 { malloc(planned.workspace as usize) } else { null_mut() };
    assert_eq!(launch(operator, &planned, workspace, stream), 0, "{}", message());
    ok!(aclrtSynchronizeStream(stream));
    if !workspace.is_null() {
        free(workspace);
    }
}

/// A layer of experts, each a matrix, of which every rank has as many: dispatch, products and combination. Gives the rows of
/// the tokens of this rank.
fn layer(own: &Rank) -> Vec<f16> {
    let (rank, ranks) = (own.rank, own.ranks);
    let (tokens, local) = (TOKENS / ranks, EXPERTS / ranks);
    let half = |number: usize| f16::from_f32(number as f32 / 4.0);
    let first = rank * tokens;
    let x: Vec<f16> = (first * WIDTH..(first + tokens) * WIDTH).map(|place| half(place % 7)).collect();
    let chosen = |token: usize| [token * 3 % EXPERTS, (token * 3 + 1 + token % 3) % EXPERTS];
    let ids: Vec<i32> = (first..first + tokens).flat_map(chosen).map(|id| id as i32).collect();
    let factors: Vec<f32> =
        (first * CHOSEN..(first + tokens) * CHOSEN).map(|place| 1.0 / (1 + place % 4) as f32).collect();
    let room = TOKENS * CHOSEN;
    let sizes = |dims: [usize; 2]| dims.map(|size| size as i64);
    let x = placed(&x, &sizes([tokens, WIDTH]));
    let ids = placed(&ids, &sizes([tokens, CHOSEN]));
    let factors = placed(&factors, &sizes([tokens, CHOSEN]));
    let zero = f16::from_f32(0.0);
    let rows = placed(&vec![zero; room * WIDTH], &sizes([room, WIDTH]));
    let steps = placed(&vec![0_f32; room], &[room as i64]);
    let places = placed(&vec![0_i32; tokens * CHOSEN], &[(tokens * CHOSEN) as i64]);
    let counts = placed(&vec![0_i64; local], &[local as i64]);
    let received = placed(&vec![0_i32; local * ranks], &[(local * ranks) as i64]);
    let (unused, scales) = (placed(&[0_i32], &[1]), placed(&vec![0_f32; room], &[room as i64]));
    let (group, none) = (name(own.comm), c"");
    let attributes = |behind: &[i64]| -> Vec<Passed> {
        let text = |text: &CStr| Passed::Text(text.as_ptr().cast_mut());
        let numbers = |numbers: &[i64]| numbers.iter().map(|number| Passed::Int(*number)).collect::<Vec<_>>();
        let mut all = vec![text(&group)];
        all.extend(numbers(&[ranks as i64, rank as i64, EXPERTS as i64]));
        all.push(text(none));
        all.extend(numbers(&[0, 0, 0, 1, 0]));
        all.extend(numbers(behind));
        all
    };
    let tensors = |all: &[*mut aclTensor]| all.iter().map(|own| Passed::Tensor(*own)).collect::<Vec<_>>();
    let nothing = null_mut();
    let dispatch = [
        tensors(&[x.0, ids.0, nothing, nothing, nothing]),
        attributes(&[0, TOKENS as i64, 1]),
        tensors(&[rows.0, steps.0, places.0, counts.0, received.0, unused.0, scales.0]),
    ];
    run("MoeDistributeDispatch", &dispatch.concat(), own.stream);
    // Each expert multiplies its rows, which follow each other, by its matrix: halves on two diagonals.
    let made = placed(&vec![zero; room * WIDTH], &sizes([room, WIDTH]));
    let mut begin = 0;
    for (expert, count) in read::<i64>(counts.1, local).into_iter().enumerate() {
        let number = rank * local + expert;
        let matrix: Vec<f16> = (0..WIDTH * WIDTH)
            .map(|place| match (place / WIDTH + number) % WIDTH == place % WIDTH {
                true => half(number + 1),
                false => half(usize::from(place / WIDTH == place % WIDTH)),
            })
            .collect();
        let matrix = placed(&matrix, &sizes([WIDTH, WIDTH]));
        let part = |memory: *mut c_void| {
            tensor(F16, &[count, WIDTH as i64], memory.wrapping_byte_add(begin * WIDTH * 2))
        };
        let (input, output) = (part(rows.1), part(made.1));
        let arguments = [tensors(&[input, matrix.0, output]), vec![Passed::Int(0)]].concat();
        run("Mm", &arguments, own.stream);
        [input, output, matrix.0].into_iter().for_each(destroy);
        free(matrix.1);
        begin += count as usize;
    }
    let out = placed(&vec![zero; tokens * WIDTH], &sizes([tokens, WIDTH]));
    let combine = [
        tensors(&[made.0, ids.0, places.0, received.0, factors.0]),
        tensors(&[nothing; 6]),
        attributes(&[TOKENS as i64, 0, 0, 0]),
        tensors(&[out.0]),
    ];
    run("MoeDistributeCombine", &combine.concat(), own.stream);
    let result = read::<f16>(out.1, tokens * WIDTH);
    for (own, memory) in [x, ids, factors, rows, steps, places, counts, received, unused, scales, made, out] {
        destroy(own);
        free(memory);
    }
    result
}

#[test]
fn a_layer_of_experts_on_two_ranks_is_that_of_one_process() {
    child::with(this_test!(), &SETTINGS, || {
        processes(this_test!(), 2, None, |own| {
            // The whole layer on this rank alone.
            let alone = Rank::join(&root(), 0, 1, 0);
            let whole = layer(&alone);
            alone.leave();
            let tokens = TOKENS / own.ranks * WIDTH;
            assert_eq!(layer(own), whole[own.rank * tokens..][..tokens], "rank {}", own.rank);
            assert!(whole.iter().any(|number| f32::from(*number) > 1.0));
        });
    });
}

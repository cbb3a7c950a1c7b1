//! Phase one takes time and memory by the number of operands and axes, never by their sizes: huge tensors are only described.

use std::collections::BTreeMap;
use std::ffi::CStr;
use std::ptr;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use aclnn_numerics::DType::{self, F16, F32};
use aclnn_sys::operators::Argument as Passed;
use aclnn_sys::{ACL_ERROR_RT_MEMORY_ALLOCATION, aclFormat, aclTensor};

use super::allocations::MOST;
use crate::support::cases::{Argument, Case, golden_cases};
use crate::support::child::{self, this_test};
use crate::support::*;

/// Elements of an axis: more than any memory holds, and still few enough to be counted in bytes.
const HUGE: i64 = 1 << 40;

/// More than any call needs that keeps the rule.
const LARGEST_BLOCK: usize = 4 << 20;

/// Long after every call would have come back that keeps the rule.
const HANGS: Duration = Duration::from_secs(120);

/// Cases of each operator that are made huge.
const CASES: usize = 3;

#[test]
fn every_operator_plans_huge_tensors_without_time_or_memory() {
    child::with(this_test!(), &[], || {
        device();
        static CALL: Mutex<(String, Option<Instant>)> = Mutex::new((String::new(), None));
        std::thread::spawn(|| {
            loop {
                std::thread::sleep(Duration::from_secs(1));
                let call = CALL.lock().unwrap();
                if call.1.is_some_and(|since| since.elapsed() > HANGS) {
                    eprintln!("phase one does not come back: {}", call.0);
                    std::process::exit(1);
                }
            }
        });
        let mut asked: BTreeMap<String, usize> = BTreeMap::new();
        static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());
        std::panic::set_hook(Box::new(|panic| {
            // Not that of the assertions below, which come when no call is made.
            match &*CALL.lock().unwrap_or_else(PoisonError::into_inner) {
                (text, Some(_)) => PANICS.lock().unwrap().push(format!("{text}: {panic}")),
                _ => eprintln!("{panic}"),
            }
        }));
        let (mut calls, mut took) = (0, BTreeMap::new());
        for case in golden_cases() {
            let count = asked.entry(case.operator.clone()).or_default();
            if *count == CASES {
                continue;
            }
            *count += 1;
            let mut sizes: Vec<i64> = case.arguments.iter().flat_map(dims).copied().collect();
            sizes.sort_unstable();
            sizes.dedup();
            // One axis at a time, wherever there are so many elements; or all.
            for size in sizes.iter().map(|size| Some(*size)).chain([None]) {
                for is_repeated in [false, true] {
                    let text = format!("{} with {HUGE} for {size:?}, repeated: {is_repeated}", case.operator);
                    *CALL.lock().unwrap() = (text, Some(Instant::now()));
                    if plan_huge(&case, size, is_repeated) == Some(ACL_ERROR_RT_MEMORY_ALLOCATION) {
                        took.entry(case.operator.clone()).or_insert_with(message);
                    }
                    calls += 1;
                }
            }
        }
        CALL.lock().unwrap().1 = None;
        let declared = aclnn_sys::operators::all().count();
        // Others are of other products alone.
        assert!(asked.len() * 20 > declared * 17, "{} of {declared} operators have cases", asked.len());
        assert!(calls > 5000, "{calls} calls");
        let panics = PANICS.lock().unwrap();
        assert!(panics.is_empty(), "{} calls panic: {panics:#?}", panics.len());
        assert!(took.is_empty(), "{} operators want memory by the sizes: {took:#?}", took.len());
    });
}

fn dims(argument: &Argument) -> Vec<&i64> {
    match argument {
        Argument::Tensor(elements) | Argument::Spread(elements, _) => elements.dims.iter().collect(),
        Argument::Out { expected, .. }
        | Argument::InOut { expected, .. }
        | Argument::Sized { expected, .. } => expected.dims.iter().collect(),
        Argument::Tensors(list) => list.iter().flat_map(dims).collect(),
        _ => Vec::new(),
    }
}

/// Plans a case with [`HUGE`] in place of each size, or of one; elements of inputs may share memory. Only that the call comes
/// back counts, and that its code is not that of a host without memory.
fn plan_huge(case: &Case, size: Option<i64>, is_repeated: bool) -> Option<i32> {
    let enlarged = |dims: &[i64]| -> Vec<i64> {
        let is_meant = |own: &i64| size.is_none_or(|size| size == *own);
        dims.iter().map(|own| if is_meant(own) { HUGE } else { *own }).collect()
    };
    let mut passed: Vec<Passed> = Vec::new();
    for argument in &case.arguments {
        passed.push(match argument {
            Argument::Same(number) => passed[*number],
            other => pass(other, &enlarged, is_repeated),
        });
    }
    let operator = EMULATOR.operators.by_name(&case.operator).unwrap().unwrap();
    let (mut workspace, mut executor) = (0, ptr::null_mut());
    MOST.store(LARGEST_BLOCK, Relaxed);
    // SAFETY: the handles are the emulator's; the places are valid.
    let code = unsafe { operator.get_workspace_size(&passed, &mut workspace, &mut executor) };
    MOST.store(usize::MAX, Relaxed);
    if code == Some(0) {
        // SAFETY: the executor is live, and is not launched.
        unsafe { EMULATOR.meta.aclDestroyAclOpExecutor(executor) }.unwrap();
    }
    for passed in passed {
        // SAFETY: the object is live, and is not used again.
        unsafe {
            match passed {
                Passed::Tensor(tensor) => drop(EMULATOR.meta.aclDestroyTensor(tensor)),
                Passed::Tensors(list) => drop(EMULATOR.meta.aclDestroyTensorList(list)),
                _ => {}
            }
        }
    }
    code
}

fn pass(argument: &Argument, enlarged: &dyn Fn(&[i64]) -> Vec<i64>, is_repeated: bool) -> Passed {
    let (elements, is_repeated) = match argument {
        Argument::Tensor(elements) | Argument::Spread(elements, _) => (elements, is_repeated),
        Argument::Out { expected, .. }
        | Argument::InOut { expected, .. }
        | Argument::Sized { expected, .. } => (expected, false),
        Argument::Tensors(list) => {
            let tensors: Vec<*const aclTensor> = list
                .iter()
                .map(|argument| match pass(argument, enlarged, is_repeated) {
                    Passed::Tensor(tensor) => tensor.cast_const(),
                    _ => ptr::null(),
                })
                .collect();
            // SAFETY: the tensors have the length that is passed.
            let list = unsafe { EMULATOR.meta.aclCreateTensorList(tensors.as_ptr(), tensors.len() as u64) };
            return Passed::Tensors(list.expect("declared"));
        }
        other => return other.pass_alone(),
    };
    Passed::Tensor(described(elements.format, elements.dtype, &enlarged(&elements.dims), is_repeated))
}

/// A tensor at an address that nothing reads: contiguous, or one element again and again along huge axes.
fn described(format: aclFormat, dtype: DType, dims: &[i64], is_repeated: bool) -> *mut aclTensor {
    let mut strides = vec![0; dims.len()];
    let mut stride = 1_i64;
    for (to, size) in strides.iter_mut().zip(dims).rev() {
        if !(is_repeated && *size == HUGE) {
            *to = stride;
            stride = stride.saturating_mul((*size).max(1));
        }
    }
    formatted(format, dtype, dims, Some(&strides), 0, &[stride], ptr::without_provenance_mut(1 << 30))
}

/// Tensors of more elements than any memory holds, over 64 bytes: plans of them take neither time nor memory, and what lies
/// behind the 64 bytes is not touched. On the 950 a token that is rotated has few elements.
#[test]
fn huge_tensors_over_little_memory_are_planned_and_not_computed() {
    child::with(this_test!(), &[("CANN_STUBS_SOC", "Ascend910B")], || {
        device();
        let memory = malloc(64);
        write(memory, &[1_f32; 16]);
        let of = |dtype, dims: &[i64]| {
            Passed::Tensor(formatted(aclFormat::of_rank(dims.len()), dtype, dims, None, 0, dims, memory))
        };
        // SAFETY: the place holds two numbers.
        let borders = unsafe { EMULATOR.meta.aclCreateIntArray([1_i64, 1].as_ptr(), 2) }.unwrap();
        let row = || of(F32, &[1, 1, 1, 1 << 36]);
        let line = |size| of(F32, &[1, 1, size]);
        let matrices = || of(F16, &[1 << 36, 1, 1]);
        let text = |text: &'static CStr| Passed::Text(text.as_ptr().cast_mut());
        let padded = || vec![line((1 << 30) + 2), line(1 << 30), Passed::Ints(borders), line(1 << 30)];
        let product = |operation, x3| {
            vec![matrices(), matrices(), Passed::Null, x3, text(operation), Passed::Int(0), matrices()]
        };
        let calls = [
            ("RotaryPositionEmbedding", vec![row(), row(), row(), Passed::Int(1), row()]),
            ("ReflectionPad1dBackward", padded()),
            ("ReplicationPad1dBackward", padded()),
            ("FusedMatmul", product(c"", Passed::Null)),
            ("FusedMatmul", product(c"relu", Passed::Null)),
            ("FusedMatmul", product(c"add", matrices())),
        ];
        for (name, arguments) in calls {
            let operator = EMULATOR.operators.by_name(name).unwrap().unwrap();
            MOST.store(LARGEST_BLOCK, Relaxed);
            // SAFETY: the handles are the emulator's; the places are valid.
            let planned = plan(|size, executor| unsafe {
                operator.get_workspace_size(&arguments, size, executor).unwrap()
            });
            MOST.store(usize::MAX, Relaxed);
            assert_eq!(planned.code, 0, "{name}: {}", planned.message);
            let launch = operator.launcher();
            // SAFETY: the executor is live; the operands are refused before a workspace is used.
            let code = unsafe { launch(ptr::null_mut(), 0, planned.executor, ptr::null_mut()) };
            assert_ne!(code, 0, "{name}");
            assert!(message().contains("past the end"), "{name}: {}", message());
        }
        // Its tokens have few elements, so that a huge one is refused, and takes no memory either.
        let operator = EMULATOR.operators.by_name("ApplyRotaryPosEmb").unwrap().unwrap();
        let arguments = [row(), row(), row(), row(), Passed::Int(1)];
        MOST.store(LARGEST_BLOCK, Relaxed);
        // SAFETY: as above.
        let planned = plan(|size, executor| unsafe {
            operator.get_workspace_size(&arguments, size, executor).unwrap()
        });
        MOST.store(usize::MAX, Relaxed);
        assert!(![0, ACL_ERROR_RT_MEMORY_ALLOCATION].contains(&planned.code), "{}", planned.message);
    });
}

//! Phase one takes time and memory by the number of operands and axes, never by their sizes: huge tensors are only described.

use std::collections::BTreeMap;
use std::ptr;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use aclnn_numerics::DType;
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
        assert!(asked.len() * 10 > declared * 9, "{} of {declared} operators have cases", asked.len());
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

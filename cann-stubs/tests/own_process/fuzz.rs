//! Random calls of every operator, by seed: none panics, ends the process or does not come back. What it computes is not looked
//! at here.
//!
//! Half of the calls are cases of the golden files that are changed in places, so that many reach a kernel; the others follow
//! from the declarations alone. `FUZZ_CALLS` sets how many calls are made, `FUZZ_SEED` the first of their seeds, which a
//! failure tells.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use aclnn_numerics::DType;
use aclnn_sys::operators::{self, Argument as Passed, OperatorInfo, ParameterKind};
use aclnn_sys::*;
use cann_stubs::control::{self, Leaks};

use crate::support::cases::{Argument, Case, Elements, destroy, golden_cases};
use crate::support::child::{self, this_test};
use crate::support::random::Random;
use crate::support::*;

/// Calls of one process.
const RANGE: u64 = 20_000;

/// Crashes after which no more are looked for.
const CRASHES: usize = 20;

/// Long after every call would have come back.
const HANGS: u64 = 60;

/// Bytes in which all tensors of a call lie, so that some overlap.
const ARENA: usize = 256 << 10;

/// Elements of the largest tensor with which a kernel runs; larger ones are only planned.
const COMPUTED: i64 = 4096;

const SIZES: [i64; 12] = [0, 1, 2, 3, 4, 5, 7, 8, 16, 32, 33, 64];
const HUGE: [i64; 6] = [1 << 31, 1 << 32, 1 << 40, 1 << 62, i64::MAX, -1];
const INTS: [i64; 16] =
    [0, 1, 2, 3, 4, 8, 16, -1, -2, -3, 64, 1 << 31, -(1 << 31), 1 << 40, i64::MAX, i64::MIN];
const FLOATS: [f64; 12] =
    [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 1e-40, 1e-310, 1e300, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
/// Floats of several types, among them NaN, infinities and subnormals; small integers; anything.
const WORDS: [u64; 12] = [
    0,
    0x3F80_0000_3F80_0000,
    0x7FC0_0000_7F80_0000,
    0xFF80_0000_0000_0001,
    0x3C00_3C00_BC00_7C00,
    0x7E00_FC00_0001_8001,
    0x7FF8_0000_0000_0000,
    0x3FF0_0000_0000_0000,
    1,
    0x0000_0002_0000_0001,
    u64::MAX,
    0x0101_0001_0001_0100,
];

#[test]
fn random_calls_of_every_operator_come_back() {
    let number = |name: &str| std::env::var(name).ok().map(|value| value.parse::<u64>().expect("a number"));
    if child::is_child() {
        return make_calls(number("FUZZ_SEED").expect("set"), number("FUZZ_CALLS").expect("set"));
    }
    let mut seed = number("FUZZ_SEED").unwrap_or(0);
    let end = seed + number("FUZZ_CALLS").unwrap_or(5000);
    let (mut calls, mut launched, mut crashes) = (0, 0, Vec::new());
    while seed < end && crashes.len() < CRASHES {
        let count = RANGE.min(end - seed);
        let settings = [("FUZZ_SEED", seed.to_string()), ("FUZZ_CALLS", count.to_string())];
        let output = child::output(child::command(this_test!()).envs(settings));
        let [printed, told] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
        let last = |word: &str| {
            let line = printed.lines().rev().find_map(|line| line.strip_prefix(word));
            line.and_then(|line| line.split(' ').next()?.parse::<u64>().ok())
        };
        launched += printed.lines().filter(|line| *line == "launched").count();
        let reached = last("call ").expect("each call tells its seed");
        calls += reached + 1 - seed;
        if !output.status.success() {
            let call = printed.lines().rev().find(|line| line.starts_with("call ")).unwrap_or_default();
            let tail: Vec<_> = told.lines().rev().take(12).collect();
            let tail: Vec<_> = tail.into_iter().rev().collect();
            crashes.push(format!(
                "FUZZ_SEED={reached} FUZZ_CALLS=1 ({call}): {}\n{}",
                output.status,
                tail.join("\n")
            ));
        }
        seed = reached + 1;
    }
    println!("{calls} calls, of which {launched} computed");
    assert!(crashes.is_empty(), "{calls} calls, {} crashes:\n{}", crashes.len(), crashes.join("\n"));
    assert!(calls < 1000 || launched * 50 > calls as usize, "only {launched} of {calls} calls computed");
}

/// A head begins so many strides after the one before it, which no integer may hold.
#[test]
fn attention_with_strides_that_overflow_does_not_panic() {
    child::with(this_test!(), &[], || {
        device();
        let (mut calls, mut refused) = (0, 0);
        for case in golden_cases().filter(|case| case.operator.starts_with("FlashAttentionScore")) {
            let strided = |elements: &Elements| {
                let strides = vec![i64::MAX; elements.dims.len()];
                let (format, dtype, dims) = (elements.format, elements.dtype, &elements.dims);
                let address = ptr::without_provenance_mut(1 << 30);
                Passed::Tensor(formatted(format, dtype, dims, Some(&strides), 0, dims, address))
            };
            let passed = case.arguments.iter().map(|argument| match argument {
                Argument::Tensor(elements)
                | Argument::Out { expected: elements, .. }
                | Argument::Sized { expected: elements, .. } => strided(elements),
                other => other.pass_alone(),
            });
            let passed: Vec<Passed> = passed.collect();
            let operator = EMULATOR.operators.by_name(&case.operator).expect("declared").expect("exported");
            let (mut workspace, mut executor) = (0, ptr::null_mut());
            // SAFETY: the handles are the emulator's, and the places are valid.
            let code = unsafe { operator.get_workspace_size(&passed, &mut workspace, &mut executor) };
            if code != Some(0) {
                refused += 1;
                let told = message();
                assert!(!told.contains("internal error"), "{}: {told}", case.operator);
                // Another code would say that CANN refuses the call.
                let is_left_out = told.contains("the emulator does not");
                let says_so = code == Some(ACLNN_ERR_INNER_FIND_KERNEL_ERROR);
                assert!(!is_left_out || says_so, "{}: {told}", case.operator);
            }
            calls += 1;
        }
        assert!(calls > 0 && refused > 0, "{refused} of {calls} calls are refused");
    });
}

fn make_calls(first: u64, count: u64) {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    std::thread::spawn(|| {
        loop {
            let before = NUMBER.load(Relaxed);
            std::thread::sleep(Duration::from_secs(HANGS));
            if before > 0 && NUMBER.load(Relaxed) == before {
                eprintln!("the call does not come back");
                std::process::abort();
            }
        }
    });
    // Those that the emulator catches count as well.
    std::panic::set_hook(Box::new(|panic| {
        eprintln!("{panic}");
        std::process::abort();
    }));
    let _leaks = control::leaks_everywhere(Leaks::Off);
    let mut cases: BTreeMap<String, Vec<Case>> = BTreeMap::new();
    for case in golden_cases() {
        cases.entry(case.operator.clone()).or_default().push(case);
    }
    let infos: Vec<_> = operators::all().collect();
    device();
    let mut arena = malloc(ARENA);
    // The harness has begun a line.
    println!();
    for seed in first..first + count {
        NUMBER.fetch_add(1, Relaxed);
        let info = infos[seed as usize % infos.len()];
        println!("call {seed} {}", info.name());
        // Neighbouring seeds have similar first numbers.
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let cases = cases.get(info.name()).map_or(&[][..], Vec::as_slice);
        let (healthy, _) =
            control::reports_of(|| Fuzz { random: &mut random, arena, largest: 0 }.call(info, cases));
        if !healthy {
            // SAFETY: no handle of the device is used again.
            ok(unsafe { EMULATOR.runtime.aclrtResetDeviceForce(0) });
            device();
            arena = malloc(ARENA);
        }
    }
}

struct Fuzz<'a> {
    random: &'a mut Random,
    arena: *mut c_void,
    /// Elements of the largest tensor.
    largest: i64,
}

impl Fuzz<'_> {
    fn one_in(&mut self, count: usize) -> bool {
        self.random.below(count) == 0
    }

    fn of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.random.below(values.len())]
    }

    /// Calls the operator once. Returns whether the device can be used further.
    fn call(mut self, info: &OperatorInfo, cases: &[Case]) -> bool {
        let words: Vec<u64> = (0..512).map(|_| self.of(&WORDS)).collect();
        write(
            self.arena,
            &words.repeat(ARENA / 8 / words.len()).into_iter().map(|word| word as i64).collect::<Vec<_>>(),
        );
        let case = (!cases.is_empty() && !self.one_in(4)).then(|| &cases[self.random.below(cases.len())]);
        // So many of a hundred places of a case are changed.
        let changes = self.of(&[0, 5, 20, 60]);
        let mut passed: Vec<Passed> = Vec::new();
        for (number, parameter) in info.parameters.iter().enumerate() {
            let one = match case.and_then(|case| case.arguments.get(number)) {
                Some(Argument::Same(other)) => passed[*other],
                Some(argument) => self.changed(argument, changes),
                None => self.made(parameter.kind),
            };
            passed.push(one);
        }
        let operator = EMULATOR.operators.by_name(info.name()).expect("declared").expect("exported");
        let (mut workspace, mut executor) = (0, ptr::null_mut());
        // SAFETY: the handles are the emulator's, and the places are valid.
        let code = unsafe { operator.get_workspace_size(&passed, &mut workspace, &mut executor) };
        let code = code.expect("arguments of the kinds of its parameters");
        let mut healthy = true;
        if code == 0 && (self.largest > COMPUTED || workspace as usize > 64 << 20) {
            // SAFETY: the executor is live, and is not launched.
            drop(unsafe { EMULATOR.meta.aclDestroyAclOpExecutor(executor) });
        } else if code == 0 {
            println!("launched");
            let memory = if workspace > 0 { malloc(workspace as usize) } else { ptr::null_mut() };
            // SAFETY: the workspace is as large as was asked for, and the executor of this operator.
            let code = unsafe { operator.launcher()(memory, workspace, executor, ptr::null_mut()) };
            // SAFETY: null is the default stream.
            let end = unsafe { EMULATOR.runtime.aclrtSynchronizeStream(ptr::null_mut()) }.expect("declared");
            healthy = code == 0 && end == 0;
            if healthy && !memory.is_null() {
                // SAFETY: nothing uses the memory any more.
                ok(unsafe { EMULATOR.runtime.aclrtFree(memory) });
            }
        }
        let same = |number: usize| {
            case.is_some_and(|case| matches!(case.arguments.get(number), Some(Argument::Same(_))))
        };
        for (_, passed) in passed.into_iter().enumerate().filter(|(number, _)| !same(*number)) {
            match passed {
                // SAFETY: the tensor is live, and is not used again.
                Passed::Tensor(tensor) => drop(unsafe { EMULATOR.meta.aclDestroyTensor(tensor) }),
                other => destroy(other),
            }
        }
        healthy
    }

    /// An argument of a case, or something else in its place.
    fn changed(&mut self, argument: &Argument, changes: usize) -> Passed {
        let is_changed = self.random.below(100) < changes;
        match argument {
            Argument::Tensor(elements)
            | Argument::Spread(elements, _)
            | Argument::InOut { before: elements, .. }
            | Argument::Out { expected: elements, .. }
            | Argument::Sized { expected: elements, .. } => self.tensor(elements, is_changed),
            Argument::Tensors(list) => {
                let mut tensors: Vec<Passed> = list.iter().map(|one| self.changed(one, changes)).collect();
                if is_changed {
                    tensors.truncate(self.random.below(list.len() + 1));
                }
                tensor_list(&tensors)
            }
            Argument::Scalar(dtype, _) if is_changed => self.scalar(*dtype),
            Argument::Ints(values) if is_changed => {
                let mut values = values.clone();
                if values.is_empty() || self.one_in(3) {
                    values.push(0);
                }
                let place = self.random.below(values.len());
                values[place] = self.of(&INTS);
                Argument::Ints(values).pass_alone()
            }
            Argument::Int(_) if is_changed => Passed::Int(self.of(&INTS)),
            Argument::Float(_) if is_changed => Passed::Float(self.of(&FLOATS)),
            Argument::Bool(value) if is_changed => Passed::Bool(!value),
            Argument::DType(_) if is_changed => Passed::DType(aclDataType(self.random.below(40) as i32 - 1)),
            Argument::Floats(_) | Argument::Bools(_) | Argument::Scalars(_) if is_changed => Passed::Null,
            other => other.pass_alone(),
        }
    }

    /// Any argument of a kind.
    fn made(&mut self, kind: ParameterKind) -> Passed {
        let c_type = kind.c_type();
        if c_type.contains('*') && self.one_in(8) {
            return Passed::Null;
        }
        let len = self.random.below(5);
        let is = |name: &str| c_type.contains(name);
        if is("aclTensorList") {
            let tensors: Vec<Passed> = (0..len).map(|_| self.any_tensor()).collect();
            tensor_list(&tensors)
        } else if is("aclTensor") {
            self.any_tensor()
        } else if is("aclScalarList") {
            let one = |fuzz: &mut Self| {
                Argument::Scalar(DType::F32, (fuzz.of(&FLOATS) as f32).to_le_bytes().to_vec())
            };
            Argument::Scalars((0..len).map(|_| one(self)).collect()).pass_alone()
        } else if is("aclScalar") {
            let dtype = self.dtype();
            self.scalar(dtype)
        } else if is("aclIntArray") {
            Argument::Ints((0..len).map(|_| self.of(&INTS)).collect()).pass_alone()
        } else if is("aclFloatArray") {
            Argument::Floats((0..len).map(|_| self.of(&FLOATS) as f32).collect()).pass_alone()
        } else if is("aclBoolArray") {
            Argument::Bools((0..len).map(|_| self.random.below(2) as u8).collect()).pass_alone()
        } else if is("char") {
            Passed::Text(self.of(&[c"", c"sum", c"BSND", c"none", c"ij,jk->ik"]).as_ptr().cast_mut())
        } else if is("aclDataType") {
            Passed::DType(aclDataType(self.random.below(40) as i32 - 1))
        } else if is("bool") {
            Passed::Bool(self.one_in(2))
        } else if is("float") || is("double") {
            Passed::Float(self.of(&FLOATS))
        } else {
            Passed::Int(self.of(&INTS))
        }
    }

    /// A type that has a code of CANN.
    fn dtype(&mut self) -> DType {
        std::iter::repeat_with(|| DType::from_acl_code(self.random.below(40) as i32))
            .flatten()
            .next()
            .expect("some")
    }

    fn scalar(&mut self, dtype: DType) -> Passed {
        let word = self.of(&WORDS).to_le_bytes();
        Argument::Scalar(dtype, [word, word].concat()).pass_alone()
    }

    fn any_tensor(&mut self) -> Passed {
        let (dtype, rank) = (self.dtype(), self.random.below(6));
        let dims: Vec<i64> = (0..rank).map(|_| self.of(&SIZES)).collect();
        self.tensor(&Elements::of_dims(dtype, &dims), true)
    }

    /// A tensor like `elements`, somewhere in the arena: changed in type, sizes, strides and offset, or as it is.
    fn tensor(&mut self, elements: &Elements, is_changed: bool) -> Passed {
        let (mut dtype, mut dims, mut format) = (elements.dtype, elements.dims.clone(), elements.format);
        let (mut is_repeated, mut offset) = (false, 0);
        if is_changed {
            match self.random.below(7) {
                0 => dtype = self.dtype(),
                1 if !dims.is_empty() => {
                    let axis = self.random.below(dims.len());
                    dims[axis] = self.of(&SIZES);
                }
                2 if !dims.is_empty() => {
                    let axis = self.random.below(dims.len());
                    dims[axis] = self.of(&HUGE);
                    is_repeated = true;
                }
                3 => drop(dims.pop()),
                4 => dims.push(self.of(&SIZES)),
                5 => offset = self.of(&[1, 3, -1, 1 << 40]),
                _ => {}
            }
            if dims.len() != elements.dims.len() {
                format = aclFormat::of_rank(dims.len());
            }
        }
        let mut strides = vec![0_i64; dims.len()];
        let mut stride = 1_i64;
        for (to, size) in strides.iter_mut().zip(&dims).rev() {
            *to = stride;
            stride = stride.saturating_mul((*size).max(1));
        }
        if is_repeated {
            strides
                .iter_mut()
                .zip(&dims)
                .filter(|(_, size)| HUGE.contains(size))
                .for_each(|(stride, _)| *stride = 0);
        }
        if is_changed && !dims.is_empty() && self.one_in(3) {
            let axis = self.random.below(dims.len());
            strides[axis] = self.of(&[0, -1, 1, 2, 7, -3, i64::MAX]);
        }
        let count = dims.iter().fold(1_i64, |count, size| count.saturating_mul(size.saturating_abs()));
        self.largest = self.largest.max(count);
        let bytes = (count as usize).saturating_mul(dtype.bits().div_ceil(8).max(1));
        let room = (ARENA / 64).saturating_sub(bytes.div_ceil(64)).max(1);
        let at = self.arena.wrapping_byte_add(self.random.below(room) * 64);
        if elements.bytes.len() == bytes && bytes > 0 && bytes <= ARENA / 2 {
            let values: Vec<u8> = elements.bytes.clone();
            write(at, &values);
        }
        let code = aclDataType(dtype.acl_code().expect("a type of CANN"));
        // SAFETY: sizes and strides have the lengths that are passed.
        let tensor = unsafe {
            EMULATOR.meta.aclCreateTensor(
                dims.as_ptr(),
                dims.len() as u64,
                code,
                strides.as_ptr(),
                offset,
                format,
                dims.as_ptr(),
                dims.len() as u64,
                at,
            )
        };
        match tensor.expect("declared") {
            tensor if tensor.is_null() => Passed::Null,
            tensor => Passed::Tensor(tensor),
        }
    }
}

fn tensor_list(tensors: &[Passed]) -> Passed {
    let handles = tensors.iter().map(|one| match one {
        Passed::Tensor(tensor) => tensor.cast_const(),
        _ => ptr::null(),
    });
    let handles: Vec<*const aclTensor> = handles.collect();
    // SAFETY: the tensors have the length that is passed.
    let list = unsafe { EMULATOR.meta.aclCreateTensorList(handles.as_ptr(), handles.len() as u64) };
    Passed::Tensors(list.expect("declared"))
}

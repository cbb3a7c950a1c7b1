//! Every C call of programs of the safe layer fails once, in turn: each failure is told, nothing crashes, nothing leaks,
//! and the same program works right afterwards.

#![cfg(feature = "emulator")]

mod programs;

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;

use aclnn::sys::{
    ACL_ERROR_RT_AICORE_EXCEPTION, ACL_ERROR_RT_DRV_INTERNAL_ERROR, ACL_ERROR_RT_MEMORY_ALLOCATION,
    HCCL_E_DRV,
};
use aclnn::{Backend, Device, Error};
use cann_stubs::Support;
use cann_stubs::control::{self, Leaks, Live, Mode, When};
use programs::Program;

use crate::support;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// What a call that fails to release something leaves: exactly one of these.
const LEFT_BY: &[(&str, &str)] = &[
    ("aclrtFree", "device memory"),
    ("aclrtDestroyStream", "stream"),
    ("aclrtDestroyEvent", "event"),
    ("aclDestroyTensor", "tensor"),
    ("aclDestroyScalar", "scalar"),
    ("aclDestroyIntArray", "array of integers"),
    ("aclDestroyTensorList", LIST),
    ("aclDestroyScalarList", SCALARS),
    ("aclDestroyAclOpExecutor", "executor"),
    ("HcclCommDestroy", "communicator"),
];

/// Runs a program, and then what tells a failure of its last drops.
fn run(program: &Program) -> Result<Vec<f64>, Error> {
    let values = (program.run)();
    let ended = Device::open(0).and_then(|device| Ok(device.close()?));
    values.and_then(|values| ended.map(|()| values))
}

/// How often a program calls each function, and how often one queues work, under the name of a fault. `None` where the
/// product lacks an operator of the program.
fn calls(program: &Program) -> Option<Vec<(String, u64)>> {
    // What refuses is called by no program.
    let names = cann_stubs::entry_points().filter(|entry| !matches!(entry.support(), Support::Refuses(_)));
    let names = names.map(|entry| entry.name());
    let faults = names.flat_map(|name| [name.to_owned(), format!("run:{name}")]);
    let counters: Vec<_> = faults.map(|name| (control::fail(&name, When::Nth(u64::MAX), 1), name)).collect();
    let values = run(program);
    if values.is_err() && Device::open(0).is_ok_and(|device| support::is_missing(&device, &values)) {
        return None;
    }
    assert!(values.as_ref().is_ok_and(|values| values == program.values), "{}: {values:?}", program.name);
    let made = counters.into_iter().map(|(counter, name)| (name, counter.calls()));
    Some(made.filter(|(_, calls)| *calls > 0).collect())
}

/// The codes with which a function fails here.
fn codes(function: &str) -> &'static [i32] {
    if function.starts_with("run:") {
        &[ACL_ERROR_RT_AICORE_EXCEPTION]
    } else if function == "aclrtMalloc" {
        &[ACL_ERROR_RT_DRV_INTERNAL_ERROR, ACL_ERROR_RT_MEMORY_ALLOCATION]
    } else if function.starts_with("Hccl") {
        const { &[HCCL_E_DRV.0.cast_signed()] }
    } else {
        &[ACL_ERROR_RT_DRV_INTERNAL_ERROR]
    }
}

/// Whether the program may succeed although the call fails, as nothing depends on it.
fn may_succeed(function: &str, code: i32) -> bool {
    match function {
        // They have no way to tell.
        "aclrtGetSocName" | "aclGetRecentErrMsg" => true,
        // An executor that cannot be kept is launched once.
        "aclSetAclOpExecutorRepeatable" => true,
        // In a drop, as while a thread ends: what is dropped stays until its device ends.
        "aclrtSetCurrentContext" => true,
        // Memory that no tensor uses is freed, and then there is enough.
        "aclrtMalloc" => code == ACL_ERROR_RT_MEMORY_ALLOCATION,
        _ => false,
    }
}

/// What happened to the faults of a program.
#[derive(Default)]
struct Counts {
    injected: usize,
    told: usize,
    harmless: usize,
    left: usize,
}

/// How many calls of a function fail, each in a run of its own, before the whole program runs once without a failure. Each
/// run shows, up to its own failure, most of what the one before has broken; a whole run takes twice as long.
const BEFORE_A_WHOLE_RUN: u64 = 4;

/// A call that is to fail.
struct Fault<'a> {
    function: &'a str,
    call: u64,
    code: i32,
    /// Whether the whole program runs without a failure afterwards.
    is_followed: bool,
}

/// Fails one call of a program, and says what is wrong about what follows.
fn strike(program: &Program, fault: &Fault<'_>, counts: &mut Counts) -> Result<(), String> {
    let &Fault { function, call, code, is_followed } = fault;
    let before = Found::now();
    // What a call leaves that fails to release it may end with its device; it is judged below.
    let leaks = control::leaks_everywhere(Leaks::Off);
    let fault = control::fail(function, When::Nth(call), code);
    let result = catch_unwind(AssertUnwindSafe(|| run(program))).map_err(|_| "it panicked")?;
    let struck = fault.struck();
    drop(fault);
    counts.injected += 1;
    if struck != 1 {
        return Err(format!("the fault struck {struck} times"));
    }
    told(program, function, code, &result, counts)?;
    // What follows from a failure may be told in turn, but comes to an end.
    let _ = Device::open(0).map(Device::close);
    drop(leaks);
    if is_followed {
        let again = run(program);
        if !again.as_ref().is_ok_and(|values| values == program.values) {
            return Err(format!("afterwards: {again:?}"));
        }
    }
    let after = Found::now();
    if after.reports != before.reports {
        return Err(format!("reports: {:?}", control::reports().get(before.reports..)));
    }
    let left: Vec<_> = after.live.iter().filter(|one| !before.has(one)).collect();
    // The last handle of a device could not begin to end it: everything of it stays.
    let stays = function == "aclrtSetCurrentContext"
        && result
            .as_ref()
            .is_err_and(|error| error.to_string().starts_with("earlier, while dropping a device"));
    is_left(function, &left, stays, counts)
}

/// The program was told of the failure, or nothing depends on it.
fn told(
    program: &Program,
    function: &str,
    code: i32,
    result: &Result<Vec<f64>, Error>,
    counts: &mut Counts,
) -> Result<(), String> {
    match result {
        Ok(values) if values != program.values => return Err(format!("wrong values: {values:?}")),
        Ok(_) if may_succeed(function, code) => counts.harmless += 1,
        Ok(_) => return Err("nobody was told".to_owned()),
        Err(error) => {
            let (name, text) = (function.trim_start_matches("run:"), error.to_string());
            // Work that fails at once fails its group before its stream is asked.
            let is_group = matches!(error, Error::GroupFailed { .. }) && function.starts_with("run:Hccl");
            let own = (error.code() == Some(code) || is_group) && text.contains(name);
            if !own && !text.contains(&format!("{name} returned null")) {
                return Err(format!("something else was told: {text}"));
            }
            counts.told += 1;
        }
    }
    Ok(())
}

/// The kind of a list of tensors.
const LIST: &str = "list of tensors";

/// The kind of a list of scalars.
const SCALARS: &str = "list of scalars";

/// What is left is exactly what the function was to release. It is released here.
fn is_left(function: &str, left: &[&Live], stays: bool, counts: &mut Counts) -> Result<(), String> {
    // A list takes what is in it with it.
    let (lists, others): (Vec<&Live>, Vec<&Live>) =
        left.iter().partition(|one| [LIST, SCALARS].contains(&one.kind));
    lists.iter().try_for_each(|list| release(list))?;
    let rest = Found::now();
    let (others, gone): (Vec<&Live>, Vec<&Live>) = others.iter().partition(|one| rest.has(one));
    others.iter().try_for_each(|one| release(one))?;
    let gone = gone.into_iter().filter(|one| !["tensor", "scalar"].contains(&one.kind));
    let left = &[lists, others, gone.collect()].concat()[..];
    let was_set = is_set();
    reset();
    let kind = LEFT_BY.iter().find(|(by, _)| *by == function).map(|(_, kind)| *kind);
    let expected = match left {
        [] => !was_set || stays || function == "aclrtResetDevice",
        [one] => stays || (Some(one.kind) == kind && !was_set),
        _ => stays,
    };
    if !expected {
        let kinds: Vec<_> = left.iter().map(|one| one.kind).collect();
        return Err(format!("left: {kinds:?}, and the device{}", if was_set { "" } else { " not" }));
    }
    counts.left += usize::from(was_set || !left.is_empty());
    Ok(())
}

/// What the emulator knows of the process.
struct Found {
    live: Vec<Live>,
    reports: usize,
}

impl Found {
    fn now() -> Self {
        Found { live: control::live(), reports: control::reports().len() }
    }

    fn has(&self, one: &Live) -> bool {
        self.live.iter().any(|other| (other.kind, other.handle) == (one.kind, one.handle))
    }
}

fn backend() -> &'static Backend {
    Backend::get().unwrap_or_else(|error| unreachable!("{error}"))
}

/// Releases what a call that failed has left.
fn release(one: &Live) -> Result<(), String> {
    let (runtime, meta) = (backend().runtime(), backend().meta());
    let handle = one.handle as *mut c_void;
    // SAFETY: they live, nobody uses them any more, and the device was set for those that need it.
    let code = unsafe {
        let _ = runtime.aclrtSetDevice(0);
        let code = match one.kind {
            "device memory" => runtime.aclrtFree(handle),
            "stream" => runtime.aclrtDestroyStream(handle),
            "event" => runtime.aclrtDestroyEvent(handle),
            "tensor" => meta.aclDestroyTensor(handle.cast()),
            "scalar" => meta.aclDestroyScalar(handle.cast()),
            "array of integers" => meta.aclDestroyIntArray(handle.cast()),
            LIST => meta.aclDestroyTensorList(handle.cast()),
            SCALARS => meta.aclDestroyScalarList(handle.cast()),
            "communicator" => {
                backend().collectives().HcclCommDestroy(handle).map(|code| code.0.cast_signed())
            }
            _ => meta.aclDestroyAclOpExecutor(handle.cast()),
        };
        let _ = runtime.aclrtResetDevice(0);
        code
    };
    if code == Ok(0) { Ok(()) } else { Err(format!("{one:?} does not go: {code:?}")) }
}

/// Whether the device is still taken.
fn is_set() -> bool {
    let mut active = 0;
    // SAFETY: a valid place, and one that may be missing.
    let code = unsafe { backend().runtime().aclrtGetPrimaryCtxState(0, null_mut(), &mut active) };
    code == Ok(0) && active != 0
}

/// Gives the device back as often as it was taken.
fn reset() {
    while is_set() {
        // SAFETY: nobody has it.
        let _ = unsafe { backend().runtime().aclrtResetDevice(0) };
    }
}

/// Makes a test of each mode of the streams.
macro_rules! sweeps {
    ($($test:ident in $mode:ident;)*) => {
        $(
            #[test]
            fn $test() -> Outcome {
                every_call_fails_once(stringify!($test), Mode::$mode)
            }
        )*

        const _: () = assert!([$(Mode::$mode),*].len() == Mode::ALL.len());
    };
}

sweeps! {
    every_call_fails_once_as_work_is_queued in Inline;
    every_call_fails_once_while_a_worker_runs in Worker;
    every_call_fails_once_with_lazy_streams in Lazy;
    every_call_fails_once_with_deferred_work in Deferred;
}

/// In a process of its own, which nothing else uses and whose objects are counted.
fn every_call_fails_once(test: &str, mode: Mode) -> Outcome {
    // The emulator would record where each object was made, which takes most of the time.
    let variables = [("CANN_STUBS_STREAMS", mode.name()), ("RUST_BACKTRACE", "0")];
    if !support::is_embedded()? || !support::is_alone(module_path!(), test, &[variables])? {
        return Ok(());
    }
    // What one run leaves in the cache would change the calls that the next one makes.
    let _cache = control::executor_cache(0);
    let mut wrong = Vec::new();
    println!("{:<20} {:>6} {:>6} {:>8} {:>6}", "program", "faults", "told", "harmless", "left");
    let mut swept = 0;
    for program in programs::ALL {
        let Some(all_calls) = calls(program) else {
            support::skipped(&format!("the product lacks an operator of the program {}", program.name));
            continue;
        };
        swept += 1;
        let mut counts = Counts::default();
        for (function, calls) in all_calls {
            for code in codes(&function) {
                for call in 1..=calls {
                    let is_followed = call % BEFORE_A_WHOLE_RUN == 0 || call == calls;
                    let fault = Fault { function: &function, call, code: *code, is_followed };
                    if let Err(reason) = strike(program, &fault, &mut counts) {
                        let first = (call - 1) / BEFORE_A_WHOLE_RUN * BEFORE_A_WHOLE_RUN + 1;
                        let earlier = match first < call {
                            true => format!(", perhaps by the failures of {first} to {}", call - 1),
                            false => String::new(),
                        };
                        wrong.push(format!("{}, {function} {call}{earlier}: {reason}", program.name));
                        reset();
                    }
                }
            }
        }
        let Counts { injected, told, harmless, left } = counts;
        assert!(injected > 20, "{} faults in {}", injected, program.name);
        println!("{:<20} {injected:>6} {told:>6} {harmless:>8} {left:>6}", program.name);
    }
    assert!(wrong.is_empty(), "{mode:?}: {} faults:\n{}", wrong.len(), wrong.join("\n"));
    assert!(swept + 4 >= programs::ALL.len(), "{swept} programs ran");
    Ok(())
}

#[test]
fn libraries_that_do_not_start_are_tried_again() -> Outcome {
    let test = "libraries_that_do_not_start_are_tried_again";
    let variables = [("ACLNN_BACKEND", "emulator"), ("CANN_STUBS_FAIL", "aclInit@1=500000")];
    if !support::is_alone(module_path!(), test, &[variables])? {
        return Ok(());
    }
    let error = Backend::get().unwrap_err();
    assert_eq!(error.code(), Some(500_000), "{error}");
    Device::open(0)?.close()?;
    Ok(())
}

//! Faults and other settings, read from the environment.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::ptr::{null, null_mut};
use std::time::{Duration, Instant};

use aclnn_numerics::DType;
use aclnn_sys::operators::Argument;
use aclnn_sys::*;
use cann_stubs::control;

use crate::support::child::{self, this_test};
use crate::support::runtime::*;
use crate::support::{EMULATOR, malloc, message, tensor};

fn try_malloc() -> i32 {
    let mut pointer = null_mut();
    let code = call!(aclrtMalloc(&mut pointer, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    if code == 0 {
        free(pointer);
    }
    code
}

#[test]
fn the_environment_makes_calls_fail() {
    child::with(this_test!(), &[("CANN_STUBS_FAIL", "aclrtMalloc@2=207001")], || {
        let _device = Device::set();
        assert_eq!([try_malloc(), try_malloc(), try_malloc()], [0, 207_001, 0]);
    });
}

/// Late by the time that the rule says, or more, and otherwise as ever.
#[test]
fn the_environment_makes_calls_and_work_late() {
    let rules = "aclrtMalloc@2=20ms,run:aclrtMemsetAsync%2=0.03s";
    child::with(this_test!(), &[("CANN_STUBS_FAIL", rules)], || {
        let _device = Device::set();
        assert_eq!(try_malloc(), 0);
        let begin = Instant::now();
        assert_eq!(try_malloc(), 0);
        assert!(begin.elapsed() >= Duration::from_millis(20));
        let (stream, memory) = (create_stream(), malloc(8));
        let records = control::record(|| {
            fill(memory, 8, 1, stream);
            fill(memory, 4, 2, stream);
            ok!(aclrtSynchronizeStream(stream));
        });
        assert_eq!(download(memory, 8), [2, 2, 2, 2, 1, 1, 1, 1]);
        let took = |record: &control::Record| record.time.unwrap().1;
        assert!(took(&records[1]) >= Duration::from_millis(30), "{records:?}");
        free(memory);
        ok!(aclrtDestroyStream(stream));
    });
}

/// Work that the emulator cannot do fails on its stream unless this asks for a code of the call.
#[test]
fn the_environment_makes_calls_fail_whose_work_cannot_be_done() {
    child::with(this_test!(), &[("CANN_STUBS_REFUSED_WORK", "call")], || {
        let _device = Device::set();
        let (engine, compile) = (ACL_ENGINE_SYS, ACL_COMPILE_SYS);
        let code = call!(aclopCompileAndExecute(
            c"ReduceSum".as_ptr(),
            0,
            null(),
            null(),
            0,
            null(),
            null(),
            null(),
            engine,
            compile,
            null(),
            null_mut()
        ));
        assert_eq!(code, ACL_ERROR_API_NOT_SUPPORT);
        assert!(message().contains("ReduceSum"));
        ok!(aclrtSynchronizeStream(null_mut()));
    });
}

/// Calls both phases of an operator as PyTorch's plugin does: phase two gets what phase one left of its places.
fn both_phases(name: &str, phase_one: impl FnOnce(*mut u64, *mut *mut aclOpExecutor) -> i32) -> [i32; 2] {
    let (mut workspace, mut executor) = (0, null_mut());
    let planned = phase_one(&mut workspace, &mut executor);
    if planned != 0 {
        return [planned, 0];
    }
    let launch = cann_stubs::source().symbol(name).expect("exported");
    // SAFETY: every phase two has this prototype.
    let launch: Launch = unsafe { std::mem::transmute(launch.as_ptr()) };
    // SAFETY: the workspace is as large as was asked for, and the executor is phase one's.
    [planned, unsafe { launch(null_mut(), workspace, executor, null_mut()) }]
}

/// An operator that is not computed, and one that is, but not with such operands.
fn what_is_not_computed() -> [[i32; 2]; 2] {
    let plan = cann_stubs::source().symbol("aclnnRasterizerGetWorkspaceSize").expect("exported");
    let never = both_phases("aclnnRasterizer", |_, _| {
        // SAFETY: it reads no arguments.
        unsafe { std::mem::transmute::<*mut std::ffi::c_void, extern "C" fn() -> i32>(plan.as_ptr())() }
    });
    let block = malloc(64);
    let of = |dtype, dims: &[i64]| Argument::Tensor(tensor(dtype, dims, block));
    let (own, labels) = (of(DType::F32, &[1, 2, 1, 1]), of(DType::I64, &[1, 1, 1]));
    // Of more weights than classes nothing is known.
    let (weights, out) = (of(DType::F32, &[2, 3, 1, 1]), Argument::Tensor(tensor(DType::F32, &[], block)));
    let arguments = [own, labels, weights, Argument::Int(1), Argument::Int(-100), out, out];
    let operator = EMULATOR.operators.by_name("NLLLoss2d").expect("declared").expect("exported");
    let not_so = both_phases("aclnnNLLLoss2d", |size, executor| {
        // SAFETY: the handles are the emulator's, and the places are valid.
        unsafe { operator.get_workspace_size(&arguments, size, executor).expect("of its parameters") }
    });
    free(block);
    [never, not_so]
}

/// PyTorch's plugin calls phase one on a thread of its own when this variable is 2, and the first code ends this thread. Then
/// the work fails, and the next synchronisation tells it once.
#[test]
fn where_phase_one_runs_elsewhere_its_refusal_fails_on_the_stream() {
    child::with(this_test!(), &[("TASK_QUEUE_ENABLE", "2")], || {
        let _device = Device::set();
        let block = malloc(4);
        for [planned, launched] in what_is_not_computed() {
            assert_eq!([planned, launched], [0, 0], "{}", message());
        }
        let synchronise = || call!(aclrtSynchronizeStream(null_mut()));
        assert_eq!(synchronise(), ACL_ERROR_RT_AICPU_EXCEPTION);
        assert!(message().contains("the emulator does not compute"), "{}", message());
        // The stream goes on.
        fill(block, 4, 7, null_mut());
        assert_eq!([synchronise(), synchronise()], [0; 2]);
        assert_eq!(download(block, 4), [7; 4]);
        free(block);
        // Without a refusal before it, a null executor is one.
        let launch = cann_stubs::source().symbol("aclnnNLLLoss2d").expect("exported");
        // SAFETY: every phase two has this prototype.
        let launch: Launch = unsafe { std::mem::transmute(launch.as_ptr()) };
        // SAFETY: the emulator refuses a null executor.
        assert_eq!(unsafe { launch(null_mut(), 0, null_mut(), null_mut()) }, ACLNN_ERR_PARAM_NULLPTR);
    });
}

/// Elsewhere phase one has a code of its own, as it has where the setting says so.
#[test]
fn a_refusal_of_phase_one_is_a_code_of_its_call() {
    let queued = ("TASK_QUEUE_ENABLE", "2");
    let at_call = [queued, ("CANN_STUBS_REFUSED_WORK", "call")];
    let blocking = [queued, ("ASCEND_LAUNCH_BLOCKING", "1")];
    for settings in [&[("TASK_QUEUE_ENABLE", "1")][..], &at_call, &blocking] {
        child::with(this_test!(), settings, || {
            let _device = Device::set();
            let code = ACLNN_ERR_INNER_FIND_KERNEL_ERROR;
            assert_eq!(what_is_not_computed(), [[code, 0]; 2]);
            ok!(aclrtSynchronizeStream(null_mut()));
        });
    }
}

/// What the test called `test` says when it runs with a setting.
fn told_of(test: &str, setting: &str, value: &[u8]) -> String {
    let output = child::output(child::command(test).env(setting, OsStr::from_bytes(value)));
    assert!(output.status.success(), "{setting}: {output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn what_is_not_understood_is_told_with_what_is() {
    if child::is_child() {
        let _device = Device::set();
        assert_eq!(try_malloc(), 0, "the default is used");
        return;
    }
    let told_of = |setting: &str, value: &[u8]| told_of(this_test!(), setting, value);
    for (setting, wrong, understood) in [
        ("CANN_STUBS_SOC", "Ascend311", "Ascend310P"),
        ("CANN_STUBS_VERSION", "7.0", "8.5, 9.0 or 9.1"),
        ("CANN_STUBS_STREAMS", "lasy", "lazy, deferred, worker or inline"),
        ("CANN_STUBS_CHECK", "strict", "off, error or abort"),
        ("CANN_STUBS_LEAKS", "loud", "off, tell, list, error or abort"),
        ("CANN_STUBS_SEED", "-1", "a number from 0 on"),
        ("ACLNN_CACHE_LIMIT", "all", "a number from 0 on"),
        ("CANN_STUBS_FAIL", "aclrtMalloc@0=207001", "NAME@n=CODE"),
        ("CANN_STUBS_FAIL", "aclrtMaloc=207001", "aclrtMalloc"),
        ("CANN_STUBS_FAIL", "run:aclrtMemcpy=207001", "aclrtMemcpyAsync"),
        ("CANN_STUBS_DEFECT", "melt:aclnnAdd", "crash, hang or missing"),
        ("CANN_STUBS_DEFECT", "crash:aclnnAd", "aclnnAdd"),
    ] {
        let text = told_of(setting, wrong.as_bytes());
        assert!(text.contains(setting) && text.contains(understood), "{setting}={wrong}: {text}");
        assert_eq!(text.lines().count(), 1, "once: {text}");
        if !["CANN_STUBS_FAIL", "CANN_STUBS_DEFECT"].contains(&setting) {
            assert!(text.contains(&format!("{setting}={wrong} is not understood")), "{text}");
        }
    }
    let settings = ["SOC", "VERSION", "STREAMS", "CHECK", "LEAKS", "SEED", "FAIL", "DEFECT"];
    for setting in settings.map(|name| format!("CANN_STUBS_{name}")).iter().map(String::as_str) {
        let text = told_of(setting, b"a\xff");
        assert!(text.contains(setting) && text.contains("is not text") && text.contains("may be"), "{text}");
    }
    assert_eq!(told_of("CANN_STUBS_FAIL", b"aclrtFree@900=1"), "", "nothing is wrong with this one");
    assert!(told_of("CANN_STUBS_PRODUCT", b"x").contains("is no setting"));
}

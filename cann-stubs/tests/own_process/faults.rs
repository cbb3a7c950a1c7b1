//! Faults and other settings, read from the environment.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::ptr::{null, null_mut};
use std::time::{Duration, Instant};

use aclnn_sys::*;
use cann_stubs::control;

use crate::support::child::{self, this_test};
use crate::support::message;
use crate::support::runtime::*;

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
            c"DynamicGRUV2".as_ptr(),
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
        assert!(message().contains("DynamicGRUV2"));
        ok!(aclrtSynchronizeStream(null_mut()));
    });
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

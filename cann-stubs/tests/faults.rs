//! Faults on demand.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod runtime_support;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;
use std::ptr::null_mut;

use aclnn_sys::*;
use cann_stubs::control::{self, When};
use runtime_support::*;

fn try_malloc() -> i32 {
    let mut pointer = null_mut();
    let code = call!(aclrtMalloc(&mut pointer, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    assert_eq!(pointer.is_null(), code != 0, "a call that fails has no effect");
    if code == 0 {
        free(pointer);
    }
    code
}

#[test]
fn the_chosen_calls_fail_and_nothing_else() {
    ok!(aclrtSetDevice(0));
    let fault = control::fail("aclrtMalloc", When::Nth(3), ACL_ERROR_RT_MEMORY_ALLOCATION);
    let codes: Vec<i32> = (0..5).map(|_| try_malloc()).collect();
    assert_eq!(codes, [0, 0, ACL_ERROR_RT_MEMORY_ALLOCATION, 0, 0]);
    assert_eq!((fault.calls(), fault.struck()), (5, 1));
    drop(fault);
    let _every = control::fail("aclrtMal*", When::Every(2), 7);
    let codes: Vec<i32> = (0..4).map(|_| try_malloc()).collect();
    assert_eq!(codes, [0, 7, 0, 7]);
    assert_eq!(message(), "aclrtMalloc: a fault on demand (call 4 of aclrtMal*) [code 7, emulator]");
}

#[test]
fn a_fault_concerns_its_thread_and_ends_with_its_guard() {
    ok!(aclrtSetDevice(0));
    let fault = control::fail("aclrtMalloc", When::Always, 7);
    assert_eq!(try_malloc(), 7);
    let other = spawn(|| {
        ok!(aclrtSetDevice(0));
        try_malloc()
    });
    assert_eq!(finish(&other), 0);
    drop(fault);
    assert_eq!(try_malloc(), 0);
}

#[test]
fn a_function_that_makes_an_object_returns_null() {
    let _fault = control::fail("aclCreateDataBuffer", When::Always, ACL_ERROR_BAD_ALLOC);
    assert!(call!(aclCreateDataBuffer(null_mut(), 8)).is_null());
    assert!(message().contains("a fault on demand"));
}

/// Set in a child, which is this test binary with faults in its environment.
const CHILD: &str = "EMULATOR_TEST_CHILD";

#[test]
fn the_environment_makes_calls_fail() {
    if std::env::var_os(CHILD).is_some() {
        ok!(aclrtSetDevice(0));
        assert_eq!([try_malloc(), try_malloc(), try_malloc()], [0, 207_001, 0]);
        return;
    }
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "the_environment_makes_calls_fail"]).env(CHILD, "1");
    let output = child.env("CANN_STUBS_FAIL", "aclrtMalloc@2=207001").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// What a child says when it runs with a setting.
fn told_of(setting: &str, value: &[u8]) -> String {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "what_is_not_understood_is_told_with_what_is", "--nocapture"]).env(CHILD, "1");
    let output = child.env(setting, OsStr::from_bytes(value)).output().unwrap();
    assert!(output.status.success(), "{setting}: {output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn what_is_not_understood_is_told_with_what_is() {
    if std::env::var_os(CHILD).is_some() {
        ok!(aclrtSetDevice(0));
        assert_eq!(try_malloc(), 0, "the default is used");
        return;
    }
    for (setting, wrong, understood) in [
        ("CANN_STUBS_SOC", "Ascend311", "Ascend310P"),
        ("CANN_STUBS_VERSION", "7.0", "8.5, 9.0 or 9.1"),
        ("CANN_STUBS_STREAMS", "lasy", "lazy, deferred, worker or inline"),
        ("CANN_STUBS_CHECK", "strict", "off, error or abort"),
        ("CANN_STUBS_LEAKS", "loud", "off, tell, error or abort"),
        ("CANN_STUBS_SEED", "-1", "a number from 0 on"),
        ("ACLNN_CACHE_LIMIT", "all", "a number from 0 on"),
        ("CANN_STUBS_FAIL", "aclrtMalloc@0=207001", "NAME@n=CODE"),
        ("CANN_STUBS_FAIL", "aclrtMaloc=207001", "aclrtMalloc"),
        ("CANN_STUBS_FAIL", "run:aclrtMemcpy=207001", "aclrtMemcpyAsync"),
    ] {
        let text = told_of(setting, wrong.as_bytes());
        assert!(text.contains(setting) && text.contains(understood), "{setting}={wrong}: {text}");
        assert_eq!(text.lines().count(), 1, "once: {text}");
        if setting != "CANN_STUBS_FAIL" {
            assert!(text.contains(&format!("{setting}={wrong} is not understood")), "{text}");
        }
    }
    let settings = ["SOC", "VERSION", "STREAMS", "CHECK", "LEAKS", "SEED", "FAIL"];
    for setting in settings.map(|name| format!("CANN_STUBS_{name}")).iter().map(String::as_str) {
        let text = told_of(setting, b"a\xff");
        assert!(text.contains(setting) && text.contains("is not text") && text.contains("may be"), "{text}");
    }
    assert_eq!(told_of("CANN_STUBS_FAIL", b"aclrtFree@900=1"), "", "nothing is wrong with this one");
    assert!(told_of("CANN_STUBS_PRODUCT", b"x").contains("is no setting"));
}

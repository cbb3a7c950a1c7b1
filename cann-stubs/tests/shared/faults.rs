//! Faults on demand.

use std::collections::BTreeSet;
use std::ptr::null_mut;

use crate::support::runtime::*;
use aclnn_sys::*;
use cann_stubs::Support;
use cann_stubs::control::{self, When};

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
    let _device = Device::set();
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
    let _device = Device::set();
    let fault = control::fail("aclrtMalloc", When::Always, 7);
    assert_eq!(try_malloc(), 7);
    let other = spawn(|| {
        let _device = Device::set();
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

/// The rules for faults know the functions by name only, from the headers and from what is refused.
#[test]
fn rules_know_which_functions_work_and_which_refuse() {
    let listed = |refuses: bool| -> BTreeSet<&str> {
        let all = cann_stubs::entry_points();
        let wanted = all.filter(|entry| matches!(entry.support(), Support::Refuses(_)) == refuses);
        wanted.map(|entry| entry.name()).collect()
    };
    let [working, refusing] = control::known_functions().map(BTreeSet::from_iter);
    assert_eq!(working, listed(false));
    assert_eq!(refusing, listed(true));
    assert!(working.contains("aclnnAdd") && refusing.contains("aclmdlExecute"));
}

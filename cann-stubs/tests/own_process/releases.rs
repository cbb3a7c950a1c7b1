//! What differs from release to release of CANN.

use std::ffi::{CStr, c_char};

use aclnn_sys::*;

use crate::support::child::{self, this_test};
use crate::support::*;

fn on_each(test: &str, body: impl Fn(&str)) {
    for release in ["8.5", "9.0", "9.1"] {
        child::with(test, &[("CANN_STUBS_VERSION", release)], || body(release));
    }
}

#[test]
fn numbers() {
    on_each(this_test!(), |release| {
        let (interface, number, text) = match release {
            "8.5" => ([1, 16, 0], 80_500_000, "8.5.0+emulated"),
            "9.0" => ([1, 17, 0], 90_000_000, "9.0.0+emulated"),
            _ => ([1, 17, 0], 90_100_000, "9.1.0+emulated"),
        };
        let [mut major, mut minor, mut patch, mut told] = [0; 4];
        let mut buffer = [0; 128];
        let mut name = c"runtime".to_bytes_with_nul().to_vec();
        let name = name.as_mut_ptr().cast::<c_char>();
        // SAFETY: the places are valid, the buffer has the size that the function asks for.
        unsafe {
            ok(EMULATOR.runtime.aclrtGetVersion(&mut major, &mut minor, &mut patch));
            ok(EMULATOR.runtime.aclsysGetVersionNum(name, &mut told));
            ok(EMULATOR.runtime.aclsysGetVersionStr(name, buffer.as_mut_ptr()));
            assert_eq!(CStr::from_ptr(buffer.as_ptr()).to_str(), Ok(text));
        }
        assert_eq!(([major, minor, patch], told), (interface, number), "{release}");
    });
}

#[test]
fn nothing_is_copied_from_9_1_on() {
    on_each(this_test!(), |release| {
        device();
        let (memory, mut byte) = (malloc(8), 7_u8);
        let expected = if release == "9.1" { 0 } else { ACL_ERROR_RT_PARAM_INVALID };
        let (runtime, host) = (&EMULATOR.runtime, (&raw mut byte).cast());
        let stream = std::ptr::null_mut();
        // SAFETY: no byte is touched.
        let codes = unsafe {
            [
                runtime.aclrtMemcpy(memory, 8, host, 0, ACL_MEMCPY_HOST_TO_DEVICE),
                runtime.aclrtMemcpyAsync(memory, 8, host, 0, ACL_MEMCPY_HOST_TO_DEVICE, stream),
                runtime.aclrtMemset(memory, 8, 0, 0),
                runtime.aclrtMemsetAsync(memory, 8, 0, 0, stream),
            ]
        };
        assert_eq!(codes.map(code), [expected; 4], "{release}");
        if expected != 0 {
            assert!(message().contains("9.1"));
        }
    });
}

#[test]
fn releases_lack_what_came_later() {
    on_each(this_test!(), |release| {
        let has = |name: &str| cann_stubs::source().symbol(name).is_some();
        assert!(has("aclrtMalloc") && has("aclFinalizeReference") && has("aclnnAdd"));
        for name in ["aclDumpOpTensors", "aclrtMemPoolCreate", "HcclGroupStart", "HcclGroupEnd"] {
            assert_eq!(has(name), release != "8.5", "{name} {release}");
        }
        let collectives = Collectives::load(&cann_stubs::source());
        // SAFETY: no arguments.
        let settings = unsafe { collectives.HcclGetCommConfigCapability() };
        assert_eq!(settings, Ok(if release == "8.5" { 6 } else { 12 }), "{release}");
        assert_eq!(has("aclrtMemsetD32") && has("aclrtMemcpyBatchV2"), release == "9.1", "{release}");
        let lacking = EMULATOR.runtime.missing().find(|missing| missing.symbol == "aclrtMemsetD32");
        assert_eq!(lacking.map(|missing| missing.since), (release != "9.1").then_some(Some("9.1.0")));
    });
}

#[test]
fn an_unknown_release_is_the_latest() {
    child::with(this_test!(), &[("CANN_STUBS_VERSION", "7.0")], || {
        let [mut major, mut minor, mut patch] = [0; 3];
        // SAFETY: the places are valid.
        ok(unsafe { EMULATOR.runtime.aclrtGetVersion(&mut major, &mut minor, &mut patch) });
        assert_eq!([major, minor, patch], [1, 17, 0]);
        assert!(cann_stubs::source().symbol("aclrtMemsetD32").is_some());
    });
}

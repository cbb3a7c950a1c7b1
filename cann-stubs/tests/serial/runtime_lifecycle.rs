//! Devices, contexts, messages, versions, settings.

use std::collections::BTreeSet;
use std::ffi::{CStr, c_char};
use std::ptr::{null, null_mut};

use aclnn_sys::*;
use cann_stubs::control::{self, When};
use serial_test::serial;

use crate::support::EMULATOR;
use crate::support::runtime::*;

#[test]
#[serial]
fn every_function_of_the_headers_is_there() {
    let missing: Vec<_> = EMULATOR.runtime.missing().map(|missing| missing.symbol).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let list = cann_stubs::source();
    let declared: BTreeSet<&str> = Runtime::SYMBOLS.iter().copied().collect();
    assert_eq!(declared.len(), Runtime::SYMBOLS.len());
    assert!(declared.iter().all(|name| list.symbol(name).is_some()));
}

#[test]
#[serial]
fn devices_are_counted() {
    let mut count = 0;
    ok!(aclrtGetDeviceCount(&mut count));
    assert_eq!(count, 2);
    for device in [-1, 2] {
        assert_eq!(call!(aclrtSetDevice(device)), ACL_ERROR_RT_INVALID_DEVICEID);
        assert!(message().contains("CANN_STUBS_DEVICES"));
    }
    let mut device = 9;
    assert_eq!(finish(&spawn(|| call!(aclrtGetDevice(&mut 0)))), ACL_ERROR_RT_CONTEXT_NULL);
    ok!(aclrtSetDevice(0));
    ok!(aclrtSetDevice(1));
    ok!(aclrtSetDevice(1));
    ok!(aclrtGetDevice(&mut device));
    assert_eq!(device, 1);
    ok!(aclrtResetDevice(1));
    ok!(aclrtGetDevice(&mut device));
    ok!(aclrtResetDevice(1));
    assert_eq!(call!(aclrtGetDevice(&mut device)), ACL_ERROR_RT_CONTEXT_NULL);
    assert_eq!(call!(aclrtResetDevice(1)), ACL_ERROR_RT_CONTEXT_NULL);
    ok!(aclrtSetDevice(0));
    ok!(aclrtSetDevice(0));
    ok!(aclrtResetDeviceForce(0));
    assert_eq!(call!(aclrtResetDevice(0)), ACL_ERROR_RT_CONTEXT_NULL);
}

#[test]
#[serial]
fn resetting_a_device_tells_a_failure_that_nobody_was_told() {
    ok!(aclrtSetDevice(0));
    let _fault = control::fail("run:aclrtMemsetAsync", When::Always, ACL_ERROR_RT_AICORE_EXCEPTION);
    ok!(aclrtMemsetAsync(malloc(8), 8, 1, 8, null_mut()));
    assert_eq!(call!(aclrtResetDevice(0)), ACL_ERROR_RT_AICORE_EXCEPTION);
    assert!(message().contains("aclrtMemsetAsync"));
    assert_eq!(call!(aclrtResetDevice(0)), ACL_ERROR_RT_CONTEXT_NULL);
}

#[test]
#[serial]
fn no_context_is_made_current_on_a_thread_that_ends() {
    /// Tries when it is dropped, and tells the codes.
    struct Last(usize, std::sync::mpsc::Sender<[i32; 2]>);

    impl Drop for Last {
        fn drop(&mut self) {
            let set = call!(aclrtSetCurrentContext(self.0 as *mut _));
            let _ = self.1.send([set, call!(aclrtSetDevice(0))]);
        }
    }

    thread_local!(static LAST: std::cell::RefCell<Option<Last>> = const { std::cell::RefCell::new(None) });

    let _device = Device::set();
    let mut context = null_mut();
    ok!(aclrtGetCurrentContext(&mut context));
    let (context, (sender, codes)) = (context as usize, std::sync::mpsc::channel());
    let thread = std::thread::spawn(move || {
        // Used before the emulator is, so it goes after what that keeps for the thread.
        LAST.set(Some(Last(context, sender)));
        ok!(aclrtSetCurrentContext(context as *mut _));
    });
    thread.join().unwrap();
    assert_eq!(codes.recv(), Ok([ACL_ERROR_RT_CONTEXT_NULL; 2]));
}

#[test]
#[serial]
fn contexts_are_current_per_thread() {
    let _device = Device::set();
    let (mut primary, mut made, mut current) = (null_mut(), null_mut(), null_mut());
    ok!(aclrtGetCurrentContext(&mut primary));
    ok!(aclrtCreateContext(&mut made, 1));
    ok!(aclrtGetCurrentContext(&mut current));
    assert_eq!(current, made);
    let mut device = 9;
    ok!(aclrtGetDevice(&mut device));
    assert_eq!(device, 1);
    let stream = create_stream();
    let mut default = null_mut();
    ok!(aclrtCtxGetCurrentDefaultStream(&mut default));
    ok!(aclrtSynchronizeStream(default));
    assert_eq!(call!(aclrtDestroyStream(default)), ACL_ERROR_RT_PARAM_INVALID);

    ok!(aclrtSetCurrentContext(primary));
    ok!(aclrtSynchronizeStream(stream));
    for code in [call!(aclrtDestroyStream(stream)), call!(aclrtDestroyStreamForce(stream))] {
        assert_eq!(code, ACL_ERROR_RT_STREAM_CONTEXT);
    }
    assert_eq!(call!(aclrtDestroyContext(primary)), ACL_ERROR_RT_PARAM_INVALID);
    assert_eq!(call!(aclrtSetCurrentContext(null_mut())), ACL_ERROR_INVALID_PARAM);
    ok!(aclrtDestroyContext(made));
    assert_eq!(call!(aclrtSetCurrentContext(made)), ACL_ERROR_RT_PARAM_INVALID);
    assert_eq!(call!(aclrtDestroyStream(stream)), ACL_ERROR_RT_PARAM_INVALID);
    ok!(aclrtGetDevice(&mut device));
    assert_eq!(device, 0);
}

#[test]
#[serial]
fn messages_are_read_once_and_codes_when_asked() {
    let _device = Device::set();
    message();
    call!(aclrtGetLastError(ACL_RT_THREAD_LEVEL));
    assert_eq!(message(), "");
    assert_eq!(call!(aclrtFree(null_mut())), ACL_ERROR_INVALID_PARAM);
    assert_eq!(finish(&spawn(message)), "", "messages belong to their thread");
    let text = message();
    assert!(text.starts_with("aclrtFree: devPtr is null"), "{text}");
    assert_eq!(message(), "");
    for _ in 0..2 {
        assert_eq!(call!(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL)), ACL_ERROR_INVALID_PARAM);
    }
    assert_eq!(call!(aclrtGetLastError(aclrtLastErrLevel(1))), ACL_ERROR_INVALID_PARAM);
    assert_eq!(call!(aclrtGetLastError(ACL_RT_THREAD_LEVEL)), ACL_ERROR_INVALID_PARAM);
    assert_eq!(call!(aclrtGetLastError(ACL_RT_THREAD_LEVEL)), 0);
}

/// The text in a buffer of a caller.
fn text(buffer: &[c_char]) -> String {
    let bytes: Vec<u8> = buffer.iter().map(|&byte| byte as u8).collect();
    CStr::from_bytes_until_nul(&bytes).unwrap().to_str().unwrap().to_owned()
}

#[test]
#[serial]
fn versions_tell_that_they_are_emulated() {
    let (mut major, mut minor, mut patch) = (0, 0, 0);
    ok!(aclrtGetVersion(&mut major, &mut minor, &mut patch));
    assert_eq!((major, minor, patch), (1, 17, 0));
    let mut name = *b"runtime\0";
    let mut buffer = [1; 128];
    ok!(aclsysGetVersionStr(name.as_mut_ptr().cast(), buffer.as_mut_ptr()));
    assert_eq!(text(&buffer), "9.1.0+emulated");
    let mut number = 0;
    ok!(aclsysGetVersionNum(name.as_mut_ptr().cast(), &mut number));
    assert_eq!(number, 90_100_000);
    let mut version = aclCANNPackageVersion {
        version: [1; 128],
        majorVersion: [1; 64],
        minorVersion: [1; 64],
        releaseVersion: [1; 64],
        patchVersion: [1; 64],
        reserved: [1; 128],
    };
    ok!(aclsysGetCANNVersion(ACL_PKG_NAME_CANN, &mut version));
    // Plugins read this one as numbers, and end where they cannot.
    assert_eq!((text(&version.version), text(&version.majorVersion)), ("9.1.0".into(), "9".into()));
    assert_eq!(text(&version.patchVersion), "emulated");
    assert_eq!(call!(aclsysGetCANNVersion(aclCANNPackageName(8), &mut version)), ACL_ERROR_INVALID_PARAM);
    let name = call!(aclrtGetSocName());
    // SAFETY: the name of the product is a constant.
    let product = unsafe { CStr::from_ptr(name) };
    assert_eq!(product, c"Ascend910B1");
}

#[test]
#[serial]
fn settings_are_read_back() {
    let _device = Device::set();
    let mut value = 9;
    let option = ACL_OPT_DETERMINISTIC;
    assert_eq!(call!(aclrtGetSysParamOpt(option, &mut value)), ACL_ERROR_RT_SYSPARAMOPT_NOT_SET);
    ok!(aclrtSetSysParamOpt(option, 1));
    ok!(aclrtGetSysParamOpt(option, &mut value));
    assert_eq!(value, 1);
    // It holds for the whole process, and so for the tests that come after this one.
    ok!(aclrtSetSysParamOpt(option, 0));
    assert_eq!(call!(aclrtCtxGetSysParamOpt(option, &mut value)), ACL_ERROR_RT_SYSPARAMOPT_NOT_SET);
    ok!(aclrtCtxSetSysParamOpt(option, 0));
    ok!(aclrtCtxGetSysParamOpt(option, &mut value));
    assert_eq!(value, 0);

    assert_eq!(call!(aclGetCompileoptSize(ACL_PRECISION_MODE)), 1);
    ok!(aclSetCompileopt(ACL_PRECISION_MODE, c"must_keep_origin_dtype".as_ptr()));
    let size = call!(aclGetCompileoptSize(ACL_PRECISION_MODE));
    let mut buffer = vec![1; size];
    assert_eq!(
        call!(aclGetCompileopt(ACL_PRECISION_MODE, buffer.as_mut_ptr(), size - 1)),
        ACL_ERROR_INVALID_PARAM
    );
    ok!(aclGetCompileopt(ACL_PRECISION_MODE, buffer.as_mut_ptr(), size));
    assert_eq!(text(&buffer), "must_keep_origin_dtype");

    let mut mode = ACL_RT_OVERFLOW_MODE_UNDEF;
    ok!(aclrtGetDeviceSatMode(&mut mode));
    assert_eq!(mode, ACL_RT_OVERFLOW_MODE_INFNAN);
    ok!(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_SATURATION));
    ok!(aclrtGetDeviceSatMode(&mut mode));
    assert_eq!(mode, ACL_RT_OVERFLOW_MODE_SATURATION);
    ok!(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN));
}

#[test]
#[serial]
fn peers_are_other_devices() {
    let _device = Device::set();
    let mut answer = 9;
    ok!(aclrtDeviceCanAccessPeer(&mut answer, 0, 1));
    assert_eq!(answer, 1);
    assert_eq!(call!(aclrtDeviceCanAccessPeer(&mut answer, 1, 1)), ACL_ERROR_INVALID_PARAM);
    assert_eq!(call!(aclrtDeviceEnablePeerAccess(1, 1)), ACL_ERROR_FEATURE_UNSUPPORTED);
    assert_eq!(call!(aclrtDeviceEnablePeerAccess(0, 0)), ACL_ERROR_INVALID_PARAM);
    ok!(aclrtDeviceEnablePeerAccess(1, 0));
    ok!(aclrtDevicePeerAccessStatus(0, 1, &mut answer));
    assert_eq!(answer, 1);
    ok!(aclrtDeviceDisablePeerAccess(1));
    assert_eq!(call!(aclrtDeviceDisablePeerAccess(1)), ACL_ERROR_RT_PARAM_INVALID);
    ok!(aclrtDevicePeerAccessStatus(0, 1, &mut answer));
    assert_eq!(answer, 0);

    // Memory of both devices in one copy.
    let here = malloc(4);
    upload(here, &[1, 2, 3, 4]);
    ok!(aclrtSetDevice(1));
    let there = malloc(4);
    let copy = || call!(aclrtMemcpy(there, 4, here, 4, ACL_MEMCPY_DEVICE_TO_DEVICE));
    assert_eq!(copy(), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert!(message().contains("aclrtDeviceEnablePeerAccess(0, 0) while device 1 is current"));
    ok!(aclrtDeviceEnablePeerAccess(0, 0));
    assert_eq!(copy(), 0);
    assert_eq!(download(there, 4), [1, 2, 3, 4]);
    assert_eq!(download(here, 4), [1, 2, 3, 4], "the host reaches every device");
    ok!(aclrtResetDevice(1));
}

#[test]
#[serial]
fn the_product_answers_questions() {
    let (mut list, mut count, mut value, mut number) = (null(), 0, 9, 0);
    ok!(aclGetCannAttributeList(&mut list, &mut count));
    assert_eq!(count, 3);
    ok!(aclGetCannAttribute(ACL_CANN_ATTR_BF16, &mut value));
    assert_eq!(value, 1);
    assert_eq!(call!(aclGetCannAttribute(ACL_CANN_ATTR_UNDEFINED, &mut value)), ACL_ERROR_INVALID_PARAM);
    ok!(aclGetDeviceCapability(0, ACL_DEVICE_INFO_VECTOR_CORE_NUM, &mut number));
    assert!(number > 0);
    ok!(aclrtGetDeviceInfo(1, ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE, &mut number));
    assert_eq!(number, MEMORY as i64);
    assert_eq!(
        call!(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_WARP_SIZE, &mut number)),
        ACL_ERROR_RT_FEATURE_NOT_SUPPORT
    );
    let [mut one, mut other] = [aclrtUuid { bytes: [0; 16] }; 2];
    ok!(aclrtDeviceGetUuid(0, &mut one));
    ok!(aclrtDeviceGetUuid(1, &mut other));
    assert_ne!(one.bytes, other.bytes);
}

#[test]
#[serial]
fn data_buffers_and_elements() {
    let mut bytes = [0u8; 8];
    let start = bytes.as_mut_ptr().cast();
    let buffer = call!(aclCreateDataBuffer(start, 8));
    assert_eq!((call!(aclGetDataBufferAddr(buffer)), call!(aclGetDataBufferSizeV2(buffer))), (start, 8));
    ok!(aclUpdateDataBuffer(buffer, null_mut(), (1 << 32) + 5));
    assert_eq!(
        (call!(aclGetDataBufferSize(buffer)), call!(aclGetDataBufferSizeV2(buffer))),
        (5, (1 << 32) + 5)
    );
    ok!(aclDestroyDataBuffer(buffer));
    assert_eq!(call!(aclDestroyDataBuffer(buffer)), ACL_ERROR_INVALID_PARAM);
    assert!(call!(aclGetDataBufferAddr(buffer)).is_null());

    for (dtype, size) in [
        (ACL_DT_UNDEFINED, 0),
        (ACL_STRING, 0),
        (ACL_FLOAT, 4),
        (ACL_COMPLEX128, 16),
        (ACL_BOOL, 1),
        (ACL_INT4, 1),
        (ACL_UINT1, 1),
        (ACL_FLOAT8_E8M0, 1),
        (ACL_FLOAT6_E3M2, 8),
        (ACL_FLOAT4_E2M1, 8),
    ] {
        assert_eq!(call!(aclDataTypeSize(dtype)), size, "{dtype:?}");
    }
    assert_eq!(call!(aclFloatToFloat16(65_519.0)), 0x7bff);
    assert_eq!(call!(aclFloat16ToFloat(0x3c01)), 1.0 + 1.0 / 1024.0);
}

#[test]
#[serial]
fn the_log_takes_any_line() {
    let text = c"%d of %s".as_ptr();
    for level in [ACL_DEBUG, ACL_ERROR, aclLogLevel(9)] {
        call!(aclAppLog(level, c"function".as_ptr(), c"file.c".as_ptr(), 7, text));
        call!(aclAppLog(level, null(), null(), 7, null()));
    }
}

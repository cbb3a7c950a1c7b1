//! What programs tell and ask again, the health of devices, the older interfaces, and what refuses.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

use aclnn_numerics::DType;
use aclnn_sys::operators::Argument;
use aclnn_sys::*;
use cann_stubs::Support;
use serial_test::serial;

use crate::support::calls::{memory, run};
use crate::support::runtime::*;
use crate::support::{malloc, read, scalar, tensor, write};

#[test]
#[serial]
fn limits_of_cores_hold_for_device_stream_and_thread() {
    let _device = Device::set();
    let (stream, kind) = (create_stream(), ACL_RT_DEV_RES_CUBE_CORE);
    let told = |of: &str| {
        let mut value = 0;
        match of {
            "device" => ok!(aclrtGetDeviceResLimit(0, kind, &mut value)),
            "stream" => ok!(aclrtGetStreamResLimit(stream, kind, &mut value)),
            _ => ok!(aclrtGetResInCurrentThread(kind, &mut value)),
        }
        value
    };
    assert_eq!(["device", "stream", "thread"].map(told), [24; 3]);
    ok!(aclrtSetDeviceResLimit(0, kind, 20));
    assert_eq!(["device", "stream", "thread"].map(told), [20; 3]);
    ok!(aclrtSetStreamResLimit(stream, kind, 8));
    assert_eq!(["device", "stream", "thread"].map(told), [20, 8, 20]);
    ok!(aclrtUseStreamResInCurrentThread(stream));
    assert_eq!(told("thread"), 8);
    ok!(aclrtUnuseStreamResInCurrentThread(stream));
    assert_eq!(told("thread"), 20);
    ok!(aclrtResetStreamResLimit(stream));
    ok!(aclrtResetDeviceResLimit(0));
    assert_eq!(["device", "stream", "thread"].map(told), [24; 3]);
    for wrong in [0, 25] {
        assert_eq!(call!(aclrtSetDeviceResLimit(0, kind, wrong)), ACL_ERROR_RT_PARAM_INVALID);
    }
    let unknown = aclrtDevResLimitType(7);
    assert_eq!(call!(aclrtSetStreamResLimit(stream, unknown, 1)), ACL_ERROR_INVALID_PARAM);
    assert_eq!(call!(aclrtGetDeviceResLimit(9, kind, &mut 0)), ACL_ERROR_RT_INVALID_DEVICEID);
    ok!(aclrtDestroyStream(stream));
}

#[test]
#[serial]
fn attributes_of_streams() {
    let _device = Device::set();
    let mut stream = null_mut();
    ok!(aclrtCreateStreamWithConfig(&mut stream, 3, 0));
    let told = |which| {
        let mut value = aclrtStreamAttrValue { reserve: [u32::MAX; 4] };
        ok!(aclrtGetStreamAttribute(stream, which, &mut value));
        // SAFETY: every member is an integer.
        unsafe { value.failureMode }
    };
    let set = |which, number: u64| {
        let mut value = aclrtStreamAttrValue { failureMode: number };
        call!(aclrtSetStreamAttribute(stream, which, &mut value))
    };
    assert_eq!(told(ACL_STREAM_ATTR_PRIORITY), 3);
    for (which, good, bad) in [
        (ACL_STREAM_ATTR_FAILURE_MODE, 1, Some(2)),
        (ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, 1, Some(2)),
        (ACL_STREAM_ATTR_USER_CUSTOM_TAG, 77, None),
        (ACL_STREAM_ATTR_CACHE_OP_INFO, 1, Some(5)),
        (ACL_STREAM_ATTR_PRIORITY, 6, Some(8)),
    ] {
        assert_eq!(set(which, good), 0);
        assert_eq!(told(which), good, "{which:?}");
        if let Some(bad) = bad {
            assert_ne!(set(which, bad), 0, "{which:?}");
            assert_eq!(told(which), good, "{which:?}");
        }
    }
    assert_eq!(set(aclrtStreamAttr(9), 1), ACL_ERROR_INVALID_PARAM);
    let mut flag = 0;
    ok!(aclrtGetStreamOverflowSwitch(stream, &mut flag));
    assert_eq!(flag, 1);
    ok!(aclrtSetStreamOverflowSwitch(stream, 0));
    assert_eq!(told(ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK), 0);
    ok!(aclrtDestroyStream(stream));
}

unsafe extern "C" fn allocate(_: aclrtAllocator, _: usize) -> *mut c_void {
    null_mut()
}

unsafe extern "C" fn release(_: aclrtAllocator, _: aclrtAllocatorBlock) {}

unsafe extern "C" fn address(block: aclrtAllocatorBlock) -> *mut c_void {
    block
}

#[test]
#[serial]
fn allocators_are_lent_whole() {
    let _device = Device::set();
    let description = call!(aclrtAllocatorCreateDesc());
    assert!(!description.is_null());
    assert_eq!(call!(aclrtAllocatorRegister(null_mut(), description)), ACL_ERROR_INVALID_PARAM);
    assert!(message().contains("the allocator itself"));
    ok!(aclrtAllocatorSetObjToDesc(description, description));
    ok!(aclrtAllocatorSetAllocFuncToDesc(description, Some(allocate)));
    ok!(aclrtAllocatorSetFreeFuncToDesc(description, Some(release)));
    assert_eq!(call!(aclrtAllocatorSetAllocAdviseFuncToDesc(description, None)), ACL_ERROR_INVALID_PARAM);
    ok!(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(description, Some(address)));
    ok!(aclrtAllocatorRegister(null_mut(), description));
    ok!(aclrtAllocatorDestroyDesc(description));
    assert_eq!(call!(aclrtAllocatorDestroyDesc(description)), ACL_ERROR_INVALID_PARAM);
    ok!(aclrtAllocatorUnregister(null_mut()));
    assert_eq!(call!(aclrtAllocatorUnregister(null_mut())), ACL_ERROR_RT_PARAM_INVALID);
}

#[test]
#[serial]
fn devices_are_well() {
    let nothing = aclrtMemUceInfo { addr: null_mut(), len: 0, reserved: [0; 14] };
    let pieces = aclrtMemUceInfoArray { arraySize: 9, memUceInfoArray: [nothing; 20] };
    let detail = aclrtErrorInfoDetail { uceInfo: pieces };
    let mut error =
        aclrtErrorInfo { tryRepair: 1, hasDetail: 1, reserved: [0; 2], errorType: ACL_RT_ERROR_L2, detail };
    assert_eq!(call!(aclrtRepairError(0, &error)), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    ok!(aclrtGetErrorVerbose(0, &mut error));
    assert_eq!((error.errorType, error.hasDetail), (ACL_RT_NO_ERROR, 0));
    ok!(aclrtRepairError(0, &error));
    let (mut piece, mut count) = (nothing, 9);
    ok!(aclrtGetMemUceInfo(0, &mut piece, 1, &mut count));
    assert_eq!(count, 0);
    ok!(aclrtMemUceRepair(0, &mut piece, 0));
    assert_eq!(call!(aclrtMemUceRepair(0, &mut piece, 1)), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);

    let (mut process, mut flags, mut active, mut logic) = (0, 9, 9, 9);
    ok!(aclrtDeviceGetBareTgid(&mut process));
    assert_eq!(process, std::process::id() as i32);
    ok!(aclrtGetPrimaryCtxState(0, &mut flags, &mut active));
    assert_eq!((flags, active), (0, 0));
    ok!(aclrtGetLogicDevIdByUserDevId(1, &mut logic));
    assert_eq!(logic, 1);

    let _device = Device::set();
    ok!(aclrtGetPrimaryCtxState(0, null_mut(), &mut active));
    assert_eq!(active, 1);
    // Work that is aborted never runs.
    let memory = malloc(8);
    upload(memory, &[1; 8]);
    ok!(aclrtMemsetAsync(memory, 8, 2, 8, null_mut()));
    ok!(aclrtDeviceTaskAbort(0, 100));
    ok!(aclrtSynchronizeDevice());
    assert_eq!(download(memory, 8), [1; 8]);
    free(memory);
}

#[test]
#[serial]
fn descriptions_of_tensors() {
    let dims = [2_i64, 3];
    let description = call!(aclCreateTensorDesc(ACL_FLOAT16, 2, dims.as_ptr(), ACL_FORMAT_NCHW));
    assert!(!description.is_null());
    assert_eq!(call!(aclGetTensorDescType(description)), ACL_FLOAT16);
    assert_eq!(call!(aclGetTensorDescFormat(description)), ACL_FORMAT_NCHW);
    assert_eq!(call!(aclGetTensorDescNumDims(description)), 2);
    assert_eq!(call!(aclGetTensorDescSize(description)), 12);
    let mut size = 0;
    ok!(aclGetTensorDescDimV2(description, 1, &mut size));
    assert_eq!(size, 3);
    assert_eq!(call!(aclGetTensorDescDimV2(description, 2, &mut size)), ACL_ERROR_INVALID_PARAM);
    call!(aclSetTensorDescName(description, c"x".as_ptr()));
    ok!(aclSetTensorFormat(description, ACL_FORMAT_NC1HWC0));
    ok!(aclSetTensorShape(description, 2, dims.as_ptr()));
    ok!(aclSetTensorPlaceMent(description, ACL_MEMTYPE_HOST));
    assert_eq!(call!(aclSetTensorPlaceMent(description, aclMemType(3))), ACL_ERROR_INVALID_PARAM);
    let mut ranges = [[1, 4], [3, 3]];
    ok!(aclSetTensorShapeRange(description, 2, ranges.as_mut_ptr()));
    ok!(aclSetTensorConst(description, (&raw mut size).cast(), 8));
    // What is told for the device leaves the description as it was.
    assert_eq!(call!(aclGetTensorDescFormat(description)), ACL_FORMAT_NCHW);
    call!(aclDestroyTensorDesc(description));
    assert_eq!(call!(aclGetTensorDescNumDims(description)), 0);
    assert_eq!(call!(aclGetTensorDescType(description)), ACL_DT_UNDEFINED);
    assert_eq!(call!(aclSetTensorFormat(description, ACL_FORMAT_ND)), ACL_ERROR_INVALID_PARAM);
    assert!(message().contains("destroyed"));
    assert!(call!(aclCreateTensorDesc(ACL_FLOAT, -1, null(), ACL_FORMAT_ND)).is_null());
    let unknown = call!(aclCreateTensorDesc(ACL_FLOAT, 1, &-1, ACL_FORMAT_ND));
    assert_eq!(call!(aclGetTensorDescSize(unknown)), 0);
    call!(aclDestroyTensorDesc(unknown));
}

#[test]
#[serial]
fn operators_called_by_name_say_what_was_called() {
    let attributes = call!(aclopCreateAttr());
    ok!(aclopSetAttrBool(attributes, c"keep".as_ptr(), 1));
    ok!(aclopSetAttrInt(attributes, c"axis".as_ptr(), -1));
    ok!(aclopSetAttrFloat(attributes, c"alpha".as_ptr(), 0.5));
    ok!(aclopSetAttrString(attributes, c"mode".as_ptr(), c"fast".as_ptr()));
    ok!(aclopSetAttrDataType(attributes, c"to".as_ptr(), ACL_FLOAT));
    ok!(aclopSetAttrListBool(attributes, c"bools".as_ptr(), 2, [0, 1].as_ptr()));
    ok!(aclopSetAttrListInt(attributes, c"ints".as_ptr(), 2, [7, 8].as_ptr()));
    ok!(aclopSetAttrListFloat(attributes, c"floats".as_ptr(), 0, null()));
    let lists = [[1_i64, 2].as_ptr(), [3].as_ptr()];
    ok!(aclopSetAttrListListInt(attributes, c"lists".as_ptr(), 2, [2, 1].as_ptr(), lists.as_ptr()));
    assert_eq!(call!(aclopSetAttrInt(attributes, null(), 1)), ACL_ERROR_INVALID_PARAM);
    assert_eq!(call!(aclopSetAttrListInt(attributes, c"x".as_ptr(), 1, null())), ACL_ERROR_INVALID_PARAM);
    assert_eq!(call!(aclopSetAttrListInt(attributes, c"x".as_ptr(), -1, null())), ACL_ERROR_INVALID_PARAM);
    let execute = || {
        call!(aclopCompileAndExecute(
            c"ReduceSum".as_ptr(),
            0,
            null(),
            null(),
            0,
            null(),
            null(),
            attributes,
            ACL_ENGINE_SYS,
            ACL_COMPILE_SYS,
            null(),
            null_mut()
        ))
    };
    assert_eq!(execute(), ACL_ERROR_RT_CONTEXT_NULL, "no device is set");
    let device = Device::set();
    // The stream tells the failure once, and takes work before and after that.
    let block = malloc(4);
    for _ in 0..2 {
        assert_eq!(execute(), 0);
        ok!(aclrtMemsetAsync(block, 4, 7, 4, null_mut()));
        assert_eq!(call!(aclrtSynchronizeStream(null_mut())), ACL_ERROR_RT_AICPU_EXCEPTION);
        let text = message();
        for word in ["aclopCompileAndExecute", "ReduceSum", "axis", "-1", "fast", "[[1, 2], [3]]"] {
            assert!(text.contains(word), "{word}: {text}");
        }
        ok!(aclrtSynchronizeStream(null_mut()));
        ok!(aclrtSynchronizeDevice());
    }
    assert_eq!(download(block, 4), [7; 4]);
    free(block);
    drop(device);
    call!(aclopDestroyAttr(attributes));
    assert_eq!(call!(aclopSetAttrInt(attributes, c"axis".as_ptr(), 1)), ACL_ERROR_INVALID_PARAM);
}

/// Every function that refuses does so without looking at its arguments, with its code and its name.
#[test]
#[serial]
fn refusals_name_the_function() {
    let source = cann_stubs::source();
    let mut codes = 0;
    for entry in cann_stubs::entry_points() {
        let Support::Refuses(expected) = entry.support() else { continue };
        // A result that is no code says nothing: zero, null, no subscription, an undefined type or, for those below acl, the code in a wide
        // register.
        let function = aclnn_sys::SymbolSource::symbol(&source, entry.name()).unwrap();
        // SAFETY: it reads none of its arguments, and every result fits the register.
        let code = unsafe {
            let function: extern "C" fn() -> i32 = std::mem::transmute(function.as_ptr());
            function()
        };
        // These have no result at all, so the register holds anything.
        let has_result = !["acldumpUnregCallback", "aclprofDestroyStamp"].contains(&entry.name());
        assert!(
            !has_result
                || [expected, 0, ACL_DT_UNDEFINED.0, ACL_SUBSCRIBE_NONE.0.cast_signed()].contains(&code),
            "{}: {code}",
            entry.name()
        );
        codes += usize::from(code == expected);
        let text = message();
        assert!(text.starts_with(&format!("{}: ", entry.name())), "{text}");
        let operator = entry.name().trim_end_matches("GetWorkspaceSize");
        assert_eq!(text.matches(operator).count(), 1, "the name stands in front alone: {text}");
        assert!(text.contains(&format!("[code {expected}, emulator]")), "{text}");
    }
    assert!(codes > 300, "{codes}");
    let bound = source.symbol("aclnnSoftmaxGetWorkspaceSize").is_some();
    assert!(bound && source.symbol("rtKernelLaunch").is_some());
}

/// A program that misses one takes another way, which may be a silent one.
#[test]
#[serial]
fn every_operator_that_cann_publishes_is_there() {
    let support: BTreeMap<&str, Support> =
        cann_stubs::entry_points().map(|entry| (entry.name(), entry.support())).collect();
    let source = cann_stubs::source();
    let (mut computed, mut refused) = (0, 0);
    for operator in operators::published() {
        let name = format!("aclnn{}", operator.name);
        let plan = operator.is_pair.then(|| format!("{name}GetWorkspaceSize"));
        let declared =
            operators::named(operator.name).is_some() || operators::COMPUTED_ALONE.contains(&operator.name);
        for function in plan.iter().chain([&name]) {
            let expected = match declared {
                true => Support::Works,
                false => Support::Refuses(ACLNN_ERR_INNER_FIND_KERNEL_ERROR),
            };
            assert_eq!(support.get(function.as_str()), Some(&expected), "{function}");
            assert!(source.symbol(function).is_some(), "{function}");
        }
        computed += usize::from(declared);
        refused += usize::from(!declared);
    }
    assert!(computed >= 26 && computed + refused >= 1199, "{computed} computed, {refused} refused");
    // Single functions of CANN are no pairs here.
    for operator in operators::published().filter(|operator| !operator.is_pair) {
        assert!(
            source.symbol(&format!("aclnn{}GetWorkspaceSize", operator.name)).is_none(),
            "{}",
            operator.name
        );
    }
}

/// By its name alone: what becomes of a call is another matter.
#[test]
#[serial]
fn what_programs_look_up_is_there() {
    let source = cann_stubs::source();
    let mut count = 0;
    for line in include_str!("../data/surface.txt").lines().filter(|line| !line.starts_with('#')) {
        let names = match line.split_once(' ').unwrap() {
            ("runtime" | "meta" | "transport" | "function" | "collective", name) => vec![name.to_owned()],
            (_, operator) => {
                let published = operators::published().find(|published| published.name == operator).unwrap();
                assert!(
                    published.header.is_some() && published.parameters().is_some(),
                    "no header has {operator}"
                );
                vec![format!("aclnn{operator}"), format!("aclnn{operator}GetWorkspaceSize")]
            }
        };
        count += names.len();
        for name in names {
            assert!(source.symbol(&name).is_some(), "{name}");
        }
    }
    assert_eq!(count, 483);
}

/// What a handle that is none is called with may be anything: it is not looked at.
#[test]
#[serial]
fn lists_are_not_read_before_their_handle_is_known() {
    let attributes = call!(aclopCreateAttr());
    call!(aclopDestroyAttr(attributes));
    let description = call!(aclCreateTensorDesc(ACL_FLOAT, 0, null(), ACL_FORMAT_ND));
    call!(aclDestroyTensorDesc(description));
    for attributes in [attributes, null_mut()] {
        let name = nowhere();
        for code in [
            call!(aclopSetAttrListBool(attributes, name, 3, nowhere())),
            call!(aclopSetAttrListInt(attributes, name, 3, nowhere())),
            call!(aclopSetAttrListFloat(attributes, name, 3, nowhere())),
            call!(aclopSetAttrListListInt(attributes, name, 3, nowhere(), nowhere())),
            call!(aclopSetAttrString(attributes, name, nowhere())),
            call!(aclopSetAttrInt(attributes, name, 1)),
        ] {
            assert_eq!(code, ACL_ERROR_INVALID_PARAM);
        }
        assert!(message().contains("attr"));
    }
    assert_eq!(call!(aclSetTensorShape(description, 3, nowhere())), ACL_ERROR_INVALID_PARAM);
    assert!(message().contains("desc"));
    let stream: *mut c_void = nowhere();
    let tag = ACL_STREAM_ATTR_USER_CUSTOM_TAG;
    assert_ne!(call!(aclrtSetStreamAttribute(stream, tag, nowhere())), 0);
    assert_ne!(call!(aclrtMemSetAccess(nowhere(), 1, nowhere(), 3)), 0);
}

/// An address where nothing is.
fn nowhere<T>() -> *mut T {
    std::ptr::without_provenance_mut(8)
}

/// IndexAddV2 knows no factor, unless its kernel must be deterministic; a plan that was kept serves the other calls alone. The
/// context is asked before the process.
#[test]
#[serial]
fn deterministic_kernels_are_asked_for_by_process_and_context() {
    let _device = Device::set();
    let ints = malloc(8);
    write(ints, &[1_i64]);
    let [own, source, out] = [[1.0_f32, 2.0], [10.0, 20.0], [0.0; 2]].map(|values| memory(&values));
    let matrix = |place, rows| Argument::Tensor(tensor(DType::F32, &[rows, 1], place));
    let index = Argument::Tensor(tensor(DType::I64, &[1], ints));
    let added = || {
        let factor = Argument::Scalar(scalar(3.0_f32));
        let operands = [
            matrix(own, 2),
            Argument::Int(0),
            index,
            matrix(source, 1),
            factor,
            Argument::Int(0),
            matrix(out, 2),
        ];
        run("IndexAddV2", &operands);
        read::<f32>(out, 2)
    };
    let (plain, times) = (vec![1.0, 12.0], vec![1.0, 32.0]);
    // Settings of the process outlive the tests that make them.
    ok!(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 0));
    assert_eq!(added(), plain);
    ok!(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1));
    assert_eq!(added(), times);
    ok!(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 0));
    assert_eq!(added(), plain);
    ok!(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 0));
    ok!(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1));
    assert_eq!(added(), times);
    ok!(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 0));
    assert_eq!(added(), plain);
}

/// The codes are those that are documented for each order of calls; nothing is recorded, and no folder appears.
#[test]
#[serial]
fn the_profiler_begins_and_ends() {
    let _device = Device::set();
    let folder = std::env::temp_dir().join(format!("profile-{}", std::process::id()));
    let path = std::ffi::CString::new(folder.to_str().unwrap()).unwrap();
    let length = path.as_bytes().len();
    let create = |devices: &mut [u32], events: *const aclprofAicoreEvents| {
        let (first, count) = (devices.as_mut_ptr(), devices.len() as u32);
        call!(aclprofCreateConfig(first, count, aclprofAicoreMetrics(0), events, 3))
    };
    let config = create(&mut [0], null());
    assert!(!config.is_null());
    for refused in [&mut [9][..], &mut [0, 0]] {
        assert!(create(refused, null()).is_null());
    }
    assert!(create(&mut [0], std::ptr::without_provenance(8)).is_null());
    assert_eq!(call!(aclprofStart(config)), ACL_ERROR_PROF_NOT_RUN);
    assert_eq!(call!(aclprofFinalize()), ACL_ERROR_PROF_NOT_RUN);
    assert_eq!(call!(aclprofInit(null(), 0)), ACL_ERROR_INVALID_PARAM);
    assert_eq!(call!(aclprofInit(path.as_ptr(), length + 1)), ACL_ERROR_INVALID_PARAM);
    for _ in 0..2 {
        ok!(aclprofInit(path.as_ptr(), length));
        assert_eq!(call!(aclprofInit(path.as_ptr(), length)), ACL_ERROR_REPEAT_INITIALIZE);
        ok!(aclprofStart(config));
        assert_eq!(call!(aclprofStart(config)), ACL_ERROR_PROF_ALREADY_RUN);
        ok!(aclprofStop(config));
        ok!(aclprofFinalize());
    }
    let step = call!(aclprofCreateStepInfo());
    ok!(aclprofGetStepTimestamp(step, aclprofStepTag(0), null_mut()));
    call!(aclprofDestroyStepInfo(step));
    assert_ne!(call!(aclprofGetStepTimestamp(step, aclprofStepTag(0), null_mut())), 0);
    ok!(aclprofDestroyConfig(config));
    assert_eq!(call!(aclprofDestroyConfig(config)), ACL_ERROR_INVALID_PARAM);
    assert!(!folder.exists());
}

//! The first CANN release known to have a function, for those that not every release has.

/// By release: the functions that are not known from an earlier one.
const SINCE: &[(&str, &[&str])] = &[
    (
        "8.0.RC1",
        &[
            "aclGetCannAttribute",
            "aclGetCannAttributeList",
            "aclGetDeviceCapability",
            "aclrtCreateEventExWithFlag",
        ],
    ),
    ("8.0.RC3", &["aclrtGetLastError", "aclrtPeekAtLastError"]),
    ("8.1.RC1", &["aclrtGetSysParamOpt", "aclrtSetSysParamOpt", "aclsysGetCANNVersion"]),
    (
        "8.5.0",
        &[
            "aclFinalizeReference",
            "aclrtCtxGetCurrentDefaultStream",
            "aclrtCtxGetSysParamOpt",
            "aclrtDeviceGetStreamPriorityRange",
            "aclrtDeviceGetUuid",
            "aclrtDevicePeerAccessStatus",
            "aclrtEventGetTimestamp",
            "aclrtFreeHostWithDevSync",
            "aclrtFreeWithDevSync",
            "aclrtGetDeviceCapability",
            "aclrtGetDeviceInfo",
            "aclrtGetDeviceSatMode",
            "aclrtGetEventAvailNum",
            "aclrtGetEventId",
            "aclrtGetMemUsageInfo",
            "aclrtGetOpTimeOutInterval",
            "aclrtGetStreamAvailableNum",
            "aclrtHostGetDevicePointer",
            "aclrtHostRegister",
            "aclrtHostRegisterV2",
            "aclrtHostUnregister",
            "aclrtLaunchHostFunc",
            "aclrtMallocHostWithCfg",
            "aclrtMallocWithCfg",
            "aclrtMemGetAccess",
            "aclrtMemGetAllocationGranularity",
            "aclrtMemGetAllocationPropertiesFromHandle",
            "aclrtMemRetainAllocationHandle",
            "aclrtMemSetAccess",
            "aclrtPointerGetAttributes",
            "aclrtQueryDeviceStatus",
            "aclrtResetDeviceForce",
            "aclrtSetOpExecuteTimeOutV2",
            "aclrtSetOpExecuteTimeOutWithMs",
            "aclrtStreamAbort",
            "aclrtStreamGetFlags",
            "aclrtStreamGetId",
            "aclrtStreamGetPriority",
            "aclrtStreamWaitEventWithTimeout",
            "aclrtSynchronizeDeviceWithTimeout",
            "aclrtSynchronizeEventWithTimeout",
            "aclsysGetVersionNum",
            "aclsysGetVersionStr",
        ],
    ),
    ("9.0.0", &["aclDumpOpTensors"]),
    ("9.1.0", &["aclrtMemsetD32", "aclrtMemsetD32Async"]),
];

/// The oldest CANN release known to have the function called `symbol`; `None` where every release has it, or nothing is
/// known.
pub fn since(symbol: &str) -> Option<&'static str> {
    let runtime = SINCE.iter().find(|(_, symbols)| symbols.contains(&symbol)).map(|(version, _)| *version);
    runtime.or_else(|| {
        let function = symbol.strip_prefix("aclnn")?;
        let function = function.strip_suffix("GetWorkspaceSize").unwrap_or(function);
        crate::operators::all().find(|operator| operator.name == function)?.since
    })
}

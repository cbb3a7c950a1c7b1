//! The first CANN release known to have a function, for functions that not every release has.

/// The functions that are not known from an earlier release, by release.
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
    (
        "8.0.RC3",
        &[
            "aclrtCmoAsync",
            "aclrtDeviceTaskAbort",
            "aclrtGetLastError",
            "aclrtGetMemUceInfo",
            "aclrtMemUceRepair",
            "aclrtPeekAtLastError",
        ],
    ),
    (
        "8.1.RC1",
        &[
            "aclmdlRICaptureBegin",
            "aclmdlRICaptureEnd",
            "aclmdlRICaptureGetInfo",
            "aclmdlRICaptureTaskGrpBegin",
            "aclmdlRICaptureTaskGrpEnd",
            "aclmdlRICaptureTaskUpdateBegin",
            "aclmdlRICaptureTaskUpdateEnd",
            "aclmdlRIDebugPrint",
            "aclmdlRIDestroy",
            "aclmdlRIExecuteAsync",
            "aclrtAllocatorCreateDesc",
            "aclrtAllocatorDestroyDesc",
            "aclrtAllocatorRegister",
            "aclrtAllocatorSetAllocAdviseFuncToDesc",
            "aclrtAllocatorSetAllocFuncToDesc",
            "aclrtAllocatorSetFreeFuncToDesc",
            "aclrtAllocatorSetGetAddrFromBlockFuncToDesc",
            "aclrtAllocatorSetObjToDesc",
            "aclrtAllocatorUnregister",
            "aclrtGetSysParamOpt",
            "aclrtSetSysParamOpt",
            "aclsysGetCANNVersion",
        ],
    ),
    (
        "8.3.RC1",
        &[
            "aclrtGetDeviceResLimit",
            "aclrtGetResInCurrentThread",
            "aclrtGetStreamResLimit",
            "aclrtMemcpyAsyncWithCondition",
            "aclrtMemcpyBatch",
            "aclrtMemcpyBatchAsync",
            "aclrtResetDeviceResLimit",
            "aclrtResetStreamResLimit",
            "aclrtSetDeviceResLimit",
            "aclrtSetStreamResLimit",
            "aclrtUnuseStreamResInCurrentThread",
            "aclrtUseStreamResInCurrentThread",
        ],
    ),
    (
        "8.5.0",
        &[
            "aclFinalizeReference",
            "aclmdlRICaptureThreadExchangeMode",
            "aclmdlRIDebugJsonPrint",
            "aclmdlRIExecute",
            "aclrtBinaryGetFunction",
            "aclrtBinaryLoad",
            "aclrtBinaryLoadFromData",
            "aclrtBinaryLoadFromFile",
            "aclrtBinaryUnLoad",
            "aclrtCreateBinary",
            "aclrtCreateNotify",
            "aclrtCtxGetCurrentDefaultStream",
            "aclrtCtxGetSysParamOpt",
            "aclrtDestroyBinary",
            "aclrtDestroyNotify",
            "aclrtDeviceGetBareTgid",
            "aclrtDeviceGetStreamPriorityRange",
            "aclrtDeviceGetUuid",
            "aclrtDevicePeerAccessStatus",
            "aclrtEventGetTimestamp",
            "aclrtFreeHostWithDevSync",
            "aclrtFreeWithDevSync",
            "aclrtGetDeviceCapability",
            "aclrtGetDeviceInfo",
            "aclrtGetDeviceSatMode",
            "aclrtGetErrorVerbose",
            "aclrtGetEventAvailNum",
            "aclrtGetEventId",
            "aclrtGetFunctionAddr",
            "aclrtGetLogicDevIdByUserDevId",
            "aclrtGetMemUsageInfo",
            "aclrtGetNotifyId",
            "aclrtGetOpTimeOutInterval",
            "aclrtGetPrimaryCtxState",
            "aclrtGetStreamAttribute",
            "aclrtGetStreamAvailableNum",
            "aclrtHostGetDevicePointer",
            "aclrtHostRegister",
            "aclrtHostRegisterV2",
            "aclrtHostUnregister",
            "aclrtIpcGetEventHandle",
            "aclrtIpcMemClose",
            "aclrtIpcMemGetExportKey",
            "aclrtIpcMemImportByKey",
            "aclrtIpcMemSetImportPid",
            "aclrtIpcOpenEventHandle",
            "aclrtKernelArgsAppend",
            "aclrtKernelArgsFinalize",
            "aclrtKernelArgsInit",
            "aclrtLaunchHostFunc",
            "aclrtLaunchKernel",
            "aclrtLaunchKernelV2",
            "aclrtLaunchKernelWithConfig",
            "aclrtLaunchKernelWithHostArgs",
            "aclrtMallocHostWithCfg",
            "aclrtMallocWithCfg",
            "aclrtMemExportToShareableHandle",
            "aclrtMemExportToShareableHandleV2",
            "aclrtMemGetAccess",
            "aclrtMemGetAllocationGranularity",
            "aclrtMemGetAllocationPropertiesFromHandle",
            "aclrtMemImportFromShareableHandle",
            "aclrtMemImportFromShareableHandleV2",
            "aclrtMemRetainAllocationHandle",
            "aclrtMemSetAccess",
            "aclrtMemSetPidToShareableHandle",
            "aclrtMemSetPidToShareableHandleV2",
            "aclrtPointerGetAttributes",
            "aclrtQueryDeviceStatus",
            "aclrtRecordNotify",
            "aclrtReduceAsync",
            "aclrtRepairError",
            "aclrtResetDeviceForce",
            "aclrtSetOpExecuteTimeOutV2",
            "aclrtSetOpExecuteTimeOutWithMs",
            "aclrtSetStreamAttribute",
            "aclrtStreamAbort",
            "aclrtStreamGetFlags",
            "aclrtStreamGetId",
            "aclrtStreamGetPriority",
            "aclrtStreamWaitEventWithTimeout",
            "aclrtSynchronizeDeviceWithTimeout",
            "aclrtSynchronizeEventWithTimeout",
            "aclrtValueWait",
            "aclrtValueWrite",
            "aclrtWaitAndResetNotify",
            "aclsysGetVersionNum",
            "aclsysGetVersionStr",
        ],
    ),
    (
        "9.0.0",
        &[
            "HcclGroupEnd",
            "HcclGroupStart",
            "aclDumpOpTensors",
            "aclrtMemGetAddressRange",
            "aclrtMemPoolCreate",
            "aclrtMemPoolDestroy",
            "aclrtMemPoolGetAttr",
            "aclrtMemPoolSetAttr",
        ],
    ),
    (
        "9.1.0",
        &[
            "aclmdlRIAddCondTask",
            "aclmdlRICaptureToModelRIBegin",
            "aclmdlRICondHandleCreate",
            "aclmdlRICondHandleGetCondPtr",
            "aclmdlRIGetId",
            "aclrtMemPoolFreeAsync",
            "aclrtMemPoolMallocAsync",
            "aclrtMemPoolTrimTo",
            "aclrtMemcpyBatchAsyncV2",
            "aclrtMemcpyBatchV2",
            "aclrtMemsetD32",
            "aclrtMemsetD32Async",
        ],
    ),
];

/// Returns the oldest CANN release known to have the function called `symbol`; `None` where every release has the
/// function, or where nothing is known.
pub fn since(symbol: &str) -> Option<&'static str> {
    since_of_function(symbol).or_else(|| {
        let function = symbol.strip_prefix("aclnn")?;
        let function = function.strip_suffix("GetWorkspaceSize").unwrap_or(function);
        crate::families::all().find(|operator| operator.name == function)?.since
    })
}

/// Does what [`since`] does, at compile time and for all functions but operators.
pub const fn since_of_function(symbol: &str) -> Option<&'static str> {
    let mut release = 0;
    while release < SINCE.len() {
        let (version, symbols) = SINCE[release];
        let mut index = 0;
        while index < symbols.len() {
            if equal(symbols[index].as_bytes(), symbol.as_bytes()) {
                return Some(version);
            }
            index += 1;
        }
        release += 1;
    }
    None
}

const fn equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    // The comparison starts at the end, as names begin alike and differ there.
    let mut left = a.len();
    while left > 0 {
        left -= 1;
        if a[left] != b[left] {
            return false;
        }
    }
    true
}

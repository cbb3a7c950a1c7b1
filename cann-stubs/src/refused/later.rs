//! Functions that later releases of CANN publish, which refuse.

use std::ffi::{c_char, c_void};

use aclnn_sys::{
    ACL_ERROR_API_NOT_SUPPORT as API_NOT_SUPPORT,
    ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT as CAPTURE_MODE_NOT_SUPPORT,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT as FEATURE_NOT_SUPPORT, HcclResult, aclprofSubscribeConfig,
    aclprofSubscribeOpFlag, aclrtGroupInfo, aclrtStreamConfigHandle, acltdtChannelHandle, acltdtDataItem,
    acltdtQueueAttr, acltdtQueueRoute, acltdtQueueRouteList, acltdtQueueRouteQueryInfo, acltdtTensorType,
};

use super::declare::refusals;
use crate::surface::EntryPoint;

/// The code of HCCL for what is not supported.
const HCCL_NOT_SUPPORT: i32 = 5;

/// Every list of this file.
pub(super) const SYMBOLS: &[&[EntryPoint]] = &[
    DUMPS,
    RUNTIME,
    PROFILER,
    GRAPHS,
    KERNELS,
    MEMORY,
    NOTIFICATIONS,
    CHANNELS,
    QUEUES,
    COMMUNICATION,
    TRANSPORT,
];

refusals! { DUMPS, API_NOT_SUPPORT, "operators of a device are dumped there alone; copy tensors to the host instead":
    acldumpGetExceptionInfoPath -> i32;
    acldumpGetPath -> *const c_char;
    acldumpRegCallback -> i32;
    acldumpSaveExceptionInfo -> i32;
    acldumpUnregCallback -> ();
}

refusals! { RUNTIME, FEATURE_NOT_SUPPORT, "the emulated device does not have this; run this part of the program on a device":
    aclplatformGetDeviceInfo -> i32;
    aclplatformGetInstructionInfo -> i32;
    aclFinalizeCallbackRegister -> i32;
    aclFinalizeCallbackUnRegister -> i32;
    aclInitCallbackRegister -> i32;
    aclInitCallbackUnRegister -> i32;
    aclrtActiveStream -> i32;
    aclrtAllocBuf -> i32;
    aclrtAppendBufChain -> i32;
    aclrtCacheLastTaskExtendInfo -> i32;
    aclrtCacheLastTaskOpInfo -> i32;
    aclrtCheckArchCompatibility -> i32;
    aclrtCmoAsyncWithBarrier -> i32;
    aclrtCmoAsyncWithDesc -> i32;
    aclrtCmoGetDescSize -> i32;
    aclrtCmoSetDesc -> i32;
    aclrtCmoWaitBarrier -> i32;
    aclrtCopyBufRef -> i32;
    aclrtCreateGroupInfo -> *mut aclrtGroupInfo;
    aclrtCreateLabel -> i32;
    aclrtCreateLabelList -> i32;
    aclrtCreateStreamConfigHandle -> *mut aclrtStreamConfigHandle;
    aclrtCreateStreamV2 -> i32;
    aclrtCtxGetFloatOverflowAddr -> i32;
    aclrtDestroyGroupInfo -> i32;
    aclrtDestroyLabel -> i32;
    aclrtDestroyLabelList -> i32;
    aclrtDestroyStreamConfigHandle -> i32;
    aclrtDeviceGetByPCIBusId -> i32;
    aclrtDeviceGetHostAtomicCapabilities -> i32;
    aclrtDeviceGetLimit -> i32;
    aclrtDeviceGetP2PAtomicCapabilities -> i32;
    aclrtDeviceGetPCIBusId -> i32;
    aclrtDeviceL2CacheFlush -> i32;
    aclrtDeviceSetLimit -> i32;
    aclrtExceptionInfoCallbackRegister -> i32;
    aclrtExceptionInfoCallbackUnregister -> i32;
    aclrtFreeBuf -> i32;
    aclrtGetAllGroupInfo -> i32;
    aclrtGetArgsFromExceptionInfo -> i32;
    aclrtGetBufChainNum -> i32;
    aclrtGetBufData -> i32;
    aclrtGetBufDataLen -> i32;
    aclrtGetBufFromChain -> i32;
    aclrtGetBufUserData -> i32;
    aclrtGetDevicesTopo -> i32;
    aclrtGetFloatOverflowStatus -> i32;
    aclrtGetGroupInfoDetail -> i32;
    aclrtGetLogicDevIdByPhyDevId -> i32;
    aclrtGetOpExecuteTimeout -> i32;
    aclrtGetPhyDevIdByLogicDevId -> i32;
    aclrtGetPhyDevIdByUserDevId -> i32;
    aclrtGetSymbolAddress -> i32;
    aclrtGetSymbolSize -> i32;
    aclrtGetThreadLastTaskId -> i32;
    aclrtGetUserDevIdByLogicDevId -> i32;
    aclrtGetUserDevIdByPhyDevId -> i32;
    aclrtMallocForTaskScheduler -> i32;
    aclrtNpuClearFloatOverFlowStatus -> i32;
    aclrtNpuGetFloatOverFlowStatus -> i32;
    aclrtPersistentTaskClean -> i32;
    aclrtProfTrace -> i32;
    aclrtRandomNumAsync -> i32;
    aclrtRecordEventWithFlag -> i32;
    aclrtRegDeviceStateCallback -> i32;
    aclrtRegStreamStateCallback -> i32;
    aclrtResetFloatOverflowStatus -> i32;
    aclrtSetBufDataLen -> i32;
    aclrtSetBufUserData -> i32;
    aclrtSetDeviceTaskAbortCallback -> i32;
    aclrtSetLabel -> i32;
    aclrtSetStreamConfigOpt -> i32;
    aclrtSetTsDevice -> i32;
    aclrtStreamStop -> i32;
    aclrtStreamWaitEventWithFlag -> i32;
    aclrtSwitchLabelByIndex -> i32;
    aclrtSwitchStream -> i32;
    aclrtTaskUpdateAsync -> i32;
    aclrtAllocatorGetByStream -> i32;
}

refusals! { PROFILER, API_NOT_SUPPORT, "there is no device whose times could be recorded; CANN_STUBS_TRACE records what the emulator runs":
    aclprofCreateStamp -> *mut c_void;
    aclprofCreateSubscribeConfig -> *mut aclprofSubscribeConfig;
    aclprofDestroyStamp -> ();
    aclprofDestroySubscribeConfig -> i32;
    aclprofGetModelId -> u64;
    aclprofGetOpAttriValue -> *const c_char;
    aclprofGetOpDescSize -> i32;
    aclprofGetOpDuration -> u64;
    aclprofGetOpEnd -> u64;
    aclprofGetOpFlag -> aclprofSubscribeOpFlag;
    aclprofGetOpName -> i32;
    aclprofGetOpNameLen -> i32;
    aclprofGetOpNum -> i32;
    aclprofGetOpStart -> u64;
    aclprofGetOpType -> i32;
    aclprofGetOpTypeLen -> i32;
    aclprofMark -> i32;
    aclprofModelSubscribe -> i32;
    aclprofModelUnSubscribe -> i32;
    aclprofPop -> i32;
    aclprofPush -> i32;
    aclprofRangePop -> i32;
    aclprofRangePushEx -> i32;
    aclprofRangeStart -> i32;
    aclprofRangeStop -> i32;
    aclprofSetStampTraceMessage -> i32;
    aclprofStr2Id -> u64;
}

refusals! { GRAPHS, CAPTURE_MODE_NOT_SUPPORT, "graphs that are built or changed task by task are not emulated; capture the work of a stream instead":
    aclmdlRIAbort -> i32;
    aclmdlRIBindStream -> i32;
    aclmdlRIBuildBegin -> i32;
    aclmdlRIBuildEnd -> i32;
    aclmdlRIDestroyRegisterCallback -> i32;
    aclmdlRIDestroyUnregisterCallback -> i32;
    aclmdlRIEndTask -> i32;
    aclmdlRIGetName -> i32;
    aclmdlRIGetStreams -> i32;
    aclmdlRIGetTasksByStream -> i32;
    aclmdlRIKernelTaskGetAttribute -> i32;
    aclmdlRISetName -> i32;
    aclmdlRITaskDisable -> i32;
    aclmdlRITaskGetParams -> i32;
    aclmdlRITaskGetSeqId -> i32;
    aclmdlRITaskGetType -> i32;
    aclmdlRITaskSetParams -> i32;
    aclmdlRIUnbindStream -> i32;
    aclmdlRIUpdate -> i32;
}

refusals! { KERNELS, FEATURE_NOT_SUPPORT, "kernels compiled for a device cannot run here; call aclnn operators instead":
    aclrtBinaryGetDevAddress -> i32;
    aclrtBinaryGetFunctionByEntry -> i32;
    aclrtBinaryGetGlobal -> i32;
    aclrtBinarySetExceptionCallback -> i32;
    aclrtFunctionGetAvailDynUbufPerBlock -> i32;
    aclrtFunctionGetBinary -> i32;
    aclrtFunctionGetParamCount -> i32;
    aclrtFunctionGetParamInfo -> i32;
    aclrtGetFuncBySymbol -> i32;
    aclrtGetFuncHandleFromExceptionInfo -> i32;
    aclrtGetFunctionAttribute -> i32;
    aclrtGetFunctionName -> i32;
    aclrtGetFunctionSize -> i32;
    aclrtKernelArgsAppendPlaceHolder -> i32;
    aclrtKernelArgsGetHandleMemSize -> i32;
    aclrtKernelArgsGetMemSize -> i32;
    aclrtKernelArgsGetPlaceHolderBuffer -> i32;
    aclrtKernelArgsInitByUserMem -> i32;
    aclrtKernelArgsParaUpdate -> i32;
    aclrtLaunchKernelWithArgsArray -> i32;
    aclrtLaunchSIMTKernelWithArgsArray -> i32;
    aclrtLaunchSIMTKernelWithHostArgs -> i32;
    aclrtProcessHostFunc -> i32;
    aclrtRegisterCpuFunc -> i32;
    aclrtSubscribeHostFunc -> i32;
    aclrtUnSubscribeHostFunc -> i32;
}

refusals! { MEMORY, FEATURE_NOT_SUPPORT, "this kind of memory is not emulated; allocate device memory with aclrtMalloc":
    aclrtCheckMemType -> i32;
    aclrtGetMemcpyDescSize -> i32;
    aclrtHostMemMapCapabilities -> i32;
    aclrtMemAllocManaged -> i32;
    aclrtMemManagedAdvise -> i32;
    aclrtMemManagedGetAttr -> i32;
    aclrtMemManagedGetAttrs -> i32;
    aclrtMemManagedPrefetchAsync -> i32;
    aclrtMemManagedPrefetchBatchAsync -> i32;
    aclrtMemMapNoAccess -> i32;
    aclrtMemMapSelectedLink -> i32;
    aclrtMemMapSetLink -> i32;
    aclrtMemP2PMap -> i32;
    aclrtMemcpyAsyncWithDesc -> i32;
    aclrtMemcpyAsyncWithOffset -> i32;
    aclrtMemcpyFromSymbol -> i32;
    aclrtMemcpyFromSymbolAsync -> i32;
    aclrtMemcpyToSymbol -> i32;
    aclrtMemcpyToSymbolAsync -> i32;
    aclrtReserveMemAddressNoUCMemory -> i32;
    aclrtSetMemcpyDesc -> i32;
    aclrtSnapShotCallbackRegister -> i32;
    aclrtSnapShotCallbackUnregister -> i32;
    aclrtSnapShotProcessBackup -> i32;
    aclrtSnapShotProcessLock -> i32;
    aclrtSnapShotProcessRestore -> i32;
    aclrtSnapShotProcessUnlock -> i32;
}

refusals! { NOTIFICATIONS, FEATURE_NOT_SUPPORT, "these notifications and keys of other processes are not emulated; use events":
    aclrtCntNotifyCreate -> i32;
    aclrtCntNotifyDestroy -> i32;
    aclrtCntNotifyGetId -> i32;
    aclrtCntNotifyRecord -> i32;
    aclrtCntNotifyReset -> i32;
    aclrtCntNotifyWaitWithTimeout -> i32;
    aclrtIpcMemImportPidInterServer -> i32;
    aclrtIpcMemSetAttr -> i32;
    aclrtNotifyBatchReset -> i32;
    aclrtNotifyGetExportKey -> i32;
    aclrtNotifyImportByKey -> i32;
    aclrtNotifySetImportPid -> i32;
    aclrtNotifySetImportPidInterServer -> i32;
}

refusals! { CHANNELS, FEATURE_NOT_SUPPORT, "channels of data for models are not emulated":
    acltdtAddDataItem -> i32;
    acltdtCleanChannel -> i32;
    acltdtCreateChannel -> *mut acltdtChannelHandle;
    acltdtCreateDataItem -> *mut acltdtDataItem;
    acltdtDestroyDataItem -> i32;
    acltdtGetDatasetName -> *const c_char;
    acltdtGetSliceInfoFromItem -> i32;
    acltdtGetTensorTypeFromItem -> acltdtTensorType;
    acltdtQueryChannelSize -> i32;
    acltdtSendTensor -> i32;
}

refusals! { QUEUES, FEATURE_NOT_SUPPORT, "queues between processes of a device are not emulated":
    acltdtAddQueueRoute -> i32;
    acltdtAllocBuf -> i32;
    acltdtAppendBufChain -> i32;
    acltdtAttachQueue -> i32;
    acltdtBindQueueRoutes -> i32;
    acltdtCopyBufRef -> i32;
    acltdtCreateQueue -> i32;
    acltdtCreateQueueAttr -> *mut acltdtQueueAttr;
    acltdtCreateQueueRoute -> *mut acltdtQueueRoute;
    acltdtCreateQueueRouteList -> *mut acltdtQueueRouteList;
    acltdtCreateQueueRouteQueryInfo -> *mut acltdtQueueRouteQueryInfo;
    acltdtDequeue -> i32;
    acltdtDequeueData -> i32;
    acltdtDestroyQueue -> i32;
    acltdtDestroyQueueAttr -> i32;
    acltdtDestroyQueueRoute -> i32;
    acltdtDestroyQueueRouteList -> i32;
    acltdtDestroyQueueRouteQueryInfo -> i32;
    acltdtEnqueue -> i32;
    acltdtEnqueueData -> i32;
    acltdtFreeBuf -> i32;
    acltdtGetBufChainNum -> i32;
    acltdtGetBufData -> i32;
    acltdtGetBufDataLen -> i32;
    acltdtGetBufFromChain -> i32;
    acltdtGetBufUserData -> i32;
    acltdtGetQueueAttr -> i32;
    acltdtGetQueueRoute -> i32;
    acltdtGetQueueRouteNum -> u64;
    acltdtGetQueueRouteParam -> i32;
    acltdtGrantQueue -> i32;
    acltdtQueryQueueRoutes -> i32;
    acltdtSetBufDataLen -> i32;
    acltdtSetBufUserData -> i32;
    acltdtSetQueueAttr -> i32;
    acltdtSetQueueRouteQueryInfo -> i32;
    acltdtUnbindQueueRoutes -> i32;
}

refusals! { COMMUNICATION, HCCL_NOT_SUPPORT, "the emulated ranks have no links, threads and channels of a device; use the collectives":
    HcclCommAssignCcuIns -> HcclResult;
    HcclCommQueryAssignedCcuIns -> HcclResult;
    HcclCommQueryCcuIns -> HcclResult;
    HcclChannelAcquire -> HcclResult;
    HcclChannelAcquireWithConfig -> HcclResult;
    HcclChannelConfigCreate -> HcclResult;
    HcclChannelConfigDestroy -> HcclResult;
    HcclChannelConfigSetInt -> HcclResult;
    HcclChannelConfigSetStr -> HcclResult;
    HcclChannelDestroy -> HcclResult;
    HcclChannelGetHcclBuffer -> HcclResult;
    HcclChannelGetRemoteMems -> HcclResult;
    HcclChannelQuery -> HcclResult;
    HcclCommGetStatus -> HcclResult;
    HcclCommRegCommStateCallback -> HcclResult;
    HcclCommSymWinDeregister -> HcclResult;
    HcclCommSymWinGet -> HcclResult;
    HcclCommSymWinRegister -> HcclResult;
    HcclConfigGetInfo -> HcclResult;
    HcclAicpuKernelLaunch -> HcclResult;
    HcclCreateOpResCtx -> HcclResult;
    HcclKfcAllocOpArgs -> HcclResult;
    HcclKfcFreeOpArgs -> HcclResult;
    HcclKfcOpArgsSetAlgConfig -> HcclResult;
    HcclKfcOpArgsSetCommEngine -> HcclResult;
    HcclKfcOpArgsSetCount -> HcclResult;
    HcclKfcOpArgsSetDstDataType -> HcclResult;
    HcclKfcOpArgsSetReduceType -> HcclResult;
    HcclKfcOpArgsSetSrcDataType -> HcclResult;
    HcclGetHeterogMode -> HcclResult;
    HcclRankGraphGetEndpointDesc -> HcclResult;
    HcclRankGraphGetEndpointInfo -> HcclResult;
    HcclRankGraphGetEndpointNum -> HcclResult;
    HcclRankGraphGetInstSizeListByLayer -> HcclResult;
    HcclRankGraphGetLayers -> HcclResult;
    HcclRankGraphGetLinks -> HcclResult;
    HcclRankGraphGetRankSizeByLayer -> HcclResult;
    HcclRankGraphGetRanksByLayer -> HcclResult;
    HcclRankGraphGetRanksByTopoInst -> HcclResult;
    HcclRankGraphGetTopoInstsByLayer -> HcclResult;
    HcclRankGraphGetTopoType -> HcclResult;
    HcclRankGraphGetTopoTypeByLayer -> HcclResult;
    HcclCommMemReg -> HcclResult;
    HcclDedicatedThreadAcquire -> HcclResult;
    HcclEngineCtxCopy -> HcclResult;
    HcclEngineCtxCreate -> HcclResult;
    HcclEngineCtxDestroy -> HcclResult;
    HcclEngineCtxGet -> HcclResult;
    HcclGetHcclBuffer -> HcclResult;
    HcclGetHcclBufferCleared -> HcclResult;
    HcclThreadAcquire -> HcclResult;
    HcclThreadAcquireWithConfig -> HcclResult;
    HcclThreadAcquireWithStream -> HcclResult;
    HcclThreadResGetInfo -> HcclResult;
    HcclSymWinGetPeerPointer -> HcclResult;
    HcclSubTeamCreate -> HcclResult;
    HcclTeamChannelsCreate -> HcclResult;
    HcclTeamDestroy -> HcclResult;
    HcclTeamWindowDeregister -> HcclResult;
    HcclTeamWindowRegister -> HcclResult;
    HcclWorldTeamCreate -> HcclResult;
}

refusals! { TRANSPORT, HCCL_NOT_SUPPORT, "the emulated ranks have no links of a device; use the collectives":
    HcommChannelConfigCreate -> i32;
    HcommChannelConfigDestroy -> i32;
    HcommChannelConfigSetInt -> i32;
    HcommChannelCreate -> i32;
    HcommChannelCreateWithConfig -> i32;
    HcommChannelDestroy -> i32;
    HcommChannelGetStatus -> i32;
    HcommAclrtNotifyRecordOnThread -> i32;
    HcommAclrtNotifyWaitOnThread -> i32;
    HcommAcquireComm -> i32;
    HcommAicpuTsTaskCacheClear -> i32;
    HcommAicpuTsTaskCacheEnd -> i32;
    HcommAicpuTsTaskCacheExecute -> i32;
    HcommAicpuTsTaskCacheLookup -> i32;
    HcommAicpuTsTaskCacheStart -> i32;
    HcommBatchModeEnd -> i32;
    HcommBatchModeStart -> i32;
    HcommBatchTransferOnThread -> i32;
    HcommChannelDrainOnThread -> i32;
    HcommChannelFence -> i32;
    HcommChannelFenceOnThread -> i32;
    HcommChannelNotifyRecord -> i32;
    HcommChannelNotifyRecordOnThread -> i32;
    HcommChannelNotifyWait -> i32;
    HcommChannelNotifyWaitOnThread -> i32;
    HcommChannelNotifyWaitOnThreadWithDefaultTimeout -> i32;
    HcommFenceOnThread -> i32;
    HcommLocalCopyOnThread -> i32;
    HcommLocalReduceOnThread -> i32;
    HcommReadNbi -> i32;
    HcommReadNbiOnThread -> i32;
    HcommReadOnThread -> i32;
    HcommReadReduceOnThread -> i32;
    HcommReleaseComm -> i32;
    HcommSetNotifyWaitTimeOut -> i32;
    HcommThreadNotifyRecordOnThread -> i32;
    HcommThreadNotifyWaitOnThread -> i32;
    HcommThreadNotifyWaitOnThreadWithDefaultTimeout -> i32;
    HcommThreadResAcquireTimeOut -> i32;
    HcommWriteNbi -> i32;
    HcommWriteNbiOnThread -> i32;
    HcommWriteOnThread -> i32;
    HcommWriteReduceOnThread -> i32;
    HcommWriteReduceWithNotifyOnThread -> i32;
    HcommWriteWithNotifyNbi -> i32;
    HcommWriteWithNotifyNbiOnThread -> i32;
    HcommWriteWithNotifyOnThread -> i32;
    HcommEndpointCheckFeature -> i32;
    HcommEndpointCreate -> i32;
    HcommEndpointDestroy -> i32;
    HcommEndpointGetDescNum -> i32;
    HcommEndpointGetDescs -> i32;
    HcommEndpointGetListenPort -> i32;
    HcommMemAlloc -> i32;
    HcommMemExport -> i32;
    HcommMemFree -> i32;
    HcommMemImport -> i32;
    HcommMemReg -> i32;
    HcommMemUnimport -> i32;
    HcommMemUnreg -> i32;
    HcommThreadAlloc -> i32;
    HcommThreadFree -> i32;
    HcommThreadResGetInfo -> i32;
}

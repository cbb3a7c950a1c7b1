//! Functions that change nothing here, and those that are not served: their status says which one it is.

use ort_sys::*;

use crate::entry::{Refusal, answer};

/// The result of a function that takes no notice of its arguments.
trait Status {
    fn status() -> OrtStatusPtr;
}

/// A function pointer of the table that can be filled with a function of the status.
trait Entry<S> {
    const ENTRY: Self;
}

macro_rules! entry {
    ($($argument:ident)*) => {
        impl<S: Status, $($argument),*> Entry<S> for unsafe extern "system" fn($($argument),*) -> OrtStatusPtr {
            const ENTRY: Self = {
                unsafe extern "system" fn entry<S: Status, $($argument),*>($(_: $argument),*) -> OrtStatusPtr {
                    S::status()
                }
                entry::<S, $($argument),*>
            };
        }
    };
}

entry!(A);
entry!(A B);
entry!(A B C);
entry!(A B C D);
entry!(A B C D E);
entry!(A B C D E F);
entry!(A B C D E F G);
entry!(A B C D E F G H);
entry!(A B C D E F G H I);
entry!(A B C D E F G H I J);
entry!(A B C D E F G H I J K);
entry!(A B C D E F G H I J K L);

macro_rules! fill {
    ($api:ident with $name:ident => $status:expr; $($function:ident),* $(,)?) => {
        $({
            struct This;
            impl Status for This {
                fn status() -> OrtStatusPtr {
                    let $name = stringify!($function);
                    answer($name, || $status)
                }
            }
            $api.$function = <_ as Entry<This>>::ENTRY;
        })*
    };
}

fn not_served(function: &str) -> Refusal {
    Refusal::new(OrtErrorCode::ORT_NOT_IMPLEMENTED, format!("ort-aclnn does not serve {function}"))
}

/// Puts the functions into the table that accept what they are told, and need not act on it.
pub(crate) fn serve_accepted(api: &mut OrtApi) {
    fill! {
        api with _name => Ok(());
        EnableTelemetryEvents, DisableTelemetryEvents, SetSessionExecutionMode, DisableProfiling,
        EnableMemPattern, DisableMemPattern, EnableCpuMemArena, DisableCpuMemArena, SetSessionLogId,
        SetSessionLogVerbosityLevel, SetSessionLogSeverityLevel, SetIntraOpNumThreads, SetInterOpNumThreads,
        AddFreeDimensionOverride, DisablePerSessionThreads, SetLanguageProjection, SetGlobalIntraOpNumThreads,
        SetGlobalInterOpNumThreads, SetGlobalSpinControl, SetGlobalDenormalAsZero,
        SessionOptionsSetCustomCreateThreadFn, SessionOptionsSetCustomThreadCreationOptions,
        SessionOptionsSetCustomJoinThreadFn, SetGlobalCustomCreateThreadFn,
        SetGlobalCustomThreadCreationOptions, SetGlobalCustomJoinThreadFn, SynchronizeBoundInputs,
        SynchronizeBoundOutputs, UpdateEnvWithCustomLogLevel, SetGlobalIntraOpThreadAffinity,
        SetUserLoggingFunction, SetDeterministicCompute,
    }
    #[cfg(feature = "api-31")]
    fill! {
        api with _name => Ok(());
        SessionOptionsSetEpSelectionPolicy, RunOptionsDisableProfiling, SetPerSessionThreadPoolCallbacks,
    }
}

/// Puts the functions into the table that only return an error.
pub(crate) fn serve(api: &mut OrtApi) {
    fill! {
        api with name => Err(not_served(name));
        SetOptimizedModelFilePath, EnableProfiling, CreateCustomOpDomain, CustomOpDomain_Add,
        AddCustomOpDomain, RegisterCustomOpsLibrary, CreateOpaqueValue, GetOpaqueValue,
        KernelInfoGetAttribute_float, KernelInfoGetAttribute_int64, KernelInfoGetAttribute_string,
        KernelContext_GetInputCount, KernelContext_GetOutputCount, KernelContext_GetInput,
        KernelContext_GetOutput, SessionEndProfiling, CreateAndRegisterAllocator,
        SessionGetProfilingStartTimeNs, AddInitializer, SessionOptionsAppendExecutionProvider_CUDA,
        SessionOptionsAppendExecutionProvider_ROCM, SessionOptionsAppendExecutionProvider_OpenVINO,
        CreateArenaCfg, SessionOptionsAppendExecutionProvider_TensorRT, SetCurrentGpuDeviceId,
        GetCurrentGpuDeviceId, KernelInfoGetAttributeArray_float, KernelInfoGetAttributeArray_int64,
        CreateArenaCfgV2, SessionOptionsAppendExecutionProvider_TensorRT_V2, CreateTensorRTProviderOptions,
        UpdateTensorRTProviderOptions, GetTensorRTProviderOptionsAsString, EnableOrtCustomOps,
        RegisterAllocator, UnregisterAllocator, CreateSparseTensorAsOrtValue, FillSparseTensorCoo,
        FillSparseTensorCsr, FillSparseTensorBlockSparse, CreateSparseTensorWithValuesAsOrtValue,
        UseCooIndices, UseCsrIndices, UseBlockSparseIndices, GetSparseTensorFormat,
        GetSparseTensorValuesTypeAndShape, GetSparseTensorValues, GetSparseTensorIndicesTypeShape,
        GetSparseTensorIndices, KernelContext_GetGPUComputeStream, GetExecutionProviderApi,
        SessionOptionsAppendExecutionProvider_CUDA_V2, CreateCUDAProviderOptions, UpdateCUDAProviderOptions,
        GetCUDAProviderOptionsAsString, SessionOptionsAppendExecutionProvider_MIGraphX,
        AddExternalInitializers, CreateOpAttr, CreateOp, InvokeOp, SessionOptionsAppendExecutionProvider,
        CopyKernelInfo, GetCANNProviderOptionsAsString, RegisterCustomOpsLibrary_V2,
        RegisterCustomOpsUsingFunction, KernelInfo_GetInputCount, KernelInfo_GetOutputCount,
        KernelInfo_GetInputName, KernelInfo_GetOutputName, KernelInfo_GetInputTypeInfo,
        KernelInfo_GetOutputTypeInfo, KernelInfoGetAttribute_tensor,
        SessionOptionsAppendExecutionProvider_Dnnl, CreateDnnlProviderOptions, UpdateDnnlProviderOptions,
        GetDnnlProviderOptionsAsString, KernelInfo_GetNodeName, KernelInfo_GetLogger, KernelContext_GetLogger,
        Logger_LogMessage, Logger_GetLoggingSeverityLevel, KernelInfoGetConstantInput_tensor,
        GetResizedStringTensorElementBuffer, KernelContext_GetAllocator, CreateROCMProviderOptions,
        UpdateROCMProviderOptions, GetROCMProviderOptionsAsString, CreateAndRegisterAllocatorV2,
        UpdateTensorRTProviderOptionsWithValue, GetTensorRTProviderOptionsByName,
        UpdateCUDAProviderOptionsWithValue, GetCUDAProviderOptionsByName, KernelContext_GetResource,
        ShapeInferContext_GetInputCount, ShapeInferContext_GetInputTypeShape, ShapeInferContext_GetAttribute,
        ShapeInferContext_SetOutputTypeShape, ReadOpAttr, KernelContext_ParallelFor,
        SessionOptionsAppendExecutionProvider_OpenVINO_V2,
    }
    #[cfg(feature = "api-31")]
    fill! {
        api with name => Err(not_served(name));
        SessionOptionsAppendExecutionProvider_VitisAI, KernelContext_GetScratchBuffer, KernelInfoGetAllocator,
        AddExternalInitializersFromMemory, CreateLoraAdapter, CreateLoraAdapterFromArray,
        RunOptionsAddActiveLoraAdapter, SetEpDynamicOptions, GetValueInfoName, GetValueInfoTypeInfo,
        CreateTensorWithDataAndDeleterAsOrtValue, RegisterExecutionProviderLibrary,
        UnregisterExecutionProviderLibrary, GetEpDevices, SessionOptionsAppendExecutionProvider_V2,
        SessionOptionsSetEpSelectionPolicyDelegate, AllocatorGetStats, CreateMemoryInfo_V2,
        ValueInfo_GetValueProducer, ValueInfo_GetValueNumConsumers, ValueInfo_GetValueConsumers,
        ValueInfo_GetInitializerValue, ValueInfo_GetExternalInitializerInfo, ValueInfo_IsRequiredGraphInput,
        ValueInfo_IsOptionalGraphInput, ValueInfo_IsGraphOutput, ValueInfo_IsConstantInitializer,
        ValueInfo_IsFromOuterScope, Graph_GetName, Graph_GetModelPath, Graph_GetOnnxIRVersion,
        Graph_GetNumOperatorSets, Graph_GetOperatorSets, Graph_GetNumInputs, Graph_GetInputs,
        Graph_GetNumOutputs, Graph_GetOutputs, Graph_GetNumInitializers, Graph_GetInitializers,
        Graph_GetNumNodes, Graph_GetNodes, Graph_GetParentNode, Graph_GetGraphView, Node_GetId, Node_GetName,
        Node_GetOperatorType, Node_GetDomain, Node_GetSinceVersion, Node_GetNumInputs, Node_GetInputs,
        Node_GetNumOutputs, Node_GetOutputs, Node_GetNumImplicitInputs, Node_GetImplicitInputs,
        Node_GetNumAttributes, Node_GetAttributes, Node_GetAttributeByName,
        OpAttr_GetTensorAttributeAsOrtValue, OpAttr_GetType, OpAttr_GetName, Node_GetNumSubgraphs,
        Node_GetSubgraphs, Node_GetGraph, Node_GetEpName, CreateSharedAllocator, GetSharedAllocator,
        ReleaseSharedAllocator, GetTensorData, GetSessionOptionsConfigEntries, SessionGetEpDeviceForInputs,
        CreateSyncStreamForEpDevice, CopyTensors, Graph_GetModelMetadata, GetModelCompatibilityForEpDevices,
        CreateExternalInitializerInfo, KernelInfo_GetConfigEntries, KernelInfo_GetOperatorDomain,
        KernelInfo_GetOperatorType, KernelInfo_GetOperatorSinceVersion, SessionGetEpDeviceForOutputs,
        GetNumHardwareDevices, GetHardwareDevices, GetHardwareDeviceEpIncompatibilityDetails,
        DeviceEpIncompatibilityDetails_GetReasonsBitmask, DeviceEpIncompatibilityDetails_GetNotes,
        DeviceEpIncompatibilityDetails_GetErrorCode, GetCompatibilityInfoFromModel,
        GetCompatibilityInfoFromModelBytes, Session_GetEpGraphAssignmentInfo, EpAssignedSubgraph_GetEpName,
        EpAssignedSubgraph_GetNodes, EpAssignedNode_GetName, EpAssignedNode_GetDomain,
        EpAssignedNode_GetOperatorType, RunOptionsEnableProfiling, KernelInfoGetAttributeArray_string,
        GetMemPatternEnabled, GetSessionExecutionMode, SessionReleaseCapturedGraph,
        KernelContext_GetSyncStream, SessionOptionsSetWeightlessSourceModelBuffer,
        KernelContext_GetPreallocatedOutput, SessionOptionsSetEpContextDataReadFunc,
    }
}

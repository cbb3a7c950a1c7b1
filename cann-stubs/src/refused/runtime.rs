//! Functions of the runtime that a CPU cannot emulate, or that are not emulated yet.

use std::ffi::c_void;

use aclnn_sys::{
    ACL_ERROR_API_NOT_SUPPORT as API_NOT_SUPPORT,
    // PyTorch's plugin takes a feature that is not supported for an outdated driver, and goes on.
    ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT as CAPTURE_MODE_NOT_SUPPORT,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT as FEATURE_NOT_SUPPORT,
    HcclResult,
    aclDataBuffer,
    aclDataType,
    aclGraphDumpOption,
    aclTensorDesc,
    aclmdlDataset,
    aclmdlDesc,
};

use super::declare::refusals;
use crate::outcome::Outcome;
use crate::status::Status;
use crate::surface::{EntryPoint, Support};

/// The code of HCCL for what is not supported.
const HCCL_NOT_SUPPORT: i32 = 5;

/// Every list of this file.
pub(super) const SYMBOLS: &[&[EntryPoint]] = &[
    GRAPHS,
    KERNELS,
    DEVICES,
    EXCEPTIONS,
    COMPILER,
    MODELS,
    PROFILER,
    DUMPS,
    TRANSPORT,
    COLLECTIVES,
    OTHER_GROUPS,
    SETTINGS_OF_RANKS,
    MEMORY_OF_RANKS,
    HARDWARE,
    PRIVATE,
];

refusals! { GRAPHS, CAPTURE_MODE_NOT_SUPPORT, "conditions in captured graphs are not emulated; capture a graph for each case":
    aclmdlRICondHandleCreate -> i32;
    aclmdlRICondHandleGetCondPtr -> i32;
    aclmdlRIAddCondTask -> i32;
    aclmdlRICaptureToModelRIBegin -> i32;
}

refusals! { KERNELS, FEATURE_NOT_SUPPORT, "kernels compiled for a device cannot run here; call aclnn operators instead":
    aclrtCreateBinary -> *mut c_void;
    aclrtDestroyBinary -> i32;
    aclrtBinaryLoad -> i32;
    aclrtBinaryUnLoad -> i32;
    aclrtBinaryGetFunction -> i32;
    aclrtBinaryLoadFromFile -> i32;
    aclrtBinaryLoadFromData -> i32;
    aclrtGetFunctionAddr -> i32;
    aclrtKernelArgsInit -> i32;
    aclrtKernelArgsAppend -> i32;
    aclrtKernelArgsFinalize -> i32;
    aclrtLaunchKernel -> i32;
    aclrtLaunchKernelV2 -> i32;
    aclrtLaunchKernelWithConfig -> i32;
    aclrtLaunchKernelWithHostArgs -> i32;
}

refusals! { DEVICES, FEATURE_NOT_SUPPORT, "the emulated device does not measure this; ask on a real one":
    aclrtGetDeviceUtilizationRate -> i32;
    aclrtGetOverflowStatus -> i32;
    aclrtResetOverflowStatus -> i32;
    aclrtSetGroup -> i32;
    aclrtGetGroupCount -> i32;
}

refusals! { EXCEPTIONS, FEATURE_NOT_SUPPORT, "the emulator never tells of an exception, so there is none to ask about":
    aclrtGetTaskIdFromExceptionInfo -> u32;
    aclrtGetStreamIdFromExceptionInfo -> u32;
    aclrtGetThreadIdFromExceptionInfo -> u32;
    aclrtGetDeviceIdFromExceptionInfo -> u32;
    aclrtGetErrorCodeFromExceptionInfo -> u32;
}

refusals! { COMPILER, API_NOT_SUPPORT, "the operator compiler is not emulated; call aclnn operators instead":
    aclCreateGraphDumpOpt -> *mut aclGraphDumpOption;
    aclDestroyGraphDumpOpt -> i32;
    aclGenGraphAndDumpForOp -> i32;
}

refusals! { MODELS, API_NOT_SUPPORT, "compiled models are not emulated; run them on a device":
    aclmdlCreateDataset -> *mut aclmdlDataset;
    aclmdlDestroyDataset -> i32;
    aclmdlAddDatasetBuffer -> i32;
    aclmdlGetDatasetBuffer -> *mut aclDataBuffer;
    aclmdlGetDatasetTensorDesc -> *mut aclTensorDesc;
    aclmdlCreateDesc -> *mut aclmdlDesc;
    aclmdlDestroyDesc -> i32;
    aclmdlGetDesc -> i32;
    aclmdlGetNumInputs -> usize;
    aclmdlGetNumOutputs -> usize;
    aclmdlGetInputSizeByIndex -> usize;
    aclmdlGetOutputSizeByIndex -> usize;
    aclmdlGetOutputDims -> i32;
    aclmdlLoadFromFile -> i32;
    aclmdlLoadFromMem -> i32;
    aclmdlExecute -> i32;
    aclmdlExecuteAsync -> i32;
    aclmdlUnload -> i32;
}

refusals! { PROFILER, API_NOT_SUPPORT, "the profiler is not emulated; times of a CPU would say nothing about a device":
    aclprofSetConfig -> i32;
}

refusals! { DUMPS, API_NOT_SUPPORT, "the emulator writes no dumps; copy tensors to the host to look at them":
    aclmdlInitDump -> i32;
    aclmdlSetDump -> i32;
    aclmdlFinalizeDump -> i32;
    aclopStartDumpArgs -> i32;
    aclopStopDumpArgs -> i32;
}

// Programs look these up when they start, and no header of ours declares them: of their prototypes only the kind of result
// is known. Some may not exist in CANN under every name.
refusals! { undeclared TRANSPORT, API_NOT_SUPPORT, "channels of tensors between host and device are not emulated; copy memory instead":
    acltdtCreateChannelWithCapacity -> *mut c_void;
    acltdtStopChannel -> i32;
    acltdtDestroyChannel -> i32;
    acltdtCreateDataset -> *mut c_void;
    acltdtDestroyDataset -> i32;
    acltdtGetDatasetSize -> usize;
    acltdtReceiveTensor -> i32;
    acltdtGetDataItem -> *mut c_void;
    acltdtGetDataTypeFromItem -> aclDataType;
    acltdtGetDataAddrFromItem -> *mut c_void;
    acltdtGetDataSizeFromItem -> usize;
    acltdtGetDimNumFromItem -> usize;
    acltdtGetDimsFromItem -> i32;
}

refusals! { COLLECTIVES, HCCL_NOT_SUPPORT, "groups that a file describes are not emulated; let the ranks join by HcclGetRootInfo":
    HcclCommInitClusterInfo -> HcclResult;
}

// Of these nothing is known but the names.
refusals! { undeclared OTHER_GROUPS, HCCL_NOT_SUPPORT, "groups that are made in this way are not emulated; let the ranks of each group join by HcclGetRootInfo":
    HcclCommInitClusterInfoConfig -> i32;
    HcclCreateSubCommConfig -> i32;
    HcclCommSuspend -> i32;
    HcclCommResume -> i32;
}

refusals! { undeclared SETTINGS_OF_RANKS, HCCL_NOT_SUPPORT, "this setting is not emulated; HcclCommInitRootInfoConfig takes the time-out and the name of a group":
    HcclSetConfig -> i32;
    HcclGetConfig -> i32;
    HcclSetCommConfig -> i32;
    HcclGetCommConfig -> i32;
}

refusals! { undeclared MEMORY_OF_RANKS, HCCL_NOT_SUPPORT, "memory that ranks reach directly is not emulated, and nor is a network; collectives and messages take any device memory":
    HcclCommSetMemoryRange -> i32;
    HcclCommUnsetMemoryRange -> i32;
    HcclCommActivateCommMemory -> i32;
    HcclCommDeactivateCommMemory -> i32;
    HcclCommWorkingDevNicSet -> i32;
    HcclCommRegister -> i32;
    HcclCommDeregister -> i32;
    HcclCommExchangeMem -> i32;
}

refusals! { undeclared HARDWARE, FEATURE_NOT_SUPPORT, "kernels compiled for a device synchronise through this address, and they cannot run here":
    aclrtGetHardwareSyncAddr -> i32;
}

/// Functions below CANN's interface that programs link all the same. Nothing is known of their prototypes but the names,
/// so no header declares them; they answer with a failure in every register that a result may be read from.
macro_rules! private {
    ($($name:ident)*) => {
        $(
            #[allow(non_snake_case)]
            #[cfg_attr(all(feature = "drop-in", not(test)), unsafe(export_name = concat!("cann_stubs_", stringify!($name))))]
            extern "C" fn $name() -> usize {
                let message = "this function is below CANN's interface and not emulated; use the functions of acl";
                i32::refused(stringify!($name), Status::new(FEATURE_NOT_SUPPORT, message)) as usize
            }
        )*

        const PRIVATE: &[EntryPoint] = &[$(
            // SAFETY: it reads none of its arguments.
            unsafe {
                EntryPoint::new(
                    stringify!($name),
                    $name as *const (),
                    Support::Refuses(FEATURE_NOT_SUPPORT),
                )
            }
        ),*];
    };
}

private! {
    MsprofGetHashId MsprofRegisterCallback MsprofReportAdditionalInfo MsprofReportApi MsprofReportCompactInfo
    MsprofSysCycleTime rtDevBinaryRegister rtFunctionRegister rtGetC2cCtrlAddr rtKernelLaunch
}

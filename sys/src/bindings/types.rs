// Written by `cargo xtask bindings` from `include/`; change the headers instead.

pub const ACL_TENSOR_SHAPE_RANGE_NUM: u32 = 2;
pub const ACL_TENSOR_VALUE_RANGE_NUM: u32 = 2;
pub const ACL_UNKNOWN_RANK: i64 = -2;
pub const ACL_STREAM_WAIT_VALUE_GEQ: u32 = 0;
pub const ACL_STREAM_WAIT_VALUE_EQ: u32 = 1;
pub const ACL_STREAM_WAIT_VALUE_AND: u32 = 2;
pub const ACL_STREAM_WAIT_VALUE_NOR: u32 = 3;
pub const ACL_RT_MEM_UCE_INFO_MAX_NUM: u32 = 20;
pub const ACL_RT_MAX_RECORD_PA_NUM_PER_DEV: u32 = 20;
pub const ACL_RT_CMO_MAX_BARRIER_NUM: usize = 6;
pub const ACL_RT_DEVS_TOPOLOGY_HCCS: u64 = 1;
pub const ACL_RT_DEVS_TOPOLOGY_PIX: u64 = 2;
pub const ACL_RT_DEVS_TOPOLOGY_PIB: u64 = 4;
pub const ACL_RT_DEVS_TOPOLOGY_PHB: u64 = 8;
pub const ACL_RT_DEVS_TOPOLOGY_SYS: u64 = 16;
pub const ACL_RT_DEVS_TOPOLOGY_SIO: u64 = 32;
pub const ACL_RT_DEVS_TOPOLOGY_HCCS_SW: u64 = 64;
pub const ACL_MDLRI_DEBUG_JSON_PRINT_SUMMARY: u64 = 0;
pub const ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE: u64 = 1;
pub const ACL_RT_BINARY_MAGIC_ELF_AICORE: u32 = 1129660997;
pub const ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE: u32 = 1094799942;
pub const ACL_RT_BINARY_MAGIC_ELF_CUBE_CORE: u32 = 1095320387;
pub const ACL_EVENT_RECORD_DEFAULT: u32 = 0;
pub const ACL_EVENT_RECORD_EXTERNAL: u32 = 1;
pub const ACL_EVENT_WAIT_DEFAULT: u32 = 0;
pub const ACL_EVENT_WAIT_EXTERNAL: u32 = 1;
pub const ACL_RT_MEM_ATTACH_GLOBAL: u32 = 1;
pub const ACL_RT_MEM_LINK_IDX_0: u32 = 0;
pub const ACL_RT_MEM_LINK_IDX_1: u32 = 1;
pub const ACL_IPC_HANDLE_SIZE: usize = 65;
pub const ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT: u64 = 0;
pub const ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION: u64 = 1;
pub const ACL_RT_IPC_MEM_IMPORT_FLAG_DEFAULT: u64 = 0;
pub const ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS: u64 = 1;
pub const ACL_RT_VMM_EXPORT_FLAG_DEFAULT: u64 = 0;
pub const ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION: u64 = 1;
pub const ACL_NOTIFY_DEFAULT: u64 = 0;
pub const ACL_NOTIFY_DEVICE_USE_ONLY: u64 = 1;
pub const ACL_IPC_EVENT_HANDLE_SIZE: usize = 64;
pub const ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT: u64 = 0;
pub const ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION: u64 = 2;
pub const ACL_RT_NOTIFY_IMPORT_FLAG_DEFAULT: u64 = 0;
pub const ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS: u64 = 2;
pub const ACL_MAJOR_VERSION: i32 = 1;
pub const ACL_MINOR_VERSION: i32 = 17;
pub const ACL_PATCH_VERSION: i32 = 0;
pub const ACL_PKG_VERSION_MAX_SIZE: usize = 128;
pub const ACL_PKG_VERSION_PARTS_MAX_SIZE: usize = 64;
pub const ACL_DEV_FEATURE_SUPPORT: i32 = 1;
pub const ACL_DEV_FEATURE_NOT_SUPPORT: i32 = 0;
pub const ACL_STREAM_FAST_LAUNCH: u32 = 1;
pub const ACL_STREAM_FAST_SYNC: u32 = 2;
pub const ACL_STREAM_PERSISTENT: u32 = 4;
pub const ACL_STREAM_HUGE: u32 = 8;
pub const ACL_STREAM_CPU_SCHEDULE: u32 = 16;
pub const ACL_STREAM_DEVICE_USE_ONLY: u32 = 32;
pub const ACL_CONTINUE_ON_FAILURE: u32 = 0;
pub const ACL_STOP_ON_FAILURE: u32 = 1;
pub const ACL_EVENT_SYNC: u32 = 1;
pub const ACL_EVENT_CAPTURE_STREAM_PROGRESS: u32 = 2;
pub const ACL_EVENT_TIME_LINE: u32 = 8;
pub const ACL_EVENT_DEVICE_USE_ONLY: u32 = 16;
pub const ACL_EVENT_EXTERNAL: u32 = 32;
pub const ACL_EVENT_IPC: u32 = 64;
pub const ACL_HOST_REG_MAPPED: u64 = 2;
pub const ACL_HOST_REG_IOMEMORY: u64 = 4;
pub const ACL_HOST_REG_READONLY: u64 = 8;
pub const ACL_HOST_REG_PINNED: u64 = 268435456;
pub const ACL_OP_DUMP_OP_AICORE_ARGS: u32 = 1;
pub const ACL_DUMP_MAX_FILE_PATH_LENGTH: usize = 4096;
pub const ACL_DUMP_MAX_SHAPE_NUM: usize = 25;
pub const ACL_PROF_ACL_API: u64 = 1;
pub const ACL_PROF_TASK_TIME: u64 = 2;
pub const ACL_PROF_AICORE_METRICS: u64 = 4;
pub const ACL_PROF_AICPU: u64 = 8;
pub const ACL_PROF_L2CACHE: u64 = 16;
pub const ACL_PROF_HCCL_TRACE: u64 = 32;
pub const ACL_PROF_TRAINING_TRACE: u64 = 64;
pub const ACL_PROF_MSPROFTX: u64 = 128;
pub const ACL_PROF_RUNTIME_API: u64 = 256;
pub const ACL_PROF_GE_API_L0: u64 = 512;
pub const ACL_PROF_TASK_TIME_L0: u64 = 2048;
pub const ACL_PROF_TASK_MEMORY: u64 = 4096;
pub const ACL_PROF_TASK_TIME_L2: u64 = 8192;
pub const ACL_PROF_OP_ATTR: u64 = 16384;
pub const ACL_PROF_TASK_TIME_L3: u64 = 32768;
pub const ACL_PROF_GE_API_L1: u64 = 16777216;
pub const ACL_PROF_API_STATS: u64 = 17179869184;
pub const ACL_PROF_AICORE_SHAPE: u64 = 34359738368;
pub const ACL_PROF_MAX_OP_NAME_LEN: usize = 257;
pub const ACL_PROF_MAX_OP_TYPE_LEN: usize = 65;
pub const ACL_PROF_EVENT_ATTR_VERSION: u16 = 1;
pub const ACL_PROF_TENSOR_DATA_SHAPE_LEN: usize = 8;
pub const ACLNN_SUCCESS: aclnnStatus = 0;
pub const ACLNN_ERR_PARAM_NULLPTR: aclnnStatus = 161001;
pub const ACLNN_ERR_PARAM_INVALID: aclnnStatus = 161002;
pub const ACLNN_ERR_RUNTIME_ERROR: aclnnStatus = 361001;
pub const ACLNN_ERR_INNER: aclnnStatus = 561000;
pub const ACLNN_ERR_INNER_INFERSHAPE_ERROR: aclnnStatus = 561001;
pub const ACLNN_ERR_INNER_TILING_ERROR: aclnnStatus = 561002;
pub const ACLNN_ERR_INNER_FIND_KERNEL_ERROR: aclnnStatus = 561003;
pub const ACLNN_ERR_INNER_CREATE_EXECUTOR: aclnnStatus = 561101;
pub const ACLNN_ERR_INNER_NOT_TRANS_EXECUTOR: aclnnStatus = 561102;
pub const ACLNN_ERR_INNER_NULLPTR: aclnnStatus = 561103;
pub const ACLNN_ERR_INNER_WRONG_ATTR_INFO_SIZE: aclnnStatus = 561104;
pub const ACLNN_ERR_INNER_KEY_CONFLICT: aclnnStatus = 561105;
pub const ACLNN_ERR_INNER_INVALID_IMPL_MODE: aclnnStatus = 561106;
pub const ACLNN_ERR_INNER_OPP_PATH_NOT_FOUND: aclnnStatus = 561107;
pub const ACLNN_ERR_INNER_LOAD_JSON_FAILED: aclnnStatus = 561108;
pub const ACLNN_ERR_INNER_JSON_VALUE_NOT_FOUND: aclnnStatus = 561109;
pub const ACLNN_ERR_INNER_JSON_FORMAT_INVALID: aclnnStatus = 561110;
pub const ACLNN_ERR_INNER_JSON_DTYPE_INVALID: aclnnStatus = 561111;
pub const ACLNN_ERR_INNER_OPP_KERNEL_PKG_NOT_FOUND: aclnnStatus = 561112;
pub const ACLNN_ERR_INNER_OP_FILE_INVALID: aclnnStatus = 561113;
pub const ACLNN_ERR_INNER_ATTR_NUM_OUT_OF_BOUND: aclnnStatus = 561114;
pub const ACLNN_ERR_INNER_ATTR_LEN_NOT_ENOUGH: aclnnStatus = 561115;
pub const ACLNN_ERR_INNER_INPUT_NUM_IN_JSON_TOO_LARGE: aclnnStatus = 561116;
pub const ACLNN_ERR_INNER_INPUT_JSON_IS_NULL: aclnnStatus = 561117;
pub const ACLNN_ERR_INNER_STATIC_WORKSPACE_INVALID: aclnnStatus = 561118;
pub const ACLNN_ERR_INNER_STATIC_BLOCK_DIM_INVALID: aclnnStatus = 561119;
pub const ACLNN_ERR_INNER_KEY_CONFILICT: aclnnStatus = 561105;
pub const HCCL_COMM_NAME_MAX_LENGTH: usize = 128;
pub const HCCL_ROOT_INFO_BYTES: usize = 4108;
pub const HCCL_COMM_CONFIG_MAGIC_WORD: u32 = 4042322160;
pub const HCCL_COMM_CONFIG_VERSION: u32 = 11;
pub const HCCL_COMM_CONFIG_NOT_SET: u32 = 4294967295;
pub const HCCL_COMM_CONFIG_INFO_BYTES: usize = 24;
pub const HCCL_COMM_ALGO_MAX_LENGTH: usize = 1600;
pub const HCCL_COMM_RETRY_ENABLE_MAX_LENGTH: usize = 50;
pub const HCCL_COMM_RETRY_PARAMS_MAX_LENGTH: usize = 128;
pub const HCCL_COMM_DEFAULT_BUFFSIZE: u32 = 200;
pub const HCCL_COMM_DEFAULT_DETERMINISTIC: u32 = 0;
pub const HCCL_COMM_DEFAULT_OP_EXPANSION_MODE: u32 = 0;
pub const HCCL_DEFAULT_SYMMETRIC_MEMORY_STRIDE: u64 = 16;
pub const HCCL_COMM_BUFFSIZE_CONFIG_NOT_SET: u32 = 4294967295;
pub const HCCL_COMM_DETERMINISTIC_CONFIG_NOT_SET: u32 = 4294967295;
pub const HCCL_COMM_TRAFFIC_CLASS_CONFIG_NOT_SET: u32 = 4294967295;
pub const HCCL_COMM_SERVICE_LEVEL_CONFIG_NOT_SET: u32 = 4294967295;
pub const HCCL_COMM_EXECTIMEOUT_CONFIG_NOT_SET: u32 = 4294967295;
pub const HCCL_COMM_QOS_CONFIG_NOT_SET: u32 = 4294967295;
pub const HCCL_COMM_SQ_DEPTH_CONFIG_NOT_SET: u32 = 4294967295;
pub const HCCL_RES_TAG_MAX_LEN: u32 = 255;
pub const HCCL_CHANNEL_MAGIC_WORD: u32 = 252645135;
pub const HCCL_CHANNEL_VERSION: u32 = 1;
pub const HCCL_CHANNEL_DESC_RAW_MAX_LEN: u32 = 128;
pub const HCCL_CHANNEL_CONFIG_SHARED_QUEUE_TAG_MAX_LEN: u32 = 255;
pub const HCCL_KERNEL_SO_NAME_MAX_LEN: u32 = 256;
pub const HCCL_KERNEL_FUNC_NAME_MAX_LEN: u32 = 256;
pub const HCCL_KERNEL_LAUNCH_CFG_MAGIC_WORD: u32 = 252645135;
pub const HCCL_KERNEL_LAUNCH_CFG_VERSION: u32 = 1;
pub const HCCL_OPDESC_MAGIC_WORD: u32 = 252645135;
pub const HCCL_OPDESC_VERSION: u32 = 1;
pub const HCCL_OP_DESC_OP_NAME_MAX_LEN: u32 = 256;
pub const HCCL_TEAM_CREATE_DESC_MAGIC_WORD: u32 = 265228052;
pub const HCCL_TEAM_CREATE_DESC_VERSION: u32 = 1;
pub const HCCL_TEAM_CREATE_CHANNELS_DESC_MAGIC_WORD: u32 = 265228053;
pub const HCCL_TEAM_CREATE_CHANNELS_DESC_VERSION: u32 = 1;
/// Result of a runtime function: 0 is success; the first digit of a failure is its origin: 1 the caller, 2 a
/// resource, 3 the business, 5 an internal error.
pub type aclError = core::ffi::c_int;
/// Bits of an IEEE binary16 number.
pub type aclFloat16 = u16;
/// A queue of work in order on a device. NULL is the default stream of the current context.
pub type aclrtStream = *mut core::ffi::c_void;
/// A mark in a stream.
pub type aclrtEvent = *mut core::ffi::c_void;
/// Owner of streams and events on one device.
pub type aclrtContext = *mut core::ffi::c_void;
/// A region of memory with its size, as the older operator interface takes it.
#[repr(C)]
pub struct aclDataBuffer {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
pub const ACL_SUCCESS: aclError = 0;
pub const ACL_ERROR_NONE: aclError = 0;
pub const ACL_ERROR_INVALID_PARAM: aclError = 100000;
pub const ACL_ERROR_UNINITIALIZE: aclError = 100001;
pub const ACL_ERROR_REPEAT_INITIALIZE: aclError = 100002;
pub const ACL_ERROR_INVALID_FILE: aclError = 100003;
pub const ACL_ERROR_WRITE_FILE: aclError = 100004;
pub const ACL_ERROR_INVALID_FILE_SIZE: aclError = 100005;
pub const ACL_ERROR_PARSE_FILE: aclError = 100006;
pub const ACL_ERROR_FILE_MISSING_ATTR: aclError = 100007;
pub const ACL_ERROR_FILE_ATTR_INVALID: aclError = 100008;
pub const ACL_ERROR_INVALID_DUMP_CONFIG: aclError = 100009;
pub const ACL_ERROR_INVALID_PROFILING_CONFIG: aclError = 100010;
pub const ACL_ERROR_INVALID_MODEL_ID: aclError = 100011;
pub const ACL_ERROR_DESERIALIZE_MODEL: aclError = 100012;
pub const ACL_ERROR_PARSE_MODEL: aclError = 100013;
pub const ACL_ERROR_READ_MODEL_FAILURE: aclError = 100014;
pub const ACL_ERROR_MODEL_SIZE_INVALID: aclError = 100015;
pub const ACL_ERROR_MODEL_MISSING_ATTR: aclError = 100016;
pub const ACL_ERROR_MODEL_INPUT_NOT_MATCH: aclError = 100017;
pub const ACL_ERROR_MODEL_OUTPUT_NOT_MATCH: aclError = 100018;
pub const ACL_ERROR_MODEL_NOT_DYNAMIC: aclError = 100019;
pub const ACL_ERROR_OP_TYPE_NOT_MATCH: aclError = 100020;
pub const ACL_ERROR_OP_INPUT_NOT_MATCH: aclError = 100021;
pub const ACL_ERROR_OP_OUTPUT_NOT_MATCH: aclError = 100022;
pub const ACL_ERROR_OP_ATTR_NOT_MATCH: aclError = 100023;
pub const ACL_ERROR_OP_NOT_FOUND: aclError = 100024;
pub const ACL_ERROR_OP_LOAD_FAILED: aclError = 100025;
pub const ACL_ERROR_UNSUPPORTED_DATA_TYPE: aclError = 100026;
pub const ACL_ERROR_FORMAT_NOT_MATCH: aclError = 100027;
pub const ACL_ERROR_BIN_SELECTOR_NOT_REGISTERED: aclError = 100028;
pub const ACL_ERROR_KERNEL_NOT_FOUND: aclError = 100029;
pub const ACL_ERROR_BIN_SELECTOR_ALREADY_REGISTERED: aclError = 100030;
pub const ACL_ERROR_KERNEL_ALREADY_REGISTERED: aclError = 100031;
pub const ACL_ERROR_INVALID_QUEUE_ID: aclError = 100032;
pub const ACL_ERROR_REPEAT_SUBSCRIBE: aclError = 100033;
pub const ACL_ERROR_STREAM_NOT_SUBSCRIBE: aclError = 100034;
pub const ACL_ERROR_THREAD_NOT_SUBSCRIBE: aclError = 100035;
pub const ACL_ERROR_WAIT_CALLBACK_TIMEOUT: aclError = 100036;
pub const ACL_ERROR_REPEAT_FINALIZE: aclError = 100037;
pub const ACL_ERROR_NOT_STATIC_AIPP: aclError = 100038;
pub const ACL_ERROR_COMPILING_STUB_MODE: aclError = 100039;
pub const ACL_ERROR_GROUP_NOT_SET: aclError = 100040;
pub const ACL_ERROR_GROUP_NOT_CREATE: aclError = 100041;
pub const ACL_ERROR_PROF_ALREADY_RUN: aclError = 100042;
pub const ACL_ERROR_PROF_NOT_RUN: aclError = 100043;
pub const ACL_ERROR_DUMP_ALREADY_RUN: aclError = 100044;
pub const ACL_ERROR_DUMP_NOT_RUN: aclError = 100045;
pub const ACL_ERROR_PROF_REPEAT_SUBSCRIBE: aclError = 148046;
pub const ACL_ERROR_PROF_API_CONFLICT: aclError = 148047;
pub const ACL_ERROR_INVALID_MAX_OPQUEUE_NUM_CONFIG: aclError = 148048;
pub const ACL_ERROR_INVALID_OPP_PATH: aclError = 148049;
pub const ACL_ERROR_OP_UNSUPPORTED_DYNAMIC: aclError = 148050;
pub const ACL_ERROR_RELATIVE_RESOURCE_NOT_CLEARED: aclError = 148051;
pub const ACL_ERROR_UNSUPPORTED_JPEG: aclError = 148052;
pub const ACL_ERROR_INVALID_BUNDLE_MODEL_ID: aclError = 148053;
pub const ACL_ERROR_BAD_ALLOC: aclError = 200000;
pub const ACL_ERROR_API_NOT_SUPPORT: aclError = 200001;
pub const ACL_ERROR_INVALID_DEVICE: aclError = 200002;
pub const ACL_ERROR_MEMORY_ADDRESS_UNALIGNED: aclError = 200003;
pub const ACL_ERROR_RESOURCE_NOT_MATCH: aclError = 200004;
pub const ACL_ERROR_INVALID_RESOURCE_HANDLE: aclError = 200005;
pub const ACL_ERROR_FEATURE_UNSUPPORTED: aclError = 200006;
pub const ACL_ERROR_PROF_MODULES_UNSUPPORTED: aclError = 200007;
pub const ACL_ERROR_STORAGE_OVER_LIMIT: aclError = 300000;
pub const ACL_ERROR_INTERNAL_ERROR: aclError = 500000;
pub const ACL_ERROR_FAILURE: aclError = 500001;
pub const ACL_ERROR_GE_FAILURE: aclError = 500002;
pub const ACL_ERROR_RT_FAILURE: aclError = 500003;
pub const ACL_ERROR_DRV_FAILURE: aclError = 500004;
pub const ACL_ERROR_PROFILING_FAILURE: aclError = 500005;
pub const ACL_DT_UNDEFINED: aclDataType = aclDataType(-1);
/// f32
pub const ACL_FLOAT: aclDataType = aclDataType(0);
/// IEEE binary16
pub const ACL_FLOAT16: aclDataType = aclDataType(1);
/// IEEE binary16
pub const ACL_INT8: aclDataType = aclDataType(2);
/// IEEE binary16
pub const ACL_INT32: aclDataType = aclDataType(3);
/// IEEE binary16
pub const ACL_UINT8: aclDataType = aclDataType(4);
/// IEEE binary16
pub const ACL_INT16: aclDataType = aclDataType(6);
/// IEEE binary16
pub const ACL_UINT16: aclDataType = aclDataType(7);
/// IEEE binary16
pub const ACL_UINT32: aclDataType = aclDataType(8);
/// IEEE binary16
pub const ACL_INT64: aclDataType = aclDataType(9);
/// IEEE binary16
pub const ACL_UINT64: aclDataType = aclDataType(10);
/// f64
pub const ACL_DOUBLE: aclDataType = aclDataType(11);
/// One byte, 0 or 1
pub const ACL_BOOL: aclDataType = aclDataType(12);
/// One byte, 0 or 1
pub const ACL_STRING: aclDataType = aclDataType(13);
/// Two f32
pub const ACL_COMPLEX64: aclDataType = aclDataType(16);
/// Two f64
pub const ACL_COMPLEX128: aclDataType = aclDataType(17);
/// bfloat16
pub const ACL_BF16: aclDataType = aclDataType(27);
/// Signed, two in a byte
pub const ACL_INT4: aclDataType = aclDataType(29);
/// A bit, eight in a byte
pub const ACL_UINT1: aclDataType = aclDataType(30);
/// Two binary16
pub const ACL_COMPLEX32: aclDataType = aclDataType(33);
/// Two binary16
pub const ACL_HIFLOAT8: aclDataType = aclDataType(34);
/// Two binary16
pub const ACL_FLOAT8_E5M2: aclDataType = aclDataType(35);
/// Two binary16
pub const ACL_FLOAT8_E4M3FN: aclDataType = aclDataType(36);
/// A power of two; used as a scale
pub const ACL_FLOAT8_E8M0: aclDataType = aclDataType(37);
/// A power of two; used as a scale
pub const ACL_FLOAT6_E3M2: aclDataType = aclDataType(38);
/// A power of two; used as a scale
pub const ACL_FLOAT6_E2M3: aclDataType = aclDataType(39);
/// Two in a byte
pub const ACL_FLOAT4_E2M1: aclDataType = aclDataType(40);
/// Two in a byte
pub const ACL_FLOAT4_E1M2: aclDataType = aclDataType(41);
/// CANN 9.0 only
pub const ACL_HIFLOAT4: aclDataType = aclDataType(42);
#[repr(transparent)]
/// Type of the elements of a tensor, scalar or buffer.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclDataType(pub core::ffi::c_int);
pub const ACL_FORMAT_UNDEFINED: aclFormat = aclFormat(-1);
pub const ACL_FORMAT_NCHW: aclFormat = aclFormat(0);
pub const ACL_FORMAT_NHWC: aclFormat = aclFormat(1);
/// Any rank, row-major
pub const ACL_FORMAT_ND: aclFormat = aclFormat(2);
/// Any rank, row-major
pub const ACL_FORMAT_NC1HWC0: aclFormat = aclFormat(3);
/// Any rank, row-major
pub const ACL_FORMAT_FRACTAL_Z: aclFormat = aclFormat(4);
/// Any rank, row-major
pub const ACL_FORMAT_NC1HWC0_C04: aclFormat = aclFormat(12);
/// Any rank, row-major
pub const ACL_FORMAT_HWCN: aclFormat = aclFormat(16);
/// Any rank, row-major
pub const ACL_FORMAT_NDHWC: aclFormat = aclFormat(27);
/// Any rank, row-major
pub const ACL_FORMAT_FRACTAL_NZ: aclFormat = aclFormat(29);
/// Any rank, row-major
pub const ACL_FORMAT_NCDHW: aclFormat = aclFormat(30);
/// Any rank, row-major
pub const ACL_FORMAT_NDC1HWC0: aclFormat = aclFormat(32);
/// Any rank, row-major
pub const ACL_FRACTAL_Z_3D: aclFormat = aclFormat(33);
/// Any rank, row-major
pub const ACL_FORMAT_NC: aclFormat = aclFormat(35);
/// Any rank, row-major
pub const ACL_FORMAT_NCL: aclFormat = aclFormat(47);
/// Any rank, row-major
pub const ACL_FORMAT_FRACTAL_NZ_C0_16: aclFormat = aclFormat(50);
/// Any rank, row-major
pub const ACL_FORMAT_FRACTAL_NZ_C0_32: aclFormat = aclFormat(51);
/// Any rank, row-major
pub const ACL_FORMAT_FRACTAL_NZ_C0_2: aclFormat = aclFormat(52);
/// Any rank, row-major
pub const ACL_FORMAT_FRACTAL_NZ_C0_4: aclFormat = aclFormat(53);
/// Any rank, row-major
pub const ACL_FORMAT_FRACTAL_NZ_C0_8: aclFormat = aclFormat(54);
#[repr(transparent)]
/// Order in which the elements of a tensor lie in memory.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclFormat(pub core::ffi::c_int);
pub const ACL_DEBUG: aclLogLevel = aclLogLevel(0);
pub const ACL_INFO: aclLogLevel = aclLogLevel(1);
pub const ACL_WARNING: aclLogLevel = aclLogLevel(2);
pub const ACL_ERROR: aclLogLevel = aclLogLevel(3);
#[repr(transparent)]
/// Weight of a log line.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclLogLevel(pub core::ffi::c_uint);
pub const ACL_MEMTYPE_DEVICE: aclMemType = aclMemType(0);
pub const ACL_MEMTYPE_HOST: aclMemType = aclMemType(1);
pub const ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT: aclMemType = aclMemType(2);
#[repr(transparent)]
/// The side, host or device, where a tensor of the older operator interface lies.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclMemType(pub core::ffi::c_uint);
pub const ACL_CANN_ATTR_UNDEFINED: aclCannAttr = aclCannAttr(-1);
/// Overflow gives infinity and NaN
pub const ACL_CANN_ATTR_INF_NAN: aclCannAttr = aclCannAttr(0);
/// bfloat16 computes
pub const ACL_CANN_ATTR_BF16: aclCannAttr = aclCannAttr(1);
/// Operators are compiled when called
pub const ACL_CANN_ATTR_JIT_COMPILE: aclCannAttr = aclCannAttr(2);
#[repr(transparent)]
/// A property of the installed CANN on this product.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclCannAttr(pub core::ffi::c_int);
pub const ACL_DEVICE_INFO_UNDEFINED: aclDeviceInfo = aclDeviceInfo(-1);
pub const ACL_DEVICE_INFO_AI_CORE_NUM: aclDeviceInfo = aclDeviceInfo(0);
pub const ACL_DEVICE_INFO_VECTOR_CORE_NUM: aclDeviceInfo = aclDeviceInfo(1);
/// Bytes
pub const ACL_DEVICE_INFO_L2_SIZE: aclDeviceInfo = aclDeviceInfo(2);
#[repr(transparent)]
/// A number that describes a device.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclDeviceInfo(pub core::ffi::c_int);
/// A description of a tensor.
#[repr(C)]
pub struct aclTensorDesc {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
pub const ACL_ERROR_GE_PARAM_INVALID: aclError = 145000;
pub const ACL_ERROR_GE_EXEC_NOT_INIT: aclError = 145001;
pub const ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID: aclError = 145002;
pub const ACL_ERROR_GE_EXEC_MODEL_ID_INVALID: aclError = 145003;
pub const ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID: aclError = 145006;
pub const ACL_ERROR_GE_EXEC_MODEL_ADDR_INVALID: aclError = 145007;
pub const ACL_ERROR_GE_EXEC_MODEL_QUEUE_ID_INVALID: aclError = 145008;
pub const ACL_ERROR_GE_EXEC_LOAD_MODEL_REPEATED: aclError = 145009;
pub const ACL_ERROR_GE_DYNAMIC_INPUT_ADDR_INVALID: aclError = 145011;
pub const ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID: aclError = 145012;
pub const ACL_ERROR_GE_DYNAMIC_BATCH_SIZE_INVALID: aclError = 145013;
pub const ACL_ERROR_GE_AIPP_BATCH_EMPTY: aclError = 145014;
pub const ACL_ERROR_GE_AIPP_NOT_EXIST: aclError = 145015;
pub const ACL_ERROR_GE_AIPP_MODE_INVALID: aclError = 145016;
pub const ACL_ERROR_GE_OP_TASK_TYPE_INVALID: aclError = 145017;
pub const ACL_ERROR_GE_OP_KERNEL_TYPE_INVALID: aclError = 145018;
pub const ACL_ERROR_GE_PLGMGR_PATH_INVALID: aclError = 145019;
pub const ACL_ERROR_GE_FORMAT_INVALID: aclError = 145020;
pub const ACL_ERROR_GE_SHAPE_INVALID: aclError = 145021;
pub const ACL_ERROR_GE_DATATYPE_INVALID: aclError = 145022;
pub const ACL_ERROR_GE_MEMORY_ALLOCATION: aclError = 245000;
pub const ACL_ERROR_GE_MEMORY_OPERATE_FAILED: aclError = 245001;
pub const ACL_ERROR_GE_DEVICE_MEMORY_OPERATE_FAILED: aclError = 245002;
pub const ACL_ERROR_GE_SUBHEALTHY: aclError = 345102;
pub const ACL_ERROR_GE_USER_RAISE_EXCEPTION: aclError = 345103;
pub const ACL_ERROR_GE_DATA_NOT_ALIGNED: aclError = 345104;
pub const ACL_ERROR_GE_INTERNAL_ERROR: aclError = 545000;
pub const ACL_ERROR_GE_LOAD_MODEL: aclError = 545001;
pub const ACL_ERROR_GE_EXEC_LOAD_MODEL_PARTITION_FAILED: aclError = 545002;
pub const ACL_ERROR_GE_EXEC_LOAD_WEIGHT_PARTITION_FAILED: aclError = 545003;
pub const ACL_ERROR_GE_EXEC_LOAD_TASK_PARTITION_FAILED: aclError = 545004;
pub const ACL_ERROR_GE_EXEC_LOAD_KERNEL_PARTITION_FAILED: aclError = 545005;
pub const ACL_ERROR_GE_EXEC_RELEASE_MODEL_DATA: aclError = 545006;
pub const ACL_ERROR_GE_COMMAND_HANDLE: aclError = 545007;
pub const ACL_ERROR_GE_GET_TENSOR_INFO: aclError = 545008;
pub const ACL_ERROR_GE_UNLOAD_MODEL: aclError = 545009;
pub const ACL_ERROR_GE_MODEL_EXECUTE_TIMEOUT: aclError = 545601;
pub const ACL_ERROR_GE_REDEPLOYING: aclError = 545602;
pub const ACL_RT_SUCCESS: aclError = 0;
pub const ACL_ERROR_RT_PARAM_INVALID: aclError = 107000;
pub const ACL_ERROR_RT_INVALID_DEVICEID: aclError = 107001;
pub const ACL_ERROR_RT_CONTEXT_NULL: aclError = 107002;
pub const ACL_ERROR_RT_STREAM_CONTEXT: aclError = 107003;
pub const ACL_ERROR_RT_MODEL_CONTEXT: aclError = 107004;
pub const ACL_ERROR_RT_STREAM_MODEL: aclError = 107005;
pub const ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID: aclError = 107006;
pub const ACL_ERROR_RT_EVENT_TIMESTAMP_REVERSAL: aclError = 107007;
pub const ACL_ERROR_RT_ADDR_UNALIGNED: aclError = 107008;
pub const ACL_ERROR_RT_FILE_OPEN: aclError = 107009;
pub const ACL_ERROR_RT_FILE_WRITE: aclError = 107010;
pub const ACL_ERROR_RT_STREAM_SUBSCRIBE: aclError = 107011;
pub const ACL_ERROR_RT_THREAD_SUBSCRIBE: aclError = 107012;
pub const ACL_ERROR_RT_GROUP_NOT_SET: aclError = 107013;
pub const ACL_ERROR_RT_GROUP_NOT_CREATE: aclError = 107014;
pub const ACL_ERROR_RT_STREAM_NO_CB_REG: aclError = 107015;
pub const ACL_ERROR_RT_INVALID_MEMORY_TYPE: aclError = 107016;
pub const ACL_ERROR_RT_INVALID_HANDLE: aclError = 107017;
pub const ACL_ERROR_RT_INVALID_MALLOC_TYPE: aclError = 107018;
pub const ACL_ERROR_RT_WAIT_TIMEOUT: aclError = 107019;
pub const ACL_ERROR_RT_TASK_TIMEOUT: aclError = 107020;
pub const ACL_ERROR_RT_SYSPARAMOPT_NOT_SET: aclError = 107021;
pub const ACL_ERROR_RT_DEVICE_TASK_ABORT: aclError = 107022;
pub const ACL_ERROR_RT_STREAM_ABORT: aclError = 107023;
pub const ACL_ERROR_RT_CAPTURE_DEPENDENCY: aclError = 107024;
pub const ACL_ERROR_RT_STREAM_UNJOINED: aclError = 107025;
pub const ACL_ERROR_RT_MODEL_CAPTURED: aclError = 107026;
pub const ACL_ERROR_RT_STREAM_CAPTURED: aclError = 107027;
pub const ACL_ERROR_RT_EVENT_CAPTURED: aclError = 107028;
pub const ACL_ERROR_RT_STREAM_NOT_CAPTURED: aclError = 107029;
pub const ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT: aclError = 107030;
pub const ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT: aclError = 107031;
pub const ACL_ERROR_STREAM_CAPTURE_CONFLICT: aclError = 107032;
pub const ACL_ERROR_STREAM_TASK_GROUP_STATUS: aclError = 107033;
pub const ACL_ERROR_STREAM_TASK_GROUP_INTR: aclError = 107034;
pub const ACL_ERROR_RT_TASK_ABORT_STOP: aclError = 107035;
pub const ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED: aclError = 107036;
pub const ACL_ERROR_RT_MODEL_RUNNING: aclError = 107037;
pub const ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD: aclError = 107038;
pub const ACL_ERROR_RT_INSUFFICIENT_INPUT_ARRAY: aclError = 107039;
pub const ACL_ERROR_RT_MODEL_UPDATE_FAILED: aclError = 107040;
pub const ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC: aclError = 107041;
pub const ACL_ERROR_RT_SYMBOL_NOT_FOUND: aclError = 107042;
pub const ACL_ERROR_RT_INVALID_SYMBOL: aclError = 107043;
pub const ACL_ERROR_RT_INVALID_DEVICE_FUNCTION: aclError = 107044;
pub const ACL_ERROR_RT_SUB_ACLGRAPH_IS_CAPTURING: aclError = 107045;
pub const ACL_ERROR_RT_FEATURE_NOT_SUPPORT: aclError = 207000;
pub const ACL_ERROR_RT_MEMORY_ALLOCATION: aclError = 207001;
pub const ACL_ERROR_RT_MEMORY_FREE: aclError = 207002;
pub const ACL_ERROR_RT_AICORE_OVER_FLOW: aclError = 207003;
pub const ACL_ERROR_RT_NO_DEVICE: aclError = 207004;
pub const ACL_ERROR_RT_RESOURCE_ALLOC_FAIL: aclError = 207005;
pub const ACL_ERROR_RT_NO_PERMISSION: aclError = 207006;
pub const ACL_ERROR_RT_NO_EVENT_RESOURCE: aclError = 207007;
pub const ACL_ERROR_RT_NO_STREAM_RESOURCE: aclError = 207008;
pub const ACL_ERROR_RT_NO_NOTIFY_RESOURCE: aclError = 207009;
pub const ACL_ERROR_RT_NO_MODEL_RESOURCE: aclError = 207010;
pub const ACL_ERROR_RT_NO_CDQ_RESOURCE: aclError = 207011;
pub const ACL_ERROR_RT_OVER_LIMIT: aclError = 207012;
pub const ACL_ERROR_RT_QUEUE_EMPTY: aclError = 207013;
pub const ACL_ERROR_RT_QUEUE_FULL: aclError = 207014;
pub const ACL_ERROR_RT_REPEATED_INIT: aclError = 207015;
pub const ACL_ERROR_RT_AIVEC_OVER_FLOW: aclError = 207016;
pub const ACL_ERROR_RT_OVER_FLOW: aclError = 207017;
pub const ACL_ERROR_RT_DEVICE_OOM: aclError = 207018;
pub const ACL_ERROR_RT_FEATURE_NOT_SUPPORT_UPDATE_OP: aclError = 207019;
pub const ACL_ERROR_RT_TIMEOUT: aclError = 207020;
pub const ACL_ERROR_RT_LINK_TYPE_NOT_SUPPORTED: aclError = 207021;
pub const ACL_ERROR_RT_INTERNAL_ERROR: aclError = 507000;
pub const ACL_ERROR_RT_TS_ERROR: aclError = 507001;
pub const ACL_ERROR_RT_STREAM_TASK_FULL: aclError = 507002;
pub const ACL_ERROR_RT_STREAM_TASK_EMPTY: aclError = 507003;
pub const ACL_ERROR_RT_STREAM_NOT_COMPLETE: aclError = 507004;
pub const ACL_ERROR_RT_END_OF_SEQUENCE: aclError = 507005;
pub const ACL_ERROR_RT_EVENT_NOT_COMPLETE: aclError = 507006;
pub const ACL_ERROR_RT_CONTEXT_RELEASE_ERROR: aclError = 507007;
pub const ACL_ERROR_RT_SOC_VERSION: aclError = 507008;
pub const ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT: aclError = 507009;
pub const ACL_ERROR_RT_LOST_HEARTBEAT: aclError = 507010;
pub const ACL_ERROR_RT_MODEL_EXECUTE: aclError = 507011;
pub const ACL_ERROR_RT_REPORT_TIMEOUT: aclError = 507012;
pub const ACL_ERROR_RT_SYS_DMA: aclError = 507013;
pub const ACL_ERROR_RT_AICORE_TIMEOUT: aclError = 507014;
pub const ACL_ERROR_RT_AICORE_EXCEPTION: aclError = 507015;
pub const ACL_ERROR_RT_AICORE_TRAP_EXCEPTION: aclError = 507016;
pub const ACL_ERROR_RT_AICPU_TIMEOUT: aclError = 507017;
pub const ACL_ERROR_RT_AICPU_EXCEPTION: aclError = 507018;
pub const ACL_ERROR_RT_AICPU_DATADUMP_RSP_ERR: aclError = 507019;
pub const ACL_ERROR_RT_AICPU_MODEL_RSP_ERR: aclError = 507020;
pub const ACL_ERROR_RT_PROFILING_ERROR: aclError = 507021;
pub const ACL_ERROR_RT_IPC_ERROR: aclError = 507022;
pub const ACL_ERROR_RT_MODEL_ABORT_NORMAL: aclError = 507023;
pub const ACL_ERROR_RT_KERNEL_UNREGISTERING: aclError = 507024;
pub const ACL_ERROR_RT_RINGBUFFER_NOT_INIT: aclError = 507025;
pub const ACL_ERROR_RT_RINGBUFFER_NO_DATA: aclError = 507026;
pub const ACL_ERROR_RT_KERNEL_LOOKUP: aclError = 507027;
pub const ACL_ERROR_RT_KERNEL_DUPLICATE: aclError = 507028;
pub const ACL_ERROR_RT_DEBUG_REGISTER_FAIL: aclError = 507029;
pub const ACL_ERROR_RT_DEBUG_UNREGISTER_FAIL: aclError = 507030;
pub const ACL_ERROR_RT_LABEL_CONTEXT: aclError = 507031;
pub const ACL_ERROR_RT_PROGRAM_USE_OUT: aclError = 507032;
pub const ACL_ERROR_RT_DEV_SETUP_ERROR: aclError = 507033;
pub const ACL_ERROR_RT_VECTOR_CORE_TIMEOUT: aclError = 507034;
pub const ACL_ERROR_RT_VECTOR_CORE_EXCEPTION: aclError = 507035;
pub const ACL_ERROR_RT_VECTOR_CORE_TRAP_EXCEPTION: aclError = 507036;
pub const ACL_ERROR_RT_CDQ_BATCH_ABNORMAL: aclError = 507037;
pub const ACL_ERROR_RT_DIE_MODE_CHANGE_ERROR: aclError = 507038;
pub const ACL_ERROR_RT_DIE_SET_ERROR: aclError = 507039;
pub const ACL_ERROR_RT_INVALID_DIEID: aclError = 507040;
pub const ACL_ERROR_RT_DIE_MODE_NOT_SET: aclError = 507041;
pub const ACL_ERROR_RT_AICORE_TRAP_READ_OVERFLOW: aclError = 507042;
pub const ACL_ERROR_RT_AICORE_TRAP_WRITE_OVERFLOW: aclError = 507043;
pub const ACL_ERROR_RT_VECTOR_CORE_TRAP_READ_OVERFLOW: aclError = 507044;
pub const ACL_ERROR_RT_VECTOR_CORE_TRAP_WRITE_OVERFLOW: aclError = 507045;
pub const ACL_ERROR_RT_STREAM_SYNC_TIMEOUT: aclError = 507046;
pub const ACL_ERROR_RT_EVENT_SYNC_TIMEOUT: aclError = 507047;
pub const ACL_ERROR_RT_FFTS_PLUS_TIMEOUT: aclError = 507048;
pub const ACL_ERROR_RT_FFTS_PLUS_EXCEPTION: aclError = 507049;
pub const ACL_ERROR_RT_FFTS_PLUS_TRAP_EXCEPTION: aclError = 507050;
pub const ACL_ERROR_RT_SEND_MSG: aclError = 507051;
pub const ACL_ERROR_RT_COPY_DATA: aclError = 507052;
pub const ACL_ERROR_RT_DEVICE_MEM_ERROR: aclError = 507053;
pub const ACL_ERROR_RT_HBM_MULTI_BIT_ECC_ERROR: aclError = 507054;
pub const ACL_ERROR_RT_SUSPECT_DEVICE_MEM_ERROR: aclError = 507055;
pub const ACL_ERROR_RT_LINK_ERROR: aclError = 507056;
pub const ACL_ERROR_RT_SUSPECT_REMOTE_ERROR: aclError = 507057;
pub const ACL_ERROR_RT_DRV_INTERNAL_ERROR: aclError = 507899;
pub const ACL_ERROR_RT_AICPU_INTERNAL_ERROR: aclError = 507900;
pub const ACL_ERROR_RT_SOCKET_CLOSE: aclError = 507901;
pub const ACL_ERROR_RT_AICPU_INFO_LOAD_RSP_ERR: aclError = 507902;
pub const ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED: aclError = 507903;
pub const ACL_ERROR_RT_COMM_OP_RETRY_FAIL: aclError = 507904;
pub const ACL_ERROR_SNAPSHOT_LOCK_TIMEOUT: aclError = 507905;
pub const ACL_ERROR_SNAPSHOT_LOCK_FAILED: aclError = 507906;
pub const ACL_ERROR_SNAPSHOT_UNLOCK_FAILED: aclError = 507907;
pub const ACL_ERROR_SNAPSHOT_BACKUP_FAILED: aclError = 507908;
pub const ACL_ERROR_SNAPSHOT_RESTORE_FAILED: aclError = 507909;
pub const ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED: aclError = 507910;
pub const ACL_ERROR_HOST_MEMORY_NOT_REGISTERED: aclError = 507911;
pub const ACL_ERROR_SNAPSHOT_CALLBACK_FAILED: aclError = 507912;
pub const ACL_ERROR_SNAPSHOT_REGISTER_CALLBACK_FAILED: aclError = 507913;
pub const ACL_ERROR_RT_L3_PORT_ERROR: aclError = 507914;
pub const ACL_ERROR_RT_CCU_TIMEOUT: aclError = 507915;
pub const ACL_ERROR_RT_CCU_EXCEPTION: aclError = 507916;
/// A buffer.
pub type aclrtMbuf = *mut core::ffi::c_void;
pub const ACL_MEMCPY_HOST_TO_HOST: aclrtMemcpyKind = aclrtMemcpyKind(0);
pub const ACL_MEMCPY_HOST_TO_DEVICE: aclrtMemcpyKind = aclrtMemcpyKind(1);
pub const ACL_MEMCPY_DEVICE_TO_HOST: aclrtMemcpyKind = aclrtMemcpyKind(2);
pub const ACL_MEMCPY_DEVICE_TO_DEVICE: aclrtMemcpyKind = aclrtMemcpyKind(3);
/// The direction follows from the pointers
pub const ACL_MEMCPY_DEFAULT: aclrtMemcpyKind = aclrtMemcpyKind(4);
/// The direction follows from the pointers
pub const ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE: aclrtMemcpyKind = aclrtMemcpyKind(5);
/// Within one device; refused by `aclrtMemcpy`
pub const ACL_MEMCPY_INNER_DEVICE_TO_DEVICE: aclrtMemcpyKind = aclrtMemcpyKind(6);
/// Between devices; refused by `aclrtMemcpy`
pub const ACL_MEMCPY_INTER_DEVICE_TO_DEVICE: aclrtMemcpyKind = aclrtMemcpyKind(7);
#[repr(transparent)]
/// Direction of a copy.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtMemcpyKind(pub core::ffi::c_uint);
pub const ACL_MEM_LOCATION_TYPE_HOST: aclrtMemLocationType = aclrtMemLocationType(0);
pub const ACL_MEM_LOCATION_TYPE_DEVICE: aclrtMemLocationType = aclrtMemLocationType(1);
pub const ACL_MEM_LOCATION_TYPE_UNREGISTERED: aclrtMemLocationType = aclrtMemLocationType(
    2,
);
/// From CANN 9.1.0 on
pub const ACL_MEM_LOCATION_TYPE_MANAGED: aclrtMemLocationType = aclrtMemLocationType(3);
/// From CANN 9.1.0 on
pub const ACL_MEM_LOCATION_TYPE_HOST_NUMA: aclrtMemLocationType = aclrtMemLocationType(
    4,
);
#[repr(transparent)]
/// Side on which memory lies.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtMemLocationType(pub core::ffi::c_uint);
/// The place of memory.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtMemLocation {
    /// Number of the device or node
    pub id: u32,
    pub type_: aclrtMemLocationType,
}
/// A piece of physical memory.
pub type aclrtDrvMemHandle = *mut core::ffi::c_void;
pub const ACL_MEM_HANDLE_TYPE_NONE: aclrtMemHandleType = aclrtMemHandleType(0);
/// From CANN 9.1.0 on
pub const ACL_MEM_HANDLE_TYPE_POSIX: aclrtMemHandleType = aclrtMemHandleType(2);
#[repr(transparent)]
/// The way in which a physical allocation can be shared.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtMemHandleType(pub core::ffi::c_uint);
pub const ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM: aclrtReduceKind = aclrtReduceKind(10);
pub const ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX: aclrtReduceKind = aclrtReduceKind(11);
pub const ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN: aclrtReduceKind = aclrtReduceKind(12);
pub const ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL: aclrtReduceKind = aclrtReduceKind(13);
#[repr(transparent)]
/// The operation that combines two elements.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtReduceKind(pub core::ffi::c_uint);
pub const ACL_RT_CMO_TYPE_PREFETCH: aclrtCmoType = aclrtCmoType(0);
pub const ACL_RT_CMO_TYPE_WRITEBACK: aclrtCmoType = aclrtCmoType(1);
pub const ACL_RT_CMO_TYPE_INVALID: aclrtCmoType = aclrtCmoType(2);
pub const ACL_RT_CMO_TYPE_FLUSH: aclrtCmoType = aclrtCmoType(3);
#[repr(transparent)]
/// The operation on the cache.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtCmoType(pub core::ffi::c_uint);
/// Sides of some copies of a batch.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtMemcpyBatchAttr {
    pub dstLoc: aclrtMemLocation,
    pub srcLoc: aclrtMemLocation,
    pub rsv: [u8; 16usize],
}
/// Memory with an error that cannot be corrected.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtMemUceInfo {
    pub addr: *mut core::ffi::c_void,
    pub len: usize,
    pub reserved: [usize; 14usize],
}
/// Pieces of memory with an error.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtMemUceInfoArray {
    pub arraySize: usize,
    pub memUceInfoArray: [aclrtMemUceInfo; 20usize],
}
/// A barrier, and the cache operation at it.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtBarrierCmoInfo {
    pub cmoType: aclrtCmoType,
    pub barrierId: u32,
}
/// The barriers that a stream waits for.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtBarrierTaskInfo {
    pub barrierNum: usize,
    pub cmoInfo: [aclrtBarrierCmoInfo; 6usize],
}
/// A counter on a device.
pub type aclrtCntNotify = *mut core::ffi::c_void;
pub const ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE: aclrtCntNotifyRecordMode = aclrtCntNotifyRecordMode(
    0,
);
pub const ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE: aclrtCntNotifyRecordMode = aclrtCntNotifyRecordMode(
    1,
);
pub const ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE: aclrtCntNotifyRecordMode = aclrtCntNotifyRecordMode(
    2,
);
pub const ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE: aclrtCntNotifyRecordMode = aclrtCntNotifyRecordMode(
    4,
);
#[repr(transparent)]
/// The change that a record makes to a counter. The name of the type is chosen here.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtCntNotifyRecordMode(pub core::ffi::c_uint);
pub const ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE: aclrtCntNotifyWaitMode = aclrtCntNotifyWaitMode(
    0,
);
pub const ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE: aclrtCntNotifyWaitMode = aclrtCntNotifyWaitMode(
    1,
);
pub const ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE: aclrtCntNotifyWaitMode = aclrtCntNotifyWaitMode(
    2,
);
pub const ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE: aclrtCntNotifyWaitMode = aclrtCntNotifyWaitMode(
    3,
);
pub const ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE: aclrtCntNotifyWaitMode = aclrtCntNotifyWaitMode(
    4,
);
#[repr(transparent)]
/// The condition that a wait checks on a counter. The name of the type is chosen here.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtCntNotifyWaitMode(pub core::ffi::c_uint);
/// A record.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtCntNotifyRecordInfo {
    pub mode: aclrtCntNotifyRecordMode,
    pub value: u32,
}
/// A wait.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtCntNotifyWaitInfo {
    pub mode: aclrtCntNotifyWaitMode,
    pub value: u32,
    pub timeout: u32,
    /// Whether the wait sets the counter to 0
    pub isClear: u8,
    pub rsv: [u8; 3usize],
}
pub const ACL_HOST_DEVICE_CONNECT_TYPE_PCIE: aclrtHostDeviceConnectType = aclrtHostDeviceConnectType(
    0,
);
pub const ACL_HOST_DEVICE_CONNECT_TYPE_HCCS: aclrtHostDeviceConnectType = aclrtHostDeviceConnectType(
    1,
);
pub const ACL_HOST_DEVICE_CONNECT_TYPE_UB: aclrtHostDeviceConnectType = aclrtHostDeviceConnectType(
    2,
);
#[repr(transparent)]
/// The link between host and device: `ACL_DEV_ATTR_HD_CONNECT_TYPE`. The name of the type is chosen here.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtHostDeviceConnectType(pub core::ffi::c_uint);
pub const ACL_DEVICE_FORM_FACTOR_POD: aclrtDeviceFormFactor = aclrtDeviceFormFactor(0);
pub const ACL_DEVICE_FORM_FACTOR_A_K: aclrtDeviceFormFactor = aclrtDeviceFormFactor(1);
pub const ACL_DEVICE_FORM_FACTOR_A_X: aclrtDeviceFormFactor = aclrtDeviceFormFactor(2);
pub const ACL_DEVICE_FORM_FACTOR_PCIE_CARD: aclrtDeviceFormFactor = aclrtDeviceFormFactor(
    3,
);
#[repr(transparent)]
/// The form of a device: `ACL_DEV_ATTR_DEVICE_FORM_FACTOR`. The name of the type is chosen here.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtDeviceFormFactor(pub core::ffi::c_uint);
pub const ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE: aclrtDeviceLimit = aclrtDeviceLimit(0);
pub const ACL_RT_DEV_LIMIT_SIMT_DVG_WARP_STACK_SIZE: aclrtDeviceLimit = aclrtDeviceLimit(
    1,
);
pub const ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE: aclrtDeviceLimit = aclrtDeviceLimit(2);
pub const ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE: aclrtDeviceLimit = aclrtDeviceLimit(
    3,
);
pub const ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE: aclrtDeviceLimit = aclrtDeviceLimit(4);
#[repr(transparent)]
/// A limit of a device.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtDeviceLimit(pub core::ffi::c_uint);
pub const ACL_RT_HAC_TYPE_STARS: aclrtHacType = aclrtHacType(0);
pub const ACL_RT_HAC_TYPE_AICPU: aclrtHacType = aclrtHacType(1);
pub const ACL_RT_HAC_TYPE_AIC: aclrtHacType = aclrtHacType(2);
pub const ACL_RT_HAC_TYPE_AIV: aclrtHacType = aclrtHacType(3);
pub const ACL_RT_HAC_TYPE_PCIEDMA: aclrtHacType = aclrtHacType(4);
pub const ACL_RT_HAC_TYPE_RDMA: aclrtHacType = aclrtHacType(5);
pub const ACL_RT_HAC_TYPE_SDMA: aclrtHacType = aclrtHacType(6);
pub const ACL_RT_HAC_TYPE_DVPP: aclrtHacType = aclrtHacType(7);
pub const ACL_RT_HAC_TYPE_UDMA: aclrtHacType = aclrtHacType(8);
pub const ACL_RT_HAC_TYPE_CCU: aclrtHacType = aclrtHacType(9);
#[repr(transparent)]
/// A part of a device that may reach host memory.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtHacType(pub core::ffi::c_uint);
pub const ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED: aclrtHostMemMapCapability = aclrtHostMemMapCapability(
    0,
);
pub const ACL_RT_HOST_MEM_MAP_SUPPORTED: aclrtHostMemMapCapability = aclrtHostMemMapCapability(
    1,
);
#[repr(transparent)]
/// The ability of a part of a device to reach host memory.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtHostMemMapCapability(pub core::ffi::c_uint);
pub const ACL_RT_ATOMIC_OPERATION_INTEGER_ADD: aclrtAtomicOperation = aclrtAtomicOperation(
    0,
);
pub const ACL_RT_ATOMIC_OPERATION_INTEGER_MIN: aclrtAtomicOperation = aclrtAtomicOperation(
    1,
);
pub const ACL_RT_ATOMIC_OPERATION_INTEGER_MAX: aclrtAtomicOperation = aclrtAtomicOperation(
    2,
);
pub const ACL_RT_ATOMIC_OPERATION_INTEGER_INCREMENT: aclrtAtomicOperation = aclrtAtomicOperation(
    3,
);
pub const ACL_RT_ATOMIC_OPERATION_INTEGER_DECREMENT: aclrtAtomicOperation = aclrtAtomicOperation(
    4,
);
pub const ACL_RT_ATOMIC_OPERATION_AND: aclrtAtomicOperation = aclrtAtomicOperation(5);
pub const ACL_RT_ATOMIC_OPERATION_OR: aclrtAtomicOperation = aclrtAtomicOperation(6);
pub const ACL_RT_ATOMIC_OPERATION_XOR: aclrtAtomicOperation = aclrtAtomicOperation(7);
pub const ACL_RT_ATOMIC_OPERATION_EXCHANGE: aclrtAtomicOperation = aclrtAtomicOperation(
    8,
);
pub const ACL_RT_ATOMIC_OPERATION_CAS: aclrtAtomicOperation = aclrtAtomicOperation(9);
pub const ACL_RT_ATOMIC_OPERATION_FLOAT_ADD: aclrtAtomicOperation = aclrtAtomicOperation(
    10,
);
pub const ACL_RT_ATOMIC_OPERATION_FLOAT_MIN: aclrtAtomicOperation = aclrtAtomicOperation(
    11,
);
pub const ACL_RT_ATOMIC_OPERATION_FLOAT_MAX: aclrtAtomicOperation = aclrtAtomicOperation(
    12,
);
pub const ACL_RT_ATOMIC_OPERATION_DMA_ADD: aclrtAtomicOperation = aclrtAtomicOperation(
    30,
);
pub const ACL_RT_ATOMIC_OPERATION_DMA_MIN: aclrtAtomicOperation = aclrtAtomicOperation(
    31,
);
pub const ACL_RT_ATOMIC_OPERATION_DMA_MAX: aclrtAtomicOperation = aclrtAtomicOperation(
    32,
);
pub const ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_ADD: aclrtAtomicOperation = aclrtAtomicOperation(
    40,
);
pub const ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_MIN: aclrtAtomicOperation = aclrtAtomicOperation(
    41,
);
pub const ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_MAX: aclrtAtomicOperation = aclrtAtomicOperation(
    42,
);
pub const ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_CAS: aclrtAtomicOperation = aclrtAtomicOperation(
    43,
);
pub const ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_EXCH: aclrtAtomicOperation = aclrtAtomicOperation(
    44,
);
#[repr(transparent)]
/// An atomic operation on memory.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtAtomicOperation(pub core::ffi::c_uint);
pub const ACL_RT_ATOMIC_CAPABILITY_SIGNED: aclrtAtomicOperationCapability = aclrtAtomicOperationCapability(
    1,
);
pub const ACL_RT_ATOMIC_CAPABILITY_UNSIGNED: aclrtAtomicOperationCapability = aclrtAtomicOperationCapability(
    2,
);
pub const ACL_RT_ATOMIC_CAPABILITY_REDUCTION: aclrtAtomicOperationCapability = aclrtAtomicOperationCapability(
    4,
);
/// As it is spelt in some releases
pub const ACL_RT_ATOMIC_CAPABILITY_REDUCATION: aclrtAtomicOperationCapability = aclrtAtomicOperationCapability(
    4,
);
/// As it is spelt in some releases
pub const ACL_RT_ATOMIC_CAPABILITY_SCALAR8: aclrtAtomicOperationCapability = aclrtAtomicOperationCapability(
    8,
);
/// As it is spelt in some releases
pub const ACL_RT_ATOMIC_CAPABILITY_SCALAR16: aclrtAtomicOperationCapability = aclrtAtomicOperationCapability(
    16,
);
/// As it is spelt in some releases
pub const ACL_RT_ATOMIC_CAPABILITY_SCALAR32: aclrtAtomicOperationCapability = aclrtAtomicOperationCapability(
    32,
);
/// As it is spelt in some releases
pub const ACL_RT_ATOMIC_CAPABILITY_SCALAR64: aclrtAtomicOperationCapability = aclrtAtomicOperationCapability(
    64,
);
/// As it is spelt in some releases
pub const ACL_RT_ATOMIC_CAPABILITY_SCALAR128: aclrtAtomicOperationCapability = aclrtAtomicOperationCapability(
    128,
);
/// As it is spelt in some releases
pub const ACL_RT_ATOMIC_CAPABILITY_VECTOR32X4: aclrtAtomicOperationCapability = aclrtAtomicOperationCapability(
    256,
);
#[repr(transparent)]
/// The operand types for which a device has such an operation: bits. The name of the type is chosen here.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtAtomicOperationCapability(pub core::ffi::c_uint);
/// A captured graph.
pub type aclmdlRI = *mut core::ffi::c_void;
/// A group of tasks in a captured graph.
pub type aclrtTaskGrp = *mut core::ffi::c_void;
/// A condition in a captured graph. From CANN 9.1.0 on
pub type aclmdlRICondHandle = *mut core::ffi::c_void;
pub const ACL_MODEL_RI_CAPTURE_MODE_GLOBAL: aclmdlRICaptureMode = aclmdlRICaptureMode(0);
pub const ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL: aclmdlRICaptureMode = aclmdlRICaptureMode(
    1,
);
pub const ACL_MODEL_RI_CAPTURE_MODE_RELAXED: aclmdlRICaptureMode = aclmdlRICaptureMode(
    2,
);
#[repr(transparent)]
/// The threads whose calls a capture forbids.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclmdlRICaptureMode(pub core::ffi::c_uint);
pub const ACL_MODEL_RI_CAPTURE_STATUS_NONE: aclmdlRICaptureStatus = aclmdlRICaptureStatus(
    0,
);
pub const ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE: aclmdlRICaptureStatus = aclmdlRICaptureStatus(
    1,
);
pub const ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED: aclmdlRICaptureStatus = aclmdlRICaptureStatus(
    2,
);
#[repr(transparent)]
/// The state of a capture of a stream.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclmdlRICaptureStatus(pub core::ffi::c_uint);
pub const ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT: aclmdlRICondHandleFlag = aclmdlRICondHandleFlag(
    1,
);
#[repr(transparent)]
/// The value that a condition begins with. From CANN 9.1.0 on.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclmdlRICondHandleFlag(pub core::ffi::c_uint);
pub const ACL_MODEL_RI_COND_TYPE_IF: aclmdlRICondTaskType = aclmdlRICondTaskType(0);
pub const ACL_MODEL_RI_COND_TYPE_WHILE: aclmdlRICondTaskType = aclmdlRICondTaskType(1);
pub const ACL_MODEL_RI_COND_TYPE_SWITCH: aclmdlRICondTaskType = aclmdlRICondTaskType(2);
#[repr(transparent)]
/// The kind of decision that a condition makes. From CANN 9.1.0 on.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclmdlRICondTaskType(pub core::ffi::c_uint);
/// A task that runs graphs on a condition. From CANN 9.1.0 on.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct tagAclmdlRICondTaskParams {
    pub handle: aclmdlRICondHandle,
    pub type_: aclmdlRICondTaskType,
    pub size: u32,
    pub modelRIArray: *mut aclmdlRI,
}
/// A task that runs graphs on a condition. From CANN 9.1.0 on.
pub type aclmdlRICondTaskParams = tagAclmdlRICondTaskParams;
/// The bytes of a compiled program.
pub type aclrtBinary = *mut core::ffi::c_void;
/// A loaded program.
pub type aclrtBinHandle = *mut core::ffi::c_void;
/// A kernel of a loaded program.
pub type aclrtFuncHandle = *mut core::ffi::c_void;
/// Arguments of a launch.
pub type aclrtArgsHandle = *mut core::ffi::c_void;
/// One argument of a launch.
pub type aclrtParamHandle = *mut core::ffi::c_void;
pub const ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD: aclrtBinaryLoadOptionType = aclrtBinaryLoadOptionType(
    1,
);
pub const ACL_RT_BINARY_LOAD_OPT_LAZY_MAGIC: aclrtBinaryLoadOptionType = aclrtBinaryLoadOptionType(
    2,
);
pub const ACL_RT_BINARY_LOAD_OPT_MAGIC: aclrtBinaryLoadOptionType = aclrtBinaryLoadOptionType(
    2,
);
pub const ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE: aclrtBinaryLoadOptionType = aclrtBinaryLoadOptionType(
    3,
);
#[repr(transparent)]
/// An option of loading.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtBinaryLoadOptionType(pub core::ffi::c_uint);
/// Value of an option of loading.
#[repr(C)]
#[derive(Copy, Clone)]
pub union aclrtBinaryLoadOptionValue {
    pub isLazyLoad: u32,
    pub magic: u32,
    pub cpuKernelMode: i32,
    pub rsv: [u32; 4usize],
}
/// An option of loading.
#[repr(C)]
#[derive(Copy, Clone)]
pub struct aclrtBinaryLoadOption {
    pub type_: aclrtBinaryLoadOptionType,
    pub value: aclrtBinaryLoadOptionValue,
}
/// Options of loading.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtBinaryLoadOptions {
    pub options: *mut aclrtBinaryLoadOption,
    pub numOpt: usize,
}
pub const ACL_RT_ENGINE_TYPE_AIC: aclrtEngineType = aclrtEngineType(0);
pub const ACL_RT_ENGINE_TYPE_AIV: aclrtEngineType = aclrtEngineType(1);
#[repr(transparent)]
/// A kind of core.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtEngineType(pub core::ffi::c_uint);
pub const ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE: aclrtLaunchKernelAttrId = aclrtLaunchKernelAttrId(
    1,
);
pub const ACL_RT_LAUNCH_KERNEL_ATTR_LOCAL_MEMORY_SIZE: aclrtLaunchKernelAttrId = aclrtLaunchKernelAttrId(
    2,
);
/// From CANN 9.0.0 on
pub const ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE: aclrtLaunchKernelAttrId = aclrtLaunchKernelAttrId(
    2,
);
/// From CANN 9.0.0 on
pub const ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE: aclrtLaunchKernelAttrId = aclrtLaunchKernelAttrId(
    3,
);
/// From CANN 9.0.0 on
pub const ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET: aclrtLaunchKernelAttrId = aclrtLaunchKernelAttrId(
    4,
);
/// From CANN 9.0.0 on
pub const ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH: aclrtLaunchKernelAttrId = aclrtLaunchKernelAttrId(
    5,
);
/// From CANN 9.0.0 on
pub const ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP: aclrtLaunchKernelAttrId = aclrtLaunchKernelAttrId(
    6,
);
/// From CANN 9.0.0 on
pub const ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT: aclrtLaunchKernelAttrId = aclrtLaunchKernelAttrId(
    7,
);
/// From CANN 9.0.0 on
pub const ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US: aclrtLaunchKernelAttrId = aclrtLaunchKernelAttrId(
    8,
);
/// After CANN 9.1.0
pub const ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING: aclrtLaunchKernelAttrId = aclrtLaunchKernelAttrId(
    9,
);
#[repr(transparent)]
/// An option of a launch.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtLaunchKernelAttrId(pub core::ffi::c_uint);
/// Microseconds.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtTimeoutUs {
    pub timeoutLow: u32,
    pub timeoutHigh: u32,
}
/// Value of an option of a launch.
#[repr(C)]
#[derive(Copy, Clone)]
pub union aclrtLaunchKernelAttrValue {
    pub schemMode: u8,
    pub localMemorySize: u32,
    pub dynUBufSize: u32,
    pub engineType: aclrtEngineType,
    pub blockDimOffset: u32,
    pub isBlockTaskPrefetch: u8,
    pub isDataDump: u8,
    /// Of `ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING`; CANN may call it otherwise
    pub enableProfiling: u8,
    pub timeout: u16,
    pub timeoutUs: aclrtTimeoutUs,
    pub rsv: [u32; 4usize],
}
/// An option of a launch.
#[repr(C)]
#[derive(Copy, Clone)]
pub struct aclrtLaunchKernelAttr {
    pub id: aclrtLaunchKernelAttrId,
    pub value: aclrtLaunchKernelAttrValue,
}
/// Options of a launch.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtLaunchKernelCfg {
    pub attrs: *mut aclrtLaunchKernelAttr,
    pub numAttrs: usize,
}
/// The position of an argument that holds the address of data behind the arguments.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtPlaceHolderInfo {
    pub addrOffset: u32,
    pub dataOffset: u32,
}
pub const ACL_RT_NO_ERROR: aclrtErrorType = aclrtErrorType(0);
pub const ACL_RT_ERROR_MEMORY: aclrtErrorType = aclrtErrorType(1);
pub const ACL_RT_ERROR_L2: aclrtErrorType = aclrtErrorType(2);
pub const ACL_RT_ERROR_AICORE: aclrtErrorType = aclrtErrorType(3);
pub const ACL_RT_ERROR_LINK: aclrtErrorType = aclrtErrorType(4);
/// From CANN 9.1.0 on
pub const ACL_RT_ERROR_L3_PORT: aclrtErrorType = aclrtErrorType(5);
/// From CANN 9.1.0 on
pub const ACL_RT_ERROR_OTHERS: aclrtErrorType = aclrtErrorType(65535);
#[repr(transparent)]
/// Kind of an error of a device.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtErrorType(pub core::ffi::c_uint);
pub const ACL_RT_AICORE_ERROR_UNKNOWN: aclrtAicoreErrorType = aclrtAicoreErrorType(0);
pub const ACL_RT_AICORE_ERROR_SW: aclrtAicoreErrorType = aclrtAicoreErrorType(1);
pub const ACL_RT_AICORE_ERROR_HW_LOCAL: aclrtAicoreErrorType = aclrtAicoreErrorType(2);
#[repr(transparent)]
/// Cause of an error of a core.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtAicoreErrorType(pub core::ffi::c_uint);
/// More about an error of a device.
#[repr(C)]
#[derive(Copy, Clone)]
pub union aclrtErrorInfoDetail {
    pub uceInfo: aclrtMemUceInfoArray,
    pub aicoreErrType: aclrtAicoreErrorType,
}
/// An error of a device.
#[repr(C)]
#[derive(Copy, Clone)]
pub struct aclrtErrorInfo {
    pub tryRepair: u8,
    pub hasDetail: u8,
    pub reserved: [u8; 2usize],
    pub errorType: aclrtErrorType,
    pub detail: aclrtErrorInfoDetail,
}
/// More about the load of a device.
#[repr(C)]
pub struct aclrtUtilizationExtendInfo {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// Load of a device, in percent.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtUtilizationInfo {
    pub cubeUtilization: i32,
    pub vectorUtilization: i32,
    pub aicpuUtilization: i32,
    pub memoryUtilization: i32,
    pub utilizationExtend: *mut aclrtUtilizationExtendInfo,
}
#[repr(C)]
pub struct rtExceptionInfo {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// An exception of a task on a device.
pub type aclrtExceptionInfo = rtExceptionInfo;
/// Called with an exception, which lives until it returns.
pub type aclrtExceptionInfoCallback = ::core::option::Option<
    unsafe extern "C" fn(exceptionInfo: *mut aclrtExceptionInfo),
>;
/// A function called on the thread that processes reports.
pub type aclrtCallback = ::core::option::Option<
    unsafe extern "C" fn(userData: *mut core::ffi::c_void),
>;
/// A function called on a thread of the runtime.
pub type aclrtHostFunc = ::core::option::Option<
    unsafe extern "C" fn(args: *mut core::ffi::c_void),
>;
pub const ACL_REG_TYPE_ACL_MODEL: aclRegisterCallbackType = aclRegisterCallbackType(0);
pub const ACL_REG_TYPE_ACL_OP_EXECUTOR: aclRegisterCallbackType = aclRegisterCallbackType(
    1,
);
pub const ACL_REG_TYPE_ACL_OP_CBLAS: aclRegisterCallbackType = aclRegisterCallbackType(
    2,
);
pub const ACL_REG_TYPE_ACL_OP_COMPILER: aclRegisterCallbackType = aclRegisterCallbackType(
    3,
);
pub const ACL_REG_TYPE_ACL_TDT_CHANNEL: aclRegisterCallbackType = aclRegisterCallbackType(
    4,
);
pub const ACL_REG_TYPE_ACL_TDT_QUEUE: aclRegisterCallbackType = aclRegisterCallbackType(
    5,
);
pub const ACL_REG_TYPE_ACL_DVPP: aclRegisterCallbackType = aclRegisterCallbackType(6);
pub const ACL_REG_TYPE_ACL_RETR: aclRegisterCallbackType = aclRegisterCallbackType(7);
pub const ACL_REG_TYPE_OTHER: aclRegisterCallbackType = aclRegisterCallbackType(65535);
#[repr(transparent)]
/// The part of CANN that begins or ends.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclRegisterCallbackType(pub core::ffi::c_uint);
pub const ACL_RT_DEVICE_STATE_SET_PRE: aclrtDeviceState = aclrtDeviceState(0);
pub const ACL_RT_DEVICE_STATE_SET_POST: aclrtDeviceState = aclrtDeviceState(1);
pub const ACL_RT_DEVICE_STATE_RESET_PRE: aclrtDeviceState = aclrtDeviceState(2);
pub const ACL_RT_DEVICE_STATE_RESET_POST: aclrtDeviceState = aclrtDeviceState(3);
#[repr(transparent)]
/// The change of a device that a callback hears of.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtDeviceState(pub core::ffi::c_uint);
pub const ACL_RT_DEVICE_TASK_ABORT_PRE: aclrtDeviceTaskAbortStage = aclrtDeviceTaskAbortStage(
    0,
);
pub const ACL_RT_DEVICE_TASK_ABORT_POST: aclrtDeviceTaskAbortStage = aclrtDeviceTaskAbortStage(
    1,
);
#[repr(transparent)]
/// The stage of a callback: before or after the work of a device is discarded.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtDeviceTaskAbortStage(pub core::ffi::c_uint);
pub const ACL_RT_STREAM_STATE_CREATE_POST: aclrtStreamState = aclrtStreamState(1);
pub const ACL_RT_STREAM_STATE_DESTROY_PRE: aclrtStreamState = aclrtStreamState(2);
#[repr(transparent)]
/// The change of a stream that a callback hears of.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtStreamState(pub core::ffi::c_uint);
/// Called by `aclInit` with the text of the configuration, its bytes, and the pointer given with the function.
pub type aclInitCallbackFunc = ::core::option::Option<
    unsafe extern "C" fn(
        configStr: *const core::ffi::c_char,
        len: usize,
        userData: *mut core::ffi::c_void,
    ) -> aclError,
>;
/// Called by `aclFinalize` with the pointer given with the function.
pub type aclFinalizeCallbackFunc = ::core::option::Option<
    unsafe extern "C" fn(userData: *mut core::ffi::c_void) -> aclError,
>;
/// Called with a device, its change, and the pointer given with the function.
pub type aclrtDeviceStateCallback = ::core::option::Option<
    unsafe extern "C" fn(
        deviceId: i32,
        state: aclrtDeviceState,
        args: *mut core::ffi::c_void,
    ),
>;
/// Called with a stream, its change, and the pointer given with the function.
pub type aclrtStreamStateCallback = ::core::option::Option<
    unsafe extern "C" fn(
        stream: aclrtStream,
        state: aclrtStreamState,
        args: *mut core::ffi::c_void,
    ),
>;
/// Called with a device, the stage, milliseconds, and the pointer given with the function.
pub type aclrtDeviceTaskAbortCallback = ::core::option::Option<
    unsafe extern "C" fn(
        deviceId: i32,
        stage: aclrtDeviceTaskAbortStage,
        timeout: u32,
        args: *mut core::ffi::c_void,
    ) -> i32,
>;
/// A task of a captured graph.
pub type aclmdlRITask = *mut core::ffi::c_void;
pub const ACL_MODEL_RI_TASK_DEFAULT: aclmdlRITaskType = aclmdlRITaskType(0);
pub const ACL_MODEL_RI_TASK_KERNEL: aclmdlRITaskType = aclmdlRITaskType(1);
pub const ACL_MODEL_RI_TASK_EVENT_RECORD: aclmdlRITaskType = aclmdlRITaskType(2);
pub const ACL_MODEL_RI_TASK_EVENT_WAIT: aclmdlRITaskType = aclmdlRITaskType(3);
pub const ACL_MODEL_RI_TASK_EVENT_RESET: aclmdlRITaskType = aclmdlRITaskType(4);
pub const ACL_MODEL_RI_TASK_VALUE_WRITE: aclmdlRITaskType = aclmdlRITaskType(5);
pub const ACL_MODEL_RI_TASK_VALUE_WAIT: aclmdlRITaskType = aclmdlRITaskType(6);
#[repr(transparent)]
/// The kind of a task.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclmdlRITaskType(pub core::ffi::c_uint);
/// A launch of a kernel.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclmdlRIKernelTaskParams {
    pub funcHandle: aclrtFuncHandle,
    pub cfg: *mut aclrtLaunchKernelCfg,
    pub args: *mut core::ffi::c_void,
    pub isHostArgs: u32,
    pub argsSize: usize,
    pub numBlocks: u32,
    pub rsv: [u32; 10usize],
}
/// A record of an event.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclmdlRIEventRecordTaskParams {
    pub event: aclrtEvent,
    pub eventFlag: u32,
    pub recordFlag: u32,
}
/// A wait for an event.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclmdlRIEventWaitTaskParams {
    pub event: aclrtEvent,
    pub eventFlag: u32,
    pub waitFlag: u32,
}
/// A reset of an event.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclmdlRIEventResetTaskParams {
    pub event: aclrtEvent,
    pub eventFlag: u32,
    pub resetFlag: u32,
}
/// A write of 64 bits.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclmdlRIValueWriteTaskParams {
    pub devAddr: *mut core::ffi::c_void,
    pub value: u64,
}
/// A wait for 64 bits.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclmdlRIValueWaitTaskParams {
    pub devAddr: *mut core::ffi::c_void,
    pub value: u64,
    pub flag: u32,
}
/// The parameters of a task, by its type. The names of the members are chosen here; CANN may call them otherwise.
#[repr(C)]
#[derive(Copy, Clone)]
pub union aclmdlRITaskDetails {
    pub kernelTaskParams: aclmdlRIKernelTaskParams,
    pub eventRecordTaskParams: aclmdlRIEventRecordTaskParams,
    pub eventWaitTaskParams: aclmdlRIEventWaitTaskParams,
    pub eventResetTaskParams: aclmdlRIEventResetTaskParams,
    pub valueWriteTaskParams: aclmdlRIValueWriteTaskParams,
    pub valueWaitTaskParams: aclmdlRIValueWaitTaskParams,
    pub rsv2: [u8; 128usize],
}
/// A task of a captured graph. The name of `details` is chosen here.
#[repr(C)]
#[derive(Copy, Clone)]
pub struct aclmdlRITaskParams {
    pub type_: aclmdlRITaskType,
    pub rsv0: [u32; 3usize],
    pub taskGrp: aclrtTaskGrp,
    pub opInfoPtr: *mut core::ffi::c_void,
    pub opInfoSize: usize,
    pub rsv1: [u8; 32usize],
    pub details: aclmdlRITaskDetails,
}
#[repr(C)]
pub struct tagRtGroupInfo {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// A description of the groups of cores.
pub type aclrtGroupInfo = tagRtGroupInfo;
pub const ACL_GROUP_AICORE_INT: aclrtGroupAttr = aclrtGroupAttr(0);
pub const ACL_GROUP_AIV_INT: aclrtGroupAttr = aclrtGroupAttr(1);
pub const ACL_GROUP_AIC_INT: aclrtGroupAttr = aclrtGroupAttr(2);
pub const ACL_GROUP_SDMANUM_INT: aclrtGroupAttr = aclrtGroupAttr(3);
pub const ACL_GROUP_ASQNUM_INT: aclrtGroupAttr = aclrtGroupAttr(4);
pub const ACL_GROUP_GROUPID_INT: aclrtGroupAttr = aclrtGroupAttr(5);
#[repr(transparent)]
/// A number that describes a group of cores.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtGroupAttr(pub core::ffi::c_uint);
pub const ACL_TS_ID_AICORE: aclrtTsId = aclrtTsId(0);
pub const ACL_TS_ID_AIVECTOR: aclrtTsId = aclrtTsId(1);
pub const ACL_TS_ID_RESERVED: aclrtTsId = aclrtTsId(2);
#[repr(transparent)]
/// A scheduler of a device.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtTsId(pub core::ffi::c_uint);
/// Numbers of blocks or threads along three axes.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct dim3 {
    pub x: u32,
    pub y: u32,
    pub z: u32,
}
pub const ACL_FUNC_ATTR_KERNEL_TYPE: aclrtFuncAttribute = aclrtFuncAttribute(1);
pub const ACL_FUNC_ATTR_KERNEL_RATIO: aclrtFuncAttribute = aclrtFuncAttribute(2);
pub const ACL_FUNC_ATTR_KERNEL_SCHED_MODE: aclrtFuncAttribute = aclrtFuncAttribute(3);
#[repr(transparent)]
/// A number that describes a kernel.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtFuncAttribute(pub core::ffi::c_uint);
pub const ACL_KERNEL_TYPE_AICORE: aclrtKernelType = aclrtKernelType(0);
pub const ACL_KERNEL_TYPE_CUBE: aclrtKernelType = aclrtKernelType(1);
pub const ACL_KERNEL_TYPE_VECTOR: aclrtKernelType = aclrtKernelType(2);
pub const ACL_KERNEL_TYPE_MIX: aclrtKernelType = aclrtKernelType(3);
pub const ACL_KERNEL_TYPE_AICPU: aclrtKernelType = aclrtKernelType(100);
#[repr(transparent)]
/// The cores that a kernel runs on. The name of the type is chosen here.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtKernelType(pub core::ffi::c_uint);
/// Called with an exception of a kernel of a program, and the pointer given with the function.
pub type aclrtOpExceptionCallback = ::core::option::Option<
    unsafe extern "C" fn(
        exceptionInfo: *mut aclrtExceptionInfo,
        userData: *mut core::ffi::c_void,
    ),
>;
/// A place in a stream.
pub type aclrtLabel = *mut core::ffi::c_void;
/// A list of places.
pub type aclrtLabelList = *mut core::ffi::c_void;
pub const ACL_RT_EQUAL: aclrtCondition = aclrtCondition(0);
pub const ACL_RT_NOT_EQUAL: aclrtCondition = aclrtCondition(1);
pub const ACL_RT_GREATER: aclrtCondition = aclrtCondition(2);
pub const ACL_RT_GREATER_OR_EQUAL: aclrtCondition = aclrtCondition(3);
pub const ACL_RT_LESS: aclrtCondition = aclrtCondition(4);
pub const ACL_RT_LESS_OR_EQUAL: aclrtCondition = aclrtCondition(5);
#[repr(transparent)]
/// The comparison of two values.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtCondition(pub core::ffi::c_uint);
pub const ACL_RT_SWITCH_INT32: aclrtCompareDataType = aclrtCompareDataType(0);
pub const ACL_RT_SWITCH_INT64: aclrtCompareDataType = aclrtCompareDataType(1);
#[repr(transparent)]
/// The type of the values that are compared.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtCompareDataType(pub core::ffi::c_uint);
pub const ACL_MEM_ADVISE_SET_READ_MOSTLY: aclrtMemManagedAdviseType = aclrtMemManagedAdviseType(
    0,
);
pub const ACL_MEM_ADVISE_UNSET_READ_MOSTLY: aclrtMemManagedAdviseType = aclrtMemManagedAdviseType(
    1,
);
pub const ACL_MEM_ADVISE_SET_PREFERRED_LOCATION: aclrtMemManagedAdviseType = aclrtMemManagedAdviseType(
    2,
);
pub const ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION: aclrtMemManagedAdviseType = aclrtMemManagedAdviseType(
    3,
);
pub const ACL_MEM_ADVISE_SET_ACCESSED_BY: aclrtMemManagedAdviseType = aclrtMemManagedAdviseType(
    4,
);
pub const ACL_MEM_ADVISE_UNSET_ACCESSED_BY: aclrtMemManagedAdviseType = aclrtMemManagedAdviseType(
    5,
);
#[repr(transparent)]
/// Advice on the use of memory that moves between host and devices.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtMemManagedAdviseType(pub core::ffi::c_uint);
pub const ACL_MEM_LOCATIONTYPE_INVALID: aclrtMemManagedLocationType = aclrtMemManagedLocationType(
    0,
);
pub const ACL_MEM_LOCATIONTYPE_DEVICE: aclrtMemManagedLocationType = aclrtMemManagedLocationType(
    1,
);
pub const ACL_MEM_LOCATIONTYPE_HOST: aclrtMemManagedLocationType = aclrtMemManagedLocationType(
    2,
);
pub const ACL_MEM_LOCATIONTYPE_HOST_NUMA: aclrtMemManagedLocationType = aclrtMemManagedLocationType(
    3,
);
pub const ACL_MEM_LOCATIONTYPE_HOST_NUMA_CURRENT: aclrtMemManagedLocationType = aclrtMemManagedLocationType(
    4,
);
#[repr(transparent)]
/// A kind of place for such memory.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtMemManagedLocationType(pub core::ffi::c_uint);
pub const ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY: aclrtMemManagedRangeAttribute = aclrtMemManagedRangeAttribute(
    1,
);
pub const ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION: aclrtMemManagedRangeAttribute = aclrtMemManagedRangeAttribute(
    2,
);
pub const ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY: aclrtMemManagedRangeAttribute = aclrtMemManagedRangeAttribute(
    3,
);
pub const ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE: aclrtMemManagedRangeAttribute = aclrtMemManagedRangeAttribute(
    4,
);
pub const ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID: aclrtMemManagedRangeAttribute = aclrtMemManagedRangeAttribute(
    5,
);
pub const ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION: aclrtMemManagedRangeAttribute = aclrtMemManagedRangeAttribute(
    6,
);
pub const ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE: aclrtMemManagedRangeAttribute = aclrtMemManagedRangeAttribute(
    7,
);
pub const ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID: aclrtMemManagedRangeAttribute = aclrtMemManagedRangeAttribute(
    8,
);
#[repr(transparent)]
/// A question about such memory.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtMemManagedRangeAttribute(pub core::ffi::c_uint);
pub const ACL_RT_MEM_ACCESS_LINK_SIO: aclrtMemLinkType = aclrtMemLinkType(0);
pub const ACL_RT_MEM_ACCESS_LINK_HCCS: aclrtMemLinkType = aclrtMemLinkType(1);
pub const ACL_RT_MEM_ACCESS_UB_ONE_PORT_PATH: aclrtMemLinkType = aclrtMemLinkType(2);
pub const ACL_RT_MEM_ACCESS_UB_MULTI_PORT_PATH: aclrtMemLinkType = aclrtMemLinkType(3);
#[repr(transparent)]
/// A link by which mapped memory is reached.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtMemLinkType(pub core::ffi::c_uint);
/// A place for such memory.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtMemManagedLocation {
    pub type_: aclrtMemManagedLocationType,
    pub id: i32,
}
/// A `uint64_t`
pub const ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT: aclrtMemSharedHandleType = aclrtMemSharedHandleType(
    1,
);
/// An `aclrtMemFabricHandle`
pub const ACL_MEM_SHARE_HANDLE_TYPE_FABRIC: aclrtMemSharedHandleType = aclrtMemSharedHandleType(
    2,
);
#[repr(transparent)]
/// The kind of a shareable handle.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtMemSharedHandleType(pub core::ffi::c_uint);
/// A shareable handle for other machines.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtMemFabricHandle {
    pub data: [u8; 128usize],
}
pub const ACL_RT_IPC_MEM_ATTR_ACCESS_LINK: aclrtIpcMemAttrType = aclrtIpcMemAttrType(0);
#[repr(transparent)]
/// A property of a key.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtIpcMemAttrType(pub core::ffi::c_uint);
pub const ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_SIO: aclrtIpcMemAttrAccessLink = aclrtIpcMemAttrAccessLink(
    0,
);
pub const ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_HCCS: aclrtIpcMemAttrAccessLink = aclrtIpcMemAttrAccessLink(
    1,
);
pub const ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_UB_ONE_PORT_PATH: aclrtIpcMemAttrAccessLink = aclrtIpcMemAttrAccessLink(
    2,
);
pub const ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_UB_MULTI_PORT_PATH: aclrtIpcMemAttrAccessLink = aclrtIpcMemAttrAccessLink(
    3,
);
#[repr(transparent)]
/// The link by which memory of a key is reached. The name of the type is chosen here.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtIpcMemAttrAccessLink(pub core::ffi::c_uint);
/// Processes of a server.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtServerPid {
    pub sdid: u32,
    pub pid: *mut i32,
    pub num: usize,
}
/// A signal that one wait takes.
pub type aclrtNotify = *mut core::ffi::c_void;
/// An event on its way to another process.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtIpcEventHandle {
    pub reserved: [core::ffi::c_char; 64usize],
}
pub const ACL_RT_DEV_RES_CUBE_CORE: aclrtDevResLimitType = aclrtDevResLimitType(0);
pub const ACL_RT_DEV_RES_VECTOR_CORE: aclrtDevResLimitType = aclrtDevResLimitType(1);
#[repr(transparent)]
/// A kind of core.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtDevResLimitType(pub core::ffi::c_uint);
pub const ACL_STREAM_ATTR_FAILURE_MODE: aclrtStreamAttr = aclrtStreamAttr(1);
pub const ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK: aclrtStreamAttr = aclrtStreamAttr(2);
pub const ACL_STREAM_ATTR_USER_CUSTOM_TAG: aclrtStreamAttr = aclrtStreamAttr(3);
pub const ACL_STREAM_ATTR_CACHE_OP_INFO: aclrtStreamAttr = aclrtStreamAttr(4);
/// From CANN 9.1.0 on
pub const ACL_STREAM_ATTR_PRIORITY: aclrtStreamAttr = aclrtStreamAttr(5);
#[repr(transparent)]
/// An attribute of a stream.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtStreamAttr(pub core::ffi::c_uint);
/// Value of an attribute of a stream.
#[repr(C)]
#[derive(Copy, Clone)]
pub union aclrtStreamAttrValue {
    pub failureMode: u64,
    pub overflowSwitch: u32,
    pub userCustomTag: u32,
    pub cacheOpInfoSwitch: u32,
    pub streamPriority: u32,
    pub reserve: [u32; 4usize],
}
pub const ACL_RT_SNAPSHOT_LOCK_PRE: aclrtSnapShotStage = aclrtSnapShotStage(0);
pub const ACL_RT_SNAPSHOT_BACKUP_PRE: aclrtSnapShotStage = aclrtSnapShotStage(1);
pub const ACL_RT_SNAPSHOT_BACKUP_POST: aclrtSnapShotStage = aclrtSnapShotStage(2);
pub const ACL_RT_SNAPSHOT_RESTORE_PRE: aclrtSnapShotStage = aclrtSnapShotStage(3);
pub const ACL_RT_SNAPSHOT_RESTORE_POST: aclrtSnapShotStage = aclrtSnapShotStage(4);
pub const ACL_RT_SNAPSHOT_UNLOCK_POST: aclrtSnapShotStage = aclrtSnapShotStage(5);
#[repr(transparent)]
/// The stage at which a function is called.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtSnapShotStage(pub core::ffi::c_uint);
pub const ACL_RT_PROCESS_STATE_RUNNING: aclrtProcessState = aclrtProcessState(0);
pub const ACL_RT_PROCESS_STATE_LOCKED: aclrtProcessState = aclrtProcessState(1);
#[repr(transparent)]
/// The state of a process: running or locked. The name of the type is chosen here.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtProcessState(pub core::ffi::c_uint);
/// The options for saving a process.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtSnapShotBackupArgs {
    pub backupFlags: u32,
    pub reserved: [core::ffi::c_char; 60usize],
}
/// The options for restoring a process.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtSnapShotRestoreArgs {
    pub restoreFlags: u32,
    pub reserved: [core::ffi::c_char; 60usize],
}
/// Called with a device, and the pointer given with the function.
pub type aclrtSnapShotCallBack = ::core::option::Option<
    unsafe extern "C" fn(deviceId: i32, args: *mut core::ffi::c_void) -> u32,
>;
pub const ACL_RT_STREAM_WORK_ADDR_PTR: aclrtStreamConfigAttr = aclrtStreamConfigAttr(0);
pub const ACL_RT_STREAM_WORK_SIZE: aclrtStreamConfigAttr = aclrtStreamConfigAttr(1);
pub const ACL_RT_STREAM_FLAG: aclrtStreamConfigAttr = aclrtStreamConfigAttr(2);
pub const ACL_RT_STREAM_PRIORITY: aclrtStreamConfigAttr = aclrtStreamConfigAttr(3);
#[repr(transparent)]
/// A setting of a stream.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtStreamConfigAttr(pub core::ffi::c_uint);
/// Settings of a stream.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtStreamConfigHandle {
    pub workptr: *mut core::ffi::c_void,
    pub workSize: usize,
    pub flag: usize,
    pub priority: u32,
}
pub const ACL_RT_UPDATE_RANDOM_TASK: aclrtUpdateTaskAttrId = aclrtUpdateTaskAttrId(1);
pub const ACL_RT_UPDATE_AIC_AIV_TASK: aclrtUpdateTaskAttrId = aclrtUpdateTaskAttrId(2);
#[repr(transparent)]
/// A kind of task that is replaced. The name of the type is chosen here.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtUpdateTaskAttrId(pub core::ffi::c_uint);
/// The replacement of a task of random numbers.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtRandomTaskUpdateAttr {
    pub srcAddr: *mut core::ffi::c_void,
    pub size: usize,
    pub rsv: [u32; 4usize],
}
/// The replacement of a launch of a kernel.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtAicAivTaskUpdateAttr {
    pub binHandle: *mut core::ffi::c_void,
    pub funcEntryAddr: *mut core::ffi::c_void,
    pub blockDimAddr: *mut core::ffi::c_void,
    pub rsv: [u32; 4usize],
}
/// The replacement of a task, by its kind.
#[repr(C)]
#[derive(Copy, Clone)]
pub union aclrtUpdateTaskAttrVal {
    pub randomTaskAttr: aclrtRandomTaskUpdateAttr,
    pub aicAivTaskAttr: aclrtAicAivTaskUpdateAttr,
}
/// The replacement of a task.
#[repr(C)]
#[derive(Copy, Clone)]
pub struct aclrtTaskUpdateInfo {
    pub id: aclrtUpdateTaskAttrId,
    pub val: aclrtUpdateTaskAttrVal,
}
pub const ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK: aclrtRandomNumFuncType = aclrtRandomNumFuncType(
    0,
);
pub const ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS: aclrtRandomNumFuncType = aclrtRandomNumFuncType(
    1,
);
pub const ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS: aclrtRandomNumFuncType = aclrtRandomNumFuncType(
    2,
);
pub const ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS: aclrtRandomNumFuncType = aclrtRandomNumFuncType(
    3,
);
#[repr(transparent)]
/// A distribution of random numbers. The name of the type is chosen here.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtRandomNumFuncType(pub core::ffi::c_uint);
/// A number of a distribution: its bytes, or the address of them.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtRandomParaInfo {
    pub isAddr: u8,
    pub valueOrAddr: [u8; 8usize],
    pub size: u8,
    pub rsv: [u8; 6usize],
}
/// Bits that keep an element or drop it.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtDropoutBitmaskInfo {
    pub dropoutRation: aclrtRandomParaInfo,
}
/// Numbers that are all equally likely.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtUniformDisInfo {
    pub min: aclrtRandomParaInfo,
    pub max: aclrtRandomParaInfo,
}
/// Normal numbers.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtNormalDisInfo {
    pub mean: aclrtRandomParaInfo,
    pub stddev: aclrtRandomParaInfo,
}
/// The numbers of a distribution, by its kind. The names of the members are chosen here.
#[repr(C)]
#[derive(Copy, Clone)]
pub union aclrtRandomNumFuncParaDetails {
    pub dropoutBitmaskInfo: aclrtDropoutBitmaskInfo,
    pub uniformDisInfo: aclrtUniformDisInfo,
    pub normalDisInfo: aclrtNormalDisInfo,
}
/// A distribution.
#[repr(C)]
#[derive(Copy, Clone)]
pub struct aclrtRandomNumFuncParaInfo {
    pub funcType: aclrtRandomNumFuncType,
    pub paramInfo: aclrtRandomNumFuncParaDetails,
}
/// A task that fills memory with random numbers.
#[repr(C)]
#[derive(Copy, Clone)]
pub struct aclrtRandomNumTaskInfo {
    pub dataType: aclDataType,
    pub randomNumFuncParaInfo: aclrtRandomNumFuncParaInfo,
    pub randomParaAddr: *mut core::ffi::c_void,
    pub randomResultAddr: *mut core::ffi::c_void,
    pub randomCounterAddr: *mut core::ffi::c_void,
    pub randomSeed: aclrtRandomParaInfo,
    pub randomNum: aclrtRandomParaInfo,
    pub rsv: [u8; 8usize],
}
pub const ACL_PKG_NAME_CANN: aclCANNPackageName = aclCANNPackageName(0);
pub const ACL_PKG_NAME_RUNTIME: aclCANNPackageName = aclCANNPackageName(1);
pub const ACL_PKG_NAME_COMPILER: aclCANNPackageName = aclCANNPackageName(2);
pub const ACL_PKG_NAME_HCCL: aclCANNPackageName = aclCANNPackageName(3);
pub const ACL_PKG_NAME_TOOLKIT: aclCANNPackageName = aclCANNPackageName(4);
pub const ACL_PKG_NAME_OPP: aclCANNPackageName = aclCANNPackageName(5);
pub const ACL_PKG_NAME_OPP_KERNEL: aclCANNPackageName = aclCANNPackageName(6);
pub const ACL_PKG_NAME_DRIVER: aclCANNPackageName = aclCANNPackageName(7);
#[repr(transparent)]
/// A package of CANN.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclCANNPackageName(pub core::ffi::c_uint);
/// Version of a package, as text that ends with NUL.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclCANNPackageVersion {
    pub version: [core::ffi::c_char; 128usize],
    pub majorVersion: [core::ffi::c_char; 64usize],
    pub minorVersion: [core::ffi::c_char; 64usize],
    pub releaseVersion: [core::ffi::c_char; 64usize],
    pub patchVersion: [core::ffi::c_char; 64usize],
    pub reserved: [core::ffi::c_char; 128usize],
}
pub const ACL_RT_THREAD_LEVEL: aclrtLastErrLevel = aclrtLastErrLevel(0);
#[repr(transparent)]
/// Scope of the last error.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtLastErrLevel(pub core::ffi::c_uint);
pub const ACL_DEVICE: aclrtRunMode = aclrtRunMode(0);
pub const ACL_HOST: aclrtRunMode = aclrtRunMode(1);
#[repr(transparent)]
/// The side on which the program runs.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtRunMode(pub core::ffi::c_uint);
/// The largest finite number
pub const ACL_RT_OVERFLOW_MODE_SATURATION: aclrtFloatOverflowMode = aclrtFloatOverflowMode(
    0,
);
/// Infinity or NaN
pub const ACL_RT_OVERFLOW_MODE_INFNAN: aclrtFloatOverflowMode = aclrtFloatOverflowMode(
    1,
);
/// Infinity or NaN
pub const ACL_RT_OVERFLOW_MODE_UNDEF: aclrtFloatOverflowMode = aclrtFloatOverflowMode(2);
#[repr(transparent)]
/// The result of a float operation that overflows.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtFloatOverflowMode(pub core::ffi::c_uint);
pub const ACL_RT_DEVICE_STATUS_NORMAL: aclrtDeviceStatus = aclrtDeviceStatus(0);
pub const ACL_RT_DEVICE_STATUS_ABNORMAL: aclrtDeviceStatus = aclrtDeviceStatus(1);
pub const ACL_RT_DEVICE_STATUS_END: aclrtDeviceStatus = aclrtDeviceStatus(65535);
#[repr(transparent)]
/// Health of a device.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtDeviceStatus(pub core::ffi::c_uint);
pub const ACL_DEV_ATTR_AICPU_CORE_NUM: aclrtDevAttr = aclrtDevAttr(1);
pub const ACL_DEV_ATTR_AICORE_CORE_NUM: aclrtDevAttr = aclrtDevAttr(101);
pub const ACL_DEV_ATTR_CUBE_CORE_NUM: aclrtDevAttr = aclrtDevAttr(102);
pub const ACL_DEV_ATTR_VECTOR_CORE_NUM: aclrtDevAttr = aclrtDevAttr(201);
pub const ACL_DEV_ATTR_WARP_SIZE: aclrtDevAttr = aclrtDevAttr(202);
pub const ACL_DEV_ATTR_MAX_THREAD_PER_VECTOR_CORE: aclrtDevAttr = aclrtDevAttr(203);
pub const ACL_DEV_ATTR_LOCAL_MEM_PER_VECTOR_CORE: aclrtDevAttr = aclrtDevAttr(204);
/// From CANN 9.0.0 on
pub const ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE: aclrtDevAttr = aclrtDevAttr(204);
/// From CANN 9.1.0 on
pub const ACL_DEV_ATTR_MAX_GRID_DIM_X: aclrtDevAttr = aclrtDevAttr(205);
/// From CANN 9.1.0 on
pub const ACL_DEV_ATTR_MAX_GRID_DIM_Y: aclrtDevAttr = aclrtDevAttr(206);
/// From CANN 9.1.0 on
pub const ACL_DEV_ATTR_MAX_GRID_DIM_Z: aclrtDevAttr = aclrtDevAttr(207);
/// From CANN 9.1.0 on
pub const ACL_DEV_ATTR_MAX_BLOCK_PER_GRID: aclrtDevAttr = aclrtDevAttr(208);
/// From CANN 9.1.0 on
pub const ACL_DEV_ATTR_MAX_THREADS_PER_BLOCK: aclrtDevAttr = aclrtDevAttr(209);
/// From CANN 9.1.0 on
pub const ACL_DEV_ATTR_MAX_BLOCK_DIM_X: aclrtDevAttr = aclrtDevAttr(210);
/// From CANN 9.1.0 on
pub const ACL_DEV_ATTR_MAX_BLOCK_DIM_Y: aclrtDevAttr = aclrtDevAttr(211);
/// From CANN 9.1.0 on
pub const ACL_DEV_ATTR_MAX_BLOCK_DIM_Z: aclrtDevAttr = aclrtDevAttr(212);
/// From CANN 9.1.0 on
pub const ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE: aclrtDevAttr = aclrtDevAttr(301);
/// From CANN 9.1.0 on
pub const ACL_DEV_ATTR_L2_CACHE_SIZE: aclrtDevAttr = aclrtDevAttr(302);
/// From CANN 9.1.0 on
pub const ACL_DEV_ATTR_SMP_ID: aclrtDevAttr = aclrtDevAttr(401);
/// From CANN 9.1.0 on
pub const ACL_DEV_ATTR_PHY_CHIP_ID: aclrtDevAttr = aclrtDevAttr(402);
/// From CANN 9.1.0 on
pub const ACL_DEV_ATTR_SUPER_POD_DEVIDE_ID: aclrtDevAttr = aclrtDevAttr(403);
/// From CANN 9.0.0 on
pub const ACL_DEV_ATTR_SUPER_POD_DEVICE_ID: aclrtDevAttr = aclrtDevAttr(403);
/// From CANN 9.0.0 on
pub const ACL_DEV_ATTR_SUPER_POD_SERVER_ID: aclrtDevAttr = aclrtDevAttr(404);
/// From CANN 9.0.0 on
pub const ACL_DEV_ATTR_SUPER_POD_ID: aclrtDevAttr = aclrtDevAttr(405);
/// From CANN 9.0.0 on
pub const ACL_DEV_ATTR_CUST_OP_PRIVILEGE: aclrtDevAttr = aclrtDevAttr(406);
/// From CANN 9.0.0 on
pub const ACL_DEV_ATTR_MAINBOARD_ID: aclrtDevAttr = aclrtDevAttr(407);
/// From CANN 9.1.0 on
pub const ACL_DEV_ATTR_HD_CONNECT_TYPE: aclrtDevAttr = aclrtDevAttr(408);
/// From CANN 9.2.0 on
pub const ACL_DEV_ATTR_DEVICE_FORM_FACTOR: aclrtDevAttr = aclrtDevAttr(409);
/// From CANN 9.2.0 on
pub const ACL_DEV_ATTR_IS_VIRTUAL: aclrtDevAttr = aclrtDevAttr(501);
/// From CANN 9.1.0 on
pub const ACL_DEV_ATTR_NPU_ARCH: aclrtDevAttr = aclrtDevAttr(601);
#[repr(transparent)]
/// A number that describes a device.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtDevAttr(pub core::ffi::c_uint);
pub const ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV: aclrtDevFeatureType = aclrtDevFeatureType(
    1,
);
pub const ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV: aclrtDevFeatureType = aclrtDevFeatureType(
    21,
);
#[repr(transparent)]
/// A feature that a device may have.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtDevFeatureType(pub core::ffi::c_uint);
/// Identity of a device.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtUuid {
    pub bytes: [core::ffi::c_char; 16usize],
}
pub const ACL_OPT_DETERMINISTIC: aclSysParamOpt = aclSysParamOpt(0);
pub const ACL_OPT_ENABLE_DEBUG_KERNEL: aclSysParamOpt = aclSysParamOpt(1);
pub const ACL_OPT_STRONG_CONSISTENCY: aclSysParamOpt = aclSysParamOpt(2);
/// From a release after 9.2 on
pub const ACL_OPT_ENABLE_KERNEL_EARLY_START: aclSysParamOpt = aclSysParamOpt(3);
#[repr(transparent)]
/// A switch of the process or of a context.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclSysParamOpt(pub core::ffi::c_uint);
pub const ACL_STREAM_STATUS_COMPLETE: aclrtStreamStatus = aclrtStreamStatus(0);
pub const ACL_STREAM_STATUS_NOT_READY: aclrtStreamStatus = aclrtStreamStatus(1);
pub const ACL_STREAM_STATUS_RESERVED: aclrtStreamStatus = aclrtStreamStatus(65535);
#[repr(transparent)]
/// The state of a stream: with work left or without.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtStreamStatus(pub core::ffi::c_uint);
pub const ACL_EVENT_STATUS_COMPLETE: aclrtEventStatus = aclrtEventStatus(0);
pub const ACL_EVENT_STATUS_NOT_READY: aclrtEventStatus = aclrtEventStatus(1);
pub const ACL_EVENT_STATUS_RESERVED: aclrtEventStatus = aclrtEventStatus(2);
#[repr(transparent)]
/// The state of an event, for `aclrtQueryEvent`. 0 is complete, unlike `aclrtEventRecordedStatus`.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtEventStatus(pub core::ffi::c_uint);
pub const ACL_EVENT_RECORDED_STATUS_NOT_READY: aclrtEventRecordedStatus = aclrtEventRecordedStatus(
    0,
);
pub const ACL_EVENT_RECORDED_STATUS_COMPLETE: aclrtEventRecordedStatus = aclrtEventRecordedStatus(
    1,
);
#[repr(transparent)]
/// The state of an event, for `aclrtQueryEventStatus`. 1 is complete, unlike `aclrtEventStatus`.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtEventRecordedStatus(pub core::ffi::c_uint);
pub const ACL_EVENT_WAIT_STATUS_COMPLETE: aclrtEventWaitStatus = aclrtEventWaitStatus(0);
pub const ACL_EVENT_WAIT_STATUS_NOT_READY: aclrtEventWaitStatus = aclrtEventWaitStatus(
    1,
);
pub const ACL_EVENT_WAIT_STATUS_RESERVED: aclrtEventWaitStatus = aclrtEventWaitStatus(
    65535,
);
#[repr(transparent)]
/// The state of the wait of streams for an event.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtEventWaitStatus(pub core::ffi::c_uint);
pub const ACL_CALLBACK_NO_BLOCK: aclrtCallbackBlockType = aclrtCallbackBlockType(0);
pub const ACL_CALLBACK_BLOCK: aclrtCallbackBlockType = aclrtCallbackBlockType(1);
#[repr(transparent)]
/// The mode of a callback: the stream waits for its return, or does not.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtCallbackBlockType(pub core::ffi::c_uint);
pub const ACL_MEM_MALLOC_HUGE_FIRST: aclrtMemMallocPolicy = aclrtMemMallocPolicy(0);
pub const ACL_MEM_MALLOC_HUGE_ONLY: aclrtMemMallocPolicy = aclrtMemMallocPolicy(1);
pub const ACL_MEM_MALLOC_NORMAL_ONLY: aclrtMemMallocPolicy = aclrtMemMallocPolicy(2);
pub const ACL_MEM_MALLOC_HUGE_FIRST_P2P: aclrtMemMallocPolicy = aclrtMemMallocPolicy(3);
pub const ACL_MEM_MALLOC_HUGE_ONLY_P2P: aclrtMemMallocPolicy = aclrtMemMallocPolicy(4);
pub const ACL_MEM_MALLOC_NORMAL_ONLY_P2P: aclrtMemMallocPolicy = aclrtMemMallocPolicy(5);
pub const ACL_MEM_MALLOC_HUGE1G_ONLY: aclrtMemMallocPolicy = aclrtMemMallocPolicy(6);
pub const ACL_MEM_MALLOC_HUGE1G_ONLY_P2P: aclrtMemMallocPolicy = aclrtMemMallocPolicy(7);
pub const ACL_MEM_TYPE_LOW_BAND_WIDTH: aclrtMemMallocPolicy = aclrtMemMallocPolicy(256);
pub const ACL_MEM_TYPE_HIGH_BAND_WIDTH: aclrtMemMallocPolicy = aclrtMemMallocPolicy(
    4096,
);
pub const ACL_MEM_ACCESS_USER_SPACE_READONLY: aclrtMemMallocPolicy = aclrtMemMallocPolicy(
    1048576,
);
#[repr(transparent)]
/// Size of the pages of an allocation, and who may reach it.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtMemMallocPolicy(pub core::ffi::c_uint);
pub const ACL_DDR_MEM: aclrtMemAttr = aclrtMemAttr(0);
pub const ACL_HBM_MEM: aclrtMemAttr = aclrtMemAttr(1);
pub const ACL_DDR_MEM_HUGE: aclrtMemAttr = aclrtMemAttr(2);
pub const ACL_DDR_MEM_NORMAL: aclrtMemAttr = aclrtMemAttr(3);
pub const ACL_HBM_MEM_HUGE: aclrtMemAttr = aclrtMemAttr(4);
pub const ACL_HBM_MEM_NORMAL: aclrtMemAttr = aclrtMemAttr(5);
pub const ACL_DDR_MEM_P2P_HUGE: aclrtMemAttr = aclrtMemAttr(6);
pub const ACL_DDR_MEM_P2P_NORMAL: aclrtMemAttr = aclrtMemAttr(7);
pub const ACL_HBM_MEM_P2P_HUGE: aclrtMemAttr = aclrtMemAttr(8);
pub const ACL_HBM_MEM_P2P_NORMAL: aclrtMemAttr = aclrtMemAttr(9);
pub const ACL_HBM_MEM_HUGE1G: aclrtMemAttr = aclrtMemAttr(10);
pub const ACL_HBM_MEM_P2P_HUGE1G: aclrtMemAttr = aclrtMemAttr(11);
pub const ACL_MEM_NORMAL: aclrtMemAttr = aclrtMemAttr(12);
pub const ACL_MEM_HUGE: aclrtMemAttr = aclrtMemAttr(13);
pub const ACL_MEM_HUGE1G: aclrtMemAttr = aclrtMemAttr(14);
pub const ACL_MEM_P2P_NORMAL: aclrtMemAttr = aclrtMemAttr(15);
pub const ACL_MEM_P2P_HUGE: aclrtMemAttr = aclrtMemAttr(16);
pub const ACL_MEM_P2P_HUGE1G: aclrtMemAttr = aclrtMemAttr(17);
#[repr(transparent)]
/// A kind of device memory.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtMemAttr(pub core::ffi::c_uint);
pub const ACL_RT_MEM_ATTR_RSV: aclrtMallocAttrType = aclrtMallocAttrType(0);
pub const ACL_RT_MEM_ATTR_MODULE_ID: aclrtMallocAttrType = aclrtMallocAttrType(1);
pub const ACL_RT_MEM_ATTR_DEVICE_ID: aclrtMallocAttrType = aclrtMallocAttrType(2);
pub const ACL_RT_MEM_ATTR_VA_FLAG: aclrtMallocAttrType = aclrtMallocAttrType(3);
#[repr(transparent)]
/// An attribute of an allocation.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtMallocAttrType(pub core::ffi::c_uint);
pub const ACL_HOST_REGISTER_MAPPED: aclrtHostRegisterType = aclrtHostRegisterType(0);
/// From CANN 9.0.0 on
pub const ACL_HOST_REGISTER_IOMEMORY: aclrtHostRegisterType = aclrtHostRegisterType(4);
/// From CANN 9.0.0 on
pub const ACL_HOST_REGISTER_READONLY: aclrtHostRegisterType = aclrtHostRegisterType(8);
#[repr(transparent)]
/// The way in which `aclrtHostRegister` registers host memory.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtHostRegisterType(pub core::ffi::c_uint);
/// Value of an attribute of an allocation.
#[repr(C)]
#[derive(Copy, Clone)]
pub union aclrtMallocAttrValue {
    pub moduleId: u16,
    pub deviceId: u32,
    pub vaFlag: u32,
    pub rsv: [u8; 8usize],
}
/// An attribute of an allocation.
#[repr(C)]
#[derive(Copy, Clone)]
pub struct aclrtMallocAttribute {
    pub attr: aclrtMallocAttrType,
    pub value: aclrtMallocAttrValue,
}
/// Attributes of an allocation.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtMallocConfig {
    pub attrs: *mut aclrtMallocAttribute,
    pub numAttrs: usize,
}
/// The attributes of the memory that a pointer points to.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtPtrAttributes {
    pub location: aclrtMemLocation,
    /// Bytes
    pub pageSize: u32,
    pub rsv: [u32; 4usize],
}
/// Memory taken by one module.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtMemUsageInfo {
    pub name: [core::ffi::c_char; 32usize],
    /// Bytes
    pub curMemSize: u64,
    /// Bytes
    pub memPeakSize: u64,
    pub reserved: [usize; 8usize],
}
pub const ACL_MEM_ALLOCATION_TYPE_PINNED: aclrtMemAllocationType = aclrtMemAllocationType(
    0,
);
#[repr(transparent)]
/// Kind of a physical allocation.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtMemAllocationType(pub core::ffi::c_uint);
pub const ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM: aclrtMemGranularityOptions = aclrtMemGranularityOptions(
    0,
);
pub const ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED: aclrtMemGranularityOptions = aclrtMemGranularityOptions(
    1,
);
pub const ACL_RT_MEM_ALLOC_GRANULARITY_UNDEF: aclrtMemGranularityOptions = aclrtMemGranularityOptions(
    65535,
);
#[repr(transparent)]
/// The granularity that is asked for.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtMemGranularityOptions(pub core::ffi::c_uint);
pub const ACL_RT_MEM_ACCESS_FLAGS_NONE: aclrtMemAccessFlags = aclrtMemAccessFlags(0);
pub const ACL_RT_MEM_ACCESS_FLAGS_READ: aclrtMemAccessFlags = aclrtMemAccessFlags(1);
pub const ACL_RT_MEM_ACCESS_FLAGS_READWRITE: aclrtMemAccessFlags = aclrtMemAccessFlags(
    3,
);
#[repr(transparent)]
/// The access that a device has to mapped memory.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtMemAccessFlags(pub core::ffi::c_uint);
/// Properties of physical memory.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtPhysicalMemProp {
    pub handleType: aclrtMemHandleType,
    pub allocationType: aclrtMemAllocationType,
    pub memAttr: aclrtMemAttr,
    pub location: aclrtMemLocation,
    pub reserve: u64,
}
/// The access that one device has to mapped memory.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtMemAccessDesc {
    pub flags: aclrtMemAccessFlags,
    pub location: aclrtMemLocation,
    pub rsv: [u8; 12usize],
}
/// Memory of the inputs or outputs of a model.
#[repr(C)]
pub struct aclmdlDataset {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// Description of a model.
#[repr(C)]
pub struct aclmdlDesc {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// Shape of an input or output.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclmdlIODims {
    pub name: [core::ffi::c_char; 128usize],
    pub dimCount: usize,
    pub dims: [i64; 128usize],
}
/// Attributes of an operator, by name.
#[repr(C)]
pub struct aclopAttr {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
pub const ACL_ENGINE_SYS: aclopEngineType = aclopEngineType(0);
pub const ACL_ENGINE_AICORE: aclopEngineType = aclopEngineType(1);
pub const ACL_ENGINE_VECTOR: aclopEngineType = aclopEngineType(2);
#[repr(transparent)]
/// A kind of core.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclopEngineType(pub core::ffi::c_uint);
pub const ACL_PRECISION_MODE: aclCompileOpt = aclCompileOpt(0);
pub const ACL_AICORE_NUM: aclCompileOpt = aclCompileOpt(1);
pub const ACL_AUTO_TUNE_MODE: aclCompileOpt = aclCompileOpt(2);
pub const ACL_OP_SELECT_IMPL_MODE: aclCompileOpt = aclCompileOpt(3);
pub const ACL_OPTYPELIST_FOR_IMPLMODE: aclCompileOpt = aclCompileOpt(4);
pub const ACL_OP_DEBUG_LEVEL: aclCompileOpt = aclCompileOpt(5);
pub const ACL_DEBUG_DIR: aclCompileOpt = aclCompileOpt(6);
pub const ACL_OP_COMPILER_CACHE_MODE: aclCompileOpt = aclCompileOpt(7);
pub const ACL_OP_COMPILER_CACHE_DIR: aclCompileOpt = aclCompileOpt(8);
pub const ACL_OP_PERFORMANCE_MODE: aclCompileOpt = aclCompileOpt(9);
pub const ACL_OP_JIT_COMPILE: aclCompileOpt = aclCompileOpt(10);
pub const ACL_OP_DETERMINISTIC: aclCompileOpt = aclCompileOpt(11);
pub const ACL_CUSTOMIZE_DTYPES: aclCompileOpt = aclCompileOpt(12);
pub const ACL_OP_PRECISION_MODE: aclCompileOpt = aclCompileOpt(13);
pub const ACL_ALLOW_HF32: aclCompileOpt = aclCompileOpt(14);
pub const ACL_PRECISION_MODE_V2: aclCompileOpt = aclCompileOpt(15);
pub const ACL_OP_DEBUG_OPTION: aclCompileOpt = aclCompileOpt(16);
#[repr(transparent)]
/// An option of the operator compiler; values are text.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclCompileOpt(pub core::ffi::c_uint);
pub const ACL_COMPILE_SYS: aclopCompileType = aclopCompileType(0);
pub const ACL_COMPILE_UNREGISTERED: aclopCompileType = aclopCompileType(1);
#[repr(transparent)]
/// The place where compiled operators are looked for.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclopCompileType(pub core::ffi::c_uint);
pub const ACL_OP_COMPILE_DEFAULT: aclOpCompileFlag = aclOpCompileFlag(0);
pub const ACL_OP_COMPILE_FUZZ: aclOpCompileFlag = aclOpCompileFlag(1);
#[repr(transparent)]
/// The shapes for which operators are compiled.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclOpCompileFlag(pub core::ffi::c_uint);
/// Options of a dump.
#[repr(C)]
pub struct aclGraphDumpOption {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// Functions of an allocator, on their way to the runtime.
pub type aclrtAllocatorDesc = *mut core::ffi::c_void;
/// The program's allocator.
pub type aclrtAllocator = *mut core::ffi::c_void;
/// A piece of memory of the allocator.
pub type aclrtAllocatorBlock = *mut core::ffi::c_void;
/// An address in such a piece.
pub type aclrtAllocatorAddr = *mut core::ffi::c_void;
/// Allocates memory.
pub type aclrtAllocatorAllocFunc = ::core::option::Option<
    unsafe extern "C" fn(
        allocator: aclrtAllocator,
        size: usize,
    ) -> *mut core::ffi::c_void,
>;
/// Frees memory.
pub type aclrtAllocatorFreeFunc = ::core::option::Option<
    unsafe extern "C" fn(allocator: aclrtAllocator, block: aclrtAllocatorBlock),
>;
/// Allocates memory at an address, if possible.
pub type aclrtAllocatorAllocAdviseFunc = ::core::option::Option<
    unsafe extern "C" fn(
        allocator: aclrtAllocator,
        size: usize,
        addr: aclrtAllocatorAddr,
    ) -> *mut core::ffi::c_void,
>;
/// Address of a piece of memory.
pub type aclrtAllocatorGetAddrFromBlockFunc = ::core::option::Option<
    unsafe extern "C" fn(block: aclrtAllocatorBlock) -> *mut core::ffi::c_void,
>;
/// A pool of device memory.
pub type aclrtMemPool = *mut core::ffi::c_void;
pub const ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES: aclrtMemPoolAttr = aclrtMemPoolAttr(
    1,
);
pub const ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC: aclrtMemPoolAttr = aclrtMemPoolAttr(
    2,
);
pub const ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES: aclrtMemPoolAttr = aclrtMemPoolAttr(
    3,
);
/// Bytes that stay with the pool
pub const ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD: aclrtMemPoolAttr = aclrtMemPoolAttr(4);
/// Bytes that stay with the pool
pub const ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT: aclrtMemPoolAttr = aclrtMemPoolAttr(
    5,
);
/// Bytes that stay with the pool
pub const ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH: aclrtMemPoolAttr = aclrtMemPoolAttr(6);
/// Bytes that stay with the pool
pub const ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT: aclrtMemPoolAttr = aclrtMemPoolAttr(7);
/// Bytes that stay with the pool
pub const ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH: aclrtMemPoolAttr = aclrtMemPoolAttr(8);
#[repr(transparent)]
/// An attribute of a pool.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtMemPoolAttr(pub core::ffi::c_uint);
/// Properties of a pool.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclrtMemPoolProps {
    pub allocType: aclrtMemAllocationType,
    pub handleType: aclrtMemHandleType,
    pub location: aclrtMemLocation,
    /// Bytes; 0 for no limit
    pub maxSize: usize,
    pub reserved: [core::ffi::c_uchar; 32usize],
}
/// A kind of dump. CANN's values are not known here.
pub type acldumpType = i32;
pub const ACL_DUMP_TENSOR_INPUT: acldumpTensorType = acldumpTensorType(0);
pub const ACL_DUMP_TENSOR_OUTPUT: acldumpTensorType = acldumpTensorType(1);
pub const ACL_DUMP_TENSOR_WORKSPACE: acldumpTensorType = acldumpTensorType(2);
#[repr(transparent)]
/// The role of a tensor in its operator. The name of the type is chosen here.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct acldumpTensorType(pub core::ffi::c_uint);
pub const ACL_DUMP_ADDR_PTR: acldumpAddrType = acldumpAddrType(0);
pub const ACL_DUMP_ADDR_PTR_PTR: acldumpAddrType = acldumpAddrType(1);
pub const ACL_DUMP_ADDR_RAW: acldumpAddrType = acldumpAddrType(2);
#[repr(transparent)]
/// The kind of an address of a tensor. The name of the type is chosen here.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct acldumpAddrType(pub core::ffi::c_uint);
pub const ACL_DUMP_PLACEMENT_DEVICE: acldumpPlacement = acldumpPlacement(0);
pub const ACL_DUMP_PLACEMENT_HOST: acldumpPlacement = acldumpPlacement(1);
pub const ACL_DUMP_PLACEMENT_END: acldumpPlacement = acldumpPlacement(2);
#[repr(transparent)]
/// The side where a tensor lies. The name of the type is chosen here.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct acldumpPlacement(pub core::ffi::c_uint);
/// A part of a file of a dump.
#[repr(C)]
pub struct acldumpChunk {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// A tensor of an operator that failed.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct acldumpTensorInfo {
    pub type_: acldumpTensorType,
    pub tensorSize: usize,
    pub format: i32,
    pub dataType: i32,
    pub tensorAddr: *mut core::ffi::c_void,
    pub addrType: acldumpAddrType,
    pub placement: acldumpPlacement,
    pub argsOffset: u32,
    pub shapeNum: u32,
    pub originShapeNum: u32,
    pub shape: [i64; 25usize],
    pub originShape: [i64; 25usize],
}
/// The data that the profiler records.
#[repr(C)]
pub struct aclprofConfig {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// Begin and end of a step.
#[repr(C)]
pub struct aclprofStepInfo {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// Events of cores, beside those of `aclprofAicoreMetrics`.
#[repr(C)]
pub struct aclprofAicoreEvents {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
pub const ACL_AICORE_ARITHMETIC_UTILIZATION: aclprofAicoreMetrics = aclprofAicoreMetrics(
    0,
);
pub const ACL_AICORE_PIPE_UTILIZATION: aclprofAicoreMetrics = aclprofAicoreMetrics(1);
pub const ACL_AICORE_MEMORY_BANDWIDTH: aclprofAicoreMetrics = aclprofAicoreMetrics(2);
pub const ACL_AICORE_L0B_AND_WIDTH: aclprofAicoreMetrics = aclprofAicoreMetrics(3);
pub const ACL_AICORE_RESOURCE_CONFLICT_RATIO: aclprofAicoreMetrics = aclprofAicoreMetrics(
    4,
);
pub const ACL_AICORE_MEMORY_UB: aclprofAicoreMetrics = aclprofAicoreMetrics(5);
pub const ACL_AICORE_L2_CACHE: aclprofAicoreMetrics = aclprofAicoreMetrics(6);
pub const ACL_AICORE_PIPE_EXECUTE_UTILIZATION: aclprofAicoreMetrics = aclprofAicoreMetrics(
    7,
);
pub const ACL_AICORE_MEMORY_ACCESS: aclprofAicoreMetrics = aclprofAicoreMetrics(8);
pub const ACL_AICORE_NONE: aclprofAicoreMetrics = aclprofAicoreMetrics(255);
#[repr(transparent)]
/// The metric of AI cores that is measured.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclprofAicoreMetrics(pub core::ffi::c_uint);
pub const ACL_PROF_ARGS_MIN: aclprofConfigType = aclprofConfigType(0);
pub const ACL_PROF_STORAGE_LIMIT: aclprofConfigType = aclprofConfigType(1);
pub const ACL_PROF_SYS_HARDWARE_MEM_FREQ: aclprofConfigType = aclprofConfigType(3);
pub const ACL_PROF_LLC_MODE: aclprofConfigType = aclprofConfigType(4);
pub const ACL_PROF_SYS_IO_FREQ: aclprofConfigType = aclprofConfigType(5);
pub const ACL_PROF_SYS_INTERCONNECTION_FREQ: aclprofConfigType = aclprofConfigType(6);
pub const ACL_PROF_DVPP_FREQ: aclprofConfigType = aclprofConfigType(7);
pub const ACL_PROF_HOST_SYS: aclprofConfigType = aclprofConfigType(8);
pub const ACL_PROF_HOST_SYS_USAGE: aclprofConfigType = aclprofConfigType(9);
pub const ACL_PROF_HOST_SYS_USAGE_FREQ: aclprofConfigType = aclprofConfigType(10);
pub const ACL_PROF_LOW_POWER_FREQ: aclprofConfigType = aclprofConfigType(11);
pub const ACL_PROF_SYS_MEM_SERVICEFLOW: aclprofConfigType = aclprofConfigType(12);
pub const ACL_PROF_SYS_CPU_FREQ: aclprofConfigType = aclprofConfigType(13);
pub const ACL_PROF_OPTYPE: aclprofConfigType = aclprofConfigType(14);
pub const ACL_PROF_NTS_METRICS: aclprofConfigType = aclprofConfigType(15);
pub const ACL_PROF_PATH: aclprofConfigType = aclprofConfigType(16);
pub const ACL_PROF_ARGS_MAX: aclprofConfigType = aclprofConfigType(17);
#[repr(transparent)]
/// A setting of the profiler.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclprofConfigType(pub core::ffi::c_uint);
/// The data that a program receives while a model runs.
#[repr(C)]
pub struct aclprofSubscribeConfig {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
pub const ACL_SUBSCRIBE_OP: aclprofSubscribeOpFlag = aclprofSubscribeOpFlag(0);
pub const ACL_SUBSCRIBE_SUBGRAPH: aclprofSubscribeOpFlag = aclprofSubscribeOpFlag(1);
pub const ACL_SUBSCRIBE_OP_THREAD: aclprofSubscribeOpFlag = aclprofSubscribeOpFlag(2);
pub const ACL_SUBSCRIBE_NONE: aclprofSubscribeOpFlag = aclprofSubscribeOpFlag(255);
#[repr(transparent)]
/// The subject of a record of a model.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclprofSubscribeOpFlag(pub core::ffi::c_uint);
pub const ACL_SUBSCRIBE_ATTRI_THREADID: aclprofSubscribeOpAttri = aclprofSubscribeOpAttri(
    0,
);
pub const ACL_SUBSCRIBE_ATTRI_NONE: aclprofSubscribeOpAttri = aclprofSubscribeOpAttri(1);
#[repr(transparent)]
/// An attribute of a record of a model.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclprofSubscribeOpAttri(pub core::ffi::c_uint);
pub const ACL_PROF_MESSAGE_TYPE_TENSOR_INFO: aclprofMessageType = aclprofMessageType(0);
#[repr(transparent)]
/// The contents of the message of an event. The name of the type is chosen here.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclprofMessageType(pub core::ffi::c_uint);
/// The description of an event of a program.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclprofEventAttributes {
    /// `ACL_PROF_EVENT_ATTR_VERSION`
    pub version: u16,
    /// Bytes of this structure
    pub size: u16,
    pub messageType: aclprofMessageType,
    pub message: *mut core::ffi::c_void,
}
/// A tensor of an event.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclprofTensor {
    pub type_: u32,
    pub format: u32,
    pub dataType: u32,
    pub shapeDim: u32,
    pub shape: [u32; 8usize],
}
/// The operator of an event, and its tensors.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclprofTensorInfo {
    pub opNameId: u64,
    pub opTypeId: u64,
    pub resv: u32,
    pub tensorNum: u32,
    pub kernelType: u32,
    pub blockNums: u32,
    pub stream: aclrtStream,
    pub tensors: *mut aclprofTensor,
}
pub const ACL_STEP_START: aclprofStepTag = aclprofStepTag(0);
pub const ACL_STEP_END: aclprofStepTag = aclprofStepTag(1);
#[repr(transparent)]
/// An end of a step.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclprofStepTag(pub core::ffi::c_uint);
pub const ACL_PLATFORM_AICORE_CNT: aclplatformDevInfo = aclplatformDevInfo(0);
pub const ACL_PLATFORM_AICORE_UB_SIZE: aclplatformDevInfo = aclplatformDevInfo(1);
pub const ACL_PLATFORM_CUBE_CORE_CNT: aclplatformDevInfo = aclplatformDevInfo(2);
pub const ACL_PLATFORM_VECTOR_CORE_CNT: aclplatformDevInfo = aclplatformDevInfo(3);
pub const ACL_PLATFORM_L2_SIZE: aclplatformDevInfo = aclplatformDevInfo(4);
pub const ACL_PLATFORM_MEMORY_SIZE: aclplatformDevInfo = aclplatformDevInfo(5);
pub const ACL_PLATFORM_CUBE_FREQ: aclplatformDevInfo = aclplatformDevInfo(6);
pub const ACL_PLATFORM_VEC_FREQ: aclplatformDevInfo = aclplatformDevInfo(7);
pub const ACL_PLATFORM_BT_SIZE: aclplatformDevInfo = aclplatformDevInfo(8);
pub const ACL_PLATFORM_L0_A_SIZE: aclplatformDevInfo = aclplatformDevInfo(9);
pub const ACL_PLATFORM_L0_B_SIZE: aclplatformDevInfo = aclplatformDevInfo(10);
pub const ACL_PLATFORM_L0_C_SIZE: aclplatformDevInfo = aclplatformDevInfo(11);
pub const ACL_PLATFORM_L1_SIZE: aclplatformDevInfo = aclplatformDevInfo(12);
pub const ACL_PLATFORM_SOC_VERSION: aclplatformDevInfo = aclplatformDevInfo(13);
pub const ACL_PLATFORM_AIC_VERSION: aclplatformDevInfo = aclplatformDevInfo(14);
pub const ACL_PLATFORM_NPU_ARCH: aclplatformDevInfo = aclplatformDevInfo(15);
pub const ACL_PLATFORM_MEMORY_TYPE: aclplatformDevInfo = aclplatformDevInfo(16);
#[repr(transparent)]
/// A fact about a product.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclplatformDevInfo(pub core::ffi::c_uint);
pub const ACL_PLATFORM_CORE_TYPE_AI_CORE: aclplatformCoreType = aclplatformCoreType(0);
pub const ACL_PLATFORM_CORE_TYPE_VECTOR_CORE: aclplatformCoreType = aclplatformCoreType(
    1,
);
#[repr(transparent)]
/// A kind of core.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct aclplatformCoreType(pub core::ffi::c_uint);
pub const ACL_TENSOR_DATA_UNDEFINED: acltdtTensorType = acltdtTensorType(-1);
pub const ACL_TENSOR_DATA_TENSOR: acltdtTensorType = acltdtTensorType(0);
pub const ACL_TENSOR_DATA_END_OF_SEQUENCE: acltdtTensorType = acltdtTensorType(1);
pub const ACL_TENSOR_DATA_ABNORMAL: acltdtTensorType = acltdtTensorType(2);
pub const ACL_TENSOR_DATA_SLICE_TENSOR: acltdtTensorType = acltdtTensorType(3);
pub const ACL_TENSOR_DATA_END_TENSOR: acltdtTensorType = acltdtTensorType(4);
#[repr(transparent)]
/// A kind of item.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct acltdtTensorType(pub core::ffi::c_int);
/// A tensor on its way.
#[repr(C)]
pub struct acltdtDataItem {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// Tensors that go together.
#[repr(C)]
pub struct acltdtDataset {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// A channel.
#[repr(C)]
pub struct acltdtChannelHandle {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// A buffer that goes through queues.
pub type acltdtBuf = *mut core::ffi::c_void;
#[repr(C)]
pub struct tagMemQueueAttr {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// The settings of a queue.
pub type acltdtQueueAttr = tagMemQueueAttr;
/// A route from one queue to another.
#[repr(C)]
pub struct acltdtQueueRoute {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// Routes.
#[repr(C)]
pub struct acltdtQueueRouteList {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// A question about routes.
#[repr(C)]
pub struct acltdtQueueRouteQueryInfo {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
pub const ACL_TDT_QUEUE_PERMISSION_MANAGE: acltdtQueuePermission = acltdtQueuePermission(
    1,
);
pub const ACL_TDT_QUEUE_PERMISSION_DEQUEUE: acltdtQueuePermission = acltdtQueuePermission(
    2,
);
pub const ACL_TDT_QUEUE_PERMISSION_ENQUEUE: acltdtQueuePermission = acltdtQueuePermission(
    4,
);
#[repr(transparent)]
/// The permissions that a process has for a queue: bits. The name of the type is chosen here.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct acltdtQueuePermission(pub core::ffi::c_uint);
pub const ACL_TDT_QUEUE_ROUTE_UNBIND: acltdtQueueRouteStatus = acltdtQueueRouteStatus(0);
pub const ACL_TDT_QUEUE_ROUTE_BIND: acltdtQueueRouteStatus = acltdtQueueRouteStatus(1);
pub const ACL_TDT_QUEUE_ROUTE_BIND_ABNORMAL: acltdtQueueRouteStatus = acltdtQueueRouteStatus(
    2,
);
#[repr(transparent)]
/// State of a route. The name of the type is chosen here.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct acltdtQueueRouteStatus(pub core::ffi::c_uint);
pub const ACL_TDT_NORMAL_MEM: acltdtAllocBufType = acltdtAllocBufType(0);
pub const ACL_TDT_DVPP_MEM: acltdtAllocBufType = acltdtAllocBufType(1);
#[repr(transparent)]
/// Kind of the memory of a buffer. The name of the type is chosen here.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct acltdtAllocBufType(pub core::ffi::c_uint);
pub const ACL_TDT_QUEUE_NAME_PTR: acltdtQueueAttrType = acltdtQueueAttrType(0);
pub const ACL_TDT_QUEUE_DEPTH_UINT32: acltdtQueueAttrType = acltdtQueueAttrType(1);
#[repr(transparent)]
/// A setting of a queue.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct acltdtQueueAttrType(pub core::ffi::c_uint);
pub const ACL_TDT_QUEUE_ROUTE_SRC_UINT32: acltdtQueueRouteParamType = acltdtQueueRouteParamType(
    0,
);
pub const ACL_TDT_QUEUE_ROUTE_DST_UINT32: acltdtQueueRouteParamType = acltdtQueueRouteParamType(
    1,
);
pub const ACL_TDT_QUEUE_ROUTE_STATUS_INT32: acltdtQueueRouteParamType = acltdtQueueRouteParamType(
    2,
);
#[repr(transparent)]
/// A property of a route.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct acltdtQueueRouteParamType(pub core::ffi::c_uint);
pub const ACL_TDT_QUEUE_ROUTE_QUERY_SRC: acltdtQueueRouteQueryMode = acltdtQueueRouteQueryMode(
    0,
);
pub const ACL_TDT_QUEUE_ROUTE_QUERY_DST: acltdtQueueRouteQueryMode = acltdtQueueRouteQueryMode(
    1,
);
pub const ACL_TDT_QUEUE_ROUTE_QUERY_SRC_AND_DST: acltdtQueueRouteQueryMode = acltdtQueueRouteQueryMode(
    2,
);
pub const ACL_TDT_QUEUE_ROUTE_QUERY_ABNORMAL: acltdtQueueRouteQueryMode = acltdtQueueRouteQueryMode(
    100,
);
#[repr(transparent)]
/// The criterion by which routes are looked for. The name of the type is chosen here.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct acltdtQueueRouteQueryMode(pub core::ffi::c_uint);
pub const ACL_TDT_QUEUE_ROUTE_QUERY_MODE_ENUM: acltdtQueueRouteQueryInfoParamType = acltdtQueueRouteQueryInfoParamType(
    0,
);
pub const ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32: acltdtQueueRouteQueryInfoParamType = acltdtQueueRouteQueryInfoParamType(
    1,
);
pub const ACL_TDT_QUEUE_ROUTE_QUERY_DST_ID_UINT32: acltdtQueueRouteQueryInfoParamType = acltdtQueueRouteQueryInfoParamType(
    2,
);
#[repr(transparent)]
/// A part of a question about routes.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct acltdtQueueRouteQueryInfoParamType(pub core::ffi::c_uint);
/// Result of an aclnn function; the codes are in `aclnn/opdev/op_errno.h`.
pub type aclnnStatus = i32;
/// Shape, strides and type of elements in device memory.
#[repr(C)]
pub struct aclTensor {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// One number with its type.
#[repr(C)]
pub struct aclScalar {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// Numbers of type int64_t.
#[repr(C)]
pub struct aclIntArray {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// Numbers of type float.
#[repr(C)]
pub struct aclFloatArray {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// Truth values, one byte each.
#[repr(C)]
pub struct aclBoolArray {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// Tensors, owned by the list.
#[repr(C)]
pub struct aclTensorList {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// Scalars, owned by the list.
#[repr(C)]
pub struct aclScalarList {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// A prepared call of an operator: made by phase one, used up by phase two unless it is repeatable.
#[repr(C)]
pub struct aclOpExecutor {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
pub const HCCL_SUCCESS: HcclResult = HcclResult(0);
pub const HCCL_E_PARA: HcclResult = HcclResult(1);
pub const HCCL_E_PTR: HcclResult = HcclResult(2);
pub const HCCL_E_MEMORY: HcclResult = HcclResult(3);
pub const HCCL_E_INTERNAL: HcclResult = HcclResult(4);
pub const HCCL_E_NOT_SUPPORT: HcclResult = HcclResult(5);
pub const HCCL_E_NOT_FOUND: HcclResult = HcclResult(6);
pub const HCCL_E_UNAVAIL: HcclResult = HcclResult(7);
pub const HCCL_E_SYSCALL: HcclResult = HcclResult(8);
pub const HCCL_E_TIMEOUT: HcclResult = HcclResult(9);
pub const HCCL_E_OPEN_FILE_FAILURE: HcclResult = HcclResult(10);
pub const HCCL_E_TCP_CONNECT: HcclResult = HcclResult(11);
pub const HCCL_E_ROCE_CONNECT: HcclResult = HcclResult(12);
pub const HCCL_E_TCP_TRANSFER: HcclResult = HcclResult(13);
pub const HCCL_E_ROCE_TRANSFER: HcclResult = HcclResult(14);
pub const HCCL_E_RUNTIME: HcclResult = HcclResult(15);
pub const HCCL_E_DRV: HcclResult = HcclResult(16);
pub const HCCL_E_PROFILING: HcclResult = HcclResult(17);
pub const HCCL_E_CCE: HcclResult = HcclResult(18);
pub const HCCL_E_NETWORK: HcclResult = HcclResult(19);
pub const HCCL_E_AGAIN: HcclResult = HcclResult(20);
pub const HCCL_E_REMOTE: HcclResult = HcclResult(21);
pub const HCCL_E_SUSPENDING: HcclResult = HcclResult(22);
pub const HCCL_E_OPRETRY_FAIL: HcclResult = HcclResult(23);
pub const HCCL_E_OOM: HcclResult = HcclResult(24);
/// The failure is that of a communicator, not of the call
pub const HCCL_E_IN_STATUS: HcclResult = HcclResult(1041);
/// The failure is that of a communicator, not of the call
pub const HCCL_E_RESERVED: HcclResult = HcclResult(1042);
#[repr(transparent)]
/// Result of a function of HCCL.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcclResult(pub core::ffi::c_uint);
pub const HCCL_DATA_TYPE_INT8: HcclDataType = HcclDataType(0);
pub const HCCL_DATA_TYPE_INT16: HcclDataType = HcclDataType(1);
pub const HCCL_DATA_TYPE_INT32: HcclDataType = HcclDataType(2);
pub const HCCL_DATA_TYPE_FP16: HcclDataType = HcclDataType(3);
pub const HCCL_DATA_TYPE_FP32: HcclDataType = HcclDataType(4);
pub const HCCL_DATA_TYPE_INT64: HcclDataType = HcclDataType(5);
pub const HCCL_DATA_TYPE_UINT64: HcclDataType = HcclDataType(6);
pub const HCCL_DATA_TYPE_UINT8: HcclDataType = HcclDataType(7);
pub const HCCL_DATA_TYPE_UINT16: HcclDataType = HcclDataType(8);
pub const HCCL_DATA_TYPE_UINT32: HcclDataType = HcclDataType(9);
pub const HCCL_DATA_TYPE_FP64: HcclDataType = HcclDataType(10);
pub const HCCL_DATA_TYPE_BFP16: HcclDataType = HcclDataType(11);
pub const HCCL_DATA_TYPE_INT128: HcclDataType = HcclDataType(12);
pub const HCCL_DATA_TYPE_HIF8: HcclDataType = HcclDataType(14);
pub const HCCL_DATA_TYPE_FP8E4M3: HcclDataType = HcclDataType(15);
pub const HCCL_DATA_TYPE_FP8E5M2: HcclDataType = HcclDataType(16);
pub const HCCL_DATA_TYPE_FP8E8M0: HcclDataType = HcclDataType(17);
pub const HCCL_DATA_TYPE_RESERVED: HcclDataType = HcclDataType(255);
#[repr(transparent)]
/// Type of the elements that a collective moves. The numbers are not those of `aclDataType`.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcclDataType(pub core::ffi::c_uint);
pub const HCCL_REDUCE_SUM: HcclReduceOp = HcclReduceOp(0);
pub const HCCL_REDUCE_PROD: HcclReduceOp = HcclReduceOp(1);
pub const HCCL_REDUCE_MAX: HcclReduceOp = HcclReduceOp(2);
pub const HCCL_REDUCE_MIN: HcclReduceOp = HcclReduceOp(3);
pub const HCCL_REDUCE_RESERVED: HcclReduceOp = HcclReduceOp(255);
#[repr(transparent)]
/// The operation that combines the elements of the ranks.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcclReduceOp(pub core::ffi::c_uint);
pub const HCCL_SEND: HcclSendRecvType = HcclSendRecvType(0);
pub const HCCL_RECV: HcclSendRecvType = HcclSendRecvType(1);
pub const HCCL_SEND_RECV_RESERVED: HcclSendRecvType = HcclSendRecvType(2);
#[repr(transparent)]
/// Direction of an item of `HcclBatchSendRecv`.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcclSendRecvType(pub core::ffi::c_uint);
/// A communicator: one rank of a group.
pub type HcclComm = *mut core::ffi::c_void;
/// Bytes by which the ranks of a new group find its root; the program sends them to each rank.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcclRootInfoDef {
    pub internal: [core::ffi::c_char; 4108usize],
}
/// Bytes by which the ranks of a new group find its root; the program sends them to each rank.
pub type HcclRootInfo = HcclRootInfoDef;
/// A message of `HcclBatchSendRecv`.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcclSendRecvItemDef {
    pub sendRecvType: HcclSendRecvType,
    /// Device memory
    pub buf: *mut core::ffi::c_void,
    /// Elements
    pub count: u64,
    pub dataType: HcclDataType,
    /// The other rank
    pub remoteRank: u32,
}
/// A message of `HcclBatchSendRecv`.
pub type HcclSendRecvItem = HcclSendRecvItemDef;
/// Settings of a communicator. Older releases know the fields at its beginning only: version 2 (8.0) has 160 bytes, version
/// 5 (8.1) has 300, version 6 (8.3) has 312.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcclCommConfigDef {
    /// Bytes of this structure, as its version has them
    pub size: usize,
    pub magicWord: u32,
    pub version: u32,
    pub reserved: u64,
    /// Size of the buffer for communication, in MB
    pub hcclBufferSize: u32,
    /// 1 if results must not depend on the order in which data arrives
    pub hcclDeterministic: u32,
    pub hcclCommName: [core::ffi::c_char; 128usize],
    pub hcclUdi: [core::ffi::c_char; 128usize],
    pub hcclOpExpansionMode: u32,
    pub hcclRdmaTrafficClass: u32,
    pub hcclRdmaServiceLevel: u32,
    pub hcclWorldRankID: u32,
    pub hcclJobID: u64,
    pub aclGraphZeroCopyEnable: u8,
    /// Seconds after which a collective fails
    pub hcclExecTimeOut: i32,
    pub hcclAlgo: [core::ffi::c_char; 1600usize],
    pub hcclRetryEnable: [core::ffi::c_char; 50usize],
    pub hcclRetryParams: [core::ffi::c_char; 128usize],
    pub hcclBufferName: [core::ffi::c_char; 128usize],
    pub hcclQos: u32,
    /// Most memory of a rank that others reach by the same address, in GB
    pub hcclSymWinMaxMemSizePerRank: u64,
    /// Work that a channel holds at a time
    pub hcclChannelSqDepth: u32,
}
/// Settings of a communicator. Older releases know the fields at its beginning only: version 2 (8.0) has 160 bytes, version
/// 5 (8.1) has 300, version 6 (8.3) has 312.
pub type HcclCommConfig = HcclCommConfigDef;
pub const HCCL_DETERMINISTIC: HcclConfig = HcclConfig(0);
pub const HCCL_CONFIG_RESERVED: HcclConfig = HcclConfig(1);
#[repr(transparent)]
/// A setting of the library for the whole process.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcclConfig(pub core::ffi::c_uint);
/// Value of a setting of the library.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcclConfigValue {
    pub value: i32,
}
pub const HCCL_COMM_CONFIG_BUFFER_SIZE: HcclCommConfigCapability = HcclCommConfigCapability(
    0,
);
pub const HCCL_COMM_CONFIG_DETERMINISTIC: HcclCommConfigCapability = HcclCommConfigCapability(
    1,
);
pub const HCCL_COMM_CONFIG_COMM_NAME: HcclCommConfigCapability = HcclCommConfigCapability(
    2,
);
pub const HCCL_COMM_CONFIG_OP_EXPANSION_MODE: HcclCommConfigCapability = HcclCommConfigCapability(
    3,
);
pub const HCCL_COMM_CONFIG_SUPPORT_INIT_BY_ENV: HcclCommConfigCapability = HcclCommConfigCapability(
    4,
);
pub const HCCL_COMM_CONFIG_WORLD_RANKID: HcclCommConfigCapability = HcclCommConfigCapability(
    5,
);
pub const HCCL_COMM_CONFIG_JOBID: HcclCommConfigCapability = HcclCommConfigCapability(6);
pub const HCCL_COMM_CONFIG_ACLGRAPH_ZEROCOPY_ENABLE: HcclCommConfigCapability = HcclCommConfigCapability(
    7,
);
pub const HCCL_COMM_CONFIG_EXEC_TIMEOUT: HcclCommConfigCapability = HcclCommConfigCapability(
    8,
);
pub const HCCL_COMM_CONFIG_ALGO: HcclCommConfigCapability = HcclCommConfigCapability(9);
pub const HCCL_COMM_CONFIG_RETRY: HcclCommConfigCapability = HcclCommConfigCapability(
    10,
);
pub const HCCL_COMM_CONFIG_BUFFER_NAME: HcclCommConfigCapability = HcclCommConfigCapability(
    11,
);
pub const HCCL_COMM_CONFIG_RESERVED: HcclCommConfigCapability = HcclCommConfigCapability(
    12,
);
#[repr(transparent)]
/// A capability that `HcclGetCommConfigCapability` counts. The name of the type is chosen here.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcclCommConfigCapability(pub core::ffi::c_uint);
pub const HCCL_OP_EXPANSION_MODE_INVALID: HcclOpExpansionMode = HcclOpExpansionMode(-1);
pub const HCCL_OP_EXPANSION_MODE_AI_CPU: HcclOpExpansionMode = HcclOpExpansionMode(0);
pub const HCCL_OP_EXPANSION_MODE_AIV: HcclOpExpansionMode = HcclOpExpansionMode(1);
pub const HCCL_OP_EXPANSION_MODE_HOST: HcclOpExpansionMode = HcclOpExpansionMode(2);
pub const HCCL_OP_EXPANSION_MODE_HOST_TS: HcclOpExpansionMode = HcclOpExpansionMode(3);
pub const HCCL_OP_EXPANSION_MODE_CCU_MS: HcclOpExpansionMode = HcclOpExpansionMode(4);
pub const HCCL_OP_EXPANSION_MODE_CCU_SCHED: HcclOpExpansionMode = HcclOpExpansionMode(5);
pub const HCCL_OP_EXPANSION_AIV_ONLY: HcclOpExpansionMode = HcclOpExpansionMode(6);
#[repr(transparent)]
/// The engine that unfolds a collective. The name of the type is chosen here.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcclOpExpansionMode(pub core::ffi::c_int);
pub const HCCL_CMD_INVALID: HcclCMDType = HcclCMDType(0);
pub const HCCL_CMD_BROADCAST: HcclCMDType = HcclCMDType(1);
pub const HCCL_CMD_ALLREDUCE: HcclCMDType = HcclCMDType(2);
pub const HCCL_CMD_REDUCE: HcclCMDType = HcclCMDType(3);
pub const HCCL_CMD_SEND: HcclCMDType = HcclCMDType(4);
pub const HCCL_CMD_RECEIVE: HcclCMDType = HcclCMDType(5);
pub const HCCL_CMD_ALLGATHER: HcclCMDType = HcclCMDType(6);
pub const HCCL_CMD_REDUCE_SCATTER: HcclCMDType = HcclCMDType(7);
pub const HCCL_CMD_ALLTOALLV: HcclCMDType = HcclCMDType(8);
pub const HCCL_CMD_ALLTOALLVC: HcclCMDType = HcclCMDType(9);
pub const HCCL_CMD_ALLTOALL: HcclCMDType = HcclCMDType(10);
pub const HCCL_CMD_GATHER: HcclCMDType = HcclCMDType(11);
pub const HCCL_CMD_SCATTER: HcclCMDType = HcclCMDType(12);
pub const HCCL_CMD_BATCH_SEND_RECV: HcclCMDType = HcclCMDType(13);
pub const HCCL_CMD_BATCH_PUT: HcclCMDType = HcclCMDType(14);
pub const HCCL_CMD_BATCH_GET: HcclCMDType = HcclCMDType(15);
pub const HCCL_CMD_ALLGATHER_V: HcclCMDType = HcclCMDType(16);
pub const HCCL_CMD_REDUCE_SCATTER_V: HcclCMDType = HcclCMDType(17);
pub const HCCL_CMD_BATCH_WRITE: HcclCMDType = HcclCMDType(18);
pub const HCCL_CMD_HALF_ALLTOALLV: HcclCMDType = HcclCMDType(20);
pub const HCCL_CMD_ALL: HcclCMDType = HcclCMDType(21);
pub const HCCL_CMD_FINALIZE: HcclCMDType = HcclCMDType(100);
pub const HCCL_CMD_INTER_GROUP_SYNC: HcclCMDType = HcclCMDType(101);
pub const HCCL_CMD_INIT: HcclCMDType = HcclCMDType(102);
pub const HCCL_CMD_BARRIER: HcclCMDType = HcclCMDType(103);
pub const HCCL_CMD_MAX: HcclCMDType = HcclCMDType(104);
#[repr(transparent)]
/// A kind of collective. The name of the type is chosen here.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcclCMDType(pub core::ffi::c_uint);
/// Memory that all ranks reach by the same offset.
pub type HcclSymWinHandle = *mut core::ffi::c_void;
pub const HCCL_COMM_STATUS_READY: HcclCommStatus = HcclCommStatus(0);
pub const HCCL_COMM_STATUS_SUSPENDING: HcclCommStatus = HcclCommStatus(1);
pub const HCCL_COMM_STATUS_INVALID: HcclCommStatus = HcclCommStatus(254);
pub const HCCL_COMM_STATUS_RESERVED: HcclCommStatus = HcclCommStatus(255);
#[repr(transparent)]
/// State of a communicator.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcclCommStatus(pub core::ffi::c_uint);
pub const HCCL_COMM_STATE_PHASE_INVALID: HcclCommStatePhase = HcclCommStatePhase(-1);
pub const HCCL_COMM_STATE_PHASE_DESTROY_PRE: HcclCommStatePhase = HcclCommStatePhase(0);
pub const HCCL_COMM_STATE_PHASE_DESTROY_POST: HcclCommStatePhase = HcclCommStatePhase(1);
pub const HCCL_COMM_STATE_PHASE_RESUME_PRE: HcclCommStatePhase = HcclCommStatePhase(2);
pub const HCCL_COMM_STATE_PHASE_RESUME_POST: HcclCommStatePhase = HcclCommStatePhase(3);
#[repr(transparent)]
/// The change of a communicator.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcclCommStatePhase(pub core::ffi::c_int);
pub const HCCL_CONFIG_TYPE_INVALID: HcclConfigType = HcclConfigType(-1);
pub const HCCL_CONFIG_TYPE_OP_EXPANSION_MODE: HcclConfigType = HcclConfigType(0);
pub const HCCL_CONFIG_TYPE_HCCL_ALGO: HcclConfigType = HcclConfigType(1);
#[repr(transparent)]
/// A setting of a communicator that can be asked for.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcclConfigType(pub core::ffi::c_int);
/// Called with a communicator, its change, and the pointer given with the function.
pub type HcclCommStateCallback = ::core::option::Option<
    unsafe extern "C" fn(
        comm: HcclComm,
        phase: HcclCommStatePhase,
        args: *mut core::ffi::c_void,
    ) -> HcclResult,
>;
/// The engine that runs work of a communicator. CANN's values are not known here.
pub type CommEngine = i32;
/// Kind of a thread. CANN's values are not known here.
pub type ThreadType = i32;
/// A question about a thread. CANN's values are not known here.
pub type ThreadResType = i32;
/// Settings of threads.
#[repr(C)]
pub struct ThreadConfig {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// A piece of memory that communicates.
#[repr(C)]
pub struct CommMem {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
/// A place that memory, threads and links belong to. The meaning of its bytes is not known here.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct EndpointDesc {
    pub bytes: [u64; 20usize],
}
/// The beginning of structures that later releases extend. Its contents are not known here.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcclStructureHeader {
    pub words: [u32; 4usize],
}
pub const HCCL_DED_THREAD_TYPE_INVALID: HcclDedicatedThreadType = HcclDedicatedThreadType(
    -1,
);
pub const HCCL_DED_THREAD_TYPE_AICPU_LAUNCH: HcclDedicatedThreadType = HcclDedicatedThreadType(
    0,
);
pub const HCCL_DED_THREAD_TYPE_AICPU_LAUNCH_GE: HcclDedicatedThreadType = HcclDedicatedThreadType(
    1,
);
pub const HCCL_DED_THREAD_TYPE_AICPU_ORDER_LAUNCH_OPBASE: HcclDedicatedThreadType = HcclDedicatedThreadType(
    2,
);
pub const HCCL_DED_THREAD_TYPE_AICPU_ORDER_LAUNCH_ACLGRAPH: HcclDedicatedThreadType = HcclDedicatedThreadType(
    3,
);
pub const HCCL_DED_THREAD_TYPE_AICPU_ORDER_LAUNCH_GE: HcclDedicatedThreadType = HcclDedicatedThreadType(
    4,
);
pub const HCCL_DED_THREAD_TYPE_AICPU_ORDER_LAUNCH_DEVICE: HcclDedicatedThreadType = HcclDedicatedThreadType(
    5,
);
#[repr(transparent)]
/// The purpose of a thread of the library.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcclDedicatedThreadType(pub core::ffi::c_int);
pub const HCCL_CHANNEL_CONFIG_TYPE_INVALID: HcclChannelConfigType = HcclChannelConfigType(
    -1,
);
pub const HCCL_CHANNEL_CONFIG_TYPE_IS_SHARED_QUEUE: HcclChannelConfigType = HcclChannelConfigType(
    0,
);
pub const HCCL_CHANNEL_CONFIG_TYPE_SHARED_QUEUE_TAG: HcclChannelConfigType = HcclChannelConfigType(
    1,
);
#[repr(transparent)]
/// A setting of a channel.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcclChannelConfigType(pub core::ffi::c_int);
/// A channel to another rank.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcclChannelDesc {
    pub header: HcclStructureHeader,
    pub remoteRank: u32,
    /// CANN's values are not known here
    pub channelProtocol: i32,
    pub localEndpoint: EndpointDesc,
    pub remoteEndpoint: EndpointDesc,
    pub notifyNum: u32,
    pub memHandles: *mut *mut core::ffi::c_void,
    pub memHandleNum: u32,
    /// By protocol; the name is chosen here
    pub raws: [u8; 128usize],
}
/// A transfer between two ranks.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcclOpP2pDesc {
    pub buffer: *mut core::ffi::c_void,
    pub reserved: u64,
    pub cmdType: HcclCMDType,
    pub dataType: HcclDataType,
    pub count: u64,
    pub remoteRank: u32,
    pub unfoldStream: aclrtStream,
}
/// The parameters of a collective, by its kind. The names are chosen here.
#[repr(C)]
#[derive(Copy, Clone)]
pub union HcclOpDescDetails {
    pub p2p: HcclOpP2pDesc,
    pub raws: [u64; 10usize],
}
/// A collective. The name of `details` is chosen here.
#[repr(C)]
#[derive(Copy, Clone)]
pub struct HcclOpDesc {
    pub header: HcclStructureHeader,
    pub opDescType: i32,
    pub opName: [core::ffi::c_char; 256usize],
    pub details: HcclOpDescDetails,
}
/// A function of a library for the processors of a device.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcclKernelFuncInfo {
    pub kernelSoName: [core::ffi::c_char; 256usize],
    pub kernelFuncName: [core::ffi::c_char; 256usize],
    pub args: *mut core::ffi::c_void,
    pub argSize: u32,
}
/// The options of a launch.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcclKernelLaunchCfg {
    pub header: HcclStructureHeader,
    pub timeOut: u64,
    pub reserved: [u8; 104usize],
}
/// The arguments of the function of a transfer between two ranks.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcclP2pKernelParam {
    pub sendRecvThread: u64,
    pub opParams: [u8; 8192usize],
}
/// A kind of topology. CANN's values are not known here.
pub type CommTopo = i32;
/// A question about an end of links. CANN's values are not known here.
pub type EndpointAttr = i32;
/// A link between ranks.
#[repr(C)]
pub struct CommLink {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
pub const HCCL_HETEROG_MODE_INVALID: HcclHeterogMode = HcclHeterogMode(-1);
pub const HCCL_HETEROG_MODE_HOMOGENEOUS: HcclHeterogMode = HcclHeterogMode(0);
pub const HCCL_HETEROG_MODE_MIX_A2_A3: HcclHeterogMode = HcclHeterogMode(1);
#[repr(transparent)]
/// The mixture of products in a group.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcclHeterogMode(pub core::ffi::c_int);
/// A team.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcclTeamCreateDesc {
    pub header: HcclStructureHeader,
    pub rankIds: *mut u32,
    pub rankNum: u32,
    pub selfRankId: u32,
    pub netLayer: u32,
    /// CANN's values are not known here
    pub protocol: i32,
    /// The requirements of the team; the meaning of the bytes is not known here
    pub requirement: [u64; 4usize],
    pub reserved: [u8; 16usize],
}
/// The channels of a team.
#[repr(C)]
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcclTeamCreateChannelsDesc {
    pub header: HcclStructureHeader,
    pub engine: CommEngine,
    pub notifyNum: u32,
    /// CANN's values are not known here
    pub protocol: i32,
    pub channelCnt: u32,
    pub reserved: [u8; 16usize],
}
pub const HCOMM_CHANNEL_CONFIG_TYPE_INVALID: HcommChannelConfigType = HcommChannelConfigType(
    -1,
);
pub const HCOMM_CHANNEL_CONFIG_TYPE_IS_SHARED_QUEUE: HcommChannelConfigType = HcommChannelConfigType(
    0,
);
#[repr(transparent)]
/// A setting of a channel.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcommChannelConfigType(pub core::ffi::c_int);
/// A channel between ends of links.
#[repr(C)]
pub struct HcommChannelDesc {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
pub const HCOMM_DATA_TYPE_INT8: HcommDataType = HcommDataType(0);
pub const HCOMM_DATA_TYPE_INT16: HcommDataType = HcommDataType(1);
pub const HCOMM_DATA_TYPE_INT32: HcommDataType = HcommDataType(2);
pub const HCOMM_DATA_TYPE_FP16: HcommDataType = HcommDataType(3);
pub const HCOMM_DATA_TYPE_FP32: HcommDataType = HcommDataType(4);
pub const HCOMM_DATA_TYPE_INT64: HcommDataType = HcommDataType(5);
pub const HCOMM_DATA_TYPE_UINT64: HcommDataType = HcommDataType(6);
pub const HCOMM_DATA_TYPE_UINT8: HcommDataType = HcommDataType(7);
pub const HCOMM_DATA_TYPE_UINT16: HcommDataType = HcommDataType(8);
pub const HCOMM_DATA_TYPE_UINT32: HcommDataType = HcommDataType(9);
pub const HCOMM_DATA_TYPE_FP64: HcommDataType = HcommDataType(10);
pub const HCOMM_DATA_TYPE_BFP16: HcommDataType = HcommDataType(11);
pub const HCOMM_DATA_TYPE_INT128: HcommDataType = HcommDataType(12);
pub const HCOMM_DATA_TYPE_HIF8: HcommDataType = HcommDataType(14);
pub const HCOMM_DATA_TYPE_FP8E4M3: HcommDataType = HcommDataType(15);
pub const HCOMM_DATA_TYPE_FP8E5M2: HcommDataType = HcommDataType(16);
pub const HCOMM_DATA_TYPE_FP8E8M0: HcommDataType = HcommDataType(17);
pub const HCOMM_DATA_TYPE_RESERVED: HcommDataType = HcommDataType(255);
#[repr(transparent)]
/// Type of elements. The numbers are those of `HcclDataType`.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcommDataType(pub core::ffi::c_uint);
pub const HCOMM_REDUCE_SUM: HcommReduceOp = HcommReduceOp(0);
pub const HCOMM_REDUCE_PROD: HcommReduceOp = HcommReduceOp(1);
pub const HCOMM_REDUCE_MAX: HcommReduceOp = HcommReduceOp(2);
pub const HCOMM_REDUCE_MIN: HcommReduceOp = HcommReduceOp(3);
pub const HCOMM_REDUCE_RESERVED: HcommReduceOp = HcommReduceOp(255);
#[repr(transparent)]
/// The operation that combines elements.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcommReduceOp(pub core::ffi::c_uint);
pub const HCOMM_TRANSFER_TYPE_INVALID: HcommTransferType = HcommTransferType(-1);
pub const HCOMM_TRANSFER_TYPE_WRITE: HcommTransferType = HcommTransferType(0);
pub const HCOMM_TRANSFER_TYPE_WRITE_REDUCE: HcommTransferType = HcommTransferType(1);
pub const HCOMM_TRANSFER_TYPE_WRITE_WITH_NOTIFY: HcommTransferType = HcommTransferType(
    2,
);
pub const HCOMM_TRANSFER_TYPE_WRITE_REDUCE_WITH_NOTIFY: HcommTransferType = HcommTransferType(
    3,
);
pub const HCOMM_TRANSFER_TYPE_READ: HcommTransferType = HcommTransferType(4);
pub const HCOMM_TRANSFER_TYPE_READ_REDUCE: HcommTransferType = HcommTransferType(5);
pub const HCOMM_TRANSFER_TYPE_NOTIFY_RECORD: HcommTransferType = HcommTransferType(6);
#[repr(transparent)]
/// A kind of transfer. The name of the type is chosen here.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcommTransferType(pub core::ffi::c_int);
/// A transfer of a batch.
#[repr(C)]
pub struct HcommBatchTransferDesc {
    _data: [u8; 0],
    _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}
pub const HCOMM_ENDPOINT_FEATURE_INVALID: HcommEndpointFeatureType = HcommEndpointFeatureType(
    -1,
);
pub const HCOMM_ENDPOINT_FEATURE_NDA: HcommEndpointFeatureType = HcommEndpointFeatureType(
    0,
);
#[repr(transparent)]
/// A feature of an end of links.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcommEndpointFeatureType(pub core::ffi::c_int);
pub const HCOMM_SOCKET_ROLE_RESERVED: HcommSocketRole = HcommSocketRole(-1);
pub const HCOMM_SOCKET_ROLE_CLIENT: HcommSocketRole = HcommSocketRole(0);
pub const HCOMM_SOCKET_ROLE_SERVER: HcommSocketRole = HcommSocketRole(1);
#[repr(transparent)]
/// The role of an end of a connection; the client begins it. The name of the type is chosen here.
#[derive(Debug, Copy, Clone, Hash, PartialEq, Eq)]
pub struct HcommSocketRole(pub core::ffi::c_int);

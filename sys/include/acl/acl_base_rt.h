/**
 * Base types: handles, element types, formats, `aclError` codes of acl itself, data buffers, log, attributes of the product.
 */
#ifndef ACL_ACL_BASE_RT_H
#define ACL_ACL_BASE_RT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Result of a runtime function: 0 is success; the first digit of a failure is its origin: 1 the caller, 2 a
 * resource, 3 the business, 5 an internal error. */
typedef int aclError;

/** Bits of an IEEE binary16 number. */
typedef uint16_t aclFloat16;

/** A queue of work in order on a device. NULL is the default stream of the current context. */
typedef void *aclrtStream;
/** A mark in a stream. */
typedef void *aclrtEvent;
/** Owner of streams and events on one device. */
typedef void *aclrtContext;

/** A region of memory with its size, as the older operator interface takes it. */
typedef struct aclDataBuffer aclDataBuffer;

/* A code is an int that both languages accept as a case label. */
#ifdef __cplusplus
#define ACL_CODE(name, value) static const aclError name = value
#else
#define ACL_CODE(name, value) enum { name = value }
#endif

ACL_CODE(ACL_SUCCESS, 0);
ACL_CODE(ACL_ERROR_NONE, 0);

ACL_CODE(ACL_ERROR_INVALID_PARAM, 100000);
ACL_CODE(ACL_ERROR_UNINITIALIZE, 100001);
ACL_CODE(ACL_ERROR_REPEAT_INITIALIZE, 100002);
ACL_CODE(ACL_ERROR_INVALID_FILE, 100003);
ACL_CODE(ACL_ERROR_WRITE_FILE, 100004);
ACL_CODE(ACL_ERROR_INVALID_FILE_SIZE, 100005);
ACL_CODE(ACL_ERROR_PARSE_FILE, 100006);
ACL_CODE(ACL_ERROR_FILE_MISSING_ATTR, 100007);
ACL_CODE(ACL_ERROR_FILE_ATTR_INVALID, 100008);
ACL_CODE(ACL_ERROR_INVALID_DUMP_CONFIG, 100009);
ACL_CODE(ACL_ERROR_INVALID_PROFILING_CONFIG, 100010);
ACL_CODE(ACL_ERROR_INVALID_MODEL_ID, 100011);
ACL_CODE(ACL_ERROR_DESERIALIZE_MODEL, 100012);
ACL_CODE(ACL_ERROR_PARSE_MODEL, 100013);
ACL_CODE(ACL_ERROR_READ_MODEL_FAILURE, 100014);
ACL_CODE(ACL_ERROR_MODEL_SIZE_INVALID, 100015);
ACL_CODE(ACL_ERROR_MODEL_MISSING_ATTR, 100016);
ACL_CODE(ACL_ERROR_MODEL_INPUT_NOT_MATCH, 100017);
ACL_CODE(ACL_ERROR_MODEL_OUTPUT_NOT_MATCH, 100018);
ACL_CODE(ACL_ERROR_MODEL_NOT_DYNAMIC, 100019);
ACL_CODE(ACL_ERROR_OP_TYPE_NOT_MATCH, 100020);
ACL_CODE(ACL_ERROR_OP_INPUT_NOT_MATCH, 100021);
ACL_CODE(ACL_ERROR_OP_OUTPUT_NOT_MATCH, 100022);
ACL_CODE(ACL_ERROR_OP_ATTR_NOT_MATCH, 100023);
ACL_CODE(ACL_ERROR_OP_NOT_FOUND, 100024);
ACL_CODE(ACL_ERROR_OP_LOAD_FAILED, 100025);
ACL_CODE(ACL_ERROR_UNSUPPORTED_DATA_TYPE, 100026);
ACL_CODE(ACL_ERROR_FORMAT_NOT_MATCH, 100027);
ACL_CODE(ACL_ERROR_BIN_SELECTOR_NOT_REGISTERED, 100028);
ACL_CODE(ACL_ERROR_KERNEL_NOT_FOUND, 100029);
ACL_CODE(ACL_ERROR_BIN_SELECTOR_ALREADY_REGISTERED, 100030);
ACL_CODE(ACL_ERROR_KERNEL_ALREADY_REGISTERED, 100031);
ACL_CODE(ACL_ERROR_INVALID_QUEUE_ID, 100032);
ACL_CODE(ACL_ERROR_REPEAT_SUBSCRIBE, 100033);
ACL_CODE(ACL_ERROR_STREAM_NOT_SUBSCRIBE, 100034);
ACL_CODE(ACL_ERROR_THREAD_NOT_SUBSCRIBE, 100035);
ACL_CODE(ACL_ERROR_WAIT_CALLBACK_TIMEOUT, 100036);
ACL_CODE(ACL_ERROR_REPEAT_FINALIZE, 100037);
ACL_CODE(ACL_ERROR_NOT_STATIC_AIPP, 100038);
ACL_CODE(ACL_ERROR_COMPILING_STUB_MODE, 100039);
ACL_CODE(ACL_ERROR_GROUP_NOT_SET, 100040);
ACL_CODE(ACL_ERROR_GROUP_NOT_CREATE, 100041);
ACL_CODE(ACL_ERROR_PROF_ALREADY_RUN, 100042);
ACL_CODE(ACL_ERROR_PROF_NOT_RUN, 100043);
ACL_CODE(ACL_ERROR_DUMP_ALREADY_RUN, 100044);
ACL_CODE(ACL_ERROR_DUMP_NOT_RUN, 100045);
ACL_CODE(ACL_ERROR_PROF_REPEAT_SUBSCRIBE, 148046);
ACL_CODE(ACL_ERROR_PROF_API_CONFLICT, 148047);
ACL_CODE(ACL_ERROR_INVALID_MAX_OPQUEUE_NUM_CONFIG, 148048);
ACL_CODE(ACL_ERROR_INVALID_OPP_PATH, 148049);
ACL_CODE(ACL_ERROR_OP_UNSUPPORTED_DYNAMIC, 148050);
ACL_CODE(ACL_ERROR_RELATIVE_RESOURCE_NOT_CLEARED, 148051);
ACL_CODE(ACL_ERROR_UNSUPPORTED_JPEG, 148052);
ACL_CODE(ACL_ERROR_INVALID_BUNDLE_MODEL_ID, 148053);
ACL_CODE(ACL_ERROR_BAD_ALLOC, 200000);
ACL_CODE(ACL_ERROR_API_NOT_SUPPORT, 200001);
ACL_CODE(ACL_ERROR_INVALID_DEVICE, 200002);
ACL_CODE(ACL_ERROR_MEMORY_ADDRESS_UNALIGNED, 200003);
ACL_CODE(ACL_ERROR_RESOURCE_NOT_MATCH, 200004);
ACL_CODE(ACL_ERROR_INVALID_RESOURCE_HANDLE, 200005);
ACL_CODE(ACL_ERROR_FEATURE_UNSUPPORTED, 200006);
ACL_CODE(ACL_ERROR_PROF_MODULES_UNSUPPORTED, 200007);
ACL_CODE(ACL_ERROR_STORAGE_OVER_LIMIT, 300000);
ACL_CODE(ACL_ERROR_INTERNAL_ERROR, 500000);
ACL_CODE(ACL_ERROR_FAILURE, 500001);
ACL_CODE(ACL_ERROR_GE_FAILURE, 500002);
ACL_CODE(ACL_ERROR_RT_FAILURE, 500003);
ACL_CODE(ACL_ERROR_DRV_FAILURE, 500004);
ACL_CODE(ACL_ERROR_PROFILING_FAILURE, 500005);

/** Type of the elements of a tensor, scalar or buffer. */
typedef enum aclDataType {
    ACL_DT_UNDEFINED = -1,
    /** f32 */
    ACL_FLOAT = 0,
    /** IEEE binary16 */
    ACL_FLOAT16 = 1,
    ACL_INT8 = 2,
    ACL_INT32 = 3,
    ACL_UINT8 = 4,
    ACL_INT16 = 6,
    ACL_UINT16 = 7,
    ACL_UINT32 = 8,
    ACL_INT64 = 9,
    ACL_UINT64 = 10,
    /** f64 */
    ACL_DOUBLE = 11,
    /** One byte, 0 or 1 */
    ACL_BOOL = 12,
    ACL_STRING = 13,
    /** Two f32 */
    ACL_COMPLEX64 = 16,
    /** Two f64 */
    ACL_COMPLEX128 = 17,
    /** bfloat16 */
    ACL_BF16 = 27,
    /** Signed, two in a byte */
    ACL_INT4 = 29,
    /** A bit, eight in a byte */
    ACL_UINT1 = 30,
    /** Two binary16 */
    ACL_COMPLEX32 = 33,
    ACL_HIFLOAT8 = 34,
    ACL_FLOAT8_E5M2 = 35,
    ACL_FLOAT8_E4M3FN = 36,
    /** A power of two; used as a scale */
    ACL_FLOAT8_E8M0 = 37,
    ACL_FLOAT6_E3M2 = 38,
    ACL_FLOAT6_E2M3 = 39,
    /** Two in a byte */
    ACL_FLOAT4_E2M1 = 40,
    /** Two in a byte */
    ACL_FLOAT4_E1M2 = 41,
    /** CANN 9.0 only */
    ACL_HIFLOAT4 = 42
} aclDataType;

/** Order in which the elements of a tensor lie in memory. */
typedef enum aclFormat {
    ACL_FORMAT_UNDEFINED = -1,
    ACL_FORMAT_NCHW = 0,
    ACL_FORMAT_NHWC = 1,
    /** Any rank, row-major */
    ACL_FORMAT_ND = 2,
    ACL_FORMAT_NC1HWC0 = 3,
    ACL_FORMAT_FRACTAL_Z = 4,
    ACL_FORMAT_NC1HWC0_C04 = 12,
    ACL_FORMAT_HWCN = 16,
    ACL_FORMAT_NDHWC = 27,
    ACL_FORMAT_FRACTAL_NZ = 29,
    ACL_FORMAT_NCDHW = 30,
    ACL_FORMAT_NDC1HWC0 = 32,
    ACL_FRACTAL_Z_3D = 33,
    ACL_FORMAT_NC = 35,
    ACL_FORMAT_NCL = 47,
    ACL_FORMAT_FRACTAL_NZ_C0_16 = 50,
    ACL_FORMAT_FRACTAL_NZ_C0_32 = 51,
    ACL_FORMAT_FRACTAL_NZ_C0_2 = 52,
    ACL_FORMAT_FRACTAL_NZ_C0_4 = 53,
    ACL_FORMAT_FRACTAL_NZ_C0_8 = 54
} aclFormat;

/** Weight of a log line. */
typedef enum aclLogLevel { ACL_DEBUG = 0, ACL_INFO = 1, ACL_WARNING = 2, ACL_ERROR = 3 } aclLogLevel;

/** The side, host or device, where a tensor of the older operator interface lies. */
typedef enum aclMemType {
    ACL_MEMTYPE_DEVICE = 0,
    ACL_MEMTYPE_HOST = 1,
    ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT = 2
} aclMemType;

/** A property of the installed CANN on this product. */
typedef enum aclCannAttr {
    ACL_CANN_ATTR_UNDEFINED = -1,
    /** Overflow gives infinity and NaN */
    ACL_CANN_ATTR_INF_NAN = 0,
    /** bfloat16 computes */
    ACL_CANN_ATTR_BF16 = 1,
    /** Operators are compiled when called */
    ACL_CANN_ATTR_JIT_COMPILE = 2
} aclCannAttr;

/** A number that describes a device. */
typedef enum aclDeviceInfo {
    ACL_DEVICE_INFO_UNDEFINED = -1,
    ACL_DEVICE_INFO_AI_CORE_NUM = 0,
    ACL_DEVICE_INFO_VECTOR_CORE_NUM = 1,
    /** Bytes */
    ACL_DEVICE_INFO_L2_SIZE = 2
} aclDeviceInfo;

/* Data buffers */

/**
 * Describes a region; the memory is borrowed. NULL on failure.
 * @param data start of the region
 * @param size bytes
 */
aclDataBuffer *aclCreateDataBuffer(void *data, size_t size);

/** Frees the description, not the memory. */
aclError aclDestroyDataBuffer(const aclDataBuffer *dataBuffer);

/**
 * Describes another region with the same object.
 * @param data start of the region
 * @param size bytes
 */
aclError aclUpdateDataBuffer(aclDataBuffer *dataBuffer, void *data, size_t size);

/** Returns the start of the region. */
void *aclGetDataBufferAddr(const aclDataBuffer *dataBuffer);

/** Returns the size of the region in bytes, cut to 32 bits: `aclGetDataBufferSizeV2` returns all bits. */
uint32_t aclGetDataBufferSize(const aclDataBuffer *dataBuffer);

/** Returns the size of the region in bytes. */
size_t aclGetDataBufferSizeV2(const aclDataBuffer *dataBuffer);

/* Elements */

/**
 * Returns the size of one element in bytes: 0 for strings and the undefined type. Not for packed types: INT4 and UINT1
 * give 1, the 6 and 4 bit floats give 8.
 */
size_t aclDataTypeSize(aclDataType dataType);

/** Widens binary16 bits to f32. */
float aclFloat16ToFloat(aclFloat16 value);

/** Narrows f32 to binary16 bits. */
aclFloat16 aclFloatToFloat16(float value);

/* Log and product */

/**
 * Writes one line to CANN's log.
 * @param logLevel weight of the line
 * @param func name of the calling function
 * @param file name of the source file
 * @param line line in it
 * @param fmt format as of printf, followed by its arguments
 */
void aclAppLog(aclLogLevel logLevel, const char *func, const char *file, uint32_t line, const char *fmt, ...);

/** Returns the name of the product, such as Ascend910B1. NULL on failure. */
const char *aclrtGetSocName(void);

/**
 * Lists the attributes that this product has.
 * @param cannAttrList receives a pointer to the list, which stays the library's
 * @param num receives its length
 */
aclError aclGetCannAttributeList(const aclCannAttr **cannAttrList, size_t *num);

/**
 * Asks for one attribute.
 * @param cannAttr which
 * @param value receives 1 where the product has it, else 0
 */
aclError aclGetCannAttribute(aclCannAttr cannAttr, int32_t *value);

/**
 * Asks for a number that describes a device.
 * @param deviceId the device
 * @param deviceInfo which number
 * @param value receives it
 */
aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo, int64_t *value);

#ifdef __cplusplus
}
#endif

#endif

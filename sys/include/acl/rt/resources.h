/**
 * Cores that a device, a stream or a thread may use, and attributes of streams; part of `acl_rt.h`.
 */
#ifndef ACL_RT_RESOURCES_H
#define ACL_RT_RESOURCES_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A kind of core. */
typedef enum aclrtDevResLimitType {
    ACL_RT_DEV_RES_CUBE_CORE = 0,
    ACL_RT_DEV_RES_VECTOR_CORE = 1
} aclrtDevResLimitType;

/** An attribute of a stream. */
typedef enum aclrtStreamAttr {
    ACL_STREAM_ATTR_FAILURE_MODE = 1,
    ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK = 2,
    ACL_STREAM_ATTR_USER_CUSTOM_TAG = 3,
    ACL_STREAM_ATTR_CACHE_OP_INFO = 4,
    /** From CANN 9.1.0 on */
    ACL_STREAM_ATTR_PRIORITY = 5
} aclrtStreamAttr;

/** Value of an attribute of a stream. */
typedef union aclrtStreamAttrValue {
    uint64_t failureMode;
    uint32_t overflowSwitch;
    uint32_t userCustomTag;
    uint32_t cacheOpInfoSwitch;
    uint32_t streamPriority;
    uint32_t reserve[4];
} aclrtStreamAttrValue;

/**
 * Sets an attribute of a stream.
 * @param stream the stream
 * @param stmAttrType which
 * @param value its value
 */
aclError aclrtSetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType, aclrtStreamAttrValue *value);

/**
 * Returns an attribute of a stream.
 * @param stream the stream
 * @param stmAttrType which
 * @param value receives its value
 */
aclError aclrtGetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType, aclrtStreamAttrValue *value);

/**
 * Sets whether a stream looks for overflow of floats.
 * @param stream the stream
 * @param flag 1 or 0
 */
aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag);

/**
 * Returns whether a stream looks for overflow of floats.
 * @param stream the stream
 * @param flag receives 1 or 0
 */
aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t *flag);

/**
 * Copies the overflow status of a stream, in stream order.
 * @param outputAddr where to, on the device
 * @param outputSize bytes there
 * @param stream the stream
 */
aclError aclrtGetOverflowStatus(void *outputAddr, size_t outputSize, aclrtStream stream);

/** Clears the overflow status of a stream, in stream order. */
aclError aclrtResetOverflowStatus(aclrtStream stream);

/**
 * Returns the number of cores of a device that this process may use.
 * @param deviceId the device
 * @param type kind of core
 * @param value receives the number
 */
aclError aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t *value);

/**
 * Limits the cores of a device that this process may use.
 * @param deviceId the device
 * @param type kind of core
 * @param value the number
 */
aclError aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t value);

/**
 * Undoes `aclrtSetDeviceResLimit`.
 * @param deviceId the device
 */
aclError aclrtResetDeviceResLimit(int32_t deviceId);

/**
 * Returns the number of cores that a stream may use.
 * @param stream the stream
 * @param type kind of core
 * @param value receives the number
 */
aclError aclrtGetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t *value);

/**
 * Limits the cores that a stream may use.
 * @param stream the stream
 * @param type kind of core
 * @param value the number
 */
aclError aclrtSetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t value);

/** Undoes `aclrtSetStreamResLimit`. */
aclError aclrtResetStreamResLimit(aclrtStream stream);

/** Lets the limits of a stream hold for this thread. */
aclError aclrtUseStreamResInCurrentThread(aclrtStream stream);

/** Undoes `aclrtUseStreamResInCurrentThread`. Had no parameter before CANN 8.5. */
aclError aclrtUnuseStreamResInCurrentThread(aclrtStream stream);

/**
 * Returns the number of cores that this thread may use.
 * @param type kind of core
 * @param value receives the number
 */
aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t *value);

/**
 * Chooses a group of cores for this thread.
 * @param groupId the group
 */
aclError aclrtSetGroup(int32_t groupId);

/**
 * Returns the number of groups of cores.
 * @param count receives it
 */
aclError aclrtGetGroupCount(uint32_t *count);

#ifdef __cplusplus
}
#endif

#endif

/**
 * Counters on a device that streams add to and wait for; part of `acl_rt.h`.
 */
#ifndef ACL_RT_COUNTERS_H
#define ACL_RT_COUNTERS_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A counter on a device. */
typedef void *aclrtCntNotify;

/** The change that a record makes to a counter. The name of the type is chosen here. */
typedef enum aclrtCntNotifyRecordMode {
    ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE = 0,
    ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE = 1,
    ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE = 2,
    ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE = 4
} aclrtCntNotifyRecordMode;

/** The condition that a wait checks on a counter. The name of the type is chosen here. */
typedef enum aclrtCntNotifyWaitMode {
    ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE = 0,
    ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE = 1,
    ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE = 2,
    ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE = 3,
    ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE = 4
} aclrtCntNotifyWaitMode;

/** A record. */
typedef struct aclrtCntNotifyRecordInfo {
    aclrtCntNotifyRecordMode mode;
    uint32_t value;
} aclrtCntNotifyRecordInfo;

/** A wait. */
typedef struct aclrtCntNotifyWaitInfo {
    aclrtCntNotifyWaitMode mode;
    uint32_t value;
    uint32_t timeout;
    /** Whether the wait sets the counter to 0 */
    uint8_t isClear;
    uint8_t rsv[3];
} aclrtCntNotifyWaitInfo;

/** Makes a counter. */
aclError aclrtCntNotifyCreate(aclrtCntNotify *cntNotify, uint64_t flag);

/** Destroys a counter. */
aclError aclrtCntNotifyDestroy(aclrtCntNotify cntNotify);

/** Returns the number of a counter. */
aclError aclrtCntNotifyGetId(aclrtCntNotify cntNotify, uint32_t *notifyId);

/** Changes a counter in stream order. */
aclError aclrtCntNotifyRecord(aclrtCntNotify cntNotify, aclrtStream stream, aclrtCntNotifyRecordInfo *info);

/** Lets a stream wait for a counter. */
aclError aclrtCntNotifyWaitWithTimeout(aclrtCntNotify cntNotify, aclrtStream stream, aclrtCntNotifyWaitInfo *info);

/** Sets a counter to 0 in stream order. */
aclError aclrtCntNotifyReset(aclrtCntNotify cntNotify, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif

/**
 * Streams with settings, and events outside of captured graphs; part of `acl_rt.h`.
 */
#ifndef ACL_RT_STREAM_SETTINGS_H
#define ACL_RT_STREAM_SETTINGS_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A setting of a stream. */
typedef enum aclrtStreamConfigAttr {
    ACL_RT_STREAM_WORK_ADDR_PTR = 0,
    ACL_RT_STREAM_WORK_SIZE = 1,
    ACL_RT_STREAM_FLAG = 2,
    ACL_RT_STREAM_PRIORITY = 3
} aclrtStreamConfigAttr;

/** Settings of a stream. */
typedef struct aclrtStreamConfigHandle {
    void *workptr;
    size_t workSize;
    size_t flag;
    uint32_t priority;
} aclrtStreamConfigHandle;

/** Makes settings. NULL on failure. */
aclrtStreamConfigHandle *aclrtCreateStreamConfigHandle(void);

/** Frees settings. */
aclError aclrtDestroyStreamConfigHandle(aclrtStreamConfigHandle *handle);

/** Sets one of them. */
aclError aclrtSetStreamConfigOpt(aclrtStreamConfigHandle *handle, aclrtStreamConfigAttr attr, const void *attrValue,
                                 uint64_t valueSize);

/** Makes a stream with settings. */
aclError aclrtCreateStreamV2(aclrtStream *stream, const aclrtStreamConfigHandle *handle);

/** Stops a stream. */
aclError aclrtStreamStop(aclrtStream stream);

/** Discards the work of a stream made with `ACL_STREAM_PERSISTENT`. */
aclError aclrtPersistentTaskClean(aclrtStream stream);

/** Marks the work given to a stream; the flag 1 keeps the record out of a captured graph. */
aclError aclrtRecordEventWithFlag(aclrtEvent event, aclrtStream stream, uint32_t flag);

/** Lets a stream wait for an event; the flag 1 keeps the wait out of a captured graph. */
aclError aclrtStreamWaitEventWithFlag(aclrtStream stream, aclrtEvent event, uint32_t timeout, uint32_t flag);

#ifdef __cplusplus
}
#endif

#endif

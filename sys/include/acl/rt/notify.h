/**
 * Notifies, which pass one signal from stream to stream, and events shared between processes; part of `acl_rt.h`.
 */
#ifndef ACL_RT_NOTIFY_H
#define ACL_RT_NOTIFY_H

#include "../acl_base_rt.h"
#include "sharing.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A signal that one wait takes. */
typedef void *aclrtNotify;

#define ACL_NOTIFY_DEFAULT         0x00000000U
#define ACL_NOTIFY_DEVICE_USE_ONLY 0x00000001U

#define ACL_IPC_EVENT_HANDLE_SIZE 64

/** An event on its way to another process. */
typedef struct aclrtIpcEventHandle {
    char reserved[ACL_IPC_EVENT_HANDLE_SIZE];
} aclrtIpcEventHandle;

/**
 * Makes a notify on the current device.
 * @param notify receives it
 * @param flag `ACL_NOTIFY_…`
 */
aclError aclrtCreateNotify(aclrtNotify *notify, uint64_t flag);

/** Destroys a notify. */
aclError aclrtDestroyNotify(aclrtNotify notify);

/**
 * Gives the signal in stream order.
 * @param notify the signal
 * @param stream the stream
 */
aclError aclrtRecordNotify(aclrtNotify notify, aclrtStream stream);

/**
 * Lets a stream wait for the signal, and takes it.
 * @param notify the signal
 * @param stream the stream
 * @param timeout how long; 0 for no limit
 */
aclError aclrtWaitAndResetNotify(aclrtNotify notify, aclrtStream stream, uint32_t timeout);

/**
 * Returns the number of a notify.
 * @param notify the notify
 * @param notifyId receives it
 */
aclError aclrtGetNotifyId(aclrtNotify notify, uint32_t *notifyId);

/**
 * Lets another process reach an event made with `ACL_EVENT_IPC`.
 * @param event the event
 * @param handle receives the data for the other process
 */
aclError aclrtIpcGetEventHandle(aclrtEvent event, aclrtIpcEventHandle *handle);

/**
 * Reaches an event of another process.
 * @param handle the data of that process
 * @param event receives the event
 */
aclError aclrtIpcOpenEventHandle(aclrtIpcEventHandle handle, aclrtEvent *event);

#define ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT                0x0UL
#define ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION 0x02UL
#define ACL_RT_NOTIFY_IMPORT_FLAG_DEFAULT                0x0UL
#define ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS     0x02UL

/** Takes the signals of several notifies. */
aclError aclrtNotifyBatchReset(aclrtNotify *notifies, uint64_t num);

/** Makes a key by which another process can reach a notify. */
aclError aclrtNotifyGetExportKey(aclrtNotify notify, char *key, uint64_t len, uint64_t flags);

/** Reaches a notify by its key. */
aclError aclrtNotifyImportByKey(aclrtNotify *notify, const char *key, uint64_t flags);

/** Sets which processes may reach a notify. */
aclError aclrtNotifySetImportPid(aclrtNotify notify, int32_t *pid, uint64_t num);

/** Sets which processes of other servers may reach a notify. */
aclError aclrtNotifySetImportPidInterServer(aclrtNotify notify, aclrtServerPid *serverPids, uint64_t num);

#ifdef __cplusplus
}
#endif

#endif

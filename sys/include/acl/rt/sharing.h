/**
 * Memory shared between processes, by key or by handle; part of `acl_rt.h`.
 */
#ifndef ACL_RT_SHARING_H
#define ACL_RT_SHARING_H

#include "../acl_base_rt.h"
#include "memory_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of a key, with its NUL. */
#define ACL_IPC_HANDLE_SIZE 65

#define ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT                0UL
#define ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION 1UL
#define ACL_RT_IPC_MEM_IMPORT_FLAG_DEFAULT                0UL
#define ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS     1UL
#define ACL_RT_VMM_EXPORT_FLAG_DEFAULT                    0UL
#define ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION     1UL

/** The kind of a shareable handle. */
typedef enum aclrtMemSharedHandleType {
    /** A `uint64_t` */
    ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT = 1,
    /** An `aclrtMemFabricHandle` */
    ACL_MEM_SHARE_HANDLE_TYPE_FABRIC = 2
} aclrtMemSharedHandleType;

/** A shareable handle for other machines. */
typedef struct aclrtMemFabricHandle {
    uint8_t data[128];
} aclrtMemFabricHandle;

/**
 * Makes a key by which another process can reach an allocation.
 * @param devPtr start of the allocation
 * @param size bytes
 * @param key receives the key
 * @param len bytes there, at least 65
 * @param flags `ACL_RT_IPC_MEM_EXPORT_FLAG_…`
 */
aclError aclrtIpcMemGetExportKey(void *devPtr, size_t size, char *key, size_t len, uint64_t flags);

/**
 * Reaches memory by its key.
 * @param devPtr receives the address
 * @param key the key
 * @param flags `ACL_RT_IPC_MEM_IMPORT_FLAG_…`
 */
aclError aclrtIpcMemImportByKey(void **devPtr, const char *key, uint64_t flags);

/**
 * Sets which processes may use a key.
 * @param key the key
 * @param pid the processes
 * @param num how many
 */
aclError aclrtIpcMemSetImportPid(const char *key, int32_t *pid, size_t num);

/** Undoes `aclrtIpcMemGetExportKey` or `aclrtIpcMemImportByKey`. */
aclError aclrtIpcMemClose(const char *key);

/**
 * Makes a number by which another process can reach physical memory.
 * @param handle the physical memory
 * @param handleType how it is shared
 * @param flags `ACL_RT_VMM_EXPORT_FLAG_…`
 * @param shareableHandle receives the number
 */
aclError aclrtMemExportToShareableHandle(aclrtDrvMemHandle handle, aclrtMemHandleType handleType, uint64_t flags,
                                         uint64_t *shareableHandle);

/**
 * Makes a handle by which another process can reach physical memory.
 * @param handle the physical memory
 * @param flags `ACL_RT_VMM_EXPORT_FLAG_…`
 * @param shareType how the handle is passed on
 * @param shareableHandle receives the handle
 */
aclError aclrtMemExportToShareableHandleV2(aclrtDrvMemHandle handle, uint64_t flags,
                                           aclrtMemSharedHandleType shareType, void *shareableHandle);

/**
 * Reaches physical memory by its number.
 * @param shareableHandle the number
 * @param deviceId the device that reaches it
 * @param handle receives the physical memory
 */
aclError aclrtMemImportFromShareableHandle(uint64_t shareableHandle, int32_t deviceId, aclrtDrvMemHandle *handle);

/**
 * Reaches physical memory by its handle.
 * @param shareableHandle the handle
 * @param shareType how it was passed on
 * @param flags 0
 * @param handle receives the physical memory
 */
aclError aclrtMemImportFromShareableHandleV2(void *shareableHandle, aclrtMemSharedHandleType shareType, uint64_t flags,
                                             aclrtDrvMemHandle *handle);

/**
 * Sets which processes may use a number.
 * @param shareableHandle the number
 * @param pid the processes
 * @param pidNum how many
 */
aclError aclrtMemSetPidToShareableHandle(uint64_t shareableHandle, int32_t *pid, size_t pidNum);

/**
 * Sets which processes may use a handle.
 * @param shareableHandle the handle
 * @param shareType how it is passed on
 * @param pid the processes
 * @param pidNum how many
 */
aclError aclrtMemSetPidToShareableHandleV2(void *shareableHandle, aclrtMemSharedHandleType shareType, int32_t *pid,
                                           size_t pidNum);

/** A property of a key. */
typedef enum aclrtIpcMemAttrType {
    ACL_RT_IPC_MEM_ATTR_ACCESS_LINK = 0
} aclrtIpcMemAttrType;

/** The link by which memory of a key is reached. The name of the type is chosen here. */
typedef enum aclrtIpcMemAttrAccessLink {
    ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_SIO = 0,
    ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_HCCS = 1,
    ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_UB_ONE_PORT_PATH = 2,
    ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_UB_MULTI_PORT_PATH = 3
} aclrtIpcMemAttrAccessLink;

/** Processes of a server. */
typedef struct aclrtServerPid {
    uint32_t sdid;
    int32_t *pid;
    size_t num;
} aclrtServerPid;

/** Sets a property of a key. */
aclError aclrtIpcMemSetAttr(const char *key, aclrtIpcMemAttrType type, uint64_t attr);

/** Sets which processes of other servers may use a key. */
aclError aclrtIpcMemImportPidInterServer(const char *key, aclrtServerPid *serverPids, uint64_t num);

#ifdef __cplusplus
}
#endif

#endif

/**
 * Processes that are stopped, saved and continued; part of `acl_rt.h`.
 */
#ifndef ACL_RT_SNAPSHOT_H
#define ACL_RT_SNAPSHOT_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/** When a function is called. */
typedef enum aclrtSnapShotStage {
    ACL_RT_SNAPSHOT_LOCK_PRE = 0,
    ACL_RT_SNAPSHOT_BACKUP_PRE = 1,
    ACL_RT_SNAPSHOT_BACKUP_POST = 2,
    ACL_RT_SNAPSHOT_RESTORE_PRE = 3,
    ACL_RT_SNAPSHOT_RESTORE_POST = 4,
    ACL_RT_SNAPSHOT_UNLOCK_POST = 5
} aclrtSnapShotStage;

/** Whether a process is stopped. The name of the type is chosen here. */
typedef enum aclrtProcessState {
    ACL_RT_PROCESS_STATE_RUNNING = 0,
    ACL_RT_PROCESS_STATE_LOCKED = 1
} aclrtProcessState;

/** How a process is saved. */
typedef struct aclrtSnapShotBackupArgs {
    uint32_t backupFlags;
    char reserved[60];
} aclrtSnapShotBackupArgs;

/** How a process is restored. */
typedef struct aclrtSnapShotRestoreArgs {
    uint32_t restoreFlags;
    char reserved[60];
} aclrtSnapShotRestoreArgs;

/** Called with a device, and what was given with the function. */
typedef uint32_t (*aclrtSnapShotCallBack)(int32_t deviceId, void *args);

/** Stops the work of a process on its devices. */
aclError aclrtSnapShotProcessLock(int32_t pid, void *reserve);

/** Takes back `aclrtSnapShotProcessLock`. */
aclError aclrtSnapShotProcessUnlock(int32_t pid, void *reserve);

/** Saves what a process has on its devices. */
aclError aclrtSnapShotProcessBackup(int32_t pid, aclrtSnapShotBackupArgs *args);

/** Gives a process back what was saved. */
aclError aclrtSnapShotProcessRestore(int32_t pid, aclrtSnapShotRestoreArgs *args);

/** Sets what is called at a stage. */
aclError aclrtSnapShotCallbackRegister(aclrtSnapShotStage stage, aclrtSnapShotCallBack callback, void *args);

/** Takes back `aclrtSnapShotCallbackRegister`. */
aclError aclrtSnapShotCallbackUnregister(aclrtSnapShotStage stage, aclrtSnapShotCallBack callback);

#ifdef __cplusplus
}
#endif

#endif

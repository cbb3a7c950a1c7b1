/**
 * Processes that are stopped, saved and continued; part of `acl_rt.h`.
 */
#ifndef ACL_RT_SNAPSHOT_H
#define ACL_RT_SNAPSHOT_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The stage at which a function is called. */
typedef enum aclrtSnapShotStage {
    ACL_RT_SNAPSHOT_LOCK_PRE = 0,
    ACL_RT_SNAPSHOT_BACKUP_PRE = 1,
    ACL_RT_SNAPSHOT_BACKUP_POST = 2,
    ACL_RT_SNAPSHOT_RESTORE_PRE = 3,
    ACL_RT_SNAPSHOT_RESTORE_POST = 4,
    ACL_RT_SNAPSHOT_UNLOCK_POST = 5
} aclrtSnapShotStage;

/** The state of a process: running or locked. The name of the type is chosen here. */
typedef enum aclrtProcessState {
    ACL_RT_PROCESS_STATE_RUNNING = 0,
    ACL_RT_PROCESS_STATE_LOCKED = 1
} aclrtProcessState;

/** The options for saving a process. */
typedef struct aclrtSnapShotBackupArgs {
    uint32_t backupFlags;
    char reserved[60];
} aclrtSnapShotBackupArgs;

/** The options for restoring a process. */
typedef struct aclrtSnapShotRestoreArgs {
    uint32_t restoreFlags;
    char reserved[60];
} aclrtSnapShotRestoreArgs;

/** Called with a device, and the pointer given with the function. */
typedef uint32_t (*aclrtSnapShotCallBack)(int32_t deviceId, void *args);

/** Stops the work of a process on its devices. */
aclError aclrtSnapShotProcessLock(int32_t pid, void *reserve);

/** Undoes `aclrtSnapShotProcessLock`. */
aclError aclrtSnapShotProcessUnlock(int32_t pid, void *reserve);

/** Saves the state of a process on its devices. */
aclError aclrtSnapShotProcessBackup(int32_t pid, aclrtSnapShotBackupArgs *args);

/** Restores the saved state of a process. */
aclError aclrtSnapShotProcessRestore(int32_t pid, aclrtSnapShotRestoreArgs *args);

/** Sets the function that is called at a stage. */
aclError aclrtSnapShotCallbackRegister(aclrtSnapShotStage stage, aclrtSnapShotCallBack callback, void *args);

/** Undoes `aclrtSnapShotCallbackRegister`. */
aclError aclrtSnapShotCallbackUnregister(aclrtSnapShotStage stage, aclrtSnapShotCallBack callback);

#ifdef __cplusplus
}
#endif

#endif

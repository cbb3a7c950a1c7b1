/**
 * The tasks of captured graphs: names, parameters, replacement and removal; part of `acl_rt.h`.
 */
#ifndef ACL_RT_GRAPH_TASKS_H
#define ACL_RT_GRAPH_TASKS_H

#include "../acl_base_rt.h"
#include "graph.h"
#include "kernel.h"
#include "state_callbacks.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A task of a captured graph. */
typedef void *aclmdlRITask;

/** Flags of a record or a wait that stay outside of a captured graph. */
#define ACL_EVENT_RECORD_DEFAULT  0x00000000U
#define ACL_EVENT_RECORD_EXTERNAL 0x00000001U
#define ACL_EVENT_WAIT_DEFAULT    0x00000000U
#define ACL_EVENT_WAIT_EXTERNAL   0x00000001U

/** The kind of a task. */
typedef enum aclmdlRITaskType {
    ACL_MODEL_RI_TASK_DEFAULT = 0,
    ACL_MODEL_RI_TASK_KERNEL = 1,
    ACL_MODEL_RI_TASK_EVENT_RECORD = 2,
    ACL_MODEL_RI_TASK_EVENT_WAIT = 3,
    ACL_MODEL_RI_TASK_EVENT_RESET = 4,
    ACL_MODEL_RI_TASK_VALUE_WRITE = 5,
    ACL_MODEL_RI_TASK_VALUE_WAIT = 6
} aclmdlRITaskType;

/** A launch of a kernel. */
typedef struct aclmdlRIKernelTaskParams {
    aclrtFuncHandle funcHandle;
    aclrtLaunchKernelCfg *cfg;
    void *args;
    uint32_t isHostArgs;
    size_t argsSize;
    uint32_t numBlocks;
    uint32_t rsv[10];
} aclmdlRIKernelTaskParams;

/** A record of an event. */
typedef struct aclmdlRIEventRecordTaskParams {
    aclrtEvent event;
    uint32_t eventFlag;
    uint32_t recordFlag;
} aclmdlRIEventRecordTaskParams;

/** A wait for an event. */
typedef struct aclmdlRIEventWaitTaskParams {
    aclrtEvent event;
    uint32_t eventFlag;
    uint32_t waitFlag;
} aclmdlRIEventWaitTaskParams;

/** A reset of an event. */
typedef struct aclmdlRIEventResetTaskParams {
    aclrtEvent event;
    uint32_t eventFlag;
    uint32_t resetFlag;
} aclmdlRIEventResetTaskParams;

/** A write of 64 bits. */
typedef struct aclmdlRIValueWriteTaskParams {
    void *devAddr;
    uint64_t value;
} aclmdlRIValueWriteTaskParams;

/** A wait for 64 bits. */
typedef struct aclmdlRIValueWaitTaskParams {
    void *devAddr;
    uint64_t value;
    uint32_t flag;
} aclmdlRIValueWaitTaskParams;

/** The parameters of a task, by its type. The names of the members are chosen here; CANN may call them otherwise. */
typedef union aclmdlRITaskDetails {
    aclmdlRIKernelTaskParams kernelTaskParams;
    aclmdlRIEventRecordTaskParams eventRecordTaskParams;
    aclmdlRIEventWaitTaskParams eventWaitTaskParams;
    aclmdlRIEventResetTaskParams eventResetTaskParams;
    aclmdlRIValueWriteTaskParams valueWriteTaskParams;
    aclmdlRIValueWaitTaskParams valueWaitTaskParams;
    uint8_t rsv2[128];
} aclmdlRITaskDetails;

/** A task of a captured graph. The name of `details` is chosen here. */
typedef struct aclmdlRITaskParams {
    aclmdlRITaskType type;
    uint32_t rsv0[3];
    aclrtTaskGrp taskGrp;
    void *opInfoPtr;
    size_t opInfoSize;
    uint8_t rsv1[32];
    aclmdlRITaskDetails details;
} aclmdlRITaskParams;

/** Begins a graph that is built from streams. */
aclError aclmdlRIBuildBegin(aclmdlRI *modelRI, uint32_t flag);

/** Gives the work of a stream to a graph that is being built. */
aclError aclmdlRIBindStream(aclmdlRI modelRI, aclrtStream stream, uint32_t flag);

/** Undoes `aclmdlRIBindStream`. */
aclError aclmdlRIUnbindStream(aclmdlRI modelRI, aclrtStream stream);

/** Marks the end of the graph in one of its streams. */
aclError aclmdlRIEndTask(aclmdlRI modelRI, aclrtStream stream);

/** Ends the building of a graph. */
aclError aclmdlRIBuildEnd(aclmdlRI modelRI, void *reserve);

/** Stops a graph that runs. */
aclError aclmdlRIAbort(aclmdlRI modelRI);

/** Applies the changes of tasks, from the next run on. */
aclError aclmdlRIUpdate(aclmdlRI modelRI);

/** Names a graph. */
aclError aclmdlRISetName(aclmdlRI modelRI, const char *name);

/** Writes the name of a graph. */
aclError aclmdlRIGetName(aclmdlRI modelRI, uint32_t maxLen, char *name);

/** Lists the streams of a graph; the number of places becomes the number of streams. */
aclError aclmdlRIGetStreams(aclmdlRI modelRI, aclrtStream *streams, uint32_t *numStreams);

/** Lists the tasks of a stream; the number of places becomes the number of tasks. */
aclError aclmdlRIGetTasksByStream(aclrtStream stream, aclmdlRITask *tasks, uint32_t *numTasks);

/** Returns the kind of a task. */
aclError aclmdlRITaskGetType(aclmdlRITask task, aclmdlRITaskType *type);

/** Returns the number of a task. */
aclError aclmdlRITaskGetSeqId(aclmdlRITask task, uint32_t *id);

/** Reads a task. */
aclError aclmdlRITaskGetParams(aclmdlRITask task, aclmdlRITaskParams *params);

/** Replaces a task. */
aclError aclmdlRITaskSetParams(aclmdlRITask task, aclmdlRITaskParams *params);

/** Leaves a task out. */
aclError aclmdlRITaskDisable(aclmdlRITask task);

/** Reads an option of a launch. */
aclError aclmdlRIKernelTaskGetAttribute(aclmdlRITask task, aclrtLaunchKernelAttrId attrId,
                                        aclrtLaunchKernelAttrValue *attrValue);

/** Calls a function when a graph is destroyed. */
aclError aclmdlRIDestroyRegisterCallback(aclmdlRI modelRI, aclrtCallback func, void *userData);

/** Undoes `aclmdlRIDestroyRegisterCallback`. */
aclError aclmdlRIDestroyUnregisterCallback(aclmdlRI modelRI, aclrtCallback func);

#ifdef __cplusplus
}
#endif

#endif

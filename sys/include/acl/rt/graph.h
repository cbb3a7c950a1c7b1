/**
 * Captured graphs: the work of streams, kept to be run again; and dumps of models. Part of `acl_rt.h`.
 */
#ifndef ACL_RT_GRAPH_H
#define ACL_RT_GRAPH_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A captured graph. */
typedef void *aclmdlRI;

/** A group of tasks in a captured graph. */
typedef void *aclrtTaskGrp;

/** A condition in a captured graph. From CANN 9.1.0 on */
typedef void *aclmdlRICondHandle;

/** The threads whose calls a capture forbids. */
typedef enum aclmdlRICaptureMode {
    ACL_MODEL_RI_CAPTURE_MODE_GLOBAL = 0,
    ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL = 1,
    ACL_MODEL_RI_CAPTURE_MODE_RELAXED = 2
} aclmdlRICaptureMode;

/** The state of a capture of a stream. */
typedef enum aclmdlRICaptureStatus {
    ACL_MODEL_RI_CAPTURE_STATUS_NONE = 0,
    ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE = 1,
    ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED = 2
} aclmdlRICaptureStatus;

/** The value that a condition begins with. From CANN 9.1.0 on. */
typedef enum aclmdlRICondHandleFlag {
    ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT = 1
} aclmdlRICondHandleFlag;

/** The kind of decision that a condition makes. From CANN 9.1.0 on. */
typedef enum aclmdlRICondTaskType {
    ACL_MODEL_RI_COND_TYPE_IF = 0,
    ACL_MODEL_RI_COND_TYPE_WHILE = 1,
    ACL_MODEL_RI_COND_TYPE_SWITCH = 2
} aclmdlRICondTaskType;

#define ACL_MDLRI_DEBUG_JSON_PRINT_SUMMARY 0UL
#define ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE 1UL

/** A task that runs graphs on a condition. From CANN 9.1.0 on. */
typedef struct tagAclmdlRICondTaskParams {
    aclmdlRICondHandle handle;
    aclmdlRICondTaskType type;
    uint32_t size;
    aclmdlRI *modelRIArray;
} aclmdlRICondTaskParams;

/**
 * Begins a capture: work submitted to a stream is recorded in a graph from now on, and does not run.
 * @param stream the stream
 * @param mode the threads whose calls are forbidden meanwhile
 */
aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode);

/**
 * Returns whether a stream is being captured.
 * @param stream the stream
 * @param status receives the answer
 * @param modelRI receives the graph
 */
aclError aclmdlRICaptureGetInfo(aclrtStream stream, aclmdlRICaptureStatus *status, aclmdlRI *modelRI);

/**
 * Ends a capture.
 * @param stream the stream
 * @param modelRI receives the graph
 */
aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI *modelRI);

/** Prints a graph. */
aclError aclmdlRIDebugPrint(aclmdlRI modelRI);

/**
 * Writes a graph to a file.
 * @param modelRI the graph
 * @param path the file
 * @param flags `ACL_MDLRI_DEBUG_JSON_PRINT_…`
 */
aclError aclmdlRIDebugJsonPrint(aclmdlRI modelRI, const char *path, uint32_t flags);

/**
 * Exchanges the mode of captures of this thread.
 * @param mode holds the new one, receives the old one
 */
aclError aclmdlRICaptureThreadExchangeMode(aclmdlRICaptureMode *mode);

/**
 * Runs a graph in stream order.
 * @param modelRI the graph
 * @param stream the stream
 */
aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream);

/**
 * Runs a graph and waits for it.
 * @param modelRI the graph
 * @param timeout milliseconds; -1 for no limit
 */
aclError aclmdlRIExecute(aclmdlRI modelRI, int32_t timeout);

/** Destroys a graph. */
aclError aclmdlRIDestroy(aclmdlRI modelRI);

/** Begins a group of tasks in a capture. */
aclError aclmdlRICaptureTaskGrpBegin(aclrtStream stream);

/**
 * Ends a group of tasks in a capture.
 * @param stream the stream
 * @param handle receives the group
 */
aclError aclmdlRICaptureTaskGrpEnd(aclrtStream stream, aclrtTaskGrp *handle);

/**
 * Begins to replace a group of tasks.
 * @param stream the stream
 * @param handle the group
 */
aclError aclmdlRICaptureTaskUpdateBegin(aclrtStream stream, aclrtTaskGrp handle);

/** Ends the replacement of a group of tasks. */
aclError aclmdlRICaptureTaskUpdateEnd(aclrtStream stream);

/**
 * Returns the number of a graph. CANN 9.1 and later.
 * @param modelRI the graph
 * @param modelRIId receives it
 */
aclError aclmdlRIGetId(aclmdlRI modelRI, uint32_t *modelRIId);

/**
 * Makes a condition in a graph. CANN 9.1 and later.
 * @param modelRI the graph
 * @param defaultLaunchValue value at the start of each run
 * @param flag the value that it begins with
 * @param handle receives the condition
 */
aclError aclmdlRICondHandleCreate(aclmdlRI modelRI, uint32_t defaultLaunchValue, aclmdlRICondHandleFlag flag,
                                  aclmdlRICondHandle *handle);

/**
 * Returns the device address of the value of a condition. CANN 9.1 and later.
 * @param handle the condition
 * @param ptr receives the address
 */
aclError aclmdlRICondHandleGetCondPtr(aclmdlRICondHandle handle, uint64_t **ptr);

/**
 * Adds a task that runs graphs on a condition. CANN 9.1 and later.
 * @param params the task
 * @param stream the stream
 * @param flags 0
 */
aclError aclmdlRIAddCondTask(aclmdlRICondTaskParams params, aclrtStream stream, uint32_t flags);

/**
 * Does the same as `aclmdlRICaptureBegin`, into a graph that exists. CANN 9.1 and later.
 * @param stream the stream
 * @param modelRI the graph
 * @param mode the threads whose calls are forbidden meanwhile
 */
aclError aclmdlRICaptureToModelRIBegin(aclrtStream stream, aclmdlRI modelRI, aclmdlRICaptureMode mode);

/** Begins to dump the operands of operators. */
aclError aclmdlInitDump(void);

/**
 * Sets the kind of data that is dumped.
 * @param dumpCfgPath a JSON file
 */
aclError aclmdlSetDump(const char *dumpCfgPath);

/** Ends dumping the operands of operators. */
aclError aclmdlFinalizeDump(void);

#ifdef __cplusplus
}
#endif

#endif

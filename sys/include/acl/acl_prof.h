/**
 * The profiler.
 */
#ifndef ACL_ACL_PROF_H
#define ACL_ACL_PROF_H

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What the profiler records. */
typedef struct aclprofConfig aclprofConfig;

/** Begin and end of a step. */
typedef struct aclprofStepInfo aclprofStepInfo;

/** Events of cores, beside those of `aclprofAicoreMetrics`. */
typedef struct aclprofAicoreEvents aclprofAicoreEvents;

/** What is measured of cores: a number from 0 to 8, or `ACL_AICORE_NONE`. */
typedef enum aclprofAicoreMetrics {
    ACL_AICORE_NONE = 0xFF
} aclprofAicoreMetrics;

/** A setting of the profiler: a number from 0 on. */
typedef uint32_t aclprofConfigType;

/** An end of a step. */
typedef enum aclprofStepTag {
    ACL_STEP_START = 0,
    ACL_STEP_END = 1
} aclprofStepTag;

/**
 * Begins profiling.
 * @param profilerResultPath directory of the results
 * @param length bytes of the text
 */
aclError aclprofInit(const char *profilerResultPath, size_t length);

/**
 * Begins to record.
 * @param profilerConfig what is recorded
 */
aclError aclprofStart(const aclprofConfig *profilerConfig);

/**
 * Ends recording.
 * @param profilerConfig what is recorded
 */
aclError aclprofStop(const aclprofConfig *profilerConfig);

/** Ends profiling. */
aclError aclprofFinalize(void);

/**
 * Says what is recorded. NULL on failure.
 * @param deviceIdList the devices
 * @param deviceNums how many
 * @param aicoreMetrics what is measured of cores
 * @param aicoreEvents NULL
 * @param dataTypeConfig kinds of data
 */
aclprofConfig *aclprofCreateConfig(uint32_t *deviceIdList, uint32_t deviceNums, aclprofAicoreMetrics aicoreMetrics,
                                   const aclprofAicoreEvents *aicoreEvents, uint64_t dataTypeConfig);

/** Frees what `aclprofCreateConfig` made. */
aclError aclprofDestroyConfig(const aclprofConfig *profilerConfig);

/**
 * Sets the profiler.
 * @param configType which setting
 * @param config its text
 * @param configLength bytes of the text
 */
aclError aclprofSetConfig(aclprofConfigType configType, const char *config, size_t configLength);

/** Makes a step. NULL on failure. */
aclprofStepInfo *aclprofCreateStepInfo(void);

/** Frees a step. */
void aclprofDestroyStepInfo(aclprofStepInfo *stepinfo);

/**
 * Notes the time of an end of a step, when a stream gets there.
 * @param stepInfo the step
 * @param tag which end
 * @param stream the stream
 */
aclError aclprofGetStepTimestamp(aclprofStepInfo *stepInfo, aclprofStepTag tag, aclrtStream stream);

/**
 * Puts a mark into the record, when a stream gets there.
 * @param msg the mark
 * @param msgLen bytes of the text
 * @param stream the stream
 */
aclError aclprofMarkEx(const char *msg, size_t msgLen, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif

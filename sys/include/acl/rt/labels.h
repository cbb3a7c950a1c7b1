/**
 * Places in the streams of a model to which other streams jump; part of `acl_rt.h`.
 */
#ifndef ACL_RT_LABELS_H
#define ACL_RT_LABELS_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A place in a stream. */
typedef void *aclrtLabel;

/** A list of places. */
typedef void *aclrtLabelList;

/** The comparison of two values. */
typedef enum aclrtCondition {
    ACL_RT_EQUAL = 0,
    ACL_RT_NOT_EQUAL = 1,
    ACL_RT_GREATER = 2,
    ACL_RT_GREATER_OR_EQUAL = 3,
    ACL_RT_LESS = 4,
    ACL_RT_LESS_OR_EQUAL = 5
} aclrtCondition;

/** The type of the values that are compared. */
typedef enum aclrtCompareDataType {
    ACL_RT_SWITCH_INT32 = 0,
    ACL_RT_SWITCH_INT64 = 1
} aclrtCompareDataType;

/** Makes a label. */
aclError aclrtCreateLabel(aclrtLabel *label);

/** Destroys a label. */
aclError aclrtDestroyLabel(aclrtLabel label);

/** Puts a label at the end of the work of a stream. */
aclError aclrtSetLabel(aclrtLabel label, aclrtStream stream);

/** Makes a list of labels. */
aclError aclrtCreateLabelList(aclrtLabel *labels, uint64_t num, aclrtLabelList *labelList);

/** Destroys a list of labels. */
aclError aclrtDestroyLabelList(aclrtLabelList labelList);

/** Jumps to the label of a list whose number is in memory, in stream order. */
aclError aclrtSwitchLabelByIndex(void *ptr, uint32_t maxValue, aclrtLabelList labelList, aclrtStream stream);

/** Lets another stream start a stream of a model, in stream order. */
aclError aclrtActiveStream(aclrtStream activeStream, aclrtStream stream);

/** Starts one of two streams of a model, chosen by a comparison, in stream order. */
aclError aclrtSwitchStream(void *leftValue, aclrtCondition cond, void *rightValue, aclrtCompareDataType dataType,
                           aclrtStream trueStream, aclrtStream falseStream, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif

/**
 * Start and end of the operator library.
 */
#ifndef ACLNN_ACLNN_BASE_H
#define ACLNN_ACLNN_BASE_H

#include "acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Initialises the operator library. Not needed where `aclInit` was called. Once per process.
 * @param configPath a JSON file; may be NULL
 */
aclnnStatus aclnnInit(const char *configPath);

/** Releases the resources of `aclnnInit`. */
aclnnStatus aclnnFinalize(void);

#ifdef __cplusplus
}
#endif

#endif

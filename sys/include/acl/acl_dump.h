/**
 * Dumps of the arguments of operators; those of whole models are in `acl_rt.h`.
 */
#ifndef ACL_ACL_DUMP_H
#define ACL_ACL_DUMP_H

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Begins to dump the arguments of operators.
 * @param dumpType what
 * @param path directory of the dump
 */
aclError aclopStartDumpArgs(uint32_t dumpType, const char *path);

/**
 * Ends dumping the arguments of operators.
 * @param dumpType what
 */
aclError aclopStopDumpArgs(uint32_t dumpType);

#ifdef __cplusplus
}
#endif

#endif

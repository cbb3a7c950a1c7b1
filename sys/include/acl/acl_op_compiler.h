/**
 * Options of the operator compiler.
 */
#ifndef ACL_ACL_OP_COMPILER_H
#define ACL_ACL_OP_COMPILER_H

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An option of the operator compiler; values are text. */
typedef enum aclCompileOpt {
    ACL_PRECISION_MODE = 0,
    ACL_AICORE_NUM = 1,
    ACL_AUTO_TUNE_MODE = 2,
    ACL_OP_SELECT_IMPL_MODE = 3,
    ACL_OPTYPELIST_FOR_IMPLMODE = 4,
    ACL_OP_DEBUG_LEVEL = 5,
    ACL_DEBUG_DIR = 6,
    ACL_OP_COMPILER_CACHE_MODE = 7,
    ACL_OP_COMPILER_CACHE_DIR = 8,
    ACL_OP_PERFORMANCE_MODE = 9,
    ACL_OP_JIT_COMPILE = 10,
    ACL_OP_DETERMINISTIC = 11,
    ACL_CUSTOMIZE_DTYPES = 12,
    ACL_OP_PRECISION_MODE = 13,
    ACL_ALLOW_HF32 = 14,
    ACL_PRECISION_MODE_V2 = 15,
    ACL_OP_DEBUG_OPTION = 16
} aclCompileOpt;

/**
 * Sets an option for the operators compiled from now on.
 * @param opt which
 * @param value text that ends with NUL
 */
aclError aclSetCompileopt(aclCompileOpt opt, const char *value);

/**
 * Reads an option.
 * @param opt which
 * @param value buffer for the text
 * @param length bytes of the buffer; `aclGetCompileoptSize` tells how many are needed
 */
aclError aclGetCompileopt(aclCompileOpt opt, char *value, size_t length);

/** Bytes that `aclGetCompileopt` needs for an option. */
size_t aclGetCompileoptSize(aclCompileOpt opt);

#ifdef __cplusplus
}
#endif

#endif

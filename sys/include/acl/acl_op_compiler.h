/**
 * The operator compiler: its options, and operators called by name.
 */
#ifndef ACL_ACL_OP_COMPILER_H
#define ACL_ACL_OP_COMPILER_H

#include "acl_op.h"

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
 * @param length bytes of the buffer; `aclGetCompileoptSize` returns the number needed
 */
aclError aclGetCompileopt(aclCompileOpt opt, char *value, size_t length);

/** Returns the size of the buffer that `aclGetCompileopt` needs for an option, in bytes. */
size_t aclGetCompileoptSize(aclCompileOpt opt);

/** The place where compiled operators are looked for. */
typedef enum aclopCompileType {
    ACL_COMPILE_SYS = 0,
    ACL_COMPILE_UNREGISTERED = 1
} aclopCompileType;

/** The shapes for which operators are compiled. */
typedef enum aclOpCompileFlag {
    ACL_OP_COMPILE_DEFAULT = 0,
    ACL_OP_COMPILE_FUZZ = 1
} aclOpCompileFlag;

/** Options of a dump. */
typedef struct aclGraphDumpOption aclGraphDumpOption;

/**
 * Compiles an operator by its name, and runs it in stream order.
 * @param opType name of the operator
 * @param numInputs number of inputs
 * @param inputDesc descriptions of the inputs
 * @param inputs their memory
 * @param numOutputs number of outputs
 * @param outputDesc descriptions of the outputs
 * @param outputs their memory
 * @param attr attributes; may be NULL
 * @param engineType kind of core
 * @param compileFlag where compiled operators are looked for
 * @param opPath a directory; may be NULL
 * @param stream the stream
 */
aclError aclopCompileAndExecute(const char *opType, int numInputs, const aclTensorDesc *const inputDesc[],
                                const aclDataBuffer *const inputs[], int numOutputs,
                                const aclTensorDesc *const outputDesc[], aclDataBuffer *const outputs[],
                                const aclopAttr *attr, aclopEngineType engineType, aclopCompileType compileFlag,
                                const char *opPath, aclrtStream stream);

/**
 * Does the same as `aclopCompileAndExecute`; updates the descriptions of the outputs.
 * @param opType name of the operator
 * @param numInputs number of inputs
 * @param inputDesc descriptions of the inputs
 * @param inputs their memory
 * @param numOutputs number of outputs
 * @param outputDesc descriptions of the outputs
 * @param outputs their memory
 * @param attr attributes; may be NULL
 * @param engineType kind of core
 * @param compileFlag where compiled operators are looked for
 * @param opPath a directory; may be NULL
 * @param stream the stream
 */
aclError aclopCompileAndExecuteV2(const char *opType, int numInputs, aclTensorDesc *inputDesc[],
                                  aclDataBuffer *inputs[], int numOutputs, aclTensorDesc *outputDesc[],
                                  aclDataBuffer *outputs[], aclopAttr *attr, aclopEngineType engineType,
                                  aclopCompileType compileFlag, const char *opPath, aclrtStream stream);

/** Makes options of a dump. NULL on failure. */
aclGraphDumpOption *aclCreateGraphDumpOpt(void);

/** Frees options of a dump. */
aclError aclDestroyGraphDumpOpt(const aclGraphDumpOption *graphDumpOpt);

/**
 * Writes the graph of an operator to a file.
 * @param opType name of the operator
 * @param numInputs number of inputs
 * @param inputDesc descriptions of the inputs
 * @param inputs their memory
 * @param numOutputs number of outputs
 * @param outputDesc descriptions of the outputs
 * @param outputs their memory
 * @param attr attributes; may be NULL
 * @param engineType kind of core
 * @param graphDumpPath the file
 * @param graphDumpOpt may be NULL
 */
aclError aclGenGraphAndDumpForOp(const char *opType, int numInputs, const aclTensorDesc *const inputDesc[],
                                 const aclDataBuffer *const inputs[], int numOutputs,
                                 const aclTensorDesc *const outputDesc[], aclDataBuffer *const outputs[],
                                 const aclopAttr *attr, aclopEngineType engineType, const char *graphDumpPath,
                                 const aclGraphDumpOption *graphDumpOpt);

#ifdef __cplusplus
}
#endif

#endif

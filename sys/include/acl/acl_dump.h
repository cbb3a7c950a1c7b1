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

/** The data that `aclopStartDumpArgs` dumps: the operands of operators on AI cores. */
#define ACL_OP_DUMP_OP_AICORE_ARGS 0x00000001U

#define ACL_DUMP_MAX_FILE_PATH_LENGTH 4096
#define ACL_DUMP_MAX_SHAPE_NUM        25

/** A kind of dump. CANN's values are not known here. */
typedef int32_t acldumpType;

/** The role of a tensor in its operator. The name of the type is chosen here. */
typedef enum acldumpTensorType {
    ACL_DUMP_TENSOR_INPUT = 0,
    ACL_DUMP_TENSOR_OUTPUT = 1,
    ACL_DUMP_TENSOR_WORKSPACE = 2
} acldumpTensorType;

/** The kind of an address of a tensor. The name of the type is chosen here. */
typedef enum acldumpAddrType {
    ACL_DUMP_ADDR_PTR = 0,
    ACL_DUMP_ADDR_PTR_PTR = 1,
    ACL_DUMP_ADDR_RAW = 2
} acldumpAddrType;

/** The side where a tensor lies. The name of the type is chosen here. */
typedef enum acldumpPlacement {
    ACL_DUMP_PLACEMENT_DEVICE = 0,
    ACL_DUMP_PLACEMENT_HOST = 1,
    ACL_DUMP_PLACEMENT_END = 2
} acldumpPlacement;

/** A part of a file of a dump. */
typedef struct acldumpChunk {
    char fileName[ACL_DUMP_MAX_FILE_PATH_LENGTH];
    /** Bytes of `dataBuf` */
    uint32_t bufLen;
    uint32_t isLastChunk;
    int64_t offset;
    int32_t flag;
    __extension__ uint8_t dataBuf[0];
} acldumpChunk;

/** A tensor of an operator that failed. */
typedef struct acldumpTensorInfo {
    acldumpTensorType type;
    size_t tensorSize;
    int32_t format;
    int32_t dataType;
    void *tensorAddr;
    acldumpAddrType addrType;
    acldumpPlacement placement;
    uint32_t argsOffset;
    uint32_t shapeNum;
    uint32_t originShapeNum;
    int64_t shape[ACL_DUMP_MAX_SHAPE_NUM];
    int64_t originShape[ACL_DUMP_MAX_SHAPE_NUM];
} acldumpTensorInfo;

/** Sets the function that is called with each part of a dump, in place of files. */
aclError acldumpRegCallback(int32_t (*const messageCallback)(const acldumpChunk *, int32_t), int32_t flag);

/** Undoes `acldumpRegCallback`. */
void acldumpUnregCallback(void);

/** Returns the directory of a kind of dump. NULL if there is none. */
const char *acldumpGetPath(acldumpType dumpType);

/** Writes the directory for data of failed operators. */
aclError acldumpGetExceptionInfoPath(char *path, uint64_t maxLen);

/** Keeps tensors of a failed operator in a file. */
aclError acldumpSaveExceptionInfo(const char *fileName, const char *userTag, const acldumpTensorInfo *tensors,
                                  uint64_t tensorCount);

#ifdef __cplusplus
}
#endif

#endif

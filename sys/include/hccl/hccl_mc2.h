/**
 * Functions of the library for operators that compute and communicate.
 */
#ifndef HCCL_HCCL_MC2_H
#define HCCL_HCCL_MC2_H

#include "hccl_comm.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Makes the description of the communication of an operator. */
HcclResult HcclKfcAllocOpArgs(void **opArgs);

/** Frees such a description. */
HcclResult HcclKfcFreeOpArgs(void *opArgs);

/** Sets the type of the elements that are read. */
HcclResult HcclKfcOpArgsSetSrcDataType(void *opArgs, uint8_t srcDataType);

/** Sets the type of the elements that are written. */
HcclResult HcclKfcOpArgsSetDstDataType(void *opArgs, uint8_t dstDataType);

/** Sets the operation that combines elements. */
HcclResult HcclKfcOpArgsSetReduceType(void *opArgs, uint32_t reduceType);

/** Sets the number of elements. */
HcclResult HcclKfcOpArgsSetCount(void *opArgs, uint64_t count);

/** Sets the algorithm. */
HcclResult HcclKfcOpArgsSetAlgConfig(void *opArgs, char *algConfig);

/** Sets the engine that runs the communication. */
HcclResult HcclKfcOpArgsSetCommEngine(void *opArgs, uint8_t commEngine);

/** Makes the device context that an operator needs to communicate. */
HcclResult HcclCreateOpResCtx(HcclComm comm, uint8_t opType, void *opArgs, void **opResCtx);

#ifdef __cplusplus
}
#endif

#endif

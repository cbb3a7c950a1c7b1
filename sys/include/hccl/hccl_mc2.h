/**
 * What operators that compute and communicate ask of the library.
 */
#ifndef HCCL_HCCL_MC2_H
#define HCCL_HCCL_MC2_H

#include "hccl_comm.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Makes the description of what an operator communicates. */
HcclResult HcclKfcAllocOpArgs(void **opArgs);

/** Frees such a description. */
HcclResult HcclKfcFreeOpArgs(void *opArgs);

/** Sets the type of the elements that are read. */
HcclResult HcclKfcOpArgsSetSrcDataType(void *opArgs, uint8_t srcDataType);

/** Sets the type of the elements that are written. */
HcclResult HcclKfcOpArgsSetDstDataType(void *opArgs, uint8_t dstDataType);

/** Sets how elements are combined. */
HcclResult HcclKfcOpArgsSetReduceType(void *opArgs, uint32_t reduceType);

/** Sets the number of elements. */
HcclResult HcclKfcOpArgsSetCount(void *opArgs, uint64_t count);

/** Sets the algorithm. */
HcclResult HcclKfcOpArgsSetAlgConfig(void *opArgs, char *algConfig);

/** Sets where the communication runs. */
HcclResult HcclKfcOpArgsSetCommEngine(void *opArgs, uint8_t commEngine);

/** Makes what an operator needs on the device to communicate. */
HcclResult HcclCreateOpResCtx(HcclComm comm, uint8_t opType, void *opArgs, void **opResCtx);

#ifdef __cplusplus
}
#endif

#endif

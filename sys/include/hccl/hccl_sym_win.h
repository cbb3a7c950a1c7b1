/**
 * Memory that all ranks reach by the same offset.
 */
#ifndef HCCL_HCCL_SYM_WIN_H
#define HCCL_HCCL_SYM_WIN_H

#include "hccl_comm.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Returns the address of an offset on another rank. */
HcclResult HcclSymWinGetPeerPointer(HcclSymWinHandle winHandle, uint64_t offset, uint32_t peerRank, void **ptr);

#ifdef __cplusplus
}
#endif

#endif

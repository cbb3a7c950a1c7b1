/**
 * Communicators: creation, queries and destruction.
 *
 * Unless said otherwise a function returns 2 (`HCCL_E_PTR`) for a pointer that is NULL, and 1 (`HCCL_E_PARA`) for an
 * argument out of its range.
 */
#ifndef HCCL_HCCL_COMM_H
#define HCCL_HCCL_COMM_H

#include "hccl_types.h"
#include <acl/acl_base_rt.h>
#include <stdbool.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Memory that all ranks reach by the same offset. */
typedef void *HcclSymWinHandle;

/** State of a communicator. */
typedef enum HcclCommStatus {
    HCCL_COMM_STATUS_READY = 0,
    HCCL_COMM_STATUS_SUSPENDING = 1,
    HCCL_COMM_STATUS_INVALID = 254,
    HCCL_COMM_STATUS_RESERVED = 255
} HcclCommStatus;

/** The change of a communicator. */
typedef enum HcclCommStatePhase {
    HCCL_COMM_STATE_PHASE_INVALID = -1,
    HCCL_COMM_STATE_PHASE_DESTROY_PRE = 0,
    HCCL_COMM_STATE_PHASE_DESTROY_POST = 1,
    HCCL_COMM_STATE_PHASE_RESUME_PRE = 2,
    HCCL_COMM_STATE_PHASE_RESUME_POST = 3
} HcclCommStatePhase;

/** A setting of a communicator that can be asked for. */
typedef enum HcclConfigType {
    HCCL_CONFIG_TYPE_INVALID = -1,
    HCCL_CONFIG_TYPE_OP_EXPANSION_MODE = 0,
    HCCL_CONFIG_TYPE_HCCL_ALGO = 1
} HcclConfigType;

/** Called with a communicator, its change, and the pointer given with the function. */
typedef HcclResult (*HcclCommStateCallback)(HcclComm comm, HcclCommStatePhase phase, void *args);

/**
 * Makes the information by which the ranks of a new group find each other. One process calls it, and sends the result
 * to each rank.
 * @param rootInfo receives it
 */
HcclResult HcclGetRootInfo(HcclRootInfo *rootInfo);

/**
 * Joins a group as one of its ranks, with the current device. Returns when every rank has joined.
 * @param nRanks the number of ranks
 * @param rootInfo the result of `HcclGetRootInfo`, the same bytes on each rank
 * @param rank the number of this rank
 * @param comm receives the communicator
 */
HcclResult HcclCommInitRootInfo(uint32_t nRanks, const HcclRootInfo *rootInfo, uint32_t rank, HcclComm *comm);

/**
 * Joins a group as `HcclCommInitRootInfo` does, with settings.
 * @param nRanks the number of ranks
 * @param rootInfo the result of `HcclGetRootInfo`, the same bytes on each rank
 * @param rank the number of this rank
 * @param config the settings, which `HcclCommConfigInit` has initialised
 * @param comm receives the communicator
 */
HcclResult HcclCommInitRootInfoConfig(uint32_t nRanks, const HcclRootInfo *rootInfo, uint32_t rank,
                                      const HcclCommConfig *config, HcclComm *comm);

/**
 * Joins a group that a file describes.
 * @param clusterInfo the path of the file
 * @param rank the number of this rank
 * @param comm receives the communicator
 */
HcclResult HcclCommInitClusterInfo(const char *clusterInfo, uint32_t rank, HcclComm *comm);

/**
 * Makes a group of devices of this process, a rank for each.
 * @param ndev the number of devices
 * @param devices their numbers; the position is the rank
 * @param comms receives a communicator for each
 */
HcclResult HcclCommInitAll(uint32_t ndev, int32_t *devices, HcclComm *comms);

/** Destroys a communicator. Its collectives have ended before. */
HcclResult HcclCommDestroy(HcclComm comm);

/**
 * Returns the number of ranks of a group.
 * @param comm one of its communicators
 * @param rankSize receives it
 */
HcclResult HcclGetRankSize(HcclComm comm, uint32_t *rankSize);

/**
 * Returns the number of a rank in its group.
 * @param comm the communicator
 * @param rank receives it
 */
HcclResult HcclGetRankId(HcclComm comm, uint32_t *rank);

/**
 * Returns the name of a group.
 * @param comm one of its communicators
 * @param commName receives a text that ends with NUL, in at least 128 bytes
 */
HcclResult HcclGetCommName(HcclComm comm, char *commName);

/**
 * Returns the failure of a collective that was queued.
 * @param comm the communicator
 * @param asyncError receives it; `HCCL_SUCCESS` if there is none
 */
HcclResult HcclGetCommAsyncError(HcclComm comm, HcclResult *asyncError);

/** Returns a result in words; the text is valid until the process ends. */
const char *HcclGetErrorString(HcclResult code);

/** Returns the newest version of `HcclCommConfig` that the library knows. CANN 8.0 and later. */
uint32_t HcclGetCommConfigCapability(void);

/** Finds a communicator by its name. */
HcclResult HcclCommGetHandleWithName(const char *commName, HcclComm *comm);

/** Returns the state of a communicator by its name. */
HcclResult HcclCommGetStatus(const char *commId, HcclCommStatus *status);

/** Sets the function that is called when a communicator changes. */
HcclResult HcclCommRegCommStateCallback(const char *regName, HcclCommStateCallback cb, void *args);

/** Returns a setting of a communicator. */
HcclResult HcclConfigGetInfo(HcclComm comm, HcclConfigType cfgType, uint32_t infoLen, void *info);

/** Returns whether calls are collected between `HcclGroupStart` and `HcclGroupEnd`. */
HcclResult HcclGroupStatusGet(bool *isGroupEnabled);

/** Lets all ranks reach memory by the same offset. */
HcclResult HcclCommSymWinRegister(HcclComm comm, void *addr, uint64_t size, HcclSymWinHandle *winHandle, uint32_t flag);

/** Undoes `HcclCommSymWinRegister`. */
HcclResult HcclCommSymWinDeregister(HcclSymWinHandle winHandle);

/** Finds the registered memory that an address lies in, and its offset there. */
HcclResult HcclCommSymWinGet(HcclComm comm, void *ptr, uint64_t size, HcclSymWinHandle *winHandle, uint64_t *offset);

/** Fills settings with values that leave everything to the library. */
static inline void HcclCommConfigInit(HcclCommConfig *config)
{
    memset(config, 0, sizeof *config);
    config->size = sizeof *config;
    config->magicWord = HCCL_COMM_CONFIG_MAGIC_WORD;
    config->version = HCCL_COMM_CONFIG_VERSION;
    config->hcclBufferSize = HCCL_COMM_CONFIG_NOT_SET;
    config->hcclDeterministic = HCCL_COMM_CONFIG_NOT_SET;
    config->hcclRdmaTrafficClass = HCCL_COMM_CONFIG_NOT_SET;
    config->hcclRdmaServiceLevel = HCCL_COMM_CONFIG_NOT_SET;
    config->hcclExecTimeOut = -1;
    config->hcclQos = HCCL_COMM_CONFIG_NOT_SET;
    config->hcclSymWinMaxMemSizePerRank = HCCL_DEFAULT_SYMMETRIC_MEMORY_STRIDE;
    config->hcclChannelSqDepth = HCCL_COMM_CONFIG_NOT_SET;
}

#ifdef __cplusplus
}
#endif

#endif

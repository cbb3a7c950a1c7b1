/**
 * Teams: ranks of a communicator that have channels and memory of their own.
 */
#ifndef HCCL_HCCL_TEAM_H
#define HCCL_HCCL_TEAM_H

#include "hccl_res.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HCCL_TEAM_CREATE_DESC_MAGIC_WORD          0x0fcf0f14U
#define HCCL_TEAM_CREATE_DESC_VERSION             1U
#define HCCL_TEAM_CREATE_CHANNELS_DESC_MAGIC_WORD 0x0fcf0f15U
#define HCCL_TEAM_CREATE_CHANNELS_DESC_VERSION    1U

/** A team. */
typedef struct HcclTeamCreateDesc {
    HcclStructureHeader header;
    uint32_t *rankIds;
    uint32_t rankNum;
    uint32_t selfRankId;
    uint32_t netLayer;
    /** CANN's values are not known here */
    int32_t protocol;
    /** The requirements of the team; the meaning of the bytes is not known here */
    uint64_t requirement[4];
    uint8_t reserved[16];
} HcclTeamCreateDesc;

/** The channels of a team. */
typedef struct HcclTeamCreateChannelsDesc {
    HcclStructureHeader header;
    CommEngine engine;
    uint32_t notifyNum;
    /** CANN's values are not known here */
    int32_t protocol;
    uint32_t channelCnt;
    uint8_t reserved[16];
} HcclTeamCreateChannelsDesc;

/** Makes a team of all ranks. */
HcclResult HcclWorldTeamCreate(HcclComm comm, const HcclTeamCreateDesc *desc, uint64_t **worldTeam);

/** Makes a team of some ranks of a team. */
HcclResult HcclSubTeamCreate(uint64_t *worldTeam, const HcclTeamCreateDesc *desc, uint64_t **team);

/** Destroys a team. */
HcclResult HcclTeamDestroy(uint64_t *team);

/** Makes the channels of a team. */
HcclResult HcclTeamChannelsCreate(HcclComm comm, uint64_t *team, const HcclTeamCreateChannelsDesc *desc);

/** Lets the ranks of a team reach memory. */
HcclResult HcclTeamWindowRegister(HcclComm comm, uint64_t *worldTeam, const CommMem *localMem, uint64_t **window,
                                  uint32_t flag);

/** Undoes `HcclTeamWindowRegister`. */
HcclResult HcclTeamWindowDeregister(uint64_t *worldTeam, uint64_t *window);

#ifdef __cplusplus
}
#endif

#endif

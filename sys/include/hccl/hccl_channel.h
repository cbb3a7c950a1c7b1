/**
 * Channels between ranks.
 */
#ifndef HCCL_HCCL_CHANNEL_H
#define HCCL_HCCL_CHANNEL_H

#include "hccl_res.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HCCL_CHANNEL_MAGIC_WORD                      0x0f0f0f0fU
#define HCCL_CHANNEL_VERSION                         1U
#define HCCL_CHANNEL_DESC_RAW_MAX_LEN                128U
#define HCCL_CHANNEL_CONFIG_SHARED_QUEUE_TAG_MAX_LEN 255U

/** A setting of a channel. */
typedef enum HcclChannelConfigType {
    HCCL_CHANNEL_CONFIG_TYPE_INVALID = -1,
    HCCL_CHANNEL_CONFIG_TYPE_IS_SHARED_QUEUE = 0,
    HCCL_CHANNEL_CONFIG_TYPE_SHARED_QUEUE_TAG = 1
} HcclChannelConfigType;

/** A channel to another rank. */
typedef struct HcclChannelDesc {
    HcclStructureHeader header;
    uint32_t remoteRank;
    /** CANN's values are not known here */
    int32_t channelProtocol;
    EndpointDesc localEndpoint;
    EndpointDesc remoteEndpoint;
    uint32_t notifyNum;
    void **memHandles;
    uint32_t memHandleNum;
    /** By protocol; the name is chosen here */
    uint8_t raws[HCCL_CHANNEL_DESC_RAW_MAX_LEN];
} HcclChannelDesc;

/** Makes channels, or finds those that are there. */
HcclResult HcclChannelAcquire(HcclComm comm, CommEngine engine, const HcclChannelDesc *channelDescs,
                              uint32_t channelNum, uint64_t *channels);

/** Makes channels with settings, or finds those that are there. */
HcclResult HcclChannelAcquireWithConfig(HcclComm comm, CommEngine engine, const HcclChannelDesc *channelDescs,
                                        uint32_t channelNum, void *config, uint64_t *channels);

/** Finds channels that are there. */
HcclResult HcclChannelQuery(HcclComm comm, CommEngine engine, const HcclChannelDesc *channelDescs, uint32_t channelNum,
                            uint64_t *channels);

/** Destroys channels. */
HcclResult HcclChannelDestroy(HcclComm comm, const uint64_t *channels, uint32_t channelNum);

/** Makes settings of channels. */
HcclResult HcclChannelConfigCreate(void **config);

/** Frees settings of channels. */
HcclResult HcclChannelConfigDestroy(void *config);

/** Sets a number of them. */
HcclResult HcclChannelConfigSetInt(void *config, HcclChannelConfigType type, uint32_t value);

/** Sets a text of them. */
HcclResult HcclChannelConfigSetStr(void *config, HcclChannelConfigType type, const char *value);

/** Returns the buffer of the rank at the other end. */
HcclResult HcclChannelGetHcclBuffer(HcclComm comm, uint64_t channel, void **buffer, uint64_t *size);

/** Lists the memory of the rank at the other end. */
HcclResult HcclChannelGetRemoteMems(HcclComm comm, uint64_t channel, uint32_t *memNum, CommMem **remoteMems,
                                    char ***memTags);

#ifdef __cplusplus
}
#endif

#endif

/**
 * Channels between ends of links.
 */
#ifndef HCCL_HCOMM_CHANNEL_H
#define HCCL_HCOMM_CHANNEL_H

#include "hccl/hccl_res.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A setting of a channel. */
typedef enum HcommChannelConfigType {
    HCOMM_CHANNEL_CONFIG_TYPE_INVALID = -1,
    HCOMM_CHANNEL_CONFIG_TYPE_IS_SHARED_QUEUE = 0
} HcommChannelConfigType;

/** A channel between ends of links. */
typedef struct HcommChannelDesc HcommChannelDesc;

/** Makes channels. */
int32_t HcommChannelCreate(void *endpointHandle, CommEngine engine, HcommChannelDesc *channelDescs,
                           uint32_t channelNum, uint64_t *channels);

/** Makes channels with settings. */
int32_t HcommChannelCreateWithConfig(void *endpointHandle, CommEngine engine, HcommChannelDesc *channelDescs,
                                     uint32_t channelNum, void *config, uint64_t *channels);

/** Destroys channels. */
int32_t HcommChannelDestroy(const uint64_t *channels, uint32_t channelNum);

/** Returns the states of channels. */
int32_t HcommChannelGetStatus(const uint64_t *channelList, uint32_t listNum, int32_t *statusList);

/** Makes settings of channels. */
int32_t HcommChannelConfigCreate(void **config);

/** Frees settings of channels. */
int32_t HcommChannelConfigDestroy(void *config);

/** Sets a number of them. */
int32_t HcommChannelConfigSetInt(void *config, HcommChannelConfigType type, uint32_t value);

#ifdef __cplusplus
}
#endif

#endif

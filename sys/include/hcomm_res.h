/**
 * Ends of links, their memory and threads: the parts of communicators.
 */
#ifndef HCCL_HCOMM_RES_H
#define HCCL_HCOMM_RES_H

#include "hccl/hccl_res.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A feature of an end of links. */
typedef enum HcommEndpointFeatureType {
    HCOMM_ENDPOINT_FEATURE_INVALID = -1,
    HCOMM_ENDPOINT_FEATURE_NDA = 0
} HcommEndpointFeatureType;

/** The role of an end of a connection; the client begins it. The name of the type is chosen here. */
typedef enum HcommSocketRole {
    HCOMM_SOCKET_ROLE_RESERVED = -1,
    HCOMM_SOCKET_ROLE_CLIENT = 0,
    HCOMM_SOCKET_ROLE_SERVER = 1
} HcommSocketRole;

/** Counts the ends of links of a device. */
int32_t HcommEndpointGetDescNum(int32_t deviceLogicId, uint32_t *descNum);

/** Lists the ends of links of a device. */
int32_t HcommEndpointGetDescs(int32_t deviceLogicId, uint32_t *descNum, EndpointDesc *endpointDescs);

/** Begins to use an end of links. */
int32_t HcommEndpointCreate(const EndpointDesc *endpoint, void **endpointHandle);

/** Undoes `HcommEndpointCreate`. */
int32_t HcommEndpointDestroy(void *endpointHandle);

/** Returns whether an end of links has a feature. */
int32_t HcommEndpointCheckFeature(HcommEndpointFeatureType featureType, const EndpointDesc *endpointDesc, bool *value);

/** Returns the port at which an end of links listens. */
int32_t HcommEndpointGetListenPort(void *endpointHandle, uint32_t *port);

/** Allocates memory. */
int32_t HcommMemAlloc(void **ptr, uint64_t size);

/** Frees memory. */
int32_t HcommMemFree(void *ptr);

/** Lets an end of links use memory. */
int32_t HcommMemReg(void *endpointHandle, const char *memTag, const CommMem *mem, void **memHandle);

/** Undoes `HcommMemReg`. */
int32_t HcommMemUnreg(void *endpointHandle, void *memHandle);

/** Describes memory for the other end. */
int32_t HcommMemExport(void *endpointHandle, void *memHandle, void **memDesc, uint32_t *memDescLen);

/** Begins to use memory of the other end. */
int32_t HcommMemImport(void *endpointHandle, const void *memDesc, uint32_t descLen, CommMem *outMem);

/** Undoes `HcommMemImport`. */
int32_t HcommMemUnimport(void *endpointHandle, const void *memDesc, uint32_t descLen);

/** Makes threads. */
int32_t HcommThreadAlloc(CommEngine engine, uint32_t threadNum, const uint32_t *notifyNumPerThread, uint64_t *threads);

/** Frees threads. */
int32_t HcommThreadFree(const uint64_t *threads, uint32_t threadNum);

/** Answers a question about a thread. */
int32_t HcommThreadResGetInfo(uint64_t thread, ThreadResType resType, uint32_t infoLen, void **info);

#ifdef __cplusplus
}
#endif

#endif

/**
 * Links between ranks.
 */
#ifndef HCCL_HCCL_RANK_GRAPH_H
#define HCCL_HCCL_RANK_GRAPH_H

#include "hccl_res.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A kind of topology. CANN's values are not known here. */
typedef int32_t CommTopo;

/** A question about an end of links. CANN's values are not known here. */
typedef int32_t EndpointAttr;

/** A link between ranks. */
typedef struct CommLink CommLink;

/** The mixture of products in a group. */
typedef enum HcclHeterogMode {
    HCCL_HETEROG_MODE_INVALID = -1,
    HCCL_HETEROG_MODE_HOMOGENEOUS = 0,
    HCCL_HETEROG_MODE_MIX_A2_A3 = 1
} HcclHeterogMode;

/** Returns whether the products of a group differ. */
HcclResult HcclGetHeterogMode(HcclComm comm, HcclHeterogMode *mode);

/** Lists the layers of the network. */
HcclResult HcclRankGraphGetLayers(HcclComm comm, uint32_t **netLayers, uint32_t *netLayerNum);

/** Lists the ranks of a layer that this rank belongs to. */
HcclResult HcclRankGraphGetRanksByLayer(HcclComm comm, uint32_t netLayer, uint32_t **ranks, uint32_t *rankNum);

/** Counts the ranks of a layer that this rank belongs to. */
HcclResult HcclRankGraphGetRankSizeByLayer(HcclComm comm, uint32_t netLayer, uint32_t *rankNum);

/** Counts the ranks of each part of a layer. */
HcclResult HcclRankGraphGetInstSizeListByLayer(HcclComm comm, uint32_t netLayer, uint32_t **instSizeList,
                                               uint32_t *listSize);

/** Returns the topology of a layer. */
HcclResult HcclRankGraphGetTopoTypeByLayer(HcclComm comm, uint32_t netLayer, CommTopo *topoType);

/** Lists the topologies of a layer. */
HcclResult HcclRankGraphGetTopoInstsByLayer(HcclComm comm, uint32_t netLayer, uint32_t **topoInsts,
                                            uint32_t *topoInstNum);

/** Returns the kind of a topology. */
HcclResult HcclRankGraphGetTopoType(HcclComm comm, uint32_t netLayer, uint32_t topoInstId, CommTopo *topoType);

/** Lists the ranks of a topology. */
HcclResult HcclRankGraphGetRanksByTopoInst(HcclComm comm, uint32_t netLayer, uint32_t topoInstId, uint32_t **ranks,
                                           uint32_t *rankNum);

/** Lists the links between two ranks. */
HcclResult HcclRankGraphGetLinks(HcclComm comm, uint32_t netLayer, uint32_t srcRank, uint32_t dstRank,
                                 CommLink **links, uint32_t *linkNum);

/** Counts the ends of links of this rank in a topology. */
HcclResult HcclRankGraphGetEndpointNum(HcclComm comm, uint32_t layer, uint32_t topoInstId, uint32_t *num);

/** Lists the ends of links of this rank in a topology. */
HcclResult HcclRankGraphGetEndpointDesc(HcclComm comm, uint32_t layer, uint32_t topoInstId, uint32_t *descNum,
                                        EndpointDesc *endpointDesc);

/** Answers a question about an end of links. */
HcclResult HcclRankGraphGetEndpointInfo(HcclComm comm, uint32_t rankId, const EndpointDesc *endpointDesc,
                                        EndpointAttr endpointAttr, uint32_t infoLen, void *info);

#ifdef __cplusplus
}
#endif

#endif

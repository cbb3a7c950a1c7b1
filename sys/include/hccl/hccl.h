/**
 * Collectives: operations of all ranks of a group together. Each is work of a stream, and returns when it is queued.
 *
 * Every rank of the group calls the same collectives in the same order, with the same type, count, operation and root.
 * Buffers are device memory; counts are elements. A receive buffer may be the send buffer where their sizes are equal.
 * `HCCL_E_PTR` (2) means a pointer that is NULL, `HCCL_E_PARA` (1) an argument out of its range.
 */
#ifndef HCCL_HCCL_H
#define HCCL_HCCL_H

#include "hccl_comm.h"
#include "hccl_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Combines the elements of all ranks; each rank receives the result.
 * @param sendBuf `count` elements
 * @param recvBuf receives `count` elements
 * @param count elements
 * @param dataType their type
 * @param op the operation that combines them
 * @param comm the communicator
 * @param stream the stream
 */
HcclResult HcclAllReduce(void *sendBuf, void *recvBuf, uint64_t count, HcclDataType dataType, HcclReduceOp op,
                         HcclComm comm, aclrtStream stream);

/**
 * Copies the elements of one rank to all.
 * @param buf `count` elements, read on the root and written on the others
 * @param count elements
 * @param dataType their type
 * @param root the rank that sends
 * @param comm the communicator
 * @param stream the stream
 */
HcclResult HcclBroadcast(void *buf, uint64_t count, HcclDataType dataType, uint32_t root, HcclComm comm,
                         aclrtStream stream);

/**
 * Combines the elements of all ranks; each rank receives its part of the result.
 * @param sendBuf `recvCount` elements for each rank
 * @param recvBuf receives `recvCount` elements
 * @param recvCount elements of a part
 * @param dataType their type
 * @param op the operation that combines them
 * @param comm the communicator
 * @param stream the stream
 */
HcclResult HcclReduceScatter(void *sendBuf, void *recvBuf, uint64_t recvCount, HcclDataType dataType, HcclReduceOp op,
                             HcclComm comm, aclrtStream stream);

/**
 * Collects the elements of all ranks, in the order of the ranks; each rank receives all.
 * @param sendBuf `sendCount` elements
 * @param recvBuf receives `sendCount` elements of each rank
 * @param sendCount elements of a part
 * @param dataType their type
 * @param comm the communicator
 * @param stream the stream
 */
HcclResult HcclAllGather(void *sendBuf, void *recvBuf, uint64_t sendCount, HcclDataType dataType, HcclComm comm,
                         aclrtStream stream);

/**
 * Combines the elements of all ranks; one rank receives the result.
 * @param sendBuf `count` elements
 * @param recvBuf receives `count` elements on the root
 * @param count elements
 * @param dataType their type
 * @param op the operation that combines them
 * @param root the rank that receives
 * @param comm the communicator
 * @param stream the stream
 */
HcclResult HcclReduce(void *sendBuf, void *recvBuf, uint64_t count, HcclDataType dataType, HcclReduceOp op, uint32_t root,
                      HcclComm comm, aclrtStream stream);

/**
 * Sends elements to another rank, which receives them with `HcclRecv`.
 * @param sendBuf `count` elements
 * @param count elements
 * @param dataType their type
 * @param destRank the other rank
 * @param comm the communicator
 * @param stream the stream
 */
HcclResult HcclSend(void *sendBuf, uint64_t count, HcclDataType dataType, uint32_t destRank, HcclComm comm,
                    aclrtStream stream);

/**
 * Receives elements that another rank sends with `HcclSend`.
 * @param recvBuf receives `count` elements
 * @param count elements
 * @param dataType their type
 * @param srcRank the other rank
 * @param comm the communicator
 * @param stream the stream
 */
HcclResult HcclRecv(void *recvBuf, uint64_t count, HcclDataType dataType, uint32_t srcRank, HcclComm comm,
                    aclrtStream stream);

/**
 * Sends and receives several messages, none of which waits for another.
 * @param sendRecvInfo the messages
 * @param itemNum the number of messages
 * @param comm the communicator
 * @param stream the stream
 */
HcclResult HcclBatchSendRecv(HcclSendRecvItem *sendRecvInfo, uint32_t itemNum, HcclComm comm, aclrtStream stream);

/**
 * Sends to each rank its part of the elements, and receives a part of each; all parts are equally long.
 * @param sendBuf `sendCount` elements for each rank, by rank
 * @param sendCount elements of a part that is sent
 * @param sendType their type
 * @param recvBuf receives `recvCount` elements of each rank, by rank
 * @param recvCount elements of a part that is received
 * @param recvType their type
 * @param comm the communicator
 * @param stream the stream
 */
HcclResult HcclAlltoAll(const void *sendBuf, uint64_t sendCount, HcclDataType sendType, const void *recvBuf,
                        uint64_t recvCount, HcclDataType recvType, HcclComm comm, aclrtStream stream);

/**
 * Sends to each rank its part of the elements, and receives a part of each; the caller gives the lengths and beginnings
 * of the parts. The arrays are read during the call.
 * @param sendBuf the elements to send
 * @param sendCounts an `uint64_t` for each rank: the elements of its part
 * @param sdispls an `uint64_t` for each rank: the element of `sendBuf` with which its part begins
 * @param sendType the type of the elements to send
 * @param recvBuf receives the elements
 * @param recvCounts an `uint64_t` for each rank: the elements of the part that it sends
 * @param rdispls an `uint64_t` for each rank: the element of `recvBuf` with which its part begins
 * @param recvType the type of the elements to receive
 * @param comm the communicator
 * @param stream the stream
 */
HcclResult HcclAlltoAllV(const void *sendBuf, const void *sendCounts, const void *sdispls, HcclDataType sendType,
                         const void *recvBuf, const void *recvCounts, const void *rdispls, HcclDataType recvType,
                         HcclComm comm, aclrtStream stream);

/**
 * Sends to each rank its part of the elements, and receives a part of each; one matrix holds the lengths of the parts
 * of all ranks; the parts lie one after the other. The matrix is read during the call.
 * @param sendBuf the elements to send
 * @param sendCountMatrix an `uint64_t` for each rank that sends (rows) and each that receives (columns)
 * @param sendType the type of the elements to send
 * @param recvBuf receives the elements
 * @param recvType the type of the elements to receive
 * @param comm the communicator
 * @param stream the stream
 */
HcclResult HcclAlltoAllVC(const void *sendBuf, const void *sendCountMatrix, HcclDataType sendType, const void *recvBuf,
                          HcclDataType recvType, HcclComm comm, aclrtStream stream);

/**
 * Sends to each rank its part of the elements that one rank has.
 * @param sendBuf on the root: `recvCount` elements for each rank, by rank
 * @param recvBuf receives `recvCount` elements
 * @param recvCount elements of a part
 * @param dataType their type
 * @param root the rank that sends
 * @param comm the communicator
 * @param stream the stream
 */
HcclResult HcclScatter(void *sendBuf, void *recvBuf, uint64_t recvCount, HcclDataType dataType, uint32_t root,
                       HcclComm comm, aclrtStream stream);

/**
 * Gives every rank the elements of all ranks, of which each may have another number. The arrays are read during the call.
 * @param sendBuf `sendCount` elements, which may lie at their own place in `recvBuf`
 * @param sendCount the number of them
 * @param recvBuf receives the elements of all ranks
 * @param recvCounts an `uint64_t` for each rank: the elements that it sends
 * @param recvDispls an `uint64_t` for each rank: the element of `recvBuf` with which its part begins
 * @param dataType the type of the elements
 * @param comm the communicator
 * @param stream the stream
 */
HcclResult HcclAllGatherV(void *sendBuf, uint64_t sendCount, void *recvBuf, const void *recvCounts,
                          const void *recvDispls, HcclDataType dataType, HcclComm comm, aclrtStream stream);

/**
 * Combines the elements of all ranks, and gives each rank a part, of which each may have another number of elements. The
 * arrays are the same on all ranks, and read during the call.
 * @param sendBuf the elements to combine
 * @param sendCounts an `uint64_t` for each rank: the elements of its part
 * @param sendDispls an `uint64_t` for each rank: the element of `sendBuf` with which its part begins
 * @param recvBuf receives the own part
 * @param recvCount the number of elements of the own part
 * @param dataType the type of the elements
 * @param op how elements are combined
 * @param comm the communicator
 * @param stream the stream
 */
HcclResult HcclReduceScatterV(void *sendBuf, const void *sendCounts, const void *sendDispls, void *recvBuf,
                              uint64_t recvCount, HcclDataType dataType, HcclReduceOp op, HcclComm comm,
                              aclrtStream stream);

/**
 * Holds the stream until every rank of the group is there.
 * @param comm the communicator
 * @param stream the stream
 */
HcclResult HcclBarrier(HcclComm comm, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif

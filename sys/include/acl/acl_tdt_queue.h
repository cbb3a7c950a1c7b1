/**
 * Queues of buffers between processes, and the routes between queues.
 */
#ifndef ACL_ACL_TDT_QUEUE_H
#define ACL_ACL_TDT_QUEUE_H

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A buffer that goes through queues. */
typedef void *acltdtBuf;

/** The settings of a queue. */
typedef struct tagMemQueueAttr acltdtQueueAttr;

/** A route from one queue to another. */
typedef struct acltdtQueueRoute acltdtQueueRoute;

/** Routes. */
typedef struct acltdtQueueRouteList acltdtQueueRouteList;

/** A question about routes. */
typedef struct acltdtQueueRouteQueryInfo acltdtQueueRouteQueryInfo;

/** The permissions that a process has for a queue: bits. The name of the type is chosen here. */
typedef enum acltdtQueuePermission {
    ACL_TDT_QUEUE_PERMISSION_MANAGE = 1,
    ACL_TDT_QUEUE_PERMISSION_DEQUEUE = 2,
    ACL_TDT_QUEUE_PERMISSION_ENQUEUE = 4
} acltdtQueuePermission;

/** State of a route. The name of the type is chosen here. */
typedef enum acltdtQueueRouteStatus {
    ACL_TDT_QUEUE_ROUTE_UNBIND = 0,
    ACL_TDT_QUEUE_ROUTE_BIND = 1,
    ACL_TDT_QUEUE_ROUTE_BIND_ABNORMAL = 2
} acltdtQueueRouteStatus;

/** Kind of the memory of a buffer. The name of the type is chosen here. */
typedef enum acltdtAllocBufType {
    ACL_TDT_NORMAL_MEM = 0,
    ACL_TDT_DVPP_MEM = 1
} acltdtAllocBufType;

/** A setting of a queue. */
typedef enum acltdtQueueAttrType {
    ACL_TDT_QUEUE_NAME_PTR = 0,
    ACL_TDT_QUEUE_DEPTH_UINT32 = 1
} acltdtQueueAttrType;

/** A property of a route. */
typedef enum acltdtQueueRouteParamType {
    ACL_TDT_QUEUE_ROUTE_SRC_UINT32 = 0,
    ACL_TDT_QUEUE_ROUTE_DST_UINT32 = 1,
    ACL_TDT_QUEUE_ROUTE_STATUS_INT32 = 2
} acltdtQueueRouteParamType;

/** The criterion by which routes are looked for. The name of the type is chosen here. */
typedef enum acltdtQueueRouteQueryMode {
    ACL_TDT_QUEUE_ROUTE_QUERY_SRC = 0,
    ACL_TDT_QUEUE_ROUTE_QUERY_DST = 1,
    ACL_TDT_QUEUE_ROUTE_QUERY_SRC_AND_DST = 2,
    ACL_TDT_QUEUE_ROUTE_QUERY_ABNORMAL = 100
} acltdtQueueRouteQueryMode;

/** A part of a question about routes. */
typedef enum acltdtQueueRouteQueryInfoParamType {
    ACL_TDT_QUEUE_ROUTE_QUERY_MODE_ENUM = 0,
    ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32 = 1,
    ACL_TDT_QUEUE_ROUTE_QUERY_DST_ID_UINT32 = 2
} acltdtQueueRouteQueryInfoParamType;

/** Makes settings of a queue. NULL on failure. */
acltdtQueueAttr *acltdtCreateQueueAttr(void);

/** Frees settings of a queue. */
aclError acltdtDestroyQueueAttr(const acltdtQueueAttr *attr);

/** Sets one of them. */
aclError acltdtSetQueueAttr(acltdtQueueAttr *attr, acltdtQueueAttrType type, uint64_t len, const void *param);

/** Reads one of them. */
aclError acltdtGetQueueAttr(const acltdtQueueAttr *attr, acltdtQueueAttrType type, uint64_t len,
                            uint64_t *paramRetSize, void *param);

/** Makes a queue. */
aclError acltdtCreateQueue(const acltdtQueueAttr *attr, uint32_t *qid);

/** Destroys a queue. */
aclError acltdtDestroyQueue(uint32_t qid);

/** Lets a process use a queue. */
aclError acltdtGrantQueue(uint32_t qid, int32_t pid, uint32_t permission, int32_t timeout);

/** Begins to use a queue that another process made. */
aclError acltdtAttachQueue(uint32_t qid, int32_t timeout, uint32_t *permission);

/** Puts a buffer into a queue. */
aclError acltdtEnqueue(uint32_t qid, acltdtBuf buf, int32_t timeout);

/** Takes a buffer out of a queue. */
aclError acltdtDequeue(uint32_t qid, acltdtBuf *buf, int32_t timeout);

/** Copies data into a queue. */
aclError acltdtEnqueueData(uint32_t qid, const void *data, uint64_t dataSize, const void *userData,
                           uint64_t userDataSize, int32_t timeout, uint32_t rsv);

/** Copies data out of a queue. */
aclError acltdtDequeueData(uint32_t qid, void *data, uint64_t dataSize, uint64_t *retDataSize, void *userData,
                           uint64_t userDataSize, int32_t timeout);

/** Makes a buffer. */
aclError acltdtAllocBuf(uint64_t size, uint32_t type, acltdtBuf *buf);

/** Frees a buffer. */
aclError acltdtFreeBuf(acltdtBuf buf);

/** Returns the address of the data of a buffer, and its size in bytes. */
aclError acltdtGetBufData(acltdtBuf const buf, void **dataPtr, uint64_t *size);

/** Sets the number of bytes of a buffer that are data. */
aclError acltdtSetBufDataLen(acltdtBuf buf, uint64_t len);

/** Returns the number of bytes of a buffer that are data. */
aclError acltdtGetBufDataLen(acltdtBuf buf, uint64_t *len);

/** Writes data that a program keeps with a buffer. */
aclError acltdtSetBufUserData(acltdtBuf buf, const void *dataPtr, uint64_t size, uint64_t offset);

/** Reads data that a program keeps with a buffer. */
aclError acltdtGetBufUserData(acltdtBuf const buf, void *dataPtr, uint64_t size, uint64_t offset);

/** Makes another buffer of the same data. */
aclError acltdtCopyBufRef(acltdtBuf const buf, acltdtBuf *newBuf);

/** Appends a buffer to a chain. */
aclError acltdtAppendBufChain(acltdtBuf headBuf, acltdtBuf buf);

/** Counts the buffers of a chain. */
aclError acltdtGetBufChainNum(acltdtBuf headBuf, uint32_t *num);

/** Returns a buffer of a chain. */
aclError acltdtGetBufFromChain(acltdtBuf headBuf, uint32_t index, acltdtBuf *buf);

/** Makes a route. NULL on failure. */
acltdtQueueRoute *acltdtCreateQueueRoute(uint32_t srcId, uint32_t dstId);

/** Frees a route. */
aclError acltdtDestroyQueueRoute(const acltdtQueueRoute *route);

/** Reads a property of a route. */
aclError acltdtGetQueueRouteParam(const acltdtQueueRoute *route, acltdtQueueRouteParamType type, uint64_t len,
                                  uint64_t *paramRetSize, void *param);

/** Makes an empty list of routes. NULL on failure. */
acltdtQueueRouteList *acltdtCreateQueueRouteList(void);

/** Frees a list of routes. */
aclError acltdtDestroyQueueRouteList(const acltdtQueueRouteList *routeList);

/** Adds a route to a list. */
aclError acltdtAddQueueRoute(acltdtQueueRouteList *routeList, const acltdtQueueRoute *route);

/** Reads a route of a list. */
aclError acltdtGetQueueRoute(const acltdtQueueRouteList *routeList, uint64_t index, acltdtQueueRoute *route);

/** Counts the routes of a list. */
uint64_t acltdtGetQueueRouteNum(const acltdtQueueRouteList *routeList);

/** Lets the routes of a list carry buffers. */
aclError acltdtBindQueueRoutes(acltdtQueueRouteList *qRouteList);

/** Undoes `acltdtBindQueueRoutes`. */
aclError acltdtUnbindQueueRoutes(acltdtQueueRouteList *qRouteList);

/** Makes a question about routes. NULL on failure. */
acltdtQueueRouteQueryInfo *acltdtCreateQueueRouteQueryInfo(void);

/** Frees a question about routes. */
aclError acltdtDestroyQueueRouteQueryInfo(const acltdtQueueRouteQueryInfo *info);

/** Sets a part of a question. */
aclError acltdtSetQueueRouteQueryInfo(acltdtQueueRouteQueryInfo *param, acltdtQueueRouteQueryInfoParamType type,
                                      uint64_t len, const void *value);

/** Lists the routes that a question asks for. */
aclError acltdtQueryQueueRoutes(const acltdtQueueRouteQueryInfo *queryInfo, acltdtQueueRouteList *qRouteList);

#ifdef __cplusplus
}
#endif

#endif

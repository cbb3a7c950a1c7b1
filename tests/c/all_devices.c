/* One process, and one thread of it, drives all devices: each is a rank of one group. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "acl/acl.h"
#include "hccl/hccl.h"

#define ACL(call)                                                                                     \
    do {                                                                                              \
        int code = (call);                                                                            \
        if (code != 0) {                                                                              \
            const char *message = aclGetRecentErrMsg();                                               \
            fprintf(stderr, "%s: %d %s\n", #call, code, message ? message : "");                      \
            exit(1);                                                                                  \
        }                                                                                             \
    } while (0)

#define HCCL(call)                                                                                    \
    do {                                                                                              \
        HcclResult code = (call);                                                                     \
        if (code != HCCL_SUCCESS) {                                                                   \
            const char *message = aclGetRecentErrMsg();                                               \
            fprintf(stderr, "%s: %s: %s\n", #call, HcclGetErrorString(code), message ? message : ""); \
            exit(1);                                                                                  \
        }                                                                                             \
    } while (0)

enum { MOST = 8, COUNT = 1001 };

typedef struct {
    aclrtStream stream;
    HcclComm comm;
    void *send, *receive;
} Rank;

int main(void) {
    static float host[COUNT];
    int32_t devices[MOST];
    HcclComm comms[MOST];
    Rank ranks[MOST];
    uint32_t count = 0;
    const size_t bytes = sizeof host;

    ACL(aclInit(NULL));
    ACL(aclrtGetDeviceCount(&count));
    if (count < 2 || count > MOST) {
        fprintf(stderr, "%u devices\n", count);
        return 1;
    }
    for (uint32_t rank = 0; rank < count; rank++) devices[rank] = (int32_t)rank;
    HCCL(HcclCommInitAll(count, devices, comms));

    for (uint32_t rank = 0; rank < count; rank++) {
        Rank *own = &ranks[rank];
        uint32_t number = 0, size = 0;
        own->comm = comms[rank];
        HCCL(HcclGetRankId(own->comm, &number));
        HCCL(HcclGetRankSize(own->comm, &size));
        if (number != rank || size != count) return 1;
        ACL(aclrtSetDevice(devices[rank]));
        ACL(aclrtCreateStream(&own->stream));
        ACL(aclrtMalloc(&own->send, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
        ACL(aclrtMalloc(&own->receive, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
        for (int i = 0; i < COUNT; i++) host[i] = (float)(i + (int)rank);
        ACL(aclrtMemcpy(own->send, bytes, host, bytes, ACL_MEMCPY_HOST_TO_DEVICE));
    }

    /* Queued for each rank in turn; nothing waits here. */
    for (uint32_t rank = 0; rank < count; rank++) {
        Rank *own = &ranks[rank];
        ACL(aclrtSetDevice(devices[rank]));
        HCCL(HcclAllReduce(own->send, own->receive, COUNT, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, own->comm,
                           own->stream));
        HCCL(HcclBroadcast(own->send, COUNT, HCCL_DATA_TYPE_FP32, count - 1, own->comm, own->stream));
    }
    for (uint32_t rank = 0; rank < count; rank++) {
        Rank *own = &ranks[rank];
        ACL(aclrtSetDevice(devices[rank]));
        ACL(aclrtSynchronizeStream(own->stream));
        ACL(aclrtMemcpy(host, bytes, own->receive, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
        for (uint32_t i = 0; i < COUNT; i++) {
            if (host[i] != (float)(count * i + count * (count - 1) / 2)) {
                fprintf(stderr, "rank %u: element %u is %g\n", rank, i, (double)host[i]);
                return 1;
            }
        }
        ACL(aclrtMemcpy(host, bytes, own->send, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
        for (uint32_t i = 0; i < COUNT; i++) {
            if (host[i] != (float)(i + count - 1)) return 1;
        }
        ACL(aclrtFree(own->send));
        ACL(aclrtFree(own->receive));
        ACL(aclrtDestroyStream(own->stream));
        HCCL(HcclCommDestroy(own->comm));
        ACL(aclrtResetDevice(devices[rank]));
    }
    ACL(aclFinalize());
    puts("all as expected");
    return 0;
}

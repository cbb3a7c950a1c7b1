/* A process for each rank. Rank 0 writes the root information into a file, from which the others read it.
   Usage: program RANK RANKS FILE */
#define _POSIX_C_SOURCE 199309L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "acl/acl.h"
#include "hccl/hccl.h"

#define CHECK(call)                                                                     \
    do {                                                                                \
        int code = (int)(call);                                                         \
        if (code != 0) {                                                                \
            const char *message = aclGetRecentErrMsg();                                 \
            fprintf(stderr, "%s: %d %s\n", #call, code, message ? message : "");        \
            exit(1);                                                                    \
        }                                                                               \
    } while (0)

enum { PART = 5 };

static void share(const HcclRootInfo *info, const char *path) {
    char begun[4096];
    snprintf(begun, sizeof begun, "%s.part", path);
    FILE *file = fopen(begun, "wb");
    if (file == NULL || fwrite(info, sizeof *info, 1, file) != 1 || fclose(file) != 0 || rename(begun, path) != 0) {
        perror(path);
        exit(1);
    }
}

static void fetch(HcclRootInfo *info, const char *path) {
    const struct timespec moment = {0, 1000000};
    FILE *file;
    while ((file = fopen(path, "rb")) == NULL) nanosleep(&moment, NULL);
    if (fread(info, sizeof *info, 1, file) != 1) exit(1);
    fclose(file);
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    const uint32_t rank = (uint32_t)atoi(argv[1]), ranks = (uint32_t)atoi(argv[2]);
    const size_t bytes = PART * sizeof(int64_t);
    HcclRootInfo info;
    HcclCommConfig config;
    HcclComm comm;
    aclrtStream stream;
    char name[HCCL_COMM_NAME_MAX_LENGTH];

    CHECK(aclInit(NULL));
    CHECK(aclrtSetDevice(0));
    CHECK(aclrtCreateStream(&stream));
    if (rank == 0) {
        CHECK(HcclGetRootInfo(&info));
        share(&info, argv[3]);
    } else {
        fetch(&info, argv[3]);
    }
    HcclCommConfigInit(&config);
    strcpy(config.hcclCommName, "by a file");
    CHECK(HcclCommInitRootInfoConfig(ranks, &info, rank, &config, &comm));
    CHECK(HcclGetCommName(comm, name));

    void *part, *all;
    int64_t *host;
    CHECK(aclrtMalloc(&part, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMalloc(&all, ranks * bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMallocHost((void **)&host, ranks * bytes));
    for (int i = 0; i < PART; i++) host[i] = 100 * (int64_t)rank + i;
    CHECK(aclrtMemcpyAsync(part, bytes, host, bytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    CHECK(HcclAllGather(part, all, PART, HCCL_DATA_TYPE_INT64, comm, stream));
    CHECK(HcclReduceScatter(all, part, PART, HCCL_DATA_TYPE_INT64, HCCL_REDUCE_SUM, comm, stream));
    CHECK(HcclReduce(part, part, PART, HCCL_DATA_TYPE_INT64, HCCL_REDUCE_MAX, 0, comm, stream));
    CHECK(HcclBarrier(comm, stream));
    CHECK(aclrtMemcpyAsync(host, bytes, part, bytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    CHECK(aclrtSynchronizeStream(stream));
    HcclResult failure = HCCL_E_INTERNAL;
    CHECK(HcclGetCommAsyncError(comm, &failure));
    CHECK(failure);

    printf("%s, rank %u:", name, rank);
    for (int i = 0; i < PART; i++) printf(" %lld", (long long)host[i]);
    puts("");
    CHECK(HcclCommDestroy(comm));
    CHECK(aclrtFreeHost(host));
    CHECK(aclrtFree(part));
    CHECK(aclrtFree(all));
    CHECK(aclrtDestroyStream(stream));
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
    return 0;
}

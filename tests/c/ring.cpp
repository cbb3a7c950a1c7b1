// A thread for each rank, around a ring: a token that every rank counts up, then elements of both neighbours at once.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "hccl/hccl.h"

static void check(int code, const char *what) {
    if (code == 0) return;
    const char *message = aclGetRecentErrMsg();
    std::fprintf(stderr, "%s: %d %s\n", what, code, message ? message : "");
    std::exit(1);
}
#define CHECK(call) check(static_cast<int>(call), #call)

static void rank_of_ring(uint32_t rank, uint32_t ranks, const HcclRootInfo *info) {
    const uint32_t next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
    HcclComm comm = nullptr;
    aclrtStream stream = nullptr;
    void *memory = nullptr;
    CHECK(aclrtSetDevice(static_cast<int32_t>(rank)));
    CHECK(aclrtCreateStream(&stream));
    CHECK(HcclCommInitRootInfo(ranks, info, rank, &comm));
    CHECK(aclrtMalloc(&memory, 3 * sizeof(uint32_t), ACL_MEM_MALLOC_HUGE_FIRST));
    auto *elements = static_cast<uint32_t *>(memory);

    // The token begins at rank 0 as 1000.
    uint32_t token = 1000;
    auto receive = [&] {
        CHECK(HcclRecv(memory, 1, HCCL_DATA_TYPE_UINT32, before, comm, stream));
        CHECK(aclrtSynchronizeStream(stream));
        CHECK(aclrtMemcpy(&token, sizeof token, memory, sizeof token, ACL_MEMCPY_DEVICE_TO_HOST));
    };
    auto send = [&] {
        CHECK(aclrtMemcpy(memory, sizeof token, &token, sizeof token, ACL_MEMCPY_HOST_TO_DEVICE));
        CHECK(HcclSend(memory, 1, HCCL_DATA_TYPE_UINT32, next, comm, stream));
        CHECK(aclrtSynchronizeStream(stream));
    };
    if (rank > 0) {
        receive();
        token++;
    }
    send();
    if (rank == 0) {
        receive();
        check(token == 999 + ranks ? 0 : static_cast<int>(token), "the token");
    }

    // Each sends its number to both neighbours, and receives theirs.
    CHECK(aclrtMemcpy(elements, sizeof rank, &rank, sizeof rank, ACL_MEMCPY_HOST_TO_DEVICE));
    HcclSendRecvItem items[] = {
        {HCCL_SEND, elements, 1, HCCL_DATA_TYPE_UINT32, next},
        {HCCL_SEND, elements, 1, HCCL_DATA_TYPE_UINT32, before},
        {HCCL_RECV, elements + 1, 1, HCCL_DATA_TYPE_UINT32, before},
        {HCCL_RECV, elements + 2, 1, HCCL_DATA_TYPE_UINT32, next},
    };
    CHECK(HcclBatchSendRecv(items, 4, comm, stream));
    CHECK(aclrtSynchronizeStream(stream));
    uint32_t found[2] = {0, 0};
    CHECK(aclrtMemcpy(found, sizeof found, elements + 1, sizeof found, ACL_MEMCPY_DEVICE_TO_HOST));
    check(found[0] == before && found[1] == next ? 0 : 1, "the neighbours");

    CHECK(HcclCommDestroy(comm));
    CHECK(aclrtFree(memory));
    CHECK(aclrtDestroyStream(stream));
    CHECK(aclrtResetDevice(static_cast<int32_t>(rank)));
}

int main() {
    uint32_t ranks = 0;
    HcclRootInfo info;
    CHECK(aclInit(nullptr));
    CHECK(aclrtGetDeviceCount(&ranks));
    CHECK(aclrtSetDevice(0));
    CHECK(HcclGetRootInfo(&info));
    std::vector<std::thread> threads;
    for (uint32_t rank = 0; rank < ranks; rank++) threads.emplace_back(rank_of_ring, rank, ranks, &info);
    for (auto &thread : threads) thread.join();
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
    std::puts("all as expected");
}

/* Two streams ordered by events, time stamps, and functions of the host, as a C99 program that knows nothing of the
   emulator. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl.h"

#define CHECK(call)                                                                                   \
    do {                                                                                              \
        int code = (call);                                                                            \
        if (code != 0) {                                                                              \
            const char *message = aclGetRecentErrMsg();                                               \
            fprintf(stderr, "%s: %d %s\n", #call, code, message ? message : "");                      \
            exit(1);                                                                                  \
        }                                                                                             \
    } while (0)

#define EXPECT(holds)                                                                                 \
    do {                                                                                              \
        if (!(holds)) {                                                                               \
            fprintf(stderr, "not so: %s\n", #holds);                                                  \
            exit(1);                                                                                  \
        }                                                                                             \
    } while (0)

enum { BYTES = 4096, ROUNDS = 100 };

static int calls;

static void count(void *step) { calls += *(const int *)step; }

int main(void) {
    CHECK(aclInit(NULL));
    CHECK(aclrtSetDevice(0));
    aclrtStream produce, consume;
    aclrtEvent full, empty, begin, end;
    CHECK(aclrtCreateStream(&produce));
    CHECK(aclrtCreateStream(&consume));
    CHECK(aclrtCreateEvent(&full));
    CHECK(aclrtCreateEvent(&empty));
    CHECK(aclrtCreateEventWithFlag(&begin, ACL_EVENT_TIME_LINE | ACL_EVENT_SYNC));
    CHECK(aclrtCreateEventWithFlag(&end, ACL_EVENT_TIME_LINE | ACL_EVENT_SYNC));

    void *buffer, *result;
    unsigned char *host;
    CHECK(aclrtMalloc(&buffer, BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMalloc(&result, ROUNDS * BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMallocHost((void **)&host, ROUNDS * BYTES));
    int step = 2;

    /* One buffer goes back and forth between the streams. */
    CHECK(aclrtRecordEvent(begin, produce));
    for (int round = 0; round < ROUNDS; round++) {
        CHECK(aclrtStreamWaitEvent(produce, empty));
        CHECK(aclrtMemsetAsync(buffer, BYTES, round, BYTES, produce));
        CHECK(aclrtLaunchHostFunc(produce, count, &step));
        CHECK(aclrtRecordEvent(full, produce));
        CHECK(aclrtStreamWaitEvent(consume, full));
        CHECK(aclrtMemcpyAsync((char *)result + round * BYTES, BYTES, buffer, BYTES, ACL_MEMCPY_DEVICE_TO_DEVICE, consume));
        CHECK(aclrtRecordEvent(empty, consume));
    }
    CHECK(aclrtMemcpyAsync(host, ROUNDS * BYTES, result, ROUNDS * BYTES, ACL_MEMCPY_DEVICE_TO_HOST, consume));
    CHECK(aclrtRecordEvent(end, consume));
    CHECK(aclrtSynchronizeEvent(end));

    for (int round = 0; round < ROUNDS; round++) {
        EXPECT(host[round * BYTES] == round && host[round * BYTES + BYTES - 1] == round);
    }
    EXPECT(calls == step * ROUNDS);
    float elapsed = -1.0f;
    CHECK(aclrtEventElapsedTime(&elapsed, begin, end));
    EXPECT(elapsed >= 0.0f);
    aclrtEventRecordedStatus status;
    CHECK(aclrtQueryEventStatus(end, &status));
    EXPECT(status == ACL_EVENT_RECORDED_STATUS_COMPLETE);

    CHECK(aclrtSynchronizeStream(produce));
    CHECK(aclrtDestroyEvent(full));
    CHECK(aclrtDestroyEvent(empty));
    CHECK(aclrtDestroyEvent(begin));
    CHECK(aclrtDestroyEvent(end));
    CHECK(aclrtFree(buffer));
    CHECK(aclrtFree(result));
    CHECK(aclrtFreeHost(host));
    CHECK(aclrtDestroyStream(produce));
    CHECK(aclrtDestroyStream(consume));
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
    printf("all as expected\n");
    return 0;
}

// Callbacks on a subscribed thread, and copies between two devices, as a C++17 program that knows nothing of the emulator.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_add.h"

namespace {

void check(int code, const char *what) {
    if (code != 0) {
        const char *message = aclGetRecentErrMsg();
        std::fprintf(stderr, "%s: %d %s\n", what, code, message != nullptr ? message : "");
        std::exit(1);
    }
}

void expect(bool holds, const char *what) {
    if (!holds) {
        std::fprintf(stderr, "not so: %s\n", what);
        std::exit(1);
    }
}

#define CHECK(call) check(call, #call)
#define EXPECT(holds) expect(holds, #holds)

std::atomic<int> callbacks{0};
std::atomic<bool> stop{false};

void note(void *number) { callbacks += *static_cast<int *>(number); }

// Runs what is due on its thread until it is told to stop.
void process(aclrtContext context) {
    CHECK(aclrtSetCurrentContext(context));
    while (!stop) {
        (void)aclrtProcessReport(10);
    }
}

// Adds the numbers of one device to those of another, on the second.
void add_on(aclrtStream stream, void *self, void *other, void *out) {
    const std::int64_t dims[] = {4};
    auto tensor = [&](void *memory) {
        return aclCreateTensor(dims, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 1, memory);
    };
    aclTensor *operands[] = {tensor(self), tensor(other), tensor(out)};
    float one = 1.0F;
    aclScalar *alpha = aclCreateScalar(&one, ACL_FLOAT);
    std::uint64_t size = 0;
    aclOpExecutor *executor = nullptr;
    CHECK(aclnnAddGetWorkspaceSize(operands[0], operands[1], alpha, operands[2], &size, &executor));
    EXPECT(size == 0);
    CHECK(aclnnAdd(nullptr, 0, executor, stream));
    for (aclTensor *operand : operands) {
        CHECK(aclDestroyTensor(operand));
    }
    CHECK(aclDestroyScalar(alpha));
}

}  // namespace

int main() {
    CHECK(aclInit(nullptr));
    std::uint32_t devices = 0;
    CHECK(aclrtGetDeviceCount(&devices));
    EXPECT(devices == 2);

    constexpr std::size_t bytes = 4 * sizeof(float);
    const std::vector<float> values[] = {{1, 2, 3, 4}, {10, 20, 30, 40}};
    aclrtContext contexts[2];
    aclrtStream streams[2];
    void *memory[2];
    for (int device = 0; device < 2; device++) {
        CHECK(aclrtSetDevice(device));
        CHECK(aclrtGetCurrentContext(&contexts[device]));
        CHECK(aclrtCreateStream(&streams[device]));
        CHECK(aclrtMalloc(&memory[device], bytes, ACL_MEM_MALLOC_HUGE_FIRST));
        CHECK(aclrtMemcpy(memory[device], bytes, values[device].data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));
    }

    // Device 1 is current. Any stream can be waited for; work is queued in its own ones alone.
    CHECK(aclrtSynchronizeStream(streams[0]));
    EXPECT(aclrtMemsetAsync(memory[0], bytes, 0, bytes, streams[0]) == ACL_ERROR_RT_STREAM_CONTEXT);
    std::int32_t reachable = 0;
    CHECK(aclrtDeviceCanAccessPeer(&reachable, 1, 0));
    EXPECT(reachable == 1);
    CHECK(aclrtDeviceEnablePeerAccess(0, 0));
    void *received = nullptr;
    CHECK(aclrtMalloc(&received, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMemcpyAsync(received, bytes, memory[0], bytes, ACL_MEMCPY_DEVICE_TO_DEVICE, streams[1]));
    add_on(streams[1], memory[1], received, received);

    // A blocking callback, which runs on another thread before the stream goes on.
    std::thread processor(process, contexts[1]);
    const auto number = static_cast<std::uint64_t>(processor.native_handle());
    CHECK(aclrtSubscribeReport(number, streams[1]));
    int three = 3;
    CHECK(aclrtLaunchCallback(note, &three, ACL_CALLBACK_BLOCK, streams[1]));
    CHECK(aclrtLaunchCallback(note, &three, ACL_CALLBACK_NO_BLOCK, streams[1]));
    CHECK(aclrtSynchronizeStream(streams[1]));
    EXPECT(callbacks >= 3);
    while (callbacks < 6) {
        std::this_thread::yield();
    }
    CHECK(aclrtUnSubscribeReport(number, streams[1]));
    stop = true;
    processor.join();

    float sum[4];
    CHECK(aclrtMemcpy(sum, bytes, received, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
    for (int index = 0; index < 4; index++) {
        EXPECT(sum[index] == values[0][index] + values[1][index]);
    }

    CHECK(aclrtFree(received));
    for (int device = 1; device >= 0; device--) {
        CHECK(aclrtSetCurrentContext(contexts[device]));
        CHECK(aclrtFree(memory[device]));
        CHECK(aclrtDestroyStream(streams[device]));
        CHECK(aclrtResetDevice(device));
    }
    CHECK(aclFinalize());
    std::printf("all as expected\n");
}

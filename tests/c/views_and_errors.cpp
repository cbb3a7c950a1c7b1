// Ranges, casts, strided results and refusals, as a C++17 program that knows nothing of the emulator.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <vector>

#include "acl/acl.h"
#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_arange.h"
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_mul.h"

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

// Device memory that frees itself.
class Memory {
  public:
    explicit Memory(std::size_t bytes) : bytes_(bytes) {
        check(aclrtMalloc(&address_, bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
    }
    ~Memory() { aclrtFree(address_); }
    Memory(const Memory &) = delete;
    Memory &operator=(const Memory &) = delete;

    template <typename T> std::vector<T> read() const {
        std::vector<T> values(bytes_ / sizeof(T));
        check(aclrtMemcpy(values.data(), bytes_, address_, bytes_, ACL_MEMCPY_DEVICE_TO_HOST), "copy to host");
        return values;
    }
    template <typename T> void write(const std::vector<T> &values) {
        check(aclrtMemcpy(address_, bytes_, values.data(), bytes_, ACL_MEMCPY_HOST_TO_DEVICE), "copy to device");
    }
    void *get() const { return address_; }

  private:
    void *address_ = nullptr;
    std::size_t bytes_;
};

aclTensor *describe(const Memory &memory, aclDataType dtype, std::initializer_list<int64_t> dims,
                    std::initializer_list<int64_t> strides, int64_t storage, int64_t offset = 0) {
    return aclCreateTensor(dims.begin(), dims.size(), dtype, strides.begin(), offset, ACL_FORMAT_ND, &storage, 1,
                           memory.get());
}

template <typename Plan, typename Launch> void run(Plan plan, Launch launch, aclrtStream stream, const char *what) {
    uint64_t size = 0;
    aclOpExecutor *executor = nullptr;
    check(plan(&size, &executor), what);
    Memory workspace(size > 0 ? size : 32);
    check(launch(size > 0 ? workspace.get() : nullptr, size, executor, stream), what);
    check(aclrtSynchronizeStream(stream), what);
}

} // namespace

int main() {
    static_assert(std::is_same<aclnnStatus, int32_t>::value, "the type of a status");
    check(aclInit(nullptr), "aclInit");
    check(aclrtSetDevice(0), "aclrtSetDevice");
    aclrtStream stream = nullptr;
    check(aclrtCreateStream(&stream), "aclrtCreateStream");
    {
        // 0 1 2 3 4 5 as i32, made on the device.
        Memory ramp(6 * sizeof(int32_t));
        aclTensor *ramp_tensor = describe(ramp, ACL_INT32, {6}, {1}, 6);
        int64_t numbers[3] = {0, 6, 1};
        aclScalar *start = aclCreateScalar(&numbers[0], ACL_INT64);
        aclScalar *end = aclCreateScalar(&numbers[1], ACL_INT64);
        aclScalar *step = aclCreateScalar(&numbers[2], ACL_INT64);
        run([&](uint64_t *size,
                aclOpExecutor **executor) { return aclnnArangeGetWorkspaceSize(start, end, step, ramp_tensor, size, executor); },
            aclnnArange, stream, "aclnnArange");

        // The transpose of [[0 1 2] [3 4 5]] times u8, into every second element of a row of 12: 0 · 3 · 1 · …
        Memory factors(6);
        factors.write<uint8_t>({1, 2, 3, 4, 5, 6});
        Memory spaced(12 * sizeof(int32_t));
        spaced.write(std::vector<int32_t>(12, -7));
        aclTensor *transposed = describe(ramp, ACL_INT32, {3, 2}, {1, 3}, 6);
        aclTensor *factor = describe(factors, ACL_UINT8, {3, 2}, {2, 1}, 6);
        aclTensor *gaps = describe(spaced, ACL_INT32, {3, 2}, {4, 2}, 12);
        run([&](uint64_t *size, aclOpExecutor **executor) { return aclnnMulGetWorkspaceSize(transposed, factor, gaps, size, executor); },
            aclnnMul, stream, "aclnnMul");
        const std::vector<int32_t> product = {0, -7, 6, -7, 3, -7, 16, -7, 10, -7, 30, -7};
        expect(spaced.read<int32_t>() == product, "the product is spread and the gaps are kept");

        // 300 as i32 becomes 44 as i8.
        Memory narrow(6);
        aclTensor *bytes = describe(narrow, ACL_INT8, {6}, {1}, 6);
        ramp.write<int32_t>({300, -300, 127, 128, 0, -1});
        run([&](uint64_t *size, aclOpExecutor **executor) { return aclnnCastGetWorkspaceSize(ramp_tensor, ACL_INT8, bytes, size, executor); },
            aclnnCast, stream, "aclnnCast");
        expect(narrow.read<int8_t>() == std::vector<int8_t>({44, -44, 127, -128, 0, -1}), "the cast keeps the low bits");

        // What is refused is refused with CANN's codes, and nothing is handed out.
        uint64_t size = 77;
        aclOpExecutor *executor = nullptr;
        float one = 1.0f;
        aclScalar *alpha = aclCreateScalar(&one, ACL_FLOAT);
        expect(aclnnAddGetWorkspaceSize(nullptr, ramp_tensor, alpha, ramp_tensor, &size, &executor) ==
                   ACLNN_ERR_PARAM_NULLPTR, "a null operand");
        expect(aclnnAddGetWorkspaceSize(ramp_tensor, ramp_tensor, alpha, ramp_tensor, &size, &executor) ==
                   ACLNN_ERR_PARAM_INVALID, "a float alpha beside integers");
        expect(std::string(aclGetRecentErrMsg()).find("alpha is f32") != std::string::npos, "the message names alpha");
        expect(aclGetRecentErrMsg() == nullptr, "a message is read once");
        expect(aclnnAddGetWorkspaceSize(ramp_tensor, gaps, start, ramp_tensor, &size, &executor) ==
                   ACLNN_ERR_PARAM_INVALID, "shapes that do not broadcast");
        expect(size == 77 && executor == nullptr, "nothing is written by a refused call");
        expect(aclnnAdd(nullptr, 0, nullptr, stream) == ACLNN_ERR_PARAM_NULLPTR, "a null executor");

        int64_t *dims = nullptr;
        uint64_t rank = 0;
        check(aclGetViewShape(transposed, &dims, &rank), "aclGetViewShape");
        expect(rank == 2 && dims[0] == 3 && dims[1] == 2, "the shape is told");
        delete[] dims;

        for (aclTensor *tensor : {ramp_tensor, transposed, factor, gaps, bytes}) {
            check(aclDestroyTensor(tensor), "aclDestroyTensor");
        }
        for (aclScalar *scalar : {start, end, step, alpha}) {
            check(aclDestroyScalar(scalar), "aclDestroyScalar");
        }
    }
    check(aclrtDestroyStream(stream), "aclrtDestroyStream");
    check(aclrtResetDevice(0), "aclrtResetDevice");
    check(aclFinalize(), "aclFinalize");
    std::puts("all as expected");
    return 0;
}

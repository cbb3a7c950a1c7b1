/* f16 [2, 3] + 2 · f32 [3] on device 0, as a C99 program that knows nothing of the emulator. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "acl/acl.h"
#include "aclnnop/aclnn_add.h"

#define CHECK(call)                                                                                   \
    do {                                                                                              \
        int code = (call);                                                                            \
        if (code != 0) {                                                                              \
            const char *message = aclGetRecentErrMsg();                                               \
            fprintf(stderr, "%s: %d %s\n", #call, code, message ? message : "");                      \
            exit(1);                                                                                  \
        }                                                                                             \
    } while (0)

static aclTensor *tensor_on_device(const void *values, size_t bytes, const int64_t *dims, uint64_t rank,
                                   aclDataType dtype, void **memory) {
    int64_t strides[8];
    int64_t step = 1;
    for (uint64_t axis = rank; axis-- > 0;) {
        strides[axis] = step;
        step *= dims[axis];
    }
    CHECK(aclrtMalloc(memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    if (values != NULL) {
        CHECK(aclrtMemcpy(*memory, bytes, values, bytes, ACL_MEMCPY_HOST_TO_DEVICE));
    }
    return aclCreateTensor(dims, rank, dtype, strides, 0, ACL_FORMAT_ND, dims, rank, *memory);
}

int main(void) {
    CHECK(aclInit(NULL));
    CHECK(aclrtSetDevice(0));
    aclrtStream stream;
    CHECK(aclrtCreateStream(&stream));

    const uint16_t self_values[6] = {0x3C00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600}; /* 1 2 3 4 5 6 */
    const float other_values[3] = {0.5f, 1.25f, -1.0f};
    const float expected[6] = {2.0f, 4.5f, 1.0f, 5.0f, 7.5f, 4.0f};
    const int64_t matrix[2] = {2, 3};
    const int64_t row[1] = {3};

    void *self_memory, *other_memory, *out_memory, *workspace = NULL;
    aclTensor *self = tensor_on_device(self_values, sizeof self_values, matrix, 2, ACL_FLOAT16, &self_memory);
    aclTensor *other = tensor_on_device(other_values, sizeof other_values, row, 1, ACL_FLOAT, &other_memory);
    aclTensor *out = tensor_on_device(NULL, sizeof expected, matrix, 2, ACL_FLOAT, &out_memory);
    float two = 2.0f;
    aclScalar *alpha = aclCreateScalar(&two, ACL_FLOAT);

    uint64_t workspace_size = 0;
    aclOpExecutor *executor = NULL;
    CHECK(aclnnAddGetWorkspaceSize(self, other, alpha, out, &workspace_size, &executor));
    if (workspace_size > 0) {
        CHECK(aclrtMalloc(&workspace, workspace_size, ACL_MEM_MALLOC_HUGE_FIRST));
    }
    CHECK(aclnnAdd(workspace, workspace_size, executor, stream));
    CHECK(aclrtSynchronizeStream(stream));

    float result[6];
    CHECK(aclrtMemcpy(result, sizeof result, out_memory, sizeof result, ACL_MEMCPY_DEVICE_TO_HOST));
    int wrong = 0;
    for (int i = 0; i < 6; i++) {
        printf("%g ", result[i]);
        wrong += result[i] != expected[i];
    }
    printf("\n");

    CHECK(aclDestroyTensor(self));
    CHECK(aclDestroyTensor(other));
    CHECK(aclDestroyTensor(out));
    CHECK(aclDestroyScalar(alpha));
    CHECK(aclrtFree(self_memory));
    CHECK(aclrtFree(other_memory));
    CHECK(aclrtFree(out_memory));
    if (workspace != NULL) {
        CHECK(aclrtFree(workspace));
    }
    CHECK(aclrtDestroyStream(stream));
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
    return wrong;
}

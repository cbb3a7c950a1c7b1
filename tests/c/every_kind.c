/* Operators with a parameter of every kind. Each fills its output with a number that depends on all it was given. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_fill_scalar.h"

typedef aclOpExecutor **Result;

static aclnnStatus fill(const aclTensor *out, double value, uint64_t *size, Result executor) {
    aclScalar *scalar = aclCreateScalar(&value, ACL_DOUBLE);
    aclnnStatus status = aclnnInplaceFillScalarGetWorkspaceSize((aclTensor *)out, scalar, size, executor);
    aclDestroyScalar(scalar);
    return status;
}

aclnnStatus aclnnNumbersGetWorkspaceSize(int64_t a, uint64_t b, int32_t c, int8_t d, int e, bool f, float g, double h,
                                         aclDataType dtype, const char *text, const aclTensor *out,
                                         uint64_t *size, Result executor) {
    double sum = (double)a + (double)b + c + d + e + (f ? 1 : 0) + g + h + dtype + (double)strlen(text);
    return fill(out, sum, size, executor);
}

aclnnStatus aclnnNumbers(void *workspace, uint64_t size, aclOpExecutor *executor, aclrtStream stream) {
    return aclnnInplaceFillScalar(workspace, size, executor, stream);
}

aclnnStatus aclnnListsGetWorkspaceSize(const aclIntArray *ints, const aclFloatArray *floats, const aclBoolArray *bools,
                                       const aclScalarList *scalars, const aclScalar *scalar,
                                       const aclTensorList *tensors, aclTensorList *outs, aclTensor *out,
                                       uint64_t *size, Result executor) {
    uint64_t counts[6] = {0};
    (void)scalar;
    aclGetIntArraySize(ints, &counts[0]);
    aclGetFloatArraySize(floats, &counts[1]);
    aclGetBoolArraySize(bools, &counts[2]);
    aclGetScalarListSize(scalars, &counts[3]);
    aclGetTensorListSize(tensors, &counts[4]);
    aclGetTensorListSize(outs, &counts[5]);
    double digits = 0;
    for (int i = 0; i < 6; i++) {
        digits = 10 * digits + (double)counts[i];
    }
    return fill(out, digits, size, executor);
}

aclnnStatus aclnnLists(void *workspace, uint64_t size, aclOpExecutor *executor, aclrtStream stream) {
    return aclnnInplaceFillScalar(workspace, size, executor, stream);
}

/* As above, of what is not const in C, or const and written all the same. Writes to what is its own. */
aclnnStatus aclnnConstsGetWorkspaceSize(aclTensor *tensor, aclScalar *scalar, aclIntArray *ints, aclFloatArray *floats,
                                        char *text, aclTensorList *tensors, const aclTensorList *outs,
                                        aclTensorList *changed, const aclTensorList *kept, aclTensor *out,
                                        uint64_t *size, Result executor) {
    uint64_t counts[8] = {0};
    int64_t offset = 0;
    aclGetViewOffset(tensor, &offset);
    counts[0] = (uint64_t)offset;
    counts[1] = scalar != NULL;
    aclGetIntArraySize(ints, &counts[2]);
    aclGetFloatArraySize(floats, &counts[3]);
    aclGetTensorListSize(tensors, &counts[4]);
    aclGetTensorListSize(outs, &counts[5]);
    aclGetTensorListSize(changed, &counts[6]);
    aclGetTensorListSize(kept, &counts[7]);
    double digits = (double)strlen(text);
    memset(text, '?', strlen(text));
    for (int i = 0; i < 8; i++) {
        digits = 10 * digits + (double)counts[i];
    }
    return fill(out, digits, size, executor);
}

aclnnStatus aclnnConsts(void *workspace, uint64_t size, aclOpExecutor *executor, aclrtStream stream) {
    return aclnnInplaceFillScalar(workspace, size, executor, stream);
}

/* A digit for each argument: 1 for null, 2 for an object. */
aclnnStatus aclnnNullsGetWorkspaceSize(const aclTensor *tensor, const aclScalar *scalar, const aclIntArray *ints,
                                       const aclFloatArray *floats, const aclBoolArray *bools,
                                       const aclTensorList *tensors, aclTensor *other, const aclTensor *kept,
                                       aclTensor *out, uint64_t *size, Result executor) {
    const void *given[] = {tensor, scalar, ints, floats, bools, tensors, other, kept};
    double digits = 0;
    for (int i = 0; i < 8; i++) {
        digits = 10 * digits + (given[i] ? 2 : 1);
    }
    return fill(out, digits, size, executor);
}

aclnnStatus aclnnNulls(void *workspace, uint64_t size, aclOpExecutor *executor, aclrtStream stream) {
    return aclnnInplaceFillScalar(workspace, size, executor, stream);
}

/* Succeeds without an executor. */
aclnnStatus aclnnNothingGetWorkspaceSize(aclTensor *self, uint64_t *size, Result executor) {
    (void)self;
    *size = 0;
    *executor = NULL;
    return 0;
}

aclnnStatus aclnnNothing(void *workspace, uint64_t size, aclOpExecutor *executor, aclrtStream stream) {
    (void)workspace, (void)size, (void)executor, (void)stream;
    return 0;
}

/* Plans, and then fails to launch. */
aclnnStatus aclnnStumbleGetWorkspaceSize(const aclTensor *self, uint64_t *size, Result executor) {
    return fill(self, 1, size, executor);
}

aclnnStatus aclnnStumble(void *workspace, uint64_t size, aclOpExecutor *executor, aclrtStream stream) {
    (void)workspace, (void)size, (void)stream;
    aclDestroyAclOpExecutor(executor);
    return 361001;
}

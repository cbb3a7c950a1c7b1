/* A custom operator, as a package for CANN would ship it in libcust_opapi.so:
 *     out = left + weight * right
 * A real one has a kernel of its own; this one asks another operator to do it. Compile with
 *     gcc -shared -fPIC blend.c -I <toolkit>/include -L <toolkit>/lib64 -lnnopbase -lopapi -o libcust_opapi.so
 */
#include "aclnnop/aclnn_add.h"

aclnnStatus aclnnBlendGetWorkspaceSize(const aclTensor *left, const aclTensor *right, double weight, aclTensor *out,
                                       uint64_t *workspaceSize, aclOpExecutor **executor) {
    aclScalar *alpha = aclCreateScalar(&weight, ACL_DOUBLE);
    aclnnStatus status = aclnnAddGetWorkspaceSize(left, right, alpha, out, workspaceSize, executor);
    aclDestroyScalar(alpha);
    return status;
}

aclnnStatus aclnnBlend(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream) {
    return aclnnAdd(workspace, workspaceSize, executor, stream);
}

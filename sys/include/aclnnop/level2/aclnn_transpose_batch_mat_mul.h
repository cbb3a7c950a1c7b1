#include "../aclnn_transpose_batch_mat_mul.h"
